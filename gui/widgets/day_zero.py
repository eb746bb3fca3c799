"""The date from which columns of dates count: said, and asked for."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from bayescope.engine.problem.data.dates import day_zero
from bayescope.gui.models.plain import one_line
from bayescope.gui.style.theme import repolish
from bayescope.gui.widgets.forms import LineField
from bayescope.gui.widgets.notices import SIGNS, FieldNotice, label

NO_DATE = "This is no date: write 2022-01-31, or 2022-01-31 06:00."
SAID = "the date at which the program's time is 0"
PROPOSED = "proposed: the date at which the program's time is 0"
ASKED = "the first date in the table: is the program's time 0 then?"
GUESSED = "proposed, as most rows find a partner then: is the program's time 0 then?"
STATED = "as the program says: “{}”"
CONTRADICTED = "but the program says: “{}”"
RIGHT = "It is"
WIDTH = 190  # a date with a time


class DayZeroField(QWidget):
    """``changed`` carries the new day 0, in s since 1970; ``confirmed`` the one that was only proposed and is right."""

    changed = Signal(float)
    confirmed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = label("Day 0 is", "")
        self.field = LineField("Day 0", "The date at which the program's time is 0: dates count from it on, in every column.")
        self.field.setFixedWidth(WIDTH)
        self.field.committed.connect(self._committed)
        self.notice = FieldNotice()
        self.sign, self.hint = label(SIGNS["warning"], "warning"), label(SAID, "hint")
        self.right = QPushButton(RIGHT)
        self.right.setToolTip("The program's time is 0 at this date.")
        self.right.clicked.connect(self._confirm)
        self._start: float | None = None
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        for part in (self.words, self.field, self.sign, self.hint, self.right):
            line.addWidget(part)
        line.addWidget(self.notice, 1)
        line.addStretch(1)
        self.show_start(None)

    def show_start(
        self,
        start: float | None,
        locked: bool = False,
        first: bool = False,
        proposed: bool = False,
        guessed: bool = False,
        stated: str = "",
        contradicted: str = "",
    ) -> None:
        """None: nothing counts from a date. ``first``: it is the first date that was measured, which nobody may have chosen.
        ``proposed``: nothing counts from it yet. ``guessed``: nobody said it. ``stated``: the words by which the program says it;
        ``contradicted``: ... by which it says another one."""
        asked = (first or guessed) and not proposed and not stated and not contradicted
        plain = PROPOSED if proposed else ASKED if first else GUESSED if guessed else SAID
        told = STATED if stated else CONTRADICTED
        self.hint.setText(told.format(one_line(stated or contradicted, 60)) if stated or contradicted else plain)
        amber = not stated and (proposed or asked or bool(contradicted))
        if self.hint.property("role") != (role := "warning" if amber else "hint"):
            self.hint.setProperty("role", role)
            repolish(self.hint)
        self.sign.setVisible(amber)
        self.right.setVisible(asked and not locked)
        self._start = start
        self.setVisible(start is not None)
        self.field.setReadOnly(locked)
        if start is not None:
            self.field.show_text(day_zero.written(start))
        if not self.field.refused:
            self.notice.clear()
            self.hint.show()

    def _confirm(self) -> None:
        if self._start is not None:
            self.confirmed.emit(self._start)

    def _committed(self, text: str) -> None:
        start = day_zero.read(text)
        self.hint.setVisible(start is not None)
        if start is None:
            self.field.refuse(NO_DATE, "Day 0")
            self.notice.say("error", NO_DATE)
            return
        self.notice.clear()
        self.changed.emit(start)
