from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

from bayescope.engine.diagnostics.metrics import gskl
from bayescope.engine.loop_interface import Cancelled, LoopSettings, LoopSnapshot, Tell
from bayescope.engine.methods.ask_tell import AskTellLoop
from bayescope.engine.methods.bvbmc import BvbmcMethod
from bayescope.engine.methods.vbmc import VbmcMethod
from bayescope.engine.sampling.mixture import GaussianMixture

Density = Callable[[np.ndarray], float | None]
LOOPS = {"bvbmc": (BvbmcMethod, {"design_per_dimension": 5.0}), "vbmc": (VbmcMethod, {})}


def make(name: str, dimension: int = 2, budget: int = 40, **more):
    kind, options = LOOPS[name]
    box = 3.0 * np.ones(dimension)
    return AskTellLoop(kind(LoopSettings(-box, box, seed=3, max_evaluations=budget, options={**options, **more})))


def drive(loop, density: Density, evaluations: int, at_once: int = 1, look: bool = False) -> LoopSnapshot | None:
    """Ask, evaluate, tell until ``evaluations`` more are told or the loop ends; the answer then. ``look``: update every time."""
    last, done = None, 0
    while done < evaluations and not loop.finished:
        asks = loop.ask(min(at_once, evaluations - done))
        if not asks:
            break
        for ask in asks:
            y = density(ask.u)
            loop.tell(Tell(ask.index, ask.u, y))
            done += 1
        if look:
            last = loop.update() or last
    return loop.update() or last


COVARIANCE = np.array([[1.0, 0.6], [0.6, 0.5]])


def gaussian(u: np.ndarray) -> float:
    z = u - np.array([1.0, -0.5])
    return float(-0.5 * z @ np.linalg.solve(COVARIANCE, z) + 2.0)


LOG_Z = 2.0 + 0.5 * np.linalg.slogdet(2 * np.pi * COVARIANCE)[1]


def assert_same(a: object, b: object) -> None:
    """Equal to the last bit, nested."""
    if isinstance(a, dict):
        assert isinstance(b, dict)
        assert a.keys() == b.keys()
        for key in a:
            assert_same(a[key], b[key])
    elif isinstance(a, list | tuple):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            assert_same(x, y)
    elif isinstance(a, np.ndarray):
        np.testing.assert_array_equal(a, b)
    else:
        assert a == b or (a != a and b != b)


@pytest.mark.parametrize("name", sorted(LOOPS))
def test_a_correlated_gaussian_is_found(name):
    answer = drive(make(name, budget=45 if name == "vbmc" else 25), gaussian, 45)
    assert answer is not None
    q = GaussianMixture.of(answer.mixture)
    assert gskl(q.mean(), q.covariance(), np.array([1.0, -0.5]), COVARIANCE) < 0.05
    assert abs(answer.log_evidence - LOG_Z) < max(0.05, 3 * answer.log_evidence_sd)
    assert answer.elbo < LOG_Z + 0.05
    assert answer.draws is not None
    np.testing.assert_allclose(answer.draws.weights.sum(), 1.0)
    assert answer.slices is not None
    assert answer.slices.mean.shape == (2, 64)
    assert answer.reasons


@pytest.mark.parametrize("name", sorted(LOOPS))
@pytest.mark.loops
def test_a_restored_loop_goes_on_as_if_it_had_never_stopped(name):
    straight = make(name)
    drive(straight, gaussian, 30)
    asked = straight.ask(1)
    saved = straight.state()

    other = make(name)
    other.restore(saved)
    assert_same(other.state(), saved)
    for loop in (straight, other):
        loop.tell(Tell(asked[0].index, asked[0].u, gaussian(asked[0].u)))
        drive(loop, gaussian, 5)
    assert_same(straight.state(), other.state())


def test_a_saved_state_does_not_change_afterwards():
    loop = make("bvbmc")
    drive(loop, gaussian, 14)
    saved = loop.state()
    told = len(saved["told"])
    drive(loop, gaussian, 2)
    assert len(saved["told"]) == told


@pytest.mark.parametrize("name", sorted(LOOPS))
@pytest.mark.loops
def test_failed_and_impossible_runs_never_enter_the_surrogate(name):
    loop = make(name)

    def half_plane(u: np.ndarray) -> float | None:
        return None if u[0] < -1.0 else gaussian(u)

    answer = drive(loop, half_plane, 20)
    assert answer is not None
    failed = [t for t in loop.method.log.told if t.y is None]
    assert failed
    assert loop.method.surrogate is not None
    assert loop.method.surrogate.train_inputs.shape[0] == len(loop.method.log.told) - len(failed)
    assert any("failed" in reason for reason in answer.reasons)
    assert answer.diagnostics["failed"] == len(failed)


