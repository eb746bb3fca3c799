"""A number that a line of code gives to a name: ``beta <- 0.35``, ``0.35 -> beta``, ``k: f64 = 3.5``. Pure.

In an input the dash of an arrow is no sign: R reads ``x <-0.5`` as 0.5 given to x.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from bayescope.engine.problem.numbers.number_text import NUMBER, value_of
from bayescope.engine.problem.numbers.numbers_in_text import Number, line_bounds, overlaps

SEEN = 400  # characters looked at on either side of a mark: longer lines are data
_NAME = r"(?P<name>[^\W\d][\w.]*)(?:\[+\s*[\"']?(?P<key>\w[\w.]*)[\"']?\s*\]+)?"
_NUMBER = rf"(?P<number>{NUMBER})(?P<suffix>[A-Za-z\u00b5%\u00b0]{{0,5}})(?![\w.@])"
_TO_THE_LEFT = re.compile(rf"{_NAME}[ \t]*<{{1,2}}-[ \t]*{_NUMBER}")
_TO_THE_RIGHT = re.compile(rf"(?<![\w.@])(?<![0-9],){_NUMBER}[ \t]*->{{1,2}}[ \t]*{_NAME}")
_TYPED = re.compile(  # of Python, Rust, Julia, Pascal: the name stands before its type
    r"(?P<name>[^\W\d]\w*)\s*::?\s*(?:f(?:32|64)|[iu](?:8|16|32|64)|float|double|int|real|number|Real|Int|(?:Float|Int)\d{2})\s*:?=\s*$"
)


class Assigned(NamedTuple):
    """``suffix``: letters right behind the number (25L); ``name``: it is given to; ``end``: of the assignment in the text."""

    number: Number
    suffix: str
    name: str
    end: int


def assigned_at(text: str, start: int, end: int) -> Assigned | None:
    """The number under the mark [start, end) that an arrow gives to a name; None: there is no arrow beside it."""
    start, end = min(start, end), max(start, end)
    low, high = line_bounds(text, start)
    low, high = max(low, start - SEEN), min(max(high, end), end + SEEN)
    for pattern in (_TO_THE_LEFT, _TO_THE_RIGHT):
        for match in pattern.finditer(text, low, high):
            value = value_of(match["number"])
            if value is not None and overlaps(*match.span("number"), start, end):
                name = match["name"] if match["key"] is None else _element(match["name"], match["key"])
                return Assigned(Number(*match.span("number"), value), match["suffix"], _plain(name), match.end())
    return None


def typed_name(before: str) -> str:
    """The name in front of its type in the words ``before`` a number, ``beta: float = ``; '' where no type is said."""
    match = _TYPED.search(before[-SEEN:])
    return "" if match is None else match["name"]


def _element(name: str, key: str) -> str:
    return f"{name}_{key}" if key[0].isdigit() else key  # theta[1], but p["beta"]


def _plain(name: str) -> str:
    return name.strip(".").replace(".", "_")
