"""The files of a test run as they are shown: names, roles, and the beginning of what is text."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from ..problem.binary_files import BinaryFile
from ..problem.definition import ExtraFile, Problem
from ..problem.text_files import NotText, decode
from ..protocol import TrialFile
from . import run_folder
from .run_result import RunResult

MAX_TEXT = 400_000  # characters shown of one stream or file
MAX_TEXTS = 4_000_000  # and of all files together


def files(
    problem: Problem, run: RunResult, folder: Path, base: Path, written: tuple[TrialFile, ...]
) -> tuple[TrialFile, ...]:
    """Those of the run folder, then those ``written`` elsewhere, unless the run folder has one of that name (it is read)."""
    templates = {_plain(template.target) for template in problem.simulator.templates}
    extras = {_extra_name(extra, base) for extra in problem.simulator.extra_files}
    names = run.files or run_folder.files_in(folder)
    found, budget = [], MAX_TEXTS
    for name, size in names.items():
        is_extra = any(name == extra or name.startswith(extra + "/") for extra in extras)
        role: Literal["template", "extra", "produced"] = (
            "template" if name in templates else "extra" if is_extra else "produced"
        )
        text, cut, binary = _text_of(folder / name, name) if budget > 0 else (None, False, None)
        budget -= len(text or "")
        found.append(TrialFile(name=name, role=role, size=size, text=text, cut=cut, binary=binary))
    return (*found, *(file for file in written if file.name not in names))


def inputs(problem: Problem, base: Path) -> frozenset[str]:
    """Names of what is put into the run folder; of a folder its own name alone."""
    templates = {_plain(template.target) for template in problem.simulator.templates}
    return frozenset(templates | {_extra_name(extra, base) for extra in problem.simulator.extra_files})


def _plain(name: str) -> str:
    return Path(name.replace("\\", "/")).as_posix()


def _extra_name(extra: ExtraFile, base: Path) -> str:
    return _plain(extra.target) if extra.target else (base / extra.path).name


def _text_of(path: Path, name: str) -> tuple[str | None, bool, BinaryFile | None]:
    """The beginning of a text file and whether there is more; None, and what it is, if it is no text."""
    try:
        if not path.is_file():
            return None, False, None
        with path.open("rb") as file:
            data = file.read(MAX_TEXT + 1)
        text = decode(data, name).text
    except NotText as error:
        return None, False, error.binary
    except OSError:
        return None, False, None
    return text[:MAX_TEXT], len(data) > MAX_TEXT, None


def stream(path: Path) -> tuple[str, bool]:
    text, cut, _ = _text_of(path, path.name)
    return text or "", cut


def again(first: Path, second: Path, names: Iterable[str]) -> tuple[TrialFile, ...]:
    """The texts of the run folder ``second`` that are others in ``first``: printed text, error text and the files ``names``."""
    found, budget = [], MAX_TEXTS
    streams = {run_folder.STDOUT: "stdout", run_folder.STDERR: "stderr"}
    for name in (*streams, *names):
        text, cut, _ = _text_of(second / name, name) if budget > 0 else (None, False, None)
        if text is not None and text != _text_of(first / name, name)[0]:
            budget -= len(text)
            found.append(TrialFile(name=streams.get(name, name), role="produced", size=len(text), text=text, cut=cut))
    return tuple(found)
