"""What a number in a text means, said slowly, character by character and in exact fractions; the readers are held against it."""

from __future__ import annotations

import math
import re
import unicodedata
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayescope.engine.problem.definition import (
    Extractor,
    LabelledNumber,
    LastNumber,
    MarkerOffset,
    RowsAfter,
    TableBlock,
)
from bayescope.engine.problem.extract import ExtractionError, extract
from bayescope.engine.problem.numbers.number_characters import bare
from bayescope.engine.problem.numbers.number_text import value_of

MINUS = "-\u2212\uff0d\ufe63\u2010\u2011"
PLUS = "+\uff0b\ufe62"
DIGITS = "0123456789"
UNSEEN_AROUND = "\ufeff\u200b\u200c\u200d\u2060\u200e\u200f\u061c"
FIXED_SPACES = "\u00a0\u202f\u2005\u2006\u2007\u2008\u2009\u200a"
MAY_STAND_BEFORE = " \t\n\r=:;,()[]{}<>|/\\\"'“”„’&~±≈≤≥#$€@!?%°*×\u3000" + FIXED_SPACES
MAY_STAND_BEHIND = " \t\n\r=:;,.()[]{}<>|/\\\"'“”„’&~±≈≤≥#$€@!?%°*×+\u3000" + FIXED_SPACES + MINUS + "–—"
DASHES = MINUS + "\u2012\u2013\u2014\u2015\u00ad\u207b"


def meaning(text: str, decimal_comma: bool = False) -> float | None:
    """The number that ``text`` is as a whole; None if it is none, or if people could read it in two ways."""
    text = re.sub("\x1b\\[[0-9;]*m", " ", text)
    while text and (text[0].isspace() or text[0] in UNSEEN_AROUND):
        text = text[1:]
    while text and (text[-1].isspace() or text[-1] in UNSEEN_AROUND):
        text = text[:-1]
    sign, rest = _sign(text)
    if rest.lower() in ("inf", "infinity", "∞", "1.#inf"):
        return sign * math.inf
    if rest.lower() in ("nan", "nanq", "nans") or (rest[:4].lower() == "nan(" and re.fullmatch(r"[^()\s]{0,20}\)", rest[4:])):
        return math.nan
    whole, rest = _digits(rest)
    point, fraction = "", ""
    if rest[:1] == "." or (decimal_comma and rest[:1] == ","):
        point = rest[0]
        fraction, rest = _digits(rest[1:])
    if not whole and not fraction:
        return None
    exponent = 0
    if rest:
        found = _exponent(rest, text, whole, point)
        if found is None:
            return None
        exponent = found
    elif decimal_comma and point == "." and 1 <= len(whole) <= 3 and whole[0] != "0" and len(fraction) == 3:
        return None  # 1.234: a thousand and some, or one and a bit
    return _rounded(sign, int(whole + fraction or "0"), exponent - len(fraction))


def _sign(text: str) -> tuple[int, str]:
    if text[:1] and text[0] in MINUS:
        return -1, text[1:]
    return 1, text[1:] if text[:1] and text[0] in PLUS else text


def _digits(text: str) -> tuple[str, str]:
    count = 0
    while count < len(text) and text[count] in DIGITS:
        count += 1
    return text[:count], text[count:]


def _exponent(rest: str, text: str, whole: str, point: str) -> int | None:
    letter = rest[0] in "eEdDqQ"
    sign, digits = _sign(rest[1:] if letter else rest)
    if not digits or any(c not in DIGITS for c in digits):
        return None
    if letter:
        return sign * int(digits[:9] if digits[:9].strip("0") else digits)
    one_digit = len(whole) <= 1 and point and text.split(rest)[0][-1:] != point
    fortran = rest[0] in "+-" and len(digits) == 3 and digits[0] != "0" and one_digit and text.isascii()
    return sign * int(digits) if fortran else None


def _rounded(sign: int, digits: int, exponent: int) -> float | None:
    if digits == 0 or exponent < -10_000:
        return math.copysign(0.0, sign)
    if exponent > 10_000:
        return None
    try:
        return sign * float(Fraction(digits) * Fraction(10) ** exponent)
    except OverflowError:
        return None


def stands_alone(text: str, start: int, end: int, label_end: int = -1, unit: bool = False, lone_dashes: bool = False) -> bool:
    """Whether the characters [start, end) are a number of their own, with nothing around them that would make it another one.

    A list of what may stand there, not of what may not. ``label_end``: a label may touch the number; ``unit``: letters may
    follow; ``lone_dashes``: a dash by itself is a cell of a table.
    """
    left, right = text[:start].rsplit("\n", 1)[-1], text[end:].split("\n", 1)[0]
    if left.strip() == "-" and text[: start - len(left)].rstrip("\n").rstrip().endswith(":") and not right.strip():
        left = ""  # the first entry of a list
    return _before(left, text[start] in MINUS + PLUS, start == label_end, lone_dashes) and _behind(right, unit)


