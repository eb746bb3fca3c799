"""One /bin/sh that takes commands one after another: on this machine, or at the other end of the system's own ssh.

A command costs a tenth of a millisecond this way, a new ssh each time about a second. Keys, agents, jump hosts and questions
(pass phrase, host key, second factor) are ssh's: from its configuration, its agent, the terminal or SSH_ASKPASS.
"""

from __future__ import annotations

import base64
import contextlib
import io
import os
import secrets
import subprocess
import sys
import tarfile
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ..machine.thread_start import NoThread, start_thread
from ..session import orphans
from .ssh_words import Unreachable, slow_login, why_not

ANSWER_SECONDS = 60.0  # a file system that hangs longer is taken as gone
CONNECT_SECONDS = 150.0  # a person may have to type a pass phrase
SLOW_LOGIN_SECONDS = 30.0  # of a login that is told of while it lasts: most take two seconds
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
    """``host`` "": this machine. Connects when first used, and again after a cut.

    Several threads may use it: their commands are sent at once and run there in that order, none waits for an answer to another.
    ``slow`` gets a sentence of a login that does not answer for long, and "" when one has answered after all.
    """

    def __init__(self, host: str = "", options: Sequence[str] = ()) -> None:
        self.host = host
        self._command = [*_SSH, *options, "--", host, "exec /bin/sh"] if host else ["/bin/sh"]
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: _Reader | None = None
        self._failures = 0
        self._not_before = 0.0
        self._last: Unreachable | None = None
        self.slow: Callable[[str], None] = lambda words: None
        self._slow_told = False

    @property
    def name(self) -> str:
        return f"“{self.host}”" if self.host else "this machine"

    def run(self, script: str, timeout: float = ANSWER_SECONDS) -> Answer:
        """What ``script`` (POSIX sh) prints, its errors included unless it says otherwise. Raises Unreachable.

        It runs in a subshell without input; whether it did anything before the connection was cut, nobody knows.
        """
        mark = secrets.token_hex(8)
        text = f"printf '\\n{mark}<\\n'\n(\n{script}\n) </dev/null 2>&1\nprintf '\\n{mark}>%d\\n' \"$?\"\n"
        with self._lock:
            process, reader = self._connected()
            try:
                reader.expect(mark)
                assert process.stdin is not None
                process.stdin.write(text.encode("utf-8", "surrogateescape"))
                process.stdin.flush()
            except OSError as error:
                raise self._lost(process, error) from None
        try:
            return reader.answer(mark, timeout)
        except (EOFError, TimeoutError) as error:
            process.kill()  # another thread may hold the lock while it writes what nobody reads any more
            with self._lock:
                raise self._lost(process, error) from None

    def close(self) -> None:
        with self._lock:
            self._end()

    def hurry(self) -> None:
        """The next command tries to connect, whenever the last try was."""
        self._not_before = 0.0

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
            raise self._lost(None, error) from None
        self._process = process
        mark = secrets.token_hex(8)
        try:
            reader = self._reader = _Reader(process)
            reader.expect(mark)
            assert process.stdin is not None
            process.stdin.write(f"printf '\\n{mark}<\\n\\n{mark}>0\\n'\n".encode())
            process.stdin.flush()
            self._wait_for_login(reader, mark)  # what it prints before is passed over
            reader.forget_errors()
        except (OSError, EOFError, TimeoutError, NoThread) as error:
            raise self._lost(process, error) from None
        self._failures, self._last = 0, None
        return process, reader

    def _wait_for_login(self, reader: _Reader, mark: str) -> None:
        """Raises EOFError, TimeoutError."""
        try:
            reader.answer(mark, SLOW_LOGIN_SECONDS)
        except TimeoutError:
            self._slow_told = True
            self.slow(slow_login(self.host, SLOW_LOGIN_SECONDS))
            reader.answer(mark, CONNECT_SECONDS)
        if self._slow_told:
            self._slow_told = False
            self.slow("")

    def _lost(self, process: subprocess.Popen[bytes] | None, error: Exception) -> Unreachable:
        """Of all whose commands went to ``process`` the first one finds out why, and the others are told the same."""
        if process is not self._process:
            return self._last or why_not(self.host, "", error)
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
        process, reader, self._process, self._reader = self._process, self._reader, None, None
        if reader is not None:
            reader.end()
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


