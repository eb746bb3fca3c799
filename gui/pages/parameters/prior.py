"""The panel below the parameters table: family, numbers and picture of the selected parameter's prior."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from bayescope.engine.problem.data.units.unit_scales import with_unit
from bayescope.engine.problem.definition import LogNormal, Parameter, Prior
from bayescope.gui.models.fields import Field
from bayescope.gui.models.first_ranges import AROUND
from bayescope.gui.models.plain import one_line, optional_number_of, shown
from bayescope.gui.models.prior_families import FAMILIES, Family, Number, family_of, number_in, with_number
from bayescope.gui.models.prior_readings import asked_of
from bayescope.gui.models.priors_in_units import parse_in_unit
from bayescope.gui.models.spoken_priors import median_of, with_median
from bayescope.gui.style import words
from bayescope.gui.widgets.elided import ElidedLabel
from bayescope.gui.widgets.expander import Expander
from bayescope.gui.widgets.forms import Choice, Form, LineField, align_labels, refusal, scrolled, set_state
from bayescope.gui.widgets.notices import FieldNotice, label
from bayescope.gui.widgets.prior_preview import PriorPreview
from bayescope.gui.widgets.struct_form import StructForm

if TYPE_CHECKING:
    from bayescope.engine.problem.checks.validate import Finding

SCALES = (("automatic", "Chosen for you"), ("probit", "Probit (normal scale)"), ("logit", "Logit (log-odds scale)"))
SCALE_FIELDS = (
    Field(
        "transform",
        "Search between the limits on",
        "Only for a parameter with a lower and an upper limit.",
        "choice",
        choices=SCALES,
    ),
)
SCALE_WORDS = (
    "Near a limit this scale stretches the range for the search. The answer means the same on either; try the logit if an answer "
    "close to a limit is slow to settle."
)
ENDS = (Qt.Key.Key_Tab, Qt.Key.Key_Return, Qt.Key.Key_Enter)
OR_WHOLE = (
    "Or type the whole prior: 0.5 to 2, 5 ± 1, 5 ± 1 in 2 to 8, 5 ± 1 above 0, log-uniform 0.1 to 10, "
    "log-normal 5 ± 20 %, log-normal 5 */ 2, log-normal median 5, log sd 0.2."
)
MEDIAN = "Or the median"
MEDIAN_TIP = "In place of the mean of the logarithm: the typical value itself, or 5 ± 20 %, which says the sd too."
MOST_NUMBERS = max(len(f.numbers) for f in FAMILIES)


class PriorPanel(QWidget):
    """``changed`` carries the parameter with another prior and a text for undo.

    Where several rows are selected, the kind (``kind_chosen``: its tag) and a range around the number in the input file
    (``around_chosen``: its key) are for all of them. ``passed``: Tab or Return in the last field, or behind a whole
    prior, on to the next row.
    """

    changed = Signal(object, str)
    typed_whole = Signal(object, str)  # the parameter as it was, and the prior that is typed over one of its numbers
    kind_chosen = Signal(str)
    around_chosen = Signal(str)
    passed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parameter: Parameter | None = None
        self._family: Family | None = None
        self._locked = False
        self._typed = False  # whether a number of this parameter was
        self._stays = True  # whether Tab leaves the panel, as there is no next row
        self.heading = ElidedLabel("heading")
        self.family = Choice("Family of the prior", "The kind of distribution.")
        self.family.offer([(f.tag, f.title) for f in FAMILIES], FAMILIES[0].tag)
        self.family.chosen.connect(self._choose_family)
        self.words = label("", "hint", wrap=True)
        self.around_words = ElidedLabel("hint")
        self.around = QWidget()
        ranges = QHBoxLayout(self.around)
        ranges.setContentsMargins(0, 0, 0, 0)
        ranges.setSpacing(6)
        ranges.addWidget(self.around_words, 1)
        for how in AROUND:
            button = QToolButton()
            button.setText(how.title)
            button.setToolTip(how.tip)
            button.setProperty("kind", "switch")
            button.setAccessibleName(f"Around it: {how.title}")
            button.clicked.connect(lambda _=False, key=how.key: self.around_chosen.emit(key))
            ranges.addWidget(button)
        self.notice = FieldNotice()
        self.more = StructForm()
        self.more.changed.connect(self._more_changed)
        advanced = QWidget()
        box = QVBoxLayout(advanced)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.more)
        box.addWidget(label(SCALE_WORDS, "hint", wrap=True))
        self.advanced = Expander("Advanced", advanced)
        self.preview = PriorPreview()
        self.fields: list[LineField] = []
        self.median: LineField | None = None  # of a log-normal prior, beside the mean of its logarithm
        self._forms: list[Form] = []

        left = QVBoxLayout()
        left.setSpacing(8)
        left.addWidget(self.heading)
        form = Form()
        form.add("Pr&ior", self.family)
        left.addWidget(form)
        self._family_form = form
        left.addWidget(self.words)
        left.addWidget(self.around)
        self._numbers = QVBoxLayout()
        self._numbers.setSpacing(0)
        left.addLayout(self._numbers)
        left.addWidget(self.notice)
        left.addWidget(self.advanced)
        left.addStretch(1)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(20)
        fields = QWidget()
        fields.setLayout(left)
        left.setContentsMargins(0, 0, 6, 0)
        line.addWidget(scrolled(fields), 5)
        line.addWidget(self.preview, 6)
        self.show_parameter(None, [], False)

    def show_parameter(
        self, parameter: Parameter | None, findings: list[Finding], locked: bool, value: float | None = None, selected: int = 1
    ) -> None:
        """``value``: the number in the input file; ``selected``: so many rows are."""
        before = self._parameter
        if before is None or parameter is None or parameter.name != before.name:
            self._typed = False
            for field in self._all_fields:
                field.drop()
        self._parameter, self._locked = parameter, locked
        self.preview.show_parameter(parameter)
        self.family.setEnabled(parameter is not None and not locked)
        self.advanced.setVisible(parameter is not None)
        self.around.setVisible(parameter is not None and value is not None and not locked)
        if value is not None:
            one = f"Around {words.number(value, 6)}, from your file:", f"Around {words.number(value, 4)}:"
            told, shorter = ("Each around the number in your file:", "Around each:") if selected > 1 else one
            self.around_words.say(told, shorter=shorter)
        self.more.show_record(parameter, SCALE_FIELDS, locked)
        if parameter is None:
            self.heading.say("No parameter selected")
            self.words.setText("Select a row above to see and change its prior.")
            self._build(None)
            self.notice.clear()
            return
        self.heading.say(
            with_unit(one_line(parameter.label or parameter.name, 60), one_line(parameter.unit, 60), 20)
            + (f", and {selected - 1} more: the kind is for all" if selected > 1 else "")
        )
        family = family_of(parameter.prior)
        self.family.offer([(f.tag, f.title) for f in FAMILIES], family.tag)
        self.words.setText(family.words)
        self._build(family)
        for field, number in zip(self.fields, family.numbers, strict=True):
            field.show_text(shown(number_in(parameter.prior, number.field)))
            field.setReadOnly(locked)
            set_state(field, "error" if field.refused else "")
        if self.median is not None and isinstance(parameter.prior, LogNormal):
            self.median.show_text(shown(median_of(parameter.prior)))
            self.median.setReadOnly(locked)
            set_state(self.median, "error" if self.median.refused else "")
        refused = next((field.refused for field in self._all_fields if field.refused), "")
        worst = next((f for f in findings if f.level == "error"), findings[0] if findings else None)
        if refused:
            self.notice.say("error", refused)
        elif worst is None:
            self.notice.clear()
        else:
            self.notice.say(worst.level, worst.message, worst.suggestion)

    def _build(self, family: Family | None) -> None:
        if family is self._family:
            return
        self._family = family
        for gone in self._all_fields:
            gone.give_up()
        for old in self._forms:
            self._numbers.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.fields, self._forms, self.median = [], [], None
        if family is None:
            return
        form = Form()
        for number in family.numbers:
            field = LineField(number.label, number.tip, "none" if number.optional else "")
            field.setMaximumWidth(220)
            field.committed.connect(lambda text, n=number, f=field: self._number_typed(f, n, text))
            field.textEdited.connect(self._begun)
            field.installEventFilter(self)
            form.add(number.label, field)
            self.fields.append(field)
        if family.kind is LogNormal:
            self.median = LineField(MEDIAN, MEDIAN_TIP)
            self.median.setMaximumWidth(220)
            self.median.committed.connect(self._median_typed)
            form.add(MEDIAN, self.median)
        self._numbers.addWidget(form)
        self._forms = [form]
        align_labels([self._family_form, form])
        self.setTabOrder(self.family, self.fields[0])
        order = self._all_fields
        for a, b in pairwise(order):
            self.setTabOrder(a, b)

    @property
    def _all_fields(self) -> list[LineField]:
        return [*self.fields, *([] if self.median is None else [self.median])]

    def _more_changed(self, parameter: Parameter) -> None:
        if not self._locked:
            self.changed.emit(parameter, f"Change search scale of {one_line(parameter.name, 30)}")

    def _choose_family(self, tag: str) -> None:
        family = next((f for f in FAMILIES if f.tag == tag), None)
        if family is None or self._parameter is None or self._locked:
            return
        self.kind_chosen.emit(tag)
        self.begin()

    def _begun(self) -> None:
        self._typed = True

    def begin(self) -> None:
        """Typing goes to the first number, in place of all that stands there."""
        if self.fields and self.isVisible():
            self.fields[0].setFocus()
            self.fields[0].selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """After a number was typed, Tab or Return in the last one goes on to the next row, as in a spreadsheet, and so they do
        behind a whole prior in any of them; else Tab leaves the panel, so that every control is reached."""
        key = event.key() if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress else None
        field = next((f for f in self.fields if f is watched), None)
        if key in ENDS and field is not None and self._typed and not self._locked:
            whole = self._whole(field.text())
            if field is self.fields[-1] or whole is not None:
                field.finish()
                if not field.refused:
                    self._stays = True
                    self.passed.emit()
                    if self._stays and key != Qt.Key.Key_Tab and field not in self.fields and self.fields:
                        self.fields[-1].setFocus()  # another kind has fields of its own: no button beside them is to be pressed
                    return not self._stays or key != Qt.Key.Key_Tab
        return super().eventFilter(watched, event)

    def _whole(self, text: str) -> Prior | None:
        """The prior that is typed in place of one number; None: it is a number, or nothing that can be one."""
        if self._parameter is None or self._parameter.prior is None:
            return None
        try:
            optional_number_of(text)
        except ValueError:
            with suppress(ValueError):
                return parse_in_unit(text, self._parameter)
        return None

    def pass_on(self) -> None:
        """There is a next row, and it is shown."""
        self._stays = False
        self.begin()

    def _median_typed(self, text: str) -> None:
        """The median of a log-normal prior, or a whole prior in its place."""
        parameter, field = self._parameter, self.median
        if parameter is None or self._locked or field is None or not isinstance(parameter.prior, LogNormal):
            return
        prior = self._whole(text)
        if prior is not None:
            field.give_up()
            with suppress(ValueError):  # 0.01 ± 15 %: of the kind there is
                prior = parse_in_unit(f"log-normal {text}", parameter)
        try:
            prior = prior or with_median(parameter.prior, text)
        except ValueError as error:
            field.refuse(f"{refusal(MEDIAN, text, error)} {OR_WHOLE}".strip(), parameter.label or parameter.name)
            return
        changed = msgspec.structs.replace(parameter, prior=prior)
        self.changed.emit(changed, f"Change prior of {one_line(parameter.name, 30)}")

    def _number_typed(self, field: LineField, number: Number, text: str) -> None:
        if self._parameter is None or self._locked:
            return
        prior = self._whole(text)
        if prior is not None:
            field.give_up()  # the field is of one number of the prior that was
            self.typed_whole.emit(self._parameter, text)
        try:
            prior = prior or with_number(self._parameter.prior, number, text)
        except ValueError as error:
            words = f"{refusal(number.label, text, error)} {OR_WHOLE}" if text.strip() else refusal(number.label, text, error)
            field.refuse(asked_of(text, self._parameter) or words, self._parameter.label or self._parameter.name)
            return
        changed = msgspec.structs.replace(self._parameter, prior=prior)
        self.changed.emit(changed, f"Change prior of {one_line(self._parameter.name, 30)}")
