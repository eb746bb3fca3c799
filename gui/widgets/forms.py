"""Form rows: a label with a mnemonic, the field, a hint, and the place where validation speaks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, cast

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from bayescope.gui.models.plain import one_line, writable
from bayescope.gui.style.theme import repolish
from bayescope.gui.widgets.elided import ElidedCombo
from bayescope.gui.widgets.notices import FieldNotice, Notice, label
from bayescope.gui.widgets.scrolling import VerticalScroll

if TYPE_CHECKING:
    from bayescope.engine.problem.checks.validate import Finding

MAX_TYPED = 10_000
LEAST_SCROLLED = 75  # pixels: two rows


class LineField(QLineEdit):
    """A line edit that announces a finished edit once, and whose text can be refreshed without disturbing typing.

    What was ``refuse``d stays to be corrected, and holds up the page it is on (``Page.hold``); Escape puts back what was there.
    """

    committed = Signal(str)

    def __init__(self, name: str, tip: str = "", placeholder: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.setPlaceholderText(placeholder)
        self.setMaxLength(MAX_TYPED)
        self._shown = ""
        self._truth = ""  # the text of the value in use
        self.refused = ""  # why the text that stands here cannot be used
        self.editingFinished.connect(self.finish)

    def show_text(self, text: str) -> None:
        """The truth is ``text``. What is being typed is kept until it is finished or given up (Escape)."""
        changed, self._truth = text != self._truth, text
        if self.refused:
            if not changed:
                return
            self._hold("")
        typing = self.window().focusWidget() is self  # hasFocus() is false while another program's window is in front
        if text == self._shown and (typing or self.text() == text):
            return
        self._shown = text
        with QSignalBlocker(self):
            if self.text() != text:
                all_of_it = self.hasSelectedText() and self.selectedText() == self.text()  # to be typed over, as after Tab
                self.setText(text)
                self.setCursorPosition(0)
                if all_of_it:
                    self.selectAll()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The whole of a number, or of a path: Qt would select up to its dot only."""
        super().mouseDoubleClickEvent(event)
        if not re.search(r"\s", self.text().strip()):
            self.selectAll()

    def give_up(self) -> None:
        """Put back the text of the value in use."""
        self._shown = self._truth
        self.setText(self._truth)
        if self.refused:
            self._hold("")

    def drop(self) -> None:
        """Another thing is to be shown here: what was refused is given up, and that is said."""
        page, typed = _page_of(self), self.text()
        if self.refused:
            self.give_up()
            if page is not None:
                page.say_dropped(f"“{one_line(typed, 40)}” was not taken for {self.accessibleName()}: its value is as before.")

    def finish(self) -> None:
        """Announce what was typed, if it is something new."""
        if self.text() == self._shown:
            return
        before, self.refused = self.refused, ""
        self._shown = self.text()
        self.committed.emit(writable(self.text()))
        if before and not self.refused:
            self._hold("")

    def refuse(self, words: str, of: str = "") -> None:
        """The last committed text cannot be used: ``words`` say why, ``of`` what it is of; finishing again announces it again."""
        self._shown = "\x00"
        self._hold(words, f"{one_line(of, 40)}: {words}" if of else words)

    def _hold(self, words: str, said: str = "") -> None:
        self.refused = words
        set_state(self, "error" if words else "")
        page = _page_of(self)
        if page is not None:
            page.hold(self, said or words)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text() != self._truth and not self.isReadOnly():
            self.give_up()
            return
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.window().focusWidget() is not self:
            event.accept()  # what it finished moved the focus on: it presses no button that has it now

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.setCursorPosition(0)


class _Page(Protocol):
    """What a field needs of the page it is on."""

    def hold(self, field: object, words: str) -> None: ...
    def say_dropped(self, words: str) -> None: ...


def _page_of(widget: QWidget) -> _Page | None:
    parent = widget.parentWidget()
    while parent is not None and not hasattr(parent, "say_dropped"):
        parent = parent.parentWidget()
    return cast("_Page | None", parent)


def commit_typing(window: QWidget) -> None:
    """What is being typed in ``window`` counts: a shortcut does not take the focus from its field."""
    field = window.focusWidget()
    if isinstance(field, LineField):
        field.finish()
    elif isinstance(field, QLineEdit):
        field.clearFocus()  # the editor of a cell closes


def refusal(label: str, text: str, error: ValueError) -> str:
    """Why ``text`` cannot be the value of the field ``label``."""
    name = label.replace("&", "")
    return str(error) if text.strip() else f"“{name}” is empty; it needs a value."


