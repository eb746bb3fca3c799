"""Extra files on another computer: sent once, under the digest of their content, for every run that needs them."""

from __future__ import annotations

import hashlib
import os
import shlex
import threading
import time
from pathlib import Path

from ..problem.errors import SetupError
from ..session.folders import files_below
from .shell import CHUNK_BYTES, Shell, writing
from .ssh_words import NotUsable

FOLDER = "files"  # in the folder for runs there
FILE_SECONDS = 600.0  # for a few megabytes over a slow line


class StoreThere:
    """``root``: the folder for runs there. Keeps in mind what is there already, and the digests of unchanged files."""

    def __init__(self, shell: Shell, root: str) -> None:
        self._shell, self._root = shell, root
        self._lock = threading.Lock()
        self._sent: set[str] = set()
        self._digests: dict[Path, tuple[object, str]] = {}

    def bring(self, path: Path) -> str:
        """Where the file or folder ``path`` of this machine lies there. Raises SetupError, Unreachable."""
        with self._lock:
            try:
                digest = self._digest(path)
            except OSError as error:
                raise SetupError(f"The extra file “{path}” cannot be read: {error.strerror}.", "Choose it again.") from None
            place = f"{self._root}/{FOLDER}/{digest}"
            if digest in self._sent:
                return place
            quoted = shlex.quote(place)
            folder = shlex.quote(f"{self._root}/{FOLDER}")
            if self._shell.run(f"mkdir -p {folder} && [ -e {quoted} ]").status:
                try:
                    self._send(path, quoted)
                except OSError as error:
                    raise SetupError(f"The extra file “{path}” cannot be read: {error.strerror}.", "Choose it again.") from None
            self._sent.add(digest)
            return place

    def _digest(self, path: Path) -> str:
        files = [("", path)] if path.is_file() else [(name, Path(entry)) for name, entry in sorted(files_below(path))]
        states = tuple((name, s.st_size, s.st_mtime_ns, s.st_ino) for name, file in files for s in [file.stat()])
        known = self._digests.get(path)
        if known is not None and known[0] == states:
            return known[1]
        total = hashlib.sha256(b"file" if path.is_file() else b"folder")
        for name, file in files:
            with file.open("rb") as stream:
                content = hashlib.file_digest(stream, "sha256").digest()
            executable = os.access(file, os.X_OK)
            total.update(name.encode("utf-8", "surrogateescape") + b"\0" + content + (b"x" if executable else b"-"))
        self._digests[path] = (states, total.hexdigest())
        return total.hexdigest()

    def _send(self, path: Path, quoted: str) -> None:
        """Piece by piece into a folder of another name, which gets its own at last. Raises SetupError, Unreachable, OSError."""
        new = f"{quoted}.new"
        self._told(path, f"rm -rf {new} && mkdir {new}")
        files = [("", path)] if path.is_file() else [(f"/{name}", Path(entry)) for name, entry in files_below(path)]
        batch, size = [] if path.is_file() else [f"mkdir {new}/content || exit"], 0
        for name, file in files:
            target = f"{new}/content" + (shlex.quote(name) if name else "")
            batch.append(f'mkdir -p "$(dirname {target})" && : >{target} || exit')
            with file.open("rb") as stream:
                while data := stream.read(CHUNK_BYTES):
                    batch.append(writing(data, target))
                    size += len(data)
                    if size >= CHUNK_BYTES:
                        self._told(path, "\n".join(batch))
                        batch, size = [], 0
            stamp = time.strftime("%Y%m%d%H%M.%S", time.gmtime(file.stat().st_mtime))
            batch.append(f"TZ=UTC0 touch -t {stamp} {target}" + (f"; chmod u+x {target}" if os.access(file, os.X_OK) else ""))
        self._told(path, "\n".join(batch))
        name_it = f"{{ [ -e {quoted} ] || mv {new}/content {quoted}; }} && chmod -R a-w {quoted}; s=$?; rm -rf {new}; exit $s"
        self._told(path, name_it)

    def _told(self, path: Path, script: str) -> None:
        answer = self._shell.run(script, FILE_SECONDS)
        if answer.status:
            said = answer.text.strip()[-300:]
            raise NotUsable(f"“{path.name}” could not be sent to {self._shell.name}: {said}.", NO_ROOM)


NO_ROOM = "Is there room, a quota left, and may you write to that folder?"
