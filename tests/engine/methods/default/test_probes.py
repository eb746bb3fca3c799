"""Probes: tails that draws do not show, and places the surrogate cannot rule out."""

from __future__ import annotations

from dataclasses import replace

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from scipy import stats

from bayescope.engine.acquisition import probes
from bayescope.engine.feasibility.classifier import Feasibility
from bayescope.engine.loop_interface import LoopSettings, Tell
from bayescope.engine.methods.ask_tell import AskTellLoop
from bayescope.engine.methods.default import certification
from bayescope.engine.methods.default.certification import Certification
from bayescope.engine.methods.default.certified import take_check
from bayescope.engine.methods.default.judging import judge
from bayescope.engine.methods.default.loop import DefaultMethod
from bayescope.engine.sampling.guarded_density import Hull
from bayescope.engine.sampling.population_monte_carlo import weighed
from bayescope.engine.sampling.proposal import Proposal, base_points
from bayescope.engine.surrogate.frames import Whitening
from bayescope.engine.surrogate.quadratic.kernel import Frames, Kernel, prior_of
from bayescope.engine.surrogate.quadratic.posterior import QuadraticSurrogate

Array = np.ndarray


def run(log_density, box: float, d: int, budget: int, *, stop: bool = True) -> AskTellLoop:  # type: ignore[no-untyped-def]
    settings = LoopSettings(
        plausible_lower=np.full(d, -box),
        plausible_upper=np.full(d, box),
        seed=4,
        max_evaluations=budget,
        options={"stop": stop},
    )
    loop = AskTellLoop(DefaultMethod(settings))
    while not loop.finished:
        for a in loop.ask(1):
            loop.tell(Tell(a.index, a.u, float(log_density(a.u)), 0.0))
    loop.update()
    return loop


@pytest.fixture(scope="module")
def gaussian() -> AskTellLoop:
    return run(lambda u: -0.5 * (u**2).sum(), 2.0, 2, 25, stop=False)


@pytest.mark.loops
def test_tail_points_lie_where_the_mean_has_fallen_by_the_drop(gaussian: AskTellLoop) -> None:
    loop, rng = gaussian, np.random.default_rng(0)
    assert loop.method.surrogate is not None
    assert loop.method.draws is not None
    drops = np.array([3.0, 5.0, 5.0, 6.0])
    starts = loop.method.draws.points[loop.method.draws.resample(4, rng)]
    box = (loop.method.hull.lower, loop.method.hull.upper)
    far = probes.tail_points(loop.method.surrogate.mean, starts, loop.method.draws.moments()[1], box, drops, rng)
    u = loop.method.box.back(far)
    assert far.shape == (4, 2)
    fallen = np.square(u).sum(1) / 2  # from the top of the density; the tops of the lines lie lower, at posterior draws
    assert np.all(fallen > drops - 0.1)
    assert np.all(fallen < drops + 8.0)


def test_the_tail_excess_is_nothing_for_right_tails_and_the_missing_mass_for_heavy_ones() -> None:
    rng = np.random.default_rng(1)
    assert probes.tail_excess(rng.normal(0.0, 0.02, 6), 5.0, 6) < 0.002
    # a surrogate that takes Student-t (nu = 4) factors for the Gaussians they look like near their tops
    d, nu = 6, 4.0
    curvature = (nu + 1) / nu
    x = np.sqrt(2 * 5.0 / curvature)  # where the Gaussian has fallen by 5
    residual = stats.t.logpdf(x, nu) - stats.t.logpdf(0, nu) + 5.0
    gaussian_mass = np.exp(stats.t.logpdf(0, nu)) * np.sqrt(2 * np.pi / curvature)
    missing = 1.0 - gaussian_mass**d
    found = probes.tail_excess(np.full(4, residual), 5.0, d)
    assert 0.3 * missing < found < 3.0 * missing


def check(draws: int, tails: int, told_draws: list[float | None], told_tails: list[float | None]) -> Certification:
    """A check of so many points in six parameters, the first of each kind told."""
    c = Certification.of(np.zeros((draws, 6)), np.ones((tails, 6)))
    for positions, told in ((np.flatnonzero(~c.tail), told_draws), (np.flatnonzero(c.tail), told_tails)):
        for position, residual in zip(positions, told, strict=False):
            c.add(int(position), residual)
    return c


def test_certification_refuses_missing_tails_that_no_draw_shows() -> None:
    small: list[float | None] = [0.01, -0.02, 0.0, 0.03, -0.01]
    assert check(5, 3, small, [0.1, -0.2, 0.2]).verdict(6)[0]
    accepted, _, se = check(5, 3, small, [1.5, 2.5, 1.0]).verdict(6)
    assert not accepted
    assert se > certification.TAIL_LIMIT


