"""Saying of each comparison whether the program itself may be off, and by about how much."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QVBoxLayout, QWidget

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.check_discrepancy import FEWEST_KEYS, instead
from bayescope.engine.problem.data.rows.comparison import ComparisonError
from bayescope.engine.problem.data.rows.discrepancies import by_a_factor, key_of, with_discrepancy
from bayescope.gui.models.fields import Field
from bayescope.gui.models.plain import one_line
from bayescope.gui.widgets.forms import say_first
from bayescope.gui.widgets.notices import Notice, label
from bayescope.gui.widgets.struct_form import StructForm

if TYPE_CHECKING:
    from bayescope.gui.analysis.declared_problem import DeclaredProblem

FIELDS = (
    Field("size", "By about", "Half as much is more probable than this, twice as much less; what it really is, the data decide.",
          "number"),
    Field("length", "Changing over", "Over what time, depth or other distance; empty: a tenth to all of the measured range.",
          "optional_number", placeholder="automatic"),
)  # fmt: skip
EXPLAINED = (
    "Ticked: to what the program predicts a smooth curve is added, of which nothing else is known. Answers become less sure and "
    "more honest; it costs no runs."
)
NOT_NORMAL = (
    "Only with normal errors, of the values or their logarithms, of a known size or covariance, or a size to be learned. "
    "{instead}"
)
BY_A_FACTOR = "Errors are relative here: the curve is a factor, and “By about” is in logarithms (0.1: about 10 %)."
NAME_WORDS, KEY_WORDS = 40, 30


class DiscrepancyEditor(QWidget):
    """Edits ``Match.discrepancy`` of the declared problem."""

    def __init__(self, problem: DeclaredProblem, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem = problem
        self.rows: list[DiscrepancyRow] = []
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(8)

    def refresh(self) -> None:
        meaning = self.problem.declared.meaning
        count = len(meaning.matches) if isinstance(meaning, d.Predictions) else 0
        while len(self.rows) > count:
            gone = self.rows.pop()
            self._box.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        while len(self.rows) < count:
            row = DiscrepancyRow(self.problem, len(self.rows))
            self.rows.append(row)
            self._box.addWidget(row)
        for row in self.rows:
            row.refresh(alone=count == 1)
            row.setVisible(row.may_be_ticked)

    @property
    def has_rows(self) -> bool:
        """Whether the program may be off in one of the comparisons at all."""
        return any(row.may_be_ticked for row in self.rows)


class DiscrepancyRow(QWidget):
    """Of one comparison, ``index``."""

    def __init__(self, problem: DeclaredProblem, index: int) -> None:
        super().__init__()
        self.problem, self.index = problem, index
        self.tick = QCheckBox()
        self.tick.clicked.connect(self._ticked)
        self.words = label("", "hint", wrap=True)
        self.form = StructForm()
        self.form.changed.connect(self._changed)
        self.form.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)  # Qt's rounding would cut its last line
        self.notice = Notice()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(6)
        for part in (self.tick, self.words, self.form, self.notice):
            box.addWidget(part)

    @property
    def _match(self) -> d.Match:
        meaning = self.problem.declared.meaning
        assert isinstance(meaning, d.Predictions)
        return meaning.matches[self.index]

    @property
    def may_be_ticked(self) -> bool:
        """Through a few values, or a single one, goes any curve: nothing is said of one there."""
        data, match = self.problem.declared.data, self._match
        cells = data.columns.get(match.column) if data is not None else None
        return match.discrepancy is not None or cells is None or sum(v is not None for v in cells) >= FEWEST_KEYS

    def refresh(self, alone: bool) -> None:
        match, problem, locked = self._match, self.problem.declared, self.problem.locked
        assert isinstance(problem.meaning, d.Predictions)
        column = one_line(match.column, NAME_WORDS)
        self.tick.setText("The program itself may be off" + ("" if alone else f" where it predicts {column}"))
        self.tick.setAccessibleName(f"The program itself may be off: {column}")
        refused = instead(problem.meaning, match)
        found = match.discrepancy
        ready = problem.data is not None and match.column in problem.data.columns
        self.tick.setChecked(found is not None)
        self.tick.setEnabled(not locked and (found is not None or (not refused and ready)))
        self.words.setText(self._words(refused, ready))
        self.words.setVisible(bool(self.words.text()))
        self.form.setVisible(found is not None)
        where = f"meaning.matches[{self.index}].discrepancy"
        findings = self.problem.findings(where)
        if found is not None:
            self.form.show_record(found, FIELDS, locked, match.column)
            self.form.show_findings(findings, where)
        say_first(self.notice, [f for f in findings if f.where not in {f"{where}.{field.name}" for field in FIELDS}])

    def _words(self, refused: str, ready: bool) -> str:
        """Along which key, and what else is so; or why it cannot be ticked."""
        found = self._match.discrepancy
        if found is None:
            return "" if not refused or not ready else NOT_NORMAL.format(instead=refused)
        try:
            key = key_of(self.problem.declared, self._match)
        except ComparisonError:
            return ""
        along = "" if key is None else f"Along {one_line(key[1], KEY_WORDS)}, which “Changing over” is measured in."
        apart = " The curve has no part in what the parameters can do at the best fit." if found.apart_from else ""
        factor = f" {BY_A_FACTOR}" if by_a_factor(self.problem.declared, self._match) else ""
        return f"{along}{factor}{apart}".strip()

    def _ticked(self, on: bool) -> None:
        try:
            changed = with_discrepancy(self.problem.declared, [self.index], on)
        except ComparisonError as error:
            self.notice.say("error", error.what, error.suggestion)
            self.tick.setChecked(False)
            return
        self.problem.replace(changed, "The program may be off" if on else "The program is right")

    def _changed(self, discrepancy: d.Discrepancy) -> None:
        meaning = self.problem.declared.meaning
        assert isinstance(meaning, d.Predictions)
        matches = list(meaning.matches)
        matches[self.index] = msgspec.structs.replace(matches[self.index], discrepancy=discrepancy)
        changed = msgspec.structs.replace(meaning, matches=tuple(matches))
        self.problem.edit("Change how far the program may be off", meaning=changed)
