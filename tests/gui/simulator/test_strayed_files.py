"""Files that a run did not leave where they are looked for: beside the script, in another folder, only opened by hand."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from data_pages import PROBLEM, click
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.interpreters import first_line_runs
from bayescope.engine.protocol import TrialBeside, TrialFile, TrialRunReport
from bayescope.engine.simulator.beside_script import MOST_READ
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.plain import elided
from bayescope.gui.models.simulator.files.strayed_files import relative_name, strayed
from bayescope.gui.pages.simulator.page import SimulatorPage

pytestmark = pytest.mark.window
MESH = d.TemplateFile(target="deck.txt", text="E @E@")
T = "postProcessing/thermocouples/0/T"


def output(source: str, name: str = "T_A") -> d.Output:
    return d.Output(name=name, source=source, extractor=d.CsvColumn(column=2, delimiter=" "))


def test_what_was_written_beside_the_script_is_named_with_the_line_that_changes_the_folder() -> None:
    beside = TrialBeside(folder="/case", names=("log", T), script="Allrun", line='cd "$(dirname "$0")"', number=2)
    report = TrialRunReport(outcome="ok", beside=beside)
    found = strayed(PROBLEM, report)
    assert found is not None
    assert found.words == f"It wrote beside the script, not in the run's folder: log, {T}."
    assert 'Line 2 of Allrun changes the folder (cd "$(dirname "$0")"): take it out' in found.hint
    line = "os.chdir(os.path.dirname(os.path.abspath(__file__)))  # my own folder"
    whole = strayed(PROBLEM, msgspec.structs.replace(report, beside=msgspec.structs.replace(beside, line=line)))
    assert whole is not None
    assert f"({line})" in whole.hint
    own = (TrialFile(name="T", role="produced", text="1"),)
    assert strayed(PROBLEM, msgspec.structs.replace(report, files=own)) is None


def test_a_file_of_the_same_name_in_another_folder_of_the_run_is_offered() -> None:
    problem = msgspec.structs.replace(PROBLEM, outputs=(output("T"), output("T", "T_B"), output("stdout", "n")))
    report = TrialRunReport(outcome="failed", files=(TrialFile(name=T, role="produced", text="0 1 2"),))
    found = strayed(problem, report)
    assert found is not None
    assert found.mended is not None
    assert [o.source for o in found.mended.outputs] == [T, T, "stdout"]
    two = (*report.files, TrialFile(name="other/T", role="produced", text="0 1 2"))
    assert strayed(problem, msgspec.structs.replace(report, files=two)) is None, "which of the two, only the user knows"


def test_paths_keep_their_ends_and_are_named_from_the_first_folder_they_lie_in(tmp_path: Path) -> None:
    assert elided(T, 20) == "postPr…mocouples/0/T"
    assert elided("short", 20) == "short"
    assert relative_name(tmp_path / T, (None, tmp_path / "no", tmp_path)) == T
    assert relative_name(tmp_path / T, ()) == "T"


def test_a_file_opened_from_the_program_s_folder_keeps_its_path_and_counts_only_when_a_run_has_written_it(
    qtbot: QtBot, show: Callable[..., None], real_controller: SessionController, tmp_path: Path
) -> None:
    page = SimulatorPage(real_controller)
    show(page, 1280, 720)
    script = tmp_path / "case" / "Allrun"
    (script.parent / T).parent.mkdir(parents=True)
    (script.parent / T).write_text("0 300 310\n1 301 311\n")
    script.write_text(f"#!/bin/sh\nmkdir -p {Path(T).parent}\necho 1 301 311 > {T}\n")
    script.chmod(0o755)
    real_controller.problem.edit("x", simulator=d.Simulator(command=(str(script),)))
    picker = page.outputs.picker
    picker.open_file(script.parent / T)
    assert picker.source.key() == T
    meaning = d.Predictions(matches=(), noise=d.GaussianKnown())
    real_controller.problem.edit("x", outputs=(output(T),), meaning=meaning)
    assert page.status() == ("todo", "No run has written T_A yet: press Test run")
    click(qtbot, page.panel.run_button)
    qtbot.waitUntil(lambda: page.trial.report is not None, timeout=20_000)
    assert page.trial.unread() == []
    assert page.status() == ("done", "1 output read")


def test_a_script_that_changes_to_its_own_folder_is_run_as_a_copy_in_each_run_s_folder() -> None:
    simulator = d.Simulator(command=("python3", "/case/run.py", "-v"))
    problem = msgspec.structs.replace(PROBLEM, simulator=simulator)
    beside = TrialBeside(folder="/case", names=("log",), script="run.py", line="os.chdir(here)", number=8)
    report = TrialRunReport(outcome="ok", beside=beside)
    found = strayed(problem, report)
    assert found is not None
    assert found.button == "Run a copy of the script in each run's folder"
    assert "Line 8 of run.py changes the folder (os.chdir(here))" in found.hint
    assert found.mended is not None
    assert found.mended.simulator.command == ("python3", "run.py", "-v")
    assert [Path(f.path).as_posix() for f in found.mended.simulator.extra_files] == ["/case/run.py"]
    elsewhere = msgspec.structs.replace(report, beside=msgspec.structs.replace(beside, line='os.chdir("/case")'))
    assert strayed(problem, elsewhere).mended is None, "a copy would go there too"  # type: ignore[union-attr]
    itself = msgspec.structs.replace(problem, simulator=msgspec.structs.replace(simulator, command=("/case/run.py",)))
    assert strayed(itself, report).mended is None, "the program is found where it lies"  # type: ignore[union-attr]


def test_a_script_that_is_the_program_itself_is_run_as_a_copy_by_what_its_first_line_names() -> None:
    problem = msgspec.structs.replace(PROBLEM, simulator=d.Simulator(command=("/case/run.sh", "-v"), templates=(MESH,)))
    beside = TrialBeside(
        folder="/case", names=("log",), script="run.sh", line='cd "$(dirname "$0")"', number=3,
        started_by=("/bin/sh",), read=("mesh.txt", "parts/a.txt", MESH.target),
    )  # fmt: skip
    found = strayed(problem, TrialRunReport(outcome="ok", beside=beside))
    assert found is not None
    assert found.mended is not None
    assert found.mended.simulator.command == ("/bin/sh", "run.sh", "-v")
    there = [(Path(f.path).as_posix(), f.target) for f in found.mended.simulator.extra_files]
    assert there == [("/case/run.sh", ""), ("/case/mesh.txt", ""), ("/case/parts/a.txt", "parts/a.txt")]
    assert "with the 3 files beside it" in found.hint
    binary = msgspec.structs.replace(beside, started_by=())
    assert strayed(problem, TrialRunReport(outcome="ok", beside=binary)).mended is None  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("#!/bin/sh", ("/bin/sh",)),
        ("#! /usr/bin/env python3", ("python3",)),
        ("#!/usr/bin/env -S python3 -u", ("python3", "-u")),
        ("#!/usr/bin/perl -w\r", ("/usr/bin/perl", "-w")),
        ("echo 1", ()),
        ("#!", ()),
    ],
)
def test_the_first_line_of_a_script_says_what_runs_it(tmp_path: Path, line: str, words: tuple[str, ...]) -> None:
    (script := tmp_path / "run").write_bytes(line.encode() + b"\necho 2\n")
    assert first_line_runs(script) == words
    assert first_line_runs(tmp_path / "none") == ()


def test_one_click_lets_a_script_that_is_the_program_run_in_each_run_s_folder_with_what_it_reads(
    qtbot: QtBot, show: Callable[..., None], real_controller: SessionController, tmp_path: Path
) -> None:
    page = SimulatorPage(real_controller)
    show(page, 1280, 720)
    (case := tmp_path / "case").mkdir()
    (script := case / "run.sh").write_text('#!/bin/sh\ncd "$(dirname "$0")" || exit 1\ncat soil.txt > out.txt\n')
    script.chmod(0o755)
    (case / "soil.txt").write_text("3\n")
    real_controller.problem.edit("Program", simulator=d.Simulator(command=(str(script),)), outputs=(), parameters=())
    real_controller.file.ask_consent = lambda *_: True
    message = page.panel.message
    click(qtbot, page.panel.run_button)
    qtbot.waitUntil(lambda: "beside the script" in message.words(), timeout=20_000)
    assert message._button.text() == "Run copies in each run's folder"
    click(qtbot, message._button)
    assert real_controller.problem.declared.simulator.command == ("/bin/sh", "run.sh")
    click(qtbot, page.panel.run_button)
    qtbot.waitUntil(lambda: produced(page) == ["out.txt"], timeout=20_000)


def test_one_click_runs_the_copy_and_what_it_reads_is_offered_next(
    qtbot: QtBot, show: Callable[..., None], real_controller: SessionController, tmp_path: Path
) -> None:
    page = SimulatorPage(real_controller)
    show(page, 1280, 720)
    (case := tmp_path / "case").mkdir()
    (script := case / "run.py").write_text(
        "import os\nos.chdir(os.path.dirname(os.path.abspath(__file__)))\n"
        "open('out.txt', 'w').write('T 1 2 ' + open('soil.txt').read())\n"
    )
    (case / "soil.txt").write_text("3\n")
    for i in range(MOST_READ):  # too many to be put into every run
        (case / f"{i}.log").write_text("")
    simulator = d.Simulator(command=(sys.executable, "-I", "-S", str(script)))
    real_controller.problem.edit("Program", simulator=simulator, outputs=(), parameters=())
    real_controller.file.ask_consent = lambda *_: True
    message = page.panel.message
    click(qtbot, page.panel.run_button)
    qtbot.waitUntil(lambda: "beside the script" in message.words(), timeout=20_000)
    click(qtbot, message._button)
    assert real_controller.problem.declared.simulator.command[-1] == "run.py"
    click(qtbot, page.panel.run_button)
    qtbot.waitUntil(lambda: "soil.txt" in message.suggestion(), timeout=20_000)
    assert message._button.text().replace("&", "") == "Put it there"
    click(qtbot, message._button)
    click(qtbot, page.panel.run_button)
    qtbot.waitUntil(lambda: produced(page) == ["out.txt"], timeout=20_000)


def produced(page: SimulatorPage) -> list[str]:
    """Names of the files that the newest test run left in its folder."""
    return [f.name for f in page.trial.report.files if f.role == "produced"] if page.trial.report is not None else []
