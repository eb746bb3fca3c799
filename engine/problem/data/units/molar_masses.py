"""Which chemical element or ion a name is of, by its formula or its English, German or French name, and its molar mass.

Standard atomic weights, abridged: IUPAC, Prohaska et al., Pure Appl. Chem. 94 (2022) 573.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from ..names.column_names import without_unit
from .unit_names import NAMES_KNOWN

ATOMIC_WEIGHTS: Mapping[str, float] = {  # g/mol
    "H": 1.008, "Li": 6.94, "B": 10.81, "C": 12.011, "N": 14.007, "O": 15.999, "F": 18.998, "Na": 22.990, "Mg": 24.305,
    "Al": 26.982, "Si": 28.085, "P": 30.974, "S": 32.06, "Cl": 35.45, "K": 39.098, "Ca": 40.078, "Ti": 47.867, "V": 50.942,
    "Cr": 51.996, "Mn": 54.938, "Fe": 55.845, "Co": 58.933, "Ni": 58.693, "Cu": 63.546, "Zn": 65.38, "As": 74.922,
    "Se": 78.971, "Br": 79.904, "Rb": 85.468, "Sr": 87.62, "Mo": 95.95, "Ag": 107.87, "Cd": 112.41, "Sb": 121.76, "I": 126.90,
    "Cs": 132.91, "Ba": 137.33, "Hg": 200.59, "Pb": 207.2, "U": 238.03,
}  # fmt: skip
_ELEMENT_NAMES: Mapping[str, str] = {
    "Li": "lithium", "B": "boron bor bore", "F": "fluoride fluorid fluorure", "Na": "sodium natrium",
    "Mg": "magnesium magnésium", "Al": "aluminium aluminum", "Si": "silicon silizium silicium",
    "P": "phosphorus phosphor phosphore", "S": "sulfur sulphur schwefel soufre", "Cl": "chloride chlorid chlorure",
    "K": "potassium kalium", "Ca": "calcium kalzium", "Ti": "titanium titan titane", "V": "vanadium",
    "Cr": "chromium chrom chrome", "Mn": "manganese mangan manganèse", "Fe": "iron eisen fer", "Co": "cobalt kobalt",
    "Ni": "nickel", "Cu": "copper kupfer cuivre", "Zn": "zinc zink", "As": "arsenic arsen", "Se": "selenium selen sélénium",
    "Br": "bromide bromid bromure", "Rb": "rubidium", "Sr": "strontium", "Mo": "molybdenum molybdän molybdène",
    "Ag": "silver silber argent", "Cd": "cadmium", "Sb": "antimony antimon antimoine", "I": "iodide iodid jodid iodure",
    "Cs": "caesium cesium cäsium césium", "Ba": "barium baryum", "Hg": "mercury quecksilber mercure", "Pb": "lead blei plomb",
    "U": "uranium uran",
}  # fmt: skip
_IONS: Mapping[str, str] = {
    "SO4": "sulfate sulphate sulfat", "NO3": "nitrate nitrat", "NO2": "nitrite nitrit", "NH4": "ammonium",
    "HCO3": "bicarbonate hydrogencarbonate hydrogencarbonat hydrogénocarbonate bikarbonat", "CO3": "carbonate carbonat karbonat",
    "PO4": "phosphate phosphat orthophosphate orthophosphat", "SiO2": "silica", "CO2": "",
}  # fmt: skip
_BY_NAME = {name: formula for table in (_ELEMENT_NAMES, _IONS) for formula, names in table.items() for name in names.split()}
_FORMULAS = frozenset(ATOMIC_WEIGHTS.keys() | _IONS.keys())
_AMBIGUOUS = frozenset(f for f in _FORMULAS if len(f) == 1)  # K is a conductivity too, U a velocity: not without a second name
_ATOMS = re.compile(r"([A-Z][a-z]?)([0-9]*)")
_CHARGE = re.compile(r"(?:[0-9]?[-+]+|[-+][0-9])$")
_WORDS = re.compile(r"[\W_]+")


def molar_mass(formula: str) -> float:
    """In g/mol, of a formula without brackets. Raises KeyError: of an element that is not in the table."""
    return sum(ATOMIC_WEIGHTS[symbol] * int(count or 1) for symbol, count in _ATOMS.findall(formula))


@lru_cache(NAMES_KNOWN)
def substance_in(name: str) -> str:
    """The formula of what ``name`` is of: Ca of ``Calcium (mg/l)`` and of ``Ca+2``; '' where it names none, or several: NO3-N."""
    bare = without_unit(name)
    words = [w for w in _WORDS.split(bare) if w]
    if (whole := _CHARGE.sub("", bare)) in _FORMULAS:
        return whole
    found = {w if w in _FORMULAS else _BY_NAME.get(w.casefold(), "") for w in words} - {""}
    only = next(iter(found)) if len(found) == 1 else ""
    return "" if only in words and only in _AMBIGUOUS else only


def common_substance(one: str, other: str) -> str:
    """Of two names of one quantity; '' where they name two, or only a letter that has other meanings says it."""
    a, b = substance_in(one), substance_in(other)
    if a and b:
        return a if a == b else ""
    only, name = (a, one) if a else (b, other)
    return "" if only in _AMBIGUOUS and _CHARGE.sub("", without_unit(name)) == only else only


def substances_told(outputs: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """Columns of outputs by the substance both name, where one of each names it: Kalium (mg/l) of K."""
    made = {}
    for output in outputs:
        formula = substance_in(output)
        there = [c for c in columns if formula and substance_in(c) == formula]
        if len(there) == 1 and sum(substance_in(o) == formula for o in outputs) == 1:
            made[output] = there[0]
    return made
