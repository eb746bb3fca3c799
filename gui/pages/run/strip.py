"""The strip on top of the run page: what the engine is doing, how far it is, the verdict with its reasons, the buttons."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from bayescope.engine import protocol
from bayescope.engine.answer.words import RUN_SECONDS
from bayescope.engine.problem.definition import MAX_WORKERS, is_noisy
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.countdown import Remaining
from bayescope.gui.analysis.counting import TWICE, each_words, noun, title
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.analysis.forecast import made_in, seconds_ahead
from bayescope.gui.analysis.next_step import MORE, PAUSED, confirm_words, go_words, next_step, settled
from bayescope.gui.dialogs.run_controls import (
    ask_for_more,
    ask_to_stop,
    begin_step,
    may_have_more,
    pause_or_resume,
    proposed_in_all,
    take_step,
)
from bayescope.gui.models.data.errors.own_scatter import DECLARES, OWN_ERROR, with_own_error
from bayescope.gui.models.results.standing import failed_checks
from bayescope.gui.models.results.summary import evidence_words, surrogate_words
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.models.step_status import runs_held, runs_known
from bayescope.gui.pages.places import open_places
from bayescope.gui.pages.run.settings import RunSettingsDialog
from bayescope.gui.pages.run.strip_words import (
    activity_of,
    cost_words,
    remaining_words,
    state_of,
    verdict_of,
    waiting_words,
)
from bayescope.gui.style.icons import icon
from bayescope.gui.style.theme import repolish, theme
from bayescope.gui.style.words import duration, runs_done
from bayescope.gui.widgets.advice import AdviceButtons
from bayescope.gui.widgets.elided import ElidedLabel
from bayescope.gui.widgets.focus import focus_kept
from bayescope.gui.widgets.metric import Metric
from bayescope.gui.widgets.number_boxes import CountBox
from bayescope.gui.widgets.reasons import LookingBack, ReasonsLine

SETTLE_MS = 700  # after a run ended: a click meant for Stop is none on what came in its place
NARROW = 860  # pixels: below it the buttons leave too little for what is being done
FINISHED = {"runs": "Finished runs of those allowed", "points": "Finished points of those allowed"}
HELD = ". {n} of them count when the first run, made a second time, gives the same"
ELAPSED = "Running time so far, pauses left out"
CONFIRMS = "Run the program where the answer is known least, until it is confirmed (Ctrl+R)"
REMAINING = "For all {} allowed, from those so far; the analysis ends as soon as it has converged"
FORECAST = "From the test run; as soon as {} are done, from those"
RESUMED = "From the {} made before; as soon as others are done, from those"
CLICKS = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease, QEvent.Type.MouseButtonDblClick)
NOT_YET = (
    "The run that goes on was begun with the place as it was before.",
    "To use the change, stop the run and press Resume; everything finished is kept.",
)
_CORRECT = {  # by what has to be corrected: text, sign, kind and hint of the button
    "place": ("Correct the p&lace…", "sliders", "primary", "Its form, with a test (Settings…, Places…)"),
    "where": ("Choose the p&lace…", "sliders", "primary", "Where runs happen (Settings…)"),
    "random": (f"&{OWN_ERROR}", "sliders", "primary", DECLARES),
    "program": ("To the Si&mulator page", "sliders", "primary", "Its program, which cannot be run where runs happen"),
}


_LETTERS = {"Answer without running": "Answer &without running", "Resume": "Re&sume", "Start": "&Start"}  # by which keys press it


class RunStrip(QFrame):
    """Reads the run; refreshed when something changed, and every half second while a run goes on."""

    page_wanted = Signal(str)

    def __init__(
        self, problem: DeclaredProblem, file: AnalysisFile, run: AnalysisRun, trial: Trial | None = None,
    ) -> None:  # fmt: skip
        """``trial``: says how long a run of the program takes, before there are any."""
        super().__init__()
        self.trial = trial
        self.setProperty("role", "card")
        self.problem, self.file, self.run = problem, file, run
        self.chip = QLabel()
        self.chip.setProperty("role", "chip")
        self.confined = QLabel("Confined")
        self.confined.setProperty("role", "chip")
        self.confined.setToolTip("Runs are confined (Simulator page, Limits)")
        self.place = QLabel()
        self.place.setProperty("role", "chip")
        self.place.setTextFormat(Qt.TextFormat.PlainText)
        self.activity = ElidedLabel("heading")
        self.start = self._button("&Start", "play", "primary", "")
        self.pause = self._button("&Pause", "pause", "", "Start no new simulator run; those under way finish (Ctrl+P)")
        self.stop = self._button("S&top", "stop", "", "End the run; everything finished is kept (Ctrl+.)")
        self.correct = self._button(*_CORRECT["place"])
        self.reach = self._button("Tr&y again now", "refresh", "primary", "Connect to the place at once, not only after a pause")
        self.more = self._button(f"&{MORE}", "plus", "", "Allow more simulator runs (Ctrl+Shift+R)")
        self.settings = self._button("Sett&ings…", "sliders", "", "How many runs, how many at a time, where, which method")
        self.start.clicked.connect(self._start)
        self.pause.clicked.connect(self._pause)
        self.correct.clicked.connect(self._correct)
        self.reach.clicked.connect(run.reach_place)
        self.stop.clicked.connect(lambda: ask_to_stop(self.window(), run))
        self.more.clicked.connect(lambda: ask_for_more(self.window(), run))
        self.settings.clicked.connect(lambda: self._settings())
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self.chip, 0, Qt.AlignmentFlag.AlignVCenter)
        top.addWidget(self.confined, 0, Qt.AlignmentFlag.AlignVCenter)
        top.addWidget(self.place, 0, Qt.AlignmentFlag.AlignVCenter)
        top.addWidget(self.activity, 1)
        self._all = (self.correct, self.reach, self.start, self.pause, self.stop, self.more, self.settings)
        for button in self._all:
            top.addWidget(button)

        self.runs = Metric("Simulator runs", FINISHED["runs"])
        self.failed = Metric("Failed", "Runs that gave no usable result; the list is under Runs")
        self.workers = CountBox(1, MAX_WORKERS, run.workers)
        self.workers.setProperty("kind", "inline")
        self.workers.setAccessibleName("Runs at a time")
        self.workers.setKeyboardTracking(False)
        self.workers.valueChanged.connect(self._set_workers)
        tip = "Simulator runs that go on side by side. Can be changed at any time; those under way finish."
        self.at_once = Metric("At a time", tip, self.workers)
        self.elapsed = Metric("Elapsed", ELAPSED)
        self.remaining = Metric("Remaining", REMAINING.format("runs"))
        self.evidence = Metric("Log evidence", "Log marginal likelihood of the model with its standard deviation")
        self.surrogate = Metric("Surrogate", "Exact, or sparse with M inducing points, by the number N of evaluations")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Simulator runs done")
        self.verdict = QLabel()
        self.verdict.setProperty("role", "chip")
        self.reasons = ReasonsLine()
        self.reason, self.why = self.reasons.first, self.reasons.why
        verdict = QWidget()
        row = QHBoxLayout(verdict)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(self.verdict, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.reasons, 1)
        self.advice = AdviceButtons(problem, file, run, more=False)  # More runs… stands above
        row.addWidget(self.advice, 0, Qt.AlignmentFlag.AlignVCenter)
        self.looking_back = LookingBack()
        self._judged = QStackedWidget()  # one line, of the newest answer or of the one looked back at: nothing moves
        self._judged.addWidget(verdict)
        self._judged.addWidget(self.looking_back)
        self._judged.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        grid = QGridLayout()
        grid.setHorizontalSpacing(26)
        self._metrics_shown = (self.runs, self.failed, self.at_once, self.elapsed, self.remaining, self.evidence, self.surrogate)
        for k, metric in enumerate(self._metrics_shown):
            metric.setAlignment(Qt.AlignmentFlag.AlignTop)
            grid.addLayout(metric, 0, k)
        grid.setColumnStretch(len(self._metrics_shown), 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(14, 7, 14, 7)
        box.setSpacing(5)
        box.addLayout(top)
        box.addLayout(grid)
        box.addWidget(self._judged)
        box.addWidget(self.bar)

        self._tick = QTimer(self, interval=500)
        self._tick.timeout.connect(self.refresh)
        self._later = QTimer(self, singleShot=True, interval=60)
        self._later.timeout.connect(self.refresh)
        for signal in (
            run.state_changed,
            run.progress_changed,
            run.evaluations_changed,
            run.answer_changed,
            problem.changed,
            file.changed,
        ):
            signal.connect(self._refresh_soon)
        if trial is not None:
            trial.changed.connect(self._refresh_soon)
        theme.changed.connect(self._icons)
        self._ended = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._stop_stood = QRect()
        for button in (self.correct, self.start, self.more, self.settings):
            button.installEventFilter(self)
        self._icons()
        self.refresh()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A click where Stop stood a moment ago is meant for it: it does nothing else."""
        if event.type() in CLICKS and self._ended.isActive() and isinstance(event, QMouseEvent):
            return self._stop_stood.contains(self.mapFromGlobal(event.globalPosition().toPoint()))
        return super().eventFilter(watched, event)

    def _button(self, text: str, sign: str, kind: str, tip: str) -> QPushButton:
        button = QPushButton(text)
        button.setProperty("kind", kind)
        button.setProperty("sign", sign)
        button.setToolTip(tip)
        button.setIconSize(QSize(14, 14))
        return button

    def _icons(self) -> None:
        for button in self._all:
            colour = "on_accent" if button.property("kind") == "primary" else "text"
            button.setIcon(icon(str(button.property("sign")), colour))

    # ---------------------------------------------------------------- showing

    def _refresh_soon(self) -> None:
        if not self._later.isActive():  # starting it again would put it off for as long as signals come
            self._later.start()

    def refresh(self) -> None:
        state = self.run.state
        text, tone = state_of(self.run, self.problem)
        if self.chip.text() != text:
            self.chip.setText(text)
            self.chip.setProperty("state", tone)
            repolish(self.chip)
        self._show_confined()
        self._show_place(self.run.places.where)
        doing = activity_of(self.run, self.problem, self.trial)
        brief = waiting_words(self.run) or cost_words(doing)
        sentences = ". " in doing or (not self.run.active and "; " not in doing)
        self.activity.say(doing, shorter=brief, parts="" if brief else ". " if sentences else "; ")
        self._buttons(state)
        self._metrics()
        self._verdict()
        if self.run.active != self._tick.isActive():
            if self.run.active:
                self._tick.start()
            else:
                self._tick.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_confined()

    def _show_confined(self) -> None:
        """Where there is little room, what is done now matters more."""
        self.confined.setVisible(self.file.confined and self.width() >= NARROW)

    def _show_place(self, where: str) -> None:
        """The name of another computer where runs happen."""
        self.place.setVisible(bool(where))
        if where and self.place.text() != where:
            self.place.setText(where)
            self.place.setToolTip(f"Runs happen at the place “{where}” (Settings…, Where runs happen; Places… changes it)")

    def _buttons(self, state: str) -> None:
        """What can be done now. The focus never falls on Stop by itself: the key that paused must not end the analysis."""
        harmless = (self.correct, self.reach, self.pause, self.start, self.more)
        with focus_kept((*harmless, self.stop, self.settings), harmless, self):
            self._show_buttons(state)

    def _show_buttons(self, state: str) -> None:
        step = next_step(self.run)
        again = self.run.answers_from is not None
        confirms = confirm_words(self.run)
        if step != "more":  # that has a button of its own
            go = go_words(self.run)
            self.start.setText(_LETTERS.get(go, go))
        begun = self.run.n_runs > 0
        first = "Answer from the runs there are (Ctrl+R)" if again else "Run the simulator and learn from it (Ctrl+R)"
        further = CONFIRMS if confirms else "Go on where it stopped (Ctrl+R)"
        self.start.setToolTip(further if begun else first)
        corrects = self._corrects()
        self._dress(self.correct, "" if self.run.active else "primary")
        self.correct.setVisible(bool(corrects))
        if corrects:
            self.correct.setText(_CORRECT[corrects][0])
            self.correct.setToolTip(_CORRECT[corrects][3])
        silent = bool(self.run.data.silent) if self.run.active else bool(self.run.left.number)
        self.reach.setVisible(silent)
        self._dress(self.start, "" if corrects or silent else "primary")
        self.start.setVisible(not self.run.active and step in ("start", "resume", "confirm"))
        self.start.setEnabled(not self.file.read_only and not self.run.obstacles())
        self.pause.setVisible(self.run.active)
        self.pause.setEnabled(state != "stopping")
        paused = state in PAUSED
        if (self.pause.property("sign") == "play") != paused:
            self.pause.setProperty("sign", "play" if paused else "pause")
            self._icons()
        self.pause.setText("Re&sume" if paused else "&Pause")
        self.pause.setToolTip(
            "Go on where it was paused (Ctrl+R)" if paused else "Start no new simulator run; those under way finish (Ctrl+P)"
        )
        if self.stop.isVisible() and not self.run.active:
            self._stop_stood = self.stop.geometry()
            self._ended.start()
        self.stop.setVisible(self.run.active)
        self.stop.setEnabled(state in ("running", "paused", "pausing", "starting"))
        self.more.setVisible(self.run.n_runs > 0 or bool(self.run.data.trace))
        self._dress(self.more, "primary" if step == "more" else "")
        self.more.setEnabled(may_have_more(self.run, self.file))
        added = proposed_in_all(self.run) - self.run.n_runs
        key = "Ctrl+R" if step == "more" else "Ctrl+Shift+R"
        counted = title(self.problem.declared).lower()
        self.more.setToolTip(f"Allow more {counted}, {added} or as many as you say ({key})")
        self.settings.setVisible(not self.run.active)

    def _corrects(self) -> protocol.Correct:
        """What has to be corrected, or may have to be: a place that is silent during the run."""
        return "place" if self.run.active and self.run.data.silent else self.run.corrects

    def _dress(self, button: QPushButton, kind: str) -> None:
        """As the main button, or as one of the others."""
        if button.property("kind") != kind:
            button.setProperty("kind", kind)
            repolish(button)
            self._icons()

    def _metrics(self) -> None:
        progress = self.run.data.progress
        budget = self.run.budget
        problem = self.problem.declared
        self.runs.say(runs_done(runs_known(self.run), budget, "").strip())
        twice = "" if is_noisy(problem.meaning) else f". {TWICE}"
        each = each_words(problem)
        held = HELD.format(n=runs_held(self.run)) if runs_held(self.run) else ""
        self.runs.entitle(title(problem), f"{FINISHED[noun(problem)]}{'. ' * bool(each)}{each}{twice}{held}")
        self._show_workers()
        self.bar.setMaximum(max(budget, 1))
        self.bar.setValue(self.bar.maximum() if settled(self.run) else min(runs_known(self.run), budget))
        failed = self.run.data.n_failed
        self.failed.say(str(failed))
        tone = "error" if failed > 0.5 * max(self.run.n_runs, 1) else ""
        if self.failed.value.property("state") != tone:
            self.failed.value.setProperty("state", tone)
            repolish(self.failed.value)
        self.elapsed.say(duration(self.run.elapsed_s) if self.run.elapsed_s else "–")
        self.elapsed.value.setToolTip(f"{ELAPSED}. {self.run.computing}" if self.run.computing else ELAPSED)
        remaining = self._remaining() if self.run.active and self.run.state != "paused" else None
        said, near = ("–", "") if remaining is None else remaining_words(self.run, remaining, noun(problem))
        self.remaining.say(said)
        seconds = None if self.run.data.answer is None else self.run.data.answer.diagnostics.get(RUN_SECONDS)
        one = noun(problem)[:-1]
        there = "" if seconds is None else f". A {one} where the answer lies takes {duration(seconds)} on average, which counts"
        paced = progress is not None and progress.remaining_s is not None
        by = REMAINING if paced else RESUMED if self.run.n_runs else FORECAST
        self.remaining.value.setToolTip(f"{near or by.format(noun(problem))}{there}")
        self.surrogate.say(surrogate_words(self.run.data.answer.diagnostics if self.run.data.answer else {}))
        trace = self.run.data.trace[-1] if self.run.data.trace else None
        self.evidence.say(evidence_words(trace.log_evidence, trace.log_evidence_sd) if trace else "–")

    def _remaining(self) -> Remaining | None:
        """By the pace of the runs so far, or, before the first runs have come back, by those of earlier starts, or by the test
        run; time goes on since. None while runs made before answer: none is made."""
        run, progress = self.run, self.run.data.progress
        if run.answers_from is not None:
            return None
        left, workers = run.budget - runs_known(run), max(run.workers, 1)
        if progress is not None and progress.remaining_s is not None:
            since = progress.since_s + (0.0 if run.data.silent else run.elapsed_s - progress.elapsed_s)
            return Remaining(progress.remaining_s, left, workers, max(since, 0.0))
        seconds = None if self.trial is None else self.trial.run_seconds
        seconds = made_in(self.problem.declared, run.data.durations) if run.n_runs else seconds
        if seconds is None or left <= 0:
            return None
        whole = seconds_ahead(self.problem.declared, left, workers, seconds, not run.places.where)
        return Remaining(whole, left, workers, 0.0 if run.data.silent or run.places.where else run.elapsed_s)

    def _show_workers(self) -> None:
        """What holds now, unless somebody is typing."""
        by_place = bool(self.run.places.where) and not self.run.active  # its form says how many
        self.workers.setEnabled(not self.file.read_only and self.run.state != "stopping" and not by_place)
        if self.workers.value() != self.run.workers and not (self.workers.hasFocus() and self.workers.lineEdit().isModified()):
            with QSignalBlocker(self.workers):
                self.workers.setValue(self.run.workers)

    def _set_workers(self, workers: int) -> None:
        if workers != self.run.workers and not self.run.set_workers(workers):
            self._show_workers()

    def _verdict(self) -> None:
        words, tone, reasons = verdict_of(self.run, noun(self.problem.declared))
        if self.verdict.text() != words:
            self.verdict.setText(words)
            self.verdict.setProperty("state", tone)
            repolish(self.verdict)
        answer = self.run.data.answer
        told = answer is not None and tone in ("ok", "warning") and not waiting_words(self.run)
        self.reasons.say(reasons, failed_checks(self.run.data, answer) if told and answer is not None else ())
        self.advice.refresh()

    def look_back(self, said: tuple[str, str] | None) -> None:
        """In place of the verdict: which past answer is on show, in words; None: the newest is."""
        if said is not None:
            self.looking_back.say(*said)
        self._judged.setCurrentIndex(0 if said is None else 1)

    # ---------------------------------------------------------------- buttons

    def _start(self) -> None:
        if self.trial is None:
            take_step(self.window(), self.run)
        else:
            begin_step(self.window(), self.run, self.trial.begin)

    def _pause(self) -> None:
        pause_or_resume(self.run)

    def _correct(self) -> None:
        what = self._corrects()
        if what == "random":
            said = with_own_error(self.problem.declared)
            if said is not None:
                self.problem.replace(said, OWN_ERROR)
            return
        if what == "program":
            self.page_wanted.emit("simulator")
            return
        if what == "where":
            self._settings(to_place=True)
            return
        before = self.run.places.chosen
        open_places(self.run.places, self.window())
        if self.run.active and self.run.places.chosen != before:
            self.run.reports.report("warning", NOT_YET[0], suggestion=NOT_YET[1])

    def _settings(self, to_place: bool = False) -> None:
        """``to_place``: to choose where runs happen."""
        seconds = None if self.trial is None else self.trial.run_seconds
        dialog = RunSettingsDialog(self.problem, self.run, self.window(), self.file.place, seconds)
        if to_place:
            dialog.place.setFocus()
        dialog.exec()
        dialog.deleteLater()
