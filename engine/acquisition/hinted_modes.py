"""Where a mode would show that one value hints at: a value higher than all others imply, on the flank of what nobody has seen.

Hypothetical normal modes, each of which would raise just that value by just as much, weighted by what all other values leave of
them (importance sampling; centres uniform over the plausible box, widths log-uniform). The next run goes where most of them
would show.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import distance

from .local_climb import ROUGH, ROUGH_SHARE

Array = NDArray[np.float64]

HYPOTHESES = 8192
WIDTHS = 0.08, 0.8  # sds in the box frame: .02 to .2 of the plausible ranges; wider modes show from afar
FARTHEST = 8.0  # sds of the mode from its centre to the value
LIGHTEST = 0.05  # share of the posterior; what is lighter hardly matters, and what is heavier than all but so much is known
LOOKED_AT = 512  # draws of the hypotheses, whose centres are the places compared


@dataclass(frozen=True)
class HintedModes:
    """Draws from what is left: centres (m, D), sds ``widths`` (m,), log densities ``tops`` (m,) at the centres, box frame."""

    centres: Array
    widths: Array
    tops: Array

    @classmethod
    def of(
        cls, points: Array, values: Array, implied: Array, hint: int, log_z: float, rng: np.random.Generator
    ) -> HintedModes | None:
        """points (n, D) with log densities ``values`` (n,), ``implied`` (n,): without the mode, less where a value hints at it.

        ``hint``: row of the one that all modes make; ``log_z``: of the answer. None: no mode can have made it.
        """
        d, value = points.shape[1], values[hint]
        widths = np.exp(rng.uniform(np.log(WIDTHS[0]), np.log(WIDTHS[1]), HYPOTHESES))
        away = FARTHEST * rng.random(HYPOTHESES)
        turn = rng.standard_normal((HYPOTHESES, d))
        centres = points[hint] + (widths * away / np.linalg.norm(turn, axis=1))[:, None] * turn
        tops = value + np.log(-np.expm1(implied[hint] - value)) + 0.5 * away**2
        odds = tops - log_z + d * (np.log(widths) + 0.5 * np.log(2 * np.pi))  # log of p / (1 - p)
        may = (np.abs(centres) <= 2.0).all(axis=1) & (np.abs(odds) < np.log(1.0 / LIGHTEST - 1.0))
        if not may.any():
            return None
        found = cls(centres[may], widths[may], tops[may])
        misfit = np.logaddexp(implied, found.log_densities(points).T) - values
        misfit /= ROUGH + ROUGH_SHARE * np.maximum(0.0, -values)
        chance = d * np.log(widths[may]) + (d - 1.0) * np.log(away[may]) - 0.5 * np.square(misfit).sum(axis=1)
        share = np.exp(chance - chance.max())
        return found.rows(rng.choice(len(share), LOOKED_AT, p=share / share.sum()))

    def rows(self, chosen: NDArray[np.intp]) -> HintedModes:
        return HintedModes(self.centres[chosen], self.widths[chosen], self.tops[chosen])

    def log_densities(self, places: Array) -> Array:
        """(n, m) at places (n, D)."""
        return np.asarray(self.tops - 0.5 * distance.cdist(places, self.centres, "sqeuclidean") / np.square(self.widths))

    def telling_place(self, shown_from: Callable[[Array], Array], possible: NDArray[np.bool_]) -> Array | None:
        """The centre (D,) at which most of the modes would exceed ``shown_from``: places (n, D) -> (n,); of those ``possible``
        (m,). None: none would."""
        shows = (self.log_densities(self.centres) > shown_from(self.centres)[:, None]).sum(axis=1) * possible
        return np.asarray(self.centres[shows.argmax()]) if shows.any() else None
