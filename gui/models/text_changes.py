"""In which lines a text differs from an earlier one, and which line stands beside which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

THOROUGH = 2_000  # lines; longer texts are compared line by line first, since difflib may take seconds for them
MOSTLY_EQUAL = 0.1  # share of lines that may differ for two long texts to be taken for the same lines, changed in place


@dataclass(frozen=True)
class Changes:
    """Blocks (a0, a1, b0, b1): lines [a0, a1) of the original stand as lines [b0, b1) in the text. Counted from 0."""

    blocks: tuple[tuple[int, int, int, int], ...] = ()

    @property
    def count(self) -> int:
        """How many lines differ: changed, added or left out."""
        return sum(max(a1 - a0, b1 - b0) for a0, a1, b0, b1 in self.blocks)

    def lines(self) -> list[int]:
        """The lines of the text that are changed or new; where lines were left out, the line that follows."""
        return sorted({line for _, _, b0, b1 in self.blocks for line in range(b0, max(b1, b0 + 1))})

    def original_lines(self) -> list[int]:
        return sorted({line for a0, a1, _, _ in self.blocks for line in range(a0, max(a1, a0 + 1))})

    def in_original(self, line: int) -> int:
        """The line of the original beside a line of the text."""
        return _beside(line, [(b0, b1, a0, a1) for a0, a1, b0, b1 in self.blocks])

    def in_text(self, line: int) -> int:
        """The line of the text beside a line of the original."""
        return _beside(line, self.blocks)

    def words(self) -> str:
        if not self.count:
            return "Same as the original"
        return f"{self.count:,} line{'s differ' if self.count > 1 else ' differs'} from the original"


def changes(original: str, text: str) -> Changes:
    """What stands in other words in ``text`` than in ``original``; line ends alone are no difference."""
    a, b = original.split("\n"), text.split("\n")
    if max(len(a), len(b)) <= THOROUGH:
        return Changes(_blocks(a, b, 0))
    if len(a) == len(b):
        differ = [i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y]
        if len(differ) <= MOSTLY_EQUAL * len(a):
            return Changes(tuple((i, i + 1, i, i + 1) for i in differ))
    head = 0
    while head < min(len(a), len(b)) and a[head] == b[head]:
        head += 1
    tail = 0
    while tail < min(len(a), len(b)) - head and a[-1 - tail] == b[-1 - tail]:
        tail += 1
    return Changes(_blocks(a[head : len(a) - tail], b[head : len(b) - tail], head))


def _blocks(a: Sequence[str], b: Sequence[str], offset: int) -> tuple[tuple[int, int, int, int], ...]:
    matcher = SequenceMatcher(None, a, b, autojunk=max(len(a), len(b)) > THOROUGH)
    found = [(i, j, k, m) for tag, i, j, k, m in matcher.get_opcodes() if tag != "equal"]
    return tuple((i + offset, j + offset, k + offset, m + offset) for i, j, k, m in found)


def _beside(line: int, blocks: Sequence[tuple[int, int, int, int]]) -> int:
    """``line`` counted in the first of two texts, in the second."""
    shift = 0
    for a0, a1, b0, b1 in blocks:
        if line < a0:
            break
        if line < a1:
            return min(line - a0 + b0, max(b0, b1 - 1))
        shift = b1 - a1
    return line + shift
