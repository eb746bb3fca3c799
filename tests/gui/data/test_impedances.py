"""A spectrum of impedances: a table with two heading lines and a column of point numbers against EC-Lab's table of parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, matches, opened
from PySide6.QtWidgets import QApplication

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import sd_columns
from bayescope.engine.problem.data.names.complex_parts import part_of
from bayescope.engine.problem.data.names.percent_names import parts_of
from bayescope.engine.problem.extract import read_output
from bayescope.engine.problem.marks import Mark
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.keys.between_keys import between_keys
from bayescope.gui.models.data.units.complex_doubts import other_part
from bayescope.gui.models.data.units.other_units import OtherUnit
from bayescope.gui.models.simulator.outputs.picked_headings import picked_each
from bayescope.gui.pages.data.page import DataPage

ROWS = [
    (1e4, 5.07, -0.249), (6826.27, 5.11, -0.389), (4659.80, 5.19, -0.562), (3180.90, 5.33, -0.772), (2171.37, 5.56, -1.003),
    (1482.24, 5.90, -1.211), (1011.81, 6.33, -1.332), (690.691, 6.79, -1.318), (471.484, 7.19, -1.188), (321.848, 7.48, -1.011),
    (219.702, 7.67, -0.850), (149.975, 7.79, -0.742), (102.377, 7.87, -0.702), (69.8855, 7.95, -0.731), (47.7054, 8.0, -0.862),
]  # fmt: skip
PRINTED = (
    "EXPLAIN\nTAG\tEISPOT\nZCURVE\tTABLE\n\tPt\tTime\tFreq\tZreal\tZimag\n\t#\ts\tHz\tohm.cm2\tohm.cm2\n"
    + "".join(f"\t{k}\t{2.5 * (k + 1):.1f}\t{f:.6E}\t{a:.6E}\t{b:.6E}\n" for k, (f, a, b) in enumerate(ROWS))
)  # fmt: skip
MEASURED = (
    "EC-Lab ASCII EXPORT (edited)\nCell : HC17\nu in PERCENT OF THE READING beside it (1 sigma)\nWHOLE CELL, not per area\n\n"
    "freq/Hz\tRe(Z)/mOhm\tu_Re/%\t-Im(Z)/mOhm\tu_Im/%\tflag\n"
    + "".join(f"{f:.4g}\t{24.0 * a:.3f}\t0.6\t{-26.0 * b:.3f}\t1.5\t\n" for f, a, b in ROWS[:1:-1])
)  # fmt: skip


def marked(*names: str, called: tuple[str, ...] = ()) -> tuple[d.Output, ...]:
    """The columns of the program's table by clicks on their headings."""
    mark = Mark(PRINTED, 0, 0, "res.DTA")
    spans = [(at := PRINTED.index(n), at + len(n)) for n in names]
    found = picked_each(lambda a, b: mark.at(a, b), PRINTED, "res.DTA", spans, ()).found
    titles = called or tuple(f.name for f in found)
    return tuple(
        d.Output(name=n, source="res.DTA", extractor=f.proposal.extractor, unit=f.unit if not called else "")
        for n, f in zip(titles, found, strict=True)
    )


@pytest.fixture
def problem() -> d.Problem:
    meaning = d.Predictions(matches=(), noise=d.GaussianKnown())
    return msgspec.structs.replace(PROBLEM, outputs=marked("Freq", "Zreal", "Zimag"), meaning=meaning)


def test_a_click_in_either_heading_line_below_a_tab_takes_the_column_by_its_name() -> None:
    assert [(o.name, o.unit) for o in marked("Freq", "Zreal", "Zimag")] == [
        ("Freq", "Hz"), ("Zreal", "ohm.cm2"), ("Zimag", "ohm.cm2"),
    ]  # fmt: skip
    for word in ("Zreal", "ohm.cm2"):
        mark = Mark(PRINTED, at := PRINTED.index(word) + 2, at, "res.DTA")
        assert (mark.first(), mark.offers("column")[0].names) == ("column", ("Zreal",))


