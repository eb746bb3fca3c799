"""The analysis and its file: open, save, autosave, drafts, copies, what is not saved yet, and the leave to run it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from bayescope.engine.answer.no_effect import told
from bayescope.engine.problem.definition import Problem, free_parameters
from bayescope.engine.problem.relocate import absolute_paths
from bayescope.engine.session.errors import SessionError
from bayescope.engine.session.settled import Settled, idle_in, with_idle
from bayescope.engine.session.trust.consent import UNSIGNED, NotAgreed, Signed
from bayescope.engine.session.trust.sheet import TrustSheet, sheet_of
from bayescope.gui.analysis import session_files
from bayescope.gui.analysis.declared_problem import EMPTY, DeclaredProblem, named_after
from bayescope.gui.analysis.reports import Reports
from bayescope.gui.analysis.run_data import RunData
from bayescope.gui.analysis.run_link import RunLink
from bayescope.gui.analysis.session_file import Agreement, OpenFile, SessionFile

AUTOSAVE_MS = 1200


class AnalysisFile(QObject):
    """Everything about where the analysis lives. Methods that fail because of the world return False and report it.

    ``problem``: what is written and read; ``link``: its run, which may forbid that another analysis takes its place.
    """

    changed = Signal()  # another file, another path, or read-only / locked changed
    dirty_changed = Signal(bool)
    shown = Signal()  # another analysis is shown, with what is known of its run
    closing = Signal()  # the file is let go of: nothing may touch it any more

    def __init__(
        self,
        problem: DeclaredProblem,
        link: RunLink,
        opened: OpenFile,
        reports: Reports,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._problem, self._link, self._opened, self.reports = problem, link, opened, reports
        problem.edited.connect(self._edited)
        link.studying.unkept.connect(lambda record: self._keep(self._opened.now.keep_sensitivity, record))
        link.comparing.unkept.connect(lambda record: self._keep(self._opened.now.keep_other_method, record))
        self.ask_consent: Callable[[TrustSheet, bool], Agreement | None] = self._cannot_ask
        self._unwritten = False
        self._example: Problem | None = None  # the bundled example that was opened last
        self._autosave = QTimer(self, singleShot=True, interval=AUTOSAVE_MS)
        self._autosave.timeout.connect(self._save_by_itself)

    # -------------------------------------------------------------- what it is

    @property
    def read_only_words(self) -> str:
        """Why the file cannot be written (another window holds it), a sentence; empty if it can."""
        return self._opened.now.read_only_words

    def _edited(self) -> None:
        self._unwritten = True
        if not self._autosave.isActive():  # from the first edit on: who types without a break is written too
            self._autosave.start()
        self.dirty_changed.emit(self.dirty)

    @property
    def path(self) -> Path | None:
        """The file the user saved to; None for a draft or an empty analysis."""
        return None if self._opened.now.is_draft else self._opened.now.path

    @property
    def on_disk(self) -> Path | None:
        """The session file on disk, drafts included; None while nothing was written."""
        return self._opened.now.path

    @property
    def folder(self) -> Path:
        """Relative paths in the problem are from here."""
        return self._opened.now.folder

    @property
    def place(self) -> Path:
        """Where a dialog about files of this analysis begins: its folder, or that of the analysis it is a copy of."""
        return self._opened.now.place

    @property
    def runs_folder(self) -> Path | None:
        """Where kept run folders are; ``Evaluation.run_folder`` is relative to it."""
        return None if self.on_disk is None else session_files.runs_folder(self.on_disk)

    @property
    def title(self) -> str:
        return self._problem.declared.name if self.path is None else self.path.stem

    @property
    def proposed_name(self) -> str:
        """Of a file to save in: its title; without a name of its own that of its first input file, or else of its program."""
        declared = self._problem.declared
        if self.path is not None or declared.name != EMPTY.name:
            return self.title
        known = (*(t.target for t in declared.simulator.templates), *declared.simulator.command[:1])
        return next((stem for one in known if (stem := Path(one).stem)), self.title)

    @property
    def untouched_example(self) -> bool:
        """A bundled example as it came: it can be opened again at any time. Runs are not looked at."""
        return self.path is None and self._problem.declared is self._example

    @property
    def dirty(self) -> bool:
        """True: there is something the user has not saved to a file of their own."""
        return self._unwritten or self._opened.now.is_draft

    @property
    def read_only(self) -> bool:
        return bool(self.read_only_words)

    @property
    def empty(self) -> bool:
        """True for a window with nothing in it yet."""
        return self.on_disk is None and not self._unwritten

    def new(self) -> bool:
        """An empty analysis in place of this one."""
        return self.adopt(EMPTY)

    def adopt(self, problem: Problem, made_from: Signed | None = None, beside: Path | None = None) -> bool:
        """A new unsaved analysis with this declaration (an example, an imported problem file, a copy).

        ``made_from``: the consent to what it was made from; None: it is the user's own. ``beside``: where that lies.
        """
        if not self.close():
            return False
        self._opened.now = SessionFile(made_from, beside)
        self._show(problem)
        if problem != EMPTY:
            self._unwritten = True
            self._autosave.start()
            self.dirty_changed.emit(True)
        return True

    def duplicate(self, plausible: Mapping[str, tuple[float, float]] | None = None, *, from_runs: bool = False) -> bool:
        """The same declaration as a new analysis without runs; it can be edited. A stranger's stays a stranger's.

        ``plausible``: other ranges of the parameters named. ``from_runs``: it is to be answered from the runs of this one.
        """
        now, first, word = self._problem.declared, self.path, "again" if from_runs else "copy"
        copy = session_files.copy_of(now, f"{self.title} ({word})", plausible or {}, None if first is None else self.folder)
        known, where, answer = self._opened.now.settled, self._opened.now.where, self._link.data.answer
        known = with_idle(known, copy, idle_in(known, now) if answer is None else told(answer.diagnostics))
        done = self.adopt(copy, self._opened.now.consent_of_copy(now, copy), self.place)
        if done:
            self._opened.now.settled, self._opened.now.where = known, where
            self.changed.emit()
        if done and from_runs and first is not None:
            self._opened.now.runs_of = first
            self.changed.emit()
        return done and self._write()

    @property
    def settled(self) -> Settled:
        """What was answered while setting up that is no part of the problem."""
        return self._opened.now.settled

    def settle(self, settled: Settled) -> None:
        if settled != self.settled and not self.read_only:
            self._opened.now.settled = settled
            self._edited()

    @property
    def runs_of(self) -> Path | None:
        """The analysis whose runs answer this one; None: it makes its own."""
        return self._opened.now.runs_of

    def open_example(self, name: str) -> bool:
        """A bundled example as a new unsaved analysis, e.g. ``contamination``."""
        try:
            problem = session_files.load_example(name)
        except Exception as error:
            return self.reports.failed(f"The example “{name}” could not be opened.", error)
        if not self.adopt(problem):
            return False
        self._example = self._problem.declared
        return True

    def open(self, path: Path) -> bool:
        """Open a session file, or a problem JSON as a new analysis. Nothing is executed."""
        path = Path(path).expanduser().absolute()
        if self._link.active:
            return self.reports.refuse_while_running("opening another analysis")
        if path.resolve() == self.on_disk and not self._unwritten:
            return True
        opened = SessionFile()
        try:
            if path.suffix.lower() == ".json":
                problem = absolute_paths(session_files.load_problem(path), path.parent)
                return self.adopt(problem, UNSIGNED, path.parent)
            problem = opened.open(path)
            data = RunData([p.name for p in free_parameters(problem)])
            opened.load(data)
        except Exception as error:
            opened.close()
            return self.reports.failed(f"“{path.name}” could not be opened.", error)
        if not self.close():
            opened.close()
            return False
        self._opened.now = opened
        self._show(problem, data)
        if not opened.is_draft:
            session_files.remember(path)
        return True

    def save(self) -> bool:
        """Write now. False if the user must choose a file first (``path`` is None: call ``save_as``) or writing failed."""
        return self._write() and self.path is not None

    def begin_import(self) -> Problem | None:
        """What is declared, when evaluations made earlier may be written to the file (``Importing``); None: reported why not."""
        if self._link.active:
            self.reports.refuse_while_running("importing")
            return None
        self._autosave.stop()
        return self._problem.declared

    def end_import(self, problem: Problem) -> bool:
        """Show what is in the file now; False when it cannot be read (reported)."""
        data = RunData([p.name for p in free_parameters(problem)])
        try:
            self._opened.now.load(data)
        except Exception as error:
            return self.reports.failed("The imported evaluations cannot be read.", error)
        self._show(problem, data)
        return True

    @property
    def only_imported(self) -> bool:
        """Whether all runs of the analysis were imported, so that another import may take their place."""
        return self._opened.now.only_imported

    def save_as(self, path: Path) -> bool:
        """Save under a new name and go on there; a draft is moved, a saved analysis copied with its runs."""
        path = Path(path).expanduser().absolute()
        path = path if path.suffix == session_files.SUFFIX else path.with_name(path.name + session_files.SUFFIX)
        if self._link.active:
            return self.reports.refuse_while_running("saving under another name")
        if self._link.replaying.session:
            return self.reports.refuse_while_replaying("saving under another name")
        if path.resolve() == self.on_disk:
            return self.save()
        declared, before = named_after(self._problem.declared, path), self.on_disk
        try:
            problem = self._opened.now.save_as(path, declared)
        except Exception as error:
            return self.reports.failed(f"The analysis could not be saved as “{path.name}”.", error)
        if before is not None and self.on_disk is not None:
            self._link.studying.moved(before, self.on_disk)
            self._link.comparing.moved(before, self.on_disk)
        if problem != declared:
            self._problem.undo_stack.clear()  # the steps before name files from the old folder
        self._problem.show(problem)  # what was found missing may be there now
        self._unwritten = False
        session_files.remember(path)
        self.changed.emit()
        self.dirty_changed.emit(self.dirty)
        return True

    def _keep(self, keep: Callable[[bytes], None], record_json: bytes) -> None:
        """What the engine worked out while the file was saved under another name."""
        if self._link.active or self.read_only:
            return
        try:
            keep(record_json)
        except Exception as error:
            self.reports.failed("What was worked out is not kept in the file.", error)

    @property
    def jobs_elsewhere(self) -> int:
        """How many jobs of it wait or run on other computers: who throws it away has to cancel them first."""
        return self._opened.now.jobs_elsewhere

    def close(self, discard_draft: bool = False) -> bool:
        """Let go of the file. Pending edits are written first (into the draft too), unless it is thrown away, or an example
        that nothing was done with."""
        if self._link.active:
            return self.reports.refuse_while_running("closing this analysis")
        self._stop_writing()
        of_the_users = self.on_disk is not None or not self.untouched_example
        if self._unwritten and not discard_draft and of_the_users and not self._write():
            return False
        draft = self.on_disk if self._opened.now.is_draft and discard_draft else None
        self._opened.now.close()
        if draft is not None:
            session_files.delete_session(draft)
        self._opened.now, self._unwritten = SessionFile(), False
        return True

    def _save_by_itself(self) -> None:
        """Not an example that nothing was done with: it would be one more draft each time, and holds nothing of the user's."""
        if not self.untouched_example:
            self._write()

    def _write(self) -> bool:
        """Write the declaration to the session file (a new draft if there is none). Nothing to write is a success."""
        self._autosave.stop()
        if not self._unwritten:
            return True
        try:
            self._opened.now.write(self._problem.declared)
        except Exception as error:
            return self.reports.failed("The analysis could not be saved.", error)
        self._unwritten = False
        self.changed.emit()
        self.dirty_changed.emit(self.dirty)
        return True

    def _show(self, problem: Problem, data: RunData | None = None) -> None:
        self._problem.forget()
        self._unwritten = False
        self._link.reset(data or RunData([p.name for p in free_parameters(problem)]), *self._last_words())
        self._problem.show(problem)
        self.changed.emit()
        self.dirty_changed.emit(self.dirty)
        self.shown.emit()

    def _last_words(self) -> tuple[str, str]:
        """What became of the last run: what a crash interrupted, which jobs go on elsewhere."""
        try:
            return self._opened.now.interrupted_words, self._opened.now.elsewhere_words
        except SessionError:  # a damaged marker: what matters has been read already
            return "", ""

    def save_support_bundle(self, path: Path, with_data: bool) -> bool:
        """Logs, versions and this session in words in one zip file, for somebody who helps; the session itself only if wanted."""
        try:
            self._opened.now.export_support_bundle(path, with_data)
        except Exception as error:
            return self.reports.failed("The support bundle could not be written.", error)
        self.reports.report("info", f"The support bundle was written to {path}.")
        return True

    # -------------------------------------------------------------- consent

    def consent(self) -> Signed | None:
        """The leave to run the problem as it is declared now, asked for if need be; None: the person does not agree."""
        if not self.read_only:
            self._write()
        try:
            return self._opened.now.consent(self._problem.declared)
        except NotAgreed as refusal:
            agreement, shown = self.ask_consent(sheet_of(refusal), self.confined), refusal.found
        if agreement is None:
            return None
        signed = self._opened.now.agree(
            self._problem.declared, confined=agreement.confined, quietly=agreement.quietly, shown=shown
        )
        self.changed.emit()
        return signed

    def _cannot_ask(self, sheet: TrustSheet, confined: bool) -> Agreement | None:
        self.reports.report("warning", sheet.why, suggestion="Look at what it runs, and agree to it first.")
        return None

    @property
    def foreign(self) -> bool:
        """Whether the analysis came from somebody else."""
        return self._opened.now.foreign

    @property
    def confined(self) -> bool:
        """Whether runs are to be in a sandbox."""
        return self._opened.now.confined

    def confine(self, confined: bool) -> bool:
        """Run in a sandbox from now on, or not. False while nobody has agreed to run it at all, or it cannot be stored."""
        if self._link.active or self.read_only or not self._write():
            return False
        try:
            self._opened.now.consent(self._problem.declared)
            self._opened.now.agree(self._problem.declared, confined=confined)
        except Exception as error:
            return self.reports.failed("This could not be changed.", error)
        self.changed.emit()
        return True

    # -------------------------------------------------------------- the run and the end

    def write_to_run(self) -> Path | None:
        """The file the engine is to work on, with all that was declared; a new draft if nothing is on disk yet.
        None: it could not be written (reported)."""
        self._unwritten = self._unwritten or self.on_disk is None
        return self.on_disk if self._write() else None

    def read_after_run(self) -> bool:
        """The engine is done with the file: read what messages did not carry (the raised budget)."""
        try:
            problem = self._opened.now.reload_problem()
            self._opened.now.load(self._link.data)
        except Exception as error:
            return self.reports.failed("The session file could not be read after the run.", error)
        self._link.limits.forget()
        if problem is not None and problem != self._problem.declared and not self._unwritten:
            self._problem.undo_stack.clear()  # the steps before lead to other numbers than the file now holds
            self._problem.show(problem)
        return True

    def finish_writing(self) -> None:
        """The window closes: write what is declared; no timer touches the file afterwards."""
        self._stop_writing()
        self._write()

    def release(self) -> None:
        """Let go of the file for good."""
        self._opened.now.close()

    def _stop_writing(self) -> None:
        self._autosave.stop()
        self.closing.emit()
