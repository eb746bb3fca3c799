"""Depths below the sea in km against heights above the sea floor in m: the factor that units tell, its sign, and a constant."""

from __future__ import annotations

import msgspec
import pytest
from data_pages import PROBLEM, column

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.extract import read_output
from bayescope.engine.protocol import TrialFile, TrialOutput, TrialRunReport
from bayescope.gui.models.data.keys.known_keys import KnownKeys
from bayescope.gui.models.data.meanings import first_predictions
from bayescope.gui.models.data.new_comparison import likely_column, likely_pair
from bayescope.gui.models.data.taking_part import Idle
from bayescope.gui.models.data.units.other_units import OtherUnit, first_by_headings, first_far_off

DEPTH = "basement depth below sea level [km]"
MEASURED = (4.694, 4.862, 5.006, 5.287, 5.427, 5.293, 5.044, 4.896)
PRINTED = (-70.0, -230.0, -380.0, -705.0, -860.0, -720.0, -410.0, -270.0)  # m, by the test run


def of(name: str, column_name: str, measured: tuple[float, ...], factor: float = 1.0, sd: float = 0.05) -> d.Problem:
    match = d.Match(output=name, column=column_name, factor=factor)
    return msgspec.structs.replace(
        PROBLEM, outputs=(column(name, 0),), data=d.DataTable(columns={column_name: measured}),
        meaning=d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=sd)),
    )  # fmt: skip


def doubt(problem: d.Problem, printed: tuple[float, ...] = PRINTED) -> OtherUnit | None:
    text = "".join(f"{value}\n" for value in printed)
    read = tuple(TrialOutput(name=o.name, source=o.source, values=read_output(o, text).values) for o in problem.outputs)
    report = TrialRunReport(outcome="ok", outputs=read, files=(TrialFile(name="res.txt", role="produced", text=text),))
    found = first_by_headings(problem, report) or first_far_off(problem, report)
    return None if found is None else found[1]


def mended(found: OtherUnit) -> tuple[float, float]:
    assert isinstance(found.problem.meaning, d.Predictions)
    return found.problem.meaning.matches[0].factor, found.problem.meaning.matches[0].offset


def test_the_factor_between_the_units_of_both_names_is_proposed_with_its_sign_and_a_constant() -> None:
    found = doubt(of("basement_m", DEPTH, MEASURED))
    assert found is not None
    assert mended(found) == (-0.001, pytest.approx(4.6, abs=0.05))
    assert "is called as if it were in m" in found.words
    assert "with the opposite sign, but a constant lies between the two" in found.words
    assert "type the exact one as its factor, -0.001 + 4.6" in found.hint
    assert found.button.replace("&", "").startswith("Multiply basement_m by -0.001, add 4.6")


def test_a_constant_that_was_forgotten_beside_the_right_factor_is_asked_about() -> None:
    found = doubt(of("basement_m", DEPTH, MEASURED, factor=-0.001))
    assert found is not None
    assert mended(found) == (-0.001, pytest.approx(4.6, abs=0.05))
    same = doubt(of("depth", "depth below the sea", MEASURED), tuple(-p / 1000 for p in PRINTED))
    assert same is not None
    assert mended(same) == (1.0, pytest.approx(4.6, abs=0.05))
    assert same.button.replace("&", "").startswith("Add 4.6")


def test_no_constant_is_asked_about_where_a_factor_or_the_parameters_explain_it() -> None:
    plain = tuple(-p / 1000 for p in PRINTED)
    assert doubt(of("depth", "depth below the sea", tuple(p * 1.3 + 0.05 for p in plain)), plain) is None
    far = tuple(5.0 + p for p in plain)
    assert doubt(of("depth", "depth below the sea", tuple(p + 1.0 for p in far)), far) is None, "its own level may be wrong"
    rough = doubt(of("depth", "depth below the sea", MEASURED, sd=2.0), plain)
    assert rough is None, "within the errors"


def test_a_letter_at_the_end_of_a_name_is_a_unit_beside_one_of_its_kind_only() -> None:
    scaled = doubt(of("basement_m", "depth [km]", tuple(-p / 1000 for p in PRINTED)), tuple(-p for p in PRINTED))
    assert scaled is not None
    assert mended(scaled) == (0.001, 0.0)
    assert doubt(of("basement_s", "depth [km]", tuple(-p for p in PRINTED)), tuple(-p for p in PRINTED)) is None


def test_a_column_that_was_said_to_be_a_key_is_not_compared_by_itself_and_shared_words_decide() -> None:
    depth = (4.694, 4.862, 5.006, None, 5.287)
    data = d.DataTable(columns={"FAA/mGal": (1.0, 2.0, 3.0, 4.0, 5.0), "x_km": (-9.0, -5.0, -4.0, -2.0, -1.0), DEPTH: depth})
    outputs = (column("faa_mGal", 0), column("basement_m", 1))
    first = d.Predictions(matches=(d.Match(output="faa_mGal", column="FAA/mGal"),), noise=d.GaussianKnown())
    problem = msgspec.structs.replace(PROBLEM, outputs=outputs, data=data, meaning=first)
    known = KnownKeys(lengths={"faa_mGal": 5, "basement_m": 5}, marked=("x_km",))
    assert likely_column(problem, "basement_m", known) == DEPTH
    assert likely_pair(problem, Idle(("basement_m",), ("x_km", DEPTH)), known) == ("basement_m", DEPTH)
    bare = msgspec.structs.replace(problem, data=d.DataTable(columns={"x_km": data.columns["x_km"]}))
    assert first_predictions(bare, known).matches == ()
