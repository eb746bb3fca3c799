"""What other methods make of the evaluations that an analysis has: no simulator run is made.

Laplace's approximation, Markov chains on the surrogate, chains stacked, WSABI, particle flow: each with its verdict in words.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from ..baselines import ensemble
from ..baselines.evidence import evidence_of
from ..baselines.stacking import stack
from ..diagnostics.chains import GOOD_ESS, GOOD_RHAT, bulk_ess, rank_normalized_rhat
from ..loop_interface import Mixture
from ..numerics.linear_algebra import stable_factors
from ..numerics.randomness import generator
from ..sampling.mixture import GaussianMixture
from ..session.errors import SessionError
from ..session.store import SessionStore
from .around_the_answer import by_flow, by_wsabi
from .from_its_top import by_laplace
from .known_density import KnownDensity, chains_of, density_of
from .one_answer import METHODS, BaselineAnswer, Check

Array = NDArray[np.float64]
ENSEMBLES, SWEEPS, BLOCKS = 4, 400, 4
STACKED_CHAINS, STACKED_DRAWS = 6, 1200
DRAWS_KEPT = 4000
COMPONENTS = 8
MOST_STARTS = 500
SHARED = "It uses the same surrogate, so it can confirm how the posterior was drawn from it, not the surrogate itself."


def baseline_answer(store: SessionStore, method: str, check: Check = lambda: None) -> BaselineAnswer:
    """``check`` is called now and then and may raise to end it. Raises SessionError when there is too little to go on."""
    if method not in METHODS:
        raise SessionError(f"There is no comparison “{method}”", "", f"There are: {', '.join(METHODS)}.")
    rng = generator(store.problem.settings.seed, method)

    def interrupt() -> bool:
        check()
        return False

    try:
        own = chains_of(store) if method == "stacking" else None
        if own is not None:
            return _own_chains(own, store.evaluation_count, rng)
        known = density_of(store, interrupt)
        check()
        if method == "laplace":
            good = _good_points(known)
            return by_laplace(known, good[0], _width_of(store, good, known.width), rng)
        if method in ("wsabi", "wsabi_m", "flow"):
            answer = _answer_of(store)
            return by_flow(known, answer, rng) if method == "flow" else by_wsabi(known, answer, method, rng)
        return _mcmc(known, rng, check) if method == "mcmc" else _stacking(known, rng, check)
    except (ValueError, np.linalg.LinAlgError) as error:
        raise SessionError(
            f"{METHODS[method]} gave no answer ({error})", str(store.path), "A few more runs of the analysis may help."
        ) from error


def _answer_of(store: SessionStore) -> GaussianMixture:
    """The mixture of the newest answer. Raises ValueError."""
    record = store.last_iteration()
    if record is None or not len(record.weights):
        raise ValueError("there is no posterior yet")
    return GaussianMixture(record.weights, record.means, record.covariances)


def _width_of(store: SessionStore, good: Array, width: Array) -> Array:
    """Covariance (D, D) of the newest answer; where there is none, of good points (n, D)."""
    try:
        return _answer_of(store).covariance()
    except ValueError:
        return _covariance(good, width)


def _mcmc(known: KnownDensity, rng: np.random.Generator, check: Check) -> BaselineAnswer:
    d = known.points.shape[1]
    walkers = max(24, 4 * d + 4)
    good = _good_points(known)
    spread = stable_factors(_covariance(good, known.width))
    start = good[rng.integers(len(good), size=(ENSEMBLES, walkers))]
    start = _where_known(known, start + 0.5 * rng.standard_normal(start.shape) @ spread.T, good, rng)
    sweeps, found = SWEEPS, None
    for _ in range(BLOCKS):
        found = ensemble.sample(known.log_density, start, sweeps, rng, cancelled=check)
        rhat, ess = _quality(found)
        if rhat.max() < GOOD_RHAT and ess.min() > GOOD_ESS:
            break
        start, sweeps = found.points[:, -1], 2 * sweeps
    assert found is not None
    points, values = found.points.reshape(-1, d), found.values.reshape(-1)
    kept = rng.permutation(len(points))[:DRAWS_KEPT]
    evidence = evidence_of(points[kept], values[kept], float(min(ess.min(), len(kept))), rng, COMPONENTS)
    points = points[np.sort(kept)]  # neighbours of a chain side by side
    settled = bool(rhat.max() < GOOD_RHAT and ess.min() > GOOD_ESS)
    numbers = f"R-hat is {min(float(rhat.max()), 99.0):.3f} at most, worth {ess.min():,.0f} independent draws"
    said = f"The chains agree ({numbers})." if settled else f"The chains do not agree ({numbers}): do not rely on them."
    q = evidence.mixture
    return BaselineAnswer(
        "mcmc", METHODS["mcmc"], known.evaluations, evidence.log_z, evidence.log_z_sd,
        Mixture(q.weights, q.means, q.covariances), points, np.full(len(points), 1.0 / len(points)), settled, (said, SHARED),
    )  # fmt: skip


def _quality(found: ensemble.Ensembles) -> tuple[Array, Array]:
    """R-hat between ensembles, each taken as one long chain (C. Margossian et al., Bayesian Analysis 2024, nested R-hat), and the
    effective size of all walkers."""
    g, s, w, d = found.points.shape
    return rank_normalized_rhat(found.points.reshape(g, s * w, d)), bulk_ess(found.chains)


def _own_chains(own: tuple[Array, Array], evaluations: int, rng: np.random.Generator) -> BaselineAnswer:
    chains, values = list(own[0]), list(own[1])
    if len(chains[0]) < 20:
        raise ValueError("the chains are too short")
    ess = [float(bulk_ess(c[None]).min()) for c in chains]
    return _stacked(chains, values, ess, "the chains of this analysis", evaluations, rng)


def _stacking(known: KnownDensity, rng: np.random.Generator, check: Check) -> BaselineAnswer:
    found = _separate_chains(known, rng, check)
    walkers, d = found.points.shape[2], known.points.shape[1]
    ess = [float(bulk_ess(found.chains[k * walkers : (k + 1) * walkers]).min()) for k in range(STACKED_CHAINS)]
    points, values = found.points.reshape(STACKED_CHAINS, -1, d), found.values.reshape(STACKED_CHAINS, -1)
    kept = rng.permutation(points.shape[1])[:STACKED_DRAWS]  # weights need no more
    where = f"{STACKED_CHAINS} groups of chains on the surrogate, each started around another good point"
    answer = _stacked(list(points[:, kept]), list(values[:, kept]), ess, where, known.evaluations, rng)
    return replace(answer, reasons=(*answer.reasons, SHARED))


def _stacked(
    chains: list[Array], values: list[Array], ess: list[float], where: str, evaluations: int, rng: np.random.Generator
) -> BaselineAnswer:
    result = stack(chains, values, ess, rng)
    counts = rng.multinomial(DRAWS_KEPT, result.weights / result.weights.sum())
    draws = np.concatenate([c[rng.integers(len(c), size=n)] for c, n in zip(chains, counts, strict=True)])
    shares = ", ".join(f"{100 * w:.0f} %" for w in sorted(result.weights, reverse=True))
    trusted = min(ess) > GOOD_ESS / 4
    said = [f"Combined: {where}. Their weights: {shares}."]
    if not trusted:
        said.append(f"One of the chains is worth only {min(ess):.0f} independent draws: its weight is rough.")
    q = result.mixture
    return BaselineAnswer(
        "stacking", METHODS["stacking"], evaluations, result.log_evidence, result.log_evidence_sd,
        Mixture(q.weights, q.means, q.covariances), draws, np.full(len(draws), 1.0 / len(draws)), trusted, tuple(said),
    )  # fmt: skip


def _separate_chains(known: KnownDensity, rng: np.random.Generator, check: Check) -> ensemble.Ensembles:
    """Each group begins around one good point; the points are far from each other, so that every mode is begun in."""
    good = _good_points(known)
    root = stable_factors(_covariance(good, known.width))
    white = np.linalg.solve(root, good.T).T
    chosen = [0]
    while len(chosen) < STACKED_CHAINS:
        chosen.append(int(np.argmax(np.min([np.square(white - white[c]).sum(axis=1) for c in chosen], axis=0))))
    d = good.shape[1]
    walkers = max(16, 2 * d + 4)
    noise = rng.standard_normal((STACKED_CHAINS, walkers, d)) @ root.T
    start = _where_known(known, good[chosen][:, None, :] + 0.2 * noise, good[chosen][:, None, :], rng)
    return ensemble.sample(known.log_density, start, 2 * SWEEPS, rng, cancelled=check)


def _good_points(known: KnownDensity) -> Array:
    """Evaluated points (n, D) where the posterior is likely to have its mass, the best one first, by the surrogate: a single
    value may be high by chance. Raises ValueError if there is none."""
    d = known.points.shape[1]
    order = np.argsort(-known.values, kind="stable")[:MOST_STARTS]
    points = known.points[order]
    values = known.log_density(points)
    order = np.argsort(-values, kind="stable")
    points, values = points[order], values[order]
    near = int((values >= values[0] - 0.5 * float(chi2.ppf(0.999, d))).sum())
    found = points[: max(near, 2 * d + 2)][np.isfinite(values[: max(near, 2 * d + 2)])]
    if not len(found):
        raise ValueError("the surrogate knows no point with a density")
    return found


def _covariance(points: Array, width: Array) -> Array:
    d = points.shape[1]
    floor = np.diag(np.square(1e-4 * width))
    return np.asarray(np.cov(points.T).reshape(d, d) + floor) if len(points) > d else np.diag(np.square(0.05 * width))


def _where_known(known: KnownDensity, start: Array, instead: Array, rng: np.random.Generator) -> Array:
    """Starting points (G, W, D) without a density are moved to good ones, a little apart."""
    g, w, d = start.shape
    lost = ~np.isfinite(known.log_density(start.reshape(-1, d))).reshape(g, w)
    if not lost.any():
        return start
    if instead.ndim == 2:
        instead = instead[rng.integers(len(instead), size=(g, w))]
    apart = 1e-3 * known.width * rng.standard_normal(start.shape)
    return np.where(lost[:, :, None], instead + apart, start)
