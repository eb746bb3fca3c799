"""The posterior as stored and shown: a Gaussian mixture in inference space, read in the user's units.

Numpy only (scipy inside functions): the window draws marginals from it and past iterations are redrawn without the engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..problem.priors import is_logarithmic
from ..problem.transforms import ParameterSpace
from .axis import Axis, bandwidth, effective_size, merged
from .boundary import with_marginals
from .digits import resolution
from .intervals import Interval, Kind

if TYPE_CHECKING:
    from ..protocol import SnapshotReady
    from ..session.records import IterationRecord

Array = NDArray[np.float64]
_PAIR_NODES = 12  # per axis and component, for products of two transformed parameters


class StoredPosterior:
    """weights (K,), means (K, D), covariances (K, D, D), draws (n, D), draw_weights (n,): all in inference space.

    ``preferred`` "draws": moments, samples and curves come from the weighted draws (curves smoothed), else from the mixture.
    ``evidence_sd``: how well the log evidence is known, and with it the log density; what is printed has digits accordingly.
    Raises ValueError when shapes disagree, a number is not finite, or a component has no width.
    """

    def __init__(
        self,
        space: ParameterSpace,
        weights: ArrayLike,
        means: ArrayLike,
        covariances: ArrayLike,
        draws: ArrayLike | None = None,
        draw_weights: ArrayLike | None = None,
        preferred: Literal["mixture", "draws"] = "mixture",
        evidence_sd: float = 0.0,
    ) -> None:
        self.space = space
        self.evidence_sd = evidence_sd
        d = space.dimension
        w = np.asarray(weights, dtype=float)
        self.means = np.asarray(means, dtype=float)
        self.covariances = np.asarray(covariances, dtype=float)
        k = len(w)
        if w.shape != (k,) or k == 0 or self.means.shape != (k, d) or self.covariances.shape != (k, d, d):
            raise ValueError(
                f"a posterior over {d} parameters cannot have weights {w.shape}, "
                f"means {self.means.shape}, covariances {self.covariances.shape}"
            )
        if not (np.isfinite(w).all() and np.isfinite(self.means).all() and np.isfinite(self.covariances).all()):
            raise ValueError("the stored posterior holds numbers that are not finite")
        if (w < 0).any() or w.sum() <= 0 or (np.diagonal(self.covariances, axis1=1, axis2=2) <= 0).any():
            raise ValueError("the stored posterior has negative weights or components without width")
        self.weights = w / w.sum()
        self.draws: Array | None = None
        if preferred == "draws" and draws is not None and len(np.asarray(draws)) > 0:
            self.draws = np.asarray(draws, dtype=float)
            n = len(self.draws)
            v = np.full(n, 1.0 / n) if draw_weights is None else np.asarray(draw_weights, dtype=float)
            if self.draws.shape != (n, d) or v.shape != (n,) or not np.isfinite(self.draws).all():
                raise ValueError(f"draws {self.draws.shape} with weights {v.shape} do not fit {d} parameters")
            if not np.isfinite(v).all() or (v < 0).any() or v.sum() <= 0:
                raise ValueError("the weights of the draws are not weights")
            self.draw_weights = v / v.sum()
        self.preferred: Literal["mixture", "draws"] = "mixture" if self.draws is None else "draws"
        self._axes: dict[int, Axis] = {}

    @classmethod
    def of_iteration(cls, space: ParameterSpace, record: IterationRecord | SnapshotReady) -> StoredPosterior:
        """From a stored iteration or a live snapshot (whose arrays are Blobs)."""

        def array(value: Any) -> Any:
            return value.array() if hasattr(value, "array") else value

        return cls(
            space,
            array(record.weights),
            array(record.means),
            array(record.covariances),
            array(record.draws),
            array(record.draw_weights),
            record.preferred,
            record.log_evidence_sd,
        )

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.space.names)

    def _axis(self, i: int) -> Axis:
        if i not in self._axes:
            transform = self.space.transforms[i]
            log = bool(self.space.parameters) and is_logarithmic(self.space.parameters[i])
            if self.draws is None:
                sds = np.sqrt(self.covariances[:, i, i])
                self._axes[i] = Axis(self.weights, self.means[:, i], sds, transform, log)
            else:
                self._axes[i] = Axis.of_draws(self.draws[:, i], self.draw_weights, transform, log)
        return self._axes[i]

    # ---------------------------------------------------------------- curves

    def marginal(self, i: int, points: int = 256) -> tuple[Array, Array]:
        """x (points,) increasing and density (points,) of parameter i, user's units."""
        axis = self._axis(i)
        u, theta = axis.grid(points)
        return theta, axis.density(u)

    def even_quantiles(self, i: int, n: int) -> tuple[Array, Array]:
        """u (n,) of inference space at the probabilities (k + 1/2) / n of parameter i, and its log density there (n,)."""
        axis = self._axis(i)
        u = axis.even_quantiles(n)
        return u, np.log(np.maximum(axis.density_in_inference(u), 1e-300))

    def density(self, i: int, theta: ArrayLike) -> Array:
        """Marginal density of parameter i at ``theta`` (m,), user's units; 0 outside the bounds."""
        x = np.atleast_1d(np.asarray(theta, dtype=float))
        transform = self.space.transforms[i]
        inside = (x > transform.lower) & (x < transform.upper)
        found = np.zeros(x.shape)
        found[inside] = self._axis(i).density(transform.to_inference(x[inside]))
        return found

    def pair(
        self, i: int, j: int, points: int = 64, logarithmic: tuple[bool, bool] = (False, False)
    ) -> tuple[Array, Array, Array]:
        """x (points,), y (points,) and density (points, points) of parameters i and j; density[a, b] is at (x[a], y[b]).

        ``logarithmic``: x, y are even in their logarithms instead, and the density is per natural logarithm.
        """
        u, x = self._axis(i).even_grid(points, logarithmic[0])
        v, y = self._axis(j).even_grid(points, logarithmic[1])
        per_x, per_y = (t if log else np.ones_like(t) for t, log in zip((x, y), logarithmic, strict=True))
        in_inference = self._pair_of_mixture(i, j, u, v) if self.draws is None else self._pair_of_draws(i, j, u, v)
        jacobian = self.space.transforms[i].log_jacobian(u)[:, None] + self.space.transforms[j].log_jacobian(v)[None, :]
        density = in_inference * np.exp(-jacobian) * per_x[:, None] * per_y
        if any(np.isfinite((t.lower, t.upper)).any() for t in (self.space.transforms[i], self.space.transforms[j])):
            density = with_marginals(density, self._axis(i).density(u) * per_x, self._axis(j).density(v) * per_y)
        return x, y, density

    def _pair_of_mixture(self, i: int, j: int, u: Array, v: Array) -> Array:
        """Sum over components of p(u) p(v | u)."""
        total = np.zeros((len(u), len(v)))
        for w, mean, cov in zip(self.weights, self.means, self.covariances, strict=True):
            sd = np.sqrt(cov[i, i])
            slope = cov[i, j] / cov[i, i]
            rest = np.sqrt(max(cov[j, j] - slope * cov[i, j], 1e-12 * cov[j, j]))
            z = (u - mean[i]) / sd
            r = (v[None, :] - mean[j] - slope * (u - mean[i])[:, None]) / rest
            total += (w / (2 * np.pi * sd * rest)) * np.exp(-0.5 * (z * z)[:, None] - 0.5 * r * r)
        return total

    def _pair_of_draws(self, i: int, j: int, u: Array, v: Array) -> Array:
        """A kernel estimate along u and along the residual of v on u, so that narrow ridges stay narrow."""
        assert self.draws is not None
        a, b, w = self.draws[:, i], self.draws[:, j], self.draw_weights
        mean_a, mean_b = w @ a, w @ b
        variance = max(float(w @ (a - mean_a) ** 2), 1e-300)
        slope = float(w @ ((a - mean_a) * (b - mean_b))) / variance
        residual = b - slope * (a - mean_a)
        scale = effective_size(w) ** (1 / 5 - 1 / 6)  # from one dimension's best width to two dimensions'
        fine = 160
        histogram, centers_a, centers_r = _histogram(a, residual, w, fine)
        kernel_a = _kernel(u, centers_a, scale * self._axis(i).kernel_width)
        low, high = centers_r[0], centers_r[-1]
        reach = 0.2 * (high - low)
        r = np.linspace(low - reach, high + reach, 2 * fine)
        kernel_r = _kernel(r, centers_r, scale * bandwidth(residual, w))
        joint = kernel_a @ histogram @ kernel_r.T  # density of (u, residual)
        wanted = v[None, :] - slope * (u - mean_a)[:, None]
        return np.stack([np.interp(wanted[m], r, joint[m], left=0.0, right=0.0) for m in range(len(u))])

    # ---------------------------------------------------------------- numbers

    @cached_property
    def _user_draws(self) -> Array:
        assert self.draws is not None
        return self.space.to_user(self.draws)

    def mean(self) -> Array:
        """(D,) in the user's units."""
        if self.draws is not None:
            return np.asarray(self.draw_weights @ self._user_draws)
        return np.array([self._axis(i).moment(1) for i in range(self.space.dimension)])

    def moments_in_inference(self) -> tuple[Array, Array]:
        """Means (D,) and standard deviations (D,) in inference space."""
        points, w = (self.means, self.weights) if self.draws is None else (self.draws, self.draw_weights)
        mean = np.asarray(w @ points)
        inner = 0.0 if self.draws is not None else w @ np.diagonal(self.covariances, axis1=1, axis2=2)
        return mean, np.sqrt(inner + w @ np.square(points - mean))

    def sd(self) -> Array:
        """Standard deviations (D,) in the user's units."""
        return np.sqrt(np.diagonal(self.covariance()))

    def covariance(self) -> Array:
        """(D, D) in the user's units."""
        if self.draws is not None:
            centered = self._user_draws - self.mean()
            return np.asarray((centered * self.draw_weights[:, None]).T @ centered)
        d, mean = self.space.dimension, self.mean()
        cov = np.empty((d, d))
        for i in range(d):
            for j in range(i + 1):
                product = self._axis(i).moment(2) if i == j else self._product(i, j)
                cov[i, j] = cov[j, i] = product - mean[i] * mean[j]
            cov[i, i] = max(cov[i, i], 0.0)
        return cov

    def _product(self, i: int, j: int) -> float:
        """E[theta_i theta_j] by Gauss-Hermite quadrature in every component."""
        z, q = np.polynomial.hermite_e.hermegauss(_PAIR_NODES)
        q = q / q.sum()
        sd = np.sqrt(self.covariances[:, i, i])
        slope = self.covariances[:, i, j] / sd
        rest = np.sqrt(np.maximum(self.covariances[:, j, j] - slope**2, 0.0))
        a = self.space.transforms[i].to_user(self.means[:, i, None] + sd[:, None] * z)
        v = self.means[:, j, None, None] + slope[:, None, None] * z[:, None] + rest[:, None, None] * z[None, :]
        b = self.space.transforms[j].to_user(v)
        return float(np.einsum("k,a,b,ka,kab->", self.weights, q, q, a, b))

    def correlation(self) -> Array:
        """(D, D) in the user's units."""
        cov = self.covariance()
        sd = np.sqrt(np.maximum(np.diagonal(cov), 1e-300))
        found: Array = np.clip(cov / np.outer(sd, sd), -1.0, 1.0)
        np.fill_diagonal(found, 1.0)
        return found

    def quantile(self, p: ArrayLike) -> Array:
        """(D,) for a number p, (m, D) for p (m,); user's units."""
        values = np.stack([self._axis(i).quantile(p) for i in range(self.space.dimension)], axis=-1)
        return values[0] if np.ndim(p) == 0 else values

    def median(self) -> Array:
        return self.quantile(0.5)

    def below(self, name: str, value: float) -> float:
        """The probability that parameter ``name`` lies below ``value``, in the user's units; 0 and 1 beyond its bounds alone."""
        i = self.names.index(name)
        transform = self.space.transforms[i]
        if not transform.lower < value < transform.upper:
            return float(value >= transform.upper)
        found = self._axis(i).cdf_in_inference(transform.to_inference(np.array([value], dtype=float)))[0]
        return float(np.clip(found, 2.0**-60, 1.0 - 2.0**-53))

    def intervals(self, level: float = 0.9, kind: Kind = "equal_tailed") -> list[list[Interval]]:
        """Per parameter the intervals that hold ``level`` of the posterior, user's units.

        "equal_tailed": one, between quantiles. "shortest": the shortest one, or one for each mode that is real.
        """
        if not 0.0 < level < 1.0:
            raise ValueError("the level must lie between 0 and 1")
        return [self._axis(i).intervals(level, kind) for i in range(self.space.dimension)]

    def modes(self) -> list[int]:
        """Per parameter, how many separate modes its marginal has: those that the eye and the numbers confirm."""
        return [len(self._axis(i).modes) for i in range(self.space.dimension)]

    @property
    def relative_error(self) -> float:
        """Of a posterior mean, in units of its sd: of so few draws, and of a log density that is off by about ``evidence_sd``."""
        sampled = 0.0 if self.draws is None else effective_size(merged(self.draws[:, 0], self.draw_weights)[1]) ** -0.5
        return float(np.hypot(sampled, self.evidence_sd))

    def resolution(self) -> Array:
        """(D,) sizes of which two significant digits are printed (see ``digits``)."""
        return np.array([resolution(float(sd), self.relative_error) for sd in self.sd()])

    def sample(self, n: int, seed: int) -> Array:
        """n draws (n, D) in the user's units; the same seed gives the same draws.

        From weighted draws: stratified resampling, so n beyond their number repeats some.
        """
        return self.space.to_user(self.sample_in_inference(n, seed))

    def exact_draws(self, n: int) -> tuple[Array, Array]:
        """About n draws of the mixture in inference space, and their weights: mean and covariance are exactly those of it."""
        d, k = self.space.dimension, len(self.weights)
        z = np.random.default_rng(0).standard_normal((max(n // k, 8 * d), d))
        z -= z.mean(axis=0)
        z = np.linalg.solve(np.linalg.cholesky(z.T @ z / len(z)), z.T).T
        u = np.concatenate([m + z @ root.T for m, root in zip(self.means, _roots(self.covariances), strict=True)])
        return u, np.repeat(self.weights / len(z), len(z))

    def sample_in_inference(self, n: int, seed: int) -> Array:
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0x706F7374,)))
        if self.draws is not None:
            edges = np.cumsum(self.draw_weights)
            at = (np.arange(n) + rng.random(n)) / max(n, 1)
            chosen = np.minimum(np.searchsorted(edges, at * edges[-1]), len(edges) - 1)
            return self.draws[rng.permutation(chosen)]
        chosen = rng.choice(len(self.weights), size=n, p=self.weights)
        noise = rng.standard_normal((n, self.space.dimension))
        out = np.empty_like(noise)
        for k, root in enumerate(_roots(self.covariances)):
            rows = chosen == k
            out[rows] = self.means[k] + noise[rows] @ root.T
        return out


