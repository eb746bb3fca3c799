"""How exactly an answer must be known before the default loop calls it converged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bayescope.engine.loop_interface import LoopSettings, Tell
from bayescope.engine.methods.ask_tell import AskTellLoop
from bayescope.engine.methods.default import certification
from bayescope.engine.methods.default.certification import Certification, Checked, both
from bayescope.engine.methods.default.evidence import (
    between,
    chance_of,
    error_left,
    log_of_mean,
    shrunk_error,
    stated_sd,
)
from bayescope.engine.methods.default.loop import DefaultMethod
from bayescope.engine.methods.default.stopping import Fresh
from bayescope.engine.sampling.importance import log_mean
from bayescope.engine.sampling.population_monte_carlo import PosteriorDraws, weighed
from bayescope.engine.sampling.proposal import Proposal, base_points, shifted

ROUND = Proposal(np.ones(1), np.zeros((1, 2)), np.eye(2)[None])
FRESH = [Fresh(0.06, 1.0, 0.0, 0.03, 1.0, 1.0)] * 8


def test_the_sd_of_an_answer_nobody_checked_counts_the_last_surprises() -> None:
    assert stated_sd(FRESH, None, 0.0, 2, 0.005) == pytest.approx(np.sqrt(0.03**2 + 0.06**2 / 6 + 0.005**2))
    assert stated_sd([], None, 0.0, 2, 0.005) == np.inf
    assert certification.evidence_limit(10) > 0.013


def test_the_sd_of_a_checked_answer_counts_the_error_of_the_surrogate_once() -> None:
    agrees, differs = Checked(0.01, 0.04, 2.0, 0.0), Checked(0.5, 0.04, 2.0, 0.03)
    assert stated_sd(FRESH, agrees, 0.0, 2, 0.005) == pytest.approx(np.hypot(2.0 * 0.03, 0.005))
    found = np.sqrt(shrunk_error(0.5, 0.04) ** 2 + 0.03**2 + 0.005**2)  # and what the tails lack
    assert stated_sd(FRESH, differs, 0.0, 2, 0.005) == pytest.approx(found)
    draws = PosteriorDraws(np.zeros((4000, 2)), np.zeros(4000), np.zeros(4000), 0.0, 0.5, 1.0, ROUND)
    assert chance_of(draws, emulated=False) == pytest.approx(np.sqrt(1.0 / 4000))


def test_what_draws_allow_of_an_estimate_that_claims_nothing_itself_is_its_difference_or_a_share_of_their_chance() -> None:
    assert shrunk_error(0.0, 0.1) == pytest.approx(0.1 * np.sqrt(0.4))
    assert shrunk_error(2.0, 0.1) == pytest.approx(2.0, rel=0.01)
    assert shrunk_error(0.3, 0.0) == 0.3
    assert np.all(np.diff([shrunk_error(d, 0.1) for d in np.linspace(0.0, 4.0, 50)]) > 0.0)
    rng = np.random.default_rng(1)  # by simulation: what is said of an error is its rms
    share = rng.random(400_000)
    error = rng.standard_normal(len(share)) * np.sqrt(1.0 / share - 1.0)
    seen = error + rng.standard_normal(len(share))
    for lower in (0.0, 1.0, 2.0):
        near = (np.abs(seen) > lower) & (np.abs(seen) < lower + 0.05)
        assert shrunk_error(lower + 0.025, 1.0) == pytest.approx(np.sqrt(np.mean(error[near] ** 2)), rel=0.05)
    sure = [replace(FRESH[-1], log_z_sd=1e-4)]  # whatever the surrogate's own sd has fallen to
    assert stated_sd(sure, Checked(0.0, 0.1, 1.0, 0.0), 0.0, 2, 0.005) == pytest.approx(np.hypot(0.1 * np.sqrt(0.4), 0.005))


def test_what_draws_and_the_surrogate_say_of_the_evidence_is_weighed_by_how_sure_each_is_unless_they_are_at_odds() -> None:
    assert both(0.1, 0.1, 0.1) == pytest.approx((0.05, 0.1 / np.sqrt(2.0)))
    assert both(0.1, 0.1, float("nan")) == (0.1, 0.1)
    assert both(0.5, 0.1, 0.1) == (0.5, 0.1)  # at odds
    off, sd = both(0.1, 0.3, 1e-9)  # whatever a surrogate says of itself, it counts for so many draws and no more
    assert (off, sd) == pytest.approx((0.01, 0.3 / np.sqrt(10.0)))
    rng = np.random.default_rng(2)  # by simulation: what is left of an error is its mean and sd
    error = 0.06 * rng.standard_normal(400_000)
    seen = error + 0.1 * rng.standard_normal(len(error))
    near = np.abs(seen - 0.12) < 0.005
    assert both(0.12, 0.1, 0.06) == pytest.approx((error[near].mean(), error[near].std()), rel=0.05)


def test_what_a_check_leaves_in_doubt_of_learnt_outputs_is_what_draws_and_emulator_say_together_unless_they_are_at_odds() -> None:
    check = Checked(0.02, 0.04, 2.0, 0.0, own=0.1)
    assert error_left(check, 0.0, 0.03) == pytest.approx(float(np.hypot(*both(-0.02, 0.04, 0.06))))
    assert error_left(check, 1.0, 0.03) == pytest.approx(shrunk_error(0.98, 0.04))
    assert error_left(replace(check, own=float("nan")), 0.0, 0.03) == pytest.approx(0.06)
    smoothed = error_left(replace(check, scale=0.5), 0.0, 0.03, scatters=True)  # by the same emulator: not two estimates
    assert smoothed == pytest.approx(max(0.03, shrunk_error(-0.02, 0.04)))


def test_the_evidence_depends_on_how_errors_at_different_places_hang_together_and_not_on_those_of_each_place() -> None:
    rng = np.random.default_rng(3)
    x = np.sort(rng.random(300))
    smooth = 0.04 * np.exp(-0.5 * np.square(np.subtract.outer(x, x) / 0.2))
    fine = np.linspace(0.0, 1.0, 2000)
    exact = float((0.04 * np.exp(-0.5 * np.square(np.subtract.outer(fine, fine) / 0.2))).mean())
    assert between(smooth) == pytest.approx(exact, rel=0.1)
    assert between(smooth + np.eye(300)) == between(smooth) == pytest.approx(between(smooth[::2, ::2]), rel=0.2)
    assert between(np.eye(300)) == 0.0


def test_the_chance_of_evenly_spread_draws_is_told_by_their_blocks_and_is_less_than_that_of_independent_ones() -> None:
    base, rng = base_points(2, 4096, 1), np.random.default_rng(4)
    wider = Proposal(np.ones(1), np.zeros((1, 2)), 2.0 * np.eye(2)[None])
    found, stated = [], []
    for _ in range(20):
        points, log_q, _ = wider.draw(shifted(base, rng))
        draws = weighed(points, log_q, ROUND.log_density(points), wider)
        found.append(draws.log_z)
        stated.append(chance_of(draws, emulated=True))
        assert chance_of(draws, emulated=False) > 2.0 * stated[-1]
    assert np.std(found) < np.median(stated)
    assert np.abs(found).max() < 3.0 * np.median(stated)
    random = np.random.default_rng(5).standard_normal(4096)
    many = [log_mean(np.random.default_rng(k).standard_normal(4096)) for k in range(100)]
    assert weighed(points, np.zeros(4096), random, wider).log_z == pytest.approx(0.5, abs=0.1)
    assert chance_of(weighed(points, np.zeros(4096), random, wider), emulated=True) == pytest.approx(np.std(many), rel=0.5)


def told(own: float, residuals: list[float], sd: float) -> Certification:
    c = Certification.of(np.zeros((5, 3)), np.ones((2, 3)))
    c.log_z, c.own = 0.0, own
    for position, residual in zip(np.flatnonzero(~c.tail), residuals, strict=False):
        c.add(int(position), residual, sd)
    for position in np.flatnonzero(c.tail):
        c.add(int(position), 0.0, sd)
    return Certification.of_state(c.to_state())


def test_a_surrogate_helps_a_check_as_far_as_the_draws_show_that_its_sds_are_right() -> None:
    vague = [0.3, -0.5, 0.2, -0.45, 0.1]  # right to .07, with a standard error of .15, where .15 is asked of both together
    assert not told(float("nan"), vague, 0.3).verdict(3)[0]
    assert told(0.03, vague, 0.3).verdict(3)[0]
    assert not told(0.03, vague, 0.03).verdict(3)[0]  # the draws missed by ten times what it stated
    assert not told(0.03, [r - 0.6 for r in vague], 0.3).verdict(3)[0]  # wrong
    right, sure = told(0.03, vague, 0.3).checked(3), told(float("nan"), vague, 0.3).checked(3)
    assert right is not None
    assert sure is not None
    assert stated_sd(FRESH, right, 0.0, 3, 0.005) < stated_sd(FRESH, sure, 0.0, 3, 0.005)


def test_a_draw_far_too_low_makes_a_check_no_vaguer_than_what_it_takes_from_the_mean() -> None:
    low = [0.02, -4.0, 0.01, 0.0, -0.02]
    assert told(0.05, low, 0.3).verdict(3)[2] == pytest.approx(0.25, abs=0.03)  # .2 of a mean of .8
    assert told(float("nan"), low, 0.3).verdict(3)[2] > 0.7


@pytest.mark.loops
def test_an_answer_confirmed_too_vaguely_is_checked_again_before_it_is_called_converged(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Student-t in two parameters whose first check is passed with a larger sd than the limit, which is lowered for that."""
    monkeypatch.setattr(certification, "evidence_limit", lambda dimension, walled=False: 0.0075)
    loop = AskTellLoop(DefaultMethod(LoopSettings(np.full(2, -4.0), np.full(2, 4.0), seed=18, max_evaluations=80)))
    while asks := loop.ask():
        loop.tell(Tell(asks[0].index, asks[0].u, float(-3.0 * np.log1p(np.square(asks[0].u) / 5.0).sum())))
    answer = loop.update()
    assert answer is not None
    assert answer.converged
    assert answer.log_evidence_sd < 0.0075
    assert loop.method.memory.refusals == 1
    assert loop.method.memory.refused_at < 0  # at once: no pause as after a check that failed


