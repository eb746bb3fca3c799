#!/usr/bin/env python
"""Landscape evolution of a single trunk river.

    python run_river.py river.yaml [-o river.nc]

Stream power (FastscapeEroder) and linear hillslope diffusion (LinearDiffuser) on a raster grid, uplift at a
constant rate, base level fixed at the middle of the southern edge.  Writes the long profile of the trunk
(distance upstream of the outlet, elevation, slope, drainage area) and the mean erosion rate of three
tributary catchments, as netCDF.

J. Marsh, 2024-03
"""
import argparse
import sys
import time

import numpy as np
import yaml
from landlab import RasterModelGrid
from landlab.components import FastscapeEroder, FlowAccumulator, LinearDiffuser
from netCDF4 import Dataset


def trunk(grid):
    """Nodes of the trunk from the outlet up: at each step the donor with the largest area."""
    area = grid.at_node["drainage_area"]
    rec = grid.at_node["flow__receiver_node"]
    outlet = int(np.argmax(np.where(grid.status_at_node == grid.BC_NODE_IS_FIXED_VALUE, area, -1)))
    nodes = [outlet]
    while True:
        donors = np.flatnonzero(rec == nodes[-1])
        donors = donors[donors != nodes[-1]]
        if donors.size == 0:
            return np.array(nodes)
        nodes.append(int(donors[np.argmax(area[donors])]))


def upstream(grid, node):
    rec = grid.at_node["flow__receiver_node"]
    order = grid.at_node["flow__upstream_node_order"]
    inside = np.zeros(grid.number_of_nodes, bool)
    inside[node] = True
    for n in order:
        if inside[rec[n]]:
            inside[n] = True
    return inside


def main():
    p = argparse.ArgumentParser()
    p.add_argument("deck")
    p.add_argument("-o", "--output", default="river.nc")
    a = p.parse_args()
    with open(a.deck) as f:
        d = yaml.safe_load(f)
    t0 = time.time()
    g, ph, run = d["grid"], d["physics"], d["run"]
    ny, nx, dx = int(g["rows"]), int(g["columns"]), float(g["spacing"])
    grid = RasterModelGrid((ny, nx), xy_spacing=dx)
    grid.set_closed_boundaries_at_grid_edges(True, True, True, True)
    out = nx // 2
    grid.status_at_node[out] = grid.BC_NODE_IS_FIXED_VALUE
    # antecedent surface: a gentle ramp with a valley along the middle
    x, y = grid.x_of_node, grid.y_of_node
    rng = np.random.default_rng(int(run.get("seed", 1)))
    z = grid.add_zeros("topographic__elevation", at="node")
    z += 20 + 0.01 * y + 0.06 * abs(x - x[out]) + rng.random(z.size) * 1.0
    z[out] = 0.0
    flow = FlowAccumulator(grid, flow_director="FlowDirectorD8")
    sp = FastscapeEroder(grid, K_sp=float(ph["K_sp"]), m_sp=float(ph["m_sp"]), n_sp=float(ph.get("n_sp", 1.0)))
    ld = LinearDiffuser(grid, linear_diffusivity=float(ph["diffusivity"]), deposit=False)
    dt, total, U = float(run["time_step"]), float(run["total_time"]), float(ph["uplift_rate"])
    steps = round(total / dt)
    print(f"run_river: {ny} x {nx} nodes of {dx:g} m, {steps} steps of {dt:g} yr")
    print(f"  K_sp = {ph['K_sp']}  m_sp = {ph['m_sp']}  U = {U:g} m/yr  D = {float(ph['diffusivity']):g} m2/yr")
    core = grid.core_nodes
    zold = z.copy()
    for i in range(steps):
        zold[:] = z
        z[core] += U * dt
        flow.run_one_step()
        sp.run_one_step(dt)
        ld.run_one_step(dt)
        if (i + 1) % max(1, steps // 5) == 0:
            print(f"  t = {(i + 1) * dt / 1e3:9.1f} kyr   mean z = {z[core].mean():8.2f} m   max z = {z.max():8.2f} m")
    if not np.all(np.isfinite(z)):
        print("run_river: solution is not finite", file=sys.stderr)
        return 3
    flow.run_one_step()
    rate = U - (z - zold) / dt
    nodes = trunk(grid)
    xy = np.c_[grid.x_of_node[nodes], grid.y_of_node[nodes]]
    dist = np.r_[0.0, np.cumsum(np.hypot(*np.diff(xy, axis=0).T))]
    with Dataset(a.output, "w") as nc:
        nc.title = "run_river long profile"
        nc.history = time.strftime("%Y-%m-%d %H:%M:%S") + " run_river.py " + a.deck
        nc.createDimension("channel", len(nodes))
        nc.createDimension("catchment", len(d["catchments"]))
        for name, values, unit, long in (
            ("distance", dist, "m", "distance upstream of the outlet along the channel"),
            ("elevation", z[nodes], "m", "channel elevation"),
            ("slope", grid.at_node["topographic__steepest_slope"][nodes], "1", "channel slope"),
            ("drainage_area", grid.at_node["drainage_area"][nodes], "m2", "upstream area"),
        ):
            v = nc.createVariable(name, "f8", ("channel",))
            v.units, v.long_name = unit, long
            v[:] = values
        cr = nc.createVariable("catchment_erosion_rate", "f8", ("catchment",))
        cr.units, cr.long_name = "m yr-1", "mean erosion rate upstream of the sample"
        area = grid.at_node["drainage_area"]
        for k, c in enumerate(d["catchments"]):
            box = np.flatnonzero((abs(x - float(c["x"])) <= 1.6 * dx) & (abs(y - float(c["y"])) <= 1.6 * dx))
            node = box[np.argmax(area[box])]
            inside = upstream(grid, node)
            inside &= grid.status_at_node == 0
            cr[k] = rate[inside].mean()
    print(f"run_river: wrote {a.output}, {len(nodes)} channel nodes, {time.time() - t0:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
