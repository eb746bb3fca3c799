"""Spreadsheets (Excel, OpenDocument) as text: each sheet becomes lines of cells with tabs between, as if it had been pasted.

Reading is python-calamine's; formulas give the results that were stored with them.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetVisibleEnum

from ...errors import ProblemError
from .sheet_archive import MAX_CELLS, check_archive

_ZIP, _OLD = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"


@dataclass(frozen=True)
class Sheet:
    """``text``: one line for each row from the first one on, so that line numbers are row numbers."""

    name: str
    text: str
    hidden: bool = False


def is_spreadsheet(data: bytes) -> bool:
    """Whether the bytes begin as those of .xlsx, .ods or (old) .xls files do."""
    return data.startswith((_ZIP, _OLD))


def sheets_of(data: bytes, name: str) -> list[Sheet]:
    """The sheets that are not empty, hidden ones last. Raises ProblemError."""
    if data.startswith(_OLD):
        raise ProblemError(f"{name} is an old office document (Excel, Word).", "", "Save it as .xlsx, .ods or CSV and open that.")
    check_archive(data, name)
    try:
        with CalamineWorkbook.from_filelike(io.BytesIO(data)) as book:
            hidden = {s.name for s in book.sheets_metadata if s.visible != SheetVisibleEnum.Visible}
            found = [Sheet(n, _text(book.get_sheet_by_name(n), name), n in hidden) for n in book.sheet_names]
    except PasswordError as error:
        raise ProblemError(f"{name} is protected by a password.", "", "Save it without one, or save the table as CSV.") from error
    except (CalamineError, OSError, ValueError) as error:
        raise ProblemError(
            f"{name} looks like an Excel or OpenDocument file, but cannot be read as one ({error}).", "",
            "Save the table as CSV and open that.",
        ) from error  # fmt: skip
    found = [sheet for sheet in found if sheet.text.strip()]
    if not found:
        advice = "Open it in a spreadsheet program and save it there." if _has_formulas(data) else "Choose another file."
        why = "Its formulas have no stored results." if advice.startswith("Open") else "All its sheets are empty."
        raise ProblemError(f"There is no table in {name}. {why}", "", advice)
    return sorted(found, key=lambda sheet: sheet.hidden)


def _has_formulas(data: bytes) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [n for n in archive.namelist() if n.startswith("xl/worksheets/") or n == "content.xml"]
            return any(b"<f" in part or b"table:formula" in part for part in map(archive.read, names))
    except (zipfile.BadZipFile, ValueError, OSError):
        return False


def _text(sheet: Any, name: str) -> str:
    if sheet.total_height * sheet.total_width > MAX_CELLS:
        raise ProblemError(f"The sheet {sheet.name} of {name} has more than {MAX_CELLS:,} cells.", "", "Thin it out.")
    rows = [[_cell(value) for value in row] for row in sheet.to_python(skip_empty_area=False)]
    for (top, left), (bottom, right) in sheet.merged_cell_ranges or ():
        if bottom < len(rows) and left == right:  # a label written once for several rows; one across columns is a heading
            for row in rows[top + 1 : bottom + 1]:
                row[left] = rows[top][left]
    return "\n".join("\t".join(row) for row in _without_empty_edges(rows))


def _without_empty_edges(rows: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """Without empty columns left and right of the table; empty rows stay, they part tables."""
    used = [i for row in rows for i, cell in enumerate(row) if cell]
    if not used:
        return []
    return [row[min(used) : max(used) + 1] for row in rows]


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        seconds = value.total_seconds()
        whole = int(abs(seconds))
        fraction = f"{abs(seconds) - whole:.6f}"[1:].rstrip("0").rstrip(".")
        return f"{'-' if seconds < 0 else ''}{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}{fraction}"
    return " ".join(str(value).split())
