"""``infer_outputs``: a Python function whose outputs are compared with data, and the same asked again without running it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from archived_runs import curve, curve_runs
from scipy import stats

from bayescope.engine import OutputInference, infer_outputs
from bayescope.engine.library.infer_outputs import OutputsResult
from bayescope.engine.library.value import RandomDensity, WrongValue
from bayescope.engine.problem.definition import GaussianInferred, GaussianKnown, HalfNormal, Normal, StudentTNoise

T = np.linspace(0.0, 2.0, 20)
X = np.stack([np.ones(20), T], 1)
DATA = X @ [1.0, 0.8] + 0.2 * np.random.default_rng(5).standard_normal(20)
FEWER = {"final_draws": 2000}  # as many as two parameters need
PRIORS = {"a": Normal(mean=0.5, sd=1.0), "b": Normal(mean=0.5, sd=1.0)}


class Line:
    def __init__(self) -> None:
        self.runs: list[dict[str, float]] = []

    def __call__(self, v: Mapping[str, float]) -> np.ndarray:
        self.runs.append(dict(v))
        return np.asarray(X @ [v["a"], v["b"]])


def evidence(sd: float, data: np.ndarray = DATA) -> float:
    return float(stats.multivariate_normal(X @ [0.5, 0.5], X @ X.T + sd**2 * np.eye(20)).logpdf(data))


@pytest.fixture(scope="module")
def found() -> tuple[Line, OutputsResult]:
    line = Line()
    return line, infer_outputs(line, DATA, 0.2, PRIORS, max_evaluations=60, options=FEWER)


def test_a_line_with_normal_noise_gives_the_closed_form_in_few_runs(found) -> None:
    line, result = found
    assert result.converged
    assert result.log_evidence == pytest.approx(evidence(0.2), abs=max(3 * result.log_evidence_sd, 0.04))
    covariance = np.linalg.inv(X.T @ X / 0.04 + np.eye(2))
    mean = covariance @ (X.T @ DATA / 0.04 + 0.5)
    np.testing.assert_allclose(result.sample(20_000).mean(0), mean, atol=0.02)
    assert len(line.runs) == result.n_evaluations + 1 <= 40  # one of them twice, to see that it gives the same
    assert len(result.records) == result.n_evaluations


@pytest.mark.loops
def test_it_is_asked_again_with_other_noise_without_a_run(found) -> None:
    line, result = found
    before = len(line.runs)
    again = result.again(noise=0.4)
    assert len(line.runs) == before
    assert again.log_evidence == pytest.approx(evidence(0.4), abs=max(3 * again.log_evidence_sd, 0.04))
    spread = result.again(noise=GaussianInferred(parameter="s"), priors={**PRIORS, "s": HalfNormal(scale=1.0)})
    assert spread.sample(10).shape == (10, 3)
    far = result.again(data=DATA + 30.0)
    assert not far.converged
    assert any("more runs would be needed" in words for words in far.reasons)


def test_what_cannot_be_answered_without_runs_is_refused(found) -> None:
    with pytest.raises(ValueError, match="“a” is missing"):
        found[1].again(priors={"b": PRIORS["b"]})


def test_what_a_function_returns_beside_nan_is_told_but_nothing_of_a_vector_that_is_too_short() -> None:
    run = OutputInference(DATA, 0.2, PRIORS, 60)
    lacking, short = run.ask(2)
    f = Line()({"a": 1.0, "b": 0.5})
    run.tell_outputs(lacking.index, np.where(T > 1.5, np.nan, f))
    run.tell_outputs(short.index, f[:15])
    tells = run._tells
    assert [t.y for t in tells] == [None, None]
    assert tells[0].outputs is not None
    np.testing.assert_array_equal(tells[0].outputs, np.where(T > 1.5, np.nan, f))
    assert tells[1].outputs is None
    assert [bool(r.outputs) for r in run._records] == [True, False]


@pytest.mark.loops
def test_several_outputs_have_their_own_noise_and_length_and_the_noise_s_parameters_are_not_given_to_the_function() -> None:
    seen: set[str] = set()

    def both(v: Mapping[str, float]) -> dict[str, np.ndarray]:
        seen.update(v)
        y = X @ [v["a"], v["b"]]
        return {"y": y, "z": 2.0 * y[:7]}

    noise = {"y": GaussianInferred(parameter="s"), "z": GaussianKnown(sd=0.4)}
    result = infer_outputs(both, {"y": DATA, "z": 2.0 * DATA[:7]}, noise, {**PRIORS, "s": HalfNormal(scale=1.0)}, 60)
    assert seen == {"a", "b"}
    assert np.isfinite(result.log_evidence)
    assert not result.failures


@pytest.mark.loops
def test_a_run_that_raises_has_failed_and_the_rest_goes_on() -> None:
    def sometimes(v: Mapping[str, float]) -> np.ndarray:
        if v["a"] > 2.2:
            raise RuntimeError("too large")
        return np.asarray(X @ [v["a"], v["b"]])

    result = infer_outputs(sometimes, DATA, StudentTNoise(dof=4.0, scale=0.2), PRIORS, 40)
    assert np.isfinite(result.log_evidence)
    assert all("too large" in words for words in result.failures)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"noise": -1.0}, "above zero"),
        ({"noise": {"x": 1.0}}, "one entry for each output"),
        ({"device": 3}, "device must be"),
        ({"priors": {}}, "priors must be a dictionary"),
        ({"priors": {"a": 3}}, "priors, a"),
        ({"priors": {"a": (2.0, 1.0)}}, "a"),
        ({"data": []}, "data"),
        ({"data": [["x"]]}, "data"),
        ({"plausible": {"q": (0.0, 1.0)}}, "no parameter “q”"),
        ({"max_evaluations": 0}, "at least 1"),
        ({"options": {"lern": "score"}}, "lern"),
        ({"noise": GaussianInferred(parameter="s")}, "s"),
    ],
)
def test_every_slip_is_a_value_error_before_the_first_run(change: dict[str, object], words: str) -> None:
    line = Line()
    with pytest.raises(ValueError, match=words):
        infer_outputs(line, **{"data": DATA, "noise": 0.2, "priors": PRIORS, **change})  # type: ignore[arg-type]
    assert not line.runs


def test_what_is_no_vector_and_what_is_random_ends_it_in_words() -> None:
    with pytest.raises(WrongValue, match="return"):
        infer_outputs(lambda v: None, DATA, 0.2, PRIORS)  # type: ignore[arg-type, return-value]
    with pytest.raises(WrongValue, match="no “y”"):
        infer_outputs(lambda v: {"x": DATA}, {"y": DATA}, 0.2, PRIORS)
    rng = np.random.default_rng(0)
    with pytest.raises(RandomDensity, match="random"):
        infer_outputs(lambda v: DATA + rng.standard_normal(20), DATA, 0.2, PRIORS)


@pytest.mark.loops
def test_ask_and_tell_give_the_same_as_the_function(found) -> None:
    run = OutputInference(DATA, 0.2, PRIORS, 60, options=FEWER)
    while not run.finished and (points := run.ask()):
        for point in points:
            v = run.values(point.theta)
            run.tell_outputs(point.index, X @ [v["a"], v["b"]])
        run.update()
    assert run.result().log_evidence == found[1].log_evidence


def earlier(n: int = 60, seed: int = 1) -> tuple[dict[str, np.ndarray], np.ndarray]:
    rng = np.random.default_rng(seed)
    near = np.exp(-3.0 * rng.random(n))
    a, b = 1.0 + near * rng.standard_normal(n), 0.8 + near * rng.standard_normal(n)
    return {"a": a, "b": b}, np.column_stack([a, b]) @ X.T


@pytest.mark.loops
def test_runs_made_earlier_are_learnt_by_their_outputs_and_may_be_all_there_is() -> None:
    line = Line()
    values, outputs = earlier()
    outputs[3] = np.nan
    outputs[4, 2] = np.nan
    alone = infer_outputs(line, DATA, 0.2, PRIORS, max_evaluations=0, archive=(values, outputs), options=FEWER)
    assert not line.runs
    assert alone.n_evaluations == len(alone.records) == 60
    assert any("taken for runs that failed" in reason for reason in alone.reasons)
    assert any("1 rows lack some outputs" in reason for reason in alone.reasons)
    assert any("1 of 60 runs failed" in reason for reason in alone.reasons)  # a gap is no sign that runs fail there
    assert alone.log_evidence == pytest.approx(evidence(0.2), abs=max(3 * alone.log_evidence_sd, 0.04))
    other = alone.again(noise=0.4)
    assert other.log_evidence == pytest.approx(evidence(0.4), abs=max(3 * other.log_evidence_sd, 0.04))


@pytest.mark.loops
def test_new_runs_follow_those_made_earlier_until_they_confirm_the_answer() -> None:
    line = Line()
    result = infer_outputs(line, DATA, 0.2, PRIORS, max_evaluations=40, archive=earlier(12))
    assert result.converged
    assert 0 < len(line.runs) <= 41
    assert result.n_evaluations == 12 + len(line.runs) - 1
    assert result.log_evidence == pytest.approx(evidence(0.2), abs=max(3 * result.log_evidence_sd, 0.04))


@pytest.mark.parametrize(
    ("archive", "words"),
    [
        (earlier()[1], "must be"), (({"a": [1.0]}, [[1.0] * 20]), "no values of b"),
        (({"a": [1.0], "b": [1.0, 2.0]}, [[1.0] * 20]), "1 of a, 2 of b"),
        (({"a": [1.0], "b": [1.0]}, {"z": [[1.0] * 20]}), "no output “z”"),
        (({"a": [1.0], "b": [1.0]}, [[1.0] * 21]), "21 values"),
        (({"a": [np.nan], "b": [1.0]}, [[1.0] * 20]), "None of the 1 rows"),
    ],
)  # fmt: skip
def test_an_archive_that_makes_no_sense_is_refused_in_words(archive: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        infer_outputs(Line(), DATA, 0.2, PRIORS, archive=archive)  # type: ignore[arg-type]


@pytest.mark.loops
def test_earlier_runs_that_suffice_are_answered_without_a_new_one() -> None:
    earlier = curve_runs(60)
    noise = 0.03 * np.random.default_rng(1).standard_normal(12)
    found = infer_outputs(
        lambda v: {"y": curve(v["a"], v["k"])}, {"y": curve(1.2, 0.8) + noise}, 0.03, {"a": (0.0, 3.0), "k": (0.0, 2.0)},
        max_evaluations=20, options=FEWER, archive=({"a": earlier[:, 0], "k": earlier[:, 1]}, {"y": earlier[:, 2:]}),
    )  # fmt: skip
    assert found.converged
    assert len(found.records) == len(earlier)
