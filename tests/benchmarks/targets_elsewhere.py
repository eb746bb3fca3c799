"""Targets on which nothing was tuned: posteriors as they come up in use, each with its truth from an independent computation.

Warped normals have a density in closed form; products and small grids are integrated densely; the two models with data (logistic
regression, epidemic) are integrated by importance sampling with an effective sample of tens of thousands.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import optimize, special, stats

from targets import Block, Target, _histogram_density, correlated, gaussian_mixture, product_target

Array = np.ndarray
DRAWS = 1_000_000


def warped(
    name: str,
    d: int,
    box: list[tuple[float, float]],
    forward: Callable[[Array], Array],
    back: Callable[[Array], tuple[Array, Array]],
) -> Target:
    """Target of x = forward(z), z standard normal; ``back`` gives z and log |dz / dx|. Log evidence 0."""
    x = forward(np.random.default_rng(77).standard_normal((DRAWS, d)))

    def log_density(at: Array) -> float:
        z, log_det = back(np.asarray(at, dtype=float)[None])
        return float((-0.5 * (z**2).sum(-1) - 0.5 * d * np.log(2 * np.pi) + log_det)[0])

    return Target(name, log_density, box, None, 0.0, x.mean(0), np.cov(x.T), marginals_of(x))


def marginals_of(x: Array, weights: Array | None = None) -> list[tuple[Array, Array]]:
    """Histograms over all but the outermost 1e-5 of the draws on either side."""
    found = []
    for i in range(x.shape[1]):
        low, high = np.quantile(x[:, i], [1e-5, 1 - 1e-5])
        kept = (x[:, i] > low) & (x[:, i] < high)
        found.append(_histogram_density(x[kept, i], None if weights is None else weights[kept], 200))
    return found


def funnel3() -> Target:
    """Neal's funnel, gentle: v ~ N(0, 1.2^2), two x ~ N(0, exp(v))."""

    def forward(z: Array) -> Array:
        v = 1.2 * z[:, :1]
        return np.concatenate([v, np.exp(0.5 * v) * z[:, 1:]], 1)

    def back(x: Array) -> tuple[Array, Array]:
        v = x[:, :1]
        return np.concatenate([v / 1.2, x[:, 1:] * np.exp(-0.5 * v)], 1), -np.log(1.2) - x[:, 0]

    return warped("funnel3", 3, [(-2.0, 2.0)] * 3, forward, back)


def chain5() -> Target:
    """A chain of parabolas: x_{i+1} = .6 z_{i+1} + .5 (x_i^2 - 1)."""

    def forward(z: Array) -> Array:
        x = z.copy()
        for i in range(1, 5):
            x[:, i] = 0.6 * z[:, i] + 0.5 * (np.minimum(x[:, i - 1] ** 2, 9.0) - 1)
        return x

    def back(x: Array) -> tuple[Array, Array]:
        z = x.copy()
        for i in range(1, 5):
            z[:, i] = (x[:, i] - 0.5 * (np.minimum(x[:, i - 1] ** 2, 9.0) - 1)) / 0.6
        return z, np.full(len(x), -4 * np.log(0.6))

    return warped("chain5", 5, [(-2.0, 2.0)] * 5, forward, back)


def skew6() -> Target:
    """Sinh-arcsinh skewed coordinates, rotated."""
    q = stats.ortho_group.rvs(6, random_state=606)
    skew, tail = np.linspace(0.0, 0.6, 6), np.linspace(1.15, 0.9, 6)

    def forward(z: Array) -> Array:
        return np.sinh((np.arcsinh(z) + skew) / tail) @ q.T

    def back(x: Array) -> tuple[Array, Array]:
        s = x @ q
        inner = tail * np.arcsinh(s) - skew
        return np.sinh(inner), (np.log(np.cosh(inner)) + np.log(tail) - 0.5 * np.log1p(s**2)).sum(-1)

    return warped("skew6", 6, [(-2.0, 2.0)] * 6, forward, back)


def log_gamma4() -> Target:
    """Logarithms of gamma variables (shapes .8 to 4), correlated by a triangular matrix: long left tails."""
    shapes = np.array([0.8, 1.5, 2.5, 4.0])
    mix = np.array([[1, 0, 0, 0], [0.5, 1, 0, 0], [-0.4, 0.3, 1, 0], [0.2, -0.5, 0.4, 1]])
    rng = np.random.default_rng(404)
    x = np.log(rng.gamma(shapes, size=(DRAWS, 4))) @ mix.T
    inverse = np.linalg.inv(mix)

    def log_density(at: Array) -> float:
        g = inverse @ at
        return float((shapes * g - np.exp(np.minimum(g, 700.0)) - special.gammaln(shapes)).sum())

    return Target("log_gamma4", log_density, [(-2.0, 2.0)] * 4, None, 0.0, x.mean(0), np.cov(x.T), marginals_of(x))


