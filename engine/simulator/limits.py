"""Limits of one run: time, memory, printed output, files, disk space. Looked at often, each in its own measure."""

from __future__ import annotations

import shutil
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from ..problem.definition import Limits
from ..problem.errors import SetupError
from ..problem.numbers.shown_digits import spoken
from ..session.folders import files_below
from .processes import SimulatorProcess
from .streams import Streams

MEGABYTE = 1e6
STREAM_WORDS = ("output", "error messages")  # stdout and stderr, for people
MIN_FREE_MB = 100.0
MIN_GOOD_RUNS = 3  # before a relative limit means anything
MIN_RELATIVE_S = 1.0  # a busy moment must not fail a program that takes milliseconds
_MEMORY_EVERY_S = 0.1
_FILES_EVERY_S = 0.5
_TREE_EVERY_S = 0.25


def time_limit_of(limits: Limits, good_durations: Sequence[float]) -> float | None:
    """Seconds a run may take: the absolute limit, or the relative one (times the median good run) if that is shorter."""
    relative = None
    if limits.relative_time is not None and len(good_durations) >= MIN_GOOD_RUNS:
        relative = max(MIN_RELATIVE_S, limits.relative_time * statistics.median(good_durations))
    return shorter(limits.time_s, relative)


def shorter(a: float | None, b: float | None) -> float | None:
    """The shorter of two limits, None being none."""
    return b if a is None else a if b is None else min(a, b)


def check_disk_space(folder: Path) -> None:
    """Raises SetupError if the disk that will hold the run folder is all but full."""
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    try:
        free = shutil.disk_usage(place).free
    except OSError as error:
        raise SetupError(
            f"The folder “{place}” cannot be reached: {error.strerror}.", "Is its drive still connected?"
        ) from None
    if free < MIN_FREE_MB * MEGABYTE:
        raise SetupError(
            f"The disk that holds “{place}” has only {free / MEGABYTE:.0f} MB left.",
            "Free some space (old run folders, for example), then go on.",
        )


def folder_bytes(folder: Path, known: frozenset[str] = frozenset()) -> tuple[int, str]:
    """Size of all files below ``folder`` (links not followed, top-level names in ``known`` not counted); the largest's name."""
    total, largest, name = 0, -1, ""
    for relative, entry in files_below(folder):
        if relative in known:
            continue
        try:
            size = entry.stat(follow_symlinks=False).st_size
        except OSError:
            continue
        total += size
        if size > largest:
            largest, name = size, relative
    return total, name


def time_words(seconds: float) -> str:
    return (
        f"The program was stopped after {_seconds(seconds)}, its time limit. "
        "If it needs longer, raise the limit on the Simulator page; if it hangs, look at what it printed last."
    )


def memory_words(used_mb: float, limit_mb: float) -> str:
    return (
        f"The program was stopped because it used {used_mb:.0f} MB of memory; the limit is "
        f"{limit_mb:.0f} MB. Raise the limit on the Simulator page if this is normal."
    )


def printed_words(limit_mb: float, stream: str) -> str:
    """``stream``: one of STREAM_WORDS."""
    return (
        f"The program printed more than {spoken(limit_mb)} MB of {stream} and was stopped. "
        "Make it print less, or raise the limit on the Simulator page."
    )


def files_words(limit_mb: float, largest: str) -> str:
    return (
        f"The program was stopped because its files grew beyond {spoken(limit_mb)} MB (largest: {largest}). "
        "Make it write less, or raise the limit on the Simulator page."
    )


class Watch:
    """Looks at a running simulator; ``breach`` says in a sentence which limit it broke, or nothing."""

    def __init__(
        self, limits: Limits, time_limit: float | None, process: SimulatorProcess, folder: Path, streams: Streams
    ) -> None:
        self._limits = limits
        self._time_limit = time_limit
        self._process = process
        self._folder = folder
        self._streams = streams
        self._start = time.monotonic()
        self._next_files = self._start + 0.2
        self._next_memory = self._start
        self._next_tree = self._start

    def pause(self) -> float:
        """Seconds until the next look: short at first, so that a quick flood is noticed."""
        elapsed = time.monotonic() - self._start
        step = min(0.25, 0.02 + 0.05 * elapsed)
        return step if self._time_limit is None else max(0.001, min(step, self._time_limit - elapsed))

    def breach(self) -> str:
        now = time.monotonic()
        if self._time_limit is not None and now - self._start >= self._time_limit:
            return time_words(self._time_limit)
        printed = self.printed()
        if printed:
            return printed
        if self._limits.memory_mb is not None and now >= self._next_memory:
            self._next_memory = now + _MEMORY_EVERY_S
            used = self._process.memory() / MEGABYTE
            if used > self._limits.memory_mb:
                return memory_words(used, self._limits.memory_mb)
        if now >= self._next_tree:
            self._process.descendants()
            # often at first: programs that hide a helper do it when they start
            self._next_tree = now + (_TREE_EVERY_S if now - self._start > 1.0 else 0.0)
        if now >= self._next_files:
            begun = time.monotonic()
            files = self.files()
            # a folder with very many files takes long to look at: spend at most a twentieth of the time on it
            self._next_files = now + max(_FILES_EVERY_S, 20.0 * (time.monotonic() - begun))
            return files
        return ""

    def printed(self) -> str:
        """The cap on each stream; the surplus is cut off at the end."""
        cap = int(self._limits.output_mb * MEGABYTE)
        for size, where in zip(self._streams.sizes(), STREAM_WORDS, strict=True):
            if size > cap:
                return printed_words(self._limits.output_mb, where)
        return ""

    def files(self) -> str:
        total, largest = folder_bytes(self._folder, frozenset(self._streams.names))
        if total > self._limits.files_mb * MEGABYTE:
            return files_words(self._limits.files_mb, largest)
        return ""

    def cut_streams(self) -> None:
        """After the end: cut what was printed down to the cap."""
        self._streams.cut(int(self._limits.output_mb * MEGABYTE))


def _seconds(value: float) -> str:
    if value < 120:
        return f"{spoken(value, 3)} seconds"
    return f"{spoken(value / 60, 3)} minutes" if value < 7200 else f"{spoken(value / 3600, 3)} hours"
