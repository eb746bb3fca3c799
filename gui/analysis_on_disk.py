"""The analysis and its file: open, save, autosave, drafts, copies, what is not saved yet. ``SessionController`` adds the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal

from bayescope.engine.problem.definition import Problem, free_parameters
from bayescope.engine.problem.relocate import absolute_paths
from bayescope.engine.session.errors import SessionError
from bayescope.engine.session.trust.consent import UNSIGNED, NotAgreed, Signed
from bayescope.engine.session.trust.sheet import TrustSheet, sheet_of
from bayescope.gui import session_files
from bayescope.gui.analysis_run import AnalysisRun
from bayescope.gui.declared_problem import EMPTY
from bayescope.gui.engine_link import EngineLink
from bayescope.gui.run_data import RunData
from bayescope.gui.session_file import SessionFile

if TYPE_CHECKING:
    from bayescope.engine.archive.interpret import Imported
    from bayescope.gui.trust_dialog import Agreement

AUTOSAVE_MS = 1200


class AnalysisOnDisk(AnalysisRun):
    """Everything about where the analysis lives. Methods that fail because of the world return False and report it."""

    session_changed = Signal()  # another file, another path, or read-only / locked changed
    dirty_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None, make_link: Callable[[QObject], EngineLink] | None = None) -> None:
        super().__init__(parent, make_link)
        self._file = SessionFile()
        self.ask_consent: Callable[[TrustSheet, bool], Agreement | None] = self._cannot_ask
        self._unwritten = False
        self._autosave = QTimer(self, singleShot=True, interval=AUTOSAVE_MS)
        self._autosave.timeout.connect(self._write)

    # -------------------------------------------------------------- what it is

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
    def place(self) -> Path:
        """Where a dialog about files of this analysis begins: its folder, or that of the analysis it is a copy of."""
        return self._file.place

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

    def adopt(self, problem: Problem, made_from: Signed | None = None, beside: Path | None = None) -> bool:
        """A new unsaved analysis with this declaration (an example, an imported problem file, a copy).

        ``made_from``: the consent to what it was made from; None: it is the user's own. ``beside``: where that lies.
        """
        if not self.close():
            return False
        self._file = SessionFile(made_from, beside)
        self._show(problem)
        if problem != EMPTY:
            self._unwritten = True
            self._autosave.start()
            self.dirty_changed.emit(True)
        return True

    def duplicate(self, plausible: Mapping[str, tuple[float, float]] | None = None) -> bool:
        """The same declaration as a new analysis without runs; it can be edited. A stranger's stays a stranger's.

        ``plausible``: other ranges of the parameters named.
        """
        ranges = plausible or {}
        parameters = tuple(
            msgspec.structs.replace(p, plausible=ranges.get(p.name, p.plausible)) for p in self._problem.parameters
        )
        copy = msgspec.structs.replace(self._problem, name=f"{self.title} (copy)", parameters=parameters)
        if self.path is not None:
            copy = absolute_paths(copy, self.folder)
        return self.adopt(copy, self._file.consent_of_copy(self._problem, copy), self.place)

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
        if path.resolve() == self.file and not self._unwritten:
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
            return self._failed(f"“{path.name}” could not be opened.", error)
        if not self.close():
            opened.close()
            return False
        self._file = opened
        self._show(problem, data)
        if not opened.is_draft:
            session_files.remember(path)
        return True

    def recover(self, damaged: Path, new: Path) -> bool:
        """Copy everything readable of a damaged session into ``new`` and open that. The damaged file is only read."""
        from bayescope.engine.session.salvage import salvage

        try:
            words = salvage(damaged, new).words()
        except Exception as error:
            return self._failed(f"Nothing could be recovered from “{damaged.name}”.", error)
        if not self.open(new):
            return False
        self.report("info", words)
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
        if self.replaying:
            return self._refuse_while_replaying("saving under another name")
        if path.resolve() == self.file:
            return self.save()
        try:
            problem = self._file.save_as(path, self._problem)
        except Exception as error:
            return self._failed(f"The analysis could not be saved as “{path.name}”.", error)
        if problem != self._problem:
            self.undo_stack.clear()  # the steps before name files from the old folder
        self._replace_problem(problem)  # what was found missing may be there now
        self._unwritten = False
        session_files.remember(path)
        self.session_changed.emit()
        self.dirty_changed.emit(self.dirty)
        return True

    def close(self, discard_draft: bool = False) -> bool:
        """Let go of the file. Pending edits are written first (into the draft too), unless it is thrown away."""
        if self.active:
            return self._refuse_while_running("closing this analysis")
        self._let_go()
        if self._unwritten and not discard_draft and not self._write():
            return False
        draft = self.file if self._file.is_draft and discard_draft else None
        self._file.close()
        if draft is not None:
            session_files.delete_session(draft)
        self._file, self._unwritten = SessionFile(), False
        return True

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
        self._held.clear()
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

    # -------------------------------------------------------------- consent

    def consent(self) -> Signed | None:
        """The leave to run the problem as it is declared now, asked for if need be; None: the person does not agree."""
        if not self.read_only:
            self._write()
        try:
            return self._file.consent(self._problem)
        except NotAgreed as refusal:
            agreement, shown = self.ask_consent(sheet_of(refusal), self.confined), refusal.found
        if agreement is None:
            return None
        signed = self._file.agree(self._problem, confined=agreement.confined, quietly=agreement.quietly, shown=shown)
        self.session_changed.emit()
        return signed

    def _cannot_ask(self, sheet: TrustSheet, confined: bool) -> Agreement | None:
        self.report("warning", sheet.why, suggestion="Look at what it runs, and agree to it first.")
        return None

    @property
    def foreign(self) -> bool:
        """Whether the analysis came from somebody else."""
        return self._file.foreign

    @property
    def confined(self) -> bool:
        """Whether runs are to be in a sandbox."""
        return self._file.confined

    def confine(self, confined: bool) -> bool:
        """Run in a sandbox from now on, or not. False while nobody has agreed to run it at all, or it cannot be stored."""
        if self.active or self.read_only or not self._write():
            return False
        try:
            self._file.consent(self._problem)
            self._file.agree(self._problem, confined=confined)
        except Exception as error:
            return self._failed("This could not be changed.", error)
        self.session_changed.emit()
        return True

    def _let_go(self) -> None:
        """No timer touches the file any more, and none of its runs is made again."""
        self._autosave.stop()
        if self.replaying:
            self.cancel_trial_run()
