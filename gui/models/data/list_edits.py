"""What is typed into the list of comparisons: a factor or the program's unit, the size of the errors or their column; and the
offer to do the same for all others that were like it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates import day_zero
from bayescope.engine.problem.data.names.column_names import unit_in, without_unit
from bayescope.engine.problem.data.rows.key_scale import Scale, scale_of, with_scale
from bayescope.engine.problem.data.rows.text_keys import unit_of
from bayescope.engine.problem.data.units.unit_scales import conversion, times
from bayescope.gui.models.data.comparison_rows import errors_words, scaling_text
from bayescope.gui.models.data.errors.error_size import error_size_of, unit_words, with_size
from bayescope.gui.models.data.errors.factor_size import read_words
from bayescope.gui.models.data.errors.noise import takes_column
from bayescope.gui.models.data.keys.same_shift import shift_words, so_for_all
from bayescope.gui.models.data.keys.typed_key import typed_key
from bayescope.gui.models.data.units.heading_units import scale_between
from bayescope.gui.models.plain import number_of, one_line

_ADDED = re.compile(r"(?P<factor>.*?)(?:(?<=[\d.\s)])|^)(?P<sign>[-+−–])\s*(?P<offset>\d[\d.,]*(?:[eE][-+]?\d+)?)\s*$")
_MOVED = re.compile(r"(?P<sign>[-+−–])\s*(?P<by>\d[\d.,]*(?:[eE][-+]?\d+)?)\s*(?P<unit>[^\W\d_]+)?")
_CLOCK = re.compile(r"(?P<sign>[-+−–])\s*(?P<hours>\d{1,3}):(?P<minutes>[0-5]\d)(?::(?P<seconds>[0-5]\d(?:\.\d+)?))?")
_COMMON = ("", "common", "as the others", "for all", "-", "–")
_COUNTS = re.compile(r"(?:poisson|counts?|√n|sqrt\(?n\)?)(?:\s*\(poisson\))?", re.IGNORECASE)
_LEARNED = re.compile(r"(?:to\s+be\s+)?(?:learn(?:ed|t)?|unknown|free|fit(?:ted)?|estimated?|\?+)", re.IGNORECASE)
LEARNED = "A size that is not known can be learned: choose “Normal, size to be learned” on the tab Errors."
NO_KEY = "These rows are paired in order. Type the name of a key here, or choose one under “Pair by the output” below."
NO_SCALE = "“{}” is no shift and no factor of a key. Write + 12.3, - 1 h, x 1000, / 60, 180 - it, or the name of another key."
UNTYPED = "Write a factor such as 1000 or 1/4.184, with what is added: 1.8 + 32; or the unit of the program: m, kPa, K."


@dataclass(frozen=True)
class Offer:
    """After comparison ``row`` was changed: ``words`` say what it is now, ``button`` and ``problem`` do the same for others that
    were like it; ``every_button`` and ``every`` for more of them, in other units too."""

    words: str
    button: str
    problem: d.Problem
    every_button: str = ""
    every: d.Problem | None = None


def matches_of(problem: d.Problem) -> tuple[d.Match, ...]:
    return problem.meaning.matches if isinstance(problem.meaning, d.Predictions) else ()


def _with(problem: d.Problem, changed: dict[int, d.Match]) -> d.Problem:
    matches = tuple(changed.get(i, m) for i, m in enumerate(matches_of(problem)))
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(problem.meaning, matches=matches))


# ------------------------------------------------------------------ factors


def with_scaling(problem: d.Problem, row: int, text: str) -> d.Problem:
    """Comparison ``row`` with the factor and the constant, or the unit of the program, that ``text`` says. Raises ValueError with
    words."""
    match = matches_of(problem)[row]
    factor, offset = _scaling_of(text, match.column)
    return _with(problem, {row: msgspec.structs.replace(match, factor=factor, offset=offset)})


def with_key_scaling(problem: d.Problem, row: int, text: str) -> d.Problem:
    """Comparison ``row`` with the factor and shift of its first key, or the unit in which the program counts it, that ``text``
    says: + 12.3, -0.5, x 1000, / 60, 1239.84 / it; or with another key that it names: travel x 1000. Raises ValueError with
    words."""
    match = matches_of(problem)[row]
    named = None if match.keys and text.strip().startswith(match.keys[0][0]) else typed_key(problem, match, text)
    if named is not None and not (unit_typed(text) and match.keys):
        return _with(problem, {row: named if named.keys != match.keys else with_scale(match, scale_of(named))})
    if not match.keys:
        raise ValueError(NO_KEY)
    over = re.fullmatch(r"(?P<number>[\d.,eE+-]+)\s*/\s*(?P<name>[^\W\d].*?)(?P<rest>\s[-+−–]\s*[\d.,eE]+)?", text.strip())
    if over is not None:
        offset = _scaling_of(over["rest"] or "", "")[1]
        scale = Scale(number_of(over["number"], "The number"), offset, inverse=True)
    elif (turned := re.fullmatch(r"(?P<number>\d[\d.,eE]*)\s*[-−–]\s*it", text.strip())) is not None:
        scale = Scale(-1.0, number_of(turned["number"], "The number"))
    else:
        plain = re.sub(r"^\s*[/÷:]\s*(?=[\d.])", "1/", text)
        output = match.keys[0][0].strip()
        plain = plain.strip().removeprefix(output) if plain.strip() != output else ""  # the whole as it is shown
        plain = plain.strip().removeprefix(match.keys[0][1])
        shift = shift_typed(problem, match.keys[0][1], plain.strip())  # keys are hardly ever mirrored: × −1 is a factor
        try:
            scale = Scale(*_scaling_of(plain, match.keys[0][1])) if shift is None else Scale(1.0, shift)
        except ValueError as error:
            raise ValueError(NO_SCALE.format(one_line(text.strip(), 30))) from error
    if scale.factor == 0.0:
        raise ValueError("Times 0 all keys are the same. Write a factor such as 1000 or 1/60, or what is added: + 12.3.")
    return _with(problem, {row: with_scale(match, scale)})


def shift_typed(problem: d.Problem, column: str, text: str) -> float | None:
    """What ``text`` adds to the keys of the program for them to be those of ``column``, in its unit: -0.5, + 1 h, -01:00 of a
    clock; None: it is no shift."""
    moved, clock = _MOVED.fullmatch(text), _CLOCK.fullmatch(text)
    data, counts = problem.data, day_zero.counted(column)
    times_of_day = data is not None and bool(unit_of(data.texts.get(column, ())))
    unit = "s" if times_of_day else counts.unit if counts is not None else unit_in(column)
    if clock is not None and unit and (by := times("s", unit)) is not None:
        seconds = 3600.0 * int(clock["hours"]) + 60.0 * int(clock["minutes"]) + float(clock["seconds"] or 0.0)
        return seconds * by * (-1.0 if clock["sign"] in "-−–" else 1.0)
    if moved is None:
        return None
    factor = times(moved["unit"], unit) if moved["unit"] else 1.0
    if factor is None:
        known = f"is in {unit}" if unit else "says no unit"
        raise ValueError(f"“{one_line(column, 24)}” {known}: type the shift as a number, without {moved['unit']}.")
    return factor * number_of(moved["by"], "What is added") * (1.0 if moved["sign"] == "+" else -1.0)


def unit_typed(text: str) -> str:
    """The unit of the program that is typed in place of a factor: m, m → mm, [kPa]; '' for a number."""
    plain = text.strip()
    if re.match(r"[-+−–×*·(]*\s*[\d.]|[x×*·]\s*[\d.]", plain) or not re.search(r"[^\W\d_]|[°%‰]", plain):
        return ""
    unit = re.split(r"\s*(?:→|->|\bto\b|\bin\b)\s*", plain, maxsplit=1)[0].strip("[]() ")
    return unit if conversion(unit, unit) is not None else ""


def _scaling_of(text: str, column: str) -> tuple[float, float]:
    plain = re.sub(r"^[x×*·]\s*(?=[-+−\d.(])", "", text.strip())
    if plain.casefold() in ("", "as it is", "none", "-", "–", "×"):
        return 1.0, 0.0
    if unit := unit_typed(plain):
        measured = unit_in(column)
        if measured and (scale := scale_between(unit, measured, column)) is not None:
            return scale
        has = unit_words(measured, unit)
        raise ValueError(f"“{one_line(column, 30)}” {has}, so {one_line(unit, 12)} cannot be counted in it. Write the factor.")
    found = _ADDED.fullmatch(plain)
    if found is not None and not found["factor"] and not re.match(r"\+|.\s", plain):
        found = None  # a factor with a sign
    try:
        if found is None or found["factor"]:
            return number_of(plain, "The factor"), 0.0
    except ValueError as error:
        if found is None:
            raise ValueError(f"{error} {UNTYPED}" if re.search(r"[^\W\d_]", plain) else str(error)) from None
    assert found is not None
    offset = number_of(found["offset"], "What is added") * (1.0 if found["sign"] == "+" else -1.0)
    factor = found["factor"].strip().rstrip("×*· ")
    return (number_of(factor, "The factor") if factor else 1.0), offset


# ------------------------------------------------------------------ errors


def with_errors(problem: d.Problem, row: int, text: str) -> d.Problem:
    """Comparison ``row`` with errors of the size, or from the column, that ``text`` says; empty: those of the others. Where it is
    the only comparison, for all. Raises ValueError with words."""
    meaning, match = problem.meaning, matches_of(problem)[row]
    assert isinstance(meaning, d.Predictions)
    if text.strip().casefold() in _COMMON:
        return _with(problem, {row: msgspec.structs.replace(match, noise=None, sd_column=None)})
    if (sds := column_named(problem, text)) is not None:
        if match.noise is None and takes_column(meaning.noise):
            return _with(problem, {row: msgspec.structs.replace(match, sd_column=sds)})
        return _with(problem, {row: msgspec.structs.replace(match, noise=d.GaussianKnown(sd_column=sds), sd_column=None)})
    if _COUNTS.fullmatch(text.strip()):
        return _with(problem, {row: msgspec.structs.replace(match, noise=d.PoissonNoise(), sd_column=None)})
    if _LEARNED.fullmatch(text.strip()):
        raise ValueError(LEARNED)
    try:
        size = error_size_of(text, "The size of the errors")
    except ValueError as error:
        if re.fullmatch(r"[^\W\d_][^%]*", text.strip()):
            raise ValueError(f"No column is called “{one_line(text.strip(), 40)}”. {error}") from None
        raise
    assert size is not None
    if len(meaning.matches) == 1 and match.noise is None:
        return with_size(_with(problem, {0: msgspec.structs.replace(match, sd_column=None)}), size)
    return with_size(problem, size, row)


def factor_read(problem: d.Problem, row: int, text: str) -> tuple[str, d.Problem] | None:
    """How a factor typed as the errors of comparison ``row`` was read, a sentence, and ``problem`` where it means 95 %; None: it
    was none, or its level was said."""
    meaning, match = problem.meaning, matches_of(problem)[row]
    if not isinstance(meaning, d.Predictions) or (read := read_words(text, match.noise or meaning.noise)) is None:
        return None
    words, narrow = read
    if match.noise is not None:
        return words, _with(problem, {row: msgspec.structs.replace(match, noise=narrow)})
    return words, msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, noise=narrow))


def column_named(problem: d.Problem, text: str) -> str | None:
    """The column of numbers that ``text`` names."""
    columns = tuple(problem.data.columns) if problem.data is not None else ()
    wanted = text.strip().casefold()
    called = [c for c in columns if c.casefold() == wanted] or [c for c in columns if without_unit(c).casefold() == wanted]
    return called[0] if len(called) == 1 else None


def columns_of_errors(problem: d.Problem) -> tuple[str, ...]:
    """What the cell of errors proposes: columns of numbers that are in no comparison."""
    compared = {m.column for m in matches_of(problem)} | {c for m in matches_of(problem) for _, c in m.keys}
    return tuple(c for c in (problem.data.columns if problem.data is not None else ()) if c not in compared)


# ------------------------------------------------------------------ the same for others


def offer_alike(before: d.Problem, after: d.Problem, row: int, unit: str = "") -> Offer | None:
    """``unit``: that was typed as the one of the program. None: nothing of that kind was changed in ``row``, or no other was
    like it."""
    old, new = matches_of(before), matches_of(after)
    if len(old) != len(new) or not 0 <= row < len(new) or old[row].column != new[row].column:
        return None
    was, now = old[row], new[row]
    if now.keys and (was.keys[:1], scale_of(was)) != (now.keys[:1], scale_of(now)):
        found = so_for_all(after, row)
        by = f"“{one_line(now.output, 24)}” is paired by {shift_words(now)} now."
        return None if found is None else Offer(by, *found)
    if (was.factor, was.offset) != (now.factor, now.offset):
        like = [i for i, m in enumerate(new) if (m.factor, m.offset) == (was.factor, was.offset)]
        return _scaled_alike(after, row, like, unit)
    if (was.noise, was.sd_column) == (now.noise, now.sd_column) or now.sd_column is not None:
        return None
    if getattr(now.noise, "sd_column", None) is not None:
        return None  # each has a column of its own
    like = [i for i, m in enumerate(new) if m.column and (m.noise, m.sd_column) == (was.noise, was.sd_column)]
    return _sized_alike(after, row, like)


def _scaled_alike(after: d.Problem, row: int, like: Sequence[int], unit: str) -> Offer | None:
    matches, now = matches_of(after), matches_of(after)[row]
    words = f"“{one_line(now.output, 30)}” is taken {scaling_text(now) or 'as it is'} now."
    if unit:
        scales = {i: scale_between(unit, unit_in(c := matches[i].column), c) for i in like}
        made = {i: msgspec.structs.replace(matches[i], factor=s[0], offset=s[1]) for i, s in scales.items() if s is not None}
        which = f"that may be in {one_line(unit, 12)}"
        return Offer(words, f"So for all {len(made) + 1} {which}", _with(after, made)) if made else None
    made = {i: msgspec.structs.replace(matches[i], factor=now.factor, offset=now.offset) for i in like}
    groups = _groups(after, row, made)
    return _offer(after, row, words, {group: _with(after, {k: made[k] for k in group}) for group in groups})


def _sized_alike(after: d.Problem, row: int, like: Sequence[int]) -> Offer | None:
    now, meaning = matches_of(after)[row], after.meaning
    assert isinstance(meaning, d.Predictions)
    said = errors_words(now, meaning.noise)
    words = f"Errors of “{one_line(now.column, 30)}”: {said}."
    return _offer(after, row, words, {group: _errors_of(after, row, group) for group in _groups(after, row, like)})


def _errors_of(after: d.Problem, row: int, like: frozenset[int]) -> d.Problem:
    """The errors of ``row`` for ``like`` too; as those of all, where no other comparison has those."""
    meaning, noise = after.meaning, matches_of(after)[row].noise
    assert isinstance(meaning, d.Predictions)
    every = {*like, row}
    rest = [m for i, m in enumerate(meaning.matches) if i not in every]
    whole = noise is not None and not any(m.noise is None for m in rest)
    own = None if whole else noise
    made = _with(after, {i: msgspec.structs.replace(meaning.matches[i], noise=own, sd_column=None) for i in every})
    return msgspec.structs.replace(made, meaning=msgspec.structs.replace(made.meaning, noise=noise)) if whole else made


def _groups(after: d.Problem, row: int, like: Iterable[int]) -> list[frozenset[int]]:
    """Of the others that were alike: those measured in the same unit, and all."""
    matches, every = matches_of(after), frozenset(like)
    unit = unit_in(matches[row].column)
    same = frozenset(i for i in every if unit and unit_in(matches[i].column) == unit)
    return [group for group in dict.fromkeys((same, every)) if group]


def _offer(after: d.Problem, row: int, words: str, problems: dict[frozenset[int], d.Problem]) -> Offer | None:
    groups = list(problems)
    if not groups:
        return None
    unit = unit_in(matches_of(after)[row].column)
    named = [f"So for {_all_of(len(group) + 1)}" for group in groups]
    if len(groups) == 1:
        return Offer(words, f"{named[0]} alike", problems[groups[0]])
    return Offer(words, f"{named[0]} in {one_line(unit, 12)}", problems[groups[0]], f"{named[1]} alike", problems[groups[1]])


def _all_of(count: int) -> str:
    return "both" if count == 2 else f"all {count}"
