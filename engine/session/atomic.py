"""Files written whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from .errors import SessionError


def write(path: Path | str, content: bytes) -> None:
    """Write beside ``path``, flush, and rename over it. Raises SessionError; an old file of that name is then untouched."""
    path = Path(path)
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        try:
            with open(part, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise SessionError(
            f"The file could not be written ({error.strerror or error})",
            str(path),
            "Check that the folder is there, that you may write to it, and that the disk has room.",
        ) from error
