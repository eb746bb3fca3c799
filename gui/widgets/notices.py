"""Words for a person inside a page: what is wrong or good to know, always plain text, with a sign that is not only colour."""

from __future__ import annotations

from time import monotonic
from typing import Literal

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QCursor, QMouseEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from bayescope.gui.models.plain import one_line
from bayescope.gui.models.plain import tip as plain_tip
from bayescope.gui.style.theme import repolish
from bayescope.gui.widgets.alt_keys import PASSING, letter_of, part_keys_soon

Level = Literal["info", "ok", "warning", "error"]
SIGNS: dict[str, str] = {"info": "ℹ", "ok": "✓", "warning": "⚠", "error": "✕"}
SPOKEN: dict[str, str] = {"info": "Note", "ok": "Good", "warning": "Warning", "error": "Error"}
MAX_WORDS = 600
SETTLE_S = 0.7  # after a question came: a click meant for what stood there a moment ago does not answer it
NEAR = 12  # pixels that a hand moves between two clicks on one place
PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)


def label(text: str = "", role: str = "", *, wrap: bool = False) -> QLabel:
    """A plain-text label (never HTML). Roles: see style/stylesheet.py."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    if role:
        made.setProperty("role", role)
    if wrap:
        made.setWordWrap(True)
        made.setMinimumWidth(80)
    return made


class Notice(QFrame):
    """A banner with words, a suggestion and perhaps a button or two; hidden while there is nothing to say.

    ``below``: the buttons stand below the words, for narrow places; ``two_below``: where there are two of them.
    """

    pressed = Signal()
    dismissed = Signal()  # the second button, "Not now"
    _kept: str | None = None  # words of the button whose room is kept

    def __init__(self, parent: QWidget | None = None, *, below: bool = False, two_below: bool = False) -> None:
        super().__init__(parent)
        self._sign, self._words, self._suggestion = label(), label(wrap=True), label(role="hint", wrap=True)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._button = QPushButton()
        self._button.hide()
        self._button.clicked.connect(self.pressed)
        self._dismiss = QPushButton()
        self._dismiss.setProperty("kind", "link")
        for button in (self._button, self._dismiss):
            button.setProperty(PASSING, True)
            button.installEventFilter(self)
        self._came, self._pointer = 0.0, QPoint()  # when the question came, in s, and where the pointer was
        self._dismiss.hide()
        self._dismiss.clicked.connect(self.dismissed)
        words = QGridLayout()  # the sign beside the first line, both in the middle of a banner made high by its button
        words.setHorizontalSpacing(10)
        words.setVerticalSpacing(2)
        words.setColumnStretch(1, 1)
        words.setRowStretch(0, 1)
        words.setRowStretch(3, 1)
        words.addWidget(self._sign, 1, 0, Qt.AlignmentFlag.AlignTop)
        words.addWidget(self._words, 1, 1)
        words.addWidget(self._suggestion, 2, 1)
        self._two_below = two_below
        line = self._line = QBoxLayout(QBoxLayout.Direction.TopToBottom if below else QBoxLayout.Direction.LeftToRight, self)
        line.setContentsMargins(12, 8, 12, 8)
        line.setSpacing(10)
        line.addLayout(words, 1)
        buttons: QBoxLayout = QHBoxLayout() if below or two_below else line
        for button in (self._button, self._dismiss):
            buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        self._buttons = buttons
        if buttons is not line:
            buttons.addStretch(1)
            line.addLayout(buttons)
        self.level: Level | None = None
        self.clear()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A click at the place of the last one, right after the question came, was meant for what stood there."""
        if event.type() in PRESSES and isinstance(event, QMouseEvent) and monotonic() - self._came < SETTLE_S:
            return (event.globalPosition().toPoint() - self._pointer).manhattanLength() <= NEAR
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self._kept is not None and self.level is None:
            self.keep_room(self._kept)

    def keep_room(self, button: str = "") -> None:
        """Keep the room of one line, and of a button with these words, while there is nothing to say."""
        self._kept = button
        self._words.setText("M")
        self._button.setText(button)
        self._button.setVisible(bool(button))
        self.ensurePolished()
        self._button.ensurePolished()
        self.setMinimumHeight(self.sizeHint().height())
        self._retain(True)
        self.clear()

    def explain(self, words: str) -> None:
        """What the button does, whole, where the pointer rests on it; until something else is said."""
        self._button.setToolTip(plain_tip(words))

    def hold(self) -> None:
        """Its room is kept until ``let_go``, whatever is said next: nothing moves up under the pointer."""
        if self.isVisible():
            self.setMinimumHeight(self.height())
            self._retain(True)

    def rest(self) -> None:
        """Nothing to say any more; its room is kept until ``let_go``, so that nothing moves away under the pointer."""
        self.hold()
        self.clear()

    def settle(self, words: str, level: Level = "ok") -> None:
        """Where something stood a moment ago, that all is well: its room is no empty band and nothing moves. Else nothing."""
        if not self.isVisible():
            self.clear()
            return
        self.hold()
        self.say(level, words)

    def let_go(self) -> None:
        """Keep no room any more."""
        self._kept = None
        self.setMinimumHeight(0)
        self._retain(False)

    def _retain(self, on: bool) -> None:
        kept = self.sizePolicy()
        kept.setRetainSizeWhenHidden(on)
        self.setSizePolicy(kept)

    def say(self, level: Level, words: str, suggestion: str = "", button: str = "", dismiss: str = "") -> None:
        if not words:
            self.clear()
            return
        if button and (self.level is None or self._words.text() != _capped(words)):
            self._came, self._pointer = monotonic(), QCursor.pos()
        self.level = level
        self._sign.setText(SIGNS[level])
        self._sign.setProperty("role", level if level != "info" else "hint")
        self._words.setText(_capped(words))
        self._suggestion.setText(_capped(suggestion))
        self._suggestion.setVisible(bool(suggestion))
        for widget, text in ((self._button, button), (self._dismiss, dismiss)):
            widget.setText(text)
            widget.setAccessibleName(text.replace("&", ""))
            widget.setVisible(bool(text))
            widget.setToolTip("")
        if self._two_below:
            two = bool(button and dismiss)
            self._line.setDirection(QBoxLayout.Direction.TopToBottom if two else QBoxLayout.Direction.LeftToRight)
        self.setAccessibleName(f"{SPOKEN[level]}: {one_line(words)}")
        self.setProperty("role", f"banner-{level}")
        repolish(self)
        repolish(self._sign)
        self.show()
        self._part_keys()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._part_keys()

    def _part_keys(self) -> None:
        """Its buttons have letters of their own among those seen beside them, once all that is said now has its place."""
        if self.isVisible() and any(letter_of(one.text()) for one in (self._button, self._dismiss)):
            part_keys_soon(self.window())

    def offer(self, button: str) -> None:
        """A button beside what is said already."""
        self._button.setText(button)
        self._button.setAccessibleName(button.replace("&", ""))
        self._button.show()

    def add_between(self, button: QPushButton) -> None:
        """A further button, before the one that puts the banner away."""
        self._buttons.insertWidget(self._buttons.indexOf(self._dismiss), button, 0, Qt.AlignmentFlag.AlignVCenter)

    def words(self) -> str:
        return self._words.text() if self.level is not None else ""

    def suggestion(self) -> str:
        return self._suggestion.text() if self.level is not None else ""

    def clear(self) -> None:
        self.level = None
        self._words.clear()
        self._suggestion.clear()
        self.hide()


