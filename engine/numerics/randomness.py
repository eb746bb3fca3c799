"""Random generators keyed by (seed, purpose, counter): same key, same draws, whatever happened before."""

from __future__ import annotations

import zlib

import numpy as np


def generator(seed: int, purpose: str, *counters: int) -> np.random.Generator:
    """A generator that depends on its arguments alone. ``counters`` must be non-negative integers."""
    key = (zlib.crc32(purpose.encode()), *counters)
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
