"""One way to read what is marked, as it is offered."""

from __future__ import annotations

from dataclasses import dataclass

from ..definition import Extractor
from ..numbers import scale_letters
from ..propose_tables import Proposal
from .marked import Repeat
from .scopes import Scope


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
        return next((f"“{word}” is {value:.10g}" for word, value in pairs if scale_letters.SCALED.fullmatch(word)), "")
