"""Reading a text file that somebody else wrote: size limit, encoding, and words for what is no text at all."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .binary_files import BinaryFile, binary_file, control_share, data_advice, input_advice, output_advice, unknown
from .errors import ProblemError
from .numbers.shown_digits import spoken

Use = Literal["output", "data", "input"]
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True)
class TextFile:
    """Line ends are as in the file; ``encoding`` is a Python codec name."""

    text: str
    encoding: str


class NotText(ProblemError):
    """A file is no text; ``binary``: its kind."""

    def __init__(self, name: str, reason: str, binary: BinaryFile | None = None) -> None:
        self.binary = binary or unknown(name)
        super().__init__(f"The file {name} is not a text file: {reason}.", "", "Choose a plain text file.")


def advice(error: ProblemError, use: Use) -> str:
    """What to try where a file could not be read: of one that is no text, how to make a text of it for this use."""
    if not isinstance(error, NotText):
        return error.suggestion
    return {"output": output_advice, "data": data_advice, "input": input_advice}[use](error.binary)


def read_bytes(path: Path, max_bytes: int) -> bytes:
    """The bytes of an ordinary file. Raises ProblemError if it is missing, no file, unreadable or too large."""
    data = _beginning(path, max_bytes + 1)
    if len(data) > max_bytes:
        raise ProblemError(f"The file {path} is larger than {spoken(max_bytes / 1e6)} MB.", "", "Choose a smaller file.")
    return data


def read_beginning(path: Path, most_bytes: int) -> tuple[TextFile, bool]:
    """The text in the first ``most_bytes`` of a file, and whether there is more. Raises ProblemError."""
    data = _beginning(path, most_bytes + 1)
    return decode(data[:most_bytes], path.name), len(data) > most_bytes


def check_ordinary(path: Path) -> None:
    """Raises ProblemError unless it is a file, or a link to one."""
    if not path.exists():
        raise ProblemError(f"The file {path} does not exist.", "", "Check the name and the folder.")
    if not path.is_file():
        kind = "a folder" if path.is_dir() else "not an ordinary file"
        raise ProblemError(f"{path} is {kind}.", "", "Choose a file.")


def _beginning(path: Path, n: int) -> bytes:
    try:
        check_ordinary(path)
        with path.open("rb") as stream:
            return stream.read(n)
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the name
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        if isinstance(error, ProblemError):
            raise
        raise ProblemError(f"The file {path} cannot be read: {reason}.") from error


def decode(data: bytes, name: str) -> TextFile:
    """Text out of bytes: UTF-8, UTF-16 or UTF-32 with a byte order mark, else Latin-1 (Windows-1252).

    Raises NotText, calling the file ``name``, if it is an image, an archive, or otherwise no text.
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return TextFile(_decoded(data, encoding, name), encoding)
    if (binary := binary_file(data, name)) is not None:
        raise NotText(name, f"it looks like {binary.words}", binary)
    if b"\x00" in data:
        raise NotText(name, "it holds zero bytes")
    if control_share(data[:65536]) > 0.02:
        raise NotText(name, "it is full of control characters")
    try:
        return TextFile(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError as error:
        whole = data[: error.start].decode("utf-8")
        if error.reason == "unexpected end of data" and not whole.isascii():
            return TextFile(whole, "utf-8")  # cut off in the middle of its last character
    try:
        return TextFile(data.decode("cp1252"), "cp1252")
    except UnicodeDecodeError:
        return TextFile(data.decode("latin-1"), "latin-1")


def read_text(path: Path, max_bytes: int, use: Use | None = None) -> TextFile:
    """The text of a file; ``use``: what for. Raises ProblemError, with what to try where it is no text."""
    try:
        return decode(read_bytes(path, max_bytes), path.name)
    except NotText as error:
        if use is None:
            raise
        raise ProblemError(error.what, error.where, advice(error, use)) from error


def _decoded(data: bytes, encoding: str, name: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise NotText(name, f"it claims the encoding {encoding} but is damaged") from error
