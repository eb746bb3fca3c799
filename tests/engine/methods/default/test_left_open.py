"""What of the prior is left open for a further mode of learnt outputs: honest where little is known, small where much is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special

from bayescope.engine.answer.unseen import LEFT_OPEN
from bayescope.engine.library.infer_outputs import OutputInference
from bayescope.engine.loop_interface import Tell
from bayescope.engine.methods.default import left_open as module
from bayescope.engine.methods.default.left_open import LOGISTIC, not_excluded, prior_places, reached
from bayescope.engine.methods.default.outputs import OutputsLearner
from bayescope.engine.methods.default.outputs_memory import OutputsMemory
from bayescope.engine.methods.default.stage import LoopState
from bayescope.engine.numerics.unseen_modes import EXCLUDED, even_places
from bayescope.engine.surrogate.evaluations import Evaluations
from bayescope.engine.surrogate.frames import BoxFrame
from bayescope.engine.surrogate.outputs.log_joint import EmulatedLogJoint
from tests.engine.methods.default.test_outputs import Run, decay, run_of_18

Array = NDArray[np.float64]
T, SD = np.linspace(0.0, 1.0, 12), 0.02


def two_decays(x: Array) -> Array:
    """x (n, 2) in the unit square -> (n, 12): the same where both are exchanged."""
    return np.asarray(np.exp(-6.0 * x[:, :1] * T) + np.exp(-6.0 * x[:, 1:] * T))


def learnt(runs: Array, data: Array) -> tuple[EmulatedLogJoint, Callable[[Array], Array]]:
    """The emulator of ``runs`` (n, 2), and how places become those of its frame."""
    asked = OutputInference(data, SD, {"a": (0.0, 1.0), "b": (0.0, 1.0)})
    settings, space = asked._settings, asked.space
    box = BoxFrame.of(np.asarray(settings.plausible_lower), np.asarray(settings.plausible_upper))
    u, f = space.to_inference(runs), two_decays(runs)
    y = -0.5 * np.square((f - data) / SD).sum(1) + space.log_prior_in_inference(u)
    told = [Tell(i, u[i], float(y[i]), outputs=f[i]) for i in range(len(u))]
    known = Evaluations.of(told, 2, box.into)
    learner = OutputsLearner(settings, box, OutputsMemory(), "outputs")
    learner.fit(known)
    return learner.surrogate(known).with_all_runs(), lambda x: box.into(space.to_inference(x))


def nothing(places: Array) -> Array:
    return np.full(len(places), -np.inf)


def test_the_image_of_a_mode_is_left_open_while_no_run_was_near_it_and_what_runs_surround_is_not() -> None:
    rng = np.random.default_rng(2)
    mode = np.array([[0.7, 0.25]])
    near = np.clip(mode + 0.08 * rng.standard_normal((12, 2)), 0.02, 0.98)
    surrogate, into = learnt(np.concatenate([near, [[0.1, 0.1], [0.9, 0.9], [0.05, 0.6]]]), two_decays(mode)[0])
    image, foreign = into(mode[:, ::-1].copy()), into(np.array([[0.1, 0.1], [0.85, 0.85]]))
    assert not_excluded(surrogate, image, nothing)[0]
    assert not not_excluded(surrogate, foreign, nothing).any()
    assert not not_excluded(surrogate, image, lambda places: np.zeros(len(places)))[0], "the answer explains it"


def test_a_place_is_judged_as_if_everything_were_computed_of_it() -> None:
    rng = np.random.default_rng(4)
    mode = np.array([[0.7, 0.25]])
    surrogate, into = learnt(np.clip(mode + 0.15 * rng.standard_normal((14, 2)), 0.02, 0.98), two_decays(mode)[0])
    places, top = into(rng.random((300, 2))), into(mode)

    def known(places: Array) -> Array:
        return np.asarray(-2.0 * np.square(places - top).sum(1))

    (value, spread), factor = surrogate.with_tails(places), surrogate.log_bayes_factor(places)
    wanted = (factor > np.log(EXCLUDED)) | ~reached(places, surrogate.b)
    wanted &= (spread > module.UNSURE_ABOVE) & (known(places) < np.minimum(value, 0.0) - module.FOREIGN)
    assert 0 < wanted.sum() < len(places)
    np.testing.assert_array_equal(not_excluded(surrogate, places, known), wanted)
    some, same = surrogate.with_tails(places, module.UNSURE_ABOVE)
    np.testing.assert_allclose(some, np.where(spread > module.UNSURE_ABOVE, value, -np.inf), rtol=1e-9, atol=1e-7)
    np.testing.assert_allclose(same, spread, rtol=1e-9)
    np.testing.assert_allclose(surrogate.log_bayes_factor(places, value), factor, rtol=1e-9, atol=1e-7)
    assert not_excluded(surrogate, places[:0], known).shape == (0,)


@pytest.mark.loops
def test_places_where_outputs_are_as_measured_are_excluded_no_more_often_than_is_said() -> None:
    """Runs anywhere, data made at a place drawn afresh: of 40 no more than 5, as a binomial with EXCLUDED has it in .99."""
    rng, wrong = np.random.default_rng(11), 0
    for _ in range(40):
        truth = rng.uniform(0.05, 0.95, (1, 2))
        surrogate, into = learnt(rng.random((10, 2)), two_decays(truth)[0] + SD * rng.standard_normal(len(T)))
        wrong += bool(surrogate.log_bayes_factor(into(truth))[0] < np.log(EXCLUDED))
    assert wrong <= 5


@pytest.fixture(scope="module")
def now() -> LoopState:
    return run_of_18().loop.method._now()


def test_places_stand_for_the_prior(now: LoopState) -> None:
    """Against quantiles of the priors: log-normal with sd 1, uniform up to 5, half-normal of scale .3."""
    places, weights = prior_places(now)
    theta = Run(decay).space.to_user(now.box.back(places))
    for k, median in enumerate((1.0, 2.5, 0.3 * 0.6745)):
        assert weights[theta[:, k] < median].sum() == pytest.approx(0.5, abs=0.06)
    uniform = LOGISTIC * np.log(0.9 / 0.1)
    assert uniform == pytest.approx(2.0), "the end of the plausible range"


def test_of_no_places_nothing_is_computed_where_the_noise_has_a_parameter_too(now: LoopState) -> None:
    surrogate, none = now.surrogate, now.surrogate.b[:0]
    assert isinstance(surrogate, EmulatedLogJoint)
    assert surrogate.cells.noise_values(now.box.back(none)).shape == (0, 1)
    found = [*surrogate.with_tails(none), surrogate.log_bayes_factor(none), *surrogate.predict(none), surrogate.variance(none)]
    found += [surrogate.upper(none, found[0], found[0], 2.0), not_excluded(surrogate, none, nothing)]
    assert all(values.shape == (0,) for values in found)
    everything = not_excluded(surrogate, surrogate.b, lambda places: np.zeros(len(places)))
    assert not everything.any(), "all is explained"


def test_looks_go_to_what_is_left_open(now: LoopState, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "accounted_for", lambda now, mixture: nothing)
    monkeypatch.setattr(module, "UNSURE_ABOVE", 0.0)
    found, rows = module.left_open(now), module.arrays_of(now)[LEFT_OPEN]
    assert 0.0 < found.share < 1.0, "what the answer explains, were it not known"
    assert 0 < len(rows) < len(even_places(3))
    place = found.next_place(now.surrogate.b)
    assert place.tolist() in found.places.tolist()
    assert np.all(np.isin(rows, np.arange(len(even_places(3)))))


def test_a_place_is_reached_within_the_width_of_the_runs_range_in_the_priors_probability() -> None:
    def at(*shares: float) -> np.ndarray:
        return LOGISTIC * special.logit(np.array([shares]).T)

    runs = at(0.45, 0.55)
    assert reached(at(0.36, 0.5, 0.64), runs).all()
    assert not reached(at(0.34, 0.66, 0.99), runs).any()
    assert reached(at(0.001, 0.999), at(0.1, 0.9)).all(), "a design in the plausible range reaches all of the prior"
    assert not reached(np.concatenate([at(0.5), at(0.7)], 1), np.concatenate([runs, runs], 1)).any(), "on every axis"
