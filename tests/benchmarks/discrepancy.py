"""A program that is off: is the truth found, and are the p-values of residuals uniform?

    python tests/benchmarks/discrepancy.py --toy 40         # the toy of Bayarri et al. 2007: where the truth lies, on a grid
    python tests/benchmarks/discrepancy.py --coverage 60    # is the truth inside, over truths and over what is missed
    python tests/benchmarks/discrepancy.py --engine 5       # the published data and those of 5 seeds by the engine: one run, then
                                                            # asked again; with --machine the simple machine
    python tests/benchmarks/discrepancy.py --p-values 200   # of data sets that the model makes, and of some it does not

The toy: truth 3.5 exp(-1.7 t) + 1.5, program 5 exp(-u t), u = 1.7, three measurements with sd 0.3 at each of ten times. The
simple machine of Brynjarsdottir and O'Hagan 2014: truth .65 x / (1 + x / 20), program u x, 11 measurements with sd .01. One BLAS
thread.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable, Mapping, Sequence  # noqa: E402
from pathlib import Path  # noqa: E402

import msgspec  # noqa: E402
import numpy as np  # noqa: E402
from scipy import stats  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent))

from again import first_run  # noqa: E402
from outputs import Case  # noqa: E402

from bayescope.engine.again.answer import AnswerAgain, answer_again  # noqa: E402
from bayescope.engine.answer.predictions.missed import Missed  # noqa: E402
from bayescope.engine.answer.predictions.residuals import Residuals  # noqa: E402
from bayescope.engine.likelihood.evaluate import log_likelihood  # noqa: E402
from bayescope.engine.numerics.discrepancy import SHORTEST, _kernel  # noqa: E402
from bayescope.engine.problem import definition as d  # noqa: E402
from bayescope.engine.problem.data.errors.measured_spread import spread  # noqa: E402
from bayescope.engine.problem.data.rows.discrepancies import with_discrepancy  # noqa: E402
from bayescope.engine.problem.transforms import ParameterSpace  # noqa: E402

Array = np.ndarray
Program = Callable[[Mapping[str, float]], dict[str, Array]]
replace = msgspec.structs.replace

TIMES = np.array([0.110, 0.432, 0.754, 1.077, 1.399, 1.721, 2.043, 2.366, 2.688, 3.010])
T = np.repeat(TIMES, 3)
TRUE, SD = 1.7, 0.3
PUBLISHED = (  # Bayarri et al. 2007: three measurements at each of TIMES
    (4.730, 4.720, 4.234), (3.177, 2.966, 3.653), (1.970, 2.267, 2.084), (2.079, 2.409, 2.371), (1.908, 1.665, 1.685),
    (1.773, 1.603, 1.922), (1.370, 1.661, 1.757), (1.868, 1.505, 1.638), (1.390, 1.275, 1.679), (1.461, 1.157, 1.530),
)  # fmt: skip
EFFORTS = np.linspace(0.2, 4.0, 11)


def decay(v: Mapping[str, float]) -> dict[str, Array]:
    return {"t": TIMES, "y": 5.0 * np.exp(-v["u"] * TIMES)}


def work(v: Mapping[str, float]) -> dict[str, Array]:
    return {"t": EFFORTS, "y": v["u"] * EFFORTS}


def toy(seed: int | None) -> d.Problem:
    """``seed``: None for the published data."""
    y = 3.5 * np.exp(-TRUE * T) + 1.5 + SD * np.random.default_rng(seed).standard_normal(len(T))
    return declared(T, np.ravel(PUBLISHED) if seed is None else y, SD, 3.0)


def machine(seed: int) -> d.Problem:
    truth = 0.65 * EFFORTS / (1.0 + EFFORTS / 20.0)
    return declared(EFFORTS, truth + 0.01 * np.random.default_rng(seed).standard_normal(len(EFFORTS)), 0.01, 1.5)


def declared(t: Array, y: Array, sd: float, most: float) -> d.Problem:
    return d.Problem(
        name="toy",
        parameters=(d.Parameter(name="u", prior=d.Uniform(low=0.0, high=most)),),
        simulator=d.Simulator(command=("x", "@u@")),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.LastNumber()) for n in ("y", "t")),
        meaning=d.Predictions(
            matches=(d.Match(output="y", column="y", key_output="t", key_column="t"),), noise=d.GaussianKnown(sd=sd)
        ),
        data=d.DataTable(columns={"t": tuple(t.tolist()), "y": tuple(y.tolist())}),
    )


def off(problem: d.Problem, size: float | None = None) -> d.Problem:
    """``size``: in standard deviations of the data; None: as proposed."""
    changed = with_discrepancy(problem, [0])
    if size is None:
        return changed
    assert isinstance(changed.meaning, d.Predictions)
    assert changed.data is not None
    match = changed.meaning.matches[0]
    y = [v for v in changed.data.columns["y"] if v is not None]
    match = replace(match, discrepancy=d.Discrepancy(size=size * spread(y)))
    return replace(changed, meaning=replace(changed.meaning, matches=(match,)))


def on_a_grid(problem: d.Problem, program: Program = decay, ends: tuple[float, float] = (0.0, 3.0)) -> tuple[Array, float]:
    """5, 50 and 95 % of u, and the log evidence (where ``ends`` are those of the prior)."""
    u = np.linspace(*ends, 303)[1:-1]
    value = np.array([log_likelihood(problem, program({"u": v}), {"u": v})[0] for v in u])
    weight = np.exp(value - value.max())
    share = np.cumsum(weight) / weight.sum()
    return np.interp([0.05, 0.5, 0.95], share, u), float(np.log(weight.mean()) + value.max())


def show_toy(count: int) -> None:
    print("size (sds of the data) | truth inside 90 %: without, with | 5, 50, 95 % without | with | log evidence with - without")
    for size in (0.1, 0.25, 0.5, 1.0, 2.0):
        found = []
        for seed in range(count):
            p = toy(seed)
            (a, z), (b, w) = on_a_grid(p), on_a_grid(off(p, size))
            found.append([a[0] < TRUE < a[2], b[0] < TRUE < b[2], *a, *b, w - z])
        m = np.mean(found, 0)
        print(f"{size:g} | {m[0]:.0%}, {m[1]:.0%} | {m[2:5].round(2)} | {m[5:8].round(2)} | {m[8]:.1f}")


MISSES = "process none offset trend sine bump decay rise".split()


def miss(kind: str, size: float, rng: np.random.Generator) -> Array:
    """What a program may miss at T, of that size: a draw of the process beside which u is learnt, or a curve of another kind."""
    share = (T - T.min()) / np.ptp(T)
    if kind == "process":
        length = float(np.exp(rng.uniform(np.log(SHORTEST), 0.0)) * np.ptp(TIMES))
        covariance = rng.exponential(size) ** 2 * (1.0 + _kernel(TIMES, TIMES, length)) + 1e-9 * np.eye(len(TIMES))
        return np.repeat(np.linalg.cholesky(covariance) @ rng.standard_normal(len(TIMES)), 3)
    signed = float(rng.choice([-1.0, 1.0])) * size
    return signed * {
        "none": 0.0 * share, "offset": np.ones_like(share), "trend": 2.0 * share - 1.0,
        "sine": np.sin(2.0 * np.pi * (share + rng.random())), "bump": np.exp(-(((share - rng.random()) / 0.2) ** 2)),
        "decay": np.exp(-5.0 * share), "rise": 1.0 - np.exp(-5.0 * share),
    }[kind]  # fmt: skip


def show_coverage(count: int) -> None:
    """u drawn anew for every data set, uniform in .3 to 2.7; sizes in sds of the true curve over the data."""
    print("what is missed, its size | u inside 90 % with, mean width | without")
    for kind in MISSES:
        for size in (0.5,) if kind == "process" else (0.0,) if kind == "none" else (0.25, 0.5, 1.0):
            rng, found = np.random.default_rng(0), []
            for _ in range(count):
                u = rng.uniform(0.3, 2.7)
                f = 5.0 * np.exp(-u * T)
                y = f + miss(kind, size * float(f.std()), rng) + SD * rng.standard_normal(len(T))
                p = replace(toy(0), data=d.DataTable(columns={"t": tuple(T.tolist()), "y": tuple(y.tolist())}))
                (low, _, high), (lower, _, upper) = on_a_grid(off(p))[0], on_a_grid(p)[0]
                found.append([low < u < high, high - low, lower < u < upper])
            m = np.mean(found, 0)
            print(f"{kind} {size:g} | {m[0]:.0%}, {m[1]:.2f} | {m[2]:.0%}", flush=True)


def interval(problem: d.Problem, found: AnswerAgain) -> Array:
    from bayescope.engine.answer.posterior import StoredPosterior
    from bayescope.engine.run.messages import iteration_of

    record = iteration_of(found.snapshot, 0, 0.0, 0.0)
    draws = StoredPosterior.of_iteration(ParameterSpace(problem.parameters), record).sample(4000, seed=0)
    return np.quantile(draws[:, 0], (0.05, 0.5, 0.95))


def show_engine(seeds: Sequence[int | None], make: Callable[[int], d.Problem], program: Program) -> None:
    for seed in seeds:
        started = time.monotonic()
        case = Case(None, make(seed), program)  # type: ignore[arg-type]
        problem, records, converged = first_run(case, seed or 0, 40)
        ran = time.monotonic() - started
        for name, asked in (("without", problem), ("with", off(problem))):
            started = time.monotonic()
            found = answer_again(asked, records, problem, converged)
            exact, evidence = on_a_grid(asked, program, (0.0, 3.0) if program is decay else (0.4, 0.9))
            arrays, cells = found.snapshot.emulated, len(asked.data.columns["y"])  # type: ignore[union-attr]
            said = Missed.of(arrays, cells, 1).part(slice(0, cells), 0) if name == "with" else None
            left = Residuals.of(arrays, cells, 1)
            print(
                f"seed {seed} {name:8s} {len(records)} runs ({ran:.0f} s), again {time.monotonic() - started:.1f} s, converged "
                f"{found.snapshot.converged}: u {interval(asked, found).round(3)} grid {exact.round(3)}, log evidence "
                f"{found.snapshot.log_evidence:.2f} ± {found.snapshot.log_evidence_sd:.2f} grid {evidence:.2f}, p "
                f"{left.shares[0].round(4)} {'' if said is None else said.words}", flush=True,
            )  # fmt: skip


# --------------------------------------------------------------------------- p-values

X = np.linspace(0.0, 3.0, 40)


def curve(v: Mapping[str, float]) -> dict[str, Array]:
    return {"t": X, "y": v["a"] * np.exp(-v["k"] * X) + v["c"]}


def measured(y: Array, inferred: bool) -> d.Problem:
    priors = {"a": d.Normal(mean=2.0, sd=1.0), "k": d.LogNormal(log_mean=0.0, log_sd=0.5), "c": d.Normal(mean=0.0, sd=1.0)}
    sd = (d.Parameter(name="s", prior=d.HalfNormal(scale=0.3)),) if inferred else ()
    return d.Problem(
        name="p-values",
        parameters=(*(d.Parameter(name=n, prior=p) for n, p in priors.items()), *sd),
        simulator=d.Simulator(command=("x", *(f"@{n}@" for n in priors))),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.LastNumber()) for n in ("y", "t")),
        meaning=d.Predictions(
            matches=(d.Match(output="y", column="y", key_output="t", key_column="t"),),
            noise=d.GaussianInferred(parameter="s") if inferred else d.GaussianKnown(sd=0.1),
        ),
        data=d.DataTable(columns={"t": tuple(X.tolist()), "y": tuple(y.tolist())}),
        settings=d.Settings(seed=1, max_evaluations=60),
    )


def show_p_values(count: int, seed: int, models: Sequence[str]) -> None:
    truth = {"a": 2.0, "k": 1.2, "c": 0.3}
    good = curve(truth)["y"]
    noise: dict[str, Callable[[np.random.Generator], Array]] = {
        "the model": lambda rng: 0.1 * rng.standard_normal(len(X)),
        "wrong curve": lambda rng: 0.1 * rng.standard_normal(len(X)) + 0.1 * np.sin(3.0 * X),
        "heavy tails": lambda rng: 0.06 * rng.standard_t(2, len(X)),
    }
    for inferred in (False, True):
        first = measured(good + noise["the model"](np.random.default_rng(99)), inferred)
        problem, records, _ = first_run(Case(None, first, curve), 1, 60)  # type: ignore[arg-type]
        for name, errors in noise.items():
            if models and ("inferred" if inferred else "known") not in models:
                continue
            rng, found = np.random.default_rng([seed, inferred, *name.encode()]), []
            for _ in range(count if name == "the model" else max(count // 10, 5)):
                y = good + errors(rng)
                asked = replace(problem, data=d.DataTable(columns={"t": tuple(X.tolist()), "y": tuple(y.tolist())}))
                arrays = answer_again(asked, records).snapshot.emulated
                found.append(Residuals.of(arrays, len(X), 1).shares[0])
            p = np.array(found)
            for k, test in enumerate(("runs", "normal plot")):
                ks = stats.kstest(p[:, k], "uniform").pvalue
                below = [f"{np.mean(p[:, k] < level):.3f}" for level in (0.025, 0.1, 0.25, 0.5, 0.75, 0.9)]
                print(
                    f"sd {'inferred' if inferred else 'known'}, {name}, {test}: {len(p)} sets, Kolmogorov-Smirnov p {ks:.3g}; "
                    f"share below .025, .1, .25, .5, .75, .9: {', '.join(below)}", flush=True,
                )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--toy", "--engine", "--p-values", "--coverage"):
        parser.add_argument(name, type=int, default=0)
    parser.add_argument("--machine", action="store_true")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--sd", action="append", default=[], choices=("known", "inferred"))
    args = parser.parse_args()
    if args.toy:
        show_toy(args.toy)
    if args.coverage:
        show_coverage(args.coverage)
    if args.engine:
        seeds = range(args.engine)
        show_engine(seeds, machine, work) if args.machine else show_engine([None, *seeds], toy, decay)
    if args.p_values:
        show_p_values(args.p_values, args.seed, args.sd)


if __name__ == "__main__":
    main()
