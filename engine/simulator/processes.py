"""Starting simulators, waiting for them, and ending them with everything they started.

Each run gets its own process group (Linux, macOS) or job object (Windows), and a tag in its environment that all
its descendants inherit. A descendant that left the group (``setsid``) is found as a known descendant, as an orphan
adopted by this process (Linux), or by its tag. What differs by platform is in platform_posix.py and platform_windows.py.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from ..session import orphans
from ..session.adoption import become_subreaper
from .guardian import guardian

if sys.platform == "win32":
    from . import platform_windows as platform
else:
    from . import platform_posix as platform

UNKILLABLE_S = 10.0  # a process stuck in a dead network drive cannot be killed; it must not hold the analysis
LINGER_S = 0.3  # a helper of a script often ends just after it: that is not left behind

_lock = threading.Lock()
_running: dict[int, SimulatorProcess] = {}
_orphans: dict[tuple[int, int], set[int]] = {}  # (pid, start time) -> runs that may have left it
_prepared = False


class SimulatorProcess:
    """One started simulator. Use ``start``; then ``wait`` until it is over and ``finish`` always."""

    def __init__(self, popen: subprocess.Popen[bytes], tag: str, handle: platform.Handle, group: str) -> None:
        self.tag = tag
        self.group = group
        self.pid = popen.pid
        self._popen = popen
        self._handle = handle
        self._since = platform.start_time(popen.pid) or 0
        self._known: dict[int, int] = {}  # descendants ever seen: pid -> start time

    @classmethod
    def start(
        cls,
        arguments: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        stdin: BinaryIO | int,
        stdout: BinaryIO,
        stderr: BinaryIO,
    ) -> SimulatorProcess:
        """Start it. Raises OSError or ValueError as subprocess does."""
        _prepare()
        tag = f"{orphans.engine_id()}/{uuid.uuid4().hex}"
        tagged = {**environment, orphans.RUN_VARIABLE: tag}
        group = orphans.new_group()
        with _lock:  # so that nobody takes the new child for an adopted orphan before it is registered
            popen = subprocess.Popen(
                list(arguments), cwd=folder, env=tagged, stdin=stdin, stdout=stdout, stderr=stderr,
                **platform.start_options(),
            )  # fmt: skip
            orphans.join_group(group, popen.pid)
            process = cls(popen, tag, platform.attach(popen), group)
            _running[popen.pid] = process
        guardian.started(popen.pid)
        return process

    def wait(self, seconds: float) -> bool:
        """True as soon as the program itself has ended; False after ``seconds``."""
        return self._popen.poll() is not None or platform.wait(self._popen, self._handle, seconds)

    @property
    def exit_code(self) -> int | None:
        """As subprocess: negative for a signal; None while it runs."""
        return self._popen.returncode

    def descendants(self) -> list[int]:
        """The program and everything it started that still lives (remembered, so that orphans are not lost)."""
        for pid in {*platform.descendants([self.pid, *self._known]), *orphans.in_group(self.group)}:
            if pid not in self._known and pid != self.pid:
                started = platform.start_time(pid)
                if started is not None:
                    self._known[pid] = started
        alive = [pid for pid, started in self._known.items() if platform.start_time(pid) == started]
        self._known = {pid: self._known[pid] for pid in alive}
        return ([self.pid] if self._popen.poll() is None else []) + alive

    def memory(self) -> int:
        """Resident bytes of the whole tree."""
        return sum(platform.resident_bytes(pid) for pid in self.descendants())

    def stop(self, grace: float) -> None:
        """Ask the whole tree to end; after ``grace`` seconds end what is left."""
        if grace > 0.0 and platform.ASKS_POLITELY:
            everything = self.descendants()
            platform.signal_tree(self._handle, self.pid, everything, signal.SIGTERM)
            deadline = time.monotonic() + grace
            while time.monotonic() < deadline:
                self.wait(min(0.05, grace))
                if not self._survivors():
                    break
        self.kill()

    def kill(self) -> None:
        """End the whole tree at once."""
        self.descendants()
        platform.kill_tree(self._handle, self.pid, list(self._known))
        self.wait(UNKILLABLE_S)
        self._end_survivors(thorough=True)

    def finish(self) -> int:
        """After the program ended: end whatever it left behind, forget it. How many processes were left."""
        left = self._end_survivors(thorough=False, patience=LINGER_S)
        with _lock:
            _note_orphans()
            _running.pop(self.pid, None)
            left += _end_orphans_of(self.pid)
        orphans.end_group(self.group)
        guardian.ended(self.pid)
        platform.detach(self._handle)
        return left

    def _end_survivors(self, thorough: bool, patience: float = 0.0) -> int:
        """After ``patience`` seconds in which they may end by themselves. How many had to be ended."""
        ended: set[int] = set()
        killed, pause = False, 0.001
        until = time.monotonic() + patience
        for _ in range(400):  # a fork bomb may win a few rounds; 400 are about 20 s
            alive = self._survivors(thorough=thorough or bool(ended))
            if not alive and (killed or not platform.group_alive(self._handle, self.pid)):
                break
            if killed or time.monotonic() >= until:
                ended.update(alive)
                platform.kill_tree(self._handle, self.pid, alive)
                killed = True
            time.sleep(pause)
            pause = min(2 * pause, 0.05)
            orphans.reap(ended)
        return len(ended)

    def _survivors(self, thorough: bool = False) -> list[int]:
        """Living processes of this run, without the program itself once it has ended."""
        with _lock:
            ours = set(_running)
        found = {pid for pid in self.descendants() if not orphans.is_zombie(pid)}
        adopted = platform.adopted(ours)
        found.update(orphans.tagged(self.tag, platform.orphan_candidates(adopted, self._since)))
        if platform.group_alive(self._handle, self.pid):
            found.update(platform.group_members(self._handle, self.pid))
        if thorough:
            found.update(pid for pid in orphans.tagged(self.tag) if not orphans.is_zombie(pid))
        return [pid for pid in found if pid != os.getpid()]


def _note_orphans() -> None:
    """Adopted processes that carry no tag (their environment was cleared): any run under way may have left them."""
    for pid in platform.adopted({*_running, guardian.pid}):
        started = platform.start_time(pid)
        if started is not None and (pid, started) not in _orphans and not orphans.tag_of(pid):
            owners = {run.pid for run in _running.values() if run._since <= started}
            if owners:
                _orphans[pid, started] = owners


def _end_orphans_of(run: int) -> int:
    """A run is over: end the untagged orphans that only it, or runs ended before it, can have left. How many."""
    ended = 0
    for (pid, started), owners in list(_orphans.items()):
        owners.discard(run)
        if not owners:
            del _orphans[pid, started]
            if platform.start_time(pid) == started:
                for descendant in platform.descendants([pid]):
                    orphans.kill(descendant)
                orphans.kill(pid)
                orphans.reap([pid])
                ended += 1
    return ended


def _prepare() -> None:
    """Once per process: adopt orphans, start the guardian."""
    global _prepared
    if not _prepared:
        become_subreaper()
        orphans.end_groups_of_the_dead()
        platform.prepare()
        _prepared = True
    guardian.ensure()
