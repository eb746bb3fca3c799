#!/usr/bin/env python
"""The trunk alone, in one dimension, where landlab is not installed: the same deck, the same variables in river.nc.

    python river_line.py river.yaml

Stream power along the channel with Hack's law for the drainage area, linear diffusion, both implicit, constant uplift.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.io import netcdf_file
from scipy.linalg import solve_banded

NODES, SPACING = 39, 150.0  # m
HACK = 6.7  # drainage area (m2) = HACK * (length of the stream above, m) ** 1.67


def deck_of(path):
    """The numbers of the deck by name: one `name: number` on a line."""
    deck = {}
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        name, _, rest = line.partition("#")[0].partition(":")
        try:
            deck[name.strip()] = float(rest)
        except ValueError:
            continue
    return deck


def main():
    deck = deck_of(sys.argv[1])
    k, m, uplift, diffusivity = (deck[name] for name in ("K_sp", "m_sp", "uplift_rate", "diffusivity"))
    x = SPACING * np.arange(NODES)
    area = HACK * (x[-1] + SPACING - x) ** 1.67
    z, dt = 0.01 * x, deck["time_step"]
    before = z.copy()
    factor = k * dt * area**m / SPACING
    spread = diffusivity * dt / SPACING**2
    bands = np.repeat([[-spread], [1.0 + 2.0 * spread], [-spread]], NODES, axis=1)
    bands[1, [0, -1]] = 1.0
    bands[0, 1] = bands[2, -2] = 0.0  # the ends stay as the stream leaves them
    for _ in range(round(deck["total_time"] / dt)):
        before[:] = z
        z[1:] += uplift * dt
        for i in range(1, NODES):
            z[i] = (z[i] + factor[i] * z[i - 1]) / (1.0 + factor[i])
        z = solve_banded((1, 1), bands, z)
    rate = uplift - (z - before) / dt
    print(f"river_line: {NODES} nodes of {SPACING:g} m, max z = {z.max():.2f} m")
    with netcdf_file("river.nc", "w") as file:
        file.title = "run_river long profile"
        file.createDimension("channel", NODES)
        file.createDimension("catchment", 3)
        for name, values, unit, long_name in (
            ("distance", x, "m", "distance upstream of the outlet along the channel"),
            ("elevation", z, "m", "channel elevation"),
            ("slope", np.gradient(z, SPACING), "1", "channel slope"),
            ("drainage_area", area, "m2", "upstream area"),
            ("catchment_erosion_rate", rate[[10, 18, 26]], "m yr-1", "mean erosion rate upstream of the sample"),
        ):
            variable = file.createVariable(name, "d", ("catchment" if len(values) == 3 else "channel",))
            variable.units, variable.long_name = unit, long_name
            variable[:] = values


if __name__ == "__main__":
    main()
