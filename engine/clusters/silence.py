"""What is told of a place that does not answer, or takes nothing now, until it does; and trying it again at once."""

from __future__ import annotations

import threading
from collections.abc import Callable

from .. import protocol
from .place import Place
from .ssh_words import Unreachable

TRIED_AGAIN = " Jobs there go on; the connection is tried again."


class Silence:
    """Who waits says so with ``begin``, again and again if need be, and ``end`` when it need not wait any more.

    ``tries`` changes when all who wait are to try again now, since a person asks for it or one of them got through.
    """

    def __init__(self, place: Place, observe: Callable[[protocol.Event], None]) -> None:
        self._place, self._observe = place, observe
        self._guard = threading.Lock()
        self._waiting: dict[str, str] = {}
        self._said = ""
        self._asked = False  # a person wants to know how the next try went
        self.tries = 0
        place.shell.slow = self._slow_login
        self.changed: Callable[[bool], None] = lambda silent: None  # told when the first begins to wait, and when none does

    def begin(self, who: str, why: str | Unreachable) -> None:
        """``why``: a sentence or two. The first is a warning; others while it lasts are told beside it."""
        words = f"{why}{TRIED_AGAIN}" if isinstance(why, Unreachable) else why
        with self._guard:
            if not self._waiting:
                self.changed(True)
            self._waiting[who] = words
            if words != self._said or self._asked:
                self._tell("info" if self._said else "warning", words, "reach")
                self._said, self._asked = words, False

    def end(self, who: str) -> None:
        with self._guard:
            if self._waiting.pop(who, None) is None:
                return
            self.tries += 1
            if not self._waiting:
                self._said = ""
                self.changed(False)
                self._tell("info", f"{self._place.name} answers again.", "reached")

    def _slow_login(self, words: str) -> None:
        if words:
            self.begin("login", words)
        else:
            self.end("login")

    def hurry(self) -> None:
        self._place.shell.hurry()
        with self._guard:
            self._asked = bool(self._waiting)
            self.tries += 1

    def _tell(self, level: protocol.Level, words: str, action: protocol.Action) -> None:
        self._observe(protocol.Report(level=level, what=words, where=self._place.profile.name, action=action))
