"""Several numbers or lists that are proposed at once, each as an output of its own."""

from __future__ import annotations

from dataclasses import dataclass

from ..propose_tables import Proposal


@dataclass(frozen=True)
class Found:
    """One number, or one list of them, and how it is read. ``source``: the text it stands in; ``label``: the words it is named
    by; ``unit``: as it is printed; ``words``: how it is found again; ``note``: what else is said of it."""

    source: str
    name: str
    unit: str
    label: str
    proposal: Proposal
    words: str
    note: str = ""


@dataclass(frozen=True)
class Each:
    """``apart``: each is a quantity by itself for sure, not an item of one list. ``left``: numbers for which there was no way, or
    which are too many."""

    found: tuple[Found, ...]
    apart: bool = False
    left: int = 0
