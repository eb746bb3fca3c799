"""The engine's log: everything written to stderr, Python's and the libraries', in a file that never grows without bound."""

from __future__ import annotations

import faulthandler
import logging
import os
import sys
from pathlib import Path

from ..session.atomic import put_in_place
from ..session.places import logs_folder

MAX_BYTES = 2_000_000
KEPT = 3
NAME = "engine.log"


class LogFile:
    """Takes over file descriptors 1 and 2, so that a stray print of any library ends up here and never among the frames."""

    def __init__(self, folder: Path | None = None) -> None:
        self.path = (folder or logs_folder()) / NAME
        self.works = self._open()
        faulthandler.enable(file=sys.stderr if not self.works else 2)
        logging.basicConfig(
            stream=sys.stderr,
            level=logging.INFO,
            format="%(asctime)s %(process)d %(levelname)s %(message)s",
            force=True,
        )

    def _open(self) -> bool:
        try:
            self._rotate()
            descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        except OSError:
            return False  # nowhere to write a log: stderr stays what it was
        os.dup2(descriptor, 2)
        os.dup2(descriptor, 1)
        os.close(descriptor)
        return True

    def _rotate(self) -> None:
        if not self.path.exists() or self.path.stat().st_size < MAX_BYTES:
            return
        for k in range(KEPT - 1, 0, -1):
            older = self.path.with_name(f"{NAME}.{k}")
            if older.exists():
                put_in_place(older, self.path.with_name(f"{NAME}.{k + 1}"), replace=True)
        put_in_place(self.path, self.path.with_name(f"{NAME}.1"), replace=True)

    def rotate_if_large(self) -> None:
        """Called now and then."""
        try:
            if self.works and os.fstat(2).st_size >= MAX_BYTES:
                self._open()
        except OSError:
            return
