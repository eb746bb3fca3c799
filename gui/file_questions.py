"""Asking for a file or a folder: the dialog begins where the user last found one, never in the folder of the drafts."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from bayescope.gui import session_files


class FileQuestions:
    """One per process, ``ask``: it remembers the folder of the last answer.

    ``analysis_folder``: where the open analysis lies, for what belongs beside it.
    """

    def __init__(self) -> None:
        self._last: Path | None = None
        self.analysis_folder = Path.home()

    def start(self, folder: Path) -> Path:
        """Where a dialog begins: the folder of the last answer, else ``folder``, else the user's home."""
        if self._last is not None and self._last.is_dir():
            return self._last
        return Path.home() if session_files.is_draft(folder / "any") or not folder.is_dir() else folder

    def _answer(self, path: str) -> Path | None:
        if not path:
            return None
        self._last = Path(path).parent
        return Path(path)

    def file(self, parent: QWidget, title: str, folder: Path, kinds: str = "") -> Path | None:
        """An existing file; None if the user gave up."""
        return self._answer(QFileDialog.getOpenFileName(parent, title, str(self.start(folder)), kinds)[0])

    def files(self, parent: QWidget, title: str, folder: Path) -> list[Path]:
        """Existing files; none if the user gave up."""
        found = QFileDialog.getOpenFileNames(parent, title, str(self.start(folder)))[0]
        return [path for name in found if (path := self._answer(name)) is not None]

    def folder(self, parent: QWidget, title: str, folder: Path) -> Path | None:
        """An existing folder; None if the user gave up."""
        return self._answer(QFileDialog.getExistingDirectory(parent, title, str(self.start(folder))))

    def target(
        self,
        parent: QWidget,
        title: str,
        proposed: Path,
        kinds: str,
        endings: Sequence[str],
        beside: Callable[[Path], Sequence[Path]] = lambda path: (),
    ) -> Path | None:
        """A file to write, with one of ``endings``; None if the user gave up.

        Nothing that exists is named here without the user having agreed to lose it: neither the file, nor what is written
        ``beside`` it, nor a name that only an added ending makes the name of an existing file.
        """
        start = self.start(proposed.parent) / proposed.name
        chosen, kind = QFileDialog.getSaveFileName(parent, title, str(start), kinds)
        path = self._answer(chosen)
        if path is None:
            return None
        if path.suffix.lower() not in endings:
            ending = next((e for e in endings if e in kind), endings[0])
            path = path.with_name(path.name + ending)
        lost = [p for p in (path, *beside(path)) if os.path.lexists(p) and str(p) != chosen]  # the dialog asked about that
        return path if not lost or _may_replace(parent, lost) else None


def _may_replace(parent: QWidget, lost: Sequence[Path]) -> bool:
    names = " and ".join(f"“{p.name}”" for p in lost)
    exist, them = ("exist", "them") if len(lost) > 1 else ("exists", "it")
    question = QMessageBox(
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
