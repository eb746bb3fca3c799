"""Checks that an answer did not pass, within a sentence."""

from __future__ import annotations

from collections.abc import Sequence


def not_passed(poor: Sequence[str]) -> str:
    return f"{'one check is' if len(poor) == 1 else f'{len(poor)} checks are'} not passed"


def titles_listed(titles: Sequence[str]) -> str:
    """Titles of checks within a sentence."""
    return "; ".join(t[0].lower() + t[1:] for t in titles)