def archive_of(files: Mapping[str, str]) -> bytes:
    """``files`` (name -> text) as one tar archive; scripts may be run."""
    whole = io.BytesIO()
    with tarfile.TarFile(fileobj=whole, mode="w", format=tarfile.GNU_FORMAT, errors="surrogateescape") as archive:
        for name, text in files.items():
            data = text.encode("utf-8", "surrogateescape")
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(data), 0o755 if name.endswith(".sh") else 0o644
            archive.addfile(entry, io.BytesIO(data))
    return whole.getvalue()


def unpacking(archive: bytes) -> str:
    """Commands that unpack ``archive`` into the folder where they run, and leave the script if they cannot."""
    return f"base64 -d <<'END-OF-DATA' | tar -xmof - || exit\n{base64.encodebytes(archive).decode()}END-OF-DATA\n"


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
    """What a shell prints, taken from its pipes by threads, so that waiting for it can end, and several can wait."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._changed = threading.Condition()
        self._data = bytearray()
        self._looked = 0  # how far the mark that is expected next was looked for
        self._errors = b""
        self._over = False
        self._expected: deque[str] = deque()  # marks in the order in which they will come
        self._answers: dict[str, Answer] = {}
        self._first_since = 0.0  # when the command whose mark is expected next began to run
        start_thread(self._read, "shell", process)
        self._errors_thread = start_thread(self._read_errors, "shell", process)

    def expect(self, mark: str) -> None:
        """A command that ends with ``mark`` is about to be sent."""
        with self._changed:
            if not self._expected:
                self._first_since = time.monotonic()
            self._expected.append(mark)

    def end(self) -> None:
        """Nothing more is expected."""
        with self._changed:
            self._over = True
            self._changed.notify_all()

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        while True:
            try:
                data = os.read(process.stdout.fileno(), 1 << 16)
            except (OSError, ValueError):
                data = b""
            with self._changed:
                self._data += data
                if self._take_answers() or not data:
                    self._over = self._over or not data
                    self._changed.notify_all()
            if not data:
                process.stdout.close()
                return

    def _take_answers(self) -> bool:
        """Whether one is complete; the caller holds the lock."""
        found = False
        while self._expected:
            mark = self._expected[0]
            end = f"\n{mark}>".encode()
            at = self._data.find(end, max(0, self._looked - len(end)))
            line_end = self._data.find(b"\n", at + len(end)) if at >= 0 else -1
            if line_end < 0:
                self._looked = len(self._data) if at < 0 else at
                return found
            begin = self._data.find(f"{mark}<\n".encode())
            output = bytes(self._data[begin + len(mark) + 2 : at]) if begin >= 0 else b""
            self._answers[mark] = Answer(int(self._data[at + len(end) : line_end]), output)
            del self._data[: line_end + 1]
            self._expected.popleft()
            self._looked, self._first_since, found = 0, time.monotonic(), True
        return found

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

    def forget_errors(self) -> None:
        """What a login says there: all that comes later is ssh's own."""
        self._errors = b""

    def answer(self, mark: str, timeout: float) -> Answer:
        """What stands between the marks. ``timeout``: seconds that its own command may take.

        Raises EOFError if the shell ends, TimeoutError.
        """
        with self._changed:
            while mark not in self._answers:
                if self._over:
                    raise EOFError("the connection was closed")
                left = None
                if self._expected[0] == mark:
                    left = self._first_since + timeout - time.monotonic()
                    if left <= 0:
                        raise TimeoutError(f"no answer within {timeout:.0f} seconds")
                self._changed.wait(left)
            return self._answers.pop(mark)