def _before(left: str, signed: bool, touches_label: bool, lone_dashes: bool) -> bool:
    if "\u202e" in left:
        return False
    visible = left.rstrip(UNSEEN_AROUND)
    if visible != left and visible and (visible[-1].isalnum() or visible[-1] in DASHES + "._"):
        return False
    if not visible:
        return True
    last, before = visible[-1], visible[-2:-1]
    if touches_label and last.isalpha():
        return True
    if visible.endswith("+/−"):
        return True
    if last in "+-":  # run-5 has no sign, and +/- is none
        if visible.endswith("+/-"):
            return True
        return before.isalpha() and unicodedata.category(before) != "Lo" and not _is_exponent(visible[:-1])
    if last in FIXED_SPACES + "'’" and before.isdecimal():
        return False
    return (last in MAY_STAND_BEFORE or (last == "·" and signed)) and _nothing_apart(visible, lone_dashes or signed)


def _is_exponent(text: str) -> bool:
    """Whether ``text`` ends like 1.5e, or with a command of TeX."""
    letters = len(text) - len(text.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    before = text[: len(text) - letters][-1:]
    return before == "\\" or (letters == 1 and text[-1] in "eEdDqQ" and before != "" and before in DIGITS + ".")


def _nothing_apart(left: str, lone_dashes: bool) -> bool:
    """No sign, power or exponent that belongs to the number stands before the space, and no power right before it."""
    bare = left.rstrip()
    if bare.endswith(("^", "^(", "^{")):
        return False
    if bare.rstrip("*") + "**" == bare and bare[:-2][-1:].isalnum() and bare == left:
        return False
    if bare == left or not bare or bare[-1] not in DASHES:
        return True
    if bare[-1] in "\u2212\uff0d\ufe63":
        return False
    before = bare[:-1].rstrip()
    return lone_dashes or (before != "" and before[-1] not in "=:([{,;<>|&~≈≤≥")


def _behind(right: str, unit: bool) -> bool:
    visible = right.lstrip(UNSEEN_AROUND)
    if visible[:1] in ("·", "\u202e") and not visible[1:2].isdecimal():
        return True
    if visible != right and visible and (visible[0].isalnum() or visible[0] in DASHES + ".,"):
        return False
    first, second = visible[:1], visible[1:2]
    if first.isalpha() and unit:
        return not (first in "eE" and second in ("-", "+"))
    if first and first not in MAY_STAND_BEHIND:
        return False
    if first and first in ".'’" + FIXED_SPACES + "–—" and second.isdecimal():
        return False
    after = visible.lstrip(" " + FIXED_SPACES)
    if after.startswith("^") or (after.startswith("**") and after.lstrip("*").lstrip("-+(")[:1].isdecimal()):
        return False
    for times in ("×", "*", "x", "X", "\\times"):
        ten = after.removeprefix(times).lstrip(" " + FIXED_SPACES) if after.startswith(times) else ""
        if ten.startswith("10") and (ten[2:].lstrip()[:1] in tuple("^⁻⁺¹²³") or ten[2:].startswith("**") or _signed(ten[2:])):
            return False
    return not (after != visible and after[:1] in tuple("eEdDqQ") and _signed(after[1:].removeprefix(" ")))


def _signed(text: str) -> bool:
    return text[:1] in tuple(MINUS + PLUS + "–") and text[1:].lstrip()[:1].isdecimal()


def comma_run(text: str, start: int, end: int) -> str:
    """The characters around [start, end) that a comma may tie to it: 1,234 of which 1 was read."""
    a, b = start, end
    while a > 0 and (text[a - 1] in DIGITS + ".," or (text[a - 1] in MINUS + PLUS and a - 1 > 0 and text[a - 2] == ",")):
        a -= 1
    while b < len(text) and (text[b] in DIGITS + ".," or (text[b] in MINUS + PLUS and text[b - 1] == ",")):
        b += 1
    if text[b : b + 1].isalpha() and text[b] in "dDeEqQ":
        return ""
    run = text[a:b]
    attached = text[a - 1 : a]  # of run1,234 and 2.5e-31,5 the first comma belongs to what stands before
    signed = attached != "" and attached in MINUS + PLUS and text[a - 2 : a - 1].isalnum()
    if attached.isalnum() or attached == "_" or signed:
        run = run.split(",", 1)[1] if run.count(",") == 1 and "," in run[: start - a] else ""
    return run.strip(",")


def comma_ties(run: str) -> bool:
    """Whether a run of digits, points and commas may be a single number."""
    parts = _sign(run)[1].split(",")
    if len(parts) == 1:
        return False
    groups = all(len(p) == 3 and p.isdigit() for p in parts[1:-1]) and 1 <= len(parts[0]) <= 3
    tail = parts[-1].split(".")
    if groups and len(tail) <= 2 and len(tail[0]) == 3 and all(p.isdigit() or not p for p in tail) and parts[0].isdigit():
        return True
    if len(parts) > 2:
        return False
    german = parts[0].replace(".", "")
    return ((parts[0] == "" or parts[0].isdigit()) and parts[1].isdigit()) or (
        german.isdigit() and len(parts[0].split(".")) == 2 and len(parts[0].split(".")[1]) == 3
        and 1 <= len(parts[0].split(".")[0]) <= 3 and parts[0][0] != "0" and (parts[1].isdigit() or not parts[1])
    )  # fmt: skip

# ------------------------------------------------------------------ the readers held against it

PIECES = [
    "1", "5", "12", "007", "1.5", "-1.5", "−1.5", "2.5e-3", "1,5", "1,234", "0,5", "1.234", "123", "+5", ".5", "5.", "1.0+103",
    "-100", "10^", "^-3", "E-3", "e", "E", "d", "D", "q", "-", "−", "–", "+", "+/-", "±", ".", ",", "'", "’", "_", " ", "  ",
    "\u00a0", "\u2009", "\n", "\t", "=", ":", "(", ")", "[", "]", "%", "^", "²", "½", "×", "*", "**", "10", "x", "m", "kg", "a",
    "é", "数", "\u200b", "\u00ad", "\u202e", "\ufeff", "١", "５", "/", "|", '"', "#", "nan", "inf", "∞", "NA", "****",
    "\x1b[1m", "\\times", "·", "label", "loglik = ",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=12).map("".join)
PLACES = st.integers(1, 3)
EXTRACTORS = st.one_of(
    st.just(LastNumber()),
    st.just(LabelledNumber(label="label")),
    st.builds(RowsAfter, marker=st.just("label"), column=PLACES, lines=st.integers(0, 1)),
    st.builds(MarkerOffset, marker=st.just("label"), column=PLACES, lines=st.integers(0, 1)),
    st.builds(TableBlock, columns=st.tuples(PLACES)),
)


def same(a: float | None, b: float | None) -> bool:
    if a is None or b is None:
        return a is b
    return (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1.0, a) == math.copysign(1.0, b))


