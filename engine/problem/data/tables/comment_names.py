"""Names of columns in comments above a table, with a line of units below them: "# time depth", "# [s] [m]"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..units.unit_names import is_unit
from .table_cells import MISSING, SAYS_UNIT, is_number_or_missing

_BRACKETS = {"[": "]", "(": ")", "<": ">"}
_UNIT_WORDS = re.compile(r"[^\s,;|()\[\]]+/ ?\([^()]*\)|\[[^\[\]]*\]|\([^()]*\)|<[^<>]*>|[^\s,;|]+")
_APART = re.compile(r"\s*\t\s*|\s{2,}")
_RULE = re.compile(r"[-=_~*+.|\s]*")
_IN_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_EQUALS = re.compile(r"[^\W_]\s+=\s+\S")
MOST_ROWS = 200  # that tell how many columns there are
MOST_ABOVE = 50  # rows among which a heading stands
_BLANK = MISSING | SAYS_UNIT | {"1"}


def names_in_comments(comments: Sequence[str], delimiter: str, width: int, comma: bool) -> tuple[str, ...] | None:
    """The names of the ``width`` columns that the last of these comments say, signs of comments taken off; None if they do not.

    Blank comments, rules and formulas are passed over. A line of units gives them to the names above it.
    """
    told = [line for line in comments if _RULE.fullmatch(line) is None and not _is_formula(line)]
    if not told:
        return None
    for k in range(len(told) - 1, 0, -1):  # a remark may stand below the units
        if _all_bracketed(told[k]) and (units := units_in(told[k], delimiter, width)) is not None:
            names = _names(told[k - 1], delimiter, width, comma)
            return with_units(names, units) if names is not None else None
    units = units_in(told[-1], delimiter, width)
    if units is not None and len(told) > 1 and (names := _names(told[-2], delimiter, width, comma)) is not None:
        return with_units(names, units)
    if units is not None and _all_bracketed(told[-1]):
        return with_units(tuple(f"column {i + 1}" for i in range(width)), units)
    if units is None and len(told) > 1 and _all_bracketed(told[-1]):  # of some of the columns: nobody knows which
        return _names(told[-2], delimiter, width, comma)
    return _names(told[-1], delimiter, width, comma)


def units_in(line: str, delimiter: str, width: int) -> tuple[str, ...] | None:
    """The units, without brackets, that a line holds for each of ``width`` columns; None if it is none of units.

    Brackets make a unit of anything in them.
    """
    by_cells = [cell.strip() for cell in line.split(delimiter)] if delimiter.strip(" ") and delimiter in line else None
    cells = by_cells if by_cells is not None and len(by_cells) == width else _UNIT_WORDS.findall(line)
    if len(cells) != width:
        return None
    some = [cell for cell in cells if cell.lower() not in _BLANK and cell not in ("[]", "()", "[-]", "(-)")]
    sure = [cell for cell in some if _is_bracketed(cell)]
    return tuple(_bare(cell) for cell in cells) if some and (sure or width > 1) and all(map(_says_unit, some)) else None


def with_units(names: Sequence[str], units: Sequence[str]) -> tuple[str, ...]:
    """Each name with its unit in brackets, where it has none."""
    pairs = zip(names, units, strict=True)
    return tuple(f"{n} ({u})" if u.lower() not in _BLANK | {""} and not n.endswith(("]", ")")) else n for n, u in pairs)


def _names(line: str, delimiter: str, width: int, comma: bool) -> tuple[str, ...] | None:
    """Its words, cut as the rows are, else where they stand apart, else by commas."""
    cut = [line.split(delimiter)] if delimiter.strip(" ") and delimiter in line else [line.split() if delimiter else [line]]
    if len(cut[0]) != width:
        cut += [_APART.split(line), line.split(","), line.split(), with_brackets(line.split(), width)]
    for cells in cut:
        words = tuple(cell.strip().strip('"') for cell in cells)
        if len(words) == width and not any(is_number_or_missing(word, comma) for word in words):
            return words
    return None


def with_brackets(words: Sequence[str], width: int) -> list[str]:
    """``words`` of a heading with those in brackets that stand apart behind the ones before them, where that makes ``width``."""
    found: list[str] = []
    for word in _closed(words):
        if found and _is_bracketed(word):
            found[-1] = f"{found[-1]} {word}"
        else:
            found.append(word)
    return found if len(found) == width else list(words)


def _closed(words: Sequence[str]) -> list[str]:
    """``words`` of which none ends within a bracket: W/(m K) of W/(m and K)."""
    found: list[str] = []
    for k, word in enumerate(words):
        if found and found[-1].count("(") > found[-1].count(")") and any(")" in other for other in words[k:]):
            found[-1] = f"{found[-1]} {word}"
        else:
            found.append(word)
    return found


def headings_joined(rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """``rows`` cut at blanks, with bracketed words of the first ones, which may be headings, joined to the words before them
    where a row is as long as most are then: MM (UTC)."""
    sizes = [len(row) for row in rows[:MOST_ROWS]]
    width = max(set(sizes), key=sizes.count, default=0)
    able = (len(row) > width and any(c in word for word in row for c in "([<") for row in rows[:MOST_ABOVE])
    return [*(tuple(with_brackets(r, width)) if a else r for r, a in zip(rows, able, strict=False)), *rows[MOST_ABOVE:]]


def _says_unit(cell: str) -> bool:
    return _is_bracketed(cell) or is_unit(cell)


def _is_bracketed(cell: str) -> bool:
    return len(cell) > 1 and _BRACKETS.get(cell[0]) == cell[-1]


def _is_formula(line: str) -> bool:
    """Whether an equals sign stands between words, brackets aside: v = s/t; not T (x = 0.5)."""
    return _EQUALS.search(_IN_BRACKETS.sub("", line)) is not None


def _all_bracketed(line: str) -> bool:
    return all(map(_is_bracketed, _UNIT_WORDS.findall(line)))


def _bare(cell: str) -> str:
    return cell[1:-1].strip() if _is_bracketed(cell) else cell
