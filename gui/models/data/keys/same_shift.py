"""Comparisons paired by one key of the program and one column, with another factor or shift each: a clock has one. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.key_scale import Scale, scale_of, with_scale
from bayescope.gui.models.data.compared_outputs import with_match
from bayescope.gui.models.data.keys.own_table import counterpart
from bayescope.gui.models.data.rows.left_out import matches_of, measured
from bayescope.gui.models.plain import one_line

ON_PURPOSE = "They differ on purpose"
UNDO = "The same shift for all"
LONGEST_KEY = 14  # characters of the name of a key on a button
CAPTION = "Shifted alike?"
HINT = "They are the same readings of one clock or scale: a shift or a factor of one holds for the others too."


@dataclass(frozen=True)
class OtherShift:
    """``row`` and others are paired by the same key in another unit or with another shift; ``problem``: all as one of them."""

    row: int
    words: str
    button: str
    problem: d.Problem
    few: str


def siblings(problem: d.Problem, row: int) -> list[int]:
    """The other comparisons paired first by the data column and the key of the program of comparison ``row``, or by the key that
    stands in their own table where that does in its own."""
    matches = matches_of(problem)
    if not 0 <= row < len(matches) or not matches[row].keys:
        return []
    output, column = matches[row].keys[0]

    def same(match: d.Match) -> bool:
        return bool(match.keys) and match.keys[0][1] == column and match.keys[0][0] in (
            output, counterpart(problem, output, match.output)
        )  # fmt: skip

    return [i for i, m in enumerate(matches) if i != row and same(m)]


def shifted_as(problem: d.Problem, row: int, others: Iterable[int]) -> d.Problem:
    """``others`` with their first key scaled and shifted as that of ``row``."""
    scale = scale_of(matches_of(problem)[row])
    for i in others:
        problem = with_match(problem, i, with_scale(matches_of(problem)[i], scale))
    return problem


def shifted_otherwise(problem: d.Problem, row: int) -> list[int]:
    """The ``siblings`` with another factor or shift."""
    scale = scale_of(matches_of(problem)[row])
    return [i for i in siblings(problem, row) if not scale_of(matches_of(problem)[i]).is_as(scale)]


def so_for_all(problem: d.Problem, row: int) -> tuple[str, d.Problem] | None:
    """Words of a button, and all ``siblings`` shifted as comparison ``row`` is; None: they are."""
    others = shifted_otherwise(problem, row)
    if not others:
        return None
    count = len(siblings(problem, row)) + 1
    column = one_line(matches_of(problem)[row].keys[0][1], 24).replace("&", "&&")
    return f"So for {'both' if count == 2 else f'all {count}'} paired by {column}", shifted_as(problem, row, others)


def first_other_shift(problem: d.Problem) -> OtherShift | None:
    """The first comparison of which another that was measured in the same rows is shifted otherwise; the one that somebody gave
    a scale is the model for the others."""
    for row, match in enumerate(matches_of(problem)):
        others = [i for i in shifted_otherwise(problem, row) if _rows(problem, match) & _rows(problem, matches_of(problem)[i])]
        if others:
            model = next((i for i in (row, *others) if not scale_of(matches_of(problem)[i]).plain), row)
            return _told(problem, row, others, model)
    return None


def open_shift(problem: d.Problem, answered: Collection[str]) -> OtherShift | None:
    """As ``first_other_shift``; None too where its words are ``answered``: the user said that it is meant so."""
    found = first_other_shift(problem)
    return None if found is None or found.words in answered else found


def shift_words(match: d.Match) -> str:
    """By what ``match`` is paired, as its first key is scaled: time + 12.3; '' where it has none."""
    return scale_of(match).written(one_line(match.keys[0][0], LONGEST_KEY)) if match.keys else ""


def _told(problem: d.Problem, row: int, others: list[int], model: int) -> OtherShift:
    matches = matches_of(problem)
    column, first, second = matches[row].keys[0][1], matches[row], matches[others[0]]
    how = "are not shifted alike" if _only_shifted(first, second) else "are not scaled alike"
    words = (
        f"“{one_line(first.column, 24)}” and “{one_line(second.column, 24)}” are both paired by “{one_line(column, 24)}”, but "
        f"{how}: {_by(first)} for the one, {_by(second)} for the other."
    )
    alike = [i for i in (row, *siblings(problem, row)) if i != model]
    button = f"Take {_by(matches[model])} for {'both' if len(alike) == 1 else f'all {len(alike) + 1}'}"
    few = f"{one_line(column, 16)} is shifted otherwise for one"
    return OtherShift(row, words, button.replace("&", "&&"), shifted_as(problem, model, alike), few)


def _by(match: d.Match) -> str:
    return f"{shift_words(match)} as it is" if scale_of(match).plain else shift_words(match)


def _only_shifted(one: d.Match, other: d.Match) -> bool:
    mine, its = scale_of(one), scale_of(other)
    return Scale(mine.factor, 0.0, mine.inverse).is_as(Scale(its.factor, 0.0, its.inverse))


def _rows(problem: d.Problem, match: d.Match) -> set[int]:
    n = len(problem.data.columns.get(match.column, ())) if problem.data is not None else 0
    return {row for row in range(1, n + 1) if measured(problem, match, row)}
