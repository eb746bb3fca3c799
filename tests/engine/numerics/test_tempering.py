"""Tempered particles against posteriors and evidences that are known in closed form."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.numerics.tempering import tempered

PLACE, SD = np.array([1.2, -0.4, 0.7]), np.array([0.3, 0.05, 0.8])


def log_likelihood(x: np.ndarray) -> np.ndarray:
    return -0.5 * np.square((x - PLACE) / SD).sum(1)


def nothing(x: np.ndarray) -> np.ndarray:
    return np.zeros(len(x))


def test_a_normal_posterior_and_its_evidence_are_found_from_the_prior() -> None:
    evidence = float((np.log(SD) - 0.5 * np.log1p(SD**2) - 0.5 * PLACE**2 / (1 + SD**2)).sum())
    found = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        x, log_z = tempered(rng.standard_normal((256, 3)), log_likelihood, nothing, rng)
        found.append(log_z)
        assert x.mean(0) == pytest.approx(PLACE / (1 + SD**2), abs=5 * SD.max() / 16)
    assert np.mean(found) == pytest.approx(evidence, abs=0.25)
    assert np.std(found) < 0.5


def test_where_it_begins_makes_no_difference_to_where_it_ends() -> None:
    """From a density that is nearer, N(m, 1) over the prior N(0, 1): exp(m x - m^2 / 2)."""
    m, evidence = np.array([1.0, 0.0, 0.5]), float((np.log(SD) - 0.5 * np.log1p(SD**2) - 0.5 * PLACE**2 / (1 + SD**2)).sum())
    rng = np.random.default_rng(9)
    first = m + rng.standard_normal((1024, 3))
    x, log_z = tempered(first, log_likelihood, lambda at: at @ m - 0.5 * m @ m, rng)
    assert log_z == pytest.approx(evidence, abs=0.3)
    assert x.std(0) == pytest.approx(SD / np.sqrt(1 + SD**2), rel=0.15)


def test_two_far_modes_keep_their_shares() -> None:
    def two(x: np.ndarray) -> np.ndarray:
        left, right = (np.log(w) - 0.5 * np.square((x - at) / 0.1).sum(1) for w, at in ((0.25, -1.0), (0.75, 1.0)))
        return np.logaddexp(left, right)

    shares = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        x, _ = tempered(rng.standard_normal((256, 2)), two, nothing, rng)
        shares.append(float((x[:, 0] > 0.0).mean()))
    assert np.mean(shares) == pytest.approx(0.75, abs=0.08)
