"""One judge of how far data lie from what is predicted: no two places contradict each other."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from bayescope.engine.answer.doubt import doubt_of
from bayescope.engine.answer.predictions.check_words import odds_among
from bayescope.engine.answer.predictions.emulated import OutputBands
from bayescope.engine.answer.predictions.judge import (
    ANY,
    SURPRISING,
    TESTS,
    chances,
    level_of,
    of_any_test,
    surprising,
)
from bayescope.engine.answer.predictions.misfit import Fit
from bayescope.engine.answer.predictions.predictive import Predicted, agreement, at_odds, titles, with_fit
from bayescope.engine.answer.predictions.residuals import Residuals

FITS, LARGE, SMALL = Fit(38.0, 42, 3), Fit(95.0, 42, 3), Fit(12.0, 42, 3)


def column(name: str, share: float, among: int = 1) -> Predicted:
    """One whose data are as scattered as in that share of data sets."""
    line = np.zeros(8)
    bands = OutputBands(line, line, line, line, line, line, np.array([[share, 0.5]]), np.array([1600.0]))
    return Predicted(line, line, np.empty((0, 8)), np.empty(0), "t", name, bands=bands, among=among)


@pytest.mark.parametrize("chi2", [5.0, 20.0, 39.0, 60.0, 95.0])
def test_chances_are_those_of_the_chi_squared_law(chi2: float) -> None:
    assert chances(chi2, 42, 3) == pytest.approx((stats.chi2(39).sf(chi2), stats.chi2(39).cdf(chi2)))


def test_with_no_more_data_than_parameters_only_what_is_impossible_is_too_large() -> None:
    assert all(map(math.isnan, chances(2.0, 3, 3)))
    assert Fit(2.0, 3, 3).level == "unknown"
    assert "cannot tell" in Fit(2.0, 3, 3).words
    assert Fit(400.0, 3, 3).level == "too large", "the verdict doubts such an answer too"
    assert "Not as good as the data allow: χ² 400 of 3 data and 3 parameters, where 3 at most would be expected" in (
        Fit(400.0, 3, 3).words
    )


def test_of_many_columns_one_is_odd_by_chance_and_is_not_accused() -> None:
    assert level_of(0.01, 0.99) == "too large"
    assert level_of(0.01, 0.99, among=10) == "fits"
    assert level_of(0.9999, 1e-4, among=10) == "too small"
    assert level_of(math.nan, math.nan) == "unknown"
    assert not surprising(math.nan)
    odd = sum(
        any(level_of(p, 1.0 - p, 20) != "fits" for p in ps) for ps in np.random.default_rng(3).random((2000, 20))
    )
    assert odd / 2000 == pytest.approx(2.0 * SURPRISING, abs=0.02)
    z = np.linspace(-1.0, 1.0, 8)
    tests = Residuals(z, z, z, np.array([[2.0, 4.6]]), np.array([[0.01, 0.01]]), np.array([2000.0]))
    assert len(tests.surprises()) == 2
    assert tests.surprises(among=4) == []
    assert "as chance gives" in tests.sentences_among(4)[0]


def test_what_one_test_found_is_said_with_how_many_there_are_and_any_of_them_is_odd_as_often_as_said() -> None:
    odd = [of_any_test(min(ps), 5) < ANY for ps in np.random.default_rng(1).random((4000, TESTS * 5))]
    assert np.mean(odd) == pytest.approx(ANY, abs=0.02)
    assert odds_among(0.001, 1600.0, 3) == "1 in 1,000 (up to 1 in 83 for any of 12 tests)"


def test_a_column_that_several_outputs_are_compared_with_is_named_with_each() -> None:
    s, t = (replace(column("s", share, 2), output=name) for share, name in ((0.5, "at 0"), (0.001, "at 60")))
    assert titles([s, t, column("b", 0.5)]) == ["s (at 0)", "s (at 60)", "b"]
    expected, odd = agreement([s, t])
    assert expected == "s (at 0): The data are as expected."
    assert odd.startswith("s (at 60): ")
    assert at_odds([s, t]) == ("s (at 60)",)


@pytest.mark.parametrize("fit", [FITS, LARGE, SMALL])
@pytest.mark.parametrize("share", [0.001, 0.5, 0.999])
def test_a_single_column_is_judged_as_the_best_fit_is_in_the_same_words(fit: Fit, share: float) -> None:
    (one,) = with_fit([column("a", share)], fit)
    assert one.level == fit.level
    assert (one.scattered, one.too_close) == (fit.level == "too large", fit.level == "too small")
    assert agreement([one]) == (("The data are as expected.",) if fit is FITS else (fit.words,))
    assert at_odds([one]) == ()


def test_all_columns_together_are_judged_once_and_none_is_called_as_expected_against_it() -> None:
    both = [column("a", 0.5, 2), column("b", 0.5, 2)]
    assert agreement(with_fit(both, FITS)) == ("a, b: The data are as expected.",)
    assert agreement(with_fit(both, LARGE)) == (f"All together: {LARGE.words}",)
    odd = with_fit([column("a", 0.5, 2), column("b", 0.001, 2)], FITS)
    assert at_odds(odd) == ("b",)
    first, expected, scattered = agreement(odd)
    assert first == f"All together: {FITS.words}"
    assert expected == "a: The data are as expected."
    assert scattered.startswith("b: The data are more scattered")
    assert agreement(with_fit([replace(p, fit=None) for p in odd], None))[0] == expected, "no chi squared is known"


@pytest.mark.parametrize(("misfit", "count"), [(3.5, 30), (2.0, 60), (12.0, 5)])
def test_where_the_verdict_doubts_an_answer_the_fit_is_too_large(misfit: float, count: int) -> None:
    chi2 = misfit**2 * count
    assert doubt_of(misfit, float(stats.chi2(count).sf(chi2))) != "none"
    assert Fit(chi2, count, 4).level == "too large"
