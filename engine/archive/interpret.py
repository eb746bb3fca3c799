"""A table of earlier evaluations in the terms of a problem: what its values are, what was left out and why, the best point and
how far the archive reaches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..problem.definition import Problem
from ..problem.numbers.shown_digits import spoken
from ..problem.transforms import ParameterSpace
from ..session.records import ArchiveRecord
from .mapping import Mapped, Meaning
from .reach import Coverage, beside_plausible, coverage, flat, note, outside
from .several import other_units
from .table import ArchiveError, Table

Array = NDArray[np.float64]
FACTORS: dict[Meaning, float] = {"minus_log_likelihood": -1.0, "minus_two_log_likelihood": -0.5}  # of a log-likelihood
FAR_ABOVE = 1_000.0  # nats above everything but a handful of rows: no posterior is like that, a wrong value is
HANDFUL = 0.01  # of the rows
GOOD_DROP = 10.0  # nats below the best: rows that say something about the posterior's bulk


@dataclass(frozen=True)
class Imported:
    """``record`` is what a session stores. ``best``: the parameter values of the best row and its log joint."""

    record: ArchiveRecord
    given: int
    best: dict[str, float]
    best_log_joint: float
    coverage: tuple[Coverage, ...]
    good: int  # rows within GOOD_DROP of the best
    notes: tuple[str, ...]

    def words(self) -> list[str]:
        """The import in sentences."""
        kept = len(self.record.values)
        said = [
            f"{kept:,} of {self.given:,} rows of {self.record.source} can be used; "
            f"{self.good:,} of them lie within {GOOD_DROP:g} of the best."
        ]
        at = ", ".join(f"{k} = {spoken(v)}" for k, v in self.best.items())
        said.append(f"Best point: {at} (log-likelihood plus log prior {spoken(self.best_log_joint)}).")
        narrow = [c for c in self.coverage if c.share < 0.25]
        if narrow:
            named = ", ".join(f"{c.name} ({100 * c.share:.0f} %)" for c in narrow[:5])
            said.append(
                f"Along these parameters the good rows cover little of the plausible range: {named}. New runs will fill that in."
            )
        return said + list(self.notes)


def interpret(table: Table, problem: Problem, mapped: Mapped) -> Imported:
    """Raises ArchiveError, in words, when nothing usable is left or a column is missing or plainly the wrong one."""
    space = ParameterSpace(problem.parameters)
    _check_columns(mapped, space, table)
    theta = np.column_stack([table.column(mapped.columns[n]) for n in space.names])
    value = table.column(mapped.value).copy()
    sd = np.abs(table.column(mapped.sd)) if mapped.sd else np.zeros(len(value))
    given = len(value)
    notes = [*table.notes]
    factor = FACTORS.get(mapped.meaning, 1.0)
    value, sd = factor * value, abs(factor) * sd
    meaning: Literal["log_likelihood", "log_posterior"] = (
        "log_posterior" if mapped.meaning == "log_posterior" else "log_likelihood"
    )
    notes += [said for n in space.names if (said := other_units(table, n, mapped.columns[n]))]
    numbers: NDArray[np.bool_] = np.asarray(np.isfinite(theta).all(axis=1))
    note(notes, ~numbers, "rows without a number for every parameter were left out.")
    beyond = numbers & outside(theta, space, table, mapped.columns, notes)
    lost: NDArray[np.bool_] = numbers & ~beyond & (np.isnan(value) | (value == np.inf) | ~np.isfinite(sd))
    note(notes, lost, "rows whose value or noise is not a number were left out.")
    keep = numbers & ~beyond & ~lost
    if not keep.any():
        raise ArchiveError(f"None of the {given:,} rows of {table.source} can be used.", "", " ".join(notes))
    theta, value, sd = theta[keep], value[keep], sd[keep]
    if not np.isfinite(value).any():
        raise ArchiveError(
            f"All {len(value):,} usable rows have the value minus infinity: nothing is known of where the density is not zero.",
            "", f"Is “{mapped.value}” the right column?",
        )  # fmt: skip
    before = len(value)
    theta, value, sd, contradicting = _merged(theta, value, sd)
    if len(value) < before:
        notes.append(f"{before - len(value):,} repeated rows were merged.")
    if contradicting:
        notes.append(
            f"At {contradicting:,} points the same parameters have different values; "
            "they were averaged, as no noise column is given. "
            "If the simulator is random, give the noise's standard deviation."
        )
    notes += _doubts(value, sd, mapped)
    if len(value) == 1:
        notes.append("A single point says nothing about a posterior; allow new runs.")
    joint = value + (space.log_prior(theta) if meaning == "log_likelihood" else 0.0)
    best = int(np.argmax(joint))
    notes += _outliers(joint, table, mapped, space, theta)
    notes += flat(space, theta)
    good = joint >= joint[best] - GOOD_DROP
    reach = coverage(space, theta[good])
    notes += beside_plausible(reach)
    record = ArchiveRecord(space.names, theta, value, sd, meaning, table.source, tuple(notes))
    return Imported(
        record, given, dict(zip(space.names, theta[best].tolist(), strict=True)), float(joint[best]),
        reach, int(good.sum()), tuple(notes),
    )  # fmt: skip


def _outliers(joint: Array, table: Table, mapped: Mapped, space: ParameterSpace, theta: Array) -> list[str]:
    """A sentence if a handful of rows lies so far above all others that nothing else would count."""
    known = np.flatnonzero(np.isfinite(joint))
    order = known[np.argsort(-joint[known], kind="stable")]
    few = max(1, int(HANDFUL * len(order)))
    if len(order) < 20:
        return []
    gaps = -np.diff(joint[order[: few + 1]])
    widest = int(gaps.argmax())
    if gaps[widest] < FAR_ABOVE * max(1, space.dimension):
        return []
    row = int(np.flatnonzero(table.column(mapped.columns[space.names[0]]) == theta[order[0], 0])[0]) + 1
    rows = "1 row lies" if widest == 0 else f"{widest + 1} rows lie"
    return [
        f"{rows} {gaps[widest]:,.0f} or more above all others, so that the others would count for nothing (the best is row "
        f"{row:,} of the table): if that is an error, delete it and import again."
    ]


def _check_columns(mapped: Mapped, space: ParameterSpace, table: Table) -> None:
    """Raises ArchiveError unless each free parameter and the value have a column of their own."""
    missing = [n for n in space.names if n not in mapped.columns]
    if missing:
        raise ArchiveError(
            f"No column is given for {', '.join(missing)}.", "", f"The table has: {', '.join(table.columns[:30])}."
        )
    unknown = [n for n in mapped.columns if n not in space.names]
    if unknown:
        raise ArchiveError(
            f"There is no free parameter {', '.join(unknown)}.",
            "",
            f"The free parameters are {', '.join(space.names)}.",
        )
    used = [*mapped.columns.values(), mapped.value, *([mapped.sd] if mapped.sd else [])]
    twice = sorted({c for c in used if used.count(c) > 1})
    if twice:
        raise ArchiveError(
            f"The column “{twice[0]}” is used twice.", "", "Give each parameter and the value a column of its own."
        )


def _merged(theta: Array, value: Array, sd: Array) -> tuple[Array, Array, Array, int]:
    """Equal points joined, by inverse variance; how many exact ones contradict each other."""
    order = np.lexsort(theta.T[::-1])  # stable, and quick for a million rows
    new = np.r_[True, np.any(theta[order[1:]] != theta[order[:-1]], axis=1)]
    first = order[new]
    if len(first) == len(theta):
        return theta, value, sd, 0
    group = np.empty(len(theta), dtype=np.intp)
    group[order] = np.cumsum(new) - 1
    finite = np.isfinite(value)
    shown = np.where(finite, value, 0.0)
    weight = np.where(finite, 1.0 / np.maximum(sd, 1e-6) ** 2, 0.0)
    total = np.bincount(group, weight)
    base = shown[first][group]
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = shown[first] + np.bincount(group, weight * (shown - base)) / total
        joint = np.where(total > 0, mean, -np.inf)
        noise = np.where((total > 0) & (np.bincount(group, sd) > 0), 1.0 / np.sqrt(total), 0.0)
    gap = np.zeros(len(first))
    np.maximum.at(gap, group, np.where(finite & (sd == 0), np.abs(shown - joint[group]), 0.0))
    order = np.argsort(first)
    return (
        theta[first][order],
        joint[order],
        noise[order],
        int((gap > 1e-6 * (1.0 + np.abs(np.where(total > 0, mean, 0.0)))).sum()),
    )


def _doubts(value: Array, sd: Array, mapped: Mapped) -> list[str]:
    """What looks like a wrong choice of meaning or column."""
    known = value[np.isfinite(value)]
    said = []
    if (
        mapped.meaning == "log_likelihood"
        and len(known) > 5
        and known.min() >= 0
        and known.max() > 50
        and np.median(known) < 0.1 * known.max()
    ):
        said.append(
            "All values are positive and most are small; if the column is −2 log L or chi², choose that meaning."
        )
    if mapped.meaning == "minus_two_log_likelihood" and len(known) > 5 and known.min() > 0:
        said.append("All values of −2 log L are negative; is the column a log-likelihood?")
    mixed = (sd > 0).any() and (sd == 0).any()
    if mixed:
        said.append(
            f"{int((sd > 0).sum()):,} rows are noisy and {int((sd == 0).sum()):,} exact; each is used with its own noise."
        )
    return said
