"""Learnt outputs off a narrow ridge of runs: bands as wide as they are wrong, or said to be a guess."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from bayescope.engine.answer.predictions.off_runs import FEWEST, OffRuns
from bayescope.engine.surrogate.outputs.emulator import Emulator, Form, Runs
from bayescope.engine.surrogate.outputs.shown import light

Array = NDArray[np.float64]
T = np.linspace(0.0, 10.0, 24)
SD = 0.02
MEAN = np.array([1.0, 0.8])


def program(x: Array) -> Array:
    """An epidemic wave (n, 24): only the difference of its two rates is well known."""
    growth = x[:, :1] - x[:, 1:]
    return np.asarray(x[:, 1:] / np.cosh(2.0 * growth * (T - 4.0 / np.maximum(5.0 * growth, 0.1))) ** 2)


@pytest.fixture(scope="module")
def learnt() -> tuple[Array, Array, object, OffRuns]:
    rng = np.random.default_rng(3)
    along, off = rng.normal(size=60), rng.normal(size=60)
    ridge = MEAN + 0.04 * along[:, None] + 0.003 * off[:, None] * np.array([1.0, -1.0])
    inputs = np.concatenate([ridge, rng.uniform([0.5, 0.3], [1.5, 1.3], (20, 2))])
    cells, measured = program(inputs), program(MEAN[None])[0]
    units = np.full(len(T), SD)
    to = torch.as_tensor
    runs = Runs(to(inputs), to(cells), to(measured), to(units), (torch.arange(len(T)),))
    emulator = light(Emulator.of(runs, Form(), None, True))
    tested = OffRuns.of(emulator, units, (slice(0, len(T)),), inputs, cells)
    assert tested is not None
    return inputs, cells, emulator, tested


def replayed(emulator, tested: OffRuns, at: Array) -> tuple[Array, Array, Array]:
    """Whether each place is known, the share of rows within the band there, and within that of the emulator alone."""
    known, inside, alone = [], [], []
    for x, true in zip(at, program(at), strict=True):
        middle, high = (a[0] for a in emulator.band(x[None])[1:])
        least, near = tested.at((x - emulator.centre) / emulator.width, middle)
        known.append(near)
        inside.append(np.mean(np.abs(true - middle) <= np.hypot(high - middle, least)))
        alone.append(np.mean(np.abs(true - middle) <= high - middle))
    return np.array(known), np.array(inside), np.array(alone)


def test_replayed_over_the_range_of_the_sliders_rows_lie_within_the_band_or_it_is_said_that_it_is_a_guess(learnt) -> None:
    _, _, emulator, tested = learnt
    at = np.random.default_rng(5).uniform(MEAN - 0.16, MEAN + 0.16, (60, 2))
    known, inside, alone = replayed(emulator, tested, at)
    assert (~known).mean() > 0.3
    assert inside[~known].mean() > 0.6  # a guess, but its band is no lie
    assert inside.mean() > alone.mean()
    if known.any():
        assert inside[known].mean() > 0.8


def test_along_the_ridge_the_curve_is_known_and_rows_lie_within_its_band(learnt) -> None:
    _, _, emulator, tested = learnt
    rng = np.random.default_rng(6)
    at = MEAN + 0.04 * rng.normal(size=(40, 1)) + 0.003 * rng.normal(size=(40, 1)) * np.array([1.0, -1.0])
    known, inside, _ = replayed(emulator, tested, at)
    assert known.mean() > 0.9
    assert inside[known].mean() > 0.8


def test_of_a_few_runs_nothing_is_said(learnt) -> None:
    inputs, cells, emulator, _ = learnt
    few = FEWEST - 1
    assert OffRuns.of(emulator, np.full(len(T), SD), (slice(0, len(T)),), inputs[:few], cells[:few]) is None
    assert OffRuns.of(emulator, np.full(len(T), SD), (slice(0, len(T)),), inputs, np.full_like(cells, np.nan)) is None
