"""Which one further measured value would teach most: the information on the parameters that is expected of it (Lindley 1956).

I(theta; y) = E log p(y | theta) / p(y), over values y predicted by the posterior; p(y) is the mean over the other draws (nested
Monte Carlo, Ryan 2003). A value measured again has an error of its own; between two rows the outputs are interpolated where that
is seen to be good.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..answer.predictions.data_parts import Column, title_of
from ..answer.sensitivity import NextMeasurement, finite
from ..likelihood.batched_discrepancy import MayBeOff, without_missed
from ..likelihood.batched_noise import TINY, Gaussian, LogNormal, Noise, level
from ..likelihood.batched_replicates import measured_again, settled
from ..likelihood.left_out import alone
from ..surrogate.outputs.log_joint import EmulatedLogJoint

Array = NDArray[np.float64]

DRAWS = 1000  # of the posterior: all pairs of them are compared
MOST_CANDIDATES = 40  # measured values looked at closely, the most promising by the linear estimate
FEWEST_ROWS = 4  # of a column, for a cubic through them
LOOKED_AT = 200  # draws that show whether a cubic is good
NEIGHBOURS = 5  # rows on either side that a cubic goes through: those beyond hardly count
INTERPOLATED = 0.5  # noise sds: error of a row interpolated from the others, twice as far apart, up to which between is believed


@dataclass(frozen=True)
class Candidate:
    """A value to be measured: predictions f (m,) at the draws, and the noise of one value about them."""

    column: Column
    row: int  # from 0 among the measured ones; -1: between
    title: str
    f: Tensor
    noise: Noise
    sd: float  # of the noise, about


def next_measurements(
    surrogate: EmulatedLogJoint, columns: Sequence[Column], b: Array, u: Array, rng: np.random.Generator,
    check: Callable[[], None],
) -> list[NextMeasurement]:  # fmt: skip
    """The most informative first. b (m, D): posterior draws in the box frame, u (m, D) the same in inference space."""
    with torch.no_grad():
        mean = surrogate.emulator.predict(surrogate.inputs(b))[0]
        f = surrogate.emulator.components.cells(mean)
        p = torch.as_tensor(surrogate.cells.noise_values(u), device=f.device)
        noises = _noises(surrogate, f, rng)
        candidates = [c for column in columns for c in _candidates(column, f, noises, p, rng)]
        seed = int(rng.integers(2**31))
        candidates.sort(key=lambda c: -_linear(c))
        found = []
        for candidate in candidates[:MOST_CANDIDATES]:
            check()
            bits, error = information(candidate.noise, candidate.f, p, np.random.default_rng(seed))  # the same luck for all
            times = _times(u, candidate.f.cpu().numpy(), candidate.sd)
            row = int(candidate.column.rows[candidate.row]) if candidate.row >= 0 else 0
            found.append(
                NextMeasurement(
                    title=candidate.title, column=candidate.column.name, row=row, bits=finite(max(bits, 0.0)),
                    bits_sd=finite(error), times=tuple(finite(x, 1.0) for x in times),
                )
            )  # fmt: skip
    return sorted(found, key=lambda n: -n.bits)


def information(noise: Noise, f: Tensor, p: Tensor, rng: np.random.Generator) -> tuple[float, float]:
    """Bits that one value with ``noise`` (of one value) about f (m,) tells of what f and noise parameters p (m, P) depend on, and
    the standard error of that."""
    m = len(f)
    y = measured_again(noise, f[:, None], p, rng)[:, 0]
    log_p = log_densities(noise, y, f, p)  # (values, draws)
    own = torch.diagonal(log_p)
    others = log_p.clone()
    others.fill_diagonal_(-torch.inf)  # its own draw would tell of itself
    known, signal = _known_mean(noise, y, f, p)
    gained = (own - torch.logsumexp(others, 1) + np.log(m - 1) - known).cpu().numpy() / np.log(2.0)
    of_draws = signal / np.log(2.0) / np.sqrt(2.0 * m)  # their variance is that of the posterior to sqrt(2 / m)
    return float(gained.mean()), float(np.hypot(gained.std() / np.sqrt(m), of_draws))


def _known_mean(noise: Noise, y: Tensor, f: Tensor, p: Tensor) -> tuple[Tensor, float]:
    """(m,) of mean zero that scatters as the information does where predictions are nearly normal: a control variate; and the
    share of the variance of y that is not noise. Nothing for other noise."""
    if isinstance(noise, LogNormal):
        y, f, noise = torch.log(y), torch.log(f.clamp_min(TINY)), Gaussian(noise.y, noise.log_sd)
    if not isinstance(noise, Gaussian):
        return torch.zeros_like(f), 0.0
    sd = torch.as_tensor(level(noise.sd, p), dtype=f.dtype, device=f.device).expand(len(f), 1)[:, 0]
    whole = f.var(unbiased=False) + (sd**2).mean()
    return 0.5 * (y - f.mean()) ** 2 / whole - 0.5 * ((y - f) / sd) ** 2, float(1.0 - (sd**2).mean() / whole)


def log_densities(noise: Noise, y: Tensor, f: Tensor, p: Tensor) -> Tensor:
    """Log density (k, m) of each of k values y under each of m predictions f with noise parameters p (m, P)."""
    k, m = len(y), len(f)
    each = replace(noise, y=y.repeat_interleave(m)[:, None])  # type: ignore[type-var, call-arg]
    return each.log_density(f.repeat(k)[:, None], p.repeat(k, 1)).reshape(k, m)


def _noises(surrogate: EmulatedLogJoint, f: Tensor, rng: np.random.Generator) -> list[Noise]:
    """Of each measured value (L) when it is measured once more."""
    found: list[Noise | None] = [None] * f.shape[1]
    for block in surrogate.cells.likelihood.on(f.device).blocks:
        noise = _one_noise(block.noise, f[:, block.cells], rng)
        for k, cell in enumerate(block.cells.tolist()):
            found[cell] = alone(noise, k)
    return [n for n in found if n is not None]


def _one_noise(noise: Noise, f: Tensor, rng: np.random.Generator) -> Noise:
    """A variance that is integrated over is taken as its root mean square over the draws; what is missed stays the same."""
    if isinstance(noise, MayBeOff):
        return without_missed(noise, noise.sd)
    known = settled(noise, f, rng)
    if known is noise or not isinstance(known, Gaussian) or not isinstance(known.sd, Tensor):
        return known
    return Gaussian(known.y, float(torch.sqrt((known.sd**2).mean())))


def _candidates(column: Column, f: Tensor, noises: list[Noise], p: Tensor, rng: np.random.Generator) -> list[Candidate]:
    cells = range(column.cells.start, column.cells.stop)
    sds = [_sd(noises[c], f[:, c], p, rng) for c in cells]
    found = [
        Candidate(column, k, title_of(column, k, k) if len(cells) > 1 else column.name, f[:, c], noises[c], sds[k])
        for k, c in enumerate(cells)
    ]
    if not column.ordered or len(cells) < FEWEST_ROWS:
        return found
    at, curves = column.x, f[:, column.cells].cpu().numpy()
    good = interpolated_well(at, curves[:LOOKED_AT], np.array(sds))
    middles = 0.5 * (at[:-1] + at[1:])
    between = torch.as_tensor(_cubic(at, curves)(middles), device=f.device)
    for k in np.flatnonzero(good[:-1] & good[1:]).tolist():
        sd = float(np.hypot(sds[k], sds[k + 1]) / np.sqrt(2.0))
        title = f"{column.name}, new row at {column.between(k)}"
        found.append(Candidate(column, -1, title, between[:, k], _between(noises, cells[k], sds, k), sd))
    return found


def _between(noises: list[Noise], cell: int, sds: Sequence[float], k: int) -> Noise:
    """The noise of the row before or after, whichever is larger."""
    return noises[cell] if sds[k] >= sds[k + 1] else noises[cell + 1]


def interpolated_well(at: Array, curves: Array, sds: Array) -> NDArray[np.bool_]:
    """Which of the places ``at`` (n,), n >= FEWEST_ROWS, a cubic through the other values of ``curves`` (m, n) nearby meets to
    INTERPOLATED of the noise; the ends are not foreseen and count as met where their neighbours are."""
    good = np.ones(len(at), dtype=bool)
    for k in range(1, len(at) - 1):
        near = np.arange(max(k - NEIGHBOURS, 0), min(k + NEIGHBOURS + 1, len(at)))
        rest = near[near != k]
        miss = _cubic(at[rest], curves[:, rest])(at[k]) - curves[:, k]
        good[k] = float(np.sqrt(np.mean(np.square(miss)))) <= INTERPOLATED * sds[k]
    good[0], good[-1] = good[1], good[-2]
    return good


def _cubic(at: Array, curves: Array) -> Callable[[Array], Array]:
    from scipy.interpolate import CubicSpline

    return CubicSpline(at, curves, axis=1)  # type: ignore[no-any-return]


def _sd(noise: Noise, f: Tensor, p: Tensor, rng: np.random.Generator) -> float:
    """Half the range that holds 68 % of the noise about f (m,)."""
    away = (measured_again(noise, f[:, None], p, rng)[:, 0] - f).cpu().numpy()
    low, high = np.quantile(away, [0.1587, 0.8413])
    return max(0.5 * float(high - low), 1e-300)


def _linear(c: Candidate) -> float:
    """Signal over noise, the information of normal predictions with normal noise."""
    return float(c.f.var()) / c.sd**2


def _times(u: Array, f: Array, sd: float) -> Array:
    """Sd now / sd expected (D,), as if parameters u (m, D) and predictions f (m,) were jointly normal."""
    away, g = u - u.mean(0), f - f.mean()
    explained = np.square(away.T @ g / len(g)) / np.maximum(away.var(0) * (g.var() + sd**2), 1e-300)
    return np.asarray(1.0 / np.sqrt(np.maximum(1.0 - explained, 1e-12)))
