"""`bayescope import` and a run without new simulator runs, with the bundled example and real simulator runs."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from archived_runs import curve_problem, curve_runs

from bayescope.engine.app.cli import main
from bayescope.engine.likelihood.evaluate import log_likelihood
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.session.store import SessionStore
from consents import run_once


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("BAYESCOPE_HOME", str(tmp_path_factory.mktemp("home")))


@pytest.fixture
def session(tmp_path):
    path = tmp_path / "c.bayescope"
    assert main(["example", "contamination", str(path)]) == 0
    return path


@pytest.fixture
def table(session, tmp_path):
    """A few real runs in the plausible box."""
    with SessionStore.open(session, mode="read") as store:
        problem = store.problem
    space = ParameterSpace(problem.parameters)
    low, high = space.plausible_box()
    rng = np.random.default_rng(0)
    path = tmp_path / "old.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*space.names, "chi2"])
        for i in range(12):
            values = space.values(rng.uniform(low, high))
            result = run_once(
                problem.simulator,
                problem.outputs,
                values,
                folder=tmp_path / f"r{i}",
                base=tmp_path,
                seed=i,
                time_limit=None,
                cancel=None,
            )
            value, _ = log_likelihood(problem, result.outputs, values)
            writer.writerow([*(repr(values[n]) for n in space.names), repr(-2 * value)])
    return path


@pytest.mark.loops
def test_a_table_is_imported_and_becomes_a_posterior_without_a_run(session, table, capsys):
    assert main(["import", str(session), str(table)]) == 0
    assert "gives the archived value again" in capsys.readouterr().out
    assert main(["run", str(session), "--evaluations", "0"]) == 0
    assert "no simulator run was made" in capsys.readouterr().out
    with SessionStore.open(session, mode="read") as store:
        assert store.problem.settings.method == "svbmc"
        assert store.evaluation_count == 0
        assert store.archive().points.shape == (12, 4)
        assert store.last_iteration().n_evaluations == 0


def test_swapped_columns_that_the_bounds_allow_are_found_by_a_run(session, table, capsys):
    swapped = ["--column", "x0=ts", "--column", "ts=x0"]
    assert main(["import", str(session), str(table), *swapped, "--meaning", "minus_two_log_likelihood"]) == 1
    said = capsys.readouterr()
    assert "disagrees with the simulator" in said.err or "are they swapped" in said.err
    with SessionStore.open(session, mode="read") as store:
        assert store.archive() is None


def test_a_decimal_comma_is_declared_where_the_table_can_be_read_in_two_ways(session, table, tmp_path, capsys):
    lines = table.read_text().splitlines()
    rounded = [[f"{float(cell):.6g}" for cell in line.split(",")[:-1]] for line in lines[1:]]
    path = tmp_path / "comma.csv"
    path.write_text("\n".join([lines[0].replace(",", ";"), *(";".join([*row, f"{k + 1},500"]) for k, row in enumerate(rounded))]))
    assert main(["import", str(session), str(path), "--dry-run"]) == 1
    assert "in two ways because of its comma" in capsys.readouterr().err
    path.write_text(path.read_text().replace(".", ","))
    assert main(["import", str(session), str(path), "--dry-run", "--decimal-comma", "yes"]) == 0
    assert "12 of 12 rows" in capsys.readouterr().out


def test_more_is_added_to_what_was_imported_and_nothing_twice(session, table, tmp_path, capsys):
    lines = table.read_text().splitlines(keepends=True)
    first = tmp_path / "first.csv"
    first.write_text("".join(lines[:9]))
    assert main(["import", str(session), str(first), "--no-check"]) == 0
    assert main(["import", str(session), str(table), "--no-check", "--add"]) == 0
    assert "4 of 12 rows of old.csv are new; 8 are there already." in capsys.readouterr().out
    assert main(["import", str(session), str(table), "--no-check", "--add"]) == 0
    with SessionStore.open(session, mode="read") as store:
        assert len(store.archive().values) == 12
        assert store.newest_part == 2


def test_nonsense_is_a_sentence_and_exit_status_1(session, tmp_path, capsys):
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    assert main(["import", str(session), str(tmp_path / "x.csv")]) == 1
    assert main(["import", str(session), str(tmp_path / "missing.csv")]) == 1
    assert main(["import", str(session), str(tmp_path / "x.csv"), "--column", "x0"]) == 1
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert "The table has: a, b" in said


@pytest.fixture
def curves(tmp_path):
    """A session whose program prints a curve, and a table of earlier ones in which names do not tell which columns they are."""
    path, table = tmp_path / "curve.bayescope", tmp_path / "old.csv"
    SessionStore.create(path, curve_problem(), own=True).close()
    header = ",".join(("a", "k", *(f"signal[{i}]" for i in range(12))))
    np.savetxt(table, curve_runs(60), delimiter=",", header=header, comments="")
    return path, table


def test_columns_of_outputs_are_named_on_the_command_line_and_one_row_is_checked_by_the_program(curves, capsys):
    path, table = curves
    assert main(["import", str(path), str(table)]) == 1
    assert "If it holds outputs: --output y=COLUMN" in capsys.readouterr().err
    assert main(["import", str(path), str(table), "--output", "y=signal"]) == 0
    said = capsys.readouterr().out
    assert "output:  y = signal[0] to signal[11] (12 columns)" in said
    assert "gives the archived value again" in said
    with SessionStore.open(path, mode="read") as store:
        assert store.evaluation_count == 60
        assert store.archive() is None


def test_more_runs_are_added_to_those_that_were_imported_with_their_outputs(curves, capsys):
    path, table = curves
    assert main(["import", str(path), str(table), "--add", "--output", "y=signal"]) == 1
    assert "only where the analysis started from such runs" in capsys.readouterr().err
    assert main(["import", str(path), str(table), "--output", "y=signal", "--no-check"]) == 0
    with table.open("a") as file:
        np.savetxt(file, curve_runs(5, 1), delimiter=",")
    assert main(["import", str(path), str(table), "--add", "--output", "y=signal", "--no-check"]) == 0
    assert "5 of 65 rows of old.csv are new; 60 are there already." in capsys.readouterr().out
    with SessionStore.open(path, mode="read") as store:
        assert (store.evaluation_count, len(store.arrived_runs())) == (60, 5)


def test_a_table_in_other_units_is_refused_by_the_check_and_nothing_is_stored(curves, capsys):
    path, table = curves
    rows = np.loadtxt(table, delimiter=",", skiprows=1)
    rows[:, 2:] *= 1.05
    np.savetxt(table, rows, delimiter=",", header=table.read_text().splitlines()[0], comments="")
    assert main(["import", str(path), str(table), "--output", "y=signal"]) == 1
    assert "nothing was imported" in capsys.readouterr().err
    with SessionStore.open(path, mode="read") as store:
        assert not store.has_started


@pytest.mark.loops
def test_imported_outputs_are_answered_from_and_new_runs_go_on_from_there(curves, capsys):
    path, table = curves
    assert main(["import", str(path), str(table), "--output", "y=signal"]) == 0
    assert main(["run", str(path), "--runs", "0"]) == 0
    assert "The program's outputs are learnt" in capsys.readouterr().out
    assert main(["run", str(path), "--runs", "110"]) == 0
    assert "Converged after" in capsys.readouterr().out
