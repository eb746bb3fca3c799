"""Makes truth_lotka_volterra8.json: long MCMC (emcee, 64 walkers) in log coordinates, then importance sampling from a
Student-t mixture fitted to it, which gives the evidence. Run once; takes a few minutes.
"""

from __future__ import annotations

import json
import sys

import numpy as np
from scipy import special, stats

from targets import HERE, LYNX_HARE, _histogram_density


def log_joint_many(log_theta: np.ndarray, data: np.ndarray) -> np.ndarray:
    """Vectorized log joint in log coordinates, Jacobian included: (n, 8) -> (n,)."""
    t = np.exp(log_theta)
    a, b, c, d, u, v, su, sv = t.T
    y = np.log(data[:, 1:])
    steps, out = 40, np.zeros(len(t))
    h = 1.0 / steps
    lu, lv = [np.log(u)], [np.log(v)]
    with np.errstate(all="ignore"):
        for _ in range(20):
            for _ in range(steps):
                k1 = a * u - b * u * v, -c * v + d * u * v
                p, q = u + 0.5 * h * k1[0], v + 0.5 * h * k1[1]
                k2 = a * p - b * p * q, -c * q + d * p * q
                p, q = u + 0.5 * h * k2[0], v + 0.5 * h * k2[1]
                k3 = a * p - b * p * q, -c * q + d * p * q
                p, q = u + h * k3[0], v + h * k3[1]
                k4 = a * p - b * p * q, -c * q + d * p * q
                u = u + h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
                v = v + h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
            lu.append(np.log(u))
            lv.append(np.log(v))
        ru, rv = (y[:, 0] - np.array(lu).T) / su[:, None], (y[:, 1] - np.array(lv).T) / sv[:, None]
        out = -0.5 * ((ru**2).sum(1) + (rv**2).sum(1)) - 21 * np.log(su * sv) - y.sum() - 21 * np.log(2 * np.pi)
        out += stats.norm.logpdf(t[:, [0, 2]], 1, 0.5).sum(1) + stats.norm.logpdf(t[:, [1, 3]], 0.05, 0.05).sum(1)
        out += stats.lognorm.logpdf(t[:, 6:], 1.0, scale=np.exp(-1)).sum(1)
        out += stats.lognorm.logpdf(t[:, 4:6], 1.0, scale=10.0).sum(1)
        out += log_theta.sum(1)
    return np.where(np.isfinite(out), out, -np.inf)


def main() -> None:
    import emcee

    data = np.loadtxt(LYNX_HARE, delimiter=",", skiprows=1)
    start = np.log([0.55, 0.028, 0.8, 0.024, 34.0, 6.0, 0.25, 0.25])
    rng = np.random.default_rng(0)
    sampler = emcee.EnsembleSampler(64, 8, lambda u: log_joint_many(u, data), vectorize=True)
    sampler.run_mcmc(start + 0.02 * rng.standard_normal((64, 8)), int(sys.argv[1]) if len(sys.argv) > 1 else 6000)
    chain = sampler.get_chain(discard=1000, flat=True, thin=20)
    mean, cov = chain.mean(0), np.cov(chain.T)
    law = stats.multivariate_t(mean, cov * 1.1, 8, seed=1)
    draws = law.rvs(200_000)
    logs = np.concatenate([log_joint_many(part, data) for part in np.array_split(draws, 20)]) - law.logpdf(draws)
    w = np.exp(logs - logs.max())
    log_z = float(special.logsumexp(logs) - np.log(len(logs)))
    print("IS log Z", log_z, "relative ESS", w.sum() ** 2 / (w**2).sum() / len(w))
    w /= w.sum()
    print("means: MCMC", mean, "IS", w @ draws)
    theta = np.exp(draws)
    m = w @ theta
    cov_theta = ((theta - m) * w[:, None]).T @ (theta - m)
    marginals = []
    for i in range(8):
        centre, sd = float(w @ draws[:, i]), float(np.sqrt(w @ (draws[:, i] - w @ draws[:, i]) ** 2))
        keep = np.abs(draws[:, i] - centre) < 6 * sd
        grid, p = _histogram_density(draws[keep, i], w[keep], 161)
        marginals.append((grid.tolist(), p.tolist()))
    record = {"log_evidence": log_z, "mean": m.tolist(), "covariance": cov_theta.tolist(), "marginals": marginals}
    (HERE / "truth_lotka_volterra8.json").write_text(json.dumps(record))


if __name__ == "__main__":
    main()
