"""Where large linear algebra runs: on the graphics processor if there is one and the problem is large enough to gain by it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import torch

from .computing_time import counted_now

Device = Literal["auto", "cpu", "cuda"]

WORTH_IT = 1_500  # values from which a graphics processor beats one thread; below, moving data costs more than it saves


def compute_device(wanted: Device, values: int) -> torch.device:
    """The device for a fit to ``values`` points. "cuda" without one, or with too little to do under "auto", means the CPU."""
    if wanted == "cpu" or not torch.cuda.is_available():
        return torch.device("cpu")
    return torch.device("cuda" if wanted == "cuda" or values >= WORTH_IT else "cpu")


@contextmanager
def computing_on(device: torch.device) -> Iterator[None]:
    """Around work whose tensors are on ``device``: its seconds are counted as that device's, for the run that computes."""
    run = counted_now()
    if device.type == "cpu" or run is None:
        yield
        return
    with run.elsewhere(torch.cuda.get_device_name(device)):
        try:
            yield
        finally:
            torch.cuda.synchronize(device)


def missing(wanted: Device) -> str:
    """A sentence if a graphics processor was asked for and there is none; else empty."""
    if wanted == "cuda" and not torch.cuda.is_available():
        return "No CUDA graphics processor was found; everything is computed on the processor instead. The answer is the same."
    return ""
