"""The values tried out while setting up, and what the newest test run gave. One per analysis, shared by the pages."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from bayescope.engine.answer.no_effect import QUICK_S
from bayescope.engine.problem.definition import Output, Problem
from bayescope.engine.protocol import NoiseReport, TrialRunReport
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.simulator.outputs.output_views import reread
from bayescope.gui.models.simulator.set_up_answers import SetUpAnswers
from bayescope.gui.models.simulator.trials.held_start import HeldStart
from bayescope.gui.models.simulator.trials.moved_alone import MovedAlone
from bayescope.gui.models.simulator.trials.trial_values import another_value, typical
from bayescope.gui.system.user_settings import settings

if TYPE_CHECKING:
    from bayescope.engine.problem.findings import Finding
    from bayescope.gui.models.data.open_questions import Question

MOST_TRIED = 6  # test runs that are remembered
FOLLOW_KEY = "second_test_run"  # in the user's settings


class Trial(QObject):
    """``report``: of the newest test run, with the problem it was of; ``other``: of the check at other values."""

    changed = Signal()  # values, report, running or words

    def __init__(self, problem: DeclaredProblem, file: AnalysisFile, run: AnalysisRun, parent: QObject) -> None:
        super().__init__(parent)
        self.problem, self.file, self.analysis = problem, file, run
        self.answers = SetUpAnswers(problem, file, self.changed.emit)
        self._typed: dict[str, float] = {}
        self.report: TrialRunReport | None = None
        self.other: TrialRunReport | None = None
        self._earlier: TrialRunReport | None = None  # the good test run before ``report``, at other values
        self._tried: list[TrialRunReport] = []  # of this program, the newest last
        self.noise: NoiseReport | None = None  # of the newest noise check
        self.noise_of: Problem | None = None  # what it was of
        self.noise_done = (0, 0)  # runs ended, runs in all
        self.words = ""  # why the engine could not even try
        self.there = True  # whether it runs at the place that was chosen for the runs
        self.stage = ""  # what becomes of it there, in words
        self._of: Problem | None = None
        self._checking = False
        self._began = 0.0  # when the run under way was asked for, on the monotonic clock (s)
        self.moving = False  # runs are under way in which each parameter is moved alone
        self._alone = MovedAlone(self, self._move_alone)
        self.start = HeldStart(problem, self.changed.emit, self)
        self.by_itself = False  # the run under way is one at other values that nobody asked for
        self._then: Callable[[], None] | None = None  # what is wanted instead of it
        run.unrecorded.trial_run_finished.connect(self._finished)
        run.unrecorded.trial_run_failed.connect(self._failed)
        run.unrecorded.noise_progress.connect(self._noise_progress)
        run.unrecorded.noise_checked.connect(self._noise_checked)
        run.places.stage.connect(self._staged)
        run.state_changed.connect(self._make_room)
        run.places.changed.connect(self.changed)
        file.changed.connect(self._session_changed)
        file.shown.connect(lambda: self._session_changed(other=True))
        problem.replaced.connect(self._look)
        problem.changed.connect(self._wait_settled)
        self.changed.connect(self._look)
        self.changed.connect(self._answered)
        self._noted: tuple[TrialRunReport, tuple[Output, ...]] | None = None
        self._kept: tuple[tuple[object, ...], TrialRunReport | None] | None = None
        self.opened: set[str] = set()  # files opened by hand to mark numbers in, as outputs name them
        self._asked: tuple[tuple[Problem, TrialRunReport | None, object], Question | None] | None = None
        self._unfit: tuple[Problem, TrialRunReport | None, tuple[int, str] | None] | None = None

    @classmethod
    def of(cls, controller: SessionController) -> Trial:
        """The one of this controller, made on first use."""
        found = controller.findChild(cls)
        return found if found is not None else cls(controller.problem, controller.file, controller.run, controller)

    # -------------------------------------------------------------- values

    def values(self) -> dict[str, float]:
        """A value for every parameter: typed by the user, else fixed, else typical of the prior."""
        return {p.name: self._typed.get(p.name, typical(p)) for p in self.problem.declared.parameters}

    def set_value(self, name: str, value: float) -> None:
        self._typed[name] = value
        self.changed.emit()

    def renamed(self, old: str, new: str) -> None:
        """The value and the answers go with the parameter's new name."""
        if old in self._typed:
            self._typed[new] = self._typed.pop(old)
        self.answers.renamed(old, new)

    def forget_values(self) -> None:
        self._typed.clear()
        self.changed.emit()

    # -------------------------------------------------------------- runs

    @property
    def place(self) -> str:
        """The name of the place chosen for the runs of the analysis; "": this computer."""
        return self.analysis.places.where

    @property
    def _where(self) -> str:
        return self.place if self.there else ""

    def set_there(self, on: bool) -> None:
        self.there = on
        self.changed.emit()

    def _staged(self, words: str) -> None:
        self.stage = words
        if self.waiting:
            self.changed.emit()

    @property
    def running(self) -> bool:
        return self.analysis.unrecorded.trial_running

    @property
    def waiting(self) -> bool:
        """Whether a run that was asked for is under way; one that began by itself holds nothing up."""
        return self.running and not self.by_itself

    @property
    def elapsed(self) -> float:
        """Seconds since the run under way was asked for."""
        return monotonic() - self._began if self.running else 0.0

    @property
    def follows(self) -> bool:
        """Whether a quick test run is followed by one at other values, as the user chose."""
        return str(settings().value(FOLLOW_KEY, "yes")) != "no"

    def set_follows(self, on: bool) -> None:
        settings().setValue(FOLLOW_KEY, "yes" if on else "no")
        if self.by_itself and not on:
            self.cancel()
        self.changed.emit()

    @property
    def stale(self) -> bool:
        """The simulator, outputs or data were changed after the report was made, in a way that its texts do not answer."""
        now, then = self.problem.declared, self._of
        if self.report is None or then is None:
            return False
        if not then.outputs and now.simulator == then.simulator and (read := reread(now, self.report)) is not None:
            return {o.name for o in now.outputs} > {o.name for o in read.outputs}  # marked since: they are read in its texts
        return any(getattr(now, part) != getattr(then, part) for part in ("simulator", "outputs", "meaning", "data"))

    @property
    def second(self) -> TrialRunReport | None:
        """A good run at other values than ``report``, if there is one: of the check, or an earlier test run."""
        if self.other is not None:
            return self.other if self.other.outcome != "failed" else None
        earlier, report = self._earlier, self.report
        return earlier if earlier is not None and report is not None and earlier.values != report.values else None

    @property
    def reports(self) -> tuple[TrialRunReport, ...]:
        """Of the test runs at hand, the newest first."""
        return tuple(r for r in (self.report, self.other, self._earlier) if r is not None)

    @property
    def told(self) -> TrialRunReport | None:
        """The newest test run; before there is one in this window, what the draft keeps of that of an earlier one."""
        if self.report is not None:
            return self.report
        problem, settled = self.problem.declared, self.answers.settled
        of = problem.outputs, problem.simulator.command, settled.tried, settled.tried_of
        if self._kept is None or any(now is not then for now, then in zip(of, self._kept[0], strict=True)):
            from bayescope.gui.models.simulator.trials.kept_outputs import kept_report

            self._kept = of, kept_report(problem, settled)
        return self._kept[1]

    def _note_tried(self) -> None:
        """Once per good test run, and per change of the outputs that are read in its texts."""
        report, of, outputs = self.report, self._of, self.problem.declared.outputs
        if report is None or of is None or report.outcome != "ok" or of.simulator != self.problem.declared.simulator:
            return
        if self._noted is None or self._noted[0] is not report or self._noted[1] is not outputs:
            self._noted = report, outputs
            self.answers.note_tried(report, of.outputs)

    def unfit(self) -> tuple[int, str] | None:
        """The first comparison whose rows do not fit the newest test run, and why, a sentence; None: none is known."""
        problem, report = self.problem.declared, self.report
        if self._unfit is None or self._unfit[0] is not problem or self._unfit[1] is not report:
            found = None
            if report is not None and problem.data is not None:
                from bayescope.gui.models.data.rows.unfit import first_unfit

                found = first_unfit(problem, report)
            self._unfit = (problem, report, found)
        return self._unfit[2]

    @property
    def tried(self) -> int:
        """How many test runs of this program are remembered."""
        return len(self._tried)

    def lacking(self) -> int:
        """Where rows of the newest test run do not fit, but those of another one do (a run may lack some): how many were tried.
        0: no test run so far fits, or the newest one does."""
        from bayescope.gui.models.data.rows.lacking_rows import lacks_rows, whole

        problem, unfit = self.problem.declared, self.unfit()
        if unfit is None or not lacks_rows(problem, unfit[0], self.report):
            return 0
        return len(self._tried) if any(whole(problem, r) for r in self._tried[::-1]) else 0

    def _look(self) -> None:
        """A run like the newest test run would fail where rows do not fit: then nothing is ready to start."""
        from bayescope.engine.problem.findings import Finding
        from bayescope.gui.models.data.keys.order_doubt import UNSAID, UNTRIED, order_doubt, order_unproved
        from bayescope.gui.models.data.rows.unfit import UNFIT
        from bayescope.gui.models.data.summary_lengths import ADVICE, unfit_summary

        self._note_tried()
        found = self.unfit()
        if found is None or self.lacking():
            short = unfit_summary(self.problem.declared, self.report) if self.report is not None else None
            where = f"meaning.summaries[{short[0]}].statistic" if short else ""
            fault = self.fault()
            said = [fault[0]] if fault is not None else []
            if not short and not said and (doubt := order_doubt(self.answers, self.report, self.second)) is not None:
                said = [Finding("error", f"meaning.matches[{doubt.row}].order", doubt.words, UNSAID, first=True)]
            elif not short and not said and (open_one := order_unproved(self.answers, self.report)) is not None:
                said = [Finding("error", f"meaning.matches[{open_one.row}].order", open_one.words, UNTRIED)]
            self.problem.tried([Finding("error", where, short[1], ADVICE, first=True)] if short else said)
            return
        self.problem.tried([Finding("error", f"meaning.matches[{found[0]}].rows", found[1], UNFIT, first=True)])

    def unread(self) -> list[str]:
        """Outputs that were marked in a file opened by hand and that no test run has written so far."""
        report, known = self.report, set(self.opened)
        if report is not None and report.outcome == "ok":
            known -= {f.name for f in report.files}
        return [o.name for o in self.problem.declared.outputs if o.source in known] if not self.analysis.n_runs else []

    def misread(self) -> list[str]:
        """Outputs that cannot be read, as they are declared now, in what the newest test run wrote; none once runs count."""
        from bayescope.gui.models.simulator.outputs.output_views import parts_of, read, texts_of

        report = self.report
        if report is None or report.outcome not in ("ok", "failed") or self.analysis.n_runs:
            return []
        if report.outcome == "failed" and not any(o.problem for o in report.outputs):
            return []  # it failed by itself: what it wrote is no measure
        texts, cut = texts_of(report), parts_of(report)
        mine = (o for o in self.problem.declared.outputs if o.source not in cut)
        return [o.name for o in mine if isinstance(read(o, texts), str)]

    @property
    def run_seconds(self) -> float | None:
        """What a run of the program takes, the median of the test runs but the first (it may be slower), or the newest where that
        was quicker, else by the first one, the noise check, or what an earlier window noted; None: not known."""
        report, noise = self.report, self.noise
        if further := self._further():
            return min(median(further), further[-1])  # later ones find what earlier ones loaded or compiled
        if report is not None and report.outcome == "ok":
            return report.duration_s
        if noise is not None and noise.runs > 0 and noise.duration_s > 0.0:
            return noise.duration_s / noise.runs
        return self.answers.run_seconds

    @property
    def by_first_run(self) -> bool:
        """Whether what a run takes is known of the first one alone: later ones find what it loaded or compiled."""
        return not self._further() and self.report is not None and self.report.outcome == "ok"

    def _further(self) -> list[float]:
        """Seconds of the good test runs of this program but the first."""
        good = [r for r in self._tried if r.outcome == "ok"]
        each = [(r.duration_s if r is not self._tried[0] else None, r.again_s) for r in good]
        return [seconds for of in each for seconds in of if seconds is not None]

    def fault(self) -> tuple[Finding, int | None] | None:
        """What the newest noise check found wrong with the summaries, and the one whose leaving out mends it."""
        from bayescope.gui.models.data.summary_faults import summary_finding

        return summary_finding(self.problem.declared, self.noise_of, self.noise, self.answers.settled.kept)

    def keep_all(self) -> None:
        """The fault of the summaries is passed over."""
        if (fault := self.fault()) is not None:
            self.answers.keep(fault[0].message)

    @property
    def noise_stale(self) -> bool:
        """Something that the newest noise check was of has been changed since."""
        from bayescope.gui.models.data.summary_faults import stale

        return self.noise is not None and stale(self.problem.declared, self.noise_of)

    def run(self, repeat: int = 1) -> None:
        if self._given_up(lambda: self.run(repeat)):
            return
        if self.running or self.checking_noise or not self.problem.declared.simulator.command:
            return
        if self._of is not None and self._of.simulator != self.problem.declared.simulator:
            self._earlier = None
            self._tried.clear()
        elif self.report is not None and self.report.outcome == "ok" and self.report.values != self.values():
            self._earlier = self.report
        self._checking, self.words, self.other, self.stage = False, "", None, ""
        self._began = monotonic()
        self._of = self.problem.declared
        self.analysis.unrecorded.trial_run(self.values(), repeat, self._where)
        self.changed.emit()

    def check(self) -> None:
        """Run once more at other values, to see whether the outputs are still found where they were."""
        if self.by_itself:  # what is asked for is under way
            self.by_itself = False
            self.changed.emit()
            return
        if self.running or self.checking_noise or self.report is None:
            return
        self._checking, self.words, self.other, self._began = True, "", None, monotonic()
        self.analysis.unrecorded.trial_run(self._others(), where=self._where)
        self.changed.emit()

    def _others(self) -> dict[str, float]:
        """Other values than those of the next test run."""
        now = self.values()
        turn = max(sum(bool(report.outputs) for report in self._tried) - 1, 0)  # those that ended early tell of no rows
        return {p.name: another_value(p, now[p.name], turn) for p in self.problem.declared.parameters}

    def _follow(self) -> None:
        """After a good test run of a quick program: which numbers depend on the parameters is to be seen without asking."""
        report, of, problem = self.report, self._of, self.problem.declared
        if report is None or of is None or self.running or self.checking_noise or self.problem.locked:
            return
        agreed = of.simulator == problem.simulator  # the user was asked about this program already
        read = report.outcome == "ok" or self.unfit() is not None  # a run that lacks rows ran well
        good = read and report.duration_s <= QUICK_S and agreed
        if good and self.follows and self.second is None and self.other is None and self._others() != self.values():
            self.check()
            self.by_itself = self.running
            self.changed.emit()
        else:
            self._move_alone()

    @property
    def too_slow(self) -> bool:
        """Whether a test run went well, but is not followed by one at other values since it took too long for that."""
        report = self.report
        if report is None or self.running or self.stale or not self.follows or self.problem.locked or report.outcome != "ok":
            return False
        return report.duration_s > QUICK_S and self.second is None and self.other is None and self._others() != self.values()

    @property
    def asked_for(self) -> bool:
        """Whether a slow test run was run at other values all the same, and that went well."""
        report, second = self.report, self.second
        slow = report is not None and report.duration_s > QUICK_S and not self.stale and not self.problem.locked
        return slow and not self.running and second is not None and second.outcome == "ok"

    @property
    def idle(self) -> tuple[str, ...]:
        """Parameters that, each moved alone, changed nothing of what is read from the program as it is declared now."""
        return self._alone.idle(self.problem.declared, self.answers.settled)

    def _wait_settled(self) -> None:
        if self.report is not None and self.follows and self._alone.wanted(self.problem.declared):
            self._alone.settled.start()

    def begin(self, start: Callable[[], object]) -> None:
        """``start`` the analysis as soon as it is known whether each parameter has an effect, where that is about to be found
        out: at once if nothing is, or if that was asked for before. Not where a question about the data is open, but when it is
        asked for once more."""
        standing = self.start.standing
        if not standing and (question := self._open_question()):
            self.start.ask(question)
            return
        if standing in ("", "open") and not self.idle and self._finding_out():
            self.start.hold(start)
            return
        self.start.forget()
        start()

    @property
    def open_question(self) -> Question | None:
        """About units, signs or rows that are no good, which the Data page asks still; None: there is none."""
        if self.problem.locked:
            return None
        from bayescope.gui.models.data.open_questions import open_question

        of = self.problem.declared, self.report, self.answers.settled
        if self._asked is None or any(a is not b for a, b in zip(self._asked[0], of, strict=True)):
            legends = tuple(line for one in of[2].files for line in one.legends)
            self._asked = of, open_question(of[0], of[1], of[2].kept, self.answers.lines, legends, self.told)
        return self._asked[1]

    def _open_question(self) -> str:
        """In short; "": none is."""
        return "" if (question := self.open_question) is None else question.caption

    def _answered(self) -> None:
        """A start that waits for an answer is forgotten with the question."""
        if self.start.standing == "open" and self._open_question() != self.start.question:
            self.start.forget()

    def _finding_out(self) -> bool:
        """Whether runs are under way that tell which parameters have no effect: begun now, if they were put off."""
        if self._alone.settled.isActive():
            self._alone.settled.stop()
            self._move_alone()
        return self.moving or (self.by_itself and self._alone.wanted(self.problem.declared))

    def _let_start(self) -> None:
        if not self.moving:
            self.start.let_go(bool(self.idle))

    def _make_room(self) -> None:
        """For the analysis, which has begun: runs that nobody asked for end."""
        if self.moving and self.analysis.active:
            self.cancel()

    def _move_alone(self) -> None:
        """After a good test run of a quick program on this computer, unless it is known of these inputs and outputs."""
        report, now = self.report, self.problem.declared
        busy = self.running or self.checking_noise or self.problem.locked or self._where or not self.follows
        if busy or report is None or not self._alone.due(report, self._of, now) or self.problem.held("simulator"):
            return
        self.moving = True
        self._alone.begin(now)
        self.analysis.unrecorded.trial_run({n: report.values.get(n, v) for n, v in self.values().items()}, alone=True)
        self.by_itself = self.running
        self.changed.emit()

    def _given_up(self, then: Callable[[], None]) -> bool:
        """A run that began by itself makes room for what the user asks for. False: there is none."""
        if self.by_itself:
            self._then = then
            self.start.forget()
            self.cancel()
        return self.by_itself

    @property
    def checking_noise(self) -> bool:
        return self.analysis.unrecorded.noise_running

    def check_noise(self, runs: int) -> None:
        """Run several times at the present values, to see how random the program is."""
        if self._given_up(lambda: self.check_noise(runs)):
            return
        if self.running or self.checking_noise or not self.problem.declared.simulator.command:
            return
        self.noise, self.noise_done = None, (0, runs)
        self.noise_of = self.problem.declared
        self.analysis.unrecorded.check_noise(self.values(), runs, self._where)
        self.changed.emit()

    def _noise_progress(self, done: int, total: int) -> None:
        self.noise_done = (done, total)
        self.changed.emit()

    def _noise_checked(self, report: NoiseReport) -> None:
        self.noise = report
        self.changed.emit()

    def cancel(self) -> None:
        self.analysis.unrecorded.cancel_trial_run()

    def _finished(self, report: TrialRunReport) -> None:
        if self.moving:
            self._alone.end(report.idle, report.outcome == "cancelled")
            if report.idle is not None and self._alone.of is self.problem.declared:
                self.answers.note_idle(report.idle)
            self._ended()
            self._let_start()
            return
        checked, unasked = self._checking, self.by_itself
        self._tried = [*self._tried[1 - MOST_TRIED :], report]
        if not checked:
            self.report = report
        elif not (unasked and report.outcome == "cancelled"):
            self.other = report
        if report.outcome == "ok" and self._of is not None and (seconds := self.run_seconds) is not None:
            self.answers.note_time(seconds, self._of.simulator.command)
        self._ended()
        if self.report is report or self.other is report:
            QTimer.singleShot(0, self, self._follow)
        QTimer.singleShot(0, self, self._let_start)  # unless further runs follow

    def _failed(self, words: str) -> None:
        self.words = "" if self.moving else words
        self._ended()
        self._let_start()

    def _ended(self) -> None:
        then, self._then = self._then, None
        self._checking = self.by_itself = self.moving = False
        self.changed.emit()
        if then is not None:
            then()

    def _session_changed(self, other: bool = False) -> None:
        """Another analysis was opened: forget what belongs to the former one (a first save is no other analysis). ``other``:
        one is shown, maybe a copy, of which a run with other input files says nothing."""
        now, of = self.problem.declared.simulator, self._of or self.noise_of
        known = {p.name for p in self.problem.declared.parameters}
        if of is not None and (of.simulator.command != now.command or (other and of.simulator != now)):
            self.report = self.other = self._earlier = self.noise = None
            self._alone.forget()
            self._tried.clear()
            self.opened.clear()
        self._typed = {name: v for name, v in self._typed.items() if name in known}
        self.changed.emit()
