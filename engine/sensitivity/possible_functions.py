"""Functions that fit the runs of learnt outputs: drawn with hyperparameters, and a kernel, that are drawn themselves.

Kernel of a score: a^2 prod_i (1 + t_i k(|x_i - x_i'| / l_i)) / (1 + t_i) + b^2 (1 + x.x') + c^2 (x.x')^2, an ANOVA kernel
(Durrande et al. 2013): additive functions where all t are small, any interactions where they are large. The emulator's own
kernel, all interactions alike, takes what few runs leave open for interactions, and its likeliest hyperparameters for known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import linalg, special
from scipy.stats import qmc
from torch import Tensor

from ..machine.threads import one_thread
from ..numerics.linear_algebra import stable_cholesky
from ..numerics.parts import in_parts
from ..numerics.radial import Profile, radial_profile
from ..sampling.hyperparameter_draws import hyperparameter_draws
from ..surrogate.outputs.emulator import Emulator
from ..surrogate.outputs.gaussian_processes import LIMITS, NUGGET_LIMITS, PRIOR_MEAN, PRIOR_SD
from .prior_functions import AT_ONCE, PriorFunctions, rough_spread

Array = NDArray[np.float64]

MOST_RUNS = 200  # beyond, hyperparameters are known well, and a draw of them takes seconds
GROUPS = 10  # draws of hyperparameters; functions are shared out among them
STARTS = 2  # of descents to them, drawn from their prior, beside its mean
FREQUENCIES = 512  # each with a cosine and a sine
ANOVA = (0.0, 1.5), (-6.0, 6.0)  # prior mean and sd of log t, and limits
KINDS: tuple[Profile, ...] = ("smooth", "rough")
JITTER = 1e-8
SMALLEST = 1e-12  # of a scale that does not vary
NUGGET = 1e-3  # of the values' spread: prior median of the sd of what no function explains
NUMBERS = 4e6  # of all covariances with all coordinates at once: 32 MB


@dataclass(frozen=True)
class Score:
    """One score of the runs: standardized inputs x (n, d) and values z (n,), variances ``extra`` (n,) of far runs; ``nugget``:
    prior mean of its log sd."""

    x: Tensor
    z: Tensor
    extra: Tensor
    nugget: float

    @property
    def dimension(self) -> int:
        return int(self.x.shape[1])

    def prior(self) -> tuple[Array, Array, tuple[Array, Array]]:
        """Mean and sd (p,) of the logarithms l (d), t (d), a, b, c, nugget's sd; lower and upper limits (p,) each."""
        d = self.dimension
        mean = [PRIOR_MEAN[0]] * d + [ANOVA[0][0]] * d + [*PRIOR_MEAN[1:], self.nugget]
        sd = [PRIOR_SD[0]] * d + [ANOVA[0][1]] * d + [*PRIOR_SD[1:], 1.0]
        limits = [LIMITS[0]] * d + [ANOVA[1]] * d + [*LIMITS[1:], NUGGET_LIMITS]
        low, high = np.array(limits).T
        return np.array(mean), np.array(sd), (low, high)

    def objective(self, kind: Profile) -> Callable[[Array], tuple[Array, Array]]:
        mean, sd = (torch.as_tensor(a) for a in self.prior()[:2])
        each = max(1, int(NUMBERS / (len(self.x) ** 2 * self.dimension)))

        def value(theta: Array) -> tuple[Array, Array]:
            values, slopes = [], []
            for part in in_parts(len(theta), each):
                at = torch.as_tensor(theta[part]).requires_grad_()
                with torch.enable_grad():
                    found = self._misfit(at, kind) + 0.5 * (((at - mean) / sd) ** 2 + torch.log(2.0 * torch.pi * sd**2)).sum(1)
                    (slope,) = torch.autograd.grad(found.sum(), at)
                good = torch.isfinite(found)
                values.append(torch.where(good, found, 1e10).detach().numpy())
                slopes.append(torch.where(good[:, None], torch.nan_to_num(slope), 0.0).numpy())
            return np.concatenate(values), np.concatenate(slopes)

        return value

    def _misfit(self, theta: Tensor, kind: Profile) -> Tensor:
        """Negative log likelihood (m,), up to a constant."""
        noise = torch.exp(2.0 * theta[:, -1:]) + self.extra + JITTER
        factor, info = torch.linalg.cholesky_ex(covariance(self.x, self.x, theta, kind) + torch.diag_embed(noise))
        white = torch.linalg.solve_triangular(factor, self.z[None, :, None].expand(len(theta), -1, 1), upper=False)
        found = 0.5 * (white**2).sum((1, 2)) + torch.log(torch.diagonal(factor, dim1=1, dim2=2)).sum(1)
        return torch.where(info == 0, found, torch.inf)


def covariance(x: Tensor, other: Tensor, theta: Tensor, kind: Profile) -> Tensor:
    """(m, n, k) of standardized inputs x (n, d), other (k, d) for hyperparameters theta (m, p)."""
    d = x.shape[1]
    lengths, times = torch.exp(theta[:, :d]), torch.exp(theta[:, d : 2 * d])
    a2, b2, c2 = torch.exp(2.0 * theta[:, 2 * d : 2 * d + 3]).T[:, :, None, None].unbind(0)
    whole = a2.expand(-1, len(x), len(other))
    for i in range(d):
        distance = ((x[:, None, i] - other[None, :, i])[None] / lengths[:, i, None, None]) ** 2
        t = times[:, i, None, None]
        whole = whole * (1.0 + t * radial_profile(distance, kind)[0]) / (1.0 + t)
    inner = x @ other.T
    return whole + b2 * (1.0 + inner) + c2 * inner**2


