"""What is typed into Qt's own file dialog counts as it stands, however fast it was typed and whatever the dialog has read so far.

Systems with a file dialog of their own show that one, which this leaves alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QEvent, QItemSelectionModel, QObject, QSignalBlocker, QTimer
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QFileSystemModel, QLineEdit, QListView

T = TypeVar("T")
ModelFlag = QItemSelectionModel.SelectionFlag
Mode = QFileDialog.FileMode
_QUOTED = re.compile(r'"([^"]+)"')


def asked(ask: Callable[[], T]) -> T:
    """What ``ask`` returns, which opens a file dialog and waits for its answer."""
    QTimer.singleShot(0, _heed)
    return ask()


def _heed() -> None:
    dialog = QApplication.activeModalWidget()
    if isinstance(dialog, QFileDialog) and dialog.findChild(QLineEdit, "fileNameEdit") is not None:
        helper = TypedPath(dialog)
        _KEPT.add(helper)
        dialog.destroyed.connect(lambda: _KEPT.discard(helper))


_KEPT: set[TypedPath] = set()  # a dialog that Qt makes keeps no Python object of its children


class TypedPath(QObject):
    """Belongs to ``dialog``.

    Qt selects in its list what is typed so far, and forgets to take that back while its window is not the active one, as while
    the list of names that fit comes up: Return then opens the folder selected last and clears the field. And it greys its button
    for files that it has not listed yet, or does not list.
    """

    def __init__(self, dialog: QFileDialog) -> None:
        super().__init__(dialog)
        self.dialog = dialog
        field, box = dialog.findChild(QLineEdit, "fileNameEdit"), dialog.findChild(QDialogButtonBox)
        shown = dialog.findChild(QListView, "listView")
        assert isinstance(shown, QListView)
        assert isinstance(field, QLineEdit)
        assert isinstance(box, QDialogButtonBox)
        self.field, self.list, self._typed = field, shown, ""  # what the user is typing, until Qt has taken it in
        self.button = box.button(QDialogButtonBox.StandardButton.Open) or box.buttons()[0]
        field.textEdited.connect(self._begin)  # before Qt's part, which follows textChanged
        field.textChanged.connect(self._end)
        self.button.installEventFilter(self)

    def _begin(self, text: str) -> None:
        self._typed = text
        self._unselect(())

    def _end(self, text: str) -> None:
        """Not for the changes that Qt makes while it takes in what was typed: the names alone, which it would look for in the
        folder that is shown."""
        if self._typed and text == self._typed:
            if self.field.text() != text:
                with QSignalBlocker(self.field):
                    self.field.setText(text)
            self._unselect(self._paths())
            self._typed = ""
        self._enable()

    def _unselect(self, but: Sequence[Path]) -> None:
        """All in the list but these."""
        chosen = self.list.selectionModel()
        with QSignalBlocker(chosen):
            for index in chosen.selectedRows():
                if Path(str(index.data(QFileSystemModel.Roles.FilePathRole))) not in but:
                    chosen.select(index, ModelFlag.Deselect | ModelFlag.Rows)
        self.list.viewport().update()

    def _paths(self) -> list[Path]:
        """That are typed."""
        text = self.field.text()
        names = _QUOTED.findall(text) or [text] * bool(text.strip())
        shown = Path(self.dialog.directory().absolutePath())
        return [shown / Path(name).expanduser() for name in names]

    def _enable(self) -> None:
        if not self.button.isEnabled() and self._is_there():
            self.button.setEnabled(True)

    def _is_there(self) -> bool:
        """Whether all that is typed exists and is of the kind asked for."""
        paths, mode = self._paths(), self.dialog.fileMode()
        if not paths or mode == Mode.AnyFile or (len(paths) > 1 and mode != Mode.ExistingFiles):
            return False
        return all(path.is_dir() if mode == Mode.Directory else path.is_file() for path in paths)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.EnabledChange:
            self._enable()
        return super().eventFilter(watched, event)
