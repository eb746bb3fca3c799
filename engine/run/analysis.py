"""One run of an analysis: session, simulator, likelihood and inference loop put together.

Three kinds of threads. Simulator runs wait in the executor's threads. The collector takes each finished run, commits its
evaluation and only then announces it, whatever the loop is doing. The thread of ``run`` tells the loop, lets it update and
asks for new points; each such turn is one commit of journal, answer and checkpoint together. A crash at any
instant therefore loses at most the computing of one turn, and a resumed run takes the same turns as one that was never stopped:
the loop is told in order of arrival, a fixed number at a time.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from typing import TypeVar

from msgspec.structs import replace

from .. import protocol
from ..answer.computing_words import time_words
from ..answer.reach import in_doubt, judged
from ..answer.surrogate_peak import with_check
from ..answer.words import RUN_SECONDS
from ..clusters.site import Site
from ..loop_interface import Ask, Cancelled, InferenceLoop, LooksFurther, LoopSettings, LoopSnapshot, Recorded
from ..machine.allocator import NowAndThen
from ..machine.thread_start import NoThread
from ..methods.loops import UnknownMethod, loop_settings, make_loop
from ..problem.checks.check_random import seeded_but_exact
from ..problem.errors import Correct, SetupError
from ..problem.transforms import ParameterSpace
from ..session.errors import SessionError
from ..session.imported import KEY
from ..session.records import AskRecord, EvaluationRecord, IterationRecord
from ..session.store import SessionStore
from ..session.trust.consent import NotAgreed
from . import endings, messages, resume
from .allowance import Allowance
from .arrivals import Arrivals, counted
from .collector import Collector
from .computing import POLL_SECONDS, compute
from .control import Control
from .durable import Observer
from .effect_runs import EffectRuns
from .one_evaluation import tell_of

LOOKS_IN_DOUBT = 10  # for each parameter, where a converged answer misses the data by more than chance: as for a first answer
MakeLoop = Callable[[str, LoopSettings], InferenceLoop]
_Result = TypeVar("_Result")
LEARNING = {"posterior": "Updating the posterior", "best_fit": "Looking for the best fit"}  # what is said meanwhile


class Analysis:
    """``run`` once per object. ``observer`` gets protocol events from several threads; it must be quick and thread-safe."""

    def __init__(
        self, store: SessionStore, *, control: Control, observer: Observer, max_evaluations: int | None = None,
        workers: int | None = None, executor: Executor | None = None, loop_of: MakeLoop = make_loop, site: Site | None = None,
        at: Sequence[Mapping[str, float]] = (), no_others: bool = False,
    ) -> None:  # fmt: skip
        """``site``: another computer that runs the simulator; ``executor``: threads to wait in, in place of our own; ``at``:
        where the first runs are made, by the names of the free parameters; ``no_others``: and no others, whatever is allowed."""
        problem = store.reload_problem()
        budget = problem.settings.max_evaluations if max_evaluations is None else max_evaluations
        self._more = max_evaluations is not None and not no_others  # somebody asked for as many, knowing what there is
        self._no_others = no_others
        self.store, self.control, self._observe, self._site = store, control, observer, site
        self.problem = problem
        self.space = ParameterSpace(problem.parameters)
        self._allowance = Allowance(control, budget, workers or problem.settings.workers)
        self._runs = Collector(store, control, observer, self._allowance, executor, site)
        self._writes = self._runs.writes
        self._arrivals = Arrivals(store, self.space)
        self._effects = EffectRuns(self._runs, store, self.space, control, observer, self._obey)
        self._wanted = [self.space.to_inference(self.space.point(values)) for values in at]
        self._loop_of = loop_of
        self._cells: Recorded | None = None
        self._asked = self._told = self._iteration = 0
        self._last: IterationRecord | None = None  # the newest answer
        self._since: list[EvaluationRecord] = []  # told since
        self._running = False
        self._tidied = NowAndThen()

    # ---------------------------------------------------------------- the run

    def run(self) -> protocol.RunEnded:
        """Run until converged, out of budget or time, stopped, or hopeless. The same words go to the observer and the log."""
        if not self.store.writable:
            return self._ended("failed", self.store.read_only_reason or "The session cannot be written.")
        try:
            permit = self.store.permit()
        except NotAgreed as error:
            return self._ended("failed", f"{error.what}. {error.suggestion}")
        may_run = bool(self._allowance.budget) and not self.store.has_result
        if may_run and (seeded := seeded_but_exact(self.problem)) is not None:
            return self._ended("failed", f"{seeded.message} {seeded.suggestion}")
        try:
            self._runs.start(self.problem, permit, self.space)
        except (NoThread, SetupError, SessionError) as error:
            return self._not_begun(error)
        self._keep_settings()
        self._writes.save(lambda: self.store.note_run(True))
        self._running = True
        self.store.log("info", f"Started with up to {self._allowance.budget} runs, {self._allowance.workers} at a time.")
        try:
            self._resume()
            outcome, words = self._turns()
        except Cancelled:
            outcome, words = self._how_it_ended()
        except (NoThread, UnknownMethod) as error:
            outcome, words = "failed", str(error)
        except Exception as error:  # a fault of ours or of the method: told, logged, nothing lost
            self._observe(messages.fault(error))
            outcome, words = "failed", f"Something unexpected went wrong inside Bayescope: {error}."
        finally:
            with contextlib.suppress(SessionError):  # the end may take longer than this process lives
                self.store.note_run(True, self._runs.pace.elapsed_s)
            self._runs.wind_down()
        self._allowance.take_last_changes()
        self._keep_settings()
        if self.control.given_up:
            there = self._site.handed_over if self._site is not None and self._runs.refused else 0
            outcome, words = "failed", self.control.given_up + endings.jobs_that_go_on(there)
        elif outcome == "stopped":  # with what has finished meanwhile
            outcome, words = self._how_it_ended()
        return self._ended(outcome, words + self._writes.rescue_words())

    @property
    def loop(self) -> InferenceLoop:
        """Once it ran."""
        return self._loop

    def _turns(self) -> tuple[messages.Outcome, str]:
        while True:
            if self._obey_settings() or self._ahead:
                self._turn(None)
            if self.control.take_arrivals():
                self._take_arrivals()
            batch = self._next_batch()
            if batch is None:
                return self._how_it_ended()
            if not batch:
                continue
            self._learn(batch, LEARNING[self.problem.settings.goal])

    def _learn(self, batch: list[EvaluationRecord], activity: str) -> None:
        for record in batch:
            self._loop.tell(tell_of(record, self._cells))
        self._told += len(batch)
        self._since += batch
        self._runs.set_activity(activity)
        self._turn(self._compute(self._loop.update))

    def _next_batch(self) -> list[EvaluationRecord] | None:
        """The next evaluations to tell, in order of arrival and always the same number; None: the run is over.

        Empty: the budget or the number of runs at a time was changed, earlier evaluations were imported, or there is room ahead.
        """
        with self.control.changed:
            while True:
                self._obey()
                if self.control.over or self._out_of_time():
                    return None
                if self._allowance.changed or self.control.has_arrivals or self._ahead:
                    return []
                pending = self._asked - self._told
                if pending == 0:
                    return None
                if batch := self._runs.made.take(min(self._allowance.told_at_once, pending)):
                    return batch
                self.control.changed.wait(POLL_SECONDS)

    def _turn(self, snapshot: LoopSnapshot | None) -> None:
        """Ask for new points; commit journal, answer and checkpoint together; then announce and submit."""
        record: IterationRecord | None = None
        if snapshot is not None:
            record = messages.iteration_of(snapshot, self._iteration, self._runs.pace.elapsed_s, time.time())
            record = judged(record, self.problem, self._runs.outcomes.best, self._allowance.budget)
            record, self._since = with_check(record, self._last, self._since), []
            record = self._effects.judged(record, self._loop.finished or record.n_evaluations >= self._allowance.budget)
            if in_doubt(record) and isinstance(self._loop, LooksFurther):
                self._loop.look_further(LOOKS_IN_DOUBT * self.space.dimension)
        room = min(max(self._allowance.workers - self._asked + self._told, self._ahead), self._allowance.budget - self._asked)
        asks: list[AskRecord] = []
        if room > 0:
            asks += self._asked_for(room)
        if len(asks) < room and not self._no_others and not self._loop.finished:
            self._runs.set_activity("Choosing where to run the simulator next")
            for ask in self._compute(lambda: self._loop.ask(room - len(asks))):
                asks.append(AskRecord(ask.index, ask.u, self._told, ask.purpose))
        checkpoint = {
            "loop": self._loop.state(), "told": self._told, "asked": self._asked + len(asks),
            "iteration": self._iteration + (record is not None), "method": self.problem.settings.method,
            KEY: self._arrivals.known,
        }  # fmt: skip
        if not self._writes.save(
            lambda: self.store.add_cycle(asks=asks, iteration=record, checkpoint=checkpoint, told=self._told)
        ):
            raise Cancelled  # nothing is started that is not in the journal
        self._asked += len(asks)
        if record is not None:
            self._iteration += 1
            self._last = record
            self._runs.pace.expected_s = record.diagnostics.get(RUN_SECONDS)
            self._observe(messages.snapshot_of(record))
        with self.control.changed:
            self._runs.begin_runs(asks)
        self._runs.set_activity((snapshot.activity if snapshot is not None else "") or "Running the simulator")
        self._tidied.give_back_freed_memory()

    @property
    def _ahead(self) -> int:
        """Points to ask for while all values wait for the second run."""
        return 0 if self._no_others else self._runs.ahead(self._loop, self._allowance.budget - self._asked)

    def _asked_for(self, room: int) -> list[AskRecord]:
        """Runs at places that a person asked for; the method takes them as its own."""
        here, self._wanted = self._wanted[:room], self._wanted[room:]
        if not hasattr(self._loop, "adopt"):
            return []
        asks = [Ask(self._asked + i, u) for i, u in enumerate(here)]
        for ask in asks:
            self._loop.adopt(ask)
        return [AskRecord(ask.index, ask.u, self._told, ask.purpose) for ask in asks]

    def _resume(self) -> None:
        """Put back the loop, what it was not told yet, and the runs that were under way."""
        with self.control.changed:
            archive = self._arrivals.first()
            settings = loop_settings(self.problem, self.space, self._allowance.budget, self._allowance.workers, archive)
            self._cells = settings.recorded
            loop = self._loop_of(self.problem.settings.method, settings)
            found = resume.read(self.store)
            self._runs.restore(found.evaluations, found.unfinished)  # they run while the loop learns again what it knew
            restored = self._compute(lambda: resume.resume(self.store, loop, settings.recorded, self._runs.set_activity, found))
            self._loop = loop
            if hasattr(loop, "cancel"):
                loop.cancel = self.control.cancel_computing
            loop.extend(self._allowance.budget)
            if self._more and hasattr(loop, "go_on"):
                loop.go_on()
            self._told, self._asked, self._iteration = restored.told, restored.asked, restored.iteration
            self._last = self.store.last_iteration()
            self._effects.resume(self._last)
            self._runs.made.put_first(restored.evaluations[restored.told :])
            for note in restored.notes:
                self.store.log("warning", note)
        if self._arrivals.waiting():
            self._take_arrivals()
        first: LoopSnapshot | None = None
        if archive is not None and self._iteration == 0 and self._told == 0:
            self._runs.set_activity(f"Building a posterior from {len(archive.values):,} imported evaluations")
            first = self._compute(self._loop.update)
        if first is not None or self._asked - self._told < self._allowance.workers:
            self._turn(first)

    def _take_arrivals(self) -> None:
        """Imported evaluations that were added to the session since; a method that cannot use them goes on without."""
        try:
            parts = self._compute(lambda: self._arrivals.into(self._loop))
            joining = self._arrivals.runs_into(self._loop, self._asked, self._told, self._runs.made.count)
        except ValueError as error:
            self._observe(protocol.Report(level="warning", what=str(error)))
            return
        if parts:
            self._runs.set_activity(f"Taking in {counted(parts)}")
            self._turn(self._compute(self._loop.update))
        if joining.waiting and (n := self._runs.made.take_over(joining)):
            self._asked += n
            self.control.extend(self._allowance.budget + n)
            self._obey_settings()
            self._learn(self._runs.made.take(), f"Taking in {n:,} runs made elsewhere")

    def _compute(self, work: Callable[[], _Result]) -> _Result:
        return compute(work, self.control, self._obey, self._runs.computing)

    # ---------------------------------------------------------------- commands and ending

    def _obey(self) -> None:
        """Commands that change how the run goes on; the caller holds the lock."""
        workers = self.control.take_workers()
        if workers is not None and workers != self._allowance.workers:
            self._runs.allow(workers)
        if self.control.stopping:
            self._runs.set_state("stopping")
        elif self.control.paused:
            self._runs.pace.pause()
            self._runs.set_state("pausing" if self._runs.busy else "paused")
        else:
            self._runs.pace.go_on()
            self._runs.set_state("running")
            if self._runs.has_room:
                self._runs.begin_runs()

    def _obey_settings(self) -> bool:
        """Take a new budget or number of runs at a time; only between turns, when the loop is at rest. True if there was one."""
        more, changed = self._allowance.take_changes(self._asked)
        if more:
            self._loop.extend(self._allowance.budget)
        if changed:
            self._keep_settings()
            self._runs.report_progress()
        return changed

    def _keep_settings(self) -> None:
        """What is allowed becomes the session's, so that the window and the next start see it."""
        settings = self._allowance.settings(self.problem.settings)
        if settings != self.problem.settings:
            self.problem = replace(self.problem, settings=settings)
            self._writes.save(lambda: self.store.save_problem(self.problem), "the new settings")

    def _out_of_time(self) -> bool:
        hours = self.problem.settings.max_hours
        return hours is not None and self._runs.pace.running_s > 3600.0 * hours

    def _how_it_ended(self) -> tuple[messages.Outcome, str]:
        failed = self._runs.outcomes.counts["failed"]
        so_far = endings.after(self._runs.made.count, failed, self.problem.meaning)
        left = self.control.leave_jobs.is_set() and self._site is not None
        if left or self.control.stopping:
            site = None if left else self._site
            return "stopped", endings.stopped(left, so_far, *((site.not_cancelled, site.place.name) if site else (0, "")))
        if self.control.given_up:
            return "failed", self.control.given_up
        budget = self._allowance.budget
        return endings.counted(self.problem.meaning, *endings.ran_out(
            self._last, so_far, failed=failed, budget=budget, hours=self.problem.settings.max_hours,
            untold=self._asked > self._told, imported=budget == 0 and self._iteration > 0, spent=self._asked >= budget,
            finished=self._loop.finished, asked_for=self._no_others,
        ))  # fmt: skip

    def _not_begun(self, error: Exception) -> protocol.RunEnded:
        if self.control.stopping:
            return self._ended(*self._how_it_ended())
        go_on = endings.jobs_that_go_on(self._site.handed_over if self._site else 0)
        return self._ended("failed", f"{error}{go_on}", error.correct if isinstance(error, SetupError) else "")

    def _ended(self, outcome: messages.Outcome, words: str, correct: Correct = "") -> protocol.RunEnded:
        refused = self._runs.refused
        correct = correct or ("place" if refused == "queue" else refused) or self.control.correct
        ended = protocol.RunEnded(outcome=outcome, words=words, correct=correct)
        if self.store.writable:
            if spent := time_words(self._runs.computing.seconds):
                self._writes.save(lambda: self.store.log("info", spent))
            self._writes.note_end(words, self._runs.pace.elapsed_s if self._running else None)
        states: dict[str, protocol.RunState] = {"stopped": "stopped", "time": "stopped", "failed": "failed"}
        self._runs.set_state(states.get(outcome, "finished"), words)
        self._observe(ended)
        return ended
