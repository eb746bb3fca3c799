"""A user's eyes and hands on a real window, and what every study begins and ends with."""

from hands.dialogs import Hands
from hands.find import NotInSight

__all__ = ["Hands", "NotInSight"]
