"""Seasonal energy balance on a sphere of 90 bands of latitude: python ebm.py ebm.ini writes Ts(month, lat) to out.nc."""

import configparser
import sys

import numpy as np
from scipy.io import netcdf_file

c = configparser.ConfigParser(inline_comment_prefixes=(";",))
c.optionxform = str
c.read(sys.argv[1])
n, years = c.getint("grid", "bands"), c.getint("time", "years")
short, long_wave = c["shortwave"], c["longwave"]
S0, a0, a2 = (short.getfloat(k) for k in ("S0", "a0", "a2"))
A, B, D = long_wave.getfloat("A"), long_wave.getfloat("B"), c.getfloat("transport", "D")
heat = 4.0e6 * c.getfloat("ocean", "water_depth")
edges = np.radians(np.linspace(-90, 90, n + 1))
lat = np.degrees(edges[:-1] + edges[1:]) / 2
phi, x = np.radians(lat), np.sin(np.radians(lat))
area = np.diff(np.sin(edges))
flow = D * np.cos(edges[1:-1]) / np.diff(phi)  # W m-2 K-1 between bands, times their area
main = np.r_[flow, 0] + np.r_[0, flow]
diffusion = (np.diag(flow, 1) + np.diag(flow, -1) - np.diag(main)) / area[:, None]
steps = 24 * 12
dt = 365.2422 * 86400 / steps
inverse = np.linalg.inv(np.eye(n) * (1 + dt * B / heat) - dt / heat * diffusion)
albedo = a0 + a2 * (3 * x**2 - 1) / 2
ts, months = np.full(n, 12.0), np.zeros((12, n))
for step in range(years * steps):
    day = 2 * np.pi * ((step % steps + 0.5) / steps - 80 / 365.2422)
    decl = np.radians(23.45) * np.sin(day)
    h0 = np.arccos(np.clip(-np.tan(phi) * np.tan(decl), -1, 1))
    sun = S0 / np.pi * (h0 * x * np.sin(decl) + np.cos(phi) * np.cos(decl) * np.sin(h0))
    ts = inverse @ (ts + dt / heat * ((1 - albedo) * sun - A))
    if step >= (years - 1) * steps:
        months[step % steps * 12 // steps] += ts / 24
nc = netcdf_file("out.nc", "w")
nc.title = "Seasonal energy balance, monthly means"
nc.createDimension("month", 12)
nc.createDimension("lat", n)
for name, dims, values, units, words in (
    ("month", ("month",), np.arange(1, 13), "", ""),
    ("lat", ("lat",), lat, "degrees_north", "latitude"),
    ("Ts", ("month", "lat"), months, "degC", "zonal mean surface temperature"),
):
    v = nc.createVariable(name, "i4" if name == "month" else "f8", dims)
    if units:
        v.units, v.long_name = units, words
    v[:] = values
nc.close()
print("done, wrote out.nc")
