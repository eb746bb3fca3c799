"""Why names do not tell which column an output predicts: which columns there are, and what none of them is called. Pure."""

from __future__ import annotations

from bayescope.engine.problem.data.names.column_names import loose_name
from bayescope.engine.problem.definition import Problem
from bayescope.gui.models.data.taking_part import listed, unpaired


def untold(problem: Problem, output: str = "") -> str:
    """A sentence about the columns that are in no comparison and the name of ``output``; '': about all outputs in none."""
    left = unpaired(problem, open_too=True)
    outputs = (output,) if output else left.outputs
    if not left.columns:
        return "Every column is compared already, holds errors, or says where or when."
    alike = next((found for o in outputs if len(found := _called(o, left.columns)) > 1), ())
    if alike:
        return f"{listed(alike)} are all called so."
    are = "is" if len(left.columns) == 1 else "are"
    if len(outputs) == 1:
        return f"No column is called {listed(outputs)}: there {are} {listed(left.columns)}."
    return f"No column is called as an output ({listed(outputs)}): there {are} {listed(left.columns)}."


def _called(output: str, columns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(c for c in columns if loose_name(c) == loose_name(output))
