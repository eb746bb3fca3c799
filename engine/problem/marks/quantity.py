"""What a table of measured data holds values of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Quantity:
    """``name``: as the table has it, without its unit; ``value``: what was measured, if that is one number; ``rows``: how many
    there are; ``column``: the whole name, and ``title``: the words with a number in it that say of which table it is."""

    name: str
    unit: str
    value: float | None
    rows: int
    column: str = ""
    title: str = ""
