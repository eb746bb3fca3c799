"""Real engine processes, started as the window starts them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from bayescope.engine import protocol as p
from bayescope.engine.session import orphans


class Engine:
    """One engine process and everything it said."""

    def __init__(self, home: Path) -> None:
        self.id = orphans.new_engine_id()
        environment = {**os.environ, "BAYESCOPE_ENGINE": self.id, "BAYESCOPE_HOME": str(home), "OMP_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "bayescope.gui", "--engine"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
        )  # fmt: skip
        self.said: list[p.Event] = []
        self.trouble = ""
        self.heard = threading.Condition()
        self._sent = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        reader = p.FrameReader()
        try:
            while data := os.read(self.process.stdout.fileno(), 65536):
                for envelope in reader.feed(data):
                    with self.heard:
                        assert envelope.run_id == self.id
                        self.said.append(envelope.message)
                        self.heard.notify_all()
        except (p.ProtocolError, AssertionError) as error:
            self.trouble = repr(error)

    def send(self, command: p.Command) -> None:
        self.process.stdin.write(p.encode_frame(command, self.id, self._sent))
        self.process.stdin.flush()
        self._sent += 1

    def of(self, kind) -> list:
        return [m for m in self.said if isinstance(m, kind)]

    def wait_for(self, condition: Callable[[], object], timeout: float = 60.0) -> None:
        with self.heard:
            assert self.heard.wait_for(condition, timeout), (self.trouble, self.said[-4:])

    def wait_end(self, timeout: float = 60.0) -> p.RunEnded:
        n = len(self.of(p.RunEnded))
        self.wait_for(lambda: len(self.of(p.RunEnded)) > n, timeout)
        return self.of(p.RunEnded)[-1]


def tagged_left(engine_id: str, seconds: float = 5.0) -> list[int]:
    """Simulators still alive after at most ``seconds``."""
    deadline = time.monotonic() + seconds
    while True:
        left = [pid for pid in orphans.tagged(engine_id) if not orphans.is_zombie(pid)]
        if not left or time.monotonic() > deadline:
            return left
        time.sleep(0.05)
