"""One row of an output that is a list: where a single measured value belongs, and the place by which that row is known. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bayescope.engine.problem.data.names.column_names import same_names, says_where
from bayescope.engine.problem.definition import Predictions, Problem
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import read_now
from bayescope.gui.models.data.keys.own_table import own_first
from bayescope.gui.models.data.rows.chosen_rows import MOST_SHOWN, lines_of_output


@dataclass(frozen=True)
class Place:
    """The key ``output`` of a row, the data ``column`` that it belongs to, and its ``value``."""

    output: str
    column: str
    value: float


def rows_of(problem: Problem, report: TrialRunReport | None, output: str) -> tuple[str, ...]:
    """What the program prints in each row of an output in the newest test run; none: it is a single number, or not known."""
    found = read_now(problem, report).get(output) if report is not None else None
    declared = any(o.name == output for o in problem.outputs)
    if report is None or found is None or not declared or not 1 < len(found.values) <= MOST_SHOWN:
        return ()
    return lines_of_output(problem, output, report, np.array([np.nan if v is None else v for v in found.values], dtype=float))


def place_of(problem: Problem, report: TrialRunReport | None, output: str, row: int) -> Place | None:
    """By which key row ``row`` (from 1) of ``output`` is known: that of what is compared already, else an output of its table
    that says where or when; None: by its number alone."""
    read = read_now(problem, report) if report is not None else {}
    mine = read.get(output)
    if mine is None:
        return None
    as_long = [n for n, o in read.items() if n != output and len(o.values) == len(mine.values) and not o.texts]
    matches = problem.meaning.matches if isinstance(problem.meaning, Predictions) else ()
    known = [key for m in matches if len(m.keys) == 1 for key in m.keys]
    known += [(s.key_output, s.key_column) for s in getattr(problem.meaning, "summaries", ()) if s.key_output and s.key_column]
    data = [] if problem.data is None else list(problem.data.columns)
    for name in own_first(problem, output, as_long):
        column = next((c for o, c in known if o == name), None)
        values = [v for v in read[name].values if v is not None]
        if (column is None and not says_where(name)) or len(set(values)) < len(mine.values):
            continue
        if column is not None and column not in data:
            continue  # labels of the data
        return Place(name, column or same_names([name], data).get(name, name), values[row - 1])
    return None
