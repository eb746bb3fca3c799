"""``bayescope checks``: why an answer can be trusted, in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..answer.checks import AnswerChecks, checks_of_store
from ..session.errors import SessionError
from ..session.store import SessionStore
from .exit_status import OK, Failure
from .terminal import say

MARKS = {"good": "+", "poor": "!", "missing": "?"}
LEGEND = "+ passed   ! not passed   ? not made, or it says nothing here"


def print_checks(path: Path, ask: Sequence[str]) -> int:
    """Print them; the exit status. ``ask``: other methods, computed first and kept. Raises Failure, SessionError."""
    notes = _ask(path, ask) if ask else []
    with SessionStore.open(path, mode="read") as store:
        found = checks_of_store(store)
    if found is None:
        raise Failure("there is no posterior yet; run the analysis first.")
    say(_table(found))
    for note in notes:
        say(note)
    return OK


def _ask(path: Path, ask: Sequence[str]) -> list[str]:
    from ..comparison.compared import compare, keep
    from ..comparison.one_answer import METHODS

    wanted = list(METHODS) if "all" in ask else list(dict.fromkeys(ask))
    unknown = [m for m in wanted if m not in METHODS]
    if unknown:
        raise Failure(f"there is no method “{unknown[0]}” to ask. There are: {', '.join(METHODS)}, all.")
    notes, made = [], []
    with SessionStore.open(path, mode="read") as store:
        for method in wanted:
            try:
                made.append(compare(store, method)[1])
            except SessionError as error:
                notes.append(f"{METHODS[method]}: {error}")
    return [*notes, *dict.fromkeys(words for words in (keep(path, each) for each in made) if words)]


def _table(found: AnswerChecks) -> str:
    width = max(len(c.title) for c in found.checks)
    figures = max(len(c.figure) for c in found.checks)
    lines = [found.words, ""]
    lines += [f"{MARKS[c.level]} {c.title:<{width}}  {c.figure:>{figures}}  {c.words}" for c in found.checks]
    return "\n".join([*lines, "", LEGEND])
