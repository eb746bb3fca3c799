"""Words for what a number counts: band 2 is the second of several."""

from __future__ import annotations

from collections.abc import Sequence

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
    after = (*words[1:], "")
    kept = tuple(w for w, then in zip(words, after, strict=True) if not (w in INDEX_WORDS and then.isdigit()))
    return kept if any(not w.isdigit() for w in kept) else tuple(words)
