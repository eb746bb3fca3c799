"""Programs nobody here wrote, described exactly as a user would: ngspice, GNU Octave, nec2c (the NEC2 antenna code)."""

from __future__ import annotations

import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bayescope.engine.likelihood.evaluate import log_likelihood
from bayescope.engine.problem.bundled import examples_folder
from bayescope.engine.problem.definition import (
    CsvColumn,
    ExtraFile,
    FailurePattern,
    FailureRules,
    LabelledNumber,
    LastNumber,
    MarkerOffset,
    NumberFormat,
    Output,
    RegexGroup,
    RowsAfter,
    Simulator,
    TableBlock,
    TemplateFile,
)
from bayescope.engine.problem.files import load


def needs(program: str, package: str) -> Any:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"needs {program}: apt-get install -y {package}")


ngspice = needs("ngspice", "ngspice")
octave = needs("octave", "octave")
nec2c = needs("nec2c", "nec2c")


def filter_gain_db(frequency: np.ndarray, r: float, l: float, c: float, load: float = 1000.0) -> np.ndarray:
    """|v(out)| in dB of the example's circuit, from the impedances."""
    s = 2j * np.pi * frequency
    shunt = 1.0 / (s * c + 1.0 / load)
    return 20.0 * np.log10(np.abs(shunt / (r + s * l + shunt)))


@ngspice
def test_ngspice_simulates_the_filter_example(run: Any) -> None:
    problem = load(examples_folder() / "ngspice_filter" / "problem.json")
    values = {"R": 47.5, "L": 0.022, "C": 3.3e-8}
    result = run(problem.simulator, problem.outputs, values)
    assert result.outcome == "ok", result.reason
    exact = filter_gain_db(result.outputs["frequency"], 47.5, 0.022, 3.3e-8)
    assert np.allclose(result.outputs["gain"], exact, atol=1e-4)


@ngspice
def test_the_filter_examples_data_prefer_the_true_components(run: Any) -> None:
    problem = load(examples_folder() / "ngspice_filter" / "problem.json")
    found = []
    for values in ({"R": 100.0, "L": 0.01, "C": 1e-7}, {"R": 150.0, "L": 0.01, "C": 1e-7}, {"R": 100.0, "L": 0.012, "C": 1e-7}):
        result = run(problem.simulator, problem.outputs, values)
        found.append(log_likelihood(problem, result.outputs, values)[0])
    assert found[0] > max(found[1:]) + 5.0
    assert found[0] == pytest.approx(-31 * math.log(0.3 * math.sqrt(2 * math.pi)) - 31 / 2, abs=12.0)


@ngspice
def test_ngspice_ending_well_after_an_error_is_caught_by_a_failure_rule(run: Any) -> None:
    deck = "* bad\nV1 a 0 1\nR1 a 0 @r@ nonsense(\nX9 a b missing_subcircuit\n.control\nop\nprint v(a)\nquit 0\n.endc\n.end\n"
    rules = FailureRules(exit_code=False, patterns=(FailurePattern(source="stderr", pattern="Error"),))
    simulator = Simulator(
        command=("ngspice", "-b", "run1.cir"), templates=(TemplateFile(target="run1.cir", text=deck),), failures=rules
    )
    spec = (Output(name="v", source="stdout", extractor=LabelledNumber(label="v(a) =")),)
    result = run(simulator, spec, {"r": 1.0})
    assert result.outcome == "failed"
    assert "Error" in result.reason or "could not be read" in result.reason


OCTAVE = """
arguments = argv ();
rate = str2double (arguments{1});
source = str2double (arguments{2});
[t, y] = ode45 (@(t, y) -rate * y + source, [0 1 2 3], 1, odeset ("RelTol", 1e-8, "AbsTol", 1e-10));
printf ("integration finished after %d points\\n", numel (t));
printf ("  time      level\\n");
printf ("%6.2f %12.8f\\n", [t y]');
printf ("last level: %.10e\\n", y(end));
"""


@octave
def test_octave_runs_a_script_with_arguments(run: Any, tmp_path: Path) -> None:
    (tmp_path / "my decay.m").write_text(OCTAVE, encoding="utf-8")
    simulator = Simulator(command=("octave", "--no-gui", "--norc", "--quiet", "my decay.m", "@rate@", "@source@"))
    spec = (
        Output(name="time", source="stdout", extractor=TableBlock(columns=(1,), start="time"), length=4),
        Output(name="level", source="stdout", extractor=TableBlock(columns=(2,), start="time"), length=4),
        Output(name="last", source="stdout", extractor=LabelledNumber(label="last level:")),
        Output(name="points", source="stdout", extractor=RegexGroup(pattern=r"after (\d+) points")),
    )
    result = run(simulator, spec, {"rate": 1.3, "source": 0.4})
    assert result.outcome == "ok", result.reason
    t = result.outputs["time"]
    exact = 0.4 / 1.3 + (1 - 0.4 / 1.3) * np.exp(-1.3 * t)
    assert np.allclose(result.outputs["level"], exact, atol=1e-6)
    assert result.outputs["last"][0] == pytest.approx(exact[-1], abs=1e-6)
    assert result.outputs["points"].tolist() == [4.0]


@octave
def test_octave_reads_an_expression_and_standard_input(run: Any) -> None:
    inline = Simulator(command=("octave", "--no-gui", "--norc", "--quiet", "--eval", "printf ('%.17g', @a@ ^ 2)"))
    assert run(inline, values={"a": 0.1}).outputs["y"][0] == pytest.approx(0.01, rel=1e-15)
    piped = Simulator(command=("octave", "--no-gui", "--norc", "--quiet"), stdin="x = @a@;\n\nprintf ('%.17g\\n', x)\n")
    assert run(piped, values={"a": 0.1}).outputs["y"].tolist() == [0.1]


