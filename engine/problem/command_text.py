"""A command line as somebody would type it, for showing and for copying."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Sequence

from .numbers.number_characters import INVISIBLE

_BLANK = re.compile(f"[{INVISIBLE}\u2800]")  # letters and marks of some scripts that are drawn as nothing


def command_text(words: Sequence[object]) -> str:
    """``words`` with quotes where they are needed; control characters are shown, never sent to a terminal."""
    plain = [str(word) for word in words]
    line = subprocess.list2cmdline(plain) if sys.platform == "win32" else shlex.join(plain)
    return visible(line)


def visible(text: str, keep: str = "") -> str:
    """``text`` with every character that cannot be seen, but those in ``keep``, written out (``\\x1b``)."""
    return "".join(c if c in keep or (c.isprintable() and not _BLANK.match(c)) else ascii(c)[1:-1] for c in text)
