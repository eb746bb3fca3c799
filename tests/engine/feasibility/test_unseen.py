"""What runs say by themselves of where they give no value, and where a check looks for what none of them hit."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from bayescope.engine.answer.where_known import draws_that_show
from bayescope.engine.feasibility.classifier import Feasibility
from bayescope.engine.feasibility.unseen import Nearest
from bayescope.engine.methods.default.audit import with_looks
from bayescope.engine.sampling.population_monte_carlo import PosteriorDraws
from bayescope.engine.sampling.proposal import Proposal
from bayescope.engine.surrogate.frames import Whitening

RNG = np.random.default_rng(2)
DRAWS = RNG.standard_normal((3000, 2))
EVEN = np.full(len(DRAWS), 1.0 / len(DRAWS))
NONE = np.empty((0, 2))


def posterior() -> PosteriorDraws:
    nothing = np.zeros(len(DRAWS))
    return PosteriorDraws(DRAWS, nothing, nothing, 0.0, 1.0, 1.0, Proposal(np.ones(1), np.zeros((1, 2)), np.eye(2)[None]))


def feasibility(good: np.ndarray, impossible: np.ndarray = NONE) -> Feasibility:
    return Feasibility(Whitening.none(2), good, impossible, NONE)


def test_runs_that_share_the_posterior_evenly_count_each_and_one_beside_another_hardly() -> None:
    apart = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
    assert Nearest.of(DRAWS, EVEN, apart).draws == pytest.approx(4.0, rel=0.02)
    far = np.array([[30.0, 30.0], [-30.0, 30.0]])
    assert Nearest.of(DRAWS, EVEN, np.concatenate([apart, far])).draws == pytest.approx(4.0, rel=0.02)


def test_one_more_run_is_taken_in_as_if_it_had_been_there() -> None:
    runs = RNG.standard_normal((9, 2))
    straight, more = Nearest.of(DRAWS, EVEN, runs), Nearest.of(DRAWS, EVEN, runs[:8]).with_run(runs[8])
    np.testing.assert_array_equal(straight.nearest, more.nearest)
    np.testing.assert_allclose(straight.distance, more.distance)
    assert straight.draws == more.draws


def test_the_share_without_a_value_is_that_of_the_places_nearest_to_runs_that_gave_none() -> None:
    runs = np.concatenate([RNG.standard_normal((40, 2)), [[50.0, 0.0]]])
    lost = (runs[:, 0] > 0.9).astype(float)
    known = Nearest.of(DRAWS, EVEN, runs)
    least, mean = known.share_without_value(lost)
    share = lost[known.nearest].mean()
    count = 1.0 / np.square(np.bincount(known.nearest, minlength=41) / len(DRAWS)).sum()
    own = stats.beta(count * share + 0.5, count * (1.0 - share) + 0.5)
    assert (least, mean) == (pytest.approx(own.ppf(0.05)), pytest.approx(own.mean()))
    assert least < stats.norm.sf(0.9) < own.ppf(0.95)


def test_looks_are_added_until_a_region_would_have_shown_and_what_they_say_is_weighted_back() -> None:
    """Of a quantity that is 1 in the part of the posterior where no run lies."""
    good = RNG.standard_normal((60, 2))
    good = good[good[:, 0] < 0.3]
    posterior_draws, known, due = posterior(), feasibility(good), draws_that_show(0.1)
    found, plain, rng = [], [], np.random.default_rng(7)
    for _ in range(200):
        rows, share = with_looks(posterior_draws, known, rng.choice(len(DRAWS), 5), np.ones(5), due, 20, rng)
        found.append(float(share @ (DRAWS[rows, 0] > 0.8) / share.sum()))
        plain.append(float((DRAWS[rows, 0] > 0.8).mean()))
        assert 5 < len(rows) <= 25
    true = float((DRAWS[:, 0] > 0.8).mean())
    assert np.mean(found) == pytest.approx(true, abs=0.05)
    assert np.mean(plain) > true + 0.1, "looks are made where few runs are"
    asked = known.nearest_runs(DRAWS, EVEN)
    for row in rows:
        asked = asked.with_run(DRAWS[row])
    assert asked.draws >= due


def test_no_look_is_added_where_runs_cover_the_posterior_or_none_are_left() -> None:
    rows, share = np.arange(5), np.ones(5)
    dense = feasibility(RNG.standard_normal((200, 2)))
    for known, most in ((dense, 20), (feasibility(DRAWS[:6]), 0)):
        asked, stands = with_looks(posterior(), known, rows, share, draws_that_show(0.2), most, np.random.default_rng(1))
        assert asked is rows
        assert stands is share
    asked, _ = with_looks(posterior(), dense, rows, share, draws_that_show(0.2), 20, np.random.default_rng(1), least=3)
    assert len(asked) == 8, "so many are made all the same where runs are known to fail"


def test_an_answer_that_cuts_off_less_than_its_runs_show_to_be_impossible_is_left_open_by_that() -> None:
    """A shell that the map takes for a small disk around one run."""
    runs = RNG.standard_normal((70, 2))
    lost = np.abs(np.linalg.norm(runs, axis=1) - 1.3) < 0.25
    known = feasibility(runs[~lost], runs[lost])
    found = known._borders(DRAWS, known.log_possible(DRAWS))
    assert found is not None
    assert found.excess == 0.0, "the map of all these runs cuts off as much"
    object.__setattr__(known, "_possible", feasibility(runs, runs[lost][:1] + 20.0)._possible)
    blind = known._bordered(DRAWS, known.log_possible(DRAWS))
    assert blind is not None
    true = (np.abs(np.linalg.norm(DRAWS, axis=1) - 1.3) < 0.25).mean()
    assert blind.excess == pytest.approx(true, abs=0.12)
    assert blind.wrong >= blind.excess
    assert blind.sd(0.0) >= blind.excess
