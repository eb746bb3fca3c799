"""Results page: the verdict, the posterior in numbers and figures, comparisons, exports."""

from __future__ import annotations

import dataclasses

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPushButton, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from bayescope.engine import protocol
from bayescope.engine.answer.at_bounds import at_bounds
from bayescope.engine.answer.intervals import in_words
from bayescope.engine.answer.later_reasons import as_allowed
from bayescope.engine.answer.predictions.predictive import unlikely
from bayescope.engine.problem.data.units.evidence_units import evidence_units
from bayescope.engine.problem.definition import Problem, free_parameters, label_with_name, told_apart, with_names
from bayescope.gui.analysis.counting import noun
from bayescope.gui.analysis.run_data import Answer
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs.run_controls import ask_again
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import RecordsModel
from bayescope.gui.models.results.baselines import OFFERED
from bayescope.gui.models.results.standing import failed_checks, poor_checks, results_status
from bayescope.gui.models.results.summary import (
    EVIDENCE_HINT,
    EVIDENCE_TIP,
    KINDS,
    SummaryRow,
    both_evidences,
    evidence_words,
    separate_modes,
    sought_alone,
    summary_columns,
    verdict,
)
from bayescope.gui.pages.page import READ_ONLY_HINT, SAVE_AS, Page, Status, save_as
from bayescope.gui.pages.results.answer import Asked, Computed, computing
from bayescope.gui.pages.results.best_fit import BestFitTab
from bayescope.gui.pages.results.checks import ChecksTab
from bayescope.gui.pages.results.compare import CompareTab
from bayescope.gui.pages.results.correlations import CorrelationsTab
from bayescope.gui.pages.results.export import ExportTab
from bayescope.gui.pages.results.modes import ModesTab
from bayescope.gui.pages.results.needed import NeededTab
from bayescope.gui.pages.results.probability import ProbabilityLine
from bayescope.gui.pages.results.residuals import ResidualsTab
from bayescope.gui.pages.results.summary import SummaryTable
from bayescope.gui.pages.results.taught import TaughtTab
from bayescope.gui.pages.results.unseen import UnseenTab
from bayescope.gui.plots.marginals import MarginalsPlot
from bayescope.gui.plots.predictive import MOST_AT_ONCE, MOST_WORDS
from bayescope.gui.plots.reader import CurveReader
from bayescope.gui.style import words
from bayescope.gui.widgets.advice import AdviceButtons
from bayescope.gui.widgets.counted_tabs import CountedTabs
from bayescope.gui.widgets.folding import FoldingRow
from bayescope.gui.widgets.forms import Choice, beside
from bayescope.gui.widgets.notices import Empty, label
from bayescope.gui.widgets.reasons import VerdictBanner
from bayescope.gui.widgets.scrolling import Part, VerticalScroll

SETTLE_MS = 400
COMPUTING = "The summary is being computed…"
CURVES_HEIGHT = 230  # least, of the plots below the table: their axes keep their names


