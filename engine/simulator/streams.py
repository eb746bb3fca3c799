"""What a run prints, kept in files of its run folder but read and cut through descriptors opened before the program started.

The program may replace these files by links to any other; their names are then no longer looked at.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from .run_folder import STDERR, STDOUT


class Streams:
    """``names``: of stdout and stderr, in this order, as ``sizes`` and the rest take them."""

    names = (STDOUT, STDERR)

    def __init__(self, folder: Path, *, empty: bool = True) -> None:
        """``empty``: what they held before goes. Raises OSError if the folder's streams cannot be written."""
        self._files: list[BinaryIO] = []
        try:
            for name in self.names:
                flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
                flags |= os.O_TRUNC if empty else 0
                self._files.append(os.fdopen(os.open(folder / name, flags, 0o644), "r+b", buffering=0))
        except OSError:
            self.close()
            raise

    @property
    def stdout(self) -> BinaryIO:
        return self._files[0]

    @property
    def stderr(self) -> BinaryIO:
        return self._files[1]

    def sizes(self) -> list[int]:
        """Bytes printed so far on each."""
        return [os.fstat(file.fileno()).st_size for file in self._files]

    def cut(self, cap: int) -> None:
        """Down to ``cap`` bytes each."""
        for file, size in zip(self._files, self.sizes(), strict=True):
            if size > cap:
                with contextlib.suppress(OSError):
                    os.ftruncate(file.fileno(), cap)

    def read(self, which: int) -> bytes:
        """All of one stream."""
        return self._from(which, 0)

    def tail(self, which: int, most: int) -> str:
        """The last ``most`` bytes of one stream, as text."""
        return self._from(which, max(0, self.sizes()[which] - most)).decode("utf-8", "replace")

    def _from(self, which: int, start: int) -> bytes:
        file = self._files[which]
        file.seek(start)  # the program has ended: it shares this position
        return file.read()

    def close(self) -> None:
        for file in self._files:
            file.close()


@contextlib.contextmanager
def streams_in(folder: Path, *, empty: bool = True) -> Iterator[Streams]:
    """The streams of a run in ``folder``, closed at the end of the block. Raises OSError."""
    streams = Streams(folder, empty=empty)
    try:
        yield streams
    finally:
        streams.close()
