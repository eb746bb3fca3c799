"""What an answer shows of learnt outputs: posterior predictive bands and checks, and the emulator in a light form.

Checks: Gelman, Meng and Stern 1996, with parameters drawn from the posterior on both sides of the comparison.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ...answer.predictions.emulated import HIGH, LOW, LightEmulator, OutputBands
from ...likelihood.batched_replicates import measured_again, standardized
from ...machine.devices import computing_on
from .emulator import Emulator
from .log_joint import EmulatedLogJoint
from .residuals import alone, missed, missed_by, residuals

Array = NDArray[np.float64]

MOST_DRAWS, FEWEST_DRAWS = 400, 64  # of the posterior
MOST_REPLICATES = 4  # data sets for each of them
MOST_NUMBERS = 400_000  # of all data sets: what a tenth of a second allows
FEWEST_IN_A_ROW = 8  # cells from which neighbours are compared
ONE_SD = (0.1587, 0.8413)


def shown(surrogate: EmulatedLogJoint, b: Array, rng: np.random.Generator, checked: bool = True) -> dict[str, Array]:
    """From posterior draws b (m, D), by the names they are stored under; ``checked`` False: without checks, the draws are of
    something wider than the posterior."""
    with torch.no_grad(), computing_on(surrogate.emulator.centre.device):
        f, p = predicted(surrogate, b, rng), _parameters(surrogate, b)
        by = missed_by(surrogate.cells, f, p, rng)
        found = _bands(surrogate, f, by, b, rng)
        arrays = light(surrogate.emulator).arrays()
        if by is not None:
            arrays |= missed(surrogate.cells, f, by).arrays()
        if not checked:
            return replace(found, checks=np.full_like(found.checks, np.nan)).arrays() | arrays
        return found.arrays() | arrays | residuals(surrogate.cells, f if by is None else f + by, p, rng).arrays()


def draws_for(cells: int) -> int:
    """How many posterior draws ``shown`` is to be given."""
    return int(np.clip(MOST_NUMBERS // max(cells, 1), FEWEST_DRAWS, MOST_DRAWS))


def light(emulator: Emulator) -> LightEmulator:
    processes, components = emulator.processes, emulator.components
    tensors = {
        "x": processes.data.x, "alpha": processes.alpha, "theta": processes.theta,
        "extra": processes.data.beyond(processes.theta),
        "centre": emulator.centre, "width": emulator.width, "size": emulator.size, "middle": components.centre,
        "directions": components.directions, "unit": components.scale.unit, "log": components.scale.log,
    }  # fmt: skip
    found = {name: np.array(t.cpu().numpy(), dtype=float) for name, t in tensors.items()}
    rough = np.array([float(processes.kind == "rough")])
    return LightEmulator(**found, rough=rough, inflation=np.array([emulator.inflation]), typical=np.array([components.typical]))


@dataclass(frozen=True)
class Replicated:
    """Data sets (r, L) drawn from the posterior predictive, the predictions f (r, L) they were drawn about, and standardized
    residuals (r, L) of them and of the measured data."""

    y: Tensor
    f: Tensor
    residuals: Tensor
    measured: Tensor


def bands(surrogate: EmulatedLogJoint, b: Array, rng: np.random.Generator) -> OutputBands:
    f = predicted(surrogate, b, rng)
    return _bands(surrogate, f, missed_by(surrogate.cells, f, _parameters(surrogate, b), rng), b, rng)


def _bands(surrogate: EmulatedLogJoint, f: Tensor, by: Tensor | None, b: Array, rng: np.random.Generator) -> OutputBands:
    """``f`` (m, L) predicted at b (m, D), ``by`` what is missed there."""
    again = replicated(surrogate, f if by is None else f + by, b, rng)
    low, middle, high = _quantiles(f, (LOW, 0.5, HIGH))
    measured_low, measured_high = _quantiles(again.y, (LOW, HIGH))
    down, up = _quantiles(again.y - again.f, ONE_SD)
    checks = np.array([_checks(again, cells) for cells in surrogate.cells.outputs]).reshape(-1, 2)
    return OutputBands(
        low, middle, high, measured_low, measured_high, 0.5 * (up - down), checks, np.array([float(len(again.y))])
    )


def predicted(surrogate: EmulatedLogJoint, b: Array, rng: np.random.Generator) -> Tensor:
    """One draw of all cells (m, L) by the uncertain emulator at each of the points b (m, D)."""
    mean, variance = surrogate.emulator.predict(surrogate.inputs(b))
    noise = torch.as_tensor(rng.standard_normal(tuple(mean.shape)), device=mean.device)
    return surrogate.emulator.components.cells(mean + torch.sqrt(variance) * noise)


def _parameters(surrogate: EmulatedLogJoint, b: Array) -> Tensor:
    """Of the noise (m, P) at b (m, D)."""
    return torch.as_tensor(surrogate.cells.noise_values(surrogate.box.back(b)), device=surrogate.emulator.centre.device)


def replicated(surrogate: EmulatedLogJoint, f: Tensor, b: Array, rng: np.random.Generator) -> Replicated:
    """Data sets measured about predictions f (m, L) made at b (m, D), each with its own noise parameters. What the program
    misses is part of f: the same is measured again."""
    times = int(np.clip(MOST_NUMBERS // f.numel(), 1, MOST_REPLICATES))
    f = f.repeat_interleave(times, 0)
    p = _parameters(surrogate, b).repeat_interleave(times, 0)
    data = torch.as_tensor(surrogate.cells.measured, device=f.device)
    y, residuals, measured = torch.empty_like(f), torch.empty_like(f), torch.empty_like(f)
    for block in surrogate.cells.likelihood.on(f.device).blocks:
        at = f[:, block.cells]
        noise = alone(block.noise, at, p, rng)
        again = measured_again(noise, at, p, rng)
        y[:, block.cells] = again
        residuals[:, block.cells] = standardized(noise, again, at, p)
        measured[:, block.cells] = standardized(noise, data[block.cells], at, p)
    return Replicated(y, f, residuals, measured)


def _checks(again: Replicated, cells: slice) -> tuple[float, float]:
    """Shares of data sets that are scattered as far as the measured one, and whose neighbours are as alike."""
    drawn, measured = again.residuals[:, cells], again.measured[:, cells]
    scattered = _share_above((drawn**2).sum(1), (measured**2).sum(1))
    if drawn.shape[1] < FEWEST_IN_A_ROW:
        return scattered, float("nan")
    return scattered, _share_above(_alike(drawn), _alike(measured))


def _share_above(drawn: Tensor, measured: Tensor) -> float:
    """How often ``drawn`` (r,) is above ``measured`` (r,); counts may be alike: half of those."""
    return float(((drawn > measured).double() + 0.5 * (drawn == measured).double()).mean())


def _alike(e: Tensor) -> Tensor:
    """Correlation (r,) of residuals e (r, L) with their neighbours."""
    return (e[:, 1:] * e[:, :-1]).sum(1) / (e**2).sum(1).clamp_min(1e-300)


def _quantiles(values: Tensor, at: tuple[float, ...]) -> list[Array]:
    """(L,) each."""
    limited = np.clip(np.nan_to_num(values.cpu().numpy()), -1e300, 1e300)
    return list(np.quantile(limited, at, axis=0))
