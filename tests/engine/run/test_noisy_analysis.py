"""A whole analysis of a random program: repeats, the noisy loop, identical repeats; with real processes and a session file."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest

from bayescope.engine.methods.loops import OWN_ERRORS_SD, loop_settings
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.files import load
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.run.analysis import Analysis
from bayescope.engine.run.control import Control
from bayescope.engine.session.store import SessionStore

EXAMPLES = Path(__file__).resolve().parents[3] / "resources" / "examples"

PROGRAM = """
import random, sys
seed, mu = int(sys.argv[1]), float(sys.argv[2])
z = random.Random(seed if sys.argv[3] != "fixed" else 7).gauss(0, 1)
print("logl", -0.5 * (mu - 0.7) ** 2 / 0.25 + z)
print("stated", 0.1)
print("twice", 2.0 * (-0.5 * (mu - 0.7) ** 2 / 0.25 + z))
"""


def analysed(folder: Path, mode: str, meaning: d.Meaning, budget: int) -> tuple[str, str, SessionStore]:
    script = folder / "program.py"
    script.write_text(PROGRAM)
    problem = d.Problem(
        name="Noisy",
        parameters=(d.Parameter(name="mu", prior=d.Normal(mean=0.0, sd=2.0)),),
        simulator=d.Simulator(command=(sys.executable, "-I", "-S", str(script), "@seed@", "@mu@", mode)),
        outputs=tuple(
            d.Output(name=n, source="stdout", extractor=d.LabelledNumber(label=n)) for n in ("logl", "stated", "twice")
        ),
        meaning=meaning,
        data=d.DataTable(columns={"logl": (0.1,), "twice": (0.2,)}),
        settings=d.Settings(max_evaluations=budget, workers=2, options={"final_draws": 2000}),
    )
    store = SessionStore.create(folder / "noisy.bayescope", problem, own=True)
    ended = Analysis(store, control=Control(), observer=lambda _: None).run()
    return ended.outcome, ended.words, store


def test_a_random_program_run_three_times_per_point_gives_a_posterior(tmp_path: Path) -> None:
    outcome, words, store = analysed(tmp_path, "random", d.LogLikelihoodOutput(output="logl", repeats=3), 24)
    with store:
        assert outcome in ("budget", "converged"), words
        evaluations = store.evaluations()
        assert all(e.outcome == "ok" and e.noise_sd > 0.0 for e in evaluations)
        assert len({e.log_likelihood for e in evaluations}) == len(evaluations)
        last = store.last_iteration()
        assert last is not None
        assert "noise_scale" in last.diagnostics


def test_a_seed_fixed_by_mistake_ends_the_run_with_the_reason(tmp_path: Path) -> None:
    outcome, words, store = analysed(tmp_path, "fixed", d.LogLikelihoodOutput(output="logl", repeats=3), 30)
    with store:
        assert outcome == "failed"
        assert "exactly the same result" in words
        assert "@seed@" in words


@pytest.mark.loops
def test_a_standard_error_misstated_tenfold_is_said_in_the_reasons_of_the_answer(tmp_path: Path) -> None:
    outcome, words, store = analysed(tmp_path, "random", d.LogLikelihoodOutput(output="logl", noise_sd="stated"), 45)
    with store:
        assert outcome in ("budget", "converged"), words
        last = store.last_iteration()
        assert last is not None
        assert any("times smaller than the scatter" in reason for reason in last.reasons), last.reasons
        assert 4.0 < last.diagnostics["noise_scale"] < 25.0


def summaries(*names: str) -> tuple[d.Summary, ...]:
    return tuple(d.Summary(output=n, column=n, statistic="values") for n in names)


def test_summaries_that_say_the_same_end_the_run_with_the_reason(tmp_path: Path) -> None:
    meaning = d.SyntheticLikelihood(summaries=summaries("logl", "twice"), repeats=7)
    outcome, words, store = analysed(tmp_path, "random", meaning, 24)
    with store:
        assert outcome == "failed"
        assert "singular" in words
        assert "say the same" in words


def test_one_run_per_point_of_a_synthetic_likelihood_ends_with_what_to_change(tmp_path: Path) -> None:
    meaning = d.SyntheticLikelihood(summaries=summaries("logl"), repeats=1)
    outcome, words, store = analysed(tmp_path, "random", meaning, 24)
    with store:
        assert outcome == "failed"
        assert "One run per point cannot show the spread" in words


def test_standard_errors_that_the_engine_works_out_itself_are_trusted_and_a_users_choice_counts_more() -> None:
    problem = load(EXAMPLES / "birth_death" / "problem.json")
    space = ParameterSpace(problem.parameters)
    assert loop_settings(problem, space, 50, 1).options["noise_scale_sd"] == OWN_ERRORS_SD
    chosen = msgspec.structs.replace(problem.settings, options={"noise_scale_sd": 0.7})
    assert loop_settings(msgspec.structs.replace(problem, settings=chosen), space, 50, 1).options["noise_scale_sd"] == 0.7
    other = msgspec.structs.replace(problem.settings, method="vbmc")
    assert not loop_settings(msgspec.structs.replace(problem, settings=other), space, 50, 1).options
    told = msgspec.structs.replace(problem, meaning=d.LogLikelihoodOutput(output="logl", noise_sd="stated"))
    assert not loop_settings(told, space, 50, 1).options, "a program's own standard errors may be wrong"
