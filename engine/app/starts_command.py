"""``bayescope starts``: values that are known to work; the first runs are made there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from ..archive.starts import read_starts
from ..problem.checks import validate
from ..problem.numbers.number_text import NumberError, typed
from ..session.store import SessionStore
from .exit_status import OK, Failure
from .terminal import say


def set_starts(path: Path, at: Mapping[str, str], source: Path | None, clear: bool) -> int:
    """Add one (``at``: name to text) or those of a file, or forget all; then show them. Raises Failure, SessionError."""
    with SessionStore.open(path) as store:
        old = store.problem
        starts = () if clear else old.settings.starts
        if at:
            starts = (*starts, {name: _value(name, text) for name, text in at.items()})
        if source is not None:
            starts = (*starts, *read_starts(source, old))
        changed = msgspec.structs.replace(old, settings=msgspec.structs.replace(old.settings, starts=starts))
        wrong = [f for f in validate.check(changed, path.absolute().parent) if f.where == "settings.starts"]
        if wrong:
            raise Failure(f"{wrong[0].message} {wrong[0].suggestion}".strip())
        if starts != old.settings.starts:
            store.save_problem(changed)
    if not starts:
        say("No starting points: the first runs are spread over the plausible ranges.")
    for k, start in enumerate(starts, 1):
        say(f"{k}: " + ", ".join(f"{name} = {value:.6g}" for name, value in start.items()))
    return OK


def _value(name: str, text: str) -> float:
    try:
        return typed(text)
    except NumberError as error:
        raise Failure(f"{name}: {error}") from None
