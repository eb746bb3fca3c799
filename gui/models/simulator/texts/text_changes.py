"""In which lines a text differs from an earlier one, and which line stands beside which."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from bayescope.engine.problem.placeholders import SEED

_MARK = re.compile(r"@[^@\s]+@")  # a parameter in a deck
THOROUGH = 2_000  # lines; longer texts are compared line by line first, since difflib may take seconds for them
MOSTLY_EQUAL = 0.1  # share of lines that may differ for two long texts to be taken for the same lines, changed in place


@dataclass(frozen=True)
class Changes:
    """Blocks (a0, a1, b0, b1): lines [a0, a1) of the original stand as lines [b0, b1) in the text. Counted from 0."""

    blocks: tuple[tuple[int, int, int, int], ...] = ()
    marked_only: bool = False  # placeholders stand in place of the original's numbers, and nothing else differs
    seeded: int = 0  # of its lines, those whose placeholders are the random seed alone

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
        if self.marked_only:
            return f"{_held(self.count - self.seeded, self.seeded)}, else as the original"
        return f"{self.count:,} line{'s differ' if self.count > 1 else ' differs'} from the original"


def changes(original: str, text: str) -> Changes:
    """What stands in other words in ``text`` than in ``original``; line ends alone are no difference."""
    found = _changes(original.split("\n"), text.split("\n"))
    a, b = original.split("\n"), text.split("\n")
    if not found.blocks or not _marked_only(found, a, b):
        return found
    changed = [_MARK.findall(line) for _, _, b0, b1 in found.blocks for line in b[b0:b1]]
    return replace(found, marked_only=True, seeded=sum(set(marks) == {f"@{SEED}@"} for marks in changed))


def _held(parameters: int, seeds: int) -> str:
    """How many lines hold a parameter, and how many the random seed."""
    counted = [(parameters, "a parameter"), (seeds, "the random seed")]
    said = [f"{n:,} line{'s hold' if n > 1 else ' holds'} {what}" for n, what in counted if n]
    return " and ".join(said)


def _marked_only(found: Changes, a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether every changed line of ``b`` is that of ``a`` with parameters in place of something."""
    return all(
        a1 - a0 == b1 - b0 and all(map(_differs_by_marks, a[a0:a1], b[b0:b1])) for a0, a1, b0, b1 in found.blocks
    )


def _differs_by_marks(before: str, now: str) -> bool:
    parts = _MARK.split(now)
    return len(parts) > 1 and re.fullmatch("(\\s*\\S+?)".join(map(re.escape, parts)), before) is not None


def _changes(a: Sequence[str], b: Sequence[str]) -> Changes:
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
