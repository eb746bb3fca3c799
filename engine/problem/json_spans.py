"""Where each number of a JSON text stands and by which keys it is reached (for marking one with the mouse)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from json.decoder import scanstring  # type: ignore[attr-defined]  # undocumented in typeshed, stable since Python 3.0
from re import compile as regex
from typing import NamedTuple

_NUMBER = regex(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_SPACE = regex(r"[ \t\r\n]*")


class JsonNumber(NamedTuple):
    """A number at characters [start, end) reached by ``keys`` (list positions as digits)."""

    start: int
    end: int
    value: float
    keys: tuple[str, ...]
    in_list: bool


@lru_cache(maxsize=1)  # a click asks for those of one text several times
def number_paths(text: str) -> Sequence[JsonNumber]:
    """Every number of a JSON text in order; empty if ``text`` is not a JSON object or list."""
    stripped = text.lstrip()
    if not stripped.startswith(("{", "[")):
        return []
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return []
    return _walk(text)


def number_of_key(text: str, start: int, end: int) -> JsonNumber | None:
    """The number whose key [start, end) lies in, as the "b" of {"b": 5.0}; None if that is no key of a number."""
    number = next((n for n in number_paths(text) if n.start >= end), None)
    if number is None or number.in_list:
        return None
    opening = text.rfind('"', 0, text.rfind('"', 0, number.start))
    between = text[max(opening, 0) : number.start]
    is_key = opening >= 0 and between.rstrip().endswith(":") and "\n" not in between
    return number if is_key and opening <= start else None


def _walk(text: str) -> list[JsonNumber]:
    """Iterative, so that depth is no problem; the text is known to be valid."""
    found: list[JsonNumber] = []
    stack: list[list[str | int | None]] = []  # of ["{", key] or ["[", position]
    i, size = 0, len(text)
    while i < size:
        match = _SPACE.match(text, i)
        i = match.end() if match else i
        if i >= size:
            break
        c = text[i]
        if c in "{[":
            stack.append(["{", None] if c == "{" else ["[", 0])
            i += 1
        elif c in "}]":
            stack.pop()
            i += 1
        elif c == ",":
            top = stack[-1]
            top[1] = None if top[0] == "{" else int(top[1] or 0) + 1
            i += 1
        elif c == '"':
            value, i = scanstring(text, i + 1)
            if stack and stack[-1][0] == "{" and stack[-1][1] is None:
                stack[-1][1] = value
        else:
            number = _NUMBER.match(text, i)
            if number and number.group():
                keys = tuple(str(level[1]) for level in stack)
                in_list = bool(stack) and stack[-1][0] == "["
                found.append(JsonNumber(i, number.end(), float(number.group()), keys, in_list))
                i = number.end()
            else:
                i += 1
    return found
