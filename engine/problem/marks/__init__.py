"""From what is marked in a text to the outputs that would read it: numbers, rows, columns, blocks and whole tables."""

from .offers import Offer, offers, refusal

__all__ = ["Offer", "offers", "refusal"]
