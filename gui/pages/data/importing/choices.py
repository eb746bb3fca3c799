"""How a file is to be read: what separates its cells, which of its tables is meant, by which column it is split."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from bayescope.engine.problem.data.files import data_files
from bayescope.engine.problem.data.tables.table_lines import NO_HEADING
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
HEADING = "The line that holds the columns' names; titles and notes above it are passed over. A right-click on a row says it too."
OF_ONE = "Choose one of the tables to say which line is its heading."


class ImportChoices(QWidget):
    """``chosen``: the file is to be read anew; ``turned``: with each line as a quantity (True), or not; ``split_chosen`` carries
    the column, '' for none; ``heading_chosen`` the line of the heading, NO_HEADING or None, to find it out."""

    chosen = Signal()
    turned = Signal(bool)
    heading_chosen = Signal(object)
    split_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.delimiter = Choice("Cells are separated by", "How the columns of the file are told apart.")
        self.delimiter.offer(DELIMITERS, "auto")
        self.heading = Choice("Line of the heading", HEADING)
        self.heading.chosen.connect(lambda key: self.heading_chosen.emit(None if key == "auto" else int(key)))
        self.comma = Choice("Numbers have a decimal comma", "1,5 means one and a half.")
        self.comma.offer(MAYBE, "auto")
        self.part = Choice("Table of the file", "The file holds several tables or sheets.")
        self.lines = Choice("Each line of the file is", "Turn a table whose quantities are lines rather than columns.")
        self.lines.offer(LINES, "auto")
        self.split = Choice("Split by", "The column that names or numbers the quantity of each row.")
        self._found_out = (self.delimiter, self.comma, self.lines)
        self.lines.chosen.connect(lambda key: self.turned.emit(key == "yes"))
        for choice in (self.delimiter, self.comma, self.part):
            choice.chosen.connect(lambda key: self.chosen.emit())
        self.split.chosen.connect(self.split_chosen)
        self._part_label, self._split_label = label("Table"), label("Split by this column")
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(10)
        box.addLayout(_row((label("Separated by"), self.delimiter), (label("Heading"), self.heading),
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

    def recall(self, delimiter: str | None, comma: bool | None, turned: bool | None) -> None:
        """As it was said before; None: that is found out."""
        self.delimiter.offer(DELIMITERS, "auto" if delimiter is None else delimiter)
        for choice, offered, said in ((self.comma, MAYBE, comma), (self.lines, LINES, turned)):
            choice.offer(offered, {None: "auto", True: "yes", False: "no"}[said])

    def options(self) -> data_files.Options:
        maybe = {"auto": None, "yes": True, "no": False}
        key = self.delimiter.key()
        return data_files.Options(
            delimiter=None if key == "auto" else key,
            decimal_comma=maybe[self.comma.key()],
            part=int(self.part.key()) if self.part.key() else None,
            turned=maybe[self.lines.key()],
        )

    def one_of_several(self) -> int | None:
        """Which of several tables of the file is chosen, from 0; None: it holds one, or all are."""
        key = self.part.key()
        return int(key) if self.part.count() > 1 and key not in ("", ALL) else None

    def offer_parts(self, titles: Sequence[str], part: int) -> None:
        """The tables of the file, where it holds several, and which one is meant."""
        several = len(titles) > 1
        named = [(str(i), one_line(title, 50)) for i, title in enumerate(titles)]
        self.part.offer((*named, (ALL, "All, below each other")) if several else (("0", ""),), str(part))
        for widget in (self._part_label, self.part):
            widget.setVisible(several)

    def offer_heading(self, lines: Sequence[tuple[int, str]] | None, now: int | None) -> None:
        """The ``lines`` that may be the heading, by number with their words, and which of them was said to be it; None: several
        tables are shown, each with its own."""
        self.heading.setEnabled(lines is not None)
        self.heading.setToolTip(OF_ONE if lines is None else HEADING)
        offered = [("auto", "Find out"), (str(NO_HEADING), "None"), *((str(line), words) for line, words in lines or ())]
        if now is not None and str(now) not in [key for key, _ in offered]:
            offered.append((str(now), f"Line {now}"))
        self.heading.offer(offered, "auto" if now is None or lines is None else str(now))

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
