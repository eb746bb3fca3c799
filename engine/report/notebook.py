"""A Jupyter notebook that opens a session in Python and makes every figure and number of it again, without a run.

Written as plain JSON (nbformat 4.5, https://nbformat.readthedocs.io/en/latest/format_description.html): no Jupyter is needed.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from ..answer.latest import posterior_of, usable_posterior
from ..session import atomic, places
from ..session.store import SessionStore
from .export import called, versions
from .report_figures import FIGURES, drawn

SAMPLES = 10_000


def export_notebook(store: SessionStore, path: Path | str, *, replace: bool = False) -> None:
    """Write it. Raises SessionError; ``replace``: a file of that name may be lost."""
    path = Path(path)
    with usable_posterior(store):
        cells = notebook_cells(store, path.absolute().parent)
    atomic.write(path, notebook_bytes(cells), replace=replace)


def notebook_cells(store: SessionStore, folder: Path) -> list[tuple[str, str]]:
    """("markdown" or "code", text) in order; ``folder``: where the notebook lies. Raises SessionError without a posterior."""
    posterior, _ = posterior_of(store)
    draft, name = places.is_draft(store.path), called(store)
    file = name if draft else _way_to(store.path.absolute(), folder)
    cells = [
        ("markdown", f"# {_line(store.problem.name)}\n\n{_introduction(name, draft)}"),
        ("code", f"from bayescope.engine import open_session\n\nanalysis = open_session({file!r})\nanalysis"),
        ("markdown", "## The answer\n\nMean, standard deviation and quantiles of each parameter, in its own unit."),
        ("code", _SUMMARY),
    ]
    for name, made in drawn(store).items():
        heading = FIGURES[name][0]
        cells += [("markdown", f"## {heading}\n\n{_line(made.caption)}"), ("code", f"analysis.figure({name!r})")]
    return [
        *cells,
        ("markdown", f"## Samples\n\n{SAMPLES:,} draws from the posterior, one row each; the same seed gives the same draws."),
        ("code", f"samples = analysis.sample({SAMPLES}, seed=0)\nsamples.shape, samples.mean(axis=0)"),
        ("markdown", _OWN),
        ("code", _own_quantity(posterior.names)),
        ("markdown", "## The simulator runs\n\nEvery run as a dictionary: its values, outcome, log-likelihood, duration."),
        ("code", "runs = analysis.runs()\nlen(runs), runs[:2]"),
        ("markdown", "## The problem\n\nEverything that was declared, as a problem file that `bayescope new` takes."),
        ("code", "print(analysis.problem_json()[:2000])"),
    ]


def notebook_bytes(cells: list[tuple[str, str]]) -> bytes:
    """The notebook as UTF-8 JSON."""
    document = {
        "cells": [_cell(k, kind, text) for k, (kind, text) in enumerate(cells)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "replace")


def _cell(number: int, kind: str, text: str) -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": text.splitlines(keepends=True)}
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})


def _way_to(file: Path, folder: Path) -> str:
    """From the notebook to the session, so that both can move together; on another drive there is no such way."""
    try:
        return Path(os.path.relpath(file, folder)).as_posix()
    except ValueError:
        return str(file)


def _line(text: str) -> str:
    """One line in which nothing is a mark of Markdown or HTML."""
    plain = " ".join(text.split())
    return "".join(f"\\{c}" if c in "\\`*_[]<>#|$" else c for c in plain)


def _introduction(name: str, draft: bool) -> str:
    version = versions()["bayescope"]
    unsaved = "The analysis was not saved when this was written: save it under that name beside this notebook. "
    return (
        f"Made by Bayescope {version} from the session file `{name.replace('`', '')}`, which must stay where it is, seen "
        f"from this notebook. {unsaved if draft else ''}Nothing is run again: all is read from that file. Bayescope has to be "
        "installed in the Python that runs this notebook."
    )


_SUMMARY = """from bayescope.engine.answer.digits import own_step, plain, sd_step, with_error

for row in analysis.summary():
    step, width = row["resolution"], row["q95"] - row["q05"]
    mean, low, high = (plain(row[k], own_step(row[k], step, width)) for k in ("mean", "q05", "q95"))
    print(f"{row['name']:<16} mean {mean}   sd {plain(row['sd'], sd_step(row['sd'], step))}   90 %: {low} to {high}")
print("log evidence", with_error(analysis.log_evidence, analysis.log_evidence_sd))
for words in analysis.reasons:
    print("-", words)"""
_OWN = "### A quantity of your own\n\nWhatever is computed from the parameters has a posterior too: compute it for every draw."


def _own_quantity(names: tuple[str, ...]) -> str:
    return (
        "import numpy as np\n\n"
        f"column = {{name: samples[:, k] for k, name in enumerate(analysis.names)}}\n"
        f"quantity = column[{names[0]!r}] ** 2  # put your own formula here\n"
        "np.quantile(quantity, [0.05, 0.5, 0.95])"
    )
