"""What is shown of a file of measured data before its table is taken over, and the table itself."""

from __future__ import annotations

from dataclasses import dataclass

from ... import definition as d
from ..errors.expanded_errors import Expanded
from .detection_limits import Censored
from .footnote_marks import Marked
from .lines_above import LineAbove
from .table_lines import SaidLine


@dataclass(frozen=True)
class TablePreview:
    """What the window shows before the table is taken over."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]  # of several tables below each other the first ones, cells as text
    row_count: int
    delimiter: str  # as for ``read``
    delimiter_words: str
    decimal_comma: bool
    header: bool
    encoding: str
    numeric: tuple[bool, ...]  # per column: every cell is a number or missing
    notes: tuple[str, ...]
    parts: tuple[str, ...] = ()  # titles of the file's tables, if there are several
    part: int = 0
    turned: bool = False
    marks: tuple[float, ...] = ()  # numbers that look like marks for missing values, whether they count as that or not
    times: tuple[str, ...] = ()  # columns of text whose cells are times or dates
    relative: tuple[str, ...] = ()  # columns of errors in percent of others, whether they are taken so or not
    missing: str = ""  # how many cells of numbers hold none, and what stands there instead
    lines: tuple[int, ...] = ()  # in the file, of ``rows``; columns of the file, from 1, of a table that was turned
    across: tuple[int, ...] = ()  # columns of the file, from 1, of ``columns``; lines of a table that was turned
    said: tuple[SaidLine, ...] = ()  # of lines that hold no measurement
    empty: tuple[str, ...] = ()  # columns without any value
    either: tuple[tuple[str, str, str, str], ...] = ()  # columns of dates that do not tell day from month: one of them, both ways
    clocks: tuple[tuple[str, str], ...] = ()  # columns of times of two parts that no heading explains, and one of them
    expanded: tuple[Expanded, ...] = ()  # uncertainties, whether they are divided by their factor or not
    stated: tuple[tuple[str, str], ...] = ()  # columns whose heading states their errors, and these in its words
    limits: tuple[tuple[str, str], ...] = ()  # what becomes of intervals, and a warning each
    moments: tuple[str, ...] = ()  # a sentence about dates and clocks in two columns, whether they are one now or not
    censored: tuple[Censored, ...] = ()  # columns with cells that give a limit only
    marked: tuple[Marked, ...] = ()  # columns with numbers that have the mark of a remark
    remarks: tuple[str, ...] = ()  # lines of words about errors, with numbers in them
    elsewhere: tuple[str, ...] = ()  # those of ``remarks`` that stand beside another table of the file
    legends: tuple[str, ...] = ()  # lines that say what the codes of flags mean
    sheets: tuple[str, ...] = ()  # lines of the sheets of the workbook that hold words alone
    around: tuple[str, ...] = ()  # lines above several tables below each other, without their headings
    above: tuple[LineAbove, ...] = ()  # the last lines of the file above ``rows``, its heading among them


@dataclass(frozen=True)
class DataFile:
    """A table taken over: numbers and texts; ``preview.notes`` say what a person should know about the rest."""

    table: d.DataTable
    preview: TablePreview