@pytest.mark.loops
def test_a_loop_whose_tails_alone_are_refused_learns_from_them_and_checks_others_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Student-t in two parameters; the tails of its first check are said to lack mass, those after them are judged as ever."""
    loop = AskTellLoop(DefaultMethod(LoopSettings(np.full(2, -4.0), np.full(2, 4.0), seed=18, max_evaluations=80)))
    m, judged, lines = loop.method.memory, certification.tail_excess, 0

    def lacking(residuals: np.ndarray, drop: float, dimension: int) -> float:
        first = lines == 1 and len(residuals) > 0 and np.isfinite(residuals[0])
        return 1.0 if first else judged(residuals, drop, dimension)

    monkeypatch.setattr(certification, "tail_excess", lacking)
    seen: list[tuple[int, int, int]] = []
    while asks := loop.ask():
        c = m.certification
        if c is not None:
            seen.append((c.returns, len(c.residuals), m.built_on))
        lines += bool(c is not None and c.tail[c.asked - 1])
        loop.tell(Tell(asks[0].index, asks[0].u, float(-3.0 * np.log1p(np.square(asks[0].u) / 5.0).sum())))
    answer = loop.update()
    assert answer is not None
    assert answer.converged
    assert m.refusals == 0
    assert m.refused_at < 0
    before, after = ([row for row in seen if row[0] == k] for k in (0, 1))
    assert len(after) > 0
    assert after[0][1] >= before[-1][1] > 0  # what draws told stays
    assert after[0][2] == before[-1][2] + len(before)  # of an answer that has learnt from all of them
    assert lines == 1 + certification.tails_wanted(2)


@pytest.mark.loops
def test_the_evidence_of_a_checked_answer_holds_that_a_density_gains_more_by_errors_up_than_it_loses_by_errors_down() -> None:
    """A rough density in two parameters: its surrogate stays unsure from place to place, and the evidence of its mean is low."""

    def log_density(u: np.ndarray) -> np.ndarray:
        return -0.5 * np.square(u).sum(-1) + 0.5 * np.sin(3.0 * u).sum(-1)

    loop = AskTellLoop(DefaultMethod(LoopSettings(np.full(2, -3.0), np.full(2, 3.0), seed=2, max_evaluations=100)))
    while asks := loop.ask():
        loop.tell(Tell(asks[0].index, asks[0].u, float(log_density(asks[0].u))))
    answer = loop.update()
    assert answer is not None
    assert answer.converged
    line = np.linspace(-8.0, 8.0, 801)
    cells = np.exp(log_density(np.stack(np.meshgrid(line, line), axis=-1)))
    now = loop.method._now()
    added = answer.log_evidence - (now.draws.log_z + now.top + now.box.log_volume)
    assert 0.001 < added < 0.01
    assert answer.log_evidence == pytest.approx(np.log(cells.sum() * (line[1] - line[0]) ** 2), abs=0.02)
    loop.method.memory.converged = False
    assert log_of_mean(loop.method._now()) == 0.0
