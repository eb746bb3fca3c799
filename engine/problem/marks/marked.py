"""What is marked in a text, as far as ways to read it are sought."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from ..extract.reading import Line
from .selected import Selection

Repeat = Literal["", "first", "this", "last", "loop", "all", "on", "up"]  # on, up: this and all below, above


class Marked(Protocol):
    """What is marked in a text, as far as regions are sought for it; ``other``: the lines of the same text of another run."""

    @property
    def text(self) -> str: ...
    @property
    def lines(self) -> Sequence[Line]: ...
    @property
    def other(self) -> Sequence[Line] | None: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def selection(self) -> Selection: ...
