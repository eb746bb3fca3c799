"""Repeats, the noise check and the bundled random programs, all with real processes."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

from bayescope.engine.likelihood.evaluate import LikelihoodError, log_likelihood
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.bundled import examples_folder, resolve
from bayescope.engine.problem.checks.validate import check
from bayescope.engine.problem.files import load
from bayescope.engine.simulator.repeated import Plan
from consents import noise_check, run_repeated, trial_run

PROGRAM = """
import random, sys
seed, mode, mu = int(sys.argv[1]), sys.argv[2], float(sys.argv[3])
rng = random.Random(7 if mode == "fixed" else seed)
if mode == "fails" and rng.random() < 0.3: sys.exit("no luck")
if mode == "never": sys.exit("never works")
print("logl", -0.5 * mu * mu + 2.0 * rng.gauss(0, 1))
"""


def problem_of(folder: Path, mode: str = "random", repeats: int = 1) -> d.Problem:
    script = folder / "program.py"
    script.write_text(PROGRAM)
    return d.Problem(
        name="Noisy",
        parameters=(d.Parameter(name="mu", prior=d.Normal(mean=0.0, sd=1.0)),),
        simulator=d.Simulator(command=(sys.executable, "-I", "-S", str(script), "@seed@", mode, "@mu@")),
        outputs=(d.Output(name="logl", source="stdout", extractor=d.LabelledNumber(label="logl")),),
        meaning=d.LogLikelihoodOutput(output="logl", repeats=repeats, random=repeats == 1),
    )


def repeated(problem: d.Problem, folder: Path, seed: int = 3):  # type: ignore[no-untyped-def]
    plan = Plan.of(problem)
    assert plan is not None
    return run_repeated(
        problem.simulator, problem.outputs, {"mu": 1.0}, plan=plan, folder=folder / "runs", base=folder, seed=seed
    )


def test_repeats_get_different_seeds_and_their_average_has_the_standard_error_of_their_spread(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, repeats=6)
    result = repeated(problem, tmp_path)
    x = result.outputs["logl"][:, 0]
    assert result.outputs["logl"].shape == (6, 1)
    assert len(set(x)) == 6
    value, sd = log_likelihood(problem, result.outputs, {"mu": 1.0})
    assert (value, sd) == pytest.approx((x.mean(), x.std(ddof=1) / np.sqrt(6)))
    assert np.array_equal(repeated(problem, tmp_path).outputs["logl"][:, 0], x)


def test_some_failed_repeats_are_left_out_and_too_many_are_a_failure_with_a_reason(tmp_path: Path) -> None:
    some = repeated(problem_of(tmp_path, "fails", repeats=8), tmp_path)
    assert some.outcome == "ok"
    assert 4 <= len(some.outputs["logl"]) < 8
    assert "repeats failed and were left out" in some.notes[0]
    none = repeated(problem_of(tmp_path, "never", repeats=8), tmp_path)
    assert none.outcome == "failed"
    assert "repeats failed (4 good ones are needed)" in none.reason
    assert none.attempts == 5  # no further runs once it cannot succeed


def test_the_noise_check_finds_the_spread_and_how_many_repeats_help(tmp_path: Path) -> None:
    report = noise_check(problem_of(tmp_path), {"mu": 1.0}, tmp_path, 12)
    assert report.good == 12
    assert report.sd is not None
    assert report.sd_low is not None
    assert report.sd_high is not None
    assert 1.0 < report.sd < 3.5
    assert report.sd_low < report.sd < report.sd_high
    assert report.repeats_needed == int(np.ceil(report.sd**2))
    assert "varies by ±" in report.words[0]


@pytest.mark.parametrize(
    ("stated", "told"), [(70.0, "times too large"), (2.0, ""), (0.05, "times too small"), (0.0, "far too small")]
)
def test_a_stated_standard_error_that_is_another_than_the_spread_is_told(tmp_path: Path, stated: float, told: str) -> None:
    problem = problem_of(tmp_path)
    (tmp_path / "program.py").write_text(f"{PROGRAM}print('error', {stated})\n")
    error = d.Output(name="error", source="stdout", extractor=d.LabelledNumber(label="error"))
    meaning = d.LogLikelihoodOutput(output="logl", noise_sd="error")
    problem = msgspec.structs.replace(problem, outputs=(*problem.outputs, error), meaning=meaning)
    report = noise_check(problem, {"mu": 1.0}, tmp_path, 12)
    assert report.stated == pytest.approx(stated)
    assert told in report.stated_off
    assert bool(told) == bool(report.stated_off)


def test_a_seed_fixed_by_mistake_is_told_by_the_noise_check(tmp_path: Path) -> None:
    report = noise_check(problem_of(tmp_path, "fixed"), {"mu": 1.0}, tmp_path, 3)
    assert report.identical
    assert "exactly the same result" in report.words[-1]
    assert "@seed@" in report.words[-1]


def test_a_summary_that_is_a_sum_of_others_is_found_by_the_noise_check_before_any_run(tmp_path: Path) -> None:
    sums = PROGRAM.replace('print("logl", -0.5 * mu * mu + 2.0 * rng.gauss(0, 1))', (
        'a, b, c = (rng.randint(100, 900) for _ in range(3))\nprint("one", a, "two", b, "rest", c, "sum", a + b, "flat", 3)'
    ))  # fmt: skip
    problem = problem_of(tmp_path)
    (tmp_path / "program.py").write_text(sums)
    names = ("sum", "one", "rest", "two", "flat")
    problem = msgspec.structs.replace(
        problem,
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.LabelledNumber(label=n)) for n in names),
        data=d.DataTable(columns={**dict.fromkeys(names, (500.0,)), "flat": (3.0,)}),
        meaning=d.SyntheticLikelihood(summaries=tuple(d.Summary(output=n, column=n) for n in names)),
    )
    flat, made = noise_check(problem, {"mu": 1.0}, tmp_path, 10).faults
    assert (flat.summaries, flat.leave_out, flat.certain) == ((4,), 4, False)
    assert (made.leave_out, set(made.summaries), made.certain) == (0, {0, 1, 3}, True)
    assert made.words == "“sum” is made of “one” and “two”."
    elsewhere = msgspec.structs.replace(problem, data=d.DataTable(columns=dict.fromkeys(names, (500.0,))))
    report = noise_check(elsewhere, {"mu": 1.0}, tmp_path, 10)
    assert (report.faults[0].summaries, report.faults[0].leave_out, report.faults[0].missed) == ((4,), None, True)
    assert report.faults[0].words == "The value of “flat” is 3 in all 10 runs, but 500 was measured."
    assert not any("leave it out" in words.lower() for words in report.words)


def test_a_noise_check_of_a_program_that_fails_is_a_sentence(tmp_path: Path) -> None:
    report = noise_check(problem_of(tmp_path, "never"), {"mu": 1.0}, tmp_path, 3)
    assert report.good == 0
    assert "failed" in report.words[0]


def test_one_run_is_enough_to_see_that_nothing_can_be_said(tmp_path: Path) -> None:
    report = noise_check(problem_of(tmp_path), {"mu": 1.0}, tmp_path, 1)
    assert "One good run shows nothing of the noise" in report.words[0]


def test_a_trial_run_of_a_problem_that_needs_repeats_is_no_failure(tmp_path: Path) -> None:
    report = trial_run(problem_of(tmp_path, repeats=5), {"mu": 1.0}, tmp_path, folder=tmp_path / "trial")
    assert report.outcome == "ok"
    assert report.log_likelihood is None


def test_settings_that_cannot_work_are_found_before_the_run() -> None:
    problem = load(examples_folder() / "birth_death" / "problem.json")
    assert [f for f in check(problem) if f.level == "error"] == []
    meaning = problem.meaning
    assert isinstance(meaning, d.SyntheticLikelihood)

    def errors(**changes: object) -> list[str]:
        changed = msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, **changes))
        return [f.message for f in check(changed) if f.level == "error"]

    assert any("too few for the covariance of 4 summaries" in e for e in errors(repeats=5))
    assert any("No output is compared" in e for e in errors(summaries=()))
    assert any("shrinkage is 2" in e for e in errors(shrinkage=2.0))
    assert any(
        "no output called “nothing”" in e for e in errors(summaries=(d.Summary(output="nothing", column="count"),))
    )
    seedless = msgspec.structs.replace(
        problem, simulator=msgspec.structs.replace(
            problem.simulator, command=("bayescope:birth_death", "rates.txt", "simulated.csv")
        )
    )  # fmt: skip
    assert any("no random seed" in f.message for f in check(seedless) if f.level == "warning")


@pytest.mark.parametrize(
    ("name", "values", "column"),
    [
        ("birth_death", "birth 0.6\ndeath 0.9\nimmigration 6.0\n", "count"),
        ("ricker", "log_r 3.8\nsigma 0.3\nphi 10\n", "catch"),
    ],
)
def test_a_bundled_random_program_depends_on_its_seed_alone(
    tmp_path: Path, name: str, values: str, column: str
) -> None:
    (tmp_path / "in.txt").write_text(values)

    def table(seed: int) -> list[float]:
        command = [*resolve(f"bayescope:{name}"), "in.txt", "out.csv", str(seed)]
        subprocess.run(command, cwd=tmp_path, check=True, timeout=30)
        with open(tmp_path / "out.csv", encoding="utf-8") as file:
            return [float(row[column]) for row in csv.DictReader(file)]

    assert table(1) == table(1)
    assert table(1) != table(2)
    bad = subprocess.run(
        [*resolve(f"bayescope:{name}"), "none.txt", "out.csv", "1"], cwd=tmp_path, capture_output=True, text=True
    )
    assert bad.returncode == 1
    assert bad.stderr.startswith(name)
    assert "Traceback" not in bad.stderr


def test_the_birth_death_program_has_the_stationary_mean_and_variance_of_the_process() -> None:
    # immigration-death with births: mean nu / (mu - lambda), variance nu mu / (mu - lambda)^2
    import importlib.util

    spec = importlib.util.spec_from_file_location("birth_death", examples_folder() / "birth_death" / "birth_death.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    last = np.array([module.simulate(0.6, 0.9, 6.0, seed)[-1][1] for seed in range(400)], dtype=float)
    assert last.mean() == pytest.approx(20.0, abs=4 * np.sqrt(60.0 / 400))
    assert last.var() == pytest.approx(60.0, rel=0.35)


def test_the_synthetic_likelihood_of_the_bundled_example_is_computed_from_repeated_runs(tmp_path: Path) -> None:
    problem = load(examples_folder() / "birth_death" / "problem.json")
    assert isinstance(problem.meaning, d.SyntheticLikelihood)
    problem = msgspec.structs.replace(problem, meaning=msgspec.structs.replace(problem.meaning, repeats=12))
    values = {"birth": 0.6, "death": 0.9, "immigration": 6.0}
    plan = Plan.of(problem)
    assert plan is not None
    result = run_repeated(
        problem.simulator, problem.outputs, values, plan=plan, folder=tmp_path / "runs", base=tmp_path, seed=1
    )
    value, sd = log_likelihood(problem, result.outputs, values)
    assert np.isfinite(value)
    assert 0.1 < sd < 5.0
    report = noise_check(problem, values, tmp_path, 12)
    assert report.summary_names[0] == "mean of “count”"
    assert len(report.summary_spread) == 4
    assert sum(report.summary_counts) == 4
    with pytest.raises(LikelihoodError, match="One run per point"):
        log_likelihood(problem, {"count": result.outputs["count"][:1]}, values)


def test_inverse_binomial_sampling_stops_when_every_trial_has_matched(tmp_path: Path) -> None:
    script = tmp_path / "coin.py"
    script.write_text(
        "import random, sys\nr = random.Random(int(sys.argv[1]))\nprint(*[int(r.random() < 0.5) for _ in range(4)])\n"
    )
    problem = d.Problem(
        name="Coins",
        parameters=(d.Parameter(name="p", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=(sys.executable, "-I", "-S", str(script), "@seed@", "@p@")),
        outputs=(d.Output(name="side", source="stdout", extractor=d.TableBlock(columns=(1, 2, 3, 4))),),
        meaning=d.InverseBinomial(output="side", column="side", most_repeats=60),
        data=d.DataTable(columns={"side": (1.0, 0.0, 1.0, None)}),
    )
    plan = Plan.of(problem)
    assert plan is not None
    result = run_repeated(
        problem.simulator, problem.outputs, {"p": 0.5}, plan=plan, folder=tmp_path / "runs", base=tmp_path, seed=1
    )
    assert result.outcome == "ok", result.reason
    assert 1 <= len(result.outputs["side"]) < 30
    value, sd = log_likelihood(problem, result.outputs, {"p": 0.5})
    assert -12.0 < value <= 0.0
    assert sd > 0.0


def test_the_noise_check_of_predictions_says_their_scatter_and_asks_for_one_run_a_point(tmp_path: Path) -> None:
    meaning = d.Predictions(matches=(d.Match(output="logl", column="y"),), noise=d.GaussianKnown(sd=0.5), random=True)
    problem = msgspec.structs.replace(problem_of(tmp_path), meaning=meaning, data=d.DataTable(columns={"y": (0.0,)}))
    report = noise_check(problem, {"mu": 1.0}, tmp_path, 12)
    assert report.scatter.startswith("By 12 runs at one point a value scatters by ")
    assert 1.0 < float(report.scatter.split(" scatters by ")[1].split(",")[0]) < 3.5
    assert report.scatter.endswith("the measurement's error is 0.5.")
    assert "One run at each point will do" in report.words[-1]
    assert "longer averages" in report.words[-1]
    assert report.repeats_needed is None
