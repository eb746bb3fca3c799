"""How many of one unit another one is: 100 cm a metre. Products, quotients and powers of units too: m²/day, kg/(m3 s)."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

YEAR = 365.25 * 86400.0  # seconds of a Julian year
HARTREE = 4.3597447222060e-18  # J: CODATA 2022
WATER = 1000.0 * 9.80665  # Pa of a metre of water: density times standard gravity (CGPM 1901)
AVOGADRO = 6.02214076e23  # per mole
ANGSTROM = ("Å", "Ang", "angstrom", "angstroms", "Angstrom", "Angstroms", "ångström", "Angström")
# by quantity: how many of the first one a unit is. Degrees are left out: they have no common zero. A lone m is the metre.
_SCALES: Mapping[str, Mapping[str, float]] = {
    "length": {
        "m": 1.0, "meter": 1.0, "metre": 1.0, "meters": 1.0, "metres": 1.0, "dm": 0.1, "cm": 0.01, "mm": 1e-3, "um": 1e-6,
        "µm": 1e-6, "nm": 1e-9, "pm": 1e-12, "km": 1e3, **dict.fromkeys(ANGSTROM, 1e-10), "micron": 1e-6, "microns": 1e-6,
        "in": 0.0254, "inch": 0.0254,
        "ft": 0.3048, "yd": 0.9144, "mi": 1609.344,
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
    "force": {
        "N": 1.0, "mN": 1e-3, "kN": 1e3, "MN": 1e6, "uN": 1e-6, "µN": 1e-6, "nN": 1e-9, "pN": 1e-12, "fN": 1e-15, "aN": 1e-18,
    },
    "energy": {
        "J": 1.0, "mJ": 1e-3, "kJ": 1e3, "MJ": 1e6, "GJ": 1e9, "TJ": 1e12, "PJ": 1e15, "EJ": 1e18, "ZJ": 1e21, "YJ": 1e24,
        "µJ": 1e-6, "uJ": 1e-6, "nJ": 1e-9, "pJ": 1e-12, "fJ": 1e-15, "aJ": 1e-18, "zJ": 1e-21, "yJ": 1e-24,
        "eV": 1.602176634e-19, "Wh": 3600.0, "kWh": 3.6e6, "Nm": 1.0,
        "kNm": 1e3, "MNm": 1e6, "cal": 4.184, "kcal": 4184.0, "erg": 1e-7, "meV": 1.602176634e-22, "keV": 1.602176634e-16,
        "MeV": 1.602176634e-13, "GeV": 1.602176634e-10, "hartree": HARTREE, "hartrees": HARTREE, "Eh": HARTREE,
        "Ry": HARTREE / 2.0,
    },
    "power": {
        "W": 1.0, "mW": 1e-3, "kW": 1e3, "MW": 1e6, "GW": 1e9, "TW": 1e12, "PW": 1e15, "uW": 1e-6, "µW": 1e-6, "nW": 1e-9,
        "pW": 1e-12,
    },
    "voltage": {"V": 1.0, "mV": 1e-3, "uV": 1e-6, "µV": 1e-6, "nV": 1e-9, "kV": 1e3},
    "current": {"A": 1.0, "mA": 1e-3, "uA": 1e-6, "µA": 1e-6, "nA": 1e-9, "pA": 1e-12, "fA": 1e-15, "kA": 1e3},
    "resistance": {
        **dict.fromkeys(("ohm", "Ohm", "ohms", "Ohms", "Ω"), 1.0), **dict.fromkeys(("mohm", "mOhm", "mΩ"), 1e-3),
        **dict.fromkeys(("uohm", "uOhm", "µOhm", "µΩ"), 1e-6), **dict.fromkeys(("kohm", "kOhm", "kΩ"), 1e3),
        **dict.fromkeys(("Mohm", "MOhm", "MΩ"), 1e6),
    },
    "frequency": {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9, "THz": 1e12, "PHz": 1e15},
    "amount": {
        "mol": 1.0, "mole": 1.0, "moles": 1.0, "mmol": 1e-3, "umol": 1e-6, "µmol": 1e-6, "nmol": 1e-9, "pmol": 1e-12, "kmol": 1e3,
    },
    "concentration": {"M": 1e3, "mM": 1.0, "uM": 1e-3, "µM": 1e-3, "nM": 1e-6, "pM": 1e-9, "fM": 1e-12},
    "volume": {
        "L": 1e-3, "l": 1e-3, "liter": 1e-3, "litre": 1e-3, "dL": 1e-4, "dl": 1e-4, "mL": 1e-6, "ml": 1e-6, "uL": 1e-9,
        "µL": 1e-9,
    },
    "angle": {
        **dict.fromkeys(("°", "deg", "degree", "degrees", "Grad"), math.pi / 180.0), "rad": 1.0, "radian": 1.0, "radians": 1.0,
        "mrad": 1e-3, "urad": 1e-6, "µrad": 1e-6, "arcmin": math.pi / 10_800.0, "arcsec": math.pi / 648_000.0,
    },
    "acceleration": {"Gal": 0.01, "mGal": 1e-5, "uGal": 1e-8, "µGal": 1e-8},
    "solid angle": {"sr": 1.0, "msr": 1e-3, "steradian": 1.0, "steradians": 1.0},
    "share": {"1": 1.0, "-": 1.0, "%": 0.01, "percent": 0.01, "ppm": 1e-6, "ppb": 1e-9, "‰": 1e-3},
}  # fmt: skip
_AS = {  # of which other quantities a quantity is made, whose first units make its first unit
    "volume": {"length": 3}, "share": dict[str, int](), "pressure": {"force": 1, "length": -2},
    "energy": {"force": 1, "length": 1}, "power": {"force": 1, "length": 1, "time": -1},
    "concentration": {"amount": 1, "length": -3}, "acceleration": {"length": 1, "time": -2},
}  # fmt: skip
_AS_SPELLED = frozenset({*_SCALES["concentration"], *_SCALES["acceleration"], "cal", "Eh", "Ry"})  # mM is no mm, a gal no Gal
_OF_ONE_PARTICLE = frozenset(("eV", "meV", "keV", "MeV", "GeV", "hartree", "hartrees", "Eh", "Ry"))  # against those of a mole
_KNOWN = {unit: (quantity, size) for quantity, units in _SCALES.items() for unit, size in units.items()}
_FAHRENHEIT = 5.0 / 9.0
_DEGREES: Mapping[str, tuple[float, float]] = {
    **dict.fromkeys(("k", "kelvin", "kelvins", "°k", "degk"), (1.0, 0.0)),
    **dict.fromkeys(("°c", "degc", "c", "celsius", "degreescelsius"), (1.0, 273.15)),
    **dict.fromkeys(("°f", "degf", "f", "fahrenheit"), (_FAHRENHEIT, 273.15 - 32.0 * _FAHRENHEIT)),
}
# what days are counted from, as a Julian date: modified, reduced, of TESS, of Kepler. TJD is left out: it has two meanings
_DAY_COUNTS: Mapping[str, float] = {
    **dict.fromkeys(("jd", "bjd", "hjd"), 0.0), **dict.fromkeys(("mjd", "bmjd", "hmjd"), 2_400_000.5), "rjd": 2_400_000.0,
    "btjd": 2_457_000.0, "bkjd": 2_454_833.0,
}  # fmt: skip
_TIME_SCALE = re.compile(r"[_\s(-]+(?:tdb|utc|tt|tcb)\)?$", re.IGNORECASE)
_OF_ANGLES_TOO = ("°", "deg", "degree", "degrees", "grad")  # or of a temperature whose scale is not said
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_LETTERS = str.maketrans({"μ": "µ", "\u212b": "Å", "\u2126": "Ω", "\u2212": "-"})  # those that look the same
_POWER = re.compile(r"(?:\^|\*\*)?[({](?P<braced>[-+]?[0-9]{1,2})[)}]|(?<![0-9])(?:\^|\*\*)(?=[-+]?[0-9])")
_TEN = re.compile(r"(?:10(?:\^|\*\*|(?=[-+]))|1(?:[.,]0*)?[eE])(?P<power>[-+]?[0-9]{1,2})")  # 10^-6 Å^-2, 1.0E22 J
_INVERSE = re.compile(r"^(?:inv(?:erse)?|reciprocal)[ _.]?(?=[^\W\d_]+$)(.+)", re.IGNORECASE)  # invA, inverse angstrom
_PER_ANGSTROM = ("1/A", "A-1", "A**-1")  # alone nothing is counted per ampere
_PART = re.compile(r"(?P<unit>[^\W\d_]+|[%‰°])(?P<power>[-+]?[1-9](?![0-9])|\+?1[0-2])?")  # the twelfth of Lennard and Jones
_TIMES = re.compile(r"[·⋅∙•×*\s()\[\]]+|(?<=[^\W_])\.(?=[^\W\d_])")  # also kg.m-3

Dimension = dict[str, int]


def one_spelling(unit: str) -> str:
    """Of a unit with raised digits or a caret: m2/day for m²/day and m^2/day."""
    unit = re.sub(r"\b10(?=[⁻⁰¹²³⁴⁵⁶⁷⁸⁹])", "10^", unit)
    plain = " ".join(unit.translate(_LETTERS).translate(_SUPERSCRIPTS).split())
    plain = _INVERSE.sub(r"1/\1", _POWER.sub(lambda found: found["braced"] or "", plain))
    return "1/Å" if plain in _PER_ANGSTROM else plain


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


def is_share(unit: str) -> bool:
    """Whether ``unit`` counts parts of a whole: %, ppm; not a mole in a mole."""
    return one_spelling(unit).strip() in _SCALES["share"]


def is_scaled(unit: str) -> bool:
    """Whether ``unit`` is one whose size is known, spelled as here: mrad, Torr; of units made of others, none."""
    return one_spelling(unit) in _KNOWN


def of_other_kind(unit: str, other: str) -> bool:
    """Whether both are known, and of different kinds: kN and mrad."""
    one, two = _read_difference(unit), _read_difference(other)
    return one is not None and two is not None and one[0] != two[0] and times(unit, other) is None


def is_inverse_length(unit: str) -> bool:
    """Whether ``unit`` is one of momentum transfers and wave numbers: 1/Å, nm^-1, inverse angstrom."""
    found = _read(unit)
    return found is not None and found[0] == {"length": -1}


def no_temperature(unit: str) -> bool:
    """Whether ``unit`` is known as that of another quantity; False where it is not known."""
    plain = unit.replace(" ", "").casefold()
    known = _read(unit) is not None or is_day_count(unit)
    return bool(plain) and plain not in _DEGREES and plain not in _OF_ANGLES_TOO and known


def is_temperature(unit: str) -> bool:
    """Whether ``unit`` is a scale of temperatures, and nothing else."""
    return (len(unit.strip()) > 1 and unit.replace(" ", "").replace("º", "°").casefold() in _DEGREES) or unit.strip() == "K"


def is_day_count(unit: str) -> bool:
    """Whether ``unit`` counts days from a day that is agreed upon: JD, MJD, BJD_TDB, BTJD."""
    return _day_zero(unit) is not None


def day_zeros() -> tuple[float, ...]:
    """As Julian dates: the days that are agreed upon to count from."""
    return tuple(dict.fromkeys(_DAY_COUNTS.values()))


def times(unit: str, other: str) -> float | None:
    """By what a number in ``unit`` is multiplied to be one in ``other``; None: not known, or they are of different kinds.

    Energies of one particle and of a mole of them are of one kind: eV, kJ/mol. Units of several parts in capitals alone, as
    listings print them, are read as small ones where that makes both of one kind: 1/(M SR).
    """
    found = _factor(unit, other)
    for one, two in () if found is not None else ((_small(unit), other), (unit, _small(other))):
        if one and two and (found := _factor(one, two)) is not None:
            return found
    return found


def _small(unit: str) -> str:
    """A unit of several parts that is in capitals alone, in small letters, W/m2 of W/M2: none is w; '' for others."""
    if not unit.isupper() or len(re.findall(r"[^\W\d_]+", unit)) < 2:
        return ""
    return re.sub(r"[^\W\d_]+", lambda part: part[0].lower() if _one(part[0].lower()) is not None else part[0], unit)


def _factor(unit: str, other: str) -> float | None:
    return _ratio(_read_beside(unit, other), _read_beside(other, unit), _of_particles(unit), _of_particles(other))


def error_times(unit: str, other: str) -> float | None:
    """As ``times``, of an error or a difference: degrees by their size, days that are counted from some day as days."""
    return _ratio(_read_difference(unit), _read_difference(other), _of_particles(unit), _of_particles(other))


def _read_beside(unit: str, other: str) -> tuple[Dimension, float] | None:
    """A lone A is an ampere, but beside a length an angstrom, as programs write it that have no Å."""
    beside = _read(other) if unit.strip() == "A" else None
    return _read("Å" if beside is not None and beside[0] == {"length": 1} else unit)


def _ratio(
    one: tuple[Dimension, float] | None, two: tuple[Dimension, float] | None, particle: bool, other_particle: bool
) -> float | None:
    if one is None or two is None:
        return None
    by = one[1] / two[1]
    moles = {n: p for n in one[0] | two[0] if (p := one[0].get(n, 0) - two[0].get(n, 0))}
    if particle and not other_particle and moles == {"amount": 1}:
        by, moles = by * AVOGADRO, {}
    elif other_particle and not particle and moles == {"amount": -1}:
        by, moles = by / AVOGADRO, {}
    return None if moles else float(f"{by:.12g}")


def dimension_of(unit: str) -> tuple[Dimension, float] | None:
    """The powers of the quantities that a unit is made of, and how many of their first units it is; None: it is not known."""
    return _read(unit)


def of_one_particle(unit: str) -> bool:
    """Whether an energy is counted by what one particle has: eV, hartree."""
    return _of_particles(unit)


def _of_particles(unit: str) -> bool:
    return any(part.rstrip("-0123456789") in _OF_ONE_PARTICLE for part in re.split(r"[\W_]+", one_spelling(unit)))


def _read_difference(unit: str) -> tuple[Dimension, float] | None:
    if (degrees := _degrees(unit)) is not None:
        return {"temperature": 1}, degrees[0]
    if unit.strip() == "mK":
        return {"temperature": 1}, 1e-3
    return _read("d") if is_day_count(unit) else _read(unit)


def _read(unit: str) -> tuple[Dimension, float] | None:
    """The powers of the quantities that a unit is made of, and its size; None: it is not known."""
    text = one_spelling(unit).strip()
    if text in _SCALES["share"]:
        return {}, _SCALES["share"][text]
    dimension, size = Dimension(), 1.0
    for k, side in enumerate(re.split(r"/|\bper\b", text)):
        parts = [p for p in _TIMES.split(side) if p]
        if not parts or (k == 0 and parts == ["1"]):
            if k:
                return None
            continue
        for part in parts:
            if (ten := _TEN.fullmatch(part)) is not None:
                size *= 10.0 ** (int(ten["power"]) * (-1 if k else 1))
                continue
            found = _PART.fullmatch(part)
            in_others = found is not None and found["unit"] == "K" and (found["power"] or part != text)  # a lone one has a zero
            known = None if found is None else ("temperature", 1.0) if in_others else _one(found["unit"])
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
    spelled = (unit for unit in _KNOWN if len(unit) > 1 and unit not in _AS_SPELLED)
    alike = {_KNOWN[unit] for unit in spelled if unit.casefold() == name.casefold()}
    return alike.pop() if len(alike) == 1 else None


def conversion(unit: str, other: str) -> tuple[float, float] | None:
    """By what a number in ``unit`` is multiplied, and what is then added, to be one in ``other``: (1, -273.15) from K to °C,
    (1, -2457000) from JD to BTJD.

    None: not known, or they are of different kinds.
    """
    one, two = _degrees(unit), _degrees(other)
    if one is not None and two is not None:  # kelvins are size * number + zero
        return float(f"{one[0] / two[0]:.12g}"), float(f"{(one[1] - two[1]) / two[0]:.12g}")
    days, its = _day_zero(unit), _day_zero(other)
    if days is not None and its is not None:
        return 1.0, days - its
    factor = times(unit, other)
    return None if factor is None else (factor, 0.0)


def head_of_water(unit: str, other: str) -> float | None:
    """By what a height of a column of water is multiplied to be a pressure, or the other way: 0.0980665 bar a metre (water of
    1000 kg/m³ at standard gravity); None: they are no height and no pressure."""
    for one, two, up in ((unit, other, False), (other, unit, True)):
        metres, pascals = times(one, "m"), times(two, "Pa")
        if metres is not None and pascals is not None:
            factor = metres * WATER / pascals
            return float(f"{1.0 / factor if up else factor:.12g}")
    return None


def _degrees(unit: str) -> tuple[float, float] | None:
    """Of a scale of temperatures: how many kelvins a degree is, and its zero in kelvins."""
    return _DEGREES.get(unit.replace(" ", "").replace("º", "°").casefold())


def _day_zero(unit: str) -> float | None:
    """As a Julian date: what a count of days starts from; None: it is no such."""
    return _DAY_COUNTS.get(_TIME_SCALE.sub("", unit.strip()).casefold())