def test_parts_are_compared_by_name_with_their_errors_in_percent_and_the_sign_is_asked(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "eis.txt", MEASURED)
    page.importer.use.click()
    assert page.message.words() == "Are Re(Z)/mOhm and -Im(Z)/mOhm compared with the outputs named alike?"
    click_next(page)
    pairs = [(m.output, m.column, m.key_output, m.key_column, m.sd_column) for m in matches(controller)]
    assert pairs == [
        ("Zreal", "Re(Z)/mOhm", "Freq", "freq/Hz", "u_Re/%"), ("Zimag", "-Im(Z)/mOhm", "Freq", "freq/Hz", "u_Im/%"),
    ]  # fmt: skip
    assert parts_of("u_Re/%", "Re(Z)/mOhm"), "in per cent of the readings"
    assert page.message.words() == "“Zimag” has the opposite sign to what was measured."
    click_next(page)
    assert [m.factor for m in matches(controller)] == [1.0, -1.0]


def click_next(page: DataPage) -> None:
    page.message._button.click()
    QApplication.processEvents()


def with_factor(factor: float, report: TrialRunReport | None) -> OtherUnit | None:
    """What is asked of the sign of Zimag at this factor."""
    measured = d.DataTable(columns={"-Im(Z)/mOhm": tuple(-b for _, _, b in ROWS)})
    matched = d.Match(output="Zimag", column="-Im(Z)/mOhm", factor=factor)
    meaning = d.Predictions(matches=(matched,), noise=d.GaussianKnown(sd=0.01))
    return other_part(msgspec.structs.replace(PROBLEM, outputs=marked("Zimag"), data=measured, meaning=meaning), 0, report)


def test_a_minus_in_a_name_asks_for_the_sign_unless_a_test_run_has_it_already() -> None:
    asked = with_factor(1.0, None)
    assert asked is not None
    assert asked.only_sign
    assert with_factor(-1.0, None) is None
    turned = protocol.TrialOutput(name="Zimag", source="res.DTA", values=tuple(-b for _, _, b in ROWS))
    assert with_factor(1.0, TrialRunReport(outcome="ok", outputs=(turned,))) is None, "the program prints minus the part, too"


@pytest.mark.parametrize(
    ("name", "part"),
    [("Zreal", ("z", "real")), ("-Im(Z)/mOhm", ("z", "imaginary")), ("Zimag", ("z", "imaginary")), ("unreal", None)],
)
def test_a_part_is_told_where_its_word_is_joined_or_a_minus_stands_before(name: str, part: tuple[str, str] | None) -> None:
    assert part_of(name) == part


@pytest.mark.parametrize("columns", [["x", "u_x", "Re"], ["Re(Z)/mOhm", "u_Re/m/s"]])
def test_a_velocity_is_no_error(columns: list[str]) -> None:
    assert columns[1] not in sd_columns(columns)


def ran(page: DataPage, engines: list[Any]) -> None:
    read = []
    for output in page.problem.declared.outputs:
        found = read_output(output, PRINTED)
        read.append(protocol.TrialOutput(name=output.name, source=output.source, values=found.values, texts=found.texts))
    files = (protocol.TrialFile(name="res.DTA", role="produced", text=PRINTED),)
    report = protocol.TrialRunReport(outcome="ok", outputs=tuple(read), files=files)
    page.trial.run()
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    QApplication.processEvents()


def nameless(controller: SessionController) -> None:
    """Outputs that were called by what tells nothing, without units."""
    outputs = tuple(
        msgspec.structs.replace(o, name=n, unit="") for o, n in zip(marked("Freq", "Zreal", "Zimag"), "abc", strict=True)
    )
    controller.problem.edit("Rename", outputs=outputs)


def test_places_printed_with_other_decimals_are_a_key_and_never_point_numbers(
    page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    nameless(controller)
    opened(page, tmp_path / "eis.txt", MEASURED)
    page.importer.use.click()
    ran(page, engines)
    found = page.matching.proposed.found
    assert found is not None
    assert [line.output for line in found.lines] == ["b", "c"], "“a” holds the frequencies"


def test_point_numbers_are_no_key_of_frequencies_that_a_column_beside_them_holds(
    page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    nameless(controller)
    opened(page, tmp_path / "eis.txt", MEASURED.replace("9.998e+03", "1e4"))
    page.importer.use.click()
    meaning = d.Predictions(
        matches=(d.Match(output="a", column="Re(Z)/mOhm"), d.Match(output="b", column="-Im(Z)/mOhm")), noise=d.GaussianKnown()
    )
    controller.problem.edit("Compare", meaning=meaning)
    ran(page, engines)
    ways = between_keys(controller.problem.declared, 1, page.trial.report)
    assert all(not way.out and way.places[0] == 1e4 for way in ways), "not over 0, 1, 2 … 14"
