"""The table around a marked number: which lines are its rows, and how their columns are told apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from ...definition import Region
from ...extract.measured_cells import measured
from ...extract.reading import Line
from ...extract.region import row_of, squeezed
from ...extract.row_cells import BARS, Cell, cells_of, form_of, is_rule
from ...numbers.dates_in_text import dates_in
from ..anchors.anchor_texts import texts_of
from .fields import fields_of
from .wrapped_rows import wrapped_rows

AROUND = 200_000  # lines looked at on either side of the mark
SAMPLED = 300  # rows at either end of a long block that are looked at for where its columns stand
ALIKE = 0.6  # share of the cells that two rows of one table have in common
_DIGITS = str.maketrans("123456789", "1" * 9)
_COMMA_ALONE = re.compile(r",(?!\s|$)")  # commas with spaces behind them are part of words
_DELIMITERS: tuple[str, ...] = (";", "\t", ",", *BARS)


@dataclass(frozen=True)
class Column:
    """A column with numbers in every row: its number in ``Region.columns``, and where it stands in the lines."""

    number: int
    left: int
    right: int


@dataclass(frozen=True)
class Block:
    """``rows``: the lines, counted from 0. ``shape``: how its rows are read, with no anchor, columns or rows chosen yet.
    ``heading``: the line farther up that names the columns, if it is not right above."""

    rows: tuple[int, ...]
    shape: Region
    columns: tuple[Column, ...]
    comma: bool = False
    heading: int | None = None

    def taking(self, columns: Sequence[Column], **changes: object) -> Region:
        """The extractor of these columns."""
        return msgspec.structs.replace(self.shape, columns=tuple(c.number for c in columns), **changes)


def block_around(lines: Sequence[Line], at: int, mark: Cell, comma: bool, within: tuple[int, int] = (0, 0)) -> Block:
    """The largest block of rows like line ``at``, in which ``mark`` is a number (its characters are those of the text).

    From the first to the last line of ``within`` other lines are passed over.
    """
    rows = wrapped_rows(lines, at)
    if rows and (within == (0, 0) or set(within) <= set(rows)):
        return _of_wrapped(lines, rows, comma)
    delimiter = _delimiter(lines, at, mark, comma)
    best: Block | None = None
    for by in ("word",) if delimiter is not None else ("word", "number"):
        found = _block(lines, at, mark, by, delimiter, comma, within)
        if found is not None and (best is None or len(found.rows) > len(best.rows)):
            best = found
        if best is not None and not _goes_on(lines, best.rows):
            break
    if delimiter is None and best is not None and _goes_on(lines, best.rows):  # labels with numbers in them
        apart = _block(lines, at, mark, "gap", None, comma, within)
        best = apart if apart is not None and set(apart.rows) > set(best.rows) and apart.shape.form.startswith("t") else best
    fixed = None if delimiter is not None else _fixed_block(lines, at, mark, best, comma)
    if fixed is not None and (best is None or len(fixed.rows) > len(best.rows)):
        best = fixed
    if best is None:
        place = mark.start - lines[at].start, mark.end - lines[at].start
        best = Block((at,), Region(characters=((place[0] + 1, place[1]),)), (Column(1, *place),), comma)
    return best


def _of_wrapped(lines: Sequence[Line], rows: tuple[int, ...], comma: bool) -> Block:
    """The lines of a matrix that hold the same of its columns; the others between them are passed over."""
    seen = rows if len(rows) <= 2 * SAMPLED else (*rows[:SAMPLED], *rows[-SAMPLED:])
    cells = [cells_of(lines[i].text, comma=comma) for i in seen]
    below = enumerate(zip(*cells, strict=True), 1)
    columns = (Column(k, min(c.start for c in one), max(c.end for c in one)) for k, one in below)
    shape = Region(by="word", form="n" * len(cells[0]), gaps="text", end=_end_behind(lines, rows))
    return Block(rows, shape, tuple(columns), comma)


def _delimiter(lines: Sequence[Line], at: int, mark: Cell, comma: bool) -> str | None:
    """What separates the cells, if the marked number is just a cell and a neighbouring line has as many of them."""
    here = lines[at].text
    for sign in _DELIMITERS:
        count = here.count(sign)
        if count == 0 or (sign == "," and (comma or not _COMMA_ALONE.search(here))) or (sign in BARS and count < 2):
            continue
        near = [lines[i].text.count(sign) for i in range(max(at - 3, 0), min(at + 4, len(lines))) if i != at]
        cells = cells_of(here, lines[at].start, delimiter=sign, comma=comma)
        if count in near and any(c.kind == "n" and c.start <= mark.start < c.end for c in cells):
            return sign
    return None


# ------------------------------------------------------------------ cells counted


def _block(
    lines: Sequence[Line], at: int, mark: Cell, by: str, delimiter: str | None, comma: bool, within: tuple[int, int]
) -> Block | None:
    def cells(i: int) -> list[Cell]:
        return cells_of(lines[i].text, lines[i].start, by=by, delimiter=delimiter, comma=comma)

    here = cells(at)
    hit = (k for k, c in enumerate(here) if c.start <= mark.start < c.end and (c.kind == "n" or _measured(lines[at], c)))
    mine = next(hit, None)
    if mine is None:
        return None
    with_unit = here[mine].kind != "n"

    forms: dict[str, str] = {}

    def form_at(i: int) -> str:
        shape = lines[i].text.translate(_DIGITS)  # tables are long, and their lines look like each other
        if "," in shape:
            return form_of(cells(i))
        if shape not in forms:
            forms[shape] = form_of(cells(i))
        return forms[shape]

    own = form_of(here)

    def alike(i: int) -> bool:
        return _alike(own, form_at(i), mine, by) and (not with_unit or _measured(lines[i], cells(i)[mine]) is not None)

    rows, gaps = _extended(lines, at, alike, within)
    seen = rows if len(rows) <= 2 * SAMPLED else [*rows[:SAMPLED], *rows[-SAMPLED:]]
    found = {i: cells(i) for i in seen}
    if len(rows) > 2 and _is_numbered_heading(found[rows[0]], [found[i] for i in seen[1:]]):
        rows, seen = rows[1:], seen[1:]
    form = common_form(list({form_at(i) for i in rows}))
    columns, count = [], 0
    for k, kind in enumerate(form.rstrip("*")):
        count += kind == "n"
        if kind == "n" and not (len(seen) > 1 and all(_is_dash(lines[i], found[i][k]) for i in seen)):
            spans = [(found[i][k].start - lines[i].start, found[i][k].end - lines[i].start) for i in seen]
            columns.append(
                Column(count if by == "number" else k + 1, min(a for a, _ in spans), max(b for _, b in spans))
            )
    for k in [k for k, kind in enumerate(form) if kind == "t" and by == "word"]:
        columns += _with_units([lines[i] for i in seen], [found[i][k] for i in seen], k + 1)
    columns.sort(key=lambda column: column.number)
    end = _end_behind(lines, rows) if gaps == "text" else None
    shape = Region(by=by, form=form, gaps=gaps, end=end, delimiter=delimiter)  # type: ignore[arg-type]
    return Block(tuple(rows), shape, tuple(columns), comma)


def _measured(line: Line, cell: Cell) -> Cell | None:
    return measured(cell, line.text[cell.start - line.start : cell.end - line.start])


def _with_units(lines: Sequence[Line], cells: Sequence[Cell], number: int) -> list[Column]:
    """The column of these cells, if each is a number with the same unit behind it; 1A and 2A are names."""
    read = [_measured(line, cell) for line, cell in zip(lines, cells, strict=True)]
    spans = [(n.start - line.start, n.end - line.start) for line, n in zip(lines, read, strict=True) if n is not None]
    if len(spans) < len(cells):
        return []
    units = {line.text[b : c.end - line.start] for line, c, (_, b) in zip(lines, cells, spans, strict=True)}
    exact = any("." in line.text[a:b] for line, (a, b) in zip(lines, spans, strict=True))
    return [Column(number, min(a for a, _ in spans), max(b for _, b in spans))] if len(units) == 1 and exact else []


def _is_dash(line: Line, cell: Cell) -> bool:
    """Whether a cell is a dash between a label and its numbers, Frequencies -- 1713.1, where every row has one."""
    return bool(cell.problem) and set(line.text[cell.start - line.start : cell.end - line.start]) == {"-"}


def _goes_on(lines: Sequence[Line], rows: Sequence[int]) -> bool:
    """Whether a line right above, below or between the rows has digits in it, so that it may be a row of another look."""
    ends = [i for i in (rows[0] - 1, rows[-1] + 1) if 0 <= i < len(lines)]
    if len(rows) <= rows[-1] - rows[0]:
        ends += sorted(set(range(rows[0], rows[-1])) - set(rows))
    return any(any(c.isdigit() or c == "*" for c in lines[i].text) for i in ends)


def _alike(a: str, b: str, mine: int, by: str) -> bool:
    if a == b:
        return True
    if by == "number" or b[mine : mine + 1] != "n":
        return False
    same = sum(x == y for x, y in zip(a, b, strict=False))
    if len(a) == len(b):
        return same >= ALIKE * len(a) and "n" in b
    least = min(len(a), len(b))
    return same >= ALIKE * least and set(max(a, b, key=len)[least:]) == {"t"}


def common_form(forms: Sequence[str]) -> str:
    """The form that all rows of these forms have."""
    least = min(len(form) for form in forms)
    letters = ["".join(sorted({form[k] for form in forms})) for k in range(least)]
    body = "".join(one if len(one) == 1 else "x" for one in letters)
    return body + ("*" if any(len(form) > least for form in forms) else "")


def _is_numbered_heading(first: list[Cell], others: list[list[Cell]]) -> bool:
    """Whether the first row holds the columns' years or the like: whole numbers above such with decimals."""
    places = [k for k, cell in enumerate(first) if cell.kind == "n"]
    if not places or not all(
        cell.value == int(cell.value) for k in places if (cell := first[k]).value - cell.value == 0
    ):
        return False
    below = [cells[k] for cells in others for k in places if k < len(cells)]
    return bool(below) and all(c.kind == "n" and c.value != int(c.value) for c in below if c.value - c.value == 0)


