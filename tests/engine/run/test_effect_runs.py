"""Parameters without effect, found by a run that counts for nothing; those of which the data tell nothing are not accused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest

from bayescope.engine import protocol as p
from bayescope.engine.answer import no_effect, words
from bayescope.engine.answer.suspects import suspects
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.run import effect_runs
from bayescope.engine.run.analysis import Analysis
from bayescope.engine.run.control import Control
from bayescope.engine.session.records import IterationRecord
from bayescope.engine.session.store import SessionStore

NEW = tuple(d.Parameter(name=n, prior=d.Normal(mean=0.0, sd=1.0)) for n in ("c", "e", "f"))


@pytest.fixture
def run(
    make_problem: Callable[..., d.Problem], session_path: Any, tiny_loop: Any, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[IterationRecord, list[p.Event], int]]:
    """The last answer, what was said, and how often the program was run; ``extra`` of it reads c, e and f or does not."""

    def ran(extra: str, suspected: tuple[str, ...], evaluations: int = 15) -> tuple[IterationRecord, list[p.Event], int]:
        marks = session_path.parent / "marks"
        if not session_path.exists():
            problem = make_problem(extra=f"open({str(marks)!r}, 'a').write('.')\n{extra}", evaluations=evaluations)
            simulator = msgspec.structs.replace(
                problem.simulator, command=(*problem.simulator.command, *(f"@{q.name}@" for q in NEW))
            )
            problem = msgspec.structs.replace(problem, parameters=(*problem.parameters, *NEW), simulator=simulator)
            SessionStore.create(session_path, problem, own=True).close()
        monkeypatch.setattr(effect_runs, "suspects", lambda *_: suspected)
        said: list[p.Event] = []
        with SessionStore.open(session_path, role="engine") as store:
            Analysis(
                store, control=Control(), observer=said.append, loop_of=tiny_loop, max_evaluations=evaluations
            ).run()
            last = store.last_iteration()
        assert last is not None
        return last, said, len(marks.read_text())

    return ran


def test_suspects_that_change_nothing_are_named_in_the_answer_after_one_run_that_does_not_count(run: Any) -> None:
    last, said, made = run("", ("c", "e"))
    assert no_effect.told(last.diagnostics) == ("c", "e")
    assert last.reasons[0].startswith("c and e change nothing in the outputs: does the program read them where they stand?")
    assert made == 15 + 1 + 1, "the second run of the first, and one with both moved"
    assert last.n_evaluations == 15
    (warned,) = [m for m in said if isinstance(m, p.Report) and m.level == "warning"]
    assert warned.what == no_effect.question(("c", "e"))
    level, sentence = words.headline(True, False, 15, last.diagnostics)
    assert level == "warning", "the verdict is not green"
    assert "c and e change nothing in the outputs" in sentence
    assert words.chip(True, False, last.diagnostics)[0] == "warning"


def test_what_an_earlier_start_found_stands_without_another_run(run: Any) -> None:
    run("", ("c",))
    last, _, made = run("", ("c",), 17)
    assert no_effect.told(last.diagnostics) == ("c",)
    assert made == 17 + 2


def test_a_parameter_that_the_program_reads_is_not_accused_though_its_marginal_is_flat(run: Any) -> None:
    last, said, made = run("a += 1e-9 * float(sys.argv[3])", ("c",))
    assert no_effect.told(last.diagnostics) == ()
    assert not [m for m in said if isinstance(m, p.Report)]
    assert made == 15 + 1 + 1, "it is not asked again"


def test_those_without_effect_are_told_from_one_that_is_read_by_halves(run: Any) -> None:
    last, _, made = run("a += 1e-9 * float(sys.argv[3])", ("c", "e", "f"))
    assert no_effect.told(last.diagnostics) == ("e", "f")
    assert made == 15 + 1 + 3, "all, then c, then e and f"


def test_a_run_that_fails_accuses_nobody(run: Any) -> None:
    last, _, _ = run("if abs(float(sys.argv[3])) > 0.8: sys.exit(3)", ("c",))
    assert no_effect.told(last.diagnostics) == ()


def test_suspects_are_those_whose_posterior_is_their_prior() -> None:
    parameters = tuple(d.Parameter(name=n, prior=d.Normal(mean=0.0, sd=1.0)) for n in ("k1", "k2", "s"))
    problem = d.Problem(
        name="x", parameters=parameters, simulator=d.Simulator(command=("p", "@k1@", "@k2@")),
        outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),),
        meaning=d.Predictions(matches=(d.Match(output="y", column="y"),), noise=d.GaussianInferred(parameter="s")),
    )  # fmt: skip
    space = ParameterSpace(parameters)
    record = IterationRecord(
        iteration=0, n_evaluations=9, elbo=0.0, elbo_sd=0.1, log_evidence=0.0, log_evidence_sd=0.1, converged=True,
        warm_up=False, reasons=(), weights=np.ones(1), means=np.zeros((1, 3)), covariances=np.diag([0.01, 1.0, 1.0])[None],
    )  # fmt: skip
    assert suspects(problem, space, record) == ("k2",), "s is no business of the program"
    random = msgspec.structs.replace(problem, meaning=d.LogLikelihoodOutput(output="y", random=True))
    assert suspects(random, space, record) == ()


def test_parameters_are_moved_far_within_their_plausible_ranges_and_the_others_not_at_all() -> None:
    space = ParameterSpace(tuple(d.Parameter(name=n, prior=d.Uniform(low=0.0, high=1.0), plausible=(0.1, 0.9)) for n in "ab"))
    u = space.to_inference(np.array([0.2, 0.3]))
    far, near = (space.to_user(no_effect.moved(space, u, ("a",), turn)) for turn in (0, 1))
    assert far[1] == near[1] == space.to_user(u)[1]
    assert 0.5 < far[0] < 0.9
    assert 0.1 < near[0] < 0.5
