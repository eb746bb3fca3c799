"""The line above a text pane: where the cursor is, next and previous number; find and go to line take the same place."""

from __future__ import annotations

from typing import Literal, Protocol

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QSizePolicy, QToolButton, QWidget

from bayescope.gui.models.simulator.texts.text_rows import Rows
from bayescope.gui.models.simulator.texts.text_search import Search
from bayescope.gui.style.icons import icon
from bayescope.gui.style.theme import theme
from bayescope.gui.widgets.elided import ElidedLabel

Mode = Literal["", "find", "line"]


class Pane(Protocol):
    """The text pane, as far as the line above it asks for something or tells it what to show."""

    @property
    def rows(self) -> Rows: ...
    def text(self) -> str: ...
    def isReadOnly(self) -> bool: ...
    def blockCount(self) -> int: ...
    def hasFocus(self) -> bool: ...
    def cursor_line(self) -> int: ...
    def lines_seen(self) -> tuple[int, int]: ...
    def selection(self) -> tuple[int, int]: ...
    def select(self, start: int, end: int) -> None: ...
    def go_to_line(self, line: int) -> int: ...
    def step_number(self, forward: bool = True) -> bool: ...
    def open_find(self) -> None: ...
    def show_hits(self, search: Search) -> None: ...
    def strip_closed(self) -> None: ...


