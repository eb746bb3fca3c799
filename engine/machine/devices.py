"""Where large linear algebra runs: on the graphics processor if there is one and the problem is large enough to gain by it.

PyTorch takes longer to import than many runs to compute, so it is where there is a card, or something that needs it anyway.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from . import nvidia_driver
from .computing_time import counted_now

if TYPE_CHECKING:
    import torch

Device = Literal["auto", "cpu", "cuda"]
Place: TypeAlias = "torch.device | None"  # of a piece of arithmetic; None: the processor, in numpy

WORTH_IT = 750  # values from which a graphics processor beats one thread; below, moving data costs more than it saves


_driver_is_seen = cache(nvidia_driver.is_seen)


def has_card() -> bool:
    """There is a graphics processor that PyTorch can compute on."""
    if "torch" not in sys.modules and not _driver_is_seen():
        return False
    import torch

    return torch.cuda.is_available()


def compute_device(wanted: Device, values: int) -> torch.device:
    """The device for a fit to ``values`` points. "cuda" without one, or with too little to do under "auto", means the CPU."""
    return _card_or_processor(wanted, values >= WORTH_IT)


def batch_device(wanted: Device) -> torch.device:
    """The device for fits to few points that are many at a time: they fill a card however few the points are."""
    return _card_or_processor(wanted, True)


def _card_or_processor(wanted: Device, enough: bool) -> torch.device:
    """Under "auto" a card only with enough to do, and if it is no slower in float64 than the processor."""
    import torch

    if wanted == "cpu" or not has_card():
        return torch.device("cpu")
    chosen = wanted == "cuda" or (enough and _rate(torch.cuda.current_device()) > ONE_THREAD)
    return torch.device("cuda" if chosen else "cpu")


# What a card gains is reckoned, not timed: the choice, and so every digit, is the same each time a run is restored.
ONE_THREAD = 4.5e10  # multiply-adds a second of a processor's thread (measured, tests/benchmarks/README.md)
FULL_RATE, LOW_RATE = 64, 2  # multiply-adds in float64 of a multiprocessor per cycle: cards for computing, all others
FOR_COMPUTING = frozenset({(6, 0), (7, 0), (8, 0), (9, 0), (10, 0)})  # their compute capabilities, by NVIDIA's tables
CYCLES = 1.5e9  # a second
REACHED = 0.25  # of those rates, as matrices here are small
CALL = 1e-3  # seconds: about a hundred kernels to start, and the wait for the last
BUS = 5e9  # bytes a second
FEWEST = 256  # points: fewer are never sent anywhere, whoever asked for it


def card_for(wanted: Device, points: int, work: float, moved: float) -> Place:
    """The graphics processor, if it is to compute something for so many points; None: the processor is.

    ``work``: multiply-adds in float64; ``moved``: bytes to it. Under "auto" only where it is reckoned to be sooner.
    """
    if wanted == "cpu" or points < FEWEST or not has_card():
        return None
    import torch

    card = torch.device("cuda")
    sooner = CALL + moved / BUS + work / _rate(torch.cuda.current_device()) < work / ONE_THREAD
    return card if wanted == "cuda" or sooner else None


@cache
def _rate(number: int) -> float:
    """Multiply-adds a second in float64 of card ``number``."""
    import torch

    card = torch.cuda.get_device_properties(number)
    per_cycle = FULL_RATE if (card.major, card.minor) in FOR_COMPUTING else LOW_RATE
    return float(REACHED * CYCLES * per_cycle * card.multi_processor_count)


@contextmanager
def computing_on(place: Place) -> Iterator[None]:
    """Around work whose arrays are at ``place``: its seconds are counted as that device's, for the run that computes."""
    run = counted_now()
    if place is None or place.type == "cpu" or run is None:
        yield
        return
    import torch

    with run.on_device(torch.cuda.get_device_name(place)):
        try:
            yield
        finally:
            torch.cuda.synchronize(place)


def moved(array: Any, place: Place) -> Any:
    """A numpy array, as it is or as a tensor at ``place``."""
    if place is None:
        return array
    import torch

    return torch.as_tensor(array, device=place)


def missing(wanted: Device) -> str:
    """A sentence if a graphics processor was asked for and there is none; else empty."""
    if wanted == "cuda" and not has_card():
        return "No CUDA graphics processor was found; everything is computed on the processor instead. The answer is the same."
    return ""
