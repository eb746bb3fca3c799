"""``bayescope taught``: what the data taught, in a terminal."""

from __future__ import annotations

from pathlib import Path

from ..session.store import SessionStore
from ..session.taught import HINT, Taught, scales_words, taught_of_store
from .exit_status import OK, Failure
from .terminal import say


def print_taught(path: Path) -> int:
    """Print it; the exit status. Raises Failure where there is no posterior, SessionError."""
    with SessionStore.open(path, mode="read") as store:
        found = taught_of_store(store)
    if found is None:
        raise Failure("there is no posterior yet; run the analysis first.")
    say(_table(found))
    for sentence in found.said:
        say(sentence)
    say(f"{HINT} {scales_words(found.learnt)}".strip())
    return OK


def _table(found: Taught) -> str:
    heads = ("parameter", "prior, 90 %", "posterior, 90 %", "contraction", "bits")
    cells = [heads] + [
        (r.parameter.name[:23], r.prior_words, r.posterior_words, r.contraction_words, r.bits_words) for r in found.learnt
    ]
    widths = [max(len(row[k]) for row in cells) for k in range(len(heads))]
    words = ["in words", *(r.words for r in found.learnt)]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True)), said])
        for row, said in zip(cells, words, strict=True)
    ]
    return "\n".join(lines)
