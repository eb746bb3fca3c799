"""Amounts with a unit as people write them: 900 GB, 30 min, 2 h."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bayescope.engine.problem.numbers.number_text import NumberError, typed

# by how a unit may be written: how many of the first one it is
MEMORY: Mapping[str, float] = {
    "MB": 1.0, "M": 1.0, "MiB": 1.0, "GB": 1e3, "G": 1e3, "GiB": 1e3, "TB": 1e6, "T": 1e6, "TiB": 1e6, "kB": 1e-3, "K": 1e-3,
}  # fmt: skip
TIME: Mapping[str, float] = {
    "min": 1.0, "minute": 1.0, "minutes": 1.0, "m": 1.0, "h": 60.0, "hour": 60.0, "hours": 60.0, "hr": 60.0, "hrs": 60.0,
    "d": 1440.0, "day": 1440.0, "days": 1440.0, "s": 1 / 60, "sec": 1 / 60, "seconds": 1 / 60,
}  # fmt: skip
SHOWN = {id(MEMORY): ("TB", "GB", "MB"), id(TIME): ("d", "h", "min")}
_PARTS = re.compile(r"(?P<number>.*?)\s*(?P<unit>[^\W\d_]*)\.?", re.DOTALL)


def read_amount(text: str, units: Mapping[str, float]) -> float | None:
    """In the first of ``units``; None: nothing is written. Raises NumberError where it is no amount above zero."""
    if not text.strip():
        return None
    parts = _PARTS.fullmatch(text.strip())
    known = {name.casefold(): factor for name, factor in units.items()}
    unit = "" if parts is None else parts["unit"].casefold()
    if parts is None or (unit and unit not in known):
        raise NumberError("it has no unit that is known here")
    found = typed(parts["number"]) * known.get(unit, 1.0)
    if not 0.0 < found < 1e15:
        raise NumberError("it is no amount above zero")
    return found


def amount_text(value: float | None, units: Mapping[str, float]) -> str:
    """As short as it is exact: 900 GB, 90 min; "": None."""
    if value is None:
        return ""
    for unit in SHOWN[id(units)]:
        n = value / units[unit]
        if n >= 1.0 and n == round(n):
            return f"{n:.0f} {unit}"
    first = next(iter(units))
    return f"{value:.6g} {first}"
