"""How near the bundled example comes to its reference posterior: real sessions, the real program, two runs at a time.

    python tests/benchmarks/example_accuracy.py [--seeds 5] [--evaluations 140] [--method default]

Prints, for each seed and as the median, the mean marginal total variation to tests/data/contamination_reference.npz.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import msgspec
import numpy as np

from bayescope import resources
from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.problem import files
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.run.analysis import Analysis
from bayescope.engine.run.control import Control
from bayescope.engine.session.store import SessionStore

REFERENCE = Path(__file__).resolve().parent.parent / "data" / "contamination_reference.npz"
EXAMPLE = Path(next(iter(resources.__path__))) / "examples" / "contamination" / "problem.json"


def marginal_distances(posterior: StoredPosterior) -> np.ndarray:
    """(4,) total variation between each marginal and the reference, over the reference's logit / log bins."""
    with np.load(REFERENCE) as reference:
        edges = reference["transformed_edges"].astype(float)
        density = reference["transformed_density"].astype(float)
    out = []
    for i in range(4):
        fine = np.linspace(edges[i, 0], edges[i, -1], 10 * (edges.shape[1] - 1) + 1)
        v = 0.5 * (fine[1:] + fine[:-1])
        theta = {0: lambda v: 1 / (1 + np.exp(-v)), 1: lambda v: 0.4 / (1 + np.exp(-v))}.get(i, np.exp)(v)
        slope = theta * (1 - theta / (1.0, 0.4)[i]) if i < 2 else theta
        mass = (posterior.density(i, theta) * slope * np.diff(fine)).reshape(-1, 10).sum(1)
        expected = density[i] * np.diff(edges[i])
        out.append(0.5 * (np.abs(mass - expected).sum() + max(0.0, 1.0 - mass.sum())))
    return np.array(out)


def one_run(seed: int, evaluations: int, method: str, folder: Path) -> tuple[np.ndarray, str]:
    problem = files.load(EXAMPLE)
    settings = msgspec.structs.replace(problem.settings, seed=seed, max_evaluations=evaluations, method=method)
    problem = msgspec.structs.replace(problem, settings=settings)
    wall, cpu = time.perf_counter(), time.process_time()
    with SessionStore.create(folder / f"{method}-{seed}.bayescope", problem, own=True) as store:
        ended = Analysis(store, control=Control(), observer=lambda event: None).run()
        record = store.last_iteration()
        assert record is not None, ended.words
        posterior = StoredPosterior.of_iteration(ParameterSpace(problem.parameters), record)
        words = (f"{store.evaluation_count} runs, {ended.outcome}, log evidence {record.log_evidence:.2f} +- "
                 f"{record.log_evidence_sd:.2f}, {time.perf_counter() - wall:.0f} s, CPU {time.process_time() - cpu:.0f} s")
    return marginal_distances(posterior), words


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--evaluations", type=int, default=140)
    parser.add_argument("--method", default="default", choices=["default", "bvbmc", "vbmc"])
    arguments = parser.parse_args()
    with np.load(REFERENCE) as reference:
        print(f"reference log evidence {float(reference['log_evidence']):.2f}")
    distances = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seeds):
            d, words = one_run(seed, arguments.evaluations, arguments.method, Path(folder))
            distances.append(d.mean())
            print(f"seed {seed}: mean marginal total variation {d.mean():.3f} ({d.round(3)}); {words}", flush=True)
    print(f"median of {len(distances)} seeds: {np.median(distances):.3f} (must be <= 0.10)")


if __name__ == "__main__":
    main()
