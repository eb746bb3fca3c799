"""A run in a terminal does not start where rows taken in order are those of other places than the program's."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bayescope.engine.app.cli import main
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.order_places import against_order, unproved_orders
from bayescope.engine.problem.files import dumps
from bayescope.engine.session.settled import Settled, note
from bayescope.engine.session.store import SessionStore

PROGRAM = """import sys
k = float(sys.argv[1])
with open("out.csv", "w") as f:
    f.write("time,T\\n")
    for t in ({places}):
        f.write(f"{{t}},{{20 + k * t}}\\n")
"""
MEASURED = (1.0, 2.0, 3.0, 4.0)


def problem(folder: Path, places: tuple[float, ...], column: str = "time (s)") -> d.Problem:
    script = folder / "sim.py"
    script.write_text(PROGRAM.format(places=", ".join(map(str, places))))
    return d.Problem(
        name="cooling", parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=2.0)),),
        simulator=d.Simulator(command=(sys.executable, str(script), "@k@")),
        outputs=(d.Output(name="T", source="out.csv", extractor=d.CsvColumn(column="T")),),
        meaning=d.Predictions(matches=(d.Match(output="T", column="T"),), noise=d.GaussianKnown(sd=0.1)),
        data=d.DataTable(columns={column: MEASURED, "T": (21.0, 22.0, 23.0, 24.0)}),
        settings=d.Settings(max_evaluations=4, workers=1),
    )  # fmt: skip


@pytest.fixture
def session(tmp_path: Path) -> Callable[..., Path]:
    def make(places: tuple[float, ...], column: str = "time (s)") -> Path:
        path, where = tmp_path / "p.json", tmp_path / "s.bayescope"
        path.write_bytes(dumps(problem(tmp_path, places, column)))
        assert main(["new", "--trust", str(path), str(where)]) == 0
        return where

    return make


def runs(path: Path) -> int:
    with SessionStore.open(path, mode="read") as store:
        return store.evaluation_count


def test_nothing_is_run_where_the_program_prints_other_places(
    session: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = session((0.5, 1.5, 2.5, 3.5))
    assert main(["run", "--trust", str(path)]) != 0
    told = capsys.readouterr()
    said = told.out + told.err
    assert "The order of the rows contradicts “time (s)”: row 1, where it is 1, is compared with the value beside which" in said
    assert "--in-order" in said
    assert runs(path) == 0


def test_it_runs_where_the_places_are_the_same_or_the_order_is_said_to_be_right(
    session: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = session(MEASURED)
    main(["run", "--trust", "--evaluations", "2", str(path)])
    assert "A test run first" in capsys.readouterr().out
    assert runs(path) >= 2


def test_the_order_can_be_said_to_be_right(session: Callable[..., Path]) -> None:
    path = session((0.5, 1.5, 2.5, 3.5))
    main(["run", "--trust", "--in-order", "--evaluations", "2", str(path)])
    assert runs(path) >= 2


def test_what_was_said_in_the_window_counts(session: Callable[..., Path]) -> None:
    path = session((0.5, 1.5, 2.5, 3.5))
    with SessionStore.open(path, mode="write") as store:
        (one,) = unproved_orders(store.problem)
        note(store, Settled(kept=frozenset({f"{one.against}: row 1, where it is 1, is compared with …"})))
    main(["run", "--trust", "--evaluations", "2", str(path)])
    assert runs(path) >= 2


def test_the_same_places_in_another_unit_are_no_contradiction(tmp_path: Path) -> None:
    one = problem(tmp_path, MEASURED, "time (min)")
    (unproved,) = unproved_orders(one)

    def reading(places: list[float]) -> str:
        def read(output: d.Output) -> NDArray[np.float64]:
            return np.array(places if getattr(output.extractor, "column", 0) == 0 else [1.0] * 4)

        return against_order(one, unproved, read)

    assert reading([60.0, 120.0, 180.0, 240.0]) == ""
    assert reading([1.0, 2.0, 3.0, 4.0]) == ""
    assert "contradicts “time (min)”" in reading([60.0, 120.0, 180.0, 250.0])
    assert reading([4.0, 2.0, 5.0, 1.0]) == "", "these are no places"
