"""What may be changed of a problem so that the runs made before still serve."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.without_runs import needs_runs, noise_alone, same_posterior, same_question

replace = msgspec.structs.replace
FIRST = d.Problem(
    name="first",
    parameters=(
        d.Parameter(name="a", prior=d.Uniform(low=0.0, high=1.0)),
        d.Parameter(name="c", prior=d.Uniform(low=0.0, high=1.0), fixed=0.5),
    ),
    simulator=d.Simulator(command=("program", "@a@", "@c@")),
    outputs=tuple(d.Output(name=n, source="stdout", extractor=d.LastNumber()) for n in "yz"),
    meaning=d.Predictions(matches=(d.Match(output="y", column="y"),), noise=d.GaussianKnown(sd=1.0)),
    data=d.DataTable(columns={"y": (1.0,), "t": (1.0,)}),
)


def with_match(**changes: object) -> d.Problem:
    assert isinstance(FIRST.meaning, d.Predictions)
    return replace(FIRST, meaning=replace(FIRST.meaning, matches=(d.Match(**{"output": "y", "column": "y", **changes}),)))


@pytest.mark.parametrize(
    "changed",
    [
        FIRST,
        replace(FIRST, name="another", settings=d.Settings(seed=7)),
        replace(FIRST, data=d.DataTable(columns={"y": (2.0,), "t": (1.0,)})),
        replace(FIRST, meaning=replace(FIRST.meaning, noise=d.StudentTNoise(dof=3.0, scale=1.0))),
        with_match(output="z"),
        with_match(left_out=(1,)),
        replace(FIRST, simulator=replace(FIRST.simulator, limits=d.Limits(time_s=5.0))),
        replace(FIRST, parameters=(d.Parameter(name="a", prior=d.Normal(mean=0.0, sd=2.0)), FIRST.parameters[1])),
        replace(
            FIRST, meaning=replace(FIRST.meaning, noise=d.GaussianInferred(parameter="s")),
            parameters=(*FIRST.parameters, d.Parameter(name="s", prior=d.HalfNormal(scale=1.0))),
        ),
    ],
)  # fmt: skip
def test_noise_data_priors_and_comparisons_of_what_was_recorded_need_no_runs(changed: d.Problem) -> None:
    assert needs_runs(FIRST, changed) == ()


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (replace(FIRST, simulator=d.Simulator(command=("other", "@a@", "@c@"))), "program"),
        (with_match(output="w"), "“w” was not read"),
        (with_match(key_output="time", key_column="t"), "“time” was not read"),
        (replace(FIRST, outputs=(d.Output(name="y", source="file", extractor=d.LastNumber()),)), "in another way"),
        (replace(FIRST, parameters=FIRST.parameters[1:]), "“a” is missing"),
        (replace(FIRST, parameters=(replace(FIRST.parameters[0], fixed=0.1), FIRST.parameters[1])), "varied in the runs"),
        (replace(FIRST, parameters=(FIRST.parameters[0], replace(FIRST.parameters[1], fixed=None))), "free now"),
        (replace(FIRST, parameters=(FIRST.parameters[0], replace(FIRST.parameters[1], fixed=0.6))), "fixed at 0.5"),
        (replace(FIRST, meaning=d.LogLikelihoodOutput(output="y", random=True)), "random"),
    ],
)
def test_what_needs_new_runs_is_said(changed: d.Problem, words: str) -> None:
    assert words in " ".join(needs_runs(FIRST, changed))


def test_the_same_files_may_be_named_from_another_folder_also_if_they_are_gone() -> None:
    own = d.Simulator(command=("python", "model.py", "@a@", "@c@"), extra_files=(d.ExtraFile(path="m.dat"),))
    here = replace(FIRST, simulator=own)
    there = d.Simulator(command=("python", "/old/model.py", "@a@", "@c@"), extra_files=(d.ExtraFile(path="/old/m.dat"),))
    assert needs_runs(here, replace(here, simulator=there), Path("/old"), Path("/new")) == ()
    assert needs_runs(here, replace(here, simulator=there), Path("/elsewhere"), Path("/new"))
    other = replace(there, command=("python", "/new/model.py", "@a@", "@c@"))
    assert needs_runs(here, replace(here, simulator=other), Path("/old"), Path("/new"))


def test_a_prior_that_the_program_adds_itself_cannot_be_changed_afterwards() -> None:
    own = replace(FIRST, meaning=d.LogPosteriorOutput(output="y"))
    wide = replace(own, parameters=(d.Parameter(name="a", prior=d.Uniform(low=0.0, high=2.0)), FIRST.parameters[1]))
    assert "adds the prior itself" in " ".join(needs_runs(own, wide))


def test_parameters_of_the_noise_alone_are_known() -> None:
    noisy = replace(FIRST, meaning=replace(FIRST.meaning, noise=d.Ar1Noise(sd="a", rho="r")))
    assert noise_alone(noisy) == {"r"}


def with_first(**changes: object) -> d.Problem:
    first, *others = FIRST.parameters
    return replace(FIRST, parameters=(replace(first, **changes), *others))


@pytest.mark.parametrize("changed", [FIRST, with_first(label="A"), with_first(unit="m"), with_first(plausible=(0.2, 0.8))])
def test_names_and_plausible_ranges_do_not_change_the_posterior(changed) -> None:
    assert same_posterior(FIRST, changed)
    assert same_question(FIRST, changed) == (changed == FIRST)


@pytest.mark.parametrize(
    "changed", [with_first(prior=d.Normal(mean=0.0, sd=1.0)), with_first(upper=0.5), with_match(left_out=(1,))]
)
def test_priors_bounds_and_rows_left_out_change_it(changed) -> None:
    assert not same_posterior(FIRST, changed)
