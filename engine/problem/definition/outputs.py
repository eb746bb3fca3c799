"""How numbers are found in what a run printed or wrote."""

from __future__ import annotations

from typing import Literal

from .record import Record, Tagged


class LastNumber(Tagged, tag="last_number", frozen=True):
    pass


class LabelledNumber(Tagged, tag="labelled", frozen=True):
    """The first number after the text ``label`` (its ``occurrence``-th appearance; -1 is the last).

    ``below``: only near below the line with this heading counts, which stands in the text once; ``label`` is then whole words.
    """

    label: str
    occurrence: int = 1
    below: str | None = None


class RegexGroup(Tagged, tag="regex", frozen=True):
    pattern: str
    group: int = 1
    occurrence: int = 1


class CsvColumn(Tagged, tag="csv", frozen=True):
    """Cells of a delimited table: ``column`` by its name or its number, the first is 0; ``row`` left out: the whole column.

    ``row`` counts from 0 below the heading. What separates the cells and whether there is a heading is found out if left out.
    """

    column: str | int
    row: int | None = None
    delimiter: str | None = None  # None: detected; ' ' means any white space
    header: bool | None = None  # None: detected
    axis: Literal["column", "row"] = "column"  # "row": ``row`` is taken whole


class JsonPath(Tagged, tag="json", frozen=True):
    """Keys separated by dots, list positions as numbers: ``result.fit.0.chi2``."""

    path: str


class MarkerOffset(Tagged, tag="marker", frozen=True):
    """The ``column``-th white-space-separated word (the first is 1), ``lines`` lines below the line with ``marker``."""

    marker: str
    lines: int = 0
    column: int = 1
    occurrence: int = 1


class TableBlock(Tagged, tag="table", frozen=True):
    """A block of numeric rows between markers; rows by number or by value in a key column; chosen columns, the first is 1.

    ``rows``: numbers of the rows, THE FIRST IS 1 (the row below the heading); -1 is the last. (``row`` of 'csv' counts from 0.)
    The block ends at the line with ``end``; if that is left out, at the first line that is no row, or with ``to_end`` at the
    end of the text. Lines that are no rows are passed over on the way.
    """

    columns: tuple[int, ...]
    start: str | None = None
    end: str | None = None
    to_end: bool = False
    skip: int = 0
    rows: tuple[int, ...] | None = None
    key_column: int | None = None
    key_values: tuple[float, ...] | None = None
    key_tolerance: float = 1e-9
    delimiter: str | None = None


class RowsAfter(Tagged, tag="rows_after", frozen=True):
    """The ``column``-th number of the row ``lines`` below every line with ``marker``; ``count`` of them expected."""

    marker: str
    column: int = 1
    lines: int = 1
    count: int | None = None


class Region(Tagged, tag="region", frozen=True):
    """A number, a row, a piece of a column or a whole one, of the rows below a text that is known again.

    ``anchor``: that text, on one line, white space aside (left out: the top). ``occurrence``: which of its appearances, the
    first is 1, -1 the last; 'all' of them, one after the other, from number ``since`` to number ``until`` (-1 the last, -2 the
    one before it). ``on_line``: the first row is the rest of the anchor's line; with a ``form``, only appearances before such a
    row count. ``headings``: at most so many other lines with text stand above the first row (left out: 40, or any
    where any text may stand between rows). ``followed``: only
    appearances below which a row comes so count.

    A row is a line of the form ``form``: its cells in order, n a number, t a text, x either, and * whatever follows; left out:
    with a number in each chosen column. ``by``: cells are 'word's, or 'number's (then neighbouring words are one t), or what
    stands between 'gap's of two spaces or more (then labels may have numbers in them). Rules of dashes are passed over.
    ``gaps``: what else may stand between rows: 'none', 'blank' lines, or any 'text' up to ``end``.

    ``columns``: the first is 1 (numbers only are counted if by 'number'); left out: every number of the row. ``characters``:
    what the columns are, as [first, last] character of the line; a row has numbers in half of them at least. ``first``: the
    first row taken, -1 the last; ``count``: how many (left out: all from there). ``row_label``: only the row that begins with
    this text. ``where``: only rows whose cell of this number (all count, the first is 1) is this text: transp in the
    column of states. ``first_number``: of the numbers found below an anchor, row by row, the first taken; ``number_count``: how
    many (left out: all from there), for one list of numbers that is printed over several lines.

    ``title``: instead of the numbers of the rows, for each of them the number behind this text in the nearest line above the
    first row of its table that holds both, LOAD CASE 2; '' stands for how many tables there were up to this one.
    """

    anchor: str | None = None
    occurrence: int | Literal["all"] = 1
    since: int = 1
    until: int = -1
    followed: bool = False
    on_line: bool = False
    headings: int | None = None
    columns: tuple[int, ...] = ()
    by: Literal["word", "number", "gap"] = "number"
    characters: tuple[tuple[int, int], ...] = ()
    first: int = 1
    count: int | None = None
    row_label: str | None = None
    first_number: int = 1
    number_count: int | None = None
    form: str = ""
    gaps: Literal["none", "blank", "text"] = "none"
    end: str | None = None
    delimiter: str | None = None  # None: white space and the bars of drawn tables
    title: str | None = None
    where: tuple[int, str] | None = None


