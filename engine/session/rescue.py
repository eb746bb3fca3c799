"""A copy of a session elsewhere, for when its own file is gone or takes nothing more, with what could not be saved there."""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .errors import SessionError
from .places import home
from .records import EvaluationRecord

CopyTo = Callable[[Path], None]  # makes a copy of all that was saved; raises SessionError
Open = Callable[[Path], contextlib.AbstractContextManager[Any]]  # opens it as a session; raises SessionError


class Rescue:
    """Of the session file ``session``; copies are called NAME-rescued-DATE and end in ``suffix``."""

    def __init__(self, session: Path, suffix: str) -> None:
        self._session, self._suffix = session, suffix
        self._unsaved: dict[int, EvaluationRecord] = {}  # at some time; some may be saved by now
        self._path: Path | None = None

    def forget(self) -> None:
        """The session's file was written again: the copy is an old one, and the next is a new one."""
        self._path = None

    def keep(self, copy_to: CopyTo, open_copy: Open, unsaved: Sequence[EvaluationRecord] = ()) -> Path:
        """The copy, with ``unsaved`` and all given before in it, durable. Made once, and anew elsewhere if it takes no more.

        Raises SessionError if no place takes it: the session's folder, the application's own, and that for temporary files.
        """
        self._unsaved |= {record.index: record for record in unsaved}
        if self._path is not None:
            with contextlib.suppress(OSError, sqlite3.Error, SessionError):
                if unsaved:
                    self._complete(self._path, open_copy)
                return self._path
        name = f"{self._session.stem}-rescued-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}{self._suffix}"
        for folder in (self._session.parent, home() / "rescued", Path(tempfile.gettempdir())):
            with contextlib.suppress(OSError, sqlite3.Error, SessionError):
                if folder != self._session.parent:
                    folder.mkdir(parents=True, exist_ok=True)
                self._copy(folder / name, copy_to, open_copy)
                self._path = folder / name
                return self._path
        raise SessionError("The session could not be copied to any other place", str(self._session))

    def _copy(self, path: Path, copy_to: CopyTo, open_copy: Open) -> None:
        copy_to(path)
        try:
            self._complete(path, open_copy)
        except BaseException:
            path.unlink(missing_ok=True)
            raise

    def _complete(self, path: Path, open_copy: Open) -> None:
        if not self._unsaved:
            return
        with open_copy(path) as copy:
            if not copy.writable:  # somebody works with it already
                raise SessionError("The copy cannot be written", str(path), copy.read_only_reason)
            known = {e.index for e in copy.evaluations()}
            new = [e for e in self._unsaved.values() if e.index not in known]
            copy.add_cycle(evaluations=sorted(new, key=lambda e: e.order))
