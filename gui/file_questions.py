"""Asking for a file or a folder: the dialog begins where the user last found one, never in the folder of the drafts."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from bayescope.gui import session_files


class FileQuestions:
    """One per process, ``ask``: it remembers the folder of the last answer."""

    def __init__(self) -> None:
        self._last: Path | None = None

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


ask = FileQuestions()
