"""A long text in a QPlainTextEdit: the document holds a few hundred rows around what is seen; a second scroll bar shows where."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QMimeData, QRect, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QScrollBar, QWidget

from bayescope.gui.models.simulator.texts.text_rows import LONGEST_ROW, Rows, from_utf16, unified, utf16_length

WHOLE = 200_000  # characters that the document holds as a whole
WHOLE_ROWS = 4_000
WINDOW_ROWS = 400  # rows of a longer text in the document
WINDOW = 400_000  # characters in the document, if its rows are long: Qt takes some 20 ms for them
SCREENS = 3  # at least held, in heights of what is seen; so that rows near an end of the window are soon moved into its middle
BESIDE = 2  # columns seen beside what comes into sight
ASIDE = 8  # columns beyond those seen: the text does not begin at the very edge
SHOWN_AT_ONCE = 4_000_000  # characters indexed before a text is first shown

_Key = QKeySequence.StandardKey
_ENDS = {  # whether to the end of the text, and whether what lies between is selected
    _Key.MoveToStartOfDocument: (False, False),
    _Key.MoveToEndOfDocument: (True, False),
    _Key.SelectStartOfDocument: (False, True),
    _Key.SelectEndOfDocument: (True, True),
}


class TextWindow(QPlainTextEdit):
    """Shows ``text()``. Positions are those of Python strings (Qt counts UTF-16 units of what it holds; converted here)."""

    top_changed = Signal(int)  # the first line that is seen, counted from 0
    indexed = Signal()  # more of a long text is known: how many lines it has

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = Rows("")
        self._first = 0  # row of the document's first block
        self._held = 1  # rows in the document
        self._pinned: tuple[int, int, int, int] | None = (
            None  # Qt's anchor and position, and those meant, beyond the window
        )
        self._stale = False  # edited since the text was last read
        self._loading = False
        self._margins = (0, 0)  # left, top
        self._bar = QScrollBar(Qt.Orientation.Vertical, self)
        self._bar.hide()
        self._bar.valueChanged.connect(self.show_row)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._index_more)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.document().contentsChanged.connect(self._edited)

    # -------------------------------------------------------------- content

    @property
    def windowed(self) -> bool:
        """Whether the document holds a part of the text only."""
        return self._held < len(self._rows) or not self._rows.complete

    @property
    def rows(self) -> Rows:
        self.text()
        return self._rows

    def text(self) -> str:
        if self._stale:
            self._stale = False
            raw = self.document().toRawText()  # toPlainText makes ordinary spaces of all others
            self._rows = Rows(raw.replace("\u2029", "\n").replace("\u2028", " "), longest=None)
            while not self._rows.grow():
                pass
            self._first, self._held = 0, len(self._rows)
        return self._rows.text

    def load(self, text: str, whole: bool = False) -> None:
        """Show another text, at the same place if it is similar; ``whole``: all in one document, so that it can be edited."""
        top, horizontal, position, before = (
            self.top_row(),
            self.horizontalScrollBar().value(),
            self._meant()[1],
            len(self.rows),
        )
        self._timer.stop()
        self._pinned, self._stale = None, False
        self._rows = Rows(text, None if whole else LONGEST_ROW)
        while not self._rows.grow(SHOWN_AT_ONCE) and (whole or not len(self._rows)):
            pass
        if not self._rows.complete:
            self._timer.start(0)
        fits = whole or (self._rows.complete and len(text) <= WHOLE and len(self._rows) <= WHOLE_ROWS)
        self._held = len(self._rows) if fits else 0
        position = min(position, len(text)) if len(self._rows) == before else 0
        self._fill(0 if fits else top - self._fitting(top) // 3, (position, position))
        self.show_row(top)
        self.horizontalScrollBar().setValue(horizontal)
        self.indexed.emit()

    def _fill(self, first: int, cursor: tuple[int, int] | None = None) -> None:
        """Put the rows from ``first`` on into the document; the selection stays what it was unless another is given."""
        anchor, position = cursor or self._meant()
        if self.windowed or self._held == 0:
            self._held = self._fitting(first)
        self._first = max(0, min(first, len(self._rows) - self._held))
        spans = [self._rows.span(r) for r in range(self._first, self._first + self._held)]
        self._loading = True
        super().setPlainText("\n".join(self._rows.text[a:b] for a, b in spans))
        self._loading = False
        self._pinned = None
        self._put_cursor(anchor, position)
        self._arrange_bar()
        self._filled()

    def _filled(self) -> None:
        """The document holds other rows now: what was drawn in it is gone."""

    def _fitting(self, first: int) -> int:
        """How many rows from ``first`` on the document is to hold."""
        rows = self._rows
        first, ahead = max(0, min(first, len(rows) - WINDOW_ROWS)), min(WINDOW_ROWS, len(rows))
        characters = rows.span(first + ahead - 1)[1] - rows.span(first)[0]
        wanted = WINDOW_ROWS if characters <= WINDOW else int(WINDOW_ROWS * WINDOW / characters)
        return min(max(wanted, SCREENS * (self.shown_rows() + 1)), len(rows))

    def _edge(self) -> int:
        """Nearer to an end of the window than so many rows, the window is moved."""
        return self._held // 8

    def _index_more(self) -> None:
        if self._rows.grow():
            self._timer.stop()
        if self._held < self._fitting(self._first):
            self._fill(self._first)
        self._arrange_bar()
        self.indexed.emit()

    def index_all(self) -> None:
        """Know all rows now: the end of the text was asked for."""
        while not self._rows.complete:
            self._index_more()

    def _edited(self) -> None:
        if not self._loading and not self.isReadOnly():
            self._stale = True

    # -------------------------------------------------------------- what is seen

    def top_row(self) -> int:
        return self._first + self.verticalScrollBar().value()

    def shown_rows(self) -> int:
        """How many whole rows there is room for."""
        return max(1, int(self.viewport().height() / max(1, self.fontMetrics().lineSpacing())))

    def seen(self) -> tuple[int, int]:
        """Characters [start, end) in the rows that are seen."""
        rows, top = self.rows, self.top_row()
        top = min(top, len(rows) - 1)
        return rows.span(top)[0], rows.span(min(len(rows) - 1, top + self.shown_rows() + 1))[1]

    def spans_seen(self) -> Iterator[tuple[int, int]]:
        """Characters [start, end) of each row that are seen; in a row with other characters than ASCII, all of them."""
        rows, top = self.rows, self.top_row()
        wide = max(1, self.fontMetrics().horizontalAdvance("0"))
        left = self.horizontalScrollBar().value() // wide - ASIDE
        right = left + self.viewport().width() // wide + 2 * ASIDE
        for row in range(top, min(len(rows), top + self.shown_rows() + 2)):
            start, end = rows.span(row)
            text = rows.text[start:end]
            if text.isascii() and "\t" not in text:  # as many characters as columns
                yield start + min(max(left, 0), len(text)), start + max(0, min(right, len(text)))
            else:
                yield start, end

    def rows_seen(self) -> Iterator[tuple[int | None, int, int]]:
        """Of each row that is seen: its line (None: a long line goes on), top and height in the viewport."""
        block, offset = self.firstVisibleBlock(), self.contentOffset()
        rows, editing, height = self._rows, not self.isReadOnly(), self.viewport().height()
        while block.isValid():
            box = self.blockBoundingGeometry(block).translated(offset)
            if box.top() > height:
                return
            row = self._first + block.blockNumber()
            line = row if editing else rows.line_of_row(row) if rows.starts_a_line(row) else None
            yield line, round(box.top()), round(box.height())
            block = block.next()

    def top_line(self) -> int:
        return self._rows.line_of_row(min(self.top_row(), len(self._rows) - 1))

    def lines_seen(self) -> tuple[int, int]:
        """The first and the last line that are seen, counted from 0."""
        rows, top = self._rows, min(self.top_row(), len(self._rows) - 1)
        return rows.line_of_row(top), rows.line_of_row(min(len(rows), top + self.shown_rows()) - 1)

    def show_row(self, row: int) -> None:
        """Scroll so that ``row`` is the first that is seen, as far as there are rows below."""
        row = max(0, min(row, len(self._rows) - self.shown_rows()))
        if self.windowed and self._near_an_end(row):
            wanted = max(0, min(row - self._held // 3, len(self._rows) - self._held))
            if wanted != self._first:
                self._fill(wanted)
        self.verticalScrollBar().setValue(row - self._first)

    def show_line(self, line: int) -> None:
        """Scroll so that ``line`` is the first that is seen."""
        self.show_row(self.rows.row_of(self.rows.start_of_line(line)))

    def reveal(self, position: int) -> None:
        """Scroll until a character is seen, with some rows around it; of what lies just beyond an edge, as when something came
        below the text, no further than it takes."""
        row = self.rows.row_of(position)
        top, shown = self.top_row(), self.shown_rows()
        near = shown // 2
        if top <= row < top + shown:
            return
        if top - near <= row < top:
            self.show_row(row)
        else:
            self.show_row(row - shown + 1 if top + shown <= row < top + shown + near else row - shown // 3)

    def _scrolled(self) -> None:
        if self._loading:
            return
        with QSignalBlocker(self._bar):
            self._bar.setValue(self.top_row())
        if self.windowed and self._near_an_end(self.top_row()):
            QTimer.singleShot(0, self, lambda: self.show_row(self.top_row()))  # not while Qt is scrolling
        self.top_changed.emit(self.top_line())

    def _near_an_end(self, row: int) -> bool:
        """Whether with ``row`` on top few rows of the window are left above or below, though the text has more."""
        end = self._first + self._held
        above = self._first > 0 and row - self._first < self._edge()
        return above or (end < len(self._rows) and end - row - self.shown_rows() < self._edge())

    # -------------------------------------------------------------- the scroll bar and the margins

    def _bar_width(self) -> int:
        return self._bar.sizeHint().width() if self.windowed else 0

    def set_margins(self, left: int, top: int) -> None:
        if (left, top) != self._margins:
            self._margins = (left, top)
            self._arrange_bar()

    def _arrange_bar(self) -> None:
        own = self.windowed
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if own else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        if self.verticalScrollBarPolicy() != policy:
            self.setVerticalScrollBarPolicy(policy)
        wide = self._bar_width()
        self.setViewportMargins(self._margins[0], self._margins[1], wide, 0)
        self._bar.setVisible(own)
        if own:
            with QSignalBlocker(self._bar):
                self._bar.setRange(0, max(0, len(self._rows) - self.shown_rows()))
                self._bar.setPageStep(self.shown_rows())
                self._bar.setValue(self.top_row())
            area = self.viewport().geometry()
            self._bar.setGeometry(area.right() + 1, area.top(), wide, area.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange_bar()
        before, now = event.oldSize().width(), self.viewport().width()
        anchor, position = self._meant()
        if anchor != position and now < before and now < self._rectangle(max(anchor, position)).right() <= before:
            self._reveal_across(*self.selection())  # what is marked stays in sight when a scroll bar takes its room

    # -------------------------------------------------------------- cursor and selection

    def _meant(self) -> tuple[int, int]:
        """Anchor and position of the cursor in the text, also where they lie beyond the window."""
        cursor = self.textCursor()
        anchor, position = cursor.anchor(), cursor.position()
        if self._pinned is not None:
            a, p, true_a, true_p = self._pinned
            meant = true_p if p == position else self._from_qt(position)
            return (true_a if a == anchor else self._from_qt(anchor)), meant
        return self._from_qt(anchor), self._from_qt(position)

    def _put_cursor(self, anchor: int, position: int) -> None:
        """Nothing is scrolled."""
        cursor = self.textCursor()
        a, p = self._to_qt(anchor), self._to_qt(position)
        cursor.setPosition(a)
        cursor.setPosition(p, QTextCursor.MoveMode.KeepAnchor)
        value = self.verticalScrollBar().value()
        self._loading, before = True, self._loading
        self.setTextCursor(cursor)
        self.verticalScrollBar().setValue(value)
        self._loading = before
        self._pinned = (a, p, anchor, position) if (self._from_qt(a), self._from_qt(p)) != (anchor, position) else None

    def selection(self) -> tuple[int, int]:
        """What is marked, [start, end) in Python positions."""
        anchor, position = self._meant()
        return min(anchor, position), max(anchor, position)

    def cursor_line(self) -> int:
        """The line of the cursor, counted from 0."""
        if not self.isReadOnly():
            return self.textCursor().blockNumber()
        return self._rows.line_of(self._meant()[1])

    def select(self, start: int, end: int) -> None:
        """Select these characters and show them; nothing is announced."""
        across = self.horizontalScrollBar().value()
        self.reveal(start)
        self._put_cursor(start, end)
        self.horizontalScrollBar().setValue(across)  # Qt scrolls half a page as soon as the cursor stands at an edge
        self._reveal_across(start, end)

    def _reveal_across(self, start: int, end: int) -> None:
        """Scroll sideways no more than it takes to see these characters, their beginning at least."""
        left, right = (self._rectangle(position) for position in (start, end))
        bar, wide = self.horizontalScrollBar(), self.viewport().width()
        aside = BESIDE * self.fontMetrics().horizontalAdvance("0")
        if left.left() < 0:
            bar.setValue(max(0, bar.value() + left.left() - aside))
        elif right.right() > wide and right.top() == left.top():
            bar.setValue(bar.value() + min(right.right() - wide + aside, max(left.left() - aside, 0)))
        elif left.left() > wide:
            bar.setValue(bar.value() + left.left() - wide + aside)

    def _rectangle(self, position: int) -> QRect:
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._to_qt(position))
        return self.cursorRect(cursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        across = self.horizontalScrollBar().value()
        cursor = self.textCursor()
        plain = event.button() == Qt.MouseButton.LeftButton and event.modifiers() == Qt.KeyboardModifier.NoModifier
        here = self.cursorForPosition(event.position().toPoint())
        if self.isReadOnly() and plain and cursor.selectionStart() <= here.position() <= cursor.selectionEnd():
            self.setTextCursor(here)  # Qt would drag the words away; here a drag marks, wherever it begins
        super().mousePressEvent(event)
        self.horizontalScrollBar().setValue(across)  # what is clicked is seen

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        across = self.horizontalScrollBar().value()
        super().mouseDoubleClickEvent(event)
        self.horizontalScrollBar().setValue(across)

    def _to_qt(self, position: int) -> int:
        """Qt's position of a character, or of the end of the window that is nearer."""
        rows = self.rows
        row = rows.row_of(max(0, min(position, len(rows.text))))
        if row < self._first:
            return 0
        if row >= self._first + self._held:
            return self.document().characterCount() - 1
        start, end = rows.span(row)
        within = utf16_length(rows.text[start : max(start, min(position, end))])
        return self.document().findBlockByNumber(row - self._first).position() + within

    def _from_qt(self, position: int) -> int:
        rows = self.rows
        block = self.document().findBlock(position)
        start, end = rows.span(min(self._first + max(0, block.blockNumber()), len(rows) - 1))
        return start + from_utf16(rows.text[start:end], position - block.position())

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is copied is the text, without the breaks of rows in pieces and with what lies beyond the window."""
        data, (start, end) = QMimeData(), self.selection()
        data.setText(self.text()[start:end])
        return data

    def insertFromMimeData(self, source: QMimeData) -> None:
        self.textCursor().insertText(unified(source.text()))

    def selectAll(self) -> None:
        self.index_all()
        self._put_cursor(0, len(self.text()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.windowed:
            super().keyPressEvent(event)
            return
        for key, (end, keep) in _ENDS.items():
            if event.matches(key):
                self.index_all()
                position = len(self.text()) if end else 0
                anchor = self._meant()[0] if keep else position
                self.reveal(position)
                self._put_cursor(anchor, position)
                return
        if event.matches(_Key.SelectAll):
            self.selectAll()
            return
        if self._pinned is not None and not event.matches(_Key.Copy):
            anchor, position = self._meant()  # the key moves the cursor from where it is meant to be
            self.reveal(position)
            self._put_cursor(anchor, position)
        super().keyPressEvent(event)
