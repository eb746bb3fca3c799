"""A list of several dimensions in ncdump's text as one list for each place of the first: Ts_Jan of Ts(month, lat)."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ...data.names.column_names import fresh
from ...netcdf_text import dimensions, is_coordinate
from ...numbers.month_names import SHORT_NAMES
from ..found import Each
from ..found import Found as One
from ..mark import MOST_OUTPUTS, Mark
from .list_offers import label_of_list, ways

MOST_LISTS = 60  # of a text, looked through for the coordinates


def rows_of_list(mark: Mark, taken: Sequence[str] = ()) -> Each:
    """The rows of the list that is marked as a whole, each an output of its own; empty: it has none, or too many."""
    if mark.listed is None or mark.listed.hits or mark.listed.found.stored:
        return Each(())
    found = mark.listed.found
    variable = label_of_list(found.whole.name)
    lengths = [(name, n) for name, n in dimensions(mark.text, variable) if n > 1]
    if len(lengths) < 2:
        return Each(())
    width, count = lengths[-1][1], prod(n for _, n in lengths[:-1])
    if count > MOST_OUTPUTS or width * count != len(found.body.values):
        return Each(())
    rows: list[One] = []
    for k, place in enumerate(_places(mark, [name for name, _ in lengths[:-1]], count)):
        way = next(ways(found, mark.text, tuple(range(k * width, (k + 1) * width))), None)
        if way is None:
            return Each(())
        name = fresh(f"{variable.rpartition('/')[2]}_{place}", [*taken, *(r.name for r in rows)])
        rows.append(One(mark.source, name, "", f"{variable} {place}", way[2], way[1]))
    return Each(tuple(rows))


def _places(mark: Mark, names: Sequence[str], count: int) -> list[str]:
    """What each row is called: by its coordinate where that is a whole number, a month by its name; else by its number."""
    numbered = [str(k) for k in range(1, count + 1)]
    if len(names) > 1 or not is_coordinate(mark.text, names[0]):
        return numbered
    for one in mark.lists.within(0, len(mark.text), MOST_LISTS):
        values = one.body.values
        if label_of_list(one.whole.name) == names[0] and len(values) == count and all(v == int(v) for v in values if v == v):
            if any(v != v for v in values) or len(set(values)) < count:
                return numbered
            if names[0].casefold().startswith("mon") and set(values) <= set(range(1, 13)):
                return [SHORT_NAMES[int(v) - 1] for v in values]
            return [f"{int(v)}".replace("-", "m") for v in values]
    return numbered
