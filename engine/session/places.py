"""Where the application keeps its own files: drafts, key, logs. A folder that cannot be written is never a reason to stop."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

import platformdirs


def home() -> Path:
    """The application's data folder; ``BAYESCOPE_HOME`` overrides it (tests, portable use). It may not exist yet."""
    chosen = os.environ.get("BAYESCOPE_HOME")
    return Path(chosen) if chosen else Path(platformdirs.user_data_dir("Bayescope", appauthor=False))


def writable(folder: Path) -> Path:
    """``folder``, made if need be; on a read-only home a folder of this user among the temporary files."""
    user = str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    for place in (folder, Path(tempfile.gettempdir()) / f"bayescope-{user}" / folder.name):
        try:
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError:
            continue
        if os.access(place, os.W_OK):
            return place
    return Path(tempfile.gettempdir())


def logs_folder() -> Path:
    """Where ``window.log`` and ``engine.log`` are written."""
    return writable(home() / "logs")


def is_draft(path: Path) -> bool:
    return path.resolve().is_relative_to((home() / "drafts").resolve())


def safe_stem(name: str) -> str:
    """``name`` as a file name that every system takes: letters, digits, dot, dash, underscore; at most 60 characters."""
    stem = re.sub(r"[^\w.-]+", "-", name, flags=re.ASCII).strip(".-_")[:60]
    return stem or "analysis"
