"""What is proposed to be compared with what, line by line: each can be changed, and one button takes them all."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from bayescope.gui.models.data.proposal import NONE, Line, Proposal, with_choice
from bayescope.gui.models.records import Column, RecordsModel
from bayescope.gui.style.theme import repolish
from bayescope.gui.widgets.forms import beside, card
from bayescope.gui.widgets.notices import label
from bayescope.gui.widgets.tables import TableView, open_at_click

MOST_ROWS = 8  # shown without scrolling: the button below them stays in sight
LONGEST = 36  # characters of a name or of a value that its column grows for
SHORTEST = 9  # ... where there is little room


class ProposedPart(QWidget):
    """``accepted`` carries the Proposal, with the lines as they were changed."""

    accepted = Signal(object)
    changed = Signal()  # a line, by the user

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.found: Proposal | None = None
        self._choices: dict[str, str] = {}  # by output: what the user chose
        self._of: tuple[object, ...] = ()  # outputs and columns that it was chosen among
        self.ground = label("", "hint", wrap=True)
        self.doubt = label("", "hint")
        self.model = RecordsModel[Line](self._columns(()), self._commit, self)
        self.table = TableView("Proposed comparisons", self.model)
        self.table.resized.connect(self._share)
        open_at_click(self.table, "column")
        self.button = QPushButton("Com&pare like this")
        self.button.setProperty("kind", "primary")
        self.button.clicked.connect(self.accept)
        self.how = label("Click a column to choose another.", "hint")
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(card(self.ground, self.doubt, self.table, beside(self.button, self.how, 1), title="Proposed"))
        self.hide()

    def _columns(self, names: tuple[str, ...]) -> tuple[Column[Line], ...]:
        return (
            Column("output", "Output", "What the program computes.", lambda m: m.output),
            Column("column", "Column", "The measured values it is compared with.", lambda m: m.column or NONE, self._chosen,
                   choices=(*names, NONE), path=True),
            Column("printed", "Test run", "What the newest test run gave.", lambda m: m.printed, numeric=True),
            Column("measured", "Measured", "What was measured.", lambda m: m.measured, numeric=True),
            Column("why", "By", "What speaks for it.", lambda m: m.why),
        )  # fmt: skip

    def show_proposal(self, found: Proposal | None, locked: bool) -> None:
        """With what the user has changed in it, as long as it is about the same outputs and columns."""
        of = () if found is None else (tuple(line.output for line in found.lines), tuple(found.columns))
        if of != self._of:
            self._choices, self._of = {}, of
            self.doubt.setVisible(found is not None and bool(found.doubt))  # its line stays until all is sure: nothing moves
        for output, column in self._choices.items():
            found = found and with_choice(found, output, column)
        self.found = found
        self.setVisible(found is not None and not locked)
        if found is None:
            self.model.set_rows(())
            return
        self.model.set_columns(self._columns(tuple(found.columns)))
        self.model.set_rows(found.lines)
        self.ground.setText(found.ground)
        self.doubt.setText(found.doubt or " ")
        if found.doubt:
            self.doubt.show()
        self.button.setText(found.button)
        kind = "primary" if found.sure else ""  # a guess is not what is to be pressed first
        if self.button.property("kind") != kind:
            self.button.setProperty("kind", kind)
            repolish(self.button)
        self.table.fit_rows(MOST_ROWS)
        self._share()

    def _share(self) -> None:
        self.table.share_all((LONGEST, LONGEST, LONGEST, LONGEST, LONGEST), (1, 4), SHORTEST)

    @staticmethod
    def _chosen(line: Line, text: str) -> Line:
        return Line(line.output, "" if text == NONE else text, line.printed, line.measured, line.why, line.sure)

    def _commit(self, rows: tuple[Line, ...], text: str) -> bool:
        if self.found is None:
            return False
        changed = [(new.output, new.column) for old, new in zip(self.found.lines, rows, strict=True) if new.column != old.column]
        for output, column in changed:
            self._choices.pop(output, None)
            self._choices[output] = column  # the newest is the last: it wins
        self.show_proposal(self.found, False)
        if changed:
            self.changed.emit()
        return bool(changed)

    def accept(self) -> None:
        if self.found is not None:
            self.accepted.emit(self.found)
