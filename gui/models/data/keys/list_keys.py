"""Lists that stand beside one that is read, in the same text: one of them may say where or when its numbers are. Pure."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.extract import ExtractionError, extract
from bayescope.engine.problem.marks.lists.list_around import Lists
from bayescope.engine.problem.marks.lists.list_offers import ways

MOST_LISTS = 30  # of a text, looked through


def lists_beside(output: d.Output, text: str) -> Iterator[tuple[d.Output, NDArray[np.float64]]]:
    """The other lists of ``text`` that have as many numbers as the one ``output`` reads, with their numbers (n,)."""
    try:
        n = len(extract(output.extractor, text, output.decimal_comma).values)
    except ExtractionError:
        return
    for found in Lists(text).within(0, len(text), MOST_LISTS):
        _, _, best = next(ways(found, text, ()))
        if len(best.values) == n and getattr(output.extractor, "name", None) != found.whole.name:
            yield msgspec.structs.replace(output, extractor=best.extractor, decimal_comma=found.comma), np.array(best.values)
