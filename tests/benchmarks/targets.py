"""Benchmark targets with exact or dense-grid truth.

Each target is a log density in the user's units, a plausible box, bounds, and its truth: log evidence, mean, covariance and the
marginal densities on even grids. Parameters of random targets come from a fixed seed, so every run meets the same target.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy import special, stats

HERE = Path(__file__).parent
LYNX_HARE = HERE.parents[2] / "shared" / "data" / "hudson_bay_lynx_hare.csv"


@dataclass(frozen=True)
class Target:
    name: str
    log_density: Callable[[np.ndarray], float]  # (d,) user's units
    plausible: list[tuple[float, float]]
    bounds: list[tuple[float | None, float | None]] | None
    log_evidence: float
    mean: np.ndarray  # (d,)
    covariance: np.ndarray  # (d, d)
    marginals: list[tuple[np.ndarray, np.ndarray]]  # (even grid, density) in ``chart`` coordinates
    chart: Callable[[np.ndarray], np.ndarray] = lambda x: x  # monotone per-axis map in which marginals are compared
    budget: int = 0
    moments_in_chart: bool = False  # mean and covariance are those of chart(theta): for heavy tails in the user's units

    @property
    def dimension(self) -> int:
        return len(self.plausible)


def grid_of(mean: float, sd: float, width: float = 8.0, size: int = 1024) -> np.ndarray:
    return np.linspace(mean - width * sd, mean + width * sd, size)


def gaussian_mixture(
    name: str, w: np.ndarray, mu: np.ndarray, cov: np.ndarray, box: list, log_z: float = 0.0
) -> Target:
    """Target exp(log_z) times a mixture with full covariances (K, D, D)."""
    chol = np.linalg.cholesky(cov)
    logdet = np.log(np.diagonal(chol, axis1=1, axis2=2)).sum(1)
    inv = np.linalg.inv(chol)
    d = mu.shape[1]

    def log_density(x: np.ndarray) -> float:
        z = np.einsum("kij,kj->ki", inv, x - mu)
        return float(special.logsumexp(np.log(w) - 0.5 * (z * z).sum(1) - logdet) - 0.5 * d * np.log(2 * np.pi) + log_z)

    mean = w @ mu
    total = np.einsum("k,kij->ij", w, cov) + (mu - mean).T @ ((mu - mean) * w[:, None])
    marginals = []
    for i in range(d):
        grid = grid_of(mean[i], np.sqrt(total[i, i]))
        marginals.append((grid, (w * stats.norm.pdf(grid[:, None], mu[:, i], np.sqrt(cov[:, i, i]))).sum(1)))
    return Target(name, log_density, box, None, log_z, mean, total, marginals)


def lumpy(d: int) -> Target:
    """Seed 000 eq 7.1."""
    rng = np.random.default_rng(1000 + d)
    w = rng.dirichlet(np.ones(12))
    mu = rng.uniform(0, 1, (12, d))
    variances = rng.uniform(0.2, 0.6, (12, d))
    return gaussian_mixture(f"lumpy{d}", w, mu, np.stack([np.diag(v) for v in variances]), [(-0.5, 1.5)] * d)


def cigar(d: int) -> Target:
    """Seed 000 eq 7.2, given an evidence of exp(3)."""
    q = stats.ortho_group.rvs(d, random_state=2000 + d)
    cov = q @ np.diag([10.0] + [0.1] * (d - 1)) @ q.T
    return gaussian_mixture(f"cigar{d}", np.ones(1), np.zeros((1, d)), cov[None], [(-2.0, 2.0)] * d, log_z=3.0)


def correlated(d: int) -> Target:
    rng = np.random.default_rng(3000 + d)
    a = rng.standard_normal((d, d))
    corr = a @ a.T + 0.5 * np.eye(d)
    s = np.exp(rng.uniform(-1, 1, d)) / np.sqrt(np.diag(corr))
    cov = corr * np.outer(s, s)
    mean = rng.uniform(-1, 1, d)
    sd = np.sqrt(np.diag(cov))
    box = [(mean[i] - 1.5 * sd[i] + 0.5 * sd[i] * rng.uniform(-1, 1), mean[i] + 1.5 * sd[i]) for i in range(d)]
    return gaussian_mixture(f"correlated{d}", np.ones(1), mean[None], cov[None], box, log_z=-7.0)


def few_matter(d: int, count: int) -> Target:
    """A correlated normal of ``count`` parameters in the unit cube, evenly spread through it; the other d - count do nothing."""
    rng = np.random.default_rng(3500 + d)
    which = np.sort(rng.choice(d, count, replace=False))
    a = rng.standard_normal((count, count))
    corr = a @ a.T + 0.5 * np.eye(count)
    s = rng.uniform(0.03, 0.08, count) / np.sqrt(np.diag(corr))
    cov, mean = corr * np.outer(s, s), rng.uniform(0.35, 0.65, count)
    law = stats.multivariate_normal(mean, cov)
    whole_mean, whole = np.full(d, 0.5), np.eye(d) / 12.0
    whole_mean[which], whole[np.ix_(which, which)] = mean, cov
    even = np.linspace(0.0, 1.0, 1024)
    marginals = [(even, np.ones_like(even))] * d
    for i, k in enumerate(which):
        grid = grid_of(mean[i], np.sqrt(cov[i, i]))
        marginals[k] = grid, stats.norm.pdf(grid, mean[i], np.sqrt(cov[i, i]))
    box, cube = [(0.1, 0.9)] * d, [(0.0, 1.0)] * d
    return Target(
        f"few_matter{d}", lambda x: float(law.logpdf(x[which])), box, cube, 0.0, whole_mean, whole, marginals, budget=200
    )


def anisotropic(d: int) -> Target:
    """Rotated Gaussian with standard deviations from 1 down to 1e-3 (condition number of the scales 1e3)."""
    q = stats.ortho_group.rvs(d, random_state=2500 + d)
    cov = q @ np.diag(np.logspace(0, -6, d)) @ q.T
    return gaussian_mixture(f"anisotropic{d}", np.ones(1), np.zeros((1, d)), cov[None], [(-1.0, 1.0)] * d)


def bimodal(d: int) -> Target:
    mu = np.zeros((2, d))
    mu[0, 0], mu[1, 0] = -2.0, 2.0
    cov = np.stack([np.eye(d) * 0.5, np.eye(d)])
    return gaussian_mixture(f"bimodal{d}", np.array([0.4, 0.6]), mu, cov, [(-3.0, 3.0)] * d)


def student(d: int) -> Target:
    """Seed 000 eq 7.3."""
    nu = np.random.default_rng(4000 + d).uniform(2.5, 2 + 0.5 * d, d)

    def log_density(x: np.ndarray) -> float:
        return float(stats.t.logpdf(x, nu).sum())

    marginals = [(g := np.linspace(-30, 30, 2048), stats.t.pdf(g, v)) for v in nu]
    return Target(
        f"student{d}", log_density, [(-2.0, 2.0)] * d, None, 0.0, np.zeros(d), np.diag(nu / (nu - 2)), marginals
    )


def elliptical_t(d: int, nu: float = 5.0) -> Target:
    """Rotated multivariate Student-t."""
    q = stats.ortho_group.rvs(d, random_state=4500 + d)
    shape = q @ np.diag(np.linspace(0.3, 2.0, d)) @ q.T
    law = stats.multivariate_t(np.zeros(d), shape, nu)
    marginals = []
    for i in range(d):
        s = np.sqrt(shape[i, i])
        g = np.linspace(-30 * s, 30 * s, 2048)
        marginals.append((g, stats.t.pdf(g / s, nu) / s))
    return Target(
        f"elliptical_t{d}",
        lambda x: float(law.logpdf(x)),
        [(-2.0, 2.0)] * d,
        None,
        0.0,
        np.zeros(d),
        shape * nu / (nu - 2),
        marginals,
    )


class Block:
    """An independent low-dimensional factor known on a dense grid (or in closed form), for product targets."""

    def __init__(
        self, log_density: Callable[[np.ndarray], np.ndarray], box: Sequence[tuple[float, float]], size: int = 3001
    ):
        axes = [np.linspace(a, b, size) for a, b in box]
        mesh = np.stack(np.meshgrid(*axes, indexing="ij"), -1)
        values = log_density(mesh)
        top = values.max()
        p = np.exp(values - top)
        cell = np.prod([a[1] - a[0] for a in axes])
        total = p.sum()
        self.log_z = float(top + np.log(total * cell))
        p /= total
        d = len(axes)
        marg = [p.sum(axis=tuple(j for j in range(d) if j != i)) for i in range(d)]
        self.mean = np.array([marg[i] @ axes[i] for i in range(d)])
        self.cov = np.empty((d, d))
        for i in range(d):
            for j in range(d):
                if i == j:
                    self.cov[i, i] = marg[i] @ (axes[i] - self.mean[i]) ** 2
                else:
                    pij = p.sum(axis=tuple(k for k in range(d) if k not in (i, j)))
                    first, second = axes[min(i, j)] - self.mean[min(i, j)], axes[max(i, j)] - self.mean[max(i, j)]
                    self.cov[i, j] = first @ pij @ second
        self.marginals = [(axes[i], marg[i] / (axes[i][1] - axes[i][0])) for i in range(d)]
        self.log_density = log_density


def product_target(name: str, blocks: list[Block], box: list[tuple[float, float]]) -> Target:
    sizes = [len(b.mean) for b in blocks]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    d = int(starts[-1])
    cov = np.zeros((d, d))
    for b, s in zip(blocks, starts, strict=False):
        cov[s : s + len(b.mean), s : s + len(b.mean)] = b.cov

    def log_density(x: np.ndarray) -> float:
        return float(sum(b.log_density(x[s : s + n]) for b, s, n in zip(blocks, starts, sizes, strict=False)))

    return Target(
        name, log_density, box, None, sum(b.log_z for b in blocks), np.concatenate([b.mean for b in blocks]), cov,
        [m for b in blocks for m in b.marginals],
    )  # fmt: skip


def _rosenbrock(x: np.ndarray) -> np.ndarray:
    """R(x1, x2) of seed 001 eq 5.1 plus log N(x; 0, 3^2 I)."""
    r = -((x[..., 0] ** 2 - x[..., 1]) ** 2) - (x[..., 1] - 1) ** 2 / 100
    return r - (x**2).sum(-1) / 18 - np.log(2 * np.pi * 9)


def _normal(variance: float) -> Callable[[np.ndarray], np.ndarray]:
    return lambda x: -0.5 * (x**2).sum(-1) / variance - 0.5 * x.shape[-1] * np.log(2 * np.pi * variance)


_BANANA_BOX = [(-6.0, 6.0), (-8.0, 25.0)]


def rosenbrock2() -> Target:
    return product_target("rosenbrock2", [Block(_rosenbrock, _BANANA_BOX)], [(-3.0, 3.0)] * 2)


def two_banana6() -> Target:
    """Seed 001 section 5.1; the normal factor N(0, I) N(0, 9 I) is 2-D."""
    gauss = lambda x: _normal(1.0)(x) + _normal(9.0)(x)  # noqa: E731
    banana = Block(_rosenbrock, _BANANA_BOX)
    return product_target("two_banana6", [banana, banana, Block(gauss, [(-8, 8)] * 2, 801)], [(-3.0, 3.0)] * 6)


def banana10() -> Target:
    """One banana and eight independent normals of different width."""
    blocks = [Block(_rosenbrock, _BANANA_BOX)]
    blocks += [Block(_normal(v), [(-9 * v**0.5, 9 * v**0.5)], 4001) for v in np.linspace(0.3, 3.0, 8)]
    return product_target("banana10", blocks, [(-3.0, 3.0)] * 10)


def skew_banana4() -> Target:
    """A narrow banana times a normal, rotated, so that no axis is aligned. Truth by weighting dense grid draws."""
    q = stats.ortho_group.rvs(4, random_state=5004)

    def narrow(x: np.ndarray) -> np.ndarray:
        return -0.5 * x[..., 0] ** 2 - 0.5 * (x[..., 1] - x[..., 0] ** 2) ** 2 / 0.09

    rng = np.random.default_rng(5005)
    z = rng.standard_normal((400_000, 4))
    z[:, 1] = z[:, 0] ** 2 + 0.3 * z[:, 1]
    z[:, 2:] *= 0.7
    x = z @ q.T
    log_z = np.log(2 * np.pi) + np.log(0.3)
    marginals = [_histogram_density(x[:, i]) for i in range(4)]

    def log_density(x: np.ndarray) -> float:
        z = x @ q
        return float(narrow(z) - 0.5 * (z[2:] ** 2).sum() / 0.49 - np.log(2 * np.pi * 0.49))

    mean_z = np.array([0.0, 1.0, 0.0, 0.0])
    cov_z = np.diag([1.0, 2.0 + 0.09, 0.49, 0.49])
    return Target("skew_banana4", log_density, [(-2.0, 2.0)] * 4, None, log_z, q @ mean_z, q @ cov_z @ q.T, marginals)


def two_moons() -> Target:
    """Seed 001 E.2.2 with concentration 5 (the paper does not print it). Truth in polar coordinates."""
    kappa = 5.0

    def log_density(x: np.ndarray) -> float:
        r = float(np.hypot(x[0], x[1]))
        if r == 0.0:
            return -np.inf
        c = kappa * x[0] / r
        return -0.5 * ((r - np.sqrt(0.5)) / 0.01) ** 2 + float(np.logaddexp(c - np.log(3), -c + np.log(2 / 3)))

    angle = np.linspace(-np.pi, np.pi, 20_001)[:-1]
    radius = np.sqrt(0.5) + 0.01 * np.linspace(-7, 7, 281)
    wa = np.exp(kappa * np.cos(angle)) / 3 + 2 * np.exp(-kappa * np.cos(angle)) / 3
    wr = np.exp(-0.5 * ((radius - np.sqrt(0.5)) / 0.01) ** 2) * radius
    log_z = float(np.log(wa.sum() * (angle[1] - angle[0]) * wr.sum() * (radius[1] - radius[0])))
    w = np.outer(wa / wa.sum(), wr / wr.sum()).ravel()
    pts = np.stack([np.outer(np.cos(angle), radius).ravel(), np.outer(np.sin(angle), radius).ravel()], 1)
    mean = w @ pts
    cov = ((pts - mean) * w[:, None]).T @ (pts - mean)
    marginals = []
    for i in range(2):
        grid = np.linspace(-0.85, 0.85, 1201)
        step = grid[1] - grid[0]
        h, _ = np.histogram(pts[:, i], bins=np.append(grid - step / 2, grid[-1] + step / 2), weights=w)
        marginals.append((grid, h / step))
    return Target("two_moons", log_density, [(-1.0, 1.0)] * 2, None, log_z, mean, cov, marginals)


def betas3() -> Target:
    """Product of betas on [0, 1]^3, two of them piling up at a hard bound. Marginals are compared in probit coordinates."""
    laws = [stats.beta(1.0, 4.0), stats.beta(2.0, 5.0), stats.beta(3.0, 1.0)]

    def log_density(x: np.ndarray) -> float:
        return float(sum(law.logpdf(v) for law, v in zip(laws, x, strict=True)))

    grid = np.linspace(-6, 6, 1024)
    marginals = [(grid, law.pdf(stats.norm.cdf(grid)) * stats.norm.pdf(grid)) for law in laws]
    mean = np.array([law.mean() for law in laws])
    chart = lambda x: stats.norm.ppf(np.clip(x, 1e-12, 1 - 1e-12))  # noqa: E731
    return Target(
        "betas3", log_density, [(0.1, 0.5), (0.1, 0.5), (0.5, 0.9)], [(0.0, 1.0)] * 3, 0.0, mean,
        np.diag([law.var() for law in laws]), marginals, chart,
    )  # fmt: skip


def _histogram_density(
    x: np.ndarray, weights: np.ndarray | None = None, size: int = 256
) -> tuple[np.ndarray, np.ndarray]:
    low, high = np.min(x), np.max(x)
    pad = 0.05 * (high - low)
    grid = np.linspace(low - pad, high + pad, size)
    step = grid[1] - grid[0]
    h, _ = np.histogram(x, bins=np.append(grid - step / 2, grid[-1] + step / 2), weights=weights, density=True)
    return grid, h


def lotka_volterra_log_density(theta: np.ndarray, data: np.ndarray) -> float:
    """Log joint of seed 001 E.2.3 at (alpha, beta, gamma, delta, u0, v0, sigma_u, sigma_v); data (21, 3): year, hare, lynx.

    Log-normal noise on the first record too, as in Carpenter's case study; RK4 with 100 steps per year.
    """
    a, b, c, d, u0, v0, su, sv = (float(t) for t in theta)  # numpy scalars are five times slower in the loop below
    if np.any(theta <= 0):
        return -np.inf

    def rate(u: float, v: float) -> tuple[float, float]:
        return a * u - b * u * v, -c * v + d * u * v

    steps = 40
    h = 1.0 / steps
    u, v = float(u0), float(v0)
    log_u, log_v = [np.log(u)], [np.log(v)]
    for _ in range(20):
        for _ in range(steps):
            k1 = rate(u, v)
            k2 = rate(u + 0.5 * h * k1[0], v + 0.5 * h * k1[1])
            k3 = rate(u + 0.5 * h * k2[0], v + 0.5 * h * k2[1])
            k4 = rate(u + h * k3[0], v + h * k3[1])
            u += h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
            v += h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
            if not (0 < u < 1e12 and 0 < v < 1e12):
                return -np.inf
        log_u.append(np.log(u))
        log_v.append(np.log(v))
    y = np.log(data[:, 1:])
    ru, rv = (y[:, 0] - log_u) / su, (y[:, 1] - log_v) / sv
    loglik = -0.5 * (ru @ ru + rv @ rv) - 21 * np.log(su * sv) - y.sum() - 21 * np.log(2 * np.pi)
    log_prior = stats.norm.logpdf([a, c], 1, 0.5).sum() + stats.norm.logpdf([b, d], 0.05, 0.05).sum()
    log_prior += stats.lognorm.logpdf([su, sv], 1.0, scale=np.exp(-1)).sum()
    log_prior += stats.lognorm.logpdf([u0, v0], 1.0, scale=10.0).sum()
    return float(loglik + log_prior)


def lotka_volterra8() -> Target:
    """Truth: importance sampling checked against long MCMC, kept in truth_lotka_volterra8.json (make_lotka_volterra_truth.py)."""
    truth = json.loads((HERE / "truth_lotka_volterra8.json").read_text())
    data = np.loadtxt(LYNX_HARE, delimiter=",", skiprows=1)
    box = [(0.3, 1.2), (0.01, 0.08), (0.3, 1.5), (0.01, 0.08), (10.0, 60.0), (2.0, 15.0), (0.1, 0.6), (0.1, 0.6)]
    return Target(
        "lotka_volterra8", lambda x: lotka_volterra_log_density(x, data), box, [(0.0, None)] * 8, truth["log_evidence"],
        np.array(truth["mean"]), np.array(truth["covariance"]),
        [(np.array(g), np.array(p)) for g, p in truth["marginals"]], np.log,
    )  # fmt: skip


def contamination4() -> Target:
    """The bundled example (seed 000 section 7.3), its default plausible box; truth by contamination_reference.py."""
    from contamination_reference import Target as Contamination

    from bayescope.engine.problem.files import load
    from bayescope.engine.problem.transforms import ParameterSpace

    truth = np.load(HERE.parent / "data" / "contamination_reference.npz")
    problem = load(HERE.parents[1] / "resources" / "examples" / "contamination" / "problem.json")
    space = ParameterSpace(problem.parameters)
    low, high = (space.to_user(edge) for edge in space.plausible_box())
    law = Contamination()

    def chart(theta: np.ndarray) -> np.ndarray:
        t = np.atleast_2d(theta)
        return np.stack([special.logit(t[:, 0]), special.logit(t[:, 1] / 0.4), np.log(t[:, 2]), np.log(t[:, 3])], 1)

    def log_density(theta: np.ndarray) -> float:
        v = chart(theta)
        return float((law(v) - law.log_jacobian(v))[0])

    v = chart(truth["samples"].astype(float))
    marginals = []
    for edges, density in zip(truth["transformed_edges"], truth["transformed_density"], strict=True):
        marginals.append(
            (
                np.linspace(0.5 * (edges[0] + edges[1]), 0.5 * (edges[-1] + edges[-2]), len(density)),
                density.astype(float),
            )
        )
    return Target(
        "contamination4", log_density, list(zip(low.tolist(), high.tolist(), strict=True)),
        [(0.0, 1.0), (0.0, 0.4), (0.0, None), (0.0, None)], float(truth["log_evidence"]), v.mean(0), np.cov(v.T),
        marginals, chart,
        budget=140, moments_in_chart=True,
    )  # fmt: skip


TARGETS: dict[str, Callable[[], Target]] = {
    "rosenbrock2": rosenbrock2,
    "betas3": betas3,
    "two_moons": two_moons,
    "lumpy2": lambda: lumpy(2),
    "lumpy6": lambda: lumpy(6),
    "lumpy10": lambda: lumpy(10),
    "cigar2": lambda: cigar(2),
    "cigar6": lambda: cigar(6),
    "cigar10": lambda: cigar(10),
    "student2": lambda: student(2),
    "student6": lambda: student(6),
    "student10": lambda: student(10),
    "two_banana6": two_banana6,
    "banana10": banana10,
    "correlated6": lambda: correlated(6),
    "lotka_volterra8": lotka_volterra8,
    "contamination4": contamination4,
    # targets beyond the list, to catch tuning
    "lumpy4": lambda: lumpy(4),
    "bimodal2": lambda: bimodal(2),
    "bimodal6": lambda: bimodal(6),
    "skew_banana4": skew_banana4,
    "elliptical_t4": lambda: elliptical_t(4),
    "elliptical_t6": lambda: elliptical_t(6),
    "anisotropic4": lambda: anisotropic(4),
    "correlated10": lambda: correlated(10),
    "correlated15": lambda: correlated(15),
    "correlated20": lambda: replace(correlated(20), budget=400),
    "few_matter15": lambda: few_matter(15, 5),
}
