"""The number after or before a place in a text of any length: only what is near is looked at; numbers picked one by one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bayescope.engine.problem.definition import JsonPath, NumberList, Region
from bayescope.engine.problem.marks import Mark
from bayescope.engine.problem.marks.lists.list_around import Lists
from bayescope.engine.problem.numbers.numbers_in_text import Number, line_bounds, numbers, overlaps
from bayescope.engine.problem.propose_tables import Proposal

PART = 50_000  # characters looked through in one go
LONGEST_WORD = 200_000  # characters without white space; a longer word is cut at a comma, or anywhere
_SPACE = re.compile(r"\s")  # what stands on either side of it is read alone


def next_number(text: str, position: int) -> Number | None:
    """The first number that begins at ``position`` or later; None: there is none."""
    start = _cut_before(text, position)
    while start < len(text):
        stop = _cut_after(text, start + PART)
        for number in numbers(text[start:stop]):
            if number.start + start >= position:
                return _moved(number, start)
        start = stop
    return None


def previous_number(text: str, position: int) -> Number | None:
    """The last number that begins before ``position``; None: there is none."""
    stop = _cut_after(text, position)
    while stop > 0:
        start = _cut_before(text, stop - PART)
        found = [n for n in numbers(text[start:stop]) if n.start + start < position]
        if found:
            return _moved(found[-1], start)
        stop = start
    return None


def with_or_without(picked: Sequence[tuple[int, int]], text: str, start: int, end: int) -> list[tuple[int, int]]:
    """``picked`` with the number at [start, end) of ``text``, or the list whose name is there, or without it if it is among them;
    the same where there is none. A list is told by the characters of its name."""
    there = numbers(text, *line_bounds(text, start))
    number = next(((n.start, n.end) for n in there if overlaps(n.start, n.end, start, end)), None)
    place = number or name_of_list(text, start, end)
    if place is None:
        return list(picked)
    kept = [old for old in picked if not overlaps(*old, *place)]
    return kept if len(kept) < len(picked) else [*picked, place]


def in_every_table(mark: Mark, picked: Sequence[tuple[int, int]]) -> bool:
    """Whether one list of a number from every table with the marked one's heading has all that were picked."""
    offers = mark.offers("number") if "number" in mark.scopes else []
    every = [o.spans for o in offers if isinstance(o.first, Region) and o.first.occurrence == "all"]
    return any(all(any(overlaps(*span, *pick) for span in spans) for pick in picked) for spans in every)


def name_of_list(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The characters of the name of the list that a mark is in, or on whose name it is; None: it is in none."""
    found = Lists(text).at(start, end)
    return (found.start, found.end) if found is not None else None


def first_pick(proposals: Sequence[Proposal], text: str, several: bool) -> list[tuple[int, int]]:
    """What was marked before a further number or list is picked: a number, the name of a list, or ``several`` numbers."""
    found: list[tuple[int, int]] = []
    for proposal in proposals:
        lists = isinstance(proposal.extractor, NumberList | JsonPath) and proposal.is_vector
        name = name_of_list(text, *proposal.spans[0]) if lists else None
        found += [name] if name is not None else proposal.spans
    return found if len(found) == 1 or several else []


def _cut_before(text: str, position: int) -> int:
    """A place at or before ``position`` where a word begins."""
    position = max(0, min(position, len(text)))
    low = max(0, position - LONGEST_WORD)
    at = max(text.rfind(c, low, position) for c in "\n\t ")
    if at < 0 and low > 0:
        at = text.rfind(",", low, position)
    return low if at < 0 else at + 1


def _cut_after(text: str, position: int) -> int:
    """A place at or after ``position`` where a word ends."""
    position, far = max(0, position), position + LONGEST_WORD
    found = _SPACE.search(text, position, far)
    if found is not None:
        return found.end()
    comma = text.find(",", position, far)
    return comma + 1 if comma >= 0 and far < len(text) else min(far, len(text))


def _moved(number: Number, by: int) -> Number:
    return number._replace(start=number.start + by, end=number.end + by)
