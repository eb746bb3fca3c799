"""Clocks whose zones are named, UTC of the program and CET of the data: the shift is offered where rows find no partner."""

from __future__ import annotations

import pytest

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.extract import read_output
from bayescope.gui.models.data.keys.clock_shift import first_clock_shift, mends
from bayescope.gui.models.data.mismatches import mismatch
from bayescope.gui.models.data.rows.unfit import first_unfit
from bayescope.gui.pages.data.step import Pairing
from bayescope.gui.pages.data.steps import open_step


def problem(heading: str, printed: str, clock: str, day: str = "2024-05-01 ") -> tuple[d.Problem, protocol.TrialRunReport]:
    """A program that prints half hours from 6:00 on by ``clock``, and data an hour later, of which some lie among these."""
    outputs = tuple(
        d.Output(name=n, source="o.csv", extractor=d.CsvColumn(column=c), text=n == "clock")
        for n, c in (("clock", printed), ("T", "T"))
    )
    match = d.Match(output="T", column="T", key_output="clock", key_column=heading)
    found = d.Problem(
        name="x", parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),), outputs=outputs,
        simulator=d.Simulator(command=("sh", "@k@")), meaning=d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=0.1)),
        data=d.DataTable(
            columns={"T": (1.5, 2.5, 3.5)}, texts={heading: tuple(f"{day}{h}" for h in ("07:00", "07:30", "09:00"))}
        ),
    )  # fmt: skip
    text = f"{printed},T\n" + "".join(f"{day}{6 + h // 2:02}:{h % 2 * 30:02}{clock},{h + 1.0}\n" for h in range(6))
    read = []
    for output in outputs:
        one = read_output(output, text)
        read.append(protocol.TrialOutput(name=output.name, source="o.csv", values=one.values, texts=one.texts))
    files = (protocol.TrialFile(name="o.csv", role="produced", text=text),)
    return found, protocol.TrialRunReport(outcome="ok", outputs=tuple(read), files=files)


@pytest.mark.parametrize("day", ["2024-05-01 ", ""])
@pytest.mark.parametrize(
    ("heading", "printed", "lines", "button"),
    [
        ("Time (CET)", "time_UTC", (), "&Shift it by +1 h"),
        ("Time CET", "clock", (), "The program has UTC: &shift it by +1 h"),
        ("Zeit", "time_UTC", ("Alle Zeiten in MEZ",), "&Shift it by +1 h"),
    ],
)  # fmt: skip
def test_a_shift_that_makes_rows_find_their_partners_is_offered_with_the_zone_that_is_named(
    day: str, heading: str, printed: str, lines: tuple[str, ...], button: str
) -> None:
    declared, report = problem(heading, printed, "", day)
    unfit = first_unfit(declared, report)
    assert unfit is not None
    clock = first_clock_shift(declared, lines, ())
    assert clock is not None
    assert clock.button == button
    assert mends(declared, unfit[0], report, lines)
    beside = mismatch(declared, 0, report, (), lines)
    assert beside is not None
    assert beside.shift is not None
    assert (beside.shift.button, beside.shift.problem) == ("&Shift the key by +1 h", clock.problem), "the same is offered below"
    step = open_step(declared, [], unfit, pairing=Pairing(tried=1, clock=clock, clock_mends=True))
    assert step is not None
    assert (step.question, step.button, step.level) == (unfit[1], button, "error")
    assert ("MEZ" if lines else "CET") in step.hint
    assert step.mended is not None
    assert first_unfit(step.mended, report) is None


@pytest.mark.parametrize(("heading", "printed"), [("Time", "time"), ("Time (UTC)", "time_UTC"), ("Time (CET)", "time_CET")])
def test_nothing_is_shifted_where_no_zone_or_the_same_is_named(heading: str, printed: str) -> None:
    declared, report = problem(heading, printed, "")
    assert first_clock_shift(declared, (), ()) is None
    assert not mends(declared, 0, report, ())
    beside = mismatch(declared, 0, report)
    assert beside is not None
    assert beside.shift is not None
    assert beside.shift.button == "&Shift the key by +30 min", "that of the rows themselves, in words of a clock"


def test_a_shift_after_which_rows_have_no_partner_either_is_no_way_to_mend_it() -> None:
    declared, report = problem("Time (EST)", "time_UTC", "")
    assert first_clock_shift(declared, (), ()) is not None
    assert not mends(declared, 0, report, ())
