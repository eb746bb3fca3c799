"""Asking again: a changed problem answered from recorded runs, against closed forms, a new full run, and honesty far away."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping

import msgspec
import numpy as np
import pytest
from scipy import stats

from bayescope.engine.again.answer import AnswerAgain, answer_again
from bayescope.engine.likelihood.evaluate import log_likelihood
from bayescope.engine.loop_interface import LoopSnapshot, Tell
from bayescope.engine.methods.ask_tell import AskTellLoop
from bayescope.engine.methods.default.loop import DefaultMethod
from bayescope.engine.methods.loops import loop_settings
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.session.errors import SessionError
from bayescope.engine.session.records import EvaluationRecord

Program = Callable[[Mapping[str, float]], np.ndarray | None]
T = np.linspace(0.0, 2.0, 20)
DESIGN = np.stack([np.ones(20), T], 1)
replace = msgspec.structs.replace


def line(v: Mapping[str, float]) -> np.ndarray:
    return np.asarray(DESIGN @ [v["a"], v["b"]])


def curve(v: Mapping[str, float]) -> np.ndarray:
    return np.asarray(v["a"] * np.exp(-v["b"] * T) + 0.3 * np.sin(v["b"] * T))


def problem(program: Program, sd: float = 0.2, **settings: int) -> d.Problem:
    truth = program({"a": 1.0, "b": 0.8})
    assert truth is not None
    data = truth + sd * np.random.default_rng(5).standard_normal(20)
    return d.Problem(
        name="first",
        parameters=tuple(d.Parameter(name=n, prior=d.Normal(mean=0.5, sd=1.0)) for n in "ab"),
        simulator=d.Simulator(command=("x", "@a@", "@b@")),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.LastNumber()) for n in ("y", "z")),
        meaning=d.Predictions(matches=(d.Match(output="y", column="y"),), noise=d.GaussianKnown(sd=sd)),
        data=d.DataTable(columns={"y": tuple(data), "z": tuple(2.0 * data + 0.1)}),
        settings=d.Settings(max_evaluations=80, options={"final_draws": 2000}, **{"seed": 1, **settings}),
    )


def run(p: d.Problem, program: Program) -> tuple[list[EvaluationRecord], LoopSnapshot]:
    """A run of the default method without an engine, as a session records it."""
    space = ParameterSpace(p.parameters)
    settings = loop_settings(p, space, p.settings.max_evaluations, 1)
    assert settings.cells is not None
    loop, records = AskTellLoop(DefaultMethod(settings)), []
    while not loop.finished and (asks := loop.ask(1)):
        ask, v = asks[0], space.values(asks[0].u)
        y = program(v)
        outputs = {} if y is None else {"y": y, "z": 2.0 * y}
        value = None if y is None else log_likelihood(p, outputs, v)[0] + float(space.log_prior_in_inference(ask.u))
        loop.tell(Tell(ask.index, ask.u, value, outputs=settings.cells.cells(outputs) if outputs else None))
        records.append(
            EvaluationRecord(
                ask.index, len(records), ask.u, v, "failed" if y is None else "ok", None, 0.0, value, outputs=outputs,
                purpose=ask.purpose, reason="" if y is not None else "It broke.",
            )
        )  # fmt: skip
    last = loop.update()
    assert last is not None
    return records, last


@pytest.fixture(scope="module")
def straight() -> tuple[d.Problem, list[EvaluationRecord]]:
    p = problem(line)
    records, last = run(p, line)
    assert last.converged
    return p, records


@pytest.fixture(scope="module")
def curved() -> tuple[d.Problem, list[EvaluationRecord]]:
    p = problem(curve, sd=0.05, seed=2)
    records, last = run(p, curve)
    assert last.converged
    return p, records


def normal_answer(p: d.Problem, sd: float, rows: slice = slice(None)) -> tuple[float, np.ndarray, np.ndarray]:
    """Log evidence, mean and sd of a straight line with normal priors and noise, in closed form."""
    assert p.data is not None
    y, x = np.array(p.data.columns["y"], dtype=float)[rows], DESIGN[rows]
    means = np.array([q.prior.mean for q in p.parameters])  # type: ignore[union-attr]
    prior = np.diag([q.prior.sd**2 for q in p.parameters])  # type: ignore[union-attr]
    covariance = np.linalg.inv(x.T @ x / sd**2 + np.linalg.inv(prior))
    mean = covariance @ (x.T @ y / sd**2 + np.linalg.solve(prior, means))
    evidence = stats.multivariate_normal(x @ means, x @ prior @ x.T + sd**2 * np.eye(len(y))).logpdf(y)
    return float(evidence), mean, np.sqrt(np.diag(covariance))


def agrees(found: AnswerAgain, exact: tuple[float, np.ndarray, np.ndarray]) -> None:
    log_z, mean, sd = exact
    s = found.snapshot
    assert s.draws is not None
    theta = ParameterSpace(found.problem.parameters).to_user(s.draws.points)
    own = s.draws.weights @ theta
    assert s.log_evidence == pytest.approx(log_z, abs=max(3 * s.log_evidence_sd, 0.04))
    np.testing.assert_allclose(own, mean, atol=0.1 * sd.min())
    np.testing.assert_allclose(np.sqrt(s.draws.weights @ np.square(theta - own)), sd, rtol=0.08)


def noise(p: d.Problem, model: d.NoiseModel) -> d.Problem:
    return replace(p, meaning=replace(p.meaning, noise=model))


def test_another_sd_of_the_noise_gives_the_closed_form_and_is_confirmed(straight) -> None:
    p, records = straight
    changed = noise(p, d.GaussianKnown(sd=0.4))
    found = answer_again(changed, records, p, converged=True)
    agrees(found, normal_answer(changed, 0.4))
    assert found.snapshot.converged
    assert found.more_runs == 0
    assert "No new run was made" in found.snapshot.reasons[0]


def test_runs_that_confirmed_an_answer_confirm_it_again_where_the_question_is_the_same(straight) -> None:
    p, records = straight  # they count as 3.8 draws of 5: another question has to ask for more
    named = replace(p, parameters=tuple(replace(q, label=q.name.upper(), unit="m") for q in p.parameters))
    for same in (p, named):
        found = answer_again(same, records, p, converged=True)
        agrees(found, normal_answer(p, 0.2))
        assert found.snapshot.converged
    assert not answer_again(p, records, p, converged=False).snapshot.converged
    unchecked = [dataclasses.replace(r, purpose="acquisition") for r in records]
    assert not answer_again(p, unchecked, p, converged=True).snapshot.converged


def test_other_priors_inside_of_what_was_explored_give_the_closed_form(straight) -> None:
    p, records = straight
    priors = (d.Parameter(name="a", prior=d.Normal(mean=0.9, sd=0.2)), d.Parameter(name="b", prior=d.Normal(mean=0.6, sd=0.3)))
    found = answer_again(replace(p, parameters=priors), records, p, converged=True)
    agrees(found, normal_answer(found.problem, 0.2))


def test_rows_left_out_give_the_closed_form_of_the_others(straight) -> None:
    p, records = straight
    match = d.Match(output="y", column="y", left_out=tuple(range(11, 21)))
    changed = replace(p, meaning=replace(p.meaning, matches=(match,)))
    agrees(answer_again(changed, records, p, converged=True), normal_answer(p, 0.2, slice(0, 10)))


def test_another_recorded_output_can_be_compared_too(straight) -> None:
    p, records = straight
    both = (d.Match(output="y", column="y"), d.Match(output="z", column="z", noise=d.GaussianKnown(sd=0.4)))
    found = answer_again(replace(p, meaning=replace(p.meaning, matches=both)), records, p, converged=True)
    y = np.array(p.data.columns["y"], dtype=float)
    twice = replace(p, data=d.DataTable(columns={"y": tuple(y + 0.025)}))  # z says the same as y + .05, as precisely
    assert found.snapshot.draws is not None
    theta = ParameterSpace(p.parameters).to_user(found.snapshot.draws.points)
    np.testing.assert_allclose(
        found.snapshot.draws.weights @ theta, normal_answer(twice, 0.2 / np.sqrt(2.0))[1], atol=0.02
    )


@pytest.mark.loops
def test_data_outside_of_what_the_runs_tell_are_not_confirmed(curved) -> None:
    p, records = curved
    moved = tuple(2.5 * v for v in p.data.columns["y"])
    found = answer_again(replace(p, data=d.DataTable(columns={"y": moved})), records, p, converged=True)
    assert not found.snapshot.converged
    assert found.more_runs >= 5
    assert any("more runs would be needed" in words for words in found.snapshot.reasons)


@pytest.mark.loops
def test_a_prior_that_reaches_farther_than_the_runs_is_not_confirmed(curved) -> None:
    p, records = curved
    wide = (p.parameters[0], d.Parameter(name="b", prior=d.Uniform(low=-20.0, high=20.0)))
    assert not answer_again(replace(p, parameters=wide), records, p, converged=True).snapshot.converged


def curve_on_a_grid(p: d.Problem, noise_sd: np.ndarray, dof: float = np.inf) -> tuple[float, np.ndarray, np.ndarray]:
    """Log evidence, mean and sd of (a, b, log sd of the noise) for ``curve``: a sum over a grid around the truth.

    The noise is normal or Student's t; its sd is known where only one is given, else half-normal of scale 0.2.
    """
    assert p.data is not None
    y = np.array(p.data.columns["y"], dtype=float)
    a, b = (np.linspace(low, high, 81) for low, high in ((0.6, 1.6), (0.0, 1.5)))
    a_all, b_all = np.meshgrid(a, b, indexing="ij")
    misfit = y - (a_all[..., None] * np.exp(-b_all[..., None] * T) + 0.3 * np.sin(b_all[..., None] * T))
    noise_law = stats.norm if np.isinf(dof) else stats.t(dof)
    prior = stats.norm(0.5, 1.0).logpdf(a_all) + stats.norm(0.5, 1.0).logpdf(b_all)
    value = np.stack([prior + (noise_law.logpdf(misfit / s) - np.log(s)).sum(-1) for s in noise_sd])
    cell = (a[1] - a[0]) * (b[1] - b[0])
    if len(noise_sd) > 1:  # even in log sd: ds = s d log s
        value += (stats.halfnorm(scale=0.2).logpdf(noise_sd) + np.log(noise_sd))[:, None, None]
        cell *= np.log(noise_sd[1] / noise_sd[0])
    top = value.max()
    weights = np.exp(value - top)
    edges = (weights[:, [0, -1]].max(), weights[:, :, [0, -1]].max())
    assert max(edges) < 1e-4, "the grid holds the posterior"
    log_evidence, weights = float(np.log(weights.sum() * cell) + top), weights / weights.sum()
    at = (a_all[None], b_all[None], np.log(noise_sd)[:, None, None])
    mean = np.array([(weights * x).sum() for x in at])
    return log_evidence, mean, np.sqrt([(weights * np.square(x - m)).sum() for x, m in zip(at, mean, strict=True)])


@pytest.mark.loops
def test_another_noise_model_with_a_parameter_of_its_own_agrees_with_sums_over_a_grid() -> None:
    first = problem(curve, sd=0.05)
    further = msgspec.structs.replace(first.settings, max_evaluations=40, options={"stop": False})
    p = replace(first, settings=further)  # heavy tails reach farther than the runs to the stop
    records, _ = run(p, curve)
    spread = d.Parameter(name="s", prior=d.HalfNormal(scale=0.2))
    changed = replace(noise(p, d.StudentTNoise(dof=4.0, parameter="s")), parameters=(*p.parameters, spread))
    found = answer_again(changed, records, p, converged=True)
    assert found.snapshot.converged
    log_evidence, mean, sd = curve_on_a_grid(p, np.geomspace(0.01, 0.5, 40), dof=4.0)
    assert found.snapshot.log_evidence == pytest.approx(log_evidence, abs=0.1)
    assert found.snapshot.draws is not None
    theta = ParameterSpace(changed.parameters).to_user(found.snapshot.draws.points)
    theta[:, 2] = np.log(theta[:, 2])
    np.testing.assert_allclose(found.snapshot.draws.weights @ theta / sd, mean / sd, atol=0.15)


@pytest.mark.loops
def test_the_noise_parameters_values_of_a_run_are_chosen_anew_and_its_program_s_stay(curved) -> None:
    p, records = curved
    spread = d.Parameter(name="s", prior=d.HalfNormal(scale=0.2))
    changed = replace(noise(p, d.GaussianInferred(parameter="s")), parameters=(*p.parameters, spread))
    found = answer_again(changed, records, p, converged=True)
    for before, now in zip(records, found.records, strict=True):
        assert now.values["a"] == pytest.approx(before.values["a"], rel=1e-12)
        assert now.log_likelihood == pytest.approx(log_likelihood(changed, before.outputs, now.values)[0])
    assert len({r.values["s"] for r in found.records}) > 10


def test_runs_that_the_new_bounds_exclude_are_left_out_and_counted(curved) -> None:
    p, records = curved
    narrow = (p.parameters[0], d.Parameter(name="b", prior=d.Uniform(low=0.5, high=1.2)))
    found = answer_again(replace(p, parameters=narrow), records, p, converged=True)
    assert found.outside == sum(not 0.5 < r.values["b"] < 1.2 for r in records) > 0
    assert [r.index for r in found.records] == list(range(len(records) - found.outside))


@pytest.mark.loops
def test_outputs_that_cannot_be_learnt_are_never_confirmed() -> None:
    def jumps(v: Mapping[str, float]) -> np.ndarray:
        return line(v) + 2.0 * np.sign(np.sin(40.0 * v["a"]) * np.sin(35.0 * v["b"]))

    p = problem(jumps)
    space, rng = ParameterSpace(p.parameters), np.random.default_rng(0)
    records = []
    for k, u in enumerate(rng.normal([1.0, 0.8], 0.5, (60, 2))):
        v = space.values(u)
        records.append(EvaluationRecord(k, k, u, v, "ok", None, 0.0, None, outputs={"y": jumps(v)}))
    found = answer_again(noise(p, d.GaussianKnown(sd=0.3)), records)
    assert not found.snapshot.converged
    assert found.more_runs >= 5


@pytest.mark.loops
def test_failed_runs_stay_failed(curved) -> None:
    p, records = curved
    broken = [msgspec_free(r) if r.index % 6 == 0 else r for r in records]
    found = answer_again(noise(p, d.GaussianKnown(sd=0.06)), broken, p, converged=True)
    assert [r.outcome for r in found.records] == ["failed" if r.index % 6 == 0 else "ok" for r in records]


def msgspec_free(r: EvaluationRecord) -> EvaluationRecord:
    return EvaluationRecord(r.index, r.order, r.u, r.values, "failed", None, 0.0, None, reason="It broke.")


def test_too_few_usable_runs_are_said_with_a_reason(straight) -> None:
    p, records = straight
    with pytest.raises(SessionError, match="0 of the 1 runs"):
        answer_again(p, [msgspec_free(records[0])])
    with pytest.raises(SessionError, match="no runs"):
        answer_again(p, [])


@pytest.mark.loops
def test_the_same_question_gives_the_same_digits(curved) -> None:
    p, records = curved
    changed = noise(p, d.StudentTNoise(dof=5.0, scale=0.05))
    first, second = (answer_again(changed, records, p, converged=True).snapshot for _ in range(2))
    assert first.log_evidence == second.log_evidence
    np.testing.assert_array_equal(first.draws.points, second.draws.points)  # type: ignore[union-attr]


@pytest.mark.loops
def test_a_loop_goes_on_from_there_with_new_runs_until_it_converges(curved) -> None:
    p, records = curved
    moved = replace(p, data=d.DataTable(columns={"y": tuple(1.3 * v for v in p.data.columns["y"])}))
    found = answer_again(moved, records, p, converged=True)
    assert not found.snapshot.converged
    space = ParameterSpace(found.problem.parameters)
    settings = loop_settings(found.problem, space, 100, 1)
    assert settings.cells is not None
    loop = AskTellLoop(DefaultMethod(settings))
    loop.restore(found.state)
    loop.extend(100)
    new = 0
    while not loop.finished and (asks := loop.ask(1)):
        ask, y = asks[0], curve(space.values(asks[0].u))
        value = log_likelihood(found.problem, {"y": y}, space.values(ask.u))[0] + float(space.log_prior_in_inference(ask.u))
        loop.tell(Tell(ask.index, ask.u, value, outputs=settings.cells.cells({"y": y})))
        new += 1
    last = loop.update()
    assert last is not None
    assert last.converged
    assert 5 <= new <= 40
    log_evidence, mean, sd = curve_on_a_grid(moved, np.array([0.05]))
    assert last.log_evidence == pytest.approx(log_evidence, abs=0.15)
    assert last.draws is not None
    theta = ParameterSpace(p.parameters).to_user(last.draws.points)
    np.testing.assert_allclose(last.draws.weights @ theta / sd[:2], mean[:2] / sd[:2], atol=0.15)


@pytest.mark.loops
def test_a_confirmed_answer_can_be_given_more_runs_which_look_elsewhere(curved) -> None:
    p, records = curved
    found = answer_again(p, records, p, converged=True)
    assert found.snapshot.converged
    space, made = ParameterSpace(found.problem.parameters), len(found.records)
    settings = loop_settings(found.problem, space, made, 1)
    assert settings.cells is not None
    loop = AskTellLoop(DefaultMethod(settings))
    loop.restore(found.state)
    assert loop.finished
    loop.extend(made + 3)
    purposes = []
    while not loop.finished and (asks := loop.ask(1)):
        ask, y = asks[0], curve(space.values(asks[0].u))
        value = log_likelihood(found.problem, {"y": y}, space.values(ask.u))[0] + float(space.log_prior_in_inference(ask.u))
        loop.tell(Tell(ask.index, ask.u, value, outputs=settings.cells.cells({"y": y})))
        purposes.append(ask.purpose)
        loop.update()
    assert purposes == ["exploration"] * 3


def test_a_log_likelihood_of_the_program_s_own_has_other_priors_but_is_not_confirmed() -> None:
    p = d.Problem(
        name="own",
        parameters=(d.Parameter(name="a", prior=d.Normal(mean=0.0, sd=2.0)),),
        simulator=d.Simulator(command=("x", "@a@")),
        outputs=(d.Output(name="l", source="stdout", extractor=d.LastNumber()),),
        meaning=d.LogLikelihoodOutput(output="l"),
    )
    space, records = ParameterSpace(p.parameters), []
    for k, a in enumerate(np.linspace(-3.0, 3.0, 20)):
        value = np.array([stats.norm(1.0, 0.5).logpdf(a)])
        records.append(EvaluationRecord(k, k, space.point({"a": a}), {"a": a}, "ok", None, 0.0, None, outputs={"l": value}))
    narrow = replace(p, parameters=(d.Parameter(name="a", prior=d.Normal(mean=0.5, sd=1.0)),))
    found = answer_again(narrow, records, p, converged=True)
    assert found.snapshot.log_evidence == pytest.approx(stats.norm(0.5, np.hypot(0.5, 1.0)).logpdf(1.0), abs=0.05)
    assert not found.snapshot.converged
    assert "can only be checked by new runs" in found.snapshot.reasons[1]
