"""Work of the engine process that is done for one command at a time, beside a run if need be."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from ..machine.thread_start import thread_or_words

C = TypeVar("C")


class OneAtATime(Generic[C]):
    """In a thread of its own; a second command is refused in words."""

    def __init__(self, name: str, work: Callable[[C, threading.Event], None], refuse: Callable[[C, str, str], None]) -> None:
        """``work(command, cancelled)``; ``refuse(command, words, suggestion)``."""
        self._name, self._work, self._refuse = name, work, refuse
        self._cancelled = threading.Event()
        self.thread: threading.Thread | None = None

    def start(self, command: C) -> None:
        if self.thread is not None and self.thread.is_alive():
            self._refuse(command, f"Another {self._name} is still being computed.", "Wait for it, or cancel it.")
            return
        self._cancelled = threading.Event()
        self.thread = thread_or_words(
            lambda words: self._refuse(command, words, ""), self._work, self._name, command, self._cancelled
        )

    def cancel(self) -> None:
        self._cancelled.set()


def stop_if(cancelled: threading.Event) -> Callable[[], None]:
    """What long work calls now and then; raises Cancelled once it is to end."""
    from ..loop_interface import Cancelled

    def check() -> None:
        if cancelled.is_set():
            raise Cancelled

    return check
