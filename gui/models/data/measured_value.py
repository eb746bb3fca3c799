"""One measured value that is typed: its name, the value with its unit, its error, and the output that predicts it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.names.column_names import fresh
from bayescope.engine.problem.data.tables.special_rows import sd_name
from bayescope.engine.problem.data.tables.stated_values import value_said
from bayescope.engine.problem.definition import (
    ApproximateBayes,
    DataTable,
    GaussianKnown,
    Match,
    Predictions,
    Problem,
    Summary,
    SyntheticLikelihood,
)
from bayescope.gui.analysis.sizes_said import states_size
from bayescope.gui.models.archive.import_columns import with_table, with_table_below
from bayescope.gui.models.data.errors.error_size import error_size_of, in_unit_of
from bayescope.gui.models.data.errors.noise import takes_column
from bayescope.gui.models.data.keys.key_candidates import paired_by
from bayescope.gui.models.data.rows.one_row import Place, place_of
from bayescope.gui.models.data.runs_each import with_default_runs
from bayescope.gui.models.plain import one_line, shown
from bayescope.gui.models.simulator.trials.trial import Trial

ASKED = "Left empty, you are asked how large it is."
TYPED = "typed values"  # where such a table comes from
EXAMPLE = "Write a number with its unit and, if you like, its error: 18.0 W, or 18.0 W ± 3 %."


def free_outputs(problem: Problem) -> tuple[str, ...]:
    """Outputs that a single measured value may be compared with: those in no comparison, and not the key of one, first."""
    matches = problem.meaning.matches if isinstance(problem.meaning, Predictions) else ()
    summaries = getattr(problem.meaning, "summaries", ())
    taken = {m.output for m in matches} | {o for m in matches for o, _ in m.keys}
    taken |= {name for s in summaries for name in (s.output, s.key_output)}
    names = [o.name for o in problem.outputs if not o.only_key]
    return (*(n for n in names if n not in taken), *(n for n in names if n in taken))


def with_value(
    problem: Problem, trial: Trial | None, output: str, name: str, value: str, error: str, row: int | None = None
) -> Problem:
    """``problem`` with one more row of data that holds this value alone, in a column of its own, and, where an ``error`` is
    given, its standard deviation; compared with ``output`` unless that is ''. ``row``: which one of an output that is a list,
    from 1; its place is a part of the row of data where the program prints such.

    Raises ValueError with words for what is typed and cannot be used.
    """
    if not name.strip():
        raise ValueError("Say what was measured.")
    said = value_said(value, name.strip())
    if said is None:
        raise ValueError(f"“{one_line(value.strip(), 40)}” is no measured value. {EXAMPLE}" if value.strip() else EXAMPLE)
    sd = said.sd
    size = error_size_of(error, "The error")
    if size is not None:
        size = in_unit_of(size, said.name)
        parts = [size.number or 0.0, abs(said.value) * ((size.percent or 0.0) / 100.0 + (size.log_sd or 0.0))]
        sd = float(f"{_together(parts, size.together):.12g}")
        if sd <= 0.0:
            raise ValueError("A percentage of zero is no error: write a number in the unit of the value.")
    present = () if problem.data is None else (*problem.data.columns, *problem.data.texts)
    column = fresh(said.name, present)
    columns: dict[str, tuple[float | None, ...]] = {column: (said.value,)}
    of = sd_name(column, (*present, column)) if sd is not None else None
    if of is not None:
        columns[of] = (sd,)
    place = place_of(problem, None if trial is None else trial.report, output, row) if row is not None else None
    if place is not None:
        columns = {place.column: (place.value,), **columns}
    before = problem.meaning.matches if isinstance(problem.meaning, Predictions) else ()
    table = DataTable(columns=columns, origin=TYPED)
    added = with_table(problem, table, trial) if problem.data is None else with_table_below(problem, table, trial)
    meaning = added.meaning
    if isinstance(meaning, SyntheticLikelihood | ApproximateBayes) and output and (place is not None or row is None):
        return _with_summary(added, meaning, Summary(output=output, column=column, error_column=of), place, trial)
    if not isinstance(meaning, Predictions):
        return added
    made = (column, place.column) if place is not None and place.column not in present else (column,)
    others = tuple(m for m in meaning.matches if m.column not in made)
    if not output:
        kept = others if before else meaning.matches
        return msgspec.structs.replace(added, meaning=msgspec.structs.replace(meaning, matches=kept))
    own = None if of is None or takes_column(meaning.noise) else GaussianKnown(sd_column=of)
    match = Match(output=output, column=column, sd_column=of if own is None else None, noise=own)
    if place is not None:
        match = paired_by(match, [(place.output, place.column)])
    elif row is not None:
        match = msgspec.structs.replace(match, rows=(row,))
    kept = tuple(m for m in others if m.output != output or m in before)
    return msgspec.structs.replace(added, meaning=msgspec.structs.replace(meaning, matches=(*kept, match)))


def _with_summary(
    problem: Problem, meaning: SyntheticLikelihood | ApproximateBayes, summary: Summary, place: Place | None, trial: Trial | None
) -> Problem:
    """``problem`` with one more summary, where those of a random program are compared; ``place``: of its row in a list."""
    if place is not None:
        summary = msgspec.structs.replace(summary, key_output=place.output, key_column=place.column)
    others = tuple(s for s in meaning.summaries if s.column != summary.column)
    more = msgspec.structs.replace(meaning, summaries=(*others, summary))
    seconds = None if trial is None else trial.run_seconds
    return msgspec.structs.replace(problem, meaning=with_default_runs(problem, more, seconds, meaning))


def unsaid_error(problem: Problem) -> str:
    """What counts for a value whose error is not typed, a sentence."""
    meaning = problem.meaning
    if hasattr(meaning, "summaries"):
        return "Left empty, no error of the measurement is counted."
    if not isinstance(meaning, Predictions) or meaning.noise == GaussianKnown():
        return ASKED
    of_others = states_size(meaning.noise) and any(m.column for m in meaning.matches)
    return ASKED if of_others else "Left empty, the common errors count for it."


def added_words(before: Problem, after: Problem) -> str:
    """Which value ``with_value`` added, a sentence: Added “f1 (Hz)” = 1.868 ± 0.01, compared with “f1”."""
    data, matches = after.data, after.meaning.matches if isinstance(after.meaning, Predictions) else ()
    if data is None:
        return ""
    there = () if before.data is None else tuple(before.data.columns)
    sds = sd_pairs(list(data.columns))
    other = {*there, *sds.values(), *(key for m in matches for _, key in m.keys)}
    new = [c for c in data.columns if c not in other]
    if not new:
        return ""
    column = new[-1]
    value, sd = (_last(data.columns.get(c or "", ())) for c in (column, sds.get(column)))
    told = f"Added “{one_line(column, 40)}” = {shown(value)}{f' ± {shown(sd)}' if sd is not None else ''}"
    output = next((m.output for m in (*matches, *getattr(after.meaning, "summaries", ())) if m.column == column), "")
    return f"{told}, compared with “{one_line(output, 30)}”." if output else f"{told}."


def _last(cells: Sequence[float | None]) -> float | None:
    return next((v for v in reversed(cells) if v is not None), None)


def _together(parts: list[float], how: str) -> float:
    if how == "larger":
        return max(parts)
    return sum(p * p for p in parts) ** 0.5 if how == "quadrature" else sum(parts)


