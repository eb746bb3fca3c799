"""Searching the help pages: which of them hold what is looked for, and where. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

BESIDE = 34  # characters shown on either side of a hit
MOST_SHOWN = 4  # hits of a page that are listed; all are counted and marked
LEAST = 2  # characters: one alone stands on every page


@dataclass(frozen=True)
class Hit:
    """``nth``: which of the page's hits, from 0; ``words`` around it."""

    nth: int
    words: str


@dataclass(frozen=True)
class PageHits:
    name: str
    count: int
    hits: tuple[Hit, ...]


@dataclass(frozen=True)
class Found:
    """``pattern``: what is marked on the pages; None: nothing is looked for."""

    pages: tuple[PageHits, ...] = ()
    pattern: re.Pattern[str] | None = None


def search(texts: Mapping[str, str], titles: Mapping[str, str], wanted: str) -> Found:
    """Pages that hold ``wanted`` as it is written, else all of its words; in capitals or not. Those whose title does come first.

    ``texts``: the plain text of each page by name, in their order.
    """
    words = wanted.split()
    if len("".join(words)) < LEAST:
        return Found()
    phrase = re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE)
    holding = [name for name, text in texts.items() if phrase.search(text)]
    if holding or len(words) == 1:
        return Found(_listed(holding, texts, titles, phrase), phrase)
    each = [re.compile(re.escape(word), re.IGNORECASE) for word in words]
    anyone = re.compile("|".join(map(re.escape, sorted(words, key=len, reverse=True))), re.IGNORECASE)
    holding = [name for name, text in texts.items() if all(one.search(text) for one in each)]
    return Found(_listed(holding, texts, titles, anyone), anyone)


def _listed(
    names: Sequence[str], texts: Mapping[str, str], titles: Mapping[str, str], pattern: re.Pattern[str]
) -> tuple[PageHits, ...]:
    found = []
    for name in sorted(names, key=lambda name: pattern.search(titles.get(name, "")) is None):
        places = list(pattern.finditer(texts[name]))
        hits = tuple(Hit(k, _around(texts[name], m)) for k, m in enumerate(places[:MOST_SHOWN]))
        found.append(PageHits(name, len(places), hits))
    return tuple(found)


def _around(text: str, hit: re.Match[str]) -> str:
    """The hit with whole words beside it, from its own paragraph."""
    begins, ends = text.rfind("\n", 0, hit.start()) + 1, text.find("\n", hit.end())
    low, high = max(begins, hit.start() - BESIDE), min(len(text) if ends < 0 else ends, hit.end() + BESIDE)
    before, after = text[low : hit.start()], text[hit.end() : high]
    before = before if low == begins else "…" + before.partition(" ")[2]
    after = after if high == ends else after.rpartition(" ")[0] + "…"
    return " ".join(f"{before}{hit.group()}{after}".split())
