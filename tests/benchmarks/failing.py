"""Runs that fail in part of the space: runs wasted, evaluations to "tight", error, mass where runs fail; calibration of the map.

    python tests/benchmarks/failing.py run --cases circle,half_plane --seeds 10 --label after
    python tests/benchmarks/failing.py map --seeds 20       # expected calibration error, log score and time against others
    python tests/benchmarks/failing.py reasons --seeds 20   # log score, calibration and time of the reasons against others
    python tests/benchmarks/failing.py table --label after

The target is a normal with a bend (exact draws by construction), sd 1, in the plausible box [-4, 4]^D. A case is a region in
which runs fail, "far" from the posterior or "through" it; failing runs mean "unknown" (None) or "impossible" (minus infinity).
Truth comes from 400,000 exact draws. "Tight" means |dLML| < .1 and MMTV < .05 from that number of evaluations to the end. One
JSON line a run.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import json  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable  # noqa: E402
from dataclasses import dataclass  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402

RESULTS = Path(__file__).resolve().parent / "results"
EXACT, SAMPLES, BOX = 400_000, 10_000, 4.0
Array = np.ndarray
Fails = Callable[[Array], Array]  # points (n, D) -> (n,) bool


def draws(d: int, count: int, seed: int) -> Array:
    x = np.random.default_rng(seed).standard_normal((count, d))
    x[:, 1] += 0.3 * (np.square(x[:, 0]) - 1.0)
    return x


def log_density(x: Array) -> float:
    z = np.array(x, dtype=float)
    z[1] -= 0.3 * (z[0] ** 2 - 1.0)
    return float(-0.5 * z @ z - 0.5 * len(z) * np.log(2.0 * np.pi))


def by_chance(x: Array) -> Array:
    """A tenth of all places, without any pattern."""
    return np.modf(np.abs(np.sin(x @ np.linspace(12.9898, 78.233, x.shape[1])) * 43758.5453))[0] < 0.1


def stripes(x: Array) -> Array:
    """A sixth of all places, in stripes a tenth of an sd apart: a program that repeats itself, and no region."""
    across = np.linspace(1.0, 0.4, x.shape[1])
    return np.mod(x @ across / np.linalg.norm(across) / 0.1, 1.0) < 1.0 / 6.0


def waves(x: Array) -> Array:
    """A sixth of all places, where many short waves add up, as where an iteration does not converge."""
    rng = np.random.default_rng(5)
    steps, phases = 10.0 * np.pi * rng.standard_normal((12, x.shape[1])), rng.uniform(0.0, 2.0 * np.pi, 12)
    return np.cos(x @ steps.T + phases).sum(1) / np.sqrt(6.0) > 0.95


def ball(share: float, d: int) -> float:
    """Radius of the ball that holds a share of the plausible box."""
    from scipy.special import gammaln

    return float(np.exp((np.log(share) + d * np.log(2 * BOX) - 0.5 * d * np.log(np.pi) + gammaln(d / 2 + 1)) / d))


def regions(d: int) -> dict[str, Fails]:
    """The failing regions; those of the plane are cylinders over the first two parameters."""
    tilt = np.ones(d) / np.sqrt(d)
    tilt[1:] *= -1.0
    far_circle, near_circle = np.array([2.6, -2.0]), np.array([1.1, -0.6])
    nine_tenths = ball(0.1, d)
    return {
        "none": lambda x: np.zeros(len(x), dtype=bool),
        "circle far": lambda x: np.linalg.norm(x[:, :2] - far_circle, axis=1) < 1.7,
        "circle through": lambda x: np.linalg.norm(x[:, :2] - near_circle, axis=1) < 0.9,
        "half_plane far": lambda x: x @ tilt > 2.7,
        "half_plane through": lambda x: x @ tilt > 0.8,
        "corner far": lambda x: np.all(x[:, :2] > 1.5, axis=1),
        "corner through": lambda x: np.all(x[:, :2] > 0.0, axis=1),
        "shell far": lambda x: np.abs(np.linalg.norm(x[:, :2], axis=1) - 3.6) < 0.25,
        "shell through": lambda x: np.abs(np.linalg.norm(x[:, :2], axis=1) - 1.3) < 0.15,
        "chance through": by_chance,
        "fine stripes": stripes,
        "fine waves": waves,
        "most through": lambda x: np.linalg.norm(x, axis=1) > nine_tenths,
        "time far": lambda x: 0.8 * x[:, 0] + 0.25 * np.square(x[:, 1]) > 3.0,
        "time through": lambda x: 0.8 * x[:, 0] + 0.25 * np.square(x[:, 1]) > 1.0,
    }


NO_REGION = ("chance", "fine")  # cases without one: between two failed runs most succeed, however near they are in the posterior


@dataclass(frozen=True)
class Truth:
    share: float  # of the posterior where runs fail
    log_evidence: float
    marginals: list[tuple[Array, Array]]


def truth(d: int, fails: Fails, meaning: str) -> Truth:
    from bayescope.engine.diagnostics.metrics import kernel_density

    x = draws(d, EXACT, 7)
    failing = fails(x)
    kept = x[~failing] if meaning == "impossible" else x
    grids = [np.linspace(v.min() - 0.5, v.max() + 0.5, 1024) for v in kept.T]
    marginals = [(g, kernel_density(v, None, g, "improved")) for g, v in zip(grids, kept.T, strict=True)]
    share = float(failing.mean())
    return Truth(share, float(np.log1p(-share)) if meaning == "impossible" else 0.0, marginals)


def run(case: str, d: int, meaning: str, seed: int, budget: int) -> dict[str, Any]:
    """One analysis by ``infer``; with chance failures the place decides, so that a repetition fails again."""
    from bayescope.engine import infer
    from bayescope.engine.diagnostics.metrics import mmtv_to_densities

    fails = regions(d)[case]
    told: list[bool] = []

    def target(x: Array) -> float:
        failed = bool(fails(np.asarray(x, float)[None])[0])
        told.append(failed)
        return (np.nan if meaning == "unknown" else -np.inf) if failed else log_density(x)

    clock = time.process_time()
    answer = infer(target, plausible=[(-BOX, BOX)] * d, max_evaluations=budget, seed=seed)
    cpu = time.process_time() - clock
    true = truth(d, fails, meaning)

    def point(h: Any) -> dict[str, float]:
        x = h.sample(SAMPLES, seed)
        return {
            "n": h.n_evaluations, "dlml": h.log_evidence - true.log_evidence, "sd": h.log_evidence_sd,
            "mmtv": mmtv_to_densities(x, None, true.marginals, "improved"), "inside": float(fails(x).mean()),
        }  # fmt: skip

    answers = [h for h in answer.history if np.isfinite(h.log_evidence)]
    history = [point(h) for h in answers[:: max(1, len(answers) // 25)]]
    share = 0.0 if meaning == "unknown" and case.startswith(NO_REGION) else true.share
    figures = {k: float(v) for k, v in answer.snapshot.diagnostics.items() if "mass" in k or "evidence" in k or "failing" in k}
    return {
        "case": case, "d": d, "meaning": meaning, "seed": seed, "budget": budget, "converged": answer.converged,
        "in_part": bool(answer.snapshot.diagnostics.get("confirmed_in_part", 0.0)),
        "final": point(answer), "history": history, "failed": sum(told), "n": len(told), "late": sum(told[len(told) // 2 :]),
        "share": share, "figures": figures, "cpu": cpu, "headline": answer.reasons[0],
    }  # fmt: skip


def tight(record: dict[str, Any]) -> float:
    found = np.inf
    for h in [*record["history"], record["final"]]:
        good = abs(h["dlml"]) < 0.1 and h["mmtv"] < 0.05
        found = min(found, h["n"]) if good else np.inf
    return float(found)


# ---------------------------------------------------------------- the map alone


def by_ours(x: Array, good: Array, at: Array) -> Array:
    from bayescope.engine.feasibility.success_map import fitted

    return np.exp(fitted(x[good], x[~good]).log_success(at))


def by_scikit_learn(x: Array, good: Array, at: Array) -> Array:
    from sklearn.gaussian_process import GaussianProcessClassifier
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel

    kernel = ConstantKernel(10.0, (1e-1, 1e4)) * RBF(np.ones(x.shape[1]), (0.1, 100.0))
    found = GaussianProcessClassifier(kernel).fit(x, good)
    return np.asarray(found.predict_proba(at)[:, 1])


def by_neighbours(x: Array, good: Array, at: Array) -> Array:
    """The rule of before: whether most of the five nearest runs failed."""
    from scipy.spatial import cKDTree

    return np.asarray(good[cKDTree(x).query(at, k=5)[1]].mean(1))


def by_gpytorch(x: Array, good: Array, at: Array) -> Array:
    import gpytorch
    import torch

    class Model(gpytorch.models.ApproximateGP):
        def __init__(self, z: torch.Tensor) -> None:
            shape = gpytorch.variational.CholeskyVariationalDistribution(len(z))
            super().__init__(gpytorch.variational.UnwhitenedVariationalStrategy(self, z, shape, learn_inducing_locations=False))
            self.mean_module = gpytorch.means.ConstantMean()
            self.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel(ard_num_dims=z.shape[1]))

        def forward(self, z: torch.Tensor) -> Any:
            return gpytorch.distributions.MultivariateNormal(self.mean_module(z), self.covar_module(z))

    torch.manual_seed(0)
    z, y = torch.as_tensor(x, dtype=torch.float32), torch.as_tensor(good, dtype=torch.float32)
    model, likelihood = Model(z), gpytorch.likelihoods.BernoulliLikelihood()
    bound = gpytorch.mlls.VariationalELBO(likelihood, model, len(y))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    for _ in range(300):
        optimizer.zero_grad()
        (-bound(model(z), y)).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad(), gpytorch.settings.fast_pred_var():
        return np.asarray(likelihood(model(torch.as_tensor(at, dtype=torch.float32))).mean)


MAPS = {"ours": by_ours, "scikit-learn": by_scikit_learn, "neighbours": by_neighbours, "gpytorch": by_gpytorch}


def calibration(p: Array, good: Array, bins: int = 10) -> float:
    """Expected calibration error over even bins of the probability."""
    which = np.minimum((p * bins).astype(int), bins - 1)
    return float(sum(abs(p[which == k].mean() - good[which == k].mean()) * np.mean(which == k) for k in np.unique(which)))


def random_region(d: int, rng: np.random.Generator) -> Fails:
    """Of a random kind, place and size."""
    kind, direction = rng.integers(0, 4), rng.standard_normal(d)
    direction /= np.linalg.norm(direction)
    centre, level = rng.uniform(-2, 2, d), rng.uniform(0.0, 2.0)
    if kind == 0:
        return lambda x: x @ direction > level
    if kind == 1:
        radius = ball(rng.uniform(0.05, 0.3), d)
        return lambda x: np.linalg.norm(x - centre, axis=1) < radius
    if kind == 2:
        return lambda x: np.all(x[:, :2] > centre[:2], axis=1)
    return lambda x: 0.8 * x[:, 0] + 0.25 * np.square(x[:, 1]) > level


def compare_maps(seeds: int, n: int, names: list[str]) -> None:
    for d in (2, 4, 6):
        scores: dict[str, list[tuple[float, float]]] = {k: [] for k in names}
        pooled: dict[str, list[tuple[Array, Array]]] = {k: [] for k in names}
        for seed in range(seeds):
            rng = np.random.default_rng(1000 * d + seed)
            fails, chance = random_region(d, rng), 0.1 if seed % 3 == 0 else 0.0
            x, at = rng.uniform(-BOX, BOX, (n, d)), rng.uniform(-BOX, BOX, (2000, d))
            good, there = (~fails(v) & (rng.random(len(v)) >= chance) for v in (x, at))
            if good.all() or not good.any():
                continue
            for k in names:
                clock = time.process_time()
                p = np.clip(MAPS[k](x / 2, good, at / 2), 1e-3, 1 - 1e-3)
                scores[k].append((float(np.log(np.where(there, p, 1 - p)).mean()), time.process_time() - clock))
                pooled[k].append((p, there))
        for k in names:
            p, there = (np.concatenate(v) for v in zip(*pooled[k], strict=True))
            score, seconds = np.mean(scores[k], axis=0)
            print(
                f"D = {d}, n = {n}: {k:13s} ECE {calibration(p, there):.3f}, log score {score:.3f}, "
                f"wrong side {np.mean((p > 0.5) != there):.3f}, {1000 * seconds:.0f} ms",
                flush=True,
            )  # fmt: skip


def compare_reasons(seeds: int, n: int) -> None:
    """Two or three random regions, each with a reason of its own, the first of those that a place lies in; where runs fail."""
    from scipy.spatial import cKDTree
    from sklearn.gaussian_process import GaussianProcessClassifier
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel

    from bayescope.engine.feasibility.reasons import Reasons
    from bayescope.engine.feasibility.success_map import fitted
    from bayescope.engine.feasibility.success_process import Begun

    kernel = ConstantKernel(10.0, (1e-1, 1e4)) * RBF(1.0, (0.1, 100.0))
    for d in (2, 4, 6):
        found: dict[str, list[tuple[Array, Array, float]]] = {}
        for seed in range(seeds):
            rng = np.random.default_rng(7000 * d + seed)
            fails = [random_region(d, rng) for _ in range(2 + seed % 2)]
            x, at = rng.uniform(-BOX, BOX, (n, d)), rng.uniform(-BOX, BOX, (4000, d))
            why, true = (np.argmax([f(v) for f in fails] + [np.ones(len(v), dtype=bool)], axis=0) for v in (x, at))
            bad = why < len(fails)
            there = (true < len(fails)) & np.isin(true, why[bad])
            known = fitted(x[~bad] / 2, x[bad] / 2) if bad.any() and not bad.all() else None
            if known is None or known.place is None or len(set(why[bad])) < 2:
                continue
            mine, own, places = known.frame.into(x[bad] / 2), why[bad], known.frame.into(at[there] / 2)

            def ours(x: Array = mine, y: Array = own, z: Array = places, part: Any = known.place) -> tuple[Array, Any]:
                made = Reasons.of(part.kernel, x, [str(k) for k in y], np.ones(len(y)))
                return made.probabilities(z), [int(k) for k in made.kinds]

            def each(x: Array = mine, y: Array = own, z: Array = places, part: Any = known.place) -> tuple[Array, Any]:
                odds = [Begun.of(part.kernel, x, y == k, by_chance=False).settled().log_allowed(z) for k in np.unique(y)]
                return np.exp(odds).T, np.unique(y)

            def theirs(x: Array = mine, y: Array = own, z: Array = places) -> tuple[Array, Any]:
                return GaussianProcessClassifier(kernel).fit(x, y).predict_proba(z), np.unique(y)

            def nearest(x: Array = mine, y: Array = own, z: Array = places) -> tuple[Array, Any]:
                return y[cKDTree(x).query(z)[1]][:, None] == np.unique(y), np.unique(y)

            rivals = {"ours": ours, "each against the rest": each, "scikit-learn": theirs, "nearest run": nearest}
            for name, how in rivals.items():
                clock = time.process_time()
                p, kinds = how()
                seconds = time.process_time() - clock
                p = np.clip(p / p.sum(1, keepdims=True), 1e-3, 1 - 1e-3)
                found.setdefault(name, []).append((p.ravel(), (true[there][:, None] == np.array(kinds)).ravel(), seconds))
        for name, rows in found.items():
            score = np.mean([np.log(p[y]).mean() for p, y, _ in rows])
            p, y = (np.concatenate([r[k] for r in rows]) for k in (0, 1))
            print(
                f"D = {d}, n = {n}, {len(rows)} problems: {name:22s} log score {score:.3f}, ECE {calibration(p, y):.3f}, "
                f"{1000 * np.mean([s for *_, s in rows]):.0f} ms", flush=True,
            )  # fmt: skip


# ---------------------------------------------------------------- tables


def load(label: str, folder: Path = RESULTS) -> list[dict[str, Any]]:
    """Of one process, or of all that wrote to folders inside this one."""
    name = f"failing_{label}.jsonl"
    paths = [folder / name, *sorted(folder.glob(f"*/{name}"))]
    return [json.loads(line) for path in paths if path.exists() for line in path.read_text().splitlines()]


def told_right(records: list[dict[str, Any]]) -> str:
    """How many intervals of the share where runs fail hold the true one."""
    ends = [(r["figures"].get("failing_low", 0.0), r["figures"].get("failing_high", 0.0), r["share"]) for r in records]
    return f"{sum(low <= true <= high for low, high, true in ends)} of {len(ends)}"


def table(label: str, folder: Path = RESULTS) -> str:
    rows = [
        "| case | D | meaning | runs | failed % (late %) | tight at (runs) | confirmed (wrong) | dLML / MMTV at the end "
        "| samples inside % | share true, said | in its interval | ms |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    records = load(label, folder)
    for key in sorted({(r["case"], r["meaning"], r["d"]) for r in records}):
        mine = [r for r in records if (r["case"], r["meaning"], r["d"]) == key]
        tights = [tight(r) for r in mine]
        done = [r for r in mine if r["converged"] or r.get("in_part")]
        wrong = [r for r in done if abs(r["final"]["dlml"]) > 0.1 or r["final"]["mmtv"] > 0.05]
        ends = np.median([[abs(r["final"]["dlml"]), r["final"]["mmtv"], r["final"]["inside"]] for r in mine], axis=0)
        wasted = 100 * np.mean([r["failed"] / r["n"] for r in mine])
        late = 100 * np.mean([r["late"] / (r["n"] - r["n"] // 2) for r in mine])
        said = np.median([r["figures"].get("failing_mass" if key[1] == "unknown" else "walled_mass", np.nan) for r in mine])
        cpu = 1000 * np.mean([r["cpu"] / r["n"] for r in mine])
        rows.append(
            f"| {key[0]} | {key[2]} | {key[1]} | {len(mine)} | {wasted:.0f} ({late:.0f}) | {np.median(tights):.0f} "
            f"({np.isfinite(tights).sum()}) | {len(done)} ({len(wrong)}) | {ends[0]:.3f} / {ends[1]:.3f} | {100 * ends[2]:.1f} | "
            f"{mine[0]['share']:.3f}, {said:.3f} | {told_right(mine) if key[1] == 'unknown' else ''} | {cpu:.0f} |"
        )
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("run", "map", "reasons", "table"))
    parser.add_argument("--cases", default="", help="beginnings of names, with commas; empty: all")
    parser.add_argument("--dimensions", default="2,4,6")
    parser.add_argument("--meanings", default="unknown,impossible")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--points", type=int, default=100, help="evaluations that a map is made from")
    parser.add_argument("--maps", default=",".join(MAPS))
    parser.add_argument("--label", default="now")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the JSON lines: one for each of several at once")
    chosen = parser.parse_args()
    if chosen.what == "map":
        return compare_maps(chosen.seeds, chosen.points, chosen.maps.split(","))
    if chosen.what == "reasons":
        return compare_reasons(chosen.seeds, chosen.points)
    chosen.results.mkdir(parents=True, exist_ok=True)
    have = {(r["case"], r["d"], r["meaning"], r["seed"]) for r in load(chosen.label, chosen.results)}
    for seed in range(chosen.first_seed, chosen.first_seed + chosen.seeds if chosen.what == "run" else 0):
        for d in (int(v) for v in chosen.dimensions.split(",")):
            for case in regions(d):
                if chosen.cases and not case.startswith(tuple(chosen.cases.split(","))):
                    continue
                for meaning in chosen.meanings.split(","):
                    if (case, d, meaning, seed) in have or (case == "none" and meaning == "impossible"):
                        continue
                    record = run(case, d, meaning, seed, 40 + 20 * d)
                    with (chosen.results / f"failing_{chosen.label}.jsonl").open("a") as file:
                        file.write(json.dumps(record, default=float) + "\n")
    print(table(chosen.label, chosen.results))


if __name__ == "__main__":
    main()
