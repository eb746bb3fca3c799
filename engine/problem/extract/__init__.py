"""Reading declared outputs from what a program wrote. Pure functions of bytes and text; errors are ExtractionError only."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .. import text_files
from ..definition import (
    CsvColumn,
    Extractor,
    JsonPath,
    LabelledNumber,
    LastNumber,
    MarkerOffset,
    NumberList,
    Output,
    RegexGroup,
    Region,
    RowsAfter,
    TableBlock,
)
from ..errors import ProblemError
from ..numbers import scale_letters as letters
from .json_path import json_path
from .label_columns import column_behind, joined, with_dates
from .number_list import number_list
from .numbers import ExtractionError
from .reading import Reading
from .region import region, region_labels
from .single import labelled, last_number, marker_offset, regex_group, rows_after
from .tables import csv_column, table_block

__all__ = ["ExtractionError", "Reading", "decode", "extract", "one_decimal_sign", "read_output", "texts_of", "values_of"]


def decode(data: bytes, name: str) -> str:
    """The text of the bytes a program wrote to ``name``. Raises ExtractionError if they are no text."""
    try:
        return text_files.decode(data, name).text
    except ProblemError as error:
        raise ExtractionError(f"{error.what} {text_files.advice(error, 'output')}") from None


def extract(
    extractor: Extractor, text: str, decimal_comma: bool = False, labels: bool = False, scale_letters: bool | None = None
) -> Reading:
    """The numbers that ``extractor`` finds in ``text``; NaN and infinities are values. Raises ExtractionError.

    ``labels``: read labels, times or dates instead of numbers, which not all extractors can.
    ``scale_letters``: whether 1.5K is 1500 (None: as it is where this is called).
    """
    with letters.reading(scale_letters):  # deep below, in what a word says as a number
        return _read(extractor, text, decimal_comma, labels)


def _read(extractor: Extractor, text: str, decimal_comma: bool, labels: bool) -> Reading:
    if not text.strip():
        raise ExtractionError("it is empty.")
    if labels:
        return _labels(extractor, text, decimal_comma)
    reading = _extract(extractor, text, decimal_comma)
    if decimal_comma and len(reading.values) > 1:
        one_decimal_sign(text, reading)
    return reading


def one_decimal_sign(text: str, reading: Reading) -> None:
    """Raises ExtractionError if some of the numbers have a decimal comma and others a point."""
    if "." not in text:
        return
    words = [text[a:b].strip(".,") for a, b in reading.spans]
    comma, point = (next((word for word in words if sign in word), None) for sign in ",.")
    if comma is not None and point is not None:
        raise ExtractionError(
            f"some numbers have a decimal comma and others a point, such as “{comma}” and “{point}”. "
            "Let the program print all with the same sign."
        )


def _labels(extractor: Extractor, text: str, decimal_comma: bool) -> Reading:
    match extractor:
        case CsvColumn():
            return csv_column(extractor, text, decimal_comma, labels=True)
        case TableBlock():
            return table_block(extractor, text, decimal_comma, labels=True)
        case JsonPath():
            return json_path(extractor, text, decimal_comma, labels=True)
        case Region():
            return region_labels(extractor, text, decimal_comma)
    raise ExtractionError("labels can only be read from a column of a table or from JSON.")


def _extract(extractor: Extractor, text: str, decimal_comma: bool) -> Reading:
    match extractor:
        case LastNumber():
            return last_number(extractor, text, decimal_comma)
        case LabelledNumber():
            return labelled(extractor, text, decimal_comma)
        case RegexGroup():
            return regex_group(extractor, text, decimal_comma)
        case CsvColumn():
            return csv_column(extractor, text, decimal_comma)
        case JsonPath():
            return json_path(extractor, text, decimal_comma)
        case MarkerOffset():
            return marker_offset(extractor, text, decimal_comma)
        case TableBlock():
            return table_block(extractor, text, decimal_comma)
        case RowsAfter():
            return rows_after(extractor, text, decimal_comma)
        case Region():
            return region(extractor, text, decimal_comma)
        case NumberList():
            return number_list(extractor, text, decimal_comma)


def read_output(output: Output, text: str) -> Reading:
    """One declared output, its length checked. Raises ExtractionError with a sentence that names output and source."""
    try:
        reading = extract(output.extractor, text, output.decimal_comma, output.text, output.scale_letters)
        if output.text:
            reading = _whole_labels(output, text, reading)
    except ExtractionError as error:
        raise ExtractionError(f"The output “{output.name}” could not be read from {output.source}: {error}") from None
    count = len(reading.values)
    if output.length is not None and count != output.length:
        raise ExtractionError(
            f"The output “{output.name}” from {output.source} has {count} numbers, but {output.length} are expected."
            + (" The program seems to have stopped before the end." if count < output.length else "")
        )
    return reading


def _whole_labels(output: Output, text: str, first: Reading) -> Reading:
    """Labels with those of the neighbouring columns behind them, and dates with slashes as dates. Raises ExtractionError."""
    readings = [first]
    for step in range(1, output.label_columns):
        beside = column_behind(output.extractor, step)
        if beside is None:
            raise ExtractionError("only columns that are counted have a neighbour that belongs to the label.")
        readings.append(_labels(beside, text, output.decimal_comma))
    return with_dates(joined(readings), output.month)


def values_of(reading: Reading) -> NDArray[np.float64]:
    """The numbers as a (n,) array."""
    return np.array(reading.values, dtype=np.float64)


def texts_of(readings: Mapping[str, Reading]) -> dict[str, tuple[str, ...]]:
    """What was read as labels, times or dates, of those outputs that are such."""
    return {name: reading.texts for name, reading in readings.items() if reading.texts}
