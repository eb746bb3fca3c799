"""Extractors of numbers in running text: the last number, after a label, by a search pattern, near a marker."""

from __future__ import annotations

import functools
import math
import re
import unicodedata
from collections.abc import Sequence

import regex

from ..definition import LabelledNumber, LastNumber, MarkerOffset, RegexGroup, RowsAfter
from ..numbers.number_characters import DASHES, HYPHENS, MINUS_SIGNS, without_colours
from ..numbers.number_surroundings import may_mislead, problem_around
from ..numbers.number_text import looks_like_number
from .numbers import ExtractionError, Token, parse_word, scan, settled
from .reading import NO_VALUE, Line, Reading, lines_of, look_around, number_of, pick_occurrence, quoted, times, words_of
from .region import REACH, appearances, whole_words

REGEX_SECONDS = 2.0  # a pattern can need longer than the age of the universe
_STARS_AS_NUMBER = re.compile(r"(?:[=:]\s*|[0-9]\s+)$")
_ONLY_A_DASH = re.compile(rf"[ \t]*[-{MINUS_SIGNS}{HYPHENS}{DASHES}][ \t]+")
_NO_VALUE = re.compile(
    r"[\s=:]*(NA|N/A|n/a|None|null|NULL|nil|undefined|missing|Indeterminate)(?![\w/])"
    rf"|[ \t]*[=:][ \t]*([-?{DASHES}]{{1,3}})[ \t\r]*$",
    re.MULTILINE,
)
_UNREAD = re.compile(r"[ \t]*[=:]+\s*([-+]?[0-9][^\s,;()]*)")  # a date, 5-7, 1_5
_GOES_ON = re.compile(r"[0-9_]|\.[0-9]|[eEdDqQ][-+]?[0-9]")
_SEEN_AROUND_GROUP = 200  # characters on either side of what a search pattern found


def last_number(extractor: LastNumber, text: str, decimal_comma: bool) -> Reading:
    """The last number of the text; a row of stars as decoration is skipped, one in a number's place is an error."""
    found: Token | None = None
    for token in scan(text, decimal_comma):
        if not token.problem or text[token.start] not in "*+-" or _is_overflow(text, token):
            found = token
    if found is None:
        raise ExtractionError("there is no number in it.")
    return _reading(text, found)


def _reading(text: str, token: Token) -> Reading:
    token = settled(text, token)
    if token.problem:
        raise ExtractionError(token.problem)
    return Reading((token.value,), ((token.start, token.end),))


def _is_overflow(text: str, token: Token) -> bool:
    if "*" not in text[token.start : token.end]:
        return True
    line_start = text.rfind("\n", 0, token.start) + 1
    return bool(_STARS_AS_NUMBER.search(text[max(line_start, token.start - 80) : token.start]))


def labelled(extractor: LabelledNumber, text: str, decimal_comma: bool) -> Reading:
    """The first number after the label, on its line or, if nothing else follows there, on the next that is not empty."""
    if not extractor.label.strip():
        raise ExtractionError("the label is empty.")
    below = f" below {quoted(extractor.below)}" if extractor.below is not None else ""
    found = pick_occurrence(_label_places(extractor, text), extractor.occurrence, f"the label {quoted(extractor.label)}{below}")
    place = Line(text.count("\n", 0, found.start()) + 1, found.end(), "")
    line_end = _end_of_line(text, place.start)
    rest = text[place.start : line_end]
    if not any(c.isalnum() or c in "*\u221e" for c in rest):
        following = re.compile(r"\s*\S").match(text, line_end)
        if following:
            line_end = _end_of_line(text, following.end())
    # cut out, because a number may touch its label ("x5") and scan wants to see a word begin
    behind = text[place.start : line_end]
    token = next(scan(behind, decimal_comma, units=True), None)
    said = _stands_instead(behind, token)
    if said:
        raise ExtractionError(f"{said} stands where the number after the label {quoted(extractor.label)} should be.")
    if token is None:
        raise ExtractionError(
            f"no number follows the label {quoted(extractor.label)} in line {place.number}, only {quoted(rest)}."
            if rest.strip()
            else f"no number follows the label {quoted(extractor.label)} in line {place.number}: the line ends there."
        )
    if _ONLY_A_DASH.fullmatch(text, place.start, place.start + token.start):
        raise ExtractionError(
            f"only a dash stands between the label {quoted(extractor.label)} and the number in line {place.number}; "
            "it may be a minus sign. If it is none, let the label end with it."
        )
    return _reading(text, token._replace(start=place.start + token.start, end=place.start + token.end))


