"""How a command ends: its exit status, and the exception that ends it with a sentence."""

from __future__ import annotations

OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130


class Failure(Exception):
    """Ends a command with a sentence and exit status 1."""
