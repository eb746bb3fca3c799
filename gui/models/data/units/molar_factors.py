"""By what an amount of substance that a program prints is multiplied to be a mass that was measured, or a mass to be an amount:
by its molar mass. Pure."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.engine.problem.data.units.molar_masses import COMPOUNDS, common_substance, molar_mass
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.gui.models.data.units.heading_units import unit_of_output
from bayescope.gui.models.plain import one_line

_PREFIXES = {"": 1.0, "k": 1e3, "m": 1e-3, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "n": 1e-9}
_PER = r"(?:/\s*(?:kgw?|(?P<deci>d)?[lL]|dm3|dm³)|\s*(?:kgw?|l|L|dm)(?:\^?-[13]|⁻[¹³]))"
_MASS = re.compile(rf"([kmuµμn]?)g{_PER}")
_AMOUNT = re.compile(rf"([mµuμn]?)(?:mol(?:{_PER})?|molal)")
CLINICAL = "mg/dL"  # of compounds that are measured in mmol/L elsewhere
NEAR = 3.0  # times that the observed factor may be off the molar mass: the parameters of a test run are not the answer
LEAST = 1.9  # powers of ten from which an amount is told by its size alone; nearer ones may be parameters


@dataclass(frozen=True)
class Molar:
    """``factor``: of the output; ``formula``, ``mass`` in g/mol; ``own``: the unit of the output, and whether it is ``said``."""

    formula: str
    mass: float
    factor: float
    own: str
    said: bool

    def confirmed(self, observed: float) -> bool:
        """By the factor that brings predictions to the size of what was measured."""
        return observed > 0.0 and abs(math.log(observed / self.factor)) <= math.log(NEAR)

    def words(self, match: d.Match) -> str:
        output, column = one_line(match.output, 30), one_line(match.column, 30)
        is_in = f"is in {self.own}, as it says," if self.said else f"seems to be in {self.own}"
        measured = f"“{column}” was measured in {unit_in(match.column)}"
        return f"“{output}” {is_in} and {measured}: 1 mol of {self.formula} is {spoken(self.mass, 7)} g."

    def button(self, match: d.Match, longest: int) -> str:
        name = one_line(match.output, longest).replace("&", "&&")
        return f"M&ultiply {name} by {self.factor:,.6g} (molar mass {spoken(self.mass, 7)} g/mol)"


def is_mass(unit: str) -> bool:
    """Whether a column in ``unit`` holds masses of a substance in a volume or in water, so that each has a factor of its own."""
    return _MASS.fullmatch(unit.strip()) is not None


def molar(problem: d.Problem, match: d.Match) -> Molar | None:
    """The factor that the names and units of ``match`` tell; None: of no one substance, or of no mass beside an amount."""
    unit = unit_in(match.column).strip()
    grams, moles = _in_a_litre(_MASS, unit), _in_a_litre(_AMOUNT, unit)
    formula = common_substance(match.output, match.column) if grams or moles else ""
    if not formula:
        return None
    own = (unit_of_output(problem, match.output) or unit_in(match.output)).strip()
    mass = float(f"{molar_mass(formula):.8g}")
    if grams:
        amount = _in_a_litre(_AMOUNT, own) if own else 1.0
        factor = mass * amount / grams
        usual = abs(math.log10(factor)) >= LEAST if factor else False
        return Molar(formula, mass, float(f"{factor:.12g}"), own or "mol", bool(own)) if factor and (own or usual) else None
    if not own and formula not in COMPOUNDS:
        return None
    weight = _in_a_litre(_MASS, own or CLINICAL)
    return Molar(formula, mass, float(f"{weight / mass / moles:.12g}"), own or CLINICAL, bool(own)) if weight else None


def _in_a_litre(kind: re.Pattern[str], unit: str) -> float:
    """g or mol, in a litre or a kg of water, that one of ``unit`` is; 0: it is none of this kind."""
    found = kind.fullmatch(unit)
    return 0.0 if found is None else _PREFIXES[found[1]] * (10.0 if found["deci"] else 1.0)
