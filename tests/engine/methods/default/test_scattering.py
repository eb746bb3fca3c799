"""A program whose outputs scatter about a smooth surface, though the same values give the same: found, said, learnt through."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from bayescope.engine import OutputInference, infer_outputs
from bayescope.engine.answer.noise_levels import noise_of
from bayescope.engine.answer.usual_scatter import UsualScatter
from bayescope.engine.library.outputs_problem import problem_of
from bayescope.engine.loop_interface import LoopSettings, Tell
from bayescope.engine.methods.default.beside import scatter_seen
from bayescope.engine.methods.default.outputs import OutputsLearner
from bayescope.engine.methods.default.outputs_memory import UNSEEN, OutputsMemory
from bayescope.engine.methods.default.scattering import left_unknown, usual_scatter
from bayescope.engine.methods.default.stopping import options_of, with_scatter
from bayescope.engine.methods.loops import loop_settings
from bayescope.engine.problem.definition import Normal
from bayescope.engine.problem.method_options import DefaultOptions, NoisyOptions
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.surrogate.evaluations import Evaluations
from bayescope.engine.surrogate.frames import BoxFrame

TIMES = np.linspace(0.2, 4.0, 12)
NOISE = 0.05
DATA = 1.2 * np.exp(-0.7 * TIMES) + NOISE * np.random.default_rng(3).standard_normal(12)
PRIORS = {"a": Normal(mean=0.0, sd=0.5), "b": Normal(mean=0.0, sd=0.5)}
BOX = {"a": (-1.0, 1.0), "b": (-1.0, 1.0)}
LOG_EVIDENCE = 6.753  # of the smooth surface, on a grid


def decay(v: Mapping[str, float], scatter: float) -> np.ndarray:
    luck = np.random.default_rng([1, *np.abs(np.array([v["a"], v["b"]]).view(np.int64)).tolist()]).standard_normal(12)
    return np.exp(v["a"]) * np.exp(-np.exp(v["b"]) * TIMES) + scatter * NOISE * luck


@pytest.mark.loops
def test_outputs_that_scatter_are_found_and_their_noise_is_shown() -> None:
    answer = infer_outputs(lambda v: decay(v, 0.4), DATA, NOISE, PRIORS, 45, 1, plausible=BOX)
    assert any("by all runs a value scatters by" in reason for reason in answer.reasons)
    assert noise_of(answer.snapshot.success), "points can be coloured by it"
    assert abs(answer.log_evidence - LOG_EVIDENCE) < 3.0 * answer.log_evidence_sd + 0.1


@pytest.mark.loops
def test_outputs_that_do_not_scatter_cost_no_run_more() -> None:
    answer = infer_outputs(lambda v: decay(v, 0.0), DATA, NOISE, PRIORS, 45, 1, plausible=BOX)
    assert answer.converged
    assert not noise_of(answer.snapshot.success)
    assert answer.log_evidence == pytest.approx(LOG_EVIDENCE, abs=0.05)


LINE = np.random.default_rng(5).normal(size=(6, 2))
LINE_DATA = LINE @ [0.4, -0.3] + 0.1 * np.random.default_rng(6).standard_normal(6)
LINE_PRIORS = {"a": Normal(mean=0.0, sd=1.0), "b": Normal(mean=0.0, sd=1.0)}


def by_regression(theta: np.ndarray, outputs: np.ndarray, scatter: float) -> tuple[np.ndarray, np.ndarray]:
    """Mean and sd (2,) of the posterior, on a grid, of a linear program known from runs at theta (n, 2) alone, by least squares:
    the scatter of these adds scatter^2 h' (H' H)^-1 h to the variance of each value."""
    design = np.column_stack([np.ones(len(theta)), theta])
    inverse = np.linalg.inv(design.T @ design)
    axis = np.linspace(-0.8, 0.8, 161)
    grid = np.stack(np.meshgrid(0.27 + axis, -0.26 + axis, indexing="ij"), -1).reshape(-1, 2)
    there = np.column_stack([np.ones(len(grid)), grid])
    variance = (0.1**2 + scatter**2 * np.einsum("ij,jk,ik->i", there, inverse, there))[:, None]
    off = LINE_DATA - there @ (inverse @ design.T @ outputs)
    log_density = -0.5 * (off**2 / variance + np.log(variance)).sum(1) - 0.5 * (grid**2).sum(1)
    weight = np.exp(log_density - log_density.max())
    weight /= weight.sum()
    mean = weight @ grid
    return mean, np.sqrt(weight @ (grid - mean) ** 2)


@pytest.mark.loops
def test_predictions_with_a_statistical_error_comparable_with_the_noise_give_the_posterior_of_their_average() -> None:
    rng, count = np.random.default_rng(101), [0]

    def program(v: Mapping[str, float]) -> np.ndarray:
        count[0] += 1
        return LINE @ [v["a"], v["b"]] + 0.07 * rng.standard_normal(6)

    found = infer_outputs(program, LINE_DATA, 0.1, LINE_PRIORS, 120, 2, random=True)
    assert found.converged
    assert count[0] == found.n_evaluations, "one run a point, none twice"
    theta = np.array([[r.values["a"], r.values["b"]] for r in found.records])
    mean, sd = by_regression(theta, np.array([r.outputs["output"] for r in found.records]), 0.07)
    draws = found.sample(4000)
    np.testing.assert_array_less(np.abs(draws.mean(0) - mean) / sd, 0.4)
    np.testing.assert_allclose(draws.std(0) / sd, 1.0, atol=0.2)
    learnt = UsualScatter.of(found.snapshot.success)
    assert learnt is not None
    assert learnt.size[0] == pytest.approx(0.07, rel=0.25)
    again = found.again(data=LINE_DATA + 0.05)
    assert np.isfinite(again.log_evidence)
    assert any("by all runs a value scatters by" in reason for reason in again.reasons)


@pytest.mark.loops
def test_runs_made_before_of_which_no_two_lie_beside_each_other_tell_their_scatter_by_the_fit() -> None:
    rng = np.random.default_rng(0)
    theta = rng.standard_normal((70, 2)) * 0.3 + [0.27, -0.26]
    outputs = theta @ LINE.T + 0.07 * rng.standard_normal((70, 6))
    archive = ({"a": theta[:, 0], "b": theta[:, 1]}, outputs)
    found = infer_outputs(lambda v: np.zeros(6), LINE_DATA, 0.1, LINE_PRIORS, 0, 1, archive=archive, random=True)
    mean, sd = by_regression(theta, outputs, 0.07)
    draws = found.sample(4000)
    np.testing.assert_array_less(np.abs(draws.mean(0) - mean) / sd, 0.4)
    np.testing.assert_allclose(draws.std(0) / sd, 1.0, atol=0.2)
    learnt = UsualScatter.of(found.snapshot.success)
    assert learnt is not None
    assert learnt.size[0] == pytest.approx(0.07, rel=0.25)


@pytest.mark.loops
def test_declared_outputs_are_seen_to_scatter_early_and_never_given_up() -> None:
    rng = np.random.default_rng(1)
    made = OutputInference(LINE_DATA, 0.1, LINE_PRIORS, 14, 3, random=True)
    pairs = []
    while not made.finished and (points := made.ask()):
        for point in points:
            pairs.append(np.asarray(point.theta))
            made.tell_outputs(point.index, LINE @ point.theta + 0.5 * rng.standard_normal(6))
        made.update()
    memory = made.loop.method.memory  # type: ignore[attr-defined]
    apart = [np.abs(p - q).max() for k, p in enumerate(pairs) for q in pairs[:k]]
    assert min(apart) < 1e-4, "one of 14 = 2 D + 8 and two more is made right beside another"
    assert memory.outputs.scatters
    assert memory.outputs.used
    assert memory.outputs.roughness == pytest.approx(5.0, rel=0.6), "in noise units, by one pair"
    assert memory.outputs.scatter == pytest.approx(5.0, rel=0.6)
    assert not memory.doubts.all, "nothing was called far off before that"


def test_the_scatter_by_all_runs_is_that_of_their_values_about_the_surface() -> None:
    rng, sizes = np.random.default_rng(2), np.array([0.02, 0.02, 0.02, 0.2, 0.2, 0.2])
    problem = problem_of(LINE_DATA, 0.1, LINE_PRIORS, {}, True)
    settings = loop_settings(problem, ParameterSpace(problem.parameters), 40, 1)
    theta = rng.standard_normal((40, 2)) * 0.3 + [0.27, -0.26]
    f = theta @ LINE.T + sizes * rng.standard_normal((40, 6))
    y = -0.5 * np.square((f - LINE_DATA) / 0.1).sum(1)
    box = BoxFrame.of(settings.plausible_lower, settings.plausible_upper)
    known = Evaluations.of([Tell(k, t, y[k], outputs=f[k]) for k, t in enumerate(theta)], 2, box.into)
    learner = OutputsLearner(settings, box, OutputsMemory(roughness=1.0))
    learner.fit(known)
    size = 0.1 * usual_scatter(learner.surrogate(known))
    assert size[:3].mean() < 0.1 < size[3:].mean()
    assert np.sqrt(np.square(size).mean()) == pytest.approx(np.sqrt(np.square(sizes).mean()), rel=0.2)
    assert learner.memory.scatter == pytest.approx(10.0 * np.sqrt(np.square(size).mean()), rel=0.05)


def test_what_all_runs_leave_unknown_is_what_a_regression_leaves() -> None:
    rng, size = np.random.default_rng(4), 0.2
    problem = problem_of(LINE_DATA, 0.1, LINE_PRIORS, {}, True)
    settings = loop_settings(problem, ParameterSpace(problem.parameters), 40, 1)
    theta = rng.standard_normal((40, 2)) * 0.3 + [0.27, -0.26]
    f = theta @ LINE.T + size * rng.standard_normal((40, 6))
    y = -0.5 * np.square((f - LINE_DATA) / 0.1).sum(1)
    box = BoxFrame.of(settings.plausible_lower, settings.plausible_upper)
    known = Evaluations.of([Tell(k, t, y[k], outputs=f[k]) for k, t in enumerate(theta)], 2, box.into)
    learner = OutputsLearner(settings, box, OutputsMemory(roughness=1.0))
    learner.fit(known)
    places = rng.standard_normal((60, 2)) * 0.15 + [0.27, -0.26]
    left = 0.1 * left_unknown(learner.surrogate(known), box.into(places))
    design, there = (np.column_stack([np.ones(len(t)), t]) for t in (theta, places))
    by_hand = size * np.sqrt(np.einsum("ij,jk,ik->i", there, np.linalg.inv(design.T @ design), there).mean())
    assert np.sqrt(np.square(left).mean()) == pytest.approx(by_hand, rel=0.35)


@pytest.mark.parametrize(("gap", "found"), [(0.3, 0.3 / np.sqrt(2.0)), (1e-4, 0.0), (None, UNSEEN)])
def test_runs_made_before_tell_their_scatter_where_two_lie_right_beside_each_other(gap: float | None, found: float) -> None:
    problem = problem_of(LINE_DATA, 0.1, LINE_PRIORS, {}, True)
    settings = loop_settings(problem, ParameterSpace(problem.parameters), 10, 1)
    at, first = np.array([0.1, 0.2]), LINE @ [0.1, 0.2]
    told = [Tell(0, at, -1.0, outputs=first), Tell(1, at + 0.5, -2.0, outputs=first + 1.0)]
    if gap is not None:
        told.append(Tell(2, at + 1e-6, -1.1, outputs=first + 0.1 * gap * np.array([1, -1, 1, -1, 1, -1])))
    assert scatter_seen(told, settings) == pytest.approx(found)


def test_the_log_evidence_of_a_program_that_scatters_is_asked_as_that_of_random_log_densities() -> None:
    exact = LoopSettings(np.zeros(2), np.ones(2))
    random = LoopSettings(np.zeros(2), np.ones(2), scattered=True)
    assert options_of(exact) == DefaultOptions()
    assert options_of(random).evidence_sd_limit == NoisyOptions().evidence_sd_limit
    assert options_of(replace(random, options={"evidence_sd_limit": 0.1})).evidence_sd_limit == 0.1, "what is set, holds"
    assert with_scatter(0.07, exact, options_of(exact)) == 0.07
    assert with_scatter(0.3, random, options_of(random)) == pytest.approx(0.5)


def test_a_run_right_beside_another_that_gave_the_same_is_not_learnt_from() -> None:
    memory, outputs = OutputsMemory(), np.array([1.0, 2.0])
    memory.beside = 7, outputs
    memory.take_beside(7, outputs + 1e-6, np.full(2, NOISE))
    assert not memory.scatters
    assert OutputsMemory.of_state(memory.to_state()).alike == [7]
    memory.beside = 9, outputs
    memory.take_beside(9, outputs + NOISE, np.full(2, NOISE))
    assert memory.scatters
    assert memory.alike == [7], "what scatters tells something"
