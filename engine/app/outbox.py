"""Frames from the engine to the window, written by one thread that nothing else waits for.

A window that does not read for a while (a dialog, a sleeping laptop) must not hold up the analysis: what only the newest matters
of is replaced while it waits, and progress goes out a few times a second.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable

from .. import protocol

PROGRESS_SECONDS = 0.2
_NEWEST_WINS = (protocol.SnapshotReady, protocol.Heartbeat, protocol.Progress)


class Outbox:
    """``put`` from any thread, never blocking. ``on_closed`` is called once when the window no longer takes frames."""

    def __init__(self, descriptor: int, run_id: str, on_closed: Callable[[], None]) -> None:
        self._descriptor, self._run_id, self._on_closed = descriptor, run_id, on_closed
        self._waiting: deque[protocol.Event] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._sequence = 0
        self._progress_at = 0.0
        self._thread = threading.Thread(target=self._work, name="outbox", daemon=True)
        self._thread.start()

    def put(self, message: protocol.Event) -> None:
        with self._changed:
            if isinstance(message, _NEWEST_WINS):
                for older in [m for m in self._waiting if type(m) is type(message)]:
                    self._waiting.remove(older)
            self._waiting.append(message)
            self._changed.notify()

    def close(self, seconds: float = 2.0) -> None:
        """Write what waits, for at most ``seconds``."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join(seconds)

    def _next(self) -> protocol.Event | None:
        """The next message to write; None when closed and empty."""
        with self._changed:
            while True:
                delay = self._progress_at + PROGRESS_SECONDS - time.monotonic()
                only_progress = all(isinstance(m, protocol.Progress) for m in self._waiting)
                if self._waiting and (not only_progress or delay <= 0 or self._closing):
                    return self._waiting.popleft()
                if not self._waiting and self._closing:
                    return None
                self._changed.wait(delay if self._waiting else None)

    def _work(self) -> None:
        while (message := self._next()) is not None:
            if isinstance(message, protocol.Progress):
                self._progress_at = time.monotonic()
            try:
                self._write(self._frame(message))
            except OSError:
                self._on_closed()
                return

    def _frame(self, message: protocol.Event) -> bytes:
        try:
            frame = protocol.encode_frame(message, self._run_id, self._sequence)
        except protocol.ProtocolError as error:  # larger than a frame may be: say so instead of sending it
            told = protocol.Report(level="warning", what=f"A message for the window was left out: {error}.")
            frame = protocol.encode_frame(told, self._run_id, self._sequence)
        self._sequence += 1
        return frame

    def _write(self, frame: bytes) -> None:
        view = memoryview(frame)
        while view:
            view = view[os.write(self._descriptor, view) :]
