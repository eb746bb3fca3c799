"""The default and the noisy loop's surrogate with its arrays on a device gives what it gives in numpy."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from bayescope.engine.loop_interface import LoopSettings, Tell
from bayescope.engine.machine import devices
from bayescope.engine.machine.devices import ONE_THREAD, card_for
from bayescope.engine.methods.loops import make_loop
from bayescope.engine.numerics.arrays import Values, to_numpy
from bayescope.engine.sampling.kept_draws import KeptDraws
from bayescope.engine.sampling.proposal import Proposal
from bayescope.engine.surrogate.frames import Whitening
from bayescope.engine.surrogate.noisy.polynomial import QuarticKernel, QuarticSurrogate
from bayescope.engine.surrogate.noisy.shape_correction import ShapeCorrection
from bayescope.engine.surrogate.quadratic import kernel, posterior
from bayescope.engine.surrogate.quadratic.posterior import QuadraticSurrogate

Array = NDArray[np.float64]
D = 3


def surrogates(kind: str, *sizes: int) -> list[QuadraticSurrogate]:
    """Of the first so many of the same data."""
    rng = np.random.default_rng(0)
    b = rng.standard_normal((max(sizes), D))
    y = -np.square(b).sum(1) - 0.3 * np.sin(3.0 * b[:, 0])
    frame = Whitening(np.full(D, 0.1), np.linalg.cholesky(np.eye(D) + 0.3))
    theta, frames = kernel.prior_of(D)[0], kernel.Frames(frame, frame, "rough" if kind == "rough" else "smooth")
    if kind == "quartic":
        made = QuarticKernel(theta, frames, np.array([-1.0, -1.5]))
        return [QuarticSurrogate(made, b[:n], y[:n] - y.max(), np.full(n, 1e-2)) for n in sizes]
    return [QuadraticSurrogate(kernel.Kernel(theta, frames), b[:n], y[:n] - y.max(), np.full(n, 1e-2)) for n in sizes]


@pytest.fixture(params=["smooth", "rough", "quartic"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def points() -> Array:
    return np.random.default_rng(1).normal(0.0, 2.0, (700, D))


def test_mean_and_variance_are_those_of_numpy(kind: str, points: Array, device: torch.device) -> None:
    (surrogate,) = surrogates(kind, 30)
    there, x = surrogate.on(device), torch.as_tensor(points, device=device)
    mean = there.mean_given(x, there.distance_covariance(there.b, x))
    assert mean.device.type == device.type
    np.testing.assert_allclose(to_numpy(mean), surrogate.mean(points), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(to_numpy(there.conditioned(x).variance), surrogate.variance(points), rtol=1e-7, atol=1e-9)


def test_covariances_and_further_data_are_those_of_numpy(kind: str, points: Array, device: torch.device) -> None:
    first, more = surrogates(kind, 30, 33)
    x = torch.as_tensor(points, device=device)
    here = more.conditioned_further(first.conditioned(points, more=2))
    there = more.on(device).conditioned_further(first.on(device).conditioned(x, more=2))
    np.testing.assert_allclose(to_numpy(there.variance), here.variance, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(
        to_numpy(more.on(device).covariance(there, there)), more.covariance(here, here), rtol=1e-6, atol=1e-6
    )


def test_kept_draws_weighted_there_are_those_weighted_here(points: Array, device: torch.device, monkeypatch) -> None:
    first, more = surrogates("rough", 30, 34)
    proposal, log_q = Proposal(np.ones(1), np.zeros((1, D)), np.eye(D)[None]), np.zeros(len(points))
    here = KeptDraws.of(points, log_q, proposal, first)
    monkeypatch.setattr(posterior, "card_for", lambda *_, **__: device)
    there = KeptDraws.of(points, log_q, proposal, first)
    assert there.rows.device.type == device.type
    everywhere = np.arange(len(points))
    for surrogate in (first, more):
        np.testing.assert_allclose(there.mean(surrogate), here.mean(surrogate), rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(there.sd(surrogate, everywhere), here.sd(surrogate, everywhere), rtol=1e-6, atol=1e-8)


def test_the_shape_correction_is_that_of_numpy(points: Array, device: torch.device, monkeypatch) -> None:
    (surrogate,) = surrogates("quartic", 30)
    shape = ShapeCorrection.of(surrogate, points[:100])
    here = shape.log_correction(points)
    monkeypatch.setattr(posterior, "card_for", lambda *_, **__: device)
    np.testing.assert_allclose(shape.log_correction(points), here, rtol=1e-7, atol=1e-8)


def test_no_tensor_is_made_elsewhere_and_none_comes_back_before_the_end(kind: str, points: Array, device, monkeypatch) -> None:
    """Tensors made without a word of where would be on "meta", which mixes with nothing; coming back is refused."""
    (surrogate,) = surrogates(kind, 30)
    there, x = surrogate.on(device), torch.as_tensor(points, device=device)

    def refused(*_: object, **__: object) -> Values:
        raise AssertionError("a tensor left its device")

    for way in ("cpu", "numpy", "__array__", "tolist", "item"):
        monkeypatch.setattr(torch.Tensor, way, refused)
    with torch.device("meta"):
        mean = there.mean_given(x, there.distance_covariance(there.b, x))
        ready = there.conditioned(x)
        again = there.covariance(ready, ready)
    monkeypatch.undo()
    assert mean.device.type == ready.variance.device.type == again.device.type == device.type


@pytest.mark.loops
@pytest.mark.parametrize("noisy", [False, True])
def test_a_whole_run_with_tensors_asks_for_the_points_of_one_without(noisy: bool, device: torch.device, monkeypatch) -> None:
    here, there = asked_points(noisy), []
    used: list[int] = []

    def card(wanted: str, points: int, *_: object, **__: object) -> torch.device:
        used.append(points)
        return device

    monkeypatch.setattr(posterior, "card_for", card)
    there = asked_points(noisy)
    assert max(used) >= 1000
    np.testing.assert_allclose(there, here, rtol=1e-4, atol=1e-4)


def asked_points(noisy: bool) -> Array:
    settings = LoopSettings(
        np.full(2, -3.0), np.full(2, 3.0), seed=1, max_evaluations=24, noisy=noisy, options={"final_draws": 1000}
    )
    loop, rng, asked = make_loop("default", settings), np.random.default_rng(0), []
    while not loop.finished:
        for ask in loop.ask(1):
            asked.append(ask.u)
            y = -0.5 * float(np.square(ask.u - 0.5).sum()) - 0.1 * float(ask.u[0] ** 4)
            loop.tell(Tell(ask.index, ask.u, y + noisy * 0.3 * float(rng.standard_normal()), 0.3 * noisy))
        loop.update()
    return np.array(asked)


def test_a_card_computes_only_what_gains_by_it_unless_it_is_asked_for(monkeypatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "current_device", lambda: 0)
    monkeypatch.setattr(devices, "_rate", lambda _: 100 * ONE_THREAD)
    a_second, card = ONE_THREAD, torch.device("cuda")
    assert card_for("auto", 10_000, a_second, 1e6) == card
    assert card_for("auto", 10_000, 1e-4 * a_second, 1e6) is None, "starting it takes longer"
    assert card_for("cuda", 10_000, 1e-4 * a_second, 1e6) == card
    assert card_for("cuda", 10, a_second, 1e6) is None, "a few points are never sent anywhere"
    assert card_for("cpu", 10_000, a_second, 1e6) is None
    monkeypatch.setattr(devices, "_rate", lambda _: 0.5 * ONE_THREAD)
    assert card_for("auto", 10_000, a_second, 1e6) is None, "a card that is slow in float64"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert card_for("cuda", 10_000, a_second, 1e6) is None
