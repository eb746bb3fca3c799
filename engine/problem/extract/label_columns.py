"""Labels that stand in several neighbouring columns, such as a date and its time, and dates whose month is told. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from ..data.rows.text_keys import FIRST_LABEL, SLASHED_DATE, code, is_date, plain, slashed_date
from ..definition import CsvColumn, Extractor, Region, TableBlock
from ..definition.outputs import Month
from .numbers import ExtractionError
from .reading import Reading

_CLOCK = re.compile(r"[0-9]{1,2}:[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]+)?)?")


def column_behind(extractor: Extractor, step: int) -> Extractor | None:
    """``extractor`` reading the column that stands ``step`` columns behind its own; None: its columns are not counted."""
    if isinstance(extractor, CsvColumn) and isinstance(extractor.column, int) and extractor.axis == "column":
        return msgspec.structs.replace(extractor, column=extractor.column + step)
    if isinstance(extractor, Region | TableBlock) and len(extractor.columns) <= 1:
        return msgspec.structs.replace(extractor, columns=((extractor.columns or (1,))[0] + step,))
    return None


def are_dates(texts: Sequence[str]) -> bool:
    """Whether all are dates, those with slashes whose month nobody said included."""
    return bool(texts) and all(is_date(one) or SLASHED_DATE.fullmatch(plain(one)) is not None for one in texts)


def are_clock_times(texts: Sequence[str]) -> bool:
    """Whether all are times of a day."""
    return bool(texts) and all(_CLOCK.fullmatch(one) for one in texts)


def joined(readings: Sequence[Reading]) -> Reading:
    """One label for each row, a space between its cells. Raises ExtractionError where one column has more rows than another."""
    if len(readings) == 1:
        return readings[0]
    if len({len(one.texts) for one in readings}) > 1:
        raise ExtractionError(f"columns of one label have {' and '.join(str(len(one.texts)) for one in readings)} rows.")
    texts = tuple(" ".join(cells).strip() for cells in zip(*(one.texts for one in readings), strict=True))
    spans = tuple((first[0], last[1]) for first, last in zip(readings[0].spans, readings[-1].spans, strict=True))
    return _labelled(texts, spans)


def with_dates(reading: Reading, month: Month) -> Reading:
    """Dates with slashes as ISO dates, where it is known which number is the ``month``."""
    if not month:
        return reading
    return _labelled(tuple(slashed_date(text, month == "second") or text for text in reading.texts), reading.spans)


def _labelled(texts: tuple[str, ...], spans: tuple[tuple[int, int], ...]) -> Reading:
    return Reading(tuple(code(text) if text else FIRST_LABEL for text in texts), spans, texts)