class PaneStrip(QFrame):
    """As high open as closed, so that nothing below it moves. The pane calls ``moved`` and ``tell`` when what is said changes."""

    LONGEST = 200  # characters that are looked for; a longer selection is no wish to find it

    def __init__(self, pane: Pane, parent: QWidget) -> None:
        super().__init__(parent)
        self._pane = pane
        self._mode: Mode = ""
        self._search: Search | None = None
        self._current: int | None = None  # which of the places found
        self._why_part = ""
        self._wish: tuple[int, bool] | None = None  # go to the first place at or after (True) or before a position
        self._said = self._part = ""
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setProperty("role", "strip")
        self.field = QLineEdit()
        self.field.setAccessibleName("Find in the text")
        self.field.setMaxLength(self.LONGEST)
        self.field.setMinimumWidth(60)
        self.field.textEdited.connect(self._typed)
        self.field.installEventFilter(self)
        self.words = ElidedLabel("hint")
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.case = self._button("Aa", "Upper and lower case matter")
        self.case.setCheckable(True)
        self.case.toggled.connect(lambda on: self._look(self._pane.selection()[0]))
        self.before = self._button("", "Previous place (Shift+F3, Shift+Return)")
        self.before.clicked.connect(lambda: self.step(False))
        self.after = self._button("", "Next place (F3, Return)")
        self.after.clicked.connect(lambda: self.step(True))
        self.close_button = self._button("", "Close (Esc)")
        self.close_button.clicked.connect(self.close_field)
        self.find_button = self._button("", "Find (Ctrl+F)")
        self.find_button.clicked.connect(self._pane_find)
        self.number_before = self._button("‹ #", "Previous number (Shift+F8)")
        self.number_before.clicked.connect(lambda: self._pane.step_number(False))
        self.number_after = self._button("# ›", "Next number (F8)")
        self.number_after.clicked.connect(lambda: self._pane.step_number(True))
        line = QHBoxLayout(self)
        line.setContentsMargins(6, 1, 2, 1)
        line.setSpacing(2)
        line.addWidget(self.field, 3)
        line.addWidget(self.words, 2)
        for button in self._buttons:
            line.addWidget(button)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look_on)
        theme.changed.connect(self._icons)
        self._icons()
        self._arrange("")

    @property
    def _buttons(self) -> tuple[QToolButton, ...]:
        finding = (self.case, self.before, self.after, self.close_button)
        return (*finding, self.find_button, self.number_before, self.number_after)

    def _button(self, text: str, tip: str) -> QToolButton:
        made = QToolButton()
        made.setText(text)
        made.setToolTip(tip)
        made.setAccessibleName(tip.partition(" (")[0])
        made.setAutoRaise(True)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the focus in the text
        return made

    def _icons(self) -> None:
        for button, name in (
            (self.before, "chevron-up"),
            (self.after, "chevron-down"),
            (self.close_button, "cross"),
            (self.find_button, "search"),
        ):
            button.setIcon(icon(name))

    def _pane_find(self) -> None:
        self._pane.open_find()

    # -------------------------------------------------------------- what is shown

    @property
    def opened(self) -> bool:
        return bool(self._mode)

    def _arrange(self, mode: Mode) -> None:
        self._mode = mode
        self.words.setMinimumWidth(self.fontMetrics().horizontalAdvance("1,234 of 1,234") if mode else 0)
        self.field.setVisible(bool(mode))
        for button in (self.case, self.before, self.after):
            button.setVisible(mode == "find")
        self.close_button.setVisible(bool(mode))
        for button in (self.find_button, self.number_before, self.number_after):
            button.setVisible(not mode)
        self.tell()

    def open_find(self, text: str) -> None:
        """Show the field with ``text`` (empty: what was looked for last) and type there."""
        self._arrange("find")
        self.field.setPlaceholderText("Find")
        self.field.setAccessibleName("Find in the text")
        self.field.setText(text or (self._search.wanted if self._search is not None else ""))
        self.field.selectAll()
        self.field.setFocus()
        self._look(self._pane.selection()[0])

    def open_line(self) -> None:
        """Ask for the number of a line."""
        self._arrange("line")
        self.field.setPlaceholderText("Line")
        self.field.setAccessibleName("Go to line")
        self.field.clear()
        self.field.setFocus()

    def close_field(self) -> None:
        self._timer.stop()
        self._arrange("")
        self._pane.strip_closed()

    def say(self, words: str) -> None:
        """Say something for the time until the cursor moves."""
        self._said = words
        self.tell()

    def text_changed(self) -> None:
        """The pane shows another text: what was found in the old one is nothing."""
        self._said = ""
        if self._mode == "find":
            self._look(None)
        else:
            if self._search is not None:
                self._search = Search("", self._search.wanted)
            self.tell()

    def set_part(self, words: str, why: str) -> None:
        """That not all of the text is shown or can be used, in a few words; ``why``: the tool tip."""
        self._part, self._why_part = words, why
        self.tell()

    def moved(self) -> None:
        """The cursor is elsewhere."""
        self._said = ""
        self.tell()

    def tell(self) -> None:
        part = f" · {self._part}" if self._part and not self._mode and not self._said else ""
        self.words.say(f"{self._sentence()}{part}", self._why_part if part else "")

    def _sentence(self) -> str:
        if self._said:
            return self._said
        lines = self._pane.blockCount() if not self._pane.isReadOnly() else self._pane.rows.n_lines
        more = "" if self._pane.rows.complete else " …"
        if self._mode == "line":
            return f"of {lines:,}{more}"
        if self._mode == "" and not self._pane.hasFocus():
            return f"{lines:,} line{'' if lines == 1 else 's'}{more}"
        if self._mode == "":
            now, (first, last) = self._pane.cursor_line(), self._pane.lines_seen()
            if self._pane.isReadOnly() and not first <= now <= last:  # scrolled since, by the wheel or to what is marked
                return f"Lines {first + 1:,}–{last + 1:,} of {lines:,}{more}"
            return f"Line {now + 1:,} of {lines:,}{more}"
        if self._search is None or not self._search.wanted:
            return ""
        found, going_on = len(self._search.starts), "" if self._search.complete else " …"
        if self._current is not None:
            return f"{self._current + 1:,} of {found:,}{going_on}"
        return f"{found:,} found{going_on}" if found else f"Searching{going_on}" if going_on else "Not found"

    def sizeHint(self) -> QSize:
        return QSize(160, self.fontMetrics().height() + 12)

    # -------------------------------------------------------------- finding

    def _typed(self, text: str) -> None:
        if self._mode == "find":
            self._look(self._pane.selection()[0])

    def _look(self, origin: int | None) -> None:
        """Begin a new search; go to the first place at or after ``origin`` (None: stay)."""
        self._search = Search(self._pane.text(), self.field.text(), self.case.isChecked())
        self._current = None
        self._wish = None if origin is None else (origin, True)
        if not self._search.complete:
            self._timer.start(0)
        self._look_on()

    def _look_on(self) -> None:
        search = self._search
        if search is None or search.grow():
            self._timer.stop()
        if search is not None:
            self._grant()
            self._pane.show_hits(search)
        self.tell()

    def _grant(self) -> None:
        """Go to the place wished for as soon as it is known."""
        search = self._search
        if search is None or self._wish is None:
            return
        position, forward = self._wish
        if forward:
            k = search.at_or_after(position)
            if k is None and search.complete:
                k = 0  # from the beginning again
        else:
            k = search.before(position) if search.complete or position <= search.looked else None
            if k is None and search.complete:
                k = len(search.starts) - 1
        if k is None or not search.starts:
            self._wish = None if search.complete else self._wish
            return
        self._wish = None
        self._pane.select(search.starts[k], search.starts[k] + search.length)
        self._current = k

    def step(self, forward: bool = True) -> None:
        """The next or previous place of what is looked for; from the other end again when there is none."""
        if self._search is None or not self._search.wanted:
            self._pane.open_find()
            return
        if self._search.text is not self._pane.text():
            self._look(None)  # edited since, or another text
        start, end = self._pane.selection()
        self._wish = (max(end, start + (end > start)), True) if forward else (start, False)
        self._grant()
        self.tell()

    # -------------------------------------------------------------- keys

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                self.close_field()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._entered(not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
                return True
            if event.key() == Qt.Key.Key_F3:
                self.step(not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
                return True
        return super().eventFilter(watched, event)

    def _entered(self, forward: bool) -> None:
        if self._mode == "find":
            self.step(forward)
            return
        try:
            line = int(self.field.text().strip().replace(",", ""))
        except ValueError:
            self.words.say("A whole number")
            return
        self._pane.go_to_line(line)
        self.close_field()
