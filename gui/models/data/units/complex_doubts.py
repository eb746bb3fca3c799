"""A comparison of different parts of a complex quantity, decibels with a real part: what is said, and what mends it. Pure."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import fresh, unit_in, without_unit
from bayescope.engine.problem.data.names.complex_parts import Column, Part, converted, is_negative, part_of
from bayescope.engine.problem.data.units.unit_scales import times
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import with_match
from bayescope.gui.models.data.units.compared_parts import parts_of
from bayescope.gui.models.data.units.other_units import SIGN, SIGN_BUTTON, OtherUnit, opposite_words
from bayescope.gui.models.data.units.sides import sides_of
from bayescope.gui.models.plain import one_line

CAPTION = "Is it the same part of the quantity?"
KEEP = "They are the same part"
_SAID: dict[Part, str] = {
    "real": "a real part", "imaginary": "an imaginary part", "magnitude": "a magnitude", "dB": "in decibels", "angle": "an angle",
}  # fmt: skip
_PLURAL: dict[Part, str] = {
    "real": "real parts", "imaginary": "imaginary parts", "magnitude": "magnitudes", "dB": "decibels", "angle": "angles",
}  # fmt: skip


def other_part(problem: d.Problem, index: int, report: TrialRunReport | None = None) -> OtherUnit | None:
    """Of comparison ``index``; None: both names say one part, with one sign, or one of them says none. ``report``: the newest
    test run, against whose signs no name counts."""
    parts = parts_of(problem, index)
    if parts is None or not isinstance(problem.meaning, d.Predictions):
        return None
    if parts[0] == parts[1]:
        return _other_sign(problem, problem.meaning.matches[index], index, report, parts[0])
    match = problem.meaning.matches[index]
    predicted, measured = parts
    column = f"“{one_line(match.column, 30)}” {'is ' * (measured != 'dB')}{_SAID[measured]}"
    words = f"“{one_line(match.output, 30)}” is {_SAID[predicted]}, as it says, and {column}."
    mended = _compared_alike(problem, index)
    if mended is None:
        hint = "Choose a column of the same part, or let the program print that part."
        return OtherUnit(words, "", problem, hint=hint, caption=CAPTION, known=True, keep=KEEP)
    every, count = mended, 1
    for i in range(len(problem.meaning.matches)):
        more = parts_of(every, i)
        if i != index and more is not None and more[0] != more[1] and (both := _compared_alike(every, i)) is not None:
            every, count = both, count + 1
    hint = f"The data are converted to {_PLURAL[predicted]}, in another column."
    made = OtherUnit(words, f"Con&vert to {_PLURAL[predicted]}", mended, hint=hint, caption=CAPTION, known=True, keep=KEEP)
    button = "Convert both" if count == 2 else f"Convert all {count}"
    return made if count == 1 else replace(made, every=every, every_button=button)


def _other_sign(
    problem: d.Problem, match: d.Match, index: int, report: TrialRunReport | None, part: Part
) -> OtherUnit | None:
    """Of a comparison with minus what is predicted, as -Im(Z), that does not turn the sign; or of two such that turns it."""
    turned = is_negative(match.column) != is_negative(match.output)
    if turned == (match.factor < 0.0) or (not turned and not is_negative(match.column)):
        return None
    sides = sides_of(problem, index, report)
    if sides is not None and not sides.opposite:
        return None
    said = next(name for name in (match.column, match.output) if is_negative(name))
    hint = f"“{one_line(said, 30)}” is minus {_SAID[part]}, as it says."
    mended = with_match(problem, index, msgspec.structs.replace(match, factor=-match.factor, offset=-match.offset or 0.0))
    words = opposite_words(match.output)
    return OtherUnit(words, SIGN_BUTTON, mended, hint=hint, caption=SIGN, known=True, turns=True, only_sign=True)


def _compared_alike(problem: d.Problem, index: int) -> d.Problem | None:
    """Comparison ``index`` with a column of the predicted part; None: the columns of the table do not tell it, or their errors
    would have to be converted too."""
    parts, data, meaning = parts_of(problem, index), problem.data, problem.meaning
    if parts is None or data is None or not isinstance(meaning, d.Predictions) or meaning.matches[index].sd_column:
        return None
    match, own = meaning.matches[index], part_of(meaning.matches[index].column)
    known = ((c, part_of(c)) for c in data.columns)
    there = {found[1]: c for c, found in known if found is not None and own is not None and found[0] == own[0]}
    if parts[0] in there:
        return with_match(problem, index, msgspec.structs.replace(match, column=there[parts[0]]))
    given = {part: _as_said(c, data.columns[c]) for part, c in there.items()}
    if "angle" in given and (by := times(unit_in(there["angle"]) or "deg", "deg")) is not None:
        given["angle"] = tuple(None if v is None else v * by for v in given["angle"])
    values = converted(parts[0], given)
    if values is None or own is None:
        return None
    size = there.get("magnitude") or there.get("dB") or match.column
    base = _base(size if parts[1] == "angle" else match.column)
    name = fresh(f"{base} [dB]" if parts[0] == "dB" else f"{base} {parts[0]}", list(data.columns))
    columns = {**data.columns, name: tuple(None if v is None else float(f"{v:.12g}") for v in values)}
    changed = msgspec.structs.replace(problem, data=msgspec.structs.replace(data, columns=columns))
    return with_match(changed, index, msgspec.structs.replace(match, column=name))


def _as_said(column: str, cells: Column) -> Column:
    """The values (n,) of the part itself."""
    return tuple(None if v is None else -v for v in cells) if is_negative(column) else cells


def _base(column: str) -> str:
    """Its name without the word for the part: S11 of S11 angle [deg]."""
    words = without_unit(column).split()
    return " ".join(words[:-1]) if len(words) > 1 else words[0]
