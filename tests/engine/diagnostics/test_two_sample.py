"""The classifier two-sample test against the best accuracy that any classifier can have."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from bayescope.engine.diagnostics.two_sample import classified_rightly


@pytest.mark.parametrize(("d", "shift"), [(1, 0.0), (1, 1.0), (3, 0.5), (6, 0.0), (6, 3.0)])
def test_the_share_told_apart_is_that_of_the_best_classifier(d: int, shift: float) -> None:
    rng = np.random.default_rng(d)
    one, other = rng.standard_normal((2000, d)), rng.standard_normal((1500, d))
    other[:, 0] += shift
    share, error = classified_rightly(one, other, rng)
    assert abs(share - stats.norm.cdf(shift / 2.0)) < 3.0 * error + 0.01
    assert error < 0.01


def test_a_bend_with_the_same_mean_and_covariance_is_seen() -> None:
    rng = np.random.default_rng(5)
    z = rng.standard_normal((2000, 2))
    bent = np.column_stack([z[:, 0], 0.7 * z[:, 1] + 0.5 * (z[:, 0] ** 2 - 1.0)])
    normal = rng.multivariate_normal(bent.mean(0), np.cov(bent.T), 2000)
    assert classified_rightly(normal, bent, rng)[0] > 0.6


def test_copies_in_a_chain_do_not_let_the_classifier_cheat() -> None:
    rng = np.random.default_rng(6)
    chain = np.repeat(rng.standard_normal((200, 2)), 10, axis=0)  # each draw stands ten times, side by side
    assert classified_rightly(rng.standard_normal((2000, 2)), chain, rng)[0] < 0.58
