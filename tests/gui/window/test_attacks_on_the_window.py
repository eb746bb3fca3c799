"""Every way in the window to run a stranger's program asks first; saving and exporting replace nothing unasked. Real engine."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from bayescope.engine.problem.definition import (
    LastNumber,
    LogLikelihoodOutput,
    Normal,
    Output,
    Parameter,
    Problem,
    Settings,
    Simulator,
)
from bayescope.engine.problem.files import dumps
from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis.recovery import recover
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.dialogs.trust_dialog import TrustDialog
from bayescope.gui.window.main_window import MainWindow

pytestmark = [pytest.mark.window, pytest.mark.attack("window")]


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """Exists once the stranger's program was run."""
    return tmp_path / "it ran"


@pytest.fixture
def problem(tmp_path: Path, trace: Path) -> Problem:
    (tmp_path / "model.py").write_text(f"import sys\nopen({str(trace)!r}, 'a').write('x')\nprint(-float(sys.argv[1]) ** 2)\n")
    return Problem(
        name="harmless",
        parameters=(Parameter(name="a", prior=Normal(mean=0.0, sd=1.0)),),
        simulator=Simulator(command=(sys.executable, "-I", "model.py", "@a@")),
        outputs=(Output(name="logl", source="stdout", extractor=LastNumber()),),
        meaning=LogLikelihoodOutput(output="logl"),
        settings=Settings(max_evaluations=3, workers=1),
    )


@pytest.fixture
def strangers(tmp_path: Path, problem: Problem, monkeypatch: pytest.MonkeyPatch, application_home: Path) -> Path:
    monkeypatch.setenv("BAYESCOPE_HOME", str(tmp_path / "strangers home"))
    path = tmp_path / "study.bayescope"
    SessionStore.create(path, problem, own=True).close()
    monkeypatch.setenv("BAYESCOPE_HOME", str(application_home))
    return path


@pytest.fixture
def window(open_window: Callable[..., tuple[MainWindow, Any, Any]]) -> MainWindow:
    window, _, _ = open_window(1280, 720)
    window.go("welcome")
    return window


class Questions:
    """Answers the dialogs that come up, and remembers what they showed."""

    def __init__(self, agree: bool, confined: bool | None = None) -> None:
        self.agree, self.confined = agree, confined
        self.shown: list[str] = []
        self._timer = QTimer(interval=20)
        self._timer.timeout.connect(self._look)

    def __enter__(self) -> Questions:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.stop()

    def _look(self) -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, TrustDialog):
            self.shown.append(dialog.view.toPlainText())
            if self.confined is not None:
                dialog.confine.setChecked(self.confined)
            dialog.done(QDialog.DialogCode.Accepted if self.agree else QDialog.DialogCode.Rejected)
        elif isinstance(dialog, QMessageBox):
            self.shown.append(dialog.text())
            button = QMessageBox.StandardButton.Yes if self.agree else QMessageBox.StandardButton.No
            dialog.button(button).click()


def test_run(c: SessionController) -> None:
    c.run.unrecorded.trial_run({"a": 1.0})


def noise_check(c: SessionController) -> None:
    c.run.unrecorded.check_noise({"a": 1.0}, 2)


def start(c: SessionController) -> None:
    c.run.start()


test_run.__test__ = False  # type: ignore[attr-defined]
WAYS: tuple[Callable[[SessionController], None], ...] = (test_run, noise_check, start)


def strangers_in(window: MainWindow, how: str, path: Path, problem: Problem) -> None:
    """Bring the stranger's problem into the window."""
    c = window.controller
    if how == "problem file":
        file = path.with_name("p.json")
        file.write_bytes(dumps(problem))
        assert c.file.open(file)
        return
    assert c.file.open(path)
    if how == "duplicate":
        assert c.file.duplicate()
    elif how == "saved as":
        assert c.file.save_as(path.with_name("mine now.bayescope"))
    elif how == "edited":
        settings = msgspec.structs.replace(problem.settings, max_evaluations=4)
        assert c.problem.edit("More", settings=settings)
        assert c.problem.edit("Format", simulator=msgspec.structs.replace(problem.simulator, keep_runs="all"))


