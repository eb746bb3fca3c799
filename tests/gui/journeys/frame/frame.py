"""A frame as its program prints it: displacements in metres, downwards negative, of two load cases, and eigenfrequencies."""

import math
import sys
from pathlib import Path

stiff = float(Path(sys.argv[1]).read_text().split("=")[1])
cases = {"LF1": (2.9, 5.6, 10.2, -0.72, -0.02), "LF2": (-0.007, 0.81, 1.6, -2.1, -2.22)}  # mm
lines = [f"D{i}_{case} = {value / 1e3 / stiff:.6e}" for case, row in cases.items() for i, value in enumerate(row, 1)]
lines += [line for f in (2.5, 6.5, 9.9) for line in ("FREQUENCY", f"{f * math.sqrt(stiff):.5f}")]
Path("res.txt").write_text("\n".join(lines) + "\n")
