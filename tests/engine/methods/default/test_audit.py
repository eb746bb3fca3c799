"""Where an answer with several modes is checked, and what the checks say of its evidence."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.feasibility.classifier import Feasibility
from bayescope.engine.methods.default.audit import (
    FEWEST_IN_MODE,
    from_each_mode,
    oftener_where_unsure,
    where_runs_succeed,
)
from bayescope.engine.methods.default.certification import MOST_RETURNS, Certification, Checked
from bayescope.engine.sampling.population_monte_carlo import PosteriorDraws
from bayescope.engine.sampling.proposal import Proposal, base_points
from bayescope.engine.surrogate.frames import Whitening

APART = Proposal(np.array([0.9, 0.1]), np.array([[-5.0, 0.0], [5.0, 0.0]]), np.repeat(np.eye(2)[None] * 0.1, 2, axis=0))


def draws_of(mixture: Proposal) -> PosteriorDraws:
    points = mixture.from_uniforms(base_points(2, 4096, 1))
    log_density = np.logaddexp.reduce(mixture.log_parts(points), axis=1)
    return PosteriorDraws(points, np.zeros(len(points)), log_density, 0.0, 1.0, 1.0, mixture)


def test_a_light_mode_is_checked_as_well_and_its_checks_count_as_its_mass():
    draws = draws_of(APART)
    rng = np.random.default_rng(1)
    rows, share = from_each_mode(draws, APART, rng.choice(len(draws.points), 7), draws.weights, rng)
    light = draws.points[rows, 0] > 0.0
    assert light.sum() == FEWEST_IN_MODE
    assert light[: len(rows) // 2].any()
    assert not light[: len(rows) // 2].all()
    assert share[light].mean() * light.mean() == pytest.approx(0.1, abs=0.01)
    assert share.mean() == pytest.approx(1.0)


def test_one_mode_is_checked_at_the_draws_themselves():
    one = Proposal(np.ones(1), np.zeros((1, 2)), np.eye(2)[None])
    drawn = np.array([5, 9, 2])
    draws = draws_of(one)
    rows, share = from_each_mode(draws, one, drawn, draws.weights, np.random.default_rng(1))
    np.testing.assert_array_equal(rows, drawn)
    np.testing.assert_array_equal(share, np.ones(3))


def test_draws_where_runs_are_known_to_fail_are_passed_over_and_counted():
    """A posterior of which 16 % lies in a half-plane where runs fail."""
    rng = np.random.default_rng(3)
    runs = rng.uniform(-2.0, 2.0, (80, 2))
    lost = runs[:, 0] > 0.5
    possible = Feasibility(Whitening.of_moments(np.zeros(2), 0.25 * np.eye(2)), runs[~lost], np.empty((0, 2)), runs[lost])
    points = 0.5 * rng.standard_normal((4000, 2))
    nothing = np.zeros(len(points))
    one = Proposal(np.ones(1), np.zeros((1, 2)), 0.25 * np.eye(2)[None])
    draws = PosteriorDraws(points, nothing, nothing, 0.0, 1.0, 1.0, one)
    asked, passed = where_runs_succeed(draws, possible)
    kept = asked.weights > 0.0
    assert points[kept, 0].max() < 0.8
    assert kept[points[:, 0] < 0.3].mean() > 0.98
    assert passed == pytest.approx((~kept).mean() / kept.mean())
    assert 0.1 < passed < 0.25
    alike, none = where_runs_succeed(draws, Feasibility(possible.whitening, runs, np.empty((0, 2)), np.empty((0, 2))))
    assert alike is draws
    assert none == 0.0


def test_draws_that_are_hardly_known_are_checked_oftener_which_leaves_the_check_right_and_makes_it_more_exact():
    rng = np.random.default_rng(4)
    draws = draws_of(APART)
    sd = np.where(rng.random(len(draws.points)) < 0.05, 0.4, 0.01)
    found, stated = {}, {}
    for name, often in (("plain", draws.weights), ("oftener", oftener_where_unsure(draws.weights, sd))):
        assert often.sum() == pytest.approx(1.0)
        assert (draws.weights / often).max() <= 2.0
        checks = []
        for _ in range(150):
            drawn = rng.choice(len(draws.points), size=10, p=often)
            rows, share = from_each_mode(draws, APART, drawn, often, rng)
            c = Certification.of(draws.points[rows], np.zeros((0, 2)), share=share)
            for k, row in enumerate(rows):
                c.add(k, 0.1 + sd[row] * rng.standard_normal())
            checks.append(c.verdict(2)[1:])
        correction, se = np.array(checks).T
        found[name], stated[name] = correction - 0.1, np.sqrt(np.mean(se**2))
    assert np.std(found["oftener"]) < 0.75 * np.std(found["plain"])
    assert abs(np.mean(found["oftener"])) < 0.04
    for name, errors in found.items():
        assert stated[name] == pytest.approx(np.std(errors), rel=0.35)


def test_an_underfilled_mode_corrects_the_evidence_by_what_it_lacks_and_survives_a_stored_session():
    """Half of a tenth is missing: Z is .05 too small."""
    c = Certification.of(np.zeros((10, 2)), np.zeros((0, 2)), share=np.array([0.9 / 7] * 7 + [0.1 / 3] * 3))
    for k in range(10):
        c.add(k, np.log(1.5) if c.share[k] < 0.05 else 0.0)
        c = Certification.of_state(c.to_state())
    accepted, correction, _ = c.verdict(2)
    assert correction == pytest.approx(np.log(0.9 + 0.1 * 1.5))
    assert accepted


def test_draws_that_miss_by_more_than_the_surrogate_states_widen_its_sd_and_one_draw_says_nothing():
    def said(misses: list[float], own: float = float("nan")) -> Checked | None:
        c = Certification.of(np.zeros((len(misses), 2)), np.zeros((0, 2)))
        c.log_z, c.own = -3.0, own
        for k, miss in enumerate(misses):
            c.add(k, 0.01 * miss, 0.01)
            c = Certification.of_state(c.to_state())
        return c.checked(2)

    assert said([2.0]) is None
    calm, off = said([0.5, -0.5, 0.2]), said([3.0, -5.0, 4.0])
    outputs = said([0.5, -0.5, 0.2], own=0.1)
    assert outputs is not None
    assert outputs.scale == pytest.approx(np.sqrt(3.54 / 6.0))
    assert calm is not None
    assert off is not None
    assert calm.scale == 1.0  # never surer than stated
    assert off.scale == pytest.approx(np.sqrt((3.0 + 50.0) / 6.0))
    assert off.log_z == pytest.approx(-3.0 + np.log(np.exp([0.03, -0.05, 0.04]).mean()))


def test_a_check_that_only_tails_speak_against_is_gone_on_with_at_other_tails_keeping_what_the_draws_told():
    c = Certification.of(np.arange(10.0).reshape(5, 2), np.full((3, 2), -1.0), share=np.linspace(0.8, 1.2, 5))
    c = c.with_reserve(np.full((4, 2), 7.0), np.ones(4))
    c.log_z = -3.0
    while not c.decided(3):
        position, c.asked = c.asked, c.asked + 1
        c.add(position, 4.0 if c.tail[position] else 0.01 * position, 0.1)
    assert c.lacks_tails_alone(3)
    assert not c.verdict(3)[0]
    known = len(c.residuals)
    assert 0 < known < 5
    again = Certification.of_state(c.again_in_tails(np.full((3, 2), -2.0)).to_state())
    assert (again.asked, again.told, again.wanted, again.reserve, again.returns) == (known, known, 8, 4, 1)
    assert (again.residuals, again.misses, again.log_z) == (c.residuals, c.misses, -3.0)
    np.testing.assert_array_equal(again.points[again.tail], np.full((3, 2), -2.0))
    drawn = again.points[: again.wanted][~again.tail[: again.wanted]]
    np.testing.assert_array_equal(np.sort(drawn[:, 0]), [0.0, 2.0, 4.0, 6.0, 8.0])  # every draw once
    share = dict(zip([0.0, 2.0, 4.0, 6.0, 8.0], np.linspace(0.8, 1.2, 5), strict=True))
    np.testing.assert_allclose(again.share[: again.wanted][~again.tail[: again.wanted]], [share[x] for x in drawn[:, 0]])
    while not again.decided(3):
        position, again.asked = again.asked, again.asked + 1
        again.add(position, 0.0, 0.1)
    assert again.verdict(3)[0]
    assert not again.lacks_tails_alone(3)


def test_no_check_returns_to_tails_for_ever_or_where_draws_are_wrong_too():
    def refused(draw: float, returns: int = 0) -> Certification:
        c = Certification.of(np.zeros((5, 2)), np.ones((2, 2)))
        c.returns = returns
        for position in range(4):
            c.add(position, 4.0 if c.tail[position] else draw, 0.1)
        return c

    assert refused(0.0).lacks_tails_alone(3)
    assert not refused(1.0).lacks_tails_alone(3)
    assert not refused(0.0, MOST_RETURNS).lacks_tails_alone(3)
