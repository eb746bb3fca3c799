"""Rows left out only for lying outside what a run prints: looked at anew when the pairing changes. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from bayescope.engine.problem import definition as d
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared, with_match
from bayescope.gui.models.data.keys.copied_pairing import way_of
from bayescope.gui.models.data.keys.rows_outside import inside_again, without_outside
from bayescope.gui.models.data.rows.left_out import matches_of
from bayescope.gui.models.plain import and_last

MOST_TOLD = 4  # numbers of rows in a sentence
NOTE = "{rows} out only for lying outside what the program prints: once inside, {they} by {itself}."


def outside_anew(before: d.Problem, after: d.Problem, report: TrialRunReport | None) -> tuple[d.Problem, str]:
    """``after`` a change of ``before``: where the pairing of a comparison became another, rows that lie inside now count again,
    and those that lie outside are left out if that was agreed to once; and which these are, sentences ('': none)."""
    was, made = matches_of(before), after
    for i, match in enumerate(matches_of(after)):
        same = i < len(was) and (was[i].output, was[i].column, was[i].keys, way_of(was[i])) == (
            match.output, match.column, match.keys, way_of(match)
        )  # fmt: skip
        if match.outside is not None and not same:
            made = _anew(made, i, report)
    return made, _words(after, made)


def inside_now(problem: d.Problem, report: TrialRunReport | None) -> tuple[d.Problem, str]:
    """With the rows that lie inside what the newest test run printed counted again, and which these are, sentences."""
    made = problem
    for i, match in enumerate(matches_of(problem)):
        found = matches_of(_anew(made, i, report))[i] if match.outside else match
        if set(found.left_out) < set(match.left_out):  # a shorter run takes nothing out by itself
            made = with_match(made, i, found)
    return made, _words(problem, made)


def _anew(problem: d.Problem, index: int, report: TrialRunReport | None) -> d.Problem:
    match = matches_of(problem)[index]
    if not match.keys or not match.interpolate:
        return with_match(problem, index, inside_again(match))  # nothing is interpolated any more
    found = compared(problem, index, report)
    if found is None:
        return problem  # not known: a test run tells
    cut = without_outside(match, found[1], found[2])
    return with_match(problem, index, inside_again(match) if cut is None else cut[0])


def _words(before: d.Problem, after: d.Problem) -> str:
    was, now = matches_of(before), matches_of(after)
    if was == now:
        return ""
    pairs = list(zip(was, now, strict=True))
    back = sorted({row for old, new in pairs for row in set(old.left_out) - set(new.left_out)})
    gone = sorted({row for old, new in pairs for row in set(new.left_out) - set(old.left_out)})
    said = []
    if back:
        one, inside = len(back) == 1, "inside what the program prints"
        said.append(f"{_rows(back)} {'lies' if one else 'lie'} {inside} now: {'it counts' if one else 'they count'} again.")
    if gone:
        one = len(gone) == 1
        said.append(f"{_rows(gone)} {'lies' if one else 'lie'} outside now: {'it is' if one else 'they are'} left out.")
    return " ".join(said)


def outside_note(match: d.Match) -> str:
    """Which of the rows left out come back by themselves, a sentence; '' for none."""
    rows = [row for row in match.outside or () if row in match.left_out]
    if not rows:
        return ""
    one = len(rows) == 1
    told = f"{_rows(rows)} {'is' if one else 'are'}"
    return NOTE.format(rows=told, they="it comes back" if one else "they come back", itself="itself" if one else "themselves")


def _rows(rows: Iterable[int]) -> str:
    told = list(rows)
    if len(told) > MOST_TOLD:
        return f"{len(told)} rows ({', '.join(map(str, told[: MOST_TOLD - 1]))}, …)"
    return f"Row {told[0]}" if len(told) == 1 else f"Rows {and_last(', '.join(map(str, told)))}"
