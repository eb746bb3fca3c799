"""Outputs that are the data again: compared with the column they repeat they say nothing about the parameters. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from bayescope.engine.problem.definition import Predictions, Problem
from bayescope.gui.models.data.keys.known_keys import KnownKeys
from bayescope.gui.models.data.taking_part import set_aside
from bayescope.gui.models.plain import one_line

WHY = "A program that reads the data may print them again. Compared with themselves they say nothing about the parameters."
BUTTON, KEEP = "&Leave it out", "Keep it"
UNDO = "Leave out what repeats the data"
CAPTION = "An output repeats the data"


@dataclass(frozen=True)
class Echo:
    """Comparison or summary ``row``, and the problem without it (None: of a summary, which is left out by its number); ``hint``:
    why; ``undo``: what leaving it out is called."""

    row: int
    words: str
    problem: Problem | None
    hint: str = WHY
    undo: str = UNDO
    caption: str = CAPTION


def first_echo(problem: Problem, known: KnownKeys, kept: frozenset[str]) -> Echo | None:
    """The first comparison or summary of an output with the column that it repeats; ``kept``: words that were passed over."""
    compared = getattr(problem.meaning, "matches", ()) or getattr(problem.meaning, "summaries", ())
    for row, one in enumerate(compared):
        words = echo_words(one.output, one.column)
        if (one.output, one.column) in known.echoes and words not in kept:
            return Echo(row, words, without_comparison(problem, row))
    return None


def echo_words(output: str, column: str) -> str:
    """That an output is the data column again, a sentence."""
    column = "of this name" if column == output else f"“{one_line(column, 30)}”"
    return f"Output “{one_line(output, 30)}” repeats the data column {column}, whatever the parameters are."


def without_comparison(problem: Problem, row: int) -> Problem | None:
    """The problem in which what comparison ``row`` compares does not count; None: it compares no predictions."""
    meaning = problem.meaning
    if not isinstance(meaning, Predictions):
        return None
    gone = meaning.matches[row]
    rest = tuple(m for i, m in enumerate(meaning.matches) if i != row)
    used = {name for m in rest for name in (m.column, m.output, *(k for key in m.keys for k in key))}
    away = tuple(name for name in dict.fromkeys((gone.output, gone.column)) if name not in used)
    return set_aside(msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=rest)), away)
