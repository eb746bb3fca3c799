"""The views of the run page, one tab each, built on their first visit."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QPushButton, QSplitter

from bayescope.engine import protocol
from bayescope.engine.answer.noise_levels import noise_of
from bayescope.engine.answer.predictions.learnt_runs import LearntRuns, RunsMade
from bayescope.engine.answer.predictions.mode_predictions import ModeLines, by_learnt_outputs, by_runs
from bayescope.engine.answer.predictions.predictive import Predicted, emulated, predicted, run_weights, with_fit
from bayescope.engine.answer.predictions.unmeasured import unmeasured
from bayescope.engine.answer.predictions.whole import with_whole_curves
from bayescope.engine.answer.usual_scatter import UsualScatter
from bayescope.engine.problem.definition import Parameter, Predictions, Problem, runs_per_point
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.counting import noun, title
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.analysis.run_data import Answer, RunData
from bayescope.gui.models.results.best_point import best_index, best_words
from bayescope.gui.pages.run.list import Runs
from bayescope.gui.pages.run.view import RunView
from bayescope.gui.pages.what_if import MOVED_ON, NO_USE, NOT_YET, Offer, WhatIfPanel, returned, why_not
from bayescope.gui.plots.acquired_points import AcquiredPoints
from bayescope.gui.plots.curves import PosteriorCurves, prior_curve
from bayescope.gui.plots.elbo_trace import ElboTrace
from bayescope.gui.plots.marginals import MarginalsPlot
from bayescope.gui.plots.pairs import PairsPlot
from bayescope.gui.plots.predictive import PredictivePlot
from bayescope.gui.plots.reader import CurveReader
from bayescope.gui.plots.surrogate_slice import SurrogateSlices
from bayescope.gui.widgets.folding import FoldingSplitter

PREDICT_SECONDS = 2.0
FEW_NEW = 8  # runs whose outputs are read one by one
LEAST_PLOT = 124  # pixels of a picture in the overview: room for three numbers upwards; below it the page scrolls


class Overview(RunView):
    title = "Overview"
    purpose = "Posterior of each parameter, the evidence bound, and where the simulator was run"
    needs_curves = True

    def __init__(self, problem: DeclaredProblem, file: AnalysisFile, run: AnalysisRun, reader: CurveReader) -> None:
        super().__init__(problem, file, run, reader)
        self.marginals, self.elbo, self.points = MarginalsPlot(), ElboTrace(), AcquiredPoints(compact=True)
        self.elbo.iteration_chosen.connect(self.iteration_chosen)
        self.adopt(self.marginals, self.elbo, self.points)
        for panel in (self.elbo, self.points):
            panel.keep_height(LEAST_PLOT)
        right = QSplitter(Qt.Orientation.Vertical)
        right.addWidget(self.elbo)
        right.addWidget(self.points)
        right.setChildrenCollapsible(False)
        split = FoldingSplitter()
        split.addWidget(self.marginals)
        split.addWidget(right)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        split.beside = [665, 595]
        split.setSizes(split.beside)
        self.add(split)

    def show_problem(self, parameters: Sequence[Parameter]) -> None:
        good = parameters if self.problem.space is not None else ()
        self.marginals.show_problem(good, self.run.data)
        self.elbo.count(title(self.problem.declared), noun(self.problem.declared))
        self.points.count(runs_per_point(self.problem.declared.meaning))
        self.points.show_problem(good)
        self.marginals.say_empty("" if good else "Declare the parameters first; their priors appear here.")

    def update_view(self, data: RunData, answer: Answer | None, curves: PosteriorCurves | None) -> None:
        self.show_problem(self.problem.space.parameters if self.problem.space is not None else ())
        if curves is not self.marginals.curves:
            self.marginals.update_curves(curves)
        if self.problem.space is not None:
            self.marginals.say_computing(answer is not None)
        if data.trace != list(self.elbo.trace):
            self.elbo.update_trace(data.trace)
        self.points.update_points(data)
        self.points.show_doubted(() if answer is None else answer.doubted)
        self.points.show_modes(None if curves is None else curves.modes)
        self.points.show_success(None if curves is None else curves.success)

    def mark_iteration(self, iteration: int | None) -> None:
        self.elbo.mark_iteration(iteration)

    def select_pair(self, x: int, y: int) -> None:
        self.points.show_pair(x, y)


class Pairs(RunView):
    title = "Pairs"
    purpose = "Every pair of parameters: how they depend on each other"
    needs_curves = needs_pairs = True

    def __init__(self, problem: DeclaredProblem, file: AnalysisFile, run: AnalysisRun, reader: CurveReader) -> None:
        super().__init__(problem, file, run, reader)
        self.plot = PairsPlot(reader)
        self.plot.pair_opened.connect(self.pair_chosen)
        self.adopt(self.plot)
        self.add(self.plot)

    def show_problem(self, parameters: Sequence[Parameter]) -> None:
        if self.problem.space is None or len(parameters) < 2:
            self.plot.say_empty("Pairs need at least two free parameters.")
            return
        self.plot.say_empty("")
        ranges = [(float(x[0]), float(x[-1])) for x, _ in map(prior_curve, parameters)]
        self.plot.count(noun(self.problem.declared))
        self.plot.widget.show_problem(parameters, ranges)

    def update_view(self, data: RunData, answer: Answer | None, curves: PosteriorCurves | None) -> None:
        if not self.plot.empty_words:
            self.plot.widget.update_content(curves, data)


class Points(RunView):
    title = "Points"
    purpose = "Where the simulator was run: any two parameters, large"
    needs_curves = True  # they know the modes

    def __init__(self, problem: DeclaredProblem, file: AnalysisFile, run: AnalysisRun, reader: CurveReader) -> None:
        super().__init__(problem, file, run, reader)
        self.plot = AcquiredPoints()
        self.adopt(self.plot)
        self.add(self.plot)

    def show_problem(self, parameters: Sequence[Parameter]) -> None:
        self.plot.count(runs_per_point(self.problem.declared.meaning))
        self.plot.show_problem(parameters if self.problem.space is not None else ())

    def update_view(self, data: RunData, answer: Answer | None, curves: PosteriorCurves | None) -> None:
        self.plot.update_points(data)
        self.plot.show_doubted(() if answer is None else answer.doubted)
        self.plot.show_modes(None if curves is None else curves.modes)
        self.plot.show_noise({} if answer is None else noise_of(answer.slices))
        self.plot.show_success(None if curves is None else curves.success)

    def select_pair(self, x: int, y: int) -> None:
        self.plot.show_pair(x, y)


class PredictionsView(RunView):
    title = "Predictions"
    purpose = "What the posterior predicts for the data, and what the program would return elsewhere"

    def __init__(self, problem: DeclaredProblem, file: AnalysisFile, run: AnalysisRun, reader: CurveReader) -> None:
        super().__init__(problem, file, run, reader)
        self.plot, self.what_if = PredictivePlot(), WhatIfPanel()
        self.asking = QPushButton("&What if…")
        self.asking.setCheckable(True)
        self.asking.setToolTip("Drag the parameters and see what the program would return; nothing is run")
        self.asking.toggled.connect(self.what_if.open)
        self.asking.hide()
        self.plot.add_control(self.asking)
        self.what_if.moved.connect(self.plot.show_curves)
        self.what_if.returned.connect(self.plot.show_returned)
        self.what_if.run_asked.connect(self._run_here)
        self.what_if.hide()
        self.adopt(self.plot)
        split = FoldingSplitter()
        split.addWidget(self.plot)
        split.addWidget(self.what_if)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 1)
        self.add(split)
        self._asked_at, self._asked_for = 0.0, (-1, -1)
        self._owner: RunData | None = None
        self._newest: tuple[RunData, Answer | None] | None = None
        self._reading = False
        self._outputs: dict[int, Any] = {}  # of the good runs, read once each; touched in the reader thread only
        self._best: tuple[RunData | None, int | None] = (None, None)  # of a random program: the point that is told of
        self._last: Path | None = None  # the analysis whose parameters were dragged
        self._asked: RunData | None = None  # ... and what was known of it
        file.changed.connect(self._on_file)
        self._later = QTimer(self, singleShot=True)
        self._later.timeout.connect(self._ask)
        reader.loaded.connect(self._on_loaded)
        reader.failed.connect(self._on_failed)

    def show_problem(self, parameters: Sequence[Parameter]) -> None:
        self.start_over()

    def start_over(self) -> None:
        self._owner, self._newest, self._outputs, self._best, self._reading = None, None, {}, (None, None), False
        self._later.stop()
        self._show([], None)

    def _on_file(self) -> None:
        """Saved elsewhere, it is the same analysis."""
        if self.run.data is self._asked:
            self._last = self.file.path

    def _same_question(self) -> None:
        """What was dragged is kept in a copy that asks again, and in no other analysis."""
        if self.run.data is not self._asked and (self._last is None or self._last not in (self.file.path, self.file.runs_of)):
            self.what_if.sliders.forget()
        self._asked, self._last = self.run.data, self.file.path

    def update_view(self, data: RunData, answer: Answer | None, curves: PosteriorCurves | None) -> None:
        if hasattr(self.problem.declared.meaning, "summaries"):
            self._show_best(data)
            return
        if not isinstance(self.problem.declared.meaning, Predictions):
            self._show([], None, predicts=False)
            return
        if not data.evaluations:
            self._show([], None)
        elif data is not self._owner and self.plot.empty_words:
            self.plot.say_computing(len(data.evaluations))
        self._newest = data, answer
        self._ask()

    def _show_best(self, data: RunData) -> None:
        """Of a random program: what the runs at the best point gave, in words. Those of the one before stay until then."""
        index, problem, run = best_index(data.evaluations), self.problem.declared, self.run
        if index is not None and (data, index) == self._best:
            return
        stays = index is not None and data is self._best[0] and self._best[1] is not None
        self._best = data, index
        if not stays:
            self._show([], None, predicts=False)
            self.plot.say_empty(best_words(problem, None, {}))
        if index is not None:
            self.reader.load(lambda: ("best", data, best_words(problem, index, run.stored.outputs_of(index))))

    def _ask(self) -> None:
        """Compute the newest, if that was not done: one at a time, and not more often than every few seconds."""
        problem = self.problem.declared
        if self._newest is None or self._reading or self.problem.space is None or not isinstance(problem.meaning, Predictions):
            return
        data, answer = self._newest
        state = (len(data.evaluations), -1 if answer is None else answer.iteration)
        if not data.evaluations or (state == self._asked_for and data is self._owner):
            return
        wait = PREDICT_SECONDS - (time.monotonic() - self._asked_at)
        if wait > 0 and data is self._owner:
            self._later.start(round(1000 * wait) + 1)
            return
        self._asked_at, self._asked_for, self._owner, self._reading = time.monotonic(), state, data, True
        self.reader.load(self._work(problem, self.problem.space, data, answer))

    def _work(self, problem: Problem, space: ParameterSpace, data: RunData, answer: Answer | None) -> Callable[[], object]:
        """By learnt outputs where the answer has them, else by the runs made; to be done off the window's thread."""
        rows, theta = list(data.evaluations), data.theta.view().copy()
        run, outputs, arrays = self.run, self._outputs, {} if answer is None else answer.slices

        def work() -> object:
            posterior, learnt = run.posterior(answer), emulated(problem, arrays)
            missing = [e.index for e in rows if e.outcome == "ok" and e.index not in outputs]
            if missing:  # they may be long: those of a few new runs are read alone
                read = {i: run.stored.outputs_of(i) for i in missing} if len(missing) <= FEW_NEW else run.stored.outputs()
                outputs.update({i: found for i, found in read.items() if found})
            indices = [e.index for e in rows]
            good = np.array([e.outcome == "ok" and e.index in outputs for e in rows], dtype=bool)
            weights = run_weights(posterior, theta, good)
            every, cells = RunsMade(theta, indices, outputs, weights), sum(len(p.x) for p in learnt)
            known = LearntRuns.of(problem, cells, every, posterior, arrays) if learnt else None
            others = unmeasured(problem, every, known)
            if learnt:
                best = run.stored.best_fit()
                learnt = with_fit(learnt, None if best is None else best.fit)
                learnt = with_whole_curves(problem, learnt, RunsMade(theta, indices, outputs), posterior, arrays)
                offer = Offer.of(problem, space, posterior, arrays, RunsMade(theta, indices, outputs), others)
                lines = by_learnt_outputs(posterior, None if offer is None else offer.what_if)
                return ("predictions", data, [*learnt, *others], offer, lines, UsualScatter.of(arrays) is not None)
            matches = problem.meaning.matches if isinstance(problem.meaning, Predictions) else ()
            made = [predicted(problem, m, indices, outputs, weights) for m in matches]
            lines = by_runs(posterior, problem, theta, good, indices, outputs)
            whole = with_whole_curves(problem, [p for p in made if p is not None], every, posterior, arrays)
            return ("predictions", data, [*whole, *others], None, lines, False)

        return work

    def _on_loaded(self, what: Any) -> None:
        if isinstance(what, tuple) and what and what[0] == "predictions":
            self._reading = False
            if self._owner is not None and what[1] is self._owner:
                self._show(what[2], what[3], runs=len(self._owner.evaluations), modes=what[4], scatters=what[5])
            self._ask()
        elif isinstance(what, tuple) and what and what[0] == "best" and what[1] is self._best[0]:
            self.plot.say_empty(what[2])

    def _show(
        self, found: list[Predicted], offer: Offer | None, runs: int = 0, predicts: bool = True, modes: ModeLines | None = None,
        scatters: bool = False,
    ) -> None:  # fmt: skip
        self.plot.update_predictions(found, predicts, runs, modes, scatters)
        self.asking.setVisible(offer is not None)
        learnt = any(p.bands is not None for p in found)
        self.plot.add_words(self._why_not(learnt, offer is not None) if found else "")
        if offer is not None:
            self._same_question()
        self.what_if.update_offer(offer)
        self.what_if.open(self.asking.isChecked() and offer is not None)

    def _why_not(self, learnt: bool, offered: bool) -> str:
        """Why parameters cannot be dragged; empty: they can."""
        if offered:
            return ""
        if learnt:
            return NO_USE
        return why_not(self.problem.declared) if self._answered() else NOT_YET

    def _run_here(self) -> None:
        """One run at the handles, beside the analysis."""
        outputs, panel, asked = self.what_if.outputs, self.what_if, self.what_if.values

        def ended(found: protocol.TrialRunReport | str) -> None:
            shown = returned(found, outputs)
            panel.show_run(*shown if panel.values == asked else ([], MOVED_ON))

        panel.say_running()
        self.run.unrecorded.run_here(asked, ended)

    def _answered(self) -> bool:
        """Whether there is an answer by which outputs could have been learnt."""
        answer = None if self._newest is None else self._newest[1]
        return answer is not None and not answer.trace.warm_up

    def _on_failed(self, report: protocol.Report) -> None:
        self._reading = False


class Surrogate(RunView):
    title = "Surrogate"
    purpose = "What the engine believes of the log density along each parameter"

    def __init__(self, problem: DeclaredProblem, file: AnalysisFile, run: AnalysisRun, reader: CurveReader) -> None:
        super().__init__(problem, file, run, reader)
        self.plot = SurrogateSlices()
        self.adopt(self.plot)
        self.add(self.plot)
        self._drawn: Answer | None = None

    def show_problem(self, parameters: Sequence[Parameter]) -> None:
        self._drawn = None
        self.plot.show_problem(parameters if self.problem.space is not None else ())

    def update_view(self, data: RunData, answer: Answer | None, curves: PosteriorCurves | None) -> None:
        if answer is not self._drawn or answer is None:
            self._drawn = answer
            self.plot.update_answer(answer, self.problem.space)


VIEWS: dict[str, type[RunView]] = {
    "overview": Overview,
    "pairs": Pairs,
    "points": Points,
    "predictions": PredictionsView,
    "surrogate": Surrogate,
    "runs": Runs,
}
