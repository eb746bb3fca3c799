"""What declared outputs read in the texts at hand, kept: pages ask again at every change of the problem."""

from __future__ import annotations

from functools import lru_cache

from bayescope.engine.problem.definition import Output
from bayescope.engine.problem.extract import ExtractionError, Reading, read_output

MOST_KEPT = 64  # outputs of a problem, in the newest text and in that at other values
LONGEST_KEPT = 2_000_000  # characters; a kept reading keeps its text alive


def reading_of(output: Output, text: str) -> Reading:
    """As ``read_output``. Raises ExtractionError."""
    if len(text) > LONGEST_KEPT:
        return read_output(output, text)
    found = _kept(output, text)
    if isinstance(found, str):
        raise ExtractionError(found)
    return found


@lru_cache(maxsize=MOST_KEPT)
def _kept(output: Output, text: str) -> Reading | str:
    try:
        return read_output(output, text)
    except ExtractionError as error:
        return str(error)