def _roots(covariances: Array) -> Sequence[Array]:
    """Square roots L with L L^T = covariance; eigenvalues below zero (rounding) count as zero."""
    values, vectors = np.linalg.eigh(covariances)
    return list(vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :])


def _kernel(at: Array, centers: Array, width: float) -> Array:
    width = max(width, 1e-9 * (1.0 + float(np.abs(centers).max())))
    z = (at[:, None] - centers) / width
    return np.asarray(np.exp(-0.5 * z * z) / (width * np.sqrt(2 * np.pi)))


def _histogram(a: Array, b: Array, weights: Array, bins: int) -> tuple[Array, Array, Array]:
    """Linearly binned mass (bins, bins) and the bins' centers (bins,) each."""
    lows = [float(x.min()) for x in (a, b)]
    highs = [max(float(x.max()), low + 1e-9 * (1 + abs(low))) for x, low in zip((a, b), lows, strict=True)]
    at = [(x - lo) / (hi - lo) * (bins - 1) for x, lo, hi in zip((a, b), lows, highs, strict=True)]
    left = [np.clip(t.astype(np.int64), 0, bins - 2) for t in at]
    share = [t - k for t, k in zip(at, left, strict=True)]
    total = np.zeros(bins * bins)
    for da in (0, 1):
        for db in (0, 1):
            mass = weights * (share[0] if da else 1 - share[0]) * (share[1] if db else 1 - share[1])
            total += np.bincount((left[0] + da) * bins + left[1] + db, mass, bins * bins)
    centers = [np.linspace(lo, hi, bins) for lo, hi in zip(lows, highs, strict=True)]
    return total.reshape(bins, bins), centers[0], centers[1]


__all__ = ["Interval", "StoredPosterior"]
