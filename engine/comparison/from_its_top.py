"""Laplace's approximation to the log density that an analysis knows: its top, the curvature there, and whether that is all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..baselines.laplace import LaplaceFit, laplace_of
from ..loop_interface import Mixture
from ..methods.laplace import GAUSSIAN_ENOUGH
from ..numerics.curvature import curvature_at
from ..numerics.linear_algebra import stable_factors
from ..problem.numbers.shown_digits import spoken
from ..sampling.mixture import GaussianMixture
from .known_density import KnownDensity
from .one_answer import METHODS, BaselineAnswer

Array = NDArray[np.float64]

DRAWS = 1000  # of the Gaussian, at which the density is compared with it
FARTHEST = 8.0  # sds of the answer: across so many the density is followed where it does not fall
NO_DENSITY = 50.0  # nats below the best agreement: the draw lies where nothing is
LOST = 0.01  # share of such draws from which the Gaussian is not the posterior


def by_laplace(known: KnownDensity, start: Array, covariance: Array, rng: np.random.Generator) -> BaselineAnswer:
    """``start`` (D,): a good point. ``covariance`` (D, D): about that of the posterior, the frame in which it is looked at."""
    fit = gaussian_at_top(known.log_density, start, stable_factors(covariance))
    q = GaussianMixture.single(fit.mode, fit.covariance)
    gaps = _Gaps.of(known.log_density, q, rng)
    return BaselineAnswer(
        "laplace", METHODS["laplace"], known.evaluations, fit.log_evidence, abs(gaps.log_mean - fit.log_evidence),
        Mixture(q.weights, q.means, q.covariances), None, None, gaps.small and fit.definite and fit.settled,
        ("It believes that the posterior is one Gaussian around the best point.", *_said(fit, gaps)),
    )  # fmt: skip


def gaussian_at_top(log_density: Callable[[Array], Array], start: Array, root: Array) -> LaplaceFit:
    """Looked for in coordinates z (D,), u = start + root z, in which the posterior is about as wide in every direction."""
    d = len(start)
    found = laplace_of(lambda z: log_density(start + z @ root.T), np.zeros(d), np.full(d, FARTHEST))
    mode, covariance = start + root @ found.mode, root @ found.covariance @ root.T
    sharp = curvature_at(log_density, mode, stable_factors(covariance)) if found.definite else None
    return replace(found, mode=mode, covariance=covariance if sharp is None else sharp.covariance)


@dataclass(frozen=True)
class _Gaps:
    """Log density less that of the Gaussian over draws of it: sd, share of draws without a density, log of the mean ratio."""

    sd: float
    lost: float
    log_mean: float

    @property
    def small(self) -> bool:
        return self.sd < GAUSSIAN_ENOUGH and self.lost < LOST

    @staticmethod
    def of(log_density: Callable[[Array], Array], q: GaussianMixture, rng: np.random.Generator) -> _Gaps:
        draws = q.sample(DRAWS, rng)
        gaps = log_density(draws) - q.log_density(draws)
        finite = gaps[np.isfinite(gaps)]
        inside = finite[finite > finite.max() - NO_DENSITY] if len(finite) else finite
        if len(inside) < 2:
            return _Gaps(float("inf"), 1.0, float("-inf"))
        log_mean = float(inside.max() + np.log(np.exp(inside - inside.max()).sum() / DRAWS))
        return _Gaps(float(inside.std()), 1.0 - len(inside) / DRAWS, log_mean)


def _said(fit: LaplaceFit, gaps: _Gaps) -> list[str]:
    said = []
    differs = f"at draws of the Gaussian it differs by {spoken(min(gaps.sd, 99.0), 2)} (sd"
    if gaps.small:
        said.append(f"The surrogate agrees: {differs}).")
    else:
        nowhere = f", and {100 * gaps.lost:.0f} % of them have no density" if gaps.lost >= LOST else ""
        limit = f"; below {GAUSSIAN_ENOUGH:g} would be good" if gaps.sd >= GAUSSIAN_ENOUGH else ""
        said.append(f"The surrogate does not: {differs}{limit}){nowhere}.")
    if not fit.settled:
        said.append("The climb did not end at a clear maximum of the surrogate.")
    if not fit.definite:
        said.append(
            f"Along some direction the surrogate does not fall away from the point where the climb ended, followed over "
            f"{FARTHEST:g} standard deviations of the posterior; the width there is assumed."
        )
    return said
