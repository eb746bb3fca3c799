"""Make tests/data/contamination_reference.npz: the example's posterior by a long ensemble-MCMC run (emcee).

    python tests/benchmarks/contamination_reference.py

The simulator is linear in the source's profile, so its response is tabulated once from the example program itself and a
whole ensemble is evaluated at a time. The evidence comes from a dense grid in four dimensions, an independent computation
that also checks the chain's means. Takes about ten minutes on one core.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import emcee
import numpy as np
from scipy import special, stats

from bayescope.resources.examples.contamination import contamination_source as program

HERE = Path(__file__).resolve().parent
DATA = HERE.parent.parent / "resources" / "examples" / "contamination" / "sensor_readings.csv"
TARGET = HERE.parent / "data" / "contamination_reference.npz"
SHAPE, SCALE = 3.0, 0.03  # inverse gamma of the noise variance
NAMES = ("x0", "ts", "q0", "rho")


def readings() -> np.ndarray:
    """(10,) measured values, left then right at each time."""
    with DATA.open() as lines:
        return np.array([[float(r["left"]), float(r["right"])] for r in csv.DictReader(lines)]).ravel()


def response() -> np.ndarray:
    """(STEPS + 1, 10, nodes): readings for a unit source on one node, switched off after that many steps."""
    n, dt = program.CELLS + 1, program.END / program.STEPS
    h = 1.0 / program.CELLS
    laplace = (np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1) - 2.0 * np.eye(n)) / h**2
    laplace[0, 1] = laplace[-1, -2] = 2.0 / h**2
    left = np.linalg.inv(np.eye(n) - 0.5 * dt * laplace)
    step = left @ (np.eye(n) + 0.5 * dt * laplace)
    decays = [left * dt]  # effect of one active step, 0, 1, 2... steps later
    for _ in range(program.STEPS):
        decays.append(step @ decays[-1])
    out = np.zeros((program.STEPS + 1, 10, n))
    for k, t in enumerate(program.READING_TIMES):
        m = round(t / dt)
        for s in range(program.STEPS):
            gain = decays[m - 1 - s][[0, -1]] if s < m else np.zeros((2, n))
            out[s + 1, 2 * k : 2 * k + 2] = out[s, 2 * k : 2 * k + 2] + gain
    return out


class Target:
    """Vectorized log joint in the coordinates v = (logit x0, logit ts/0.4, log q0, log rho)."""

    def __init__(self) -> None:
        self.y = readings()
        self.response = response()
        h = 1.0 / program.CELLS
        self.edges = np.concatenate([[0.0], (np.arange(program.CELLS) + 0.5) * h, [1.0]])

    def user(self, v: np.ndarray) -> np.ndarray:
        return np.stack([special.expit(v[:, 0]), 0.4 * special.expit(v[:, 1]), np.exp(v[:, 2]), np.exp(v[:, 3])], 1)

    def unit_readings(self, x0: np.ndarray, rho: np.ndarray) -> np.ndarray:
        """(n, STEPS + 1, 10) for q0 = 1, for every number of active steps."""
        return np.einsum("smj,nj->nsm", self.response, self.profile(x0, rho), optimize=True)

    def profile(self, x0: np.ndarray, rho: np.ndarray) -> np.ndarray:
        primitive = special.erf((self.edges - x0[:, None]) / (rho[:, None] * np.sqrt(2.0)))
        mass = rho[:, None] * np.sqrt(np.pi / 2.0) * np.diff(primitive, axis=1)
        return mass / np.diff(self.edges)

    def predict(self, theta: np.ndarray) -> np.ndarray:
        """(n, 10) readings at theta (n, 4)."""
        steps = np.clip(theta[:, 1] / program.END * program.STEPS, 0, program.STEPS - 1e-9)
        low = steps.astype(int)
        part = (steps - low)[:, None, None]
        gain = self.response[low] * (1 - part) + self.response[low + 1] * part
        return theta[:, 2, None] * np.einsum("nmj,nj->nm", gain, self.profile(theta[:, 0], theta[:, 3]))

    def log_likelihood(self, predicted: np.ndarray) -> np.ndarray:
        return stats.t.logpdf(self.y, 2 * SHAPE, predicted, np.sqrt(SCALE / SHAPE)).sum(-1)

    def log_prior(self, theta: np.ndarray) -> np.ndarray:
        return -np.log(0.4) + stats.halfcauchy.logpdf(theta[:, 2], 0, 10) + stats.halfcauchy.logpdf(theta[:, 3], 0, 0.1)

    def log_jacobian(self, v: np.ndarray) -> np.ndarray:
        logit = sum(special.log_expit(v[:, i]) + special.log_expit(-v[:, i]) for i in (0, 1))
        return logit + np.log(0.4) + v[:, 2] + v[:, 3]

    def __call__(self, v: np.ndarray) -> np.ndarray:
        inside = np.all(np.abs(v) < 40.0, axis=1)
        v = np.clip(v, -40.0, 40.0)
        theta = self.user(v)
        value = self.log_likelihood(self.predict(theta)) + self.log_prior(theta) + self.log_jacobian(v)
        return np.where(inside & np.isfinite(value), value, -np.inf)


def grid_evidence(target: Target) -> tuple[float, np.ndarray]:
    """log evidence and mean of v by the trapezoid rule on a 4-D grid in v, where the density is smooth and decays."""
    axes = [np.arange(-12.0, 12.1, 0.25), np.arange(-12.0, 12.1, 0.25), np.arange(-9.0, 13.1, 0.25), np.arange(-13.0, 9.1, 0.25)]
    theta = [special.expit(axes[0]), 0.4 * special.expit(axes[1]), np.exp(axes[2]), np.exp(axes[3])]
    steps = np.clip(theta[1] / program.END * program.STEPS, 0, program.STEPS - 1e-9)
    low = steps.astype(int)
    part = (steps - low)[None, :, None]
    edge = np.concatenate([a + b for a, b in [(special.log_expit(v), special.log_expit(-v)) for v in axes[:2]]])
    jacobian0, jacobian1 = edge[: len(axes[0])], edge[len(axes[0]) :]
    prior2 = stats.halfcauchy.logpdf(theta[2], 0, 10) + axes[2]
    prior3 = stats.halfcauchy.logpdf(theta[3], 0, 0.1) + axes[3]
    rest = prior2[:, None, None] + prior3[None, :, None] + jacobian1[None, None, :]
    constant = target.log_likelihood(target.y[None])[0]  # of a perfect fit
    total, moment = 0.0, np.zeros(4)
    for a, x0 in enumerate(theta[0]):
        unit = target.unit_readings(np.full(len(theta[3]), x0), theta[3])  # (rho, step, 10)
        at_ts = unit[:, low] * (1 - part) + unit[:, low + 1] * part  # (rho, ts, 10)
        residual = (theta[2][:, None, None, None] * at_ts - target.y) ** 2 / (2 * SCALE)
        density = np.exp(jacobian0[a] + rest) * np.prod(1.0 + residual, axis=-1) ** -(SHAPE + 0.5)  # (q0, rho, ts)
        mass = density.sum()
        total += mass
        moment += [mass * axes[0][a], density.sum((0, 1)) @ axes[1], density.sum((1, 2)) @ axes[2], density.sum((0, 2)) @ axes[3]]
    return float(np.log(total) + constant + 4 * np.log(0.25)), moment / total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=40_000)
    parser.add_argument("--walkers", type=int, default=128)
    arguments = parser.parse_args()
    target = Target()
    theta = np.array([[0.23, 0.3, 6.366, 0.05], [0.7, 0.11, 3.0, 0.3]])
    direct = np.array([[r[1:] for r in program.solve(*row)] for row in theta]).reshape(2, 10)
    assert np.allclose(target.predict(theta), direct, atol=1e-9), "the tabulated response is not the program's"
    log_evidence, grid_mean = grid_evidence(target)
    rng = np.random.default_rng(1)
    start = np.array([-1.0, 0.0, 1.5, -2.5]) + 0.5 * rng.standard_normal((arguments.walkers, 4))
    # no DESnookerMove: emcee 3.1.6 samples a narrower distribution with it (means off by 0.15 sd here)
    moves = [(emcee.moves.DEMove(), 0.7), (emcee.moves.StretchMove(), 0.3)]
    np.random.seed(1)  # noqa: NPY002 - emcee draws from numpy's global generator
    sampler = emcee.EnsembleSampler(arguments.walkers, 4, target, vectorize=True, moves=moves)
    sampler.run_mcmc(start, arguments.steps)
    burn = arguments.steps // 10
    tau = sampler.get_autocorr_time(discard=burn, tol=0)
    chain = sampler.get_chain(discard=burn, flat=True)
    print(f"log evidence (grid) {log_evidence:.4f}; autocorrelation {tau.round(1)}; draws {len(chain)}")
    print("mean of v: chain", chain.mean(0).round(4), "grid", grid_mean.round(4), "sd", chain.std(0).round(3))
    edges = np.stack([np.linspace(*np.quantile(chain[:, i], [1e-5, 1 - 1e-5]), 201) for i in range(4)])
    density = np.stack([np.histogram(chain[:, i], edges[i], density=True)[0] for i in range(4)])
    thinned = target.user(chain[rng.choice(len(chain), 20_000, replace=False)])
    np.savez_compressed(
        TARGET, names=np.array(NAMES), samples=thinned.astype(np.float32), log_evidence=log_evidence,
        transformed_edges=edges.astype(np.float32), transformed_density=density.astype(np.float32),
        mean=target.user(chain).mean(0), autocorrelation=tau, draws=len(chain),
    )


if __name__ == "__main__":
    main()
