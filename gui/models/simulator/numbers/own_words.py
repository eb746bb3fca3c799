"""A key that comes again on other lines of an input file, called with the word by which its line or block differs from theirs:
T_inlet of “inlet: T = 300”, of “T = 300  # inlet”, of T below a line “# inlet”. Pure."""

from __future__ import annotations

import re

from bayescope.engine.problem.marks.labels.label_names import short_name
from bayescope.engine.problem.numbers.numbers_in_text import line_bounds

SEEN = 200_000  # characters of a text in which other lines with the key are looked for
MOST_ABOVE = 30  # lines between a heading and what stands below it
LONGEST = 24  # characters of such a word
_REMARK = re.compile(r"(?:^|(?<=[\s;,)]))(?:[#!%]+|//|;|--|/\*|\*)\s*(?P<said>[^\W\d].*)$")
_HEADING = re.compile(r"[ \t]*(?:[#!%*/;=-]+[ \t]*)?(?P<said>[^\W\d][\w -]{0,30}?)[ \t]*(?:[:{]|[#!%*/;=-]+)?[ \t]*")
_TOKEN = re.compile(r"[^\W_][\w-]*")


def own_worded(text: str, position: int, word: str) -> str:
    """``word``, the key of the number at ``position``, with what tells its line from others with that key; '' where it stands
    once, or nothing tells them apart."""
    if not word:
        return ""
    key = re.compile(rf"(?<![^\W_]){re.escape(word)}[ \t\"']*[=:]")
    start = line_bounds(text, position)[0]
    places = {line_bounds(text, found.start())[0]: found.start() for found in key.finditer(text[:SEEN])}
    if start not in places or len(places) < 2:
        return ""
    for way in (_before, _behind, _above):
        own = way(text, start, places[start])
        others = {way(text, line, at) for line, at in places.items() if line != start}
        if own and (called := _differing(own, others)):
            return f"{word}_{called}"
    return ""


def _differing(own: str, others: set[str]) -> str:
    """The first word of ``own`` that none of the others has; '' where there is none, or one of them has no words at all."""
    if own in others or "" in others:
        return ""
    taken = {token.casefold() for other in others for token in _TOKEN.findall(other)}
    told = next((token for token in _TOKEN.findall(own) if token.casefold() not in taken), "")
    return told.replace("-", "_") if len(told) <= LONGEST else ""


def _before(text: str, line: int, key: int) -> str:
    """The words of a line before the key: inlet of inlet: T = 300, BC 1 of BC 1 T=300."""
    words = re.split(r"[^\W\d]\w*[ \t]*=", text[line:key])[0]  # of other keys before it, too
    return "" if words.lstrip()[:1] in ("#", "!", "%", '"', "'", "<", "{") else words.strip(" \t:,;")


def _behind(text: str, line: int, key: int) -> str:
    """What a remark behind the numbers says."""
    remark = _REMARK.search(text[key : line_bounds(text, line)[1]])
    return "" if remark is None else short_name(remark["said"])


def _above(text: str, line: int, key: int) -> str:
    """The nearest line above that holds words alone, as a heading does: # inlet."""
    above = text[:line].splitlines()[-MOST_ABOVE:]
    heads = (found["said"] for one in reversed(above) if (found := _HEADING.fullmatch(one)) is not None)
    return next(heads, "").strip()
