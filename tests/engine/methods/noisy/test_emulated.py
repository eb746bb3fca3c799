"""The score's answer beside that of the emulated summaries: what makes weights, what holds a stop back, what is not shown."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bayescope.engine.loop_interface import LoopSettings, Tell
from bayescope.engine.methods.ask_tell import AskTellLoop
from bayescope.engine.methods.noisy import judging, stopping
from bayescope.engine.methods.noisy.emulated import LOOKS, EmulatedPosterior, difference, with_smooth_errors
from bayescope.engine.methods.noisy.loop import NoisyMethod
from bayescope.engine.problem.method_options import NoisyOptions
from bayescope.engine.sampling.guarded_density import GuardedDensity, Hull
from bayescope.engine.sampling.population_monte_carlo import posterior_of
from bayescope.engine.sampling.proposal import base_points
from bayescope.engine.surrogate.evaluations import Evaluations
from bayescope.engine.surrogate.frames import BoxFrame

NOWHERE = np.zeros((0, 2))


@dataclass(frozen=True)
class Gaussian:
    """In place of emulated summaries: a log-likelihood."""

    mean: float
    sd: float = 1.0
    measured: tuple[float, ...] = (0.0,)

    def log_likelihood(self, points: np.ndarray) -> np.ndarray:
        return np.asarray(-0.5 * np.square((points - self.mean) / self.sd).sum(1))

    def standard_errors(self, points: np.ndarray, runs: np.ndarray) -> np.ndarray:
        return np.full(len(points), 0.5)

    def sds(self, points: np.ndarray) -> np.ndarray:
        return np.abs(points[:, 0])

    most = log_likelihood


class Anywhere:
    def log_worth(self, points: np.ndarray) -> np.ndarray:
        return np.zeros(len(points))

    log_possible = log_runs = log_worth


def emulated(mean: float, sd: float = 1.0) -> EmulatedPosterior:
    box = np.full(2, -2.0), np.full(2, 2.0)
    points = np.random.default_rng(0).uniform(-2.0, 2.0, (20, 2))
    known = LoopSettings(*box), BoxFrame.of(*box), Hull(np.full(2, -9.0), np.full(2, 9.0)), Anywhere()
    found = EmulatedPosterior(Gaussian(mean, sd), *known, points, np.zeros(20))  # type: ignore[arg-type]
    return replace(found, y=found.log_density(points))


def test_answers_that_are_alike_do_not_differ_and_others_do_where_they_are_not_alike() -> None:
    base, rng = base_points(2, 1000, 1), np.random.default_rng(1)
    one = emulated(0.0)
    answer = posterior_of(one.log_density, one.points, one.y, base, rng)
    alike, _ = difference(answer, one.log_density, emulated(0.0), base, rng)
    apart, places = difference(answer, one.log_density, emulated(1.0), base, rng)
    assert alike < 0.01
    assert 0.3 < apart < 0.45  # of normals one sd apart .383
    assert len(places) == LOOKS
    assert np.abs(np.array(places).sum(1) - 1.0).max() > 0.5, "not between the two"


def test_an_answer_far_from_the_emulated_one_is_not_called_converged_and_is_told_why() -> None:
    options = NoisyOptions()
    good = [stopping.Check(n, 0.02, -7.0, 0.1, 0.9) for n in (132, 142, 152)]
    assert stopping.unmet(good, options, 3, differs=0.12) == []
    (words,) = stopping.unmet(good, options, 3, differs=0.21)
    assert "differ by 21 % of their mass on average (14 % is the limit)" in words
    assert "The next runs are made where they differ most" in words


def test_standard_errors_are_smooth_where_they_are_about_what_was_told() -> None:
    outputs = np.array([[30.0], [30.0], [np.nan], [30.0]])
    sd = np.array([0.3, 0.9, 0.8, 40.0])
    index = np.arange(4)
    known = Evaluations(np.zeros((4, 2)), np.zeros(4), sd, index, NOWHERE, NOWHERE, 0.0, outputs)
    found = with_smooth_errors(known, Gaussian(0.0))  # type: ignore[arg-type]
    np.testing.assert_array_equal(found.sd, [0.5, 0.5, 0.8, 40.0])
    np.testing.assert_array_equal(known.sd, sd)


def test_nothing_is_in_doubt_where_the_emulator_is_sure() -> None:
    places = np.array([[0.5, 0.0], [2.0, 0.0]])
    np.testing.assert_array_equal(emulated(0.0).most(places), [-0.125, -2.0])
    np.testing.assert_array_equal(emulated(0.0).most(places, unsure=1.0), [-np.inf, -2.0])


def test_of_very_many_summaries_nothing_is_excluded_since_that_takes_too_long() -> None:
    many = replace(emulated(0.0), summaries=Gaussian(0.0, measured=(0.0,) * 60))  # type: ignore[arg-type]
    assert np.isinf(many.most(np.zeros((3, 2)))).all()


def test_what_the_emulator_excludes_is_not_believed() -> None:
    one = emulated(0.0)
    guarded = GuardedDensity(one.summaries, one.hull, Anywhere(), most=one.most)  # type: ignore[arg-type]
    found = guarded.believed(np.array([[0.0, 0.0], [8.0, 0.0]]), np.array([-0.5, 900.0]))
    np.testing.assert_array_equal(found, [-0.5, -32.0])


def test_an_update_that_explodes_is_not_published_and_the_answer_before_stays() -> None:
    loop = AskTellLoop(NoisyMethod(LoopSettings(np.full(2, -2.0), np.full(2, 2.0), 0, 60, noisy=True)))
    rng, shown = np.random.default_rng(1), None
    while shown is None or shown.draws is None:
        (ask,) = loop.ask()
        loop.tell(Tell(ask.index, ask.u, float(-np.square(ask.u).sum() + rng.standard_normal()), 1.0))
        shown = loop.update() or shown
    method = loop.method
    assert method.memory.shown
    assert method.plug_in is not None
    method.memory.announced, calm = -1, method.plug_in
    method.plug_in = replace(calm, log_z=calm.log_z + 3000.0)
    assert method.answer() is None
    method.memory.announced, method.plug_in = -1, calm
    assert method.answer() is not None


def test_a_surrogate_that_claims_hundreds_of_nats_above_every_run_explodes() -> None:
    base, one = base_points(2, 200, 1), emulated(0.0)
    draws = posterior_of(one.log_density, one.points, one.y, base, np.random.default_rng(1))
    assert not judging.explodes(draws, one.hull)
    assert judging.explodes(replace(draws, log_z=draws.log_z + 300.0), one.hull)
