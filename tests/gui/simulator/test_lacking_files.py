"""Files beside the script that the run's folder lacks: named with a variable in the script, or by the error of a log."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from data_pages import click
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.simulator.files.loose_files import alike, lacking, loose_files
from bayescope.gui.models.simulator.files.varied_names import fits, varied_names
from bayescope.gui.pages.simulator.page import SimulatorPage
from bayescope.gui.pages.trial_message import _put_now

GRO = ["conf_12.7.gro", "conf_20.5.gro", "conf_7.6.gro"]
RUN = """#!/bin/bash
# three densities: sh run.sh
set -e
for rho in 20.5 12.7 7.6; do
    cat conf_$rho.gro >> grompp.log 2>&1
    cp conf_$rho.gro run_$rho.dat
    sort -o sorted_$rho.dat run_$rho.dat
    echo "density $rho 1.5"
done
"""


@pytest.fixture
def case(tmp_path: Path) -> Path:
    folder = tmp_path / "krypton"
    folder.mkdir()
    (folder / "run.sh").write_text(RUN)
    (folder / "run.sh").chmod(0o755)
    for name in (*GRO, "sorted_20.5.dat"):  # what an earlier run wrote lies there, too
        (folder / name).write_text("Ar/Kr\n 1.0 2.0\n")
    (folder / "conf_1.gro").write_bytes(b"\0\1")
    return folder / "run.sh"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("gmx -c conf_$rho.gro -o run_$rho.tpr", ("conf_*.gro",)),
        ('open("${x}.dat"); sprintf("mesh_%d.msh", i)', ("*.dat", "mesh_*.msh")),
        ("open(f'{case}_{i:03d}.in'); np.loadtxt('a%.1f.txt' % x)", ("*_*.in", "a*.txt")),
        ("cat in_$1.txt > out_$1.txt; cp %2.bat x", ("in_*.txt",)),
        ("cat ${DIR}/plain.dat plain.dat $0 @k@.txt", ()),
    ],
)
def test_names_with_a_variable_are_found_but_for_those_that_are_written(text: str, expected: tuple[str, ...]) -> None:
    assert varied_names(text) == expected


def test_any_word_stands_for_the_variable_but_none_does_not() -> None:
    assert fits("conf_*.gro", "conf_20.5.gro")
    assert not fits("conf_*.gro", "conf_.gro")
    assert not fits("conf_*.gro", "conf_1.grow")


def test_texts_beside_the_script_that_fit_such_a_name_are_loose_all_together(case: Path) -> None:
    simulator = d.Simulator(command=(str(case),))
    assert loose_files(simulator, case.parent) == GRO
    assert alike(simulator, case.parent, GRO[0]) == ("conf_*.gro", GRO)
    put = d.Simulator(command=(str(case),), extra_files=(d.ExtraFile(path=str(case.parent / GRO[1])),))
    assert alike(put, case.parent, GRO[0]) == ("conf_*.gro", [GRO[0], GRO[2]])


def test_a_file_that_an_error_names_is_lacking_with_those_of_its_kind(case: Path) -> None:
    simulator = d.Simulator(command=(str(case),))
    said = "File 'conf_20.5.gro' does not exist, run.sh, absent.dat"
    assert [p.name for p in lacking(simulator, case.parent, said)] == GRO
    assert lacking(d.Simulator(command=(str(case),), working_folder="/x"), case.parent, said) == []


def test_files_that_a_remark_names_one_by_one_are_one_kind_all_the_same(case: Path) -> None:
    case.write_text(RUN.replace("# three", f"# needs {', '.join(GRO)}\n# three"))
    assert alike(d.Simulator(command=(str(case),)), case.parent, GRO[1]) == ("conf_*.gro", GRO)


def test_what_was_put_there_is_said_and_what_else_is_named() -> None:
    said = _put_now(["case1.txt"], [], lambda: None)
    assert (said.words, said.suggestion, said.button) == (
        "“case1.txt” is put into each run's folder now.", "Run it again.", ""
    )  # fmt: skip
    more = _put_now(["case1.txt", "case2.txt"], ["z88.dyn"], lambda: None)
    assert more.words == "“case1.txt”, “case2.txt” are put into each run's folder now."
    assert more.suggestion == "Run it again. “z88.dyn” is named too: say on the tab Program whether the program reads it."
    assert more.button == "Say it"


@pytest.mark.window
def test_one_button_puts_all_of_them_into_each_run(
    qtbot: QtBot, show: Callable[..., None], real_controller: SessionController, case: Path
) -> None:
    page = SimulatorPage(real_controller)
    show(page, 1280, 720)
    real_controller.problem.edit("x", simulator=d.Simulator(command=(str(case),)))
    notice = page.program.loose
    assert notice.words() == (
        "Does the program read “conf_12.7.gro”, “conf_20.5.gro”, “conf_7.6.gro”? Each run begins in a fresh folder."
    )
    assert "names “conf_*.gro”" in notice.suggestion()
    click(qtbot, notice._button)
    assert [Path(f.path).name for f in real_controller.problem.declared.simulator.extra_files] == GRO
    assert notice.words() == ""


@pytest.mark.window
@pytest.mark.journeys
def test_a_run_that_failed_without_a_word_shows_the_log_and_puts_the_files_there(
    qtbot: QtBot, show: Callable[..., None], real_controller: SessionController, case: Path
) -> None:
    page = SimulatorPage(real_controller)
    show(page, 1280, 720)
    real_controller.problem.edit("x", simulator=d.Simulator(command=(str(case),)))
    panel = page.panel
    click(qtbot, panel.run_button)
    qtbot.waitUntil(lambda: page.trial.report is not None, timeout=20_000)
    assert "which means failure. It printed nothing. Its file “grompp.log” says: “cat: " in panel.message.words()
    assert "conf_20.5.gro" in panel.message.words()
    assert panel.message.suggestion().startswith("“conf_12.7.gro”, “conf_20.5.gro”, “conf_7.6.gro” lie in ")
    assert panel.message._dismiss.text() == "Show grompp.log"
    assert panel.message._words.width() > 0.7 * panel.message.width(), "the buttons stand below"
    click(qtbot, panel.message._dismiss)
    assert panel.tabs.currentWidget() is panel.files_tab
    assert "No such file" in panel.file_text.text()
    assert panel.message._button.text() == "Put them there"
    click(qtbot, panel.message._button)
    assert [Path(f.path).name for f in real_controller.problem.declared.simulator.extra_files] == GRO
    assert panel.message.words().endswith("are put into each run's folder now.")
    assert not panel.message._button.isVisible()
    click(qtbot, panel.run_button)
    qtbot.waitUntil(lambda: page.trial.report is not None and page.trial.report.outcome == "ok", timeout=20_000)
