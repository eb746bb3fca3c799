"""How wide the normal is that is as sharp as an answer about its best run, and how well that is known; inference space.

As the surrogate told it when the answer was made, kept with it; of answers without (older ones, methods without a surrogate)
from the draws or the mixture: under a normal weight of precision A about the run, a normal posterior of precision P has the
covariance (P + A)^-1, whatever its mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from ..numerics.linear_algebra import stable_inverse
from ..numerics.mixture_modes import covariance_about, log_parts, squared_distances

if TYPE_CHECKING:
    from .posterior import StoredPosterior

Array = NDArray[np.float64]

PREFIX = "width."  # before the names of the arrays
NEAR = 3.0  # sds, per square root of the dimension: farther from a run nothing is said of it
TIGHT = 1.0  # precision of the weight in units of the normal found
ROUNDS = 4  # of weight and normal
FEWEST = 10.0  # draws under the weight, for each number of a covariance


@dataclass(frozen=True)
class LocalWidth:
    """``place`` (D,) of the run, ``covariance`` (D, D) of the normal, ``error`` (D,): sds of its sds, relative to these;
    infinite: the surrogate saw no peak there."""

    place: Array
    covariance: Array
    error: Array

    @classmethod
    def of(cls, arrays: Mapping[str, Array], place: Array) -> Self | None:
        """None where none is stored of about this place (D,); a file may be damaged or come from a stranger."""
        d = len(place)
        found = cls(*(np.asarray(arrays.get(PREFIX + f.name, np.nan), dtype=float) for f in fields(cls)))
        if found.place.shape != (d,) or found.covariance.shape != (d, d) or found.error.shape != (d,):
            return None
        if not all(np.isfinite(a).all() for a in (found.place, found.covariance)) or not (found.error >= 0.0).all():
            return None
        if np.linalg.eigh(found.covariance)[0][0] <= 0.0:
            return None
        away = place - found.place
        return found if away @ stable_inverse(found.covariance) @ away <= NEAR**2 * d else None

    def arrays(self) -> dict[str, Array]:
        return {PREFIX + f.name: np.asarray(getattr(self, f.name), dtype=float) for f in fields(self)}

    @property
    def sds(self) -> Array:
        return np.asarray(np.sqrt(np.diag(self.covariance)))


def width_of_posterior(posterior: StoredPosterior, place: Array) -> LocalWidth | None:
    """Without a surrogate; None: no peak, or too few draws, near ``place`` (D,)."""
    weights, means, covariances = posterior.weights, posterior.means, posterior.covariances
    d = len(place)
    if squared_distances(place[None], means, covariances).min() > NEAR**2 * d:
        return None
    precision = stable_inverse(covariance_about(weights, means, covariances, place))
    for _ in range(ROUNDS):
        tight = TIGHT * precision
        if posterior.draws is None:
            under, count = _of_mixture(weights, means, covariances, place, tight), np.inf
        else:
            under, count = _of_draws(posterior.draws, posterior.draw_weights, place, tight)
        if count < FEWEST * (d + 1):
            return None
        precision = stable_inverse(under) - tight
        if np.linalg.eigh(precision)[0][0] <= 0.0:
            return None
    error = np.full(d, (1.0 + TIGHT) / np.sqrt(2.0 * count))
    return LocalWidth(place, stable_inverse(precision), error)


def _of_draws(points: Array, weights: Array, place: Array, tight: Array) -> tuple[Array, float]:
    """Covariance (D, D) under the weight, and how many draws of equal weight it is worth."""
    away = points - place
    share = weights * np.exp(-0.5 * np.einsum("ni,ij,nj->n", away, tight, away))
    share = share / max(share.sum(), 1e-300)
    count = 1.0 / max(float(np.square(share).sum()), 1e-300)
    centred = away - share @ away
    return (centred.T * share) @ centred / max(1.0 - 1.0 / count, 1e-9), count


def _of_mixture(weights: Array, means: Array, covariances: Array, place: Array, tight: Array) -> Array:
    """The same, exactly: a product of normals is a normal."""
    wide = covariances + stable_inverse(tight)
    away = squared_distances(place[None], means, wide)
    with np.errstate(divide="ignore"):
        parts = log_parts(np.log(weights), wide, away)[0]
    share = np.exp(parts - parts.max())
    share /= share.sum()
    under = stable_inverse(stable_inverse(covariances) + tight)
    moved = np.einsum("kij,kj->ki", under @ stable_inverse(covariances), means - place)
    centred = moved - share @ moved
    return np.asarray(np.einsum("k,kij->ij", share, under) + (centred.T * share) @ centred)
