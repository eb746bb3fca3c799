"""Reasons of a verdict in one line; all of them, whole, in a small window that moves nothing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from bayescope.gui.models.plain import one_line
from bayescope.gui.style.icons import icon
from bayescope.gui.style.theme import repolish
from bayescope.gui.widgets.elided import ElidedLabel
from bayescope.gui.widgets.forms import scrolled
from bayescope.gui.widgets.notices import SIGNS, SPOKEN, Level, label

WIDEST, HIGHEST = 620, 420  # pixels of the small window


class ReasonsWindow(QFrame):
    """Closed by Escape or a click elsewhere."""

    def __init__(self, reasons: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("role", "card")
        self.setAccessibleName("Reasons of the verdict")
        bullet = "•  " if len(reasons) > 1 else ""
        self.text = label("\n".join(f"{bullet}{reason}" for reason in reasons), wrap=True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)  # by keyboard too: Qt shows a caret
        self.area = area = scrolled(self.text)
        box = QVBoxLayout(self)
        box.setContentsMargins(14, 10, 6, 10)
        box.addWidget(area)
        self.ensurePolished()
        wide = min(WIDEST, parent.window().width() - 20)
        high = self.text.heightForWidth(wide - 40) + 34
        self.resize(wide, min(high, HIGHEST, max(parent.window().height() - 40, 120)))

    def show_below(self, widget: QWidget) -> None:
        """As near to ``widget`` as the screen allows."""
        at = widget.mapToGlobal(QPoint(widget.width() - self.width(), widget.height() + 2))
        screen = QGuiApplication.screenAt(at) or widget.screen()
        room = screen.availableGeometry()
        x = min(max(at.x(), room.left()), room.right() - self.width())
        self.move(x, min(at.y(), room.bottom() - self.height()))
        self.show()
        self.area.setFocus()  # the arrow keys scroll


class ReasonsLine(QWidget):
    """The first reason as far as there is room, and a button that shows all of them. Its height never changes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.reasons: tuple[str, ...] = ()
        self.checks: tuple[str, ...] = ()
        self.first = ElidedLabel("hint")
        self.why = QPushButton("Wh&y?")
        self.why.setProperty("kind", "link")
        self.why.clicked.connect(self.show_all)
        kept = self.why.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.why.setSizePolicy(kept)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(self.first, 1)
        row.addWidget(self.why, 0, Qt.AlignmentFlag.AlignVCenter)
        self.say(())

    def say(self, reasons: Sequence[str], checks: Sequence[str] = ()) -> None:
        """``checks``: those that are not passed, sentences; they stand below the reasons where all of these are shown."""
        self.reasons, self.checks = tuple(reasons), tuple(checks)
        n = len(self.reasons)
        if self.first.whole != (words := self.reasons[0] if n else ""):
            self.first.say(words, parts=". ")
        self.first.setToolTip("\n".join(self.reasons))
        self._offer()
        whole = f"All {n} reasons of the verdict" if n > 1 else "The whole reason of the verdict"
        self.why.setToolTip(f"{whole}, and the checks that are not passed" if self.checks else whole)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._offer()

    def _offer(self) -> None:
        """A single reason that stands there whole is not said again."""
        n = len(self.reasons)
        whole = self.first.fontMetrics().horizontalAdvance(self.first.whole) <= self.first.width()
        self.why.setVisible(n > 1 or bool(self.checks) or (n == 1 and not whole))

    def show_all(self) -> ReasonsWindow:
        shown = ReasonsWindow((*self.reasons, *self.checks), self)
        shown.show_below(self.why)
        return shown


class VerdictBanner(QFrame):
    """The verdict in one line and its reasons in the next: always as high, whatever is said."""

    def __init__(self, beside: QWidget | None = None, parent: QWidget | None = None) -> None:
        """``beside``: buttons for what the verdict advises."""
        super().__init__(parent)
        self.level: Level | None = None
        self._sign, self._words, self.line = label(), ElidedLabel(), ReasonsLine()
        box = QGridLayout(self)
        box.setContentsMargins(12, 6, 12, 6)
        box.setHorizontalSpacing(10)
        box.setVerticalSpacing(1)
        box.setColumnStretch(1, 1)
        box.addWidget(self._sign, 0, 0)
        box.addWidget(self._words, 0, 1)
        box.addWidget(self.line, 1, 1)
        self._details = ""
        self.copy = QPushButton(icon("copy"), "Copy details")
        self.copy.setToolTip("Copy everything about it, to paste it into a message")
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(f"{self.words()}\n\n{self._details}"))
        self.copy.hide()
        box.addWidget(self.copy, 0, 3, 2, 1, Qt.AlignmentFlag.AlignVCenter)
        if beside is not None:
            box.addWidget(beside, 0, 2, 2, 1, Qt.AlignmentFlag.AlignVCenter)

    def say(
        self, level: Level, words: str, reasons: Sequence[str] = (), details: str = "", checks: Sequence[str] = ()
    ) -> None:
        """``details``: of a fault, to be copied. ``checks``: those that are not passed, sentences."""
        self._details = details
        self.copy.setVisible(bool(details))
        self._words.say(words)
        self.line.say(reasons, checks)
        self.setAccessibleName(f"{SPOKEN[level]}: {one_line(words)}")
        if level != self.level:
            self.level = level
            self._sign.setText(SIGNS[level])
            self._sign.setProperty("role", level if level != "info" else "hint")
            self.setProperty("role", f"banner-{level}")
            repolish(self)
            repolish(self._sign)

    def words(self) -> str:
        return self._words.whole

    def suggestion(self) -> str:
        """All reasons."""
        return "\n".join(self.line.reasons)


class LookingBack(QWidget):
    """What is looked at while it is not the newest answer, in one line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        chip = label("Looking back", "chip")
        chip.setProperty("state", "busy")
        self._words, self._suggestion = ElidedLabel("hint"), ""
        self.newest = QPushButton("Newest")
        self.newest.setProperty("kind", "link")
        self.newest.setToolTip("Follow the newest answer again")
        self.pressed = self.newest.clicked
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(chip)
        row.addWidget(self._words, 1)
        row.addWidget(self.newest)

    def say(self, words: str, suggestion: str = "") -> None:
        self._suggestion = suggestion
        self._words.say(f"{words} {suggestion}".strip())

    def words(self) -> str:
        return self._words.whole

    def suggestion(self) -> str:
        return self._suggestion
