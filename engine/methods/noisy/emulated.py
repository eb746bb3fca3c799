"""The posterior by the summaries' emulated means, beside the score's own: what it excludes, and where the two differ."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from ...feasibility.classifier import Feasibility
from ...likelihood.point_summaries import unpacked
from ...loop_interface import LoopSettings, SummaryCells
from ...sampling.guarded_density import Hull
from ...sampling.importance import normalized, systematic
from ...sampling.population_monte_carlo import LogDensity, PosteriorDraws, posterior_of
from ...surrogate.evaluations import Evaluations
from ...surrogate.frames import BoxFrame
from ...surrogate.noisy.shape_correction import marginal_variation

if TYPE_CHECKING:
    from ...surrogate.outputs.summaries import EmulatedSummaries

Array = NDArray[np.float64]

DRAWS = 1000  # of each of the two answers
ALIKE = 3.0  # times one standard error the other may be
MOST_SUMMARIES = 20  # with which it is asked what is possible at thousands of points: with 60 that takes 2 s for 2,000 of them
LOOKS = 3  # places where they differ most that are run between two updates


def emulated_summaries(given: SummaryCells | None, known: Evaluations) -> EmulatedSummaries | None:
    """None where the summaries of too few points are known."""
    if given is None or known.outputs is None:
        return None
    told = np.isfinite(known.outputs[:, 0])
    if told.sum() < known.points.shape[1] + 2:
        return None
    from ...surrogate.outputs.summaries import EmulatedSummaries, Summaries  # needs torch

    cells = unpacked(known.outputs[told], len(given.measured))
    return EmulatedSummaries.of(Summaries(known.points[told], *cells, given.measured, given.error))


def with_smooth_errors(known: Evaluations, summaries: EmulatedSummaries) -> Evaluations:
    """The same, with standard errors by the emulated summaries where those are about the size of what was told.

    The larger by chance a point's gap from the data, the lower its value and the larger its own standard error: as weights those
    lift the flanks of the posterior.
    """
    assert known.outputs is not None
    told = np.isfinite(known.outputs[:, 0])
    sd = known.sd.copy()
    smooth = summaries.standard_errors(known.points[told], known.outputs[told, 0])
    with np.errstate(divide="ignore", invalid="ignore"):
        alike = np.abs(np.log(smooth / sd[told])) < np.log(ALIKE)
    sd[told] = np.where(alike, smooth, sd[told])
    return replace(known, sd=sd)


@dataclass(frozen=True)
class EmulatedPosterior:
    """In the box frame. ``points`` (n, D) with log joint ``y`` (n,): evaluated."""

    summaries: EmulatedSummaries
    settings: LoopSettings
    box: BoxFrame
    hull: Hull
    possible: Feasibility
    points: Array
    y: Array

    @classmethod
    def of(
        cls, summaries: EmulatedSummaries | None, known: Evaluations,
        settings: LoopSettings, box: BoxFrame, hull: Hull, possible: Feasibility,
    ) -> Self | None:  # fmt: skip
        """None without summaries."""
        return None if summaries is None else cls(summaries, settings, box, hull, possible, known.points, known.y)

    def log_prior(self, points: Array) -> Array:
        """Of points (m, D), (m,)."""
        prior = self.settings.log_prior
        return np.zeros(len(points)) if prior is None else np.asarray(prior(self.box.back(points)), dtype=float)

    def log_density(self, points: Array, log_q: Array | None = None) -> Array:
        """Log joint (m,) at points (m, D), -inf outside the hull and less where runs fail; a ``LogDensity``."""
        worth = self.log_prior(points) + self.possible.log_worth(points)
        found = np.where(self.hull.contains(points), worth, -np.inf)
        some = np.isfinite(found)
        if some.any():
            found[some] += self.summaries.log_likelihood(points[some])
        return found

    def most(self, points: Array, unsure: float = 0.0) -> Array:
        """The log joint (m,) that there may be at points (m, D), for all that the emulator knows; -inf where its sd is below
        ``unsure``: nothing is in doubt there."""
        if len(self.summaries.measured) > MOST_SUMMARIES:
            return np.full(len(points), np.inf)
        found = self.log_prior(points) + self.summaries.most(points)
        return found if unsure == 0.0 else np.where(self.summaries.sds(points) < unsure, -np.inf, found)

    def draws(self, base: Array, rng: np.random.Generator) -> PosteriorDraws:
        """One for each base point."""
        return posterior_of(self.log_density, self.points, self.y, base, rng)


def difference(
    answer: PosteriorDraws, density: LogDensity, emulated: EmulatedPosterior, base: Array, rng: np.random.Generator
) -> tuple[float, list[Array]]:
    """Between ``answer``, drawn of ``density``, and the emulated one: the mean total variation of the marginals, and LOOKS places
    (D,) where they differ most. Both weigh the draws of both."""
    other = emulated.draws(base[:DRAWS], rng)
    points = np.concatenate([answer.points[:DRAWS], other.points])
    log_q = np.logaddexp(answer.proposal.log_density(points), other.proposal.log_density(points)) - np.log(2.0)
    log_w = np.stack([density(points, log_q), emulated.log_density(points)], axis=1) - log_q[:, None]
    gap = np.abs(normalized(log_w[:, 0])[0] - normalized(log_w[:, 1])[0])
    chosen = systematic(gap / gap.sum(), LOOKS, rng) if gap.sum() > 0.0 else ()
    return marginal_variation(points, log_w), [points[k] for k in chosen]
