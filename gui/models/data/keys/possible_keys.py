"""Which outputs may be a key of a comparison at all, and what is to be marked where none can be. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.names.column_names import says_sd, sd_columns
from bayescope.engine.problem.data.rows.censored import rows_with_value
from bayescope.engine.problem.data.rows.comparison import key_codes
from bayescope.engine.problem.data.rows.pairing import swept
from bayescope.engine.problem.data.rows.place_columns import may_say_where
from bayescope.engine.problem.data.rows.text_keys import FIRST_LABEL
from bayescope.engine.problem.data.tables.quality_flags import says_quality
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.dates.dated_labels import months
from bayescope.gui.models.data.keys.own_table import own_first
from bayescope.gui.models.plain import one_line

MOST_NAMED = 2  # columns that may be keys
FEWEST_RISING = 3  # numbers: fewer rise or fall by chance


def possible_keys(problem: d.Problem, index: int, report: TrialRunReport | None) -> list[str]:
    """Outputs that may pair the rows of comparison ``index``: those compared with a column themselves are none, nor is one of
    another length in the newest test run, or one of numbers where columns that may be keys hold labels, or the other way. The
    keys that it has stay. Those beside its values come first."""
    if not isinstance(problem.meaning, d.Predictions) or not 0 <= index < len(problem.meaning.matches):
        return []
    match = problem.meaning.matches[index]
    own = [output for output, _ in match.keys]
    predicted = {m.output for m in problem.meaning.matches if m.column}
    found = compared(problem, index, report)
    lengths = {} if found is None else {name: len(values) for name, values in found[2].items()}
    n, kinds = lengths.get(match.output), _kinds(problem)

    def may_be(name: str) -> bool:
        if name in predicted or name == match.output or lengths.get(name, n) != n:
            return False
        if found is None or name not in found[2]:
            return bool(kinds)
        return _labels(found[2][name]) in kinds or bool(months(found[3].get(name, ())))  # which month it is will be asked

    return own_first(problem, match.output, [o.name for o in problem.outputs if o.name in own or may_be(o.name)])


def _kinds(problem: d.Problem) -> set[bool]:
    """Whether the columns that may be keys hold labels, or numbers, or some of them these and some those."""
    return {_labels(key_codes(problem.data, name)) for name in key_columns_left(problem)} if problem.data is not None else set()


def _labels(codes: NDArray[np.float64]) -> bool:
    """Whether keys (n,) are labels."""
    return bool(np.any(codes >= FIRST_LABEL))


def key_columns_left(problem: d.Problem) -> list[str]:
    """The columns that no output predicts, those that say where or hold labels first: a key may be among them."""
    data, meaning = problem.data, problem.meaning
    if data is None or not isinstance(meaning, d.Predictions):
        return []
    used = {m.column for m in meaning.matches} | set(sd_columns(list(data.columns)))
    left = [c for c in data.columns if c not in used]
    where = {c for c in left if may_say_where(data, c)}
    return [*(c for c in left if c in where), *data.texts, *(c for c in left if c not in where)]


def to_mark(problem: d.Problem, index: int, report: TrialRunReport | None) -> str:
    """That the values of a key are to be marked first, a sentence; '' where an output can be one already, or no column can."""
    meaning = problem.meaning
    if not isinstance(meaning, d.Predictions) or not 0 <= index < len(meaning.matches) or meaning.matches[index].keys:
        return ""
    if possible_keys(problem, index, report) or not key_columns_left(problem):
        return ""
    able = able_columns(problem, meaning.matches[index].column)
    names = " or ".join(f"“{one_line(name, 24)}”" for name in able[:MOST_NAMED])
    which = f"the values of {names}" if names else "values that tell its rows apart, such as times or places,"
    return (
        f"To pair rows by a key, mark {which} first, where the program prints them beside the others: "
        "Simulator page, tab Outputs."
    )


def able_columns(problem: d.Problem, measured: str) -> list[str]:
    """Those of ``key_columns_left`` with an entry in the rows of the column ``measured`` that may be keys by what they hold: they
    say where or when, or hold labels that say nothing of quality; where none does, those without errors of their own that only
    rise or only fall. Other columns of numbers were measured."""
    data = problem.data
    if data is None:
        return []
    left = [name for name in key_columns_left(problem) if has_entries(data, name, measured)]
    told = [name for name in left if may_say_where(data, name) or (name in data.texts and not says_quality(data, name))]
    rising = set(rising_columns(problem))
    return told or [name for name in left if name in rising]


def has_entries(data: d.DataTable, column: str, measured: str) -> bool:
    """Whether ``column`` has an entry in any row in which something was ``measured``, or there is no such row: of files put below
    each other each has columns of its own."""
    rows, cells = rows_with_value(data, measured), {**data.texts, **data.columns}.get(column, ())
    return not rows or any(cells[i] is not None and cells[i] == cells[i] and cells[i] != "" for i in rows if i < len(cells))


def rising_columns(problem: d.Problem) -> list[str]:
    """The columns of numbers without errors of their own that only rise or only fall, as places and times do."""
    data = problem.data
    measured = sd_pairs(list(data.columns)) if data is not None else {}
    return [name for name, cells in data.columns.items() if name not in measured and _rising(cells)] if data is not None else []


def places_beside(problem: d.Problem, column: str) -> str:
    """The column right before ``column`` in the file where that only rises or only falls: its places in a sweep; ''."""
    columns = [c for c in problem.data.columns if not says_sd(c)] if problem.data is not None else []
    at = columns.index(column) if column in columns else 0
    return columns[at - 1] if at and columns[at - 1] in rising_columns(problem) else ""


def _rising(cells: Sequence[float | None]) -> bool:
    known = np.array([v for v in cells if v is not None], dtype=float)
    return len(known) >= FEWEST_RISING and swept(known)
