"""A form for one immutable record: shows its fields, announces the record with one field changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from bayescope.gui.models.data.errors.error_size import ErrorSize, beside_percentage, text_of_size
from bayescope.gui.models.data.errors.expanded_size import divided_words
from bayescope.gui.models.fields import Field, size_typed, text_of, value_of
from bayescope.gui.models.typed_functions import computed
from bayescope.gui.widgets.forms import Choice, Form, LineField, refusal, set_state, show_at
from bayescope.gui.widgets.notices import FieldNotice

if TYPE_CHECKING:
    from bayescope.engine.problem.checks.validate import Finding

NUMBERS = ("number", "positive", "optional_number", "optional_positive")
SHORT = (
    *NUMBERS, "count", "time", "optional_count", "zero_based",
    "optional_zero_based",
)  # fmt: skip
NEW = "new parameter"  # no name of a parameter: it has a space
MAYBE = (("none", "Find out"), ("yes", "Yes"), ("no", "No"))


class StructForm(QWidget):
    """``changed`` carries the new record. ``names``: what ``data_column`` and ``parameter`` fields offer."""

    changed = Signal(object)
    typing = Signal(str)  # the text of a field as it is typed, before it is taken
    parameter_wanted = Signal()  # the entry for a new parameter was chosen

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._record: msgspec.Struct | None = None
        self._fields: tuple[Field, ...] = ()
        self._editors: dict[str, QWidget] = {}
        self._notices: dict[str, FieldNotice] = {}
        self._columns: tuple[str, ...] = ()
        self._texts: tuple[str, ...] = ()
        self._parameters: tuple[str, ...] = ()
        self._new = ""
        self._outputs: tuple[str, ...] = ()
        self._keys: tuple[str, ...] = ()
        self._form: Form | None = None
        self._locked = False
        self.take_size: Callable[[str, ErrorSize], None] | None = None  # of a field; raises ValueError with words
        self.take_name: Callable[[str, str], bool] | None = None  # typed into a field; whether it was a name
        self._of = ""
        self._divided: dict[tuple[str, str], tuple[Any, str]] = {}  # by record and field: what became of what was typed
        self._as_typed: dict[tuple[str, str], tuple[Any, str]] = {}  # by record and field: 1/4.184, which stays to be read
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)

    def editor(self, name: str) -> QWidget:
        return self._editors[name]

    def editors(self) -> list[QWidget]:
        return list(self._editors.values())

    def try_again(self) -> None:
        """What was refused is taken where it can be used by now; not in the field that is being typed in."""
        for editor in self.editors():
            if isinstance(editor, LineField) and editor.refused and self.window().focusWidget() is not editor:
                editor.finish()

    @property
    def form(self) -> Form | None:
        """The rows, once a record was shown."""
        return self._form

    def offer_names(
        self, columns: Sequence[str], parameters: Sequence[str], new: str = "", texts: Sequence[str] = ()
    ) -> None:
        """``new``: words of an entry below the parameters that makes a new one; none if empty. ``texts``: columns of labels."""
        self._texts = tuple(texts)
        self._columns, self._parameters, self._new = tuple(columns), tuple(parameters), new

    def offer_outputs(self, outputs: Sequence[str], keys: Sequence[str] | None = None) -> None:
        """``keys``: those of them that fields of an output that may be none offer; None: all."""
        self._outputs, self._keys = tuple(outputs), tuple(outputs if keys is None else keys)

    def show_record(
        self, record: msgspec.Struct | None, fields: Sequence[Field], locked: bool = False, of: str = ""
    ) -> None:
        """Show ``record``; the widgets are built anew only if the fields are other ones. ``of``: the name of what it is of."""
        if of != self._of or record is None or tuple(fields) != self._fields:
            for editor in self._editors.values():
                if isinstance(editor, LineField):
                    editor.drop()
        self._record, self._locked, self._of = record, locked, of
        if tuple(fields) != self._fields:
            self._fields = tuple(fields)
            self._build()
        if record is None:
            return
        for field in self._fields:
            self._show_value(field, field.of(record))

    def show_findings(self, findings: Sequence[Finding], where: str, asks: bool = False) -> None:
        """Findings whose place is ``where.FIELD`` under their fields. ``asks``: an empty one is asked for, and not wrong yet."""
        for field in self._fields:
            mine = [f for f in findings if f.where == f"{where}.{field.name}"]
            empty = asks and getattr(self._record, field.name, None) in (None, "")
            show_at(self._editors[field.name], self._notices[field.name], mine, asks=empty)
            self._say_divided(field)

    def note(self, field: str, words: str) -> None:
        """Something good to know under a field that nothing is wrong with; no words: nothing."""
        if words and not self._notices[field].text():
            self._notices[field].say("info", words)

    def _keep_divided(self, field: Field, words: str) -> None:
        """``words`` about the value that was just taken are said as long as it stays, however often the page is refreshed."""
        if field in self._fields and self._record is not None:
            self._divided[self._of, field.name] = getattr(self._record, field.name, None), words
            self._say_divided(field)

    def _say_divided(self, field: Field) -> None:
        known = self._divided.get((self._of, field.name))
        if known is not None and self._record is not None and known[0] == getattr(self._record, field.name, None):
            self.note(field.name, known[1])

    # -------------------------------------------------------------- building

    def _build(self) -> None:
        if self._form is not None:
            self._box.removeWidget(self._form)
            self._form.hide()
            self._form.deleteLater()
        self._form, self._editors, self._notices = Form(), {}, {}
        previous: QWidget | None = None
        for field in self._fields:
            editor = self._make(field)
            title = "" if field.kind == "flag" else field.label
            self._notices[field.name] = self._form.add(title, editor, unit=field.unit)
            self._editors[field.name] = editor
            if previous is not None:
                QWidget.setTabOrder(previous, editor)
            previous = editor
        self._box.addWidget(self._form)

    def _make(self, field: Field) -> QWidget:
        if field.kind == "flag":
            box = QCheckBox(field.label)
            box.setToolTip(field.tip)
            box.setAccessibleName(field.label.replace("&", ""))
            box.toggled.connect(lambda on, f=field: self._take(f, on))
            return box
        if field.kind in (
            "choice",
            "maybe",
            "data_column",
            "optional_data_column",
            "optional_key_column",
            "parameter",
            "optional_parameter",
            "output",
            "optional_output",
        ):
            choice = Choice(field.label.replace("&", ""), field.tip)
            choice.chosen.connect(lambda key, f=field: self._chosen(f, key))
            return choice
        line = LineField(field.label.replace("&", ""), field.tip, field.placeholder)
        if field.kind in SHORT:
            line.setMaximumWidth(170)
        line.textEdited.connect(self.typing)
        line.committed.connect(lambda text, f=field: self._typed(f, text))
        return line

    def _show_value(self, field: Field, value: Any) -> None:
        editor, notice = self._editors[field.name], self._notices[field.name]
        editor.setEnabled(not self._locked or isinstance(editor, LineField))
        if isinstance(editor, QCheckBox):
            with QSignalBlocker(editor):
                editor.setChecked(bool(value))
        elif isinstance(editor, Choice):
            editor.offer(self._offers(field), _key(field, value))
        elif isinstance(editor, LineField):
            known = self._as_typed.get((self._of, field.name))
            editor.show_text(known[1] if known is not None and known[0] == value else text_of(field, value))
            editor.setReadOnly(self._locked)
            if editor.refused:
                return
            set_state(editor, "")
        notice.clear()
        self._say_divided(field)

    def _offers(self, field: Field) -> list[tuple[str, str]]:
        if field.kind == "maybe":
            return list(MAYBE)
        if field.kind == "choice":
            return list(field.choices)
        names = (
            (*self._texts, *self._columns)
            if "key_column" in field.kind
            else self._columns
            if "column" in field.kind
            else self._keys
            if field.kind == "optional_output"
            else self._outputs
            if "output" in field.kind
            else self._parameters
        )
        none = [("", "None")] if field.kind.startswith("optional") else []
        new = [(NEW, self._new)] if self._new and field.kind in ("parameter", "optional_parameter") else []
        return none + [(name, name) for name in names] + new

    # -------------------------------------------------------------- changes

    def _typed(self, field: Field, text: str) -> None:
        editor = self._editors[field.name]
        if self.take_name is not None and not self._locked and self.take_name(field.name, text):
            return
        try:
            size = size_typed(text, field.label) if field.percent == "of each value" and not self._locked else None
            if size is not None and self.take_size is not None:
                self.take_size(field.name, beside_percentage(size, self._record))
                if self._record is not None and field in self._fields:
                    self._show_value(field, getattr(self._record, field.name))
                    self._keep_divided(field, divided_words(text, text_of_size(size)))
                return
            value = value_of(field, text)
        except ValueError as error:
            words = refusal(field.label, text, error)
            self._notices[field.name].refuse(words)
            if isinstance(editor, LineField):
                editor.refuse(words, self._of)
            return
        if field.kind in NUMBERS and computed(text) is not None:
            self._as_typed[self._of, field.name] = value, text.strip()
        self._take(field, value)
        if isinstance(value, ErrorSize):
            self._keep_divided(field, divided_words(text, text_of_size(value)))

    def _chosen(self, field: Field, key: str) -> None:
        if key != NEW:
            self._take(field, _chosen(field, key))
            return
        if self._record is not None and not self._locked:
            self.parameter_wanted.emit()
            self._show_value(field, getattr(self._record, field.name))  # the new one, or as before if there is none

    def _take(self, field: Field, value: Any) -> None:
        if self._record is None or self._locked:
            return
        if field.of(self._record) != value:
            self.changed.emit(msgspec.structs.replace(self._record, **field.changes(value)))
        else:
            set_state(self._editors[field.name], "")
            self._notices[field.name].clear()


def _key(field: Field, value: Any) -> str:
    if field.kind == "maybe":
        return "none" if value is None else "yes" if value else "no"
    return "" if value is None else str(value)


def _chosen(field: Field, key: str) -> Any:
    if field.kind == "maybe":
        return {"none": None, "yes": True, "no": False}[key]
    return None if not key and field.kind.startswith(("optional", "choice")) else key
