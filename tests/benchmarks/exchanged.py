"""Programs with two exact modes, as parts change places, each with local copies: are all of them held by a converged answer?

    python tests/benchmarks/exchanged.py layers 1 2 3 ...       # one JSON line a seed, on stdout

``layers``: bands of a periodic stack of two layers, by plane waves, as ``real_two_modes.py`` asks MPB for: exchanging the layers
changes nothing, exchanging their optical lengths little or nothing.
``tones``: two oscillations that share an amplitude, measured at few times: some wrong frequencies fit nearly as well.
``decays``: two decays that share an amplitude, on a slope.
Truth as in ``two_modes_outputs.py``. "Wrong": converged with |dLML| > .1 or the mass of a mode off by more than .05.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import json  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable  # noqa: E402
from dataclasses import dataclass  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent))

from two_modes_outputs import truth_of  # noqa: E402

from bayescope.engine import infer_outputs  # noqa: E402

Array = NDArray[np.float64]
BUDGET = 140
WAVES = np.linspace(0.1, 0.5, 4)  # wave numbers of the bands, in 2 pi
BANDS, PLANE_WAVES = 4, 10  # ... on each side
DRAWS = {"layers": 10_000, "tones": 40_000, "decays": 40_000}  # of the truth


def layers(x: Array) -> Array:
    """x (k, 3): two indices and the thickness of the first layer -> the lowest BANDS frequencies at every wave (k, 16)."""
    n, m, d = x[:, 0, None, None], x[:, 1, None, None], x[:, 2, None, None]
    order = np.arange(-PLANE_WAVES, PLANE_WAVES + 1)
    apart = order[:, None] - order[None]
    permittivity = (n**2 - m**2) * d * np.sinc(apart * d) + m**2 * np.eye(len(order))  # the first layer is about 0
    inverse = np.linalg.inv(permittivity)
    there = WAVES[:, None] + order
    squared = np.linalg.eigvalsh(there[:, :, None] * inverse[:, None] * there[:, None, :])[..., :BANDS]
    return np.asarray(np.sqrt(np.maximum(squared, 0.0)).reshape(len(x), -1))


@dataclass(frozen=True)
class Case:
    """Uniform priors from ``low`` to ``high``, noise ``sd``; ``run`` (k, D) -> (k, L). Methods: in the unit box."""

    family: str
    names: tuple[str, ...]
    low: Array
    high: Array
    run: Callable[[Array], Array]
    data: Array
    sd: float

    @property
    def d(self) -> int:
        return len(self.low)

    def residuals(self, x: Array) -> Array:
        return np.asarray((self.run(self.low + np.atleast_2d(x) * (self.high - self.low)) - self.data) / self.sd)

    def log_density(self, x: Array) -> Array:
        inside = ((x >= 0.0) & (x <= 1.0)).all(1)
        found = np.full(len(x), -np.inf)
        if inside.any():
            found[inside] = -0.5 * np.square(self.residuals(x[inside])).sum(1)
        return found - len(self.data) * np.log(self.sd * np.sqrt(2 * np.pi))


def case_of(family: str, seed: int) -> Case:
    rng = np.random.default_rng([seed, 93])
    if family == "layers":
        names, low, high, sd, least = ("n1", "n2", "d1"), [1.0, 1.0, 0.1], [3.5, 3.5, 0.9], 0.004, 0.28
        run = layers
    elif family == "tones":
        names, low, high, least = ("f1", "f2", "share"), [1.0, 1.0, 0.1], [6.0, 6.0, 0.9], 0.2
        t, sd = np.sort(rng.random(int(rng.integers(5, 9)))), float(10.0 ** rng.uniform(-1.3, -0.4))

        def run(x: Array) -> Array:
            return x[:, 2:3] * np.sin(2 * np.pi * x[:, :1] * t) + (1 - x[:, 2:3]) * np.sin(2 * np.pi * x[:, 1:2] * t)
    else:
        names, low, high, least = ("k1", "k2", "share", "slope"), [0.5, 0.5, 0.1, -1.0], [8.0, 8.0, 0.9, 1.0], 0.25
        t, sd = np.linspace(0.0, 1.0, 15), float(10.0 ** rng.uniform(-2.6, -1.6))

        def run(x: Array) -> Array:
            return x[:, 2:3] * np.exp(-x[:, :1] * t) + (1 - x[:, 2:3]) * np.exp(-x[:, 1:2] * t) + x[:, 3:] * t**2

    lower, upper = np.array(low), np.array(high)
    truth = lower
    while abs(truth[0] - truth[1]) < least * (upper[0] - lower[0]):
        truth = lower + rng.uniform(0.15, 0.85, len(low)) * (upper - lower)
    clean = run(truth[None])[0]
    return Case(family, names, lower, upper, run, clean + sd * rng.standard_normal(len(clean)), sd)


def one(family: str, seed: int) -> dict[str, object]:
    case, start = case_of(family, seed), time.process_time()

    def run(v: dict[str, float]) -> Array:
        return np.asarray(case.run(np.array([[v[name] for name in case.names]]))[0])

    priors = dict(zip(case.names, zip(case.low, case.high, strict=True), strict=True))
    r = infer_outputs(run, case.data, noise=case.sd, priors=priors, max_evaluations=BUDGET, seed=seed)
    cpu = time.process_time() - start
    drawn = r.sample(20_000)
    truth = truth_of(case, seed, DRAWS[family])
    half, off = float(np.mean(drawn[:, 0] > drawn[:, 1])), r.log_evidence - truth.log_evidence
    return {
        "family": family, "seed": seed, "n": r.n_evaluations, "converged": bool(r.converged), "mass": round(half, 3),
        "dlml": round(off, 3), "sd": round(r.log_evidence_sd, 3), "truth_error": round(truth.error, 3), "modes": truth.modes,
        "wrong": bool(r.converged) and (abs(half - 0.5) > 0.05 or abs(off) > 0.1), "cpu": round(cpu, 1),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", choices=list(DRAWS))
    parser.add_argument("seeds", type=int, nargs="+")
    given = parser.parse_args()
    for seed in given.seeds:
        print(json.dumps(one(given.family, seed)), flush=True)


if __name__ == "__main__":
    main()
