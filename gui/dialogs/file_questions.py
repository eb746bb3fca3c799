"""Asking for a file or a folder: where the user last found one for this analysis, else beside its program; what is saved, beside
the analysis. Never among the drafts."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from bayescope.engine.session import atomic
from bayescope.engine.session.errors import SessionError
from bayescope.gui.analysis import session_files
from bayescope.gui.dialogs.question_box import QuestionBox
from bayescope.gui.dialogs.typed_path import asked


@dataclass
class Looked:
    """Where files of one analysis are looked for. ``found``: the folder of the last answer; ``program``: that of its program."""

    found: Path | None = None
    program: Path | None = None


class FileQuestions:
    """One per process, ``ask``: it remembers where was saved what belongs to a folder, and where analyses were opened.

    ``analysis_folder``: where the open analysis lies, or what it is a copy of; for what belongs beside it. ``looked``: of the
    analysis in front.
    """

    def __init__(self) -> None:
        self.looked = Looked()
        self._opened: Path | None = None
        self._saved_in: dict[Path, Path] = {}
        self.analysis_folder = Path.home()

    def start(self, folder: Path) -> Path:
        """Where a dialog begins that looks for something: of the last answer, else the program's folder, else ``folder``, else
        the analysis's."""
        known = (one for one in (self.looked.found, self.looked.program) if one is not None and one.is_dir())
        return next(known, None) or self._real(folder)

    def _real(self, folder: Path) -> Path:
        """``folder``; while that is the drafts', or is gone: the analysis's, else the user's home."""
        told = (f for f in (folder, self.analysis_folder) if f != Path.home())  # which says nothing
        places = (f for f in told if f.is_dir() and not session_files.is_draft(f / "any"))
        return next(places, Path.home())

    def _answer(self, path: str) -> Path | None:
        if not path:
            return None
        self.looked.found = Path(path).parent
        return Path(path)

    def file(self, parent: QWidget, title: str, folder: Path, kinds: str = "") -> Path | None:
        """An existing file; None if the user gave up."""
        begin = self.start(folder)
        return self._answer(asked(lambda: QFileDialog.getOpenFileName(parent, title, str(begin), kinds)[0]))

    def files(self, parent: QWidget, title: str, folder: Path, kinds: str = "") -> list[Path]:
        """Existing files; none if the user gave up."""
        begin = self.start(folder)
        found = asked(lambda: QFileDialog.getOpenFileNames(parent, title, str(begin), kinds)[0])
        return [path for name in found if (path := self._answer(name)) is not None]

    def analyses(self, parent: QWidget, title: str, folder: Path, kinds: str, several: bool = False) -> list[Path]:
        """Existing analyses, which are no files of the one in front: where the last were found, else in ``folder``."""
        begin = self._opened if self._opened is not None and self._opened.is_dir() else self._real(folder)
        choose = QFileDialog.getOpenFileNames if several else QFileDialog.getOpenFileName
        found = asked(lambda: choose(parent, title, str(begin), kinds)[0])
        paths = [Path(name) for name in ([found] if isinstance(found, str) else found) if name]
        self._opened = paths[0].parent if paths else self._opened
        return paths

    def folder(self, parent: QWidget, title: str, folder: Path) -> Path | None:
        """An existing folder; None if the user gave up."""
        return self._answer(asked(lambda: QFileDialog.getExistingDirectory(parent, title, str(self.start(folder)))))

    def _home(self, folder: Path) -> Path:
        """Where what belongs to ``folder`` is saved; of what was never saved: where its files were found."""
        saved = folder != Path.home() and folder.is_dir() and not session_files.is_draft(folder / "any")
        return folder if saved else self.start(folder)

    def saves_in(self, folder: Path) -> Path:
        """Where the dialog begins that saves what belongs to ``folder``: there, or where the user last went."""
        home = self._home(folder)
        last = self._saved_in.get(home, home)
        return last if last.is_dir() else home

    def target(
        self,
        parent: QWidget,
        title: str,
        proposed: Path,
        kinds: str,
        endings: Sequence[str],
        beside: Callable[[Path], Sequence[Path]] = lambda path: (),
        *,
        here: bool = False,
    ) -> Path | None:
        """A file to write, with one of ``endings``; None if the user gave up.

        The dialog begins beside what it belongs to, the next ones where the user then went; ``here``: always beside it.

        Where nothing can be written is said at once, and asked again. Nothing that exists is named here without the user
        having agreed to lose it: neither the file, nor what is written ``beside`` it, nor a name that only an added ending makes
        the name of an existing file.
        """
        home = self._home(proposed.parent)
        start = (home if here else self.saves_in(proposed.parent)) / proposed.name
        while True:
            chosen, kind = asked(partial(QFileDialog.getSaveFileName, parent, title, str(start), kinds))
            if not chosen:
                return None
            path = Path(chosen)
            if path.suffix.lower() not in endings:
                ending = next((e for e in endings if e in kind), endings[0])
                path = path.with_name(path.name + ending)
            why_not = _why_not(path)
            if not why_not:
                break
            if not _may_ask_again(parent, title, why_not):
                return None
            start = (path.parent if path.parent.is_dir() else home) / proposed.name
        if not here:
            self._saved_in[home] = path.parent
        lost = [p for p in (path, *beside(path)) if os.path.lexists(p) and str(p) != chosen]  # the dialog asked about that
        return path if not lost or _may_replace(parent, lost) else None


def _why_not(path: Path) -> str:
    """Why no file ``path`` can be written, a sentence or two; "": it can."""
    try:
        atomic.refuse_unwritable(path)
    except SessionError as error:
        return f"{error.what}. {error.suggestion}"
    return ""


def _may_ask_again(parent: QWidget, title: str, why_not: str) -> bool:
    question = QuestionBox(QMessageBox.Icon.Warning, title, why_not, QMessageBox.StandardButton.Cancel, parent)
    question.setTextFormat(Qt.TextFormat.PlainText)
    again = question.addButton("&Another place…", QMessageBox.ButtonRole.AcceptRole)
    question.setDefaultButton(again)
    question.exec()
    agreed = question.clickedButton() is again
    question.deleteLater()
    return agreed


def _may_replace(parent: QWidget, lost: Sequence[Path]) -> bool:
    names = " and ".join(f"“{p.name}”" for p in lost)
    exist, them = ("exist", "them") if len(lost) > 1 else ("exists", "it")
    question = QuestionBox(
        QMessageBox.Icon.Warning,
        "Replace?",
        f"{names} {exist} already in {lost[0].parent}. Replace {them}?",
        QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No,
        parent,
    )
    question.setDefaultButton(QMessageBox.StandardButton.No)
    agreed = question.exec() == QMessageBox.StandardButton.Yes
    question.deleteLater()
    return bool(agreed)


ask = FileQuestions()
