"""What an answer accounts for although the mixture fitted to it does not: nothing is climbed from there."""

import numpy as np
from scipy import stats

from bayescope.engine.acquisition import known_ways
from bayescope.engine.sampling.population_monte_carlo import OVERLOOKED, posterior_of
from bayescope.engine.sampling.proposal import base_points

D = 5
MAIN = stats.multivariate_normal(np.full(D, -0.8), 0.3**2)
OTHER = stats.multivariate_normal(np.full(D, 1.0), 0.25**2)
TOP = float(MAIN.logpdf(MAIN.mean))


def draws_of_the_main_mode():
    rng = np.random.default_rng(1)
    places = MAIN.rvs(20, random_state=rng)
    base = base_points(D, 2000, 0)
    return posterior_of(lambda p, _: MAIN.logpdf(p) - TOP, places, MAIN.logpdf(places) - TOP, base, rng)


class Surrogate:
    """Knows both modes, is sure to a tenth of a nat within ``radius`` of its evaluations, and foretold all but the last."""

    def __init__(self, b: np.ndarray, radius: float) -> None:
        self.b, self.radius = b, radius

    def mean(self, b: np.ndarray) -> np.ndarray:
        return np.logaddexp(MAIN.logpdf(b), OTHER.logpdf(b)) - TOP

    def predict(self, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        apart = np.linalg.norm(b[:, None] - self.b, axis=2).min(1)
        return self.mean(b), np.where(apart < self.radius, 0.01, 9.0)

    def leave_one_out(self) -> tuple[np.ndarray, np.ndarray]:
        last = np.arange(len(self.b)) == len(self.b) - 1
        return np.where(last, 3.0, 0.1), np.full(len(self.b), 0.01)


def test_values_as_high_as_the_posterior_are_held_where_its_draws_come_and_no_lower_or_farther_ones() -> None:
    draws = draws_of_the_main_mode()
    near, tail = MAIN.mean + 0.3, MAIN.mean + 1.0
    values = MAIN.logpdf(np.array([near, tail])) - TOP
    assert draws.holds(np.array([near, tail]), values).tolist() == [True, False]
    assert not draws.holds(near[None], values[:1] + OVERLOOKED + 5.0)[0], "far more than the draws there stand for"
    assert not draws.holds(OTHER.mean[None], np.array([-1.0]))[0]


def test_a_way_is_known_where_a_value_was_foretold_and_the_surrogate_is_sure_of_it_up_to_the_draws() -> None:
    draws = draws_of_the_main_mode()
    places, rows = np.array([MAIN.mean + 0.7, OTHER.mean - 0.7, MAIN.mean - 0.7]), np.arange(3)
    known = known_ways.lead_to(draws, Surrogate(places, 100.0), rows)  # type: ignore[arg-type]
    assert known.tolist() == [True, False, False], "to another mode than the draws hold, and not foretold"
    assert not known_ways.lead_to(draws, Surrogate(places, 0.3), rows).any()  # type: ignore[arg-type]
    assert len(known_ways.lead_to(draws, Surrogate(places, 0.3), rows[:0])) == 0  # type: ignore[arg-type]


def test_a_way_that_ends_where_the_surrogate_is_sure_no_longer_is_none_however_high_it_has_come() -> None:
    """The flank of a mode that the draws hardly touch may be as high as the posterior's outskirts."""
    draws = draws_of_the_main_mode()
    tail, outskirts, foretold = MAIN.mean + 0.7, MAIN.mean + 0.42, np.array([0])
    way = [tail, MAIN.mean + 0.56, outskirts]
    short, whole = np.array([*way, MAIN.mean + 3.0]), np.array([*way, MAIN.mean + 0.28, MAIN.mean + 0.14, MAIN.mean + 3.0])
    assert draws.holds(outskirts[None], MAIN.logpdf(outskirts[None]).reshape(1) - TOP)[0]
    assert not known_ways.lead_to(draws, Surrogate(short, 0.2), foretold)[0]  # type: ignore[arg-type]
    assert known_ways.lead_to(draws, Surrogate(whole, 0.2), foretold)[0]  # type: ignore[arg-type]


def test_ways_up_lead_to_the_draws_or_to_a_top_of_the_surrogates_own_however_sure_it_is() -> None:
    draws = draws_of_the_main_mode()
    places = np.array([MAIN.mean + 0.7, OTHER.mean - 0.6])
    ends, leads = known_ways.ways_up(draws, Surrogate(places, 0.0), places)  # type: ignore[arg-type]
    assert leads.tolist() == [True, False]
    np.testing.assert_allclose(ends, [MAIN.mean, OTHER.mean], atol=0.05)
