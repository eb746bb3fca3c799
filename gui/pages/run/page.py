"""The run page: the strip, live plots, the table of runs, the slider through past answers."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from bayescope.engine.problem.definition import Parameter, free_parameters
from bayescope.gui.analysis.counting import noun
from bayescope.gui.analysis.run_data import Answer, RunData
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.results.summary import chip_of
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.models.step_status import run_status
from bayescope.gui.pages.page import ReadOnlyNotice
from bayescope.gui.pages.run.effect_notice import EffectNotice
from bayescope.gui.pages.run.partly_notice import PartlyNotice
from bayescope.gui.pages.run.scrubber import Scrubber
from bayescope.gui.pages.run.strip import RunStrip
from bayescope.gui.pages.run.view import RunView
from bayescope.gui.pages.run.views import VIEWS
from bayescope.gui.pages.watch_notice import WatchNotice
from bayescope.gui.plots.curves import PosteriorCurves
from bayescope.gui.plots.reader import CurveReader
from bayescope.gui.system.later import later
from bayescope.gui.widgets import pane_keys
from bayescope.gui.widgets.scrolling import VerticalScroll, measure_hidden
from bayescope.gui.widgets.steady_bar import SteadyBar

REDRAW_MS = 150


class RunPage(QWidget):
    """Redraws the visible view from a timer with the newest answer, never once per message."""

    title = "Run"
    status_changed = Signal()
    page_requested = Signal(str)
    use_wanted = Signal(str)  # show where this parameter stands

    def __init__(self, controller: SessionController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem, self.file, self.run = controller.problem, controller.file, controller.run
        self.setProperty("help", "run")
        pane_keys.install(self)
        self.strip = RunStrip(controller.problem, controller.file, controller.run, Trial.of(controller))
        self.tabs = QTabWidget()
        self.tabs.setTabBar(SteadyBar())
        self.tabs.setDocumentMode(True)
        self.scrubber = Scrubber()
        self.strip.page_wanted.connect(self.page_requested)
        self.looking_back = self.strip.looking_back
        self.looking_back.pressed.connect(self.scrubber.follow)
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 8, 12, 4)
        box.setSpacing(6)
        box.addWidget(ReadOnlyNotice(controller.file))
        self.watched = WatchNotice(controller.watching)
        box.addWidget(self.watched)
        self.partly = PartlyNotice(controller.run, Trial.of(controller))
        self.partly.pressed.connect(lambda: self.page_requested.emit("data"))
        self.partly.dismissed.connect(self.strip.start.click)
        box.addWidget(self.partly)
        self.effects = EffectNotice(controller.run, Trial.of(controller))
        self.effects.use_wanted.connect(self.use_wanted)
        box.addWidget(self.strip)
        box.addWidget(self.tabs, 1)
        box.addWidget(self.effects)  # it comes by itself, and must move nothing that is about to be clicked
        box.addWidget(self.scrubber)

        self.reader = CurveReader(self)
        self.reader.ready.connect(self._on_curves)
        self.reader.loaded.connect(self._on_loaded)
        self.reader.failed.connect(lambda fault: self.run.reports.report("info", fault.what, details=fault.details))
        self.views: dict[str, RunView] = {}
        self._holders: dict[str, QWidget] = {}
        for key, view_class in VIEWS.items():
            self._holders[key] = QWidget()
            self.tabs.setTabToolTip(self.tabs.addTab(self._holders[key], view_class.title), view_class.purpose)
        self._keys = list(VIEWS)
        self.curves: PosteriorCurves | None = None
        self._shown: Answer | None = None  # a past answer while the slider is back, else None
        self._past: RunData | None = None  # what was known at that answer
        self._reading: int | None = None  # iteration that the reader thread is fetching
        self._owner: RunData = controller.run.data
        self._requested: tuple[object, bool] = (None, False)
        self._dirty = True
        self._parameters: tuple[Parameter, ...] | None = None
        self._timer = QTimer(self, interval=REDRAW_MS)
        self._timer.timeout.connect(self._redraw)
        for signal in (controller.run.evaluations_changed, controller.run.answer_changed, controller.file.changed):
            signal.connect(self._touch)
        controller.problem.changed.connect(self._on_problem)
        controller.run.state_changed.connect(lambda *_: self.status_changed.emit())
        controller.run.unrecorded.trial_run_finished.connect(self._on_trial)
        self.scrubber.chosen.connect(self._on_scrub)
        self.tabs.currentChanged.connect(self._on_tab)
        controller.file.shown.connect(self._begin)
        self._on_problem()

    # ---------------------------------------------------------------- page contract

    def status(self) -> tuple[str, str]:
        return run_status(self.problem, self.run, self.partly.trial)

    def release(self) -> None:
        """The window closes: end the reader thread."""
        self._timer.stop()
        self.reader.release()

    def _begin(self) -> None:
        """An analysis without runs begins with the overview, as the first one did."""
        self._start_over()
        if not self.run.data.evaluations:
            self.tabs.setCurrentIndex(0)

    # ---------------------------------------------------------------- views

    def view(self, key: str) -> RunView:
        """The view, built on its first visit."""
        if key not in self.views:
            made = VIEWS[key](self.problem, self.file, self.run, self.reader)
            made.iteration_chosen.connect(self.scrubber.show_iteration)
            made.run_chosen.connect(self.show_run)
            made.pair_chosen.connect(self.show_pair)
            self.views[key] = made
            layout = QVBoxLayout(self._holders[key])
            layout.setContentsMargins(0, 6, 0, 0)
            layout.addWidget(VerticalScroll(made, yields=True))
            made.show()  # a layout shows what it is given while its page is being shown only after the next resize
            made.show_problem(free_parameters(self.problem.declared))
            made.mark_iteration(self.scrubber.iteration)
            measure_hidden(made)
        return self.views[key]

    def show_run(self, index: int) -> None:
        """The table, with evaluation ``index`` selected."""
        self.show_view("runs")
        self.view("runs").update_view(*self.on_show, None)
        self.view("runs").select_run(index)

    def show_pair(self, x: int, y: int) -> None:
        self.show_view("points")
        self.view("points").select_pair(x, y)

    def show_view(self, key: str) -> None:
        self.tabs.setCurrentIndex(self._keys.index(key))
        self._redraw(force=True)

    @property
    def current_view(self) -> RunView:
        return self.view(self._keys[max(self.tabs.currentIndex(), 0)])

    def _on_tab(self) -> None:
        self._dirty = True
        if self.isVisible():
            self._redraw(force=True)

    # ---------------------------------------------------------------- data to plots

    def _touch(self) -> None:
        self._dirty = True
        self.status_changed.emit()

    def _on_problem(self) -> None:
        parameters = free_parameters(self.problem.declared)
        self.scrubber.count(noun(self.problem.declared))
        if parameters != self._parameters:
            self._parameters = parameters
            for view in self.views.values():
                view.show_problem(parameters)
            self._start_over()
        self._dirty = True

    def _start_over(self) -> None:
        """Another declaration or another file: nothing of the old one stays on show."""
        self.reader.forget()
        self.curves, self._shown, self._past, self._requested, self._reading = None, None, None, (None, False), None
        self._owner = self.run.data
        for view in self.views.values():
            view.start_over()
        self.scrubber.follow()

    @property
    def on_show(self) -> tuple[RunData, Answer | None]:
        """Runs and answer that the views draw: the newest, or those of the past answer that the slider chose."""
        data = self.run.data
        if self._shown is None or self._past is None:
            return data, data.answer
        return self._past, self._shown

    def _on_scrub(self, iteration: int | None) -> None:
        if iteration is None:
            self._shown = self._past = None
            self.strip.look_back(None)
            self._dirty = True
            self._redraw()
        elif self._reading is None:
            self._fetch(iteration)
        for view in self.views.values():
            view.mark_iteration(iteration)

    def _fetch(self, iteration: int) -> None:
        """One at a time: a slider dragged over a hundred answers must not queue a hundred reads."""
        self._reading = iteration
        self.reader.load(lambda: ("answer", iteration, self.run.stored.past_answer(iteration)))

    def _on_loaded(self, what: Any) -> None:
        if not (isinstance(what, tuple) and what and what[0] == "answer"):
            return
        self._reading = None
        wanted, (_, iteration, found) = self.scrubber.iteration, what
        if wanted is None:
            return
        if wanted != iteration:
            self._fetch(wanted)
        elif isinstance(found, Answer):
            self._shown, self._past = found, self.run.data.first(found.trace.n_evaluations)
            self.strip.look_back(past_words(found, self.run.data, noun(self.problem.declared)))
            self._dirty = True
            self._redraw()

    def _on_curves(self, curves: PosteriorCurves) -> None:
        self.curves = curves
        self._dirty = True

    def _redraw(self, force: bool = False) -> None:
        if not (self._dirty or force) or not self.isVisible():
            return
        self._dirty = False
        view = self.current_view
        if self.run.data is not self._owner:
            self._start_over()
        self.scrubber.update_trace(self.run.data.trace)
        data, answer = self.on_show
        if view.needs_curves:
            self._request(answer, view.needs_pairs)
        curves = self.curves if answer is not None else None
        view.update_view(data, answer, curves)

    def _request(self, answer: Answer | None, pairs: bool) -> None:
        space = self.problem.space
        wanted = (answer, pairs or (self._requested[0] is answer and self._requested[1]))
        if answer is None or space is None or (wanted[0] is self._requested[0] and wanted[1] == self._requested[1]):
            return
        self._requested = wanted
        self.reader.request(space, answer, wanted[1])

    def _on_trial(self, report: Any) -> None:
        runs = self.views.get("runs")
        if runs is not None:
            runs.show_trial(report)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()
        self._dirty = True
        later(self, 0, self._redraw)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()


def past_words(answer: Answer, data: RunData, counted: str) -> tuple[str, str]:
    """What a look back shows, and what of that answer is not kept any more."""
    t, last = answer.trace, data.trace[-1].iteration if data.trace else answer.iteration
    verdict = chip_of(answer)[1].lower().removesuffix(" yet")
    words = (
        f"Looking back at answer {t.iteration} of {last}, {verdict} then. "
        f"All views show the {t.n_evaluations} {counted} known then, and no later ones."
    )
    if answer.preferred == "draws" and answer.draws is None:
        return words, (
            "Its posterior draws are not kept (only those of the newest answers are): "
            "the curves come from its Gaussian mixture, which is a little smoother."
        )
    return words, ""
