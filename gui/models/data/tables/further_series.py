"""Columns of a second table, or of repeated measurements (rep 1, rep 2), that were measured like those compared already: the same
outputs may predict them too. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from bayescope.engine.problem.data.rows.repeats import are_repeats
from bayescope.engine.problem.definition import Match, Predictions, Problem
from bayescope.gui.models.data.keys.copied_pairing import like_twin
from bayescope.gui.models.data.replicates import twins_of
from bayescope.gui.models.data.taking_part import Idle
from bayescope.gui.models.plain import one_line, one_name


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
            return f"Does {one_line(self.outputs[0], 30)} predict “{one_name(self.columns[0], 40)}” too?"
        what = "repeated measurements" if self.repeats else "new columns"
        return f"Compare the {len(self.columns)} {what} too?"  # short: it stands in the workflow bar

    @property
    def hint(self) -> str:
        same = "With the same outputs, if the conditions were the same. If not, the program needs other outputs."
        named = ", ".join(one_name(c, 30) for c in self.columns[:2]) + (" …" if len(self.columns) > 2 else "")
        return f"{named} {'are' if len(self.columns) > 1 else 'is'} much like what is compared. {same}" if self.repeats else same


def further_series(problem: Problem, left: Idle) -> FurtherSeries | None:
    """What of ``left`` has the name of a compared column and that of its file behind it, as a table put below another has; or,
    where the name is an output's or no output is left, another number in it and much the same values in the same rows."""
    meaning, data = problem.meaning, problem.data
    if not isinstance(meaning, Predictions) or data is None:
        return None
    new: list[Match] = []
    named = twins_of(problem, left.columns)
    for column in left.columns:
        twin = next((m for m in meaning.matches if m.column and column.startswith(f"{m.column} (")), None)
        if twin is not None:
            new.append(like_twin(problem, twin, column, column.removeprefix(twin.column)))
            continue
        alike = (m for m in meaning.matches if not left.outputs and are_repeats(data, m.column, column))
        if (twin := named.get(column) or next(alike, None)) is not None:
            new.append(like_twin(problem, twin, column))
    if not new:
        return None
    both = msgspec.structs.replace(meaning, matches=(*meaning.matches, *new))
    outputs, columns = tuple(dict.fromkeys(m.output for m in new)), tuple(m.column for m in new)
    repeats = all(any(are_repeats(data, m.column, c) for m in meaning.matches) for c in columns)
    return FurtherSeries(columns, outputs, msgspec.structs.replace(problem, meaning=both), repeats)
