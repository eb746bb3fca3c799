"""The run of an analysis as pages see it: what is known of it, and the commands to the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal

from bayescope.engine import protocol
from bayescope.engine.problem.definition import free_parameters, is_noisy
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.analysis.jobs_left import JobsLeft
from bayescope.gui.analysis.places import Places
from bayescope.gui.analysis.reports import Reports
from bayescope.gui.analysis.run_data import Answer, RunData
from bayescope.gui.analysis.run_link import RunLink
from bayescope.gui.analysis.run_states import RunStateName
from bayescope.gui.analysis.stored_runs import StoredRuns
from bayescope.gui.analysis.study import Study
from bayescope.gui.analysis.unrecorded_runs import UnrecordedRuns

if TYPE_CHECKING:
    from pathlib import Path

    from bayescope.engine.answer.posterior import StoredPosterior
    from bayescope.engine.problem.checks.validate import Finding
    from bayescope.engine.problem.definition import Problem

SETTLE_MS = 300  # the engine's last commits come shortly after it says that the run ended


class AnalysisRun(QObject):
    """Runs ``problem`` as it stands in ``file``, by the engine at the other end of ``link``."""

    state_changed = Signal(str, str)  # RunStateName, words
    evaluations_changed = Signal()  # new finished runs in ``data`` (at most 10 times a second)
    answer_changed = Signal()  # ``data.answer`` is a newer one (at most 10 times a second)
    progress_changed = Signal()  # ``data.progress``, ``activity`` or the set of runs under way changed
    ended = Signal(object)  # protocol.RunEnded
    engine_lost = Signal(str)  # the engine process died during a run; words; offer ``start()`` as Resume

    def __init__(
        self,
        problem: DeclaredProblem,
        file: AnalysisFile,
        link: RunLink,
        stored: StoredRuns,
        reports: Reports,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._problem, self._file, self._link, self.reports = problem, file, link, reports
        self.stored = stored
        self.left = JobsLeft(link, file, stored, self)
        self.left.changed.connect(self.progress_changed)
        self.places, self.study = Places(link, stored, self), Study(link, file, self)
        self.unrecorded = UnrecordedRuns(problem, file, link, lambda: self.active, lambda: self.places.where, self)
        self._ran_at = ""  # the place of the last run of this window
        self._corrected: protocol.RunEnded | None = None  # the end of a run whose cause was changed since
        self.places.changed.connect(lambda: self._correct("place", "where"))
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self._after_run)
        problem.edited.connect(self._edited)
        file.shown.connect(self._shown)
        file.closing.connect(self._let_go)
        self._link.state_changed.connect(self._on_state)
        self._link.evaluations_changed.connect(self.evaluations_changed)
        self._link.answer_changed.connect(self.answer_changed)
        self._link.progress_changed.connect(self.progress_changed)
        self._link.run_ended.connect(self.ended)
        self.ended.connect(lambda ended: self.places.note(self._ran_at, ended.correct != "place"))
        self._link.reported.connect(reports.reported)
        self._link.lost.connect(self.engine_lost)

    # -------------------------------------------------------------- what is known

    @property
    def declared(self) -> Problem:
        """The problem as it stands."""
        return self._problem.declared

    @property
    def n_runs(self) -> int:
        """Finished runs, good or failed."""
        return self._link.n_runs

    @property
    def data(self) -> RunData:
        """Everything known of the run: evaluations, trace, newest answer, progress."""
        return self._link.data

    @property
    def state(self) -> RunStateName:
        """'idle' (never started here), the engine's state, or 'lost' (the engine process died)."""
        return self._link.state

    @property
    def words(self) -> str:
        return self._link.words

    @property
    def active(self) -> bool:
        """True from Start until the run has ended (a paused run is active)."""
        return self._link.active

    @property
    def activity(self) -> str:
        """What the engine is doing now, in words."""
        return self._link.activity

    @property
    def device(self) -> str:
        """What the run's own computing happens on, in words; empty before there is a run."""
        return self._link.device

    @property
    def computing(self) -> str:
        """How long every device has computed for this run, in words; empty before it has."""
        return self._link.computing

    @property
    def engine_pid(self) -> int:
        """Process id of the engine; 0 while none runs."""
        return self._link.engine_pid

    @property
    def corrects(self) -> protocol.Correct:
        """What has to be corrected since the last run ended because of it: the place where runs happen, the program as it is
        called there, which place was chosen, or that random predictions count as exact. Nothing any more once it was changed."""
        ended = self.data.outcome
        return "" if self.active or ended is None or ended is self._corrected else ended.correct

    @property
    def corrected(self) -> bool:
        """Whether what the last run ended for was changed since."""
        return not self.active and self._corrected is not None and self.data.outcome is self._corrected

    @property
    def moved(self) -> bool:
        """Whether another place was chosen since the last run ended."""
        return self.corrected and self._ran_at != self.places.where

    def _correct(self, *what: str) -> None:
        if self.corrects in what:
            self._corrected = self.data.outcome
            self.state_changed.emit(self.state, self.words)

    @property
    def budget(self) -> int:
        """How many simulator runs are allowed: as the engine was told or says, else as declared."""
        return self._link.limits.budget or self._problem.declared.settings.max_evaluations

    @property
    def workers(self) -> int:
        """How many simulator runs may go on at a time: as the engine was told or says, else as declared."""
        return self._link.limits.workers or self._there_at_once or self._problem.declared.settings.workers

    @property
    def _there_at_once(self) -> int:
        """As many as the place chosen says; 0: this computer, or a place that is not known here."""
        where = self.places.where
        return next((p.at_once for p in self.places.known()[0] if p.name == where), 0) if where else 0

    @property
    def jobs_there(self) -> int:
        """Jobs elsewhere that wait, run or wait to be collected: those of this run, or of earlier ones while their place is not
        reached yet."""
        return len(self.data.under_way) or (self._file.jobs_elsewhere if self.state == "starting" else 0)

    def set_workers(self, workers: int) -> bool:
        """So many runs at a time from now on, also during a run. False: not now."""
        if self.state == "stopping":
            return False
        if self.active:
            self._link.set_workers(workers)
            return True
        settings = msgspec.structs.replace(self._problem.declared.settings, workers=workers)
        return self._problem.edit("Change runs at a time", settings=settings)

    @property
    def elapsed_s(self) -> float:
        """Seconds of run time so far, counted on between the engine's messages."""
        return self._link.elapsed_s

    @property
    def silent_s(self) -> float:
        """Seconds since the engine was last heard of, when that is too long during a run; else 0."""
        return self._link.silent_s

    def pause(self) -> None:
        """Start no new simulator run; those under way finish."""
        self._link.pause()

    def reach_place(self) -> None:
        """Try a place that does not answer again at once, also where jobs were left uncancelled."""
        if self.active:
            self.data.trying = bool(self.data.silent)
            self._link.reach_place()
            self.progress_changed.emit()
        else:
            self.left.try_now()

    def resume(self) -> None:
        """Go on after ``pause``."""
        self._link.go_on()

    def stop(self, kill: bool = False) -> None:
        """End the run; ``kill``: end the simulators under way too rather than let them finish."""
        self._link.stop(kill)

    def end_engine(self) -> None:
        """End the engine process now, simulators under way too; what was finished is in the session file."""
        self._link.shut_down()

    def prepare_engine(self) -> None:
        """Start the engine process ahead of need, so that Start and Test run answer at once."""
        self._link.prepare()

    # -------------------------------------------------------------- start, more runs, and the end of a run

    def obstacles(self) -> list[Finding]:
        """Errors of the declaration; no run starts while there are any. Of the program none matters where it is not run."""
        found = self._problem.findings(level="error")
        return found if self.answers_from is None else [f for f in found if not f.where.startswith("simulator")]

    @property
    def answers_from(self) -> Path | None:
        """The analysis from whose runs ``start`` makes the answer, without running anything; None: it runs the program."""
        return None if self.n_runs else self._file.runs_of

    def start(
        self,
        max_evaluations: int | None = None,
        again: tuple[int, ...] = (),
        at: tuple[dict[str, float], ...] = (),
        no_others: bool = False,
    ) -> bool:
        """Start, or resume where the file stands (also after the engine was lost), failed runs ``again`` first, or runs ``at``
        values of the free parameters (``no_others`` than these). False with a report if it cannot."""
        if self.active:
            return False
        if self.unrecorded.replaying:
            return self.reports.refuse_while_replaying("starting the analysis")
        errors = self.obstacles()
        if errors:
            lines = "\n".join(f"• {f.message}" for f in errors[:8])
            self.reports.report("info", "The analysis cannot be started yet.", suggestion="Complete the set-up pages:\n" + lines)
            return False
        if self._file.read_only:
            self.reports.report("warning", self._file.read_only_words, suggestion="Save it under another name to run it.")
            return False
        session = self._file.write_to_run()
        first = self.answers_from
        if session is None or (first is None and self._file.consent() is None):
            return False
        self._ran_at = self.places.where
        self._link.start(
            protocol.StartRun(
                session=str(session), max_evaluations=max_evaluations, answer_from="" if first is None else str(first),
                where=self.places.where, again=again, at=at, no_others=no_others,
            )
        )  # fmt: skip
        return True

    def extend(self, max_evaluations: int) -> bool:
        """More runs: tells a live engine, or starts it again on an ended run."""
        if self.active:
            self._link.extend(max_evaluations)
            return True
        return self.start(max_evaluations)

    def posterior(self, answer: Answer | None = None) -> StoredPosterior | None:
        """The newest answer (or ``answer``) as a posterior in the user's units; numpy work: use it off the GUI thread."""
        answer = answer or self.data.answer
        if answer is None or (space := self._problem.space) is None:
            return None
        from bayescope.gui.analysis.posteriors import posterior_of

        return posterior_of(space, answer)

    def _edited(self) -> None:
        """What is known has a column for each parameter to learn."""
        self._correct("program")
        if is_noisy(self._problem.declared.meaning):
            self._correct("random")
        names = [p.name for p in free_parameters(self._problem.declared)]
        if not self.n_runs and names != list(self.data.names):
            self._link.reset(RunData(names))

    def _on_state(self, state: str, words: str) -> None:
        self.state_changed.emit(state, words)
        self._file.changed.emit()
        if not self.active:
            self._settle.start()

    def _after_run(self) -> None:
        if not self.active:
            self.left.look()
        if not self.active and self._file.read_after_run():
            self.evaluations_changed.emit()
            self.answer_changed.emit()
            self._file.changed.emit()  # runs read now lock what is declared

    def _shown(self) -> None:
        """Another analysis is shown: all that is known is another's."""
        self.left.look()
        self.state_changed.emit(self.state, self.words)
        self.evaluations_changed.emit()
        self.answer_changed.emit()
        self.progress_changed.emit()

    def _let_go(self) -> None:
        """None of the runs in the file is made again, and it is not read any more."""
        if self.unrecorded.replaying:
            self.unrecorded.cancel_trial_run()
        self._settle.stop()
