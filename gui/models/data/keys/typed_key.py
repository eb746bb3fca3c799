"""The key that is typed by its name into the list of comparisons: travel, travel x 1000, time / 60, 180 - theta. Pure."""

from __future__ import annotations

import re

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import loose_name, says_where
from bayescope.engine.problem.data.rows.key_scale import Scale, with_scale
from bayescope.gui.models.data.keys.key_candidates import paired_by
from bayescope.gui.models.data.keys.possible_keys import has_entries
from bayescope.gui.models.plain import number_of, one_line

_PRODUCT = re.compile(r"(?P<name>.*?[^\W\d_].*?)(?:\s*(?:(?<=\s)x|[×*·/÷])\s*(?P<number>[\d.,]+(?:[eE][-+]?\d+)?))?")
_FROM = re.compile(r"(?P<number>\d[\d.,]*(?:[eE][-+]?\d+)?)\s*°?\s*[-−–]\s*(?P<name>[^\W\d_].*?)")  # 180 - arm
_OVER = re.compile(r"[/÷]\s*[\d.,eE+-]+$")


def typed_key(problem: d.Problem, match: d.Match, text: str) -> d.Match | None:
    """``match`` paired by the output and the column that ``text`` names, times its factor, or taken from a number; None: it names
    neither. Raises ValueError with words where one of the two is not known."""
    if (turned := _FROM.fullmatch(text.strip())) is not None:
        plain, number = typed_key(problem, match, turned["name"]), number_of(turned["number"], "The number")
        # the same back and forth, whichever of the two is named
        return plain if plain is None else with_scale(plain, Scale(-plain.key_factor, number))
    found = _PRODUCT.fullmatch(text.strip())
    if found is None or problem.data is None:
        return None
    name = found["name"].strip()
    outputs = [o.name for o in problem.outputs if o.name != match.output]
    columns = [c for c in (*problem.data.columns, *problem.data.texts) if c != match.column]
    columns = [c for c in columns if has_entries(problem.data, c, match.column)]
    output, column = _called(name, outputs), _called(name, columns)
    if not output and not column:
        return None
    output, column = output or _called(column, outputs), column or _called(output, columns)
    own = match.keys[0] if match.keys else ("", "")
    if (output or own[0], column or own[1]) == own:  # the pair that it has, by one of its two names
        output, column = own
    if not output:
        raise ValueError(f"No output is called “{one_line(column, 30)}”: choose one under “Pair by the output” below.")
    if not column:
        told = [c for c in columns if says_where(c)]
        if len(told) != 1:
            raise ValueError(f"No column is called “{one_line(output, 30)}”: choose one under “with the column” below.")
        column = told[0]
    factor = number_of(found["number"], "The factor") if found["number"] else 1.0
    if factor == 0.0:
        raise ValueError("Times 0 all keys are the same. Write a factor such as 1000 or 1/60.")
    scale = Scale(1.0 / factor if _OVER.search(text.strip()) else factor)
    return with_scale(paired_by(match, [(output, column)]), scale)


def _called(name: str, names: list[str]) -> str:
    """The one of the ``names`` that is spelled like ``name``, else the only one but for case, units and signs; '' if none is."""
    alike = [one for one in names if loose_name(one) == loose_name(name)]
    return name if name in names else alike[0] if len(alike) == 1 else ""
