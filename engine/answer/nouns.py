"""What an evaluation is called: a point where it takes several runs of the program."""

from __future__ import annotations

import re
from collections.abc import Sequence

_COUNTED = re.compile(
    r"(?<!can )(?<!to )(?<!test )(?:simulator )?\b([Rr])un(s?)\b(?! (?:of the (?:program|simulator)|settings|page|folder))"
)


def counted_as(noun: str, said: Sequence[str]) -> tuple[str, ...]:
    """Reasons, which methods tell of runs, in terms of what an evaluation is called: a "point" where it takes several runs."""
    if noun == "run":
        return tuple(said)
    return tuple(_COUNTED.sub(lambda m: (noun.capitalize() if m[1] == "R" else noun) + m[2], words) for words in said)