class ResultsPage(Page):
    step = "results"
    title = "Results"
    purpose = "What the data say about each parameter, how sure that is, and how to take it with you."
    help_page = "results"
    page_requested = Signal(str)
    run_asked = Signal(int)  # this run is to be shown

    def __init__(self, controller: SessionController, parent: QWidget | None = None) -> None:
        super().__init__(controller, parent)
        self.advice = AdviceButtons(controller.problem, controller.file, controller.run)
        self.advice.copied.connect(lambda: self.page_requested.emit("parameters"))
        self.banner = VerdictBanner(self.advice)
        self.tabs = CountedTabs()
        self.reader = CurveReader(self)
        self.reader.loaded.connect(self._computed)
        self.reader.failed.connect(self._failed)
        self._asked: Answer | None = None  # the one that is shown, or on its way
        self._on_its_way = False
        self._unlikely: Answer | None = None  # the one that chance would hardly give the data of
        self._fault: protocol.Report | None = None  # why nothing is shown of the answer that was asked for
        self._timer = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._timer.timeout.connect(self._compute)
        self.empty = Empty("No answer yet", "", "Go to the Run page")
        self.empty.pressed.connect(lambda: self.page_requested.emit("run"))
        self.summary = RecordsModel[SummaryRow](summary_columns(), None, self)
        self.summary_table = SummaryTable(self.summary)
        self.computing = label(COMPUTING, "hint")
        self.summary_table.hide()
        self.intervals = Choice("Intervals", in_words("equal_tailed", 0.9) + "\n" + in_words("shortest", 0.9))
        self.intervals.offer(KINDS, KINDS[0][0])
        self.intervals.setMinimumContentsLength(len(KINDS[0][1]))
        self.intervals.chosen.connect(lambda _: self._again())
        self.probability = ProbabilityLine()
        self.evidence = label("", "value")
        self.evidence_hint = label("", "hint", wrap=True)
        self.evidence_hint.setToolTip(EVIDENCE_TIP)
        self.compare_button = QPushButton("Compare with Laplace and MCMC")
        self.compare_button.setToolTip("What other methods make of the same runs; no simulator run is made.")
        self.compare_button.clicked.connect(self._compare)
        self.again_button = QPushButton("Ask again with changes…")
        self.again_button.setToolTip("Other noise, data or priors, answered from these runs; no simulator run is made.")
        self.again_button.clicked.connect(self._ask_again)
        self.fixed = label("", "hint", wrap=True)
        self.other_outputs = label("", "hint", wrap=True)
        self.other_outputs.setToolTip("Outputs of one value that are compared with nothing; curves: Run, Predictions")
        self.other_outputs.hide()
        self.at_bounds = label("", "hint", wrap=True)
        self.at_bounds.setToolTip("Of all parameters: see What the data taught")
        self.at_bounds.hide()
        self.agreement = label("", "hint", wrap=True)
        self.agreement.setToolTip("How the measured values lie about what the posterior predicts; see Run, Predictions")
        self.residuals = ResidualsTab()
        self.see_residuals = QPushButton("Residuals")
        self.see_residuals.setToolTip("What is left of the data, drawn and tested; what to do if it does not look like chance")
        self.see_residuals.clicked.connect(self._see_residuals)
        self.agreement.setProperty("grow", True)
        self.agreeing = beside(self.agreement, self.see_residuals, spacing=16)
        self.agreeing.hide()
        self.marginals = MarginalsPlot()
        self.marginals.add_control(self.intervals)
        self.marginals.problem.connect(controller.reports.reported)
        self.reader.failed.connect(lambda _: self.marginals.say_computing(False))
        self.related = CorrelationsTab()
        self.correlations, self.correlation_table = self.related.model, self.related.table
        self.compare = CompareTab(controller.file, controller.run)
        self.exporter = ExportTab(controller.file, controller.run)
        self.exporter.figures_asked.connect(lambda: self.tabs.setCurrentIndex(0))
        self.unseen = UnseenTab(controller.problem, controller.file, controller.run)
        self.needed = NeededTab(controller.problem, controller.file, controller.run)
        self.best_fit = BestFitTab(controller.file, controller.run)
        self.best_fit.run_asked.connect(self.run_asked)
        self.modes = ModesTab()
        self.taught = TaughtTab(self.run.study)
        self.checks = ChecksTab(self.run)
        self.run.unrecorded.baseline_ready.connect(lambda found: self.refresh())  # after the checks have it
        self.residuals.asked.connect(self._ask_changed)
        for shown in (self.unseen, self.best_fit, self.checks, self.residuals, self.needed):
            shown.plot.problem.connect(controller.reports.reported)
        self.checks.asked.connect(lambda: self.compare.compare_with([method for method, _, _ in OFFERED]))
        self.compare.working_said.connect(self.checks.say_working)
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("Parts of the results")
        for part, title, short, page in (
            (self._summary_part(), "Summary", "", "results"),
            (self.best_fit, "Best fit", "Best", "results"),
            (self.related, "Correlations", "", "results"),
            (self.taught, "What the data taught", "Taught", "results"),
            (self.compare, "Compare", "", "comparison"),
            (self.exporter, "Export", "", "export"),
            (self.unseen, "Unseen modes", "Unseen", "results"),
            (self.checks, "Why trust this", "Trust", "results"),
            (self.residuals, "Residuals", "", "results"),
            (self.modes, "Modes", "", "results"),
            (self.needed, "Runs needed", "", "results"),
        ):
            part.setProperty("help", page)
            self.tabs.add(part, title, short)
        for part in (self.modes, self.residuals, self.needed):  # until there are several, or some
            self.tabs.show_part(part, False)
        content = QWidget()
        box = QVBoxLayout(content)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(10)
        box.addWidget(self.banner)
        box.addWidget(self.tabs, 1)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.empty)
        self.stack.addWidget(content)
        self.add(self.stack, 1)
        self.tabs.currentChanged.connect(lambda _: self.refresh())
        controller.file.shown.connect(self._forget)
        controller.run.answer_changed.connect(self.refresh)
        controller.run.state_changed.connect(self.refresh)  # what came in behind the newest answer is said at the end
        controller.run.evaluations_changed.connect(self.exporter.refresh)
        self.follow()

    def _summary_part(self) -> QWidget:
        part = QWidget()
        self.evidence_hint.setProperty("grow", True)
        evidence = FoldingRow(
            beside(self.evidence, self.evidence_hint, spacing=16), beside(self.again_button, self.compare_button)
        )
        numbers = Part()
        box = QVBoxLayout(numbers)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addWidget(self.computing, 1, Qt.AlignmentFlag.AlignTop)
        box.addWidget(self.summary_table, 1)
        box.addWidget(self.at_bounds)
        box.addWidget(self.probability)
        box.addWidget(self.fixed)
        box.addWidget(self.other_outputs)
        box.addWidget(evidence)
        box.addWidget(self.agreeing)
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(numbers)
        split.addWidget(self.marginals)
        split.setSizes([215, 330])
        split.setStretchFactor(0, 0)
        split.setStretchFactor(1, 1)
        split.setChildrenCollapsible(False)
        split.setHandleWidth(12)
        outer = QVBoxLayout(part)
        outer.setContentsMargins(0, 12, 0, 0)
        self.marginals.setMinimumHeight(CURVES_HEIGHT)
        outer.addWidget(VerticalScroll(split, yields=True))
        return part

    # -------------------------------------------------------------- shown

    def _changed(self) -> None:
        """Results are there to be read: no banner about what is locked, only where the whole window is."""
        self.lock.say("warning", self.file.read_only_words, READ_ONLY_HINT, SAVE_AS)
        self.refresh()
        self.announce()

    def _lock_pressed(self) -> None:
        save_as(self, self.file)

    def status(self) -> Status:
        if self.run.data.answer is None:
            return (
                "locked",
                "appears when the first runs have ended" if self.run.active else "run the analysis first",
            )
        done, words = results_status(self.run.data, self.run.data.answer)
        return "done" if done else "todo", words

    def refresh(self) -> None:
        answer = self.run.data.answer
        self.exporter.refresh()
        if answer is None:
            self._asked = None
            self.stack.setCurrentIndex(0)
            active = self.run.active
            self.empty.say(
                "No answer yet",
                "The first answer appears here when the first simulator runs have ended."
                if active
                else "Run the analysis; its results appear here and can be looked at while it is still running.",
                "Go to the Run page",
            )
            self.compare.set_current(None)
            return
        if self.stack.currentIndex() == 0:  # what was asked for stands first
            self.tabs.setCurrentIndex(self.tabs.indexOf(self.best_fit) if sought_alone(answer) else 0)
        self.stack.setCurrentIndex(1)
        point = answer.trace
        counted = noun(self.problem.declared).removesuffix("s")
        newest = bool(self.run.data.trace) and self.run.data.trace[-1].iteration == point.iteration
        made = self.run.n_runs if newest and not self.run.active else point.n_evaluations
        if self._fault is not None and answer is self._asked:
            self.banner.say("error", self._fault.what, tuple(filter(None, [self._fault.suggestion])), self._fault.details)
        else:
            found = poor_checks(self.run.data, answer)
            left_out = len(answer.far_off.with_fate("left out"))
            if newest:
                point = dataclasses.replace(point, reasons=as_allowed(point.reasons, self.run.n_runs, self.run.budget))
            level, said, reasons = verdict(point, made, answer.diagnostics, counted, found, left_out, answer is self._unlikely)
            if level == "ok" and not self.run.data.looked_at:
                self.banner.say("info", f"{said.partition(':')[0]}. Its checks are being made.", reasons)
            else:
                self.banner.say(level, said, reasons, checks=failed_checks(self.run.data, answer))
        self.advice.refresh()
        self.unseen.refresh()
        self.needed.refresh()
        self.best_fit.refresh()
        self.evidence.setText(f"Log evidence  {evidence_words(point.log_evidence, point.log_evidence_sd)}")
        units = evidence_units(self.problem.declared)
        of_units = "" if units is None else f" {units.words}"
        self.evidence_hint.setText(f"{both_evidences(answer.diagnostics) or EVIDENCE_HINT}{of_units}")
        fixed = with_names([p for p in self.problem.declared.parameters if p.fixed is not None])
        self.fixed.setText(
            "Fixed: " + ", ".join(f"{one_line(p.label or p.name, 40)} = {words.number(p.fixed, 6)}" for p in fixed[:20])
            if fixed
            else ""
        )
        self.fixed.setVisible(bool(fixed))
        if self.isVisible() and not self._timer.isActive():
            self._timer.start(SETTLE_MS if self._asked else 0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _compute(self) -> None:
        answer, space = self.run.data.answer, self.problem.space
        problem, path = self.problem.declared, self.file.path
        if answer is None or space is None or not self.isVisible():
            return
        if answer is self._asked or self._on_its_way:  # what was begun is shown, then the newest: else none while they come fast
            return
        self._asked, self._on_its_way, failed, self._fault = answer, True, self._fault is not None, None
        if failed:
            self.refresh()
        self.computing.setText(COMPUTING)
        self.marginals.show_problem(free_parameters(problem), self.run.data)
        self.marginals.say_computing(True)
        self.best_fit.say_reading()
        kind = next(kind for kind, _ in KINDS if kind == self.intervals.key())
        asked = Asked(
            answer, problem, space, self.run.data, self.run.stored, self.file.title, path, self.file.runs_of, kind
        )
        self.reader.load(computing(asked))

    def _again(self) -> None:
        """The same answer with other intervals."""
        self.reader.forget()
        self._asked, self._on_its_way = None, False
        self._compute()

    def _forget(self) -> None:
        """Another analysis is shown: nothing of the one before stays, also where both have parameters of the same names."""
        self.reader.forget()
        self._asked, self._on_its_way, self._unlikely, self._fault = None, False, None, None
        self._timer.stop()
        self.stack.setCurrentIndex(0)
        self.summary.set_rows(())
        self.summary_table.hide()
        self.probability.show_posterior(None)
        self.computing.setText(COMPUTING)
        self.computing.show()
        for said in (self.at_bounds, self.other_outputs, self.agreeing):
            said.hide()
        self.marginals.update_curves(None)
        self.related.show_values([], [], [])
        self.unseen.show_claim(None)
        self.best_fit.show_best(None)
        self.modes.show_modes(None)
        self.taught.show_taught(None)
        self.checks.show_answer(None)
        self.residuals.forget()
        self.needed.show_answer(None)
        self._show_parts()
        self.compare.set_current(None)
        self.exporter.forget()
        self.refresh()  # the answer of the one that is shown now

    def _show_parts(self) -> None:
        """Those that there is something in."""
        for part, some in (
            (self.modes, self.modes.shown is not None),
            (self.residuals, bool(self.residuals.shown)),
            (self.needed, self.needed.shown is not None),
        ):
            self.tabs.show_part(part, some)

    def _failed(self, fault: protocol.Report) -> None:
        self._fault, self._on_its_way = fault, False
        self.computing.setText("The summary is not there: see above.")
        self.refresh()

    def _computed(self, found: object) -> None:
        if not isinstance(found, Computed) or found.answer is not self._asked:
            return
        self._on_its_way = False
        self.summary.set_columns(summary_columns(found.kind, found.rows))
        self.summary.set_rows(found.rows)
        self.marginals.show_kind(found.kind, separate_modes(found.rows))
        self.computing.hide()
        self.summary_table.show()
        self.summary_table.fit()
        self.probability.show_posterior(found.current.posterior, tuple(told_apart(found.problem.parameters)))
        names, modes = [label_with_name(r.label, r.name) for r in found.rows], [r.modes for r in found.rows]
        within, settled = () if found.modes is None else found.modes.correlations, found.current.converged
        self.related.show_values(names, found.correlation, modes, within, settled)
        self.at_bounds.setText(at_bounds(found.taught.learnt) if found.taught is not None else "")
        self.at_bounds.setVisible(bool(self.at_bounds.text()))
        self.other_outputs.setText("\n".join(one_line(words, MOST_WORDS) for words in found.single_values[:MOST_AT_ONCE]))
        self.other_outputs.setVisible(bool(found.single_values))
        said = [*found.agreement[:MOST_AT_ONCE], *filter(None, found.evidence.split("\n"))]
        self.agreement.setText("\n".join(one_line(words, MOST_WORDS) for words in said))
        self.agreeing.setVisible(bool(said))
        self.marginals.update_curves(found.curves)
        self.unseen.show_claim(found.claim)
        self.best_fit.show_best(found.best)
        self.modes.show_modes(found.modes)
        self.taught.show_taught(found.taught, found.sensitivity, found.answer.iteration)
        self.checks.show_answer(found.answer, found.claim, found.others)
        self._unlikely = found.answer if unlikely(found.predicted) else None
        self.refresh()  # the verdict above is that of the checks, and so is the step's
        self.announce()
        self.residuals.show_residuals(found.predicted, found.problem, found.answer, found.best, found.evidence)
        self.see_residuals.setVisible(bool(self.residuals.shown))
        self.needed.show_answer(found.answer)
        self._show_parts()
        self.compare.set_current(found.current)
        answer = self.run.data.answer
        if answer is not None and answer is not found.answer:
            self._timer.start()

    def _ask_again(self) -> None:
        if ask_again(self, self.file, self.run):
            self.page_requested.emit("data")

    def _see_residuals(self) -> None:
        self.tabs.setCurrentWidget(self.residuals)

    def _ask_changed(self, changed: Problem, called: str) -> None:
        """Ask again with a program that may be off, other errors or fewer values, and answer at once."""
        if not ask_again(self, self.file, self.run):
            return
        if self.problem.edit(called, meaning=changed.meaning, parameters=changed.parameters):
            self.page_requested.emit("run")
            self.run.start()

    def _compare(self) -> None:
        self.tabs.setCurrentWidget(self.compare)
        self.compare.compare_with(("laplace", "mcmc"))

    def release(self) -> None:
        """The window closes: no more computing."""
        self._timer.stop()
        self.summary_table.release()
        self.modes.release()
        self.reader.release()
