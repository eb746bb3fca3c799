"""The one object that pages talk to: the problem, its file, the run, and the signals that say what changed.

Pages never open files or talk to the engine. They read properties, call methods, listen to signals. Methods that can fail
because of the world (a full disk, a locked file, a damaged session) return False and emit ``reported`` with the words for a
person; they do not raise. All signals come on the window's thread.

For page writers
----------------
* The declaration is ``controller.problem``, an immutable record. Change it with
  ``controller.set_problem(msgspec.structs.replace(controller.problem, name="x"), "Rename", merge_key="name")``;
  undo and redo, autosave, dirty marker and ``problem_changed`` follow by themselves.
* ``controller.locked`` True: runs exist or are under way; only ``settings``, ``name`` and ``description`` may change. Show
  ``controller.locked_words`` and make inputs read-only; ``controller.duplicate()`` makes an editable copy without runs.
* ``controller.findings("parameters")``: what ``engine.problem.validate`` says under that prefix, cached per problem.
* ``controller.folder``: relative paths (simulator, extra files) are from here.
* Results: ``controller.data`` (``run_data.RunData``: evaluations, theta, log_density, trace, answer, progress),
  ``controller.posterior()`` for a ``StoredPosterior`` of the newest answer, ``controller.space``.
* Test run: ``controller.trial_run(values)``; wait for ``trial_run_finished`` (a ``protocol.TrialRunReport``).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal

from bayescope.engine import protocol
from bayescope.engine.problem.definition import Problem, free_parameters
from bayescope.engine.problem.relocate import absolute_paths
from bayescope.engine.session.errors import SessionError
from bayescope.gui import session_files
from bayescope.gui.declared_problem import EMPTY, DeclaredProblem
from bayescope.gui.run_data import Answer, RunData
from bayescope.gui.run_link import ACTIVE, EngineLink, RunLink, RunStateName
from bayescope.gui.session_file import SessionFile

if TYPE_CHECKING:
    from bayescope.engine.archive.interpret import Imported
    from bayescope.engine.session.posterior import StoredPosterior

AUTOSAVE_MS = 1200
SETTLE_MS = 300  # the engine's last commits come shortly after it says that the run ended


class SessionController(DeclaredProblem):
    """See the module's text. One per window. ``problem_changed`` and ``reported`` are of the base class."""

    session_changed = Signal()  # another file, another path, or read-only / locked changed
    dirty_changed = Signal(bool)
    run_state_changed = Signal(str, str)  # RunStateName, words
    evaluations_changed = Signal()  # new finished runs in ``data`` (at most 10 times a second)
    answer_changed = Signal()  # ``data.answer`` is a newer one (at most 10 times a second)
    progress_changed = Signal()  # ``data.progress``, ``activity`` or the set of runs under way changed
    run_ended = Signal(object)  # protocol.RunEnded
    engine_lost = Signal(str)  # the engine process died during a run; words; offer ``start()`` as "Resume"
    trial_run_finished = Signal(object)  # protocol.TrialRunReport
    trial_run_failed = Signal(str)  # the engine could not even try; words
    baseline_ready = Signal(object)  # protocol.BaselineReady of the file shown
    baseline_failed = Signal(object)  # protocol.BaselineFailed of the file shown; no words: cancelled
    archive_checked = Signal(object)  # protocol.ArchiveChecked

    def __init__(self, parent: QObject | None = None, make_link: Callable[[QObject], EngineLink] | None = None) -> None:
        super().__init__(parent)
        self._file = SessionFile()
        self._unwritten = False
        self._autosave = QTimer(self, singleShot=True, interval=AUTOSAVE_MS)
        self._autosave.timeout.connect(self._write)
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self._after_run)
        self._link = RunLink(self, make_link)
        self._link.state_changed.connect(self._on_run_state)
        self._link.evaluations_changed.connect(self.evaluations_changed)
        self._link.answer_changed.connect(self.answer_changed)
        self._link.progress_changed.connect(self.progress_changed)
        self._link.run_ended.connect(self.run_ended)
        self._link.reported.connect(self.reported)
        self._link.lost.connect(self.engine_lost)
        self._link.trial_finished.connect(self.trial_run_finished)
        self._link.trial_failed.connect(self.trial_run_failed)
        self._link.baseline_ready.connect(lambda found: self._pass_on(self.baseline_ready, found))
        self._link.baseline_failed.connect(lambda found: self._pass_on(self.baseline_failed, found))
        self._link.archive_checked.connect(self.archive_checked)

    @property
    def n_runs(self) -> int:
        return len(self.data.evaluations)

    @property
    def read_only_words(self) -> str:
        """Why the file cannot be written (another window holds it), a sentence; empty if it can."""
        return self._file.read_only_words

    def _edited(self) -> None:
        names = [p.name for p in free_parameters(self._problem)]
        if not self.n_runs and names != list(self.data.names):
            self._link.reset(RunData(names))
        self._unwritten = True
        self._autosave.start()
        self.dirty_changed.emit(self.dirty)

    # -------------------------------------------------------------- its file

    @property
    def path(self) -> Path | None:
        """The file the user saved to; None for a draft or an empty analysis."""
        return None if self._file.is_draft else self._file.path

    @property
    def file(self) -> Path | None:
        """The session file on disk, drafts included; None while nothing was written."""
        return self._file.path

    @property
    def folder(self) -> Path:
        """Relative paths in the problem are from here."""
        return self._file.folder

    @property
    def runs_folder(self) -> Path | None:
        """Where kept run folders are; ``Evaluation.run_folder`` is relative to it."""
        return None if self.file is None else session_files.runs_folder(self.file)

    @property
    def title(self) -> str:
        return self._problem.name if self.path is None else self.path.stem

    @property
    def dirty(self) -> bool:
        """True: there is something the user has not saved to a file of their own."""
        return self._unwritten or self._file.is_draft

    @property
    def read_only(self) -> bool:
        return bool(self.read_only_words)

    @property
    def empty(self) -> bool:
        """True for a window with nothing in it yet."""
        return self.file is None and not self._unwritten

    def new(self) -> bool:
        """An empty analysis in place of this one."""
        return self.adopt(EMPTY)

    def adopt(self, problem: Problem) -> bool:
        """A new unsaved analysis with this declaration (an example, an imported problem file, a copy)."""
        if not self.close():
            return False
        self._show(problem)
        if problem != EMPTY:
            self._unwritten = True
            self._autosave.start()
            self.dirty_changed.emit(True)
        return True

    def duplicate(self) -> bool:
        """The same declaration as a new analysis without runs; it can be edited."""
        return self.adopt(msgspec.structs.replace(self._problem, name=f"{self._problem.name} (copy)"))

    def open_example(self, name: str) -> bool:
        """A bundled example as a new unsaved analysis, e.g. ``contamination``."""
        try:
            problem = session_files.load_example(name)
        except Exception as error:
            return self._failed(f"The example “{name}” could not be opened.", error)
        return self.adopt(problem)

    def open(self, path: Path) -> bool:
        """Open a session file, or a problem JSON as a new analysis. Nothing is executed."""
        path = Path(path).expanduser().absolute()
        if self.active:
            return self._refuse_while_running("opening another analysis")
        if path == self.file and not self._unwritten:
            return True
        opened = SessionFile()
        try:
            if path.suffix.lower() == ".json":
                return self.adopt(absolute_paths(session_files.load_problem(path), path.parent))
            problem = opened.open(path)
            data = RunData([p.name for p in free_parameters(problem)])
            opened.load(data)
        except Exception as error:
            opened.close()
            return self._failed(f"“{path.name}” could not be opened.", error)
        if not self.close():
            opened.close()
            return False
        self._file = opened
        self._show(problem, data)
        if not opened.is_draft:
            session_files.remember(path)
        return True

    def save(self) -> bool:
        """Write now. False if the user must choose a file first (``path`` is None: call ``save_as``) or writing failed."""
        return self._write() and self.path is not None

    def import_archive(self, found: Imported) -> bool:
        """Give the analysis evaluations made earlier; False when that failed (reported)."""
        if self.active:
            return self._refuse_while_running("importing")
        self._autosave.stop()
        try:
            problem = self._file.import_archive(found, self._problem)
        except Exception as error:
            return self._failed("The evaluations could not be imported.", error)
        self._show(problem)
        return True

    def save_as(self, path: Path) -> bool:
        """Save under a new name and go on there; a draft is moved, a saved analysis copied with its runs."""
        path = Path(path).expanduser().absolute()
        path = path if path.suffix == session_files.SUFFIX else path.with_name(path.name + session_files.SUFFIX)
        if self.active:
            return self._refuse_while_running("saving under another name")
        if path == self.file:
            return self.save()
        try:
            self._problem = self._file.save_as(path, self._problem)
        except Exception as error:
            return self._failed(f"The analysis could not be saved as “{path.name}”.", error)
        self._unwritten = False
        session_files.remember(path)
        self.session_changed.emit()
        self.dirty_changed.emit(self.dirty)
        return True

    def close(self, discard_draft: bool = False) -> bool:
        """Let go of the file. Pending edits are written first (into the draft too), unless it is thrown away."""
        if self.active:
            return self._refuse_while_running("closing this analysis")
        self._autosave.stop()
        self._settle.stop()
        if self._unwritten and not discard_draft and not self._write():
            return False
        draft = self.file if self._file.is_draft and discard_draft else None
        self._file.close()
        if draft is not None:
            session_files.delete_session(draft)
        self._file, self._unwritten = SessionFile(), False
        return True

    def end_engine(self) -> None:
        """End the engine process now, simulators under way too; what was finished is in the session file."""
        self._link.shut_down()

    def shut_down(self) -> None:
        """The window closes: end the engine (its simulators end with it) and let go of the file."""
        self._autosave.stop()
        self._settle.stop()
        self._write()
        self._link.shut_down()
        self._file.close()

    def _write(self) -> bool:
        """Write the declaration to the session file (a new draft if there is none). Nothing to write is a success."""
        self._autosave.stop()
        if not self._unwritten:
            return True
        try:
            self._file.write(self._problem)
        except Exception as error:
            return self._failed("The analysis could not be saved.", error)
        self._unwritten = False
        self.session_changed.emit()
        self.dirty_changed.emit(self.dirty)
        return True

    def _show(self, problem: Problem, data: RunData | None = None) -> None:
        self.undo_stack.clear()
        self._unwritten = False
        self._link.reset(data or RunData([p.name for p in free_parameters(problem)]), self._interrupted_words())
        self._replace_problem(problem)
        self.session_changed.emit()
        self.dirty_changed.emit(self.dirty)
        self.run_state_changed.emit(self.run_state, self.run_words)
        self.evaluations_changed.emit()
        self.answer_changed.emit()
        self.progress_changed.emit()

    def _interrupted_words(self) -> str:
        try:
            return self._file.interrupted_words
        except SessionError:  # a damaged marker: what matters has been read already
            return ""

    def save_support_bundle(self, path: Path, with_data: bool) -> bool:
        """Logs, versions and this session in words in one zip file, for somebody who helps; the session itself only if wanted."""
        try:
            self._file.export_support_bundle(path, with_data)
        except Exception as error:
            return self._failed("The support bundle could not be written.", error)
        self.report("info", f"The support bundle was written to {path}.")
        return True

    # -------------------------------------------------------------- the run

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
        """What the engine computes on, in words; empty before it has started."""
        return self._link.device

    @property
    def engine_pid(self) -> int:
        """Process id of the engine; 0 while none runs."""
        return self._link.engine_pid

    @property
    def elapsed_s(self) -> float:
        """Seconds of run time so far, counted on between the engine's messages."""
        return self._link.elapsed_s

    @property
    def silent_s(self) -> float:
        """Seconds since the engine was last heard of, when that is too long during a run; else 0."""
        return self._link.silent_s

    def posterior(self, answer: Answer | None = None) -> StoredPosterior | None:
        """The newest answer (or ``answer``) as a posterior in the user's units; numpy work: use it off the GUI thread."""
        answer = answer or self.data.answer
        if answer is None or self.space is None:
            return None
        from bayescope.gui.posteriors import posterior_of

        return posterior_of(self.space, answer)

    def past_answer(self, iteration: int) -> Answer | None:
        """An older answer from the session file (a short read, safe while the engine writes); None if it is not there."""
        if self.data.answer is not None and self.data.answer.iteration == iteration:
            return self.data.answer
        try:
            return self._file.past_answer(iteration)
        except Exception as error:
            self._failed(f"Iteration {iteration} could not be read from the session file.", error)
            return None

    def stored_outputs(self) -> dict[int, dict[str, Any]]:
        """Outputs of all good runs by evaluation index, from the session file, for predictions over data."""
        return self._file.stored_outputs()

    @property
    def foreign_command(self) -> str:
        """Not empty: made by somebody else or elsewhere. Show this command line and ask before the first run."""
        return "" if self._file.commands_trusted else " ".join(self._problem.simulator.command)

    def confirm_foreign_command(self) -> None:
        """The user has read the command line and agrees to run it on this computer."""
        self._file.trust_commands()

    def start(self, max_evaluations: int | None = None) -> bool:
        """Start, or resume where the file stands (also after the engine was lost). False with a report if it cannot."""
        if self.active:
            return False
        errors = self.findings(level="error")
        if errors:
            lines = "\n".join(f"• {f.message}" for f in errors[:8])
            self.report(
                "error", "The analysis is not ready to run.", "set-up pages", "Complete the marked steps.", lines
            )
            return False
        if self.foreign_command:
            self.report(
                "warning", "This analysis was made on another computer.", suggestion="Confirm its command line first."
            )
            return False
        if self.read_only:
            self.report("warning", self.read_only_words, suggestion="Save it under another name to run it.")
            return False
        self._unwritten = self._unwritten or self.file is None
        if not self._write() or self.file is None:
            return False
        self._link.start(self.file, max_evaluations)
        return True

    def pause(self) -> None:
        """Start no new simulator run; those under way finish."""
        self._link.send(protocol.PauseRun())

    def resume(self) -> None:
        """Go on after ``pause``."""
        self._link.send(protocol.ContinueRun())

    def stop(self, kill: bool = False) -> None:
        """End the run; ``kill``: end the simulators under way too rather than let them finish."""
        self._link.stop(kill)

    def extend(self, max_evaluations: int) -> bool:
        """Continue with a larger budget: tells a live engine, or starts it again on an ended run."""
        if self.active:
            self._link.send(protocol.ExtendRun(max_evaluations))
            return True
        return self.start(max_evaluations)

    def trial_run(self, values: dict[str, float], repeat: int = 1) -> None:
        """One evaluation at ``values`` (all parameters, user's units); nothing is recorded. See ``trial_run_finished``."""
        self._link.trial_run(self._problem, values, self.folder, repeat)

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
        from bayescope.engine.problem.files import dumps

        rows = rows_to_check(found, self._problem)
        self._link.check_archive(
            protocol.CheckArchive(
                problem_json=dumps(self._problem), folder=str(self.folder), rows=rows, meaning=found.record.meaning
            )
        )

    def _pass_on(self, signal: Any, found: protocol.BaselineReady | protocol.BaselineFailed) -> None:
        """Of the file shown only: another may have been opened meanwhile."""
        if self.file is not None and found.session == str(self.file):
            signal.emit(found)

    def prepare_engine(self) -> None:
        """Start the engine process ahead of need, so that Start and Test run answer at once."""
        self._link.prepare()

    def _on_run_state(self, state: str, words: str) -> None:
        self.run_state_changed.emit(state, words)
        self.session_changed.emit()
        if not self.active:
            self._settle.start()

    def _after_run(self) -> None:
        """The engine is done with the file: read what messages did not carry (run folders, the raised budget)."""
        if self.active:
            return
        try:
            problem = self._file.reload_problem()
            self._file.load(self.data)
        except Exception as error:
            self._failed("The session file could not be read after the run.", error)
            return
        if problem is not None and problem != self._problem and not self._unwritten:
            self._replace_problem(problem)
        self.evaluations_changed.emit()
        self.answer_changed.emit()

    def _refuse_while_running(self, what: str) -> bool:
        self.report("warning", "The analysis is running.", suggestion=f"Stop it before {what}.")
        return False
