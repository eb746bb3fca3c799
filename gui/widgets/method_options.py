"""All options of a method, made from its options record: those often wanted in sight, all others in a fold with a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from bayescope.engine.problem.method_options import SOURCES, Option, OptionError, OptionsRecord, Value, options_of
from bayescope.gui.widgets.expander import Expander
from bayescope.gui.widgets.forms import Choice, LineField, set_state
from bayescope.gui.widgets.notices import FieldNotice, Notice, label

CHANGED = "● "  # before the title of an option that is not at its default
NUMBER_WIDTH = 170  # pixels


class OptionRow(QWidget):
    """Title, editor, what it does; its default, range and source; the way back to the default."""

    changed = Signal()

    def __init__(self, option: Option, method: str, value: Value, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.option, self._method, self.value = option, method, value
        self.name = option.title.replace("&", "")
        self._title = label(self.name)
        self.editor = self._made()
        self.back = QPushButton("Back to default")
        self.back.setProperty("kind", "link")
        self.back.setToolTip(f"Back to the default: {self._default_words()}")
        self.back.setAccessibleName(f"{self.name}: back to the default")
        self.back.clicked.connect(self.reset)
        self.notice = FieldNotice()
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.editor, 0 if isinstance(self.editor, LineField) else 1)
        if isinstance(self.editor, LineField):
            line.addStretch(1)
        line.addWidget(self.back)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(3)
        box.addWidget(self._title)
        self._title.setVisible(not isinstance(self.editor, QCheckBox))
        box.addLayout(line)
        box.addWidget(self.notice)
        box.addWidget(label(option.words, "caption" if option.often else "hint", wrap=True))
        facts = f"Default: {self._default_words()}. "
        facts += "" if option.choices or option.kind is bool else f"{option.range_words.capitalize()}. "
        if not option.often:
            box.addWidget(label(f"{facts}In files: {option.name}. Source: {option.source}.", "caption", wrap=True))
        self._show()

    @property
    def is_default(self) -> bool:
        return self.value == self.option.default

    @property
    def refused(self) -> str:
        """Why what stands in the field cannot be used, or empty."""
        return self.editor.refused if isinstance(self.editor, LineField) else ""

    def reset(self) -> None:
        """Back to the default."""
        if isinstance(self.editor, LineField):
            self.editor.give_up()
        self._take(self.option.default)

    def matches(self, typed: str) -> bool:
        """Whether all words typed are in what is said of it."""
        o = self.option
        said = " ".join((o.name, self.name, o.words, o.source, o.group, *(f"{k} {w}" for k, w in o.choices))).lower()
        return all(word in said for word in typed.lower().split())

    def _default_words(self) -> str:
        return dict(self.option.choices).get(str(self.option.default), self.option.text(self.option.default))

    def _made(self) -> QWidget:
        o = self.option
        if o.kind is bool:
            box = QCheckBox(o.title if o.often else self.name)
            box.setAccessibleName(self.name)
            box.setToolTip(o.words)
            box.toggled.connect(self._take)
            return box
        if o.choices:
            choice = Choice(self.name, o.words)
            choice.chosen.connect(self._take)
            return choice
        line = LineField(self.name, o.words)
        line.setMaximumWidth(NUMBER_WIDTH)
        line.committed.connect(self._typed)
        return line

    def _typed(self, text: str) -> None:
        assert isinstance(self.editor, LineField)
        try:
            value = self.option.of_text(text, self._method)
        except OptionError:
            words = f"{'It' if text.strip() else 'It is empty; it'} must be {self.option.range_words}."
            self.notice.say("error", words)
            self.editor.refuse(words, self.name)
            return
        self._take(value)

    def _take(self, value: Value) -> None:
        self.value = value
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        with QSignalBlocker(self.editor):
            if isinstance(self.editor, QCheckBox):
                self.editor.setChecked(bool(self.value))
            elif isinstance(self.editor, Choice):
                self.editor.offer(self.option.choices, str(self.value))
            elif isinstance(self.editor, LineField):
                self.editor.show_text(self.option.text(self.value))
                set_state(self.editor, "")
        self.notice.clear()
        mark = "" if self.is_default else CHANGED
        if isinstance(self.editor, QCheckBox) and not self.option.often:
            self.editor.setText(f"{mark}{self.name}")
        self._title.setText(f"{mark}{self.name}")
        self.back.setVisible(not self.is_default and not self.option.often)


class _Search(QLineEdit):
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()  # it would press the dialog's button
            return
        super().keyPressEvent(event)


class MethodOptions(QWidget):
    """The fold. ``often``: the rows to show elsewhere, always in sight. ``changed``: something was, or rows came and went."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.often = QWidget()
        self._often = QVBoxLayout(self.often)
        self._often.setContentsMargins(0, 0, 0, 0)
        self._often.setSpacing(10)
        self.rows: dict[str, OptionRow] = {}
        self._headings: dict[str, QWidget] = {}
        self._record: type[OptionsRecord] | None = None
        self.search = _Search()
        self.search.setPlaceholderText("Search options: kernel, stop, noise…")
        self.search.setAccessibleName("Search options")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.reset_all = QPushButton("All back to &default")
        self.reset_all.setAutoDefault(False)
        self.reset_all.clicked.connect(self._reset_all)
        self.none = label("", "hint", wrap=True)
        self.unknown = Notice()
        top = QHBoxLayout()
        top.addWidget(self.search, 1)
        top.addWidget(self.reset_all)
        self._list = QVBoxLayout()
        self._list.setSpacing(12)
        body = QWidget()
        inside = QVBoxLayout(body)
        inside.setContentsMargins(4, 4, 0, 0)
        inside.setSpacing(10)
        inside.addLayout(top)
        inside.addWidget(self.unknown)
        inside.addWidget(self.none)
        inside.addLayout(self._list)
        inside.addWidget(label(SOURCES, "hint", wrap=True))
        self.expander = Expander("&Options of the method…", body)
        self.expander.button.toggled.connect(self.changed)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 8, 0)  # clear of the scroll bar
        box.addWidget(self.expander)

    def show_options(self, record: type[OptionsRecord] | None, given: Mapping[str, Value], enabled: bool, why: str = "") -> None:
        """The options of ``record`` with the values ``given``, others at their defaults; ``why``: they cannot be changed."""
        self._clear()
        self._record = record
        known = () if record is None else options_of(record)
        for group in dict.fromkeys(one.group for one in known if not one.often):
            heading = label(group, "heading")
            self._headings[group] = heading
            self._list.addWidget(heading)
            for one in known:
                if one.group == group and not one.often:
                    self._list.addWidget(self._row(one, given, enabled, why))
        for one in known:
            if one.often:
                self._often.addWidget(self._row(one, given, enabled, why))
        self.often.setVisible(any(one.often for one in known))
        self.reset_all.setEnabled(enabled)
        self.setVisible(record is not None)
        strange = [name for name in given if name not in self.rows]
        if strange and record is not None and enabled:
            self.unknown.say("warning", f"This method has no option {' or '.join(strange)}: with OK they are left out.")
        elif why:
            self.unknown.say("info", why)
        else:
            self.unknown.clear()
        self._filter()

    def values(self) -> dict[str, Value]:
        """Those that are not at their defaults."""
        return {name: row.value for name, row in self.rows.items() if not row.is_default}

    def refused(self) -> OptionRow | None:
        """The first row whose field holds what cannot be used; it is brought into sight."""
        for row in self.rows.values():
            if isinstance(row.editor, LineField):
                row.editor.finish()
        wrong = next((row for row in self.rows.values() if row.refused), None)
        if wrong is not None:
            self.search.clear()
            self.expander.open()
            wrong.editor.setFocus()
        return wrong

    def _row(self, one: Option, given: Mapping[str, Value], enabled: bool, why: str) -> OptionRow:
        assert self._record is not None
        try:
            value = one.checked(given.get(one.name, one.default), self._record.METHOD)
        except OptionError:
            value = one.default  # validation has said that it cannot be used
        row = OptionRow(one, self._record.METHOD, value)
        row.changed.connect(self._count)
        for part in (row.editor, row.back):
            part.setEnabled(enabled)
            if why:
                part.setToolTip(why)
        self.rows[one.name] = row
        return row

    def _clear(self) -> None:
        for widget in (*self.rows.values(), *self._headings.values()):
            widget.hide()
            widget.setParent(None)
            widget.deleteLater()
        self.rows, self._headings = {}, {}

    def _reset_all(self) -> None:
        for row in self.rows.values():
            row.reset()

    def _filter(self) -> None:
        typed, shown = self.search.text(), set()
        inside: Sequence[OptionRow] = [row for row in self.rows.values() if not row.option.often]
        for row in inside:
            row.setVisible(row.matches(typed))
            shown |= {row.option.group} if row.matches(typed) else set()
        for group, heading in self._headings.items():
            heading.setVisible(group in shown)
        self.none.setText("" if shown or not inside else "No option says that. Try another word.")
        self.none.setVisible(bool(self.none.text()))
        self._count()

    def _count(self) -> None:
        inside = [row for row in self.rows.values() if not row.option.often]
        count = sum(not row.is_default for row in inside)
        words = "all at their defaults" if not count else f"{count} of {len(inside)} changed"
        self.expander.button.setText(f"&Options of the method… ({words})")
        self.reset_all.setEnabled(any(row.back.isEnabled() for row in self.rows.values()) and bool(self.values()))
        self.changed.emit()
