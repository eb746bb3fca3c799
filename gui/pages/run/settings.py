"""How the run goes: how many simulator runs, how many at a time, time limit, seed, method."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, cast

import msgspec
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from bayescope.engine.machine.nvidia_driver import is_seen
from bayescope.engine.problem.definition import MAX_WORKERS, Predictions, is_estimate, is_noisy
from bayescope.engine.problem.method_options import METHODS, Value, record_of
from bayescope.engine.session.profiles import Profile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.counting import TWICE, ahead_words, noun
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.pages.places import THIS_COMPUTER, PlacesDialog
from bayescope.gui.pages.starts import StartsDialog
from bayescope.gui.widgets.elided import FittingCombo
from bayescope.gui.widgets.forms import scrolled
from bayescope.gui.widgets.method_options import MethodOptions
from bayescope.gui.widgets.number_boxes import AmountBox, CountBox

GOALS = (
    ("posterior", "The posterior", "How well the data know each parameter; the best fit comes with it."),
    ("best_fit", "The best fit only", "Ends when the highest log density is found; the posterior can be asked for afterwards."),
)
ENDS = {"posterior": "it has converged", "best_fit": "the best fit is found"}
BELONGS = "Belongs to the runs already made. Duplicate the analysis to choose another."
NO_MORE = "No more than your computer has processors for."
AS_THE_PLACE = "As the place says: {n} jobs at once (Places…)."
WIDEST_PLACE = 420  # pixels
BAD = " ✕ (did not work)"
UNTRIED = "“{name}” is kept, but was not tried with success: it is not chosen here by itself."
AROUND = 52  # pixels beside the rows: margins and a scroll bar
CHOOSE = "This computer, or a cluster or another computer: see Places…"
ELSEWHERE = "A method that does not come with this version of Bayescope"
ON_GRAPHICS = ("default", "svbmc")  # methods with computing that is large enough for a graphics card
DEVICES = (("auto", "Best available"), ("cpu", "Processor (CPU)"), ("cuda", "Graphics card (CUDA)"))


class RunSettingsDialog(QDialog):
    """Once runs exist, seed and method belong to them and are shown only."""

    def __init__(
        self, problem: DeclaredProblem, run: AnalysisRun, parent: QWidget | None = None, place: Path | None = None,
        seconds: float | None = None,
    ) -> None:
        """``place``: the folder where files are looked for first. ``seconds``: that a run of the program takes, where known."""
        super().__init__(parent)
        self.setWindowTitle("Run settings")
        self.setMinimumSize(520, 260)
        self.seconds = seconds
        self.problem, self.run, self.place_of_files = problem, run, place or Path.home()
        s = problem.declared.settings
        self.evaluations = CountBox(0, 1_000_000, s.max_evaluations)
        self.workers = CountBox(1, MAX_WORKERS, s.workers)
        self.seed = CountBox(0, 2**31 - 1, min(s.seed, 2**31 - 1))
        self.hours = AmountBox(0.0, 100_000.0, decimals=2)
        self.hours.setSpecialValueText("no limit")
        self.hours.setSuffix(" h")
        self.hours.setValue(s.max_hours or 0.0)
        self.method, self.device, self.options = QComboBox(), QComboBox(), MethodOptions()
        self.goal, self.reaches = QComboBox(), QLabel()
        for key, name, tip in GOALS:
            self.goal.addItem(name, key)
            self.goal.setItemData(self.goal.count() - 1, tip, 3)
        self.goal.setCurrentIndex(self.goal.findData(s.goal))
        self._below = 0  # the height of what is around the rows; not known yet
        self.about, self.where, self.costs = QLabel(), QLabel(), QLabel()
        self.at_once, self.untried = QLabel(NO_MORE), QLabel(CHOOSE)
        self.starts = QPushButton()
        self.starts.clicked.connect(self._open_starts)
        self._say_starts()
        self.place, self.places = FittingCombo("Where runs happen", WIDEST_PLACE), QPushButton("&Places…")
        self.places.setToolTip("Clusters and other computers: add one, change it, try it")
        self.places.clicked.connect(self._open_places)
        self.place.currentIndexChanged.connect(self._place_chosen)
        self.card = QPushButton("&Graphics card…")
        self.card.setToolTip("What it takes to compute on this computer's NVIDIA card")
        self.card.clicked.connect(self._open_card)
        if not is_seen():
            self.card.hide()
        self._fill_places(run.places.where)
        known = [(key, m.title, m.words) for key, m in METHODS.items()]
        other = [] if s.method in METHODS else [(s.method, s.method, ELSEWHERE)]
        for key, name, tip in (*known, *other):
            self.method.addItem(name, key)
            self.method.setItemData(self.method.count() - 1, tip, 3)
        for key, name in DEVICES:
            self.device.addItem(name, key)
        self.method.setCurrentIndex(self.method.findData(s.method))
        self.device.setCurrentIndex(self.device.findData(s.device))
        self._fields = QWidget()
        form = QFormLayout(self._fields)
        form.setContentsMargins(0, 0, 8, 0)
        form.setVerticalSpacing(12)
        form.setHorizontalSpacing(16)
        several = noun(problem.declared) == "points"
        self.evaluations.valueChanged.connect(lambda _: self._say_cost())
        self.workers.valueChanged.connect(lambda _: self._say_cost())
        for text, widget, hint in (
            ("&Goal", self.goal, ""),
            ("&Known good values", self.starts, "Where the first runs are made; the next are spread over the plausible ranges."),
            ("&Points at most" if several else "&Simulator runs at most", self.evaluations, ""),
            ("Points at the same &time" if several else "Runs at the same &time", self.workers, ""),
            ("&Where runs happen", self.place, CHOOSE),
            ("Stop &after", self.hours, "Running time; 0 means no limit."),
            ("&Method", self.method, ""),
            (
                "&Computes on",
                self.device,
                "",
            ),
            ("S&eed", self.seed, "The same seed and the same runs give the same answer."),
        ):
            widget.setToolTip(hint)
            widget.setAccessibleName(text.replace("&", ""))
            form.addRow(*self._row(text, widget, hint))
        self._say_cost()
        self.options.changed.connect(self._fit)
        self.method.currentIndexChanged.connect(self._method_chosen)
        self.device.currentIndexChanged.connect(self._say_where)
        self.goal.currentIndexChanged.connect(self._goal_chosen)
        self._method_chosen()
        for one in (self.method, self.seed, self.starts) if self._fixed else ():
            one.setEnabled(False)
            one.setToolTip(BELONGS)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.button(QDialogButtonBox.StandardButton.Ok).setProperty("kind", "primary")
        buttons.accepted.connect(self._apply)
        buttons.rejected.connect(self.reject)
        box = QVBoxLayout(self)
        box.setContentsMargins(20, 18, 20, 16)
        box.setSpacing(14)
        rows = scrolled(self._fields, self.options)
        inside = rows.widget()
        self._rows = None if inside is None else inside.layout()
        box.addWidget(rows, 1)
        box.addWidget(buttons)
        self._below = 18 + 14 + 16 + buttons.sizeHint().height()
        self.resize(540, 480)
        self._fit()

    def _row(self, text: str, widget: QWidget, hint: str) -> tuple[QLabel, QWidget]:
        """Label, and the field with what is to be known of it below."""
        name, field = QLabel(text), QWidget()
        name.setBuddy(widget)
        column = QVBoxLayout(field)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addWidget(widget)
        beside = {id(self.place): self.places, id(self.device): self.card}.get(id(widget))
        if beside is not None:
            line = QHBoxLayout()
            line.addWidget(widget, 1)
            line.addWidget(beside)
            column.addLayout(line)
        said = {id(self.method): self.about, id(self.device): self.where, id(self.goal): self.reaches,
                id(self.evaluations): self.costs, id(self.workers): self.at_once, id(self.place): self.untried}  # fmt: skip
        note = said.get(id(widget)) or QLabel(hint)
        note.setProperty("role", "caption")
        note.setWordWrap(True)
        column.addWidget(note)
        if widget is self.method:
            column.addWidget(self.options.often)
        return name, field

    def _say_cost(self) -> None:
        """How many runs of the program so many points are, and about how long they take."""
        profile = self._profile
        at_once = self.workers.value() if profile is None else profile.at_once
        ahead = ahead_words(self.problem.declared, self.evaluations.value(), at_once, self.seconds, not self.place.currentData())
        twice = "" if self._noisy or self._fixed else f" {TWICE}."
        ends = f"The analysis stops earlier when {ENDS[self.goal.currentData()]}.{twice}"
        self.costs.setText(f"{ahead}. {ends}" if ahead else ends)
        self._fit()

    def _fill_places(self, chosen: str) -> None:
        """This computer, then the others; one that is not there any more stays to be seen."""
        known, _ = self.run.places.known()
        self.place.clear()
        self.place.addItem(THIS_COMPUTER, "")
        for profile in known:
            bad = BAD if self.run.places.is_bad(profile) else ""
            self.place.addItem(f"{profile.name}{bad} – {profile.words}", profile.name)
        if self.place.findData(chosen) < 0:
            self.place.addItem(f"{chosen} – not known on this computer", chosen)
        self.place.setCurrentIndex(self.place.findData(chosen))

    def _place_chosen(self) -> None:
        """Another computer's place says how many jobs there may be at once."""
        elsewhere = bool(self.place.currentData())
        self.workers.setEnabled(not elsewhere)
        profile = self._profile
        here = "As the place says (Places…)." if profile is None else AS_THE_PLACE.format(n=profile.at_once)
        self.at_once.setText(here if elsewhere else NO_MORE)
        self.workers.setToolTip(self.at_once.text())
        self.untried.setText(CHOOSE)
        self._say_cost()

    @property
    def _profile(self) -> Profile | None:
        """Of the place that is chosen; None: this computer, or one that is not known here."""
        return next((p for p in self.run.places.known()[0] if p.name == self.place.currentData()), None)

    def _open_places(self) -> None:
        dialog = PlacesDialog(self.run.places, self)
        before = str(self.place.currentData())
        dialog.exec()
        shown, works, renamed = dialog.profile.name, dialog.works, dialog.renamed.get(before, before)
        dialog.deleteLater()
        known = [p.name for p in self.run.places.known()[0]]
        chosen = shown if shown in works else renamed
        self._fill_places(chosen if chosen in known else "")
        if shown in known and shown != self.place.currentData():
            self.untried.setText(UNTRIED.format(name=shown[:60]))
            self._fit()

    def _say_starts(self) -> None:
        count = len(self.problem.declared.settings.starts)
        self.starts.setText(f"{count} set{'s' if count != 1 else ''} of values…" if count else "None; add some…")

    def _open_starts(self) -> None:
        dialog = StartsDialog(self.problem, self.place_of_files, self)
        dialog.exec()
        dialog.deleteLater()
        self._say_starts()

    def _open_card(self) -> None:
        from bayescope.gui.dialogs.graphics_card import show_graphics_card

        show_graphics_card(self)

    def _method_chosen(self) -> None:
        """What the method does, in a sentence; what only some methods have."""
        key = str(self.method.currentData())
        self.about.setText(f"{self.method.currentData(3)}.")
        self._say_where()
        self._goal_chosen()
        s = self.problem.declared.settings
        given = s.options if key == s.method else {}
        estimate = is_estimate(self.problem.declared.meaning)
        self.options.show_options(record_of(key, estimate), given, not self._fixed, BELONGS if self._fixed else "")
        self._fit()
        self.evaluations.setMinimum(max(0 if key == "svbmc" else 1, self.run.n_runs))

    def _goal_chosen(self) -> None:
        """What it leads to; the best fit alone is not looked for by every method."""
        possible = self.method.currentData() == "default" and not self._noisy
        if not possible:
            self.goal.setCurrentIndex(0)
        self.goal.setEnabled(possible)
        why = "The best fit alone is looked for by the recommended method, of programs that are not random."
        self.goal.setToolTip("" if possible else why)
        self.reaches.setText(str(self.goal.currentData(3)))
        self._say_cost()
        self._fit()

    def _say_where(self) -> None:
        """What the chosen device means for the chosen method; a card that nothing would use is said to be one."""
        device, archive = str(self.device.currentData()), self.method.currentData() == "svbmc"
        large = "fits to thousands of earlier evaluations" if archive else "the surrogate at thousands of points at once"
        words = {
            "cpu": "The graphics card is left alone.",
            "auto": "The graphics card, if there is one, computes what gains by it: " + large + ".",
            "cuda": "The graphics card, if there is one, computes " + large + "; the window says below for how much of the time.",
        }
        learns_outputs = self.method.currentData() == "default" and isinstance(self.problem.declared.meaning, Predictions)
        if device != "cpu" and learns_outputs:
            said = (
                "Outputs that are learnt are fitted on the processor, as nearly all else is."
                if device == "auto"
                else "Outputs that are learnt are fitted on the graphics card, if there is one; nearly all else is not."
            )
        elif device != "cpu" and self.method.currentData() not in ON_GRAPHICS:
            said = "With this method everything runs on the processor: its computing is too small to gain by a graphics card."
        else:
            said = words[device]
        self.where.setText(said)
        self.device.setToolTip(self.where.text())
        self._fit()

    def _fit(self) -> None:
        """As high as all rows are; on a low screen they scroll."""
        if self._below and self._rows is not None:
            self._keep_lines()
            self._rows.activate()
            needed = self._rows.totalHeightForWidth(max(self.width() - 40, 200)) + self._below + 8
            self.resize(self.width(), min(needed, self.screen().availableGeometry().height() - 40))

    def _keep_lines(self) -> None:
        """The column of rows would give the form the height that it likes at its own width, which cuts words of three lines."""
        form = self._fields.layout()
        if form is not None and self._rows is not None:
            width = self._rows.contentsRect().width() if self.isVisible() else self.width() - AROUND
            self._fields.setMinimumHeight(form.totalHeightForWidth(max(width, 200)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._keep_lines()

    @property
    def _noisy(self) -> bool:
        return is_noisy(self.problem.declared.meaning)

    @property
    def _fixed(self) -> bool:
        return self.run.n_runs > 0

    def _options(self) -> dict[str, Value]:
        """Options belong to a method: those of another one, or of another kind of log-likelihood, are left out."""
        s, method = self.problem.declared.settings, str(self.method.currentData())
        if self._fixed or method not in METHODS:
            return dict(s.options) if method == s.method else {}
        return self.options.values()

    def _apply(self) -> None:
        if self.options.refused() is not None:
            self._fit()
            return  # it is in sight, with the reason below it
        s = self.problem.declared.settings
        changed = msgspec.structs.replace(
            s,
            max_evaluations=self.evaluations.value(),
            workers=self.workers.value(),
            seed=self.seed.value() if self.seed.isEnabled() else s.seed,
            max_hours=self.hours.value() or None,
            method=str(self.method.currentData()),
            options=self._options(),
            device=cast("Literal['auto', 'cpu', 'cuda']", self.device.currentData()),
            goal=cast("Literal['posterior', 'best_fit']", self.goal.currentData()),
        )
        if self.problem.edit("Change run settings", settings=changed):
            self.run.places.choose(str(self.place.currentData()))
            self.accept()