def test_a_failed_check_is_counted_and_adds_no_residual() -> None:
    c = check(3, 2, [0.1, None, 0.2], [0.3, None])
    assert c.complete
    assert (c.residuals, c.tail_residuals) == ([0.1, 0.2], [0.3])


def test_draws_and_tail_points_are_asked_evenly_mixed() -> None:
    c = Certification.of(np.zeros((8, 6)), np.ones((4, 6)))
    assert np.array_equal(c.points[:, 0] == 1.0, c.tail)
    assert [int(c.tail[:k].sum()) for k in (3, 6, 9, 12)] == [1, 2, 3, 4]


def test_half_of_the_checks_are_enough_when_they_are_far_better_than_asked() -> None:
    tiny: list[float | None] = [0.01, -0.01, 0.0, 0.01, 0.0]
    assert check(8, 4, tiny, [0.0, 0.0]).decided(6)
    assert not check(8, 4, tiny[:3], [0.0, 0.0, 0.0]).decided(6)  # too few draws
    assert not check(8, 4, [0.03, -0.03, 0.02, -0.02], [0.0, 0.0]).decided(6)
    assert check(8, 4, [0.001, -0.001, 0.0, 0.001], [0.0, 0.0]).decided(6)  # four are enough where nothing is amiss
    assert not check(8, 4, [0.2, *tiny[1:], -0.2], [0.0, 0.0]).decided(6)  # as good as asked, no better
    assert not check(8, 4, tiny, [0.9, 0.5]).decided(6)  # tails that may be missing
    waiting = Certification.of(np.zeros((8, 6)), np.ones((4, 6)), all_draws=True)
    for position in range(11):
        waiting.add(position, 0.0)
    assert not waiting.decided(6)


def test_a_check_that_chance_alone_speaks_against_goes_on_for_as_long_as_it_takes_to_tell() -> None:
    def told(residuals: list[float], tails: list[float], reserve: int = 10, room: int = 50, beside: float = 0.0) -> int:
        c = Certification.of(np.zeros((4, 6)), np.ones((2, 6))).with_reserve(np.zeros((reserve, 6)), np.ones(reserve))
        for positions, some in ((np.flatnonzero(~c.tail), residuals), (np.flatnonzero(c.tail), tails)):
            for position, residual in zip(positions, some, strict=False):
                c.add(int(position), residual)
                c.go_on(6, room, beside)
        again = Certification.of_state(c.to_state())
        assert again.wanted == c.wanted
        assert again.complete == (c.wanted == 6)
        return c.wanted

    vague = [0.2, -0.23, 0.18, -0.2]  # right to .01, with a standard error of .11, where .12 is asked of both together
    assert 6 < told(vague, [0.0, 0.0]) <= 16
    assert told([v / 3 for v in vague], [0.0, 0.0]) == 6  # good enough
    assert told([v * 0.75 for v in vague], [0.0, 0.0]) == 6  # good enough: of .08 an sd of .05 is stated, where .07 may be
    assert 6 < told([v * 0.75 for v in vague], [0.0, 0.0], beside=0.06) <= 16  # not with as much beside
    assert told([v + 0.3 for v in vague], [0.0, 0.0]) == 6  # wrong
    assert told(vague, [3.0, 3.0]) == 6  # tails are missing
    assert told([3 * v for v in vague], [0.0, 0.0]) == 6  # it would take too many
    assert told(vague, [0.0, 0.0], room=0) == 6


def test_the_more_checks_are_in_the_less_better_than_asked_they_need_to_be() -> None:
    fair: list[float | None] = [0.06, 0.05, 0.07, 0.06, 0.05]
    assert not check(8, 4, fair, [0.0]).decided(6)
    assert check(8, 4, [*fair, 0.06, 0.06], [0.0, 0.0, 0.0]).decided(6)
    vague: list[float | None] = [0.13, -0.13, 0.12, -0.13, 0.14, -0.12, 0.13]
    assert not check(8, 4, vague, [0.0, 0.0, 0.0]).decided(6)  # right so far, but the evidence would be known too vaguely


