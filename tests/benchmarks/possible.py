"""Possible posteriors: are the marginals of functions drawn from the surrogate spread about the truth as they should be?

    python tests/benchmarks/possible.py --cases 40 --label after

Synthetic cases: normals with a bend and a skew of random size in D = 2 to 4 (exact draws by construction), runs ended at random
before or at convergence. Of each parameter the true mean is placed among the means of the drawn functions' marginals: the share
of true means inside the 90 % interval made from mean and sd of those (t with 15 degrees of freedom), the root mean square of
their z, and the expected variation beside the true one. One JSON line.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import json  # noqa: E402
import time  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402
from scipy import stats  # noqa: E402

from bayescope.engine.answer.possible import Possible  # noqa: E402
from bayescope.engine.diagnostics.metrics import mmtv  # noqa: E402
from bayescope.engine.loop_interface import LoopSettings, Tell  # noqa: E402
from bayescope.engine.methods.ask_tell import AskTellLoop  # noqa: E402
from bayescope.engine.methods.default.loop import DefaultMethod  # noqa: E402

RESULTS = Path(__file__).resolve().parent / "results"
EXACT, ALONE = 200_000, 0.02  # draws of the truth; sd of a drawn mean, in posterior sds, that sampling alone gives
Array = np.ndarray


def case(seed: int) -> tuple[list[Array], Array, int]:
    """z-scores and inside of each parameter, (expected, true) variation, and runs."""
    rng = np.random.default_rng(seed)
    d, bend, skew = int(rng.integers(2, 5)), rng.uniform(-0.6, 0.6), rng.uniform(0.0, 0.4)
    budget = int(rng.integers(4 * d + 8, 12 * d + 16))

    def log_density(x: Array) -> float:
        y = x[1] - bend * (x[0] ** 2 - 1.0)
        w = np.arcsinh(y * skew) / skew if skew > 0.01 else y
        jacobian = -0.5 * np.log1p(np.square(skew * y)) if skew > 0.01 else 0.0
        return float(-0.5 * (np.sum(np.square(x)) - x[1] ** 2 + w**2) + jacobian)

    exact = rng.standard_normal((EXACT, d))
    exact[:, 1] = (np.sinh(skew * exact[:, 1]) / skew if skew > 0.01 else exact[:, 1]) + bend * (exact[:, 0] ** 2 - 1.0)
    loop = AskTellLoop(DefaultMethod(LoopSettings(np.full(d, -4.0), np.full(d, 4.0), seed=seed, max_evaluations=budget)))
    answer = None
    while asks := loop.ask():
        loop.tell(Tell(asks[0].index, asks[0].u, log_density(asks[0].u)))
        answer = loop.update() or answer
    assert answer is not None
    assert answer.draws is not None
    found = Possible.of(answer.possible, d)
    assert found is not None
    points, weights = answer.draws.points, answer.draws.weights
    scores = []
    for i in range(d):
        x = found.u[i]
        ratio = np.stack([np.interp(points[:, i], x, r[i]) for r in found.ratio]) * weights
        means = ratio @ points[:, i] / ratio.sum(1)
        spread = float(np.hypot(means.std(ddof=1), ALONE * exact[:, i].std()))
        scores.append((exact[:, i].mean() - means.mean()) / spread)
    apart = mmtv(points, weights, exact[:20_000], None)
    return scores, np.array([found.expected_variation, apart]), answer.n_evaluations


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--cases", type=int, default=40)
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--label", default="")
    a = parser.parse_args()
    began, z, variations = time.process_time(), [], []
    for seed in range(a.first, a.first + a.cases):
        scores, variation, _ = case(seed)
        z += scores
        variations.append(variation)
    scores, each = np.array(z), np.array(variations)
    limit = float(stats.t.ppf(0.95, 15))
    line = {
        "label": a.label, "cases": a.cases, "parameters": len(scores),
        "inside_90": round(float(np.mean(np.abs(scores) < limit)), 3),
        "rms_z": round(float(np.sqrt(np.mean(scores**2))), 2), "median_abs_z": round(float(np.median(np.abs(scores))), 2),
        "variation_expected": round(float(np.median(each[:, 0])), 3), "variation_true": round(float(np.median(each[:, 1])), 3),
        "rank_correlation": round(float(stats.spearmanr(each[:, 0], each[:, 1]).statistic), 2),
        "cpu_s": round(time.process_time() - began, 1),
    }  # fmt: skip
    print(json.dumps(line))
    RESULTS.mkdir(exist_ok=True)
    with (RESULTS / "possible.jsonl").open("a", encoding="utf-8") as out:
        out.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
