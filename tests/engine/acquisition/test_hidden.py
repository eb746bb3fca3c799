"""What may be hidden where an emulator is not sure: against integrals that are known, and what a run there takes away."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from bayescope.engine.acquisition.hidden import hidden, next_place
from bayescope.engine.acquisition.outputs import UNSURE_ABOVE
from bayescope.engine.feasibility.classifier import Feasibility
from bayescope.engine.sampling.guarded_density import Hull
from bayescope.engine.surrogate.frames import Whitening
from bayescope.engine.surrogate.outputs.log_joint import EmulatedLogJoint
from tests.engine.methods.default.test_outputs import Run, decay, run_of_18

Array = NDArray[np.float64]


def nowhere(places: Array) -> Array:
    return np.full(len(places), -np.inf)


def everywhere(dimension: int) -> tuple[Hull, Feasibility]:
    none = np.empty((0, dimension))
    return Hull(np.full(dimension, -5.0), np.full(dimension, 5.0)), Feasibility(Whitening.none(dimension), none, none, none)


@pytest.mark.parametrize(("dimension", "sd"), [(1, 0.01), (2, 0.03), (3, 0.06), (5, 0.2)])
def test_the_mass_of_a_narrow_mode_that_is_hidden_is_its_integral(dimension: int, sd: float) -> None:
    """Between even places, whose neighbours are told from it by many nats."""
    centre = np.linspace(-1.3, 1.1, dimension)

    def predicted(places: Array) -> tuple[Array, Array]:
        return -0.5 * np.square((places - centre) / sd).sum(1), np.full(len(places), 100.0)

    log_mass = dimension * np.log(sd * np.sqrt(2.0 * np.pi))
    found = [
        hidden(predicted, nowhere, log_mass, *everywhere(dimension), np.random.default_rng(seed)).mass for seed in range(8)
    ]
    assert np.mean(found) == pytest.approx(1.0, abs=0.15)
    assert np.std(found) < 0.4


@pytest.mark.parametrize("spread", [0.5 * UNSURE_ABOVE, 100.0])
def test_what_is_sure_or_explained_is_not_hidden(spread: float) -> None:
    def predicted(places: Array) -> tuple[Array, Array]:
        return np.zeros(len(places)), np.full(len(places), spread)

    known = nowhere if spread < UNSURE_ABOVE else lambda places: np.zeros(len(places))
    assert hidden(predicted, known, 0.0, *everywhere(2), np.random.default_rng(1)).mass == 0.0


@pytest.mark.loops
def test_the_next_run_lies_where_the_emulator_is_not_sure_and_one_under_way_hides_less() -> None:
    method = run_of_18().loop.method
    surrogate, region = method.surrogate, (method.hull, method._possible)
    assert isinstance(surrogate, EmulatedLogJoint)
    found = hidden(surrogate.with_tails, nowhere, 0.0, *region, np.random.default_rng(2))
    place = next_place(surrogate, found, np.random.default_rng(3))
    assert method.hull.contains(place[None])[0]
    assert surrogate.spread(place[None])[0] > UNSURE_ABOVE
    after = surrogate.with_pending(place[None])
    assert hidden(after.with_tails, nowhere, 0.0, *region, np.random.default_rng(2)).mass < found.mass


@pytest.mark.loops
def test_runs_too_far_from_the_data_to_be_fitted_to_hide_nothing_about_them() -> None:
    run = Run(decay, budget=26, stop=False, final_draws=1024)
    run.go()
    surrogate = run.loop.method.surrogate
    assert isinstance(surrogate, EmulatedLogJoint)
    far = np.setdiff1d(np.arange(len(surrogate.b)), surrogate.kept)
    assert len(far) > 0
    every = surrogate.with_all_runs()
    assert surrogate.known is not None
    assert surrogate.known.outputs is not None
    outputs = torch.as_tensor(surrogate.known.outputs[far])
    told = every.emulator.components.scores(outputs)
    torch.testing.assert_close(every.emulator.mean(every.inputs(every.b[far])), told, rtol=0.02, atol=0.05)
    assert np.all(every.spread(every.b[far]) < 0.1 * surrogate.spread(surrogate.b[far]) + UNSURE_ABOVE)
    assert np.all(every.spread(surrogate.b) <= surrogate.spread(surrogate.b) + 1e-9)
