"""The bundled example program against the exact solution, and its manners as a program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest
from scipy import integrate

from bayescope.engine.problem.definition import Problem
from bayescope.resources.examples.contamination import contamination_source as program

FOLDER = Path(program.__file__).parent


def series(x0: float, ts: float, q0: float, rho: float) -> np.ndarray:
    """(5, 2) wall readings by the cosine series of the insulated channel."""
    out = np.zeros((5, 2))
    for k in range(80):
        shape = lambda x, k=k: q0 * np.exp(-((x - x0) ** 2) / (2 * rho**2)) * np.cos(k * np.pi * x)  # noqa: E731
        c = integrate.quad(shape, 0, 1, points=[x0], limit=300)[0] * (2.0 if k else 1.0)
        rate = (k * np.pi) ** 2
        for i, t in enumerate(program.READING_TIMES):
            stop = min(t, ts)
            a = (np.exp(-rate * (t - stop)) - np.exp(-rate * t)) / rate if k else stop
            out[i] += [c * a, c * a * (-1) ** k]
    return out


@pytest.mark.parametrize(("x0", "ts", "q0", "rho"), [(0.23, 0.3, 6.366, 0.05), (0.7, 0.11, 3.0, 0.3), (0.9, 0.333, 1.0, 0.1)])
def test_the_program_agrees_with_the_exact_series_to_a_thousandth(x0: float, ts: float, q0: float, rho: float) -> None:
    solved = np.array(program.solve(x0, ts, q0, rho))[:, 1:]
    exact = series(x0, ts, q0, rho)
    assert np.abs(solved - exact).max() < 1e-3 * np.abs(exact).max()


def test_a_source_much_narrower_than_a_cell_keeps_its_mass() -> None:
    total = np.array(program.solve(0.4, 0.05, 1.0 / 1e-4, 1e-4))[-1, 1:].mean()
    assert total == pytest.approx(np.sqrt(2 * np.pi) * 0.05, rel=0.02)


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-S", str(FOLDER / "contamination_source.py"), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=30)


def test_it_reads_its_input_file_and_writes_a_table_without_any_package(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("# comment\nx0 0.23\nts 0.3\nq0 6.366\nrho 0.05\n")
    assert run("in.txt", "out.txt", folder=tmp_path).returncode == 0
    table = np.genfromtxt(tmp_path / "out.txt", names=True)
    assert table.dtype.names == ("time", "left", "right")
    assert np.allclose(table["left"], [r[1] for r in program.solve(0.23, 0.3, 6.366, 0.05)])


@pytest.mark.parametrize("text", ["", "x0 1\n", "x0 0.1\nts 0.1\nq0 nan\nrho 0.1\n", "x0 a\nts 1\nq0 1\nrho 1\n"])
def test_bad_input_is_a_sentence_and_a_failing_exit_status(tmp_path: Path, text: str) -> None:
    (tmp_path / "in.txt").write_text(text)
    result = run("in.txt", "out.txt", folder=tmp_path)
    assert result.returncode == 1
    assert "contamination_source:" in result.stderr
    assert "Traceback" not in result.stderr


def test_the_problem_file_holds_the_kept_readings() -> None:
    problem = msgspec.json.decode((FOLDER / "problem.json").read_bytes(), type=Problem)
    assert problem.data is not None
    kept = np.genfromtxt(FOLDER / "sensor_readings.csv", delimiter=",", names=True)
    assert np.allclose(problem.data.columns["left"], kept["left"])
    assert np.allclose(problem.data.columns["right"], kept["right"])
    assert [p.name for p in problem.parameters] == ["x0", "ts", "q0", "rho"]
