"""Which words are units, and which of a heading's words are its unit where it stands behind a slash. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

# what columns that say where or when are measured in
KEY_UNITS = (
    "s", "sec", "ms", "us", "ns", "min", "h", "hr", "hours", "d", "days", "yr", "years",
    "m", "mm", "cm", "km", "um", "nm", "hz", "khz", "mhz", "ghz",
)  # fmt: skip
# beside those above, what a lone letter is measured in where it is a place or a time; x (ohm) is a reactance
LETTER_UNITS = (
    *KEY_UNITS, "", "-", "1", "minutes", "day", "week", "weeks", "month", "months", "year", "a",
    "in", "inch", "ft", "yd", "mi", "miles", "deg", "°", "rad", "px", "pixel", "pixels", "å", "µm", "μm", "µs", "μs",
)  # fmt: skip
# what may stand behind a name without brackets (deflection mm, force_kN); one letter only behind a longer word: no labels
UNIT_WORDS = frozenset(
    "mgal ugal µgal mm cm km um µm nm hz khz mhz ghz thz rpm pa kpa mpa gpa bar mbar kg mg kn mn kw mw kv mv ma "
    "degc degf °c °f deg rad ohm mohm uohm kohm percent % mol kj mj ev mev kev ms us ns µs sec min ppm "
    "jd bjd hjd mjd bmjd hmjd rjd btjd bkjd".split()
)
LETTER_UNIT_WORDS = frozenset("msNVWK")
# beside those above, alone in a line below the names of columns; parts of kg/s and W/m^2 too
_BARE_UNITS = frozenset("s m k c f n v a w g j l t kg ml l psi atm fps mph gpm cfs cms lps mgd ft in lb lbf n/a none".split())

_WRITTEN_SO = ("Grad", "Angstrom", "Angstroms")  # degrees in German: GRAD and grad are gradients
_OHM = re.compile("[\u03a9\u2126]")  # the capital letter: a small omega is a frequency
_LETTERS = ("Psi",)  # the Greek letter: pounds per square inch are psi
_ANGLES = ("rad", "deg", "\u00b0")  # in which no pressure is given: PSI/rad is the letter, too
_NUMBER_ALONE = re.compile(r"(?<!\S)[0-9]+(?:[.,][0-9]+)?(?!\S)")
# with a small prefix, as only their capital letters tell: forces, currents, voltages, powers, energies
_PREFIXED = re.compile(r"(?<![^\W_])(?:[afpnu\u00b5\u03bc][NAVW]|[zafpnu\u00b5\u03bc]J)(?![^\W\d_])")
_SLASH = re.compile(r" ?/ ?")
_NO_POWER = re.compile(r"[^\W\d_][-+^]*(?:0[0-9]|-1[0-9]|[2-9][0-9]|1[3-9])$")  # J-05 and J-12 are junctions
_DOTS = r"(?<=[^\W\d_])\.(?=[^\W\d_])"  # between the units of a product: ohm.cm2
_PRODUCT = re.compile(rf"[^\W\d_]{{2}}{_DOTS}|{_DOTS}[^\W\d_]{{2}}|{_DOTS}[^\W\d_]-?[0-9]")  # s.d. are standard deviations
# W/(m K): what is divided by stands in brackets; by one unit alone it may be a quantity with its unit, T/(K)
_QUOTIENT = re.compile(r"(?P<over>[^()\[\]/]+) ?/ ?\((?P<under>[^()\[\]]*[^\s()\[\]][\s·*.][^()\[\]]+)\)")
_PER = re.compile(r"\s+per\s+")
_AREA = re.compile(r"^(?:square|cubic) ")
_COUNTED = re.compile(r"[^\W\d_]{3,}(?: [^\W\d_]{3,})?")  # whatever is counted: counts, cells, new cases
_PER_WORDS = frozenset(
    "second minute hour meter metre kilometer kilometre centimeter centimetre millimeter millimetre liter litre milliliter "
    "millilitre gram kilogram mole kelvin degree pixel cell litre person capita 1000 100".split()
)
# beside those known of data columns: what chemists', engineers' and circuit programs print behind numbers; lower case
_MORE_UNITS = frozenset(
    "eh hartree hartrees ha ev mev kev a0 bohr e au a.u. kcal cal kcal/mol kj/mol debye d angstrom angstroms å seconds second "
    "minutes hours days kmol mol mole moles kelvin celsius volts volt v amps amp watts watt ohms ohm farad henry "
    "s/m kg/kmol kg/m3 j/k ps fs "
    "j/kg/k db dbi deg degrees degree radians rad/s rad/time cycles/time m/s2 in/hr mm/hr ltr liters ac-ft acre-feet mg/l ug/l "
    "hectare-m ry rydberg rydbergs ksi psf kip kips knots mach cm-1 cm^-1 cm**(-1) 1/cm 1/s hz/k pct pc wb t tesla gauss "
    "nt ut µt mag mmag jy mjy psu dbar ppb".split()
)

# what heights and depths are counted from: m a.s.l., m ü. NHN, m below ground
_REFERENCE = (
    r"(?:a\.? ?m?\.? ?s\.? ?l\.?|[ab]\.? ?g\.? ?[ls]\.?|[üou]e?\.? ?(?:nhn|nn|adria|gok|mok|gelände)|nhn|nn|nap"
    r"|(?:above|below) (?:mean )?(?:sea level|ground|datum))"
)
HEIGHT = re.compile(rf"[\[(]?(?P<bare>[kcm]?m|ft) {_REFERENCE}[\])]?", re.IGNORECASE)

# a volume or an area, of which a quotient with a time is a discharge or a rate: l/s, m3/h; l alone may be a name
_AREA_OR_VOLUME = re.compile(r"l|gal|[cdkm]?m(?:\^|\*\*)?[23²³]|(?:ft|in|yd|mi)(?:\^|\*\*)?[23²³]", re.IGNORECASE)
_TIMES = frozenset("s sec second min minute h hr hour d day week month a yr year".split())

NAMES_KNOWN = 4096  # names whose parts are kept: each edit of a table asks for those of every pair of columns, many times


def bare_unit(unit: str) -> str:
    """A unit without what heights are counted from: m of m a.s.l."""
    height = HEIGHT.fullmatch(unit.strip())
    return unit if height is None else height["bare"]


def says_conditions(bracket: str) -> bool:
    """Whether what stands in a bracket behind a name has several numbers, as no unit has: P1 1480 K 1.15 atm."""
    return len(_NUMBER_ALONE.findall(bracket)) > 1


def is_prefixed(word: str) -> bool:
    """Whether a word is a unit with a small prefix, spelled as it has to be: pN, nA, µV, aJ."""
    return _PREFIXED.fullmatch(word) is not None


@lru_cache(NAMES_KNOWN)
def is_unit(word: str) -> bool:
    """Whether a word is a unit: K, kg/s, W/m^2, counts per second. A single letter may be a name too: only what stands around it
    tells."""
    if word.strip() in _WRITTEN_SO:
        return True
    if (quotient := _QUOTIENT.fullmatch(word.strip())) is not None:
        return is_unit(quotient["over"]) and is_unit(quotient["under"])
    word = _OHM.sub("ohm", _PREFIXED.sub("N", word))
    counted, *per = _PER.split(word.casefold().strip())
    if per:
        counts, per = _COUNTED.fullmatch(counted) is not None, [_AREA.sub("", part) for part in per]
        return (counts or is_unit(counted)) and all(part in _PER_WORDS or is_unit(part) for part in per)
    dots = _DOTS if _PRODUCT.search(word) else " "
    powers = [part for part in re.split(rf"[/·*\s]+|{dots}", word.casefold()) if part]
    if any(_NO_POWER.search(part) for part in powers):
        return False
    parts = [re.sub(r"[-^*0-9²³⁻¹.]+$", "", part) for part in powers]
    known = UNIT_WORDS | _BARE_UNITS | set(KEY_UNITS) | set(LETTER_UNITS)
    return bool(parts) and all(part in known for part in parts)


def known_unit(word: str) -> bool:
    """Whether a word is a unit, alone or as a fraction of such: Eh/a0."""
    plain = word.strip("()[]{}<>.,; ").casefold().removeprefix("square ").removeprefix("cubic ").replace("\u03b1", "a0")
    if not any(c.isalpha() or c in "%\u00b0" for c in plain):
        return False
    if plain in _MORE_UNITS or is_unit(plain):
        return True
    parts = [re.sub(r"[-^*0-9\u00b2\u00b3\u00b9\u2070-\u207f()]+$", "", p) for p in re.split(r"[/\u00b7*]", plain)]
    return len(parts) > 1 and all(p in _MORE_UNITS or is_unit(p) for p in parts if p)


def known_units(text: str) -> bool:
    """Whether every word of ``text`` is a unit, and there is one: kJ mol-1."""
    return bool(text.strip()) and all(known_unit(word.replace("\u2212", "-")) for word in text.split())


def _is_word_of_unit(word: str) -> bool:
    """Of more than one letter: a single one may be the name, as in wall T/K."""
    return len(word) > 1 and word.isalpha() and known_unit(word)


def _begins_quotient(word: str, per: str) -> bool:
    """Whether a slash between two words is a unit's own: kJ/mol, l/s, m3/day."""
    if _is_word_of_unit(word):
        return known_unit(f"{word}/{per}")
    return _AREA_OR_VOLUME.fullmatch(word) is not None and per.casefold() in _TIMES


@lru_cache(NAMES_KNOWN)
def name_and_unit(heading: str) -> tuple[str, str] | None:
    """A name and the unit by which its values are divided, as quantities are: time / min, [A] / mol/L, u/kJ mol-1.

    None where no unit stands behind a slash, and where the whole is one: km/h.
    """
    for found in _SLASH.finditer(heading):
        name, unit = heading[: found.start()].strip(), heading[found.end() :].strip()
        before = name.rsplit(maxsplit=1)
        if found[0] == "/" and len(before) > 1 and _begins_quotient(before[1], unit):
            return before[0], f"{before[1]}/{unit}"  # energy kJ/mol, Q l/s
        whole = name.count("(") == name.count(")") and name.count("[") == name.count("]")
        told = whole and any(c.isalpha() for c in name) and (is_unit(unit) or known_units(unit))
        letter = name in _LETTERS or (name.capitalize() in _LETTERS and unit.casefold() in _ANGLES)
        unit_before = is_unit(name) and not letter
        fraction = found[0] == "/" and unit_before and not any(c.isspace() for c in unit)  # v/m s-1 is none
        if told and not fraction:
            return name, unit
    return None
