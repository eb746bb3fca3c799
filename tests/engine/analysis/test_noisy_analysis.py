"""A whole analysis of a random program: repeats, the noisy loop, identical repeats; with real processes and a session file."""

from __future__ import annotations

import sys
from pathlib import Path

from bayescope.engine.inference.analysis import Analysis
from bayescope.engine.inference.control import Control
from bayescope.engine.problem import definition as d
from bayescope.engine.session.store import SessionStore

PROGRAM = """
import random, sys
seed, mu = int(sys.argv[1]), float(sys.argv[2])
print("logl", -0.5 * (mu - 0.7) ** 2 / 0.25 + random.Random(seed if sys.argv[3] == "random" else 7).gauss(0, 1))
"""


def analysed(folder: Path, mode: str, meaning: d.Meaning, budget: int) -> tuple[str, str, SessionStore]:
    script = folder / "program.py"
    script.write_text(PROGRAM)
    problem = d.Problem(
        name="Noisy",
        parameters=(d.Parameter(name="mu", prior=d.Normal(mean=0.0, sd=2.0)),),
        simulator=d.Simulator(command=(sys.executable, "-I", "-S", str(script), "@seed@", "@mu@", mode)),
        outputs=(d.Output(name="logl", source="stdout", extractor=d.LabelledNumber(label="logl")),),
        meaning=meaning,
        settings=d.Settings(max_evaluations=budget, workers=2, options={"final_draws": 2000}),
    )
    store = SessionStore.create(folder / "noisy.bayescope", problem)
    ended = Analysis(store, control=Control(), observer=lambda _: None).run()
    return ended.outcome, ended.words, store


def test_a_random_program_run_three_times_per_point_gives_a_posterior(tmp_path: Path) -> None:
    outcome, words, store = analysed(tmp_path, "random", d.LogLikelihoodOutput(output="logl", repeats=3), 24)
    with store:
        assert outcome in ("budget", "converged"), words
        evaluations = store.evaluations()
        assert all(e.outcome == "ok" and e.noise_sd > 0.0 for e in evaluations)
        assert len({e.log_likelihood for e in evaluations}) == len(evaluations)
        last = store.last_iteration()
        assert last is not None
        assert "noise_scale" in last.diagnostics


def test_a_seed_fixed_by_mistake_ends_the_run_with_the_reason(tmp_path: Path) -> None:
    outcome, words, store = analysed(tmp_path, "fixed", d.LogLikelihoodOutput(output="logl", repeats=3), 30)
    with store:
        assert outcome == "failed"
        assert "exactly the same result" in words
        assert "@seed@" in words
