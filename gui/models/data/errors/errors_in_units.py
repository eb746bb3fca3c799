"""A comparison whose column of errors is in another unit than its values: what is said of it, and what mends it. Pure."""

from __future__ import annotations

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.error_units import ErrorUnits, error_units
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.gui.models.data.errors.bare_errors import counted
from bayescope.gui.models.data.errors.doubtful_errors import sd_of
from bayescope.gui.models.data.units.other_units import OtherUnit
from bayescope.gui.models.plain import one_line, shown

CAPTION = "Are the errors in another unit?"
KEEP = "They have one unit"
PERCENT = "Are the errors percentages?"
NO = "They are in the unit of the values"
FEWEST = 3  # rows of which the sizes of errors tell something
NEARLY_ALL = 0.8  # of the rows
MOST_PERCENT, MOST_WHOLE = 100.0, 20.0  # larger ones are no percentages of a measurement; ... and no rounded ones
Cells = tuple[float | None, ...]


def errors_in_other_unit(problem: d.Problem, index: int) -> OtherUnit | None:
    """Of comparison ``index``; None: its headings say one unit, or none."""
    meaning, data = problem.meaning, problem.data
    if data is None or not isinstance(meaning, d.Predictions) or not 0 <= index < len(meaning.matches):
        return None
    match = meaning.matches[index]
    sds = sd_of(meaning, match)
    if sds not in data.columns or match.column not in data.columns or sds == match.column:
        return None
    if (units := error_units(sds, match.column, data.columns[sds])) is None:
        return _perhaps_percent(problem, sds, match.column)
    column, of = one_line(sds, 30), one_line(match.column, 30)
    share = " of each value" if units.relative else ""
    its = f"is in {units.its}" if units.its else "is not"
    words = f"“{column}” holds errors in {units.unit}{share}, and “{of}” {its}. They are taken as if both had one unit."
    into = units.its or "the unit of the values"
    button = f"Count them &in {into}" if units.relative else _by(units.factor)
    hint = f"Its numbers become those in {into}; Undo takes it back."
    return OtherUnit(words, button, counted(problem, sds, units), hint=hint, caption=CAPTION, known=True, keep=KEEP)


def _perhaps_percent(problem: d.Problem, sds: str, of: str) -> OtherUnit | None:
    """Errors of no unit of their own that are of a size of percentages rather than of errors; None: they are not."""
    assert problem.data is not None
    unit, columns = unit_in(sds), problem.data.columns
    if unit not in ("", unit_in(of)) or not like_percentages(columns[sds], columns[of]):
        return None
    column, whose = one_line(sds, 30), one_line(of, 30)
    words = f"The errors in “{column}” are larger than most of the values in “{whose}”: are they percentages of these?"
    units = ErrorUnits(of, "%", unit_in(of), 0.01, relative=True)
    hint = f"Then {_example(columns[sds], columns[of])}; Undo takes it back."
    shares = counted(problem, sds, units)
    return OtherUnit(words, "They are &percentages", shares, hint=hint, caption=PERCENT, known=True, keep=NO)


def like_percentages(sds: Cells, values: Cells) -> bool:
    """Whether errors (n,) look like percentages of the values (n,): all values are above 0, and nearly all errors are larger than
    theirs, or all are one whole number of a few that is larger than most of them."""
    rows = [(s, v) for s, v in zip(sds, values, strict=True) if s is not None and v is not None and s == s and v == v]
    if len(rows) < FEWEST or any(v <= 0.0 or not 0.0 < s <= MOST_PERCENT for s, v in rows):
        return False
    larger = sum(s > v for s, v in rows) / len(rows)
    whole = len({s for s, _ in rows}) == 1 and rows[0][0] == round(rows[0][0]) and rows[0][0] <= MOST_WHOLE
    return larger >= NEARLY_ALL or (whole and larger > 0.5)


def _example(sds: Cells, values: Cells) -> str:
    s, v = next((s, v) for s, v in zip(sds, values, strict=True) if s is not None and v is not None)
    return f"{spoken(s)} % of {spoken(v)} is {spoken(abs(v) * s / 100.0, 4)}"


def _by(factor: float) -> str:
    """In the shorter of two ways: divided by 1440."""
    times, over = shown(factor), shown(float(f"{1.0 / factor:.12g}"))
    return f"M&ultiply them by {times}" if len(times) <= len(over) else f"Divi&de them by {over}"
