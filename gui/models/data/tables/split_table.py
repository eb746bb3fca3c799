"""A table that names the quantity of each row, split by that column where a comparison found all rows in one column, or where
no column is compared yet. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from bayescope.engine.problem.data.names.column_names import same_names, sd_columns
from bayescope.engine.problem.data.tables import long_form, naming_pairs
from bayescope.engine.problem.data.tables.conditions import condition_column, values_to_split
from bayescope.engine.problem.data.tables.naming_column import label_column, naming_column, numbered, split_with_units
from bayescope.engine.problem.definition import DataTable, Match, Predictions, Problem
from bayescope.engine.problem.errors import ProblemError
from bayescope.gui.models.data.keys.key_candidates import paired_by
from bayescope.gui.models.data.meanings import first_predictions
from bayescope.gui.models.data.new_comparison import compared_by_name
from bayescope.gui.models.data.tables.label_rows import labelled_rows, with_rows
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.trials.trial import Trial

MOST_ROWS = 10_000  # looked through while the window waits; a longer one is split where it is imported


@dataclass(frozen=True)
class Split:
    """``problem`` with its table split by ``by``, compared by names; the ``columns`` that are no more; ``parts``: the column that
    ``by`` is, or the two that it names."""

    by: str
    problem: Problem
    columns: frozenset[str]
    parts: tuple[str, ...]

    @property
    def question(self) -> str:
        if len(self.parts) > 1:
            return f"Do {self.told} together name the quantity of each row?"
        return f"Does {self.told} name the quantity of each row?"

    @property
    def compared(self) -> int:
        """How many outputs are compared then."""
        return _compared(self.problem)

    @property
    def told(self) -> str:
        """The column, or the two, that it is split by."""
        return " and ".join(f"“{one_line(name, 30)}”" for name in self.parts)

    @property
    def columns_words(self) -> str:
        names = list(self.problem.data.columns) if self.problem.data is not None else []
        names = [name for name in names if name not in sd_columns(names)]
        made = one_line(", ".join(names), 90)
        return f"Split, the columns are {made}."

    @property
    def hint(self) -> str:
        verb = "name" if len(self.parts) > 1 else "names"
        return f"{self.told} {verb} the quantity of each row. {self.columns_words}"

    @property
    def button(self) -> str:
        return f"Split the table by {self.told}"

    def of(self, match: Match) -> bool:
        """Whether ``match`` found all rows of a column that goes with the split, in their order."""
        return match.column in self.columns and not match.keys


def split_by_names(problem: Problem, trial: Trial) -> Split | None:
    """The problem with its table split by the column of texts that names quantities; None: no column does, or no comparison
    needs it: each has a column that stays."""
    data, meaning = problem.data, problem.meaning
    if data is None or not isinstance(meaning, Predictions) or not problem.outputs:
        return None
    if max(map(len, (*data.texts.values(), *data.columns.values())), default=0) > MOST_ROWS:
        return None
    outputs = [o.name for o in problem.outputs]
    told = naming_pairs.proposed(data, outputs) or condition_column(data, outputs) or naming_column(data)
    keys = {column for m in meaning.matches for _, column in m.keys}  # rows are paired by these: they name no quantities
    pairs = [pair for pair in naming_pairs.pairs_offered(data) if told in long_form.parts(data, pair)]
    columns = dict.fromkeys((*pairs, told, *long_form.offered(data)))
    ways = (_split(problem, by, trial, by == told) for by in columns
            if by and not keys & set(long_form.parts(data, by)) and not long_form.already_split(data, by))  # fmt: skip
    return next((found for found in ways if found is not None), None)


def _split(problem: Problem, by: str, trial: Trial, told: bool) -> Split | None:
    """By the column ``by``; one that is not ``told`` to hold quantities has to make columns that outputs are named like."""
    data, meaning = problem.data, problem.meaning
    assert data is not None
    assert isinstance(meaning, Predictions)
    values = values_to_split(data, by, [o.name for o in problem.outputs]) or long_form.value_columns(data, by)
    compared = [m.column for m in meaning.matches if m.column and not m.keys]
    try:
        table = split_with_units(data, by, values if set(values) & set(compared) or not compared else compared[:1])
    except ProblemError:
        return None
    gone = frozenset(data.columns) - frozenset(table.columns)
    index = next((i for i, m in enumerate(meaning.matches) if m.column in gone), None)
    whole = msgspec.structs.replace(problem, data=table)
    if index is not None:
        rows = labelled_rows(problem, index, trial.report)
        named = same_names(list(rows), [c for c in table.columns if c not in data.columns])
        if named:
            return Split(by, with_rows(whole, index, rows, named), gone, long_form.parts(data, by))
    elif all(m.column for m in meaning.matches) and meaning.matches:
        return None
    made = compared_by_name(with_columns_of(whole), trial)
    more = _compared(made) - _compared(problem if index is not None else compared_by_name(problem, trial))
    return Split(by, made, gone, long_form.parts(data, by)) if more > 0 or (told and index is not None) else None


def _compared(problem: Problem) -> int:
    return sum(bool(m.column) for m in problem.meaning.matches) if isinstance(problem.meaning, Predictions) else 0


@dataclass(frozen=True)
class Apart:
    """``problem`` with its table split by column ``by``, so that every row is compared with another output."""

    by: str
    problem: Problem


def rows_apart(problem: Problem, lengths: Mapping[str, int | None]) -> Apart | None:
    """A table of one value of another quantity in each row, split by its labels, or by the numbers of its rows where it has none;
    None: it is no such table, or outputs (``lengths``: how many values each has,
    None: not read yet) are no single numbers."""
    data = problem.data
    if data is None or set(lengths.values()) - {None} != {1}:
        return None
    rows = max(map(len, (*data.columns.values(), *data.texts.values())), default=0)
    taken = {m.column for m in problem.meaning.matches if m.column} if isinstance(problem.meaning, Predictions) else set()
    values = long_form.value_columns(data)
    if not 2 <= rows <= long_form.MOST_QUANTITIES or taken & set(values):
        return None
    by = next(iter(naming_pairs.named_together(data)), "") or label_column(data)
    if not by and (rows != len(lengths) or len(values) > 2):  # rows without labels: one for each output
        return None
    table = data if by else numbered(data)
    by = by or next(iter(table.texts))
    try:
        made = split_with_units(table, by)
    except ProblemError:
        return None
    return Apart(by, msgspec.structs.replace(problem, data=made))


def with_columns_of(problem: Problem) -> Problem:
    """``problem`` with every comparison's column in its table: one that is not there any more is the column that names tell, or
    is to be chosen; errors and keys that are not there are gone."""
    data, meaning = problem.data, problem.meaning
    if data is None or not isinstance(meaning, Predictions):
        return problem
    told = {m.output: m for m in first_predictions(problem, words=True).matches}
    there = {m.column for m in meaning.matches}
    free = {output: match for output, match in told.items() if match.column not in there}
    matches = tuple(_in_table(m, data, free.get(m.output)) for m in meaning.matches)
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=matches))


def _in_table(match: Match, data: DataTable, told: Match | None) -> Match:
    known = {*data.columns, *data.texts}
    if match.column and match.column not in data.columns:
        return msgspec.structs.replace(told or Match(output=match.output, column=""), factor=match.factor, offset=match.offset)
    if match.sd_column is not None and match.sd_column not in data.columns:
        match = msgspec.structs.replace(match, sd_column=None)
    if any(column not in known for _, column in match.keys):
        match = paired_by(match, ())
    return match
