"""Meaning tab: what the numbers that come out of the simulator are."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import QSignalBlocker, QTimer
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QButtonGroup, QPushButton, QRadioButton, QVBoxLayout, QWidget

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.check_random import seed_places
from bayescope.gui.analysis.counting import ahead_words, noun
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.models.data.errors.own_scatter import ABOUT, OWN_ERROR, SCATTER, SCATTER_BUTTON
from bayescope.gui.models.data.keys.known_keys import known_keys
from bayescope.gui.models.data.left_meanings import LeftMeanings
from bayescope.gui.models.data.meanings import AND_ITS_ERROR, MEANINGS, converted, kind_of
from bayescope.gui.models.data.runs_each import why_so_many, with_default_runs
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.widgets.forms import beside, card, say_first, scrolled
from bayescope.gui.widgets.notices import Notice, label
from bayescope.gui.widgets.struct_form import StructForm

BESIDE_TICK = 28  # pixels: hints begin where the words of their button do
PREDICTIONS_TAG = next(kind.tag for kind in MEANINGS if kind.kind is d.Predictions)
SUMMARIZED_TAG = next(kind.tag for kind in MEANINGS if kind.kind is d.SyntheticLikelihood)
RANDOM = (
    "A random program whose averages were measured (Monte Carlo, molecular dynamics): choose “Predictions of what was measured”, "
    f"and tick “{OWN_ERROR}” under Details. If what was measured scatters as single runs do: “Random simulations, summarized”."
)


class MeaningTab(QWidget):
    """Edits ``Problem.meaning``, except the matches and the noise model, which are on the Data page."""

    def __init__(self, problem: DeclaredProblem, trial: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem, self.trial = problem, trial
        self._left = LeftMeanings()  # what was set up under a meaning is there again when that is chosen again
        self.group = QButtonGroup(self)
        self.buttons: dict[str, QRadioButton] = {}
        choices = QWidget()
        box = QVBoxLayout(choices)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        self.random = label(RANDOM, "", wrap=True)  # where a random program is to be said to be one
        self.averages = QPushButton("Its averages were &measured")
        self.averages.setToolTip(f"Predictions of what was measured. {OWN_ERROR}.")
        self.averages.clicked.connect(self._choose_random)
        self.random_part = QWidget()
        told = QVBoxLayout(self.random_part)
        told.setContentsMargins(0, 0, 0, 8)
        told.addWidget(self.random)
        told.addWidget(beside(self.averages, 1))
        self.random_part.hide()
        box.addWidget(self.random_part)
        for kind in MEANINGS:
            button = QRadioButton(kind.title)
            button.setToolTip(kind.words)
            button.setAccessibleDescription(kind.words)
            button.clicked.connect(lambda on, tag=kind.tag: self._choose(tag))
            words = label(kind.words, "hint", wrap=True)
            words.setContentsMargins(BESIDE_TICK, 0, 0, 6)
            self.group.addButton(button)
            self.buttons[kind.tag] = button
            box.addWidget(button)
            box.addWidget(words)
        self.form = StructForm()
        self.form.changed.connect(lambda meaning: self._set(meaning, "Change meaning of the output"))
        self.about = label(ABOUT, "hint", wrap=True)  # of the tick above it
        self.about.setContentsMargins(BESIDE_TICK, 0, 0, 6)
        self.scatter = QPushButton(SCATTER_BUTTON)
        self.scatter.setToolTip("Random simulations, summarized: several runs at each point.")
        self.scatter.clicked.connect(lambda: self._choose(SUMMARIZED_TAG))
        self.scatter_part = QWidget()
        scatter_box = QVBoxLayout(self.scatter_part)
        scatter_box.setContentsMargins(BESIDE_TICK, 0, 0, 6)
        scatter_box.addWidget(label(SCATTER, "hint", wrap=True))
        scatter_box.addWidget(beside(self.scatter, 1))
        self.notice = Notice()
        self.to_data = QPushButton("Match outputs and data on the Data page")
        self.to_data.setToolTip("Which output predicts which data column, and how large the errors are.")
        self.cost = label("", "hint", wrap=True)
        parts = self.cost, self.form, self.about, self.scatter_part, self.notice
        self.fields_card = card(*parts, beside(self.to_data, 1), title="Details")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 12, 0, 0)
        self.area = scrolled(card(choices, title="What do the outputs mean?"), self.fields_card)
        outer.addWidget(self.area)
        trial.changed.connect(self._say_cost)

    def to_random(self) -> None:
        """A program whose outputs are compared with data is random from now on. Else to where it is said to be: its field, with
        the meaning that it belongs to; where nothing was chosen yet, to the meanings that allow for it, with what tells them
        apart."""
        meaning = self.problem.declared.meaning
        found = self.buttons[kind_of(meaning).tag]
        many = len(self.problem.declared.outputs) > AND_ITS_ERROR  # a log-likelihood that stands there by default
        chosen = isinstance(meaning, d.Predictions) or (getattr(meaning, "output", None) != "" and not many)
        if isinstance(meaning, d.Predictions) or (not chosen and self.problem.declared.data is not None):
            self._choose_random()
            chosen, found = True, self.buttons[PREDICTIONS_TAG]
            meaning = self.problem.declared.meaning
        self.random_part.setVisible(not chosen)
        if not chosen:
            found = self.buttons[PREDICTIONS_TAG]
        field = self.form.editor("random") if hasattr(meaning, "random") and chosen else found
        field.setFocus()
        QTimer.singleShot(0, self, lambda: self._bring_into_sight(found if chosen else self.random_part, field))

    def hideEvent(self, event: QHideEvent) -> None:
        self.random_part.hide()  # while it is looked at, nothing moves
        super().hideEvent(event)

    def _choose_random(self) -> None:
        """Predictions of what was measured, which have a statistical error of their own."""
        if self.problem.locked:
            return
        kind = next(k for k in MEANINGS if k.tag == PREDICTIONS_TAG)
        meaning = converted(self.problem.declared, kind, known_keys(self.problem.declared, self.trial))
        if isinstance(meaning, d.Predictions) and not meaning.random:
            self._set(msgspec.structs.replace(meaning, random=True), "The program is random")

    def _bring_into_sight(self, *parts: QWidget) -> None:
        """The last above all; once the tab, which may have just been shown, has its layout."""
        for part in parts:
            self.area.ensureWidgetVisible(part)

    def refresh(self) -> None:
        problem, locked = self.problem.declared, self.problem.locked
        kind = kind_of(problem.meaning)
        self.averages.setEnabled(not locked and not getattr(problem.meaning, "random", False))
        for tag, button in self.buttons.items():
            with QSignalBlocker(button):
                button.setChecked(tag == kind.tag)
            button.setEnabled(not locked)
        self.form.offer_names(list(problem.data.columns) if problem.data else [], [])
        self.form.offer_outputs([o.name for o in problem.outputs])
        self.form.show_record(problem.meaning, kind.fields, locked)
        self.form.setVisible(bool(kind.fields))
        self._say_cost()
        self.about.setVisible(isinstance(problem.meaning, d.Predictions))
        self.scatter_part.setVisible(isinstance(problem.meaning, d.Predictions) and self._seems_random())
        self.scatter.setEnabled(not locked)
        predicts = isinstance(problem.meaning, d.Predictions) or hasattr(problem.meaning, "summaries")
        self.to_data.setVisible(predicts)
        findings = self.problem.findings("meaning")
        self.form.show_findings(findings, "meaning")
        fields = {f"meaning.{field.name}" for field in kind.fields}
        rest = [f for f in findings if f.where not in fields]
        if predicts:
            self.notice.clear()
        else:
            say_first(self.notice, rest)

    def _seems_random(self) -> bool:
        """Whether the program is said to be random, gets a seed of its own in every run, or was seen to be."""
        problem, report = self.problem.declared, self.trial.report
        differed = report is not None and report.repeats_agree is False
        return bool(getattr(problem.meaning, "random", False)) or differed or bool(seed_places(problem))

    def _say_cost(self) -> None:
        """What so many runs at each point come to in all."""
        problem = self.problem.declared
        points, workers = problem.settings.max_evaluations, problem.settings.workers
        several, here = noun(problem) == "points", not self.trial.place
        ahead = ahead_words(problem, points, workers, self.trial.run_seconds, here) if several else ""
        why = why_so_many(problem)
        self.cost.setText("\n".join(filter(None, (f"At most {ahead}." if ahead else "", why))))
        self.cost.setVisible(bool(ahead or why))

    def _choose(self, tag: str) -> None:
        kind, problem = next(k for k in MEANINGS if k.tag == tag), self.problem.declared
        meaning = self._left.back(problem, kind.kind) or with_default_runs(
            problem, converted(problem, kind, known_keys(problem, self.trial)), self.trial.run_seconds
        )
        if type(problem.meaning) is not kind.kind:
            self._left.keep(problem)
        self._set(meaning, f"The outputs are: {kind.title.lower()}")

    def _set(self, meaning: d.Meaning, text: str) -> None:
        if not self.problem.replace(msgspec.structs.replace(self.problem.declared, meaning=meaning), text):
            self.refresh()
