"""Values of the noise's own parameters for recorded runs, which depend on none: drawn given what each run predicted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from scipy.stats import qmc

from ..likelihood.predicted import ComparisonError, PredictedCells
from ..numerics.randomness import generator
from ..problem.definition import Problem
from ..problem.transforms import ParameterSpace

Array = NDArray[np.float64]

CANDIDATES = 64  # values of the noise's own parameters among which each run gets one
TEMPERATURE = 4.0  # of their conditional posterior: values are to lie around all that may be the answer


@dataclass(frozen=True)
class NoiseValues:
    """``coordinates``: which of the D are the noise's own parameters."""

    space: ParameterSpace
    coordinates: Sequence[int]
    cells: PredictedCells
    seed: int

    @classmethod
    def of(cls, problem: Problem, space: ParameterSpace, coordinates: Sequence[int]) -> NoiseValues | None:
        """None where no predictions are compared. Raises LikelihoodError for data that no likelihood can be made of."""
        cells = PredictedCells.of(problem, space)
        return None if cells is None else cls(space, coordinates, cells, problem.settings.seed)

    def chosen(self, turn: int, u: Array, outputs: Mapping[str, ArrayLike]) -> Array:
        """u (D,) with values drawn from their posterior given the run, made wider by TEMPERATURE."""
        try:
            f = self.cells.cells(outputs)
        except ComparisonError:
            return u
        rng = generator(self.seed, "again", turn)
        lower, upper = self.space.plausible_box()
        which = list(self.coordinates)
        even = qmc.Sobol(len(which), scramble=True, rng=rng).random(CANDIDATES)
        points = np.repeat(u[None], CANDIDATES, axis=0)
        points[:, which] = lower[which] + (upper - lower)[which] * even
        p, cells = torch.as_tensor(self.cells.noise_values(points)), torch.as_tensor(f).repeat(CANDIDATES, 1)
        value = self.cells.likelihood.log_density(cells, p).numpy() + self.cells.log_prior(points)
        value = np.where(np.isfinite(value), value, -np.inf)
        if not np.isfinite(value).any():
            return u
        weight = np.exp((value - value.max()) / TEMPERATURE)
        return np.asarray(points[int(rng.choice(CANDIDATES, p=weight / weight.sum()))])
