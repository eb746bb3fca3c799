"""What pip does, in plain lines with the time that has passed: a line for each large download, else one now and then.

Needs only Python; the same lines on a terminal and in a log.
"""

from __future__ import annotations

import re
import subprocess
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

EVERY = 15.0  # seconds after which something is said, though nothing new began
LARGE = 5.0  # MB from which a download has a line of its own
KEPT = 80  # lines that say why it failed
_FETCHED = re.compile(r"(?:Downloading|Using cached) (?:\S*/)?([A-Za-z0-9_.]+?)-(\d[^-\s]*)\S*\s+\(([0-9.]+) ([kMG])B\)")
_COLLECTING = re.compile(r"(?:Collecting|Processing|Obtaining) ")
_INSTALLING = re.compile(r"Installing collected packages: (.+)")
_CHATTER = re.compile(
    r"\s*(?:Looking in|Collecting|Processing|Obtaining|Downloading|Using cached|Requirement already|WARNING:|Attempting|"
    r"Preparing|Getting|Building|Created wheel|Stored in|Successfully|Installing|Checking|Found existing|Uninstalling)"
)
_MB = {"k": 0.001, "M": 1.0, "G": 1000.0}


class Steps:
    """The state of one installation. ``say``: prints a line; ``installed``: how many packages are there."""

    def __init__(self, say: Callable[[str], None], installed: Callable[[], int]) -> None:
        self._say, self._installed = say, installed
        self._looked_up = 0
        self._megabytes = 0.0
        self._now = "looking up what is needed"
        self._wanted, self._before = 0, 0

    def hear(self, line: str) -> None:
        """A line of pip's."""
        text = line.strip()
        if _COLLECTING.match(text) and line[:1] != " ":
            self._looked_up += 1
        elif (fetched := _FETCHED.match(text)) is not None:
            size = float(fetched[3]) * _MB[fetched[4]]
            self._megabytes += size
            name = f"{fetched[1].replace('_', '-')} {fetched[2].partition('%2B')[0]} ({size:.1f} MB)"
            self._now = f"downloading {name}"
            if size >= LARGE:
                self._say(self._now)
        elif line[:1] != " " and (found := _INSTALLING.match(text)) is not None:
            self._wanted, self._before = len(found[1].split(",")), self._installed()
            self._say(f"installing {self._wanted} package{'s' * (self._wanted > 1)}; nothing more is downloaded")

    def wait(self) -> None:
        """Nothing new was said for a while."""
        if self._wanted:
            done = min(max(self._installed() - self._before, 0), self._wanted)
            self._say(f"installing, {done} of {self._wanted} done")
        elif self._looked_up:
            self._say(f"{self._looked_up} looked up, {self._megabytes:.0f} MB downloaded or at hand; {self._now}")
        else:
            self._say(self._now)


def timed(started: float) -> Callable[[str], None]:
    """Prints a line behind the minutes and seconds since ``started``."""

    def say(words: str) -> None:
        passed = int(time.monotonic() - started)
        print(f"  {passed // 60}:{passed % 60:02d}  {words}", flush=True)

    return say


def install(command: Sequence[str], folder: Path, site: Path, say: Callable[[str], None], quiet: bool = False) -> int:
    """Run pip, its work told by ``say``; its exit status. Where it fails its reasons are printed, unless ``quiet``.

    ``site``: where the packages are put.
    """
    spoken = [time.monotonic()]

    def told(words: str) -> None:
        spoken[0] = time.monotonic()
        say(words)

    steps, kept = Steps(told, lambda: sum(1 for _ in site.glob("*.dist-info"))), deque[str](maxlen=KEPT)
    pip = subprocess.Popen(
        [*command, "--progress-bar", "off"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, encoding="utf-8", errors="replace",
    )  # fmt: skip
    for line in _lines(pip):
        if line is not None:
            kept.append(line)
            steps.hear(line)
        if time.monotonic() - spoken[0] >= EVERY:
            steps.wait()
    code = pip.wait()
    if code != 0 and not quiet:
        print("".join(line for line in kept if not _CHATTER.match(line)), flush=True)
    return code


def _lines(program: subprocess.Popen[str]) -> Iterator[str | None]:
    """Its lines; None each second without one."""
    queue: Queue[str | None] = Queue()

    def read() -> None:
        for line in program.stdout or ():
            queue.put(line)
        queue.put(None)

    Thread(target=read, daemon=True).start()
    while True:
        try:
            line = queue.get(timeout=1.0)
        except Empty:
            yield None
            continue
        if line is None:
            return
        yield line
