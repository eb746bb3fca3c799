"""New parameters are written in few enough characters; formats come, go and are renamed with their parameters."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.numbers.number_format import format_number
from bayescope.gui.analysis.number_formats import FIRST, following, in_style_of
from bayescope.gui.models.simulator.renaming import renamed

OWN = d.NumberFormat(style="exponent", digits=4, width=12)


def problem(*names: str, **formats: d.NumberFormat) -> d.Problem:
    parameters = tuple(d.Parameter(name=name, prior=d.Uniform(low=0, high=1)) for name in names)
    uses = dict.fromkeys(names, 2)
    simulator = d.Simulator(command=("prog",), formats=formats, expected_uses=uses)
    output = d.Output(name="log_l", source="stdout", extractor=d.LastNumber())
    meaning = d.LogLikelihoodOutput(output="log_l")
    return d.Problem(name="x", parameters=parameters, simulator=simulator, outputs=(output,), meaning=meaning)


@given(st.floats(-1e300, 1e300))
def test_a_new_parameter_takes_at_most_19_characters_and_is_seen_to_be_a_real_number(value: float) -> None:
    text = format_number(value, FIRST)
    assert len(text) <= 19
    assert "." in text or "e" in text
    assert float(text) == pytest.approx(value, rel=1e-11, abs=0.0)


def test_a_density_that_lost_its_exponent_keeps_it() -> None:
    assert len(format_number(7.624793850089521e-09, d.NumberFormat())) == 21
    assert format_number(7.624793850089521e-09, FIRST) == "7.62479385009e-09"
    assert format_number(205000.0, FIRST) == "205000.0"


def test_formats_come_and_go_with_their_parameters_and_what_was_chosen_stays() -> None:
    assert following(problem("a"), problem("a", "b")).simulator.formats == {"b": FIRST}
    assert following(problem("a"), problem("a", "b", b=OWN)).simulator.formats == {"b": OWN}
    assert following(problem("a", "b", a=OWN, b=FIRST), problem("a", a=OWN, b=FIRST)).simulator.formats == {"a": OWN}
    same = problem("a", seed=OWN)
    assert following(problem("a"), same) is same
    assert following(problem("a"), problem("a")).simulator.formats == {}, "every digit, as it was chosen"


def test_a_renamed_parameter_keeps_its_format_and_the_places_it_should_stand_in() -> None:
    before = problem("a", "b", a=OWN)
    after, _ = renamed(before, "a", "load")
    after = msgspec.structs.replace(after, parameters=problem("load", "b").parameters)
    assert following(before, after).simulator.formats == {"load": OWN}
    assert after.simulator.expected_uses == {"load": 2, "b": 2}


@pytest.mark.parametrize(
    ("before", "style", "digits"),
    [
        (FIRST, "exponent", 11), (d.NumberFormat(style="exponent", digits=11), "general", 12),
        (FIRST, "fixed", None), (FIRST, "integer", None), (FIRST, "general", 12), (d.NumberFormat(), "exponent", None),
        (d.NumberFormat(style="fixed", digits=2), "exponent", None), (d.NumberFormat(digits=0), "exponent", 0),
    ],
)  # fmt: skip
def test_another_style_keeps_the_number_of_significant_digits(before: d.NumberFormat, style: str, digits: int | None) -> None:
    form = in_style_of(msgspec.structs.replace(before, style=style), before)
    assert (form.style, form.digits) == (style, digits)
