"""Seconds of computing are counted for the device that spent them, and said in words."""

from __future__ import annotations

import threading

import numpy as np
import pytest
import torch

from bayescope.engine.answer.computing_words import device_words, time_words
from bayescope.engine.loop_interface import Archive, LoopSettings
from bayescope.engine.machine.computing_time import PROCESSOR, ComputingTime, counted_now
from bayescope.engine.machine.devices import computing_on
from bayescope.engine.methods.loops import make_loop

needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="no graphics processor")


class Clocks:
    """``work`` seconds of the processor, or seconds in which it waits."""

    def __init__(self) -> None:
        self.processor = self.wall = 0.0

    def work(self, seconds: float) -> None:
        self.processor += seconds
        self.wall += seconds

    def wait(self, seconds: float) -> None:
        self.wall += seconds


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


@pytest.fixture
def spent(clocks: Clocks) -> ComputingTime:
    return ComputingTime(lambda: clocks.processor, lambda: clocks.wall)


def test_work_counts_for_the_processor_and_waiting_for_nothing_does_not(clocks: Clocks, spent: ComputingTime) -> None:
    with spent.counting():
        clocks.work(3.0)
        clocks.wait(10.0)  # another program had the processor
    clocks.work(5.0)  # of nobody
    assert spent.seconds == {PROCESSOR: 3.0}


def test_a_stretch_on_a_graphics_processor_counts_for_it_until_it_is_done_and_not_for_the_processor(
    clocks: Clocks, spent: ComputingTime
) -> None:
    for _ in range(2):
        with spent.counting():
            clocks.work(1.0)
            with spent.on_device("A card"):
                clocks.work(0.5)  # handing over
                clocks.wait(2.5)
    assert spent.seconds == pytest.approx({PROCESSOR: 2.0, "A card": 6.0})
    assert device_words(spent.seconds) == "A card: 75 % of the computing"
    assert time_words(spent.seconds) == "Computing: 2.0 s on the processor, 6.0 s on A card."


def test_work_that_fails_has_been_done_all_the_same(clocks: Clocks, spent: ComputingTime) -> None:
    def fail() -> None:
        clocks.work(1.0)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), spent.counting(), spent.on_device("A card"):
        fail()
    assert spent.seconds == pytest.approx({PROCESSOR: 0.0, "A card": 1.0})
    assert counted_now() is None


def test_every_run_counts_its_own_thread(clocks: Clocks, spent: ComputingTime) -> None:
    seen: list[ComputingTime | None] = []
    with spent.counting():
        other = threading.Thread(target=lambda: seen.append(counted_now()))
        other.start()
        other.join()
        assert counted_now() is spent
    assert seen == [None]


def test_what_runs_on_the_processor_is_never_called_a_graphics_processor(spent: ComputingTime) -> None:
    with spent.counting(), computing_on(torch.device("cpu")):
        torch.ones(3).sum()
    assert set(spent.seconds) == {PROCESSOR}
    assert device_words({PROCESSOR: 1.0}) == "Computes on the processor"
    assert device_words({}) == time_words({}) == ""


@pytest.mark.parametrize(("card", "words"), [(0.001, "less than 1 %"), (0.63, "63 %"), (0.999, "nearly all")])
def test_shares_are_said_as_a_person_would(card: float, words: str) -> None:
    assert device_words({PROCESSOR: 1.0 - card, "NVIDIA H200": card}) == f"NVIDIA H200: {words} of the computing"


@needs_cuda
def test_fits_to_an_archive_on_the_graphics_processor_are_announced_as_its_work() -> None:
    x = np.random.default_rng(0).normal(0, 2, (60, 2))
    archive = Archive(x, -0.5 * np.square(x).sum(1), np.zeros(60))
    settings = LoopSettings(
        np.full(2, -3.0), np.full(2, 3.0), max_evaluations=0, archive=archive, device="cuda", options={"max_components": 2}
    )
    spent = ComputingTime()
    with spent.counting():
        make_loop("svbmc", settings).update()
    assert spent.seconds[torch.cuda.get_device_name()] > 0.0
    assert spent.seconds[PROCESSOR] > 0.0
