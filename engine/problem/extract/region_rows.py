"""A line as a row of a region (``definition.Region``): its cells, and those of them that are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..definition import Region
from .measured_cells import measured
from .numbers import ExtractionError
from .reading import Line, quoted
from .row_cells import Cell, cells_of, fits, form_of, is_rule, sliced

REACH = 40  # lines with text between the anchor and its rows; further down stands something else
MOSTLY = 0.6  # share of the cells by which a line is known as a row that is broken


@dataclass(frozen=True)
class Place:
    """Where rows may begin: in line ``index`` from character ``start`` on; ``limit``: the line where they end at last."""

    index: int
    start: int
    limit: int


def squeezed(text: str) -> str:
    """``text`` with one space for each run of white space, as anchors are compared."""
    return " ".join(text.split())


@dataclass(frozen=True)
class RegionRow:
    """A row: its line and its cells. ``chosen``: those that are read; in columns of characters a missing one is None."""

    line: Line
    cells: tuple[Cell, ...]
    chosen: tuple[Cell | None, ...]

    def text(self, cell: Cell) -> str:
        """The characters of one of its cells."""
        return self.line.text[cell.start - self.line.start : cell.end - self.line.start]


def row_of(extractor: Region, line: Line, skip: int, comma: bool) -> RegionRow | None:
    """``line``, from its character ``skip`` on, as a row; None if it is none."""
    text, start = line.text[skip:], line.start + skip
    if extractor.characters:
        fields = [sliced(line.text, line.start, a, b, comma) for a, b in extractor.characters]
        kinds = [cell.kind if cell is not None else "" for cell in fields]
        if 2 * kinds.count("n") < len(kinds) or 2 * kinds.count("t") >= len(kinds):
            return None
        chosen = tuple(fields[c - 1] for c in extractor.columns) if extractor.columns else tuple(fields)
        return RegionRow(line, tuple(c for c in fields if c is not None), chosen)
    if not any(c.isalnum() or c in "*-?\u221e" for c in text):
        return None
    cells = cells_of(text, start, by=extractor.by, delimiter=extractor.delimiter, comma=comma)
    if extractor.form and not fits(extractor.form, cells):
        return None
    pool = [c for c in cells if c.kind == "n"] if extractor.by == "number" or not extractor.columns else cells
    if not extractor.columns:
        good = bool(pool) and (bool(extractor.form) or len(pool) == len(cells))
        return RegionRow(line, tuple(cells), tuple(pool)) if good else None
    if max(extractor.columns) > len(pool):
        return None
    picked = tuple(_number_in(pool[c - 1], text, start) for c in extractor.columns)
    return RegionRow(line, tuple(cells), picked) if all(c.kind == "n" for c in picked) else None


def _number_in(cell: Cell, text: str, start: int) -> Cell:
    """The number of a cell that ends with its unit; any other as it is. ``start``: of ``text`` in the whole one."""
    return cell if cell.kind == "n" else measured(cell, text[cell.start - start : cell.end - start]) or cell


def form_words(extractor: Region) -> str:
    if extractor.characters:
        return f"numbers in characters {extractor.characters[0][0]} to {extractor.characters[-1][1]}"
    if extractor.form:
        count = extractor.form.count("n")
        texts = " and texts" if "t" in extractor.form else ""
        return f"{count} number{'s' * (count != 1)}{texts}"
    most = max(extractor.columns, default=1)
    return f"{'at least ' if most > 1 else ''}{most} number{'s' * (most != 1)}"


def rows_from(extractor: Region, lines: Sequence[Line], place: Place, comma: bool) -> Iterator[RegionRow]:
    """The rows from ``place`` on, up to the line that ends them. Raises ExtractionError where one of them is broken."""
    began, passed, blank = False, 0, False
    most = extractor.headings if extractor.headings is not None else len(lines) if extractor.gaps == "text" else REACH
    for i in range(place.index, place.limit):
        line = lines[i]
        if extractor.end is not None and i > place.index and squeezed(extractor.end) in squeezed(line.text):
            return
        skip = place.start if i == place.index else 0
        row = None if is_rule(line.text) else row_of(extractor, line, skip, comma)
        if row is not None:
            if began and blank and extractor.gaps == "none":
                return
            began, blank = True, False
            yield row
        elif not line.text.strip():
            blank = True
        elif is_rule(line.text):
            continue
        elif began:
            if extractor.gaps != "text":
                _not_broken(extractor, line, blank, comma)
                return
        else:
            passed += 1
            if passed > most:
                return


def _not_broken(extractor: Region, line: Line, apart: bool, comma: bool) -> None:
    """Raises ExtractionError if the line right behind the rows is one of them in which something is missing or no number."""
    if apart or extractor.characters or not extractor.form:
        return
    form = extractor.form.rstrip("*")
    there = form_of(cells_of(line.text, by=extractor.by, delimiter=extractor.delimiter, comma=comma))
    same = sum(a in (b, "x") for a, b in zip(form, there, strict=False))
    short = set(there) == {"n"} == set(form) and 2 * len(there) >= len(form)
    if short or (len(there) == len(form) and same >= MOSTLY * len(form) and there[0] == form[0]):
        raise ExtractionError(
            f"line {line.number} breaks off the table: it is {quoted(line.text)}, while the rows above it have "
            f"{form_words(extractor)}. Choose single rows, or let the program print every cell."
        )
