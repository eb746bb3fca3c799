"""A command line as somebody would type it, for showing and for copying."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Sequence


def command_text(words: Sequence[object]) -> str:
    """``words`` with quotes where they are needed; control characters are shown, never sent to a terminal."""
    plain = [str(word) for word in words]
    line = subprocess.list2cmdline(plain) if sys.platform == "win32" else shlex.join(plain)
    return visible(line)


def visible(text: str, keep: str = "") -> str:
    """``text`` with every control character but those in ``keep`` written out (``\\x1b``)."""
    return "".join(c if c in keep or c.isprintable() else ascii(c)[1:-1] for c in text)
