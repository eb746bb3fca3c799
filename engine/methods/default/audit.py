"""The places at which an answer is checked: draws from each of its modes, and points in its tails."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...acquisition.probes import tail_points
from ...answer.where_known import HIDDEN, HIDDEN_BESIDE_OTHERS, MOST_FAILING, draws_that_show
from ...feasibility.classifier import FAILS_BELOW, Feasibility
from ...numerics.randomness import generator
from ...sampling.population_monte_carlo import PosteriorDraws
from ...sampling.proposal import Proposal
from ...sampling.walkers import MOST_MISSED
from . import certification
from .stage import LoopState

Array = NDArray[np.float64]

LARGEST_SD = 2.0  # nats: where it is larger hardly anything is known
MORE_TAILS = 4  # times as many tail points as are asked, where runs fail somewhere
FEWEST_IN_MODE = 3  # draws: a mode with a tenth of the mass would get none or one


def certification_of(now: LoopState) -> certification.Certification:
    draws, passed = where_runs_succeed(now.draws, now.possible)
    m, now = now.memory, replace(now, draws=draws)
    assert m.mixture is not None
    rng = generator(now.settings.seed, "certification", len(m.log.told))
    walled = len(now.possible.impossible) > 0
    wanted, tails = certification.checks_wanted(m.dimension, walled), certification.tails_wanted(m.dimension)
    often = how_often(now)
    spared = tails if now.possible.runs_map is None else MORE_TAILS * tails  # of which some may lie where runs fail
    plain, due = certification.checks_wanted(m.dimension), draws_due(now)
    rows = rng.choice(len(draws.points), size=plain + spared, replace=False, p=often)
    chosen, share = from_each_mode(draws, m.mixture, rows[:plain], often, rng)
    least = certification.FRESH if due > draws_that_show(HIDDEN) else 0
    least, room = max(least, wanted) - len(chosen), m.log.budget - len(m.log.told) - len(m.log.pending) - len(chosen) - tails
    asked, most = len(chosen), min(max(least, wanted), room)
    chosen, share = with_looks(draws, now.possible, chosen, share, due, most, rng, least)
    far = _far_from(now, draws.points[rows[plain:]], tails, rng)
    found = certification.Certification.of(draws.points[chosen], far, all_draws=walled or len(chosen) > asked, share=share)
    kept = rng.choice(len(draws.points), size=certification.RESERVE * wanted, replace=False, p=often)
    spare, stands_for = from_each_mode(draws, m.mixture, kept, often, rng)
    found = found.with_reserve(draws.points[spare], stands_for)
    found.passed = passed
    if m.history:
        found.log_z = m.history[-1].log_z
        found.own = m.history[-1].log_z_sd if m.emulated else float("nan")
    return found


def returns_to_tails(now: LoopState, check: certification.Certification) -> bool:
    """Whether only tails spoke against the answer: it has learnt from them, and others, as thin, are checked at once."""
    m = now.memory
    asks = certification.tails_wanted(m.dimension) + int((~check.tail[check.asked : check.wanted]).sum())
    room = asks <= m.log.budget - len(m.log.told) - len(m.log.pending)
    sound = now.draws.temperature == 1.0 and m.missed <= MOST_MISSED and not m.doubts.open
    return sound and room and check.lacks_tails_alone(m.dimension)


def again_in_tails(now: LoopState, last: certification.Certification) -> certification.Certification:
    """The check ``last`` at other tail points, of the answer as it is now."""
    draws, _ = where_runs_succeed(now.draws, now.possible)
    now = replace(now, draws=draws)
    rng = generator(now.settings.seed, "tails", len(now.memory.log.told))
    tails = certification.tails_wanted(now.memory.dimension)
    spared = tails if now.possible.runs_map is None else MORE_TAILS * tails
    starts = draws.points[rng.choice(len(draws.points), size=spared, replace=False, p=how_often(now))]
    return last.again_in_tails(_far_from(now, starts, tails, rng))


def _far_from(now: LoopState, starts: Array, count: int, rng: np.random.Generator) -> Array:
    """``count`` tail points (T, D) on lines through as many or more ``starts``: those where runs may succeed first."""
    drops, box = np.full(len(starts), certification.TAIL_DROP), (now.hull.lower, now.hull.upper)
    far = tail_points(now.surrogate.mean, starts, now.draws.moments()[1], box, drops, rng)
    return far if len(far) == count else far[np.argsort(~now.possible.may_give_value(far), kind="stable")[:count]]


def where_runs_succeed(draws: PosteriorDraws, possible: Feasibility) -> tuple[PosteriorDraws, float]:
    """Those at which runs are not known to fail, and how many of the others there are for each of them: a run at one would tell
    nothing, and counts as failed without being made."""
    if possible.runs_map is None:
        return draws, 0.0
    fails = possible.log_runs(draws.points) < FAILS_BELOW
    lost = float(draws.weights[fails].sum())
    if not 0.0 < lost < MOST_FAILING:
        return draws, 0.0
    return replace(draws, log_weights=np.where(fails, -np.inf, draws.log_weights)), lost / (1.0 - lost)


def draws_due(now: LoopState) -> float:
    """As how many draws from the posterior its runs are to count, so that a region where runs fail would have shown: a smaller
    one where some failed for their places. Outputs that are learnt tell of a place by fewer runs: where none failed, nothing."""
    failed = len(now.possible.impossible) + len(now.possible.failed) - float(now.possible.by_chance.sum())
    if failed < 0.5:
        return 0.0 if now.memory.emulated else draws_that_show(HIDDEN)
    return draws_that_show(HIDDEN_BESIDE_OTHERS)


def with_looks(
    draws: PosteriorDraws, possible: Feasibility, rows: NDArray[np.intp], share: Array, due: float, most: int,
    rng: np.random.Generator, least: int = 0,
) -> tuple[NDArray[np.intp], Array]:
    """Rows (V + L,) of the draws and what each stands for: those given (V,), and up to ``most`` more until all runs count as
    ``due`` draws and ``least`` are made, each drawn from the part of the posterior that one run alone stands for, the largest
    first. A draw may come from each of these parts: it stands for what it is worth by all of them (balance heuristic, Veach and
    Guibas 1995)."""
    weights = draws.weights
    nearest = possible.nearest_runs(draws.points, weights)
    for row in rows:
        nearest = nearest.with_run(nearest.points[row])
    looks: list[int] = []
    parts: list[tuple[NDArray[np.bool_], float]] = []
    while (nearest.draws < due or len(looks) < least) and len(looks) < most:
        masses = nearest.masses
        part = nearest.nearest == int(masses.argmax())
        parts.append((part, float(masses.max())))
        looks.append(int(rng.choice(len(weights), p=np.where(part, weights, 0.0) / masses.max())))
        nearest = nearest.with_run(nearest.points[looks[-1]])
    if not looks:
        return rows, share
    found = np.concatenate([rows, np.array(looks, dtype=np.intp)])
    drawn = np.concatenate([len(rows) / share, np.full(len(looks), float(len(rows)))])
    for part, mass in parts:
        drawn += part[found] / mass
    return found, len(found) / drawn


def how_often(now: LoopState) -> Array:
    """Probabilities (n,) with which draws are checked; of learnt outputs oftener where the log-likelihood is hardly known."""
    if not now.memory.emulated:
        return now.draws.weights
    return oftener_where_unsure(now.draws.weights, np.sqrt(now.surrogate.variance(now.draws.points)))


def oftener_where_unsure(weights: Array, sd: Array) -> Array:
    """Probabilities (n,): half as weighted (n,), half in proportion to the sd (n,) of the log density as well.

    Most errors are small and a few, where it is hardly known, large: those decide how exact a check is (Neyman 1934). Half and
    half, so that no draw stands for more than two (defensive importance sampling, Hesterberg 1995).
    """
    limited = np.minimum(sd, LARGEST_SD)
    usual = float(weights @ limited)
    return weights if usual <= 0.0 else 0.5 * weights * (1.0 + limited / usual)


def from_each_mode(
    draws: PosteriorDraws, mixture: Proposal, drawn: NDArray[np.intp], often: Array, rng: np.random.Generator
) -> tuple[NDArray[np.intp], Array]:
    """Rows (V,) of the draws, and what share of the posterior each stands for (V,), V times: ``drawn`` (W,) where there is one
    mode, about as many where there are several, with FEWEST_IN_MODE or more from each. ``often`` (n,): see ``how_often``."""
    modes = mixture.modes
    if len(modes) < 2:
        return drawn, draws.weights[drawn] / often[drawn]
    parts, weights = mixture.log_parts(draws.points), draws.weights
    mode = np.stack([np.logaddexp.reduce(parts[:, part], axis=1) for part in modes]).argmax(0)
    rows, shares, at = [], [], []
    for k in range(len(modes)):
        members = np.flatnonzero((mode == k) & (weights > 0.0))
        mass = float(weights[members].sum())
        count = min(max(FEWEST_IN_MODE, round(len(drawn) * mass)), len(members))
        if count > 0:
            chosen = rng.choice(members, size=count, replace=False, p=often[members] / often[members].sum())
            rows.append(chosen)
            each = weights[chosen] / often[chosen]
            shares.append(mass * each / each.sum())
            at.append((np.arange(count) + 0.5) / count)
    mixed = np.argsort(np.concatenate(at), kind="stable")  # evenly: told in part, they stand for all
    return np.concatenate(rows)[mixed], np.concatenate(shares)[mixed] * len(mixed)
