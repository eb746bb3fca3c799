"""Predictions with a statistical error of their own, as they are declared, checked and stored."""

from __future__ import annotations

import msgspec
import pytest

from bayescope.engine.methods.loops import CannotLearn, loop_settings
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.validate import check
from bayescope.engine.problem.checks.without_runs import needs_runs
from bayescope.engine.problem.files import dumps, loads, schema
from bayescope.engine.problem.transforms import ParameterSpace

replace = msgspec.structs.replace
MEANING = d.Predictions(matches=(d.Match(output="y", column="y"),), noise=d.GaussianKnown(sd=1.0), random=True)
PROBLEM = d.Problem(
    name="chance",
    parameters=(d.Parameter(name="a", prior=d.Uniform(low=0.0, high=1.0)),),
    simulator=d.Simulator(command=("program", "@a@", "@seed@")),
    outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),),
    meaning=MEANING,
    data=d.DataTable(columns={"y": (1.0,)}),
)
EXACT = replace(PROBLEM, meaning=replace(MEANING, random=False))


def errors(problem: d.Problem) -> list[str]:
    return [f.where for f in check(problem) if f.level == "error"]


def test_the_program_is_random_but_no_single_log_likelihood_is_an_estimate() -> None:
    assert (d.is_noisy(MEANING), d.is_estimate(MEANING), d.is_scattered(MEANING)) == (True, False, True)
    exact = EXACT.meaning
    assert (d.is_noisy(exact), d.is_estimate(exact), d.is_scattered(exact)) == (False, False, False)
    noisy = d.LogLikelihoodOutput(output="y", random=True)
    assert (d.is_noisy(noisy), d.is_estimate(noisy), d.is_scattered(noisy)) == (True, True, False)
    assert d.runs_per_point(MEANING) == 1
    assert d.evaluation_noun(MEANING) == "run"


def test_a_fresh_seed_in_every_run_is_refused_of_exact_predictions_alone_with_both_ways_out() -> None:
    assert errors(PROBLEM) == []
    assert errors(EXACT) == ["simulator.command[2]"]
    way = next(f.suggestion for f in check(EXACT) if f.level == "error")
    assert "the outputs have a statistical error of their own" in way
    assert "in a problem file: random" in way
    assert "synthetic_likelihood" in way


@pytest.mark.parametrize("settings", [d.Settings(method="bvbmc"), d.Settings(options={"learn": "score"})])
def test_only_learnt_outputs_average_their_error_out(settings: d.Settings) -> None:
    assert "meaning.random" in errors(replace(PROBLEM, settings=settings))
    assert "meaning.random" not in errors(replace(EXACT, settings=settings))


def test_the_best_fit_alone_is_not_looked_for_of_a_program_that_scatters() -> None:
    assert "settings.goal" in errors(replace(PROBLEM, settings=d.Settings(goal="best_fit")))


def test_the_file_says_it_and_files_of_before_do_not() -> None:
    text = dumps(PROBLEM).decode()
    assert '"random": true' in text
    assert loads(text.encode()) == PROBLEM
    assert '"random"' not in dumps(EXACT).decode(), "older versions read it"
    assert "statistical error of their own" in str(schema()["$defs"]["Predictions"]["description"])


@pytest.mark.parametrize(("old", "new"), [(PROBLEM, PROBLEM), (EXACT, PROBLEM), (PROBLEM, EXACT)])
def test_its_runs_can_be_judged_anew_for_other_data(old: d.Problem, new: d.Problem) -> None:
    assert needs_runs(old, replace(new, data=d.DataTable(columns={"y": (2.0,)}))) == ()


def test_the_loop_is_told_and_takes_no_log_likelihood_for_an_estimate() -> None:
    settings = loop_settings(PROBLEM, ParameterSpace(PROBLEM.parameters), 50, 1)
    assert (settings.scattered, settings.noisy) == (True, False)
    assert not loop_settings(EXACT, ParameterSpace(PROBLEM.parameters), 50, 1).scattered


def test_more_values_than_can_be_learnt_are_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bayescope.engine.methods.loops.MOST_CELLS", 0)
    with pytest.raises(CannotLearn, match="statistical error"):
        loop_settings(PROBLEM, ParameterSpace(PROBLEM.parameters), 50, 1)
    assert loop_settings(EXACT, ParameterSpace(PROBLEM.parameters), 50, 1).cells is None
