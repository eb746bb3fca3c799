"""Impedances of a plate's area against those of a whole cell: a factor that neither units nor usual powers of ten tell."""

from __future__ import annotations

import msgspec
import pytest
from data_pages import PROBLEM

from bayescope.engine.problem import definition as d
from bayescope.engine.protocol import TrialOutput, TrialRunReport
from bayescope.gui.models.data.open_questions import open_question
from bayescope.gui.models.data.units.other_units import OtherUnit, doubtful_columns, first_far_off, other_unit
from bayescope.gui.pages.data.step import Pairing
from bayescope.gui.pages.data.steps import KEEP_UNITS, open_step

REAL = (5.1, 6.3, 7.6, 20.2, 30.9)
IMAGINARY = (-1.0, -1.3, -0.7, -4.8, -5.2)
COUNT = 5


def program(unit: str, factors: tuple[float, float], names: tuple[str, str] = ("Re(Z)/mOhm", "-Im(Z)/mOhm")) -> d.Problem:
    """Both parts of an impedance, compared in order, at ``factors``."""
    outputs = tuple(
        d.Output(name=n, source="out.csv", extractor=d.CsvColumn(column=n), length=COUNT, unit=unit) for n in ("Zreal", "Zimag")
    )
    columns = {names[0]: tuple(24.0 * v for v in REAL), names[1]: tuple(-27.0 * v * (1.4 if k == 3 else 1.0)
                                                                        for k, v in enumerate(IMAGINARY))}  # fmt: skip
    matches = tuple(d.Match(output=o.name, column=c, factor=f) for o, c, f in zip(outputs, names, factors, strict=True))
    meaning = d.Predictions(matches=matches, noise=d.GaussianKnown(sd=1.0))
    return msgspec.structs.replace(PROBLEM, outputs=outputs, data=d.DataTable(columns=columns), meaning=meaning)


def run(size: float = 1.0) -> TrialRunReport:
    read = {"Zreal": REAL, "Zimag": IMAGINARY}
    outputs = tuple(TrialOutput(name=n, source="out.csv", values=tuple(size * v for v in of)) for n, of in read.items())
    return TrialRunReport(outcome="ok", outputs=outputs)


def asked(problem: d.Problem, row: int) -> OtherUnit:
    found = other_unit(problem, row, run())
    assert found is not None
    return found


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_units_of_two_kinds_are_asked_about_before_and_after_the_sign_is_turned(sign: float) -> None:
    problem = program("ohm.cm2", (1.0, sign))
    first, second = asked(problem, 0), asked(problem, 1)
    assert first.words == "Is “Zreal” in the unit of the data? It is in ohm.cm2, what was measured is in mOhm."
    assert "some 24 times smaller" in first.hint
    assert "in ohm.cm2, what was measured is in mOhm." in second.words
    assert second.turns is (sign > 0.0)
    far = first_far_off(problem, run())
    step = open_step(problem, (), None, None, None, Pairing(far_off=far))
    assert step is not None
    assert not step.settled, "it waits for an answer"
    assert (step.field, step.dismiss, step.mended) == ("factor", KEEP_UNITS, None)


def test_the_answer_to_one_comparison_brings_the_question_of_the_next() -> None:
    problem = program("ohm.cm2", (1.0, -1.0))
    far = first_far_off(problem, run(), (), {asked(problem, 0).words})
    assert far is not None
    assert far[0] == 1
    assert first_far_off(problem, run(), (), {asked(problem, 0).words, asked(problem, 1).words}) is None


def test_without_units_a_common_size_is_said_and_nothing_once_the_factor_is_typed() -> None:
    problem = program("", (1.0, -1.0), ("re", "im"))
    assert asked(problem, 0).words == "Nearly every value of “Zreal” is far smaller than what was measured."
    assert not asked(problem, 0).known
    assert doubtful_columns(problem, run()) == ["re", "im"]
    assert doubtful_columns(program("", (26.04, -26.04), ("re", "im")), run()) == []
    assert doubtful_columns(program("ohm.cm2", (26.04, -26.04)), run()) == []


def test_a_factor_typed_for_one_part_is_offered_for_the_other_of_the_same_file() -> None:
    found = asked(program("ohm.cm2", (26.04, 1.0)), 1)
    assert isinstance(found.problem.meaning, d.Predictions)
    assert found.problem.meaning.matches[1].factor == pytest.approx(-26.04)


def test_the_size_that_is_asked_about_is_the_same_after_another_test_run() -> None:
    problem = program("ohm.cm2", (1.0, 1.0))
    again = other_unit(problem, 0, run(1.3))
    assert again is not None
    assert again.words == asked(problem, 0).words


def bands(factors: tuple[float, float], sources: tuple[str, str] = ("bands.out", "bands.out")) -> d.Problem:
    """Frequencies in units of c/a, nine of one polarisation and four of the other, measured in GHz."""
    measured = {"TM / GHz": TM, "TE / GHz": TE}
    outputs = tuple(
        d.Output(name=n, source=s, extractor=d.CsvColumn(column=n), length=len(v))
        for n, s, v in zip(("tm", "te"), sources, measured.values(), strict=True)
    )
    matches = tuple(d.Match(output=o.name, column=c, factor=f) for o, c, f in zip(outputs, measured, factors, strict=True))
    rows = {c: (*v, *[None] * (len(TM) - len(v))) for c, v in measured.items()}
    meaning = d.Predictions(matches=matches, noise=d.GaussianKnown(sd=0.03))
    return msgspec.structs.replace(PROBLEM, outputs=outputs, data=d.DataTable(columns=rows), meaning=meaning)


TM, TE = (9.41, 14.25, 20.79, 25.136, 10.131, 15.623, 19.649, 11.168, 22.276), (13.534, 22.79, 17.692, 21.848)
C_OVER_A = 33.3103
BANDS = TrialRunReport(
    outcome="ok",
    outputs=tuple(
        TrialOutput(name=n, source="bands.out", values=tuple(1.04 * v / C_OVER_A for v in of))
        for n, of in (("tm", TM), ("te", TE))
    ),
)


@pytest.mark.parametrize("sources", [("bands.out", "bands.out"), ("bands.out", "stdout")])
def test_a_few_values_are_asked_about_where_another_output_in_their_unit_is_multiplied_by_as_much(
    sources: tuple[str, str],
) -> None:
    problem = bands((C_OVER_A, 1.0), sources)
    found = other_unit(problem, 1, BANDS)
    assert found is not None
    assert isinstance(found.problem.meaning, d.Predictions)
    assert found.problem.meaning.matches[1].factor == pytest.approx(C_OVER_A)
    assert "“tm”, also compared in GHz, is multiplied so already" in found.words
    assert found.known
    question = open_question(problem, BANDS)
    assert question is not None
    assert question.words == found.words, "it is asked at the start, too"
    assert doubtful_columns(bands((C_OVER_A, C_OVER_A), sources), BANDS) == []


def test_a_few_values_are_asked_about_beside_many_that_are_off_as_much() -> None:
    assert doubtful_columns(bands((1.0, 1.0)), BANDS) == ["TM / GHz", "TE / GHz"]


def test_a_few_values_that_another_factor_would_bring_no_nearer_are_let_pass() -> None:
    assert doubtful_columns(bands((C_OVER_A, C_OVER_A / 2.0)), BANDS) == []
    assert doubtful_columns(bands((C_OVER_A, 1.0 / C_OVER_A)), BANDS) == ["TE / GHz"]
