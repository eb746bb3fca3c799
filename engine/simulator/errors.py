"""The error of this room: something about the set-up (not about one point) stops a simulator from being run."""

from __future__ import annotations


class SetupError(Exception):
    """What happened, where, and what to try; ``str()`` joins ``message`` and ``suggestion``."""

    def __init__(self, message: str, suggestion: str = "") -> None:
        self.message = message
        self.suggestion = suggestion
        super().__init__(f"{message} {suggestion}".strip())
