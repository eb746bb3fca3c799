"""Which columns of texts name the quantity of each row: one, or two together, as a statistic and the group that it is of."""

from __future__ import annotations

from collections.abc import Sequence

from ... import definition as d
from ..names.column_names import loose_name, same_names, says_where, sd_columns, without_unit
from ..names.name_words import names_told
from ..rows.text_keys import seconds_of
from ..units.unit_names import is_unit
from .long_form import FEW, MOST_QUANTITIES, both, label_columns, labels, names_in, offered, parts, value_columns
from .remark_columns import may_name, names_nearly_all

# names of columns that say that a quantity stands in each of their rows
SAYS_WHAT = frozenset(
    "quantity quantities variable observable property parameter output measurand symbol name series probe sensor statistic"
    " statistics metric measure indicator analyte".split()
)


def pairs_offered(table: d.DataTable) -> list[str]:
    """Two columns each, as ``both`` names them, by which a table may be split together: at each place that a third column gives
    one row has both labels, and several have one of them."""
    few = [name for name in (*offered(table), *label_columns(table)) if not says_where(name)]
    pairs = [(a, b) for k, a in enumerate(few) for b in few[k + 1 :]]
    return [both(a, b) for a, b in pairs if _tell_together(table, a, b)]


def named_together(table: d.DataTable) -> list[str]:
    """Two columns of texts each, as ``both`` names them, that tell each row apart together and neither alone, as in a list of
    single results: a statistic and the group that it is of. Those of which one says that it names quantities are the first."""
    numbers = [table.columns[c] for c in value_columns(table)]
    rows = [i for i in range(max(map(len, numbers), default=0)) if any(cells[i] is not None for cells in numbers)]
    fits = [name for name in table.texts if _names_some(table, name, rows)]
    found = []
    for first, second in ((a, b) for k, a in enumerate(fits) for b in fits[k + 1 :]):
        pairs = [(table.texts[first][i], table.texts[second][i]) for i in rows]
        whole = [(a, b) for a, b in pairs if a and b]
        if 1 < len(whole) == len(set(whole)) <= MOST_QUANTITIES and all(bool(a) == bool(b) for a, b in pairs):
            found.append(both(*sorted((first, second), key=lambda name: not says_what(name))))
    return sorted(found, key=lambda by: not says_what(parts(table, by)[0]))


def _names_some(table: d.DataTable, column: str, rows: Sequence[int]) -> bool:
    """Whether a column of texts has labels that come again in ``rows``, none of them times, flags or units."""
    texts = [text for i in rows if (text := table.texts[column][i])]
    if len(set(texts)) in (0, 1, len(texts)) or says_where(column) or not may_name(table, column):
        return False
    return seconds_of(texts[0]) is None and not all(is_unit(text) for text in texts)


def says_what(column: str) -> bool:
    """Whether a column's name says that a quantity stands in each of its rows."""
    return loose_name(column) in SAYS_WHAT


def _tell_together(table: d.DataTable, first: str, second: str) -> bool:
    kinds = [labels(table, first), labels(table, second)]
    texts = [(cells, kinds[k]) for k in (0, 1) for name, cells in table.texts.items() if name not in (first, second)
             if says_what((first, second)[k]) and first in table.texts and second in table.texts]
    if len(set(zip(*kinds, strict=True))) > MOST_QUANTITIES:
        return False
    values = value_columns(table, both(first, second))
    places = [cells for name, cells in table.columns.items() if name not in (first, second, *values)]

    def alone(*columns: Sequence[object]) -> bool:
        rows = [row for row in zip(*columns, strict=True) if None not in row]
        return bool(rows) and len(set(rows)) == len(rows)

    if not values or alone(*kinds):
        return False
    # W1 of UY of two load cases: a text beside the quantity tells a row only together with the second label
    return any(alone(place, *kinds) and not any(alone(place, kind) for kind in kinds) for place in places) or any(
        alone(label, *kinds) and not alone(label, what) for label, what in texts
    )


def proposed(table: d.DataTable, outputs: Sequence[str]) -> str:
    """The column whose texts, or numbers behind its name, are names of outputs, or hold them as words or are held by them; else
    two that are a list of single results (``named_together``), one of which says so; '' if there is none."""
    known = {loose_name(o) for o in outputs}
    numbered = [both(a, b) for a in offered(table) for b in label_columns(table) if not says_where(a)]  # TM and band 1
    for name in (*dict.fromkeys((*pairs_offered(table), *numbered)), *table.texts, *label_columns(table)):
        found = names_in(table, name)
        ways = (names_told(outputs, found[:MOST_QUANTITIES], classes=False), same_names(outputs, found[:MOST_QUANTITIES]))
        equal = sum(loose_name(q) in known for q in found)
        if name in table.texts and equal < len(found) and not names_nearly_all(table, name):
            continue  # remarks on some rows hold names, too: Na: contaminated
        hits = max(equal, *map(len, ways))
        if hits and 2 * hits >= len(found) and len(found) <= MOST_QUANTITIES:
            return name
    told = next((by for by in named_together(table) if says_what(parts(table, by)[0])), "")
    return told or next((n for n in table.texts if may_name(table, n) and _names_conditions(table, n, outputs)), "")


def _names_conditions(table: d.DataTable, by: str, outputs: Sequence[str]) -> bool:
    """Whether outputs are named by what was measured and the few labels of column ``by``: D1_LF1, D2_LF1, D1_LF2."""
    few = names_in(table, by)
    if not 2 <= len(few) <= FEW or says_where(by):
        return False
    values = [c for c in value_columns(table, by) if c not in sd_columns(list(table.columns))]
    made = [f"{without_unit(value)} {label}" for value in values for label in few]
    return len(made) > 2 and 2 * len(same_names(outputs, made)) >= len(made)
