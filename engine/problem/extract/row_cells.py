"""A line as a row of cells: numbers and texts, cut at white space, at bars, at a delimiter, or at fixed characters.

Fortran writes columns with no space between them, -1.234E+00-5.678E-01: what can be cut in one way only is cut.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import NamedTuple

from ..numbers import scale_letters
from ..numbers.number_characters import word_pattern
from ..numbers.number_refusals import MANTISSA
from ..numbers.number_text import complaint, looks_like_number, value_of
from ..numbers.numbers_in_text import scan
from .numbers import unwrapped
from .reading import NO_VALUE

BARS = "|\u2502\u2503\u2551\u00a6\u254e\u250a\u2506"
_BAR = re.compile(f"[{BARS}]")
_RULE = re.compile(r"[\s\-_=~.*+#:|\u2013\u2014\u2500-\u257f]*")
LINES_KNOWN = 1 << 14  # of which the cells are kept: a few megabytes
MOST_KNOWN = 300  # characters of a line of which they are
LONG_KNOWN = 32  # longer lines of which they are, too: those of a wide table that are looked at now
_LEAST_RULE = 3  # signs; fewer are a sign, a dot or a missing value
_EXPONENTS = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)[eEdDqQ][-+]?[0-9]{2,3}")
_ASIDE = frozenset(",;%()[]{}'\"<>=*°±:$€£")  # beside numbers in a word that is nothing but numbers
_REMARK = re.compile(r"\s\*{1,3}\s*$")  # stars of significance behind the last number of a row
_DASHES = re.compile(r"-{2,5}")
_REPEATED = re.compile(r"[0-9]+\*[-+.0-9][^*]*")  # 3*0.0 in a Fortran namelist
_LETTERS = re.compile(r"[^\W\d_]{2}")
_BEFORE = frozenset("=:,;([{'\"~")  # before a number in a word: x=1.5, but neither J-10 nor m1.5
_LIMIT = re.compile(r"[<>≤≥]\s*[-+.0-9]")
_BRACKETS = re.compile(rf"\({MANTISSA}(?:[eEdD][-+]?[0-9]+)?\)")
_PHRASE = re.compile(r"\S+(?:[^\S\t]\S+)*")  # words with single spaces between them
_CLOCK = re.compile(r"[0-9]+:[0-9]")


class Cell(NamedTuple):
    """Characters [start, end) of a text. ``kind``: 'n' a number or what stands in the place of one, 't' anything else."""

    start: int
    end: int
    kind: str
    value: float = math.nan
    problem: str = ""


def is_rule(line: str) -> bool:
    """Whether a line is nothing but a rule or the edge of a drawn table; a row of overflowed or missing numbers is none."""
    if _RULE.fullmatch(line) is None:
        return False
    words = line.split()
    return any(len(word) >= _LEAST_RULE for word in words) and (len(words) == 1 or "*" not in line)


def cells_of(
    line: str, start: int = 0, *, by: str = "word", delimiter: str | None = None, comma: bool = False
) -> list[Cell]:
    """The cells of ``line``, whose first character is number ``start`` of the whole text."""
    read = _known if len(line) <= MOST_KNOWN else _long_known
    found = read(line, by, delimiter, comma, scale_letters.declared())
    return [Cell(c[0] + start, c[1] + start, *c[2:]) for c in found] if start else list(found)


def _read(line: str, by: str, delimiter: str | None, comma: bool, letters: bool) -> tuple[Cell, ...]:
    with scale_letters.reading(letters):
        return tuple(_cells(line, by, delimiter, comma))


_known = lru_cache(LINES_KNOWN)(_read)  # a line of a text is read many times while ways to read it are sought
_long_known = lru_cache(LONG_KNOWN)(_read)


def _cells(line: str, by: str, delimiter: str | None, comma: bool) -> list[Cell]:
    if delimiter is not None and delimiter != " ":
        return _delimited(line, delimiter, comma)
    if by == "gap":
        return [_alone(m.group(), m.start(), comma) for m in _PHRASE.finditer(line)]
    found: list[Cell] = []
    spaced = _BAR.sub(" ", line)
    for match in word_pattern(spaced).finditer(spaced):
        found += _word(match.group(), match.start(), comma, by == "number")
    if len(found) > 2 and found[-2].value == found[-2].value and _REMARK.search(line):
        found[-1] = Cell(found[-1].start, found[-1].end, "t")
    dashes = [k for k, c in enumerate(found) if c.kind == "t" and _DASHES.fullmatch(line[c.start : c.end])]
    if dashes and dashes[0] > 0:  # --- for a missing value; a line that begins with them is a heading
        for k in dashes:
            word = line[found[k].start : found[k].end]
            found[k] = found[k]._replace(kind="n", problem=f"“{word}” stands where the number should be.")
    return found if by == "word" else _joined(found)


def _joined(cells: list[Cell]) -> list[Cell]:
    """Neighbouring texts as one."""
    found: list[Cell] = []
    for cell in cells:
        if cell.kind == "t" and found and found[-1].kind == "t":
            found[-1] = found[-1]._replace(end=cell.end)
        else:
            found.append(cell)
    return found


def _delimited(line: str, delimiter: str, comma: bool) -> list[Cell]:
    found, position = [], 0
    for raw in line.split(delimiter):
        text = raw.strip()
        found.append(_alone(text, position + len(raw) - len(raw.lstrip()), comma))
        position += len(raw) + len(delimiter)
    return found


def _alone(text: str, start: int, comma: bool) -> Cell:
    """A cell that stands by itself, whatever is in it."""
    cells = _word(text, start, comma, False) if text else []
    return cells[0] if len(cells) == 1 else Cell(start, start + len(text), "t")


def _word(word: str, start: int, comma: bool, inner: bool) -> list[Cell]:
    """The cells in a word; ``inner``: numbers in words such as x=1.5 count as well."""
    value = value_of(word, comma)
    if value is not None:
        return [Cell(start, start + len(word), "n", value)]
    whole = start, start + len(word)
    if word.endswith("..."):
        return [Cell(*whole, "t")]  # the end of a sentence: Solving for bands 1 to 4...
    if word in NO_VALUE:
        return [Cell(*whole, "n", math.nan, f"“{word}” stands where the number should be.")]
    if _BRACKETS.fullmatch(word) or _LIMIT.match(word):
        reason = complaint(word, comma) if word[0] == "(" else f"“{word}” is a limit, not a number."
        return [Cell(*whole, "n", math.nan, reason)]
    if _REPEATED.fullmatch(word):
        return [Cell(*whole, "n", math.nan, f"“{word}” is a number that is repeated. Let the program print each of them.")]
    pieces = glued(word)
    if pieces:
        return [Cell(start + a, start + b, "n", value_of(word[a:b]) or 0.0) for a, b in pieces]
    bare = unwrapped(word)[1].strip()  # a cell may have spaces in it: "= 2.5"
    value = value_of(bare, comma)
    if value is not None:
        at = start + word.find(bare)
        return [Cell(at, at + len(bare), "n", value)]
    tokens = [] if _CLOCK.search(word) else list(scan(word, comma))
    rest = "".join(c for i, c in enumerate(word) if not any(t.start <= i < t.end for t in tokens))
    named = inner and all(t.start == 0 or word[t.start - 1] in _BEFORE for t in tokens)
    if tokens and (named or set(rest) <= _ASIDE):
        cells = [Cell(start + t.start, start + t.end, "n", t.value, t.problem) for t in tokens]
        lead = any(c.isalnum() for c in word[: tokens[0].start])
        return [Cell(start, cells[0].start, "t"), *cells] if lead else cells
    if looks_like_number(bare, comma):
        return [Cell(*whole, "n", math.nan, complaint(bare, comma))]
    return [Cell(*whole, "t")]


def glued(word: str) -> list[tuple[int, int]]:
    """Where the numbers of a word of several with no space between them begin and end; empty: it is none, or not surely so.

    Each has a point, an exponent and, but for the first, a sign: 1.0-2.0 may be a range.
    """
    pieces, at = [], 0
    while (match := _EXPONENTS.match(word, at)) is not None and (at == 0 or word[at] in "+-"):
        pieces.append(match.span())
        at = match.end()
    return pieces if at == len(word) and len(pieces) > 1 else []


def form_of(cells: list[Cell]) -> str:
    return "".join(cell.kind for cell in cells)


def fits(form: str, cells: list[Cell]) -> bool:
    """Whether a line with these cells is a row of this form."""
    wanted = form.rstrip("*")
    if len(cells) < len(wanted) or (len(cells) > len(wanted) and not form.endswith("*")):
        return False
    return all(w == "x" or w == c.kind for w, c in zip(wanted, cells, strict=False))


# ------------------------------------------------------------------ columns of characters


def sliced(line: str, start: int, first: int, last: int, comma: bool) -> Cell | None:
    """The cell in characters [first, last] of ``line``, counted from 1; None: nothing is there.

    A number that reaches over the edge, with white space around it, is taken whole where most of it lies.
    """
    a, b = first - 1, min(last, len(line))
    while a < b and (line[a].isspace() or line[a] in BARS):
        a += 1
    while b > a and (line[b - 1].isspace() or line[b - 1] in BARS):
        b -= 1
    if a >= b:
        return None
    cut_left = a > 0 and _touch(line[a - 1], line[a])
    cut_right = b < len(line) and _touch(line[b - 1], line[b])
    if cut_left or cut_right:
        low = max((i for i in range(a + 1) if i == 0 or not _touch(line[i - 1], line[i])), default=0)
        high = next((i for i in range(b, len(line)) if not _touch(line[i - 1], line[i])), len(line))
        whole, mine = line[low:high], line[a:b]
        if not any(c.isdigit() or c == "*" for c in mine) or _LETTERS.search(whole):
            return Cell(start + a, start + b, "t")
        if value_of(whole, comma) is not None and high - low <= 2 * (b - a):
            return Cell(start + low, start + high, "n", value_of(whole, comma) or 0.0)
        if not _may_be_cut(line, a, b, comma):
            moved = f"only a part of “{whole}”. The columns have moved."
            return Cell(start + a, start + b, "n", math.nan, f"characters {first} to {last} hold “{mine}”, {moved}")
    cells = _word(line[a:b], start + a, comma, False) if " " not in line[a:b] else []
    return cells[0] if len(cells) == 1 else Cell(start + a, start + b, "t")


def _touch(left: str, right: str) -> bool:
    return not (left.isspace() or right.isspace() or left in BARS or right in BARS)


def _may_be_cut(line: str, a: int, b: int, comma: bool) -> bool:
    """Whether the glued number [a, b) ends where one of its neighbours begins, as far as the characters tell."""
    mine = line[a:b]
    if value_of(mine, comma) is None and set(mine) - {"*"}:
        return False
    left_ok = (
        a == 0
        or not _touch(line[a - 1], line[a])
        or mine[0] in "+-*"
        or _same_decimals(line[:a], mine)
        or line[a - 1] == "*"
    )
    behind = line[b : b + 1]
    right_ok = (
        not behind or not _touch(line[b - 1], behind) or behind in "+-*" or mine[-1] == "*" or _tail_fits(line, mine, b)
    )
    return left_ok and right_ok


def _same_decimals(before: str, mine: str) -> bool:
    """Whether the digits right before ``mine`` end a number with as many decimals: 100.00|200.00."""
    match = re.search(r"\.([0-9]+(?:[eEdD][-+]?[0-9]+)?)$", before)
    own = re.search(r"\.([0-9]+(?:[eEdD][-+]?[0-9]+)?)$", mine)
    return match is not None and own is not None and len(match[1]) == len(own[1])


def _tail_fits(line: str, mine: str, b: int) -> bool:
    match = re.match(r"[0-9]*(\.[0-9]+(?:[eEdD][-+]?[0-9]+)?)", line[b:])
    own = re.search(r"\.([0-9]+(?:[eEdD][-+]?[0-9]+)?)$", mine)
    if match is None or own is None:
        return False
    return len(match[1]) - 1 >= len(own[1])