@pytest.mark.loops
def test_values_that_are_no_numbers_count_as_failures():
    loop = make("bvbmc")
    strange = iter([float("nan"), float("inf"), float("-inf")] * 100)
    answer = drive(loop, lambda u: next(strange) if u[1] > 1.0 else gaussian(u), 24)
    assert answer is not None
    assert np.isfinite(answer.elbo)
    assert loop.method.values is not None
    taken = loop.method.memory.counts.get("built on", len(loop.method.log.told))  # fewer while the answer is being checked
    assert len(loop.method.values.failed) + len(loop.method.values.impossible) + loop.method.values.count == taken


@pytest.mark.parametrize("name", sorted(LOOPS))
def test_a_simulator_that_always_fails_ends_with_a_sentence(name):
    answer = drive(make(name, budget=14), lambda u: None, 14)
    assert answer is not None
    assert not answer.converged
    assert "failed" in answer.reasons[0]
    assert np.isnan(answer.log_evidence)


@pytest.mark.parametrize("name", sorted(LOOPS))
@pytest.mark.parametrize(
    "density",
    [lambda u: 1.0, lambda u: -1e7 * float(u[0] > 0.5) - float(u @ u), lambda u: -1e9 * float(u @ u)],
    ids=["constant", "cliff", "needle"],
)
def test_strange_targets_end_with_an_answer(name, density):
    answer = drive(make(name, budget=16), density, 16)
    assert answer is not None
    assert np.all(np.isfinite(answer.mixture.means))
    assert answer.reasons


@pytest.mark.parametrize("name", sorted(LOOPS))
def test_one_dimension_works(name):
    answer = drive(make(name, dimension=1, budget=15), lambda u: float(-0.5 * u @ u), 15)
    assert answer is not None
    assert abs(answer.log_evidence - 0.5 * np.log(2 * np.pi)) < max(0.05, 3 * answer.log_evidence_sd)


@pytest.mark.parametrize("name", sorted(LOOPS))
@pytest.mark.loops
def test_points_asked_together_differ_and_the_budget_is_kept(name):
    loop = make(name, budget=22)
    drive(loop, gaussian, 12)
    asks = loop.ask(4)
    gaps = [np.linalg.norm(a.u - b.u) for i, a in enumerate(asks) for b in asks[:i]]
    assert min(gaps) > 1e-3
    for ask in reversed(asks):  # any order of arrival
        loop.tell(Tell(ask.index, ask.u, gaussian(ask.u)))
    drive(loop, gaussian, 100, at_once=3)
    assert len(loop.method.log.told) == 22
    assert loop.finished
    assert loop.ask(1) == []
    loop.extend(23)
    assert not loop.finished
    assert len(loop.ask(5)) == 1


@pytest.mark.loops
def test_looking_at_the_answer_does_not_change_it():
    watched, unwatched = make("bvbmc", budget=16), make("bvbmc", budget=16)
    drive(watched, gaussian, 16, look=True)
    drive(unwatched, gaussian, 16)
    assert_same(watched.state(), unwatched.state())


@pytest.mark.parametrize("name", sorted(LOOPS))
def test_a_cancelled_update_leaves_the_loop_as_it_was(name):
    loop = make(name)
    drive(loop, gaussian, 11)
    ask = loop.ask(1)[0]
    loop.tell(Tell(ask.index, ask.u, gaussian(ask.u)))
    before = loop.state()
    loop.cancel = threading.Event()
    loop.cancel.set()
    with pytest.raises(Cancelled):
        loop.update()
    assert_same(loop.state(), before)
    loop.cancel = lambda: False
    assert name == "vbmc" or loop.update() is not None


def test_the_users_guess_is_evaluated_first():
    box = np.ones(2)
    loop = AskTellLoop(BvbmcMethod(LoopSettings(-box, box, start=np.array([0.3, 0.4]))))
    np.testing.assert_array_equal(loop.ask(1)[0].u, [0.3, 0.4])


def test_an_unknown_option_is_an_error_in_words():
    with pytest.raises(ValueError, match="has no option"):
        make("bvbmc", colour="red")
    with pytest.raises(ValueError, match="can be"):
        make("bvbmc", kernel="cubic")
    with pytest.raises(ValueError, match="must be"):
        make("vbmc", whitening="often")


@pytest.mark.parametrize(
    "options", [{"kernel": "matern52"}, {"kernel": "se", "acquisition": "mmlt_p"}, {"acquisition": "soft_prop"}]
)
def test_the_papers_choices_can_be_selected(options):
    answer = drive(make("bvbmc", budget=14, **options), gaussian, 14)
    assert answer is not None
    assert abs(answer.log_evidence - LOG_Z) < max(0.5, 3 * answer.log_evidence_sd)


@pytest.mark.loops
def test_noisy_values_are_handled():
    rng = np.random.default_rng(0)
    kind, options = LOOPS["bvbmc"]
    loop = AskTellLoop(kind(LoopSettings(-3 * np.ones(2), 3 * np.ones(2), max_evaluations=18, noisy=True, options=options)))
    while not loop.finished:
        for ask in loop.ask(1):
            loop.tell(Tell(ask.index, ask.u, gaussian(ask.u) + rng.standard_normal(), sd=1.0))
    answer = loop.update()
    assert answer is not None
    assert abs(answer.log_evidence - LOG_Z) < 2.0
