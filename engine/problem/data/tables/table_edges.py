"""Where a table begins and ends among lines cut into cells: headings of one or two lines, titles, notes, totals."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...numbers.number_characters import shorten
from ...numbers.number_text import looks_like_number
from ..errors.error_words import OF_ERRORS
from ..names.column_names import unit_in, without_unit
from ..units.unit_names import is_unit, known_unit
from .error_spellings import is_measured
from .limit_cells import limit_in
from .table_cells import MISSING, SAYS_UNIT, inside, is_number_or_missing
from .table_runs import named_run

SAMPLE = 300  # lines looked at to find out the delimiter
MOST_TITLES = 20  # lines above a table that may be no part of it
_UNIT_AND_WORD = re.compile(r"(?P<unit>[^\s()]*[^\s()/])\s*\((?P<word>[^()]+)\)")
_TOTAL = re.compile(
    r"(?:grand )?(?:totals?|sum|summe|average|mean|mittel(?:wert)?|std|st\.? ?dev\.?|sd|min(?:imum)?|max(?:imum)?|count|median|n)"
    r"[:.]?",
    re.IGNORECASE,
)
_BRACKETS = {"(": ")", "[": "]"}


def looks_like_header(rows: Sequence[tuple[str, ...]], comma: bool) -> bool:
    """True if a word in the first row stands above numbers (a column of labels has words all the way down)."""
    below = rows[1:SAMPLE]
    if not any(inside(cell).lower() not in MISSING for row in below for cell in row):
        return not any(_has_number(cell, comma) for cell in rows[0])
    for i, cell in enumerate(rows[0]):
        if is_number_or_missing(cell, comma) or looks_like_number(inside(cell), comma) or is_measured(cell, comma):
            continue
        if limit_in(cell, comma) is not None:
            continue
        column = [row[i] for row in below if i < len(row) and inside(row[i]).lower() not in MISSING]
        if column and 2 * sum(is_number_or_missing(c, comma) or limit_in(c, comma) is not None for c in column) > len(column):
            return True
        if column and all(is_measured(c, comma) for c in column):
            return True  # above blanks alone, a word is a remark rather than a name
    return False


def is_second_heading(rows: Sequence[tuple[str, ...]], comma: bool) -> bool:
    """Whether the row below the names holds units, or names below those of groups: words above numbers, and no number."""
    return looks_like_header(rows, comma) and not any(_has_number(cell, comma) for cell in rows[0])


def trimmed(
    rows: list[tuple[str, ...]], lines: list[int], body: Sequence[str], comma: bool, header: bool | None
) -> tuple[list[tuple[str, ...]], list[int], list[str]]:
    """Rows without titles above, notes and totals below; sentences about what was passed over."""
    notes: list[str] = []
    passed = named_run(rows, comma)[0] if header is None else 0
    above, rows, lines, body = lines[:passed], rows[passed:], lines[passed:], body[passed:]
    sizes = [len(row) for row in rows]
    width = max(set(sizes), key=sizes.count)
    if not passed and header is None and len(rows) > 1 and sizes[1:].count(width) == len(rows) - 1 and sizes[0] != width:
        named = not any(_has_number(c, comma) for c in rows[0])
        if sizes[0] == width - 1 and named and not looks_like_header(rows[1:], comma):
            note = "The heading has one name less than there are columns: the first column has none."
            return [("", *rows[0]), *rows[1:]], lines, [note]
        if sizes[0] > width and len(spaced := _spaced(body[0])) == width:
            return [spaced, *rows[1:]], lines, notes
    first = 0
    while width > 1 and first < min(len(rows) - 1, MOST_TITLES) and (
        _is_remark(rows[first], width, comma) or _is_title(rows[first:], width, comma)
    ):
        first += 1
    first = max(first, _titles_apart(rows, lines, comma))
    above = [*above, *lines[:first]]
    if above and header is None:
        where = f"Line {above[0]}" if len(above) == 1 else f"Lines {above[0]} to {above[-1]}"
        notes.append(f"{where} above the table: taken for a title.")
        rows, lines = rows[first:], lines[first:]
    last = len(rows)
    while width > 1 and last > 2 and _is_remark(rows[last - 1], width, comma):
        last -= 1
    while last > 3 and len(rows[last - 1]) != width and _is_total(rows, last - 1):  # others: special_rows
        last -= 1
    if last < len(rows):
        word = shorten(" ".join(c for c in rows[last] if c), 30)
        notes.append(f"Line {lines[last]} (“{word}”) and what follows is left out: it is no row of the table.")
    return rows[:last], lines[:last], notes


def with_fitting_heading(rows: list[tuple[str, ...]], body: Sequence[str]) -> list[tuple[str, ...]]:
    """``rows``, of which the first is known to be the heading, with as many names as most rows have cells.

    Names of several words are parted by wider gaps; where there are too few, a lone one lacks at the beginning, as of numbered
    rows, more at the end. Too many stay: that is an error.
    """
    sizes = [len(row) for row in rows[1:]]
    if not sizes or (width := max(set(sizes), key=sizes.count)) == len(rows[0]):
        return rows
    if len(spaced := _spaced(body[0])) == width:
        return [spaced, *rows[1:]]
    lacks = width - len(rows[0])
    return [("", *rows[0]) if lacks == 1 else (*rows[0], *[""] * lacks), *rows[1:]]


def _spaced(line: str) -> tuple[str, ...]:
    """Cells parted by a tab or by more than one space."""
    return tuple(re.split(r"\t|\s{2,}", line.strip()))


def _has_number(cell: str, comma: bool) -> bool:
    return inside(cell).lower() not in MISSING and is_number_or_missing(cell, comma)


def _is_remark(row: tuple[str, ...], width: int, comma: bool) -> bool:
    """Words in a single cell of a row, or a line of another length of which most are words."""
    filled = [cell for cell in row if cell.strip()]
    if len(row) == width and OF_ERRORS.search(row[0]) and any(c.isdigit() for c in row[0]):  # RSD 5 %, n = 3
        return not any(_has_number(cell, comma) or is_measured(cell, comma) for cell in filled)
    if len(row) == width:
        return len(filled) == 1 and width > 2 and filled[0] == row[0] and not _has_number(row[0], comma)
    numbers = sum(_has_number(cell, comma) for cell in filled)
    return 2 * numbers < len(filled) and (len(filled) == 1 or numbers <= 1)


def _is_title(rows: Sequence[tuple[str, ...]], width: int, comma: bool) -> bool:
    """Words in the first cell alone, above a row of column names; or with remarks in brackets behind it, above some with units
    of their own: PB3, (diver)."""
    row = rows[0]
    if len(row) != width or not row[0].strip() or _has_number(row[0], comma) or not looks_like_header(rows[1:], comma):
        return False
    behind = [cell.strip() for cell in row[1:] if cell.strip()]
    remarks = all(_without_brackets(cell) != cell and not is_unit(_without_brackets(cell)) for cell in behind)
    return not behind or (remarks and not unit_in(row[0]) and any(map(_has_own_unit, rows[1])))


def _titles_apart(rows: Sequence[tuple[str, ...]], lines: Sequence[int], comma: bool) -> int:
    """How many rows stand above a blank line above a heading, perhaps with its title between them, none with more than a number
    behind its name: titles, though cut into as many cells."""
    apart = False  # by a blank line, below which only words alone in their rows stood
    for k in range(1, min(len(rows) - 1, MOST_TITLES + 1)):
        numbers = [_has_number(cell, comma) or is_measured(cell, comma) for cell in rows[k - 1]]
        if any(numbers) and not _states_one(rows[k - 1], numbers):
            return 0
        apart = lines[k] - lines[k - 1] > 1 or (apart and not any(cell.strip() for cell in rows[k - 1][1:]))
        if apart and looks_like_header(rows[k:], comma):
            units = all(is_unit(cell.strip(" []()")) for cell in rows[k] if cell.strip())  # of names above the blank line
            return 0 if units else k
    return 0


def _states_one(row: Sequence[str], numbers: Sequence[bool]) -> bool:
    """Whether a row says one number of the whole table, perhaps with its unit: Height of the datum:, 415.32, m a.s.l."""
    filled = [k for k, cell in enumerate(row) if cell.strip()]
    return len(filled) in (2, 3) and len(filled) < len(row) and numbers.count(True) == 1 and numbers[filled[1]]


def _is_total(rows: Sequence[tuple[str, ...]], at: int) -> bool:
    """A last row that sums up: its first cell says so, and no other row's does."""
    first = rows[at][0].strip()
    return bool(_TOTAL.fullmatch(first)) and not any(_TOTAL.fullmatch(row[0].strip()) for row in rows[1 : max(at - 4, 1)])


