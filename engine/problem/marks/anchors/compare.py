"""Two runs at different values beside each other: what changed, and whether an output is found in both at the same place."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

from ...definition import NumberList, Output, Region
from ...extract import ExtractionError, extract, read_output
from ...extract.reading import Line, Reading, lines_of
from ...extract.region import squeezed
from ...extract.row_cells import is_rule
from ...numbers.number_characters import shorten
from ...numbers.numbers_in_text import Number, line_bounds, numbers, overlaps
from ...propose import MAX_TEXT
from ...propose_tables import Proposal
from .lines_beside import beside_each_other

MOST_COMPARED = 1_000_000  # characters of a text
READABLE = 200_000  # characters: a longer text is not read by people
LEAST_MOVING = 0.2  # of a text's numbers change with the parameters where it holds results
LONGEST_LINE = 400  # characters of a line that people read
_CLOCK = re.compile(
    r"elapsed|wall|\bcpu\b|\bpid\b|\bdate\b|seconds?\b|\btook\b|(?:run|cpu|real|user|sys)[ _-]?time", re.IGNORECASE
)
_SEED = re.compile(  # of random numbers, not of plants: "seed yield 3.1" is a result
    r"\b(?:random|rng|prng|initial|starting)\b[\w -]{0,20}\bseeds?\b|\bseeds?\s*(?:[:=]|is\b|was\b|used\b)"
    r"|\bseed\s+[0-9]{4,}\s*$",
    re.IGNORECASE,
)
_DAY = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATE = (
    rf"(?:{_DAY})?(?:{_MONTH}\s+[0-9]{{1,2}}|[0-9]{{1,2}}[\s-]+{_MONTH}),?(?:[\s-]+[0-9]{{4}})?"
    r"|[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}"
)
_MINUTES = r"[0-9]{1,2}:[0-5][0-9]"
_TIME = re.compile(  # alone with its seconds only: 3:25 may be a place and a value
    rf"(?<![\w.:])(?:{_DATE})[\sT,]+(?:at\s+)?{_MINUTES}(?::[0-9.]+)?(?:\s+(?:[a-z]{{2,5}}\s+)?[0-9]{{4}}(?![\w.]))?"
    rf"|(?<![0-9.:]){_MINUTES}:[0-5][0-9](?:\.[0-9]+)?(?![\w:])",
    re.IGNORECASE,
)

_AMOUNT = re.compile(r"(?<!\w)[0-9]+\.[0-9]*[^\W\d_]+")  # 0.37s


@dataclass(frozen=True)
class Comparison:
    """What the other run says of a way to read, in a sentence."""

    level: Literal["ok", "info", "warning", "error"]
    words: str


# ------------------------------------------------------------------ one way to read, in both


def compared(proposals: Sequence[Proposal], here: str, there: str) -> Comparison:
    """Whether the same numbers are found in the text ``there`` of a run at other values, and at the same kind of place."""
    same, counts = True, []
    for proposal in proposals:
        try:
            reading = _read(proposal, there[:MAX_TEXT])
        except ExtractionError as error:
            return Comparison("error", f"In the run at other values it is not found: {error}")
        counts.append((len(proposal.values), len(reading.values)))
        moved = _moved(proposal, reading, here, there)
        if moved:
            return Comparison("warning", moved)
        same = same and reading.values == proposal.values
    here_count, there_count = next((pair for pair in counts if pair[0] != pair[1]), counts[0])
    if here_count != there_count:
        return Comparison(
            "info", f"Its length varies: {here_count} numbers here, {there_count} in the run at other values."
        )
    if same and all(p.texts for p in proposals):
        return Comparison("ok", "The same in the run at other values, as labels that pair rows must be.")
    if same:
        return Comparison(
            "info", "The run at other values gives exactly the same: it may not depend on the parameters."
        )
    return Comparison("ok", "Found in the run at other values too.")


def _read(proposal: Proposal, text: str) -> Reading:
    if proposal.texts:
        columns, comma = proposal.label_columns, proposal.decimal_comma
        output = Output(name="it", source="", extractor=proposal.extractor, decimal_comma=comma, text=True, label_columns=columns)
        return read_output(output, text)
    return extract(proposal.extractor, text, proposal.decimal_comma, scale_letters=proposal.scale_letters)


def _moved(proposal: Proposal, reading: Reading, here: str, there: str) -> str:
    """What stands beside or above the numbers, if that is another text in the other run."""
    if len(proposal.spans) != len(reading.spans) or not reading.spans or isinstance(proposal.extractor, NumberList):
        return ""  # a list is known by its name, and its lines are cut anywhere
    for mine, other in zip(
        proposal.spans[:1] + proposal.spans[-1:], reading.spans[:1] + reading.spans[-1:], strict=True
    ):
        a, b = _beside(here, mine[0]), _beside(there, other[0])
        if a != b:
            return (
                f"In the run at other values it reads behind {_named(b)}, here behind {_named(a)}: not the same place."
            )
    e = proposal.extractor
    if isinstance(e, Region) and ((e.on_line and e.occurrence == "all") or e.gaps == "text"):
        return ""  # known by the text on its line, wherever that stands; or any text may stand above its rows
    a, b = _above(here, proposal.spans[0][0]), _above(there, reading.spans[0][0])
    if a != b:
        return f"In the run at other values it stands below {_named(b)}, here below {_named(a)}."
    return ""


def _named(text: str) -> str:
    return f"“{shorten(text)}”" if text else "no text"


def _beside(text: str, position: int) -> str:
    """The words before ``position`` on its line, without numbers."""
    start, end = line_bounds(text, position)
    return _wordy(text[start:end], position - start)


def _above(text: str, position: int) -> str:
    """The nearest line of words above, without numbers."""
    end = line_bounds(text, position)[0]
    while end > 0:
        start, end = line_bounds(text, end - 1)[0], end - 1
        line = text[start:end]
        row = sum(1 for _ in numbers(line)) > 1
        words = "" if row or is_rule(line) else _wordy(line, len(line))
        if words:
            return words
        end = start
    return ""


def _wordy(line: str, before: int) -> str:
    pieces, at = [], 0
    for number in numbers(line):
        if number.start >= before:
            break
        pieces.append(line[at : number.start])
        at = number.end
    pieces.append(line[at:before])
    words = squeezed(_AMOUNT.sub("", " ".join(pieces)))
    return words if any(c.isalpha() for c in words) else ""


# ------------------------------------------------------------------ what changed


_WORD = re.compile(r"[^\W\d_]{2,}")
_GROUPED = re.compile(r"(?<![\w.,])[-+]?[0-9]{1,3}(?:,[0-9]{3})+(?![\w,])")


def changed_numbers(here: str, there: str) -> list[tuple[int, int]]:
    """The numbers of ``here`` that are others in ``there``; times, dates and random seeds, and lines that tell of them, aside."""
    mine, theirs = lines_of(here[:MOST_COMPARED]), lines_of(there[:MOST_COMPARED])
    found = []
    for a, b in beside_each_other(mine, theirs):
        if a.text != b.text and not _CLOCK.search(a.text) and not _SEED.search(a.text):
            times = [(a.start + m.start(), a.start + m.end()) for m in _TIME.finditer(a.text)]
            if _WORD.search(a.text):  # among words 2,684 may be one number: neither half of it is
                times += [(a.start + m.start(), a.start + m.end()) for m in _GROUPED.finditer(a.text)]
            found += [(s, e) for s, e in _changed_in(a, b) if not any(overlaps(s, e, *time) for time in times)]
    return found


def _changed_in(a: Line, b: Line) -> list[tuple[int, int]]:
    mine, theirs = _placed(a.text), _placed(b.text)
    if mine.cells != theirs.cells:
        return []
    both = ((number, theirs.numbers[place]) for place, number in mine.numbers.items() if place in theirs.numbers)
    return [(a.start + m.start, a.start + m.end) for m, t in both if not _same(m.value, t.value)]


def _same(a: float, b: float) -> bool:
    return a == b or (a != a and b != b)  # nan is written for a missing value


class _Placed(NamedTuple):
    """The numbers of a line by their place: which cell, and which number in it. ``cells``: how many there are."""

    cells: int
    numbers: dict[tuple[int, int], Number]


def _placed(line: str) -> _Placed:
    """By cells, not by order: where a missing value is a word in one run, the next number is none of its column."""
    delimiter = next((sign for sign in ";\t," if sign in line), None)
    ends = [i for i, c in enumerate(line) if c == delimiter] if delimiter else [m.end() for m in re.finditer(r"\S+", line)]
    found: dict[tuple[int, int], Number] = {}
    last = k = 0
    for number in numbers(line):
        cell = bisect_left(ends, number.end)
        k = k + 1 if cell == last else 0
        last = cell
        found[cell, k] = number
    return _Placed(len(ends), found)


def default_source(here: Mapping[str, str], there: Mapping[str, str]) -> str:
    """The text that is shown first: a small readable one whose numbers changed between two runs, else one full of numbers.

    Those of which next to nothing changed go behind the others, and one that another holds word for word behind that one.
    """
    names = [s for s in here if s != "stderr" and here[s].strip()]
    changed = {s: len(changed_numbers(here[s], there[s])) for s in names if s in there and _is_readable(here[s])}
    moving = [s for s in names if changed.get(s)]
    if moving:
        first = min(moving, key=lambda s: (not holds_results(here[s], changed[s]), len(here[s])))
        own = here[first].strip()
        more = [s for s in moving if "\n" in own and changed[s] > changed[first] and own in here[s]]
        return min(more, key=lambda s: len(here[s]), default=first)
    readable = [s for s in names if _is_readable(here[s])] or names
    return max(readable, key=lambda s: _how_many(here[s][:READABLE]), default="")


def holds_results(text: str, changed: int) -> bool:
    """Whether so many of its numbers changed at other values; else it repeats parameters among its words, or tells of the run."""
    return changed > 0 and changed >= LEAST_MOVING * _how_many(text)


def _how_many(text: str) -> int:
    return sum(1 for _ in numbers(text))


def _is_readable(text: str) -> bool:
    return len(text) <= READABLE and all(b - a <= LONGEST_LINE for a, b in pairwise(_line_starts(text[:READABLE])))


def _line_starts(text: str) -> list[int]:
    return [0, *(m.end() for m in re.finditer("\n", text)), len(text)]
