"""One way to read what is marked, as it is offered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..definition import Extractor, Region
from ..extract.reading import Line
from ..extract.region import squeezed
from ..numbers import scale_letters
from ..numbers.shown_digits import spoken
from ..propose_tables import Proposal
from .marked import Repeat
from .scopes import Scope

MOST_APART = 6  # lines between a title and the headings below it
_COUNT = re.compile(r"(?<![\w.])[-+]?[0-9]")


@dataclass(frozen=True)
class Offer:
    """One way to read, an output for each of ``proposals``. ``repeat``: which of the tables with this heading; empty: one.
    ``behind``: what the title of the table puts behind the names, since others have the same headings."""

    scope: Scope
    repeat: Repeat
    words: str
    proposals: tuple[Proposal, ...]
    names: tuple[str, ...] = ()
    behind: str = ""

    @property
    def first(self) -> Extractor:
        return self.proposals[0].extractor

    @property
    def spans(self) -> list[tuple[int, int]]:
        return [span for p in self.proposals for span in p.spans]

    def letters_words(self, text: str) -> str:
        """What the first letter for a power of ten in ``text`` is taken for, in words; empty: there is none."""
        pairs = ((text[a:b], v) for p in self.proposals for (a, b), v in zip(p.spans, p.values, strict=False))
        return next((f"“{word}” is {spoken(value, 10)}" for word, value in pairs if scale_letters.SCALED.fullmatch(word)), "")


def named_first(offers: list[Offer], lines: Sequence[Line]) -> list[Offer]:
    """A title of its own tells a table better than its place among those with the same headings, where each of these has a title
    like it: <<< Node A1 >>>, <<< Link C2 >>>; unless titles may count the tables, as “Step 12” does; else as they are."""
    own = next((o for o in offers if o.repeat == "" and isinstance(o.first, Region) and not o.first.on_line), None)
    if own is None or own is offers[0] or not isinstance(offers[0].first, Region) or offers[0].repeat in ("", "all", "on"):
        return offers
    title, heading = squeezed(own.first.anchor or ""), squeezed(offers[0].first.anchor or "")  # type: ignore[union-attr]
    at = [i for i, line in enumerate(lines) if squeezed(line.text) == title]
    below = [i for i, line in enumerate(lines) if heading and heading in squeezed(line.text)]
    apart = min((i - at[0] for i in below if i > at[0]), default=0) if len(at) == 1 else 0
    titles = [squeezed(lines[i - apart].text) for i in below] if 0 < apart <= MOST_APART else []
    alike = len({t.partition(" ")[0] for t in titles}) == 1 and len(set(titles)) == len(titles) > 1
    return [own, *(o for o in offers if o is not own)] if alike and not any(_COUNT.search(t) for t in titles) else offers


def marked_first(offers: list[Offer]) -> list[Offer]:
    """What is marked before what other tables have in its place; as they are if nothing reads it."""
    if not offers or offers[0].repeat in ("", "this", "last"):
        return offers
    here = next((o for o in offers if o.repeat in ("", "this")), None)
    return offers if here is None else [here, *(o for o in offers if o is not here)]


def scaled(offer: Offer) -> Offer:
    """The same, with letters for powers of ten declared."""
    return replace(offer, proposals=tuple(replace(p, scale_letters=True) for p in offer.proposals))


def of_older(p: Proposal) -> Offer:
    return Offer("column" if p.is_vector else "number", "", p.words, (p,), ("",))
