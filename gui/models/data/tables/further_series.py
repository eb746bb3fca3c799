"""Columns of a second table, or of repeated measurements (rep 1, rep 2), that were measured like those compared already: the same
outputs may predict them too. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from bayescope.engine.problem.data.rows.repeats import are_repeats
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
    repeats: bool = False  # each stands beside a compared one with much the same values

    @property
    def question(self) -> str:
        if len(self.columns) == 1:
            return f"Does {one_line(self.outputs[0], 30)} predict “{one_line(self.columns[0], 40)}” too?"
        what = "repeated measurements" if self.repeats else "new columns"
        return f"Compare the {len(self.columns)} {what} too?"  # short: it stands in the workflow bar

    @property
    def hint(self) -> str:
        same = "With the same outputs, if the conditions were the same. If not, the program needs other outputs."
        named = ", ".join(one_line(c, 30) for c in self.columns[:2]) + (" …" if len(self.columns) > 2 else "")
        return f"{named} {'are' if len(self.columns) > 1 else 'is'} much like what is compared. {same}" if self.repeats else same


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
        elif not left.outputs and (twin := next((m for m in meaning.matches if are_repeats(data, m.column, column)), None)):
            new.append(_like(twin, column, "", present))
    if not new:
        return None
    both = msgspec.structs.replace(meaning, matches=(*meaning.matches, *new))
    outputs, columns = tuple(dict.fromkeys(m.output for m in new)), tuple(m.column for m in new)
    repeats = all(any(are_repeats(data, m.column, c) for m in meaning.matches) for c in columns)
    return FurtherSeries(columns, outputs, msgspec.structs.replace(problem, meaning=both), repeats)


def _like(twin: Match, column: str, behind: str, present: set[str]) -> Match:
    """The comparison ``twin`` for another ``column``, with its own keys and deviations where these have ``behind`` them; those of
    a repeated measurement ('' behind) are the same."""

    def own(name: str | None) -> str | None:
        return f"{name}{behind}" if name and f"{name}{behind}" in present else name

    key, second = own(twin.key_column), own(twin.second_key_column)
    sd = own(twin.sd_column)
    sd = sd if not behind or sd != twin.sd_column else None
    return msgspec.structs.replace(
        twin, column=column, key_column=key, second_key_column=second, sd_column=sd,
        left_out=(), rows=(),
    )  # fmt: skip