@hypothesis.given(st.lists(st.floats(-3.0, 3.0), min_size=8, max_size=8), st.lists(st.floats(-3.0, 8.0), min_size=4, max_size=4))
def test_a_check_given_up_early_would_have_been_refused(draws: list[float], tails: list[float]) -> None:
    for k in range(1, 8):
        c = check(8, 4, draws[:k], tails[: k // 2])
        if c._hopeless(6):
            accepted, correction, se = check(8, 4, list(draws), list(tails)).verdict(6)
            assert not accepted or abs(correction) + se > 0.95 * certification.LIMIT  # to the step of REST


def test_one_draw_that_misses_by_far_ends_a_check() -> None:
    assert check(8, 4, [2.0], []).decided(6)
    assert check(8, 4, [0.0, -0.1], [4.0]).decided(6)
    assert not check(8, 4, [0.2], [0.5]).decided(6)
    assert check(8, 4, [-np.inf, -np.inf, -np.inf], []).decided(6)


def test_a_draw_without_density_where_that_surely_was_ends_a_check_and_one_at_a_known_border_does_not(
    gaussian: AskTellLoop,
) -> None:
    m, d = gaussian.method.memory, 2
    assert gaussian.method.surrogate is not None
    wall = np.array([[x, y] for x in (0.5, 0.8, 1.1) for y in np.linspace(-1.5, 1.5, 7)])
    good = np.array([[x, y] for x in (-1.0, -0.5, 0.2) for y in np.linspace(-1.5, 1.5, 7)])
    known = Feasibility(Whitening.none(d), good, wall, np.empty((0, d)))
    nothing = Feasibility(Whitening.none(d), good, np.empty((0, d)), np.empty((0, d)))
    refuted, kept = [], (m.certification, m.certification_points, list(m.checked_draws), list(m.fresh))
    for possible, b, tail in ((nothing, 0.0, False), (nothing, 0.0, True), (known, -0.7, False), (known, 0.35, False)):
        c = m.certification = Certification(np.zeros((8, d)), np.full(8, tail))
        m.certification_points = [1000]
        place = gaussian.method.box.back(np.array([b, 0.0]))
        take_check(replace(gaussian.method._now(), possible=possible), Tell(1000, place, None, impossible=True), None)
        assert c.decided(d) >= c.refuted == Certification.of_state(c.to_state()).refuted
        refuted.append(c.refuted)
    m.certification, m.certification_points, m.checked_draws, m.fresh = kept
    assert refuted == [True, False, True, False]
    fine = check(8, 4, [0.0] * 8, [0.0] * 4)
    assert fine.verdict(6)[0]
    fine.refuted = True
    assert not fine.verdict(6)[0]


def test_no_place_is_left_around_a_gaussian(gaussian: AskTellLoop) -> None:
    loop = gaussian
    assert loop.method.surrogate is not None
    assert loop.method.draws is not None
    rng = np.random.default_rng(2)
    m = loop.method
    assert probes.place_not_excluded(m.surrogate, m.draws, m.hull, m._possible, rng) is None


def test_from_five_parameters_on_an_extrapolation_that_passes_for_posterior_is_looked_at() -> None:
    """Short lengths: far from the values of a narrow normal, the surrogate returns to its prior mean and knows nothing."""
    d, rng = 5, np.random.default_rng(5)
    theta = prior_of(d)[0].copy()
    theta[:d], theta[d], theta[d + 1 :] = np.log(0.5), np.log(4.0), -6.0
    theta[d + 5], theta[d + 7] = 0.4, 0.0
    b = rng.normal(0.0, 0.4, (60, d))
    y = -0.5 * np.square(b / 0.2).sum(1)
    none = Whitening.none(d)
    surrogate = QuadraticSurrogate(Kernel(theta, Frames(None, none)), b, y - y.max(), np.full(60, 1e-5))
    normal = Proposal(np.ones(1), np.zeros((1, d)), 0.04 * np.eye(d)[None])
    points, log_q, _ = normal.draw(base_points(d, 1024, 0))
    draws = weighed(points, log_q, -0.5 * np.square(points / 0.2).sum(1), normal)
    possible = Feasibility(none, b, np.empty((0, d)), np.empty((0, d)))
    region = Hull(np.full(d, -1.8), np.full(d, 1.8))
    place = probes.place_not_excluded(surrogate, draws, region, possible, rng)
    assert place is not None
    mean, variance = surrogate.predict(place[None])
    assert mean[0] > probes.edge_level(draws, rng)
    assert np.sqrt(variance[0]) > probes.BLIND


def test_places_are_excluded_in_the_plausible_box_where_looking_covers_it_and_in_the_trusted_region_for_a_while() -> None:
    small, large = Hull(np.array([-9.0, -2.0]), np.array([2.0, 7.0])), Hull(np.full(6, -3.0), np.full(6, 3.0))
    box, everywhere = probes.regions_to_exclude(small, 3)
    np.testing.assert_array_equal([box.lower, box.upper], [[-2.0, -2.0], [2.0, 2.0]])
    assert everywhere is small
    assert len(probes.regions_to_exclude(small, 4)) == 1
    assert probes.regions_to_exclude(large, 3) == [large]
    assert probes.regions_to_exclude(large, 4) == []


def test_a_place_that_is_not_excluded_lies_in_the_region_asked_for() -> None:
    loop = run(lambda u: -0.5 * (u**2).sum() + 3.0 * np.sin(4.0 * u[0]) * np.cos(4.0 * u[1]), 2.0, 2, 9, stop=False)
    assert loop.method.surrogate is not None
    assert loop.method.draws is not None
    for region in (loop.method.hull, Hull(np.full(2, -2.0), np.full(2, 2.0)), Hull(np.full(2, 1.0), np.full(2, 2.0))):
        m, rng = loop.method, np.random.default_rng(2)
        place = probes.place_not_excluded(m.surrogate, m.draws, region, m._possible, rng)
        assert place is not None
        assert region.contains(place[None])[0]


@pytest.mark.loops
def test_looks_that_find_nothing_are_counted_and_one_that_finds_something_ends_the_count() -> None:
    loop = run(lambda u: -0.5 * (u**2).sum(), 2.0, 2, 25, stop=False)
    for at, value, count in ((4.0, -80.0, 1), (1.0, -50.0, 1), (4.0, -90.0, 2), (1.0, -1.0, 0), (4.0, -70.0, 1)):
        loop.method.log.told.append(Tell(loop.method.log.next_index, np.full(2, at), value))
        loop.method.memory.explored.append(loop.method.log.next_index)
        loop.method.log.next_index += 1
        judge(loop.method._now())
        assert loop.method.memory.uninformative_looks == count


@pytest.mark.loops
def test_half_a_thin_ring_is_never_called_converged() -> None:
    def ring(u: Array) -> float:
        return float(-0.5 * ((np.hypot(*u) - 0.7) / 0.02) ** 2 + 3.0 * np.cos(2 * np.arctan2(u[1], u[0])))

    loop = run(ring, 1.0, 2, 70)
    truth = np.log(2 * np.pi * np.i0(3.0) * 0.7 * 0.02 * np.sqrt(2 * np.pi))
    assert loop.method.memory.explored  # places it could not rule out were looked at
    off = abs(loop.method.draws.log_z + loop.method.top + loop.method.box.log_volume - truth)  # type: ignore[union-attr]
    assert off < 0.2 or not loop.method.memory.converged


def test_unexplored_places_lie_in_the_largest_hole_and_outside_the_posterior() -> None:
    rng = np.random.default_rng(5)
    evaluated = rng.uniform([-2.0, -2.0], [0.5, 2.0], (40, 2))  # nothing on the right
    place = probes.place_unexplored(
        lambda b: -40.0 * np.square(b[:, 0] + 1.0), lambda b: np.ones(len(b), bool), evaluated, -5.0, 0, 4, rng
    )
    assert place is not None
    assert place[0] > 0.8
    assert np.all(np.abs(place) < 2.0)


@pytest.mark.parametrize(("share", "d", "wanted"), [(1.0, 1, 2), (1.0, 3, 12), (0.5, 4, 6), (1.0, 10, 4), (0.0, 3, 0)])
def test_a_posterior_that_fills_the_plausible_box_needs_no_look_around(share: float, d: int, wanted: int) -> None:
    assert probes.unexplored_wanted(probes.most_looks(d), share) == wanted
    assert probes.most_looks(d, noisy=True) <= probes.most_looks(d)


def test_no_unexplored_place_is_named_where_runs_are_impossible() -> None:
    rng = np.random.default_rng(6)
    found = probes.place_unexplored(
        lambda b: np.full(len(b), -100.0), lambda b: np.zeros(len(b), bool), np.zeros((3, 2)), 0.0, 0, 4, rng
    )
    assert found is None


@pytest.mark.loops
def test_a_second_mode_far_from_every_acquired_point_is_found_before_anything_is_said_to_be_certain() -> None:
    mu, cov = np.array([[-1.2, -1.0], [1.3, 1.2]]), [0.05 * np.eye(2), 0.03 * np.eye(2)]
    laws = [stats.multivariate_normal(m, c) for m, c in zip(mu, cov, strict=True)]

    def two_modes(u: Array) -> float:
        return float(np.logaddexp(np.log(0.7) + laws[0].logpdf(u), np.log(0.3) + laws[1].logpdf(u)))

    loop = run(two_modes, 2.5, 2, 90)
    assert loop.method.memory.hunted > 0 or loop.method.memory.ascents > 0  # looked for, or climbed to
    assert loop.method.draws is not None
    off = abs(loop.method.draws.log_z + loop.method.top + loop.method.box.log_volume)
    assert off < 0.1 or not loop.method.memory.converged
