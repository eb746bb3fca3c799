"""Between the engine process and the window: sends commands, merges messages into ``RunData``, tells the window in bundles.

Messages may come hundreds of times a second; they are stored at once and announced at most ten times a second.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal

from bayescope.engine import protocol
from bayescope.engine.answer.computing_words import device_words, time_words
from bayescope.engine.answer.ended import ends_with
from bayescope.engine.problem.definition import Problem
from bayescope.gui.analysis.compare_link import CompareLink
from bayescope.gui.analysis.engine_link import EngineLink, connect, make_client_of_this_program, what_runs
from bayescope.gui.analysis.place_link import PlaceLink
from bayescope.gui.analysis.replay_link import ReplayLink
from bayescope.gui.analysis.run_data import Answer, Evaluation, RunData
from bayescope.gui.analysis.run_limits import RunLimits
from bayescope.gui.analysis.run_states import ACTIVE, STATE_WORDS, RunStateName
from bayescope.gui.analysis.study_link import StudyLink

if TYPE_CHECKING:
    from bayescope.engine.session.trust.consent import Signed

ANNOUNCE_MS = 100
HUNG_SECONDS = 20.0  # heartbeats come every second, from a thread of their own


class RunLink(QObject):
    """``state`` is the engine's run state, or 'idle' / 'lost'; ``data`` grows with its messages."""

    state_changed = Signal(str, str)
    evaluations_changed = Signal()
    answer_changed = Signal()
    progress_changed = Signal()
    run_ended = Signal(object)
    reported = Signal(object)
    lost = Signal(str)
    trial_finished = Signal(object)
    trial_failed = Signal(str)
    archive_checked = Signal(object)  # protocol.ArchiveChecked
    noise_progress = Signal(int, int)  # runs ended, runs in all
    noise_checked = Signal(object)  # protocol.NoiseReport
    jobs_settled = Signal(object)  # protocol.JobsSettled

    def __init__(self, parent: QObject, make_client: Callable[[QObject], EngineLink] | None = None) -> None:
        super().__init__(parent)
        self.data = RunData()
        self.state: RunStateName = "idle"
        self.words = STATE_WORDS["idle"]
        self.activity = self.device = self.computing = ""
        self.trial_running = self.noise_running = False
        self.limits = RunLimits()
        self._checking = False
        self.replaying = ReplayLink(self)
        self.trying = PlaceLink(self)
        self.studying = StudyLink(self)
        self.comparing = CompareLink(self)
        self.comparing.again.connect(self.ask)
        self._make_client = make_client or make_client_of_this_program
        self._client: EngineLink | None = None
        self._elapsed, self._elapsed_at, self._heard_at = 0.0, time.monotonic(), time.monotonic()
        self._new: set[str] = set()
        self._announce = QTimer(self, singleShot=True, interval=ANNOUNCE_MS)
        self._announce.timeout.connect(self._announce_new)

    # ---------------------------------------------------------------- commands

    def reset(self, data: RunData, interrupted: str = "", elsewhere: str = "") -> None:
        """Another analysis is shown: forget the old one's run. ``interrupted``: words, when a crash ended its last run;
        ``elsewhere``: of its jobs that still wait or run on another computer."""
        self.data = data
        self.limits.forget()
        self._new.clear()
        self._elapsed = data.elapsed_s
        self.activity = self.device = self.computing = ""
        last = data.trace[-1] if data.trace else None
        self.state, self.words = "idle", STATE_WORDS["idle"]
        if data.evaluations:
            done = last is not None and ends_with(last.converged, {} if data.answer is None else data.answer.diagnostics)
            self.state = "finished" if done else "stopped"
            self.words = "Finished earlier" if done else "Stopped earlier; it can be resumed"
            if last is None and not any(e.started_at for e in data.evaluations):
                self.state, self.words = "idle", "Earlier runs are imported; the start makes an answer of them first"
        button = "Resume" if data.evaluations else "Start"
        if interrupted:
            go = f"Press {button} to go on." if data.evaluations else "It can be started again."
            self.state, self.words = "stopped", f"{interrupted} {go}"
        elif elsewhere:
            self.state, self.words = "stopped", f"{elsewhere}; {button} goes on and collects"

    def prepare(self) -> None:
        self._live_client()

    def start(self, command: protocol.StartRun) -> None:
        if command.again:
            self.data, self._new = self.data.without(set(command.again)), {*self._new, "evaluations"}
        self.data.begin()
        self.limits.forget(command.max_evaluations or 0)
        self._set_state("starting")
        self.ask(command)

    def stop(self, kill: bool) -> None:
        if self.state in ACTIVE:
            self.send(protocol.StopRun(kill=kill))
            self._set_state("stopping")

    def pause(self) -> None:
        """Start no new simulator run; shown at once, the engine confirms when those under way have finished."""
        self.send(protocol.PauseRun())
        if self.state in ("starting", "running"):
            self._set_state("pausing")

    def go_on(self) -> None:
        """After ``pause``; shown at once: an engine that was not yet told of the pause has nothing to say."""
        self.send(protocol.ContinueRun())
        if self.state in ("pausing", "paused"):
            self._set_state("running")

    def extend(self, max_evaluations: int) -> None:
        """More runs; shown at once."""
        self.send(self.limits.tell_budget(max_evaluations))
        self._note("progress")

    def set_workers(self, workers: int) -> None:
        """So many runs at a time; shown at once, the engine confirms."""
        self.send(self.limits.tell_workers(workers))
        self._note("progress")

    def reach_place(self) -> None:
        """A place that does not answer is tried again at once."""
        self.send(protocol.ReachPlace())

    def send(self, message: protocol.Command) -> None:
        if self._client is not None and self._client.is_running():
            self._client.send(message)

    def trial_run(
        self, problem: Problem, values: dict[str, float], folder: Path, signed: Signed, repeat: int, where: str, alone: bool
    ) -> None:
        self.trial_running = True
        fields = what_runs(problem, folder, signed, where)
        self.ask(protocol.TrialRun(**fields, values=values, repeat=repeat, alone=alone))

    def check_noise(
        self, problem: Problem, values: dict[str, float], folder: Path, signed: Signed, runs: int, where: str
    ) -> None:
        """Several runs at one point; ``noise_checked`` follows. ``cancel_trial_run`` ends it."""
        self.noise_running = True
        self.ask(protocol.NoiseCheck(**what_runs(problem, folder, signed, where), values=values, runs=runs))

    def ask(self, command: protocol.Command) -> None:
        """Of an engine that is started if need be."""
        self._live_client().send(command)

    def cancel_trial_run(self) -> None:
        self.send(protocol.CancelTrialRun())

    def compare(self, session: Path, method: protocol.BaselineMethod) -> None:
        """What another method makes of the runs in ``session``; ``comparing`` tells it."""
        self.ask(self.comparing.begin(session, method))

    def cancel_compare(self) -> None:
        self.send(protocol.CancelCompare())

    def check_archive(
        self,
        problem: Problem,
        folder: Path,
        signed: Signed,
        rows: tuple[protocol.ArchivedRow, ...],
        meaning: Literal["log_likelihood", "log_posterior"],
    ) -> None:
        """Simulator runs at rows of an archive; ``archive_checked`` follows. ``cancel_trial_run`` ends it."""
        self._checking = True
        fields = what_runs(problem, folder, signed)
        self._live_client().send(protocol.CheckArchive(**fields, rows=rows, meaning=meaning))

    def replay(self, session: Path, runs: int, signed: Signed, where: str) -> None:
        """Stored runs made again; ``replaying`` tells how it goes. ``cancel_trial_run`` ends it."""
        self.ask(self.replaying.begin(session, runs, signed, where))

    def shut_down(self) -> None:
        """End the engine process; waits for it a moment."""
        self._announce.stop()
        if self._client is not None:
            self._client.shut_down()
            self._client = None
        self.replaying.lost("The engine was ended.")
        self.studying.lost("")
        if self.state in ACTIVE:
            self._set_state("stopped")

    def _live_client(self) -> EngineLink:
        if self._client is None:
            self._client = self._make_client(self)
            connect(self._client.message, self._on_message)
            connect(self._client.died, self._on_died)
        if not self._client.is_running():
            self._heard_at = time.monotonic()
            self._client.start()
        return self._client

    # ---------------------------------------------------------------- what the strip shows

    @property
    def active(self) -> bool:
        """True from Start until the run has ended (a paused run is active)."""
        return self.state in ACTIVE

    @property
    def n_runs(self) -> int:
        """Finished runs, good or failed."""
        return len(self.data.evaluations)

    @property
    def engine_pid(self) -> int:
        return int(getattr(self._client, "process_id", 0))

    @property
    def elapsed_s(self) -> float:
        """Run time, counted on between messages while something runs."""
        if self.state in ("running", "pausing", "stopping"):
            return self._elapsed + time.monotonic() - self._elapsed_at
        return self._elapsed

    @property
    def silent_s(self) -> float:
        """Seconds since the engine was last heard of, if a run is active and it has been silent too long; else 0."""
        silent = time.monotonic() - self._heard_at
        return silent if self.state in ACTIVE and silent > HUNG_SECONDS else 0.0

    # ---------------------------------------------------------------- messages

    def _on_message(self, message: protocol.Event) -> None:
        self._heard_at = time.monotonic()
        match message:
            case protocol.EvaluationDone():
                if self.data.add_evaluation(Evaluation.of_message(message)):
                    self._note("evaluations")
            case protocol.EvaluationStarted():
                self.data.under_way[message.index] = dict(message.values)
                self._note("progress")
            case protocol.RunPlaced():
                self.data.place(message)
                self._note("progress")
            case protocol.SnapshotReady():
                self._on_snapshot(message)
            case protocol.Progress():
                held = 0 if self.data.progress is None else self.data.progress.held
                self.data.progress = message
                if message.held != held:  # they are counted wherever runs are
                    self._note("evaluations")
                self.device = device_words(message.computed_s)
                self.computing = time_words(message.computed_s)
                self.activity = message.activity
                self._elapsed, self._elapsed_at = message.elapsed_s, time.monotonic()
                self.limits.hear(message)
                self._note("progress")
            case protocol.Heartbeat():
                self.activity = message.activity or self.activity
                self._note("progress")
            case protocol.StateChanged():
                self._announce_new()
                self._set_state(message.state, message.words)
            case protocol.RunEnded():
                self._announce_new()
                self.data.outcome = message
                self.run_ended.emit(message)
            case protocol.Report():
                self.data.hear(message)
                self._note("progress")
                self.reported.emit(message)
            case protocol.TrialRunResult():
                self._on_trial(message)
            case protocol.NoiseCheckProgress():
                self.noise_progress.emit(message.done, message.total)
            case protocol.NoiseCheckResult():
                self.noise_running = False
                self.noise_checked.emit(message.report)
            case protocol.BaselineReady() | protocol.BaselineFailed():
                self.comparing.take(message)
            case protocol.ArchiveChecked():
                self._checking = False
                self.archive_checked.emit(message)
            case protocol.ReplayProgress() | protocol.ReplayDone():
                self.replaying.take(message)
            case protocol.PlaceStep() | protocol.PlaceTested() | protocol.TrialStage():
                self.trying.take(message)
            case protocol.StudyDone():
                self.studying.take(message)
            case protocol.JobsSettled():
                self.jobs_settled.emit(message)

    def _on_snapshot(self, message: protocol.SnapshotReady) -> None:
        try:
            answer = Answer.of_message(message)
        except ValueError as error:
            self.reported.emit(protocol.Report(level="info", what=f"An answer of the engine was left out: {error}."))
            return
        self.data.add_answer(answer)
        self._note("answer")

    def _on_trial(self, message: protocol.TrialRunResult) -> None:
        self.trial_running = False
        try:
            report = msgspec.json.decode(message.report_json, type=protocol.TrialRunReport)
        except msgspec.MsgspecError as error:
            self.trial_failed.emit(f"The engine's report of the test run could not be read: {error}")
            return
        self.trial_finished.emit(report)

    def _on_died(self, words: str) -> None:
        if self.trial_running:
            self.trial_running = False
            self.trial_failed.emit(words)
        if self.noise_running:
            self.noise_running = False
            self.noise_checked.emit(protocol.NoiseReport(runs=0, good=0, words=(words,)))
        if self._checking:
            self._checking = False
            self.archive_checked.emit(protocol.ArchiveChecked(agrees=None, words=words))
        for link in (self.comparing, self.replaying, self.trying, self.studying):
            link.lost(words)
        if self.state in ACTIVE:
            self._announce_new()
            self.data.nothing_under_way()
            self._elapsed = self.elapsed_s
            self._set_state("lost", words)
            self.lost.emit(words)

    def _set_state(self, state: RunStateName, words: str = "") -> None:
        elapsed = self.elapsed_s
        self.state, self.words = state, words or STATE_WORDS[state]
        self._elapsed, self._elapsed_at = elapsed, time.monotonic()
        if state not in ACTIVE:
            self.activity = ""
            self.data.nothing_under_way()
        self.state_changed.emit(state, self.words)

    def _note(self, what: str) -> None:
        self._new.add(what)
        if not self._announce.isActive():
            self._announce.start()

    def _announce_new(self) -> None:
        self._announce.stop()
        new, self._new = self._new, set()
        if "evaluations" in new:
            self.evaluations_changed.emit()
        if "answer" in new:
            self.answer_changed.emit()
        if new:
            self.progress_changed.emit()
