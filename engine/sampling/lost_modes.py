"""Modes of draws that draws from a later proposal have lost: no weight shows it, and walkers from there do not come back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..numerics.mixture_modes import modes_of
from .population_monte_carlo import LogDensity, PosteriorDraws, with_mode_from
from .proposal import Proposal

Array = NDArray[np.float64]

LOST = 0.25  # of a mode's mass: where less of it is left the mode is lost, more may be what was mended elsewhere
REACH = 3.0  # sds, and as many more as the square root of the dimension, from a component of a mode to where it ends
NOWHERE = -1  # the label of a place in no mode


def with_lost_modes(
    log_density: LogDensity, before: PosteriorDraws, now: PosteriorDraws, base: Array, rng: np.random.Generator, least: float
) -> Proposal | None:
    """The proposal of ``now`` and the modes of ``least`` mass in the draws ``before`` that it lost, each fitted anew by itself;
    None: none is lost.

    Where a proposal reaches a light mode by a few heavy draws, what is fitted to walkers from there is too narrow, and its draws
    in the mode weigh next to nothing. ``base`` as for ``move``.
    """
    modes = _Modes.of(before, least)
    lost = np.flatnonzero(modes.masses(now) < LOST * modes.masses(before)).tolist()
    for mode in lost:
        now = replace(now, proposal=with_mode_from(modes.alone(log_density, mode), now, modes.components(mode), base, rng))
    return now.proposal if lost else None


@dataclass(frozen=True)
class _Modes:
    """Separate modes of draws: those of their proposal, as heavy as the draws say."""

    proposal: Proposal
    groups: list[NDArray[np.intp]]  # components of each

    @classmethod
    def of(cls, draws: PosteriorDraws, least: float) -> Self:
        p = draws.proposal
        parts = p.log_parts(draws.points)
        share = np.exp(parts - np.logaddexp.reduce(parts, axis=1)[:, None])
        p = replace(p, weights=draws.weights @ share)
        return cls(p, modes_of(p.weights, p.means, p.covariances, least))

    def labels(self, points: Array) -> NDArray[np.intp]:
        """(n,) of places (n, D): which mode each belongs to."""
        p, of_component = self.proposal, np.full(len(self.proposal.weights), NOWHERE)
        for label, group in enumerate(self.groups):
            of_component[group] = label
        parts, at_centre = p.log_parts(points), np.diag(p.log_parts(p.means))
        nearest = parts.argmax(1)
        sds = np.sqrt(2.0 * np.maximum(at_centre[nearest] - parts.max(1), 0.0))  # Mahalanobis distance
        return np.where(sds < REACH + np.sqrt(p.dimension), of_component[nearest], NOWHERE)

    def masses(self, draws: PosteriorDraws) -> Array:
        """(modes,) of the posterior, as ``draws`` say."""
        labels = self.labels(draws.points)
        return np.array([draws.weights[labels == k].sum() for k in range(len(self.groups))])

    def components(self, mode: int) -> Proposal:
        group = self.groups[mode]
        weights = self.proposal.weights[group]
        return Proposal(weights / weights.sum(), self.proposal.means[group], self.proposal.covariances[group])

    def alone(self, log_density: LogDensity, mode: int) -> LogDensity:
        """The density in one mode, 0 outside of it: what moves there must not leave for a heavier one."""

        def of(points: Array, log_q: Array) -> Array:
            value, inside = np.full(len(points), -np.inf), self.labels(points) == mode
            if inside.any():
                value[inside] = log_density(points[inside], log_q[inside])
            return value

        return of
