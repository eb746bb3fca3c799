"""Signs of a shell in a command (< input.txt, > log.txt), which no shell reads here. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_SIGN = re.compile(r"[012&]?(?P<sign><|>{1,2})(?P<name>.*)")


@dataclass(frozen=True)
class Redirection:
    """``words``: as they stand there; ``command``: without them; ``read``: the file for the standard input, empty: none."""

    words: str
    command: tuple[str, ...]
    read: str


def redirection(command: Sequence[str]) -> Redirection | None:
    """What a shell would take out of ``command``; None: nothing."""
    kept, read = list(command[:1]), ""
    taken: list[str] = []
    rest = list(command[1:])
    while rest:
        word = rest.pop(0)
        found = _SIGN.fullmatch(word)
        if found is None:
            kept.append(word)
            continue
        name = found["name"] or (rest.pop(0) if rest else "")
        taken += [word] if found["name"] else [word, name]
        read = name if found["sign"] == "<" and not name.startswith("<") else read
    return Redirection(" ".join(taken).strip(), tuple(kept), read) if taken else None
