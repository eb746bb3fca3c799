"""Columns of a second table that were measured like those compared already: the same outputs may predict them too. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from bayescope.engine.problem.definition import Match, Predictions, Problem
from bayescope.gui.models.data.taking_part import Idle
from bayescope.gui.models.plain import one_line


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
    """What of ``left`` has the name of a compared column and that of its file behind it, as a table put below another has."""
    meaning, data = problem.meaning, problem.data
    if not isinstance(meaning, Predictions) or data is None:
        return None
    present = {*data.columns, *data.texts}
    new: list[Match] = []
    for column in left.columns:
        twin = next((m for m in meaning.matches if m.column and column.startswith(f"{m.column} (")), None)
        if twin is not None:
            new.append(_like(twin, column, column.removeprefix(twin.column), present))
    if not new:
        return None
    both = msgspec.structs.replace(meaning, matches=(*meaning.matches, *new))
    outputs = tuple(dict.fromkeys(m.output for m in new))
    return FurtherSeries(tuple(m.column for m in new), outputs, msgspec.structs.replace(problem, meaning=both))


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
