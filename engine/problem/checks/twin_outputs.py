"""Outputs that read the very same numbers, although they have different names."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ..definition import Output


def twins(outputs: Sequence[Output]) -> list[tuple[str, str]]:
    """Names of outputs with the same source and way of reading, each beside the first that has it."""
    first: dict[tuple[str, bytes], str] = {}
    found = []
    for output in outputs:
        key = output.source, msgspec.json.encode(output.extractor)
        if key in first:
            found.append((first[key], output.name))
        else:
            first[key] = output.name
    return found
