"""One /bin/sh that takes commands one after another: on this machine, or at the other end of the system's own ssh.

A command costs a tenth of a millisecond this way, a new ssh each time about a second. Keys, agents, jump hosts and questions
(pass phrase, host key, second factor) are ssh's: from its configuration, its agent, the terminal or SSH_ASKPASS.
"""

from __future__ import annotations

import base64
import contextlib
import os
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

from ..machine.thread_start import NoThread, start_thread
from ..session import orphans
from .ssh_words import Unreachable, why_not

ANSWER_SECONDS = 60.0  # a file system that hangs longer is taken as gone
CONNECT_SECONDS = 150.0  # a person may have to type a pass phrase
PAUSES = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0)  # between tries to connect; the last one from then on
CHUNK_BYTES = 3 * 1024 * 1024  # of files sent in one command
LAST_WORDS_SECONDS = 0.5  # of a shell that has ended
STDERR_BYTES = 8000
_SSH = ("ssh", "-T", "-o", "ConnectTimeout=15", "-o", "ServerAliveInterval=10", "-o", "ServerAliveCountMax=3")
# Ctrl-C in a terminal is for the application; ssh keeps the terminal, since it may have to ask there
_WITHOUT_CTRL_C = ("/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh")


@dataclass(frozen=True)
class Answer:
    """``status``: of the last command; ``output``: what was printed on stdout."""

    status: int
    output: bytes

    @property
    def text(self) -> str:
        return self.output.decode("utf-8", "replace")


class Shell:
    """``host`` "": this machine. Connects when first used, and again after a cut; safe to use from several threads."""

    def __init__(self, host: str = "", options: Sequence[str] = ()) -> None:
        self.host = host
        self._command = [*_SSH, *options, "--", host, "exec /bin/sh"] if host else ["/bin/sh"]
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: _Reader | None = None
        self._failures = 0
        self._not_before = 0.0
        self._last: Unreachable | None = None

    @property
    def name(self) -> str:
        return f"“{self.host}”" if self.host else "this machine"

    def run(self, script: str, timeout: float = ANSWER_SECONDS) -> Answer:
        """What ``script`` (POSIX sh) prints, its errors included unless it says otherwise. Raises Unreachable.

        It runs in a subshell without input; whether it did anything before the connection was cut, nobody knows.
        """
        with self._lock:
            process, reader = self._connected()
            mark = secrets.token_hex(8)
            text = f"printf '\\n{mark}<\\n'\n(\n{script}\n) </dev/null 2>&1\nprintf '\\n{mark}>%d\\n' \"$?\"\n"
            try:
                assert process.stdin is not None
                process.stdin.write(text.encode("utf-8", "surrogateescape"))
                process.stdin.flush()
                return reader.answer(mark, timeout)
            except (OSError, EOFError, TimeoutError) as error:
                raise self._lost(error) from None

    def close(self) -> None:
        with self._lock:
            self._end()

    # ---------------------------------------------------------------- the connection

    def _connected(self) -> tuple[subprocess.Popen[bytes], _Reader]:
        if self._process is not None and self._reader is not None and self._process.poll() is None:
            return self._process, self._reader
        if time.monotonic() < self._not_before and self._last is not None:
            raise self._last
        self._end()
        try:
            process = _started(self._command)
        except OSError as error:
            raise self._lost(error) from None
        self._process = process
        mark = secrets.token_hex(8)
        try:
            self._reader = _Reader(process)
            assert process.stdin is not None
            process.stdin.write(f"printf '\\n{mark}<\\n\\n{mark}>0\\n'\n".encode())
            process.stdin.flush()
            self._reader.answer(mark, CONNECT_SECONDS)  # what a login prints before is passed over
        except (OSError, EOFError, TimeoutError, NoThread) as error:
            raise self._lost(error) from None
        self._failures, self._last = 0, None
        return process, self._reader

    def _lost(self, error: Exception) -> Unreachable:
        said = ""
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(LAST_WORDS_SECONDS)
        if self._reader is not None:
            said = self._reader.said()
        self._end()
        pause = PAUSES[min(self._failures, len(PAUSES) - 1)]
        self._failures += 1
        self._last = why_not(self.host, said, error)
        if self._last.asks:  # too many wrong answers lock an account
            pause = PAUSES[-1]
        self._not_before = time.monotonic() + pause
        return self._last

    def _end(self) -> None:
        process, self._process, self._reader = self._process, None, None
        if process is None:
            return
        for stream in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(OSError):
                if stream is not None and stream is process.stdin:
                    stream.close()
        try:
            process.wait(0.3)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def writing(data: bytes, path: str) -> str:
    """A command that adds ``data`` to the file ``path`` (quoted for sh), and leaves the script if it cannot."""
    return f"base64 -d >>{path} <<'END-OF-DATA' || exit\n{base64.encodebytes(data).decode()}END-OF-DATA\n"


def _started(command: Sequence[str]) -> subprocess.Popen[bytes]:
    environment = {
        name: text for name, text in os.environ.items() if name not in (orphans.RUN_VARIABLE, orphans.ENGINE_VARIABLE)
    }
    pipe = subprocess.PIPE
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        return subprocess.Popen(list(command), stdin=pipe, stdout=pipe, stderr=pipe, env=environment, creationflags=flags)
    return subprocess.Popen([*_WITHOUT_CTRL_C, *command], stdin=pipe, stdout=pipe, stderr=pipe, env=environment)


class _Reader:
    """What a shell prints, taken from its pipes by threads, so that waiting for it can end."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._changed = threading.Condition()
        self._data = bytearray()
        self._errors = b""
        self._over = False
        start_thread(self._read, "shell", process)
        self._errors_thread = start_thread(self._read_errors, "shell", process)

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        while True:
            try:
                data = os.read(process.stdout.fileno(), 1 << 16)
            except (OSError, ValueError):
                data = b""
            with self._changed:
                self._data += data
                self._over = not data
                self._changed.notify_all()
            if not data:
                process.stdout.close()
                return

    def _read_errors(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stderr is not None
        while True:
            try:
                data = os.read(process.stderr.fileno(), 4096)
            except (OSError, ValueError):
                data = b""
            if not data:
                process.stderr.close()
                return
            self._errors = (self._errors + data)[-STDERR_BYTES:]

    def said(self) -> str:
        """On its error stream, all of it once the shell has ended."""
        self._errors_thread.join(LAST_WORDS_SECONDS)
        return self._errors.decode("utf-8", "replace")

    def answer(self, mark: str, timeout: float) -> Answer:
        """What stands between the marks. Raises EOFError if the shell ends, TimeoutError."""
        end, deadline, looked = f"\n{mark}>".encode(), time.monotonic() + timeout, 0
        with self._changed:
            while True:
                at = self._data.find(end, max(0, looked - len(end)))
                line_end = self._data.find(b"\n", at + len(end)) if at >= 0 else -1
                if line_end >= 0:
                    break
                looked = len(self._data) if at < 0 else at
                if self._over:
                    raise EOFError("the connection was closed")
                left = deadline - time.monotonic()
                if left <= 0:
                    raise TimeoutError(f"no answer within {timeout:.0f} seconds")
                self._changed.wait(left)
            status = int(self._data[at + len(end) : line_end])
            begin = self._data.find(f"{mark}<\n".encode())
            output = bytes(self._data[begin + len(mark) + 2 : at]) if begin >= 0 else b""
            del self._data[: line_end + 1]
            return Answer(status, output)
