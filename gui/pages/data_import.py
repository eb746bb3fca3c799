"""Importing a table: a preview, what was found out about the file, and which columns to take under which names."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from bayescope.engine.problem import data_files
from bayescope.engine.problem.definition import DataTable
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.text_files import read_bytes
from bayescope.gui.models.data_table import TextTableModel
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import Column, RecordsModel
from bayescope.gui.widgets.forms import Choice, beside
from bayescope.gui.widgets.notices import Notice, label
from bayescope.gui.widgets.tables import TableView

TAKE, LEAVE = "take", "leave out"
ColumnRow = tuple[str, str, str]  # name in the file, name to use, take or leave


def _renamed(row: ColumnRow, text: str) -> ColumnRow:
    name = one_line(text.strip(), 200)
    if not name:
        raise ValueError("A column needs a name.")
    return row[0], name, row[2]


ROLE_COLUMNS: tuple[Column[ColumnRow], ...] = (
    Column("file", "Column in the file", "As it is called in the file.", lambda r: r[0]),
    Column("name", "Name to use", "Outputs of the same name are compared with it.", lambda r: r[1], _renamed),
    Column(
        "take",
        "Use",
        "Whether this column is needed.",
        lambda r: r[2],
        lambda r, t: (r[0], r[1], t),
        choices=(TAKE, LEAVE),
    ),
)
DELIMITERS = (
    ("auto", "Find out"),
    (",", "Comma"),
    (";", "Semicolon"),
    ("\t", "Tab"),
    (" ", "White space"),
    ("|", "Bar |"),
)
MAYBE = (("auto", "Find out"), ("yes", "Yes"), ("no", "No"))


class ImportPanel(QFrame):
    """``taken`` carries the DataTable; ``cancelled``: nothing is changed."""

    taken = Signal(object)
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._bytes, self._name = b"", ""
        self._table: DataTable | None = None
        self.heading = label("", "heading")
        self.words = label("", "hint", wrap=True)
        self.message = Notice()
        self.delimiter = Choice("Cells are separated by", "How the columns of the file are told apart.")
        self.delimiter.offer(DELIMITERS, "auto")
        self.header = Choice("First line is a heading", "Whether the first line holds the columns' names.")
        self.header.offer(MAYBE, "auto")
        self.comma = Choice("Numbers have a decimal comma", "1,5 means one and a half.")
        self.comma.offer(MAYBE, "auto")
        for choice in (self.delimiter, self.header, self.comma):
            choice.chosen.connect(lambda key: self._read())
        self.preview = TextTableModel(self)
        self.preview_table = TableView("First rows of the file", self.preview, numbers=True)
        self.columns = RecordsModel[ColumnRow](ROLE_COLUMNS, self._columns_changed, self)
        self.columns.refused.connect(lambda r, c, words: self.message.say("error", words))
        self.columns_table = TableView("Columns to use", self.columns)
        self.columns_table.set_widths(18, 18, 10, stretch=(1,))
        self.use = QPushButton("&Use this table")
        self.use.setProperty("kind", "primary")
        self.use.clicked.connect(self.accept)
        self.cancel = QPushButton("&Cancel")
        self.cancel.clicked.connect(self.cancelled)
        options = QHBoxLayout()
        options.setSpacing(8)
        for words, choice in (
            ("Separated by", self.delimiter),
            ("Heading", self.header),
            ("Decimal comma", self.comma),
        ):
            options.addWidget(label(words))
            options.addWidget(choice)
        options.addStretch(1)
        tables = QHBoxLayout()
        tables.setSpacing(12)
        tables.addWidget(self.preview_table, 3)
        tables.addWidget(self.columns_table, 2)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 14, 16, 16)
        box.setSpacing(10)
        box.addWidget(self.heading)
        box.addWidget(self.words)
        box.addLayout(options)
        box.addWidget(self.message)
        box.addLayout(tables, 1)
        box.addWidget(beside(1, self.cancel, self.use))

    def load_file(self, path: Path) -> None:
        """Read a file and show its preview; what is no table is said in a sentence."""
        try:
            content = read_bytes(path, data_files.MAX_FILE_BYTES)
        except ProblemError as error:
            self._fail(one_line(path.name, 80), error)
            return
        self.load_bytes(content, path.name)

    def load_bytes(self, content: bytes, name: str) -> None:
        self._bytes, self._name = content, name
        self.heading.setText(f"Import {one_line(name, 80)}")
        for choice in (self.delimiter, self.header, self.comma):
            choice.setEnabled(True)
            choice.setCurrentIndex(0)
        self._read()
        if self.isVisible() and self.use.isEnabled():
            self.use.setFocus()  # most tables are right at once: Return takes them

    def _fail(self, name: str, error: ProblemError) -> None:
        self._table = None
        self.heading.setText(f"Import {name}")
        self.words.setText("")
        self.message.say("error", error.what, error.suggestion)
        self.preview.set_content([], [])
        self.columns.set_rows(())
        self._show_tables(False)
        self.use.setEnabled(False)

    def _show_tables(self, on: bool) -> None:
        self.preview_table.setVisible(on)
        self.columns_table.setVisible(on)

    def _read(self) -> None:
        options = {"auto": None, "yes": True, "no": False}
        key = self.delimiter.key()
        try:
            found = data_files.parse(
                self._bytes,
                self._name,
                delimiter=None if key == "auto" else key,
                header=options[self.header.key()],
                decimal_comma=options[self.comma.key()],
            )
        except ProblemError as error:
            self._fail(one_line(self._name, 80), error)
            return
        shown = found.preview
        self._table = found.table
        comma = ", decimal comma" if shown.decimal_comma else ""
        self.words.setText(f"{shown.row_count} rows; columns separated by {shown.delimiter_words}{comma}.")
        self.message.say("warning", " ".join(shown.notes[:4]))
        self.preview.set_content(list(shown.columns), [list(row) for row in shown.rows])
        self.columns.set_rows([(name, name, TAKE) for name in found.table.columns])
        self._show_tables(True)
        self.use.setEnabled(True)

    def _columns_changed(self, rows: tuple[ColumnRow, ...], text: str) -> bool:
        self.columns.set_rows(rows)
        names = [name for _, name, use in rows if use == TAKE]
        twice = next((n for n in names if names.count(n) > 1), None)
        if twice is not None:
            self.message.say("error", f"Two columns are called “{one_line(twice, 60)}”.", "Give each its own name.")
        elif not names:
            self.message.say("error", "No column is used.", "Take at least one.")
        else:
            self.message.clear()
        self.use.setEnabled(twice is None and bool(names))
        return True

    def accept(self) -> None:
        if self._table is None or not self.use.isEnabled():
            return
        columns = {name: self._table.columns[old] for old, name, use in self.columns.rows if use == TAKE}
        self.taken.emit(DataTable(columns=columns, origin=self._table.origin))
