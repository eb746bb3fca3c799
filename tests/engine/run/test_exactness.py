"""A random program that is declared as exact: refused before its first evaluation, with real processes; an exact one is not."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bayescope.engine import protocol as p
from bayescope.engine.problem import definition as d
from bayescope.engine.run.analysis import Analysis
from bayescope.engine.run.control import Control
from bayescope.engine.session.store import SessionStore

PROGRAM = """
import os, random, sys, time
a, mark = float(sys.argv[1]), {mark!r}
with open(mark, "a") as file:
    file.write(f"{{a}}\\n")
runs = open(mark).read().splitlines()
again = runs.count(str(a)) > 1
z = (1 if again else -1) * (0.5 + abs(random.gauss(0, 1)))  # random, and never the same twice by chance
{extra}
print("value", repr(-0.5 * ((a - 1.2) / 0.3) ** 2 + {noise}))
"""
MEANINGS: dict[str, d.Meaning] = {
    "log-likelihood": d.LogLikelihoodOutput(output="value"),
    "log-posterior": d.LogPosteriorOutput(output="value"),
    "chi square": d.MinusTwoLogLikelihood(output="value"),
    "predictions": d.Predictions(matches=(d.Match(output="value", column="y"),), noise=d.GaussianKnown(sd=1.0)),
}


class Told:
    """A session on disk, its program's marks, and the analyses made of it."""

    def __init__(self, folder: Path, noise: str = "0.0", extra: str = "", workers: int = 1, meaning: str = "log-likelihood"):
        self.marks = folder / "marks"
        script = folder / "program.py"
        script.write_text(PROGRAM.format(extra=extra, noise=noise, mark=str(self.marks)))
        self.problem = d.Problem(
            name="random",
            parameters=(d.Parameter(name="a", prior=d.Normal(mean=1.0, sd=1.0)),),
            simulator=d.Simulator(command=(sys.executable, "-I", "-S", str(script), "@a@")),
            outputs=(d.Output(name="value", source="stdout", extractor=d.LabelledNumber(label="value")),),
            meaning=MEANINGS[meaning],
            data=d.DataTable(columns={"y": (0.3,)}),
            settings=d.Settings(max_evaluations=8, workers=workers, options={"final_draws": 2000}),
        )
        self.path = folder / "random.bayescope"
        SessionStore.create(self.path, self.problem, own=True).close()
        self.said: list[p.Event] = []

    def run(self, **arguments: Any) -> p.RunEnded:
        with SessionStore.open(self.path, role="engine") as store:
            self.control = Control()
            return Analysis(store, control=self.control, observer=self.hear, **arguments).run()

    def hear(self, event: p.Event) -> None:
        self.said.append(event)

    @property
    def runs(self) -> int:
        return len(self.marks.read_text().splitlines()) if self.marks.exists() else 0

    @property
    def stored(self) -> list[str]:
        with SessionStore.open(self.path, mode="read") as store:
            return [e.outcome for e in store.evaluations()]


@pytest.mark.parametrize("meaning", MEANINGS)
@pytest.mark.parametrize("workers", [1, 4])
def test_two_runs_that_differ_refuse_the_program_before_anything_is_recorded(tmp_path, meaning, workers):
    told = Told(tmp_path, noise="0.3 * z", meaning=meaning, workers=workers)
    ended = told.run()
    assert ended.outcome == "failed"
    assert "two runs at the same values gave" in ended.words
    assert "Either" in ended.words
    assert "or fix its seed" in ended.words
    assert "Meaning" in ended.words
    assert told.stored == []
    assert not [m for m in told.said if isinstance(m, (p.EvaluationDone, p.SnapshotReady))]
    assert told.runs <= 1 + workers


def test_the_declaration_can_then_be_mended_in_the_same_session(tmp_path):
    told = Told(tmp_path, noise="0.3 * z")
    assert told.run().outcome == "failed"
    with SessionStore.open(told.path) as store:
        noisy = msgspec.structs.replace(told.problem, meaning=d.LogLikelihoodOutput(output="value", random=True))
        store.save_problem(noisy)
    assert told.run().outcome == "budget"
    assert told.stored == ["ok"] * 8


@pytest.mark.parametrize("workers", [1, 3])
def test_an_exact_program_is_run_once_more_than_it_is_evaluated_and_never_again(tmp_path, workers):
    told = Told(tmp_path, workers=workers)
    assert told.run(max_evaluations=6).outcome == "budget"
    assert told.stored == ["ok"] * 6
    assert told.runs == 7
    with SessionStore.open(told.path, mode="read") as store:
        assert [e.order for e in store.evaluations()] == list(range(6))
        assert not list(store.runs_folder.glob("*"))
    assert told.run(max_evaluations=9).outcome == "budget"
    assert told.runs == 10, "a resumed run is not checked again"


