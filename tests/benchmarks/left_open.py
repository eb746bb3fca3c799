"""How often learnt outputs exclude a place where outputs are as measured, and how much of the prior they leave open.

    python tests/benchmarks/left_open.py layers 501 502 503 ...       # one JSON line a case, and a summary, on stdout

Runs: a design, others about a place drawn at random, others anywhere; the truth is drawn anywhere, data are made at it. No run
was placed for these data, so most truths lie where little is known. Said: at most .05 are excluded. Two cases for each
seed and size.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import json  # noqa: E402
import sys  # noqa: E402
from collections.abc import Callable  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent))

import exchanged  # noqa: E402
import honest_outputs  # noqa: E402
import two_modes_outputs  # noqa: E402

from bayescope.engine.acquisition.outputs import UNSURE_ABOVE  # noqa: E402
from bayescope.engine.library.infer_outputs import OutputInference  # noqa: E402
from bayescope.engine.loop_interface import Tell  # noqa: E402
from bayescope.engine.methods.default.outputs import OutputsLearner  # noqa: E402
from bayescope.engine.methods.default.outputs_memory import OutputsMemory  # noqa: E402
from bayescope.engine.numerics.unseen_modes import EXCLUDED, even_places  # noqa: E402
from bayescope.engine.surrogate.evaluations import Evaluations  # noqa: E402
from bayescope.engine.surrogate.frames import BoxFrame  # noqa: E402
from bayescope.engine.surrogate.outputs.log_joint import EmulatedLogJoint  # noqa: E402

Array = NDArray[np.float64]
Program = Callable[[Array], Array]  # (n, D) in the unit cube -> (n, L)
SIZES = (20, 35, 60)  # runs
NEAR = (0.03, 0.1, 0.25)  # how far those about one place lie from it
PLACES = 256


def program_of(family: str, seed: int) -> tuple[Program, float, int]:
    """With the sd of its noise and the number of its parameters."""
    if family in exchanged.DRAWS:
        case = exchanged.case_of(family, seed)
        return lambda x: case.run(case.low + x * (case.high - case.low)), case.sd, case.d
    if family == "honest":
        drawn = honest_outputs.Drawn.of(seed)
        width = np.diff(drawn.box, axis=1)[:, 0]
        return lambda x: drawn.kind.f(drawn.box[:, 0] + x * width, drawn.keys), drawn.sd, len(drawn.box)
    other = two_modes_outputs.Drawn.of(seed)
    return lambda x: two_modes_outputs.program(other.family, x, other.keys, other.tilt), other.sd, other.d


def learnt(run: Program, sd: float, data: Array, x: Array) -> tuple[EmulatedLogJoint, Callable[[Array], Array]]:
    """The emulator of runs at x (n, D), and how places become those of its frame."""
    asked = OutputInference(data, sd, {f"p{k}": (0.0, 1.0) for k in range(x.shape[1])})
    settings, space = asked._settings, asked.space
    box = BoxFrame.of(np.asarray(settings.plausible_lower), np.asarray(settings.plausible_upper))
    u, f = space.to_inference(x), run(x)
    y = -0.5 * np.square((f - data) / sd).sum(1) - len(data) * np.log(sd * np.sqrt(2 * np.pi)) + space.log_prior_in_inference(u)
    told = [Tell(i, u[i], float(y[i]), outputs=f[i]) for i in range(len(x))]
    known = Evaluations.of(told, x.shape[1], box.into)
    learner = OutputsLearner(settings, box, OutputsMemory(), "outputs")
    learner.fit(known)
    return learner.surrogate(known).with_all_runs(), lambda places: box.into(space.to_inference(places))


def one(family: str, seed: int, size: int, rng: np.random.Generator) -> dict[str, object]:
    run, sd, d = program_of(family, seed)
    truth, about = rng.uniform(0.03, 0.97, (1, d)), rng.uniform(0.1, 0.9, d)
    design = even_places(d, 16, int(rng.integers(1000)))[: max(10, 2 * d + 2)]
    count = 2 * (size - len(design)) // 3
    near = np.clip(about + rng.choice(NEAR, (count, 1)) * rng.standard_normal((count, d)), 0.01, 0.99)
    x = np.concatenate([design, near, rng.random((size - len(design) - count, d))])
    clean = run(truth)[0]
    surrogate, into = learnt(run, sd, clean + sd * rng.standard_normal(len(clean)), np.clip(x, 0.001, 0.999))
    places = into(np.clip(even_places(d, PLACES), 0.001, 0.999))
    open_ = (surrogate.log_bayes_factor(places) > np.log(EXCLUDED)) & (surrogate.spread(places) > UNSURE_ABOVE)
    return {
        "family": family, "seed": seed, "runs": size, "d": d,
        "log_factor": round(float(surrogate.log_bayes_factor(into(truth))[0]), 2), "left_open": round(float(open_.mean()), 3),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", choices=[*exchanged.DRAWS, "honest", "two"])
    parser.add_argument("seeds", type=int, nargs="+")
    given = parser.parse_args()
    rows = []
    for seed in given.seeds:
        rng = np.random.default_rng([seed, 95])
        for size in SIZES:
            for _ in range(2):
                rows.append(one(given.family, seed, size, rng))
                print(json.dumps(rows[-1]), flush=True)
    wrong = np.mean([row["log_factor"] < np.log(EXCLUDED) for row in rows])  # type: ignore[operator]
    left = np.mean([row["left_open"] for row in rows])  # type: ignore[misc]
    print(f"{given.family}: of {len(rows)} excluded wrongly {wrong:.3f}, left open {left:.3f}")


if __name__ == "__main__":
    main()
