"""Rows of the table that are in no comparison because their measured value is missing. Pure."""

from __future__ import annotations

from bayescope.engine.problem.data.names.column_names import solid_name
from bayescope.engine.problem.data.rows.censored import rows_with_value
from bayescope.engine.problem.data.rows.own_rows import missing_rows, own_rows
from bayescope.engine.problem.definition import DataTable, Predictions, Problem
from bayescope.gui.models.data.order_words import row_label
from bayescope.gui.models.plain import one_name

MOST_TOLD = 3  # rows told one by one


def rows_without_value(problem: Problem) -> dict[int, tuple[str, ...]]:
    """Those rows, from 0, with the compared columns that are empty there: what stands in them stands beside values of these
    columns in other rows, of which they are one. Rows of quantities that are not compared are none."""
    data, meaning = problem.data, problem.meaning
    if data is None or not isinstance(meaning, Predictions) or not meaning.matches:
        return {}
    filled = {name: rows_with_value(data, name) for name in data.columns}
    texts = {name: {i for i, v in enumerate(cells) if v is not None} for name, cells in data.texts.items()}
    measured = {m.column: filled[m.column] for m in meaning.matches if m.column in filled}
    beside = {name: [c for c, there in measured.items() if rows & there] for name, rows in (*filled.items(), *texts.items())}
    others = {name for m in meaning.matches for _, name in m.keys}
    found = {}
    for i in range(max(map(len, (*data.columns.values(), *data.texts.values())), default=0)):
        if any(i in there for there in measured.values()):
            continue
        numbers = [name for name, rows in filled.items() if i in rows]
        near = [c for name in (*numbers, *(n for n, rows in texts.items() if i in rows)) for c in beside[name]]
        if near and all(beside[name] or name in others for name in numbers):
            mine = [c for c in near if own_rows(data, c)[i]] or [c for c in near if _is_among(data, i, measured[c])]
            far = {c: _farness(i, measured[c]) for c in mine}
            if far:
                first = min(far, key=far.__getitem__)
                alike = [c for c, one in far.items() if one == far[first] or (measured[c] & measured[first] and c in near)]
                found[i] = tuple(dict.fromkeys(alike))
    return found


def _is_among(data: DataTable, row: int, filled: set[int]) -> bool:
    """Whether ``row``, with a flag that no row of a column has, stands between rows of it that are ``filled`` and have no label
    that it has not."""
    labels = ((cells[row], {cells[i] for i in filled if i < len(cells)}) for cells in data.texts.values() if row < len(cells))
    others = any(len(its) == 1 and None not in its and mine not in its for mine, its in labels)
    return min(filled) < row < max(filled) and not others


def _farness(row: int, filled: set[int]) -> tuple[bool, int]:
    """Orders columns by how much a row is one of theirs: it stands between their rows (several quantities below each other), and
    so many rows lie to the next one that is ``filled``."""
    return not min(filled) < row < max(filled), min(abs(row - one) for one in filled)


def missing_cells(problem: Problem) -> set[tuple[str, int]]:
    """Column and row, from 0, of values that columns lack which share rows with all others, or with one whose rows are mostly
    theirs, beside a value of that: gaps, not the empty cells of a table in long form, nor rows of other quantities."""
    data, meaning = problem.data, problem.meaning
    if data is None or not isinstance(meaning, Predictions):
        return set()
    present = {m.column: rows_with_value(data, m.column) for m in meaning.matches}
    found = set()
    for column, mine in present.items():
        wide = all(mine & other for other in present.values())
        beside = set().union(*(its for its in present.values() if 2 * len(mine & its) > len(its)))
        rows = missing_rows(data, column) if column in data.columns and (wide or beside - mine) else []
        found |= {(column, row - 1) for row in rows if wide or row - 1 in beside}
    return found


def missing_words(problem: Problem) -> str:
    """Which of a few rows lack which value, a sentence; empty: none does, or too many do."""
    found = rows_without_value(problem)
    gaps: dict[int, tuple[str, ...]] = {}
    for column, i in sorted(missing_cells(problem), key=lambda gap: gap[1]) if found else ():
        gaps[i] = (*gaps.get(i, ()), column)
    found = {**gaps, **found} if len({**gaps, **found}) <= MOST_TOLD else found
    found = dict(sorted(found.items()))
    if not found or len(found) > MOST_TOLD or problem.data is None:
        return ""
    told = [_told(problem, i, columns) for i, columns in found.items()]
    said = told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}"
    return f"{said[0].upper()}{said[1:]}."


def _told(problem: Problem, i: int, columns: tuple[str, ...]) -> str:
    assert problem.data is not None
    label = row_label(problem.data, i) if problem.data.texts else ""
    same = solid_name(label.strip("“”")) in map(solid_name, columns)  # split by that label: it is said once
    named = f" ({label})" if label.startswith("“") and not same else ""
    names = [f"“{one_name(column, 30)}”" for column in columns]
    if len(names) > MOST_TOLD:
        return f"row {i + 1}{named} has none of the {len(names)} values"
    return f"row {i + 1}{named} has {'no ' if len(names) == 1 else 'neither '}{' nor '.join(names)}"
