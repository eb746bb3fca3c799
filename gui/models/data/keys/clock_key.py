"""Dates of one day paired with what a program prints of the time of day: 16.06.2026 02:00 with 02:00. Pure."""

from __future__ import annotations

import msgspec
import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates.one_day import clock_on_one_day
from bayescope.engine.problem.data.names.column_names import fresh
from bayescope.engine.problem.data.rows.comparison import key_codes
from bayescope.engine.problem.data.rows.text_keys import UNITS
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared, fits, with_match
from bayescope.gui.models.data.keys.key_candidates import fresh_key_name, keys_beside, paired_by
from bayescope.gui.models.data.keys.possible_keys import has_entries

CLOCK = "Clock on {}"
FEWEST = 2  # different times
COLUMNS = ("key_column", "second_key_column")


def by_time_of_day(problem: d.Problem, index: int, report: TrialRunReport | None) -> tuple[d.Problem, str] | None:
    """Comparison ``index``, in order, paired by the clock that the program prints beside its values, where the dates of the data
    are all of one day: their column then holds what their clock shows. None: there are no such dates, or rows would not fit."""
    found = compared(problem, index, report)
    if found is None or report is None or found[0].keys:
        return None
    match, data, outputs, _ = found
    for column, cells in data.texts.items():
        told = clock_on_one_day(cells) if has_entries(data, column, match.column) and not _used(problem, column) else None
        if told is None:
            continue
        name = fresh(CLOCK.format(told[0]), [*data.columns, *data.texts])
        texts = {name if n == column else n: told[1] if n == column else kept for n, kept in data.texts.items()}
        clocked = msgspec.structs.replace(problem, data=msgspec.structs.replace(data, texts=texts))
        for key in keys_beside(clocked, match, report, name):
            assert key.declared is not None
            assert key.codes is not None
            if not key.declared.text or not _within_a_day(key.codes):
                continue
            own = fresh_key_name("clock", problem)
            made = paired_by(match, [(own, name)])
            wanted = key_codes(clocked.data, name) if clocked.data is not None else np.empty(0)
            if len(np.unique(wanted[np.isfinite(wanted)])) < FEWEST or clocked.data is None:
                continue
            if fits(made, clocked.data, {**outputs, own: key.codes}):
                read = msgspec.structs.replace(key.declared, name=own)
                wider = msgspec.structs.replace(clocked, outputs=(*problem.outputs, read))
                return with_match(wider, index, made), name
    return None


def _used(problem: d.Problem, column: str) -> bool:
    """Whether the dates pair rows of a comparison as dates."""
    assert isinstance(problem.meaning, d.Predictions)
    return any(column in (c for _, c in m.keys) for m in problem.meaning.matches)


def _within_a_day(values: np.ndarray) -> bool:
    return bool(len(values)) and bool(np.all((values >= 0.0) & (values <= UNITS["d"])))