def flat_top3() -> Target:
    """Flat inside, walls outside: exp(-x^8) per axis, of different widths."""

    def wall(width: float) -> Block:
        return Block(lambda x: -(np.minimum(np.abs(x[..., 0] / width), 1e6) ** 8), [(-2.5 * width, 2.5 * width)])

    return product_target("flat_top3", [wall(0.7), wall(1.5), wall(3.0)], [(-1.5, 1.5)] * 3)


def ring2() -> Target:
    """A ring of radius 3 and width .3, heavier on one side."""

    def log_density(x: Array) -> Array:
        r = np.hypot(x[..., 0], x[..., 1])
        return -0.5 * ((r - 3.0) / 0.3) ** 2 + 0.3 * x[..., 0]

    return product_target("ring2", [Block(log_density, [(-5.5, 5.5)] * 2, 1601)], [(-3.0, 3.0)] * 2)


def trio3() -> Target:
    """Three normals of different shape that touch."""
    rng = np.random.default_rng(303)
    mu = np.array([[0.0, 0.0, 0.0], [2.5, 1.0, -1.0], [-1.0, 2.5, 1.5]])
    factors = rng.standard_normal((3, 3, 3)) * 0.35 + 0.6 * np.eye(3)
    cov = factors @ factors.transpose(0, 2, 1) + 0.05 * np.eye(3)
    return gaussian_mixture("trio3", np.array([0.5, 0.3, 0.2]), mu, cov, [(-2.0, 3.0)] * 3, log_z=4.0)


def eight_schools2() -> Target:
    """The eight schools, effects integrated out: mu ~ N(0, 5^2), tau half-Cauchy(5); in (mu, log tau)."""
    y = np.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0])
    s = np.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0])

    def log_density(x: Array) -> Array:
        mu, log_tau = x[..., 0], x[..., 1]
        tau = np.exp(log_tau)
        value = stats.norm.logpdf(mu, 0, 5) + np.log(2) + stats.cauchy.logpdf(tau, 0, 5) + log_tau
        for yj, sj in zip(y, s, strict=True):
            variance = sj**2 + tau**2
            value = value - 0.5 * (yj - mu) ** 2 / variance - 0.5 * np.log(2 * np.pi * variance)
        return np.asarray(value)

    return product_target(
        "eight_schools2", [Block(log_density, [(-25, 35), (-14, 7)], 1601)], [(-5.0, 15.0), (-1.0, 3.0)]
    )


def _on_grid(
    name: str, log_density: Callable[[Array], Array], grid: list[tuple[float, float]], box: list, bounds: list,
    chart: Callable[[Array], Array], unchart: Callable[[Array], Array], size: int = 161,
) -> Target:  # fmt: skip
    """A target in bounded units whose density in ``chart`` coordinates (Jacobian included) is integrated densely there."""
    block = Block(log_density, grid, size)

    def in_units(x: Array) -> float:
        v = chart(x[None])[0]
        if not np.all(np.isfinite(v)):
            return -np.inf
        step = 1e-5
        slope = [(unchart(v + e)[i] - unchart(v - e)[i]) / (2 * step) for i, e in enumerate(step * np.eye(len(v)))]
        return float(log_density(v)) - float(np.log(np.abs(slope)).sum())

    return Target(
        name, in_units, box, bounds, block.log_z, block.mean, block.cov, block.marginals, chart, moments_in_chart=True
    )


def decay3() -> Target:
    """Amplitude, rate and noise of an exponential decay from 12 readings; all positive, flat priors in the logarithm's box."""
    t = np.linspace(0.3, 6.0, 12)
    y = 2.3 * np.exp(-0.55 * t) + 0.25 * np.random.default_rng(31).standard_normal(12)

    def log_density(v: Array) -> Array:
        a, k, s = (np.exp(v[..., i]) for i in range(3))
        value = stats.norm.logpdf(v, [0.5, -0.5, -1.0], [1.0, 1.0, 0.7]).sum(-1)
        for ti, yi in zip(t, y, strict=True):
            value = value - 0.5 * ((yi - a * np.exp(-k * ti)) / s) ** 2 - np.log(s) - 0.5 * np.log(2 * np.pi)
        return np.asarray(value)

    return _on_grid(
        "decay3", log_density, [(-0.6, 2.0), (-2.5, 0.9), (-2.3, 0.2)], [(0.5, 5.0), (0.2, 2.0), (0.1, 0.8)],
        [(0.0, None)] * 3, np.log, np.exp,
    )  # fmt: skip


def truncated3() -> Target:
    """A correlated normal cut by the walls of the unit cube, its mean outside one of them."""
    cov = np.array([[0.04, 0.03, -0.01], [0.03, 0.06, 0.0], [-0.01, 0.0, 0.02]])
    mean, precision = np.array([-0.05, 0.4, 0.9]), np.linalg.inv(cov)

    def log_density(v: Array) -> Array:
        centred = special.ndtr(v) - mean
        jacobian = -0.5 * (v**2).sum(-1) - 1.5 * np.log(2 * np.pi)
        return np.asarray(-0.5 * np.einsum("...i,ij,...j->...", centred, precision, centred) + jacobian)

    return _on_grid(
        "truncated3", log_density, [(-5.5, 2.5), (-5.0, 4.0), (-2.0, 5.5)], [(0.05, 0.4), (0.2, 0.8), (0.6, 0.95)],
        [(0.0, 1.0)] * 3, special.ndtri, special.ndtr,
    )  # fmt: skip


