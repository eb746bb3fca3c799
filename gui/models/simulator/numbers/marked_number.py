"""The numbers under a mark in an input file that may be unknown, and a first name of each. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

from bayescope.engine.problem import placeholders
from bayescope.engine.problem.marks.labels.label_names import short_name
from bayescope.engine.problem.marks.labels.number_label import LOOSE_ENDS
from bayescope.engine.problem.numbers.number_surroundings import problem_around
from bayescope.engine.problem.numbers.number_text import NUMBER, value_of
from bayescope.engine.problem.numbers.numbers_in_text import Number, line_bounds, number_at, numbers, overlaps
from bayescope.gui.models.simulator.numbers.assigned import assigned_at, typed_name
from bayescope.gui.models.simulator.numbers.first_words import key_before
from bayescope.gui.models.simulator.numbers.headed_columns import first_of_row, headed
from bayescope.gui.models.simulator.numbers.marked_column import column_under, row_names
from bayescope.gui.models.simulator.numbers.named_numbers import holder_name, named_behind, spoken_name, tagged_name
from bayescope.gui.models.simulator.numbers.own_words import own_worded
from bayescope.gui.models.simulator.numbers.remarks import said_value
from bayescope.gui.models.simulator.numbers.sectioned import sectioned_name

_WITH_SUFFIX = re.compile(r"(?<![\w.@])(?<![0-9],)(" + NUMBER + r")([A-Za-zµΩ%°]{1,5})(?![\w@])")
_PART = re.compile(r"[A-Za-z]{1,4}\d+(?=\s)")
_KEY_WORDS = re.compile(r"[ \t]*((?:[^\W\d]\w*[ \t]+){1,2}[^\W\d]\w*)[ \t]*[=:][ \t]*")
_KEYS = re.compile(r"^[ \t]*((?:[^\W\d]\w*[ \t]+){0,3}[^\W\d]\w*)[ \t]*[=:]", re.MULTILINE)
_REMARK = re.compile(r"(?:^|(?<=[\s;,)]))(?:%|\#(?!define\b)|!|//|;(?!\s*\w+\s*=\s*[-+.0-9])|--(?![0-9.])|/\*|<!--)")


class Marked(NamedTuple):
    """``suffix``: letters right behind the number (22m); ``end``: of what gives it to a name, a remark follows; ``name``: a first
    one, '' for none."""

    number: Number
    suffix: str
    end: int
    name: str


def marked_at(text: str, start: int, end: int) -> Marked | None:
    """The number at the mark [start, end), the first one if several were marked; None: there is none."""
    given = assigned_at(text, start, end)
    if given is not None:
        return Marked(given.number, given.suffix, given.end, given.name)
    number, suffix = number_at(text, start, end), ""
    if number is None:
        number, suffix = number_with_suffix(text, start, end)
    if number is None:
        return None
    return Marked(number, suffix, number.end, name_for(text, number.start, number.end))


def marked_under(text: str, start: int, end: int) -> list[Marked]:
    """All numbers that a drag [start, end) touches but those in remarks and placeholders, or those below each other where it ends
    below the one in which it began; the first one in any case."""
    start, end = max(0, min(start, end)), min(len(text), max(start, end))
    if column := column_under(text, start, end):
        given = [marked_at(text, n.start, n.end) for n in column]
        marks = [one for one, n in zip(given, column, strict=True) if one is not None and one.number.start == n.start]
        if len(marks) == len(column):
            rows = row_names(text, column)
            return [mark._replace(name=mark.name or row) for mark, row in zip(marks, rows, strict=True)]
    taken = placeholders.find(text)
    found: list[Marked] = []
    low = line_bounds(text, start)[0]
    while low < max(end, start + 1):
        high = line_bounds(text, low)[1]
        remark = _REMARK.search(text[low:high])
        last = high if remark is None else low + remark.start()
        for number in numbers(text, low, last):
            touched = overlaps(number.start, number.end, start, end)
            if touched and not any(a < number.end and number.start < b for _, a, b in taken):
                one = marked_at(text, number.start, number.end)
                found += [one] if one is not None and one.number.start not in {f.number.start for f in found} else []
        low = high + 1 + text.startswith("\r\n", high)
    if not found and (first := marked_at(text, start, end)) is not None:
        return [first]
    return found


def number_with_suffix(text: str, start: int, end: int) -> tuple[Number | None, str]:
    """The number at the mark with letters right behind it (22m, 4.7uF), and those letters; (None, "") if there is none."""
    low, high = line_bounds(text, start)
    for match in _WITH_SUFFIX.finditer(text, low, max(high, end)):
        value = value_of(match.group(1))
        if value is not None and overlaps(match.start(), match.end(), start, end):
            whole = not problem_around(text, match.start(1), match.end(1))
            return (Number(match.start(1), match.end(1), value), match.group(2)) if whole else (None, "")
    return None, ""


def _whole_key(text: str, before: str) -> str:
    """The words that a number is given to by = or :, where the last one alone ends another key of the file too: latent_period
    beside an infectious period, or where a preposition joins them: infected_at_start; '' else."""
    words = _KEY_WORDS.fullmatch(before)
    if words is None:
        return ""
    own = re.split(r"[ \t]+", words[1].strip())
    if any(word.casefold() in LOOSE_ENDS for word in own[1:-1]):
        return short_name(words[1])
    others = {tuple(m[1].split()) for m in _KEYS.finditer(text)} - {tuple(own)}
    return "_".join(own) if any(other[-1] == own[-1] for other in others if other) else ""


def _without_placeholders(text: str) -> str:
    """Blanks in their place: they name other numbers."""
    for _, start, end in placeholders.find(text):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def name_for(text: str, position: int, end: int = 0) -> str:
    """A first name for the number at ``position``: what a remark calls its value (r0 = 2.866), unless it is given to a name; the
    part a netlist's line is about (R1 in a 220), else the word before it, else what stands behind its ``end``."""
    start, _ = line_bounds(text, position)
    if end and not text[start:position].rstrip().endswith(("=", ":")) and (said := said_value(text, position, end)[0]):
        return said
    part = _PART.match(text, start, position)
    before = text[start:position]
    if part is not None and not any(c in before for c in "=:,;\"'"):
        return part.group()
    if name := typed_name(before) or tagged_name(text, position) or spoken_name(before):
        return name
    if (column := headed(text, position)) is not None or (row := first_of_row(text, position)):
        return column.name if column is not None else row
    if whole := _whole_key(text, before):
        return whole
    word = key_before(_without_placeholders(text), position)
    named = holder_name(text, position, word) or sectioned_name(text, position, word) or own_worded(text, position, word)
    named = named or word
    return named or (named_behind(text, position, end)[0] if end else "")
