"""From what is marked in a text to the outputs that would read it: numbers, rows, columns, blocks and whole tables."""

from .mark import Mark
from .offer import Offer
from .scopes import Scope

__all__ = ["Mark", "Offer", "Scope"]
