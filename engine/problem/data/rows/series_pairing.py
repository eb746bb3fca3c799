"""Outputs of several files with columns of several tables: names tell the quantity, and which table each file is of the values of
a test run do, all quantities together, or the words of both, or their order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from ..names.column_names import same_names
from ..names.name_words import names_told
from ..names.series_names import Part, numbered, titled, without_repeat
from .whole_pairing import NO_PAIR, ORDER, SURE, Array, Pair, Side, distance, solved, without_pair

_WORDS = re.compile(r"[^\W_]+")


def series_pairs(outputs: Sequence[Side], columns: Sequence[Side], repeated: Sequence[str] = ()) -> list[Pair]:
    """The pairs of those of which names tell the quantity; [] where they tell none. ``repeated``: those of the ``columns`` that
    are the first of several repeated measurements, whose letter or number says nothing."""
    mine, its = numbered([o.name for o in outputs]), titled([c.name for c in columns])
    its = {c: (without_repeat(base) or base if c in repeated else base, title) for c, (base, title) in its.items()}
    bases, wanted = ([*dict.fromkeys(base for base, _ in parts.values())] for parts in (mine, its))
    told = same_names(bases, wanted)
    told |= names_told([b for b in bases if b not in told], [w for w in wanted if w not in told.values()])
    places = {(told_base, title): c for c, (told_base, title) in its.items()}
    files = [*dict.fromkeys(own for base, own in mine.values() if base in told)]
    tables = [*dict.fromkeys(title for base, title in its.values() if base in told.values())]
    if not told or len(places) < len(its) or len(tables) < len(files):  # a column under another name may be of the other file
        return []
    sides = {c.name: c for c in columns}
    of_file = {(file, told[base]): o for o in outputs for base, file in (mine[o.name],) if base in told}
    costs = np.array([[_apart(of_file, places, sides, file, table) for table in tables] for file in files])
    named = _by_words(files, tables)
    for k, at in named.items():
        costs[k] = [NO_PAIR * costs.size * (j != at) for j in range(len(tables))]
    if len(files) == len(tables):
        costs += ORDER * (1.0 - np.eye(len(files)))
    rows, chosen = solved(costs)
    best, alone, found = float(costs[rows, chosen].sum()), len(files) == len(tables) == 1, []
    for i, j in zip(rows.tolist(), chosen.tolist(), strict=True):
        worse, rival = without_pair(costs, i, j, best)
        sure = alone or i in named or worse > SURE
        for o in outputs:
            base, file = mine[o.name]
            column = places.get((told.get(base, ""), tables[j]))
            if file == files[i] and column is not None:
                other = places.get((told[base], tables[rival]), "") if not sure and rival >= 0 else ""
                found.append(Pair(o.name, column, "name" if alone or i in named else "series", sure, other))
    return found


def _apart(
    outputs: Mapping[tuple[str, str], Side], places: Mapping[Part, str], sides: Mapping[str, Side], file: str, table: str
) -> float:
    """How far the outputs of a ``file`` are from the columns of a ``table``, all quantities together."""
    pairs = [(o, sides[c]) for (own, base), o in outputs.items() if own == file and (c := places.get((base, table))) is not None]
    apart: Array = np.array([distance(output, column) for output, column in pairs])
    return float(np.minimum(apart, NO_PAIR).sum()) if len(apart) else NO_PAIR


def _by_words(files: Sequence[str], tables: Sequence[str]) -> dict[int, int]:
    """The only table that has the word of each file in its title, by their places: 2 and Experiment 2; {} unless all have one."""
    words = [{w.casefold() for w in _WORDS.findall(title)} for title in tables]
    fits = {i: [j for j, one in enumerate(words) if file and file.casefold() in one] for i, file in enumerate(files)}
    single = {i: found[0] for i, found in fits.items() if len(found) == 1}
    return single if len(single) == len(files) == len(set(single.values())) else {}
