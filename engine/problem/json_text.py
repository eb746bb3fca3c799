"""The text of a problem file, strictly: no entry twice, no number that cannot be computed with, not nested too deeply. Pure."""

from __future__ import annotations

import json
import math
from typing import Any

from .errors import ProblemError

MAX_PROBLEM_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 64


def parsed(data: bytes) -> Any:
    """What a problem file's bytes hold. Raises ProblemError, with line and column where the text is no JSON."""
    if len(data) > MAX_PROBLEM_BYTES:
        raise ProblemError(f"The problem file is larger than {MAX_PROBLEM_BYTES / 1e6:.0f} MB.")
    try:
        text = data.decode(json.detect_encoding(data))
    except UnicodeDecodeError as error:
        raise ProblemError("The problem file is not UTF-8 text.", "", "Save it as UTF-8, or choose another file.") from error
    try:
        document = json.loads(
            text, object_pairs_hook=_no_doubles, parse_constant=_no_constant, parse_float=_finite, parse_int=_whole
        )
    except json.JSONDecodeError as error:
        raise ProblemError(
            f"The problem file is not valid JSON: {error.msg} at line {error.lineno}, column {error.colno}.", "",
            "Look for a missing comma, quote or bracket just before that place.",
        ) from error  # fmt: skip
    except RecursionError as error:
        raise ProblemError("The problem file is damaged: it is nested too deeply.") from error
    _check_depth(document)
    return document


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ProblemError(f"The entry “{key[:60]}” stands twice in the same group.", "", "Remove one of them.")
        found[key] = value
    return found


def _no_constant(text: str) -> float:
    raise ProblemError(f"{text} is not a number that a problem file can hold.", "", "An open bound is null, or left out.")


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ProblemError(f"The number {text[:40]} is too large to compute with.")
    return value


def _whole(text: str) -> int:
    if len(text) > 300:
        raise ProblemError(f"The number {text[:20]}... is too large to compute with.")
    return int(text)


def _check_depth(document: Any) -> None:
    level, depth = [document] if isinstance(document, dict | list) else [], 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise ProblemError("The problem file is damaged: it is nested too deeply.")
        inner = (value for item in level for value in (item.values() if isinstance(item, dict) else item))
        level = [value for value in inner if isinstance(value, dict | list)]
