"""What outcomes say of where a border is, against draws of the exact posterior; and lengths averaged over."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from bayescope.engine.feasibility import success_map
from bayescope.engine.feasibility.classifier import Feasibility
from bayescope.engine.feasibility.length_average import MOST_RUNS, LengthAverage
from bayescope.engine.feasibility.success_process import NARROW, Begun
from bayescope.engine.methods.default.bordering import OPEN_EDGE, open_words
from bayescope.engine.numerics.success_kernel import SuccessKernel
from bayescope.engine.surrogate.frames import Whitening

Array = np.ndarray


def half_plane(n: int, seed: int = 0) -> tuple[Array, np.ndarray]:
    x = np.random.default_rng(seed).uniform(-2, 2, (n, 2))
    return x, x[:, 0] + 0.5 * x[:, 1] < 0.5


def test_means_and_sds_are_those_of_the_exact_posterior() -> None:
    """Of a border on a line, known by importance sampling from the prior: mean-field sds there are half of it."""
    x = np.array([[-1.5], [-0.6], [0.7], [1.4]])
    good = x[:, 0] < 0.0
    kernel = SuccessKernel(np.array([1.5]), 2.0, 0.5)
    at = np.concatenate([x, [[0.0], [2.0]]])
    k = kernel(at, at)
    prior = np.random.default_rng(2).standard_normal((2_000_000, 6)) @ np.linalg.cholesky(k + 1e-9 * np.eye(6)).T
    weights = np.exp(special.log_expit(np.where(good, 1.0, -1.0) * prior[:, :4]).sum(1))
    weights /= weights.sum()
    true = weights @ prior
    spread = np.sqrt(weights @ np.square(prior - true))
    mean, sd = Begun.of(kernel, x, good, by_chance=False).with_moments().log_odds(at)
    assert mean == pytest.approx(true, abs=0.15 * float(spread.max()))
    assert sd == pytest.approx(spread, rel=0.1)


@pytest.mark.parametrize("seed", range(3))
def test_the_share_beyond_a_border_lies_where_its_functions_say_it_does(seed: int) -> None:
    x, good = half_plane(24, seed)
    at, inside = half_plane(400, 100 + seed)
    found = success_map.fitted(x[good], x[~good])
    shares = (found.functions(at, 400, np.random.default_rng(seed)) > 0.0).mean(1)
    assert abs(shares.mean() - inside.mean()) < 3.0 * shares.std() + 0.01
    assert shares.std() < 0.1


def test_moments_are_not_widened_as_mean_field_sds_are() -> None:
    x, good = half_plane(30)
    kernel = SuccessKernel(np.array([1.0, 1.0]), 8.0, 1.0)
    assert Begun.of(kernel, x, good, by_chance=False).with_moments().widened == 1.0
    assert Begun.of(kernel, x, good, by_chance=True).settled().widened == NARROW


def by_place_alone(good: Array, failed: Array) -> object:
    """The one explanation where nothing can fail by chance, as of zero densities."""
    fits = success_map.refitted(good, failed, {}, (False,))
    return success_map.SuccessMap.of(good, failed, fits).parts[0]


def test_few_runs_leave_the_lengths_open_and_many_do_not() -> None:
    parts = []
    for count in (8, MOST_RUNS + 1):
        x, good = half_plane(count)
        part = by_place_alone(x[good], x[~good])
        assert isinstance(part, LengthAverage)
        assert part.weights.sum() == pytest.approx(1.0)
        parts.append(part)
    few, many = parts
    assert len(few.processes) > 1
    assert len(many.processes) == 1


def test_an_average_over_lengths_lies_between_them() -> None:
    x, good = half_plane(8)
    at, _ = half_plane(50, 3)
    part = by_place_alone(x[good], x[~good])
    assert isinstance(part, LengthAverage)
    each = np.exp([p.log_allowed(at) for p in part.processes])
    mean = np.exp(part.log_allowed(at))
    assert np.all((mean >= each.min(0) - 1e-12) & (mean <= each.max(0) + 1e-12))
    assert part.functions(at, 200, np.random.default_rng(0)).shape == (200, 50)


def of_a_half_plane(count: int) -> tuple[Feasibility, Array]:
    x, good = half_plane(count)
    at, _ = half_plane(2000, 9)
    return Feasibility(Whitening.none(2), x[good], x[~good], np.empty((0, 2))), at


def test_the_mass_on_the_wrong_side_of_a_border_shrinks_as_runs_tell_where_it_is() -> None:
    maps = of_a_half_plane(8), of_a_half_plane(90)
    few, many = (known._borders(at, known.log_possible(at)).wrong for known, at in maps)
    assert many < 0.5 * few
    assert 0.0 < few < 0.5
    for known, at in maps:
        wrong, sd = known._borders(at, known.log_possible(at)).wrong, known.evidence_sd(at, known.log_possible(at))
        assert known.left_open(at, known.log_possible(at)) == max(wrong, sd)


def test_no_mass_is_on_the_wrong_side_where_the_density_is_zero_nowhere() -> None:
    x, _ = half_plane(10)
    known = Feasibility(Whitening.none(2), x, np.empty((0, 2)), np.empty((0, 2)))
    assert known.left_open(x, np.zeros(10)) == 0.0


def test_an_open_border_is_told_with_both_figures() -> None:
    assert open_words(0.5 * OPEN_EDGE) == ()
    (said,) = open_words(0.09)
    assert "9 %" in said
    assert "6 % is allowed" in said


def test_zero_densities_that_no_border_accounts_for_are_in_the_sd_of_the_evidence() -> None:
    x = np.random.default_rng(4).uniform(-2, 2, (80, 2))
    lost = np.random.default_rng(5).random(80) < 0.1
    known = Feasibility(Whitening.none(2), x[~lost], x[lost], np.empty((0, 2)))
    assert known.evidence_sd(x, known.log_possible(x)) > 0.04
