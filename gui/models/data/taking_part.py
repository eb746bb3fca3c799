"""Outputs and data columns that take part in no comparison, until the user says that they do not count. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

import msgspec

from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.names.column_names import same_names, says_where, sd_columns, unit_in, without_unit
from bayescope.engine.problem.data.names.name_words import names_told
from bayescope.engine.problem.data.rows.censored import rows_with_value
from bayescope.engine.problem.data.rows.place_columns import says_place
from bayescope.engine.problem.data.units.unit_scales import times
from bayescope.engine.problem.definition import ApproximateBayes, DataTable, Predictions, Problem, SyntheticLikelihood
from bayescope.engine.problem.run_times import says_run_time
from bayescope.gui.models.data.keys.index_columns import index_columns
from bayescope.gui.models.data.keys.key_candidates import may_pair
from bayescope.gui.models.plain import one_name

MOST_NAMED = 4
_ENDS_WITH_NUMBER = re.compile(r"(\d+)$")
_NUMBERED_ERROR = re.compile(r"(?:se|sem|sd|std|err|error)_?(\d+)", re.IGNORECASE)
NO_COUNT, NO_COUNT_ALL = "It does not count", "They do not count"


@dataclass(frozen=True)
class Idle:
    """Names of outputs and of columns that take part in nothing."""

    outputs: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    @property
    def may_match(self) -> bool:
        """Whether one of the outputs could be compared with one of the columns."""
        return bool(self.outputs and self.columns)

    def words(self, heading: str = "In no comparison") -> str:
        parts = [f"{kind} {listed(names)}" for kind, names in self._kinds() if names]
        return f"{heading}: {'; '.join(parts)}." if parts else ""

    def _kinds(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return (
            ("output" if len(self.outputs) == 1 else "outputs", self.outputs),
            ("column" if len(self.columns) == 1 else "columns", self.columns),
        )


def listed(names: tuple[str, ...]) -> str:
    """Some of them by name, and how many more there are."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(f"“{one_name(n, 24)}”" for n in names[:MOST_NAMED]) + more


def coordinates(data: DataTable) -> frozenset[str]:
    """Columns called y or z in the unit of one called x, where others than these were measured beside them."""
    bare = {without_unit(c).casefold(): c for c in data.columns}
    x, found = bare.get("x"), [bare[name] for name in ("y", "z") if name in bare]
    same = {c for c in found if x is not None and unit_in(c) and unit_in(c) == unit_in(x)}
    sds = sd_columns(list(data.columns))
    filled = {c: rows_with_value(data, c) for c in data.columns}
    others = [c for c in data.columns if c not in (x, *same, *sds) and not says_where(c)]
    return frozenset(c for c in same if any(filled[c] & filled[o] for o in others))


def idle(problem: Problem, steady: Set[str] = frozenset()) -> Idle:
    """``steady``: outputs that no parameter changes, so they predict nothing. What says where or when, labels and standard
    deviations are not expected to be compared themselves; a single number does not say where, whatever its name."""
    return unpaired(problem, steady) if getattr(problem.meaning, "matches", ()) else Idle()


def unpaired(problem: Problem, steady: Set[str] = frozenset(), open_too: bool = False) -> Idle:
    """As ``idle``, where nothing is compared yet, too. ``open_too``: outputs whose column is not chosen yet count as idle."""
    meaning, data = problem.meaning, problem.data
    if not isinstance(meaning, Predictions) or data is None:
        return Idle()
    outputs, columns = set(meaning.aside), set(meaning.aside)
    for match in meaning.matches:
        if match.column or not open_too:
            outputs |= {match.output, *(output for output, _ in match.keys)}
            columns |= {match.column, *(column for _, column in match.keys)}
    columns |= set(sd_columns(list(data.columns)))
    for noise in (meaning.noise, *(m.noise for m in meaning.matches)):
        columns |= {getattr(noise, "sd_column", None) or "", getattr(noise, "scale_column", None) or ""}
    columns |= {m.sd_column or "" for m in meaning.matches}
    places = coordinates(data)
    places |= index_columns(data)
    compared = {i for m in meaning.matches if m.column in data.columns for i in rows_with_value(data, m.column)}
    left = tuple(
        c for c in data.columns
        if c not in columns and c not in places
        and not (says_place(data, c) and may_pair(data, c) and (not compared or compared & rows_with_value(data, c)))
    )  # fmt: skip
    named = same_names([o.name for o in problem.outputs], left)
    named |= names_told([o.name for o in problem.outputs if o.name not in named and says_where(o.name)],
                        [c for c in left if c not in named.values() and says_where(c)])  # fmt: skip
    errors = printed_errors([o.name for o in problem.outputs])
    return Idle(
        tuple(
            o.name for o in problem.outputs
            if not o.only_key and o.name not in (outputs | steady)
            and (o.name in named or o.length == 1 or not says_where(o.name) or _frequency_measured(o.name, data, left))
            and (o.name in named or not (says_run_time(o.name) or o.name in errors))
        ),
        left,
    )  # fmt: skip


