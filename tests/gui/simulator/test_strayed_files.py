"""Files that a run did not leave where they are looked for: beside the script, in another folder, only opened by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from data_pages import PROBLEM, click
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.protocol import TrialBeside, TrialFile, TrialRunReport
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.plain import elided
from bayescope.gui.models.simulator.files.strayed_files import relative_name, strayed
from bayescope.gui.pages.simulator.page import SimulatorPage

pytestmark = pytest.mark.window
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
