"""One run of an analysis: session, simulator, likelihood and inference loop put together.

Three kinds of threads. Simulator runs wait in the executor's threads. The collector takes each finished run, commits its
evaluation and only then announces it, whatever the loop is doing. The thread of ``run`` tells the loop, lets it update and
asks for new points; each such turn is one commit of journal, answer and checkpoint together. A crash at any
instant therefore loses at most the computing of one turn, and a resumed run takes the same turns as one that was never stopped:
the loop is told in order of arrival, a fixed number at a time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from typing import TypeVar

from .. import protocol
from ..clusters.site import Site
from ..loop_interface import Ask, Cancelled, InferenceLoop, LooksFurther, LoopSettings, LoopSnapshot, OutputCells
from ..machine.allocator import give_back_freed_memory
from ..machine.thread_start import NoThread
from ..methods.loops import UnknownMethod, loop_settings, make_loop
from ..problem.check_random import seeded_but_exact
from ..problem.errors import SetupError
from ..problem.transforms import ParameterSpace
from ..session.answer_words import BEST_FIT_FOUND, RUN_SECONDS
from ..session.computing_words import time_words
from ..session.errors import SessionError
from ..session.imported import KEY
from ..session.reach import in_doubt, judged
from ..session.records import AskRecord, EvaluationRecord, IterationRecord
from ..session.store import SessionStore
from ..session.trust.consent import NotAgreed
from . import messages, resume
from .adjusting import Adjustable
from .arrivals import Arrivals, counted
from .computing import POLL_SECONDS, compute
from .control import Control
from .durable import Observer
from .one_evaluation import Evaluator, tell_of
from .pace import Pace

TIDY_SECONDS = 5.0  # between two times that freed memory is given back, while the simulator runs
LOOKS_IN_DOUBT = 10  # for each parameter, where a converged answer misses the data by more than chance: as for a first answer
MakeLoop = Callable[[str, LoopSettings], InferenceLoop]
_Result = TypeVar("_Result")


class Analysis(Adjustable):
    """``run`` once per object. ``observer`` gets protocol events from several threads; it must be quick and thread-safe."""

    def __init__(
        self,
        store: SessionStore,
        *,
        control: Control,
        observer: Observer,
        max_evaluations: int | None = None,
        workers: int | None = None,
        executor: Executor | None = None,
        loop_of: MakeLoop = make_loop,
        site: Site | None = None,
        at: Sequence[Mapping[str, float]] = (),
    ) -> None:
        """``site``: another computer that runs the simulator; ``executor``: threads to wait in, in place of our own; ``at``:
        where the first runs are made, by the names of the free parameters."""
        problem = store.reload_problem()
        budget = problem.settings.max_evaluations if max_evaluations is None else max_evaluations
        self._more = max_evaluations is not None  # somebody asked for as many, knowing what there is
        super().__init__(store, control, observer, budget, site)
        self.problem = problem
        self.space = ParameterSpace(problem.parameters)
        self._arrivals = Arrivals(store, self.space)
        self._wanted = [self.space.to_inference(self.space.point(values)) for values in at]
        self._use_workers(workers or problem.settings.workers)
        self._executor = executor
        self._loop_of = loop_of
        self._cells: OutputCells | None = None
        self._asked = self._told = self._iteration = 0
        self._converged = self._running = self._best_fit_found = False
        self._tidied_at = time.monotonic()
        self._new_workers = False

    # ---------------------------------------------------------------- the run

    def run(self) -> protocol.RunEnded:
        """Run until converged, out of budget or time, stopped, or hopeless. The same words go to the observer and the log."""
        self._set_state("starting")
        if not self.store.writable:
            return self._ended("failed", self.store.read_only_reason or "The session cannot be written.")
        try:
            permit = self.store.permit()
        except NotAgreed as error:
            return self._ended("failed", f"{error.what}. {error.suggestion}")
        seeded = None if self.store.has_result or not self.budget else seeded_but_exact(self.problem)
        if seeded is not None:
            return self._ended("failed", f"{seeded.message} {seeded.suggestion}")
        try:
            executor = self._executor or self._threads.pool(self.workers)
            self.open_site()
            collector = self.start_collecting()
        except (NoThread, SetupError, SessionError) as error:
            return self._ended("failed", str(error))
        self.pace = Pace(self.store.elapsed_s)
        self._keep_settings()
        self._writes.save(lambda: self.store.note_run(True))
        self._running = True
        self.store.log("info", f"Started with up to {self.budget} runs, {self.workers} at a time.")
        folders = (self.store.runs_folder, self.store.path.parent)
        cancel = self.control.cancel_simulators
        self._evaluator = Evaluator(self.problem, permit, self.space, executor, *folders, cancel, site=self.site)
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
            self._wind_down(collector)
        self._keep_last_changes()
        if self._given_up:
            outcome, words = "failed", self._given_up + self._left_words()
        elif outcome == "stopped":  # with what has finished meanwhile
            outcome, words = self._how_it_ended()
        return self._ended(outcome, words + self._writes.rescue_words())

    @property
    def loop(self) -> InferenceLoop:
        """Once it ran."""
        return self._loop

    def _turns(self) -> tuple[messages.Outcome, str]:
        while True:
            if self._obey_settings():
                self._turn(None)
            if self.control.take_arrivals():
                self._take_arrivals()
            batch = self._next_batch()
            if batch is None:
                return self._how_it_ended()
            if not batch:
                continue
            for record in batch:
                self._loop.tell(tell_of(record, self._cells))
            self._told += len(batch)
            self._set_activity("Updating the posterior")
            snapshot = self._compute(self._loop.update)
            self._turn(snapshot)

    def _next_batch(self) -> list[EvaluationRecord] | None:
        """The next evaluations to tell, in order of arrival and always the same number; None: the run is over.

        Empty: the budget or the number of runs at a time was changed, or earlier evaluations were imported.
        """
        with self.control.changed:
            while True:
                self._obey()
                if self.control.stopping or self._given_up or self._out_of_time():
                    return None
                if self.control.has_new_budget or self._new_workers or self.control.has_arrivals:
                    return []
                pending = self._asked - self._told
                if pending == 0:
                    return None
                wanted = min(self.told_at_once, pending)
                if len(self._arrived) >= wanted:
                    return [self._arrived.popleft() for _ in range(wanted)]
                self.control.changed.wait(POLL_SECONDS)

    def _turn(self, snapshot: LoopSnapshot | None) -> None:
        """Ask for new points; commit journal, answer and checkpoint together; then announce and submit."""
        record: IterationRecord | None = None
        if snapshot is not None:
            record = messages.iteration_of(snapshot, self._iteration, self.pace.elapsed_s, time.time())
            record = judged(record, self.problem, self._outcomes.best, self.budget)
            if in_doubt(record) and isinstance(self._loop, LooksFurther):
                self._loop.look_further(LOOKS_IN_DOUBT * self.space.dimension)
        room = min(self.workers - (self._asked - self._told), self.budget - self._asked)
        asks: list[AskRecord] = []
        if room > 0 and not self._loop.finished:
            self._set_activity("Choosing where to run the simulator next")
            asks += self._asked_for(room)
            if len(asks) < room:
                for ask in self._compute(lambda: self._loop.ask(room - len(asks))):
                    asks.append(AskRecord(ask.index, ask.u, self._told, ask.purpose))
        checkpoint = {
            "loop": self._loop.state(),
            "told": self._told,
            "asked": self._asked + len(asks),
            "iteration": self._iteration + (record is not None),
            "method": self.problem.settings.method,
            KEY: self._arrivals.known,
        }
        if not self._writes.save(
            lambda: self.store.add_cycle(asks=asks, iteration=record, checkpoint=checkpoint, told=self._told)
        ):
            raise Cancelled  # nothing is started that is not in the journal
        self._asked += len(asks)
        if record is not None:
            self._iteration += 1
            self._converged = record.converged
            self.pace.expected_s = record.diagnostics.get(RUN_SECONDS)
            self._best_fit_found = bool(record.diagnostics.get(BEST_FIT_FOUND, 0.0))
            self._observe(messages.snapshot_of(record))
        with self.control.changed:
            self._waiting.extend(asks)
            self._submit_waiting()
        self._set_activity(snapshot.activity if snapshot is not None and snapshot.activity else "Running the simulator")
        if time.monotonic() - self._tidied_at > TIDY_SECONDS:
            self._tidied_at = time.monotonic()
            give_back_freed_memory()

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
            settings = loop_settings(self.problem, self.space, self.budget, self.workers, archive)
            self._cells = settings.cells
            loop = self._loop_of(self.problem.settings.method, settings)
            found = resume.read(self.store)
            self._committed = len(found.evaluations)
            for record in found.evaluations:
                self._count(record)
                if record.outcome == "ok":
                    self._evaluator.note_duration(record.duration_s)
                    self._evaluator.note_noise(record.noise_sd)
            self._waiting.extend(found.unfinished)
            if found.unfinished:
                self._note_unfinished(len(found.unfinished))
            self._set_state("running")
            self._begin_check(found.evaluations)
            self._submit_waiting()  # they run while the loop learns again what it knew
            restored = self._compute(lambda: resume.resume(self.store, loop, settings.cells, self._set_activity, found))
            self._loop = loop
            if hasattr(loop, "cancel"):
                loop.cancel = self.control.cancel_computing
            loop.extend(self.budget)
            if self._more and hasattr(loop, "go_on"):
                loop.go_on()
            self._told, self._asked, self._iteration = restored.told, restored.asked, restored.iteration
            last = self.store.last_iteration()
            self._converged = last is not None and last.converged
            self._best_fit_found = last is not None and bool(last.diagnostics.get(BEST_FIT_FOUND, 0.0))
            self._arrived.extendleft(reversed(restored.evaluations[restored.told :]))  # before those that arrived meanwhile
            for note in restored.notes:
                self.store.log("warning", note)
        if self._arrivals.waiting():
            self._take_arrivals()
        first: LoopSnapshot | None = None
        if archive is not None and self._iteration == 0 and self._told == 0:
            self._set_activity(f"Building a posterior from {len(archive.values):,} imported evaluations")
            first = self._compute(self._loop.update)
        if first is not None or self._asked - self._told < self.workers:
            self._turn(first)

    def _take_arrivals(self) -> None:
        """Imported evaluations that were added to the session since; a method that cannot use them goes on without."""
        try:
            parts = self._compute(lambda: self._arrivals.into(self._loop))
        except ValueError as error:
            self._observe(protocol.Report(level="warning", what=str(error)))
            return
        if parts:
            self._set_activity(f"Taking in {counted(parts)}")
            self._turn(self._compute(self._loop.update))

    def _compute(self, work: Callable[[], _Result]) -> _Result:
        return compute(work, self.control, self._obey, self._over, self._computing)

    # ---------------------------------------------------------------- commands and ending

    def _obey(self) -> None:
        """Commands that change how the run goes on; the caller holds the lock."""
        workers = self.control.take_workers()
        if workers is not None and workers != self.workers:
            self._change_workers(workers)
        if self.control.stopping:
            self._set_state("stopping")
        elif self.control.paused:
            self.pace.pause()
            self._set_state("pausing" if self._under_way else "paused")
        else:
            self.pace.go_on()
            self._set_state("running")
            if self._waiting and self._running_now < self.workers:
                self._submit_waiting()

    def _out_of_time(self) -> bool:
        hours = self.problem.settings.max_hours
        return hours is not None and self.pace.running_s > 3600.0 * hours

    def _how_it_ended(self) -> tuple[messages.Outcome, str]:
        n, failed = self._committed, self._outcomes.counts["failed"]
        so_far = f"after {n} runs" + (f" ({failed} of them failed)" if failed else "")
        if self.control.leave_jobs.is_set() and self.site is not None:
            return "stopped", f"Left {so_far}. Jobs under way elsewhere go on; their results are collected by the next start."
        if self.control.stopping:
            return "stopped", f"Stopped {so_far}. It can be resumed at any time."
        if self._given_up:
            return "failed", self._given_up
        if self._asked > self._told:
            return "time", f"The time limit of {self.problem.settings.max_hours:g} hours is reached, {so_far}."
        if self._converged:
            return "converged", f"Converged {so_far}."
        if self._best_fit_found and self._loop.finished:
            return "converged", f"The best fit is found {so_far}."
        if self.budget == 0 and self._iteration:
            last = self.store.last_iteration()
            if last is None or last.elbo != last.elbo:  # not a number
                return "failed", "The imported evaluations alone give no posterior; allow some simulator runs."
            return "budget", "The posterior was made from the imported evaluations alone; no simulator run was made."
        if self._asked >= self.budget:
            return (
                "budget",
                f"The budget of {self.budget} runs is used up{f', {failed} of them failed' if failed else ''}.",
            )
        return "failed", f"The method had no further point to try {so_far}, and has not converged."

    def _left_words(self) -> str:
        """Of jobs that a queue had taken before it refused others."""
        n = self.site.handed_over if self.site is not None and self.refused else 0
        return f" {n} job{'s' if n > 1 else ''} that it had taken go{'' if n > 1 else 'es'} on." if n else ""

    def _ended(self, outcome: messages.Outcome, words: str) -> protocol.RunEnded:
        ended = protocol.RunEnded(outcome=outcome, words=words, correct="place" if self.refused == "queue" else self.refused)
        if self.store.writable:
            if spent := time_words(self._computing.seconds):
                self._writes.save(lambda: self.store.log("info", spent))
            self._writes.note_end(words, self.pace.elapsed_s if self._running else None)
        states: dict[str, protocol.RunState] = {"stopped": "stopped", "time": "stopped", "failed": "failed"}
        self._set_state(states.get(outcome, "finished"), words)
        self._observe(ended)
        return ended