def _by_importance(name: str, log_density: Callable[[Array], Array], start: Array, box: list) -> Target:
    """Truth by importance sampling: a Student-t at the mode, twice moved to the moments. log_density: (n, d) -> (n,)."""
    rng = np.random.default_rng(99)
    best = optimize.minimize(lambda x: -float(log_density(x[None])[0]), start, method="Nelder-Mead",
                             options={"maxiter": 20_000, "maxfev": 20_000, "xatol": 1e-5, "fatol": 1e-7})  # fmt: skip
    mean, cov = best.x, np.diag(np.square([(b - a) / 8 for a, b in box]))
    for count in (100_000, 100_000, 100_000, 400_000):
        law = stats.multivariate_t(mean, cov, df=5, seed=rng)
        x = law.rvs(count)
        log_w = log_density(x) - law.logpdf(x)
        top = np.nanmax(log_w)
        w = np.nan_to_num(np.exp(log_w - top))
        log_z = float(top + np.log(w.mean()))
        w /= w.sum()
        mean = w @ x
        cov = ((x - mean) * w[:, None]).T @ (x - mean)
    effective = 1.0 / np.square(w).sum()
    assert effective > 20_000, f"{name}: {effective:.0f} effective draws"
    one = lambda x: float(log_density(np.asarray(x)[None])[0])  # noqa: E731
    return Target(name, one, box, None, log_z, mean, cov, marginals_of(x, w))


def logistic5() -> Target:
    """Logistic regression with 40 cases and 4 correlated covariates, N(0, 2.5^2) priors."""
    rng = np.random.default_rng(505)
    a = rng.standard_normal((40, 4)) @ (np.eye(4) + 0.5)
    a = np.column_stack([np.ones(40), a])
    y = rng.random(40) < special.expit(a @ np.array([-0.5, 1.2, -0.8, 0.6, 0.0]))

    def log_density(x: Array) -> Array:
        eta = x @ a.T
        return (y * eta - np.logaddexp(0, eta)).sum(-1) + stats.norm.logpdf(x, 0, 2.5).sum(-1)

    return _by_importance("logistic5", log_density, np.zeros(5), [(-3.0, 3.0)] * 5)


def epidemic4() -> Target:
    """SIR epidemic, daily Poisson counts over 20 days; logarithms of contact rate, recovery rate, first cases, reported share."""
    days = 20

    def incidence(x: Array) -> Array:
        beta, gamma, first, share = np.exp(x).T
        s, i = 1000.0 - first, first
        out = []
        for _ in range(days):
            new_total = np.zeros_like(s)
            for _ in range(8):
                new, gone = beta * s * i / 1000.0 / 8, gamma * i / 8
                new = np.minimum(new, s)
                s, i = s - new, np.maximum(i + new - gone, 0.0)
                new_total = new_total + new
            out.append(np.minimum(share, 50.0) * new_total + 1e-6)
        return np.stack(out, -1)

    truth = np.log([0.9, 0.4, 5.0, 0.5])
    data = np.random.default_rng(414).poisson(incidence(truth[None])[0])
    prior = stats.norm(np.log([0.8, 0.3, 4.0, 0.4]), [0.5, 0.5, 0.8, 0.5])

    def log_density(x: Array) -> Array:
        rate = incidence(np.clip(x, -12.0, 5.0))
        return (data * np.log(rate) - rate - special.gammaln(data + 1.0)).sum(-1) + prior.logpdf(x).sum(-1)

    box = [(float(m - 1.2 * s), float(m + 1.2 * s)) for m, s in zip(prior.mean(), prior.std(), strict=True)]
    return _by_importance("epidemic4", log_density, truth, box)


def far_box4() -> Target:
    """A correlated normal six of its standard deviations away from the plausible box."""
    t = correlated(4)
    sd = np.sqrt(np.diag(t.covariance))
    box = [(float(m + 5 * s), float(m + 8 * s)) for m, s in zip(t.mean, sd, strict=True)]
    return Target("far_box4", t.log_density, box, None, t.log_evidence, t.mean, t.covariance, t.marginals)


def scales8() -> Target:
    """A rotated normal with scales from .03 to 3 inside a box of one width."""
    q = stats.ortho_group.rvs(8, random_state=808)
    cov = q @ np.diag(np.logspace(-3, 1, 8)) @ q.T
    return gaussian_mixture("scales8", np.ones(1), np.full((1, 8), 0.3), cov[None], [(-2.0, 2.0)] * 8, log_z=2.0)


ELSEWHERE: dict[str, Callable[[], Target]] = {
    f.__name__: f
    for f in (
        funnel3, chain5, skew6, log_gamma4, flat_top3, ring2, trio3, eight_schools2, decay3, truncated3, logistic5,
        epidemic4, far_box4, scales8,
    )
}  # fmt: skip