@settings(max_examples=300, deadline=None)
@given(TEXTS | st.text(max_size=8) | st.text("0123456789.,-+eEdD−", max_size=10), st.booleans())
def test_a_whole_text_is_the_number_it_means_or_none(text: str, decimal_comma: bool) -> None:
    assert same(value_of(bare(text), decimal_comma), meaning(text, decimal_comma))


@settings(max_examples=400, deadline=None, derandomize=True)
@given(EXTRACTORS, TEXTS)
def test_a_number_found_in_a_text_is_the_one_that_stands_there(extractor: Extractor, text: str) -> None:
    try:
        reading = extract(extractor, text)
    except ExtractionError:
        return
    words = not isinstance(extractor, LastNumber | LabelledNumber)
    for value, (start, end) in zip(reading.values, reading.spans, strict=True):
        a, b = inside(text, start, end) if words else (start, end)
        label_end = text.rfind("label", 0, a) + 5 if isinstance(extractor, LabelledNumber) else -1
        assert same(value, meaning(text[a:b]))
        assert stands_alone(text.replace("\x1b[1m", "    "), a, b, label_end, isinstance(extractor, LabelledNumber), words)
        assert words or not comma_ties(comma_run(text, a, b))


def inside(text: str, start: int, end: int) -> tuple[int, int]:
    """The characters of a word without colours, quotes, brackets and marks of a sentence around it."""
    word = bare(bare(text[start:end]).strip("\"'"))
    if meaning(word) is None:
        word = word.rstrip(",;:)]}").lstrip("([{=")
    at = text.index(word, start)
    return at, at + len(word)


@pytest.mark.parametrize(
    ("text", "value"),
    [("1.5", 1.5), ("−1.5e−3", -1.5e-3), ("1.0+103", 1e103), ("0.1", 0.1), ("1e23", 1e23), ("5e-324", 5e-324), ("1e400", None),
     ("-0", -0.0), ("1,5", None), ("١", None), ("1.5-005", None), ("∞", math.inf), ("", None)],
)  # fmt: skip
def test_the_slow_reference_itself_is_right(text: str, value: float | None) -> None:
    assert same(meaning(text), value)