def test_a_program_declared_as_random_is_not_run_twice(tmp_path):
    told = Told(tmp_path, noise="0.3 * z")
    with SessionStore.open(told.path) as store:
        store.save_problem(msgspec.structs.replace(told.problem, meaning=d.LogLikelihoodOutput(output="value", random=True)))
    told.run(max_evaluations=5)
    assert told.runs == 5


def test_sums_in_another_order_are_not_called_random(tmp_path):
    told = Told(tmp_path, noise="1e-10 * z")
    assert told.run().outcome == "budget"


def test_runs_that_fail_say_nothing_and_the_first_value_is_still_compared(tmp_path):
    told = Told(tmp_path, noise="0.3 * z", extra="if len(runs) < 4: sys.exit('no licence')")
    ended = told.run()
    assert ended.outcome == "failed"
    assert "two runs at the same values" in ended.words
    assert set(told.stored) == {"failed"}


def test_a_second_run_that_fails_is_made_once_more_and_then_the_first_counts(tmp_path):
    told = Told(tmp_path, extra="if again: sys.exit('no licence')")
    assert told.run(max_evaluations=5).outcome == "budget"
    assert told.stored == ["ok"] * 5
    assert told.runs == 7
    (report,) = [m for m in told.said if isinstance(m, p.Report)]
    assert "could not be seen" in report.what
    assert "no licence" in report.what


@pytest.mark.parametrize("noise", ["0.0", "0.3 * z"])
def test_what_had_finished_when_the_second_run_was_ended_is_kept_and_checked_at_the_next_start(tmp_path, noise):
    told = Told(tmp_path, noise=noise, extra=f"if again and not os.path.exists({str(tmp_path / 'go')!r}): time.sleep(60)")

    def hear(event: p.Event) -> None:
        if isinstance(event, p.Progress) and "second time" in event.activity:
            told.control.stop(kill=True)

    told.hear = hear  # type: ignore[method-assign]
    assert told.run().outcome == "stopped"
    assert told.stored == ["ok"]
    (tmp_path / "go").touch()
    told.hear = told.said.append  # type: ignore[method-assign]
    ended = told.run()
    assert ended.outcome == ("budget" if noise == "0.0" else "failed")
    if noise != "0.0":
        assert "two runs at the same values" in ended.words
        assert "duplicate the analysis without them" in ended.words
        assert told.stored == ["ok"]
    else:
        runs = told.runs
        told.run(max_evaluations=10)
        assert told.runs == runs + 2, "checked once, and not again"


def test_a_stop_while_the_program_is_run_again_waits_for_it_as_for_any_run(tmp_path):
    told = Told(tmp_path, extra="time.sleep(0.3)")

    def hear(event: p.Event) -> None:
        if isinstance(event, p.Progress) and "second time" in event.activity:
            told.control.stop()

    told.hear = hear  # type: ignore[method-assign]
    assert told.run().outcome == "stopped"
    assert told.stored == ["ok"]
    told.hear = told.said.append  # type: ignore[method-assign]
    assert told.run(max_evaluations=3).outcome == "budget"
    assert told.runs == 4


def test_a_random_seed_in_an_exact_program_is_refused_before_anything_is_started(tmp_path):
    told = Told(tmp_path)
    command = (*told.problem.simulator.command, "@seed@")
    simulator = msgspec.structs.replace(told.problem.simulator, command=command)
    path = tmp_path / "seeded.bayescope"
    with SessionStore.create(path, msgspec.structs.replace(told.problem, simulator=simulator), own=True) as store:
        ended = Analysis(store, control=Control(), observer=lambda _: None).run()
        assert ended.outcome == "failed"
        assert "new random seed in every run (@seed@ in argument 5)" in ended.words
        assert "or fix its seed" in ended.words
        assert store.asks() == []
    assert told.runs == 0


def test_a_fault_of_ours_while_comparing_ends_the_run_in_words(tmp_path, monkeypatch):
    from bayescope.engine.run import second_runs

    def broken(*_: object) -> str:
        raise RuntimeError("made for the test")

    monkeypatch.setattr(second_runs, "disagreement", broken)
    ended = Told(tmp_path, workers=2).run()
    assert ended.outcome == "failed"
    assert "made for the test" in ended.words


def test_predictions_that_turn_out_to_be_random_can_be_said_to_be_with_one_click_and_then_run_once_each(tmp_path):
    told = Told(tmp_path, noise="0.3 * z", meaning="predictions")
    ended = told.run()
    assert ended.correct == "random"
    assert "statistical error of their own" in ended.words
    with SessionStore.open(told.path) as store:
        random = msgspec.structs.replace(MEANINGS["predictions"], random=True)
        store.save_problem(msgspec.structs.replace(told.problem, meaning=random))
    before = told.runs
    ended = told.run(max_evaluations=5)
    assert (ended.outcome, ended.correct) == ("budget", "")
    assert told.stored == ["ok"] * 5
    assert told.runs - before == 5, "none of them twice"


def test_a_random_log_likelihood_is_mended_by_choices_not_by_one_click(tmp_path):
    assert Told(tmp_path, noise="0.3 * z").run().correct == ""
