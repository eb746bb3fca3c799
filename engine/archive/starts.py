"""Values that are known to work, as starting points: from a table, or the best runs of another analysis."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..answer.known_runs import counted_runs
from ..answer.modes import modes_of_store
from ..problem.definition import MOST_STARTS, Problem, free_parameters
from ..session.file import SUFFIX
from ..session.store import SessionStore
from .table import ArchiveError
from .table_file import read_table

Start = dict[str, float]


def read_starts(path: Path, problem: Problem) -> tuple[Start, ...]:
    """Of every free parameter, in the user's units: the rows of a table with a column for each, or of a session the best run, and
    of separate modes the best run in each. Raises ArchiveError or SessionError."""
    if not path.exists():
        raise ArchiveError("There is no such file.", str(path))
    found = _of_session(path) if path.suffix == SUFFIX else _of_table(path, problem)
    names = [p.name for p in free_parameters(problem)]
    missing = [name for name in names if any(name not in start for start in found)]
    if missing:
        raise ArchiveError(
            f"There are no values of {', '.join(missing[:10])} in {path.name}.", str(path),
            "Every parameter that is learnt needs a column, or a parameter there, of its name.",
        )  # fmt: skip
    if not found:
        raise ArchiveError("There are no values in that file.", str(path))
    if len(found) > MOST_STARTS:
        raise ArchiveError(
            f"{path.name} has {len(found):,} rows; {MOST_STARTS} starting points at most are of use.", str(path),
            "Evaluations made earlier, with their log densities, can be imported instead.",
        )  # fmt: skip
    return tuple({name: start[name] for name in names} for start in found)


def _of_table(path: Path, problem: Problem) -> list[Start]:
    table = read_table(path)
    columns = [p.name for p in free_parameters(problem) if p.name in table.columns]
    rows = np.column_stack([table.column(name) for name in columns]) if columns else np.empty((len(table.values), 0))
    if not np.isfinite(rows).all():
        row = int(np.argmin(np.isfinite(rows).all(1))) + 1
        raise ArchiveError(f"Row {row} of {path.name} has no number in every column.", str(path))
    return [dict(zip(columns, map(float, row), strict=True)) for row in rows]


def _of_session(path: Path) -> list[Start]:
    with SessionStore.open(path, mode="read") as store:
        good = [e for e in counted_runs(store) if e.outcome == "ok" and e.log_likelihood is not None]
        if not good:
            raise ArchiveError("That session has no finished evaluations.", str(path), "Choose a session that was run.")
        best = max(good, key=lambda e: (e.log_likelihood or 0.0) + e.log_prior)
        modes = modes_of_store(store)
        several = [m.best for m in modes if m.best is not None] if modes is not None and modes.several else []
        names = () if modes is None else modes.posterior.names
    if several:
        return [{**best.values, **dict(zip(names, map(float, b.theta), strict=True))} for b in several]
    return [dict(best.values)]
