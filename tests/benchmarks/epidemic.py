"""A stochastic SIR epidemic by synthetic likelihood: values from -12 to -500,000: the climb is what costs.

    python tests/benchmarks/epidemic.py --seeds 5            # with the summaries leading the climb
    python tests/benchmarks/epidemic.py --seeds 5 --score    # by the score alone
    python tests/benchmarks/epidemic.py --reference FILE     # 4,000 weighted draws of the right answer (3 minutes)
    python tests/benchmarks/epidemic.py --against FILE       # ... and MMTV from it

Binomial chain, 1000 people, 120 days; rates of infection and recovery and the first cases unknown; total, peak, mean day and the
first 21 days' cases compared, 30 runs a point. The right answer: importance sampling of the log-likelihood averaged over 24
batches of 30 runs (two halves of the draws: MMTV .038; all of them so about .02 from the truth).
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy import stats

from bayescope.engine.diagnostics.metrics import mmtv
from bayescope.engine.likelihood import synthetic
from bayescope.engine.likelihood.errors import LikelihoodError
from bayescope.engine.likelihood.evaluate import log_likelihood
from bayescope.engine.loop_interface import Tell
from bayescope.engine.methods.ask_tell import AskTellLoop
from bayescope.engine.methods.loops import loop_settings
from bayescope.engine.methods.noisy.loop import NoisyMethod
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace

PEOPLE, DAYS, RUNS = 1000, 120, 30
NAMES, MEASURED = ("total", "peak", "mean_day", "early"), (914.0, 45.0, 27.713, 240.0)
BOX = {"infection": (0.05, 1.0), "recovery": (0.02, 0.5), "first": (1.0, 30.0)}
TRUTH = np.array([0.2937, 0.1129, 8.98]), np.array([0.0297, 0.0158, 3.43])  # mean, sd
LOG_EVIDENCE = -19.67
BATCHES, DRAWS, DEGREES = 24, 4000, 6


def summaries(theta: np.ndarray, rng: np.random.Generator, runs: int = RUNS) -> dict[str, np.ndarray]:
    """Of epidemics, (runs, 1) each."""
    infection, recovery, first = theta
    ill = np.full(runs, round(first))
    well, new = PEOPLE - ill, np.zeros((runs, DAYS))
    for day in range(DAYS):
        caught, recovered = rng.binomial(well, 1 - np.exp(-infection * ill / PEOPLE)), rng.binomial(ill, 1 - np.exp(-recovery))
        well, ill, new[:, day] = well - caught, ill + caught - recovered, caught
    total = new.sum(1)
    found = total, new.max(1), new @ np.arange(DAYS) / np.maximum(total, 1), new[:, :21].sum(1)
    return {name: f[:, None] for name, f in zip(NAMES, found, strict=True)}


def problem(seed: int) -> d.Problem:
    return d.Problem(
        name="Epidemic",
        parameters=tuple(d.Parameter(name=n, prior=d.Uniform(low=a, high=b)) for n, (a, b) in BOX.items()),
        simulator=d.Simulator(command=("epidemic", "@seed@")),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.LabelledNumber(label=n)) for n in NAMES),
        data=d.DataTable(columns={n: (v,) for n, v in zip(NAMES, MEASURED, strict=True)}),
        meaning=d.SyntheticLikelihood(summaries=tuple(d.Summary(output=n, column=n) for n in NAMES), repeats=RUNS),
        settings=d.Settings(seed=seed),
    )


def reference() -> tuple[np.ndarray, np.ndarray]:
    """Draws (DRAWS, 3) and weights of the posterior of the averaged log-likelihood, from a Student-t about TRUTH."""
    rng = np.random.default_rng(2)
    low, high = np.array(list(BOX.values())).T
    correlation = np.array([[1.0, 0.8, -0.35], [0.8, 1.0, -0.3], [-0.35, -0.3, 1.0]])
    law = stats.multivariate_t(TRUTH[0], 1.6 * correlation * np.outer(TRUTH[1], TRUTH[1]), DEGREES, seed=rng)
    x = law.rvs(3 * DRAWS)
    x = x[np.all((x > low) & (x < high), axis=1)][:DRAWS]
    values = []
    for theta in x:
        each = np.column_stack([v[:, 0] for v in summaries(theta, rng, RUNS * BATCHES).values()])
        batches = each.reshape(BATCHES, RUNS, len(NAMES))
        values.append(np.mean([synthetic.log_likelihood(b, np.array(MEASURED))[0] for b in batches]))
    log_w = np.array(values) - law.logpdf(x)
    w = np.exp(log_w - log_w.max())
    return x, w / w.sum()


def run(seed: int, budget: int, score: bool, right: tuple[np.ndarray, np.ndarray] | None) -> None:
    of = problem(seed)
    space, rng = ParameterSpace(of.parameters), np.random.default_rng([9, seed])
    settings = loop_settings(of, space, budget, 1)
    method = NoisyMethod(replace(settings, summaries=None) if score else settings)
    loop, best = AskTellLoop(method), []
    while not method.satisfied and (asked := loop.ask()):
        for ask in asked:
            theta = space.to_user(ask.u)
            outputs = summaries(theta, rng)
            try:
                value, sd = log_likelihood(of, outputs, dict(zip(BOX, theta, strict=True)))
            except LikelihoodError:
                loop.tell(Tell(ask.index, ask.u, None))
                continue
            best.append(value)
            cells = None if settings.recorded is None else settings.recorded.cells(outputs)
            loop.tell(Tell(ask.index, ask.u, value + float(space.log_prior_in_inference(ask.u)), sd, outputs=cells))
        snapshot = loop.update()
        if snapshot is None or snapshot.draws is None:
            continue
        x, w = np.array([space.to_user(u) for u in snapshot.draws.points]), snapshot.draws.weights
        mean = w @ x
        off, ratio = (mean - TRUTH[0]) / TRUTH[1], np.sqrt(w @ np.square(x - mean)) / TRUTH[1]
        evidence = f"log evidence {snapshot.log_evidence - LOG_EVIDENCE:+.2f} ± {snapshot.log_evidence_sd:.2f}"
        said = "converged" if snapshot.converged else ""
        if right is not None:
            said = f"MMTV {mmtv(x, w, *right):.3f} {said}"
        print(seed, snapshot.n_evaluations, "off", np.round(off, 2), "sds", np.round(ratio, 2), evidence, said, flush=True)
    top = np.maximum.accumulate(best)
    print(seed, "within 2 nats of the best after", int(np.argmax(top > top[-1] - 2.0)) + 1, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--budget", type=int, default=100)
    parser.add_argument("--score", action="store_true", help="the score alone is learnt")
    parser.add_argument("--reference", type=Path, help="write the right answer there")
    parser.add_argument("--against", type=Path, help="the right answer as written")
    chosen = parser.parse_args()
    if chosen.reference:
        np.save(chosen.reference, np.column_stack(reference()))
        sys.exit()
    right = None if chosen.against is None else np.load(chosen.against)
    for k in range(1, chosen.seeds + 1):
        run(k, chosen.budget, chosen.score, None if right is None else (right[:, :3], right[:, 3]))
