"""Which sources are worth their syntax tree: those that have one of some names in their text. To parse all takes seconds."""

from __future__ import annotations

import re
from collections.abc import Iterable


def has_one_of(names: Iterable[str], source: str) -> bool:
    """Whether one of ``names`` (identifiers) stands anywhere in ``source``, also in a comment."""
    return re.search(rf"\b(?:{'|'.join(sorted(names))})\b", source) is not None
