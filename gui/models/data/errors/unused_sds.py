"""Columns of standard deviations that the model of the errors does not use, and the two ways out. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.gui.models.data.errors.noise import kind_of, takes_column
from bayescope.gui.models.plain import one_line

MOST_NAMED = 2


@dataclass(frozen=True)
class UnusedSds:
    """``question`` for the page, ``words`` where the model is chosen; each way out with the words of its button."""

    question: str
    words: str
    drop_words: str
    drop: d.Problem
    keep_words: str
    keep: d.Problem


def unused_sds(problem: d.Problem, row: int | None) -> UnusedSds | None:
    """Of the comparisons with the common model (``row`` None), or of one with its own."""
    meaning = problem.meaning
    if not isinstance(meaning, d.Predictions):
        return None
    matches = dict(enumerate(meaning.matches))
    mine = {i: m for i, m in matches.items() if (m.noise is None if row is None else i == row)}
    noise = meaning.noise if row is None else meaning.matches[row].noise
    mine = {i: m for i, m in mine.items() if m.sd_column is not None}
    if noise is None or takes_column(noise) or not mine:
        return None
    sds = _named([m.sd_column or "" for m in mine.values()])
    columns = _named([m.column for m in mine.values()])

    def changed(change: Callable[[d.Match], d.Match]) -> d.Problem:
        new = tuple(change(m) if i in mine else m for i, m in matches.items())
        return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=new))

    said = f"“{kind_of(noise).title}” does not use the standard deviations of {columns} in the column {sds}."
    drop = changed(lambda m: msgspec.structs.replace(m, sd_column=None))
    keep = changed(lambda m: msgspec.structs.replace(m, sd_column=None, noise=d.GaussianKnown(sd_column=m.sd_column)))
    several = len({m.sd_column for m in mine.values()}) > 1
    words = f"Only for {columns}: &keep its own errors" if len(mine) == 1 else f"&Keep {len(mine)} their own errors"
    if row is not None:
        words = "&Keep them: normal errors"
    no = "Do not use them" if several else f"Do not use {sds}"
    return UnusedSds(f"These errors leave {sds} unused", said, no, drop, words, keep)


def _named(names: list[str]) -> str:
    different = [one_line(n, 24) for n in dict.fromkeys(names)]
    return " and ".join(different) if len(different) <= MOST_NAMED else f"{different[0]} and {len(different) - 1} more"
