"""The engine process's main loop: commands in on stdin, frames out, one run and one trial run at a time.

It ends when stdin ends (the window is gone), on ``Quit`` or SIGTERM, and always ends its simulators first. Whatever goes wrong
becomes a ``Report`` in words, with the details in the log; the stream of frames goes on.
"""

from __future__ import annotations

import logging
import os
import queue
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, get_args

from .. import protocol
from ..cuda.first_import import use_cuda_build
from ..machine.thread_start import thread_or_words
from ..problem.errors import Correct, SetupError
from ..session import orphans, trial_folders
from ..session.errors import NothingChanged, SessionError
from .interrupts import die_with_window
from .log_file import LogFile
from .one_at_a_time import OneAtATime
from .outbox import Outbox
from .worker_tasks import (
    answer_imported_runs,
    answer_without_runs,
    archive_unchecked,
    check_archive,
    compare_stored,
    comparison_failed,
    noise_failed,
    place_untested,
    replay_stored,
    run_noise_check,
    run_trial,
    settle_jobs,
    study_stored,
    test_place,
    trial_failed,
)

log = logging.getLogger("bayescope.engine")
END_SECONDS = 4.0  # for simulators to end and the last evaluation to be committed
SIGNAL_SECONDS = 0.5  # within which SIGTERM is noticed
Work = Callable[[Any, threading.Event], None]  # (command, set when it is to end)
_COMMANDS = get_args(protocol.Command)


