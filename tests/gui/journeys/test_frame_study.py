"""A frame's displacements and eigenfrequencies, from two laboratories' files to all twelve values compared, every action counted:
a word for a failed gauge, expanded uncertainties in a line, load cases, metres against millimetres, two signs, two languages."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import ended, export_samples

FRAME = Path(__file__).parent / "frame"
MOST = 12  # actions: none that has one sensible answer
MOST_TO_START = 47  # from the empty window
MEAN, SD = np.array([2.8310e7, 3.2669e7, 4045.5, 3.0624]), np.array([5.99e5, 4.12e5, 103.9, 0.0333])  # importance sampling
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


@pytest.mark.journeys
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


def mark_in(file: str, h: Hands) -> None:
    """The displacements of five nodes in both load cases, or the frequencies."""
    if file == "labor.eig":
        h.mark("FREQUENCY")
        h.click("Add output")
        return
    text = h.pane("LOAD CASE")
    h.mark("2.853807E-03", pane=text)
    for number in ("5.711644E-03", "1.069612E-02", "-6.944976E-04", "-4.251106E-06"):
        h.mark(number, pane=text, more=True)
    h.choose("this table", "all these tables")
    h.type("D1, D2, D3, D4, D5")


@pytest.mark.long
def test_a_frame_is_set_up_from_an_empty_window_to_its_posterior_in_few_actions(
    tmp_path: Path, empty_window: Callable[[int, int], MainWindow]
) -> None:
    study = Path(shutil.copytree(FRAME, tmp_path / "study"))
    window = empty_window(1280, 800)
    h = Hands(window)
    h.click("New analysis")
    h.type(f"{sys.executable} {study / 'rahmen'} {study / 'labor.inp'}")
    h.click("It has unknown numbers")
    h.mark("3.00E+07", after="ST       ", double=True)
    h.type("Ec")
    h.mark("3.00E+07", after="RI       ", double=True)
    h.type("Eb")
    h.mark("5000.", after="1   3   ", double=True)
    h.key("Return")  # k, as the comment above calls it
    h.wait_for("stands in 1 other place too")
    h.click("Mark this too")
    h.wait(lambda: window.controller.problem.declared.simulator.templates[0].text.count("@k@") == 2, 5)
    h.mark("2.50", after="9   1.20\n  11", double=True)
    h.type("M")
    h.picture(tmp_path / "inputs.png")
    assert [p.unit for p in window.controller.problem.declared.parameters] == ["kN/m2", "kN/m2", "kNm/rad", "t"]
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    h.wait_for("Numbers with a dotted line")
    first, then = ("labor.out", "labor.eig") if h.reads("labor.out") else ("labor.eig", "labor.out")  # whichever is in sight
    mark_in(first, h)
    h.choose(first, then)
    mark_in(then, h)
    h.picture(tmp_path / "outputs.png")
    h.click("Data")
    h.file("Open a data file", study / "Wege_2023-0418-B.csv")
    h.click("Count")
    h.click("Take it as errors")
    h.picture(tmp_path / "import.png")
    h.click("Use this table")
    h.click("Multiply all 3 by 1000")
    h.click("Multiply both by -1000")
    h.tab("Table")
    h.file("Open another file", study / "frecuencias_ensayo.csv")
    h.click("Add below the present table")
    h.click("Compare by name")
    h.picture(tmp_path / "compared.png")
    h.click("Parameters")
    h.cell("Prior", 0, double=True)
    for prior in ("30 ± 4 GPa", "30 ± 4 GPa", "log-uniform 500 to 50000", "0.5 to 6"):
        h.type(prior)
    h.picture(tmp_path / "priors.png")
    h.click("Run")
    h.click("Start")
    assert len(h.actions) <= MOST_TO_START, h.actions
    declared = window.controller.problem.declared
    assert isinstance(declared.meaning, d.Predictions)
    found = sorted((m.output, m.column, m.factor, bool(m.sd_column), len(m.keys)) for m in declared.meaning.matches)
    signs = (1e3, 1e3, 1e3, -1e3, -1e3)
    assert found == [
        *((f"D{i}", f"D{i} (mm)", sign, True, 0) for i, sign in enumerate(signs, 1)),
        ("FREQUENCY", "frecuencia (Hz)", 1.0, True, 1),
    ]  # fmt: skip
    h.wait(lambda: ended(h), 240)
    samples = export_samples(h, tmp_path)
    assert np.all(np.abs(samples.mean(axis=0) - MEAN) < 0.25 * SD)
    np.testing.assert_allclose(samples.std(axis=0), SD, rtol=0.15)
    h.tab("Residuals")
    h.wait_for("D5 (mm)")
    h.picture(tmp_path / "residuals.png")
    assert h.reads("D5 (mm): measured 2.120")
