"""A table of earlier runs by their outputs: scored by the problem's own meaning, and kept with their outputs as runs."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import replace as replaced

import numpy as np
from numpy.typing import NDArray

from ..likelihood.evaluate import LikelihoodError, log_likelihood
from ..problem.data.rows.comparison import key_codes
from ..problem.data.rows.given_cells import given_cells
from ..problem.data.rows.key_scale import scale_of
from ..problem.definition import DataTable, Match, Predictions, Problem
from ..problem.numbers.number_text import NUMBER
from ..problem.numbers.shown_digits import spoken
from ..problem.transforms import ParameterSpace
from ..session.imported import PURPOSE
from ..session.records import ArchiveRecord, EvaluationRecord, Outcome
from .interpret import GOOD_DROP, Imported
from .output_columns import MappedOutputs, can_hold_outputs, program_parameters, required_outputs
from .reach import beside_plausible, coverage, flat, note, outside
from .several import other_units
from .table import ArchiveError, Table

Array = NDArray[np.float64]
Progress = Callable[[int, int], None]

MOST_RUNS = 500  # used: emulators of so many take 8 s to learn, of 1,000 five times as long
BEST_SHARE = 0.5  # of them near the best, the others spread over all the rest
MOST_FAILED = 100  # failed ones kept
MOST_SCORED = 50_000  # rows whose likelihood is worked out: some seconds
CROWD = 10  # times as many of the best, among which those apart from one another are taken
MOST_UNIT_COLUMNS = 50  # of a vector, looked at for other units
ROUNDING = 1e-9  # of a fixed value: what printed digits cost


@dataclass(frozen=True)
class ImportedRuns:
    """``imported``: all rows with a likelihood, to be shown and checked; ``runs``: those that are used, as they are stored."""

    imported: Imported
    runs: tuple[EvaluationRecord, ...]


def interpret_outputs(table: Table, problem: Problem, mapped: MappedOutputs, progress: Progress | None = None) -> ImportedRuns:
    """``progress``: rows scored, of how many; may raise to end it. Raises ArchiveError, in words, when nothing usable is left."""
    space, notes = ParameterSpace(problem.parameters), [*table.notes]
    _check(problem, mapped, table)
    rows = _Rows.of(table, problem, space, mapped, notes)
    if len(rows.theta) > MOST_SCORED:
        step = math.ceil(len(rows.theta) / MOST_SCORED)
        notes.append(f"More than {MOST_SCORED:,} runs can be used; every {step}th was.")
        rows = rows.at(np.arange(0, len(rows.theta), step))
    scored, at = _scored(problem, space, rows, notes, progress)
    value = np.array([r.log_likelihood if r.outcome == "ok" and r.log_likelihood is not None else -np.inf for r in scored])
    prior = np.array([r.log_prior for r in scored])
    good = np.isfinite(value)
    if not good.any():
        raise ArchiveError(f"None of the {len(table.values):,} rows of {table.source} has a likelihood.", "", " ".join(notes))
    theta, joint = rows.theta[at[good]], (value + prior)[good]
    best = int(np.argmax(joint))
    near = joint >= joint[best] - GOOD_DROP
    own = program_parameters(problem)
    reach = tuple(c if c.name in own else replaced(c, share=1.0) for c in coverage(space, theta[near]))
    notes += _flat(space, theta, own) + beside_plausible(tuple(c for c in reach if c.name in own))
    chosen = _chosen(scored, value + prior, notes)
    record = ArchiveRecord(space.names, theta, value[good], np.zeros(len(theta)), "log_likelihood", table.source, tuple(notes))
    point = dict(zip(space.names, theta[best].tolist(), strict=True))
    shown = Imported(record, len(table.values), point, float(joint[best]), reach, int(near.sum()), tuple(notes))
    return ImportedRuns(shown, tuple(replaced(scored[i], index=k, order=k) for k, i in enumerate(chosen)))


# ---------------------------------------------------------------- rows


@dataclass(frozen=True)
class _Rows:
    """``theta`` (n, D) in the user's units, ``outputs`` by name (n, L)."""

    theta: Array
    outputs: dict[str, Array]

    @classmethod
    def of(cls, table: Table, problem: Problem, space: ParameterSpace, mapped: MappedOutputs, notes: list[str]) -> _Rows:
        """The usable ones, each point once."""
        middle = space.to_user(np.mean(space.plausible_box(), axis=0))
        theta = np.tile(middle, (len(table.values), 1))
        for i, name in enumerate(space.names):
            if name in mapped.columns:
                theta[:, i] = table.column(mapped.columns[name])
        outputs = {name: np.column_stack([table.column(c) for c in columns]) for name, columns in mapped.outputs.items()}
        notes += _other_units(table, mapped)
        numbers = np.asarray(np.isfinite(theta).all(axis=1))
        note(notes, ~numbers, "rows without a number for every parameter were left out.")
        named = {name: mapped.columns.get(name, "") for name in space.names}
        beyond = numbers & outside(theta, space, table, named, notes)
        other = numbers & ~beyond & _fixed_otherwise(table, problem, notes)
        kept = np.flatnonzero(numbers & ~beyond & ~other)
        if not len(kept):
            raise ArchiveError(f"None of the {len(theta):,} rows of {table.source} can be used.", "", " ".join(notes))
        found = cls(theta, outputs).at(kept)
        return _with_keys(found.at(found.first_of_each(notes)), problem, notes)

    def at(self, index: NDArray[np.intp]) -> _Rows:
        return _Rows(self.theta[index], {name: values[index] for name, values in self.outputs.items()})

    def first_of_each(self, notes: list[str]) -> NDArray[np.intp]:
        """Rows of the same values but the first, with outputs if one has any; whether they contradict each other is noted."""
        outputs = np.concatenate([*self.outputs.values()], axis=1)
        empty = np.isnan(outputs).all(axis=1)
        order = np.lexsort((empty, *self.theta.T[::-1]))
        new = np.r_[True, np.any(self.theta[order[1:]] != self.theta[order[:-1]], axis=1)]
        group = np.cumsum(new) - 1
        first = order[new]
        repeated = len(order) - len(first)
        if repeated:
            a, b = outputs[order], outputs[first[group]]
            with np.errstate(invalid="ignore"):
                differ = ~np.isclose(a, b, rtol=1e-6, atol=0.0, equal_nan=True).all(axis=1) & ~empty[order]
            notes.append(f"{repeated:,} repeated rows were left out.")
            note(
                notes, np.bincount(group, differ) > 0,
                "points have other outputs in another row: the first was kept. Is the program random, or was it changed?",
            )  # fmt: skip
        return np.sort(first)