def joined_names(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """One name for each column out of two lines: names with units below them, or groups (written once) with names below them."""
    if "" in (cell.strip() for cell in first[1:]):
        group, found = "", []
        for above, below, following in zip(first, second, (*first[1:], "-"), strict=False):
            group = above.strip() or group
            if above.strip() and following.strip() and is_unit(_without_brackets(below)):
                found.append(_with_unit(group, below.strip()))  # no group: a column with its unit
                continue
            found.append(_of_group(group, below.strip()) if group != below.strip() else group)
        return tuple(found)
    return tuple(_with_unit(name, cell.strip()) for name, cell in zip(first, second, strict=False))


def _has_own_unit(cell: str) -> bool:
    """Whether a cell below another is a whole name with its unit in brackets, depth [m], and no unit: W/(m K), % (v)."""
    bare = cell.strip()
    name = without_unit(bare)
    named = bare.endswith("]") or (bare.endswith(")") and not is_unit(name))
    return named and name != bare and not is_unit(bare) and is_unit(unit_in(bare))


def is_unit_cell(cell: str) -> bool:
    """Whether a cell below a name holds a unit, in brackets or not, or says that there is none."""
    bare = _without_brackets(cell)
    return bare != cell.strip() or bare.lower() in MISSING | SAYS_UNIT | {"1"} or known_unit(bare)


def _with_unit(name: str, cell: str) -> str:
    """The name of a column with the unit below it; a word in brackets behind that is of the name: mL (cumulative)."""
    if (found := _UNIT_AND_WORD.fullmatch(cell)) is not None and is_unit(found["unit"]):
        return f"{name.strip()} ({found['word']}) ({found['unit']})"
    if _has_own_unit(cell):
        return _of_group(name.strip(), cell)
    unit = _without_brackets(cell)
    return f"{name.strip()} ({unit})" if unit.lower() not in MISSING | SAYS_UNIT | {"1"} else name


def _without_brackets(cell: str) -> str:
    """A unit without those around it; those within it are its own: % of value (k = 1)."""
    bare = cell.strip()
    while bare[:1] in _BRACKETS and bare[-1:] == _BRACKETS[bare[0]] and _closes_last(bare):
        bare = bare[1:-1].strip()
    whole = all(bare.count(a) == bare.count(b) for a, b in _BRACKETS.items())
    return bare if whole else bare.strip("[]()").strip()


def _closes_last(text: str) -> bool:
    """Whether the bracket that ``text`` begins with is closed by its last character."""
    depth = 0
    for i, c in enumerate(text):
        depth += (c == text[0]) - (c == _BRACKETS[text[0]])
        if depth == 0:
            return i == len(text) - 1
    return False


def _of_group(group: str, below: str) -> str:
    """The name of a column of a group, with the unit that the group says at its end: S A (mM) of S (mM) over A."""
    whole = " ".join(group.split())
    if not below or not is_unit(unit_in(whole)) or unit_in(below):
        return f"{group} {below}".strip()
    bare = without_unit(whole)
    return f"{bare} {below}{whole[len(bare):]}"
