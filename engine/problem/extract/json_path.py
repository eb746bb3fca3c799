"""The extractor of a number, or a list of numbers, in a JSON text."""

from __future__ import annotations

import json
import math
from typing import Any

from ..data.rows.text_keys import FIRST_LABEL, code, plain
from ..definition import JsonPath
from ..json_spans import number_paths
from ..numbers.number_text import complaint
from .numbers import ExtractionError, parse_word
from .reading import Reading, quoted

TOO_LONG = 320  # digits of a whole number that no float can hold


def json_path(extractor: JsonPath, text: str, decimal_comma: bool, labels: bool = False) -> Reading:
    """The number or list at the path; lines before the JSON text are passed over. ``labels``: what is there, as text."""
    offset = _start(text)
    try:
        document, end = json.JSONDecoder().raw_decode(text, offset)
    except json.JSONDecodeError as error:
        if error.pos >= len(text.rstrip()) - 1:
            raise ExtractionError("the JSON text ends in the middle: the output seems to be cut off.") from None
        raise ExtractionError(f"it is not valid JSON: in line {error.lineno} {error.msg}.") from None
    except (RecursionError, ValueError) as error:
        raise ExtractionError(f"the JSON text cannot be read: {error}.") from None
    keys = _resolve(document, extractor.path)
    found = _follow(document, keys)
    cells = found if isinstance(found, list) else [found]
    if not cells:
        raise ExtractionError(f"the list at {quoted(extractor.path)} is empty.")
    if labels:
        texts = tuple(plain(str(cell)) for cell in cells)
        return Reading(tuple(code(label) if label else FIRST_LABEL for label in texts), (), texts)
    if any(isinstance(cell, float) and math.isinf(cell) for cell in cells):  # Infinity, or too large for a float
        found = _follow(json.JSONDecoder(parse_float=_float_or_text).raw_decode(text, offset)[0], keys)
        cells = found if isinstance(found, list) else [found]
    values = [_number(cell, extractor.path, decimal_comma) for cell in cells]
    spans = _spans(text[offset:end], keys, isinstance(found, list), offset)
    if len(spans) > len(values):
        raise ExtractionError(f"several numbers stand at {quoted(extractor.path)}: a key occurs more than once in its group.")
    return Reading(tuple(values), spans if len(spans) == len(values) else ())


def _float_or_text(number: str) -> float | str:
    value = float(number)
    return number if math.isinf(value) else value


def _start(text: str) -> int:
    stripped = text.lstrip()
    if stripped[:1] in ("{", "["):
        return len(text) - len(stripped)
    position = 0
    for line in text.split("\n"):
        if line.lstrip()[:1] in ("{", "["):
            return position + len(line) - len(line.lstrip())
        position += len(line) + 1
    raise ExtractionError("there is no JSON text in it.")


def _resolve(document: Any, path: str) -> list[str]:
    """The path cut into keys; a key that holds dots itself is preferred where the document has it."""
    parts = path.split(".") if path else []
    keys: list[str] = []
    node, i = document, 0
    while i < len(parts):
        joined = [".".join(parts[i:j]) for j in range(len(parts), i, -1)]
        key = next((k for k in joined if isinstance(node, dict) and k in node), parts[i])
        node = _step(node, key, ".".join(keys))
        keys.append(key)
        i += key.count(".") + 1
    return keys


def _follow(document: Any, keys: list[str]) -> Any:
    for key in keys:
        document = document[key] if isinstance(document, dict) else document[int(key)]
    return document


def _step(node: Any, key: str, where: str) -> Any:
    place = f"at {quoted(where)}" if where else "at the top"
    if isinstance(node, dict):
        if key not in node:
            shown = ", ".join(quoted(str(k)) for k in list(node)[:12]) or "none"
            raise ExtractionError(f"there is no key {quoted(key)} {place}; the keys are {shown}.")
        return node[key]
    if isinstance(node, list):
        if not key.isascii() or not key.lstrip("-").isdigit() or key.count("-") > 1:
            raise ExtractionError(f"{place} is a list, so {quoted(key)} should be a position in it (0 is the first).")
        if len(key) > 9 or not -len(node) <= int(key) < len(node):
            raise ExtractionError(f"the list {place} has {len(node)} entries, so there is no position {quoted(key)}.")
        return node[int(key)]
    raise ExtractionError(f"{place} is a single value, so there is nothing called {quoted(key)} in it.")


def _number(cell: Any, path: str, decimal_comma: bool) -> float:
    if isinstance(cell, bool) or cell is None or isinstance(cell, (dict, list)):
        what = {bool: "true or false", type(None): "null", dict: "a group of keys", list: "a list of lists"}[type(cell)]
        raise ExtractionError(f"at {quoted(path)} is {what}, not a number.")
    if isinstance(cell, str):
        if cell.lstrip().startswith("("):
            raise ExtractionError(complaint(cell, decimal_comma))
        return parse_word(cell, decimal_comma)
    try:
        return float(cell)
    except OverflowError:
        raise ExtractionError(complaint(str(cell)[:TOO_LONG])) from None


def _spans(text: str, keys: list[str], is_list: bool, offset: int) -> tuple[tuple[int, int], ...]:
    wanted = tuple(key for key in keys)
    hits = [p for p in number_paths(text) if (p.keys[:-1] if is_list else p.keys) == wanted]
    return tuple((p.start + offset, p.end + offset) for p in hits)
