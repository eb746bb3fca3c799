"""By what places that a program prints are to be multiplied to be those of a data column: units, else round factors. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.engine.problem.data.rows.key_scale import Scale
from bayescope.engine.problem.data.rows.order_places import usual_factors
from bayescope.engine.problem.data.units.spectral_keys import spectral
from bayescope.engine.problem.data.units.unit_scales import conversion
from bayescope.gui.models.data.dates.clock_units import clock_unit, unit_of_times
from bayescope.gui.models.data.keys.key_candidates import Key
from bayescope.gui.models.data.units.heading_units import unit_of_output

Array = NDArray[np.float64]
FEWEST_INSIDE = 0.5  # of the measured places that lie between the program's, for these to be in the same unit
LEAST_COMMON = 0.02  # of the range of both that they share; less is another unit
CLEARLY_COMMON = 0.25  # ... where a factor is only guessed


@dataclass(frozen=True)
class KeyScale(Scale):
    """By what places of the output become those of the column; ``told``: units say so. ``kinds``: of which kinds both are, where
    they are not the same: a photon energy in eV, and a wavelength in nm."""

    told: bool = False
    kinds: str = ""


PLAIN = KeyScale()


def scales_of(problem: d.Problem, key: Key) -> list[KeyScale]:
    """What may be between the places of an output, or of one that is not read yet, and those of a column: what their units say;
    where these are not known the factor 1 and then those between units; none where they are of different kinds."""
    output, column = key.pair
    declared = key.declared or next((o for o in problem.outputs if o.name == output), None)
    own, its = unit_of_output(problem, output) if key.declared is None else key.declared.unit, unit_in(column)
    clocks = ("" if declared is None else clock_unit(declared), unit_of_times(column))
    for units in ((own, its), clocks):
        if all(units):
            found = conversion(*units)
            if found is not None:
                return [KeyScale(*found, told=True)]
            if (kinds := spectral(key.heading or output, column, *units)) is not None:
                return [KeyScale(kinds.factor, inverse=kinds.inverse, told=True, kinds=kinds.words)]
            if conversion(its, its) is not None and conversion(own, own) is not None:
                return []
    return [KeyScale(told=bool(own) and own == its), *(KeyScale(f) for f in usual_factors(bool(clocks[1])))]


def likely_scale(scales: Sequence[KeyScale], places: Array, keys: Array) -> KeyScale | None:
    """By which the keys (n,) lie between the places (m,), most of them; the first of the ``scales`` rather than the others, of
    these the one by which the two have most in common. None: by none."""
    if not scales:
        return None
    first, *others = scales
    least = 0.0 if first.told else LEAST_COMMON
    if share_inside(first.of(places), keys) >= FEWEST_INSIDE and common(first.of(places), keys) >= least:
        return first
    shares = [(common(s.of(places), keys), s) for s in others if share_inside(s.of(places), keys) >= FEWEST_INSIDE]
    best = max(shares, key=lambda found: found[0], default=None)
    return best[1] if best is not None and best[0] >= CLEARLY_COMMON else None


def share_inside(places: Array, keys: Array) -> float:
    """Which share of the keys (n,) lies between the smallest and the largest of the places (m,)."""
    return float(((keys >= places.min()) & (keys <= places.max())).mean()) if len(places) and len(keys) else 0.0


def common(places: Array, keys: Array) -> float:
    """Which share of the range that places (m,) and keys (n,) cover together both cover."""
    low, high = max(places.min(), keys.min()), min(places.max(), keys.max())
    whole = max(places.max(), keys.max()) - min(places.min(), keys.min())
    return float(max(high - low, 0.0) / whole) if whole > 0.0 else 0.0
