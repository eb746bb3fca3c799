"""The two bundled random programs as benchmark targets: many runs at once, and the truth of their synthetic likelihoods.

    python tests/benchmarks/random_simulators.py             # makes truth_birth_death.json and truth_ricker.json anew

The programs are simulated here by independent, vectorized code (the birth-death process exactly from year to year by its
transition law instead of event by event). The truth is that of the AVERAGED synthetic log-likelihood, the mean over many
batches of ``repeats`` runs, which is what the noisy values of the loop scatter around: importance sampling from an adapted
Student-t, 40 batches at each of 3,000 points (noise of a log density about .05, far too little to move the answer).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy import special, stats

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from bayescope.engine.likelihood import summaries, synthetic  # noqa: E402
from bayescope.engine.problem import priors  # noqa: E402
from bayescope.engine.problem.files import load  # noqa: E402
from bayescope.engine.problem.transforms import ParameterSpace  # noqa: E402
from targets import Target, _histogram_density  # noqa: E402

EXAMPLES = HERE.parents[1] / "resources" / "examples"
NAMES = ("birth_death", "ricker")
BATCHES, TRUTH_POINTS = 40, 3000
MOST = 1_000_000  # animals: the program gives up after 2 million events


def birth_death(theta: np.ndarray, runs: int, rng: np.random.Generator) -> np.ndarray:
    """Counts (runs, 40) from the transition law of the linear process with immigration over one year (Kendall 1948)."""
    birth, death, immigration = theta
    if abs(birth - death) < 1e-7:
        death = birth + 1e-7
    growth = np.exp(birth - death)
    extinct = death * (growth - 1) / (birth * growth - death)
    more = birth * (growth - 1) / (birth * growth - death)
    counts, n = np.empty((runs, 40)), np.full(runs, 10)
    for year in range(40):
        survivors = rng.binomial(n, 1 - extinct)
        n = survivors + np.where(survivors > 0, rng.negative_binomial(np.maximum(survivors, 1), 1 - more), 0)
        n = n + rng.negative_binomial(immigration / birth, 1 - more, runs)
        if n.max() > MOST:
            raise OverflowError("the population explodes")
        counts[:, year] = n
    return counts


def ricker(theta: np.ndarray, runs: int, rng: np.random.Generator) -> np.ndarray:
    """Catches (runs, 50) after 50 weeks that nobody sees (Wood 2010)."""
    log_r, sigma, phi = theta
    log_n, catches = np.zeros(runs), np.empty((runs, 50))
    for week in range(100):
        log_n = log_r + log_n - np.exp(np.minimum(log_n, 700.0)) + sigma * rng.standard_normal(runs)
        if week >= 50:
            catches[:, week - 50] = rng.poisson(np.minimum(phi * np.exp(np.minimum(log_n, 20.0)), 1e6))
    return catches


PROGRAMS: dict[str, Callable[[np.ndarray, int, np.random.Generator], np.ndarray]] = {
    "birth_death": birth_death,
    "ricker": ricker,
}


class SyntheticTarget:
    """Noisy log joint of a bundled example in the user's units: (log prior + synthetic log-likelihood, standard error)."""

    def __init__(self, name: str) -> None:
        self.name, self.problem = name, load(EXAMPLES / name / "problem.json")
        self.space = ParameterSpace(self.problem.parameters)
        self.repeats = self.problem.meaning.repeats  # type: ignore[union-attr]
        self.measured = np.concatenate(summaries.observed(self.problem, self.problem.meaning.summaries))  # type: ignore[union-attr]

    def log_prior(self, theta: np.ndarray) -> float:
        return float(sum(priors.of_prior(p.prior).log_density(v) for p, v in zip(self.problem.parameters, theta, strict=True)))

    def summaries(self, runs: np.ndarray) -> np.ndarray:
        """(R, k) of runs (R, L), as the engine computes them one by one."""
        columns = []
        for s in self.problem.meaning.summaries:  # type: ignore[union-attr]
            if s.statistic == "mean":
                columns.append(runs.mean(1)[:, None])
            elif s.statistic == "log_sd":
                columns.append(np.log(np.maximum(runs.std(1, ddof=1), 1e-12))[:, None])
            elif s.statistic == "autocorrelation":
                c = runs - runs.mean(1, keepdims=True)
                v = np.maximum(np.square(c).sum(1), 1e-300)
                columns.append(np.stack([(c[:, :-j] * c[:, j:]).sum(1) / v for j in range(1, s.lags + 1)], 1))
            else:  # histogram
                low, high = s.edges[:-1], s.edges[1:]
                columns.append(
                    np.stack([((runs >= a) & (runs <= b)).mean(1) for a, b in zip(low, high, strict=True)], 1)
                )
        return np.concatenate(columns, axis=1)

    def noisy(self, theta: np.ndarray, rng: np.random.Generator) -> tuple[float, float]:
        runs = PROGRAMS[self.name](theta, self.repeats, rng)
        value, sd = synthetic.log_likelihood(self.summaries(runs), self.measured, "unbiased_log")
        return value + self.log_prior(theta), sd

    def averaged(self, theta: np.ndarray, batches: int, rng: np.random.Generator) -> float:
        """Mean log-likelihood estimate over batches of ``repeats`` runs; -inf where runs explode or a batch is singular."""
        try:
            s = self.summaries(PROGRAMS[self.name](theta, self.repeats * batches, rng))
        except OverflowError:
            return -np.inf
        s = s.reshape(batches, self.repeats, -1)
        r, k = self.repeats, s.shape[2]
        mean = s.mean(1)
        c = s - mean[:, None]
        covariance = np.einsum("brk,brl->bkl", c, c) / (r - 1)
        sign, log_det = np.linalg.slogdet(covariance)
        if np.any(sign <= 0) or not np.all(np.isfinite(log_det)):
            return -np.inf
        gap = self.measured - mean
        q = np.einsum("bk,bk->b", gap, np.linalg.solve(covariance, gap[:, :, None])[:, :, 0])
        i = np.arange(1, k + 1)
        expected = float(special.digamma(0.5 * (r - i)).sum()) + k * np.log(2.0 / (r - 1))
        corrected = (r - k - 2) / (r - 1) * q - k / r
        return float((-0.5 * (k * np.log(2 * np.pi) + log_det - expected + corrected)).mean())