def _extended(
    lines: Sequence[Line], at: int, is_row: Callable[[int], bool], within: tuple[int, int] = (0, 0)
) -> tuple[list[int], str]:
    """Row ``at`` and those next to it, rules and single blank lines between them passed over; what was passed over."""
    found, gaps = [at], "none"
    for step in (-1, 1):
        i, passed, blank, text = at + step, 0, False, False
        while 0 <= i < len(lines) and abs(i - at) < AROUND:
            line, inside = lines[i].text, within[0] < i < within[1]
            empty, rule = not line.strip(), is_rule(line)
            if not empty and not rule and is_row(i):
                found.append(i)
                gaps = "text" if text or gaps == "text" else "blank" if blank else gaps
                passed, blank, text = 0, False, False
            elif inside:
                text = text or not (empty or rule)
                blank = blank or empty
            elif (not empty and not rule) or (empty and blank) or passed > 1:
                break
            else:
                blank = blank or empty
                passed += 1
            i += step
    return sorted(found), gaps


def _end_behind(lines: Sequence[Line], rows: Sequence[int]) -> str | None:
    """The words that begin the first line behind the rows, if they do not stand between them; else None."""
    after = next(
        (i for i in range(rows[-1] + 1, len(lines)) if lines[i].text.strip() and not is_rule(lines[i].text)), None
    )
    texts = [text for text, _ in texts_of(lines[after].text) if not dates_in(text)] if after is not None else []
    between = "\n".join(squeezed(lines[i].text) for i in range(rows[0], rows[-1] + 1))
    return texts[0] if texts and texts[0] not in between else None


