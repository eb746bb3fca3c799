"""The run of an analysis as pages see it: what is known of it, and the commands to the engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from PySide6.QtCore import QObject, Signal

from bayescope.engine import protocol
from bayescope.gui.declared_problem import DeclaredProblem
from bayescope.gui.engine_link import EngineLink
from bayescope.gui.run_data import RunData
from bayescope.gui.run_link import ACTIVE, RunLink, RunStateName

if TYPE_CHECKING:
    from bayescope.engine.archive.interpret import Imported
    from bayescope.engine.session.trust.consent import Signed

NOT_AGREED = "Nothing was run, because you did not agree to run this program."


class AnalysisRun(DeclaredProblem):
    """Reads and commands the engine through a ``RunLink``."""

    run_state_changed = Signal(str, str)  # RunStateName, words
    evaluations_changed = Signal()  # new finished runs in ``data`` (at most 10 times a second)
    answer_changed = Signal()  # ``data.answer`` is a newer one (at most 10 times a second)
    progress_changed = Signal()  # ``data.progress``, ``activity`` or the set of runs under way changed
    run_ended = Signal(object)  # protocol.RunEnded
    engine_lost = Signal(str)  # the engine process died during a run; words; offer ``start()`` as Resume
    trial_run_finished = Signal(object)  # protocol.TrialRunReport
    noise_progress = Signal(int, int)  # runs ended, runs in all
    noise_checked = Signal(object)  # protocol.NoiseReport
    trial_run_failed = Signal(str)  # the engine could not even try; words
    baseline_ready = Signal(object)  # protocol.BaselineReady of the file shown
    baseline_failed = Signal(object)  # protocol.BaselineFailed of the file shown; no words: cancelled
    archive_checked = Signal(object)  # protocol.ArchiveChecked
    replay_changed = Signal()  # runs are being made again, and how many have been
    replay_done = Signal(object)  # protocol.ReplayDone, also of another file than the one shown

    def __init__(self, parent: QObject | None = None, make_link: Callable[[QObject], EngineLink] | None = None) -> None:
        super().__init__(parent)
        self._link = RunLink(self, make_link)
        self._link.state_changed.connect(self._on_run_state)
        self._link.evaluations_changed.connect(self.evaluations_changed)
        self._link.answer_changed.connect(self.answer_changed)
        self._link.progress_changed.connect(self.progress_changed)
        self._link.run_ended.connect(self.run_ended)
        self._link.reported.connect(self.reported)
        self._link.lost.connect(self.engine_lost)
        self._link.trial_finished.connect(self.trial_run_finished)
        self._link.noise_progress.connect(self.noise_progress)
        self._link.noise_checked.connect(self.noise_checked)
        self._link.trial_failed.connect(self.trial_run_failed)
        self._link.baseline_ready.connect(lambda found: self._pass_on(self.baseline_ready, found))
        self._link.baseline_failed.connect(lambda found: self._pass_on(self.baseline_failed, found))
        self._link.archive_checked.connect(self.archive_checked)
        self._link.replaying.changed.connect(self.replay_changed)
        self._link.replaying.done.connect(self.replay_done)

    # -------------------------------------------------------------- given by the heirs

    @property
    def file(self) -> Path | None:
        raise NotImplementedError

    def consent(self) -> Signed | None:
        raise NotImplementedError

    def _on_run_state(self, state: str, words: str) -> None:
        raise NotImplementedError

    # -------------------------------------------------------------- what is known

    @property
    def n_runs(self) -> int:
        return len(self.data.evaluations)

    @property
    def data(self) -> RunData:
        """Everything known of the run: evaluations, trace, newest answer, progress."""
        return self._link.data

    @property
    def run_state(self) -> RunStateName:
        """'idle' (never started here), the engine's state, or 'lost' (the engine process died)."""
        return self._link.state

    @property
    def run_words(self) -> str:
        return self._link.words

    @property
    def active(self) -> bool:
        """True from Start until the run has ended (a paused run is active)."""
        return self._link.state in ACTIVE

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
    def budget(self) -> int:
        """How many simulator runs are allowed: as the engine was told or says, else as declared."""
        return self._link.limits.budget or self._problem.settings.max_evaluations

    @property
    def workers(self) -> int:
        """How many simulator runs may go on at a time: as the engine was told or says, else as declared."""
        return self._link.limits.workers or self._problem.settings.workers

    def set_workers(self, workers: int) -> bool:
        """So many runs at a time from now on, also during a run. False: not now."""
        if self.run_state == "stopping":
            return False
        if self.active:
            self._link.set_workers(workers)
            return True
        settings = msgspec.structs.replace(self._problem.settings, workers=workers)
        return self.edit("Change runs at a time", settings=settings)

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

    def resume(self) -> None:
        """Go on after ``pause``."""
        self._link.go_on()

    def stop(self, kill: bool = False) -> None:
        """End the run; ``kill``: end the simulators under way too rather than let them finish."""
        self._link.stop(kill)

    def end_engine(self) -> None:
        """End the engine process now, simulators under way too; what was finished is in the session file."""
        self._link.shut_down()

    def trial_run(self, values: dict[str, float], repeat: int = 1) -> None:
        """One evaluation at ``values`` (all parameters, user's units); nothing is recorded. See ``trial_run_finished``."""
        held = self.held("simulator")
        signed = None if held else self.consent()
        if signed is None:
            self.trial_run_failed.emit(held[0].message if held else NOT_AGREED)
        else:
            self._link.trial_run(self._problem, values, self.folder, signed, repeat)

    def check_noise(self, values: dict[str, float], runs: int) -> None:
        """``runs`` runs at ``values`` to see how random the program is; nothing is recorded. ``noise_checked`` follows."""
        signed = self.consent()
        if signed is None:
            self.noise_checked.emit(protocol.NoiseReport(runs=0, good=0, words=(NOT_AGREED,)))
        else:
            self._link.check_noise(self._problem, values, self.folder, signed, runs)

    @property
    def noise_running(self) -> bool:
        return self._link.noise_running

    def cancel_trial_run(self) -> None:
        self._link.cancel_trial_run()

    @property
    def trial_running(self) -> bool:
        return self._link.trial_running

    def compare_with(self, method: protocol.BaselineMethod) -> bool:
        """What another method makes of the runs so far, computed by the engine. False: nothing is stored yet; else
        ``baseline_ready`` or ``baseline_failed`` follows."""
        if self.file is None:
            return False
        self._link.compare(self.file, method)
        return True

    def cancel_compare(self) -> None:
        self._link.cancel_compare()

    def check_archive(self, found: Imported) -> None:
        """One or two simulator runs at rows of an archive; nothing is recorded. ``archive_checked`` follows."""
        from bayescope.engine.archive.sample_rows import rows_to_check

        signed = self.consent()
        if signed is None:
            self.archive_checked.emit(protocol.ArchiveChecked(agrees=None, words=NOT_AGREED))
            return
        rows = rows_to_check(found, self._problem)
        self._link.check_archive(self._problem, self.folder, signed, rows, found.record.meaning)

    def replay(self, runs: int) -> bool:
        """Make ``runs`` stored runs again and compare; nothing of the analysis changes. False: not now; else ``replay_done``
        follows. ``cancel_trial_run`` ends it."""
        if self.active or self.replaying or self.file is None:
            return False
        signed = self.consent()
        if signed is None:
            self.replay_done.emit(protocol.ReplayDone(session=str(self.file), words=NOT_AGREED))
        else:
            self._link.replay(self.file, runs, signed)
        return True

    @property
    def replaying(self) -> bool:
        return bool(self._link.replaying.session)

    @property
    def replayed(self) -> tuple[int, int]:
        """Runs made again so far, and in all."""
        return self._link.replaying.ended, self._link.replaying.total

    def _refuse_while_replaying(self, what: str) -> bool:
        self.report("warning", "Runs are being made again.", suggestion=f"Cancel that, or wait for its end, before {what}.")
        return False

    def _pass_on(self, signal: Any, found: protocol.BaselineReady | protocol.BaselineFailed) -> None:
        """Of the file shown only: another may have been opened meanwhile."""
        if self.file is not None and found.session == str(self.file):
            signal.emit(found)

    def prepare_engine(self) -> None:
        """Start the engine process ahead of need, so that Start and Test run answer at once."""
        self._link.prepare()

    def _refuse_while_running(self, what: str) -> bool:
        self.report("warning", "The analysis is running.", suggestion=f"Stop it before {what}.")
        return False
