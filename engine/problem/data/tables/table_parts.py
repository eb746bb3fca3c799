"""The tables in one text: what is no table is blanked out, several tables are told apart. Line numbers stay those of the text."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ...errors import ProblemError
from ..rows.text_keys import seconds_of
from ..units.unit_names import is_unit
from .measured_cells import is_missing, iso_dates
from .reasons import says_nothing
from .special_rows import kind_of
from .stated_heads import head_as_comments
from .table_edges import is_unit_cell
from .table_text import MISSING, Cells, even, is_number_or_missing, looks_like_header, split_table
from .text_lines import COMMENTS

LONGEST_NAME = 60  # characters
FEWEST_ROWS = 3  # of numbers alone: fewer may be said of the whole table above it
MOST_PARTS = 50  # beyond them, blank lines are a habit of the program that wrote the file
_SEPARATOR_LINE = re.compile(r"sep=(.)", re.IGNORECASE)
_RULE = re.compile(r"[\s|+]*(?:[-=_~]{4,}|:?-{3,}:?)(?:[\s|+:]*[-=_~]{3,}:?)*[\s|+]*")
_OPEN_QUOTE = re.compile(r'(?:^|[,;\t])\s*"[^"]*$')
_PLUS_MINUS = re.compile(  # between a number and its error; a heading ±1σ is a cell of its own
    r"(?<=[0-9.])\s*(?:±|\+/-|\+-)\s*(?=[0-9.])(?![0-9.]+[ -]?(?:\u03c3|sigma|sd\b))", re.IGNORECASE
)
LONG_TITLE = 24  # characters; up to here a title stands in a column's name as it is
_REMARK = re.compile(r"[,;:]\s| \(|\s[-\u2013\u2014]\s")
_REMARKED = re.compile(r"[^()\[\]\t;,|]*[^\W\d][^()\[\]\t;,|]*\s\((?P<remark>[^()\t;|]+)\)")  # PB3 (diver)
_WORDS = re.compile(r"[^\s,;|]+")
_MARKS = re.compile(r"[\t;,|]")
_BEGINS_AS_NUMBER = re.compile(r"[<>≤≥~≈±+\-\u2212(.,\s]*[0-9]")
_LONGEST_CELL = 30  # lines that one quoted cell may go over


@dataclass(frozen=True)
class Part:
    """One table of a file: ``text`` has all lines of the file, those of other tables empty."""

    title: str
    text: str
    hidden: bool = False
    sheet: bool = False  # of a spreadsheet


def tidied(text: str) -> tuple[str, str | None]:
    """``text`` with the same lines, but rules, Excel's first line "sep=;" and comments after ; empty, and a quoted cell on one
    line; and the delimiter that "sep=" declares."""
    lines = text.lstrip("\ufeff").splitlines()
    declared = None
    if lines and (found := _SEPARATOR_LINE.fullmatch(lines[0].strip(" ,"))):
        declared, lines[0] = found[1], ""
    others = [line for line in lines if line.strip() and not line.lstrip().startswith((";", *COMMENTS))]
    if others and not any(";" in line for line in others):
        lines = ["#" + line.lstrip(" ;") if line.lstrip().startswith(";") else line for line in lines]
    lines = ["" if _RULE.fullmatch(line) else line for line in _one_line_cells(lines)]
    barred = [line.strip() for line in lines if line.strip()]
    if barred and all(line.startswith("|") and line.endswith("|") and len(line) > 1 for line in barred):
        lines = [line.strip()[1:-1] for line in lines]
    if "±" in text or "+/-" in text or "+-" in text:
        lines = [_PLUS_MINUS.sub("±", line) for line in lines]
    return "\n".join(lines), declared


def parts_of(text: str, title: str = "", hidden: bool = False) -> list[Part]:
    """The tables in ``text``: told apart by blank lines or words between them. One, if all fits into one table."""
    lines = head_as_comments(text.split("\n"))
    text = "\n".join(lines)
    segments = _segments(lines)
    if len(segments) < 2 or len(segments) > MOST_PARTS or _is_one_table(text, segments, lines):
        return [Part(title, text, hidden)]
    found = []
    for (rows, _), name in zip(segments, _names(lines, segments), strict=True):
        kept = set(rows)
        shown = f"{title}: {name}" if title else name
        found.append(Part(shown, "\n".join(line if i in kept else "" for i, line in enumerate(lines)), hidden))
    return found


def _one_line_cells(lines: Sequence[str]) -> list[str]:
    found, i = list(lines), 0
    while i < len(found):
        line = found[i]
        if line.count('"') % 2 and _OPEN_QUOTE.search(line):
            for j in range(i + 1, min(i + _LONGEST_CELL, len(found))):
                if found[j].count('"') % 2:
                    found[i] = " ".join(part.strip() if k else part for k, part in enumerate(found[i : j + 1]))
                    found[i + 1 : j + 1] = [""] * (j - i)
                    i = j
                    break
        i += 1
    return found


def _holds_limits(before: str, line: str) -> bool:
    """Whether ``line`` is a row of detection limits with as many cells as the row ``before``: MDL;0.02;0.05."""
    sign = next((sign for sign in "\t;," if sign in before), "")
    if not sign or before.count(sign) != line.count(sign):
        return False
    return kind_of(line.split(sign)[0].strip().strip('"')) == "limits"


def _segments(lines: Sequence[str]) -> list[tuple[list[int], str]]:
    """Lines (numbers from 0) of each table with the words of its heading that are no column names, and its title."""
    blocks: list[list[int]] = []
    with_numbers = set[int]()
    numeric = False  # the last line held numbers
    fresh = True
    before = ""  # the line of the table above
    for i, line in enumerate(lines):
        bare = line.strip(" \t,;|\f\x1a")
        if not bare:
            fresh = True
            continue
        if line.lstrip().startswith(COMMENTS):
            if numeric:
                fresh = True
            numeric = False
            if fresh or not blocks:
                blocks.append([])
                fresh = False
            blocks[-1].append(i)
            continue
        holds = any(_is_number(word) for word in _WORDS.findall(line))
        if holds:
            with_numbers.add(i)
        holds = holds or (numeric and _goes_on(before, line))
        if fresh and numeric and _holds_limits(before, line):
            fresh = False  # below a blank line it is of the table above all the same
        before = line if i in with_numbers else before
        if fresh or (numeric and not holds) or not blocks:
            blocks.append([])
            fresh = False
        blocks[-1].append(i)
        numeric = holds
    found: list[tuple[list[int], str]] = []
    pending: list[int] = []
    tabs = any("\t" in line for line in lines)
    for block in blocks:
        rows = [i for i in block if not lines[i].lstrip().startswith(COMMENTS)]
        if not with_numbers.isdisjoint(rows) and not _is_prose(lines, rows, tabs):
            titles = [lines[i].strip(" #%!/\t,;|") for i in pending]
            titles += [lines[i].strip(" #%!/\t,;|") for i in block[: block.index(rows[0])]]
            words = _title_in_a_row(lines, block) or _title_of_names(lines, block, rows)
            words = words or next((t for t in reversed(titles) if t), "")
            if not words and len(rows) > 2:
                words = _own_title(lines, rows)
            found.append((pending + block, words))
            pending = []
        else:
            pending += block
    if found and pending:
        found[-1] = (found[-1][0] + pending, found[-1][1])
    return found


def _goes_on(before: str, line: str) -> bool:
    """Whether a line without numbers is one more row of the table: a date below a date, a label before marks for missing values,
    or a word for none below a number of the last row that had one, ``before``."""
    above, cells = (_cells(text) or text.split() for text in (before, line))
    if not above or len(cells) < 2:
        return False
    said = [cell for cell in cells[1:] if cell]
    if (_is_date(above[0]) and _is_date(cells[0])) or (bool(said) and all(is_missing(cell) for cell in said)):
        return True
    pairs = zip(above, cells, strict=False) if len(above) == len(cells) else ()
    return any(now and says_nothing(now) and _BEGINS_AS_NUMBER.match(was) for was, now in pairs)  # remarks may stand beside


def _is_date(cell: str) -> bool:
    return seconds_of(cell) is not None or iso_dates([cell]) is not None


def short_titles(titles: Sequence[str]) -> list[str]:
    """Titles of tables as they stand in names of columns: without a remark behind them, unless that tells them apart. Where one
    is long, all are without if these are distinct."""
    cut = [_REMARK.split(title, maxsplit=1)[0].strip() or title for title in titles]
    if any(len(title) > LONG_TITLE for title in titles) and len({*cut}) == len(cut):
        return cut
    bare = [short if len(title) > LONG_TITLE else title for short, title in zip(cut, titles, strict=True)]
    return [one if bare.count(one) == 1 else whole for one, whole in zip(bare, titles, strict=True)]


def _names(lines: Sequence[str], segments: Sequence[tuple[list[int], str]]) -> list[str]:
    """What each table is called: its title; where no other has one, that of the first is the file's, and headings name them."""
    titles = [" ".join(words.split())[:LONGEST_NAME] for _, words in segments]
    headings = [_heading(lines, rows) for rows, _ in segments]
    if any(titles[1:]) or len({*headings}) < len(headings):
        headings = ["" for _ in segments]
    if all(headings):
        titles = ["" for _ in segments]
    places = (f"lines {rows[0] + 1} to {rows[-1] + 1}" for rows, _ in segments)
    return [title or heading or place for title, heading, place in zip(titles, headings, places, strict=True)]


