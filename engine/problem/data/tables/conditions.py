"""A column of numbers that says under which condition each row was measured, where outputs are there for each: I_1000, I_600."""

from __future__ import annotations

from collections.abc import Sequence

from ... import definition as d
from ..errors.sd_pairs import sd_pairs
from ..names.column_names import loose_name, says_where
from .long_form import FEW
from .naming_pairs import proposed

FEWEST = 2  # conditions


def condition_column(table: d.DataTable, outputs: Sequence[str]) -> str:
    """The column whose few numbers all end names of outputs that begin alike, I_1000 and I_600; '' if there is none."""
    known = {loose_name(name) for name in outputs}
    for column, cells in table.columns.items():
        numbers = list(dict.fromkeys(v for v in cells if v is not None))
        if not FEWEST <= len(numbers) <= FEW or len(numbers) == len(cells) or not measured_under(table, column):
            continue
        if sorted(numbers) == list(range(1, len(numbers) + 1)):
            continue  # components are numbered so, too: U_1 and U_2
        ends = [loose_name(f"x_{number:g}".replace("-", "m").replace(".", "_"))[1:] for number in numbers]
        stems = [{name.removesuffix(end) for name in known if name.endswith(end) and name != end} for end in ends]
        if set.intersection(*stems) - {""}:
            return column
    return ""


def values_to_split(table: d.DataTable, by: str, outputs: Sequence[str]) -> list[str] | None:
    """What is split by column ``by`` where outputs are named after the conditions that it tells; None: it names quantities."""
    if by not in table.columns or proposed(table, outputs) == by or condition_column(table, outputs) != by:
        return None
    return measured_under(table, by)


def measured_under(table: d.DataTable, column: str) -> list[str]:
    """The columns of numbers that were measured under each condition that ``column`` tells, with their standard deviations: no
    places, which are the same under each or say where."""
    kinds = table.columns[column]
    sds = sd_pairs(list(table.columns))
    values = [
        name for name, cells in table.columns.items()
        if name != column and name not in sds.values() and not says_where(name) and not _same_under_each(kinds, cells)
    ]  # fmt: skip
    return [name for name in table.columns if name in values or any(sds.get(value) == name for value in values)]


def _same_under_each(kinds: Sequence[float | None], cells: Sequence[float | None]) -> bool:
    """Whether the numbers of one condition, several of them, are those of each other."""
    under: dict[float, list[float]] = {}
    for kind, value in zip(kinds, cells, strict=False):
        if kind is not None and value is not None:
            under.setdefault(kind, []).append(value)
    found = [set(values) for values in under.values()]
    return len(found) > 1 and len(found[0]) > 1 and all(values == found[0] for values in found)
