"""How a file is to be read: what separates its cells, which of its tables is meant, by which column it is split."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from bayescope.engine.problem.data import data_files
from bayescope.gui.models.plain import one_line
from bayescope.gui.widgets.forms import Choice
from bayescope.gui.widgets.notices import label

DELIMITERS = (
    ("auto", "Find out"),
    (",", "Comma"),
    (";", "Semicolon"),
    ("\t", "Tab"),
    (" ", "White space"),
    ("|", "Bar |"),
)
MAYBE = (("auto", "Find out"), ("yes", "Yes"), ("no", "No"))
LINES = (("auto", "Find out"), ("no", "One row"), ("yes", "One quantity"))
LEAST_CHOICE, WIDEST_CHOICE = 7, 220  # characters and pixels of a choice above the preview
ALL = str(data_files.ALL_PARTS)


class ImportChoices(QWidget):
    """``chosen``: the file is to be read anew; ``split_chosen`` carries the column, '' for none."""

    chosen = Signal()
    split_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.delimiter = Choice("Cells are separated by", "How the columns of the file are told apart.")
        self.delimiter.offer(DELIMITERS, "auto")
        self.header = Choice("First line is a heading", "Whether the first line holds the columns' names.")
        self.header.offer(MAYBE, "auto")
        self.comma = Choice("Numbers have a decimal comma", "1,5 means one and a half.")
        self.comma.offer(MAYBE, "auto")
        self.part = Choice("Table of the file", "The file holds several tables or sheets.")
        self.lines = Choice("Each line of the file is", "Turn a table whose quantities are lines rather than columns.")
        self.lines.offer(LINES, "auto")
        self.split = Choice("Split by", "The column that names or numbers the quantity of each row.")
        self._found_out = (self.delimiter, self.header, self.comma, self.lines)
        for choice in (*self._found_out, self.part):
            choice.chosen.connect(lambda key: self.chosen.emit())
        self.split.chosen.connect(self.split_chosen)
        self._part_label, self._split_label = label("Table"), label("Split by this column")
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(10)
        box.addLayout(_row((label("Separated by"), self.delimiter), (label("Heading"), self.header),
                           (label("Decimal comma"), self.comma)))
        box.addLayout(_row((label("Each line is"), self.lines), (self._part_label, self.part), (self._split_label, self.split)))

    def begin(self, part: int | None = None) -> None:
        """With another file: all is to be found out but which ``part`` of it is meant, if that is known."""
        for choice in self._found_out:
            choice.setEnabled(True)
            choice.setCurrentIndex(0)
        known = "" if part is None else str(part)
        self.part.offer(((known, ""),), known)
        self.split.offer((("", "Nothing"),), "")
        for widget in (self._part_label, self.part, self._split_label, self.split):
            widget.hide()

    def options(self) -> data_files.Options:
        maybe = {"auto": None, "yes": True, "no": False}
        key = self.delimiter.key()
        return data_files.Options(
            delimiter=None if key == "auto" else key,
            header=maybe[self.header.key()],
            decimal_comma=maybe[self.comma.key()],
            part=int(self.part.key()) if self.part.key() else None,
            turned=maybe[self.lines.key()],
        )

    def offer_parts(self, shown: data_files.TablePreview) -> None:
        """The tables of the file, where it holds several."""
        several = len(shown.parts) > 1
        titles = [(str(i), one_line(title, 50)) for i, title in enumerate(shown.parts)]
        self.part.offer((*titles, (ALL, "All, below each other")) if several else (("0", ""),), str(shown.part))
        for widget in (self._part_label, self.part):
            widget.setVisible(several)

    def offer_split(self, columns: Sequence[str], by: str) -> None:
        """The ``columns`` that the table may be split ``by``."""
        self.split.offer((("", "Nothing"), *((name, one_line(name, 40)) for name in columns)), by)
        for widget in (self._split_label, self.split):
            widget.setVisible(bool(columns))


def _row(*choices: tuple[QWidget, Choice]) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    for words, choice in choices:
        choice.setMinimumContentsLength(LEAST_CHOICE)
        choice.setMaximumWidth(WIDEST_CHOICE)
        row.addWidget(words)
        row.addWidget(choice, 2)
    row.addStretch(1)
    return row
