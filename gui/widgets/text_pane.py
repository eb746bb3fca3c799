"""A pane of monospaced text with line numbers, find, next number and highlighted places; a number in it can be marked."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from typing import Literal

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFontDatabase,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QMenu, QPlainTextEdit, QTextEdit, QWidget

from bayescope.engine.problem.marks.tables.placed_headings import TAB
from bayescope.gui.models.simulator.numbers.next_number import next_number, previous_number
from bayescope.gui.models.simulator.texts.text_rows import unified
from bayescope.gui.models.simulator.texts.text_search import Search
from bayescope.gui.style.theme import theme
from bayescope.gui.widgets.pane_strip import PaneStrip
from bayescope.gui.widgets.text_window import TextWindow

MOST_SHOWN = 1_500  # marks drawn at once: more cannot be told apart on a screen
Highlight = Literal["chosen", "found", "wrong", "hit"]


class TextPane(TextWindow):
    """Read-only unless ``editable``. ``numbers``: of the lines. ``strip``: the line above the text (Ctrl+F works without).

    Keys: Ctrl+F find, F3 and Shift+F3 next and previous hit, F8 and Shift+F8 next and previous number, Ctrl+G go to line.
    """

    marked = Signal(int, int)  # the user marked characters [start, end); equal: clicked
    refused = Signal()  # a key was typed that would have changed the text, were it not read-only

    def __init__(
        self,
        name: str,
        parent: QWidget | None = None,
        *,
        editable: bool = False,
        strip: bool = True,
        numbers: bool = True,
        main: bool = False,
    ) -> None:
        super().__init__(parent)
        self.main = main  # of the panes on a page the one in which Ctrl+F finds
        self.setAccessibleName(name)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._set_stops()
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
        self._highlights: list[tuple[int, int, Highlight]] = []
        self._sorted: list[tuple[int, int, Highlight]] = []
        self._drawn: list[tuple[int, int, Highlight]] = []
        self._search: Search | None = None
        self._changed_lines: frozenset[int] = frozenset()
        self._margin = _Margin(self)
        self._keeps_strip, self._numbered = strip, numbers
        self.strip = PaneStrip(self, self)
        self.cursorPositionChanged.connect(self.strip.moved)
        self.indexed.connect(self.strip.tell)
        self.top_changed.connect(lambda _: self.strip.tell())
        self.strip.setVisible(strip)
        self.set_editable(editable)
        self.updateRequest.connect(self._margin.follow)
        self.verticalScrollBar().valueChanged.connect(lambda _: self._draw_marks())
        self.horizontalScrollBar().valueChanged.connect(lambda _: self._draw_marks())
        self.indexed.connect(self._place)
        self.blockCountChanged.connect(lambda _: self._place())
        theme.changed.connect(self._filled)
        self.document().contentsChanged.connect(self._typed)
        self._place()

    def set_editable(self, on: bool) -> None:
        self.setUndoRedoEnabled(on)
        self.setReadOnly(not on)
        if not on:
            self.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )

    # -------------------------------------------------------------- content

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._set_stops()

    def _set_stops(self) -> None:
        """Tabs end where a terminal has them, so that headings set with blanks stand over rows set with tabs."""
        self.setTabStopDistance(TAB * QFontMetricsF(self.font()).horizontalAdvance(" "))

    def set_text(self, text: str) -> None:
        """Show ``text``, of any length, keeping the scroll position if only little changed."""
        shown = unified(text)
        if shown == self.text():
            return
        self._highlights, self._sorted, self._changed_lines, self._search = [], [], frozenset(), None
        self.setExtraSelections([])
        self.load(shown, whole=not self.isReadOnly())
        self.strip.text_changed()

    def setPlainText(self, text: str) -> None:
        """As Qt's, for those who know the pane as a QPlainTextEdit; while it is edited, what replaces the text is an edit."""
        if self.isReadOnly():
            self.set_text(text)
        else:
            super().setPlainText(text)

    def set_changed_lines(self, lines: Collection[int]) -> None:
        """Lines (from 0) with a bar beside their number: they differ from another text."""
        if self._changed_lines != frozenset(lines):
            self._changed_lines = frozenset(lines)
            self._margin.update()

    # -------------------------------------------------------------- marks

    def highlight(self, places: Sequence[tuple[int, int]], kind: Highlight = "chosen", show_first: bool = True) -> None:
        """Mark [start, end) places, replacing earlier marks."""
        self._highlights = [(a, b, kind) for a, b in places]
        self._sorted = sorted(self._highlights)
        self._draw_marks()
        if places and show_first:
            self.reveal(places[0][0])

    def highlights(self) -> list[tuple[int, int]]:
        return [(a, b) for a, b, _ in self._highlights]

    def show_hits(self, search: Search | None) -> None:
        """Mark softly what a search has found so far."""
        self._search = search
        self._draw_marks()

    def _filled(self) -> None:
        self._drawn = []
        self._draw_marks()

    def _typed(self) -> None:
        if not self._loading and not self.isReadOnly():
            self.strip.text_changed()

    def _draw_marks(self) -> None:
        """Only those that are seen: there may be millions."""
        if not self._sorted and self._search is None and not self.extraSelections():
            return
        marks: list[tuple[int, int, Highlight]] = []
        for start, end in self.spans_seen():
            if self._search is not None:
                marks += [(a, b, "hit") for a, b in self._search.within(start, end)]
            first = bisect_left(self._sorted, start, key=lambda mark: mark[1])  # marks of one text do not overlap
            last = bisect_left(self._sorted, end, key=lambda mark: mark[0])
            marks += self._sorted[first:last]
        marks = list(dict.fromkeys(marks[:MOST_SHOWN]))
        if marks and marks == self._drawn:
            return
        self._drawn, selections = marks, []
        for a, b, kind in marks:
            selection = QTextEdit.ExtraSelection()
            selection.format = _format(kind)  # type: ignore[assignment]
            cursor = QTextCursor(self.document())
            cursor.setPosition(self._to_qt(a))
            cursor.setPosition(self._to_qt(b), QTextCursor.MoveMode.KeepAnchor)
            selection.cursor = cursor  # type: ignore[assignment]
            selections.append(selection)
        self.setExtraSelections(selections)

    # -------------------------------------------------------------- marking, numbers, lines

    def mark(self, start: int, end: int) -> None:
        """Select as the user would and announce it."""
        self.select(start, end)
        self.marked.emit(start, end)

    def step_number(self, forward: bool = True) -> bool:
        """Select the next (previous) number after (before) the cursor. False: there is none."""
        start, end = self.selection()
        text = self.text()
        number = next_number(text, max(end, start)) if forward else previous_number(text, start)
        self.strip.say("" if number is not None else "No further number" if forward else "No number before this one")
        if number is None:
            return False
        self.select(number.start, number.end)
        return True

    def go_to_line(self, line: int) -> int:
        """Show a line (counted from 1) with the cursor at its beginning; the line that was taken comes back."""
        if line > self.rows.n_lines:
            self.index_all()
        line = max(1, min(line, self.rows.n_lines))
        at = self.rows.start_of_line(line - 1)
        self.select(at, at)
        return line

    # -------------------------------------------------------------- events

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.marked.emit(*self.selection())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if self._command(event):
            return
        if self.isReadOnly() and enter:
            self.marked.emit(*self.selection())
            return
        if enter and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.textCursor().insertBlock()  # Qt would put a line separator, which no program reads as a line end
            return
        plain = not event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        if self.isReadOnly() and plain and event.text().isprintable() and event.text():
            self.refused.emit()
        super().keyPressEvent(event)

    def _command(self, event: QKeyEvent) -> bool:
        """Find, numbers and lines; where the page has a shortcut for them, that comes first."""
        back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.matches(QKeySequence.StandardKey.Find):
            self.open_find()
        elif event.key() == Qt.Key.Key_F3:
            self.strip.step(not back)
        elif event.key() == Qt.Key.Key_F8:
            self.step_number(not back)
        elif event.key() == Qt.Key.Key_G and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.open_line()
        elif event.key() == Qt.Key.Key_Escape and self.strip.opened:
            self.strip.close_field()
        else:
            return False
        return True

    def context_menu(self) -> QMenu:
        """For reading: Qt's own selects and copies what its document holds, which may be a part of the text."""
        if not self.isReadOnly():
            return self.createStandardContextMenu()
        menu, (start, end) = QMenu(self), self.selection()
        for words, key, act, on in (
            ("&Copy", QKeySequence.StandardKey.Copy, self.copy, end > start),
            ("Select &all", QKeySequence.StandardKey.SelectAll, self.selectAll, True),
            ("&Find…", QKeySequence.StandardKey.Find, self.open_find, True),
            ("&Go to line…", "Ctrl+G", self.open_line, True),
            ("&Next number", "F8", self.step_number, True),
        ):
            action = menu.addAction(words)
            action.setShortcut(QKeySequence(key))
            action.setShortcutVisibleInContextMenu(True)
            action.setEnabled(on)
            action.triggered.connect(lambda _=False, act=act: act())
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.context_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def open_find(self) -> None:
        start, end = self.selection()
        chosen = self.text()[start:end] if end - start <= PaneStrip.LONGEST else ""
        self.strip.show()
        self.strip.open_find("" if "\n" in chosen else chosen)
        self._place()

    def open_line(self) -> None:
        self.strip.show()
        self.strip.open_line()
        self._place()

    def height_of(self, lines: int) -> int:
        """In pixels, with the strip above them, the bar below them and the frame."""
        strip = self.strip.sizeHint().height() if self._keeps_strip else 0
        bar = self.horizontalScrollBar().sizeHint().height()
        margin = int(2 * self.document().documentMargin()) + 2 * self.frameWidth()
        return strip + lines * self.fontMetrics().lineSpacing() + bar + margin

    def strip_closed(self) -> None:
        """The strip's field was closed; where the strip has no room of its own it goes."""
        self.show_hits(None)
        self.strip.setVisible(self._keeps_strip)
        self.setFocus()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._place()
        self.strip.tell()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._place()
        self.strip.tell()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()
        self._draw_marks()

    def _place(self) -> None:
        """Margin and strip where they belong; without a room of its own the strip lies over the first row."""
        self._margin.setVisible(self._numbered)
        digits = len(str(max(self._rows.n_lines, self.blockCount(), 99)))
        wide = self.fontMetrics().horizontalAdvance("0") * digits + 14 if self._numbered else 0
        high = self.strip.sizeHint().height()
        self.set_margins(wide, high if self._keeps_strip else 0)
        area = self.viewport().geometry()
        self._margin.setGeometry(QRect(area.left() - wide, area.top(), wide, area.height()))
        top = area.top() - high if self._keeps_strip else area.top()
        self.strip.setGeometry(QRect(area.left() - wide, top, area.width() + wide + self._bar_width(), high))

    def changed_line(self, line: int) -> bool:
        return line in self._changed_lines


