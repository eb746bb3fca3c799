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
from ..likelihood.left_out import without
from ..likelihood.of_scores import Likelihood
from ..sampling.importance import normalized
from ..sampling.pareto import smoothed
from ..sampling.population_monte_carlo import LogDensity, PosteriorDraws, overlooked, sample, search, weighed
from ..sampling.proposal import Proposal, base_points, weighted_covariance
from ..sampling.trusted_density import TrustedDensity
from ..surrogate.outputs.log_joint import BELIEVED_SPREAD, EmulatedLogJoint

Array = NDArray[np.float64]

RELIABLE = 0.5  # k-hat up to which weights are relied on: widths need their variance (at .68 a width was 1.7 instead of 2.8)
GOOD_SHARE = 0.05  # effective share of new draws below which they have not found the posterior
BASE_DRAWS = 4096  # of each round of the search for it: with 1024 a mode of .03 was now and then lost or doubled
REACHED = 0.1  # of a posterior where the outputs are not known, from which its width is a lower bound
TRIES = 3  # searches, each from other base points
EVENED = 0.5  # power of the components' weights: light modes get draws enough to grow
SPREAD_OUT = 0.3  # share of the first draws that are as wide as the whole posterior
BACK_DRAWS = 100.0  # effective draws from which the way back to the posterior of all data tells anything
BACK_MOVED, BACK_WIDER = 0.35, 1.35  # sds of a mean, times of an sd: farther off, the new draws have lost a part of it
MEASURABLE = 0.05  # of the prior's precision that the data must add, for shares of it to have a meaning


@dataclass(frozen=True)
class Posterior:
    """Draws b (m, D) of the box frame that count as ``weights`` (m,), and the density they are drawn from; ``prior_variance``
    (D,) in the same frame. ``mixture``: what is known of its modes, where the search for another posterior begins."""

    trusted: TrustedDensity
    surrogate: EmulatedLogJoint
    points: Array
    weights: Array
    prior_variance: Array
    mixture: Proposal

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
    again = _drawn(now, surrogate, rng)
    whole_answer = _leads_back(now, surrogate, again)
    found = []
    for part in parts:
        check()
        if len(part.cells) == len(surrogate.cells.measured):
            continue
        less = replace(surrogate, likelihood=_without(surrogate, part.cells))
        log_ratio, k = smoothed(less.predict(now.points)[0] - whole)
        log_w = np.log(np.maximum(now.weights, 1e-300)) + log_ratio
        rise = float(np.log(np.sum(np.exp(log_w - log_w.max()))) + log_w.max())
        if k <= RELIABLE and (not _good(again) or (whole_answer and _reaches(now, less, _turned(now, less, again)))):
            made = _Without(now.points, normalized(log_w)[0], rise, "weights")
        else:
            made = _new_draws(now, less, again, rng) or _Without(now.points, normalized(log_w)[0], rise, "failed")
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
    """From every mode of the answer, and from every run that turns out to matter: a lost mode leaves no sign in weights."""
    base = base_points(now.points.shape[1], BASE_DRAWS, int(rng.integers(2**31)))
    density = now.log_density(surrogate)
    return search(density, _first(now), base, rng, lambda q: sample(density, q, base, rng), _places(now))


def _first(now: Posterior) -> Proposal:
    """The answer's components, their weights evened out, beside one as wide as all of it."""
    mean, covariance = weighted_covariance(now.points, now.weights)
    even = np.power(now.mixture.weights, EVENED)
    return Proposal(
        np.append((1.0 - SPREAD_OUT) * even / even.sum(), SPREAD_OUT),
        np.concatenate([now.mixture.means, mean[None]]),
        np.concatenate([now.mixture.covariances, covariance[None]]),
    )


def _places(now: Posterior) -> Array:
    """Where draws must reach, if the density is high there: the runs and the modes (n, D)."""
    return np.concatenate([now.surrogate.b, now.mixture.means])


def _new_draws(now: Posterior, less: EmulatedLogJoint, again: PosteriorDraws, rng: np.random.Generator) -> _Without | None:
    """None where no search found the posterior, or not all of it. ``again``: of all data."""
    for _ in range(TRIES):
        drawn = _drawn(now, less, rng)
        if _good(drawn) and _reaches(now, less, drawn) and _leads_back(now, less, drawn):
            return _Without(drawn.points, drawn.weights, drawn.log_z - again.log_z, "draws")
    return None


def _good(drawn: PosteriorDraws) -> bool:
    return drawn.temperature == 1.0 and drawn.ess >= GOOD_SHARE


def _turned(now: Posterior, less: EmulatedLogJoint, again: PosteriorDraws) -> PosteriorDraws:
    """The draws of the posterior of all data, weighted as draws of the one with less."""
    log_q = again.proposal.log_density(again.points)
    return weighed(again.points, log_q, now.log_density(less)(again.points, log_q), again.proposal)


def _reaches(now: Posterior, surrogate: EmulatedLogJoint, drawn: PosteriorDraws) -> bool:
    """Whether no run and no mode lies in the bulk of the posterior and yet where next to nothing was drawn."""
    density, places = now.log_density(surrogate), _places(now)
    lost = places[overlooked(density, drawn, places)]
    return not len(lost) or not np.any(density(lost, drawn.proposal.log_density(lost)) > drawn.bulk_level)


def _leads_back(now: Posterior, less: EmulatedLogJoint, drawn: PosteriorDraws) -> bool:
    """Whether the new draws, weighted by the part that was taken out, give the posterior of all data again."""
    back = now.surrogate.predict(drawn.points)[0] - less.predict(drawn.points)[0]
    weights, effective = normalized(drawn.log_weights + back)
    if effective < BACK_DRAWS:
        return True  # too few to tell: the part says very much
    (mean, covariance), (there, found) = weighted_covariance(now.points, now.weights), weighted_covariance(drawn.points, weights)
    sd, times = np.sqrt(np.diag(covariance)), np.sqrt(np.diag(found) / np.diag(covariance))
    return bool(np.all(np.abs(there - mean) < BACK_MOVED * sd) and np.all((times < BACK_WIDER) & (times > 1.0 / BACK_WIDER)))


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
        whole=part.whole, led_back=made.how == "draws",
    )  # fmt: skip