@pytest.mark.parametrize("way", WAYS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("how", ["opened", "duplicate", "saved as", "edited", "problem file"])
def test_a_strangers_program_is_shown_and_not_run_without_agreeing(
    window: MainWindow, strangers: Path, problem: Problem, trace: Path, qtbot: QtBot, way: Any, how: str
) -> None:
    strangers_in(window, how, strangers, problem)
    with Questions(agree=False) as questions:
        way(window.controller)
        qtbot.wait(100)
    assert len(questions.shown) == 1
    assert "model.py" in questions.shown[0]
    assert not window.controller.run.active
    assert not window.controller.run.unrecorded.trial_running
    assert not window.controller.run.unrecorded.noise_running
    assert not trace.exists()


def test_a_strangers_runs_are_not_made_again_without_agreeing(
    window: MainWindow, strangers: Path, trace: Path, qtbot: QtBot
) -> None:
    assert window.controller.file.open(strangers)
    with Questions(agree=False) as questions:
        assert window.controller.run.unrecorded.replay(2)
        qtbot.wait(100)
    assert len(questions.shown) == 1
    assert "model.py" in questions.shown[0]
    assert not window.controller.run.unrecorded.replaying
    assert not trace.exists()


def test_after_agreeing_it_runs_and_is_not_asked_about_again(
    window: MainWindow, strangers: Path, trace: Path, qtbot: QtBot
) -> None:
    c = window.controller
    assert c.file.open(strangers)
    with Questions(agree=True, confined=False) as questions:
        with qtbot.waitSignal(c.run.unrecorded.trial_run_finished, timeout=30_000):
            c.run.unrecorded.trial_run({"a": 1.0})
        assert trace.read_text() == "x"
        with qtbot.waitSignal(c.run.ended, timeout=60_000):
            c.run.start()
    assert len(questions.shown) == 1
    assert trace.read_text() == "xxxxx", "three points, the first of them a second time"
    assert c.file.foreign
    assert not c.file.confined


def test_ones_own_program_runs_without_a_question_and_asks_after_it_was_changed(
    window: MainWindow, problem: Problem, tmp_path: Path, trace: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "mine.bayescope"
    SessionStore.create(path, problem, own=True).close()
    c = window.controller
    assert c.file.open(path)
    with Questions(agree=False) as questions:
        with qtbot.waitSignal(c.run.unrecorded.trial_run_finished, timeout=30_000):
            c.run.unrecorded.trial_run({"a": 1.0})
        assert questions.shown == []
        script = tmp_path / "model.py"
        script.write_text(script.read_text() + "# exchanged\n")
        with qtbot.waitSignal(c.run.unrecorded.trial_run_failed):
            c.run.unrecorded.trial_run({"a": 1.0})
    assert "+# exchanged" in questions.shown[0]
    assert trace.read_text() == "x"


@pytest.mark.parametrize("agree", [False, True])
def test_a_name_that_becomes_an_existing_one_by_its_ending_is_asked_about(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agree: bool
) -> None:
    there = tmp_path / "model.bayescope"
    there.write_text("mine")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(tmp_path / "model"), ""))
    with Questions(agree) as questions:
        chosen = ask.target(window, "Save", tmp_path / "x.bayescope", "", [".bayescope"])
    assert "model.bayescope" in questions.shown[0]
    assert chosen == (there if agree else None)


def test_what_is_written_beside_an_export_is_asked_about(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bayescope.gui.models.results.exports import exports

    samples = next(e for e in exports() if e.key == "samples")
    (tmp_path / "s.csv.provenance.json").write_text("mine")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(tmp_path / "s.csv"), ""))
    with Questions(agree=False) as questions:
        assert ask.target(window, "Save", tmp_path / "s.csv", "", [".csv"], samples.beside) is None
    assert "s.csv.provenance.json" in questions.shown[0]


def test_an_analysis_in_use_elsewhere_is_not_replaced_by_saving_as(
    window: MainWindow, problem: Problem, tmp_path: Path, qtbot: QtBot
) -> None:
    mine, theirs = tmp_path / "mine.bayescope", tmp_path / "theirs.bayescope"
    SessionStore.create(mine, problem, own=True).close()
    SessionStore.create(theirs, problem, own=True).close()
    assert window.controller.file.open(mine)
    inode = theirs.stat().st_ino
    with SessionStore.open(theirs), qtbot.waitSignal(window.controller.reports.reported) as heard:
        assert not window.controller.file.save_as(theirs)
    assert "in use" in heard.args[0].what
    assert theirs.stat().st_ino == inode


def test_no_figure_or_export_replaces_an_analysis(window: MainWindow, problem: Problem, tmp_path: Path) -> None:
    from PySide6.QtCore import QSize
    from PySide6.QtGui import QPainter

    from bayescope.engine.session.errors import SessionError
    from bayescope.gui.plots import export

    path = tmp_path / "mine.png"
    made = tmp_path / "mine.bayescope"
    SessionStore.create(made, problem, own=True).close()
    os.rename(made, path)
    before = path.read_bytes()

    def draw(painter: QPainter, size: QSize) -> None:
        painter.drawLine(0, 0, size.width(), size.height())

    with pytest.raises(SessionError, match="not replaced"):
        export.write(draw, QSize(100, 100), path, "white")
    assert path.read_bytes() == before


def test_a_damaged_analysis_is_recovered_as_what_it_was(window: MainWindow, strangers: Path, trace: Path, qtbot: QtBot) -> None:
    data = bytearray(strangers.read_bytes())
    data[100:108] = b"\xff" * 8
    strangers.write_bytes(data)
    c = window.controller
    with qtbot.waitSignal(c.reports.reported) as heard:
        assert not c.file.open(strangers)
    assert heard.args[0].action == "recover"
    window.close_reports()
    assert recover(c.file, strangers, strangers.with_name("recovered.bayescope"))
    with Questions(agree=False) as questions:
        c.run.unrecorded.trial_run({"a": 1.0})
    assert len(questions.shown) == 1
    assert not trace.exists()
