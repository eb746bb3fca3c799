#!/usr/bin/env python3
"""The Ricker map: a population that grows, overshoots and crashes, seen through a few catches. Every run is random.

    ricker INPUT OUTPUT SEED

INPUT holds lines ``name value``: log_r (growth), sigma (random changes of growth) and phi (share of the animals caught).
OUTPUT becomes a CSV table: week, catch. SEED is an integer; the same seed gives the same catches.

N_t = r N_(t-1) exp(-N_(t-1) + sigma e_t), e_t standard normal; catches are Poisson with mean phi N_t (Wood 2010). Standard
library only.
"""

import math
import random
import sys

BURN_IN, WEEKS = 50, 50
NAMES = ("log_r", "sigma", "phi")


def poisson(mean: float, rng: random.Random) -> int:
    """A Poisson count: by multiplying uniforms in pieces of mean 30 at most, so that nothing underflows."""
    count = 0
    while mean > 0.0:
        part = min(mean, 30.0)
        mean -= part
        limit, product = math.exp(-part), rng.random()
        while product > limit:
            count += 1
            product *= rng.random()
    return count


def simulate(log_r: float, sigma: float, phi: float, seed: float) -> list[tuple[int, int]]:
    """Catches [(week, catch), ...] of 50 weeks after 50 weeks that nobody sees."""
    rng = random.Random(seed)
    log_n, table = 0.0, []
    for week in range(1, BURN_IN + WEEKS + 1):
        # logarithms, so that a crash to 1e-300 animals is no zero
        log_n = log_r + log_n - math.exp(min(log_n, 700.0)) + sigma * rng.gauss(0.0, 1.0)
        if week > BURN_IN:
            table.append((week - BURN_IN, poisson(min(phi * math.exp(min(log_n, 20.0)), 1e6), rng)))
    return table


def read_input(path: str) -> dict[str, float]:
    """The values by name. Raises ValueError with a sentence if one is missing or no number."""
    values: dict[str, float] = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = line.split("#")[0].split()
            if len(words) == 2 and words[0] in NAMES:
                values[words[0]] = float(words[1])
    missing = [name for name in NAMES if name not in values]
    if missing:
        raise ValueError(f"{path} gives no value for {', '.join(missing)}")
    if not all(math.isfinite(v) for v in values.values()) or values["sigma"] < 0.0 or values["phi"] < 0.0:
        raise ValueError(f"{path}: every value must be a finite number, sigma and phi not negative")
    return values


def main(arguments: list[str]) -> int:
    if len(arguments) != 3:
        print("usage: ricker INPUT OUTPUT SEED", file=sys.stderr)
        return 2
    try:
        table = simulate(**read_input(arguments[0]), seed=int(arguments[2]))
    except (OSError, ValueError, OverflowError) as error:
        print(f"ricker: {error}", file=sys.stderr)
        return 1
    with open(arguments[1], "w", encoding="utf-8") as out:
        out.write("week,catch\n")
        for week, catch in table:
            out.write(f"{week},{catch}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