def _check(problem: Problem, mapped: MappedOutputs, table: Table) -> None:
    """Raises ArchiveError unless each parameter and each compared output has columns of its own."""
    if not can_hold_outputs(problem):
        raise ArchiveError("This analysis compares no outputs with data, so that earlier runs are imported by their log density.")
    needed = program_parameters(problem)
    missing = [n for n in needed if n not in mapped.columns] + [n for n in required_outputs(problem) if n not in mapped.outputs]
    if missing:
        there = ", ".join(table.columns[:30])
        raise ArchiveError(f"No column is given for {', '.join(missing)}.", "", f"The table has: {there}.")
    unknown = [n for n in mapped.columns if n not in ParameterSpace(problem.parameters).names]
    if unknown:
        raise ArchiveError(f"There is no free parameter {', '.join(unknown)}.", "", f"They are {', '.join(needed)}.")
    used = [*mapped.columns.values(), *(c for group in mapped.outputs.values() for c in group)]
    twice = sorted({c for c in used if used.count(c) > 1})
    if twice:
        raise ArchiveError(f"The column “{twice[0]}” is used twice.", "", "Give each parameter and output columns of its own.")


def _fixed_otherwise(table: Table, problem: Problem, notes: list[str]) -> NDArray[np.bool_]:
    """Rows in which a fixed parameter that the table has had another value. Raises ArchiveError where all are so."""
    result = np.zeros(len(table.values), dtype=bool)
    for p in problem.parameters:
        if p.fixed is None or p.name not in table.columns:
            continue
        values = table.column(p.name)
        other = np.isfinite(values) & (np.abs(values - p.fixed) > ROUNDING * abs(p.fixed))
        if other.all():
            raise ArchiveError(
                f"{p.name} is fixed at {spoken(p.fixed)}, and no row has that value (but {spoken(values.min())} to "
                f"{spoken(values.max())}).", "",
                "Fix it at the value of these runs, or let it be learnt.",
            )  # fmt: skip
        note(notes, other & ~result, f"rows with {p.name} other than {spoken(p.fixed)}, where it is fixed, were left out.")
        result |= other
    return result


