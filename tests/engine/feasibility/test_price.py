"""What runs without a value cost: looks and choices keep away from where they fail, the more so the more have."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from bayescope.engine.feasibility.classifier import AFFORDED, Feasibility
from bayescope.engine.feasibility.share import Share
from bayescope.engine.surrogate.frames import Whitening

HERE, THERE = np.array([[-1.0, 0.0]]), np.array([[1.5, 0.0]])


def of(n: int, failed: int) -> Feasibility:
    """Runs fail where the first coordinate is above a half."""
    rng = np.random.default_rng(0)
    points = rng.uniform(-2.0, 2.0, (50 * n, 2))
    fails = points[:, 0] > 0.5
    bad = points[fails][:failed]
    return Feasibility(Whitening.none(2), points[~fails][: n - failed], np.empty((0, 2)), bad)


def test_places_where_runs_fail_are_not_worth_a_look() -> None:
    known = of(30, 3)
    assert known.may_give_value(HERE).all()
    assert not known.may_give_value(THERE).any()
    assert known.may_be_possible(THERE).all(), "the density may well be there"


def test_the_price_grows_with_the_share_of_runs_that_gave_nothing() -> None:
    few, many = of(40, 2), of(40, 16)
    assert few.price == 1.0
    assert few.affordable
    assert many.price == pytest.approx(stats.beta(16.5, 24.5).ppf(0.05) / AFFORDED, rel=0.1)  # surely so many
    assert not many.affordable
    ratio = float(many.log_worth(THERE)[0] / few.log_worth(THERE)[0])
    assert ratio > 1.5


def test_an_interval_grows_by_what_is_not_known_of_the_density_where_runs_fail() -> None:
    share = Share(0.2, 0.15, 0.25)
    wider = share.widened(0.3)
    assert wider.mean == share.mean
    assert 0.0 < wider.low < share.low < share.high < wider.high < 1.0
    assert share.widened(0.0).high == pytest.approx(share.high)
    assert Share(0.0, 0.0, 0.1).widened(1.0).high == pytest.approx(0.1), "nothing is said of nothing"
    assert Share(0.2, 0.0, 0.25).widened(0.3).low == 0.0


def test_a_share_by_the_map_gives_way_to_draws_from_the_posterior_that_failed_oftener_than_it_allows() -> None:
    said = Share(0.01, 0.0, 0.02)
    found = said.with_draws(1.0, 5)
    assert found.high == pytest.approx(stats.beta(1.5, 4.5).ppf(0.95))
    assert found.mean == pytest.approx(0.25)
    assert said.with_draws(0.1, 5) is said, "it failed by chance"
    wide = Share(0.05, 0.0, 0.2)
    assert wide.with_draws(1.0, 5) is wide, "as many as it allows"
