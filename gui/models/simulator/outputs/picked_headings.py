"""Headings of columns that are marked one by one, each column an output of its own. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from bayescope.engine.problem.marks.each import these_numbers
from bayescope.engine.problem.marks.found import Each, Found
from bayescope.engine.problem.marks.labels.label_names import heading_name
from bayescope.engine.problem.marks.mark import Mark
from bayescope.engine.problem.marks.tables.numbered_headings import PHRASE, phrase_at
from bayescope.engine.problem.numbers.numbers_in_text import line_bounds, numbers
from bayescope.gui.models.parameters import fresh_name
from bayescope.gui.models.simulator.numbers.first_words import is_heading_word
from bayescope.gui.models.simulator.outputs.heading_units import heading_unit

Span = tuple[int, int]
MarkAt = Callable[[int, int], Mark]  # what is marked from one character to another
_WORD = re.compile(r"\S+")


def heading_span(mark_at: MarkAt, text: str, at: int) -> Span | None:
    """The characters of the heading at ``at``, on a line without numbers but those in names, N(5), and behind them, deme 1, over
    a column that can be read; None: none is there."""
    low, high = line_bounds(text, at)
    if not all(_is_in_heading(text, number.start) for number in numbers(text, low, high)):
        return _among_numbered(mark_at, text, at)
    word = next((m for m in _WORD.finditer(text, low, high) if m.start() <= at <= m.end()), None)
    if word is None or not is_heading_word(text, *word.span()):
        return None
    mark = mark_at(word.start(), word.start())
    return word.span() if mark.first() == "column" and len(mark.offers("column")[0].proposals) == 1 else None


def _is_in_heading(text: str, at: int) -> bool:
    """Whether the number at ``at`` is a part of a name that begins with a letter: N(5)."""
    low, high = line_bounds(text, at)
    return any(is_heading_word(text, *m.span()) for m in _WORD.finditer(text, low, high) if m.start() < at < m.end())


def _among_numbered(mark_at: MarkAt, text: str, at: int) -> Span | None:
    """The same on a line of which a heading ends with a number: several words with single blanks between them."""
    low, high = line_bounds(text, at)
    phrase = next((m for m in PHRASE.finditer(text, low, high) if m.start() <= at <= m.end()), None)
    if phrase is None or not any(phrase_at(text[low:high], m.start() - low) for m in PHRASE.finditer(text, low, high)):
        return None
    mark = mark_at(*phrase.span())
    chosen = getattr(mark, "selection", None)
    named = chosen is not None and chosen.kind == "heading" and chosen.named and mark.first() == "column"
    return phrase.span() if named and len(mark.offers("column")[0].proposals) == 1 else None


def picked_in_all(mark_at: MarkAt, picked: Sequence[Span], taken: Sequence[str]) -> Each | None:
    """Each of the numbers picked from one of several tables with the same heading, with those in its place in the others; None:
    not all stand in such tables."""
    each = these_numbers(mark_at(*picked[-1]), picked, taken, "all")
    return each if len(each.found) == len(picked) and not each.left else None


def picked_each(mark_at: MarkAt, text: str, source: str, picked: Sequence[Span], taken: Sequence[str]) -> Each:
    """What was picked, columns by their headings first, then numbers and lists."""
    columns: list[Found] = []
    rest: list[Span] = []
    for span in picked:
        if heading_span(mark_at, text, span[0]) != span:
            rest.append(span)
            continue
        mark = mark_at(*span) if " " in text[slice(*span)] else mark_at(span[0], span[0])
        offer = mark.offers("column")[0]
        if any(f.proposal.extractor == offer.proposals[0].extractor for f in columns):
            continue  # its name and its unit were picked
        told = (*offer.names, "")[0] or text[slice(*span)]
        stem, unit = heading_name(told)[0], heading_unit(mark, told, offer.proposals[0].extractor)
        name = fresh_name([*taken, *(f.name for f in columns)], stem)
        columns.append(Found(source, name, unit, told, offer.proposals[0], offer.words))
    if not rest:
        return Each(tuple(columns))
    others = these_numbers(mark_at(*rest[-1]), rest, [*taken, *(f.name for f in columns)])
    return Each((*columns, *others.found), left=others.left)
