"""What pairs the values of a summary that does not fit with those of the data, as it pairs those of a comparison. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates.day_zero import Counted
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.dates.counted_dates import UNDO, dates_to_count, with_dates_counted
from bayescope.gui.models.data.dates.day_doubt import DayDoubt, first_day_doubt
from bayescope.gui.models.data.dates.day_zero import key_day_zero
from bayescope.gui.models.data.keys.keyed_instead import keyed_instead
from bayescope.gui.models.data.keys.known_keys import KnownKeys
from bayescope.gui.models.data.meanings import first_summaries
from bayescope.gui.models.data.runs_each import with_default_runs
from bayescope.gui.models.data.taking_part import MOST_NAMED
from bayescope.gui.models.plain import one_line


@dataclass(frozen=True)
class SummaryMend:
    """The ``problem`` with all values paired; why, the words of the button, and what taking it back is called."""

    problem: d.Problem
    hint: str
    button: str
    undo: str


def compared_in_turn(problem: d.Problem) -> d.Problem:
    """``problem`` with its summaries as comparisons, row by row: what is known of how these are paired holds for those."""
    matches = tuple(_match(s) for s in getattr(problem.meaning, "summaries", ()))
    return msgspec.structs.replace(problem, meaning=d.Predictions(matches=matches, noise=d.GaussianKnown()))


def mended_summaries(
    problem: d.Problem, index: int, report: TrialRunReport | None, marked: Collection[str] = ()
) -> SummaryMend | None:
    """Of summary ``index``, whose values do not fit the newest test run: dates counted as an output counts, or the key that pairs
    them; None: neither is known, or a summary has no field for it. ``marked``: columns that were said to be keys."""
    rows = compared_in_turn(problem)
    if (one := dates_to_count(rows, index, report)) is not None:
        counted = _taken_over(problem, with_dates_counted(rows, index, report, one))
        return None if counted is None else SummaryMend(counted, f"{one.words}.", one.button, UNDO)
    keyed = keyed_instead(rows, index, report, marked)
    found = None if keyed is None or keyed.lost else _taken_over(problem, keyed.problem)
    return None if keyed is None or found is None else SummaryMend(found, keyed.hint, keyed.button, "Pair rows by a key")


def summaries_by_name(problem: d.Problem, known: KnownKeys, seconds: float | None) -> SummaryMend | None:
    """Where nothing is compared yet: outputs and columns of one name; None: there are none. ``seconds``: of a run."""
    meaning = problem.meaning
    if not isinstance(meaning, d.SyntheticLikelihood | d.ApproximateBayes) or meaning.summaries or problem.data is None:
        return None
    found = first_summaries(problem, known)
    if not found:
        return None
    compared = with_default_runs(problem, msgspec.structs.replace(meaning, summaries=found), seconds, meaning)
    names = ", ".join(f"“{one_line(s.output, 24)}”" for s in found[:MOST_NAMED])
    names += f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    words = f"Outputs and columns of one name, value by value: {names}. Means and other summaries can be chosen then."
    mended = msgspec.structs.replace(problem, meaning=compared)
    return SummaryMend(mended, words, "Compare &it" if len(found) == 1 else "Compare &them", "Compare by name")


def summary_day_doubt(
    problem: d.Problem, report: TrialRunReport | None, kept: Collection[str], guessed: Collection[float]
) -> DayDoubt | None:
    """The first summary whose dates count from a doubtful day 0, as ``first_day_doubt`` has it of comparisons."""
    return first_day_doubt(compared_in_turn(problem), report, kept, guessed)


def with_summaries_of(problem: d.Problem, doubt: DayDoubt | None) -> DayDoubt | None:
    """``doubt`` with the summaries of ``problem`` in what mends it."""
    if doubt is None or doubt.mended is None:
        return doubt
    return replace(doubt, mended=_taken_over(problem, doubt.mended))


def summary_day_zero(problem: d.Problem, index: int) -> Counted | None:
    """What the key of summary ``index`` counts from, if its column is of counted dates; None: it does not, or is gone."""
    summaries = getattr(problem.meaning, "summaries", ())
    return key_day_zero(_match(summaries[index])) if index < len(summaries) else None


def _match(summary: d.Summary) -> d.Match:
    return d.Match(
        output=summary.output, column=summary.column, key_output=summary.key_output, key_column=summary.key_column
    )


def _taken_over(problem: d.Problem, rows: d.Problem) -> d.Problem | None:
    """``problem`` with the table and the keys of ``rows``; None: they need more than a key of two sides."""
    meaning = problem.meaning
    if not isinstance(meaning, d.SyntheticLikelihood | d.ApproximateBayes) or not isinstance(rows.meaning, d.Predictions):
        return None
    summaries = tuple(
        msgspec.structs.replace(s, column=m.column, key_output=m.key_output, key_column=m.key_column)
        for s, m in zip(meaning.summaries, rows.meaning.matches, strict=True)
    )
    if tuple(_match(s) for s in summaries) != rows.meaning.matches:
        return None
    return msgspec.structs.replace(rows, meaning=msgspec.structs.replace(meaning, summaries=summaries))
