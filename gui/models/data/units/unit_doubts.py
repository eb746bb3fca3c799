"""Doubts whether both sides of a comparison, or both sides of its key, have the same unit. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.key_scale import scale_of
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.errors.errors_in_units import errors_in_other_unit
from bayescope.gui.models.data.keys.scaled_keys import by_other_units
from bayescope.gui.models.data.units.complex_doubts import other_part
from bayescope.gui.models.data.units.other_units import OtherUnit, first_by_headings, first_far_off, other_unit
from bayescope.gui.models.data.units.summary_units import first_by_summaries, summary_unit_doubt
from bayescope.gui.models.plain import one_line, shown


def unit_doubt(
    problem: d.Problem, index: int, report: TrialRunReport | None, lines: Sequence[str] = ()
) -> OtherUnit | None:
    """What speaks for another unit in comparison ``index``, of its values first, then of their errors and of its
    key; None: nothing, or not known.

    ``lines``: those of the data files around their tables.
    """
    if hasattr(problem.meaning, "summaries"):
        return summary_unit_doubt(problem, index, report)
    found = other_part(problem, index, report) or other_unit(problem, index, report, lines)
    return found or errors_in_other_unit(problem, index) or _of_key(problem, index, report)


def first_doubts(
    problem: d.Problem, report: TrialRunReport | None, lines: Sequence[str] = (), kept: Collection[str] = ()
) -> tuple[tuple[int, OtherUnit] | None, tuple[int, OtherUnit] | None]:
    """Of comparisons or summaries: ``first_unit_doubt``, and the first that is far off in the newest test run."""
    if hasattr(problem.meaning, "summaries"):
        return first_by_summaries(problem, report, kept)
    return first_unit_doubt(problem, report, kept), first_far_off(problem, report, lines, kept)


def first_unit_doubt(
    problem: d.Problem, report: TrialRunReport | None, kept: Collection[str] = ()
) -> tuple[int, OtherUnit] | None:
    """Of all comparisons, its number and what mends it; of values only what headings say. A doubt in ``kept``, answered by no,
    hides no other."""
    matches = problem.meaning.matches if isinstance(problem.meaning, d.Predictions) else ()
    count = range(len(matches))
    parts = [(i, one) for i in count if (one := other_part(problem, i, report)) is not None and one.words not in kept]
    if parts:
        return parts[0]
    others = [*((i, errors_in_other_unit(problem, i)) for i in count), *((i, _of_key(problem, i, report)) for i in count)]
    open_ones = ((i, one) for i, one in others if one is not None and one.words not in kept)
    return first_by_headings(problem, report, kept) or next(open_ones, None)


def _of_key(problem: d.Problem, index: int, report: TrialRunReport | None) -> OtherUnit | None:
    one = by_other_units(problem, index, report)
    if one is None or one.units is None:
        return None
    output, column = one_line(one.output, 30), one_line(one.column, 30)
    assert isinstance(problem.meaning, d.Predictions)
    match = problem.meaning.matches[index]
    scale = scale_of(match)
    by = f"by {scale.written('it')}" if scale.inverse else f"by it times {shown(match.key_factor)}"
    now = "rows are paired as if both had one unit" if scale.plain else f"rows are paired {by}"
    words = f"“{output}” is in {one.units.output}, as it says, and “{column}” in {one.units.column}, but {now}."
    button = f"P&air by {one.scale.written(one_line(one.output, 12).replace('&', '&&'))}"
    hint = f"That is {one.units.kinds}." if one.units.kinds else "The output by which rows are paired is then multiplied."
    return OtherUnit(words, button, one.problem, hint=hint)