class Worker:
    """``frames``: the descriptor frames are written to; ``commands``: the one they are read from."""

    def __init__(self, frames: int, commands: int, log_file: LogFile | None = None) -> None:
        self._commands = commands
        self._log_file = log_file
        self._inbox: queue.SimpleQueue[protocol.Command] = queue.SimpleQueue()
        self._outbox = Outbox(frames, orphans.engine_id(), lambda: self._inbox.put(protocol.Quit()))
        self._activity, self._active_since = "", time.monotonic()
        self._run: threading.Thread | None = None
        self._control: object = None
        self._taking: Any = None  # a TakingIn, once there was a run
        self._run_over = True  # the run, if there was one, has announced its end
        self._trial: threading.Thread | None = None
        self._cancel_trial = threading.Event()
        put = self._outbox.put
        self._comparison = OneAtATime[protocol.Compare](
            "comparison", partial(compare_stored, put=put, running=self._running), partial(comparison_failed, put=put)
        )
        self._study = OneAtATime[protocol.Study](
            "study of sensitivities", partial(study_stored, put=put, running=self._running),
            lambda c, words, hint: put(protocol.StudyDone(session=c.session, words=f"{words} {hint}".strip())),
        )  # fmt: skip
        self._settling = OneAtATime[protocol.SettleJobs](
            "cancelling of jobs", partial(settle_jobs, put=put, running=self._running), lambda *_: None
        )
        self._ending = False

    def main(self) -> int:
        """Until the window is gone or says so; the exit status."""
        self._outbox.put(protocol.Hello(pid=os.getpid(), version=_version()))
        threading.Thread(target=self._beat, name="heartbeat", daemon=True).start()
        threading.Thread(target=self._read, name="reader", daemon=True).start()
        use_cuda_build(lambda words: self.report("warning", words))
        while True:
            try:
                command = self._inbox.get(timeout=SIGNAL_SECONDS)
            except queue.Empty:  # a signal does not always wake this thread, which alone runs the handler
                continue
            if isinstance(command, protocol.Quit):
                break
            try:
                self._obey(command)
            except Exception as error:
                self._fault(error)
        self._end()
        return 0

    # ---------------------------------------------------------------- threads

    def _read(self) -> None:
        """Frames from the window; its end is ours."""
        reader = protocol.FrameReader()
        try:
            while data := os.read(self._commands, 65536):
                for envelope in reader.feed(data):
                    if isinstance(envelope.message, _COMMANDS):
                        self._inbox.put(envelope.message)
                    else:
                        log.warning("not a command: %s", type(envelope.message).__name__)
        except (OSError, protocol.ProtocolError) as error:
            log.error("the window's commands cannot be read: %s", error)
            self.report("error", f"The engine could not understand the window and stops: {error}.")
        finally:
            self._inbox.put(protocol.Quit())

    def _beat(self) -> None:
        while not self._ending:
            busy = time.monotonic() - self._active_since if self._activity else 0.0
            self._outbox.put(protocol.Heartbeat(activity=self._activity, busy_seconds=busy))
            if self._log_file is not None:
                self._log_file.rotate_if_large()
            time.sleep(protocol.HEARTBEAT_SECONDS)

    # ---------------------------------------------------------------- commands

    def _obey(self, command: protocol.Command) -> None:
        from ..run.control import Control

        log.info("command %s", type(command).__name__)
        control = self._control if isinstance(self._control, Control) else None
        put = self._outbox.put
        match command:
            case protocol.StartRun():
                self._start(command)
            case protocol.TrialRun():
                self._start_beside(command, partial(run_trial, put=put), lambda words: trial_failed(command, words, put))
            case protocol.NoiseCheck():
                self._start_beside(command, partial(run_noise_check, put=put), lambda words: noise_failed(words, put))
            case protocol.CheckArchive():
                self._start_beside(command, partial(check_archive, put=put), lambda words: archive_unchecked(words, put))
            case protocol.TestPlace():
                self._start_beside(command, partial(test_place, put=put), lambda words: place_untested(words, put))
            case protocol.Replay():
                self._start_replay(command)
            case protocol.CancelTrialRun():
                self._cancel_trial.set()
            case protocol.Compare():
                self._comparison.start(command)
            case protocol.Study():
                self._study.start(command)
            case protocol.SettleJobs() if not self._running():
                self._settling.start(command)
            case protocol.CancelCompare():
                self._comparison.cancel()
                self._study.cancel()
            case protocol.PauseRun() if control is not None:
                control.pause()
            case protocol.ContinueRun() if control is not None:
                control.go_on()
            case protocol.StopRun(kill=kill) if control is not None:
                control.stop(kill)
            case protocol.ExtendRun(max_evaluations=budget) if control is not None:
                control.extend(budget)
            case protocol.ArchiveGrew() if control is not None:
                control.archive_grew()
            case protocol.SetWorkers(workers=workers) if control is not None:
                control.set_workers(workers)
            case protocol.ReachPlace() if control is not None:
                control.reach()
            case _:
                log.info("nothing runs, so there is nothing to do")

    def _running(self) -> bool:
        """Whether an analysis is under way, whose file is its own meanwhile."""
        return self._run is not None and self._run.is_alive()

    def _start(self, command: protocol.StartRun) -> None:
        from ..run.control import Control

        if self._run is not None and self._run_over:
            self._run.join(END_SECONDS)  # it has said that it ended and is only closing its file
        if self._running():
            self.report("warning", "A run is going on already.", suggestion="Stop it first.")
            return
        control = Control()
        self._control = control
        self._run_over = False
        self._outbox.put(protocol.StateChanged(state="starting"))
        self._set_activity("Starting")
        self._run = thread_or_words(self._run_failed, self._run_analysis, "analysis", command, control)

    def _run_analysis(self, command: protocol.StartRun, control: object) -> None:
        try:
            from ..answer.failures.set_aside import set_aside
            from ..run.analysis import Analysis
            from ..run.control import Control
            from ..run.taking_in import Kept, TakingIn
            from ..run.where import runs_at_once, site_for
            from ..session.store import SessionStore

            assert isinstance(control, Control)
            self._taking = self._taking or TakingIn()
            if command.answer_from:
                answer_without_runs(command, self._observe)
                return
            with SessionStore.open(command.session, role="engine") as store:
                if command.again:
                    set_aside(store, command.again)
                if command.take_in:
                    self._taking.take_in(store, control, self._observe)
                    return
                if store.awaits_answer:
                    answer_imported_runs(store, self._observe)
                site = site_for(store, command.where, control, self._observe)
                analysis = Analysis(
                    store, control=control, observer=self._observe, max_evaluations=command.max_evaluations,
                    workers=command.workers if site is None else runs_at_once(site.place.profile, None),
                    site=site, at=command.at, no_others=command.no_others,
                )  # fmt: skip
                self._taking.kept = None
                ended = analysis.run()
                if ended.outcome in ("budget", "converged"):  # else it may have been told more than its session knows
                    self._taking.kept = Kept.of(store, analysis.loop)
                log.info("run ended: %s, %s", ended.outcome, ended.words)
        except SetupError as error:
            self._run_failed(str(error), error.correct)
        except NothingChanged as error:  # no fault: there is an answer
            self.report("info", f"{error.what}.", error.where, error.suggestion)
            self._ended("stopped", f"{error.what}.")
        except SessionError as error:
            log.error("%s", error)
            self.report("error", error.what, error.where, error.suggestion)
            self._run_failed(error.what)
        except Exception as error:
            self._fault(error)
            self._run_failed(f"Something unexpected went wrong inside Bayescope: {error}.")
        finally:
            self._set_activity("")

    def _run_failed(self, words: str, correct: Correct = "") -> None:
        self._set_activity("")
        self._ended("failed", words, correct)

    def _ended(self, how: Literal["failed", "stopped"], words: str, correct: Correct = "") -> None:
        self._run_over = True
        self._outbox.put(protocol.StateChanged(state=how, words=words))
        self._outbox.put(protocol.RunEnded(outcome=how, words=words, correct=correct))

    def _observe(self, event: protocol.Event) -> None:
        if isinstance(event, protocol.Progress):
            self._set_activity(event.activity)
        elif isinstance(event, protocol.RunEnded):
            self._run_over = True
        elif isinstance(event, protocol.Report):
            log.warning("%s %s %s", event.what, event.where, event.details)
        self._outbox.put(event)

    def _set_activity(self, words: str) -> None:
        if words != self._activity:
            self._activity, self._active_since = words, time.monotonic()

    # ---------------------------------------------------------------- beside the run

    def _start_beside(self, command: protocol.Command, work: Work, refuse: Callable[[str], None]) -> None:
        """``work(command, cancel)`` in the one thread for runs beside the analysis; ``refuse`` gets words while that is taken."""
        if self._trial is not None and self._trial.is_alive():
            refuse("Another test run is still going on. Cancel it, or wait for it to end.")
            return
        self._cancel_trial = threading.Event()
        self._trial = thread_or_words(refuse, work, "beside", command, self._cancel_trial)

    def _start_replay(self, command: protocol.Replay) -> None:
        put = self._outbox.put
        if not self._run_over:
            words = "The analysis is running. Stop it first, or wait for its end."
            put(protocol.ReplayDone(session=command.session, words=words))
            return
        work, session = partial(replay_stored, put=put), command.session
        self._start_beside(command, work, lambda words: put(protocol.ReplayDone(session=session, words=words)))

    # ---------------------------------------------------------------- words and ending

    def report(self, level: protocol.Level, what: str, where: str = "", suggestion: str = "", details: str = "") -> None:
        self._outbox.put(protocol.Report(level=level, what=what, where=where, suggestion=suggestion, details=details))

    def _fault(self, error: BaseException) -> None:
        details = "".join(traceback.format_exception(error))
        log.error("%s", details)
        self.report(
            "error",
            f"Something unexpected went wrong inside Bayescope ({type(error).__name__}: {error}).",
            suggestion="Everything finished so far is saved. If it happens again, send the support bundle.",
            details=details,
        )

    def _end(self) -> None:
        """End simulators (jobs elsewhere go on), let the run save what it has, write the last frames; a few seconds at most."""
        from ..run.control import Control

        log.info("ending")
        self._ending = True
        self._cancel_trial.set()
        self._comparison.cancel()
        self._study.cancel()
        if isinstance(self._control, Control):
            self._control.leave()
        deadline = time.monotonic() + END_SECONDS
        for thread in (self._run, self._trial, self._comparison.thread, self._study.thread):
            if thread is not None:
                thread.join(max(0.0, deadline - time.monotonic()))
        orphans.end_tagged(orphans.engine_id(), seconds=2.0)
        self._outbox.close()


def _version() -> str:
    from importlib import metadata

    try:
        return metadata.version("bayescope")
    except metadata.PackageNotFoundError:  # a frozen application without its metadata
        return "unknown"


def main() -> int:
    """``--engine``: never returns to the interpreter's own shutdown, which abandoned threads could hold up."""
    die_with_window()
    trial_folders.work_for(os.getppid())
    frames = os.dup(1)
    if sys.platform == "win32":
        import msvcrt

        for descriptor in (0, frames):
            msvcrt.setmode(descriptor, os.O_BINARY)
    worker = Worker(frames, 0, LogFile())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal goes to the window, which decides
    signal.signal(signal.SIGTERM, lambda *_: worker._inbox.put(protocol.Quit()))
    status = 1
    try:
        status = worker.main()
    except BaseException:
        log.error("%s", traceback.format_exc())
    finally:
        logging.shutdown()
        os._exit(status)
