"""What declared outputs read in the texts at hand, kept: pages ask again at every change of the problem."""

from __future__ import annotations

from functools import lru_cache

from bayescope.engine.problem.definition import Output
from bayescope.engine.problem.extract import ExtractionError, Reading, read_output

MOST_KEPT = 64  # outputs of a problem, in the newest text and in that at other values
MOST_SHORT = 512  # ... and the columns beside them, which may be keys, of texts that are no longer than
SHORT = 200_000  # characters
LONGEST_KEPT = 2_000_000  # characters; a kept reading keeps its text alive


def reading_of(output: Output, text: str) -> Reading:
    """As ``read_output``. Raises ExtractionError."""
    if len(text) > LONGEST_KEPT:
        return read_output(output, text)
    found = _kept_short(output, text) if len(text) <= SHORT else _kept(output, text)
    if isinstance(found, str):
        raise ExtractionError(found)
    return found


def _read(output: Output, text: str) -> Reading | str:
    try:
        return read_output(output, text)
    except ExtractionError as error:
        return str(error)


_kept = lru_cache(maxsize=MOST_KEPT)(_read)
_kept_short = lru_cache(maxsize=MOST_SHORT)(_read)
