"""A path that is typed into the file dialog is taken, however fast it was typed, whatever the dialog has read so far."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from bayescope.gui.dialogs.file_questions import FileQuestions

pytestmark = pytest.mark.window
LATER = 1500  # ms after which what Return did not close is given up
TABLES = "Tables (*.csv)"


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Far from where the dialogs begin, and so full that reading it takes a moment."""
    folder = tmp_path / "far" / "study"
    folder.mkdir(parents=True)
    for name in ("measured.csv", "measured.csv.old.csv", "notes.txt", *(f"run{k}.csv" for k in range(200))):
        (folder / name).write_text("1\n")
    (tmp_path / "begin").mkdir()
    return folder


def typed(words: str, ask: Callable[[], object]) -> tuple[object, str]:
    """What ``ask`` answers when ``words`` are typed at once into a dialog whose window is not the active one, and Return is
    pressed; what stood in the field if that did not close the dialog."""
    left: list[str] = []

    def give_up(dialog: QFileDialog, field: QLineEdit) -> None:
        said = QApplication.activeModalWidget()
        if isinstance(said, QMessageBox):
            said.reject()
        left.append(field.text())
        dialog.reject()

    def act() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QFileDialog)
        field = dialog.findChild(QLineEdit, "fileNameEdit")
        assert isinstance(field, QLineEdit)
        field.clearFocus()
        field.selectAll()
        QTimer.singleShot(LATER, dialog, lambda: give_up(dialog, field))
        QTest.keyClicks(field, words)
        QTest.keyClick(field, Qt.Key.Key_Return)

    QTimer.singleShot(50, act)
    return ask(), "".join(left)


@pytest.mark.parametrize("name", ["measured.csv", "measured.csv.old.csv", "notes.txt"], ids=["listed", "longer", "not listed"])
def test_a_file_typed_fast_is_opened(parent: QWidget, study: Path, tmp_path: Path, name: str) -> None:
    path = study / name
    assert typed(str(path), lambda: FileQuestions().file(parent, "Open", tmp_path / "begin", TABLES)) == (path, "")
    assert typed(name, lambda: FileQuestions().file(parent, "Open", study, TABLES)) == (path, "")


def test_files_typed_fast_are_opened(parent: QWidget, study: Path, tmp_path: Path) -> None:
    paths = [study / "run1.csv", study / "run2.csv"]
    words = " ".join(f'"{path}"' for path in paths)
    assert typed(words, lambda: FileQuestions().files(parent, "Open", tmp_path / "begin", TABLES)) == (paths, "")


def test_a_folder_typed_fast_is_taken(parent: QWidget, study: Path, tmp_path: Path) -> None:
    assert typed(str(study), lambda: FileQuestions().folder(parent, "Folder", tmp_path / "begin")) == (study, "")


def test_a_new_name_typed_fast_is_saved_under(parent: QWidget, study: Path, tmp_path: Path) -> None:
    new = study / "new.csv"

    def ask() -> Path | None:
        return FileQuestions().target(parent, "Save", tmp_path / "begin" / "proposed.csv", TABLES, (".csv",))

    assert typed(str(new), ask) == (new, "")


def test_a_name_that_is_not_there_opens_nothing(parent: QWidget, study: Path) -> None:
    answer, left = typed(str(study / "measured.cs"), lambda: FileQuestions().file(parent, "Open", study, TABLES))
    assert (answer, left) == (None, str(study / "measured.cs"))
