"""Cells of CSV files and of the clipboard.

Text that a spreadsheet would take for a formula gets a leading apostrophe; numbers are written so that reading them gives the
same float64.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

import numpy as np

from ..problem.numbers.number_characters import INVISIBLE
from ..problem.numbers.number_text import NUMBER

_FORMULA = re.compile(  # spreadsheets pass over what nobody sees, and take the wide and small forms for the usual ones
    rf"[\t\r\n]|[\s\u00ad{INVISIBLE}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]"
)
_PLAIN_NUMBERS = re.compile(rf"{NUMBER}(?: to {NUMBER})?")


def safe_cell(value: object) -> str:
    """A CSV cell: numbers in full precision, nothing for None, text that no spreadsheet takes for a formula."""
    if value is None:
        return ""
    if isinstance(value, (bool, int, np.integer)):
        return str(value)
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    text = str(value).replace("\x00", "")
    return "'" + text if _FORMULA.match(text) else text


def safe_copy(text: str) -> str:
    """Text for the clipboard, which may go to a spreadsheet: as ``safe_cell``, but numbers and ranges stay as they are."""
    return text if _PLAIN_NUMBERS.fullmatch(text) else safe_cell(text)


def csv_bytes(header: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    """RFC 4180, UTF-8, one header line."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([safe_cell(h) for h in header])
    writer.writerows([safe_cell(c) for c in row] for row in rows)
    return out.getvalue().encode("utf-8", "replace")
