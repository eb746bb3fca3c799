"""A row of buttons, one for each parameter that a text uses: a press shows its first use. What does not fit is in a menu."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from bayescope.gui.models.plain import one_line
from bayescope.gui.widgets.elided import ElidedLabel
from bayescope.gui.widgets.notices import label

SPACING = 4
LONGEST = 18  # characters of a name on a button
MOST_BUTTONS = 40  # more never fit in a row; the menu has them all


class FirstUses(QWidget):
    """Says ``hint``, in a narrow row ``shorter``, as long as no parameter is used."""

    chosen = Signal(str)  # the parameter

    def __init__(self, hint: str, shorter: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hint, self._shorter = hint, shorter
        self._uses: list[tuple[str, int]] = []
        self._buttons: list[QToolButton] = []
        self._words = ElidedLabel("hint", self)
        self._prefix = label("First use:", "hint")
        self._prefix.setParent(self)
        self._more = QToolButton(self)
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._more.setProperty("kind", "switch")
        self._more.setMenu(QMenu(self._more))
        self._more.setAccessibleName("First use of every parameter")
        self._more.setToolTip("First use of every parameter")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._say()
        self._arrange()

    def set_hint(self, hint: str, shorter: str = "") -> None:
        self._hint, self._shorter = hint, shorter
        self._say()

    def _say(self) -> None:
        self._words.say("" if self._uses else self._hint, shorter="" if self._uses else self._shorter)

    def show_uses(self, uses: Sequence[tuple[str, int]]) -> None:
        """Each parameter and the line (from 1) of its first use, in the order of the text."""
        if list(uses) == self._uses:
            return
        self._uses = list(uses)
        for button in self._buttons:
            button.hide()
            button.deleteLater()
        self._buttons = []
        menu = self._more.menu()
        menu.clear()
        for name, line in self._uses:
            menu.addAction(f"{one_line(name, 40)}, line {line:,}").triggered.connect(
                lambda _=False, name=name: self.chosen.emit(name)
            )
        for name, line in self._uses[:MOST_BUTTONS]:
            button = QToolButton(self)
            button.setProperty("kind", "switch")
            button.setText(one_line(name, LONGEST))
            button.setToolTip(f"Show the first use of {one_line(name, 60)}: line {line:,}")
            button.setAccessibleName(f"First use of {one_line(name, 60)}, line {line:,}")
            button.clicked.connect(lambda _=False, name=name: self.chosen.emit(name))
            self._buttons.append(button)
        self._say()
        self._arrange()

    def buttons(self) -> list[QToolButton]:
        """Those that there is room for."""
        return [b for b in self._buttons if not b.isHidden()]

    def menu(self) -> QMenu:
        return self._more.menu()

    def sizeHint(self) -> QSize:
        return QSize(200, self._more.sizeHint().height() + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        high, width = self.height(), self.width()
        self._words.setVisible(not self._uses)
        self._words.setGeometry(0, 0, width, high)
        if not self._uses:
            self._more.hide()
            self._prefix.hide()
            return
        words = self._prefix.sizeHint().width() + SPACING
        needed = sum(b.sizeHint().width() + SPACING for b in self._buttons)
        x = words if words + needed <= width else 0  # the buttons come before the words
        self._prefix.setVisible(x > 0)
        self._prefix.setGeometry(0, 0, words, high)
        fits = x + needed <= width and len(self._buttons) == len(self._uses)
        self._more.setText("First use …")
        room = width if fits else width - self._more.sizeHint().width()
        for button in self._buttons:
            wide = button.sizeHint().width()
            if x + wide <= room:
                button.setGeometry(x, (high - button.sizeHint().height()) // 2, wide, button.sizeHint().height())
                button.show()
                x += wide + SPACING
            else:
                button.hide()
                room = 0  # none of those behind it, so that the order is that of the text
        self._more.setVisible(not fits)
        size = self._more.sizeHint()
        self._more.setGeometry(
            min(x, max(0, width - size.width())), (high - size.height()) // 2, size.width(), size.height()
        )