@dataclass(frozen=True)
class PossibleFunctions:
    """F functions of each of the K scores at inputs in the user's coordinates: ``middle`` (K,) and ``size`` (K,) of the scores,
    ``centre`` (d,) and ``width`` (d,) of the inputs."""

    scores: tuple[Score, ...]
    centre: Array
    width: Array
    middle: Array
    size: Array
    drawn: tuple[tuple[tuple[Profile, Array], ...], ...]  # (K, GROUPS): kind and hyperparameters (p,)

    @classmethod
    def of_outputs(cls, emulator: Emulator, rng: np.random.Generator, check: Callable[[], None]) -> PossibleFunctions:
        data = emulator.processes.data
        x, z, extra = (t.detach().cpu() for t in (data.x, data.z, data.extra))
        scores = [Score(x, z[:, k], extra[k], float(data.nugget[k])) for k in range(z.shape[1])]
        centre, width, size = (t.cpu().numpy() for t in (emulator.centre, emulator.width, emulator.size))
        return cls._of(scores, (centre, width, np.zeros(len(size)), size), rng, check)

    @classmethod
    def of_values(
        cls, points: Array, values: Array, variances: Array, rng: np.random.Generator, check: Callable[[], None]
    ) -> PossibleFunctions:
        """Of one score: values (n,) at points (n, d), with noise of these variances (n,)."""
        centre, width, middle, size = points.mean(0), points.std(0) + SMALLEST, values.mean(), values.std() + SMALLEST
        x, z = torch.as_tensor((points - centre) / width), torch.as_tensor((values - middle) / size)
        score = Score(x, z, torch.as_tensor(variances / size**2), float(np.log(NUGGET)))
        return cls._of([score], (centre, width, np.array([middle]), np.array([size])), rng, check)

    @classmethod
    def _of(
        cls, scores: Sequence[Score], scales: tuple[Array, Array, Array, Array], rng: np.random.Generator,
        check: Callable[[], None],
    ) -> PossibleFunctions:  # fmt: skip
        """``scales``: of the fields from ``centre`` to ``size``."""
        drawn = []
        for score in scores:
            drawn.append(_drawn(score, rng))
            check()
        return cls(tuple(scores), *scales, tuple(drawn))

    def at(self, inputs: Array, count: int, rng: np.random.Generator) -> Array:
        """Scores (count, m, K) at inputs (m, d); ``count``: a multiple of GROUPS."""
        here, each = (inputs - self.centre) / self.width, count // GROUPS
        found = np.empty((count, len(here), len(self.scores)))
        for k, (score, groups) in enumerate(zip(self.scores, self.drawn, strict=True)):
            for g, (kind, theta) in enumerate(groups):
                made = _functions(score, kind, theta, here, each, rng)
                found[g * each : (g + 1) * each, :, k] = made * self.size[k] + self.middle[k]
        return found


def _drawn(score: Score, rng: np.random.Generator) -> tuple[tuple[Profile, Array], ...]:
    """Each kind as often as its evidence says."""
    mean, sd, limits = score.prior()
    starts = [mean, *(mean + sd * rng.standard_normal((STARTS, len(mean))))]
    with one_thread():
        found = [hyperparameter_draws(score.objective(kind), starts, limits, GROUPS, rng) for kind in KINDS]
    evidence = np.array([log_z for _, log_z in found])
    share = np.exp(evidence - evidence.max())
    which = rng.choice(len(KINDS), size=GROUPS, p=share / share.sum())
    return tuple((KINDS[kind], found[kind][0][g]) for g, kind in enumerate(which))


def _functions(score: Score, kind: Profile, theta: Array, here: Array, count: int, rng: np.random.Generator) -> Array:
    """(count, m) at standardized inputs (m, d): drawn from the prior by random Fourier features, whose frequency along an axis is
    none as often as the kernel does not ask for it; then moved to what the runs say (Wilson et al. 2020)."""
    d, x, hyper = score.dimension, score.x, torch.as_tensor(theta[None])
    uniform = np.clip(qmc.Sobol(2 * d + d * (kind == "rough"), rng=rng).random(FREQUENCIES), 1e-9, 1.0 - 1e-9)
    frequencies = special.ndtri(uniform[:, :d])
    if kind == "rough":  # each axis has its own
        frequencies *= rough_spread(uniform[:, 2 * d :])
    t = np.exp(theta[d : 2 * d])
    frequencies = np.where(uniform[:, d : 2 * d] < t / (1.0 + t), frequencies, 0.0) / np.exp(theta[:d])
    a, b, c = np.exp(theta[2 * d : 2 * d + 3])
    radial = a / np.sqrt(FREQUENCIES) * rng.standard_normal((2 * FREQUENCIES, count))
    linear, square = b * rng.standard_normal((1 + d, count)), c * rng.standard_normal((d * d, count))
    prior = PriorFunctions(frequencies, radial, linear, square)
    runs, noise = x.numpy(), np.exp(2.0 * theta[-1]) + score.extra.numpy() + JITTER
    factor = stable_cholesky(covariance(x, x, hyper, kind)[0].numpy() + np.diag(noise))
    off = score.z.numpy()[:, None] - prior.at(runs) - np.sqrt(noise)[:, None] * rng.standard_normal((len(runs), count))
    pull = linalg.cho_solve((factor, True), off)
    found = np.empty((count, len(here)))
    for part in in_parts(len(here), AT_ONCE):
        cross = covariance(torch.as_tensor(here[part]), x, hyper, kind)[0].numpy()
        found[:, part] = (prior.at(here[part]) + cross @ pull).T
    return found
