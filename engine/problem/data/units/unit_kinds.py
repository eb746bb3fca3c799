"""Units that no number can be converted between, and the coherent units of the SI, in which programs count that say none."""

from __future__ import annotations

import re

from .unit_scales import dimension_of, head_of_water, is_temperature, of_other_kind

_MADE_OF = {  # quantities that have units of their own, in the base quantities of the SI
    "force": {"mass": 1, "length": 1, "time": -2},
    "voltage": {"mass": 1, "length": 2, "time": -3, "current": -1},
    "resistance": {"mass": 1, "length": 2, "time": -3, "current": -2},
    "frequency": {"time": -1}, "angle": dict[str, int](), "solid angle": dict[str, int](),
}  # fmt: skip
_BY_DENSITY = ({"mass": 1, "length": -3}, {"mass": -1, "length": 3})
_BY_MOLAR_MASS = ({"mass": 1, "amount": -1}, {"mass": -1, "amount": 1})
LEAST_HEAD = 1e-4  # nobody who measures water tells mm by MPa; m by Pa, cm by hPa
_SAYS_LITTLE = ("-", "1")  # also written where a unit was not thought of


def contradict(unit: str, other: str) -> bool:
    """Whether both units are known and of kinds between which not even a molar mass, a density, an area that one is written as
    counted per, or a height of water leads."""
    if not unit.strip() or not other.strip():
        return False
    head = head_of_water(unit, other)
    water = head is not None and min(head, 1.0 / head) > LEAST_HEAD
    if not of_other_kind(unit, other) or water or unit.strip() in _SAYS_LITTLE or other.strip() in _SAYS_LITTLE:
        return False
    if is_temperature(unit) or is_temperature(other):
        angle = dimension_of(other if is_temperature(unit) else unit)
        return angle is None or angle[0] != {"angle": 1}  # degrees may be of either
    one, two = dimension_of(unit), dimension_of(other)
    if one is None or two is None:
        return False
    mine, its = _base(one[0]), _base(two[0])
    apart = {name: power for name in mine | its if (power := mine.get(name, 0) - its.get(name, 0))}
    per_size = set(apart) == {"length"} and (_has_parts(unit) or _has_parts(other))  # ohm.cm2 and ohm: per area of the cell
    return bool(apart) and not per_size and apart not in (*_BY_DENSITY, *_BY_MOLAR_MASS)


def _has_parts(unit: str) -> bool:
    return re.search(r"[^\W_][./*·⋅ ]+[^\W_]", unit) is not None


def from_si(unit: str) -> float | None:
    """By what a number in the coherent unit of the SI is multiplied to be one in ``unit``: 1000 to mm, 1e-6 to MPa; None: it is
    not known."""
    found = dimension_of(unit)
    if found is None:
        return None
    kilograms = 1e-3 ** found[0].get("mass", 0)
    return float(f"{1.0 / (found[1] * kilograms):.12g}")


def _base(dimension: dict[str, int]) -> dict[str, int]:
    made: dict[str, int] = {}
    for name, power in dimension.items():
        for base, exponent in _MADE_OF.get(name, {name: 1}).items():
            made[base] = made.get(base, 0) + exponent * power
    return {name: power for name, power in made.items() if power}
