"""By what outputs must be multiplied to be near what was measured, each by itself and those that go together. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import loose_name, unit_in
from bayescope.engine.problem.data.units.unit_scales import is_share, times
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.units.kelvins import of_kelvins
from bayescope.gui.models.data.units.levels import of_levels
from bayescope.gui.models.data.units.own_changes import NEAR, Change, own_change, size_in_common
from bayescope.gui.models.data.units.shared_factors import of_one_factor, of_one_output, shared
from bayescope.gui.models.data.units.sides import Sides, sides_of


def changes_of(problem: d.Problem, report: TrialRunReport | None) -> dict[int, Change]:
    """The comparisons, by number, whose output should be changed: as units in headings say, or as the newest test run shows."""
    matches = problem.meaning.matches if isinstance(problem.meaning, d.Predictions) else ()
    both = {i: sides_of(problem, i, report) for i in range(len(matches))}
    own = {i: c for i in both if (c := own_change(problem, i, both[i])) is not None}
    own |= of_levels(matches, both, own)
    own |= of_kelvins(problem, both, own)
    groups: dict[tuple[str, str], list[int]] = {}
    sources = {o.name: o.source for o in problem.outputs}
    for i, match in enumerate(matches):
        if both[i] is not None and (unit := unit_in(match.column)) and match.output in sources and not match.offset:
            groups.setdefault((unit, sources[match.output]), []).append(i)
    for group in groups.values():
        told = {i: side for i in group if (side := both[i]) is not None}
        own |= of_one_factor(matches, told, own)
    own |= _of_few(matches, both, own)
    return dict(sorted((own | of_one_output(matches, both, own)).items()))


def _of_few(
    matches: tuple[d.Match, ...], both: Mapping[int, Sides | None], own: Mapping[int, Change]
) -> dict[int, Change]:
    """The changes of comparisons of too few values for their size to be asked about (``own`` has none but of a sign), where one
    beside them in the same unit is multiplied by as much, or is to be."""
    made = {}
    for i, match in enumerate(matches):
        side, unit, now, change = both.get(i), unit_in(match.column), abs(match.factor), own.get(i, Change())
        if side is None or not unit or not now or match.offset or replace(change, times=abs(change.times)) != Change():
            continue
        if (power := size_in_common(side)) is None:
            continue
        beside = [k for k, m in enumerate(matches) if k != i and one_unit(unit, unit_in(m.column)) and not m.offset]
        for k in beside:
            told = own.get(k, Change())
            by, seen = abs(told.of(matches[k]).factor) / now, told.seen * abs(matches[k].factor) / now
            size = seen if told.asked else by
            if told.offset or told.molar is not None or not size or not shared(matches[k], by * now):
                continue
            if abs(math.log10(size) - power) < NEAR:
                times = math.copysign(1.0 if told.asked else float(f"{by:.12g}"), change.times)
                made[i] = Change(times, seen=10.0**power, asked=told.asked)
                break
    return made


def one_unit(unit: str, other: str) -> bool:
    """Whether both are one unit, however it is written (us, µs), or none."""
    return unit == other or bool(unit and other and times(unit, other) == 1.0)


def one_direction(match: d.Match, other: d.Match) -> bool:
    """Whether two comparisons may count the other way together: in one unit, or, where none but shares is said, called alike but
    for numbers."""
    unit, its = unit_in(match.column), unit_in(other.column)
    if unit and its and not is_share(unit):
        return one_unit(unit, its)
    names = ({re.sub(r"\d+", "", loose_name(name)) for name in (m.output, m.column)} for m in (match, other))
    return one_unit(unit, its) and bool(set.intersection(*names))
