"""What is said of modes that did not show: the same in the session, in Python, and in the report's words."""

import numpy as np
import pytest
from scipy import stats

from bayescope.engine import infer
from bayescope.engine.answer.unseen import CURVE, LEFT_OPEN, MASS, Claim, Further, chance_left, claim_of, unseen_modes
from bayescope.engine.numerics.unseen_modes import CENTRES, EXCLUDED
from bayescope.engine.problem.transforms import ParameterSpace

UNIT = ParameterSpace.from_bounds(["a", "b"], -np.inf, np.inf, [0.0, 10.0], [1.0, 30.0])


def test_the_claim_does_not_depend_on_the_units_of_the_parameters():
    rng = np.random.default_rng(3)
    theta, y = rng.random((30, 2)), -200 * np.square(rng.random((30, 2))).sum(1)
    wide = ParameterSpace.from_bounds(["a", "b"], -np.inf, np.inf, [0.0, 0.0], [1.0, 1.0])
    one = unseen_modes(wide, theta, y, np.zeros(30), 0.3)
    scaled = unseen_modes(UNIT, theta * [1, 20] + [0, 10], y - np.log(20), np.zeros(30), 0.3)
    assert one is not None
    assert scaled is not None
    assert [one.unseen(w, MASS) for w in (0.02, 0.05)] == [scaled.unseen(w, MASS) for w in (0.02, 0.05)]


def test_failed_and_impossible_runs_rule_nothing_out_and_without_values_nothing_is_said():
    theta, y = np.array([[0.5, 20.0], [0.1, 12.0], [0.9, 28.0]]), np.array([1.0, np.nan, -np.inf])
    with_them, without = (unseen_modes(UNIT, theta[:m], y[:m], np.zeros(m), 0.0) for m in (3, 1))
    assert with_them is not None
    assert without is not None
    assert with_them.unseen(0.03, MASS) == without.unseen(0.03, MASS)
    assert unseen_modes(UNIT, theta[1:], y[1:], np.zeros(2), 0.0) is None
    assert unseen_modes(UNIT, theta, y, np.zeros(3), np.nan) is None


def test_the_sentence_names_the_modes_found_and_the_probabilities_by_width():
    claim = Claim(1, ((0.08, 0.952), (0.05, 0.41), (0.03, 0.0001)), CURVE, np.ones_like(CURVE))
    assert claim.words == (
        "No second mode was found. One at least 8 % of the plausible ranges wide (its standard deviation) with over a tenth of "
        "the posterior would have shown with probability 0.95; at 5 % 0.41; at 3 % below 0.01."
    )
    assert Claim(2, claim.stated, CURVE, claim.unseen).words.startswith(
        "Two modes were found. A further one at least 8 %"
    )
    assert Further(40, 0.05, 0.41, 0.82).words == (
        "Look further: 40 more runs bring modes that are 5 % wide from 0.41 to about 0.82."
    )


def test_infer_says_what_it_could_have_missed():
    target = stats.multivariate_normal([0.4, 20.0], [0.01, 4.0])
    found = infer(target.logpdf, plausible=[(0, 1), (10, 30)], max_evaluations=40, seed=1)
    assert found.claim is not None
    assert found.claim.modes == 1
    assert found.claim.words.startswith("No second mode was found.")
    assert 0.0 <= found.unseen(0.12) < 0.05 < found.unseen(0.005) <= 1.0
    assert found.unseen(0.03) <= found.history[0].unseen(0.03)
    with pytest.raises(ValueError, match="width"):
        found.unseen(-1.0)
    assert found.modes is not None
    (mode,) = found.modes
    assert (mode.name, mode.mass, found.modes.words) == ("1", 1.0, ())
    assert np.allclose(mode.mean, [0.4, 20.0], atol=[0.05, 1.0])
    assert mode.best is not None
    assert mode.best.log_density == pytest.approx(target.logpdf(mode.best.theta), abs=1e-6)


def test_what_is_stated_holds_for_all_wider_modes():
    rng = np.random.default_rng(8)
    theta = rng.random((40, 2)) * [1, 20] + [0, 10]
    y = stats.multivariate_normal([0.4, 18.0], [0.01, 4.0]).logpdf(theta)
    found = unseen_modes(UNIT, theta, y, np.zeros(40), 0.0)
    assert found is not None
    claim = claim_of(found, (np.ones(1), np.array([[0.4, 18.0]]), np.diag([0.01, 4.0])[None]))
    widest, seen = claim.stated[0]
    assert all(1 - found.unseen(w, MASS) >= seen for w in (0.05, 0.08, 0.12) if w >= widest)
    assert [w for w, _ in claim.stated] == sorted((w for w, _ in claim.stated), reverse=True)


def test_what_learnt_outputs_exclude_is_unseen_no_more_often_than_they_are_wrong():
    theta, y = np.random.default_rng(3).random((30, 2)) * [1, 20] + [0, 10], np.full(30, -9.0)
    kept = {LEFT_OPEN: np.arange(CENTRES // 4, dtype=float)}
    alone, learnt = (unseen_modes(UNIT, theta, y, np.zeros(30), 0.0, arrays=a) for a in ({}, kept))
    assert alone is not None
    assert learnt is not None
    left = ~alone.ruled_out(0.02, MASS)
    open_ = np.arange(CENTRES) < CENTRES // 4
    expected = (left & open_).mean() + EXCLUDED * (left & ~open_).mean()
    assert learnt.unseen(0.02, MASS) == pytest.approx(expected)
    claims = [claim_of(f, (np.ones(1), np.array([[0.4, 18.0]]), np.diag([0.01, 4.0])[None])) for f in (alone, learnt)]
    assert [" learnt outputs " in claim.words for claim in claims] == [False, True]


@pytest.mark.parametrize("rows", [[-1.0], [CENTRES], [np.nan], [[1.0]]])
def test_damaged_rows_of_places_left_open_say_nothing(rows):
    assert chance_left({LEFT_OPEN: np.array(rows)}) is None
