"""Every export of a session, written and read back by what others read such files with."""

from __future__ import annotations

import argparse
import contextlib
import csv
import importlib.util
import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..problem.files import load
from ..problem.transforms import ParameterSpace
from ..session.store import SessionStore

DRAWS = 1000
FILES = {  # option of ``bayescope export`` -> file
    "samples": "samples.csv", "evaluations": "runs.csv", "summary": "summary.csv", "predictions": "predictions.csv",
    "best_fit": "best-fit.csv", "taught": "taught.csv",
    "netcdf": "samples.nc", "report": "report.html", "notebook": "figures.ipynb",
    "problem": "problem.json", "figure": "marginals.png",
}  # fmt: skip
NEEDS = {"netcdf": ("xarray", "h5netcdf")}


def write_and_read(session: Path, folder: Path) -> tuple[list[str], list[str]]:
    """Kinds that were read back as they should, and sentences about those that were not."""
    from .export_command import export

    done, wrong = [], []
    with SessionStore.open(session, mode="read") as store:
        names = list(ParameterSpace(store.problem.parameters).names)
        count, problem = store.evaluation_count, store.problem.name
    readers: dict[str, Callable[[Path], str]] = {
        "samples": lambda path: _table(path, names, DRAWS),
        "evaluations": lambda path: _table(path, [], count),
        "summary": lambda path: _table(path, [], len(names)),
        "predictions": lambda path: _table(path, [], None),
        "best_fit": lambda path: _table(path, [], None),
        "taught": lambda path: _table(path, [], None),
        "netcdf": lambda path: _draws(path, names, folder / FILES["samples"]),
        "report": lambda path: _words_in(path, [*names, "</html>"]),
        "notebook": lambda path: _words_in(path, ["open_session", "marginals"]),
        "problem": lambda path: "" if load(path).name == problem else "it declares something else",
        "figure": _picture,
    }
    for kind, name in FILES.items():
        if any(importlib.util.find_spec(needed) is None for needed in NEEDS.get(kind, ())):
            continue
        wanted = {other: folder / name if other == kind else None for other in FILES}
        wanted["sensitivity"] = None  # which is worked out when asked
        arguments = argparse.Namespace(file=session, n=DRAWS, seed=1, force=False, **wanted)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                export(arguments)
            problem_words = readers[kind](folder / name)
        except Exception as error:  # whatever it is, it is what this looks for
            problem_words = f"{type(error).__name__}: {error}"
        if problem_words:
            wrong.append(f"{name}: {problem_words}.")
        else:
            done.append(kind)
    return done, wrong


def _read(path: Path) -> list[list[str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def _table(path: Path, names: list[str], rows: int | None) -> str:
    table = _read(path)
    if names and (table[0][: len(names)] != names or not np.isfinite(np.array(table[1:], dtype=float)).all()):
        return "its columns or numbers do not read back"
    if len(table) < 2 or (rows is not None and len(table) != rows + 1):
        return f"{len(table) - 1} rows were read back, not {rows}"
    return ""


def _draws(path: Path, names: list[str], samples: Path) -> str:
    import xarray

    with xarray.open_dataset(path, group="posterior", engine="h5netcdf") as found:
        here: NDArray[np.float64] = np.stack([np.asarray(found[name]).ravel() for name in names], axis=1)
    table: NDArray[np.float64] = np.array(_read(samples)[1:], dtype=float)
    return "" if np.array_equal(here, table[:, : len(names)]) else "its samples are not those of the table"


def _words_in(path: Path, names: list[str]) -> str:
    text = path.read_text(encoding="utf-8")
    missing = [name for name in names if name not in text]
    return f"{missing[0]} is not in it" if missing else ""


def _picture(path: Path) -> str:
    from matplotlib.image import imread

    pixels = np.asarray(imread(path))
    return "" if min(pixels.shape[:2]) > 100 and float(np.ptp(pixels)) > 0.1 else "it is empty"
