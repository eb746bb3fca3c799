"""One file fetched over HTTP: goes on where it was cut, and is used only if its checksum is the pinned one."""

from __future__ import annotations

import hashlib
import http.client
import os
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from ..problem.errors import SetupError
from ..session import atomic
from .wheels import Wheel

BLOCK = 2**20  # bytes between two looks at whether to stop
TIMEOUT_S = 30.0  # without a byte
CUTS = 5  # in a row, without a byte between them
PAUSE_S = 1.0  # after a cut; longer each time
LATER = "Nothing that came is lost: try again, and it goes on from there."
# Where systems keep their certificates, should the one that Python was built on have had another place
CERTIFICATES = (
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
)  # fmt: skip

Progress = Callable[[int], None]  # bytes of this file that are there
Stop = Callable[[], bool]


class Paused(Exception):
    """Somebody asked for it; what has come is kept."""


class _Cut(Exception):
    """The connection ended early, or a server had no time; trying again may help."""


def fetch(wheel: Wheel, url: str, target: Path, progress: Progress, stop: Stop, pause_s: float = PAUSE_S) -> None:
    """``wheel`` from ``url`` into ``target``; goes on with ``target``.part. Raises SetupError, Paused, OSError (the disk)."""
    part = target.with_name(f"{target.name}.part")
    cuts = 0
    while (before := _size(part)) != wheel.size:
        if before > wheel.size:
            part.unlink()
        try:
            _more(wheel, url, part, progress, stop)
        except _Cut as cut:
            cuts = 1 if _size(part) > before else cuts + 1
            if cuts >= CUTS or (before == 0 and _size(part) == 0):
                raise SetupError(f"{_host(url)} could not be reached: {cut}.", f"Is this computer online? {LATER}") from None
            time.sleep(pause_s * cuts)
    _require_checksum(wheel, part, stop)
    atomic.put_in_place(part, target, replace=True)


def _more(wheel: Wheel, url: str, part: Path, progress: Progress, stop: Stop) -> None:
    """One connection: the rest of the file, as far as it comes."""
    have = _size(part)
    asked = {"User-Agent": "Bayescope", "Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=asked), timeout=TIMEOUT_S, context=_context()) as answer:
            if have and not _goes_on(answer, have):
                have = 0  # a server without ranges sends all of it again
            _require_size(wheel, url, answer, have)
            with part.open("r+b" if have else "wb") as file:
                file.seek(have)
                _copy(answer, file, wheel.size, progress, stop)
    except urllib.error.HTTPError as error:
        if error.code == http.client.REQUESTED_RANGE_NOT_SATISFIABLE:
            part.unlink(missing_ok=True)
        if error.code < 500 and error.code not in (408, 416, 429):
            words = f"{_host(url)} has no {wheel.name} (it answered {error.code} {error.reason})."
            raise SetupError(words, "A newer version of Bayescope may know where it is.") from None
        raise _Cut(f"it answered {error.code} {error.reason}") from None
    except urllib.error.URLError as error:
        raise _Cut(str(getattr(error.reason, "strerror", None) or error.reason)) from None
    except (http.client.HTTPException, TimeoutError, ConnectionError, ssl.SSLError) as error:
        raise _Cut(str(error) or type(error).__name__) from None


def _copy(answer: http.client.HTTPResponse, file: BinaryIO, size: int, progress: Progress, stop: Stop) -> None:
    while file.tell() < size and (block := answer.read1(min(BLOCK, size - file.tell()))):
        file.write(block)
        progress(file.tell())
        if stop():
            raise Paused
    if file.tell() < size:
        raise _Cut("the connection was cut")


def _goes_on(answer: http.client.HTTPResponse, have: int) -> bool:
    """Whether the server sends what is missing, and nothing else."""
    sent = answer.headers.get("Content-Range") or ""
    return answer.status == http.client.PARTIAL_CONTENT and sent.startswith(f"bytes {have}-")


def _require_size(wheel: Wheel, url: str, answer: http.client.HTTPResponse, have: int) -> None:
    """Another file is seen before it is fetched."""
    said = answer.headers.get("Content-Length")
    if said is not None and said.isdigit() and have + int(said) != wheel.size:
        raise SetupError(f"What {_host(url)} calls {wheel.name} is another file: {have + int(said):,} bytes, not {wheel.size:,}.")


def _require_checksum(wheel: Wheel, part: Path, stop: Stop) -> None:
    found = hashlib.sha256()
    with part.open("rb") as file:
        while block := file.read(BLOCK):
            found.update(block)
            if stop():
                raise Paused
    if found.hexdigest() != wheel.sha256:
        part.unlink()
        raise SetupError(
            f"What came as {wheel.name} is not the file that Bayescope knows (its checksum differs); it was deleted.",
            "Try again; if it comes again, something between here and the server changes files.",
        )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _host(url: str) -> str:
    parts = url.split("/")
    return parts[2] if len(parts) > 2 and parts[2] else url


def _context() -> ssl.SSLContext:
    """Certificates of this system, wherever it keeps them: the packed application's Python knows only Debian's place."""
    context = ssl.create_default_context()
    known = ssl.get_default_verify_paths()
    if not (known.cafile or (known.capath and os.listdir(known.capath))):
        for name in CERTIFICATES:
            if os.path.exists(name):
                context.load_verify_locations(name)
                break
    return context
