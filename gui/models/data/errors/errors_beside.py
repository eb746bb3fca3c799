"""Whether a column of errors stands beside the values of another one: those of another table of the file do not. Pure."""

from __future__ import annotations

from bayescope.engine.problem.definition import DataTable

ENOUGH = 0.5  # of the values: the errors of some may be missing, or those of a table below may be in the same column


def stand_beside(data: DataTable | None, errors: str, column: str) -> bool:
    """Whether at least half of the values of ``column`` have one of ``errors`` in their row; so of unknown columns too."""
    if data is None or errors not in data.columns or column not in data.columns:
        return True
    pairs = list(zip(data.columns[column], data.columns[errors], strict=False))
    measured = [error for value, error in pairs if value is not None and value == value]
    return sum(error is not None and error == error for error in measured) >= ENOUGH * len(measured)
