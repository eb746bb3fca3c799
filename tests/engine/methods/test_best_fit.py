"""Looking for the best fit alone: found to a tenth of a nat, said, and gone on from to the posterior with nothing repeated."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import optimize

from bayescope.engine.acquisition.peak import peak_at
from bayescope.engine.loop_interface import LoopSettings, Tell
from bayescope.engine.methods.ask_tell import AskTellLoop
from bayescope.engine.methods.best_fit import BestFitMethod
from bayescope.engine.methods.loops import make_loop
from bayescope.engine.problem.transforms import ParameterSpace

Array = np.ndarray


def settings(d: int, **more: object) -> LoopSettings:
    return LoopSettings(np.full(d, -3.0), np.full(d, 3.0), max_evaluations=80, goal="best_fit", **more)  # type: ignore[arg-type]


def banana(u: Array) -> float:
    """Highest, 0, at (1, 1, ..., 1, 1)."""
    x, y = u[::2], u[1::2]
    return float(-0.5 * np.sum((x - 1.0) ** 2) - 2.0 * np.sum((y - x**2) ** 2))


def run(loop: AskTellLoop, density: Callable[[Array], float | None], most: int = 80) -> list[tuple[Array, float | None]]:
    told = []
    while not loop.finished and len(told) < most:
        for ask in loop.ask(1):
            y = density(ask.u)
            told.append((ask.u, y))
            loop.tell(Tell(ask.index, ask.u, y))
    loop.update()
    return told


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.loops)])
def test_the_highest_point_of_a_curved_ridge_is_found_to_a_tenth_of_a_nat_and_the_run_ends(seed: int) -> None:
    loop = AskTellLoop(BestFitMethod(settings(2, seed=seed)))
    told = run(loop, banana)
    assert loop.finished
    assert max(y for _, y in told if y is not None) > -0.1
    assert len(told) < 60


@pytest.mark.loops
def test_what_is_climbed_is_the_density_in_the_users_units() -> None:
    """An exponential decay of the density in theta is highest at the bound, in its logarithm elsewhere."""
    space = ParameterSpace.from_bounds(["k"], [0.0], [np.inf], [0.1], [3.0])
    low, high = space.plausible_box()
    known = LoopSettings(low, high, max_evaluations=60, goal="best_fit", log_jacobian=space.log_jacobian)
    loop = AskTellLoop(BestFitMethod(known))
    told = run(loop, lambda u: float(-2.0 * space.to_user(u)[0] + space.log_jacobian(u[None])[0]))
    best = max(-2.0 * space.to_user(u)[0] for u, _ in told)
    assert best > -0.2, "theta near 0, where the density in its logarithm has fallen far below its top at theta = 1/2"


@pytest.mark.loops
def test_failing_and_impossible_runs_are_kept_away_from() -> None:
    def walled(u: Array) -> float | None:
        return None if u[0] > 1.5 else float(-0.5 * np.sum((u - np.array([1.0, 0.0])) ** 2) / 0.25)

    told = run(AskTellLoop(BestFitMethod(settings(2, seed=3))), walled)
    assert max(y for _, y in told if y is not None) > -0.1
    assert sum(y is None for _, y in told) <= 8


@pytest.mark.loops
def test_a_run_stopped_and_restored_goes_on_as_if_it_had_not_been() -> None:
    whole = AskTellLoop(BestFitMethod(settings(2, seed=1)))
    straight = run(whole, banana, 14)
    first = AskTellLoop(BestFitMethod(settings(2, seed=1)))
    told = run(first, banana, 11)
    second = AskTellLoop(BestFitMethod(settings(2, seed=1)))
    second.restore(first.state())
    told += run(second, banana, 3)
    assert [u.tolist() for u, _ in told] == [u.tolist() for u, _ in straight]


@pytest.mark.loops
def test_the_posterior_is_gone_on_to_with_nothing_repeated() -> None:
    known = settings(2, seed=1)
    loop = make_loop("default", known)
    told = run(loop, banana)  # type: ignore[arg-type]
    found = loop.update()
    after = make_loop("default", LoopSettings(known.plausible_lower, known.plausible_upper, seed=1, max_evaluations=120))
    after.restore(loop.state())
    after.extend(120)
    more = run(after, banana, 100)  # type: ignore[arg-type]
    assert not {tuple(u) for u, _ in told} & {tuple(u) for u, _ in more}
    answer = after.state()
    assert len(answer["told"]) == len(told) + len(more)
    assert after.finished
    assert found is None or found.diagnostics["best_fit_found"] == 1.0


class Parabola:
    """A surrogate whose slope is known to given sds along the axes; see ``LogJoint``."""

    def __init__(self, sds: Array) -> None:
        self.sds = sds

    def mean_functional_variance(self, b: Array, weights: Array) -> float:
        return float(np.square(self.sds) @ np.square(weights @ b))


@pytest.mark.loops
def test_the_expected_rise_is_that_of_newtons_step_on_a_random_slope() -> None:
    curvature = np.array([[3.0, 1.0], [1.0, 2.0]])
    sds = np.array([0.4, 0.7])
    place = np.array([0.3, -0.2])

    def density(b: Array) -> Array:
        away = b - place
        return -0.5 * np.einsum("ni,ij,nj->n", away, curvature, away)

    peak = peak_at(Parabola(sds), density, place, 0.0, np.eye(2))  # type: ignore[arg-type]
    assert peak.rise == pytest.approx(0.5 * np.trace(np.linalg.inv(curvature) @ np.diag(sds**2)), rel=1e-6)
    rng = np.random.default_rng(0)
    rises = []
    for _ in range(2000):
        slope = sds * rng.standard_normal(2)
        rises.append(-optimize.minimize(lambda b, g=slope: -(density(b[None])[0] + g @ (b - place)), place).fun)
    assert peak.rise == pytest.approx(np.mean(rises), rel=0.1)
