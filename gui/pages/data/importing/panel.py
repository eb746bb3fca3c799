"""Importing a table: a preview, what was found out about the file, and which columns to take under which names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from bayescope.engine.problem.data.dates.stated_day_zero import Stated
from bayescope.engine.problem.data.files import data_files
from bayescope.engine.problem.data.tables import long_form, naming_pairs
from bayescope.engine.problem.data.tables.conditions import condition_column, values_to_split
from bayescope.engine.problem.data.tables.lines_above import words_above
from bayescope.engine.problem.data.tables.naming_column import naming_column
from bayescope.engine.problem.data.tables.remark_columns import may_name
from bayescope.engine.problem.data.tables.table_parts import short_titles
from bayescope.engine.problem.definition import DataTable
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.text_files import read_bytes
from bayescope.engine.session.read_files import ReadFile, digest_of
from bayescope.gui.models.archive.column_roles import titles
from bayescope.gui.models.archive.import_columns import LEAVE, newer_version, quantities_words, split_words, twins_words
from bayescope.gui.models.data.dates.counted_dates import NO_UNITS, NOTHING_SAID
from bayescope.gui.models.data.dates.two_zeros import zone_there
from bayescope.gui.models.data.errors.stated_sizes import Stated as StatedSize
from bayescope.gui.models.data.errors.stated_sizes import stated_of_columns
from bayescope.gui.models.data.tables.file_rows import heading_lines, line_words, rows_not_read, unread_lines
from bayescope.gui.models.data.tables.read_words import read_words
from bayescope.gui.models.plain import and_last, one_line
from bayescope.gui.models.plain import tip as plain_tip
from bayescope.gui.pages.data.importing.choices import ALL, ImportChoices
from bayescope.gui.pages.data.importing.columns import ImportColumns
from bayescope.gui.pages.data.importing.lines import ImportLines
from bayescope.gui.pages.data.importing.notes import FileNotes, notes_left
from bayescope.gui.pages.data.importing.offers import ImportOffers
from bayescope.gui.pages.data.importing.preview import ImportPreview, NextUnread
from bayescope.gui.pages.data.importing.remarks import Remarks
from bayescope.gui.style.theme import repolish
from bayescope.gui.widgets.folding import FoldingRow
from bayescope.gui.widgets.forms import beside
from bayescope.gui.widgets.notices import label

TITLES = "Click a title to say what its column is, double-click a name on the right to change it"
HOW = f"{TITLES}; right-click a row that is the heading, holds the errors, or no measurement (Delete takes it out)."
HOW_TURNED = f"{TITLES}; right-click a row that holds the errors of the columns, or no measurement."
HOW_OF_ALL = f"{TITLES}; choose one of the tables to take rows out of it."
MOST_HEADINGS = 400  # lines offered as the heading
BELOW = "Its rows come below those of the table there is; a column that one of them lacks is empty there."


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
        self._files: tuple[ReadFile, ...] = ()  # how files were read before
        self._recalled: ReadFile | None = None  # what was said of this one then
        self._table: DataTable | None = None
        self._shown: data_files.TablePreview | None = None
        self._sideways = False  # the rows of the table are columns of the file
        self._first_words = self._split_words = ""  # how it was read; what it is split into, or may be
        self._together = False
        self._present: DataTable | None = None  # the table that this one may be put below
        self.heading = label("", "heading")
        self.words = label("", "hint", wrap=True)
        self.message = FileNotes()
        self.message.told.connect(self._read_anew)
        self.offers = ImportOffers()
        self.offers.told.connect(self._read)
        self.month_message, self.coverage_message = self.offers.month, self.offers.coverage
        self.limits_message, self.censored_message = self.offers.limits, self.offers.censored
        self.choices = ImportChoices()
        self.choices.chosen.connect(self._read)
        self.choices.turned.connect(self._turn)
        self.choices.split_chosen.connect(self._split_by)
        self.part, self.split = self.choices.part, self.choices.split
        self.message.every_wanted.connect(lambda: self.part.choose(ALL))
        self.preview_table = ImportPreview()
        self.preview = self.preview_table.shown_rows
        self.lines_told = ImportLines(self.preview_table)
        self.lines_told.changed.connect(self._read_other_rows)
        self.message.line_out.connect(self.lines_told.take_out)
        self.message.heading_told.connect(self.lines_told.say_heading)
        self.choices.heading_chosen.connect(self.lines_told.say_heading)
        self.preview_table.title_pressed.connect(self._say_role)
        self.next_unread = NextUnread(self.preview_table)
        self.used = ImportColumns(self)
        self.used.changed.connect(self._used_otherwise)
        self.columns, self.columns_table, self.columns_message = self.used.model, self.used.table, self.used.message
        self.day_zero, self.dates_message = self.used.day_zero, self.used.dates
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
        rows = QVBoxLayout()
        rows.setSpacing(6)
        rows.addWidget(self.preview_table, 1)
        rows.addWidget(self.next_unread, 0, Qt.AlignmentFlag.AlignLeft)
        tables.addLayout(rows, 3)
        tables.addWidget(self.columns_table, 2)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 14, 16, 16)
        box.setSpacing(10)
        buttons = beside(1, self.cancel, self.use, self.add)  # a double click on the first never replaces it by the second
        box.addWidget(FoldingRow(self.heading, buttons))  # above what grows: in sight in every window
        box.addWidget(self.choices)  # above the words about what was chosen: those of other lengths do not move it
        box.addWidget(self.words)
        self.remarks_line = Remarks(self.lines_told, self.message, self.offers, self.dates_message)
        box.addWidget(self.remarks_line)
        box.addWidget(self.lines_told)
        box.addWidget(self.message)
        box.addWidget(self.offers)
        box.addWidget(self.dates_message)
        box.addLayout(tables, 1)
        box.addWidget(self.day_zero)
        box.addWidget(self.used.zeros)
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
        files: Sequence[ReadFile] = (),
    ) -> None:
        """Names that help to find out what is what, day 0 of the table there is (s since 1970), the numbers (n,) of outputs that
        count time, from when and in what these count as the program and words say; for the next file.
        ``files``: how they were read before."""
        self._outputs, self._files = tuple(outputs), tuple(files)
        self.used.know(day, clocks or {}, stated, units)

    @property
    def day_typed(self) -> float | None:
        """Day 0 as it was typed or confirmed, in s since 1970."""
        return self.used.day_typed

    @property
    def day_guessed(self) -> float | None:
        """Day 0 as it was proposed, and nobody said otherwise."""
        return self.used.day_guessed

    @property
    def moves(self) -> bool:
        """Whether the present columns are to count from day 0 of this file, as it was asked for."""
        return self.used.moves

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns of the table that were said to be keys."""
        return self.used.keys

    @property
    def remarks(self) -> tuple[str, ...]:
        """Words about errors in the file."""
        return () if self._shown is None else self._shown.remarks

    @property
    def elsewhere(self) -> tuple[str, ...]:
        """Those of them that stand beside another table of it."""
        return () if self._shown is None else self._shown.elsewhere

    @property
    def lines_around(self) -> tuple[str, ...]:
        """What the file says above its table, line by line."""
        if self._shown is None:
            return ()
        above = self._shown.around or tuple(words_above(one) for one in self._shown.above if not one.heading)
        return (*above, *self._shown.sheets)

    @property
    def stated(self) -> dict[str, StatedSize]:
        """The errors that headings state, by column."""
        return {} if self._shown is None else stated_of_columns(self._shown.stated)

    def load_file(self, path: Path, part: int | None = None, digest: str = "") -> None:
        """Read a file and show its preview; what is no table is said in a sentence. ``part``: which table of it is meant, if its
        bytes have this ``digest``."""
        try:
            content = read_bytes(path, data_files.MAX_FILE_BYTES)
        except ProblemError as error:
            self._bytes, self._name = b"", path.name
            self._fail(one_line(path.name, 80), error)
            return
        self.load_bytes(content, path.name, part if digest == digest_of(content) else None)

    @property
    def shown_part(self) -> tuple[bytes, str, int]:
        """The file, its name, and which of its tables is shown."""
        return self._bytes, self._name, 0 if self._shown is None else self._shown.part

    @property
    def short_title(self) -> str:
        """The title of the table that is shown, as it stands in names; '' of the only one, and of all together."""
        shown = self._shown
        several = shown is not None and len(shown.parts) > 1 and shown.part != data_files.ALL_PARTS
        return short_titles(shown.parts)[shown.part] if shown is not None and several else ""

    def load_bytes(self, content: bytes, name: str, part: int | None = None) -> None:
        """``part``: which table of the file is meant; None: that is found out."""
        digest = digest_of(content)  # as a table of it was taken the last time, else as it was looked at last
        again = (content, name) == (self._bytes, self._name) and not self._known(digest, part)
        self._bytes, self._name, self._shown = content, name, None
        self.message.start(name)
        self.lines_told.start(again)
        self.offers.start()
        self.remarks_line.start()
        self.heading.setText(f"Import {one_line(name, 80)}")
        self.choices.begin(part)
        self._sideways = False
        if not again:
            self.used.forget()
        self._recalled = None if again else self._recall(digest, part)
        self._read()
        if self.isVisible():  # most tables are right at once: Return takes them, and never gives one up that is not
            (self._leads if self._leads.isEnabled() else self.preview_table).setFocus()

    def _known(self, digest: str, part: int | None) -> list[ReadFile]:
        """How tables of this file were read when they were taken, the last one at the end."""
        return [f for f in self._files if f.digest == digest and part in (None, f.part, f.part or 0)]

    def _is_further(self, part: int) -> bool:
        """Whether other tables of the very same file were taken, and this one was not."""
        taken = {f.part for f in self._known(digest_of(self._bytes), None)}
        return bool(taken) and taken.isdisjoint((part, None, data_files.ALL_PARTS))

    def _recall(self, digest: str, part: int | None) -> ReadFile | None:
        """As a person said when a table of this file was taken the last time; None: it was not."""
        same = self._known(digest, part)
        if not same:
            return None
        known = same[-1]
        self.choices.begin(known.part)
        self.choices.recall(known.delimiter, known.comma, known.turned)
        self.message.recall(known.nothing, known.answers)
        self.offers.recall(known.answers, known.minutes)
        self.lines_told.recall(known.told)
        self.used.recall(known)
        self._sideways = bool(known.turned)
        return known

    def _recalled_words(self) -> str:
        """What was said before of the columns and is so still."""
        if self._recalled is None:
            return ""
        used, names = self.used.said.items(), self.used.names.items()
        known = msgspec.structs.replace(
            self._recalled, used={k: v for k, v in self._recalled.used.items() if (k, v) in used},
            names={k: v for k, v in self._recalled.names.items() if (k, v) in names},
        )  # fmt: skip
        said = read_words(known)
        return f"Read as you said before: {said}. " if said else ""

    @property
    def as_read(self) -> ReadFile:
        """How the table that is shown is read, for the next time."""
        assert self._shown is not None
        options, several = self.choices.options(), len(self._shown.parts) > 1
        title = self._shown.parts[self._shown.part] if several and 0 <= self._shown.part < len(self._shown.parts) else ""
        return ReadFile(
            name=self._name, digest=digest_of(self._bytes), part=self._shown.part if several else None, title=title,
            delimiter=options.delimiter, comma=options.decimal_comma, turned=options.turned, told=self.lines_told.told,
            used=dict(self.used.said), names=dict(self.used.names), split=self.used.split,
            nothing=self.message.nothing, minutes=self.offers.clock.chosen, remarks=self.remarks, elsewhere=self.elsewhere,
            around=self.lines_around,
            stated=self._shown.stated, divided=self.offers.coverage.divided, empty=(*self._shown.empty, *self.used.emptied()),
            keys=self.keys, legends=self._shown.legends, columns=() if self._table is None else tuple(self._table.columns),
            answers=msgspec.structs.replace(
                self.offers.answers, marks_measured=self.message.marks_measured, relative=self.message.relative
            ),
        )  # fmt: skip

    def _fail(self, name: str, error: ProblemError) -> None:
        self._table = None
        self.heading.setText(f"Import {name}")
        self.words.hide()  # an empty line is a gap
        self.message.refuse(error)
        if isinstance(error, data_files.DataFileError):
            self.choices.offer_parts(error.titles, error.part)
        self.used.refuse()
        self.offers.show_preview(None)
        lines = data_files.first_lines_of(self._bytes, self._name, self.choices.one_of_several() or 0) if self._bytes else ()
        unread = unread_lines(lines) if lines else None
        self.lines_told.show_preview(None, self.choices.one_of_several(), unread)
        self.preview_table.show_preview(unread)
        self.next_unread.offer(())
        if (line := getattr(error, "line", None)) is not None and line in (numbers := [one.line for one in lines]):
            self.preview_table.show_row(numbers.index(line))
        self._offer_heading(unread)
        self.preview_table.setVisible(unread is not None)
        self.columns_table.hide()
        self.remarks_line.arrange()
        self._allow(False)

    def _turn(self, sideways: bool) -> None:
        """Columns that were left out are rows that are taken out, and the other way round."""
        if sideways != self._sideways:
            out = self.lines_told.out
            self.lines_told.turn([place for place, use in self.used.said.items() if use == LEAVE])
            self.used.forget()
            self.used.said, self._sideways = dict.fromkeys(out, LEAVE), sideways
        self._read()

    def _offer_heading(self, shown: data_files.TablePreview | None) -> None:
        """``shown`` None: the file could not be read at all."""
        if shown is None:
            lines = []
        elif self._table is None:  # any line may be the heading of what is no table yet
            there = zip(shown.lines[:MOST_HEADINGS], shown.rows[:MOST_HEADINGS], strict=True)
            lines = [(line, line_words(line, cells)) for line, cells in there]
        elif shown.turned:
            found = data_files.first_lines_of(self._bytes, self._name, self.choices.one_of_several() or 0)
            lines = [(one.line, line_words(one.line, one.cells)) for one in found[:MOST_HEADINGS]]
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
                self.offers.options(self.choices.options()), missing=() if self.message.marks_measured else None,
                nothing=self.message.nothing, outputs=self._outputs, relative=self.message.relative,
                told=self.lines_told.told, named=True,
            )  # fmt: skip
            found = data_files.parse_with(self._bytes, self._name, options)
        except ProblemError as error:
            self._fail(one_line(self._name, 80), error)
            return
        shown = found.preview
        self._table = found.table
        self.choices.offer_parts(shown.parts, shown.part)
        if self._shown is not None and shown.part != self._shown.part:
            self.used.forget()
        self._shown, self._sideways = shown, shown.turned
        if self._present is not None:
            further = self._together or self._is_further(shown.part)
            self._lead(further or not newer_version(self._present, found.table, self._name, len(shown.parts) > 1))
        self.lines_told.show_preview(shown)
        self.offers.show_preview(shown)
        self.preview_table.show_preview(shown, self.lines_told.struck)
        self.next_unread.offer(rows_not_read(shown, found.table, self.lines_told.struck))
        self._offer_heading(shown)
        self._show_tables(True)
        by = self.used.said_split(found.table, shown)
        if by is None:
            by = naming_pairs.proposed(found.table, self._outputs) or condition_column(found.table, self._outputs)
        texts = (n for n in found.table.texts if n == by or may_name(found.table, n))
        alone = (*texts, *long_form.label_columns(found.table), *([by] if by in found.table.columns else ()))
        one = [*dict.fromkeys(alone)]
        two = [*dict.fromkeys((*naming_pairs.named_together(found.table), *naming_pairs.pairs_offered(found.table)))]
        ways = [*two, *one] if by in two else [*one, *two]
        self.choices.offer_split(ways if by in ("", *ways) else [by, *ways], by)
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
        counted = self.used.counted
        if (one := self.dates_message.show_table(self._table, self.columns.rows, self.split.key())) is not None:
            counted.append(one.column)  # said with its button
        self.message.show_notes(
            shown, notes_left(shown, self._table, self.columns.rows, self.split.key(), counted, self.offers.told_words)
        )
        self.remarks_line.arrange()

    def _read_other_rows(self) -> None:
        """As was said of lines; what the columns are stays."""
        self.used.hold_roles()
        self._read()

    def _read_anew(self) -> None:
        """As the notes' buttons say; a table that could not be read before is there now, and nothing else is asked."""
        refused = self._table is None
        self._read()
        if refused and self._leads.isEnabled():
            self._leads.setFocus()

    # -------------------------------------------------------------- columns

    def _split_by(self, by: str) -> None:
        self.used.say_split(by)
        self._show_columns(by)

    def _show_columns(self, by: str) -> None:
        if self._table is None:
            return
        offer = "" if by else naming_column(self._table)
        hint = f" If “{one_line(offer, 40)}” names the quantity of each row, split the table by it." if offer else ""
        self.words.show()
        values = values_to_split(self._table, by, self._outputs)
        self._split_words = f" {quantities_words(self._table, by, values is not None)}" if by else hint
        there = () if self._present is None else (*self._present.texts, *self._present.columns)
        assert self._shown is not None
        self.used.know_zone(zone_there(self._present, self._files), self.lines_around)
        self.used.show(self._table, self._shown, by, there, values, self._outputs)
        self._used_otherwise()

    def _used_otherwise(self) -> None:
        """What the columns are is told over them."""
        if self._shown is not None and self._table is not None:
            self.preview_table.mark(titles(self._table, self.columns.rows, self._shown.columns))
        self._say_notes()
        self._check()

    def _say_role(self, column: int, at: QPoint) -> None:
        """What the column of the preview is, from 0, is said by a menu below its title."""
        names = () if self._shown is None or self._table is None else self._shown.columns
        menu = self.used.menu(names[column]) if column < len(names) else None
        if menu is not None:
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(at)

    def _check(self) -> DataTable | None:
        """The table as it would be taken over; None, and words, where the choices contradict each other."""
        found = self.used.made()
        self._allow(found is not None)
        makes = f" {split_words(found, self._table)}" if found is not None and self._table is not None and self.used.by else ""
        self.words.setText(f"{self._recalled_words()}{self._first_words}{self._split_words}{makes}")
        if found is not None:
            self._say_twins(found)
        return found

    def _say_twins(self, found: DataTable) -> None:
        """What becomes of equal names below the present table; where that is to be replaced, only on the button that does not."""
        twins = twins_words(self._present, found, self.short_title) if self._present is not None else ""
        self.add.setToolTip(plain_tip(f"{BELOW} {twins}".strip()))
        self.columns_message.say("info", self.used.joined or (twins if self._leads is self.add else ""))

    def accept(self) -> None:
        self._emit(self.taken)

    def _emit(self, signal: object) -> None:
        found = self._check()
        if found is not None:
            signal.emit(found)  # type: ignore[attr-defined]
