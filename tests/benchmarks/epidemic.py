"""A stochastic SIR epidemic by synthetic likelihood: values from -12 to -500,000: the climb is what costs.

    python tests/benchmarks/epidemic.py --seeds 5            # with the summaries leading the climb
    python tests/benchmarks/epidemic.py --seeds 5 --score    # by the score alone

Binomial chain, 1000 people, 120 days; rates of infection and recovery and the first cases unknown; total, peak, mean day and the
first 21 days' cases compared, 30 runs a point. TRUTH: importance sampling of the log-likelihood averaged over 12 batches of 30.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np

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
TRUTH = np.array([0.2927, 0.1125, 8.84]), np.array([0.0301, 0.0162, 3.35])  # mean, sd
LOG_EVIDENCE = -19.64


def summaries(theta: np.ndarray, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Of RUNS epidemics, (RUNS, 1) each."""
    infection, recovery, first = theta
    ill = np.full(RUNS, round(first))
    well, new = PEOPLE - ill, np.zeros((RUNS, DAYS))
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


def run(seed: int, budget: int, score: bool) -> None:
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
        print(seed, snapshot.n_evaluations, "off", np.round(off, 2), "sds", np.round(ratio, 2), evidence, said, flush=True)
    top = np.maximum.accumulate(best)
    print(seed, "within 2 nats of the best after", int(np.argmax(top > top[-1] - 2.0)) + 1, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--budget", type=int, default=100)
    parser.add_argument("--score", action="store_true", help="the score alone is learnt")
    chosen = parser.parse_args()
    for k in range(1, chosen.seeds + 1):
        run(k, chosen.budget, chosen.score)
