#!/usr/bin/env python3
"""Where did it come from? A pollutant diffuses along a closed channel of length 1; two walls carry a sensor each.

    contamination_source INPUT OUTPUT

INPUT holds four lines ``name value``: x0 (place of the source), ts (time at which it stopped), q0 (strength) and
rho (width). OUTPUT becomes a table of the sensor readings: time, left wall, right wall.

The diffusion equation u_t = u_xx + q0 exp(-(x - x0)^2 / (2 rho^2)) [t < ts], insulated walls, u = 0 at the start
(D. F. N. Naiff 2019, section 7.3), by finite volumes in space and Crank-Nicolson in time. Standard library only.
"""

from __future__ import annotations

import math
import sys

CELLS = 64  # nodes at 0, 1/64, ..., 1, so that both sensors sit on a node
STEPS = 160  # time steps up to the last reading
READING_TIMES = (0.075, 0.15, 0.225, 0.3, 0.4)
END = READING_TIMES[-1]
NAMES = ("x0", "ts", "q0", "rho")


def source_profile(x0: float, rho: float) -> list[float]:
    """Mean of the source's shape over each node's control volume (exact by erf, so narrow sources are not missed)."""
    h = 1.0 / CELLS
    edges = [0.0] + [(i + 0.5) * h for i in range(CELLS)] + [1.0]
    scale = rho * math.sqrt(math.pi / 2.0)
    primitive = [scale * math.erf((e - x0) / (rho * math.sqrt(2.0))) for e in edges]
    return [(primitive[i + 1] - primitive[i]) / (edges[i + 1] - edges[i]) for i in range(CELLS + 1)]


def solve(x0: float, ts: float, q0: float, rho: float) -> list[tuple[float, float, float]]:
    """Readings [(time, left wall, right wall), ...]."""
    h, dt, n = 1.0 / CELLS, END / STEPS, CELLS + 1
    r = 0.5 * dt / (h * h)
    shape = [q0 * s for s in source_profile(x0, rho)]
    # (1 + 2r) u_i - r (u_(i-1) + u_(i+1)) on the left; at the walls the mirror node doubles the neighbour
    upper = [-2.0 * r] + [-r] * (n - 2)
    lower = [-r] * (n - 2) + [-2.0 * r]
    diagonal = 1.0 + 2.0 * r
    factor, pivot = [0.0] * n, [diagonal] * n
    for i in range(1, n):
        factor[i] = lower[i - 1] / pivot[i - 1]
        pivot[i] = diagonal - factor[i] * upper[i - 1]
    u = [0.0] * n
    readings: list[tuple[float, float, float]] = []
    reading_steps = {round(t / dt): t for t in READING_TIMES}
    for step in range(1, STEPS + 1):
        active = dt * min(1.0, max(0.0, (ts - (step - 1) * dt) / dt))  # part of the step with the source on
        right = [0.0] * n
        right[0] = u[0] + 2.0 * r * (u[1] - u[0]) + active * shape[0]
        for i in range(1, n - 1):
            right[i] = u[i] + r * (u[i - 1] - 2.0 * u[i] + u[i + 1]) + active * shape[i]
        right[n - 1] = u[n - 1] + 2.0 * r * (u[n - 2] - u[n - 1]) + active * shape[n - 1]
        for i in range(1, n):
            right[i] -= factor[i] * right[i - 1]
        u[n - 1] = right[n - 1] / pivot[n - 1]
        for i in range(n - 2, -1, -1):
            u[i] = (right[i] - upper[i] * u[i + 1]) / pivot[i]
        if step in reading_steps:
            readings.append((reading_steps[step], u[0], u[n - 1]))
    return readings


def read_input(path: str) -> dict[str, float]:
    """The four values by name. Raises ValueError with a sentence if one is missing or no number."""
    values: dict[str, float] = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = line.split("#")[0].split()
            if len(words) == 2 and words[0] in NAMES:
                values[words[0]] = float(words[1])
    missing = [name for name in NAMES if name not in values]
    if missing:
        raise ValueError(f"{path} gives no value for {', '.join(missing)}")
    if not all(math.isfinite(v) for v in values.values()) or values["rho"] <= 0.0:
        raise ValueError(f"{path}: every value must be a finite number and rho must be positive")
    return values


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print("usage: contamination_source INPUT OUTPUT", file=sys.stderr)
        return 2
    try:
        readings = solve(**read_input(arguments[0]))
    except (OSError, ValueError, OverflowError) as error:
        print(f"contamination_source: {error}", file=sys.stderr)
        return 1
    with open(arguments[1], "w", encoding="utf-8") as out:
        out.write("time left right\n")
        for time, left, right in readings:
            out.write(f"{time:.3f} {left!r} {right!r}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
