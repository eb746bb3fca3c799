"""Several numbers at once, each an output of its own: the labelled lines under a drag, or numbers picked one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..data.names.column_names import fresh
from ..numbers.numbers_in_text import Number, is_index, line_bounds, numbers, overlaps
from ..propose import labelled_ways
from ..propose_tables import Proposal
from ..run_times import says_run_time
from .found import Each, Found
from .labels.label_names import distinct_names
from .labels.named_numbers import named_numbers
from .labels.number_label import Label, label_of
from .lists.rows_of_list import rows_of_list
from .lists.several_lists import found_lists, lists_in_lists, lists_under
from .mark import MOST_OUTPUTS, Mark
from .marked import Repeat
from .selected import Selection
from .words import column_name, output_name

MOST_LOOKED_AT = 8_000_000  # characters in all: so long the window may wait for ways to read, a second or two
_WORDS = re.compile(r"[^\W_]{2,}")
_DIGITS = re.compile(r"\d+")


def each_number(mark: Mark, taken: Sequence[str] = ()) -> Each:
    """Each number under a drag, or each row of a list of several dimensions; ``taken``: names of other outputs. Fewer than two:
    it is no drag over several."""
    if (rows := rows_of_list(mark, taken)).found:
        return rows
    if mark.text[mark.start : mark.end].count("\n") == 0:
        return nested if (nested := lists_in_lists(mark, taken)).found else _along_a_line(mark, taken)
    if (lists := lists_under(mark, taken)).found or mark.text.lstrip()[:1] in ("{", "["):
        return lists if lists.found else lists_in_lists(mark, taken)
    if mark.listed is not None:
        return Each(())  # one list over several lines
    lines = list(_picked(mark))
    every = [(number, words, unit) for _, picks in lines for number, words, unit in picks if not says_run_time(words)]
    if not 2 <= len(every) <= MOST_OUTPUTS:
        return Each((), left=len(every))
    read = _read(mark, every, taken)
    labels = [label_of(mark.text, number.start, number.end) for number, _, _ in every]
    single = all(len(picks) == 1 for _, picks in lines)
    apart = _are_apart(mark, labels) if single else all(label is not None and label.signed for label in labels)
    return replace(read, apart=apart and len(read.found) > 1)


def _along_a_line(mark: Mark, taken: Sequence[str]) -> Each:
    """The numbers of one line that have names of their own there."""
    every = named_numbers(mark.text, mark.start, mark.end)
    if not 2 <= len(every) <= MOST_OUTPUTS or mark.listed is not None:
        return Each(())
    read = _read(mark, [(one.number, one.words, one.unit) for one in every], taken)
    return replace(read, apart=len(read.found) == len(every))


def these_numbers(mark: Mark, spans: Sequence[tuple[int, int]], taken: Sequence[str] = (), repeat: Repeat = "") -> Each:
    """The numbers at ``spans`` of the text of ``mark``, in this order; ``repeat`` "all": each with those in its place in every
    table with the heading of its own, where there are several."""
    every = []
    lists = [listed for a, b in spans if (listed := mark.lists.at(a, b)) is not None and a < listed.body.lead.at]
    if lists:
        apart = found_lists(mark, lists, taken)
        rest = [span for span in spans if not any(f.start <= span[0] < f.body.lead.at for f in lists)]
        numbered = these_numbers(mark, rest, [*taken, *(f.name for f in apart)])
        return Each((*apart, *numbered.found), left=numbered.left)
    for start, end in spans:
        there = numbers(mark.text, *line_bounds(mark.text, start))
        number = next((n for n in there if overlaps(n.start, n.end, start, end)), None)
        if number is not None:
            label = label_of(mark.text, number.start, number.end)
            words = _table_words(mark.at(number.start, number.end), number) if label is None else (label.words, label.unit)
            every.append((number, *words))
    return _read(mark, every, taken, repeat)


def _picked(mark: Mark) -> Iterator[tuple[Label | None, list[tuple[Number, str, str]]]]:
    """For each marked line with numbers: the label of the line, and those that are meant, each with words and unit."""
    text = mark.text
    top, bottom = line_bounds(text, mark.start), line_bounds(text, max(mark.start, mark.end - 1))
    left, right = sorted((mark.start - top[0], mark.end - bottom[0]))
    if not text[top[0] : mark.start].strip() and mark.end >= top[0] + len(text[top[0] : bottom[1]].rstrip()):
        left, right = 0, bottom[1] - top[0]  # whole lines
    start = top[0]
    while start <= bottom[0]:
        end = line_bounds(text, start)[1]
        there = [n for n in numbers(text, start, end) if not is_index(text, n)]
        hits = [n for n in there if overlaps(n.start - start, n.end - start, left, right)]
        labels = {n: label_of(text, n.start, n.end) for n in there}
        own = [n for n in hits if labels[n] is not None] or ([n for n in there if labels[n] is not None][:1] if not hits else [])
        table = [(n, *_table_words(mark, n)) for n in hits] if len(own) < len(hits) else []
        if len(hits) > 1 and len(own) < 2 and all(words for _, words, _ in table):
            row = labels[own[0]] if own else None
            yield row, [(n, f"{row.words} {words}" if row else words, unit) for n, words, unit in table]
        elif own:
            picks = [(n, label.words, label.unit) for n in own if (label := labels[n]) is not None]
            yield labels[own[0]], picks
        elif table and all(words for _, words, _ in table):
            yield None, table
        start = end + 1 + text.startswith("\r\n", end)


def _table_words(mark: Mark, number: Number) -> tuple[str, str]:
    """Of a number without a label of its own: the heading of its column, and the whole number or the word its row begins with."""
    selection: Selection | None = getattr(mark, "selection", None)
    low, high = line_bounds(mark.text, number.start)
    if selection is None or not (lines := getattr(mark, "lines", ())):
        return "", ""
    place = number.start - low, number.end - low
    column = next((c for c in selection.block.columns if c.left < place[1] and place[0] < c.right), None)
    heading = output_name(selection.block, column, lines) if column is not None else ""
    key = mark.text[low:high].split()
    first = next(iter(key), "") if heading and low + mark.text[low:high].find(key[0]) != number.start else ""
    return (f"{heading} {first}" if first.isalnum() else heading), ""


def _are_apart(mark: Mark, labels: Sequence[Label | None]) -> bool:
    """Whether labels of lines name quantities, not the items of one list such as nodes: signs lead on from them, or units differ,
    or no heading stands above and they are more than a name with a number."""
    own = [label for label in labels if label is not None]
    if len(own) < len(labels):
        return False
    patterns = {_DIGITS.sub("#", label.words) for label in own}
    if len(patterns) == 1:
        return False
    signed = 2 * sum(label.signed for label in own) > len(own)
    units = {label.unit for label in own if label.unit}
    worded = 2 * sum(len(_WORDS.findall(label.words)) > 1 for label in own) > len(own)
    return signed or len(units) > 1 or (worded and not _headed(mark))


def _headed(mark: Mark) -> bool:
    selection: Selection | None = getattr(mark, "selection", None)
    return selection is not None and any(column_name(selection.block, c, mark.lines) for c in selection.block.columns)


def _read(mark: Mark, every: Sequence[tuple[Number, str, str]], taken: Sequence[str], repeat: Repeat = "") -> Each:
    found: list[Found] = []
    looked_at = 0
    names = distinct_names([words for _, words, _ in every])
    for (number, words, unit), name in zip(every, names, strict=True):
        ways = _plain_ways(mark, number) if repeat != "all" else []
        if not ways and looked_at + len(mark.text) <= MOST_LOOKED_AT:
            looked_at += len(mark.text)
            ways = _careful_ways(mark, number, repeat)
        if ways:
            proposal, how = ways[0]
            free = fresh(name, [*taken, *(f.name for f in found)])
            found.append(Found(mark.source, free, unit, words, proposal, how))
    return Each(tuple(found), left=len(every) - len(found))


def _plain_ways(mark: Mark, number: Number) -> list[tuple[Proposal, str]]:
    """By a label that the text has once, of a long text only: the ways of a click take longer there."""
    if len(mark.text) * 2 < MOST_LOOKED_AT // MOST_OUTPUTS:
        return []
    ways = [p for p in labelled_ways(mark.text, number) if getattr(p.extractor, "occurrence", 0) == 1]
    return [(p, p.words) for p in ways if mark.text.count(p.extractor.label) == 1]  # type: ignore[union-attr]


def _careful_ways(mark: Mark, number: Number, repeat: Repeat) -> list[tuple[Proposal, str]]:
    """As a click on it proposes."""
    one = mark.at(number.start, number.end)
    offers = one.offers("number") if "number" in one.scopes else []
    if repeat == "all":
        whole = [o for o in offers if o.repeat == "all" and len(o.proposals) == 1 and len(o.spans) > 1]
        return [(o.proposals[0], o.words) for o in whole if any(overlaps(*s, number.start, number.end) for s in o.spans)]
    here = [o for o in offers if len(o.proposals) == 1 and [overlaps(*s, number.start, number.end) for s in o.spans] == [True]]
    return [(o.proposals[0], o.words) for o in here]
