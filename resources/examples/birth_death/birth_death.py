#!/usr/bin/env python3
"""Birth, death and immigration: how many animals live on an island, counted once a year. Every run is random.

    birth_death INPUT OUTPUT SEED

INPUT holds lines ``name value``: birth and death (per animal and year) and immigration (per year). OUTPUT becomes a CSV
table: year, count. SEED is an integer; the same seed gives the same counts.

Exact simulation by Gillespie's direct method: exponential waiting times, events in proportion to their rates. Standard
library only.
"""

import math
import random
import sys

YEARS = 40
START = 10
NAMES = ("birth", "death", "immigration")
MOST_EVENTS = 2_000_000  # a population that explodes is stopped


def simulate(birth: float, death: float, immigration: float, seed: float) -> list[tuple[int, int]]:
    """Counts [(year, count), ...] for years 1 to 40. Raises OverflowError if the population explodes."""
    rng = random.Random(seed)
    count, time, table, events = START, 0.0, [], 0
    for year in range(1, YEARS + 1):
        while True:
            rate = count * (birth + death) + immigration
            if rate <= 0.0:
                break  # died out, and nobody comes: it stays so
            wait = rng.expovariate(rate)
            if time + wait > year:
                break  # waiting times have no memory: the rest of this one is drawn afresh next year
            time += wait
            events += 1
            if events > MOST_EVENTS:
                raise OverflowError(f"more than {MOST_EVENTS} events: the population explodes")
            if rng.random() * rate < count * birth + immigration:
                count += 1
            else:
                count -= 1
        time = float(year)
        table.append((year, count))
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
    if not all(math.isfinite(v) and v >= 0.0 for v in values.values()):
        raise ValueError(f"{path}: every rate must be a finite number and not negative")
    return values


def main(arguments: list[str]) -> int:
    if len(arguments) != 3:
        print("usage: birth_death INPUT OUTPUT SEED", file=sys.stderr)
        return 2
    try:
        table = simulate(**read_input(arguments[0]), seed=int(arguments[2]))
    except (OSError, ValueError, OverflowError) as error:
        print(f"birth_death: {error}", file=sys.stderr)
        return 1
    with open(arguments[1], "w", encoding="utf-8") as out:
        out.write("year,count\n")
        for year, count in table:
            out.write(f"{year},{count}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
