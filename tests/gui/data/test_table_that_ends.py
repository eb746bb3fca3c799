"""A program's table that ends where its parameters say: rows measured near its end are asked about before anything runs."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from data_pages import PROBLEM

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.gui.models.data.rows.ending_table import ending_table
from bayescope.gui.models.data.taking_part import Idle
from bayescope.gui.pages.data.step import Pairing
from bayescope.gui.pages.data.steps import open_step

VOLTS = (1.2, 3.4, 5.1, 6.3, 7.2)


def report(end: float) -> protocol.TrialRunReport:
    volts = np.arange(0.0, end + 1e-9, 0.5)
    columns = {"V": volts, "I": 10.0 - volts}
    outputs = tuple(protocol.TrialOutput(name=n, source="res.txt", values=tuple(v.tolist())) for n, v in columns.items())
    return protocol.TrialRunReport(outcome="ok", outputs=outputs)


@pytest.fixture
def swept() -> d.Problem:
    read = tuple(
        d.Output(name=name, source="res.txt", extractor=d.CsvColumn(column=k, delimiter=" ")) for k, name in enumerate("VI")
    )
    match = d.Match(output="I", column="I1 (mA)", key_output="V", key_column="V1 (V)", interpolate=True)
    data = d.DataTable(columns={"V1 (V)": VOLTS, "I1 (mA)": tuple(10.0 - v for v in VOLTS)})
    return msgspec.structs.replace(PROBLEM, outputs=read, data=data, meaning=d.Predictions((match,), d.GaussianKnown(sd=0.1)))


def test_rows_beyond_the_shorter_of_two_tables_can_be_left_out_or_kept(swept: d.Problem) -> None:
    found = ending_table(swept, report(8.0), report(7.0))
    assert found is not None
    assert "ends at 8 in one test run and at 7 in another" in found.words
    assert found.problem is not None
    assert found.button == "&Leave 1 row out"
    meaning = found.problem.meaning
    assert isinstance(meaning, d.Predictions)
    assert meaning.matches[0].left_out == (5,)
    step = open_step(swept, [], None, Idle(), None, Pairing(ending=found))
    assert step is not None
    assert (step.question, step.mended, step.confirms) == (found.words, found.problem, found.words)


def test_rows_near_the_end_of_both_are_told_of_with_nothing_to_leave_out(swept: d.Problem) -> None:
    found = ending_table(swept, report(9.0), report(8.0))
    assert found is not None
    assert found.problem is None


@pytest.mark.parametrize("ends", [(8.0, 8.0), (12.0, 11.5)])
def test_tables_that_end_alike_or_far_beyond_what_was_measured_are_no_question(
    swept: d.Problem, ends: tuple[float, float]
) -> None:
    assert ending_table(swept, report(ends[0]), report(ends[1])) is None


def test_one_test_run_alone_tells_nothing(swept: d.Problem) -> None:
    assert ending_table(swept, report(8.0), None) is None
