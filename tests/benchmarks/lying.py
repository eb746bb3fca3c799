"""Values that lie: some of the values told are garbage, silently. Wrong "converged", evaluations to "tight", what was found out.

    python tests/benchmarks/lying.py --seeds 10 --label after
    python tests/benchmarks/lying.py --lies none --label before       # the same without garbage
    python tests/benchmarks/lying.py --table --label after,before

A lie is 30 nats too high, 200 too low, or the value of another run, each in a third of the cases; one value of every 20 at a
random place among them. "decay" has outputs that are learnt: those of another run, those of a run that ended half way (zeros from
there on), or of one that did not converge (a tenth too large).
``once``: another run at the same values gives the truth. ``again``: the same values give the same lie. Outcome, metrics and
"tight" as in inference.py. One JSON line a run.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import json  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from inference import RESULTS, SAMPLES, TARGETS, point, tight  # noqa: E402

from bayescope.engine.answer.failures.far_off import FarOff  # noqa: E402
from targets import Target  # noqa: E402

NAMES = "decay rosenbrock2 lumpy2 bimodal2 student2 lumpy4 skew_banana4 elliptical_t4 anisotropic4 lumpy6 correlated6".split()
HIGH, LOW = 30.0, -200.0
EXACT_BEFORE = 2  # the first point is run twice to see whether the function is exact
EVERY = 20  # answers of a run whose metrics are computed


class Liar:
    """A target of whose values a ``share`` is garbage. ``lies``: (call, kind, truth, value told) of each."""

    def __init__(self, target: Target, share: float, seed: int, again: bool) -> None:
        self.target, self.share, self.again = target, share, again
        self.rng = np.random.default_rng([seed, 20])
        self.lies: list[tuple[int, str, float, float]] = []
        self.values: list[float] = []
        self.known: dict[bytes, float] = {}
        self.next = int(self.rng.integers(round(1.0 / share))) if share > 0.0 else -1

    def __call__(self, x: np.ndarray) -> float:
        x = np.asarray(x, dtype=float).ravel()
        key = x.tobytes()
        truth = self.target.log_density(x)
        value = self.known.get(key) if self.again else None
        if value is None:
            value = truth if len(self.values) < EXACT_BEFORE else self._told(truth)
        self.known[key] = value
        self.values.append(value)
        return value

    def _told(self, truth: float) -> float:
        call = len(self.values) - EXACT_BEFORE
        if call == self.next:
            block = round(1.0 / self.share)
            self.next = (call // block + 1) * block + int(self.rng.integers(block))
        else:
            return truth
        kind, other = self.rng.integers(3), self.rng.integers(len(self.values))
        value = (truth + HIGH, truth + LOW, self.values[other])[kind]
        self.lies.append((len(self.values), ("high", "low", "copy")[kind], truth, value))
        return value


class Noisy:
    """The same with normal noise, and its sd told."""

    def __init__(self, liar: Liar, sd: float, seed: int) -> None:
        self.liar, self.sd, self.rng = liar, sd, np.random.default_rng([seed, 22])

    def __call__(self, x: np.ndarray) -> tuple[float, float]:
        return self.liar(x) + self.sd * float(self.rng.standard_normal()), self.sd


TIMES = np.linspace(0.2, 4.0, 12)
NOISE, PRIOR_SD = 0.05, 0.5
DECAY = {"a": (0.0, PRIOR_SD), "b": (0.0, PRIOR_SD)}  # mean and sd of the normal priors of the logarithms
DATA = 1.2 * np.exp(-0.7 * TIMES) + NOISE * np.random.default_rng(3).standard_normal(len(TIMES))


def decay(x: np.ndarray) -> np.ndarray:
    """Outputs (n, 12) at log amplitude and log rate (n, 2)."""
    return np.exp(x[:, :1]) * np.exp(-np.exp(x[:, 1:]) * TIMES)


def decay_target() -> Target:
    """Truth on a grid."""
    grids = [np.linspace(-1.5, 1.5, 601)] * 2
    points = np.stack(np.meshgrid(*grids, indexing="ij"), -1).reshape(-1, 2)
    misfit = np.square((decay(points) - DATA) / NOISE).sum(1) + np.square(points / PRIOR_SD).sum(1)
    log_p = -0.5 * misfit - len(DATA) * np.log(NOISE) - 0.5 * (len(DATA) + 2) * np.log(2 * np.pi) - 2 * np.log(PRIOR_SD)
    step = grids[0][1] - grids[0][0]
    p = np.exp(log_p - log_p.max()).reshape(601, 601)
    log_z = float(log_p.max() + np.log(p.sum() * step**2))
    marginals = [(g, p.sum(1 - i) / p.sum() / step) for i, g in enumerate(grids)]
    mean = np.array([g @ m * step for g, m in marginals])
    w = p.ravel() / p.sum()
    covariance = (points - mean).T @ ((points - mean) * w[:, None])
    return Target("decay", lambda x: np.nan, [(-1.0, 1.0)] * 2, None, log_z, mean, covariance, marginals)


class OutputsLiar:
    """The same of outputs."""

    def __init__(self, share: float, seed: int, again: bool) -> None:
        self.share, self.again = share, again
        self.rng = np.random.default_rng([seed, 21])
        self.lies: list[tuple[int, str, float, float]] = []
        self.values: list[np.ndarray] = []
        self.known: dict[tuple[float, ...], np.ndarray] = {}
        self.next = int(self.rng.integers(round(1.0 / share))) if share > 0.0 else -1

    def __call__(self, v: Any) -> np.ndarray:
        key = (v["a"], v["b"])
        truth = decay(np.array([key]))[0]
        value = self.known.get(key) if self.again else None
        if value is None:
            value = self._told(truth)
        self.known[key] = value
        self.values.append(value)
        return value

    def _told(self, truth: np.ndarray) -> np.ndarray:
        call = len(self.values) - EXACT_BEFORE
        if call < 0 or call != self.next:
            return truth
        block = round(1.0 / self.share)
        self.next = (call // block + 1) * block + int(self.rng.integers(block))
        kind, other = self.rng.integers(3), self.values[self.rng.integers(len(self.values))]
        half = np.where(np.arange(len(truth)) < len(truth) // 2, truth, 0.0)
        value = (other, half, 1.1 * truth)[kind]
        misfits = [float(-0.5 * np.square((f - DATA) / NOISE).sum()) for f in (truth, value)]
        self.lies.append((len(self.values), ("copy", "half", "large")[kind], *misfits))
        return np.asarray(value)


def run_decay(told: OutputsLiar, target: Target, budget: int, seed: int) -> Any:
    from bayescope.engine import infer_outputs
    from bayescope.engine.problem.definition import Normal

    priors = {name: Normal(mean=mean, sd=sd) for name, (mean, sd) in DECAY.items()}
    return infer_outputs(told, DATA, NOISE, priors, budget, seed, plausible=dict(zip(DECAY, target.plausible, strict=True)))


def run(name: str, seed: int, lies: str, share: float, noise: float = 0.0, robust: bool = False) -> dict[str, Any]:
    from bayescope.engine import infer

    share = 0.0 if lies == "none" else share
    target = decay_target() if name == "decay" else TARGETS[name]()
    told: Any = OutputsLiar(share, seed, lies == "again") if name == "decay" else Liar(target, share, seed, lies == "again")
    budget = 40 + 30 * target.dimension
    clock = time.process_time()
    if name == "decay":
        answer = run_decay(told, target, budget, seed)
    else:
        asked: Any = Noisy(told, noise, seed) if noise > 0.0 else told
        options: dict[str, Any] = {"robust": True} if robust else {}
        ranges = {"plausible": target.plausible, "bounds": target.bounds}
        answer = infer(asked, max_evaluations=budget, seed=seed, options=options, **ranges)
    cpu = time.process_time() - clock
    answers = [h for h in answer.history if np.isfinite(h.log_evidence)]

    def figures(h: Any) -> dict[str, float]:
        return point(target, h.n_evaluations, h.log_evidence, h.log_evidence_sd, h.elbo, h.elbo_sd, h.sample(SAMPLES, seed))

    return {
        "target": name, "d": target.dimension, "seed": seed, "lies": lies, "budget": budget, "converged": answer.converged,
        "history": [figures(h) for h in answers[:: max(1, len(answers) // EVERY)]], "final": figures(answer),
        "told": told.lies, "calls": len(told.values), "cpu": cpu, "reasons": list(answer.reasons),
        "log_evidence": answer.log_evidence, "left_out": sorted(FarOff.of(answer.snapshot.far_off).not_counted),
        "kept": list(FarOff.of(answer.snapshot.far_off).with_fate("kept")),
        "far_off": {k: v.tolist() for k, v in answer.snapshot.far_off.items()},
    }  # fmt: skip


def load(label: str, folder: Path = RESULTS) -> list[dict[str, Any]]:
    """Of one process, or of all that wrote to folders inside this one."""
    name = f"lying_{label}.jsonl"
    paths = [folder / name, *sorted(folder.glob(f"*/{name}"))]
    return [json.loads(line) for path in paths if path.exists() for line in path.read_text().splitlines()]


def wrong(record: dict[str, Any]) -> bool:
    f = record["final"]
    return bool(record["converged"] and (abs(f["dlml"]) > 0.1 or f["mmtv"] > 0.05))


def table(labels: list[str], folder: Path = RESULTS) -> str:
    rows = [
        "| label | target | garbage | runs | lies a run, left out | tight at (runs) | stop at | converged (wrong) "
        "| dLML / MMTV at the end | ms |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for label in labels:
        records = load(label, folder)
        for name, lies in sorted({(r["target"], r["lies"]) for r in records}, key=lambda k: (NAMES.index(k[0]), k[1])):
            mine = [r for r in records if (r["target"], r["lies"]) == (name, lies)]
            tights = [np.inf if (t := tight([*r["history"], r["final"]])) is None else t for r in mine]
            ends = np.median([[abs(r["final"]["dlml"]), r["final"]["mmtv"]] for r in mine], axis=0)
            rows.append(
                f"| {label} | {name} | {lies} | {len(mine)} | {np.mean([len(r['told']) for r in mine]):.1f}, "
                f"{np.mean([len(r['left_out']) for r in mine]):.1f} | "
                f"{np.median(tights):.0f} ({np.isfinite(tights).sum()}) | {np.median([r['final']['n'] for r in mine]):.0f} | "
                f"{sum(r['converged'] for r in mine)} ({sum(map(wrong, mine))}) | {ends[0]:.3f} / {ends[1]:.3f} | "
                f"{1000 * np.mean([r['cpu'] / r['calls'] for r in mine]):.0f} |"
            )
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", default=" ".join(NAMES))
    parser.add_argument("--lies", default="once,again,none")
    parser.add_argument("--share", type=float, default=0.05)
    parser.add_argument("--noise", type=float, default=0.0, help="sd of noise on the values, for the noisy loop (not decay)")
    parser.add_argument("--robust", action="store_true", help="... with its Student-t weights")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--label", default="now")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the JSON lines: one for each of several at once")
    parser.add_argument("--table", action="store_true", help="only print what results/ holds; --label may name several")
    parser.add_argument("--without", action="store_true", help="nothing is doubted, as it was before")
    chosen = parser.parse_args()
    if chosen.without:
        from bayescope.engine.methods.default.doubts import Doubts

        Doubts.may_doubt = lambda self, evaluations: False  # type: ignore[method-assign]
    labels = chosen.label.split(",")
    if not chosen.table:
        chosen.results.mkdir(parents=True, exist_ok=True)
        have = {(r["target"], r["lies"], r["seed"]) for r in load(labels[0], chosen.results)}
        for seed in range(chosen.first_seed, chosen.first_seed + chosen.seeds):
            for name in chosen.targets.replace(",", " ").split():
                for lies in chosen.lies.split(","):
                    if (name, lies, seed) in have:
                        continue
                    record = run(name, seed, lies, chosen.share, chosen.noise, chosen.robust)
                    with (chosen.results / f"lying_{labels[0]}.jsonl").open("a") as file:
                        file.write(json.dumps(record, default=float) + "\n")
    print(table(labels, chosen.results))


if __name__ == "__main__":
    main()