@octave
def test_an_error_inside_octave_is_reported_in_its_own_words(run: Any) -> None:
    result = run(Simulator(command=("octave", "--no-gui", "--norc", "--eval", "undefined_thing (1)")))
    assert result.outcome == "failed"
    assert "undefined" in result.reason


DIPOLE = """CM dipole, length and wire radius unknown
CE
GW 1 11 0.0 0.0 0.0 0.0 0.0 @length@ @radius@
GE 0
EX 0 1 6 0 1.0 0.0
FR 0 5 0 0 280.0 5.0
XQ
EN
"""


@nec2c
def test_nec2c_reads_a_fixed_width_deck_and_its_repeated_tables_are_read_back(run: Any) -> None:
    form = NumberFormat(style="exponent", digits=4, width=11, max_width=11)
    simulator = Simulator(
        command=("nec2c", "-i", "dipole.nec", "-o", "dipole.out"),
        templates=(TemplateFile(target="dipole.nec", text=DIPOLE),),
        formats={"length": form, "radius": form},
    )
    heading = "ANTENNA INPUT PARAMETERS"
    rows = [RowsAfter(marker=heading, lines=3, column=column, count=5) for column in (7, 8)]
    spec = (
        Output(name="resistance", source="dipole.out", extractor=rows[0], length=5),
        Output(name="reactance", source="dipole.out", extractor=rows[1], length=5),
        Output(name="frequency", source="dipole.out", extractor=RowsAfter(marker="FREQUENCY :", lines=0, column=1, count=5)),
        Output(name="first", source="dipole.out", extractor=MarkerOffset(marker=heading, lines=3, column=7)),
        Output(name="last", source="dipole.out", extractor=MarkerOffset(marker=heading, lines=3, column=7, occurrence=-1)),
    )
    result = run(simulator, spec, {"length": 0.5, "radius": 0.001})
    assert result.outcome == "ok", result.reason
    assert result.outputs["frequency"].tolist() == [280.0, 285.0, 290.0, 295.0, 300.0]
    resistance, reactance = result.outputs["resistance"], result.outputs["reactance"]
    assert result.outputs["first"][0] == resistance[0]
    assert result.outputs["last"][0] == resistance[-1]
    # a thin half-wave dipole resonates a little below the frequency of twice its length, near 73 ohm
    assert np.all(np.diff(reactance) > 0)
    assert reactance[0] < 0 < reactance[-1]
    at_resonance = np.interp(0.0, reactance, resistance)
    assert 65.0 < at_resonance < 80.0
    longer = run(simulator, spec, {"length": 0.52, "radius": 0.001})
    assert np.all(longer.outputs["reactance"] > reactance)


@nec2c
def test_nec2c_with_an_impossible_wire_fails_with_a_reason(run: Any) -> None:
    simulator = Simulator(
        command=("nec2c", "-i", "dipole.nec", "-o", "dipole.out"), templates=(TemplateFile(target="dipole.nec", text=DIPOLE),)
    )
    spec = (Output(name="z", source="dipole.out", extractor=RowsAfter(marker="ANTENNA INPUT PARAMETERS", lines=3, column=7)),)
    result = run(simulator, spec, {"length": 0.5, "radius": -1.0})
    assert (result.outcome, len(result.reason) > 20) == ("failed", True) or np.all(np.isfinite(result.outputs["z"]))


def test_predator_and_prey_follow_the_equations(run: Any) -> None:
    from scipy.integrate import solve_ivp

    problem = load(examples_folder() / "predator_prey" / "problem.json")
    values = {"alpha": 0.55, "beta": 0.028, "gamma": 0.8, "delta": 0.024, "hare0": 33.0, "lynx0": 6.0}
    noise = {"sigma_hare": 0.25, "sigma_lynx": 0.3}
    result = run(problem.simulator, problem.outputs, values | noise)
    assert result.outcome == "ok", result.reason
    solved = solve_ivp(
        lambda t, u: (0.55 * u[0] - 0.028 * u[0] * u[1], -0.8 * u[1] + 0.024 * u[0] * u[1]),
        (0, 20), (33.0, 6.0), t_eval=np.arange(21), rtol=1e-10, atol=1e-10,
    )  # fmt: skip
    assert np.allclose(result.outputs["hare"], solved.y[0], rtol=1e-5)
    assert np.allclose(result.outputs["lynx"], solved.y[1], rtol=1e-5)
    expected = 0.0
    assert problem.data is not None
    for i, (name, sd) in enumerate((("hare", 0.25), ("lynx", 0.3))):
        data = np.array(problem.data.columns[name], dtype=float)
        z = (np.log(data) - np.log(solved.y[i])) / sd
        expected += float(np.sum(-0.5 * z**2 - np.log(data * sd * np.sqrt(2 * np.pi))))
    assert log_likelihood(problem, result.outputs, values | noise)[0] == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("name", ["ngspice_filter", "predator_prey", "contamination"])
def test_the_bundled_problems_have_no_errors(name: str) -> None:
    from bayescope.engine.problem.checks.validate import check

    folder = examples_folder() / name
    assert [f for f in check(load(folder / "problem.json"), folder) if f.level == "error"] == []


def test_a_table_copied_in_is_not_taken_for_a_result(run: Any, tmp_path: Path) -> None:
    (tmp_path / "results.csv").write_text("t,y\n0,1\n")
    simulator = Simulator(command=("echo", "done"), extra_files=(ExtraFile(path="results.csv"),))
    result = run(simulator, (Output(name="y", source="results.csv", extractor=CsvColumn(column="y")),))
    assert "old one" in result.reason
    assert run(simulator, (Output(name="y", source="stdout", extractor=LastNumber()),)).outcome == "failed"
