"""Standardized residuals of the measured values about what is predicted for them, and their tests; what a program misses.

The fit of a data set drawn from the model is not repeated: to first order it takes away what the posterior's own covariance says.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ...answer.predictions.emulated import HIGH, LOW
from ...answer.predictions.missed import Missed
from ...answer.predictions.residuals import Residuals
from ...likelihood.batched_discrepancy import MayBeOff, without_missed
from ...likelihood.batched_noise import Noise, level
from ...likelihood.batched_replicates import measured_again, settled, standardized
from ...numerics.residual_tests import fitted_away, judge_residuals
from .log_joint import Cells

Array = NDArray[np.float64]

FEWEST = 8  # cells of an output from which its residuals are tested
MOST_NUMBERS = 400_000  # of all data sets drawn for the tests
FEWEST_SETS, MOST_SETS = 400, 2000


def missed_by(cells: Cells, f: Tensor, p: Tensor, rng: np.random.Generator) -> Tensor | None:
    """What the program misses (m, L), a draw beside each prediction f (m, L); None where it is taken for right."""
    missed, found = torch.zeros_like(f), False
    for block in cells.likelihood.on(f.device).blocks:
        if isinstance(block.noise, MayBeOff):
            found = True
            missed[:, block.cells] = block.noise.drawn(f[:, block.cells], p, rng)
    return missed if found else None


def missed(cells: Cells, f: Tensor, by: Tensor) -> Missed:
    """``by`` (m, L): what ``missed_by`` drew beside f (m, L)."""
    at, size = (LOW, 0.5, HIGH), list[Array]()
    (low, middle, high), whole = (np.quantile(t.cpu().numpy(), at, axis=0) for t in (by, f + by))
    for output in cells.outputs:
        rms = torch.sqrt((by[:, output] ** 2).mean(1)).cpu().numpy()
        size.append(np.quantile(rms, at) if rms.any() else np.full(3, np.nan))
    return Missed(low, middle, high, whole[0], whole[1], whole[2], np.array(size).reshape(-1, 3))


def residuals(cells: Cells, f: Tensor, p: Tensor, rng: np.random.Generator) -> Residuals:
    """``f`` (m, L): posterior draws of what is predicted, with what the program misses; p (m, P) noise parameters."""
    count = f.shape[1]
    sets = int(np.clip(MOST_NUMBERS // max(count, 1), FEWEST_SETS, MOST_SETS))
    middle, usual = f.quantile(0.5, 0, keepdim=True), p.quantile(0.5, 0, keepdim=True) if p.shape[1] else p[:1]
    y = torch.as_tensor(cells.measured, device=f.device)
    z, moved, drawn = (np.empty((n, count)) for n in (1, len(f), sets))
    for block in cells.likelihood.on(f.device).blocks:
        at, these = middle[:, block.cells], block.cells.cpu().numpy()
        noise = alone(block.noise, at, usual, rng)
        again = measured_again(noise, at.expand(sets, -1), usual.expand(sets, -1), rng)
        for into, values in ((z, y[None, block.cells]), (moved, f[:, block.cells]), (drawn, again)):
            into[:, these] = standardized(noise, values, at, usual).cpu().numpy()
    left = fitted_away(drawn, np.nan_to_num(moved))
    return _tested(cells, z[0], left)


def alone(noise: Noise, f: Tensor, p: Tensor, rng: np.random.Generator) -> Noise:
    """The noise without what the program misses, and with what it integrates over drawn."""
    if isinstance(noise, MayBeOff):
        return without_missed(noise, level(noise.sd, p))
    return settled(noise, f, rng)


def _tested(cells: Cells, z: Array, drawn: Array) -> Residuals:
    low, high = np.full((2, len(z)), np.nan)
    runs, shares = np.full((2, len(cells.outputs), 2), np.nan)
    for k, output in enumerate(cells.outputs):
        along = np.argsort(cells.places[output], kind="stable")
        along = along[cells.sides[output][along] == 0.0]  # a limit has no residual
        mine, theirs = z[output][along], drawn[:, output][:, along]
        if len(mine) < FEWEST or not np.isfinite(mine).all() or not np.isfinite(theirs).all():
            continue
        found = judge_residuals(mine, theirs)
        runs[k], shares[k] = (found.runs, found.expected_runs), (found.p_runs, found.p_shape)
        among = slice(output.start, output.start + len(mine))
        low[among], high[among] = found.low, found.high
    return Residuals(np.nan_to_num(z), low, high, runs, shares, np.array([float(len(drawn))]))