def _heading(lines: Sequence[str], rows: Sequence[int]) -> str:
    """The names of the columns, one behind the other: the last row of cells before the first that holds a number."""
    last = ""
    for i in rows:
        cells = _cells(lines[i]) or lines[i].split()
        if any(_BEGINS_AS_NUMBER.match(cell) for cell in cells):
            return last
        last = ", ".join(cells)[:LONGEST_NAME] if cells and not lines[i].lstrip().startswith(COMMENTS) else last
    return ""


def _own_title(lines: Sequence[str], rows: Sequence[int]) -> str:
    """A first line of other length than the second, without numbers: not column names but the table's title."""
    first, second = (len(_cells(lines[i]) or lines[i].split()) for i in rows[:2])
    words = lines[rows[0]].strip(" \t,;|")
    return words if first != second and not any(_is_number(w) for w in _WORDS.findall(words)) else ""


def _title_of_names(lines: Sequence[str], block: Sequence[int], rows: Sequence[int]) -> str:
    """The title right above the names of columns, with nothing between them; '' where these are units, or numbers."""
    if len(rows) < 3 or block[:2] != rows[:2]:
        return ""
    cells = _cells(lines[rows[1]]) or lines[rows[1]].split()
    units = all(is_unit_cell(cell) for cell in cells if cell)
    if units or any(_BEGINS_AS_NUMBER.match(cell) for cell in cells):
        return ""
    remarked = _REMARKED.fullmatch(lines[rows[0]].strip())
    return remarked[0] if remarked is not None and not is_unit(remarked["remark"]) else _own_title(lines, rows)


