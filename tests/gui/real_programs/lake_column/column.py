"""Heat in a lake column: vertical mixing, light, and the air above; writes temperature(time, depth) to out.nc."""

import configparser
import sys

import numpy as np
from scipy.io import netcdf_file

c = configparser.ConfigParser(inline_comment_prefixes="!")
c.read(sys.argv[1])
m, f = c["mixing"], c["forcing"]
nz, dz, dt = c.getint("grid", "levels"), c.getfloat("grid", "dz"), c.getfloat("grid", "dt")
days = c.getint("grid", "days")
z = (np.arange(nz) + 0.5) * dz
kz = m.getfloat("background") + m.getfloat("surface") * np.exp(-np.arange(1, nz) * dz / m.getfloat("mixing_depth"))
a, absorb = f.getfloat("exchange"), f.getfloat("extinction")
temp = np.full(nz, f.getfloat("start_temperature"))
r = dt * 86400 / dz**2
low, up = -r * kz, -r * kz
main = 1.0 + r * (np.r_[kz, 0] + np.r_[0, kz])
main[0] += dt * a / dz
A = np.diag(main) + np.diag(up, 1) + np.diag(low, -1)
inv = np.linalg.inv(A)
faces = np.exp(-absorb * np.arange(nz + 1) * dz)
nc = netcdf_file(c["output"]["file"], "w")
nc.createDimension("time", None)
nc.createDimension("depth", nz)
nc.createDimension("lat", 1)
nc.createDimension("lon", 1)
for name, units, extra in (
    ("lon", "degrees_east", {}),
    ("lat", "degrees_north", {}),
    ("depth", "m", {"positive": "down", "axis": "Z"}),
):
    v = nc.createVariable(name, "f8", (name,))
    v.units = units
    for key, value in extra.items():
        setattr(v, key, value)
    v[:] = {"lon": 13.5, "lat": 52.1, "depth": z}[name]
t = nc.createVariable("time", "f8", ("time",))
t.units, t.calendar = f"days since {f['start_date']} 00:00:00", "standard"
v = nc.createVariable("temp", "f4", ("time", "depth", "lat", "lon"))
v.units, v.long_name = "degC", "water temperature"
every, n = round(1 / dt), 0
for step in range(days * every + 1):
    day = step * dt
    if step % every == 0 and round(day) % c.getint("output", "every") == 0:
        t[n] = day
        v[n, :, 0, 0] = temp
        n += 1
    air = f.getfloat("air_mean") + f.getfloat("air_amplitude") * np.sin(2 * np.pi * (day + 63 - 110) / 365)
    sun = f.getfloat("sun") * (1 - np.cos(2 * np.pi * (day + 63 + 10) / 365)) / 2
    heat = sun * (faces[:-1] - faces[1:]) / dz
    rhs = temp + dt * heat
    rhs[0] += dt * a / dz * air
    temp = inv @ rhs
nc.close()
