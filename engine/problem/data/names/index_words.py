"""Words for what a number counts: band 2 is the second of several."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from .column_names import loose_name, without_unit

INDEX_WORDS = frozenset(
    "node nodes id no nr number point points element index case run row sample station probe channel "
    "band bands mode modes".split()
)


def says_index(name: str) -> bool:
    """Whether a name says that it counts: No., band; with a unit it is a quantity."""
    return loose_name(name).rstrip(".") in INDEX_WORDS and without_unit(name) == name


def without_index_words(words: Sequence[str]) -> tuple[str, ...]:
    """The words of a name without those that say what the number behind them counts: tm, 1 of tm, band, 1; all of them where no
    other word is left."""
    counts = [w in INDEX_WORDS and then.isdigit() for w, then in pairwise((*words, ""))]
    kept = tuple(w for w, counted in zip(words, counts, strict=True) if not counted)
    return kept if any(not w.isdigit() for w in kept) else tuple(words)
