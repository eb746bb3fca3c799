"""Ask again without running: answers to changed noise, data and priors from the runs of a first analysis, against the truth.

    python tests/benchmarks/again.py --cases decay,contamination4 --seeds 3
    python tests/benchmarks/again.py --table            # what results/again.jsonl holds

The truth: importance sampling with DRAWS runs of the program itself, from a t distribution around the answer, widened by WIDE,
and then around what came out; ``ess``: the share of them that counts. One BLAS thread.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import json  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from collections.abc import Iterator, Mapping  # noqa: E402
from pathlib import Path  # noqa: E402

import msgspec  # noqa: E402
import numpy as np  # noqa: E402

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from outputs import CASES as REAL  # noqa: E402
from outputs import Case  # noqa: E402
from scipy import special  # noqa: E402

from bayescope.engine.again.answer import answer_again  # noqa: E402
from bayescope.engine.likelihood.evaluate import LikelihoodError, log_likelihood  # noqa: E402
from bayescope.engine.loop_interface import Tell  # noqa: E402
from bayescope.engine.methods.loops import loop_settings, make_loop  # noqa: E402
from bayescope.engine.problem import definition as d  # noqa: E402
from bayescope.engine.problem.checks.check_simulator import noise_parameters  # noqa: E402
from bayescope.engine.problem.transforms import ParameterSpace  # noqa: E402
from bayescope.engine.session.errors import SessionError  # noqa: E402
from bayescope.engine.session.records import EvaluationRecord  # noqa: E402

RESULTS = HERE / "results" / "again.jsonl"
DRAWS, WIDE, DOF = 3000, 1.3, 6
change_of = msgspec.structs.replace


def decay() -> Case:
    t = np.linspace(0.0, 3.0, 25)

    def program(v: Mapping[str, float]) -> dict[str, np.ndarray]:
        return {"y": v["a"] * np.exp(-v["k"] * t) + 0.3 * np.sin(v["k"] * t)}

    data = program({"a": 2.0, "k": 1.2})["y"] + 0.05 * np.random.default_rng(7).standard_normal(25)
    priors = {"a": d.LogNormal(log_mean=0.0, log_sd=1.0), "k": d.Uniform(low=0.0, high=5.0), "s": d.HalfNormal(scale=0.3)}
    return Case(None, _problem(priors, "s", data), program)  # type: ignore[arg-type]


def bump() -> Case:
    """Two solutions, b and -b, of which the prior allows one."""
    t = np.linspace(0.0, 1.0, 30)

    def program(v: Mapping[str, float]) -> dict[str, np.ndarray]:
        return {"y": v["a"] * np.exp(-(((t - 0.4) / 0.2) ** 2) * v["b"] ** 2) + v["c"] * t + 0.05 * v["b"] * t**2}

    data = program({"a": 1.5, "b": 1.0, "c": 0.5})["y"] + 0.05 * np.random.default_rng(3).standard_normal(30)
    wide = d.Normal(mean=0.0, sd=2.0)
    priors = {"a": wide, "b": d.Uniform(low=0.0, high=3.0), "c": wide, "s": d.HalfNormal(scale=0.2)}
    return Case(None, _problem(priors, "s", data), program)  # type: ignore[arg-type]


def _problem(priors: Mapping[str, d.Prior], sd: str, data: np.ndarray) -> d.Problem:
    return d.Problem(
        name="again",
        parameters=tuple(d.Parameter(name=n, prior=p) for n, p in priors.items()),
        simulator=d.Simulator(command=("x", *(f"@{n}@" for n in priors if n != sd))),
        outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),),
        meaning=d.Predictions(matches=(d.Match(output="y", column="y"),), noise=d.GaussianInferred(parameter=sd)),
        data=d.DataTable(columns={"y": tuple(data)}),
    )


CASES = {"decay": decay, "bump": bump, **REAL}


def first_run(case: Case, seed: int, budget: int) -> tuple[d.Problem, list[EvaluationRecord], bool]:
    """The problem, its runs, and whether it converged."""
    problem = change_of(case.problem, settings=d.Settings(seed=seed, max_evaluations=budget))
    space = ParameterSpace(problem.parameters)
    known = loop_settings(problem, space, budget, 1)
    loop, records, last = make_loop("default", known), [], None
    while not loop.finished and (asks := loop.ask(1)):
        v, ask = space.values(asks[0].u), asks[0]
        out, y = case.program(v), None
        try:
            y = log_likelihood(problem, out or {}, v)[0] + float(space.log_prior_in_inference(ask.u))
        except LikelihoodError:
            out = None
        told = None if known.cells is None or out is None else known.cells.cells(out)
        loop.tell(Tell(ask.index, ask.u, y, outputs=told))
        last = loop.update() or last
        records.append(
            EvaluationRecord(
                ask.index, len(records), ask.u, v, "failed" if out is None else "ok", 0.0, 0.0, y, purpose=ask.purpose,
                outputs=dict(out or {}),
            )
        )  # fmt: skip
    return problem, records, last is not None and last.converged


def changes(p: d.Problem) -> Iterator[tuple[str, d.Problem]]:
    """Of noise, data and priors, from none to far outside of what was explored."""
    assert isinstance(p.meaning, d.Predictions)
    assert p.data is not None
    m, columns = p.meaning, p.data.columns
    alone = noise_parameters(p)
    inputs = tuple(q for q in p.parameters if q.name not in alone)
    used = {match.column for match in m.matches}
    sd = 0.1 * float(np.mean([np.std(columns[c]) for c in used]))  # type: ignore[arg-type]

    def plain(noise: d.NoiseModel) -> d.Problem:
        matches = tuple(change_of(match, noise=None, sd_column=None) for match in m.matches)
        return change_of(p, parameters=inputs, meaning=change_of(m, noise=noise, matches=matches))

    def data(factor: float, shift: float) -> d.Problem:
        moved = {c: tuple(None if y is None else factor * y + shift for y in v) if c in used else v for c, v in columns.items()}
        return change_of(p, data=change_of(p.data, columns=moved))

    def prior(of: d.Parameter, new: d.Prior) -> d.Problem:
        kept = [change_of(q, prior=new, plausible=None) if q.name == of.name else q for q in p.parameters]
        return change_of(p, parameters=tuple(kept))

    yield "same", p
    for factor in (0.3, 1.0, 3.0):
        yield f"normal, sd x {factor:g}", plain(d.GaussianKnown(sd=factor * sd))
    yield "Student-t", plain(d.StudentTNoise(dof=3.0, scale=sd))
    own = d.Parameter(name="again_sd", prior=d.LogNormal(log_mean=float(np.log(sd)), log_sd=1.0))
    yield "sd inferred", change_of(plain(d.GaussianInferred(parameter=own.name)), parameters=(*inputs, own))
    for rows in (2, 4):
        half = tuple(change_of(x, left_out=tuple(r + 1 for r in range(len(columns[x.column])) if r % rows)) for x in m.matches)
        yield f"every {rows}th row", change_of(p, meaning=change_of(m, matches=half))
    first = change_of(m.matches[0], left_out=tuple(range(1, 1 + len(columns[m.matches[0].column]) // 2)))
    yield "first half out", change_of(p, meaning=change_of(m, matches=(first, *m.matches[1:])))
    for factor, shift in ((1.0, 0.5 * sd), (1.0, 2.0 * sd), (1.1, 0.0), (1.5, 0.0)):
        yield f"data x {factor:g} + {shift / sd:g} sd", data(factor, shift)
    space = ParameterSpace(inputs)
    low, high = (space.to_user(u)[0] for u in space.plausible_box())
    yield "prior narrow", prior(inputs[0], d.Normal(mean=0.5 * float(low + high), sd=0.02 * float(high - low)))
    yield "prior normal", prior(inputs[0], d.Normal(mean=0.5 * float(low + high), sd=0.5 * float(high - low)))
    if isinstance(inputs[1].prior, d.Uniform):
        a, b = inputs[1].prior.low, inputs[1].prior.high
        yield "prior wider", prior(inputs[1], d.Uniform(low=a - (b - a), high=b))


def truth(case: Case, problem: d.Problem, points: np.ndarray, weights: np.ndarray, seed: int) -> tuple[float, float]:
    """Log evidence by importance sampling with the program itself, and the share of effective draws."""
    space, rng = ParameterSpace(problem.parameters), np.random.default_rng(seed)
    dimension, share = space.dimension, 0.0
    mean, covariance = weights @ points, np.cov(points.T, aweights=weights)
    value = -np.inf
    for _ in range(2):
        root = WIDE * np.linalg.cholesky(covariance)
        z = rng.standard_normal((DRAWS, dimension)) / np.sqrt(rng.chisquare(DOF, DRAWS) / DOF)[:, None]
        u = mean + z @ root.T
        log_q = (
            special.gammaln((DOF + dimension) / 2) - special.gammaln(DOF / 2) - dimension / 2 * np.log(DOF * np.pi)
            - np.log(np.diag(root)).sum() - (DOF + dimension) / 2 * np.log1p((z**2).sum(1) / DOF)
        )  # fmt: skip
        w = np.array([_log_joint(case, problem, space, one) for one in u]) - log_q
        top = w.max()
        weight = np.exp(w - top)
        value, share = float(top + np.log(weight.mean())), float(weight.sum() ** 2 / np.square(weight).sum() / DRAWS)
        mean, covariance = weight @ u / weight.sum(), np.cov(u.T, aweights=weight)
    return value, share


def _log_joint(case: Case, problem: d.Problem, space: ParameterSpace, u: np.ndarray) -> float:
    v = space.values(u)
    try:
        return log_likelihood(problem, case.program(v) or {}, v)[0] + float(space.log_prior_in_inference(u))
    except LikelihoodError:
        return -np.inf


def study(name: str, seed: int, budget: int) -> Iterator[dict[str, object]]:
    case = CASES[name]()
    problem, records, converged = first_run(case, seed, budget)
    for what, changed in changes(problem):
        start = time.process_time()
        try:
            answer = answer_again(changed, records, problem, converged)
        except SessionError as error:
            yield {"case": name, "seed": seed, "change": what, "refused": str(error)}
            continue
        cpu, s = time.process_time() - start, answer.snapshot
        assert s.draws is not None
        true, share = truth(case, changed, s.draws.points, s.draws.weights, seed)
        yield {
            "case": name, "seed": seed, "n": len(records), "first": converged, "change": what, "confirmed": s.converged,
            "dlml": s.log_evidence - true, "sd": s.log_evidence_sd, "ess": share, "more": answer.more_runs, "cpu": cpu,
            "why": s.reasons[0][:90],
        }  # fmt: skip


def table() -> None:
    rows = [r for r in map(json.loads, RESULTS.read_text(encoding="utf-8").splitlines()) if "refused" not in r]
    for name in CASES:
        mine = [r for r in rows if r["case"] == name]
        if not mine:
            continue
        said = [r for r in mine if r["confirmed"]]
        wrong = [r for r in said if abs(r["dlml"]) > 0.2]
        z = [abs(r["dlml"]) / r["sd"] for r in mine]
        print(
            f"{name}: {len(said)} of {len(mine)} confirmed, {len(wrong)} of them off by more than .2; all: within 3 sd "
            f"{np.mean([x < 3 for x in z]):.2f}; median {np.median([r['cpu'] for r in mine]):.2f} s"
        )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--budget", type=int, default=140)
    parser.add_argument("--table", action="store_true")
    given = parser.parse_args()
    if given.table:
        return table()
    RESULTS.parent.mkdir(exist_ok=True)
    for name in given.cases.split(","):
        for seed in range(given.first_seed, given.first_seed + given.seeds):
            for row in study(name, seed, given.budget):
                print(json.dumps(row), flush=True)
                with RESULTS.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
    return None


if __name__ == "__main__":
    main()
