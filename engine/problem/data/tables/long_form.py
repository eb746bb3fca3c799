"""Tables that hold several quantities: split by a column that names them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ... import definition as d
from ...errors import ProblemError
from ...findings import shorten
from ...numbers.shown_digits import in_full
from ..dates import day_zero
from ..dates.past_midnight import going_on
from ..errors.sd_pairs import sd_pairs
from ..names.column_names import (
    fresh,
    has_unit,
    says_sd,
    says_value,
    says_where,
    sd_columns,
    unit_in,
    without_unit,
)
from ..names.titled_names import with_title
from ..rows.censored import Cells
from ..rows.text_keys import plain, seconds_of
from .remark_columns import may_name
from .tracked import tracked

MOST_QUANTITIES = 100  # distinct texts of a column that a table is split by
AND = ", "  # between the two columns that name the quantities together
_NUMBERED = re.compile(r"(?P<name>.*[^\W\d].*?)[\s_]+(?P<number>[0-9]{1,3})")
_IN_SERIES = re.compile(r"(?P<name>.*[^\W\d])[\s_]?[0-9]{1,3}")  # D1, band 2
FEW = 12  # so many distinct texts look like names of quantities rather than labels of rows

Column = tuple[float | None, ...]


def value_columns(table: d.DataTable, by: str = "") -> list[str]:
    """The columns that hold what was measured in a table in long form: values and their sd, not places, times and labels.

    ``by``: the column that names the quantities. Where several were measured at the same places, the column of these is none of
    values, whatever it is called, and one that is called like a place may be.
    """
    numbers = [c for c in table.columns if c not in parts(table, by)]
    sds = [c for c in sd_columns(numbers) if not says_where(c)]
    values = [c for c in numbers if c not in sds and (not says_where(c) or c in tracked(table))]
    named = [c for c in values if says_value(c)]
    if by and values and not named:
        places = [c for c in numbers if _comes_again(table, c, by)]
        others = values if any(c not in places for c in values) else numbers
        values = [c for c in others if c not in places and c not in sds] or values
    main = named or values[-1:]
    if by and main and not named:
        main = _measured_together(table, values, [q and plain(q) for q in _kinds(table, by)])
    if by:  # errors of columns that stay are none of the values that are split
        kinds = _kinds(table, by)
        sds = [c for c in sds if any(q and v is not None for q, v in zip(kinds, table.columns[c], strict=True))]
    return [c for c in numbers if c in sds or c in main]


def _measured_together(table: d.DataTable, values: Sequence[str], kinds: Sequence[str | None]) -> list[str]:
    """The last of ``values`` and those measured beside it: with gaps, which places have not, or in its unit. Only what has
    several values of one quantity, if anything has: else it was measured once under each condition. None is of one alone: that
    is split already."""
    cells = {c: [(q, v) for q, v in zip(kinds, table.columns[c], strict=True) if q] for c in values}
    there = {c: [q for q, v in cells[c] if v is not None] for c in values}
    several = [c for c in values if len(there[c]) > len(set(there[c])) > 1]
    if not several:
        return _measured_once(table, values)
    unit = unit_in(several[-1])
    gaps = {c for c in several if len(there[c]) < len(cells[c])}
    return [c for c in several if c == several[-1] or c in gaps or (unit and unit_in(c) == unit)]


def _measured_once(table: d.DataTable, values: Sequence[str]) -> list[str]:
    """Of ``values`` that have one number under each condition those that were measured: with errors of their own, else those of
    one unit that are numbered (D1, D2 ...), else the last one; what stands beside them says under which conditions."""
    own = sd_pairs(list(table.columns))
    if sized := [c for c in values if c in own]:
        return sized
    series: dict[tuple[str, str], list[str]] = {}
    for column in values:
        if (found := _IN_SERIES.fullmatch(without_unit(column))) is not None:
            series.setdefault((found["name"], unit_in(column)), []).append(column)
    return max((found for found in series.values() if len(found) > 1), key=len, default=list(values[-1:]))


def already_split(table: d.DataTable, by: str) -> bool:
    """Whether a column behind whose names ``by`` stands is there for each of its labels: D1 LF1, D1 LF2."""
    ends, named = [without_unit(column) for column in table.columns], names_in(table, by)
    return bool(named) and all(any(f" {end}".endswith(f" {name}") for end in ends) for name in named)


def _comes_again(table: d.DataTable, column: str, by: str) -> bool:
    """Whether a column holds places, at each of which several quantities were measured once."""
    cells = [(q, v) for q, v in zip(_kinds(table, by), table.columns[column], strict=True) if q and v is not None]
    return len(set(cells)) == len(cells) and 2 * len({v for _, v in cells}) <= len(cells)


def parts(table: d.DataTable, by: str) -> tuple[str, ...]:
    """The columns that ``by`` names: itself, or two whose labels name a quantity together; () if it names none."""
    known = (*table.texts, *table.columns)
    if by in known:
        return (by,)
    return next(((a, b) for a in known for b in known if a != b and both(a, b) == by), ())


def both(first: str, second: str) -> str:
    """What ``by`` is where a table is split by two columns: a quantity for each pair of their labels."""
    return f"{first}{AND}{second}"


def labels(table: d.DataTable, by: str) -> tuple[str | None, ...]:
    """What ``by`` calls the quantity of each row: the texts of that column, or its name and its number, band 1; of two columns
    what both say, behind the name of what was measured, numbers bare: R s 20."""
    kinds = _kinds(table, by)
    main = _main(table, value_columns(table, by)) if len(parts(table, by)) == 2 else ""
    return kinds if not main or says_value(main) else tuple(k and f"{without_unit(main)} {k}" for k in kinds)


def _kinds(table: d.DataTable, by: str) -> tuple[str | None, ...]:
    """As ``labels``, without the name of what was measured."""
    if by in table.texts:
        return table.texts[by]
    if by in table.columns:
        name = without_unit(by)
        return tuple(None if v is None else f"{name} {v:.0f}" for v in table.columns[by])
    cells = (table.texts.get(column) or table.columns[column] for column in parts(table, by))
    first, second = ([in_full(v) if isinstance(v, float) else v for v in column] for column in cells)
    both_told = {a for a, b in zip(first, second, strict=True) if a and b}
    alone = numbered_alike([a for a, b in zip(first, second, strict=True) if a and not b and a not in both_told])
    return tuple(f"{a} {b}" if a and b else alone.get(a or "") for a, b in zip(first, second, strict=True))


def _main(table: d.DataTable, values: Sequence[str]) -> str:
    """The column of measured values of ``values``, which may hold their standard deviations too; '' if there is none."""
    sds = sd_columns(list(table.columns))
    return next((c for c in values if c not in sds), next(iter(values), ""))


def numbered_alike(texts: Sequence[str]) -> dict[str, str]:
    """What labels that stand alone are called: MODE of MODE 1, MODE 2, MODE 3, which are one quantity of several values in the
    order of their numbers, from 1; each other one as it is."""
    cut = [(text, _NUMBERED.fullmatch(text)) for text in texts]
    counts: dict[str, list[int]] = {}
    for _, found in cut:
        if found is not None:
            counts.setdefault(found["name"], []).append(int(found["number"]))
    lists = {name for name, numbers in counts.items() if len(numbers) > 1 and numbers == list(range(1, len(numbers) + 1))}
    return {text: found["name"] if found is not None and found["name"] in lists else text for text, found in cut}


def label_columns(table: d.DataTable) -> list[str]:
    """Columns of numbers by which a table may be split: a few whole ones that come again, beside one of values."""
    found = []
    for name, cells in table.columns.items():
        there = [v for v in cells if v is not None]
        few = 2 <= len(set(there)) <= min(FEW, len(there) // 2) and all(v.is_integer() for v in there)
        if few and not says_sd(name) and value_columns(table, name):
            found.append(name)
    return found


def names_in(table: d.DataTable, by: str) -> list[str]:
    """The distinct names of quantities in column ``by``, in the order in which they come."""
    return list(dict.fromkeys(plain(t) for t in labels(table, by) if t and plain(t)))


def offered(table: d.DataTable) -> list[str]:
    """Columns that a table may be split by: few distinct texts, which come again; those of times and dates are the last."""
    fits = [n for n in table.texts if may_name(table, n)]
    found = [n for n in fits if 2 <= len(names_in(table, n)) <= min(FEW, sum(map(bool, table.texts[n])) // 2)]
    return sorted(found, key=lambda name: says_where(name) or seconds_of(next(iter(names_in(table, name)))) is not None)


def split(table: d.DataTable, by: str, values: Sequence[str] | None = None, units: bool = False) -> d.DataTable:
    """One column for each quantity that column ``by`` names, or two of them together (``both``), empty in the rows of the others.
    Raises ProblemError.

    ``values``: the columns that are split; the others stay as they are, and so do those of which no row has a name, and of one
    the rows that have none. None: find out. ``units``: a quantity that says no unit gets the one in brackets behind the name of
    the column of values: P1 [°C].
    """
    told = parts(table, by)
    if not told:
        known = ", ".join(f"“{shorten(n, 20)}”" for n in table.texts) or "none"
        what = f"The table has no column of text called “{shorten(by)}” to split by."
        raise ProblemError(what, "", f"Columns of text: {known}.")
    named = labels(table, by)
    rows = [plain(t or "") for t in named]
    chosen = value_columns(table, by) if values is None else list(values)
    elsewhere = {c: _without_name(table.columns[c], rows) for c in chosen if c in table.columns}
    chosen = [c for c in chosen if c not in elsewhere or elsewhere[c] != table.columns[c]]
    missing = next((c for c in chosen if c not in table.columns), None)
    if missing is not None or not chosen:
        raise ProblemError(f"The table has no column of numbers “{shorten(missing or '')}” to split by “{shorten(by)}”.")
    names = names_in(table, by)
    if not 1 <= len(names) <= MOST_QUANTITIES:
        raise ProblemError(
            f"The column “{shorten(by)}” holds {len(names)} different texts; a table is split into at most {MOST_QUANTITIES}.",
            "", "Choose the column that names the quantities.",
        )  # fmt: skip
    main, sds = _main(table, chosen), sd_columns(list(table.columns))
    columns: dict[str, Column] = {c: v for c, v in table.columns.items() if c not in chosen and c not in told}
    limits = {c: v for c, v in table.limits.items() if c in columns}
    unit = main.strip().removeprefix(without_unit(main)).strip() if units else ""
    of = {sd: value for value, sd in sd_pairs(chosen).items()}
    several = sum(c not in sds for c in chosen) > 1
    before = "" if by in table.texts or len(told) > 1 else f"{without_unit(by)} "  # s 20 rather than s angle 20
    for quantity in names:
        for column in chosen:
            if column in of and not _has_any(table, of[column], rows, quantity):
                continue  # errors of nothing that was measured
            own = f"{quantity} {unit}" if unit and not has_unit(quantity) else quantity
            name = own if column == main else f"{quantity} sd" if column in sds else f"{quantity} {column}"
            if several:
                label, bare = quantity.removeprefix(before), without_unit(of.get(column, column))
                its = column.strip().removeprefix(without_unit(column)).strip() if units and not has_unit(label) else ""
                name = f"{bare} {label}{' sd' if column in of else ''} {its}".strip()
            cells = tuple(v if q == quantity else None for v, q in zip(table.columns[column], rows, strict=True))
            own_limits = _of_quantity(table.limits.get(column, ()), rows, quantity)
            _add(columns, limits, fresh(name, [*columns, *table.texts]), cells, own_limits)
    for column in chosen:
        own_limits = _of_quantity(table.limits.get(column, ()), [name or "" for name in rows], "")
        rest = fresh(with_title(column, f"no {without_unit(by)}"), [*columns, *table.texts])
        _add(columns, limits, rest, elsewhere[column], own_limits)
    texts = {name: cells for name, cells in table.texts.items() if name not in told}
    if _names_others(rows, table, chosen, told):
        return d.DataTable(
            columns={c: table.columns[c] for c in table.columns if c in told} | columns,
            texts={c: table.texts[c] for c in table.texts if c in told} | texts, limits=limits, origin=table.origin,
        )  # fmt: skip
    if _tells_missing(rows, table, chosen):
        texts[by] = named
    return d.DataTable(columns=columns, texts=texts, limits=limits, origin=table.origin)


def _has_any(table: d.DataTable, column: str, names: Sequence[str], quantity: str) -> bool:
    """Whether any row of ``quantity`` has a value of ``column``, or a limit."""
    limits = _of_quantity(table.limits.get(column, ()), names, quantity)
    return any(limits) or any(v is not None and q == quantity for v, q in zip(table.columns[column], names, strict=True))


def _add(columns: dict[str, Column], limits: dict[str, Cells], name: str, cells: Column, own: Cells) -> None:
    """A column with its limits, if it has any entry."""
    if any(v is not None for v in (*cells, *own)):
        columns[name] = cells
        limits |= {name: own} if any(own) else {}


def _of_quantity(limits: Cells, names: Sequence[str], quantity: str) -> Cells:
    """The limits of the rows of one quantity, None elsewhere; () where there are none at all."""
    return tuple(limit if name == quantity else None for limit, name in zip(limits, names, strict=False))


def _without_name(cells: Column, names: Sequence[str]) -> Column:
    """The cells of rows without a name, the others empty."""
    return tuple(None if name else v for v, name in zip(cells, names, strict=True))


def _names_others(names: Sequence[str], table: d.DataTable, values: Sequence[str], told: Sequence[str]) -> bool:
    """Whether rows in which another column was measured, and none of ``values``, have a name: it tells their conditions too."""
    there = [any(table.columns[v][i] is not None for v in values) for i in range(len(names))]
    others = [cells for c, cells in table.columns.items() if c not in (*values, *told)]
    return any(
        any(v is not None and name for v, name in zip(cells, names, strict=True))
        and not any(v is not None and has for v, has in zip(cells, there, strict=True))
        for cells in others
    )


def _tells_missing(names: Sequence[str], table: d.DataTable, values: Sequence[str]) -> bool:
    """Whether a row without any value has a name: nothing else tells of which quantity it is, whose values are counted."""
    there = [any(cells[i] is not None for cells in (table.columns[v] for v in values)) for i in range(len(names))]
    measured = {name for name, has in zip(names, there, strict=True) if has}
    return any(name in measured for name, has in zip(names, there, strict=True) if not has)


def times_as_numbers(cells: Sequence[str | None], unit: float, start: float | None = None) -> Column:
    """Times in units of ``unit`` seconds, going on behind midnight; dates from ``start`` (s since 1970) on, None: from the first.

    Raises ProblemError if a cell is neither.
    """
    found = [None if not t else seconds_of(t) for t in cells]
    bad = next((t for t, s in zip(cells, found, strict=True) if t and s is None), None)
    if bad is not None:
        raise ProblemError(f"“{shorten(bad)}” is neither a time nor a date.")
    earliest = day_zero.first(cells)
    zero = 0.0 if earliest is None else earliest if start is None else start  # times count from midnight, or from the start
    found = going_on(found) if earliest is None else found
    return tuple(None if s is None else (s - zero) / unit for s in found)
