"""The Outputs page after a test run that left binary files: how their numbers are read, and the script that prints them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from marked_texts import LEFT
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.binary_files import binary_file
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.simulator.files.binary_outputs import printing_script, text_tells
from bayescope.gui.pages.simulator.page import SimulatorPage

NETCDF = binary_file(b"CDF\x01" + bytes(40), "out.nc")
PNG = binary_file(b"\x89PNG\r\n\x1a\n" + bytes(40), "plot.png")
assert NETCDF is not None
assert PNG is not None


def ran(page: SimulatorPage, engines: list[Any], stdout: str, *files: Any) -> None:
    page.panel.run()
    made = tuple(protocol.TrialFile(name=f.name, role="produced", size=44, binary=f) for f in files)
    report = protocol.TrialRunReport(outcome="ok", stdout=stdout, files=made, values={"k": 1.0}, exit_code=0)
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    QApplication.processEvents()


def said(page: SimulatorPage) -> str:
    message = page.outputs.message
    return f"{message.words()} {message.suggestion()}" if message.isVisibleTo(page) else ""


def test_a_binary_file_that_a_run_left_is_named_with_the_line_that_prints_it(page: SimulatorPage, engines: list[Any]) -> None:
    ran(page, engines, "done\n", NETCDF, PNG)
    message = page.outputs.message
    assert message.level == "warning"
    assert "“out.nc”, a netCDF file" in said(page)
    assert "“ncdump out.nc”" in said(page)
    assert [page.panel.files.data(page.panel.files.index(0, k)) for k in (0, 1)] == ["out.nc", "output, a netCDF file"]
    assert "ncdump out.nc" in page.panel.file_text.text()


def test_beside_numbers_that_were_printed_it_is_said_calmly_and_images_are_not_spoken_of(
    page: SimulatorPage, engines: list[Any]
) -> None:
    ran(page, engines, "chi2 = 1.5\n", NETCDF)
    assert page.outputs.message.level == "info"
    ran(page, engines, "done\n", PNG)
    assert "plot.png" not in said(page)


def test_where_printed_numbers_changed_what_is_said_of_binary_files_waits_behind_a_link(
    page: SimulatorPage, engines: list[Any], qtbot: QtBot
) -> None:
    folded = page.outputs.picker.hints.folded
    for start, value, stdout in ((page.panel.run, 1.0, "chi2 = 1.5\n"), (page.trial.check, 1.5, "chi2 = 1.7\n")):
        start()
        made = (protocol.TrialFile(name="out.nc", role="produced", size=44, binary=NETCDF),)
        report = protocol.TrialRunReport(outcome="ok", stdout=stdout, files=made, values={"k": value}, exit_code=0)
        engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
        QApplication.processEvents()
    assert said(page) == ""
    assert folded.isVisibleTo(page)
    assert folded.text() == "Of binary files (“out.nc”)…"
    qtbot.mouseClick(folded, LEFT)
    assert "“ncdump out.nc”" in said(page)
    assert not folded.isVisibleTo(page)


def test_numbers_of_several_printed_lines_count_where_no_other_run_tells() -> None:
    report = protocol.TrialRunReport(outcome="ok", stdout="E = 1.5\nV = 2.0\np = 3\n", values={"k": 1.0})
    assert text_tells(report, None)
    assert not text_tells(msgspec.structs.replace(report, stdout="solver 4.9\ndone\n"), None)
    assert not text_tells(report, report), "the same at other values: the result may be in the binary file"
    assert text_tells(report, msgspec.structs.replace(report, stdout="E = 1.5\nV = 2.1\np = 3\n"))


@pytest.mark.parametrize("size", [(1024, 700), (1500, 950)])
def test_what_is_said_of_a_binary_file_is_seen_without_scrolling(
    page: SimulatorPage, engines: list[Any], qtbot: QtBot, size: tuple[int, int]
) -> None:
    ran(page, engines, "done\n1 2 3\n", NETCDF, PNG)
    page.window().resize(*size)
    bar = page.outputs.picker.idle_area.verticalScrollBar()
    qtbot.waitUntil(lambda: not bar.isVisible() and bar.maximum() == 0, timeout=2000)
    assert page.outputs.message.isVisible()
    ran(page, engines, "done\n1 2 3\n")
    assert not page.outputs.message.isVisible()
    assert page.outputs.picker.below.more == 0, "the text has its room again"


def test_one_button_makes_the_script_that_is_the_program_from_then_on(
    page: SimulatorPage, engines: list[Any], controller: SessionController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran(page, engines, "done\n", NETCDF)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(tmp_path / "run.sh"), ""))
    QTest.mouseClick(page.outputs.message._button, LEFT)
    assert controller.problem.declared.simulator.command == (str(tmp_path / "run.sh"), "echo @k@")
    assert "run.sh" in said(page)
    lines = (tmp_path / "run.sh").read_text().splitlines()
    assert lines[-2:] == ['sh -c "$1" || exit 1', "ncdump out.nc"]
    page.outputs.trial.changed.emit()  # as when files settle
    assert "“run.sh” is the program now." in said(page), "it is said until the next test run"
    other = msgspec.structs.replace(controller.problem.declared.simulator, command=("another", "@k@"))
    controller.problem.edit("Another program", simulator=other)
    assert "run.sh" not in said(page)
    controller.problem.undo_stack.undo()
    ran(page, engines, "done\n", NETCDF)
    assert said(page) == "", "the script prints it"
    assert sys.platform == "win32" or os.access(tmp_path / "run.sh", os.X_OK)


@pytest.mark.skipif(sys.platform == "win32", reason="a script for a shell")
def test_the_script_runs_the_program_from_its_own_folder_with_its_arguments_and_stops_where_it_fails(tmp_path: Path) -> None:
    model, there = tmp_path / "my model.sh", tmp_path / "run"
    there.mkdir()
    model.write_text('echo "$1" > out.txt\nexit $2\n')
    compressed = binary_file(b"\x1f\x8b\x08" + bytes(40), "out.txt")
    assert compressed is not None
    file = msgspec.structs.replace(compressed, line="cat out.txt")
    for status, printed in (("0", "k=2.5@home\n"), ("3", "")):
        simulator = d.Simulator(command=("sh", "my model.sh", "k=@k@@@home", status))
        made = printing_script(simulator, tmp_path, [file])
        assert made is not None
        text, arguments = made
        assert arguments == ("k=@k@@@home",)
        (there / "x.sh").write_text(text)
        done = subprocess.run(["sh", "x.sh", "k=2.5@home"], cwd=there, capture_output=True, text=True, check=False)
        assert done.stdout == printed


def test_a_file_that_each_run_is_given_is_started_there_and_a_bundled_program_by_nothing(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("")
    own = d.Simulator(command=("python3", "model.py"), extra_files=(d.ExtraFile(path="model.py"),))
    made = printing_script(own, tmp_path, [NETCDF])
    assert made is not None
    assert "python3 model.py ||" in made[0]
    assert printing_script(d.Simulator(command=("bayescope:ricker",)), tmp_path, [NETCDF]) is None
    assert printing_script(own, tmp_path, [PNG]) is None
