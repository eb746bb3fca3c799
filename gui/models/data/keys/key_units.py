"""What the units of a key say of both sides: minutes beside seconds, photon energies beside wavelengths, times. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates.minutes_seconds import are_two_parts, says_seconds
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.engine.problem.data.rows.key_scale import Scale
from bayescope.engine.problem.data.rows.text_keys import unit_of
from bayescope.engine.problem.data.units.spectral_keys import spectral
from bayescope.engine.problem.data.units.unit_scales import conversion
from bayescope.gui.models.data.dates.clock_units import clock_unit, unit_of_times
from bayescope.gui.models.data.keys.key_candidates import Pair
from bayescope.gui.models.data.units.heading_units import unit_of_output

MINUTES_SECONDS = 1.0 / 60.0  # of 01:30, which is read as hours and minutes


@dataclass(frozen=True)
class KeyUnits:
    """The unit of a key in the program and in the data, and how the first becomes the second. ``kinds``: of which kinds both are,
    where they are not the same: a photon energy in eV, and a wavelength in nm. ``clock``: how its times are read, where two
    parts may be minutes and seconds."""

    output: str
    column: str
    scale: Scale
    kinds: str = ""
    clock: str = ""


def key_units(problem: d.Problem, pair: Pair, texts: Mapping[str, Sequence[str]]) -> list[KeyUnits]:
    """What the units of an output and a column say, as they are written or in words (day beside hours), or since both are clocks;
    [] where they say nothing. Of a time of two parts both ways, the likelier first. ``texts``: as outputs are read."""
    name, column = pair
    output = next((o for o in problem.outputs if o.name == name), None)
    own, its = unit_of_output(problem, name), unit_in(column)
    written = list(texts.get(name, ())) if output is not None and output.text else []
    cells = problem.data.texts.get(column, ()) if problem.data is not None else ()
    if unit_of(written) == "s" or unit_of(cells) == "s":
        mine = "s" if unit_of(written) == "s" else "" if output is None else clock_unit(output)
        theirs = "s" if unit_of(cells) == "s" else unit_of_times(column)
        found = conversion(mine, theirs) if mine and theirs else None
        return [] if found is None else _clocks(KeyUnits(mine, theirs, Scale(*found)), name, written)
    clocks = ("" if output is None else clock_unit(output)), unit_of_times(column)
    for units in ((own, its), clocks):
        if all(units) and (found := conversion(*units)) is not None:
            return [KeyUnits(*units, Scale(*found))]
    kinds = spectral(name, column, own, its)
    return [] if kinds is None else [KeyUnits(own, its, Scale(kinds.factor, inverse=kinds.inverse), kinds.words)]


def _clocks(units: KeyUnits, name: str, written: Sequence[str]) -> list[KeyUnits]:
    """As hours and minutes, and as minutes and seconds, where the program prints times of two parts; the likelier first."""
    if not are_two_parts(written):
        return [units]
    factor = units.scale.factor
    short = KeyUnits(units.output, units.column, Scale(factor * MINUTES_SECONDS), clock="minutes and seconds")
    long = KeyUnits(units.output, units.column, units.scale, clock="hours and minutes")
    return [short, long] if says_seconds(name, written) else [long, short]