def _label_places(extractor: LabelledNumber, text: str) -> list[re.Match[str]]:
    """Where the label stands. Raises ExtractionError if its heading does not stand in the text exactly once."""
    if extractor.below is None:
        return list(re.finditer(re.escape(extractor.label), text))
    if not extractor.below.strip():
        raise ExtractionError("the text above the label is empty.")
    lines = lines_of(text)
    found = list(appearances(extractor.below, lines))
    if not found:
        raise ExtractionError(f"the heading {quoted(extractor.below)} does not occur.")
    if len(found) > 1:
        raise ExtractionError(f"the heading {quoted(extractor.below)} stands in the text {times(len(found))}, not once.")
    line, end = found[0]
    last = lines[min(line + REACH, len(lines) - 1)]
    return list(whole_words(extractor.label).finditer(text, lines[line].start + end, last.start + len(last.text)))


def _stands_instead(behind: str, token: Token | None) -> str:
    """What stands in the place of the number behind a label, so that ``token`` is another one; empty: nothing does."""
    no_value, unread = _NO_VALUE.match(behind), _UNREAD.match(behind)
    if no_value is not None:
        return quoted(no_value[1] or no_value[2])
    if unread is not None and (token is None or token.start >= unread.end()):
        return quoted(unread[1])
    return ""