class _Margin(QFrame):
    """The numbers of the lines that are seen."""

    def __init__(self, pane: TextPane) -> None:
        super().__init__(pane)
        self._pane = pane
        self.painted = 0  # rows painted the last time

    def follow(self, rect: QRect, dy: int) -> None:
        if dy:
            self.scroll(0, dy)
        else:
            self.update(0, rect.y(), self.width(), rect.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        pane, painter = self._pane, QPainter(self)
        painter.fillRect(event.rect(), theme.colour("raised"))
        painter.setPen(theme.colour("border"))
        painter.drawLine(self.width() - 1, event.rect().top(), self.width() - 1, event.rect().bottom())
        painter.setFont(pane.font())
        current, self.painted = pane.cursor_line(), 0
        for line, top, high in pane.rows_seen():
            if top > event.rect().bottom():
                break
            if line is None:  # a long line goes on
                continue
            self.painted += 1
            painter.setPen(theme.colour("text" if line == current else "muted"))
            high = min(high, pane.fontMetrics().lineSpacing())  # the last row is higher by the document's margin
            painter.drawText(QRect(0, top, self.width() - 8, high), Qt.AlignmentFlag.AlignRight, str(line + 1))
            if pane.changed_line(line):
                painter.fillRect(QRect(0, top, 4, high), theme.colour("warning"))


def _format(kind: Highlight) -> QTextCharFormat:
    """Colour and underline together, so that no meaning is carried by colour alone."""
    made = QTextCharFormat()
    name = {"chosen": "accent", "found": "ok", "wrong": "error", "hit": "warning"}[kind]
    made.setBackground(theme.colour(name, 0.22))
    if kind == "hit":
        return made
    colour = theme.colour(name)
    made.setUnderlineColor(colour)
    wave = QTextCharFormat.UnderlineStyle.WaveUnderline
    made.setUnderlineStyle(wave if kind == "wrong" else QTextCharFormat.UnderlineStyle.SingleUnderline)
    return made
