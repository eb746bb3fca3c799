"""Stored runs made again by real programs: deterministic, random, changed, failing; one that ignores its input is told of."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from bayescope.engine import protocol as p
from bayescope.engine.problem import definition as d
from bayescope.engine.run.analysis import Analysis
from bayescope.engine.run.control import Control
from bayescope.engine.run.replay import replay
from bayescope.engine.run.replay_choice import choose
from bayescope.engine.run.replay_verdict import LEVEL, Noise, verdicts
from bayescope.engine.session.errors import SessionError
from bayescope.engine.session.replayed import Replay
from bayescope.engine.session.store import SessionStore

PROGRAM = """import random, sys, time
a, b, seed = float(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
noise = 0.0
{extra}
print("logl", -0.5 * (a - 1.2) ** 2 - 0.5 * (b - a) ** 2 + noise)
print("sd", 0.5)
"""
OWN_SEED = "noise = random.uniform(-0.75 ** 0.5, 0.75 ** 0.5)"  # sd .5, and never 3 sd: at a level of 1 % a normal one is accused
GIVEN_SEED = "noise = 0.5 * random.Random(seed).gauss(0, 1)"


def output(name: str) -> d.Output:
    return d.Output(name=name, source="stdout", extractor=d.LabelledNumber(label=name))


class Study:
    """A session whose program is a script beside it."""

    def __init__(self, folder: Path, loop_of: Callable, extra: str, meaning: d.Meaning, budget: int, **simulator) -> None:
        self.script = folder / "model.py"
        self.change(extra)
        seed = "@seed@" if d.is_noisy(meaning) else "0"  # an exact program that takes one is refused
        command = (sys.executable, "-I", "-S", str(self.script), "@a@", "@b@", seed)
        problem = d.Problem(
            name="study",
            parameters=tuple(d.Parameter(name=n, prior=d.Normal(mean=0.0, sd=2.0)) for n in "ab"),
            simulator=d.Simulator(command=command, **simulator),
            outputs=(output("logl"), output("sd")),
            meaning=meaning,
            settings=d.Settings(max_evaluations=budget, workers=2, seed=11),
        )
        self.store = SessionStore.create(folder / "study.bayescope", problem, own=True)
        self.said: list[p.Event] = []
        Analysis(self.store, control=Control(), observer=self.said.append, loop_of=loop_of).run()

    def change(self, extra: str) -> None:
        self.script.write_text(PROGRAM.format(extra=extra))

    def again(self, runs: int = 5, cancel: threading.Event | None = None, progress=None) -> Replay:
        self.store.agree()
        cancel = cancel or threading.Event()
        return replay(self.store, runs, permit=self.store.permit(), cancel=cancel, progress=progress)

    def warnings(self) -> list[p.Report]:
        return [m for m in self.said if isinstance(m, p.Report) and m.level == "warning"]


@pytest.fixture
def study(tmp_path, tiny_loop):
    made: list[Study] = []

    def make(extra: str = "", meaning: d.Meaning | None = None, budget: int = 12, **simulator) -> Study:
        made.append(Study(tmp_path, tiny_loop, extra, meaning or d.LogLikelihoodOutput(output="logl"), budget, **simulator))
        return made[-1]

    yield make
    for one in made:
        one.store.close()


def results(found: Replay) -> set[str]:
    return {run.result for run in found.runs}


# ------------------------------------------------------------------ real programs


def test_a_deterministic_program_gives_the_same_to_the_last_digit_and_nothing_is_left_behind(study, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    one = study()
    before, content = one.store.evaluations(), (tmp_path / "study.bayescope").read_bytes()
    seen: list[tuple[int, int]] = []
    found = one.again(5, progress=lambda done, total: seen.append((done, total)))
    assert results(found) == {"identical"}
    assert found.agrees
    assert seen == [(k, 5) for k in range(1, 6)]
    assert (found.asked, found.evaluations, len(found.runs)) == (5, 12, 5)
    assert [f.name for f in found.files if f.role == "script"] == [str(one.script)]
    assert len(found.files[0].digest) == 64
    assert list((tmp_path / "scratch").iterdir()) == []
    assert [e.outputs for e in one.store.evaluations()] == [e.outputs for e in before]
    assert (tmp_path / "study.bayescope").stat().st_size == len(content)
    assert one.store.evaluation_count == 12
    assert one.warnings() == []


@pytest.mark.parametrize("repeats", [1, 3])
def test_a_random_program_that_takes_the_seed_gives_the_same_to_the_last_digit(study, repeats):
    one = study(GIVEN_SEED, d.LogLikelihoodOutput(output="logl", noise_sd="sd", repeats=repeats), budget=6)
    assert results(one.again(4)) == {"identical"}


def test_a_program_that_draws_its_own_seed_is_within_its_declared_noise(study):
    one = study(OWN_SEED, d.LogLikelihoodOutput(output="logl", noise_sd="sd"))
    found = one.again(6)
    assert results(found) == {"within_noise"}
    assert found.agrees
    assert "two-sided at a level of 1 %" in " ".join(found.sentences())


def test_a_program_declared_exact_that_is_random_later_differs_and_is_named(study, tmp_path):
    one = study(f"import os\nif os.path.exists({str(tmp_path / 'later')!r}): {OWN_SEED}")
    (tmp_path / "later").touch()
    found = one.again(3)
    assert results(found) == {"different"}
    run = found.runs[0]
    assert f"Run {run.index} (a = " in run.words
    assert "output “logl” differs by" in run.words
    assert run.relative is not None
    assert run.relative > 0.0
    assert "random without being given @seed@" in " ".join(found.sentences())


def test_a_program_changed_since_is_found_out_also_behind_noise(study):
    one = study(OWN_SEED, d.LogLikelihoodOutput(output="logl", noise_sd="sd"))
    one.change("noise = 25.0 + 0.5 * random.gauss(0, 1)")
    found = one.again(4)
    assert results(found) == {"different"}
    assert "more than the noise explains" in found.runs[0].words


def test_a_run_that_fails_now_or_failed_then_is_told(study):
    one = study("if a < 0.0: sys.exit('no such a')", budget=14)
    outcomes = {e.index: e.outcome for e in one.store.evaluations()}
    assert set(outcomes.values()) == {"ok", "failed"}
    good = sum(o == "ok" for o in outcomes.values())
    found = one.again(14)
    assert {r.index: r.result for r in found.runs} == {
        k: "identical" if o == "ok" else "failed_again" for k, o in outcomes.items()
    }
    assert found.agrees
    one.change("if a > 0.0: sys.exit('no such a')")
    found = one.again(14)
    expected = {"ok": "failed_now", "failed": "failed_then"}
    assert {r.index: r.result for r in found.runs} == {k: expected[o] for k, o in outcomes.items()}
    assert "no such a" in found.differing[0].words
    assert results(one.again(good)) == {"failed_now"}, "good runs come first"


def test_a_run_that_needed_a_retry_is_made_again_with_the_seeds_of_both_attempts(study):
    """It fails with every second seed; the retry has another one."""
    rules = d.FailureRules(retries=6)
    noisy = d.LogLikelihoodOutput(output="logl", noise_sd="sd")
    one = study(f"{GIVEN_SEED}\nif seed % 2: sys.exit('odd')", noisy, budget=6, failures=rules)
    assert {e.outcome for e in one.store.evaluations()} == {"ok"}
    assert results(one.again(6)) == {"identical"}


def test_cancelling_ends_the_runs_and_keeps_what_was_compared(study):
    one = study(budget=8)
    one.change("time.sleep(0.3)")
    cancel = threading.Event()
    found = one.again(8, cancel, lambda done, total: cancel.set())
    assert 1 <= len(found.runs) < 8
    assert "cancelled" in found.note
    cancel.set()
    with pytest.raises(SessionError, match="cancelled"):
        one.again(8, cancel)


def test_a_program_that_cannot_be_started_is_a_sentence_and_no_verdict(study):
    one = study(budget=4)
    one.store.agree()
    permit = one.store.permit()
    one.change("noise = 1.0")  # after the permit was given
    with pytest.raises(SessionError, match="Nothing was started"):
        replay(one.store, 3, permit=permit, cancel=threading.Event())


def test_without_any_run_there_is_nothing_to_make_again(tmp_path, make_problem):
    with (
        SessionStore.create(tmp_path / "empty.bayescope", make_problem(), own=True) as store,
        pytest.raises(SessionError, match="no finished run"),
    ):
        replay(store, 5, permit=store.permit(), cancel=threading.Event())


def test_a_program_that_ignores_its_input_is_told_once_as_soon_as_it_is_clear(study):
    one = study("a = b = 0.3")
    (told,) = one.warnings()
    assert "gave identical outputs" in told.what
    assert "reads an old file" in told.what
    place = one.said.index(told)
    done = sum(isinstance(m, p.EvaluationDone) for m in one.said[:place])
    assert done in (5, 6), "five at different values are enough; two run at a time"
    assert any("identical outputs" in entry.text for entry in one.store.run_log())
    assert results(one.again(3)) == {"identical"}, "the replay has nothing against it"


# ------------------------------------------------------------------ which runs


def test_the_choice_is_the_best_one_and_others_spread_and_always_the_same(study):
    one = study(budget=30)
    problem, stored = one.store.problem, one.store.evaluations()
    chosen = choose(problem, stored, 8)
    assert chosen == choose(problem, stored, 8)
    assert chosen[:3] == choose(problem, stored, 3)
    assert chosen[0].index == max(stored, key=lambda e: e.log_likelihood + e.log_prior).index
    assert len({e.index for e in chosen}) == 8
    other = msgspec.structs.replace(problem, settings=d.Settings(seed=12))
    assert choose(other, stored, 8) != chosen
    # farther apart, in order and in space, than as many drawn at random
    orders = np.sort([e.order for e in chosen])
    assert np.diff(orders).max() <= 15, "no long stretch of the run is left out"
    rng = np.random.default_rng(0)

    def closest(es) -> float:
        places = np.array([[e.order / 30, *e.u / 4] for e in es])
        gaps = np.linalg.norm(places[:, None] - places[None], axis=-1)
        return float(gaps[np.triu_indices(len(es), 1)].min())

    random = [closest(rng.choice(np.array(stored, dtype=object), 8, replace=False)) for _ in range(200)]
    assert closest(chosen) > np.median(random)
    assert len(choose(problem, stored, 1000)) == 30


# ------------------------------------------------------------------ the test of the noise


@pytest.fixture
def pair(study) -> Callable:
    stored = study(budget=2).store.evaluations()[0]

    def make(before: float, after: float, sd: float = 0.0, sd_after: float | None = None):
        def one(value: float, sd: float):
            return replace(stored, log_likelihood=value, noise_sd=sd, outputs={"logl": np.array([value])})

        return one(before, sd), one(after, sd if sd_after is None else sd_after)

    return make


@pytest.mark.parametrize(("runs", "draws"), [(1, 3000), (4, 3000)])
def test_an_honest_random_program_is_accused_no_more_often_than_stated(runs, draws):
    """Five comparisons each; where errors come from the spread of four runs, they are estimated so here too."""
    rng = np.random.default_rng(1)
    noise = Noise(declared=True, runs=runs)
    if runs == 1:
        gap, sd = rng.normal(size=(draws, 5)) * np.sqrt(2.0), np.full((draws, 5), np.sqrt(2.0))
    else:
        x = rng.normal(size=(draws, 5, 2, runs))
        error = x.std(-1, ddof=1) / np.sqrt(runs)
        gap, sd = x.mean(-1)[..., 0] - x.mean(-1)[..., 1], np.hypot(error[..., 0], error[..., 1])
    accused = [not all(noise.within(g, s, 5) for g, s in zip(*row, strict=True)) for row in zip(gap, sd, strict=True)]
    assert np.mean(accused) <= LEVEL + 3.0 * np.sqrt(LEVEL / draws)
    if runs == 1:
        assert np.mean(accused) >= 0.3 * LEVEL, "and not never: it would see nothing"


def test_the_limit_is_that_of_the_normal_law_shared_among_the_comparisons():
    noise = Noise(declared=True)
    assert noise.within(2.57, 1.0, 1)  # two-sided 1 %: 2.5758
    assert not noise.within(2.58, 1.0, 1)
    assert noise.within(3.28, 1.0, 10)  # two-sided 0.1 %: 3.2905
    assert not noise.within(3.30, 1.0, 10)
    few = Noise(declared=True, runs=3)
    assert few.within(9.9, 1.0, 1)  # Student with 2 degrees of freedom, two-sided 1 %: 9.925
    assert not few.within(9.95, 1.0, 1)


def test_standard_errors_found_too_small_by_the_analysis_are_scaled(pair):
    reported = Noise(declared=True)
    scaled = replace(reported, scale=4.0)
    too_large = replace(reported, scale=0.1)
    (run,) = verdicts([pair(-1.0, 3.0, 0.7)], reported)
    assert run.result == "different"
    (run,) = verdicts([pair(-1.0, 3.0, 0.7)], scaled)
    assert run.result == "within_noise"
    (run,) = verdicts([pair(-1.0, 0.0, 0.7)], too_large)
    assert run.result == "within_noise", "a smaller scale never makes the test stricter"
    (run,) = verdicts([pair(-1.0, 0.0, 0.7, 0.0)], reported)
    assert run.result == "within_noise", "repeats that happened to agree are not believed to be exact"


def test_a_noise_that_nothing_reports_is_judged_by_the_level_inferred_near_the_top_only(pair):
    unknown = Noise(declared=True, dimension=2, best=0.0)
    inferred = replace(unknown, scale=1.0)
    assert verdicts([pair(-1.0, 1.0)], unknown)[0].result == "unjudged"
    assert verdicts([pair(-1.0, 1.0)], inferred)[0].result == "within_noise"
    assert verdicts([pair(-1.0, 9.0)], inferred)[0].result == "different"
    assert verdicts([pair(-500.0, -400.0)], inferred)[0].result == "unjudged"


def test_a_log_likelihood_that_its_outputs_do_not_give_is_told(pair):
    before, after = pair(-1.0, -1.0)
    (run,) = verdicts([(replace(before, log_likelihood=-0.5), after)], Noise())
    assert run.result == "different"
    assert "the file was changed" in run.words
    (run,) = verdicts([(replace(before, outputs={}), after)], Noise())
    assert run.result == "identical"
    (run,) = verdicts([(replace(before, outputs={}, log_likelihood=-1.5), after)], Noise())
    assert run.result == "different"


def test_words_of_a_program_may_be_long_or_no_text_at_all(pair):
    before, after = pair(-1.0, -1.0)
    bad = replace(after, outcome="failed", log_likelihood=None, log_target=None, reason="\udcff" + "x" * 100_000)
    (run,) = verdicts([(before, bad)], Noise())
    assert run.result == "failed_now"
    assert len(run.words) <= 2000
    assert msgspec.json.encode(run)
