"""What slice sampling remembers: four chains, thinned as they grow, and its exact round trip through plain arrays."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...loop_interface import State

Array = NDArray[np.float64]

MOST_KEPT = 800  # sweeps of a chain that are remembered; then every second one


@dataclass
class Chain:
    """``x`` (D,), ``f``: state at the beginning of the present sweep; ``told``: values of this sweep so far.

    ``kept``: rows (x, f) after every ``stride`` sweeps.
    """

    x: Array
    f: float
    covariance: Array  # (D, D) that scales the directions of the present sweep
    sweeps: int = 0
    stride: int = 1
    told: list[float] = field(default_factory=list)
    kept: list[Array] = field(default_factory=list)

    def end_sweep(self, x: Array, f: float) -> None:
        self.x, self.f, self.told, self.sweeps = np.asarray(x, dtype=float), float(f), [], self.sweeps + 1
        if self.sweeps % self.stride == 0:
            self.kept.append(np.append(self.x, self.f))
        if len(self.kept) > MOST_KEPT:
            self.kept = self.kept[1::2]
            self.stride *= 2

    @property
    def kept_points(self) -> Array:
        return np.array(self.kept).reshape(-1, len(self.x) + 1)[:, :-1]

    def rows(self, after: int, upto: int, stride: int) -> Array:
        """(n, D + 1) states after the sweeps in (after, upto] that are multiples of ``stride``."""
        numbers = np.arange(1, len(self.kept) + 1) * self.stride
        wanted = (numbers > after) & (numbers <= upto) & (numbers % stride == 0)
        found: Array = np.array(self.kept).reshape(-1, len(self.x) + 1)[wanted]
        return found


@dataclass
class Memory:
    """``pending``: index of an ask -> chain, -1 for the design."""

    budget: int
    covariance: Array
    chains: list[Chain] = field(default_factory=list)
    design: dict[int, tuple[Array, float]] = field(default_factory=dict)
    pending: dict[int, int] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    next_index: int = 0
    told: int = 0
    announced: int = 0
    adapt_at: int = 4
    converged: bool = False

    def count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1

    def draws(self) -> tuple[Array, Array]:
        """Second halves of all chains, of equal length: points (C, S, D) and log densities (C, S)."""
        done = min(c.sweeps for c in self.chains)
        stride = max(c.stride for c in self.chains)
        rows = np.stack([c.rows(done // 2, done, stride) for c in self.chains])
        return rows[:, :, :-1], rows[:, :, -1]

    def to_state(self) -> State:
        return {
            "budget": self.budget,
            "covariance": self.covariance.copy(),
            "chains": [
                {
                    "x": c.x.copy(), "f": c.f, "covariance": c.covariance.copy(), "sweeps": c.sweeps, "stride": c.stride,
                    "told": np.array(c.told, dtype=float), "kept": np.array(c.kept, dtype=float).reshape(-1, len(c.x) + 1),
                }
                for c in self.chains
            ],
            "design": [] if self.chains else [{"index": i, "u": u.copy(), "y": y} for i, (u, y) in self.design.items()],
            "pending": [[i, c] for i, c in self.pending.items()],
            "counts": dict(self.counts),
            "numbers": [self.next_index, self.told, self.announced, self.adapt_at, int(self.converged)],
        }  # fmt: skip

    @staticmethod
    def of_state(state: State) -> Memory:
        numbers = [int(v) for v in state["numbers"]]
        return Memory(
            budget=int(state["budget"]),
            covariance=_array(state["covariance"]),
            chains=[
                Chain(
                    _array(c["x"]), float(c["f"]), _array(c["covariance"]), int(c["sweeps"]), int(c["stride"]),
                    [float(v) for v in np.asarray(c["told"])], list(_array(c["kept"])),
                )
                for c in state["chains"]
            ],
            design={int(d["index"]): (_array(d["u"]), float(d["y"])) for d in state["design"]},
            pending={int(i): int(c) for i, c in state["pending"]},
            counts={str(k): int(v) for k, v in state["counts"].items()},
            next_index=numbers[0], told=numbers[1], announced=numbers[2], adapt_at=numbers[3], converged=bool(numbers[4]),
        )  # fmt: skip


def _array(value: object) -> Array:
    return np.array(value, dtype=np.float64)
