"""Text for a terminal. Names, reasons and programs' output come from anybody: nothing in them may steer the terminal."""

from __future__ import annotations

import sys

from ..problem.command_text import visible


def say(*lines: str) -> None:
    """Lines on stdout; control, invisible and reordering characters are written out."""
    for line in lines:
        print(visible(line, keep="\n\t"))


def warn(*lines: str) -> None:
    """Lines on stderr, likewise."""
    for line in lines:
        print(visible(line, keep="\n\t"), file=sys.stderr, flush=True)
