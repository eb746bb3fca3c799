"""Importing a table: a preview, what was found out about the file, and which columns to take under which names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from bayescope.engine.problem.data.dates.stated_day_zero import Stated
from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.files import data_files
from bayescope.engine.problem.data.tables import long_form, naming_pairs
from bayescope.engine.problem.data.tables.naming_column import naming_column
from bayescope.engine.problem.definition import DataTable
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.text_files import read_bytes
from bayescope.gui.models.archive.import_columns import (
    AS_TIME,
    LEAVE,
    ColumnRow,
    dated,
    first_day,
    first_rows,
    left_out,
    made,
    newer_version,
    quantities_words,
    role_columns,
    twins_words,
)
from bayescope.gui.models.data.dates.counted_dates import NO_UNITS, NOTHING_SAID
from bayescope.gui.models.data.errors.error_size import Stated as StatedSize
from bayescope.gui.models.data.errors.error_size import stated_of_columns
from bayescope.gui.models.data.tables.file_rows import heading_lines, line_words, unread_lines
from bayescope.gui.models.plain import and_last, one_line
from bayescope.gui.models.plain import tip as plain_tip
from bayescope.gui.models.records import RecordsModel
from bayescope.gui.pages.data.import_censored import CensoredOffer
from bayescope.gui.pages.data.import_choices import ALL, ImportChoices
from bayescope.gui.pages.data.import_coverage import CoverageOffer
from bayescope.gui.pages.data.import_dates import DatesOffer
from bayescope.gui.pages.data.import_limits import LimitsOffer
from bayescope.gui.pages.data.import_lines import ImportLines
from bayescope.gui.pages.data.import_months import MonthOffer
from bayescope.gui.pages.data.import_notes import FileNotes, notes_left
from bayescope.gui.pages.data.import_preview import ImportPreview
from bayescope.gui.style.theme import repolish
from bayescope.gui.widgets.day_zero import DayZeroField
from bayescope.gui.widgets.folding import FoldingRow
from bayescope.gui.widgets.forms import beside
from bayescope.gui.widgets.notices import Notice, label
from bayescope.gui.widgets.tables import TableView

HOW = "Double-click a name or use on the right to change it; right-click a row that is the heading, or holds no measurement."
HOW_TURNED = "Double-click a name or use on the right to change it; right-click a row that holds no measurement."
HOW_OF_ALL = "Double-click a name or use on the right to change it; choose one of the tables to take rows out of it."
BELOW = "Its rows come below those of the table there is; a column that one of them lacks is empty there."
WIDEST_NAMES = 66  # average characters of the table of columns: the preview needs room too
WIDEST_CELL = 24  # characters of a name in the file that its column grows for


class ImportPanel(QFrame):
    """``taken`` carries the DataTable that is to be the table, ``added`` one to be put below it; ``cancelled``: no change."""

    taken = Signal(object)
    added = Signal(object)
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._bytes, self._name = b"", ""
        self._outputs: tuple[str, ...] = ()
        self._known_day: float | None = None  # day 0 of the table there is: of this one too
        self._day: float | None = None  # day 0 as the user gave it
        self.day_typed: float | None = None  # ... by hand, or said to be right
        self.day_guessed: float | None = None  # ... or as it was proposed
        self._table: DataTable | None = None
        self._shown: data_files.TablePreview | None = None
        self._sideways = False  # the rows of the table are columns of the file
        self._left: dict[int, bool] = {}  # columns of the file, or its lines, that the user left out (True) or took
        self._together = False
        self._present: DataTable | None = None  # the table that this one may be put below
        self.heading = label("", "heading")
        self.words = label("", "hint", wrap=True)
        self.message = FileNotes()
        self.message.told.connect(self._read_anew)
        self.dates_message = DatesOffer()
        self.dates_message.pressed.connect(self._count_dates)
        self.month_message = MonthOffer()
        self.month_message.told.connect(self._read)
        self.coverage_message = CoverageOffer()
        self.coverage_message.told.connect(self._read)
        self.limits_message = LimitsOffer()
        self.limits_message.told.connect(self._read)
        self.censored_message = CensoredOffer()
        self.censored_message.told.connect(self._read)
        self.columns_message = Notice()
        self.choices = ImportChoices()
        self.choices.chosen.connect(self._read)
        self.choices.turned.connect(self._turn)
        self.choices.split_chosen.connect(self._show_columns)
        self.part, self.split = self.choices.part, self.choices.split
        self.message.every_wanted.connect(lambda: self.part.choose(ALL))
        self.preview_table = ImportPreview()
        self.preview = self.preview_table.shown_rows
        self.lines_told = ImportLines(self.preview_table)
        self.lines_told.changed.connect(self._read)
        self.choices.heading_chosen.connect(self.lines_told.say_heading)
        self.columns = RecordsModel[ColumnRow](role_columns(self._is_text), self._columns_changed, self)
        self.columns.refused.connect(lambda r, c, words: self.columns_message.say("error", words))
        self.columns_table = TableView("Columns to use", self.columns)
        self.columns_table.set_widths(18, 18, 14, stretch=(1,))
        self.day_zero = DayZeroField()
        self.day_zero.changed.connect(self._set_day)
        self.day_zero.confirmed.connect(self._set_day)
        self.use = QPushButton("&Use this table")
        self.use.setProperty("kind", "primary")
        self.use.clicked.connect(self.accept)
        self._leads = self.use
        self.add = QPushButton("Add &below the present table")
        self.add.setToolTip(BELOW)
        self.add.clicked.connect(lambda: self._emit(self.added))
        self.add.hide()
        self.cancel = QPushButton("&Cancel")
        self.cancel.clicked.connect(self.cancelled)
        tables = QHBoxLayout()
        tables.setSpacing(12)
        tables.addWidget(self.preview_table, 3)
        tables.addWidget(self.columns_table, 2)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 14, 16, 16)
        box.setSpacing(10)
        buttons = beside(1, self.cancel, self.use, self.add)  # a double click on the first never replaces it by the second
        box.addWidget(FoldingRow(self.heading, buttons))  # above what grows: in sight in every window
        box.addWidget(self.words)
        box.addWidget(self.choices)
        box.addWidget(self.lines_told)
        box.addWidget(self.message)
        box.addWidget(self.coverage_message)
        box.addWidget(self.limits_message)
        box.addWidget(self.censored_message)
        box.addWidget(self.month_message)
        box.addWidget(self.dates_message)
        box.addLayout(tables, 1)
        box.addWidget(self.day_zero)
        box.addWidget(self.columns_message)

    # -------------------------------------------------------------- reading

    def offer_adding(self, present: DataTable | None, together: bool = False) -> None:
        """``present``: a table that this one can be put below: rather so where it was chosen ``together`` with that one, or,
        once it is read, is no newer version of it."""
        self._present, self._together = present, together
        self._lead(True)

    def _lead(self, rather: bool) -> None:
        """Which button is the main one: ``rather`` below the present table than in its place."""
        present = self._present
        on = present is not None
        self.add.setVisible(on)
        self.use.setText("&Replace the present table" if on else "&Use this table")
        old = one_line(and_last(present.origin) or "the clipboard", 60) if present is not None else ""
        self.use.setToolTip(f"The table there is, from {old}, is taken out; this one comes in its place." if on else "")
        self._leads = self.add if on and rather else self.use
        for button, leads in ((self.add, on and rather), (self.use, not (on and rather))):
            button.setProperty("kind", "primary" if leads else None)
            repolish(button)

    def know(
        self,
        outputs: Sequence[str],
        day: float | None,
        clocks: Mapping[str, NDArray[np.float64]] | None = None,
        stated: Mapping[str, Stated] = NOTHING_SAID,
        units: Mapping[str, str] = NO_UNITS,
    ) -> None:
        """Names that help to find out what is what, day 0 of the table there is (s since 1970), the numbers (n,) of outputs that
        count time, from when and in what these count as the program and words say; for the next file."""
        self._outputs, self._known_day, self._day = tuple(outputs), day, None
        self.day_typed = self.day_guessed = None
        self.dates_message.know(clocks or {}, day, stated, units)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Words about errors in the file."""
        return () if self._shown is None else self._shown.remarks

    @property
    def lines_around(self) -> tuple[str, ...]:
        """What the file says above its table, line by line."""
        return () if self._shown is None else tuple(" ".join(one.cells) for one in self._shown.above if not one.heading)

    @property
    def stated(self) -> dict[str, StatedSize]:
        """The errors that headings state, by column."""
        return {} if self._shown is None else stated_of_columns(self._shown.stated)

    def load_file(self, path: Path) -> None:
        """Read a file and show its preview; what is no table is said in a sentence."""
        try:
            content = read_bytes(path, data_files.MAX_FILE_BYTES)
        except ProblemError as error:
            self._bytes, self._name = b"", path.name
            self._fail(one_line(path.name, 80), error)
            return
        self.load_bytes(content, path.name)

    @property
    def shown_part(self) -> tuple[bytes, str, int]:
        """The file, its name, and which of its tables is shown."""
        return self._bytes, self._name, 0 if self._shown is None else self._shown.part

    def load_bytes(self, content: bytes, name: str, part: int | None = None) -> None:
        """``part``: which table of the file is meant; None: that is found out."""
        again = (content, name) == (self._bytes, self._name)
        self._bytes, self._name = content, name
        self.message.start(name)
        self.lines_told.start(again)
        self.month_message.start()
        self.coverage_message.start()
        self.limits_message.start()
        self.censored_message.start()
        self.heading.setText(f"Import {one_line(name, 80)}")
        self.choices.begin(part)
        self._sideways, self._left = False, {}
        self._read()
        if self.isVisible() and self._leads.isEnabled():
            self._leads.setFocus()  # most tables are right at once: Return takes them

    def _fail(self, name: str, error: ProblemError) -> None:
        self._table = None
        self.heading.setText(f"Import {name}")
        self.words.hide()  # an empty line is a gap
        self.message.refuse(error)
        if isinstance(error, data_files.DataFileError):
            self.choices.offer_parts(error.titles, error.part)
        self.columns_message.clear()
        self.dates_message.clear()
        self.month_message.clear()
        self.coverage_message.show_preview(None)
        self.limits_message.show_preview(None)
        self.censored_message.show_preview(None)
        lines = data_files.first_lines_of(self._bytes, self._name, self.choices.one_of_several() or 0) if self._bytes else ()
        unread = unread_lines(lines) if lines else None
        self.lines_told.show_preview(None, self.choices.one_of_several(), unread)
        self.preview_table.show_preview(unread)
        self._offer_heading(unread)
        self.columns.set_rows(())
        self.preview_table.setVisible(unread is not None)
        self.columns_table.hide()
        self.day_zero.show_start(None)
        self._allow(False)

    def _turn(self, sideways: bool) -> None:
        """Columns that were left out are rows that are taken out, and the other way round."""
        if sideways != self._sideways:
            out = self.lines_told.out
            self.lines_told.turn([place for place, left in self._left.items() if left])
            self._left, self._sideways = dict.fromkeys(out, True), sideways
        self._read()

    def _offer_heading(self, shown: data_files.TablePreview | None) -> None:
        """``shown`` None: the file could not be read at all."""
        if shown is None:
            lines = []
        elif self._table is None:  # any line may be the heading of what is no table yet
            lines = [(line, line_words(line, cells)) for line, cells in zip(shown.lines, shown.rows, strict=True)]
        elif shown.turned:
            found = data_files.first_lines_of(self._bytes, self._name, self.choices.one_of_several() or 0)
            lines = [(one.line, line_words(one.line, one.cells)) for one in found]
        else:
            lines = heading_lines(shown)
        every = shown is not None and shown.part == data_files.ALL_PARTS
        self.choices.offer_heading(None if every else lines, self.lines_told.heading)

    def _show_tables(self, on: bool) -> None:
        self.preview_table.setVisible(on)
        self.columns_table.setVisible(on)

    def _allow(self, on: bool) -> None:
        self.use.setEnabled(on)
        self.add.setEnabled(on)

    def _read(self) -> None:
        try:
            options = replace(
                self.choices.options(), missing=() if self.message.marks_measured else None,
                nothing=self.message.nothing, outputs=self._outputs, relative=self.message.relative,
                told=self.lines_told.told, day_first=self.month_message.day_first, coverage=self.coverage_message.coverage,
                intervals=self.limits_message.as_errors, limits_taken=self.censored_message.taken, named=True,
            )  # fmt: skip
            found = data_files.parse_with(self._bytes, self._name, options)
        except ProblemError as error:
            self._fail(one_line(self._name, 80), error)
            return
        shown = found.preview
        self._table = found.table
        self.choices.offer_parts(shown.parts, shown.part)
        if self._shown is None or shown.part != self._shown.part:
            self._left = {}
        self._shown, self._sideways = shown, shown.turned
        if self._present is not None:
            self._lead(self._together or not newer_version(self._present, found.table, self._name, len(shown.parts) > 1))
        self.lines_told.show_preview(shown)
        self.month_message.show_preview(shown)
        self.coverage_message.show_preview(shown)
        self.limits_message.show_preview(shown)
        self.censored_message.show_preview(shown)
        self.preview_table.show_preview(shown, self.lines_told.struck)
        self._offer_heading(shown)
        self._show_tables(True)
        by = naming_pairs.proposed(found.table, self._outputs)
        one = [*found.table.texts, *long_form.label_columns(found.table)]
        two = [*dict.fromkeys((*naming_pairs.named_together(found.table), *naming_pairs.pairs_offered(found.table)))]
        self.choices.offer_split([*two, *one] if by in two else [*one, *two], by)
        comma = ", decimal comma" if shown.decimal_comma else ""
        sheet = shown.delimiter == "\t" and self._name.lower().endswith((".xlsx", ".ods", ".xls", ".xlsb"))
        how = "" if sheet else f"; columns separated by {shown.delimiter_words}"
        missing = f", {shown.missing}" if shown.missing else ""
        first = f", the first {len(shown.rows)} shown below" if shown.row_count > len(shown.rows) else ""
        rows = "1 row" if shown.row_count == 1 else f"{shown.row_count} rows"
        told = HOW_TURNED if shown.turned else HOW if shown.lines else HOW_OF_ALL
        self._first_words = f"{rows}{first}{how}{comma}{missing}. {told}"
        self._show_columns(by)

    def _say_notes(self) -> None:
        """What was found out about the file; not of times that they count in seconds where they count in what was chosen."""
        if (shown := self._shown) is None or self._table is None:
            return
        counted = [old for old, _, use in self.columns.rows if use in AS_TIME]
        if (one := self.dates_message.show_table(self._table, self.columns.rows, self.split.key())) is not None:
            counted.append(one.column)  # said with its button
        elsewhere = (*self.coverage_message.told_words, *self.censored_message.said)
        self.message.show_notes(
            shown, notes_left(shown, self._table, self.columns.rows, self.split.key(), counted, elsewhere)
        )

    def _count_dates(self) -> None:
        """The dates become numbers; the cursor goes to their day 0, which only the user knows."""
        if (one := self.dates_message.found) is None:
            return
        row = next(i for i, r in enumerate(self.columns.rows) if r[0] == one.column)
        if self._known_day is None and self._day is None:
            self._day = self.day_guessed = one.start
        self.columns.setData(self.columns.index(row, 2), f"in {one.unit}")
        self.day_zero.field.setFocus()
        self.day_zero.field.selectAll()

    def _read_anew(self) -> None:
        """As the notes' buttons say; a table that could not be read before is there now, and nothing else is asked."""
        refused = self._table is None
        self._read()
        if refused and self._leads.isEnabled():
            self._leads.setFocus()

    # -------------------------------------------------------------- columns

    def _show_columns(self, by: str) -> None:
        if self._table is None:
            return
        offer = "" if by else naming_column(self._table)
        hint = f" If “{one_line(offer, 40)}” names the quantity of each row, split the table by it." if offer else ""
        self.words.show()
        self.words.setText(self._first_words + (f" {quantities_words(self._table, by)}" if by else hint))
        there = () if self._present is None else (*self._present.texts, *self._present.columns)
        self.columns.set_rows(left_out(first_rows(self._table, by, there), self._said_left(self._table)))
        self._make_room()
        self._say_notes()
        self._show_day()
        self._check()

    def _places(self) -> dict[str, int]:
        """The columns by their places in the file."""
        return {} if self._shown is None else dict(zip(self._shown.columns, self._shown.across, strict=False))

    def _said_left(self, table: DataTable) -> dict[str, bool]:
        """Which columns the user left out, and which not; errors that a line of the file gave go with their columns."""
        places = self._places()
        said = {column: left for column, place in places.items() if (left := self._left.get(place)) is not None}
        made = {sd: said[value] for value, sd in sd_pairs(list(table.columns)).items() if value in said and sd not in places}
        return said | made

    def _is_text(self, column: str) -> bool:
        return self._table is not None and column in self._table.texts

    def _make_room(self) -> None:
        """The names to use stand whole beside those in the file, within reason."""
        table, unit = self.columns_table, self.fontMetrics().averageCharWidth()
        names = [self.fontMetrics().horizontalAdvance(str(row[1])) for row in self.columns.rows[:100]]
        table.fit_words(0, WIDEST_CELL)
        named = max(table.heading_width(1), max(names, default=0) + 26)
        whole = table.columnWidth(0) + named + table.columnWidth(2) + 2 * table.frameWidth()
        table.setMinimumWidth(min(whole, WIDEST_NAMES * unit))

    def _set_day(self, start: float) -> None:
        self._day = self.day_typed = start
        self._show_day()
        self._check()

    def _show_day(self) -> None:
        """From which day dates count that are used as numbers: in their names, and in the field."""
        start = self._start()
        if self._table is not None and start is not None:
            self.columns.set_rows(dated(self._table, self.columns.rows, start))
        known = start in (self.day_typed, self._known_day)
        first = self._table is not None and start == first_day(self._table, self.columns.rows) and not known
        guessed = start is not None and start == self.day_guessed and not known
        self.day_zero.show_start(start, first=first, guessed=guessed, stated=self.dates_message.said(start))

    def _start(self) -> float | None:
        first = None if self._table is None else first_day(self._table, self.columns.rows)
        return next((s for s in (self._day, self._known_day) if s is not None), first) if first is not None else None

    def _columns_changed(self, rows: tuple[ColumnRow, ...], text: str) -> bool:
        before, places = {old: use for old, _, use in self.columns.rows}, self._places()
        for old, _, use in rows:
            if use != before.get(old) and LEAVE in (use, before.get(old)) and old in places:
                self._left[places[old]] = use == LEAVE
        self.columns.set_rows(rows)
        self._say_notes()
        self._show_day()
        self._check()
        return True

    def _check(self) -> DataTable | None:
        """The table as it would be taken over; None, and words, where the choices contradict each other."""
        if self._table is None:
            return None
        try:
            found = made(self._table, self.columns.rows, self.split.key(), self._start())
        except ProblemError as error:
            self.columns_message.say("error", error.what, error.suggestion)
            self._allow(False)
            return None
        self._say_twins(found)
        self._allow(True)
        return found

    def _say_twins(self, found: DataTable) -> None:
        """What becomes of equal names below the present table; where that is to be replaced, only on the button that does not."""
        twins = twins_words(self._present, found, self._name) if self._present is not None else ""
        self.add.setToolTip(plain_tip(f"{BELOW} {twins}".strip()))
        self.columns_message.say("info", twins if self._leads is self.add else "")

    def accept(self) -> None:
        self._emit(self.taken)

    def _emit(self, signal: object) -> None:
        found = self._check()
        if found is not None:
            signal.emit(found)  # type: ignore[attr-defined]
