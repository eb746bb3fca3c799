"""Keys of an output that lie the same distance beside those of the data in every row: years, and their middles 1870.50. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem.data.names.column_names import plain_name, unit_in
from bayescope.engine.problem.data.names.key_words import DISTANCES
from bayescope.engine.problem.data.rows.comparison import key_codes, key_values, measured_values
from bayescope.engine.problem.data.rows.key_scale import Scale, with_scale
from bayescope.engine.problem.data.rows.pairing import swept
from bayescope.engine.problem.data.rows.text_keys import FIRST_LABEL
from bayescope.engine.problem.data.units.unit_scales import conversion
from bayescope.engine.problem.definition import Match, Problem
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.gui.models.data.compared_outputs import fits, with_match
from bayescope.gui.models.data.keys.gaps import SAME
from bayescope.gui.models.plain import one_line

Array = NDArray[np.float64]
FEWEST = 3  # different keys: the distances of fewer may be the same by chance


@dataclass(frozen=True)
class ConstantShift:
    """``problem`` with a comparison paired by ``output``, to which ``shift`` is added, and ``column``; ``words``: why, a
    sentence. ``first``: before other ways, since the keys name stretches of time rather than points, or a file says it. ``said``:
    the shift of a clock, with its unit."""

    problem: Problem
    shift: float
    words: str
    first: bool
    said: str = ""

    @property
    def button(self) -> str:
        return f"&Shift the key by {self.said or signed(self.shift)}"


def signed(number: float) -> str:
    """+0.5 or −0.5, as it may be typed too."""
    return f"{'+' if number > 0.0 else '−'}{spoken(abs(number))}"


def hours(seconds: float) -> str:
    """+1 h, −5 min, +90 s: the shift of a clock."""
    unit, size = next((one for one in (("h", 3600.0), ("min", 60.0)) if seconds % one[1] == 0.0), ("s", 1.0))
    return f"{signed(seconds / size)} {unit}"


def shift_of(wanted: Array, places: Array) -> float | None:
    """What is to be added to ``places`` (m,), which only rise or fall, for all ``wanted`` keys (n,) to be among them, of two ways
    the shorter; of two equal ones that by which a key is that at the beginning of its step. None: they are among them, are
    few, or no one number does it."""
    wanted, places = np.unique(wanted), np.sort(places)
    usable = np.isfinite(wanted).all() and np.isfinite(places).all() and swept(places)
    if len(wanted) < FEWEST or len(places) < FEWEST or not usable or max(wanted[-1], places[-1]) >= FIRST_LABEL:
        return None
    near = SAME * float(np.median(np.diff(places)))
    above = np.searchsorted(places, wanted - near)
    ways = []
    for at in (above, above - 1):  # the place at or after each key, and the one before it
        if at[0] >= 0 and at[-1] < len(places) and len(np.unique(at)) == len(wanted):
            apart = wanted - places[at]
            if float(np.ptp(apart)) <= near:
                ways.append(float(f"{float(np.median(apart)):.9g}"))
    best = min(ways, key=lambda shift: round(abs(shift) / near), default=None)
    return None if best is None or abs(best) <= near else best


def constant_shift(problem: Problem, index: int, match: Match, outputs: Mapping[str, Array]) -> ConstantShift | None:
    """Comparison ``index`` as ``match``, which has one key, with that shifted so that every measured row finds its partner;
    ``outputs``: the values (n,) of each. None: no one shift does it, or it is paired already."""
    data = problem.data
    if data is None or len(match.keys) != 1:
        return None
    column = match.keys[0][1]
    codes, places = key_codes(data, column), key_values(match, outputs)[0]
    measured = ~np.isnan(measured_values(match, data))
    if len(codes) != len(measured) or len(places) != len(outputs[match.output]):
        return None
    shift = shift_of(codes[measured], places)
    if shift is None:
        return None
    scaled = Scale(match.key_factor, match.key_offset + shift, match.key_inverse)
    changed = with_scale(msgspec.structs.replace(match, interpolate=False, key_tolerance=None, by_day=False), scaled)
    if not fits(changed, data, outputs):
        return None
    side = "below" if shift < 0.0 else "above"
    said = hours(shift) if column in data.texts else ""
    size = said[1:] or spoken(abs(shift))
    words = f"Every “{one_line(column, 24)}” lies {size} {side} a key that the program prints."
    return ConstantShift(with_match(problem, index, changed), shift, words, not of_points(column), said)


def of_points(column: str) -> bool:
    """Whether a column holds distances: where the program has cells, a measured point lies at the edge of one as well."""
    unit = unit_in(column)
    length = bool(unit) and conversion(unit, "m") is not None
    return length or bool(DISTANCES & {*plain_name(column).replace("_", " ").split()})
