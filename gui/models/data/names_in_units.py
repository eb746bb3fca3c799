"""Columns that are called alike but for their units: the one in a unit of an output's kind is meant. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.engine.problem.data.names.name_words import names_told
from bayescope.engine.problem.data.units.unit_kinds import contradict
from bayescope.engine.problem.data.units.unit_scales import times
from bayescope.gui.models.data.units.heading_units import unit_of_output


def names_and_units_told(problem: d.Problem, outputs: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """Each output with the column that ``names_told`` finds among all of them, or else among those in units of its kind: DY_PC1,
    in m, with PC1 (mm) rather than with PC1 (kN). Units that contradict say that a name misleads."""
    found = in_possible_units(problem, names_told(outputs, columns))
    kinds: dict[tuple[str, ...], list[str]] = {}
    for output in (o for o in outputs if o not in found):
        unit = unit_of_output(problem, output)
        fits = (c for c in columns if unit and c not in found.values() and times(unit, unit_in(c)) is not None)
        kinds.setdefault(tuple(fits), []).append(output)
    for fitting, mine in kinds.items():
        found |= names_told(mine, fitting) if fitting else {}
    return found


def in_possible_units(problem: d.Problem, pairs: Mapping[str, str]) -> dict[str, str]:
    """Those of the ``pairs`` whose units do not contradict each other: no length of a program is a stress."""
    return {o: c for o, c in pairs.items() if not contradict(unit_of_output(problem, o), unit_in(c))}
