"""A frame's displacements and eigenfrequencies, from two laboratories' files to all twelve values compared, every action counted:
a word for a failed gauge, expanded uncertainties in a line, load cases, metres against millimetres, two signs, two languages."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.window.main_window import MainWindow
from hands import Hands

FRAME = Path(__file__).parent / "frame"
MOST = 12  # actions: none that has one sensible answer
NAMES = tuple(f"D{i}_LF{k}" for k in (1, 2) for i in range(1, 6))
pytestmark = [pytest.mark.window, pytest.mark.timeout(300)]


def study() -> d.Problem:
    outputs = tuple(d.Output(name=n, source="res.txt", extractor=d.LabelledNumber(label=f"{n} ="), length=1) for n in NAMES)
    modes = d.Output(name="FREQUENCY", source="res.txt", extractor=d.RowsAfter(marker="FREQUENCY"))
    template = d.TemplateFile(target="frame.in", text="stiffness = @k@\n")
    return d.Problem(
        name="frame",
        parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.5, high=2.0)),),
        simulator=d.Simulator(command=(sys.executable, str(FRAME / "frame.py"), "frame.in"), templates=(template,)),
        outputs=(*outputs, modes),
        meaning=d.Predictions(matches=(), noise=d.GaussianKnown()),
    )


@pytest.mark.usefixtures("nothing_left_behind")
def test_two_files_of_a_laboratory_are_compared_with_few_actions(
    tmp_path: Path, empty_window: Callable[[int, int], MainWindow]
) -> None:
    window = empty_window(1280, 800)
    controller = window.controller
    assert controller.file.adopt(study())
    h = Hands(window)
    h.click("Simulator")
    h.click("Test run")
    h.wait_for("11 outputs read", 60)
    before = len(h.actions)
    h.click("Data")
    h.file("Open a data file", FRAME / "Wege_2023-0418-B.csv")
    h.click("Count them as missing")
    h.click("Take it as errors")
    h.picture(tmp_path / "import.png")
    h.click("Use this table")
    h.picture(tmp_path / "table.png")
    h.file("Open another file…", FRAME / "frecuencias_ensayo.csv")
    h.picture(tmp_path / "second.png")
    h.click("Add below the present table")
    h.picture(tmp_path / "both.png")
    h.click("Compare by name")
    h.picture(tmp_path / "named.png")
    h.click("Multiply all 6 by 1000")
    h.picture(tmp_path / "units.png")
    h.click("Multiply all 3 by -1000")
    h.picture(tmp_path / "signs.png")
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    data = controller.problem.declared.data
    assert data is not None
    assert sum(sum(v is not None for v in data.columns[m.column]) for m in meaning.matches) == 12
    assert {m.output: m.factor for m in meaning.matches} == {
        n: -1e3 if n[1] in "45" else 1e3 for n in NAMES if n != "D5_LF1"
    } | {"FREQUENCY": 1.0}
    assert all(m.sd_column for m in meaning.matches)
    assert len(h.actions) - before <= MOST, h.actions[before:]