def make_truth(name: str, seed: int = 0) -> dict[str, object]:
    """Importance sampling in inference space from a Student-t mixture adapted in four rounds."""
    rng, it = np.random.default_rng(seed), SyntheticTarget(name)
    low, high = it.space.plausible_box()
    d = len(low)

    def values(u: np.ndarray, batches: int) -> np.ndarray:
        out = np.full(len(u), -np.inf)
        for i, x in enumerate(u):
            theta = it.space.to_user(x)
            prior = float(it.space.log_prior_in_inference(x))
            if np.isfinite(prior) and prior > -60:
                with np.errstate(all="ignore"):
                    out[i] = prior + it.averaged(theta, batches, rng)
        return np.where(np.isnan(out), -np.inf, out)

    def weighted(u: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        mean = w @ u
        return mean, ((u - mean) * w[:, None]).T @ (u - mean)

    u, log_q = low + (high - low) * rng.random((1500, d)), np.zeros(1500)
    f = values(u, 5)
    for power in (0.1, 0.3, 0.6, 1.0):  # each round is fitted to a flattened posterior of the one before
        g = power * (f - f.max()) - log_q
        w = np.exp(g - g.max())
        mean, covariance = weighted(u, w / w.sum())
        law = stats.multivariate_t(mean, 1.3 * covariance + 1e-9 * np.eye(d), 5, seed=rng)
        u = np.atleast_2d(law.rvs(TRUTH_POINTS if power == 1.0 else 1500))
        log_q = law.logpdf(u)
        f = values(u, BATCHES if power == 1.0 else 10)
    log_w = f - log_q
    w = np.exp(log_w - log_w.max())
    log_z = float(log_w.max() + np.log(w.mean()))
    ess = float(w.sum() ** 2 / np.square(w).sum())
    error = float(w.std() / w.mean() / np.sqrt(len(w)))
    w /= w.sum()
    theta = it.space.to_user(u)
    mean, covariance = weighted(theta, w)
    marginals = [[[float(v) for v in a] for a in _smooth(u[:, i], w)] for i in range(d)]
    print(f"{name}: log evidence {log_z:.3f} ± {error:.3f}, effective draws {ess:.0f}, mean {mean}", flush=True)
    return {
        "log_evidence": log_z, "log_evidence_sd": error, "effective_draws": ess, "mean": mean.tolist(),
        "covariance": covariance.tolist(), "marginals": marginals,
    }  # fmt: skip


def _smooth(x: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    from bayescope.engine.diagnostics.metrics import kernel_density

    grid, _ = _histogram_density(x[w > 1e-9], w[w > 1e-9])
    return grid, kernel_density(x, w, grid)


def target(name: str) -> Target:
    """The truth as kept; ``log_density`` is one noisy estimate with a fixed seed (the benchmark calls ``noisy`` itself)."""
    truth = json.loads((HERE / f"truth_{name}.json").read_text())
    it = SyntheticTarget(name)
    low, high = (it.space.to_user(edge) for edge in it.space.plausible_box())
    bounds = [
        (None if np.isinf(t.lower) else float(t.lower), None if np.isinf(t.upper) else float(t.upper))
        for t in it.space.transforms
    ]
    return Target(
        name, lambda theta: it.noisy(theta, np.random.default_rng(0))[0], list(zip(low.tolist(), high.tolist(), strict=True)),
        bounds, truth["log_evidence"], np.array(truth["mean"]), np.array(truth["covariance"]),
        [(np.array(g), np.array(p)) for g, p in truth["marginals"]], it.space.to_inference,
    )  # fmt: skip


if __name__ == "__main__":
    for chosen in sys.argv[1:] or NAMES:
        (HERE / f"truth_{chosen}.json").write_text(json.dumps(make_truth(chosen)))
