"""The ways to read an output, as the window offers them: title, one line, fields, and each extractor in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.marks.lists.list_offers import list_words
from bayescope.engine.problem.marks.words import words_of as region_words
from bayescope.gui.models.fields import Field
from bayescope.gui.models.plain import one_line

_MARKER = Field("marker", "Marker text", "A text that stands on a line near the number and always comes.")
_OCCURRENCE = Field("occurrence", "Which time", "1 is the first time it appears; −1, or last, the last.", "time")
_DELIMITER = Field(
    "delimiter", "Cells are separated by", "How the cells of a row are told apart.", "choice",
    choices=(("", "Find out"), (" ", "White space"), (",", "Comma"), (";", "Semicolon"), ("\t", "Tab"), ("|", "Bar |")),
)  # fmt: skip


@dataclass(frozen=True)
class ExtractorKind:
    kind: type[Any]
    title: str
    words: str
    fields: tuple[Field, ...]
    first: d.Extractor  # offered when this kind is chosen by hand
    more: tuple[Field, ...] = ()  # that few need; marking in the text fills them in

    @property
    def tag(self) -> str:
        return str(self.kind.__struct_config__.tag)


KINDS: tuple[ExtractorKind, ...] = (
    ExtractorKind(d.LastNumber, "Last number", "The last number of the text.", (), d.LastNumber()),
    ExtractorKind(
        d.LabelledNumber,
        "Number after a label",
        "The first number after a text such as “chi2 =”.",
        (
            Field("label", "Label", "The text before the number."),
            Field("below", "Below", "A heading that stands in the text once, near above it; empty: none.", "optional_text"),
            _OCCURRENCE,
        ),
        d.LabelledNumber(label="result"),
    ),
    ExtractorKind(
        d.JsonPath,
        "JSON entry",
        "A number or list in a JSON file, by its keys.",
        (Field("path", "Keys", "Keys joined by dots; list positions count from 0: fit.steps.0"),),
        d.JsonPath(path="result"),
    ),
    ExtractorKind(
        d.CsvColumn,
        "Table column or cell",
        "A column of a table (CSV, tabs, white space), or one cell of it.",
        (
            Field("column", "Column", "Its name in the heading, or its number; the first is 1.", "column_or_number"),
            Field(
                "row",
                "Row",
                "Empty: the whole column. 1 is the first row below the heading, −1 the last.",
                "optional_zero_based",
            ),
            _DELIMITER,
            Field("header", "First line is a heading", "Whether the first line holds the columns' names.", "maybe"),
        ),
        d.CsvColumn(column=0),
    ),
    ExtractorKind(
        d.TableBlock,
        "Block of numbers in a report",
        "Columns of a block of numeric rows, between two markers if need be.",
        (
            Field("columns", "Columns", "Their numbers; the first is 1.", "counts"),
            Field("start", "Begins after", "A text on the line above the block; empty: at the top.", "optional_text"),
            Field(
                "end",
                "Ends before",
                "A text on the line below the block; empty: at the first line that is no row.",
                "optional_text",
            ),
            Field(
                "to_end",
                "Pass over lines of text between the rows",
                "The block goes on to the end of the text, if no text is given where it ends.",
                "flag",
            ),
            Field("skip", "Lines to skip", "So many lines after the start are passed over.", "count"),
            Field("rows", "Rows", "Their numbers; empty: all.", "optional_counts"),
            Field("key_column", "Key column", "Choose rows by the value in this column.", "optional_count"),
            Field("key_values", "Key values", "The values to look for in the key column.", "optional_numbers"),
        ),
        d.TableBlock(columns=(1,)),
    ),
    ExtractorKind(
        d.MarkerOffset,
        "Word near a marker",
        "The n-th word some lines below a line with a known text.",
        (
            _MARKER,
            Field("lines", "Lines below", "0: the same line.", "count"),
            Field("column", "Word", "Words are separated by white space; the first is 1.", "count"),
            _OCCURRENCE,
        ),
        d.MarkerOffset(marker="result"),
    ),
    ExtractorKind(
        d.RowsAfter,
        "Number after every marker",
        "One number from the row below each line with a known text.",
        (
            _MARKER,
            Field("column", "Number", "Which number of the row; the first is 1.", "count"),
            Field("lines", "Lines below", "How many lines below the marker the row is.", "count"),
            Field("count", "How many", "How many are expected; empty: any.", "optional_count"),
        ),
        d.RowsAfter(marker="result"),
    ),
    ExtractorKind(
        d.Region,
        "Rows below a heading",
        "A number, a row or a column of a table below a known text; marking in the text fills all of this in.",
        (
            Field("anchor", "Below", "A text above the table that always comes; empty: from the top.", "optional_text"),
            Field(
                "occurrence",
                "Which time",
                "1 is the first time it appears, −1 the last; all: every time; 1 to 11, or 2 to −1: these.",
                "occurrences",
                beside=("since", "until"),
            ),
            Field(
                "columns", "Columns", "Their numbers; the first is 1; empty: every number of the row.", "some_counts"
            ),
            Field("first", "First row", "1 is the first row, −1 the last.", "count"),
            Field("count", "How many rows", "Empty: all from there on.", "optional_count"),
            Field(
                "end", "Ends before", "A text behind the rows; empty: the first line that is no row.", "optional_text"
            ),
        ),
        d.Region(columns=(1,)),
        more=(
            Field("row_label", "Only the row", "The text it begins with; empty: rows by number.", "optional_text"),
            Field("where", "Only rows with", "A column of texts and what stands there, 2 = transp; empty: all rows.", "cell"),
            Field("on_line", "The numbers stand behind this text", "The first row is the rest of its line.", "flag"),
            Field("followed", "Only times that a row follows", "Where the text stands elsewhere too, with no row below.", "flag"),
            Field(
                "headings",
                "Lines of headings",
                "At most so many between that text and the rows; empty: 40.",
                "optional_count",
            ),
            Field(
                "by",
                "Columns are counted",
                "As numbers, where names of several words stand before them.",
                "choice",
                choices=(("word", "As words"), ("number", "As numbers"), ("gap", "Between gaps")),
            ),
            _DELIMITER,
            Field(
                "characters", "Characters", "Columns of fixed width: first and last of each, 13-24, 25-36.", "ranges"
            ),
            Field("form", "A row looks like", "A letter per cell: n number, t text, x either, * anything behind."),
            Field(
                "gaps",
                "Between the rows",
                "What is passed over besides rules of dashes.",
                "choice",
                choices=(("none", "Nothing"), ("blank", "Blank lines"), ("text", "Any other lines")),
            ),
            Field("first_number", "First number", "Of the numbers so found, row by row: 1 is the first.", "count"),
            Field("number_count", "How many numbers", "Empty: all from there on.", "optional_count"),
        ),
    ),
    ExtractorKind(
        d.NumberList,
        "List behind its name",
        "All numbers of a list that follows a name, over as many lines as it takes; marking in the text fills this in.",
        (
            Field("name", "Behind", "The text right before the list; empty: the text begins with it.", "optional_text"),
            Field(
                "occurrence",
                "Which time",
                "Of the appearances that a list follows: 1 is the first, −1 the last; all: every time.",
                "occurrence",
            ),
            Field("end", "Ends with", "A semicolon or closing bracket that must end it; empty: no number.", "optional_text"),
            Field("counted", "How many there are is said", "By the whole number that ends the line of the name.", "flag"),
            Field("first", "First number", "1 is the first of the list, −1 the last.", "count"),
            Field("count", "How many", "Empty: all from there on.", "optional_count"),
            Field("each", "Each number", "So many times: 90 for the months of 12 months by 90 places.", "count"),
            Field("times", "All of them", "So many times: 12 for the places of 12 months by 90 places.", "count"),
        ),
        d.NumberList(name="result ="),
    ),
    ExtractorKind(
        d.RegexGroup,
        "Search pattern",
        "A regular expression with the number in brackets; for those who know them.",
        (
            Field("pattern", "Pattern", "A regular expression."),
            Field("group", "Group", "Which pair of brackets holds the number.", "count"),
            _OCCURRENCE,
        ),
        d.RegexGroup(pattern=r"result\s*=\s*(\S+)"),
    ),
)


def kind_of(extractor: d.Extractor) -> ExtractorKind:
    return next(k for k in KINDS if isinstance(extractor, k.kind))


def words_of(extractor: d.Extractor) -> str:
    """The extractor in a few words, for tables."""
    match extractor:
        case d.LastNumber():
            return "the last number"
        case d.LabelledNumber():
            below = f" below “{_short(extractor.below)}”" if extractor.below else ""
            return f"after “{_short(extractor.label)}”{below}{_which(extractor.occurrence)}"
        case d.JsonPath():
            return f"JSON entry “{_short(extractor.path)}”"
        case d.CsvColumn():
            column = f"“{_short(extractor.column)}”" if isinstance(extractor.column, str) else str(extractor.column + 1)
            if extractor.axis == "row":
                return f"row {(extractor.row or 0) + 1} of the table"
            if extractor.row is None:
                return f"column {column} of the table"
            return f"column {column}, {'last row' if extractor.row == -1 else f'row {extractor.row + 1}'} of the table"
        case d.TableBlock():
            columns = ", ".join(str(c) for c in extractor.columns[:6])
            below = f" below “{_short(extractor.start)}”" if extractor.start else ""
            return f"column{'s' if len(extractor.columns) > 1 else ''} {columns} of the block of numbers{below}"
        case d.MarkerOffset():
            below = (
                "on the line with"
                if extractor.lines == 0
                else f"{extractor.lines} line{'s' * (extractor.lines > 1)} below"
            )
            return f"word {extractor.column} {below} “{_short(extractor.marker)}”{_which(extractor.occurrence)}"
        case d.RowsAfter():
            return f"number {extractor.column} below every “{_short(extractor.marker)}”"
        case d.Region():
            return region_words(extractor, tables=0)
        case d.NumberList():
            return list_words(extractor)
        case d.RegexGroup():
            return f"search pattern {_short(extractor.pattern)}"


def _short(text: str) -> str:
    return one_line(text, 40)


def _which(occurrence: int) -> str:
    if occurrence == 1:
        return ""
    return ", the last time" if occurrence == -1 else f", time {occurrence}"
