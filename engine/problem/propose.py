"""From a number marked with the mouse in a real output to the extractors that would read it, each in words.

Pure functions of text and character positions. Proposals are ranked: what keeps working when the output shifts
(keys, column names, labels) comes before what counts lines. Nothing here runs or reads a file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .definition import Extractor, JsonPath, LabelledNumber, LastNumber, MarkerOffset, RegexGroup
from .extract import ExtractionError, extract
from .json_spans import number_paths
from .numbers.dates_in_text import behind_dates, dates_in
from .numbers.number_characters import word_pattern
from .numbers.number_text import NUMBER
from .numbers.numbers_in_text import Number, is_index, line_bounds, lines_of, number_at, numbers, overlaps
from .propose_tables import Proposal, csv_columns, delimiter_of, marker_of, rows_after, table_columns

MAX_LABEL = 60
MAX_TEXT = 2_000_000
MARKED_LINES_TRIED = 20


def propose(text: str, start: int, end: int, source: str = "stdout", *, single: bool = False) -> list[Proposal]:
    """Ways to read what is marked, best first; empty if there is no number there. ``single``: only ways to read one number.

    A mark over several rows proposes columns of a table; a mark on one number proposes that number and, where it
    stands in a table or list, the whole column.
    """
    text = text[:MAX_TEXT]
    start, end = max(0, min(start, end)), min(len(text), max(start, end))
    marked = list(numbers(text, start, end))
    number = number_at(text, start, end, decimal_commas=delimiter_of(text, source) != ",")
    if number is None:
        below = line_bounds(text, start)[1]
        number = next((n for n in marked if n.start > below and number_at(text, n.start, n.end, False) is not None), None)
    elif number.start < start < number.end:
        marked.insert(0, number)  # the mark begins inside it
    several_rows = len(marked) > 1 and "\n" in text[marked[0].start : marked[-1].start]
    if number is None:
        return []
    found: list[Proposal] = []
    found += _json(text, number, several_rows or len(marked) > 1)
    if several_rows:
        columns = _csv_columns(text, marked, source) + table_columns(text, marked)
        found += [p for p in columns if p.is_vector]
    else:
        found += csv_columns(text, number, source)
        if found and not single and not any(p.is_vector for p in found):
            found += table_columns(text, [number])
        if not found:
            found += labelled_ways(text, number)
            found += _marker(text, number)
            found += [] if single else table_columns(text, [number]) + rows_after(text, number)
            found += _last(text, number)
            found += _regex(text, number)
    return [p for p in _distinct(found) if not (single and p.is_vector) and _reads(p, text)]


# ------------------------------------------------------------------ one kind of extractor each


def _csv_columns(text: str, marked: Sequence[Number], source: str) -> list[Proposal]:
    """Whole columns of a delimited table; a mark may begin in a comment or in a heading with numbers in it."""
    lines: dict[int, Number] = {}
    for number in marked:
        lines.setdefault(line_bounds(text, number.start)[0], number)
        if len(lines) > MARKED_LINES_TRIED:
            break
    for number in list(lines.values())[:MARKED_LINES_TRIED]:
        found = [p for p in csv_columns(text, number, source) if p.is_vector]
        if found:
            return found
    return []


def _json(text: str, number: Number, prefer_list: bool) -> list[Proposal]:
    paths = number_paths(text)
    hit = next((p for p in paths if overlaps(p.start, p.end, number.start, number.end)), None)
    if hit is None or any("." in key for key in hit.keys):
        return []
    whole = ".".join(hit.keys)
    one = Proposal(
        JsonPath(path=whole), f"the number at “{whole}” of the JSON text", (hit.value,), ((hit.start, hit.end),)
    )
    if not hit.keys or not hit.in_list:
        return [one]
    parent = hit.keys[:-1]
    items = [p for p in paths if p.keys[:-1] == parent and p.in_list]
    where = ".".join(parent)
    place = f" at “{where}” of the JSON text" if where else ""
    every = Proposal(
        JsonPath(path=where),
        f"the whole list{place} ({len(items)} numbers)",
        tuple(p.value for p in items),
        tuple((p.start, p.end) for p in items),
    )
    return [every, one] if prefer_list else [one, every]


def labelled_ways(text: str, number: Number) -> list[Proposal]:
    """The number by the words before it on its line; none if there are none."""
    label = _label_before(text, number)
    if not label:
        return []
    places = [m.start() for m in re.finditer(re.escape(label), text)]
    mine = [i for i, place in enumerate(places) if place + len(label) <= number.start]
    if not mine:
        return []
    k = mine[-1]
    between = next(numbers(text, places[k] + len(label), number.start), None)
    if between is not None:
        return []

    def proposal(occurrence: int, words: str) -> Proposal:
        return Proposal(
            LabelledNumber(label=label, occurrence=occurrence),
            words,
            (number.value,),
            ((number.start, number.end),),
            number.decimal_comma,
        )

    if len(places) == 1:
        return [proposal(1, f"the number after “{label}”")]
    by_count = proposal(k + 1, f"the number after “{label}”, the {_ordinal(k + 1)} time it appears")
    if k == len(places) - 1:
        return [proposal(-1, f"the number after “{label}”, the last time it appears"), by_count]
    return [by_count]


def _marker(text: str, number: Number) -> list[Proposal]:
    line_start, line_end = line_bounds(text, number.start)
    line = text[line_start:line_end]
    words = [(m.start(), m.end()) for m in word_pattern(line).finditer(line)]
    mine = (number.start - line_start, number.end - line_start)
    column = next((i + 1 for i, word in enumerate(words) if word == mine), None)
    if column is None:
        return []
    start, lines = line_start, 0
    while lines <= 50:
        content = text[start : line_bounds(text, start)[1]].strip()
        marker = marker_of(content, whole=lines > 0)
        if marker:
            return [_marker_proposal(text, number, marker, start, lines, column)]
        if start == 0:
            break
        start, lines = line_bounds(text, start - 1)[0], lines + 1
    return []


def _marker_proposal(text: str, number: Number, marker: str, marker_line: int, lines: int, column: int) -> Proposal:
    occurrence = sum(1 for a, b in lines_of(text[: line_bounds(text, marker_line)[1]]) if marker in text[a:b])
    below = "on the line" if lines == 0 else ("one line below" if lines == 1 else f"{lines} lines below")
    which = f", the {_ordinal(occurrence)} time it appears" if occurrence > 1 else ""
    return Proposal(
        MarkerOffset(marker=marker, lines=lines, column=column, occurrence=occurrence),
        f"word {column}, {below} {'with ' if lines == 0 else ''}“{marker}”{which}",
        (number.value,),
        ((number.start, number.end),),
        number.decimal_comma,
    )


def _last(text: str, number: Number) -> list[Proposal]:
    if next(numbers(text, number.end), None) is not None:
        return []
    span = (number.start, number.end)
    return [Proposal(LastNumber(), "the last number of the text", (number.value,), (span,), number.decimal_comma)]


def _regex(text: str, number: Number) -> list[Proposal]:
    line_start, _ = line_bounds(text, number.start)
    before = text[line_start : number.start]
    if len(before) > 200 or not before.strip():
        return []
    parts, position = [], 0
    for start, end, pattern in _changing(before):
        parts += [_loose(before[position:start]), pattern]
        position = end
    value = r"[-+]?[0-9]+,[0-9]+(?:[eE][-+]?[0-9]+)?" if number.decimal_comma else NUMBER
    pattern = r"(?m)^" + "".join(parts) + _loose(before[position:]) + f"({value})"
    hits = [m.start(1) for m in re.finditer(pattern, text)]
    if number.start not in hits:
        return []
    occurrence = hits.index(number.start) + 1
    return [
        Proposal(
            RegexGroup(pattern=pattern, group=1, occurrence=occurrence),
            f"a search pattern (regular expression) for this line, match {occurrence} of {len(hits)}",
            (number.value,),
            ((number.start, number.end),),
            number.decimal_comma,
        )
    ]


# ------------------------------------------------------------------ small helpers


def _ordinal(k: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(k, f"{k}th")


def _label_before(text: str, number: Number) -> str:
    """The words between the previous number of the line (or its start) and the number, without = and :."""
    line_start, _ = line_bounds(text, number.start)
    earlier = [n for n in numbers(text, line_start, number.start) if n.end <= number.start and not is_index(text, n)]
    start = earlier[-1].end if earlier else line_start
    raw = text[line_start + behind_dates(text[line_start : number.start], start - line_start) : number.start]
    label = raw.strip().rstrip("=:≈~").strip()[-MAX_LABEL:]
    return label if any(c.isalpha() for c in label) else ""


def _changing(before: str) -> list[tuple[int, int, str]]:
    """The dates and numbers of what stands before a number, [start, end), and what finds others in their place."""
    dates = dates_in(before)
    others = (n for n in numbers(before) if not any(a <= n.start < b for a, b in dates))
    return sorted([*((a, b, r"\S.*?") for a, b in dates), *((n.start, n.end, NUMBER) for n in others)])


def _loose(literal: str) -> str:
    return (
        r"\s+".join(re.escape(part) for part in re.split(r"\s+", literal)).replace(r"\s+\s+", r"\s+") if literal else ""
    )


def _reads(proposal: Proposal, text: str) -> bool:
    """Whether the extractor itself finds what was marked, and where."""
    try:
        reading = extract(proposal.extractor, text, proposal.decimal_comma)
    except ExtractionError:
        return False
    if len(reading.values) != len(proposal.values):
        return False
    same = all(a == b or (a != a and b != b) for a, b in zip(reading.values, proposal.values, strict=True))
    return same and all(overlaps(*a, *b) for a, b in zip(reading.spans, proposal.spans, strict=True))


def _distinct(found: Sequence[Proposal]) -> list[Proposal]:
    seen: list[Extractor] = []
    kept = []
    for proposal in found:
        if proposal.extractor not in seen:
            seen.append(proposal.extractor)
            kept.append(proposal)
    return kept
