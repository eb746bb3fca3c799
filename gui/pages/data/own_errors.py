"""The errors of one comparison: the standard deviations of its points, or a model of its own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from bayescope.engine.problem.definition import GaussianKnown, Match, NoiseModel, Predictions, Problem
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.models.data.errors.noise import takes_column
from bayescope.gui.models.fields import Field
from bayescope.gui.pages.data.shared import replace_size
from bayescope.gui.widgets.forms import align_labels
from bayescope.gui.widgets.noise_editor import NoiseEditor
from bayescope.gui.widgets.struct_form import StructForm

if TYPE_CHECKING:
    from bayescope.engine.problem.checks.validate import Finding

FIELDS = (
    Field(
        "sd_column",
        "Standard deviations",
        "A data column with each point's own; for this comparison only.",
        "optional_data_column",
    ),
)


class OwnErrors(QWidget):
    """``changed`` carries (the comparison, words for undo); ``size_wanted``: the size of its own errors is to be given.

    Where a comparison has its own model, that model holds the column of standard deviations: one field for one thing.
    """

    changed = Signal(object, str)
    size_wanted = Signal()

    def __init__(self, problem: DeclaredProblem, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._match: Match | None = None
        self._row = -1
        self._common: NoiseModel | None = None
        self.own = QCheckBox("This comparison has its own model of the errors")
        self.own.setToolTip("For example counts in one column and temperatures in another.")
        self.own.clicked.connect(self._own_clicked)
        self.form = StructForm()
        self.form.changed.connect(lambda match: self.changed.emit(match, "Change comparison"))
        self.noise = NoiseEditor()
        self.noise.changed.connect(self._noise_changed)
        self.noise.form.take_size = lambda _field, size: replace_size(problem, size, self._row)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(10)
        for part in (self.own, self.form, self.noise):
            box.addWidget(part)

    def show_row(self, problem: Problem, row: int, folder: Path, locked: bool, findings: Sequence[Finding]) -> None:
        """The errors of the comparison ``row``. ``findings``: all that are about it."""
        meaning, where = problem.meaning, f"meaning.matches[{row}]"
        if not isinstance(meaning, Predictions) or row >= len(meaning.matches):  # the table is about to have fewer rows
            return
        match, self._row = meaning.matches[row], row
        self._match = match
        self._common = meaning.noise
        self.own.setChecked(match.noise is not None)
        self.own.setEnabled(not locked)
        self.form.offer_names(list(problem.data.columns) if problem.data else [], [])
        self.form.show_record(match, FIELDS, locked, match.output)
        self.form.show_findings(findings, where)
        self.form.setVisible(match.noise is None or match.sd_column is not None)
        mine = [f for f in findings if f.where.startswith(f"{where}.noise")]
        self.noise.show_noise(match.noise, problem, row, folder, locked, mine, f"{where}.noise")
        align_labels(f for f in (self.form.form, self.noise.form.form) if f is not None)

    def _own_clicked(self, on: bool) -> None:
        match, noise = self._match, self._common
        if match is None or noise is None:
            return
        if not on:
            column = match.sd_column or getattr(match.noise, "sd_column", None)
            back = column if takes_column(noise) else None
            self.changed.emit(msgspec.structs.replace(match, noise=None, sd_column=back), "Common error model")
            return
        if match.sd_column is not None:
            noise = GaussianKnown(sd_column=match.sd_column)
        self.changed.emit(msgspec.structs.replace(match, noise=noise, sd_column=None), "Own error model")
        if isinstance(noise, GaussianKnown):
            self.size_wanted.emit()

    def _noise_changed(self, noise: NoiseModel) -> None:
        if self._match is not None:
            self.changed.emit(msgspec.structs.replace(self._match, noise=noise), "Change error model")
