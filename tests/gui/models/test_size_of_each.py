"""Errors whose size is learned: one size for each quantity instead of one for all, by one button."""

from __future__ import annotations

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.gui.models.data.errors.doubtful_errors import doubtful_errors
from bayescope.gui.models.data.errors.noise import given_words
from bayescope.gui.models.data.errors.size_of_each import size_of_each
from bayescope.gui.models.data.tables.further_series import further_series
from bayescope.gui.models.data.taking_part import Idle
from bayescope.gui.models.data.units.other_units import first_by_headings

PAIRS = (
    ("S_1", "S A (µM) (x)"), ("S_1", "S B (µM) (x)"), ("S_2", "S A (µM) (y)"), ("P_1", "P A (µM) (x)"), ("P_2", "P A (µM) (y)"),
)  # fmt: skip
ERRORS = d.GaussianKnown(sd_column="SD I")


def study(noise: d.NoiseModel) -> d.Problem:
    columns = {c: (float(i), 9.0, 20.0) for i, (_, c) in enumerate(PAIRS)}
    columns |= {"I A (nM)": (1.0, 5.0, 9.0), "SD I": (0.1, 0.2, 0.3)}
    intermediate = d.Match(output="I_1", column="I A (nM)", noise=ERRORS)
    return d.Problem(
        name="cascade",
        parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("sh", "@k@")),
        outputs=tuple(
            d.Output(name=n, source="stdout", extractor=d.LabelledNumber(label=n), unit="M")
            for n in ("S_1", "S_2", "P_1", "P_2", "I_1")
        ),
        meaning=d.Predictions(
            matches=(*(d.Match(output=o, column=c) for o, c in PAIRS), intermediate),
            noise=noise,
        ),
        data=d.DataTable(columns=columns),
    )  # fmt: skip


def test_outputs_of_several_files_and_repeats_of_one_quantity_share_a_size() -> None:
    found = size_of_each(study(d.GaussianInferred(parameter="")))
    assert found is not None
    assert found.button.replace("&", "") == "One size for each of 2 quantities"
    meaning = found.problem.meaning
    assert isinstance(meaning, d.Predictions)
    assert [p.name for p in found.problem.parameters] == ["k", "sigma_S", "sigma_P"]
    assert meaning.noise == d.GaussianInferred(parameter="sigma_S")
    assert [m.noise for m in meaning.matches] == [None] * 3 + [d.GaussianInferred(parameter="sigma_P")] * 2 + [ERRORS]
    assert size_of_each(found.problem) is None, "the rest is one quantity"


def test_the_size_for_all_that_was_made_first_is_not_left_over() -> None:
    problem = study(d.GaussianInferred(parameter="sigma"))
    sigma = d.Parameter(name="sigma", prior=d.HalfNormal(scale=3.0))
    found = size_of_each(msgspec.structs.replace(problem, parameters=(*problem.parameters, sigma)))
    assert found is not None
    assert [p.name for p in found.problem.parameters] == ["k", "sigma_S", "sigma_P"]


def test_known_errors_have_no_size_to_be_learned() -> None:
    assert size_of_each(study(d.GaussianKnown(sd=0.1))) is None


def test_nothing_is_called_learned_before_its_parameter_is_chosen() -> None:
    assert given_words(d.GaussianInferred(parameter="")) == ("", False)
    assert given_words(d.GaussianInferred(parameter="s")) == ("The size of the errors is learned: s.", False)


def test_a_repeated_measurement_has_the_errors_of_its_twin() -> None:
    data = d.DataTable(columns={"I A": (1.0, 5.0, 9.0), "I B": (1.1, 5.0, 9.2), "SD I": (0.1, 0.2, 0.3)})
    match = d.Match(output="I", column="I A", sd_column="SD I")
    outputs = (d.Output(name="I", source="stdout", extractor=d.LabelledNumber(label="I")),)
    problem = msgspec.structs.replace(
        study(d.GaussianKnown()), outputs=outputs, data=data, meaning=d.Predictions(matches=(match,), noise=d.GaussianKnown())
    )
    found = further_series(problem, Idle((), ("I B",)))
    assert found is not None
    assert found.repeats
    assert isinstance(found.problem.meaning, d.Predictions)
    assert [m.sd_column for m in found.problem.meaning.matches] == ["SD I", "SD I"]
    assert doubtful_errors(found.problem) is None, "their names say whose they are"


def test_headings_that_say_the_units_of_all_ask_once() -> None:
    problem = study(d.GaussianKnown(sd=1.0))
    found = first_by_headings(problem, None)
    assert found is not None
    assert found[1].same_button.replace("&", "") == "All 6, each as its unit says"
    assert found[1].same is not None
    assert isinstance(found[1].same.meaning, d.Predictions)
    assert [m.factor for m in found[1].same.meaning.matches] == [1e6] * 5 + [1e9]
