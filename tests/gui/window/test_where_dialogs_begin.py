"""Dialogs that look for files of an analysis begin where the last one was found, else beside its program; saves beside it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.dialogs import file_questions
from bayescope.gui.dialogs.file_questions import FileQuestions, Looked
from bayescope.gui.window.main_window import MainWindow

pytestmark = pytest.mark.window


@pytest.fixture
def places(tmp_path: Path) -> dict[str, Path]:
    found = {name: tmp_path / name for name in ("home", "documents", "study", "measured", "figures")}
    for place in found.values():
        place.mkdir()
    (found["study"] / "model.py").write_text("print('chi2 = 1.5')\n")
    (found["measured"] / "m.csv").write_text("u\n1\n2\n")
    return found


@pytest.fixture
def begun(places: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders in which dialogs begin; each is answered with the table of measured data, or a figure."""
    seen: list[Path] = []

    def one(parent: object, title: str, begin: str, *rest: object) -> tuple[str, str]:
        seen.append(Path(begin))
        return "", ""

    def some(parent: object, title: str, begin: str, *rest: object) -> tuple[list[str], str]:
        seen.append(Path(begin))
        return [str(places["measured"] / "m.csv")], ""

    def saved(parent: object, title: str, begin: str, *rest: object) -> tuple[str, str]:
        seen.append(Path(begin).parent)
        return str(places["figures"] / "pairs.png"), ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", one)
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", some)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", saved)
    monkeypatch.setattr(file_questions.ask, "looked", Looked())
    return seen


@pytest.fixture
def window(
    make_controller: Callable, put_away: Callable[[list[MainWindow]], None], places: dict[str, Path], begun: list[Path]
) -> Iterator[MainWindow]:
    made = [MainWindow(make_controller())]
    made[0].show()
    c = made[0].controller
    assert c.problem.edit("Rename", name="x")
    assert c.file.save_as(places["documents"] / "x.bayescope")
    program = d.Simulator(command=(sys.executable, str(places["study"] / "model.py")))
    assert c.problem.edit("Program", simulator=program)
    made[0]._refresh()
    yield made[0]
    made[0].close_reports()
    put_away(made)


def test_every_dialog_that_looks_for_a_file_begins_beside_the_program_and_then_where_one_was_found(
    window: MainWindow, places: dict[str, Path], begun: list[Path], qtbot: QtBot
) -> None:
    window.go("simulator")
    page = window.page("simulator")
    page.program._browse()  # type: ignore[union-attr]
    page.inputs.templates.ask_for_file()  # type: ignore[union-attr]
    page.outputs.picker._open()  # type: ignore[union-attr]
    assert begun == [places["study"]] * 3
    file_questions.ask.files(window, "Measured data", window.controller.file.place)
    page.inputs.templates.ask_for_file()  # type: ignore[union-attr]
    assert begun[3:] == [places["study"], places["measured"]]


def test_another_analysis_is_not_looked_for_where_files_of_the_one_before_lay(
    window: MainWindow, places: dict[str, Path], begun: list[Path]
) -> None:
    ask, c = file_questions.ask, window.controller
    ask.files(window, "Measured data", c.file.place)
    assert c.file.save()
    assert c.file.new()
    ask.file(window, "Choose the program", c.file.place)
    assert c.file.open(places["documents"] / "x.bayescope")
    ask.file(window, "Choose the program", c.file.place)
    assert begun[0] == places["study"]
    assert begun[1] != places["measured"]
    assert begun[2] == places["study"]


def test_a_figure_saved_elsewhere_and_an_analysis_opened_elsewhere_do_not_say_where_files_of_this_one_are(
    places: dict[str, Path], begun: list[Path]
) -> None:
    ask = FileQuestions()
    ask.looked.program = places["study"]
    ask.target(None, "Save figure", places["documents"] / "pairs.png", "", [".png"])  # type: ignore[arg-type]
    ask.analyses(None, "Analyses", places["documents"], "", several=True)  # type: ignore[arg-type]
    ask.file(None, "Input file", places["documents"])  # type: ignore[arg-type]
    ask.analyses(None, "Open an analysis", places["documents"], "")  # type: ignore[arg-type]
    assert begun == [places["documents"], places["documents"], places["study"], places["measured"]]
