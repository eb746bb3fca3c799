"""A solar cell as its colleagues hand it over: `cell.py FILE.deck` writes FILE.out with one table for each irradiance."""

import math
import sys
from pathlib import Path

deck = Path(sys.argv[1])
values = dict(line.split("!")[0].split("=") for line in deck.read_text().splitlines() if "=" in line.split("!")[0])
photo, series, heating = (float(values[f"{name:<8}"]) for name in ("IPH", "RSER", "THEAT"))
lines = [" CELL SOLVER 4.1", f" DECK {deck.name}", ""]
for light in (1000.0, 600.0):
    lines += [f" IRRADIANCE = {light:7.1f} W/m2", "", "      V            I            T", "     (V)          (A)          (C)"]
    for k in range(12):
        volts, amps = 0.05 * k, photo * light / 1000.0
        for _ in range(60):  # the diode's equation, damped
            diode = 1e-9 * (math.exp(min((volts + amps * series) / 0.0300, 80.0)) - 1.0)
            amps += 0.2 * (photo * light / 1000.0 - diode - amps) / (1.0 + diode * series / 0.03)
        lines.append(f"  {volts:9.4f}  {amps:12.6f}  {25.0 + heating * light / 1000.0 * (1.0 - volts * amps / 4.0):11.5f}")
    lines.append("")
lines += [" NORMAL END", f" CPU TIME {0.01 * photo:8.3f} S"]
deck.with_suffix(".out").write_text("\n".join(lines) + "\n")
print("done")
