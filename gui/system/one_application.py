"""One running application for one user on one display: a further start hands over its files and ends.

The door is a local socket (a named pipe on Windows) that only this user may open; nothing of it is seen from the network. It
lies where a socket can be made: in the folder that the session has for it, else in a folder of the user's, else among the
temporary files.
Whatever goes wrong with it, the start simply opens a window of its own.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import stat
import sys
from functools import lru_cache
from pathlib import Path

import msgspec
import platformdirs
from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from bayescope.gui.analysis.session_files import home

ROOT = Path(__file__).parents[2]  # of the package
CONNECT_MS = 300  # a running application answers from its event loop; one that is not there refuses at once
ANSWER_MS = 3000  # one that does not answer in this time hangs, and a new one is opened
LONGEST_PATH = 90  # bytes of a socket's path: 104 on macOS, 108 on Linux, and Qt makes it in a folder beside it first
MOST_BYTES = 262_144  # a request of some thousand file names
TAKEN = b"taken\n"
_END = b"\n"


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a start asks for. ``files``: absolute paths."""

    files: tuple[str, ...] = ()
    example: str = ""
    check: bool = False


def door_name() -> str:
    """Of the socket: another for another user, data folder, display or copy of the program, and where that was updated since the
    running one began: a start then opens the new one beside it, not one more window of the old."""
    display = os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY", "")
    user = str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
    # the computer too: a home folder may be that of many
    program = sys.executable, str(Path(__file__).parent), code_stamp()
    told = "\n".join((user, platform.node(), str(home().absolute()), display, *program))
    name = f"bayescope-{hashlib.sha256(told.encode()).hexdigest()[:16]}"
    folder = None if sys.platform == "win32" else _private_folder(len(name))
    return name if folder is None else str(folder / name)


@lru_cache(1)
def code_stamp(root: Path = ROOT) -> str:
    """When the newest file of the code was written, as it was when this process first asked: a cheap look at every folder."""
    newest = 0
    for part in ("engine", "gui"):
        for folder, _, names in os.walk(root / part):
            for name in names if "__pycache__" not in folder else ():
                with contextlib.suppress(OSError):
                    newest = max(newest, os.stat(os.path.join(folder, name)).st_mtime_ns)
    return str(newest)


def _private_folder(room: int) -> Path | None:
    """A folder of this user alone where a socket with a name of ``room`` bytes can be made; None: there is none."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if runtime and _takes_sockets(Path(runtime), room):
        return Path(runtime)
    own = home() / "run" if os.environ.get("BAYESCOPE_HOME") else platformdirs.user_cache_path("Bayescope", appauthor=False)
    with contextlib.suppress(OSError):
        own.mkdir(parents=True, exist_ok=True, mode=0o700)
    return own.absolute() if _takes_sockets(own.absolute(), room) else None


def _takes_sockets(folder: Path, room: int) -> bool:
    """Whether it is this user's, nobody else may write there, and the whole path is one that a socket may have."""
    try:
        found = folder.stat()
    except OSError:
        return False
    private = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o022
    return private and os.access(folder, os.W_OK | os.X_OK) and len(os.fsencode(folder)) + 1 + room <= LONGEST_PATH


def pass_to_running(request: Request) -> bool:
    """True if a running application has taken it."""
    socket = QLocalSocket()
    socket.connectToServer(door_name())
    if not socket.waitForConnected(CONNECT_MS):
        return False
    socket.write(msgspec.json.encode(request) + _END)
    return socket.waitForReadyRead(ANSWER_MS) and bytes(socket.readAll().data()).startswith(TAKEN)


def _is_answered(name: str) -> bool:
    """Whether an application is behind the door: one that was started at the same moment."""
    socket = QLocalSocket()
    socket.connectToServer(name)
    return socket.waitForConnected(CONNECT_MS)


class Door(QObject):
    """``asked`` tells the Request of every further start. Nothing happens where no socket can be made."""

    asked = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._read: dict[QLocalSocket, bytes] = {}
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._take_visitor)
        name = door_name()
        if not _is_answered(name):
            QLocalServer.removeServer(name)  # of an application that was killed
            self._server.listen(name)

    @property
    def is_open(self) -> bool:
        return self._server.isListening()

    def close(self) -> None:
        self._server.close()

    def _take_visitor(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            self._read[socket] = b""
            socket.readyRead.connect(lambda s=socket: self._read_from(s))
            socket.disconnected.connect(lambda s=socket: self._forget(s))
            self._read_from(socket)

    def _forget(self, socket: QLocalSocket) -> None:
        if self._read.pop(socket, None) is not None:
            socket.deleteLater()

    def _read_from(self, socket: QLocalSocket) -> None:
        if socket not in self._read:
            return
        self._read[socket] += bytes(socket.readAll().data())
        text, end, _ = self._read[socket].partition(_END)
        if len(text) > MOST_BYTES:
            socket.abort()
        elif end:
            self._answer(socket, text)

    def _answer(self, socket: QLocalSocket, text: bytes) -> None:
        try:
            request = msgspec.json.decode(text, type=Request)
        except msgspec.MsgspecError:  # of another version: it opens a window of its own
            socket.abort()
            return
        socket.write(TAKEN)
        socket.flush()
        socket.disconnectFromServer()
        self.asked.emit(request)
