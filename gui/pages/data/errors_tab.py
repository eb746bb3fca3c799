"""The tab Errors: how the measured values scatter, what the program may miss, and the noise of the program."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from bayescope.engine.problem.definition import NoiseModel, Predictions, Problem
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.models.data.errors.divided_columns import still_divided
from bayescope.gui.models.data.errors.joined_sizes import with_common_noise
from bayescope.gui.models.data.errors.noise_parameter import with_new_parameter
from bayescope.gui.models.data.list_edits import column_named, with_errors
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.pages.data.divide_errors import DivideErrors
from bayescope.gui.pages.data.shared import SharedErrors, each_its_own, own_models, replace_size
from bayescope.gui.widgets.discrepancy_editor import EXPLAINED, DiscrepancyEditor
from bayescope.gui.widgets.forms import align_labels, card, scrolled
from bayescope.gui.widgets.noise_check import NoiseCheckPart
from bayescope.gui.widgets.noise_editor import NoiseEditor
from bayescope.gui.widgets.notices import label

NO_NOISE = "The program is random itself: its own scatter stands for the errors. Let it add the measurement errors too."


class ErrorsPart(QWidget):
    """``own_wanted`` carries the number of a comparison that is to get errors of its own."""

    own_wanted = Signal(int)

    def __init__(self, problem: DeclaredProblem, file: AnalysisFile, trial: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem, self.file, self.trial = problem, file, trial
        self._tried: Problem | None = None  # with what was refused in the field for all
        self.no_noise = label(NO_NOISE, "hint", wrap=True)
        self.noise = NoiseEditor()
        self.noise.changed.connect(self._noise_changed)
        self.noise.agreed = lambda: trial.answers.settled.kept
        self.noise.mended.connect(lambda changed, text: problem.replace(changed, text))
        self.noise.parameter_wanted.connect(
            lambda: problem.replace(with_new_parameter(problem.declared, None), "New parameter for the errors")
        )
        self.noise.form.take_size = lambda _field, size: replace_size(problem, size, -1)
        self.shared = SharedErrors(lambda size, row: replace_size(problem, size, row))
        self.shared.take_column = self._take_column
        self.shared.pressed.connect(self.own_wanted)
        self.shared.changed.connect(lambda meaning: problem.edit("Errors of one comparison", meaning=meaning))
        self.shared.mended.connect(problem.replace)
        self.divide = DivideErrors()
        self.divide.mended.connect(lambda changed, text: problem.replace(changed, text))
        self.divide.divided.connect(trial.answers.note_divided)
        self.off = DiscrepancyEditor(problem)
        self.off_card = card(self.off, title="What the program may miss", hint=EXPLAINED)
        self.noise_check = NoiseCheckPart(trial)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 12, 0, 0)
        box.addWidget(
            scrolled(
                card(
                    self.noise, self.divide, self.shared, self.no_noise,
                    title="How the measured values scatter",
                ),
                self.off_card,
                card(self.noise_check, title="Noise of the program"),
            )
        )

    def _take_column(self, text: str, row: int) -> bool:
        """The errors of comparison ``row`` stand in the column that ``text`` names; False: it names none."""
        problem = self.problem.declared
        if not any(map(str.isalpha, text)) or (column := column_named(problem, text)) is None:
            return False
        self.problem.replace(with_errors(problem, row, text), f"Errors from “{one_line(column, 30)}”")
        return True

    def refresh(self) -> None:
        problem, locked, place = self.problem.declared, self.problem.locked, "meaning.noise"
        meaning = problem.meaning
        noise = meaning.noise if isinstance(meaning, Predictions) else None
        self.no_noise.setVisible(noise is None)
        self.noise.show_noise(noise, problem, None, self.file.folder, locked, self.problem.findings(place), place)
        if each_its_own(problem):
            self.noise.form.hide()  # nothing uses what it holds
            self.noise.no_gap()
        if own_models(problem):  # a model chosen for all would be that of none
            self.noise.hide()
        known = self.trial.answers.settled
        here = still_divided(problem, known.divided)
        self.divide.show_problem(problem, locked, {name: k for one in known.files for name, k in one.divided}, here)
        self.shared.show_problem(problem, locked)
        align_labels(f for f in (self.noise.form.form, self.shared.sizes.form) if f is not None)
        if not locked and problem is not self._tried:
            self._tried = problem
            QTimer.singleShot(0, self.noise.form, self.noise.form.try_again)  # another comparison may have errors of its own now
        self.off.refresh()
        self.off_card.setVisible(self.off.has_rows)
        self.noise_check.refresh()

    def first_field(self, error: bool) -> QWidget:
        """Where the size of the errors is given, or for an ``error`` their kind."""
        if own_models(self.problem.declared):
            return next(iter(self.shared.sizes.editors()), self.shared)
        return self.noise.kind if error else self.noise.form.editor("sd")

    def to_size(self) -> None:
        """The cursor in the first size there is, to be typed over."""
        editors = [*self.noise.form.editors(), *self.shared.sizes.editors()]
        found = next((e for e in editors if isinstance(e, QLineEdit) and e.isVisible() and e.text()), None)
        if found is not None:
            found.setFocus()
            found.selectAll()

    def _noise_changed(self, noise: NoiseModel) -> None:
        meaning = self.problem.declared.meaning
        if isinstance(meaning, Predictions):
            self.problem.edit("Change error model", meaning=with_common_noise(meaning, noise))