class NumberList(Tagged, tag="list", frozen=True):
    """The numbers of a list that follows its name, over as many lines as it takes: ``flux = 1, 0.99, 0.98 ;``

    ``name``: the text right before it, as whole words on one line, white space aside (left out: the text begins with the list).
    ``occurrence``: which of the appearances of the name that a list follows, the first is 1, -1 the last; 'all' of them, one
    after the other. Between the name and the numbers may stand equals signs, colons, brackets, the rest of a tag (then the list
    ends where the element does), how many follow before a bracket, ``Columns 1 through 8:``, and a factor, ``1.0e+03 *``, by
    which every number is multiplied. Rows of nested brackets, and blocks of columns, are read row by row.

    A list goes on over a line end inside brackets, up to its ``end``, behind and before a comma, and else while lines hold
    numbers only; ``[5]`` before the fifth number of a line is passed over. ``3*2.0`` is 2.0 three times. ``_``, ``--``,
    ``NA``, ``null`` and NaN are missing values, NaN. ``end``: the sign that must end it, a semicolon or a closing bracket, so
    that a list that is cut off is noticed. ``counted``: the whole number that ends the line of the name says how many numbers
    follow below.

    In what ncdump prints of a netCDF file the path of a group before the name, ``ocean/temp =``, says in which group it stands.

    In what h5dump prints of an HDF5 file ``name`` is a path: /run/flux is a dataset, /run/flux@scale an attribute of it, and
    /run/table.flux the field flux of its records. The positions before the numbers, (5):, are none of them.

    ``first``: the first number taken of each list, -1 the last; ``count``: how many (left out: all from there). ``each``: so many
    times each of them is given, and ``times``: so many times all of that, one after the other: the months and the latitudes of
    the numbers of a list by month and latitude.
    """

    name: str | None = None
    occurrence: int | Literal["all"] = 1
    end: str | None = None
    counted: bool = False
    first: int = 1
    count: int | None = None
    each: int = 1
    times: int = 1


Extractor = (
    LastNumber | LabelledNumber | RegexGroup | CsvColumn | JsonPath | MarkerOffset | TableBlock | RowsAfter | Region
    | NumberList
)


Month = Literal["", "first", "second"]


class Output(Record, frozen=True):
    """A named number or vector read from ``source``: 'stdout', 'stderr' or a file name in the run folder.

    ``text`` true: what is read are labels, times or dates (node names, 00:30:00); such an output can only be a ``key_output``.
    ``label_columns``: so many neighbouring columns are one label, such as a date and its time; the extractor names the first.
    ``month``: which number of a date like 05/03/2024 is the month ('first', 'second'); '': nobody said, it pairs with the same
    text only. ``unit``: as the program prints it; shown, and converted nowhere.
    """

    name: str
    source: str
    extractor: Extractor
    length: int | None = None  # None: any; 1: a single number
    decimal_comma: bool = False
    scale_letters: bool = False  # 1.5K is 1500: T G Meg K k m u n p f a behind a number are powers of ten
    text: bool = False  # the cells are labels, times or dates, to pair rows by; not numbers
    label_columns: int = 1
    month: Month = ""
    unit: str = ""

    @property
    def only_key(self) -> bool:
        """Whether it can but pair rows: labels, or the number of the table that each row is of."""
        return self.text or (isinstance(self.extractor, Region) and self.extractor.title is not None)
