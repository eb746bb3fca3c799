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
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer

from bayescope.gui.analysis_on_disk import AnalysisOnDisk
from bayescope.gui.engine_link import EngineLink
from bayescope.gui.run_data import Answer

if TYPE_CHECKING:
    from bayescope.engine.session.posterior import StoredPosterior
    from bayescope.engine.session.replayed import Replay

SETTLE_MS = 300  # the engine's last commits come shortly after it says that the run ended


class SessionController(AnalysisOnDisk):
    """See the module's text. One per window.

    The base classes hold the declaration (``DeclaredProblem``), the run (``AnalysisRun``) and the file (``AnalysisOnDisk``);
    here is what needs all of them: starting, what is read from the file during and after a run, and the end.
    """

    def __init__(self, parent: QObject | None = None, make_link: Callable[[QObject], EngineLink] | None = None) -> None:
        super().__init__(parent, make_link)
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self._after_run)

    def shut_down(self) -> None:
        """The window closes: end the engine (its simulators end with it) and let go of the file."""
        self._let_go()
        self._write()
        self._link.shut_down()
        self._file.close()

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

    def last_replay(self) -> Replay | None:
        """How stored runs came out when they were made again last, from the session file; None: never."""
        try:
            return self._file.replay()
        except Exception as error:
            self._failed("What runs made again gave could not be read.", error)
            return None

    def outputs_of(self, index: int) -> dict[str, Any]:
        """What was read from one run, good or failed, from the session file."""
        return self._file.outputs_of(index)

    def start(self, max_evaluations: int | None = None) -> bool:
        """Start, or resume where the file stands (also after the engine was lost). False with a report if it cannot."""
        if self.active:
            return False
        if self.replaying:
            return self._refuse_while_replaying("starting the analysis")
        errors = self.findings(level="error")
        if errors:
            lines = "\n".join(f"• {f.message}" for f in errors[:8])
            self.report(
                "error", "The analysis is not ready to run.", "set-up pages", "Complete the marked steps.", lines
            )
            return False
        if self.read_only:
            self.report("warning", self.read_only_words, suggestion="Save it under another name to run it.")
            return False
        self._unwritten = self._unwritten or self.file is None
        if not self._write() or self.file is None or self.consent() is None:
            return False
        self._link.start(self.file, max_evaluations)
        return True

    def extend(self, max_evaluations: int) -> bool:
        """More runs: tells a live engine, or starts it again on an ended run."""
        if self.active:
            self._link.extend(max_evaluations)
            return True
        return self.start(max_evaluations)

    def _on_run_state(self, state: str, words: str) -> None:
        self.run_state_changed.emit(state, words)
        self.session_changed.emit()
        if not self.active:
            self._settle.start()

    def _after_run(self) -> None:
        """The engine is done with the file: read what messages did not carry (the raised budget)."""
        if self.active:
            return
        try:
            problem = self._file.reload_problem()
            self._file.load(self.data)
        except Exception as error:
            self._failed("The session file could not be read after the run.", error)
            return
        self._link.limits.forget()
        if problem is not None and problem != self._problem and not self._unwritten:
            self.undo_stack.clear()  # the steps before lead to other numbers than the file now holds
            self._replace_problem(problem)
        self.evaluations_changed.emit()
        self.answer_changed.emit()

    def _let_go(self) -> None:
        super()._let_go()
        self._settle.stop()
