"""An input file with placeholders, beside it the file as the program gets it or as it was opened; both scroll together."""

from __future__ import annotations

import re
from collections.abc import Collection

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSplitter, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from bayescope.engine.problem import placeholders
from bayescope.engine.problem.numbers.numbers_in_text import numbers
from bayescope.gui.models.simulator.texts.text_changes import Changes, changes
from bayescope.gui.models.simulator.texts.text_rows import unified
from bayescope.gui.style.icons import icon
from bayescope.gui.style.theme import theme
from bayescope.gui.widgets.elided import ElidedLabel
from bayescope.gui.widgets.first_uses import FirstUses
from bayescope.gui.widgets.forms import Choice
from bayescope.gui.widgets.template_editor import TemplateEditor
from bayescope.gui.widgets.text_pane import TextPane

_REMARK = re.compile(r"(?:^|\s)(?:[#!%;]|//|--).*$")
HINT = "Double-click each unknown, or drag over several"
SHORTER = "Double-click the unknowns"  # in a narrow window
TEXT_LINES = 4  # at least shown
EDITING = "Type; “Done” ends it"
READ_ONLY = "Press “Edit text” to type"
GUTTER = 60  # pixels of line numbers and a scroll bar
LOOKED_AT, FARTHEST = 400, 100  # lines, and characters of a line, within which numbers are to be in sight


def reach(text: str) -> int:
    """Characters from the margin to the end of the number that stands farthest to the right, remarks aside."""
    lines = (_REMARK.sub("", line) for line in text.split("\n", LOOKED_AT)[:LOOKED_AT])
    ends = (number.end for line in lines for number in numbers(line[: 2 * FARTHEST], 0, min(len(line), 2 * FARTHEST)))
    return max((end for end in ends if end <= FARTHEST), default=0)


