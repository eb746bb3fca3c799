"""Finding the numbers in a text a program printed, with their character positions. What each says: see number_text."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from .number_characters import FRACTIONS, bare, plain_signs, shorten, without_colours
from .number_refusals import COMMA, MANTISSA, comma_is_ambiguous
from .number_surroundings import problem_around
from .number_text import NUMBER, NumberError, complaint, is_two_ways, looks_like_number, value_of

__all__ = ["NUMBER", "Number", "Token", "line_bounds", "lines_of", "number_at", "numbers", "overlaps", "parse_number", "scan"]

COMMA_ADVICE = "If the comma is a decimal comma, say so beside the output; else choose the column of a table instead."
_OTHERS = r"[-+]?\*{2,}|[-+]?(?:nan|inf)[a-z]*(?:\([^()\s]{0,20}\))?(?!\w|\.\w)"
_CHUNK = re.compile(
    rf"(?<![\w.])(?:[-+]?1\.#\w+|[-+]?(?:[0-9]|[.,][0-9])[\w.,+\-]*|{_OTHERS})",
    re.IGNORECASE,
)
_WIDE_CHUNK = re.compile(  # a text with more than ASCII: digits of other scripts and the like stand for numbers, too
    rf"(?<![\w.])(?:[-+]?1\.#\w+|[-+]?(?:[\d{FRACTIONS}]|[.,]\d)[\w.,+\-]*|[-+]?\u221e(?!\w|\.\w)|{_OTHERS})",
    re.IGNORECASE,
)
_WITH_UNIT = re.compile(rf"({MANTISSA}(?:[eE][-+]?[0-9]+)?)([^\W\d_]+)")
_NO_UNIT = re.compile(r"e|x[a-f]+", re.IGNORECASE)  # 5e: an exponent that is cut off; 0xff
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2}\w*)?|[0-9]{1,2}-[0-9]{1,2}-(?:[0-9]{2}|[0-9]{4})")
_HEXADECIMAL = re.compile(r"0[xX][0-9a-fA-F]+")
_TEN_TO_THE = re.compile(rf"{MANTISSA}[xX]10")
_POWER_SIGNS = frozenset("^*{\u207b\u207a\u00b9\u00b2\u00b3")
_COMMA_NUMBER = re.compile(r"(?<![\w.,])[-+]?[0-9]+,[0-9]+(?:[eEdD][-+]?[0-9]+)?(?![\w,.]\w|\w)")
_INDEXED = re.compile(r"(?<=\w)[(\[] *\Z")
_INDEX_ENDS = re.compile(r" *[)\]] *[=:]")
_THOUSANDS = re.compile(r"(?<![\w.,])[-+]?[1-9][0-9]{0,2}(?:,[0-9]{3})+\.[0-9]+(?![\w,.]\w|\w)")
WIDEST_FIELD = 45  # characters: of the widest numbers that Fortran prints, with quadruple precision
_FRAME = 3  # stars at most at either side of a framed text
_FRAMED = re.compile(rf"\s*(?P<stars>\*{{1,{_FRAME}}})\s.*[^\W\d_]{{2}}.*\s(?P=stars)\s*")


class Token(NamedTuple):
    """Characters [start, end) that are a number, or look like one: then ``problem`` says what is wrong with it."""

    start: int
    end: int
    value: float
    problem: str = ""

    def number(self) -> float:
        """The value. Raises NumberError if this only looks like a number."""
        if self.problem:
            raise NumberError(self.problem)
        return self.value


class Number(NamedTuple):
    """A number in a text: characters [start, end) and its value."""

    start: int
    end: int
    value: float
    decimal_comma: bool = False


def scan(
    text: str, decimal_comma: bool = False, units: bool = False, *, apart: bool = False, start: int = 0, end: int | None = None
) -> Iterator[Token]:
    """Everything in ``text`` that begins in [start, end) and is or looks like a number standing by itself, in order.

    Digits inside or before words (``chi2``, ``3rd``, ``2026-11-21``) are no numbers; with ``units`` a word may
    follow at once (``3.2kg``); ``apart``: a comma always stands between two numbers.
    """
    plain = without_colours(plain_signs(text))
    chunks = _CHUNK if plain.isascii() else _WIDE_CHUNK
    for match in chunks.finditer(plain, start, len(plain) if end is None else end):
        chunk = match.group() if plain is text else text[match.start() : match.end()]
        value = value_of(chunk, decimal_comma)
        if value is not None:
            yield Token(match.start(), match.end(), value)
        elif "," in chunk.rstrip(",") and not decimal_comma:
            yield from _separated(chunk.rstrip(","), match.start(), apart)
        else:
            yield from _classify(plain, chunk, match.start(), decimal_comma, units)


def _separated(body: str, start: int, apart: bool) -> Iterator[Token]:
    """The numbers between commas; a problem if a comma may be a decimal comma (1,5 and 1,5mm) or part thousands."""
    inner = body.lstrip(",")
    if "," in inner:
        start, body = start + len(body) - len(inner), inner
    pieces = body.split(",")
    values = [value_of(piece) for piece in pieces]
    if not apart and _may_be_one(pieces, values):
        yield Token(start, start + len(body), math.nan, f"“{shorten(body)}” {COMMA}. {COMMA_ADVICE}")
        return
    for piece, value in zip(pieces, values, strict=True):
        if value is not None:
            yield Token(start, start + len(piece), value)
        elif piece:
            yield from _classify(piece, piece, 0, False, False, start)
        start += len(piece) + 1


def _may_be_one(pieces: list[str], values: list[float | None]) -> bool:
    """Whether a comma may be part of what is no number by itself: 1,5mm or 1,5e- or 1,234,ok, but not 1,2026-11-21 or run1,5."""
    if comma_is_ambiguous(",".join(pieces)):
        return True
    run: list[str] = []
    for piece, value in zip(pieces, values, strict=True):
        if value is not None and math.isfinite(value):
            run.append(piece)
            continue
        if value is None and _DATE.fullmatch(piece) is None:
            sign_inside = {"-", "+"} & set(plain_signs(piece)[1:])
            if (run and piece[:1].isdigit()) or sign_inside or (piece and looks_like_number(piece)):
                return True
        if comma_is_ambiguous(",".join(run)):
            return True
        run = []
    return comma_is_ambiguous(",".join(run))


def _classify(
    plain: str, chunk: str, start: int, decimal_comma: bool, units: bool, offset: int = 0
) -> Iterator[Token]:
    """The number in a chunk that is not simply one, or what is wrong with it; ``offset``: of ``plain`` in the whole text."""
    at = start + offset
    body = chunk.rstrip(",")
    candidates = [body, body.rstrip(".,")] if body.endswith(".") else [body]
    if body.endswith("+") and plain.startswith("/-", start + len(body)):
        candidates.append(body[:-1])  # 1.5+/-0.2
    for candidate in candidates:
        value = value_of(candidate, decimal_comma)
        if value is not None:
            yield Token(at, at + len(candidate), value)
            return
    end = start + len(body)
    if looks_like_number(body, decimal_comma) or (_TEN_TO_THE.fullmatch(body) and plain[end : end + 1] in _POWER_SIGNS):
        yield _problem(body, at, decimal_comma)
    elif units:
        match = _WITH_UNIT.fullmatch(body.replace(",", ".") if decimal_comma else body)
        if match is not None and _NO_UNIT.fullmatch(match[2]) is None:
            yield from _classify(plain, body[: match.end(1)], start, decimal_comma, False, offset)
        elif match is not None or _HEXADECIMAL.fullmatch(body) is not None:
            yield _problem(body, at, decimal_comma)


def _problem(body: str, start: int, decimal_comma: bool) -> Token:
    return Token(start, start + len(body), math.nan, complaint(body, decimal_comma, COMMA_ADVICE))


def settled(text: str, token: Token, lone_dashes: bool = False) -> Token:
    """``token`` of ``text`` with what stands around it looked at as well; the minus sign of +/-0.5 is none."""
    if token.problem:
        return token
    if token.end > token.start + 1 and text.startswith(("+/-", "+/\u2212"), max(token.start - 2, 0)):
        token = Token(token.start + 1, token.end, -token.value)
    return token._replace(problem=problem_around(text, token.start, token.end, lone_dashes))


# ------------------------------------------------------------------ for marking with the mouse


def parse_number(text: str) -> float | None:
    """The value of ``text`` as scientific programs write it (1.5, 1e-3, 1.5D+02), white space aside; None if it is none."""
    return value_of(bare(text))


def numbers(text: str, start: int = 0, end: int | None = None) -> Iterator[Number]:
    """The numbers of ``text`` that begin in [start, end), in order; digits inside words (chi2) are not numbers."""
    for token in scan(text, apart=True, start=start, end=end):
        if not token.problem:
            yield Number(token.start, token.end, token.value)


def number_at(text: str, start: int, end: int, decimal_commas: bool = True) -> Number | None:
    """The number under a cursor or a (perhaps sloppy) selection; the first one if several were marked."""
    start, end = max(0, min(start, end)), min(len(text), max(start, end))
    line_start, line_end = line_bounds(text, start)
    last = max(line_end, end)
    for token, decimal_comma in _candidates(text, line_start, line_end, last, decimal_commas):
        if overlaps(token.start, token.end, start, end):
            token = settled(text, token)
            return None if token.problem else Number(token.start, token.end, token.value, decimal_comma)
    return None


def is_index(text: str, number: Number | Token) -> bool:
    """Whether ``number`` stands in the brackets of a name that a value follows: the 2 of Q( 2) = 0.75."""
    inside = _INDEXED.search(text, max(number.start - 12, 0), number.start) is not None
    return inside and number.value.is_integer() and _INDEX_ENDS.match(text, number.end) is not None


def problem_at(text: str, start: int, end: int) -> str:
    """Why what looks like a number under a cursor or a selection is not read as one; empty if nothing looks like one."""
    start, end = max(0, min(start, end)), min(len(text), max(start, end))
    line_start, line_end = line_bounds(text, start)
    for token in scan(text, start=line_start, end=max(line_end, end)):
        problem = settled(text, token).problem if overlaps(token.start, token.end, start, end) else ""
        if problem and not is_ornament(text, token.start, token.end):
            return problem
    return ""


def is_ornament(text: str, start: int, end: int) -> bool:
    """Whether the stars [start, end) of ``text`` are a rule or the frame of a text, not a number too large for its field."""
    if set(text[start:end]) != {"*"}:
        return False
    if end - start > WIDEST_FIELD:
        return True
    first, last = line_bounds(text, start)
    line = text[first:last]
    if not line.strip(" *\t") and (len(line.split()) == 1 or end - start <= _FRAME):  # a number stands with others in a column
        above = text[slice(*line_bounds(text, first - 1))] if first > 0 else ""
        below = text[slice(*line_bounds(text, last + 1))] if last < len(text) else ""
        return not any(value_of(word) is not None for word in (*above.split(), *below.split()))
    outer = not line[: start - first].strip() or not line[end - first :].strip()
    return outer and end - start <= _FRAME and _FRAMED.fullmatch(line) is not None


def _candidates(
    text: str, line_start: int, line_end: int, last: int, decimal_commas: bool
) -> Iterator[tuple[Token, bool]]:
    """The numbers with a decimal comma, then the others. Where 1,234 stands, neither 1.234 nor 1 and 234 is taken for granted."""
    doubtful = [m.span() for m in _THOUSANDS.finditer(text, line_start, last)] if decimal_commas else []
    if decimal_commas and not _comma_separates(text[line_start:line_end]):
        for match in _COMMA_NUMBER.finditer(plain_signs(text), line_start, last):
            value = None if is_two_ways(match.group()) else value_of(match.group(), True)
            if value is None:
                doubtful.append(match.span())
            else:
                yield Token(match.start(), match.end(), value), True
    for token in scan(text, apart=True, start=line_start, end=last):
        if not any(a <= token.start < b for a, b in doubtful):
            yield token, False


def overlaps(a: int, b: int, c: int, d: int) -> bool:
    return a <= d and c <= b if c == d else a < d and c < b


def line_bounds(text: str, position: int) -> tuple[int, int]:
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    return start, len(text) if end < 0 else end


def lines_of(text: str) -> list[tuple[int, int]]:
    found, start = [], 0
    for line in text.split("\n"):
        found.append((start, start + len(line)))
        start += len(line) + 1
    return found


def _comma_separates(line: str) -> bool:
    """Commas with a space after them, or more than one between the same numbers, separate; others are decimal."""
    return ", " in line or bool(re.search(r"[0-9],[0-9]+,[0-9]", line))
