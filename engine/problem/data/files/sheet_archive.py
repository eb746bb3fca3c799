"""Whether a workbook (a zip archive of XML) can be read without harm: not damaged, not a bomb, no cell at the end of the world.

calamine never comes back from some XML that is not well-formed, and makes room for every cell between the first and the last;
expat looks at all of it first.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from dataclasses import dataclass
from xml.parsers import expat

from ...errors import ProblemError

MAX_CELLS = 5_000_000  # of a sheet: more takes gigabytes as text
MAX_UNPACKED = 200_000_000  # bytes of a workbook
MAX_NUMBER = 10  # digits of a repeat count that is looked at; longer ones are too large anyway
_DAMAGED = (zipfile.BadZipFile, zlib.error, expat.ExpatError, NotImplementedError, RuntimeError, EOFError, LookupError)
_PLACE = re.compile(r"([A-Z]{1,4})([0-9]{1,8})")


def check_archive(data: bytes, name: str) -> None:
    """Raises ProblemError if the archive is damaged anywhere, unpacks to too much, or has cells that lie too far apart."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
            if size > MAX_UNPACKED:
                what = f"{name} unpacks to {size / 1e6:.0f} MB, too much for a table."
                raise ProblemError(what, "", "Save the table as CSV.")
            for entry in archive.infolist():
                with archive.open(entry) as stream:  # reads no more than the size it claims, and checks its sum
                    if entry.filename.endswith((".xml", ".rels")):
                        _Extent(name).parser().ParseFile(stream)
                    else:
                        stream.read()
    except (*_DAMAGED, ValueError, OSError) as error:
        if isinstance(error, ProblemError):
            raise
        raise ProblemError(
            f"The file {name} is not a text file: it looks like a ZIP archive or an office document (Excel, LibreOffice), but is "
            "damaged or no such document.", "", "Choose a plain text file, or save the table again.",
        ) from error  # fmt: skip


@dataclass
class _Extent:
    """How far the filled cells of a sheet reach, while its XML is read (rows and columns from 1)."""

    name: str
    rows: int = 0
    columns: int = 0
    place: str = ""  # of the cell being read, in Excel's way
    row: int = 0  # of OpenDocument: the last row that began, and as how many it counts
    repeated: int = 1
    column: int = 0

    def parser(self) -> expat.XMLParserType:
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.StartDoctypeDeclHandler = _no_declarations
        return parser

    def _start(self, tag: str, given: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        if tag.startswith(("table", "covered")):
            given = {key.rpartition(":")[2]: value for key, value in given.items()}
        if tag == "c":
            self.place = given.get("r", "")
        elif tag in ("v", "is") and self.place:
            if match := _PLACE.fullmatch(self.place):
                self._reach(int(match[2]), _number_of(match[1]))
            self.place = ""
        elif tag == "table":
            self.rows = self.columns = self.row = 0
        elif tag == "table-row":
            self.repeated = _count(given, "number-rows-repeated")
            self.row, self.column = self.row + self.repeated, 0
        elif tag in ("table-cell", "covered-table-cell"):
            self.column += _count(given, "number-columns-repeated")
            if "value-type" in given or "value" in given:
                self._reach(self.row, self.column)

    def _reach(self, row: int, column: int) -> None:
        self.rows, self.columns = max(self.rows, row), max(self.columns, column)
        if self.rows * self.columns > MAX_CELLS:
            raise ProblemError(
                f"A sheet of {self.name} reaches to row {self.rows:,} and column {self.columns:,}: too many cells for a table.",
                "", "Delete what stands far from the table, or save the table as CSV.",
            )  # fmt: skip


def _no_declarations(*_: object) -> None:
    raise ValueError("documents of offices declare no entities")


def _count(given: dict[str, str], key: str) -> int:
    text = given.get(key, "1")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_NUMBER else MAX_CELLS + 1


def _number_of(letters: str) -> int:
    """The column that Excel calls A, B ... Z, AA ..."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
