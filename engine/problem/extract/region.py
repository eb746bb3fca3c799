"""The rows below a text that is known again, and the numbers chosen from them (``definition.Region``)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import msgspec

from ..definition import Region
from ..numbers.number_surroundings import may_mislead, problem_around
from .measured_cells import unit_behind
from .numbers import ExtractionError
from .reading import Line, Reading, labels_of, lines_of, pick_occurrence, quoted, times
from .region_places import anchor_spans, appearances, chosen_places, places_of, whole_words
from .region_rows import REACH, Place, RegionRow, form_words, row_of, rows_from, squeezed
from .row_cells import Cell
from .table_titles import number_of_table

__all__ = [
    "REACH", "RegionRow", "anchor_spans", "appearances", "begins_with", "blocks_of", "read_region", "region", "region_labels",
    "row_of", "squeezed", "whole_words",
]  # fmt: skip


def region(extractor: Region, text: str, decimal_comma: bool, lines: Sequence[Line] | None = None) -> Reading:
    """The chosen numbers, row by row. ``lines``: of ``text``, if they are at hand. Raises ExtractionError."""
    return read_region(extractor, text, decimal_comma, lines_of(text) if lines is None else lines)[0]


def read_region(extractor: Region, text: str, decimal_comma: bool, lines: Sequence[Line]) -> tuple[Reading, int]:
    """As ``region``, and from how many tables. Raises ExtractionError."""
    fields = len(extractor.characters)
    if fields and max(extractor.columns, default=1) > fields:
        raise ExtractionError(
            f"column {max(extractor.columns)} is asked for, but characters are given for {fields} columns only."
        )
    values: list[float] = []
    spans: list[tuple[int, int]] = []
    blocks = blocks_of(extractor, lines, decimal_comma, _last_row(extractor))
    for i, rows in enumerate(blocks):
        if extractor.title is not None:
            told, span = number_of_table(extractor.title, lines, rows[0].line.number - 1, i)
            taken = len(_taken_numbers(extractor, _taken(extractor, rows)))
            values += [told] * taken
            spans += [span] * taken
            continue
        taken_cells = _taken_numbers(extractor, _taken(extractor, rows))
        _in_one_unit(text, taken_cells, max(len(extractor.columns), 1))
        for row, cell in taken_cells:
            values.append(_value(text, row, cell))
            spans.append((cell.start, cell.end) if cell is not None else (0, 0))
    return Reading(tuple(values), tuple(spans)), len(blocks)


def _in_one_unit(text: str, cells: Sequence[tuple[RegionRow, Cell | None]], across: int) -> None:
    """Raises ExtractionError where the numbers of a column have different units right behind them. ``across``: columns."""
    for (row, cell), (_, below) in zip(cells, cells[across:], strict=False):
        if cell is None or below is None:
            continue
        units = unit_behind(text, cell), unit_behind(text, below)
        if all(units) and units[0] != units[1]:
            raise ExtractionError(f"below line {row.line.number} the unit changes from {quoted(units[0])} to {quoted(units[1])}.")


def region_labels(extractor: Region, text: str, decimal_comma: bool) -> Reading:
    """The texts in the chosen columns: labels, times or dates; all cells of a row count. Raises ExtractionError."""
    if not extractor.form and not extractor.characters:
        raise ExtractionError("labels need the form of the rows, such as tnn. Mark the table again.")
    found: list[tuple[int, str]] = []
    whole = msgspec.structs.replace(extractor, columns=())
    for rows in blocks_of(whole, lines_of(text), decimal_comma, _last_row(extractor)):
        for row in _taken(extractor, rows):
            cells = row.chosen if extractor.characters else row.cells
            for column in extractor.columns or (1,):
                cell = cells[column - 1] if column <= len(cells) else None
                if cell is None:
                    raise ExtractionError(
                        f"line {row.line.number} has no column {column}, it has only {len(cells) - cells.count(None)} columns: "
                        f"{quoted(row.line.text)}."
                    )
                found.append((cell.start, text[cell.start : cell.end]))
    return labels_of(found)


def _last_row(extractor: Region) -> int | None:
    """The last row that need be looked at; None: all."""
    if extractor.count is None or extractor.first < 1 or extractor.row_label is not None or extractor.where is not None:
        return None
    return extractor.first - 1 + extractor.count


def blocks_of(
    extractor: Region, lines: Sequence[Line], decimal_comma: bool = False, most: int | None = None
) -> list[list[RegionRow]]:
    """The rows below each appearance of the anchor that is asked for, the first ``most`` of each.

    Raises ExtractionError if there are none.
    """
    places = places_of(extractor, lines, decimal_comma)
    if extractor.occurrence != "all":
        what = f"the text {quoted(extractor.anchor or '')}"
        place = pick_occurrence(places, extractor.occurrence, what)
        return [_rows_or_words(extractor, lines, place, decimal_comma, most)]
    if not places:
        raise ExtractionError(f"the text {quoted(extractor.anchor or '')} does not occur.")
    chosen = chosen_places(extractor, places)
    found = [list(islice(rows_from(extractor, lines, place, decimal_comma), most)) for place in chosen]
    if not any(found):
        raise ExtractionError(_no_rows(extractor, lines, chosen[-1]))
    if not found[-1]:
        raise ExtractionError(f"{_no_rows(extractor, lines, chosen[-1])} The output seems to be cut off there.")
    return [rows for rows in found if rows]


# ------------------------------------------------------------------ rows


def _rows_or_words(
    extractor: Region, lines: Sequence[Line], place: Place, comma: bool, most: int | None
) -> list[RegionRow]:
    rows = list(islice(rows_from(extractor, lines, place, comma), most))
    if not rows:
        raise ExtractionError(_no_rows(extractor, lines, place))
    return rows


def _no_rows(extractor: Region, lines: Sequence[Line], place: Place) -> str:
    """Why nothing is read at ``place``: what was looked for, what stands there, what to try."""
    where = _where(extractor, place)
    last = min(place.limit, place.index + REACH)
    there = next((n for n in lines[place.index : last] if any(c.isdigit() for c in n.text)), None)
    shown = f"; line {there.number} is {quoted(there.text)}" if there is not None else ""
    return (
        f"{where} there is no row of {form_words(extractor)}{shown}. Mark the numbers again in a text that has them."
    )


def _where(extractor: Region, place: Place) -> str:
    if extractor.anchor is None:
        return "in the text"
    side = "behind" if extractor.on_line else "below"
    return f"{side} {quoted(extractor.anchor)} in line {place.index + (1 if extractor.on_line else 0)}"


def _where_it_says(extractor: Region, rows: list[RegionRow], below: str) -> list[RegionRow]:
    """The rows that have the text of ``where`` in its cell. Raises ExtractionError where none has."""
    if extractor.where is None:
        return rows
    column, label = extractor.where
    told = [row for row in rows if column <= len(row.cells) and row.text(row.cells[column - 1]) == label]
    if not told:
        raise ExtractionError(
            f"none of the {len(rows)} rows{below} (from line {rows[0].line.number} on) has {quoted(label)} in column {column}."
        )
    return told


def _taken(extractor: Region, rows: list[RegionRow]) -> list[RegionRow]:
    below = f" below {quoted(extractor.anchor)}" if extractor.anchor else ""
    rows = _where_it_says(extractor, rows, below)
    if extractor.row_label is not None:
        label = squeezed(extractor.row_label)
        rows, former = [row for row in rows if begins_with(row.line.text, label)], rows
        if not rows:
            raise ExtractionError(
                f"none of the {len(former)} rows{below} (from line {former[0].line.number} on) begins with {quoted(label)}."
            )
        if len(rows) > 1 and extractor.count == 1 and extractor.first == 1:
            raise ExtractionError(
                f"the rows{below} begin with {quoted(label)} {times(len(rows))}; it is not clear which is meant."
            )
    first = extractor.first - 1 if extractor.first > 0 else len(rows) + extractor.first
    last = len(rows) if extractor.count is None else first + extractor.count
    if extractor.first == 0 or not 0 <= first < len(rows) or last > len(rows):
        asked = f"row {extractor.first}" if extractor.count in (1, None) else f"rows {first + 1} to {last}"
        raise ExtractionError(
            f"{asked} of the table{below} {'is' if extractor.count in (1, None) else 'are'} asked for, but it has {len(rows)} "
            f"row{'s' * (len(rows) != 1)} (from line {rows[0].line.number} on). If their number varies, take the last row or the "
            "whole column."
        )
    return rows[first:last]


def _taken_numbers(extractor: Region, rows: Sequence[RegionRow]) -> list[tuple[RegionRow, Cell | None]]:
    """The chosen cells of these rows, row by row, those that are asked for by their number in this order."""
    found = [(row, cell) for row in rows for cell in row.chosen]
    first, count = extractor.first_number - 1, extractor.number_count
    last = len(found) if count is None else first + count
    if first < 0 or first >= last or last > len(found):
        below = f" below {quoted(extractor.anchor)}" if extractor.anchor else ""
        which = f"from {first + 1} on" if count is None else f"{first + 1} to {first + count}"
        raise ExtractionError(
            f"numbers {which} of the list{below} are asked for, but it has {len(found)} (from line {rows[0].line.number} on). "
            "If their number varies, take the whole list."
        )
    return found[first:last]


def begins_with(line: str, label: str) -> bool:
    """Whether the row ``line`` begins with ``label`` as whole words; bars, quotes and white space aside."""
    text = squeezed(line.lstrip(" \t|\u2502\u2503\u2551\"'"))
    return text.startswith(label) and not text[len(label) : len(label) + 1].isalnum()


def _value(text: str, row: RegionRow, cell: Cell | None) -> float:
    number = row.line.number
    if cell is None:
        raise ExtractionError(f"in line {number} there is nothing where the number should be: {quoted(row.line.text)}.")
    problem = cell.problem
    if not problem and cell.kind != "n":
        problem = f"{quoted(text[cell.start : cell.end])} stands where the number should be."
    if not problem and may_mislead(row.line.text):
        problem = problem_around(text, cell.start, cell.end, True)
    if problem:
        raise ExtractionError(f"in line {number} {problem}")
    return cell.value
