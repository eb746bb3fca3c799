"""Failures in thin sheets: against plain importance sampling, and what shells are taken for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import special

from bayescope.engine.feasibility import sheets
from bayescope.engine.feasibility.classifier import Feasibility
from bayescope.engine.feasibility.sheets import Sheets
from bayescope.engine.feasibility.success_map import SuccessMap, fitted
from bayescope.engine.numerics.quadrics import monomials
from bayescope.engine.surrogate.frames import Whitening

RADIUS, HALF = 1.3, 0.15  # of a shell, in posterior sds


def shell(x: np.ndarray) -> np.ndarray:
    return np.abs(np.linalg.norm(x, axis=1) - RADIUS) < HALF


def disk(x: np.ndarray) -> np.ndarray:
    return np.linalg.norm(x - np.array([1.1, -0.6]), axis=1) < 0.9


def half_plane(x: np.ndarray) -> np.ndarray:
    return x[:, 0] - x[:, 1] > 1.1


def outcomes(fails, seed: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    x = np.random.default_rng(seed).standard_normal((count, 2)) * 1.2
    return x[~fails(x)], x[fails(x)]


def from_the_prior(good: np.ndarray, failed: np.ndarray, at: np.ndarray, count: int = 300_000) -> tuple[float, np.ndarray]:
    """Log evidence and probabilities of success at places by draws of the prior, weighted; gradients by small steps."""
    rng = np.random.default_rng(0)
    center = np.median(good, axis=0)
    scale = 1.4826 * np.median(np.abs(good - center), axis=0)
    c, w = rng.standard_normal((count, 6)), np.exp(np.log(0.25) + 0.7 * rng.standard_normal(count))

    def q(x: np.ndarray) -> np.ndarray:
        a, b = ((x - center) / scale).T[:, :, None]
        return c[:, 0] + a * c[:, 1] + b * c[:, 2] + a * a * c[:, 3] + a * b * c[:, 4] + b * b * c[:, 5]

    def works(x: np.ndarray) -> np.ndarray:
        slope = [(q(x + 1e-4 * scale * e) - q(x - 1e-4 * scale * e)) / 2e-4 for e in np.eye(2)]
        return 0.01 + 0.98 * special.expit(8.0 * (np.abs(q(x)) / np.hypot(*slope) / w - 1.0))

    log_w = np.zeros(count)
    for x, told in [(x, True) for x in good] + [(x, False) for x in failed]:
        p = works(x[None])[0]
        log_w += np.log(p if told else 1.0 - p)
    weights = special.softmax(log_w)
    assert 1.0 / np.square(weights).sum() > 200, "enough of the draws count"
    return float(special.logsumexp(log_w) - np.log(count)), np.array([works(x[None])[0] @ weights for x in at])


def test_evidence_and_probabilities_are_those_of_weighted_draws_of_the_prior(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "PARTICLES", 4000)
    good, failed = (part[:count] for part, count in zip(outcomes(shell, 5, 20), (6, 3), strict=True))
    at = np.random.default_rng(1).uniform(-2.0, 2.0, (12, 2))
    evidence, expected = from_the_prior(good, failed, at)
    found = Sheets.of(good, failed)
    assert found is not None
    assert found.evidence == pytest.approx(evidence, abs=0.25)
    assert np.exp(found.log_allowed(at)) == pytest.approx(expected, abs=0.06)


def test_the_same_runs_give_the_same_sheets() -> None:
    one, other = (Sheets.of(*outcomes(shell, 4, 30)) for _ in range(2))
    assert one is not None
    assert other is not None
    np.testing.assert_array_equal(one.coefficients, other.coefficients)


def test_a_sheet_of_less_evidence_than_is_asked_is_given_up_and_any_other_is_as_it_was() -> None:
    runs = outcomes(shell, 4, 30)
    found = Sheets.of(*runs)
    assert found is not None
    assert Sheets.of(*runs, least=found.evidence + 0.01) is None
    same = Sheets.of(*runs, least=found.evidence - 0.01)
    assert same is not None
    np.testing.assert_array_equal(same.coefficients, found.coefficients)


def test_failed_runs_through_which_any_sheet_goes_and_next_to_no_values_speak_of_none() -> None:
    good, failed = outcomes(shell, 4, 30)
    assert Sheets.of(good, failed[:2]) is None
    beside = failed[:2].repeat(4, axis=0) + 1e-3 * np.random.default_rng(0).standard_normal((8, 2))
    assert Sheets.of(good, beside) is None, "runs side by side are one place"
    assert Sheets.of(good[:2], failed) is None
    assert Sheets.of(np.zeros((5, 2)), failed) is None


def weight(found: SuccessMap) -> float:
    return float(sum(w for w, part in zip(found.weights, found.parts, strict=True) if isinstance(part, Sheets)))


def test_a_shell_is_told_from_a_region_and_regions_from_sheets() -> None:
    for seed in range(4):
        assert weight(fitted(*outcomes(shell, seed, 60))) > 0.9
        for region in (disk, half_plane):
            assert weight(fitted(*outcomes(region, seed, 60))) < 0.5


@pytest.mark.loops
def test_a_sheet_beside_which_runs_succeed_on_one_side_alone_is_a_region() -> None:
    """Unlike those of a shell, around which values lie on both sides of where q is zero."""
    for region in (disk, half_plane):
        assert max(weight(fitted(*outcomes(region, seed, 60))) for seed in range(4)) < 0.25
    good, failed = outcomes(shell, 2, 60)
    found = Sheets.of(good, failed)
    assert found is not None
    z = (good - found.center) / found.scale
    q = found.coefficients @ (monomials(z) @ found.basis).T
    assert (q.min(1) < 0.0).all()
    assert (q.max(1) > 0.0).all()


def disputed(found: SuccessMap, weights: tuple[float, float]) -> SuccessMap:
    """Between a region and the sheets of ``found``, of these weights."""
    part = next(part for part in found.parts if isinstance(part, Sheets))
    return replace(found, parts=(found.region, part), weights=np.array(weights))


def test_a_sheet_and_a_region_that_both_may_be_are_disputed_where_they_differ_and_else_nowhere() -> None:
    found, at = fitted(*outcomes(shell, 2, 60)), np.random.default_rng(1).standard_normal((500, 2))
    both = disputed(found, (0.5, 0.5))
    region, sheet = (np.exp(part.log_allowed(found.frame.into(at))) for part in both.parts)
    np.testing.assert_allclose(both.disputed(at), np.abs(region - sheet))
    for weights in ((0.97, 0.03), (0.02, 0.98)):
        assert not disputed(found, weights).disputed(at).any()


def test_the_next_run_tells_a_sheet_from_a_region_before_any_border_is_asked_and_not_twice_at_once() -> None:
    good, lost = outcomes(shell, 2, 60)
    draws, even = np.random.default_rng(1).standard_normal((500, 2)), np.full(500, 1.0 / 500)
    nowhere, rng = np.empty((0, 2)), np.random.default_rng(0)
    both = disputed(fitted(good, lost), (0.6, 0.4))
    most = int(both.disputed(draws).argmax())
    assert both.disputed(draws)[most] > 0.5
    known = Feasibility(Whitening.none(2), good, lost, nowhere)
    object.__setattr__(known, "_possible", both)
    assert known.tells_of_border(draws, nowhere, rng).argmax() == most
    assert known.tells_of_border(draws, draws[[most]], rng)[most] == 0.0, "that run is under way"
    runs = Feasibility(Whitening.none(2), good, nowhere, lost)
    object.__setattr__(runs, "_runs", both)
    place = runs.place_in_question(draws, even, rng)
    assert place is not None
    assert both.disputed(place[None])[0] > 0.5


def test_the_share_of_a_shell_is_in_its_interval_and_looks_go_along_it() -> None:
    draws = np.random.default_rng(1).standard_normal((4000, 2))
    even = np.full(len(draws), 1.0 / len(draws))
    held = 0
    for seed in range(6):
        good, failed = outcomes(shell, 20 + seed, 45)
        known = Feasibility(Whitening.none(2), good, np.empty((0, 2)), failed)
        share = known.failing_share(draws, even)
        held += share.low <= shell(draws).mean() <= share.high
        assert share.high - share.low < 0.2
        place = known.place_in_question(draws, even, np.random.default_rng(seed))
        assert place is not None
        assert np.abs(np.linalg.norm(place) - RADIUS) < 0.6
    assert held >= 5


def test_a_shell_of_zero_density_is_cut_out() -> None:
    good, impossible = outcomes(shell, 3, 70)
    known = Feasibility(Whitening.none(2), good, impossible, np.empty((0, 2)))
    draws = np.random.default_rng(1).standard_normal((4000, 2))
    left = draws[np.log(np.random.default_rng(2).random(len(draws))) < known.log_possible(draws)]
    assert shell(draws).mean() > 0.15
    assert shell(left).mean() < 0.06
    assert len(left) / len(draws) == pytest.approx(1.0 - shell(draws).mean(), abs=0.04)


def test_a_failure_far_from_every_sheet_may_be_by_chance_and_one_in_it_is_not() -> None:
    good, failed = outcomes(shell, 5, 60)
    found = Sheets.of(good, np.concatenate([failed, [[0.0, 0.05]]]))
    assert found is not None
    assert found.failed_by_chance[-1] > 0.5
    assert np.median(found.failed_by_chance[:-1]) < 2.0 * sheets.ERROR
