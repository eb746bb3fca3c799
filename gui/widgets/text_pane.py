"""A pane of monospaced text with highlighted places; the user can mark a number in it with the mouse or the keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase, QKeyEvent, QMouseEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from bayescope.gui.style.theme import theme

MAX_SHOWN = 1_000_000
Highlight = Literal["chosen", "found", "wrong"]


def unified(text: str) -> str:
    """The text as a Qt document holds it, character for character: one kind of line break, no paragraph separators."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\u2029", "\n").replace("\u2028", "\n").replace("\x00", "\ufffd")


class TextPane(QPlainTextEdit):
    """Read-only unless ``editable``. Positions are those of Python strings (Qt counts UTF-16 units; converted here)."""

    marked = Signal(int, int)  # the user marked characters [start, end); equal: clicked

    def __init__(self, name: str, parent: QWidget | None = None, *, editable: bool = False) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(editable)
        self.setReadOnly(not editable)
        if not editable:
            self.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
        self._text = ""
        self._wide = False  # True: characters beyond the basic plane, so that positions differ
        self._highlights: list[tuple[int, int, Highlight]] = []
        theme.changed.connect(self._draw_highlights)

    # -------------------------------------------------------------- content

    def text(self) -> str:
        return self._text if self.isReadOnly() else self.toPlainText()

    def set_text(self, text: str) -> None:
        """Show ``text`` (cut at MAX_SHOWN characters), keeping the scroll position if only little changed."""
        shown = unified(text[:MAX_SHOWN])
        if len(text) > MAX_SHOWN:
            shown += f"\n… {len(text) - MAX_SHOWN} more characters are not shown."
        if shown == self.text() and shown == self._text:
            return
        vertical, horizontal = self.verticalScrollBar().value(), self.horizontalScrollBar().value()
        position = self.textCursor().position()
        self._text, self._wide, self._highlights = shown, any(ord(c) > 0xFFFF for c in shown), []
        self.setPlainText(shown)
        self.setExtraSelections([])
        if not self.isReadOnly():
            cursor = self.textCursor()
            cursor.setPosition(min(position, self.document().characterCount() - 1))
            self.setTextCursor(cursor)
        self.verticalScrollBar().setValue(vertical)
        self.horizontalScrollBar().setValue(horizontal)

    def highlight(self, places: Sequence[tuple[int, int]], kind: Highlight = "chosen", show_first: bool = True) -> None:
        """Mark [start, end) places, replacing earlier marks; at most 2,000 are drawn."""
        self._highlights = [(a, b, kind) for a, b in list(places)[:2000]]
        self._draw_highlights()
        if places and show_first:
            cursor = self.textCursor()
            cursor.setPosition(self._to_qt(places[0][0]))
            keep = self.textCursor()
            self.setTextCursor(cursor)
            self.ensureCursorVisible()
            if keep.hasSelection():
                self.setTextCursor(keep)

    def highlights(self) -> list[tuple[int, int]]:
        return [(a, b) for a, b, _ in self._highlights]

    def _draw_highlights(self) -> None:
        selections = []
        for start, end, kind in self._highlights:
            selection = QTextEdit.ExtraSelection()
            selection.format = _format(kind)  # type: ignore[assignment]
            cursor = QTextCursor(self.document())
            cursor.setPosition(self._to_qt(start))
            cursor.setPosition(self._to_qt(end), QTextCursor.MoveMode.KeepAnchor)
            selection.cursor = cursor  # type: ignore[assignment]
            selections.append(selection)
        self.setExtraSelections(selections)

    # -------------------------------------------------------------- marking

    def selection(self) -> tuple[int, int]:
        """What is marked, [start, end) in Python positions."""
        cursor = self.textCursor()
        return self._from_qt(cursor.selectionStart()), self._from_qt(cursor.selectionEnd())

    def select(self, start: int, end: int) -> None:
        """Select these characters; nothing is announced."""
        cursor = self.textCursor()
        cursor.setPosition(self._to_qt(start))
        cursor.setPosition(self._to_qt(end), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)

    def mark(self, start: int, end: int) -> None:
        """Select as the user would and announce it."""
        self.select(start, end)
        self.marked.emit(start, end)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.marked.emit(*self.selection())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.isReadOnly() and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.marked.emit(*self.selection())
            return
        super().keyPressEvent(event)

    # -------------------------------------------------------------- positions

    def _to_qt(self, position: int) -> int:
        text = self.text()
        position = max(0, min(position, len(text)))
        return position + sum(ord(c) > 0xFFFF for c in text[:position]) if self._is_wide() else position

    def _from_qt(self, position: int) -> int:
        if not self._is_wide():
            return position
        units = 0
        for i, c in enumerate(self.text()):
            if units >= position:
                return i
            units += 2 if ord(c) > 0xFFFF else 1
        return len(self.text())

    def _is_wide(self) -> bool:
        return self._wide if self.isReadOnly() else any(ord(c) > 0xFFFF for c in self.text())


def _format(kind: Highlight) -> QTextCharFormat:
    """Colour and underline together, so that no meaning is carried by colour alone."""
    made = QTextCharFormat()
    name = {"chosen": "accent", "found": "ok", "wrong": "error"}[kind]
    made.setBackground(theme.colour(name, 0.22))
    colour = theme.colour(name)
    made.setUnderlineColor(colour)
    wave = QTextCharFormat.UnderlineStyle.WaveUnderline
    made.setUnderlineStyle(wave if kind == "wrong" else QTextCharFormat.UnderlineStyle.SingleUnderline)
    return made
