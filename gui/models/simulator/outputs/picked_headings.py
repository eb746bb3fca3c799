"""Columns that are marked one by one, by their headings or by their numbers, each an output of its own. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from bayescope.engine.problem.extract.row_cells import is_rule
from bayescope.engine.problem.marks.each import these_numbers
from bayescope.engine.problem.marks.found import Each, Found
from bayescope.engine.problem.marks.labels.label_names import heading_name
from bayescope.engine.problem.marks.mark import Mark
from bayescope.engine.problem.marks.tables.numbered_headings import PHRASE, has_measured_names, phrase_at
from bayescope.engine.problem.numbers.numbers_in_text import line_bounds, numbers
from bayescope.engine.problem.propose_tables import Proposal
from bayescope.gui.models.parameters import fresh_name
from bayescope.gui.models.simulator.numbers.first_words import is_heading_word
from bayescope.gui.models.simulator.outputs.heading_units import heading_unit, unit_above

Span = tuple[int, int]
MarkAt = Callable[[int, int], Mark]  # what is marked from one character to another
_WORD = re.compile(r"\S+")
_CELL = re.compile(r"[^\s,;|]+")
LINES_ABOVE = 4  # the first row of a column: names, units, a rule, and a blank line


def heading_span(mark_at: MarkAt, text: str, at: int) -> Span | None:
    """The characters of the heading at ``at``, on a line without numbers but those in names, N(5), and behind them, deme 1, over
    a column that can be read; None: none is there."""
    low, high = line_bounds(text, at)
    if not all(_is_in_heading(text, number.start) for number in numbers(text, low, high)):
        return _among_numbered(mark_at, text, at) or _over_a_column(mark_at, text, at)
    word = next((m for m in _WORD.finditer(text, low, high) if m.start() <= at <= m.end()), None)
    if word is None or not is_heading_word(text, *word.span()):
        return _over_a_column(mark_at, text, at)
    mark = mark_at(word.start(), word.start())
    return word.span() if mark.first() == "column" and len(_columns(mark)) == 1 else _over_a_column(mark_at, text, at)


def _over_a_column(mark_at: MarkAt, text: str, at: int) -> Span | None:
    """The cell, or the word between blanks, at ``at`` where a click there can mean one column: between the separators of the
    rows, or in the line right above them, where a click alone may mean the whole table; None: it is no such place."""
    mark = mark_at(at, at)
    chosen = getattr(mark, "selection", None)
    if chosen is None or chosen.kind != "heading" or len(_columns(mark)) != 1:
        return None
    low, high = line_bounds(text, at)
    between = [line for line in text[high : mark.lines[chosen.block.rows[0]].start].splitlines() if not is_rule(line)]
    if mark.first() != "column" and any(line.strip() for line in between):
        return None
    sign = chosen.block.shape.delimiter
    start = text.rfind(sign, low, at) + 1 or low if sign else low
    stop = text.find(sign, at, high) if sign else -1
    cell = re.compile(r"\S(?:.*\S)?") if sign else PHRASE if has_measured_names(text[low:high]) else _WORD
    found = next((m for m in cell.finditer(text, start, high if stop < 0 else stop) if m.start() <= at <= m.end()), None)
    return None if found is None else found.span()


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
    return phrase.span() if named and len(_columns(mark)) == 1 else None


def mark_of_pick(mark_at: MarkAt, text: str, span: Span) -> Span:
    """Where a mark reads again what was picked as ``span``: on all of it, or of most headings, on their first character."""
    if "\n" in text[slice(*span)] or heading_span(mark_at, text, span[0]) != span:
        return span
    return span if " " in text[slice(*span)] and len(_columns(mark_at(*span))) == 1 else (span[0], span[0])


def _columns(mark: Mark) -> Sequence[Proposal]:
    """What is read of each column that a mark means; empty: it can mean none."""
    offers = mark.offers("column") if "column" in mark.scopes else []
    return offers[0].proposals if offers else ()


def picked_in_all(mark_at: MarkAt, picked: Sequence[Span], taken: Sequence[str]) -> Each | None:
    """Each of the numbers picked from one of several tables with the same heading, with those in its place in the others; None:
    not all stand in such tables."""
    each = these_numbers(mark_at(*picked[-1]), picked, taken, "all")
    return each if len(each.found) == len(picked) and not each.left else None


def picked_column(mark_at: MarkAt, text: str, start: int, end: int) -> Span | None:
    """What stands for the column that a mark from ``start`` to ``end`` means: its heading, else all its numbers; None: it means
    none, or several."""
    if "\n" not in text[start:end]:
        span = heading_span(mark_at, text, start)
        return span if span is not None and end <= span[1] else None
    mark = mark_at(start, end)
    if mark.first() != "column" or len(_columns(mark)) != 1:
        return None
    read = _columns(mark)[0]
    return heading_of_column(mark_at, text, read) or (read.spans[0][0], read.spans[-1][1])


def column_before(mark_at: MarkAt, text: str, mark: Span, scope: str | None, proposals: Sequence[Proposal]) -> Span | None:
    """What stands for the one column that ``mark`` proposed as ``scope`` before a further one is picked; None: something else
    was. A click on a heading may have proposed the whole table."""
    if scope == "column" and len(proposals) == 1 and len(proposals[0].spans) > 1:
        spans = proposals[0].spans
        whole = spans[0][0], spans[-1][1]
        return heading_of_column(mark_at, text, proposals[0]) or picked_column(mark_at, text, *whole)
    return picked_column(mark_at, text, *mark) if mark[0] == mark[1] or scope == "column" else None


def labels_under(mark_at: MarkAt, mark: Span) -> str:
    """The heading of the column of texts that ``mark`` was clicked on, which is no one of several columns of numbers; '' where it
    was none."""
    clicked = mark_at(*mark)
    chosen = getattr(clicked, "selection", None)
    if mark[0] != mark[1] or chosen is None or chosen.kind != "heading" or "labels" not in clicked.scopes or _columns(clicked):
        return ""
    return next((name for offer in clicked.offers("labels") for name in offer.names if name), "")


def heading_of_column(mark_at: MarkAt, text: str, read: Proposal) -> Span | None:
    """The heading right above the column that ``read`` reads; None: none is there."""
    low = line_bounds(text, read.spans[0][0])[0]
    for _ in range(LINES_ABOVE):
        low, high = line_bounds(text, max(low - 1, 0))
        for word in _CELL.finditer(text, low, high):
            span = heading_span(mark_at, text, word.start())
            if span is not None and _columns(mark_at(*mark_of_pick(mark_at, text, span)))[0].extractor == read.extractor:
                return span
    return None


def picked_each(mark_at: MarkAt, text: str, source: str, picked: Sequence[Span], taken: Sequence[str]) -> Each:
    """What was picked, columns first, then numbers and lists."""
    columns: list[Found] = []
    rest: list[Span] = []
    for span in picked:
        below = "\n" in text[slice(*span)]  # all its numbers
        if not below and heading_span(mark_at, text, span[0]) != span:
            rest.append(span)
            continue
        mark = mark_at(*mark_of_pick(mark_at, text, span))
        offer = mark.offers("column")[0]
        if any(f.proposal.extractor == offer.proposals[0].extractor for f in columns):
            continue  # its name and its unit were picked
        told = (*offer.names, "")[0] or ("" if below else text[slice(*span)])
        read = offer.proposals[0]
        stem, unit = heading_name(told)[0], heading_unit(mark, told, read.extractor) or unit_above(mark, told, read.spans[0][0])
        name = fresh_name([*taken, *(f.name for f in columns)], stem or "output")
        columns.append(Found(source, name, unit, told or name, read, offer.words))
    if not rest:
        return Each(tuple(columns))
    others = these_numbers(mark_at(*rest[-1]), rest, [*taken, *(f.name for f in columns)])
    return Each((*columns, *others.found), left=others.left)
