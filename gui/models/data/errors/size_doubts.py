"""Sizes of errors that are asked about: one number for columns in several units, and one that a form was filled with. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.engine.problem.data.units.unit_scales import times
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.gui.models.data.errors.noise import given_words
from bayescope.gui.models.plain import one_line

RIGHT = "It is &right"
ALL_RIGHT = "It is of a&ll"
GUESSED, MIXED = "Is the size of the errors right?", "Is one size right in all units?"


@dataclass(frozen=True)
class SizeDoubt:
    """``words``: what is asked, a sentence; ``mended``: with the size limited to the columns of one unit, None: it is a guess."""

    words: str
    hint: str
    button: str
    caption: str
    dismiss: str = ""
    mended: d.Problem | None = None


def size_doubt(problem: d.Problem, kept: Collection[str]) -> SizeDoubt | None:
    """The first one but for those in ``kept``, which are answered."""
    return next((one for one in (_mixed(problem), _guessed(problem)) if one is not None and one.words not in kept), None)


def _mixed(problem: d.Problem) -> SizeDoubt | None:
    """One number that counts for columns in units that are not the same."""
    meaning = problem.meaning
    if not isinstance(meaning, d.Predictions) or not isinstance(meaning.noise, d.GaussianKnown | d.StudentTNoise | d.Ar1Noise):
        return None
    size = getattr(meaning.noise, "sd", None) or getattr(meaning.noise, "scale", None)
    rows = [i for i, m in enumerate(meaning.matches) if m.column and m.noise is None and m.sd_column is None]
    if not isinstance(size, float) or getattr(meaning.noise, "percent", None) is not None:
        return None
    units = {i: unit_in(meaning.matches[i].column) for i in rows}
    first = next((i for i in rows if units[i]), None)
    mine = [] if first is None else [i for i in rows if _alike(meaning.matches[i], meaning.matches[first])]
    others = [i for i in rows if i not in mine]
    if first is None or not others:
        return None
    one, other = one_line(meaning.matches[first].column, 24), one_line(meaning.matches[others[0]].column, 24)
    apart = "which are in other units" if units[others[0]] else "which says no unit"
    words = f"Errors of {spoken(size)} are those of “{one}” and of “{other}”, {apart}."
    matches = [msgspec.structs.replace(m, noise=meaning.noise) if i in mine else m for i, m in enumerate(meaning.matches)]
    changed = msgspec.structs.replace(meaning, matches=tuple(matches), noise=d.GaussianKnown())
    unit = units[first]
    its = (
        f"{spoken(size)} {unit} is not {spoken(size)} {units[others[0]]}."
        if units[others[0]]
        else f"“{other}” may be in any unit."
    )
    hint = f"{its} The others are asked for then."
    mended = msgspec.structs.replace(problem, meaning=changed)
    return SizeDoubt(words, hint, f"Only those in &{one_line(unit, 12)}", MIXED, ALL_RIGHT, mended)


def _alike(match: d.Match, first: d.Match) -> bool:
    """Whether what ``match`` compares is in the unit of ``first``, by its heading or as another measurement of one output."""
    units = unit_in(match.column), unit_in(first.column)
    return match.output == first.output if not units[0] else units[0] == units[1] or times(*units) == 1.0


def _guessed(problem: d.Problem) -> SizeDoubt | None:
    """A number of a model in use that is still the one with which the form was filled."""
    meaning = problem.meaning
    if not isinstance(meaning, d.Predictions):
        return None
    for match in meaning.matches:
        noise = match.noise or meaning.noise
        words, guess = given_words(noise)
        if guess:
            of = "" if match.noise is None else f"Errors of “{one_line(match.column, 24)}”. "
            hint = f"{of}Nobody but you knows how large they are, and the width of the answer depends on it."
            return SizeDoubt(words, hint, RIGHT, GUESSED)
    return None