def _end_of_line(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


@functools.lru_cache(maxsize=64)
def _compiled(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern)


def search_all(pattern: str, text: str) -> list[regex.Match[str]]:
    """Every match of a user's pattern. Raises ExtractionError if it is wrong or takes too long."""
    try:
        return list(_compiled(pattern).finditer(text, timeout=REGEX_SECONDS, concurrent=True))
    except TimeoutError:
        raise ExtractionError(
            f"the search pattern {quoted(pattern)} took longer than {REGEX_SECONDS:g} s. "
            "Patterns such as (a+)+ can take for ever; write a simpler one."
        ) from None
    except (regex.error, OverflowError, RecursionError, MemoryError, ValueError) as error:
        raise ExtractionError(f"the search pattern {quoted(pattern)} is not valid: {error}.") from None


def regex_group(extractor: RegexGroup, text: str, decimal_comma: bool) -> Reading:
    """The chosen group of the chosen match."""
    matches = search_all(extractor.pattern, text)
    what = f"text that fits the search pattern {quoted(extractor.pattern)}"
    match = pick_occurrence(matches, extractor.occurrence, what)
    if not 0 <= extractor.group <= len(match.groups()):
        raise ExtractionError(
            f"the search pattern {quoted(extractor.pattern)} has {len(match.groups())} groups, "
            f"but group {extractor.group} is asked for. Put round brackets around the number."
        )
    word = match.group(extractor.group)
    if word is None:
        raise ExtractionError(f"group {extractor.group} of {quoted(extractor.pattern)} took no part in the match.")
    start, line = match.start(extractor.group), text.count("\n", 0, match.start()) + 1
    value, span = number_of(word, start, line, decimal_comma)
    problem = _cut_out(text, match, extractor, decimal_comma)
    if problem:
        raise ExtractionError(f"in line {line} {problem}")
    return Reading((value,), (span,))


def _cut_out(text: str, match: regex.Match[str], extractor: RegexGroup, decimal_comma: bool) -> str:
    """Why the group is only a part of the number that stands there, or less than it; empty if the pattern asks for just that."""
    pattern = extractor.pattern
    start, end = match.span(extractor.group)
    word = match.group(extractor.group)
    start, end = start + len(word) - len(word.lstrip()), end - len(word) + len(word.rstrip())
    first = max(text.rfind("\n", 0, start) + 1, start - _SEEN_AROUND_GROUP)
    last = min(_end_of_line(text, end), end + _SEEN_AROUND_GROUP)
    if not without_colours(text[first:last])[start - first : end - first].strip():
        return f"the search pattern {quoted(pattern)} has found a part of a colour code."
    left, right = _sees_to_it(text[first:start], text[end:last], match, pattern, start, end)
    for token in scan(text[first:last], decimal_comma):
        a, b = first + token.start, first + token.end
        if (a < start < b and not left) or (a < end < b and not right):
            return f"the search pattern {quoted(pattern)} takes only {quoted(text[start:end])} of {quoted(text[a:b])}."
    if not right and _GOES_ON.match(text, end):
        return f"the search pattern {quoted(pattern)} takes only {quoted(text[start:end])} of {quoted(text[start : end + 10])}."
    return problem_around(text, start, end, before=not left, behind=not right)


def _sees_to_it(
    before: str, behind: str, match: regex.Match[str], pattern: str, start: int, end: int
) -> tuple[bool, bool]:
    """Whether the pattern itself asks for what stands before its group, and for what stands behind it."""
    last, first = before.rstrip()[-1:], behind.lstrip()[:1]
    if last and not last.isalnum() and unicodedata.category(last) in ("Pd", "Sm"):  # a sign that "anything" would pass over
        left = re.search(rf"{re.escape(last)}\\?[ s]?[*+]?\((?!\?)", pattern) is not None
    else:
        left = match.start() < start and (last in pattern or last.isalnum())
    right = match.end() > end and (first in pattern or first.isdigit())
    return left or "(?<=" in pattern, right or "(?=" in pattern


def _with_marker(lines: Sequence[Line], marker: str) -> list[Line]:
    if not marker.strip():
        raise ExtractionError("the marker is empty.")
    return [line for line in lines if marker in line.text]


def marker_offset(extractor: MarkerOffset, text: str, decimal_comma: bool) -> Reading:
    """The ``column``-th word, ``lines`` lines below the marker's line."""
    lines = lines_of(text)
    at = pick_occurrence(
        _with_marker(lines, extractor.marker), extractor.occurrence, f"a line with the marker {quoted(extractor.marker)}"
    )
    target = at.number - 1 + extractor.lines
    if not 0 <= target < len(lines):
        raise ExtractionError(
            f"the text ends before the line that is {extractor.lines} below the marker {quoted(extractor.marker)} "
            f"(line {at.number} of {len(lines)}): it seems to be cut off."
        )
    words = words_of(lines[target])
    if not 1 <= extractor.column <= len(words):
        raise ExtractionError(
            f"line {target + 1} has {len(words)} words, but word {extractor.column} is asked for: "
            f"{quoted(lines[target].text)}."
        )
    start, word = words[extractor.column - 1]
    value, span = number_of(word, start, target + 1, decimal_comma)
    look_around(text, lines[target], start, word, lone_dashes=False)
    return Reading((value,), (span,))


def rows_after(extractor: RowsAfter, text: str, decimal_comma: bool) -> Reading:
    """One number from the row below every marker; as many as expected, or an error."""
    lines = lines_of(text)
    heads = _with_marker(lines, extractor.marker)
    if not heads:
        raise ExtractionError(f"a line with the marker {quoted(extractor.marker)} does not occur.")
    if extractor.count is not None and len(heads) != extractor.count:
        raise ExtractionError(
            f"the marker {quoted(extractor.marker)} occurs {times(len(heads))}, but {extractor.count} are expected."
            + (" The output seems to be cut off." if len(heads) < extractor.count else "")
        )
    values, spans = [], []
    for head in heads:
        target = head.number - 1 + extractor.lines
        if not 0 <= target < len(lines):
            raise ExtractionError(f"the text ends before the row that belongs to the marker in line {head.number}.")
        row = _numbers_of_row(lines[target], decimal_comma)
        if not 1 <= extractor.column <= len(row):
            raise ExtractionError(
                f"line {target + 1} has {len(row)} numbers, but number {extractor.column} is asked for: "
                f"{quoted(lines[target].text)}."
            )
        token = row[extractor.column - 1]
        token = settled(text, token, lone_dashes=True) if may_mislead(lines[target].text) else token
        if token.problem:
            raise ExtractionError(f"in line {target + 1} {token.problem}")
        values.append(token.value)
        spans.append((token.start, token.end))
    return Reading(tuple(values), tuple(spans))


def _numbers_of_row(line: Line, decimal_comma: bool) -> list[Token]:
    """Numbers and what stands in a number's place (****, numbers run together), in order."""
    row: list[Token] = []
    for start, word in words_of(line):
        try:
            row.append(Token(start, start + len(word), parse_word(word, decimal_comma)))
        except ExtractionError as error:
            found = (settled(word, token) for token in scan(word, decimal_comma))
            inner = [t._replace(start=start + t.start, end=start + t.end) for t in found]
            if not inner and (word in NO_VALUE or looks_like_number(word, decimal_comma)):
                inner = [Token(start, start + len(word), math.nan, str(error))]
            row += inner
    return row