class Choice(ElidedCombo):
    """A combo box of (key, words); the wheel scrolls the page, not the choice."""

    chosen = Signal(str)  # key; only when the user chose

    def __init__(self, name: str, tip: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(10)
        self.activated.connect(lambda i: self.chosen.emit(str(self.itemData(i))))

    def offer(self, choices: Iterable[tuple[str, str]], current: str) -> None:
        """Show these choices with ``current`` chosen; a current that is not among them is shown as missing."""
        wanted = list(choices)
        keys = [k for k, _ in wanted]
        if current not in keys:
            wanted.insert(0, (current, f"“{current[:60]}” (missing)" if current else "Choose…"))
        with QSignalBlocker(self):
            if [(self.itemData(i), self.itemText(i)) for i in range(self.count())] != wanted:
                self.clear()
                for key, words in wanted:
                    self.addItem(words, key)
            self.setCurrentIndex([k for k, _ in wanted].index(current))

    def key(self) -> str:
        data = self.currentData()
        return "" if data is None else str(data)

    def choose(self, key: str) -> None:
        """As the user would."""
        for i in range(self.count()):
            if self.itemData(i) == key:
                self.setCurrentIndex(i)
                self.chosen.emit(key)
                return

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class Form(QWidget):
    """Rows of label and field. ``where``: the prefix of the findings shown under the field."""

    _named: Sequence[tuple[QLabel, QWidget]] = ()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(14)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        self._row = 0
        self._places: list[tuple[str, QWidget, FieldNotice]] = []
        self._named = []

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            for name, field in self._named:
                _beside(name, field)

    def add(
        self, title: str, field: QWidget, *, hint: str | QLabel = "", where: str = "", unit: str = ""
    ) -> FieldNotice:
        """``title`` with its mnemonic (&); the field is its buddy. None: a check box, which says its own name."""
        if not field.accessibleName():
            field.setAccessibleName(title.replace("&", ""))
        notice = FieldNotice()
        column = QVBoxLayout()
        column.setSpacing(3)
        line = QHBoxLayout()
        line.setSpacing(8)
        short = field.maximumWidth() < 1000
        line.addWidget(field, 40)
        if unit:
            line.addWidget(label(unit, "hint"))
        line.addWidget(notice.with_beside(field), 60 if short else 40)  # of the room that a short field leaves, all
        if short:
            line.addStretch(1)
        column.addLayout(line)
        if hint:
            column.addWidget(hint if isinstance(hint, QLabel) else label(hint, "hint", wrap=True))
        column.addWidget(notice)
        if title:
            name = label()
            name.setTextFormat(Qt.TextFormat.PlainText)
            name.setText(title)
            name.setBuddy(field)
            self._grid.addWidget(name, self._row, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            _beside(name, field)
            self._named = [*self._named, (name, field)]
        self._grid.addLayout(column, self._row, 1 if title else 0, 1, 1 if title else 2)
        self._row += 1
        if where:
            self._places.append((where, field, notice))
        return notice

    def add_wide(self, widget: QWidget) -> None:
        self._grid.addWidget(widget, self._row, 0, 1, 2)
        self._row += 1

    def label_width(self) -> int:
        """Pixels that the widest label needs."""
        cells = (self._grid.itemAtPosition(row, 0) for row in range(self._row))
        labels = (cell.widget() for cell in cells if cell is not None)
        return max((w.sizeHint().width() for w in labels if isinstance(w, QLabel)), default=0)

    def set_label_width(self, width: int) -> None:
        self._grid.setColumnMinimumWidth(0, width)

    def show_findings(self, findings: Sequence[Finding]) -> None:
        """Each finding under the field with the longest matching ``where``; the field's border says it too."""
        for where, field, notice in self._places:
            mine = [f for f in findings if f.where == where or f.where.startswith((where + ".", where + "["))]
            show_at(field, notice, mine)


def align_labels(forms: Iterable[Form]) -> None:
    """Forms above each other look like one."""
    forms = list(forms)
    width = max((form.label_width() for form in forms), default=0)
    for form in forms:
        form.set_label_width(width)


def show_at(field: QWidget, notice: FieldNotice, findings: Sequence[Finding], asks: bool = False) -> None:
    """``asks``: what is missing is told as a note."""
    if isinstance(field, LineField) and field.refused:
        return  # of what stands there now there is no finding
    worst = next((f for f in findings if f.level == "error"), findings[0] if findings else None)
    if worst is None:
        notice.clear()
        set_state(field, "")
        return
    notice.say("info" if asks else worst.level, worst.message, worst.suggestion)
    set_state(field, "" if asks else worst.level)


def say_first(notice: Notice | FieldNotice, findings: Sequence[Finding], asks: bool = False) -> None:
    """The worst of the findings in the notice; nothing if there are none. ``asks``: what is missing is told as a note."""
    worst = next((f for f in findings if f.level == "error"), findings[0] if findings else None)
    if worst is None:
        notice.clear()
    else:
        notice.say("info" if asks else worst.level, worst.message, worst.suggestion)


def set_state(field: QWidget, state: str) -> None:
    if (field.property("state") or "") != state:
        field.setProperty("state", state)
        repolish(field)


def card(*parts: QWidget, title: str = "", hint: str = "", spacing: int = 10) -> QFrame:
    """A framed group with a heading."""
    frame = QFrame()
    frame.setProperty("role", "card")
    box = QVBoxLayout(frame)
    box.setContentsMargins(16, 14, 16, 16)
    box.setSpacing(spacing)
    if title:
        box.addWidget(label(title, "heading"))
    if hint:
        box.addWidget(label(hint, "hint", wrap=True))
    for part in parts:
        box.addWidget(part)
    return frame


def scrolled(*parts: QWidget, margin: int = 0) -> VerticalScroll:
    """The parts above each other, scrolling when the window is small. Never narrower than they are: nothing is cut."""
    inner = QWidget()
    box = QVBoxLayout(inner)
    box.setContentsMargins(margin, margin, margin, margin)
    box.setSpacing(14)
    for part in parts:
        box.addWidget(part)
    box.addStretch(1)
    return VerticalScroll(inner, LEAST_SCROLLED)


def beside(*parts: QWidget | int, spacing: int = 8) -> QWidget:
    """The parts in a line; an int is a stretch."""
    made = QWidget()
    line = QHBoxLayout(made)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(spacing)
    for part in parts:
        if isinstance(part, int):
            line.addStretch(part)
        else:
            line.addWidget(part, 1 if isinstance(part, QLineEdit | QLabel) and part.property("grow") else 0)
    return made


def _beside(name: QLabel, field: QWidget) -> None:
    """``name`` stands beside the middle of a line of ``field``."""
    field.ensurePolished()
    name.setMinimumHeight(min(field.sizeHint().height(), 40))
