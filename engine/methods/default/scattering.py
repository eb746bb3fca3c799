"""Outputs that scatter about a smooth surface (OUTPUTS 9): found by a run beside another, and log densities without the scatter.

Light where nothing scatters: no digit of such an analysis depends on what is here.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray

from ...answer import noise_levels
from ...answer.usual_scatter import UsualScatter
from ...loop_interface import Tell
from ...surrogate.evaluations import Evaluations
from ...surrogate.outputs.emulator import FAR_FROM, Emulator, Runs
from ...surrogate.outputs.log_joint import EmulatedLogJoint
from ...surrogate.outputs.marginal import marginal
from ...surrogate.outputs.misfit import distances
from ...surrogate.outputs.scatter import Level
from .doubts import BESIDE

Array = NDArray[np.float64]

MATTERS = 0.1  # noise units, of all scores together: less moves a log density by less than a check would see
SHARE = 0.1  # of the largest nugget, from which on a score tells of the scatter
WITHIN = 5.0  # nats below the top, for each parameter and one more: where it is looked whether outputs scatter
HALF_SIDES = 2.0  # of the plausible box, in the box frame


def to_be_seen(emulator: Emulator) -> bool:
    """Whether the surface found leaves so much of the runs unexplained that a scatter would matter."""
    return float(emulator.nugget(emulator.centre[None]).sum()) > MATTERS**2


def place_beside(surrogate: EmulatedLogJoint, rng: np.random.Generator) -> tuple[int, Array] | None:
    """Row of the run near the data that is missed most without it, and a place (D,) right beside it; None: there is none."""
    rows, _, size = surrogate.outputs_errors()
    near = surrogate.y[rows] > -WITHIN * (surrogate.dimension + 1)
    if not near.any():
        return None
    row = int(rows[np.argmax(np.where(near, size, -1.0))])
    return row, surrogate.b[row] + 2.0 * HALF_SIDES * BESIDE * rng.choice([-1.0, 1.0], surrogate.dimension)


def usual_scatter(surrogate: EmulatedLogJoint) -> Array:
    """By how much each cell (L,) of a run near the data scatters about the surface, in noise units, as all runs tell it."""
    emulator, known = surrogate.emulator, surrogate.known
    assert known is not None
    assert known.outputs is not None
    rows = _near(surrogate)[1]
    rows = rows if len(rows) else surrogate.kept
    with torch.no_grad():
        x = surrogate.inputs(known.points[rows])
        f, units = (torch.as_tensor(a, device=x.device) for a in (known.outputs[rows], surrogate.cells.units))
        mean, nugget = emulator.predict(x)[0], emulator.nugget(x)
        components, scale = emulator.components, emulator.components.scale
        learnt = (components.about(mean)[1] ** 2 * nugget[:, :, None]).sum(1)  # (m, L), squared
        left_out = scale.into(f) - components.about(components.scores(f))[0]
        return _rms_of_cells(emulator, mean, learnt + left_out**2, units)


def left_unknown(surrogate: EmulatedLogJoint, points: Array) -> Array:
    """By how much all runs leave each cell (L,) of the surface unknown at ``points`` (n, D) of the posterior, in noise units: the
    scatter that was not averaged out."""
    emulator = surrogate.emulator
    with torch.no_grad():
        x = surrogate.inputs(points)
        mean, variance = emulator.predict(x)
        squares = (emulator.components.about(mean)[1] ** 2 * variance[:, :, None]).sum(1)
        return _rms_of_cells(emulator, mean, squares, torch.as_tensor(surrogate.cells.units, device=x.device))


def _rms_of_cells(emulator: Emulator, mean: torch.Tensor, squares: torch.Tensor, units: torch.Tensor) -> Array:
    """Square roots of the means over places of ``squares`` (m, L), of the cells as learnt, in ``units`` (L,) of their noise."""
    components, scale = emulator.components, emulator.components.scale
    slope = torch.where(scale.log, components.cells(mean).abs(), 1.0) * scale.unit / units
    return np.asarray(torch.sqrt((squares * slope**2).mean(0)).cpu().numpy())


def by_all_runs(surrogate: EmulatedLogJoint) -> float:
    """``usual_scatter``, rms over the cells."""
    return float(np.sqrt(np.square(usual_scatter(surrogate)).mean()))


def level_of(even: Emulator, now: Emulator, runs: Runs) -> Level | None:
    """How the scatter changes from place to place, by the runs near the data; None: it does not. ``even``: taken so."""
    near = (runs.misfit[even.kept] <= FAR_FROM).cpu().numpy()
    x = runs.x[even.kept]
    usual = torch.exp(2.0 * now.theta[:, -1]) * now.size**2
    told = usual >= SHARE * usual.max()
    mean, variance = even.leave_one_out()
    left_out = ((even.scores - mean) ** 2 / variance)[:, told].mean(1)
    mean, variance = now.predict(x)
    delta = (((now.scores - mean) ** 2 + variance) / usual)[:, told].mean(1)
    inputs, errors, squares = (t.cpu().numpy()[near] for t in (x, left_out, delta))
    return Level.learnt(inputs, errors, squares, float(told.sum()))


def smoothed(surrogate: EmulatedLogJoint) -> Evaluations:
    """With the log joint at the runs near the data as the surface has it, to which they belong."""
    known, rows = _near(surrogate)
    y, found = known.y.copy(), surrogate.mean(known.points[rows]) + surrogate.top
    y[rows] = np.where(np.isfinite(found), found, y[rows])
    return replace(known, y=y)


def settled(surrogate: EmulatedLogJoint, place: Array, tell: Tell) -> Tell:
    """A new run at b (D,) with the log joint that the surface has there once it knows of it."""
    if tell.outputs is None or tell.y is None:
        return tell
    emulator = surrogate.emulator
    with torch.no_grad():
        f, cells = torch.as_tensor(tell.outputs[None], device=emulator.centre.device), surrogate.cells
        away = distances(tell.outputs[None], cells.measured, cells.units, cells.sides)
        if not bool(torch.isfinite(f).all()) or float(np.sqrt(np.square(away).mean())) > FAR_FROM:
            return tell
        knowing = emulator.with_scores(surrogate.inputs(place[None]), emulator.components.scores(f))
    y = float(replace(surrogate, emulator=knowing).mean(place[None])[0]) + surrogate.top
    return replace(tell, y=y) if np.isfinite(y) else tell


def noise_shown(surrogate: EmulatedLogJoint, points: Array) -> dict[str, Array]:
    """The sd of each run's log density by its scatter, to second order, as in ``answer.noise_levels``, and how much its values
    scatter, as in ``answer.usual_scatter``. ``points`` (n, D): of the posterior."""
    known, rows = _near(surrogate)
    b = known.points[rows]
    x = surrogate.inputs(b)
    with torch.no_grad():
        p = torch.as_tensor(surrogate.cells.noise_values(surrogate.box.back(b)), device=x.device)
        variance = marginal(surrogate.likelihood, surrogate.emulator.predict(x)[0], surrogate.emulator.nugget(x), p).variance
    sd = np.sqrt(variance.cpu().numpy())
    sound = np.isfinite(sd) & (sd > 0.0)
    cells = surrogate.cells
    left = left_unknown(surrogate, points) * cells.units
    scatter = UsualScatter.over(usual_scatter(surrogate) * cells.units, cells.units, cells.outputs, left)
    return noise_levels.arrays(known.index[rows][sound], sd[sound]) | scatter.arrays()


def _near(surrogate: EmulatedLogJoint) -> tuple[Evaluations, NDArray[np.intp]]:
    """What is known of the runs, and the rows of those near the data."""
    known = surrogate.known
    assert known is not None
    assert known.outputs is not None
    cells = surrogate.cells
    misfit = np.sqrt(np.square(distances(known.outputs, cells.measured, cells.units, cells.sides)).mean(1))
    return known, surrogate.kept[misfit[surrogate.kept] <= FAR_FROM]
