"""Which columns of a table of earlier runs are which output: one for a number, numbered ones (``curve[0]``...) for a vector."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..problem.checks.without_runs import noise_alone, used_outputs
from ..problem.definition import Predictions, Problem
from ..problem.placeholders import normal
from ..problem.transforms import ParameterSpace
from .column_words import plain, without_unit
from .mapping import parameter_columns
from .table import MAX_COLUMNS, ArchiveError, Table

Array = NDArray[np.float64]
_NUMBERED = re.compile(r"^(.*?\S)\s*(?:\[\s*(\d{1,6})\s*\]|\(\s*(\d{1,6})\s*\)|[_. -]?(\d{1,6}))$")


@dataclass(frozen=True)
class MappedOutputs:
    """Which column is what. ``columns``: parameter -> column; ``outputs``: output -> its columns, in the order of its values."""

    columns: dict[str, str]
    outputs: dict[str, tuple[str, ...]]


def groups(columns: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Columns that are one vector, by its name: numbered without a gap from 0 or 1, two or more of them."""
    found: dict[str, dict[int, str]] = {}
    for column in columns:
        match = _NUMBERED.match(column)
        if match is not None:
            number = int(next(g for g in match.groups()[1:] if g is not None))
            found.setdefault(match[1], {}).setdefault(number, column)
    in_order = {name: sorted(numbered) for name, numbered in found.items() if len(numbered) > 1}
    whole = {name: k for name, k in in_order.items() if k[0] < 2 and k[-1] - k[0] == len(k) - 1}
    return {name: tuple(found[name][number] for number in numbers) for name, numbers in whole.items()}


def vector_columns(table: Table, chosen: str) -> tuple[str, ...]:
    """Those of a vector of that name, or the one column. Raises ArchiveError if there is neither."""
    if chosen in (found := groups(table.columns)):
        return found[chosen]
    table.column(chosen)
    return (chosen,)


def can_hold_outputs(problem: Problem) -> bool:
    """Whether runs of the problem may be imported by their outputs."""
    return isinstance(problem.meaning, Predictions) and problem.data is not None


def program_parameters(problem: Problem) -> tuple[str, ...]:
    """Free parameters that the program is given: those of the noise alone need no column."""
    alone = noise_alone(problem)
    return tuple(name for name in ParameterSpace(problem.parameters).names if normal(name) not in alone)


def required_outputs(problem: Problem) -> tuple[str, ...]:
    """Those that are compared with data, in the order of the comparisons."""
    matches = problem.meaning.matches if isinstance(problem.meaning, Predictions) else ()
    return tuple(dict.fromkeys(match.output for match in matches))


def outputs_offered(problem: Problem) -> tuple[str, ...]:
    """Those that columns may be given for: the required ones, the keys of their rows, and others that are declared."""
    used = used_outputs(problem)
    rest = sorted((o.name for o in problem.outputs if not o.text), key=lambda name: name not in used)
    return tuple(dict.fromkeys((*required_outputs(problem), *rest)))


def outputs_from_options(
    table: Table, problem: Problem, columns: Mapping[str, str], outputs: Mapping[str, str]
) -> MappedOutputs:
    """What was said (parameter -> column, output -> column or name of a numbered vector) completed by what names suggest.

    Raises ArchiveError when something is still missing.
    """
    if not can_hold_outputs(problem):
        raise ArchiveError("This analysis compares no outputs with data, so that earlier runs are imported by their log density.")
    offered = outputs_offered(problem)
    unknown = [name for name in outputs if name not in offered]
    if unknown:
        raise ArchiveError(f"There is no output {', '.join(unknown)}.", "", f"The outputs are {', '.join(offered)}.")
    chosen = parameter_columns(table, columns, program_parameters(problem))
    there = groups(table.columns)
    taken = set(chosen.values())
    free = [c for c in reversed(table.columns) if c not in taken]
    single = {without_unit(c): c for c in free} | {plain(c): c for c in free}
    by_plain: dict[str, tuple[str, ...]] = {}
    by_plain.update({name: (column,) for name, column in single.items()})
    by_plain.update({plain(name): given for name, given in there.items() if not taken & set(given)})
    found = {name: vector_columns(table, given) for name, given in outputs.items()}
    for name in offered:
        if name not in found and plain(name) in by_plain:
            found[name] = by_plain[plain(name)]
    missing = [name for name in required_outputs(problem) if name not in found]
    if missing:
        raise ArchiveError(
            f"Which columns hold the output {', '.join(missing)} was not said.", "",
            f"The table has: {', '.join([*there, *(c for c in table.columns if not any(c in g for g in there.values()))][:30])}.",
        )  # fmt: skip
    return MappedOutputs(chosen, found)


def holds_outputs(table: Table, problem: Problem, columns: Mapping[str, str] | None = None) -> bool:
    """Whether the names of the columns suggest that the table holds what the program prints; ``columns``: parameter -> column,
    where that is known."""
    try:
        found = outputs_from_options(table, problem, columns or {}, {})
    except ArchiveError:
        return False
    return set(program_parameters(problem)) <= set(found.columns)


def with_outputs(table: Table, outputs: Sequence[Mapping[str, Array]]) -> Table:
    """``table`` (n rows) with a column for each number of the outputs (n of them) as well, unless they are too many: vectors of
    another length than the longest are filled up with NaN."""
    lengths: dict[str, int] = {}
    for one in outputs:
        for name, values in one.items():
            lengths[name] = max(lengths.get(name, 0), np.size(values))
    added = {n: k for n, k in lengths.items() if n not in table.columns and k}
    if not added or len(table.columns) + sum(added.values()) > MAX_COLUMNS:
        return table
    cells = {name: np.full((len(outputs), k), np.nan) for name, k in added.items()}
    for i, one in enumerate(outputs):
        for name, values in one.items():
            if name in cells:
                cells[name][i, : np.size(values)] = np.ravel(values)
    names = [n if k == 1 else f"{n}[{j}]" for n, k in added.items() for j in range(k)]
    values = np.column_stack([table.values, *cells.values()])
    return replace(table, columns=(*table.columns, *names), values=values)
