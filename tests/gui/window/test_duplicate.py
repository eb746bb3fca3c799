"""A copy without runs: it names the same files as its original, wherever the window looks from."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.session.ledger import Ledger
from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.analysis.session_files import drafts_folder
from bayescope.gui.dialogs.file_questions import FileQuestions, ask
from bayescope.gui.dialogs.messages import ask_where_to_save

pytestmark = pytest.mark.window
PROGRAM = "import sys\nprint('chi2 =', float(open('mesh.dat').read()) * float(sys.argv[1]) ** 2)\n"


def problem(folder: str = "") -> d.Problem:
    """A script, an argument, a fixed file and a template, all named from ``folder``."""
    at = f"{folder}/" if folder else ""
    return d.Problem(
        name="Untitled analysis",
        parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(
            command=(sys.executable, f"{at}model.py", "@k@", "deck.txt"),
            templates=(d.TemplateFile(target="deck.txt", text="k @k@\n"),),
            extra_files=(d.ExtraFile(path=f"{at}mesh.dat"),),
        ),
        outputs=(d.Output(name="chi2", source="stdout", extractor=d.LabelledNumber(label="chi2")),),
        meaning=d.MinusTwoLogLikelihood(output="chi2"),
    )


@pytest.fixture
def user_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's home folder, for this test."""
    home = tmp_path / "home"
    (home / "work").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    return home


@pytest.fixture
def original(make_controller: Callable[[], SessionController], tmp_path: Path, user_home: Path) -> SessionController:
    """beam.bayescope beside its files; a home folder that holds files of the same names."""
    folder = tmp_path / "project"
    folder.mkdir()
    for place, text in ((folder, "1.0"), (user_home, "666")):
        (place / "mesh.dat").write_text(text)
        (place / "model.py").write_text(PROGRAM)
        (place / "deck.txt").write_text("k 0.5\n")
    controller = make_controller()
    assert controller.file.adopt(problem())
    assert controller.file.save_as(folder / "beam.bayescope")
    assert not controller.problem.findings(level="error")
    return controller


def test_a_copy_names_the_files_of_its_original_and_is_called_after_it(original: SessionController) -> None:
    folder = original.file.path.parent
    assert original.file.duplicate()
    copy = original.problem.declared.simulator
    assert copy.command == (sys.executable, str(folder / "model.py"), "@k@", "deck.txt")
    assert copy.extra_files[0].path == str(folder / "mesh.dat")
    assert original.file.title == "beam (copy)"
    assert not original.problem.findings(level="error")
    original.file.save()
    assert original.file.on_disk is not None
    assert not original.problem.findings(level="error"), "also when it has become a draft"


def test_the_dialog_that_saves_a_copy_begins_beside_its_original(
    original: SessionController, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, tmp_path: Path
) -> None:
    folder = original.file.path.parent
    seen: list[str] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (seen.append(a[2]), ("", ""))[1])
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *a, **k: (str(tmp_path / "elsewhere" / "x"), ""))
    (tmp_path / "elsewhere").mkdir()
    parent = QWidget()
    qtbot.addWidget(parent)
    ask.file(parent, "Choose the program", tmp_path)
    assert original.file.duplicate()
    ask_where_to_save(parent, original.file.title, original.file.place)
    original.file.save()  # now it is a draft
    ask_where_to_save(parent, original.file.title, original.file.place)
    assert seen == [str(folder / "beam-copy.bayescope")] * 2


@pytest.mark.parametrize("part", ["extra file", "working folder", "script"])
def test_a_file_of_the_same_name_in_the_home_folder_is_never_taken(
    make_controller: Callable[[], SessionController], original: SessionController, part: str
) -> None:
    """Relative names in an analysis that lies nowhere yet."""
    controller = make_controller()
    simulator = problem().simulator
    if part == "extra file":
        assert controller.file.adopt(problem())
        assert any("mesh.dat" in f.message for f in controller.problem.findings("simulator.extra_files", "error"))
    elif part == "working folder":
        import msgspec

        changed = msgspec.structs.replace(simulator, extra_files=(), working_folder="work")
        assert controller.file.adopt(msgspec.structs.replace(problem(), simulator=changed))
        assert controller.problem.findings("simulator.working_folder", "error")
    else:
        assert not (controller.file.folder / "model.py").exists()
    before = controller.file.folder
    controller.problem.edit("Rename", name="x")
    controller.file.save()
    assert controller.file.on_disk is not None
    assert controller.file.folder == before == drafts_folder(), "the same place before and after it is a draft"


def test_a_relative_name_is_right_as_soon_as_the_analysis_is_saved_beside_its_file(
    make_controller: Callable[[], SessionController], tmp_path: Path
) -> None:
    controller = make_controller()
    (tmp_path / "mesh.dat").write_text("1")
    (tmp_path / "model.py").write_text(PROGRAM)
    assert controller.file.adopt(problem())
    assert controller.problem.findings("simulator", "error")
    controller.file.save()
    assert controller.file.save_as(tmp_path / "mine")
    assert controller.problem.declared.simulator.extra_files[0].path == "mesh.dat"
    assert not controller.problem.findings("simulator", "error")


def test_pages_see_the_names_that_files_have_from_the_new_folder(original: SessionController, tmp_path: Path) -> None:
    seen: list[str] = []
    original.problem.changed.connect(lambda: seen.append(original.problem.declared.simulator.extra_files[0].path))
    (tmp_path / "new").mkdir()
    assert original.problem.edit("Rename", name="before")
    assert original.file.save_as(tmp_path / "new" / "other")
    assert seen[-1] == os.path.join("..", "project", "mesh.dat")
    assert not original.problem.undo_stack.may_undo(), "the step before names the files from the old folder"
    assert not original.problem.findings(level="error")


def test_what_belongs_to_an_analysis_is_saved_beside_it_first_and_then_where_the_user_went(
    tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = FileQuestions()
    seen: list[str] = []
    for name in ("session", "figures", "programs"):
        (tmp_path / name).mkdir()
    answer = {"at": tmp_path / "figures" / "one.png"}

    def save(parent: object, title: str, start: str, kinds: str) -> tuple[str, str]:
        seen.append(start)
        return str(answer["at"]), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", save)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *a, **k: (str(tmp_path / "programs" / "x"), ""))
    parent = QWidget()
    qtbot.addWidget(parent)
    asked.file(parent, "Choose the program", tmp_path)
    for _ in range(2):
        asked.target(parent, "Save figure", tmp_path / "session" / "pairs.png", "", [".png"])
    assert seen == [str(tmp_path / "session" / "pairs.png"), str(tmp_path / "figures" / "pairs.png")]


def test_a_copy_of_the_copy_reads_the_same_file(original: SessionController, tmp_path: Path) -> None:
    folder = original.file.path.parent
    assert original.file.duplicate()
    (tmp_path / "away").mkdir()
    assert original.file.save_as(tmp_path / "away" / "second")
    with SessionStore.open(tmp_path / "away" / "second.bayescope", mode="read") as store:
        assert store.problem.simulator.extra_files[0].path == str(folder / "mesh.dat")


def test_a_copy_runs_where_its_original_does_also_when_it_is_saved(original: SessionController, tmp_path: Path) -> None:
    original.run.places.choose("cluster")
    assert original.file.duplicate()
    assert original.run.places.where == "cluster"
    assert original.file.save_as(tmp_path / "second")
    assert original.run.places.where == "cluster"
    with SessionStore.open(tmp_path / "second.bayescope", mode="read") as store:
        assert Ledger(store).where == "cluster"
