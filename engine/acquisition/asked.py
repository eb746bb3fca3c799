"""No point is asked twice: a deterministic program would only say the same again, and a surrogate learns nothing from it.

Loops that choose points one at a time ask by ``next_asks``, which moves a point that was asked already. Laplace's approximation
plans its points and needs the value at exactly those: it finds in ``same_point`` the one that has it. A slice sampler's points
differ by their nature.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..loop_interface import Ask, Tell

Array = NDArray[np.float64]

ROUNDING = 1e-10  # of the plausible box's width, and of the coordinate: nearer points are the same


class Memory(Protocol):
    """What such a loop remembers of its points."""

    told: list[Tell]
    queue: list[Tell]
    pending: dict[int, tuple[Array, str]]
    next_index: int
    budget: int


def next_asks(
    m: Memory,
    count: int,
    finished: Callable[[], bool],
    choose: Callable[[], tuple[Array, str] | None],
    width: Array,
    repeats: bool,
) -> list[Ask]:
    """Up to ``count`` asks, noted in ``m`` as pending. ``choose``: point (D,) and purpose, or None: wait.

    ``width`` (D,): of the plausible box. ``repeats`` True: values are random, so that a point may be asked again.
    """
    asks: list[Ask] = []
    while len(asks) < count and not finished() and len(m.told) + len(m.pending) < m.budget:
        chosen = choose()
        if chosen is None:
            break
        u, purpose = chosen
        if not repeats:
            points = [t.u for t in (*m.told, *m.queue)] + [u for u, _ in m.pending.values()]
            u = unasked(u, np.array(points, dtype=float).reshape(-1, len(u)), width)
        asks.append(Ask(m.next_index, u, purpose))
        m.pending[m.next_index] = (u, purpose)
        m.next_index += 1
    return asks


def same_point(u: Array, points: Array, width: Array) -> int | None:
    """Row of the first of ``points`` (n, D) that is ``u`` (D,) but for rounding; None: no row is."""
    rows = np.flatnonzero(_gap(u, points, width) <= ROUNDING)
    return int(rows[0]) if len(rows) else None


def unasked(u: Array, asked: Array, width: Array) -> Array:
    """``u`` (D,) itself, unless it is among ``asked`` (n, D): then half way to the nearest of the other points asked.

    Points are dense where the posterior is narrow, so the move suits it; and it leaves no region that is trusted.
    """
    if same_point(u, asked, width) is None:
        return u
    corners = u + width * np.array([[1.0], [-1.0]])  # where nothing else was asked yet
    others = np.concatenate([asked[np.argsort(_gap(u, asked, width), kind="stable")], corners])
    for middle in 0.5 * (u + others):
        if same_point(middle, asked, width) is None:
            return np.asarray(middle, dtype=float)
    return u  # not reached: two corners cannot both have been asked half way


def _gap(u: Array, points: Array, width: Array) -> Array:
    """(n,) largest difference along any axis, in units of the width or of the coordinate, whichever is larger."""
    return np.asarray((np.abs(points - u) / np.maximum(width, np.abs(u))).max(axis=1, initial=0.0))
