"""Something worked out beside a run, kept in the session file where that can be written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from .errors import SessionError
from .store import SessionStore


def keep_in(path: Path, save: Callable[[SessionStore], None]) -> str:
    """``save`` to the session; why it could not be kept, a sentence, '' if it was."""
    try:
        with SessionStore.open(path, role="engine") as store:
            if not store.writable:
                return f"This is not kept in the session. {store.read_only_reason}"
            save(store)
    except SessionError as error:
        return f"This is not kept in the session. {error}"
    return ""