class FieldNotice(QLabel):
    """The small line under a field; takes no space while there is nothing to say.

    ``beside``: where what was typed is refused, behind the field: the fields below stay where the next click goes.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.hide()
        self.beside: QLabel | None = None
        self._field: QWidget = self

    def with_beside(self, field: QWidget) -> QLabel:
        """The place behind the ``field``, for its line, which gets no higher."""
        self._field = field
        self.beside = label(role="error", wrap=True)
        self.beside.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.beside.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)  # two lines; the page says all of it
        self.beside.hide()
        return self.beside

    def refuse(self, words: str) -> None:
        """Why what stands in the field cannot be used; what stood below it stays."""
        if self.beside is None:
            self.say("error", words)
            return
        self.beside.setText(f"{SIGNS['error']}  {_capped(words)}")
        self.beside.setToolTip(words)
        self.beside.setFixedHeight(self._field.height())
        self.beside.show()

    def say(self, level: Level, words: str, suggestion: str = "") -> None:
        if not words:
            self.clear()
            return
        self.setText(f"{SIGNS[level]}  {_capped(f'{words} {suggestion}'.strip())}")
        self.setProperty("role", level if level != "info" else "hint")
        repolish(self)
        self.show()

    def words(self) -> str:
        """What it says, behind the field or under it."""
        return self.beside.text() if self.beside is not None and self.beside.text() else self.text()

    def clear(self) -> None:
        self.setText("")
        self.hide()
        if self.beside is not None:
            self.beside.setText("")
            self.beside.hide()


class Empty(QWidget):
    """In place of something that is not there yet: why, and what to do about it."""

    pressed = Signal()

    def __init__(self, words: str, hint: str = "", button: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words, self._hint = label(words, "heading", wrap=True), label(hint, "hint", wrap=True)
        box = QVBoxLayout(self)
        box.setContentsMargins(24, 10, 24, 10)
        box.setSpacing(8)
        box.addStretch(2)
        for part in (self._words, self._hint):
            part.setAlignment(Qt.AlignmentFlag.AlignCenter)
            box.addWidget(part)
        self.button = QPushButton(button, self)  # shown without a parent it would be a window for a moment
        self.button.setVisible(bool(button))
        self.button.clicked.connect(self.pressed)
        box.addSpacing(4)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(8)
        self._buttons.addStretch(1)
        self._buttons.addWidget(self.button)
        self._buttons.addStretch(1)
        box.addLayout(self._buttons)
        box.addStretch(3)

    def add_beside(self, button: QPushButton) -> None:
        """Another way on, beside the first button."""
        self._buttons.insertWidget(self._buttons.count() - 1, button)

    def say(self, words: str, hint: str = "", button: str = "") -> None:
        self._words.setText(words)
        self._hint.setText(hint)
        self.button.setText(button)
        self.button.setVisible(bool(button))

    def words(self) -> str:
        return f"{self._words.text()} {self._hint.text()}".strip()

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 90)


def _capped(words: str) -> str:
    return words if len(words) <= MAX_WORDS else words[: MAX_WORDS - 1] + "…"
