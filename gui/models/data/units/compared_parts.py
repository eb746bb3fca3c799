"""Of which parts of a complex quantity both sides of a comparison are, by their names. Pure."""

from __future__ import annotations

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.complex_parts import Part, part_of


def parts_of(problem: d.Problem, index: int) -> tuple[Part, Part] | None:
    """What is predicted and what was measured in comparison ``index``, of one quantity; None: names do not say both."""
    meaning = problem.meaning
    if not isinstance(meaning, d.Predictions) or not 0 <= index < len(meaning.matches):
        return None
    match = meaning.matches[index]
    output = next((o for o in problem.outputs if o.name == match.output), None)
    mine, its = part_of(match.output), part_of(match.column)
    if mine is None and output is not None and output.unit.casefold() == "db":
        mine = ("", "dB")
    if mine is None or its is None or (mine[0] and mine[0] != its[0]):
        return None
    return mine[1], its[1]
