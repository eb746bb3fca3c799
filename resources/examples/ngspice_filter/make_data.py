#!/usr/bin/env python3
"""How measured_curve.csv was made, once: ngspice at known component values, plus Gaussian noise of 0.3 dB.

    make_data.py > measured_curve.csv
"""

import json
import random
import subprocess
import tempfile
from pathlib import Path

TRUE = {"R": "100", "L": "0.01", "C": "1e-07"}
NOISE_DB = 0.3
SEED = 7


def main() -> None:
    problem = json.loads((Path(__file__).parent / "problem.json").read_text(encoding="utf-8"))
    deck = problem["simulator"]["templates"][0]["text"]
    for name, value in TRUE.items():
        deck = deck.replace(f"@{name}@", value)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "filter.cir").write_text(deck, encoding="utf-8")
        subprocess.run(["ngspice", "-b", "filter.cir"], cwd=folder, check=True, capture_output=True)
        rows = [line.split() for line in (Path(folder) / "curve.txt").read_text().splitlines()[1:]]
    noise = random.Random(SEED)
    print("frequency,gain")
    for frequency, gain in rows:
        print(f"{float(frequency):.9g},{float(gain) + noise.gauss(0.0, NOISE_DB):.3f}")


if __name__ == "__main__":
    main()