def _title_in_a_row(lines: Sequence[str], rows: Sequence[int]) -> str:
    """The title right above names of columns that is a row of theirs: sheets have all lines filled up with empty cells."""
    for i, below in pairwise(rows):
        mark = lines[i].rstrip()[-1:] if lines[i].strip() else ""
        words = lines[i].strip().rstrip(mark)
        if any(_BEGINS_AS_NUMBER.match(cell) for cell in lines[below].split(mark or None)):
            return ""
        names = [cell for cell in lines[below].split(mark or None) if cell.strip()]
        if mark in tuple(";,|") and words and mark not in words and len(names) > 1 and not any(map(is_missing, names)):
            return words
    return ""


def _is_prose(lines: Sequence[str], rows: Sequence[int], tabs: bool) -> bool:
    """Lines of cells none of which begins with a number, or a single line of which most are words: a sentence with a number.
    ``tabs``: they part cells elsewhere in the file, and lines without any are single cells."""
    if tabs and not any("\t" in lines[i] or _BEGINS_AS_NUMBER.match(lines[i].strip(' "')) for i in rows):
        return True
    cut = [_cells(lines[i]) for i in rows]
    if all(cut) and not any(_BEGINS_AS_NUMBER.match(cell) for cells in cut for cell in cells):
        return True
    if len(rows) != 1:
        return False
    words = _WORDS.findall(lines[rows[0]])
    return len(words) > 2 and 2 * sum(_is_number(w) for w in words) < len(words)


def _cells(line: str) -> list[str]:
    """The cells of a line in which a quotation or a mark parts them; none: it has only white space."""
    if '"' in line:
        outside = _MARKS.search(re.sub(r'"[^"]*"', "", line))
        mark = outside[0] if outside else ","
        return [cell.strip() for cell in next(csv.reader([line], delimiter=mark, skipinitialspace=True))]
    found = _MARKS.search(line)
    return [cell.strip() for cell in line.split(found[0])] if found else []


def _is_one_table(text: str, segments: Sequence[tuple[list[int], str]], lines: Sequence[str]) -> bool:
    try:
        whole = split_table(text, trim=True)
    except ProblemError:
        return False
    if not whole.delimiter and not any(_is_number(row[0]) for row in whole.rows):
        return False  # lines of words, a single cell each, always fit
    if not even(whole) or any(_is_passed_over(whole, lines, rows) for rows, _ in segments):
        return False
    return not any(_begins_with_names(whole, lines[rows[0]]) or _title_in_a_row(lines, rows) for rows, _ in segments[1:])


def _is_passed_over(whole: Cells, lines: Sequence[str], rows: Sequence[int]) -> bool:
    """Whether these lines are none of the table's and yet rows as long as its own, of numbers alone: no title, a table above."""
    if not {i + 1 for i in rows}.isdisjoint(whole.lines):
        return False
    cut = [_cells(lines[i]) or lines[i].split() for i in rows]
    of_numbers = [cells for cells in cut if len(cells) == len(whole.rows[0]) and all(map(_is_number, cells))]
    return len(of_numbers) >= FEWEST_ROWS


def _begins_with_names(whole: Cells, line: str) -> bool:
    """Whether this line of the table is a heading: words where the other rows have numbers."""
    cells = next((row for row in whole.rows if row and row[0] and line.strip().startswith(row[0])), ())
    return bool(cells) and looks_like_header([cells, *[r for r in whole.rows if r is not cells]], whole.decimal_comma)


def _is_number(word: str) -> bool:
    return word.lower() not in MISSING and is_number_or_missing(word)
