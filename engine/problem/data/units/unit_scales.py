"""How many of one unit another one is: 100 cm a metre. Products, quotients and powers of units too: m²/day, kg/(m3 s)."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

YEAR = 365.25 * 86400.0  # seconds of a Julian year
# by quantity: how many of the first one a unit is. Degrees are left out: they have no common zero. A lone m is the metre.
_SCALES: Mapping[str, Mapping[str, float]] = {
    "length": {
        "m": 1.0, "meter": 1.0, "metre": 1.0, "meters": 1.0, "metres": 1.0, "dm": 0.1, "cm": 0.01, "mm": 1e-3, "um": 1e-6,
        "µm": 1e-6, "nm": 1e-9, "pm": 1e-12, "Å": 1e-10, "km": 1e3, "in": 0.0254, "inch": 0.0254, "ft": 0.3048, "yd": 0.9144,
        "mi": 1609.344,
    },
    "mass": {"g": 1.0, "kg": 1e3, "mg": 1e-3, "ug": 1e-6, "µg": 1e-6, "ng": 1e-9, "t": 1e6, "lb": 453.59237},
    "time": {
        "s": 1.0, "sec": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9, "ps": 1e-12, "fs": 1e-15, "min": 60.0,
        "minute": 60.0, "minutes": 60.0, "h": 3600.0, "hr": 3600.0, "hour": 3600.0, "hours": 3600.0, "d": 86400.0, "day": 86400.0,
        "days": 86400.0, "week": 604800.0, "weeks": 604800.0,
        "yr": YEAR, "year": YEAR, "years": YEAR, "kyr": 1e3 * YEAR, "Myr": 1e6 * YEAR,
    },
    "pressure": {
        "Pa": 1.0, "hPa": 100.0, "kPa": 1e3, "MPa": 1e6, "GPa": 1e9, "mbar": 100.0, "bar": 1e5, "atm": 101325.0,
        "psi": 6894.757293168, "Torr": 133.32236842, "mmHg": 133.322387415,
    },
    "force": {"N": 1.0, "mN": 1e-3, "kN": 1e3, "MN": 1e6},
    "energy": {
        "J": 1.0, "mJ": 1e-3, "kJ": 1e3, "MJ": 1e6, "eV": 1.602176634e-19, "Wh": 3600.0, "kWh": 3.6e6, "Nm": 1.0,
        "kNm": 1e3, "MNm": 1e6,
    },
    "power": {"W": 1.0, "mW": 1e-3, "kW": 1e3, "MW": 1e6, "GW": 1e9},
    "voltage": {"V": 1.0, "mV": 1e-3, "uV": 1e-6, "µV": 1e-6, "kV": 1e3},
    "current": {"A": 1.0, "mA": 1e-3, "uA": 1e-6, "µA": 1e-6, "kA": 1e3},
    "frequency": {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9},
    "amount": {"mol": 1.0, "mmol": 1e-3, "umol": 1e-6, "µmol": 1e-6, "kmol": 1e3},
    "volume": {"L": 1e-3, "l": 1e-3, "mL": 1e-6, "ml": 1e-6, "uL": 1e-9, "µL": 1e-9},
    "angle": {
        **dict.fromkeys(("°", "deg", "degree", "degrees", "Grad"), math.pi / 180.0), "rad": 1.0, "radian": 1.0, "radians": 1.0,
        "mrad": 1e-3, "arcmin": math.pi / 10_800.0, "arcsec": math.pi / 648_000.0,
    },
    "share": {"1": 1.0, "-": 1.0, "%": 0.01, "percent": 0.01, "ppm": 1e-6, "‰": 1e-3},
}  # fmt: skip
_AS = {  # of which other quantities a quantity is made, whose first units make its first unit
    "volume": {"length": 3}, "share": dict[str, int](), "pressure": {"force": 1, "length": -2},
    "energy": {"force": 1, "length": 1}, "power": {"force": 1, "length": 1, "time": -1},
}  # fmt: skip
_KNOWN = {unit: (quantity, size) for quantity, units in _SCALES.items() for unit, size in units.items()}
_FAHRENHEIT = 5.0 / 9.0
_DEGREES: Mapping[str, tuple[float, float]] = {
    **dict.fromkeys(("k", "kelvin", "kelvins", "°k", "degk"), (1.0, 0.0)),
    **dict.fromkeys(("°c", "degc", "c", "celsius", "degreescelsius"), (1.0, 273.15)),
    **dict.fromkeys(("°f", "degf", "f", "fahrenheit"), (_FAHRENHEIT, 273.15 - 32.0 * _FAHRENHEIT)),
}
_OF_ANGLES_TOO = ("°", "deg", "degree", "degrees", "grad")  # or of a temperature whose scale is not said
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_PART = re.compile(r"(?P<unit>[^\W\d_]+|[%‰°])(?:(?:\^|\*\*)?\(?(?P<power>[-+]?[0-9]{1,2})\)?)?")

Dimension = dict[str, int]


def one_spelling(unit: str) -> str:
    """Of a unit with raised digits or a caret: m2/day for m²/day and m^2/day."""
    plain = " ".join(unit.replace("μ", "µ").replace("\u2212", "-").translate(_SUPERSCRIPTS).split())
    return re.sub(r"(?:\^|\*\*)(?=[-+]?[0-9])", "", plain)


def raised(unit: str) -> str:
    """As people read it: W/m² for W/m2, m³/day for m^3/day; what is no power of a unit stays."""
    plain = re.sub(r"(?<=[^\W\d_])(?:\^|\*\*)(?=[23]\b)", "", unit)
    return re.sub(r"(?<![^\W\d_])([kcmµun]?m|s|in|ft|yr|d|day|h)([23])\b", lambda m: m[1] + "\u00b2\u00b3"[int(m[2]) - 2], plain)


def with_unit(name: str, unit: str, short: int = 0) -> str:
    """``name`` with its unit, for people: width [mm]. Concentrations have square brackets of their own: [B] (mol/L).

    ``short``: at most so many characters of the unit.
    """
    plain = raised(unit)
    plain = f"{plain[: short - 1]}…" if 0 < short < len(plain) else plain
    if not plain or any(name.endswith((f"[{u}]", f"({u})")) for u in (unit, plain)):
        return name
    return f"{name} ({plain})" if "[" in name or "[" in plain else f"{name} [{plain}]"


def no_temperature(unit: str) -> bool:
    """Whether ``unit`` is known as that of another quantity; False where it is not known."""
    plain = unit.replace(" ", "").casefold()
    return bool(plain) and plain not in _DEGREES and plain not in _OF_ANGLES_TOO and _read(unit) is not None


def times(unit: str, other: str) -> float | None:
    """By what a number in ``unit`` is multiplied to be one in ``other``; None: not known, or they are of different kinds."""
    one, two = _read(unit), _read(other)
    if one is None or two is None or one[0] != two[0]:
        return None
    return float(f"{one[1] / two[1]:.12g}")


def _read(unit: str) -> tuple[Dimension, float] | None:
    """The powers of the quantities that a unit is made of, and its size; None: it is not known."""
    text = one_spelling(unit).strip()
    if text in _SCALES["share"]:
        return {}, _SCALES["share"][text]
    dimension, size = Dimension(), 1.0
    for k, side in enumerate(re.split(r"/|\bper\b", text)):
        parts = [p for p in re.split(r"[·*\s()]+", side) if p]
        if not parts or (k == 0 and parts == ["1"]):
            if k:
                return None
            continue
        for part in parts:
            found = _PART.fullmatch(part)
            known = None if found is None else _one(found["unit"])
            if found is None or known is None:
                return None
            power = int(found["power"] or 1) * (-1 if k else 1)
            quantity, of_first = known
            for name, exponent in _AS.get(quantity, {quantity: 1}).items():
                dimension[name] = dimension.get(name, 0) + exponent * power
            size *= of_first**power
    return ({n: p for n, p in dimension.items() if p}, size) if math.isfinite(size) and size > 0.0 else None


def _one(name: str) -> tuple[str, float] | None:
    """A unit by its name; case counts only where it tells two apart (mW, MW)."""
    if name in _KNOWN:
        return _KNOWN[name]
    alike = {found for unit, found in _KNOWN.items() if len(unit) > 1 and unit.casefold() == name.casefold()}
    return alike.pop() if len(alike) == 1 else None


def conversion(unit: str, other: str) -> tuple[float, float] | None:
    """By what a number in ``unit`` is multiplied, and what is then added, to be one in ``other``: (1, -273.15) from K to °C.

    None: not known, or they are of different kinds.
    """
    one, two = _degrees(unit), _degrees(other)
    if one is not None and two is not None:  # kelvins are size * number + zero
        return float(f"{one[0] / two[0]:.12g}"), float(f"{(one[1] - two[1]) / two[0]:.12g}")
    factor = times(unit, other)
    return None if factor is None else (factor, 0.0)


def _degrees(unit: str) -> tuple[float, float] | None:
    """Of a scale of temperatures: how many kelvins a degree is, and its zero in kelvins."""
    return _DEGREES.get(unit.replace(" ", "").replace("º", "°").casefold())
