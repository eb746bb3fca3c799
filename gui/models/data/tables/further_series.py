"""Columns of a second table, or of repeated measurements (rep 1, rep 2), that were measured like those compared already: the same
outputs may predict them too. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from bayescope.engine.problem.definition import DataTable, Match, Predictions, Problem
from bayescope.gui.models.data.taking_part import Idle
from bayescope.gui.models.plain import one_line

ALIKE = 0.2  # of the range of one, up to which repeated measurements differ usually
_LAST_NUMBER = re.compile(r"[0-9]+(?=[^0-9]*$)|(?<![^\W_])[A-Ca-c](?=\W*$)")  # rep 1, OD (2), run A


@dataclass(frozen=True)
class FurtherSeries:
    """``columns``: in no comparison yet; ``outputs``: of those with which their twins are compared; ``problem``: with them
    compared too, paired and scaled as their twins are."""

    columns: tuple[str, ...]
    outputs: tuple[str, ...]
    problem: Problem

    @property
    def question(self) -> str:
        if len(self.columns) == 1:
            return f"Does {one_line(self.outputs[0], 30)} predict “{one_line(self.columns[0], 40)}” too?"
        return f"Compare the {len(self.columns)} new columns too?"  # short: it stands in the workflow bar


def further_series(problem: Problem, left: Idle) -> FurtherSeries | None:
    """What of ``left`` has the name of a compared column and that of its file behind it, as a table put below another has; or,
    where no output is left, another number in it and much the same values in the same rows."""
    meaning, data = problem.meaning, problem.data
    if not isinstance(meaning, Predictions) or data is None:
        return None
    present = {*data.columns, *data.texts}
    new: list[Match] = []
    for column in left.columns:
        twin = next((m for m in meaning.matches if m.column and column.startswith(f"{m.column} (")), None)
        if twin is not None:
            new.append(_like(twin, column, column.removeprefix(twin.column), present))
        elif not left.outputs and (twin := next((m for m in meaning.matches if _repeated(data, m.column, column)), None)):
            new.append(_like(twin, column, "", present))
    if not new:
        return None
    both = msgspec.structs.replace(meaning, matches=(*meaning.matches, *new))
    outputs = tuple(dict.fromkeys(m.output for m in new))
    return FurtherSeries(tuple(m.column for m in new), outputs, msgspec.structs.replace(problem, meaning=both))


def _repeated(data: DataTable, one: str, other: str) -> bool:
    """Whether two columns are repeated measurements of the same, by their names and their values."""
    if one not in data.columns or other not in data.columns or _LAST_NUMBER.search(one) is None:
        return False
    if _LAST_NUMBER.sub("", one) != _LAST_NUMBER.sub("", other):
        return False
    a, b = (_numbers(data.columns[name]) for name in (one, other))
    both = np.isfinite(a) & np.isfinite(b)
    span = float(np.ptp(a[both])) if both.sum() > 1 else 0.0
    return span > 0.0 and float(np.median(np.abs(a - b)[both])) <= ALIKE * span


def _numbers(cells: Sequence[float | None]) -> np.ndarray:
    return np.array([np.nan if v is None else v for v in cells], dtype=float)


def _like(twin: Match, column: str, behind: str, present: set[str]) -> Match:
    """The comparison ``twin`` for another ``column``, with its own keys and deviations where these have ``behind`` them."""

    def own(name: str | None) -> str | None:
        return f"{name}{behind}" if name and f"{name}{behind}" in present else name

    key, second = own(twin.key_column), own(twin.second_key_column)
    sd = own(twin.sd_column)
    return msgspec.structs.replace(
        twin, column=column, key_column=key, second_key_column=second, sd_column=sd if sd != twin.sd_column else None,
        left_out=(), rows=(),
    )  # fmt: skip
