"""Keys that the program prints beside its values and that the data have under another name: told by their values. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import loose_name, sd_columns
from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match, key_codes, measured_values
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared, fits, with_match
from bayescope.gui.models.data.keys.clock_key import by_time_of_day
from bayescope.gui.models.data.keys.grid_keys import by_grid
from bayescope.gui.models.data.keys.key_candidates import Key, candidates, paired_by, steady
from bayescope.gui.models.data.keys.own_text_keys import by_own_text
from bayescope.gui.models.data.keys.part_keys import part_keys, shifted, with_key
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.trials.trial import Trial

FEWEST = 2  # different keys; one may be the same by chance
MOST_ROWS = 100_000  # of the data, looked at while the window waits


def with_own_keys(problem: d.Problem, trial: Trial | None) -> d.Problem:
    """Every comparison whose rows are taken in order, paired by the key that stands beside its values, where there is one."""
    report, second = (trial.report, trial.second) if trial is not None else (None, None)
    meaning = problem.meaning
    for i in range(len(meaning.matches)) if isinstance(meaning, d.Predictions) else ():
        found = own_key(problem, i, report, second)
        problem = found[0] if found is not None else problem
    return problem


def own_key(
    problem: d.Problem, index: int, report: TrialRunReport | None, second: TrialRunReport | None = None
) -> tuple[d.Problem, str] | None:
    """Comparison ``index``, now in order, paired by a data column that is compared with nothing and whose entries (two at least,
    one for each measured row) are all among those of one column of the program's table; and that data column. Where the order
    does not fit, most of the entries are enough. Else None.

    ``second``: a run at other values, where the key must be the same.
    """
    found = compared(problem, index, report)
    if found is None or report is None or not isinstance(problem.meaning, d.Predictions):
        return None
    if found[0].keys:
        own = by_own_text(problem, index, report, second)
        return (own[0], own[1][0].column) if own is not None else told_apart(problem, index, report, second)
    if (grid := by_grid(problem, index, report)) is not None:
        return grid.problem, " and ".join(grid.keys)
    match, data, outputs, _ = found
    if len(outputs[match.output]) == 1 == np.isfinite(measured_values(match, data)).sum():
        return None  # one number beside one
    measured = {m.column for m in problem.meaning.matches} | set(sd_columns(list(data.columns)))
    if len(data.columns[match.column]) > MOST_ROWS:
        return None
    every = [
        key for key in candidates(problem, match, data, outputs, report, labels_only=False)
        if key.column not in measured and steady(problem, key, outputs, second)
    ]  # fmt: skip
    for keys in (*((key,) for key in every), *_with_tables(problem, every)):
        keyed = paired_by(match, [key.pair for key in keys])
        if _tells_apart(keyed, data, {**outputs, **{key.output: key.codes for key in keys if key.codes is not None}}):
            added = tuple(key.declared for key in keys if key.declared is not None)
            wider = msgspec.structs.replace(problem, outputs=(*problem.outputs, *added))
            return with_match(wider, index, keyed), keys[0].column
    return _most_rows(problem, index, match, data, outputs, second) or by_time_of_day(problem, index, report)


def told_apart(
    problem: d.Problem, index: int, report: TrialRunReport | None, second: TrialRunReport | None = None
) -> tuple[d.Problem, str] | None:
    """Comparison ``index``, paired by a key that comes again in each of several tables with one heading, by the number in the
    titles of these too; and its data column. None: it fits as it is, or that does not tell the rows apart."""
    found = compared(problem, index, report)
    if found is None or report is None or not isinstance(problem.meaning, d.Predictions) or len(found[0].keys) != 1:
        return None
    match, data, outputs, _ = found
    if _tells_apart(match, data, outputs):
        return None
    present, declared = match.keys[0], {o.name: o for o in problem.outputs}
    for key in candidates(problem, match, data, outputs, report, labels_only=False):
        read = key.declared or declared[key.output]
        if not read.only_key or read.text or key.output == present[0] or key.column == present[1]:
            continue
        keyed = paired_by(match, [present, key.pair])
        codes = {} if key.codes is None else {key.output: key.codes}
        if steady(problem, key, outputs, second) and _tells_apart(keyed, data, {**outputs, **codes}):
            added = () if key.declared is None else (key.declared,)
            wider = msgspec.structs.replace(problem, outputs=(*problem.outputs, *added))
            return with_match(wider, index, keyed), key.column
    return None


def _with_tables(problem: d.Problem, every: Sequence[Key]) -> Iterator[tuple[Key, Key]]:
    """Two keys each: one that comes again in every table with one heading, and that which says which table it is."""
    declared = {o.name: o for o in problem.outputs}
    tables = [key for key in every if (key.declared or declared[key.output]).only_key]
    for key, table in product(every, tables):
        if key.output != table.output and key.column != table.column and key not in tables:
            yield key, table


def _most_rows(
    problem: d.Problem, index: int, match: d.Match, data: d.DataTable, outputs: dict[str, NDArray[np.float64]],
    second: TrialRunReport | None,
) -> tuple[d.Problem, str] | None:
    """The key that pairs most rows of a run that lacks some, where the order does not fit or is another one."""
    for part in part_keys(problem, match, data, outputs):
        in_doubt = not fits(paired_by(match, ()), data, outputs) or shifted(match, data, outputs, part.pair) is not None
        if part.good and in_doubt and steady(problem, Key(*part.pair), outputs, second):
            return with_key(problem, index, part.pair), part.column
    return None


def paired_by_values(problem: d.Problem, index: int, report: TrialRunReport | None) -> tuple[d.Problem, str] | None:
    """Comparison ``index``, which is paired by one key that only its values tell, in order instead; and how
    its rows are paired, a sentence.

    None: its names tell it too and a user read it, or in order the rows do not fit.
    """
    found = compared(problem, index, report)
    if found is None or not isinstance(problem.meaning, d.Predictions) or len(found[0].keys) != 1 or found[0].interpolate:
        return None
    match, data, outputs, _ = found
    (output, column), plain = match.keys[0], paired_by(match, ())
    read = next(o for o in problem.outputs if o.name == output)
    if loose_name(output) == loose_name(column) and not (read.text and column in data.columns):
        return None  # read as text for numbers: as ``with_own_keys`` reads them
    if not fits(match, data, outputs) or not fits(plain, data, outputs):
        return None
    in_order = with_match(problem, index, plain)
    assert isinstance(in_order.meaning, d.Predictions)
    used = {name for m in in_order.meaning.matches for name in (m.output, *(own for own, _ in m.keys))}
    ours = read.text and column in data.columns and output not in used  # it was read for this alone
    kept = tuple(o for o in problem.outputs if not (ours and o is read))
    return msgspec.structs.replace(in_order, outputs=kept), _paired_words(match, output, column)


def _paired_words(match: d.Match, output: str, column: str) -> str:
    near = "the same value" if not match.key_tolerance else f"a value at most {spoken(match.key_tolerance)} away"
    return f"Rows are paired by value: each “{one_line(column, 30)}” with {near} of output “{one_line(output, 30)}”."


def _tells_apart(match: d.Match, data: d.DataTable, outputs: dict[str, NDArray[np.float64]]) -> bool:
    """Whether the key pairs every measured row, with different ones."""
    try:
        there = ~np.isnan(measured_values(match, data))
        codes = key_codes(data, match.keys[0][1])[there]
        compare_match(match, data, outputs)
    except ComparisonError:
        return False
    return not np.isnan(codes).any() and len(np.unique(codes)) >= FEWEST
