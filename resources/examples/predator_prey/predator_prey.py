#!/usr/bin/env python3
"""Hares and lynxes: the Lotka-Volterra equations from 1900 to 1920.

    predator_prey INPUT OUTPUT

INPUT holds lines ``name value``: alpha (growth of the hares), beta (hares eaten), gamma (death of the lynxes), delta
(lynxes fed), hare0 and lynx0 (populations in 1900, thousands). OUTPUT becomes a CSV table: year, hare, lynx.

d hare / dt = alpha hare - beta hare lynx, d lynx / dt = -gamma lynx + delta hare lynx, solved for the logarithms of the
populations (so they stay positive) by the classical Runge-Kutta method. Standard library only.
"""

import math
import sys

FIRST_YEAR, LAST_YEAR = 1900, 1920
STEPS = 100  # per year
NAMES = ("alpha", "beta", "gamma", "delta", "hare0", "lynx0")


def solve(
    alpha: float, beta: float, gamma: float, delta: float, hare0: float, lynx0: float
) -> list[tuple[int, float, float]]:
    """Populations [(year, hare, lynx), ...]. Raises OverflowError if one explodes."""

    def rate(x: float, y: float) -> tuple[float, float]:
        return alpha - beta * math.exp(y), delta * math.exp(x) - gamma

    h = 1.0 / STEPS
    x, y = math.log(hare0), math.log(lynx0)
    table = [(FIRST_YEAR, hare0, lynx0)]
    for year in range(FIRST_YEAR + 1, LAST_YEAR + 1):
        for _ in range(STEPS):
            a1, b1 = rate(x, y)
            a2, b2 = rate(x + 0.5 * h * a1, y + 0.5 * h * b1)
            a3, b3 = rate(x + 0.5 * h * a2, y + 0.5 * h * b2)
            a4, b4 = rate(x + h * a3, y + h * b3)
            x += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
            y += h / 6.0 * (b1 + 2.0 * b2 + 2.0 * b3 + b4)
        table.append((year, math.exp(x), math.exp(y)))
    return table


def read_input(path: str) -> dict[str, float]:
    """The six values by name. Raises ValueError with a sentence if one is missing or not positive."""
    values: dict[str, float] = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = line.split("#")[0].split()
            if len(words) == 2 and words[0] in NAMES:
                values[words[0]] = float(words[1])
    missing = [name for name in NAMES if name not in values]
    if missing:
        raise ValueError(f"{path} gives no value for {', '.join(missing)}")
    if not all(math.isfinite(v) and v > 0.0 for v in values.values()):
        raise ValueError(f"{path}: every value must be a positive finite number")
    return values


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print("usage: predator_prey INPUT OUTPUT", file=sys.stderr)
        return 2
    try:
        table = solve(**read_input(arguments[0]))
    except OverflowError:
        print("predator_prey: the populations explode with these values", file=sys.stderr)
        return 1
    except (OSError, ValueError) as error:
        print(f"predator_prey: {error}", file=sys.stderr)
        return 1
    with open(arguments[1], "w", encoding="utf-8") as out:
        out.write("year,hare,lynx\n")
        for year, hare, lynx in table:
            out.write(f"{year},{hare!r},{lynx!r}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