def printed_errors(outputs: Sequence[str]) -> set[str]:
    """Outputs that are errors of others by their names: deme_1_se, se1 beside deme1. No column was measured of them."""
    ends = {found[1] for name in outputs if (found := _ENDS_WITH_NUMBER.search(name)) and not _NUMBERED_ERROR.fullmatch(name)}
    numbered = {name for name in outputs if (found := _NUMBERED_ERROR.fullmatch(name)) and found[1] in ends}
    return numbered | set(sd_pairs(list(outputs)).values())


def _frequency_measured(output: str, data: DataTable, left: Sequence[str]) -> bool:
    """Whether ``output`` is called a frequency and such were measured, of modes: no column of the table says where in them."""
    called = without_unit(output).casefold().startswith("freq")
    columns = [c for c in data.columns if times(unit_in(c), "Hz") is not None]
    return called and any(c in left for c in columns) and not any(says_where(c) for c in columns)


def idle_summaries(problem: Problem, steady: Set[str] = frozenset(), away: Set[str] = frozenset()) -> Idle:
    """The same where summaries are compared: outputs in none of them, and columns with which none is compared. ``away``: those
    of which the user said that they are not needed."""
    meaning, data = problem.meaning, problem.data
    if not isinstance(meaning, (SyntheticLikelihood, ApproximateBayes)) or data is None or not meaning.summaries:
        return Idle()
    used = {name for s in meaning.summaries for name in (s.output, s.key_output)}
    columns = {name for s in meaning.summaries for name in (s.column, s.key_column, s.error_column)} | set(
        sd_columns(list(data.columns))
    )
    numbers = [o.name for o in problem.outputs if not o.text and not says_run_time(o.name)]
    single = {o.name for o in problem.outputs if o.length == 1}
    several = max((len(v) for v in data.columns.values()), default=0) > 1  # of a single row nothing is a key
    return Idle(
        tuple(n for n in numbers if n not in used | away and n not in steady and (n in single or not says_where(n))),
        tuple(c for c in data.columns if c not in columns | away and not (several and may_pair(data, c))),
    )


def idle_summary_words(problem: Problem, left: Idle) -> str:
    """How many outputs are in no summary though columns are left for them; "": that is so of none."""
    count, every = len(left.outputs), sum(not o.text for o in problem.outputs)
    return f"{count} of the {every} outputs {'is' if count == 1 else 'are'} in no summary." if left.may_match else ""


def put_aside(problem: Problem) -> Idle:
    """What was said not to count and would else be idle."""
    meaning = problem.meaning
    if not isinstance(meaning, Predictions) or not meaning.aside:
        return Idle()
    every = idle(taken_back(problem, meaning.aside))
    return Idle(
        tuple(name for name in every.outputs if name in meaning.aside),
        tuple(name for name in every.columns if name in meaning.aside),
    )


def taken_back(problem: Problem, names: tuple[str, ...]) -> Problem:
    """``names`` count again."""
    meaning = problem.meaning
    if not isinstance(meaning, Predictions):
        return problem
    left = tuple(name for name in meaning.aside if name not in names)
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, aside=left))


def set_aside(problem: Problem, names: tuple[str, ...]) -> Problem:
    """``names`` do not count: nothing is asked about them any more."""
    meaning = problem.meaning
    if not isinstance(meaning, Predictions):
        return problem
    both = tuple(dict.fromkeys((*meaning.aside, *names)))
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, aside=both))
