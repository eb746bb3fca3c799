"""Where the default loop looks next, and how exactly an answer must be known before it is called converged."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.inference.default import DefaultLoop
from bayescope.engine.inference.default_loop import certification
from bayescope.engine.inference.default_loop.acquisition import informative_point
from bayescope.engine.inference.default_loop.evidence import stated_sd
from bayescope.engine.inference.default_loop.feasibility import Feasibility
from bayescope.engine.inference.default_loop.frames import Whitening
from bayescope.engine.inference.default_loop.stopping import Fresh
from bayescope.engine.inference.interface import LoopSettings, Tell

D = 4


@pytest.fixture(scope="module")
def loop() -> DefaultLoop:
    """A correlated Gaussian in four parameters, after too few evaluations to know all its correlations."""
    precision = 0.6 * np.ones((D, D)) + 0.4 * np.eye(D)
    found = DefaultLoop(LoopSettings(np.full(D, -3.0), np.full(D, 3.0), seed=2, max_evaluations=11))
    while asks := found.ask():
        found.tell(Tell(asks[0].index, asks[0].u, float(-0.5 * asks[0].u @ precision @ asks[0].u)))
    return found


def next_one(loop: DefaultLoop, seed: int, pending: np.ndarray | None = None, failed: np.ndarray | None = None) -> np.ndarray:
    assert loop.surrogate is not None
    assert loop.draws is not None
    none = np.empty((0, D))
    feasibility = Feasibility(Whitening.none(D), loop.surrogate.b, none, none if failed is None else failed)
    waiting = none if pending is None else pending
    return informative_point(loop.surrogate, waiting, loop.draws, loop.hull, feasibility, np.random.default_rng(seed))


def doubt_left(loop: DefaultLoop, point: np.ndarray, draws: np.ndarray) -> float:
    """Mean of v / (1 + v) at posterior draws once ``point`` is known, by conditioning on it outright."""
    assert loop.surrogate is not None
    variance = loop.surrogate.with_pending(point[None]).predict(draws)[1]
    return float((variance / (1.0 + variance)).mean())


def test_the_next_point_takes_more_doubt_from_the_posterior_than_draws_of_it_do(loop: DefaultLoop) -> None:
    assert loop.draws is not None
    rng = np.random.default_rng(0)
    draws = loop.draws.points[loop.draws.resample(1000, rng)]
    left = doubt_left(loop, next_one(loop, seed=1), draws)
    others = [doubt_left(loop, x, draws) for x in loop.draws.points[loop.draws.resample(60, rng)]]
    assert left < 1.02 * min(others)


def test_the_next_point_counts_on_what_is_pending(loop: DefaultLoop) -> None:
    assert loop.surrogate is not None
    first = next_one(loop, seed=1)
    second = next_one(loop, seed=1, pending=first[None])
    variance = loop.surrogate.with_pending(first[None]).predict(np.stack([first, second]))[1]
    assert variance[1] > 10 * variance[0]


def test_the_next_point_keeps_away_from_a_failed_run(loop: DefaultLoop) -> None:
    first = next_one(loop, seed=1)
    second = next_one(loop, seed=1, failed=first[None])
    assert np.linalg.norm(second - first) > 0.1


def test_the_sd_of_an_answer_counts_the_checks_and_the_last_surprises() -> None:
    fresh = [Fresh(0.06, 1.0, 0.0, 0.03, 1.0, 1.0)] * 8
    assert stated_sd(fresh, 0.04, 2) == pytest.approx(np.sqrt(0.03**2 + 0.06**2 / 6 + 0.04**2 + 0.01**2))
    assert stated_sd([], 0.0, 2) == np.inf
    assert certification.evidence_limit(10) > certification.evidence_limit(2)


def test_an_answer_confirmed_too_vaguely_is_checked_again_before_it_is_called_converged() -> None:
    """A Student-t in two parameters whose first check is passed with an sd of .09."""
    loop = DefaultLoop(LoopSettings(np.full(2, -4.0), np.full(2, 4.0), seed=0, max_evaluations=80))
    while asks := loop.ask():
        loop.tell(Tell(asks[0].index, asks[0].u, float(-3.0 * np.log1p(np.square(asks[0].u) / 5.0).sum())))
    answer = loop.update()
    assert answer is not None
    assert answer.converged
    assert answer.log_evidence_sd < certification.evidence_limit(2)
    assert loop.memory.refusals == 1
