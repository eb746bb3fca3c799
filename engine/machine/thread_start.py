"""Threads that could not be started end in words, never in something that waits for them for ever."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any


class NoThread(RuntimeError):
    """The system gives no further thread; the message says what to do."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(
            f"This computer has no room for another thread ({error}). Close other programs, or allow this one more of them, and "
            "try again."
        )


def start_thread(target: Callable[..., object], name: str, *arguments: Any) -> threading.Thread:
    """A daemon thread that runs ``target``. Raises NoThread."""
    thread = threading.Thread(target=target, args=arguments, name=name, daemon=True)
    try:
        thread.start()
    except (RuntimeError, MemoryError) as error:
        raise NoThread(error) from error
    return thread


def thread_or_words(
    failed: Callable[[str], object], target: Callable[..., object], name: str, *arguments: Any
) -> threading.Thread | None:
    """The same; where there is no room ``failed`` gets the words, and None is returned."""
    try:
        return start_thread(target, name, *arguments)
    except NoThread as error:
        failed(str(error))
        return None
