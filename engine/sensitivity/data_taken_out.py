"""How much the posterior would change without a part of the data: by importance weights, by new draws where those fail.

The weight of a draw is the likelihood of all other data over that of all (Vehtari, Gelman and Gabry 2017, of parts instead of
single values), smoothed (Vehtari et al. 2024).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray

from ..answer.predictions.data_parts import Part
from ..answer.sensitivity import DataPart, finite
from ..diagnostics.pareto import smoothed
from ..likelihood.left_out import without
from ..likelihood.of_scores import Likelihood
from ..sampling.importance import normalized
from ..sampling.population_monte_carlo import LogDensity, PosteriorDraws, move, sample
from ..sampling.proposal import Proposal, base_points, weighted_covariance
from ..sampling.trusted_density import TrustedDensity
from ..surrogate.outputs.log_joint import BELIEVED_SPREAD, EmulatedLogJoint

Array = NDArray[np.float64]

RELIABLE = 0.5  # k-hat up to which weights are relied on: widths need their variance (at .68 a width was 1.7 instead of 2.8)
GOOD_SHARE = 0.05  # effective share of new draws below which they have not found the posterior
BASE_DRAWS = 1024  # of each round of the search for it
REACHED = 0.1  # of a posterior where the outputs are not known, from which its width is a lower bound
MEASURABLE = 0.05  # of the prior's precision that the data must add, for shares of it to have a meaning


@dataclass(frozen=True)
class Posterior:
    """Draws b (m, D) of the box frame that count as ``weights`` (m,), and the density they are drawn from; ``prior_variance``
    (D,) in the same frame."""

    trusted: TrustedDensity
    surrogate: EmulatedLogJoint
    points: Array
    weights: Array
    prior_variance: Array

    def log_density(self, surrogate: EmulatedLogJoint) -> LogDensity:
        """Of ``surrogate`` in place of its own."""

        def density(b: Array, log_q: Array) -> Array:
            value = self.trusted.believed(b, surrogate.trusted(b))
            return np.where(self.trusted.region.contains(b), value, -np.inf)

        return density


def taken_out(now: Posterior, parts: Sequence[Part], rng: np.random.Generator, check: Callable[[], None]) -> list[DataPart]:
    """Each of ``parts``, in their order; a part that is all the data there are is left away."""
    surrogate = now.surrogate
    whole = surrogate.predict(now.points)[0]
    mean, covariance = weighted_covariance(now.points, now.weights)
    with_all = mean, np.diag(covariance)
    again: PosteriorDraws | None = None
    found = []
    for part in parts:
        check()
        if len(part.cells) == len(surrogate.cells.measured):
            continue
        less = replace(surrogate, likelihood=_without(surrogate, part.cells))
        log_ratio, k = smoothed(less.predict(now.points)[0] - whole)
        log_w = np.log(np.maximum(now.weights, 1e-300)) + log_ratio
        rise = float(np.log(np.sum(np.exp(log_w - log_w.max()))) + log_w.max())
        if k <= RELIABLE:
            made = _Without(now.points, normalized(log_w)[0], rise, "weights")
        else:
            again = again or _drawn(now, surrogate, rng)
            made = _new_draws(now, less, again.log_z, rng) or _Without(now.points, normalized(log_w)[0], rise, "failed")
        gained = made.log_z_change - float(now.weights @ log_ratio)
        found.append(_record(part, made, less, gained, k, with_all, now.prior_variance))
    return found


@dataclass(frozen=True)
class _Without:
    points: Array
    weights: Array
    log_z_change: float
    how: str


def _without(surrogate: EmulatedLogJoint, cells: NDArray[np.intp]) -> Likelihood:
    """Of the other cells."""
    left_out = torch.zeros(len(surrogate.cells.measured), dtype=torch.bool)
    left_out[torch.as_tensor(cells)] = True
    components = surrogate.emulator.components
    return components.likelihood(without(surrogate.cells.likelihood, left_out).on(components.centre.device))


def _drawn(now: Posterior, surrogate: EmulatedLogJoint, rng: np.random.Generator) -> PosteriorDraws:
    mean, covariance = weighted_covariance(now.points, now.weights)
    base = base_points(len(mean), BASE_DRAWS, int(rng.integers(2**31)))
    density = now.log_density(surrogate)
    moved = move(density, Proposal(np.ones(1), mean[None], covariance[None]), base, rng)
    return sample(density, moved, base, rng)


def _new_draws(now: Posterior, less: EmulatedLogJoint, log_z: float, rng: np.random.Generator) -> _Without | None:
    """None where the search did not find the posterior."""
    drawn = _drawn(now, less, rng)
    if drawn.temperature < 1.0 or drawn.ess < GOOD_SHARE:
        return None
    return _Without(drawn.points, drawn.weights, drawn.log_z - log_z, "draws")


def _record(
    part: Part, made: _Without, less: EmulatedLogJoint, gained: float, k: float, with_all: tuple[Array, Array],
    prior_variance: Array,
) -> DataPart:  # fmt: skip
    """``with_all``: mean and variance (D,) of the posterior of all data."""
    mean, variance = with_all
    moved, covariance = weighted_covariance(made.points, made.weights)
    then = np.diag(covariance)
    unknown = less.spread(made.points) > BELIEVED_SPREAD
    learnt = 1.0 / variance - 1.0 / prior_variance
    lost = 1.0 / variance - 1.0 / np.maximum(then, 1e-300)
    measurable = learnt > MEASURABLE / prior_variance
    share = [finite(min(max(a / b, 0.0), 1.0)) if good else None for a, b, good in zip(lost, learnt, measurable, strict=True)]
    return DataPart(
        title=part.title, column=part.column, bits=finite(max(gained, 0.0) / np.log(2.0)),
        widening=tuple(finite(x, 1.0) for x in np.sqrt(then / variance)), share=tuple(share),
        shift=tuple(finite(x) for x in (moved - mean) / np.sqrt(variance)),
        pareto_k=float(k) if np.isfinite(k) else None, how=made.how, bounded=bool(made.weights @ unknown > REACHED),  # type: ignore[arg-type]
        whole=part.whole,
    )  # fmt: skip



