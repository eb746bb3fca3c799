"""The light of a star while a planet passes, hour by hour, written into a netCDF file."""

import sys

import numpy as np
from scipy.io import netcdf_file


def read(path: str) -> dict[str, float]:
    with open(path, encoding="utf-8") as lines:
        pairs = (line.split("=") for line in lines if "=" in line)
        return {name.strip(): float(value) for name, value in pairs}


def main() -> None:
    star = read(sys.argv[1])
    time = 0.25 * np.arange(40)
    flux = 1.0 - star["depth"] / (1.0 + np.exp((np.abs(time - star["middle"]) - star["half_width"]) / 0.2))
    with netcdf_file("out.nc", "w") as out:
        out.createDimension("time", len(time))
        for name, values in (("time", time), ("flux_r", flux)):
            variable = out.createVariable(name, "d", ("time",))
            variable[:] = values
        out.variables["time"].units = "hours"


main()