class DeckView(QSplitter):
    """``editor``, ``filled`` and ``original`` are its panes."""

    edit_asked = Signal()  # somebody wants to type where that is asked about first
    _heads: tuple[QWidget, ...] = ()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.changes: Changes | None = None  # None: the original is not known
        self._compared: tuple[str, str] | None = None
        self._syncing = self._asks = False
        self._by_hand = False  # whether the user moved the line between both
        self._reach = 0  # characters to the end of the numbers farthest to the right
        self.splitterMoved.connect(self._moved)
        self.editor = TemplateEditor("Template text", main=True)
        self.filled = TextPane("The filled file at the values of the test run")
        self.original = TextPane("The file as it was opened")
        self.uses = FirstUses(HINT, SHORTER)
        self.edit_button = QPushButton("Edit te&xt")
        self.edit_button.setToolTip("Type in the text. Until then no key changes it.")
        self.beside = Choice(
            "Shown beside the template", "The file as the program gets it at the values of the test run, or as you opened it."
        )
        self.beside.setMinimumContentsLength(8)  # beside it stands how many lines differ
        self.difference = ElidedLabel("hint")
        self.before = self._step_button("Previous line that differs", "Shift+F7", False)
        self.after = self._step_button("Next line that differs", "F7", True)
        for pane in (self.editor, self.filled, self.original):
            pane.setMinimumHeight(pane.height_of(TEXT_LINES))
        self.stack = QStackedWidget()
        self.stack.addWidget(self.filled)
        self.stack.addWidget(self.original)
        self._build()
        self._connect()

    def _step_button(self, words: str, key: str, forward: bool) -> QToolButton:
        made = QToolButton()
        made.setAccessibleName(words)
        made.setToolTip(f"{words} ({key})")
        made.clicked.connect(lambda: self.step_difference(forward))
        shortcut = QShortcut(QKeySequence(key), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(lambda: self.step_difference(forward))
        return made

    def _build(self) -> None:
        for head, body in (
            ((self.uses, self.edit_button), self.editor),
            ((self.beside, self.difference, self.before, self.after), self.stack),
        ):
            side, line = QWidget(), QHBoxLayout()
            line.setSpacing(6)
            for widget in head:
                line.addWidget(widget, int(isinstance(widget, (FirstUses, ElidedLabel))))
            column = QVBoxLayout(side)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(6)
            top = QWidget()
            line.setContentsMargins(0, 0, 0, 0)
            top.setLayout(line)
            self._heads = (*self._heads, top)
            column.addWidget(top)
            column.addWidget(body, 1)
            self.addWidget(side)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(10)
        self.setSizes([500, 500])
        self._level_heads()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self._heads:
            self._level_heads()

    def _level_heads(self) -> None:
        """Both texts begin at the same height."""
        for top in self._heads:
            top.setFixedHeight(self.edit_button.sizeHint().height() + 2)

    def _connect(self) -> None:
        self.edit_button.clicked.connect(self._edit_pressed)
        self.editor.editing_changed.connect(self._editing_changed)
        self.editor.refused.connect(lambda: self.editor.strip.say(READ_ONLY))
        self.uses.chosen.connect(self.show_first_use)
        self.beside.chosen.connect(lambda key: self._show_beside(key))
        theme.changed.connect(self._icons)
        self._icons()
        for pane in (self.editor, self.filled, self.original):
            pane.top_changed.connect(lambda line, pane=pane: self._follow(pane, line))
            pane.horizontalScrollBar().valueChanged.connect(lambda value, pane=pane: self._follow_across(pane, value))

    def _icons(self) -> None:
        self.before.setIcon(icon("chevron-up"))
        self.after.setIcon(icon("chevron-down"))

    # -------------------------------------------------------------- what is shown

    def show_template(
        self, text: str, original: str | None, known: Collection[str], locked: bool, asks: bool = False
    ) -> None:
        """``known``: the names of the parameters; ``locked``: nothing may be changed; ``asks``: but by way of a question."""
        if locked:
            self.editor.end_editing()
        self._asks = locked and asks
        self.edit_button.setEnabled(not locked or asks)
        self._say_hint(locked)
        self.editor.set_known(known)
        self.editor.show_text(text)
        text = unified(text)
        self._reach = reach(text)
        self._share()
        self._show_uses(text, known)
        self._compare(text, None if original is None else unified(original))

    def _moved(self) -> None:
        self._by_hand = True

    def _share(self) -> None:
        """Where two halves cut numbers off, the text that is marked gets the room that they need, as far as the other pane's head
        leaves it."""
        whole = self.width() - self.handleWidth()
        if self._by_hand or whole <= 0:
            return
        beside = self.editor.width() - self.editor.viewport().width() if self.editor.viewport().width() > 0 else 0
        wanted = self._reach * self.editor.fontMetrics().horizontalAdvance("0") + max(beside, GUTTER)
        width = max(whole // 2, min(wanted, whole - self._heads[1].minimumSizeHint().width()))
        if self.sizes()[0] != width:
            self.setSizes([width, whole - width])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def _say_hint(self, locked: bool) -> None:
        if locked:
            self.uses.set_hint("Where the parameters stand")
        elif self.editor.editing:
            self.uses.set_hint(EDITING)
        else:
            self.uses.set_hint(HINT, SHORTER)

    def _show_uses(self, text: str, known: Collection[str]) -> None:
        wanted, found, line, at = set(known), [], 1, 0
        for name, start, _ in placeholders.find(text):
            if name in wanted:
                wanted.discard(name)
                line, at = line + text.count("\n", at, start), start
                found.append((name, line))
        self.uses.show_uses(found)

    def _compare(self, text: str, original: str | None) -> None:
        choices = [("filled", "As it is run")]
        if original is None:
            self._compared, self.changes = None, None
        else:
            choices.append(("original", "As opened"))
            if (original, text) != self._compared:
                self._compared, self.changes = (original, text), changes(original, text)
            self.original.set_text(original)
        key = self.beside.key() if original is not None else "filled"
        self.beside.offer(choices, key or "filled")
        self._show_beside(self.beside.key())
        found = self.changes
        self.difference.say(
            "" if found is None else found.words(),
            "The original is not known." if found is None else f"{found.words()}: step through with F7 and Shift+F7",
            "" if found is None else found.words().removesuffix(" from the original").removesuffix(", else as the original"),
        )
        for button in (self.before, self.after):
            button.setEnabled(bool(found and found.count))
        self.editor.set_changed_lines(found.lines() if found else ())
        self.filled.set_changed_lines(found.lines() if found else ())
        self.original.set_changed_lines(found.original_lines() if found else ())

    def _show_beside(self, key: str) -> None:
        self.stack.setCurrentWidget(self.original if key == "original" else self.filled)
        self._follow(self.editor, self.editor.top_line())

    # -------------------------------------------------------------- steps

    def show_first_use(self, name: str) -> None:
        """Select the first placeholder of this parameter."""
        for found, start, end in placeholders.find(self.editor.text()):
            if found == name:
                self.editor.select(start, end)
                self.editor.setFocus()
                return

    def step_difference(self, forward: bool = True) -> None:
        """Select the next (previous) line that differs from the original; from the other end again when there is none."""
        lines = self.changes.lines() if self.changes is not None else []
        if not lines:
            return
        here, rows = self.editor.cursor_line(), self.editor.rows
        if forward:
            line = next((k for k in lines if k > here or (k == here and not self._on_difference())), lines[0])
        else:
            line = next((k for k in reversed(lines) if k < here), lines[-1])
        start = rows.start_of_line(line)
        self.editor.select(
            start, max(start, rows.start_of_line(line + 1) - 1) if line + 1 < rows.n_lines else len(rows.text)
        )
        nth = 1 + lines.index(line)
        self.editor.strip.say(f"Difference {nth:,} of {len(lines):,}")

    def _on_difference(self) -> bool:
        """Whether a whole line is selected, as a step does."""
        start, end = self.editor.selection()
        rows = self.editor.rows
        return end > start and start == rows.start_of_line(rows.line_of(start))

    # -------------------------------------------------------------- both together

    def _follow(self, pane: TextPane, line: int) -> None:
        """Scroll the pane beside ``pane`` to the line that stands there."""
        beside = self.stack.currentWidget()
        other = beside if pane is self.editor else self.editor
        if self._syncing or not isinstance(other, TextPane) or pane not in (self.editor, beside):
            return
        self._syncing = True
        if len(pane.rows) != pane.rows.n_lines and len(pane.rows) == len(other.rows):
            other.show_row(pane.top_row())  # long lines in pieces
        elif self.original in (pane, other) and self.changes is not None:
            other.show_line(self.changes.in_original(line) if pane is self.editor else self.changes.in_text(line))
        else:
            other.show_line(line)
        self._syncing = False

    def _follow_across(self, pane: TextPane, value: int) -> None:
        if pane in (self.editor, self.stack.currentWidget()):
            for other in (self.editor, self.filled, self.original):
                if other is not pane:
                    other.horizontalScrollBar().setValue(value)

    # -------------------------------------------------------------- editing

    def _edit_pressed(self) -> None:
        if self._asks:
            self.edit_asked.emit()
            return
        if self.editor.editing:
            self.editor.end_editing()
        else:
            refused = self.editor.start_editing()
            if refused:
                self.editor.strip.say(refused)
        self.editor.setFocus()

    def _editing_changed(self, on: bool) -> None:
        self.edit_button.setText("D&one" if on else "Edit te&xt")
        self.edit_button.setToolTip(
            "Back to reading and marking." if on else "Type in the text. Until then no key changes it."
        )
        self._say_hint(locked=False)
