"""A climb from far below the peak, where values span more than a surrogate can hold (log densities from -10^6 up).

    the highest values, divided by a temperature so that they span SPAN nats -> Bayesian regression on gradient and curvature
    -> Newton's step on a draw from it (``local_climb``), within a radius that grows with success and shrinks with failure;
       how rough the values are about a quadratic, and how much narrower it is in some directions than in others: by evidence
    -> where the peak is known better than it is wide: a draw from that peak, which tells of its shape
    ended when the temperature is about 1, or falls no more

Divided by a temperature, and not ranked: chi^2 of millions is a smooth bowl that ranks would flatten; the same bowl with
larger errors of measurement is as easy as any (measured beside: tests/benchmarks/boxes.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..loop_interface import State
from ..surrogate.evaluations import IMPOSSIBLE_BELOW
from .local_climb import FLATTEST, NEAREST, LocalQuadratic, within

Array = NDArray[np.float64]

HOPELESS = 300.0  # nats below the best that the better half of a first design lies at, in the median: the climb begins
SPAN = 30.0  # nats that the values regressed on span, divided by their temperature
NEAR_ENOUGH = 3.0  # temperature from which on a surrogate can hold the values
ROUGH_SHARE = 0.02  # of a value's distance from the best: what is not quadratic in it
# times as rough, and as much about a round mode beforehand: chi^2 of a linear model is no rougher than its digits
ROUND_OR_NOT = tuple((1.0, wide) for wide in (1.0, 10.0, 100.0, 1e4, 1e6))
BELIEFS = tuple((noise, wide) for noise in (1.0, 0.1, 1e-2, 1e-3, 1e-4) for _, wide in ROUND_OR_NOT)
WORTH = 0.02  # nats that the peak promises above the best run from which on it is run
RADIUS, FARTHEST, GROW, SHRINK = 2.0, 4.0, 1.6, 0.7  # box frame
STALLED, STEPS = 0.3, 3  # the temperature must fall to that share within so many runs for each parameter
LEAST_RADIUS = 1e-12
REACH = 4.0  # sds on either side of the best run that the frame holds which the climb hands over
WALL = 1000.0  # times as far below the best as the better half: farther down than a bowl reaches within the ranges
TINY = 1e-9  # of the frame: it is never narrower, nor a thousand million times wider


@dataclass
class FarClimb:
    """``temperatures``: one for each step since there were values enough for all coefficients."""

    radius: float = RADIUS
    temperatures: list[float] = field(default_factory=list)

    def next_place(self, points: Array, values: Array, rng: np.random.Generator) -> Array:
        """(D,) from all values (n,) at points (n, D)."""
        chosen, temperature = _nearest(points, values)
        best = chosen[0]
        apart = np.square(points[chosen[1:]] - points[best]).mean()
        precision = 2.0 * SPAN / (points.shape[1] * max(float(apart), LEAST_RADIUS**2))
        relative = (values[chosen] - values[best]) / temperature
        beliefs = BELIEFS if len(values) >= _coefficients(points.shape[1]) else ROUND_OR_NOT
        known = LocalQuadratic.of(points[chosen], relative, points[best], SPAN, precision, ROUGH_SHARE, beliefs)
        slope, size, axes = known.drawn(rng)
        size = np.maximum(size, np.minimum(FLATTEST, known.doubt(axes)))
        step = slope / size
        if temperature * float(slope @ step) < 2.0 * WORTH:
            step += rng.standard_normal(len(step)) / np.sqrt(temperature * size)
            return np.asarray(points[best] + known.unit * axes @ step)
        return within(self.radius, points[best], known.unit * axes @ step)

    def take(self, length: float, gain: float | None) -> None:
        """The outcome of a step of that ``length``; ``gain`` above the best run before, None where no value came back."""
        if gain is not None and gain > 0.0:
            self.radius = min(FARTHEST, max(self.radius, GROW * length))
        else:
            self.radius = max(SHRINK * min(self.radius, length), LEAST_RADIUS)

    def ended(self, points: Array, values: Array) -> bool:
        """Whether the peak is near, or steps lead hardly higher; asked once after each run."""
        temperature, d = _nearest(points, values)[1], points.shape[1]
        if len(values) >= _coefficients(d):
            self.temperatures.append(temperature)
        before = self.temperatures[-1 - STEPS * d] if len(self.temperatures) > STEPS * d else np.inf
        return temperature <= NEAR_ENOUGH or temperature > STALLED * before

    def to_state(self) -> State:
        return {"radius": self.radius, "temperatures": list(self.temperatures)}

    @classmethod
    def of_state(cls, s: State) -> FarClimb:
        return cls(float(s["radius"]), [float(t) for t in s["temperatures"]])


def hopeless(values: Array) -> bool:
    """Whether a design's values (n,) span more than a surrogate can hold, even the better half of them."""
    better = np.sort(values)[-max(2, len(values) // 2) :]
    return bool(better[-1] - np.median(better) > HOPELESS)


def wall_below(values: Array) -> float:
    """How far below the best a value is a wall to a climb, given all finite ones (n,), and not a steep flank.

    What comes out alike several times may be a wall's own number, and counts once.
    """
    different = np.unique(values)
    better = different[-max(2, len(different) // 2) :]
    return max(IMPOSSIBLE_BELOW, WALL * float(better[-1] - np.median(better))) if len(better) else IMPOSSIBLE_BELOW


def frame_around(points: Array, values: Array) -> tuple[Array, Array]:
    """Lower and upper (D,) of a frame about as wide as the peak near the best run, from how the values (n,) fall around it."""
    chosen, _ = _nearest(points, values)
    best, d = points[chosen[0]], points.shape[1]
    fall = np.maximum(values[chosen[0]] - values[chosen[1:]], 1.0)
    squares = np.square(points[chosen[1:]] - best) * d / (2.0 * fall[:, None])
    sd = np.clip(np.sqrt(np.mean(squares, axis=0)), TINY, 1.0 / TINY)
    return best - REACH * sd, best + REACH * sd


def _coefficients(d: int) -> int:
    return (d + 1) * (d + 2) // 2 + 2


def _nearest(points: Array, values: Array) -> tuple[NDArray[np.intp], float]:
    """The highest values, the best first, as many as determine a quadratic; and the temperature at which they span SPAN."""
    d = points.shape[1]
    chosen = np.argsort(-values, kind="stable")[: max((NEAREST - 1) * d, _coefficients(d))]
    fall = float(np.median(values[chosen[0]] - values[chosen[1:]]))
    return chosen, max(fall / SPAN, 1.0)
