"""The Python door against slips of the hand: wrong arguments, wrong values, nothing usable, Ctrl-C, and the caller's threads."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import time
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_info, threadpool_limits

from bayescope.engine import Inference, infer
from bayescope.engine.library.infer import RandomDensity, WrongValue
from bayescope.engine.library.value import value_and_sd
from bayescope.engine.methods.ask_tell import AskTellLoop
from bayescope.engine.methods.default.loop import DefaultMethod

BOX = [(-3.0, 3.0), (-2.0, 2.0)]
NAN, INF = math.nan, math.inf


def gaussian(x: np.ndarray) -> float:
    return float(-0.5 * x @ x)


# ------------------------------------------------------------------ arguments


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"log_density": 3.0}, "log_density must be a function"),
        ({"log_density": None}, "log_density must be a function"),
        ({"log_density": lambda: 0.0}, "log_density must be a function of one array"),
        ({"log_density": lambda a, b: 0.0}, "log_density must be a function of one array"),
        ({"device": "gpu"}, "device must be \"auto\", \"cpu\" or \"cuda\""),
        ({"plausible": None}, "plausible must be one pair"),
        ({"plausible": 3}, "plausible must be one pair"),
        ({"plausible": "ab"}, "plausible must be one pair"),
        ({"plausible": []}, "empty"),
        ({"plausible": {"a": (0, 1)}}, "plausible must be one pair"),
        ({"plausible": (-3, 3)}, r"such as \[\(-3, 3\)"),
        ({"plausible": np.zeros((2, 3))}, "parameter 1"),
        ({"plausible": np.array(3.0)}, "plausible must be one pair"),
        ({"plausible": [(-3, 3), (1,)]}, "parameter 2"),
        ({"plausible": [(-3, 3), "12"]}, "parameter 2"),
        ({"plausible": [(3, -3), (0, 1)]}, "parameter 1: the low end must be below"),
        ({"plausible": [(-3, 3), (1, 1)]}, "parameter 2: the low end must be below"),
        ({"plausible": [(-3, NAN), (0, 1)]}, "parameter 1: nan is not a number"),
        ({"plausible": [(-3, INF), (0, 1)]}, "parameter 1: both ends must be finite"),
        ({"plausible": [(-1e308, 1e308), (0, 1)]}, "too wide"),
        ({"plausible": [("-3", "3"), (0, 1)]}, "parameter 1: '-3' is not a number"),
        ({"plausible": [(None, 3), (0, 1)]}, "parameter 1: None is not a number"),
        ({"plausible": [(False, True), (0, 1)]}, "parameter 1: False is not a number"),
        ({"plausible": [(0, 1j), (0, 1)]}, "parameter 1: 1j is not a number"),
        ({"bounds": [(0, 5)]}, "one pair per parameter"),
        ({"bounds": [(-2, 5), (None, None)]}, "parameter 1: -3 to 3 must lie inside the bounds"),
        ({"bounds": [(5, -5), (None, None)]}, "bounds, parameter 1: the lower bound must be below"),
        ({"bounds": [(-3, 3), (4, 4)]}, "bounds, parameter 2"),
        ({"bounds": [(NAN, 3), (None, None)]}, "nan is not a number"),
        ({"bounds": [(INF, None), (None, None)]}, "bounds, parameter 1"),
        ({"bounds": [("0", None), (None, None)]}, "'0' is not a number"),
        ({"bounds": "open"}, "bounds must be one pair"),
        ({"max_evaluations": 0}, "max_evaluations must be at least 1"),
        ({"max_evaluations": -1}, "max_evaluations must be at least 1"),
        ({"max_evaluations": 2.5}, "max_evaluations must be a whole number"),
        ({"max_evaluations": "10"}, "max_evaluations must be a whole number"),
        ({"max_evaluations": True}, "max_evaluations must be a whole number"),
        ({"max_evaluations": None}, "max_evaluations must be a whole number"),
        ({"seed": -1}, "seed must be at least 0"),
        ({"seed": 1.5}, "seed must be a whole number"),
        ({"seed": None}, "seed must be a whole number"),
        ({"seed": "x"}, "seed must be a whole number"),
        ({"method": "bvmbc"}, "Did you mean “bvbmc”"),
        ({"method": 3}, "There is no method 3"),
        ({"method": None}, "There is no method None"),
        ({"names": ["a"]}, "1 entries for 2 parameters"),
        ({"names": ["a", "a"]}, "“a” stands for two"),
        ({"names": "ab"}, "one word per parameter"),
        ({"names": ["a", 2]}, "one word per parameter"),
        ({"names": ["a", " "]}, "one word per parameter"),
        ({"noisy": 1.0}, "noisy must be True, False or None"),
        ({"noisy": "yes"}, "noisy must be True, False or None"),
        ({"start": [0.0]}, "start must be 2 finite numbers"),
        ({"start": [0.0, NAN]}, "start must be 2 finite numbers"),
        ({"start": ["a", "b"]}, "start must be made of real numbers"),
        ({"start": [4.0, 0.0], "bounds": [(-3, 3), (None, None)]}, "start must lie inside the bounds"),
        ({"options": [("stop", True)]}, "options must be a dictionary"),
        ({"options": {"exploraton": 0.5}}, "Did you mean “exploration”"),
        ({"options": {"bach": 3}}, "Did you mean “batch”"),
        ({"options": {"exploration": NAN}}, "“exploration” of the default method must be a number"),
        ({"options": {"exploration": -1.0}}, "at least 0"),
        ({"options": {"final_draws": 10}}, "a whole number, 1000 to"),
        ({"options": {"mixture_every": 2.5}}, "whole number"),
        ({"options": {"mixture_every": 0}}, "at least 1"),
        ({"options": {"stop": 1}}, "yes or no"),
        ({"options": {"active_pints": 1}, "method": "vbmc"}, "Did you mean “active_points”"),
        ({"options": {"active_points": 0}, "method": "vbmc"}, "1 to 100; it is 0"),
        ({"options": {"kernel": "cubic"}, "method": "svbmc"}, "can be additive"),
        ({"options": {"check": 1}, "method": "laplace"}, "Did you mean “checks”"),
        ({"options": {"checks": "many"}, "method": "laplace"}, "whole number"),
        ({"options": {"stops": True}, "method": "slice"}, "Did you mean “stop”"),
        ({"archive": 3}, "archive is"),
        ({"archive": (np.array([["a", "b"]]), np.zeros(1))}, "X of the archive must be made of real numbers"),
        ({"archive": (np.zeros((1, 2)), np.zeros(1) * 1j)}, "y of the archive must be made of real numbers"),
        ({"archive": (np.zeros((1, 2)), np.zeros(1), np.full(1, NAN))}, "negative or not a number"),
        ({"archive": (np.zeros((1, 2)), np.zeros(1)), "method": "vbmc"}, "cannot start from an archive"),
    ],
)  # fmt: skip
def test_a_wrong_argument_is_refused_in_words_before_anything_is_evaluated(wrong, words) -> None:
    calls = []

    def counted(x: np.ndarray) -> float:
        calls.append(x)
        return gaussian(x)

    with pytest.raises(ValueError, match=words):
        infer(**{"log_density": counted, "plausible": BOX, "max_evaluations": 8, **wrong})
    assert not calls


def test_other_kinds_of_numbers_and_of_sequences_are_as_good() -> None:
    asked = Inference(
        np.array(BOX), ((None, np.float64(9)), [-INF, INF]), np.int64(9), np.uint8(3), names=np.array(["a", "b"]),
        options={"mixture_every": np.int64(4), "exploration": np.float32(0.5)}, start=(1, 0.5),
    ).ask()  # fmt: skip
    np.testing.assert_allclose(asked[0].theta, [1, 0.5])


def test_options_of_the_other_loop_are_refused_once_the_first_value_tells_which_it_is() -> None:
    with pytest.raises(ValueError, match="came without a standard error; say noisy=True"):
        infer(gaussian, BOX, max_evaluations=8, options={"batch": 3})
    with pytest.raises(ValueError, match="came with a standard error; say noisy=False"):
        infer(lambda x: (gaussian(x), 0.5), BOX, max_evaluations=8, options={"exploration": 0.5})


def test_what_is_told_or_asked_wrongly_is_refused_and_can_be_told_again() -> None:
    run = Inference(BOX, max_evaluations=8)
    for count in (-1, 1.5, True):
        with pytest.raises(ValueError, match="count must be"):
            run.ask(count)
    point = run.ask()[0]
    with pytest.raises(ValueError, match="waits for no value"):
        run.tell(point.index + 1, 0.0)
    for value, sd in [("1", 0.0), (1j, 0.0), (1.0, -1.0), (1.0, "x"), (np.zeros(2), 0.0)]:
        with pytest.raises(ValueError, match="log_density returned"):
            run.tell(point.index, value, sd)
    run.tell(point.index, np.array([0.5]))
    with pytest.raises(ValueError, match="waits for no value"):
        run.tell(point.index, 0.5)


# ------------------------------------------------------------------ what the function returns


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "nothing .*return"),
        (np.zeros(2), r"shape \(2,\)"),
        (np.zeros(0), r"shape \(0,\)"),
        (1 + 2j, "complex"),
        (np.array([1 + 2j]), "complex"),
        ("-3.5", "text"),
        (True, "true or false"),
        (np.bool_(False), "true or false"),
        ([-3.5], "a list"),
        ({"logp": 1.0}, "a dict"),
        (gaussian, "a function"),
        ((1.0, 0.1, 0.2), "3 values"),
        ((), "0 values"),
        ((1.0, None), "nothing"),
        ((1.0, -0.5), "negative"),
        ((None, 0.5), "nothing"),
    ],
)
def test_a_value_of_a_wrong_kind_stops_at_once_in_words(value, words) -> None:
    calls = []

    def density(x: np.ndarray) -> object:
        calls.append(x)
        return value

    with pytest.raises(ValueError, match=words):
        infer(density, BOX, max_evaluations=30)
    assert len(calls) == 1


def test_a_value_of_a_wrong_kind_late_in_a_run_loses_nothing_of_what_was_found() -> None:
    calls = []

    def density(x: np.ndarray) -> object:
        calls.append(x)
        return gaussian(x) if len(calls) < 15 else None

    with pytest.raises(WrongValue, match="nothing") as caught:
        infer(density, BOX, max_evaluations=30)
    assert len(calls) == 15
    assert caught.value.result.n_evaluations == 13  # the first point is evaluated twice, the last has no value
    assert caught.value.result.sample(10).shape == (10, 2)


def test_an_array_of_one_element_counts_as_a_number() -> None:
    plain = infer(lambda x: float(np.float32(gaussian(x))), BOX, max_evaluations=8).log_evidence
    wrapped = cycle((np.array, lambda y: np.array([y]), lambda y: np.array([[y]]), np.float32, np.longdouble))
    assert infer(lambda x: next(wrapped)(np.float32(gaussian(x))), BOX, max_evaluations=8).log_evidence == plain


@given(
    st.one_of(
        st.none(), st.booleans(), st.text(), st.binary(), st.complex_numbers(), st.floats(), st.integers(),
        st.lists(st.floats()), st.tuples(st.floats(), st.floats()), st.dictionaries(st.text(), st.floats()),
        st.lists(st.floats()).map(np.array), st.lists(st.floats()).map(tuple),
    )
)  # fmt: skip
@hypothesis_settings(max_examples=50, deadline=None)
@pytest.mark.loops
def test_whatever_is_returned_is_a_value_or_is_refused_in_words(found) -> None:
    try:
        value, sd = value_and_sd(found)
    except WrongValue as error:
        words = str(error)
    else:
        words = ""
        assert isinstance(value, float)
        assert sd >= 0 or math.isnan(sd)
    assert not words or words.startswith("log_density returned")


# ------------------------------------------------------------------ nothing usable


@pytest.mark.parametrize("method", ["auto", "bvbmc", "vbmc", "svbmc", "laplace", "slice"])
@pytest.mark.parametrize("value", [NAN, -INF, INF])
def test_without_a_usable_evaluation_there_is_no_posterior_and_no_number_is_made_up(method, value) -> None:
    r = infer(lambda x: value, BOX, max_evaluations=30 if method == "bvbmc" else 12, method=method)
    assert not r.converged
    assert all(math.isnan(v) for v in (r.log_evidence, r.log_evidence_sd, r.elbo, r.elbo_sd))
    assert r.reasons
    for answer in (r, *r.history):
        with pytest.raises(ValueError, match="no posterior to sample from"):
            answer.sample(10)


def test_a_noisy_density_that_always_fails_gives_no_posterior() -> None:
    r = infer(lambda x: (NAN, 1.0), BOX, max_evaluations=16)
    assert math.isnan(r.log_evidence)
    with pytest.raises(ValueError, match="no posterior"):
        r.sample(10)


@pytest.fixture(scope="module")
def small_answer():
    return infer(gaussian, BOX, max_evaluations=10)


@pytest.mark.parametrize(("n", "seed", "words"), [(-1, 0, "n must be"), (2.5, 0, "n must be"), (5, -1, "seed must be")])
def test_wrong_arguments_of_sample_are_refused_in_words(n, seed, words, small_answer) -> None:
    r = small_answer
    with pytest.raises(ValueError, match=words):
        r.sample(n, seed)


# ------------------------------------------------------------------ Ctrl-C


def inferred(density):
    """A Ctrl-C that is not caught fails one test, not the whole session."""
    try:
        return infer(density, BOX, max_evaluations=40)
    except KeyboardInterrupt:
        pytest.fail("KeyboardInterrupt was not caught")


def interrupting(at: int):
    """The Gaussian, in whose ``at``-th call Ctrl-C is pressed."""
    calls = []

    def density(x: np.ndarray) -> float:
        calls.append(x)
        if len(calls) == at:
            signal.raise_signal(signal.SIGINT)
        return gaussian(x)

    return density


def test_ctrl_c_in_the_function_gives_what_there_is() -> None:
    r = inferred(interrupting(13))
    assert r.n_evaluations == 11  # the first point is evaluated twice, the last has no value
    assert "Interrupted by the user" in r.reasons[0]
    assert "11 evaluations" in r.reasons[0]
    assert not r.converged
    assert r.sample(100).shape == (100, 2)
    assert len(r.history) > 1


@pytest.mark.parametrize("at", [1, 3])
def test_ctrl_c_before_there_is_an_answer_gives_a_result_without_a_posterior(at) -> None:
    r = inferred(interrupting(at))
    assert "Interrupted by the user" in r.reasons[0]
    assert math.isnan(r.log_evidence)
    with pytest.raises(ValueError, match="Interrupted by the user"):
        r.sample(10)


def test_ctrl_c_while_we_compute_gives_the_last_whole_answer(monkeypatch) -> None:
    real = DefaultMethod._find_posterior

    def computing(self: DefaultMethod) -> None:
        if len(self.log.told) == 11:
            signal.raise_signal(signal.SIGINT)  # with half of the state changed
        real(self)

    monkeypatch.setattr(DefaultMethod, "_find_posterior", computing)
    r = inferred(gaussian)
    assert r.n_evaluations == 10
    assert "Interrupted by the user" in r.reasons[0]
    assert r.sample(100).shape == (100, 2)


def test_a_second_ctrl_c_ends_it(monkeypatch) -> None:
    real, calls = AskTellLoop.update, []

    def density(x: np.ndarray) -> float:
        calls.append(x)
        if len(calls) == 13:
            signal.raise_signal(signal.SIGINT)
        return gaussian(x)

    def update(self: AskTellLoop):
        if len(calls) == 13:  # while the answer is made after the first one
            signal.raise_signal(signal.SIGINT)
        return real(self)

    monkeypatch.setattr(AskTellLoop, "update", update)
    with pytest.raises(KeyboardInterrupt):
        infer(density, BOX, max_evaluations=40)
    assert len(calls) == 13


@pytest.mark.loops
@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_at_any_moment_of_a_real_process_gives_a_result(tmp_path: Path) -> None:
    """Pressed at random moments, most of them inside our own computing; and the next analysis of the same process is as good."""
    code = (
        "import sys\nfrom bayescope.engine import infer\n"
        "for mark in sys.argv[1:]:\n"
        "    def f(x):\n        open(mark, 'a').write('x')\n        return float(-0.5 * x @ x - x[0] ** 4)\n"
        "    r = infer(f, [(-3, 3)] * 3, max_evaluations=400, options={'stop': False})\n"
        "    print(len(open(mark).read()), r.n_evaluations, r.sample(5).shape, r.reasons[0], flush=True)\n"
    )
    rng = np.random.default_rng(1)
    marks = [tmp_path / f"mark{k}" for k in range(3)]
    command = [sys.executable, "-c", code, *map(str, marks)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for mark in marks:
            while not (mark.exists() and mark.stat().st_size > 12):
                time.sleep(0.01)
                assert process.poll() is None, process.stderr.read()
            time.sleep(0.5 * rng.random())
            process.send_signal(signal.SIGINT)
            out = process.stdout.readline()
            asked, answered, rest = out.split(maxsplit=2)
            assert 0 <= int(asked) - 1 - int(answered) <= 1, out  # the first point is evaluated twice
            assert "Interrupted by the user" in rest
        assert process.wait(60) == 0, process.stderr.read()


# ------------------------------------------------------------------ threads


def blas_threads() -> set[int]:
    return {entry["num_threads"] for entry in threadpool_info()}


@pytest.mark.parametrize("method", ["auto", "vbmc"])
def test_we_compute_on_one_thread_and_leave_the_callers_settings_alone(method, monkeypatch) -> None:
    import torch

    from bayescope.engine.methods.vbmc import VbmcMethod

    seen: dict[str, set[int]] = {"function": set(), "ours": set(), "torch": set()}
    loop = DefaultMethod if method == "auto" else VbmcMethod
    real = loop.answer

    def update(self):
        seen["ours"] |= blas_threads()
        seen["torch"].add(torch.get_num_threads())
        return real(self)

    def density(x: np.ndarray) -> float:
        seen["function"] |= blas_threads() | {torch.get_num_threads()}
        return gaussian(x)

    monkeypatch.setattr(loop, "answer", update)
    before = torch.get_num_threads()
    try:
        with threadpool_limits(limits=2):
            torch.set_num_threads(2)
            infer(density, BOX, max_evaluations=12, method=method)
            with pytest.raises(ValueError, match="nothing"):
                infer(lambda x: None, BOX, max_evaluations=12, method=method)
            assert blas_threads() == {2}
            assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    assert seen == {"function": {2}, "ours": {1}, "torch": {1}}


@pytest.mark.loops
def test_two_callers_at_once_leave_the_settings_as_they_were() -> None:
    from concurrent.futures import ThreadPoolExecutor

    with threadpool_limits(limits=2), ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(infer, gaussian, BOX, None, 6, seed) for seed in range(2)]
        assert all(run.result().n_evaluations == 6 for run in runs)
        assert os.environ.get("OMP_NUM_THREADS") in (None, "1")
        assert blas_threads() == {2}


# ------------------------------------------------------------------ random, but taken for exact


def counted(density):
    """``density`` with the list of points it was asked for."""
    points: list[tuple[float, ...]] = []

    def call(x):
        points.append(tuple(x))
        return density(x)

    return call, points


@pytest.mark.parametrize("noisy", [None, False])
def test_a_random_density_that_is_taken_for_exact_is_refused_at_its_first_point_with_both_ways_out(noisy) -> None:
    rng = np.random.default_rng(1)
    density, points = counted(lambda x: float(-0.5 * x @ x + 0.3 * rng.standard_normal()))
    with pytest.raises(RandomDensity, match="at the same point it returned") as refused:
        infer(density, plausible=[(-3, 3)] * 2, max_evaluations=30, noisy=noisy)
    assert len(points) == 2
    assert points[0] == points[1]
    assert "noisy=True" in str(refused.value)
    assert "fix its random seed" in str(refused.value)
    assert isinstance(refused.value, ValueError)


def test_an_exact_density_is_evaluated_once_more_than_it_counts() -> None:
    density, points = counted(lambda x: float(-0.5 * x @ x))
    r = infer(density, plausible=[(-3, 3)] * 2, max_evaluations=14)
    assert len(points) == r.n_evaluations + 1
    assert points[0] == points[1]
    assert len(set(points)) == r.n_evaluations


@pytest.mark.parametrize("noisy", [None, True])
def test_a_density_that_says_it_is_random_is_not_evaluated_twice(noisy) -> None:
    rng = np.random.default_rng(1)

    def density(x):
        value = float(-0.5 * x @ x + 0.3 * rng.standard_normal())
        return (value, 0.3) if noisy is None else value

    density, points = counted(density)
    r = infer(density, plausible=[(-3, 3)], max_evaluations=14, noisy=noisy)
    assert len(points) == r.n_evaluations == 14


def test_the_first_value_is_what_is_evaluated_twice_where_the_first_points_fail() -> None:
    rng, calls = np.random.default_rng(1), []

    def density(x):
        calls.append(tuple(x))
        if len(calls) == 1:
            raise RuntimeError("no licence")
        return -np.inf if len(calls) == 2 else float(-0.5 * x @ x + 0.3 * rng.standard_normal())

    with pytest.raises(RandomDensity):
        infer(density, plausible=[(-3, 3)], max_evaluations=30)
    assert calls[2] == calls[3]
    assert len(calls) == 4


def test_values_that_differ_by_rounding_are_the_same() -> None:
    rng = np.random.default_rng(1)
    r = infer(lambda x: float(-1e6 - 0.5 * x @ x + 1e-7 * rng.standard_normal()), plausible=[(-3, 3)], max_evaluations=9)
    assert r.n_evaluations == 9