# ------------------------------------------------------------------ columns of characters


def _fixed_block(lines: Sequence[Line], at: int, mark: Cell, best: Block | None, comma: bool) -> Block | None:
    """Rows whose numbers stand below one another although their cells cannot be counted: blank cells, glued numbers."""
    seeds = list(best.rows) if best is not None else [at]
    if best is not None and not mark.problem and not _goes_on(lines, best.rows):
        return None
    rows = set(seeds)
    seen = seeds if len(seeds) <= 2 * SAMPLED else [*seeds[:SAMPLED], *seeds[-SAMPLED:]]
    extents = _extents([lines[i] for i in seen], comma)
    kinds = [form_of(cells_of(lines[i].text, comma=comma)) for i in seen]
    most_texts, least = max(k.count("t") for k in kinds) + 1, min(k.count("n") for k in kinds) / 2
    edges = {edge for i in seen for c in cells_of(lines[i].text, comma=comma) for edge in (c.start, -c.end)}

    def aligned(i: int) -> bool:
        cells = cells_of(lines[i].text, comma=comma)
        numbers = [c for c in cells if c.kind == "n" or sum(x.isdigit() for x in lines[i].text[c.start : c.end]) > 3]
        texts = len(cells) - len(numbers)
        pieces = sum(max(1, lines[i].text[c.start : c.end].count(".")) for c in numbers)  # glued ones are several
        if not numbers or texts > most_texts or pieces < least:
            return False
        if pieces < 2 * least and not any(c.start in edges or -c.end in edges for c in numbers):
            return False  # fewer numbers, none of which begins or ends where those of a column do: of another table
        below = sum(any(c.start < b and a < c.end for a, b in extents) for c in numbers)
        return below >= max(1, ALIKE * len(numbers)) and any(c.kind == "n" for c in numbers)

    for seed in (seeds[0], seeds[-1]):
        rows.update(_extended(lines, seed, lambda i: i in rows or aligned(i))[0])
    ordered = sorted(rows)
    if len(ordered) > 2 and ordered[0] != at:
        first, *others = ([c for c in cells_of(lines[i].text, comma=comma) if c.kind == "n"] for i in ordered)
        if all(c.value == int(c.value) for c in first if c.value - c.value == 0) and not any(
            c.value == int(c.value) for cells in others for c in cells if c.value - c.value == 0
        ):
            ordered = ordered[1:]  # years and the like above numbers with decimals
    if len(ordered) <= len(seeds) and best is not None and not mark.problem:
        return None
    rows = set(ordered)
    fields = fields_of([lines[i].text for i in ordered], comma)
    place = mark.start - lines[at].start, mark.end - lines[at].start
    shape = Region(gaps=_extended(lines, ordered[0], lambda i: i in rows)[1])  # type: ignore[arg-type]
    kept = []
    for field in fields:
        one = msgspec.structs.replace(shape, characters=(field[2:],))
        read = [row_of(one, lines[i], 0, comma) for i in ordered]
        mine = field[0] < place[1] and place[0] < field[1]
        if mine or 2 * sum(row is not None and not row.cells[0].problem for row in read) > len(ordered):
            kept.append(field)
    columns = tuple(Column(k + 1, a, b) for k, (a, b, _, _) in enumerate(kept))
    if not any(c.left < place[1] and place[0] < c.right for c in columns):
        return None
    shape = msgspec.structs.replace(shape, characters=tuple((first, last) for _, _, first, last in kept))
    return Block(tuple(ordered), shape, columns, comma)


def _extents(lines: Sequence[Line], comma: bool) -> list[tuple[int, int]]:
    """Where numbers stand in these lines, overlapping places joined."""
    spans = sorted((c.start, c.end) for line in lines for c in cells_of(line.text, comma=comma) if c.kind == "n")
    joined: list[tuple[int, int]] = []
    for a, b in spans:
        if joined and a < joined[-1][1]:
            joined[-1] = joined[-1][0], max(b, joined[-1][1])
        else:
            joined.append((a, b))
    return joined
