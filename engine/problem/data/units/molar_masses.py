"""Which chemical element, ion or compound a name is of, by its formula or its English, German or French name, and its molar mass.

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
COMPOUNDS: Mapping[str, str] = {  # that laboratories measure in masses here and in amounts there
    "C6H12O6": "glucose glukose fructose fruktose", "C12H22O11": "sucrose saccharose lactose laktose",
    "CH4N2O": "urea harnstoff urée", "C4H7N3O": "creatinine kreatinin créatinine",
    "C27H46O": "cholesterol cholesterin cholestérol",
    "C3H6O3": "lactate laktat lactic", "C2H6O": "ethanol", "C3H8O3": "glycerol glycerin glycérol", "C5H4N4O3": "urate harnsäure",
    "C33H36N4O6": "bilirubin bilirubine", "C8H10N4O2": "caffeine koffein caféine", "C8H9NO2": "paracetamol acetaminophen",
    "C9H8O4": "aspirin aspirine", "C7H8N4O2": "theophylline theophyllin théophylline", "C2H4O2": "acetate acetat acétate",
}  # fmt: skip
_BY_NAME = {
    name: formula
    for table in (_ELEMENT_NAMES, _IONS, COMPOUNDS)
    for formula, names in table.items()
    for name in names.split()
}
_FORMULAS = frozenset(ATOMIC_WEIGHTS.keys() | _IONS.keys())
_AMBIGUOUS = frozenset(f for f in _FORMULAS if len(f) == 1)  # K is a conductivity too, U a velocity: not without a second name
_ATOMS = re.compile(r"([A-Z][a-z]?)([0-9]*)")
_CHARGE = re.compile(r"(?:[0-9]?[-+]+|[-+][0-9])$")
_WORDS = re.compile(r"[\W_]+")
_EXCHANGER = re.compile(r"([A-Z][a-z]?|NH4)X[2-4]?")  # species on an exchanger: NaX, CaX2, AlX3
EXCHANGED, DISSOLVED, TOTAL = "exchanged", "dissolved", "total"
_PHASES: Mapping[str, str] = {
    word: phase
    for phase, words in {
        EXCHANGED: "exch exchange exchanged exchangeable exchanger sorbed adsorbed ads austauschbar sorbiert échangeable",
        DISSOLVED: "dissolved diss aq aqueous filtered porewater gelöst dissous",
        TOTAL: "total tot gesamt",
    }.items()
    for word in words.split()
}


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


def phase_in(name: str) -> str:
    """Where the substance of ``name`` is: exchanged, of K exch and of KX; dissolved; total; '' where it does not say."""
    words = _WORDS.split(without_unit(name))
    if on_exchanger(name):
        return EXCHANGED
    return next((_PHASES[w.casefold()] for w in words if w.casefold() in _PHASES), "")


def on_exchanger(name: str) -> str:
    """The formula of what is on an exchanger by a word of ``name``: Ca of CaX2; '' where none says it."""
    found = (_EXCHANGER.fullmatch(word) for word in _WORDS.split(without_unit(name)))
    return next((m[1] for m in found if m is not None and m[1] in _FORMULAS), "")


@lru_cache(NAMES_KNOWN)
def species_in(name: str) -> str:
    """As ``substance_in``; also Ca of CaX2, and K of K exch, where the other word says that the letter is no conductivity."""
    if exchanged := on_exchanger(name):
        return exchanged
    words = [w for w in _WORDS.split(without_unit(name)) if w]
    rest = [w for w in words if w.casefold() not in _PHASES]
    return rest[0] if len(rest) == 1 < len(words) and rest[0] in _FORMULAS else substance_in(name)


def substances_told(outputs: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """Columns of outputs by the substance both name, where one of each names it: Kalium (mg/l) of K. Of several those that say
    the same of where it is, first: CaX2 of Ca exch, which no other output has then."""
    own, other = ({name: (species_in(name), phase_in(name)) for name in names} for names in (outputs, columns))
    made = _one_each({o: told for o, told in own.items() if told[0]}, other)
    left = {c: told[0] for c, told in other.items() if c not in made.values() and not on_exchanger(c)}
    free = {o: told[0] for o, told in own.items() if told[0] and o not in made and not on_exchanger(o)}
    loose = _one_each(free, left)
    return made | {o: c for o, c in loose.items() if not apart(o, c)}


def apart(one: str, other: str) -> bool:
    """Whether two names are of different substances, or of one at two places: sodium on an exchanger, calcium in water. A name
    that says no place may be dissolved, or all of it."""
    phases = [phase_in(name) for name in (one, other)]
    a, b = (f if phase or f not in _AMBIGUOUS else "" for phase, f in zip(phases, map(species_in, (one, other)), strict=True))
    if not a or not b or a != b:
        return bool(a and b)
    return phases[0] != phases[1] and ("" not in phases or bool(on_exchanger(one) or on_exchanger(other)))


def _one_each(own: Mapping[str, object], other: Mapping[str, object]) -> dict[str, str]:
    """Each name with the only other one of which the same is told, where it is the only one of it, too."""
    mine = list(own.values())
    pairs = {o: [c for c, told in other.items() if told == own[o]] for o in own}
    return {o: found[0] for o, found in pairs.items() if len(found) == 1 == mine.count(own[o])}