def _other_units(table: Table, mapped: MappedOutputs) -> list[str]:
    """Sentences where the table's files differ in size, parameters and outputs."""
    said = [words for name, column in mapped.columns.items() if (words := other_units(table, name, column))]
    for name, columns in mapped.outputs.items() if table.parts else ():
        looked = columns[:: max(1, len(columns) // MOST_UNIT_COLUMNS)]
        found = [words for c in looked if (words := other_units(table, name, c))]
        said += found[:1] if 2 * len(found) > len(looked) else []
    return said


def _with_keys(rows: _Rows, problem: Problem, notes: list[str]) -> _Rows:
    """Keys of rows that the table does not have are those of the data, if it has a value for each of its rows."""
    assert isinstance(problem.meaning, Predictions)
    assert problem.data is not None
    outputs, taken = dict(rows.outputs), set[str]()
    for match in problem.meaning.matches:
        for name, column in match.keys:
            if name not in outputs:
                keys = _keys(match, name, column, problem.data, rows)
                first = (name, column) == match.keys[0]
                keys = scale_of(match).back(keys) if first else keys
                outputs[name] = np.tile(keys, (len(rows.theta), 1))
                taken.add(match.output)
    if taken:
        named = ", ".join(sorted(taken))
        notes.append(f"The values of {named} were taken in the order of the data's rows: no column holds the key of theirs.")
    return _Rows(rows.theta, outputs)


def _keys(match: Match, name: str, column: str, data: DataTable, rows: _Rows) -> Array:
    codes, count = key_codes(data, column), rows.outputs[match.output].shape[1]
    if count != len(codes):
        codes = codes[np.isfinite(codes)]
    if count != len(codes):
        raise ArchiveError(
            f"{match.output} has {count:,} columns, the data have {len(codes):,} rows, and no columns hold its key {name}.", "",
            f"Give the columns of {name}, or a column for each row of the data.",
        )  # fmt: skip
    return codes


# ---------------------------------------------------------------- scores


def _scored(
    problem: Problem, space: ParameterSpace, rows: _Rows, notes: list[str], progress: Progress | None
) -> tuple[list[EvaluationRecord], NDArray[np.intp]]:
    """With the row of each. Rows without any output are runs that failed, and so are those that lack some, which keep the others;
    what cannot be scored otherwise is left out."""
    found: list[EvaluationRecord] = []
    kept: list[int] = []
    trouble: dict[str, list[str]] = {}
    names = required_outputs(problem)
    inference, log_prior = space.to_inference(rows.theta), np.atleast_1d(space.log_prior(rows.theta))
    within, failed, lacking = np.atleast_1d(space.log_prior_in_inference(inference)), 0, 0
    for k in range(len(rows.theta)):
        outputs = {name: values[k] for name, values in rows.outputs.items()}
        values, prior = space.values(inference[k]), float(log_prior[k])
        if progress is not None:
            progress(k, len(rows.theta))
        outcome: Outcome = "ok"
        reason, value, target = "", None, None
        if all(not np.isfinite(outputs[name]).any() for name in names):
            outcome, reason, outputs = "failed", "The imported row has no outputs.", {}
            failed += 1
        else:
            try:
                value = log_likelihood(problem, outputs, values)[0]
                target = value + float(within[k])
            except LikelihoodError as error:
                outcome, reason = "impossible" if error.impossible else "failed", str(error)
                some = not error.impossible and _lacks_some(problem, outputs)
                lacking += some
                if not error.impossible and not some:
                    general = re.sub(NUMBER, "…", str(error))
                    trouble.setdefault(general, []).append(str(error))
                    continue
        kept.append(k)
        found.append(
            EvaluationRecord(
                0, 0, inference[k], values, outcome, value, prior, target, reason=reason, outputs=outputs, purpose=PURPOSE
            )
        )
    why = sorted(trouble.values(), key=len, reverse=True)
    if not found:
        raise ArchiveError(f"None of the {len(rows.theta):,} rows could be compared with the data. {why[0][0]}")
    notes += [f"{len(said):,} rows were left out, the first because: {said[0]}" for said in why[:5]]
    if failed:
        notes.append(f"{failed:,} rows have no outputs and are taken for runs that failed.")
    if lacking:
        notes.append(f"{lacking:,} rows lack some outputs: they have no likelihood, but the outputs they have are learnt.")
    return found, np.array(kept, dtype=np.intp)


def _lacks_some(problem: Problem, outputs: dict[str, Array]) -> bool:
    """Whether some of the measured values are predicted, and others are not."""
    there = np.isfinite(given_cells(problem, outputs))
    return bool(there.any() and not there.all())


# ---------------------------------------------------------------- which of them are used


def _chosen(scored: list[EvaluationRecord], joint: Array, notes: list[str]) -> list[int]:
    """Indices of at most MOST_RUNS with a value, in order: those near the best that lie apart, and others of every size."""
    good, bad = np.flatnonzero(np.isfinite(joint)), np.flatnonzero(~np.isfinite(joint))
    if len(bad) > MOST_FAILED:
        notes.append(f"{MOST_FAILED} of the {len(bad):,} runs without a value are kept.")
        bad = bad[np.linspace(0, len(bad) - 1, MOST_FAILED).astype(int)]
    if len(good) <= MOST_RUNS:
        return sorted([*good.tolist(), *bad.tolist()])
    notes.append(
        f"Outputs are learnt from {MOST_RUNS} of the {len(good):,} runs: half of them near the best and apart from one another, "
        "the others spread over all the rest."
    )
    order = good[np.argsort(-joint[good], kind="stable")]
    count = int(BEST_SHARE * MOST_RUNS)
    pool = order[: max(count, int(np.sum(joint[order] >= joint[order[0]] - GOOD_DROP)))]
    pool = pool[:: max(1, len(pool) // (CROWD * count))]
    near = pool[_apart(np.array([scored[i].u for i in pool]), count)]
    rest = order[~np.isin(order, near)]
    others = rest[np.linspace(0, len(rest) - 1, MOST_RUNS - count).astype(int)]
    return sorted([*near.tolist(), *others.tolist(), *bad.tolist()])


def _apart(u: Array, count: int) -> NDArray[np.intp]:
    """Indices of ``count`` of the points u (n, D), the first one among them, each as far from those before as can be."""
    x = u / np.maximum(u.std(axis=0), 1e-300)
    taken = np.zeros(min(count, len(x)), dtype=np.intp)
    distance = np.full(len(x), np.inf)
    for k in range(1, len(taken)):
        distance = np.minimum(distance, np.square(x - x[taken[k - 1]]).sum(axis=1))
        taken[k] = int(distance.argmax())
    return taken


def _flat(space: ParameterSpace, theta: Array, own: tuple[str, ...]) -> list[str]:
    """``reach.flat`` of the parameters that the program is given."""
    alone = [i for i, name in enumerate(space.names) if name not in own]
    if not alone:
        return flat(space, theta)
    spread = theta.copy()
    low, high = (space.to_user(u) for u in space.plausible_box())
    spread[:, alone] = low[alone] + (high - low)[alone] * np.random.default_rng(0).random((len(theta), len(alone)))
    return flat(space, spread)
