"""Which measured value stands beside which computed one where rows are paired in order, with the labels of the rows. Pure."""

from __future__ import annotations

import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match
from bayescope.engine.problem.data.rows.place_columns import may_say_where
from bayescope.engine.problem.data.tables.special_rows import labels_of
from bayescope.engine.problem.numbers.shown_digits import among, in_full
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.keys.key_candidates import paired_by
from bayescope.gui.models.plain import one_line

MOST_SAID = 3  # pairs
LONGEST_LABEL = 20  # characters


def order_words(problem: d.Problem, index: int, report: TrialRunReport | None) -> str:
    """The first pairs of comparison ``index`` in order, a sentence: In order: “A1” 1.5 with 1.48, … '' where they do not fit."""
    found = compared(problem, index, report)
    if found is None:
        return ""
    match, data, outputs, _ = found
    try:
        pairs = compare_match(paired_by(match, ()), data, outputs)
    except ComparisonError:
        return ""
    rows = [int(i) for i in np.flatnonzero(pairs.present)]
    every = [*pairs.data[rows], *pairs.prediction[rows]]
    both = [(i, among(pairs.data[i], every, 4), among(pairs.prediction[i], every, 4)) for i in rows[:MOST_SAID]]
    said = [f"{row_label(data, i)} {measured} with {computed}" for i, measured, computed in both]
    return f"In order: {', '.join(said)}{', …' if len(rows) > MOST_SAID else '.'}" if said else ""


def row_label(data: d.DataTable, i: int) -> str:
    """What row ``i``, from 0, is called: its text, else where or when it was measured, else its number."""
    label = labels_of(data)[i] if data.texts else ""
    if label:
        return f"“{one_line(label, LONGEST_LABEL)}”"
    places = ((name, cells[i]) for name, cells in data.columns.items() if may_say_where(data, name))
    told = next((f"{one_line(name, LONGEST_LABEL)} {in_full(at)}" for name, at in places if at is not None), "")
    return told or f"row {i + 1}"
