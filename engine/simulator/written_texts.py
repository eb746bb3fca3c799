"""What two test runs wrote, line by line, while no output is marked yet: is it the same, and where is it not?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import numpy as np

from ..answer.same_outputs import IGNORES, ONCE_MARKED
from ..problem.numbers.number_text import NUMBER, value_of
from ..problem.run_times import without_times
from . import run_folder

MOST_BYTES = 2_000_000  # of a stream or file that is compared
MOST_SHOWN = 60  # characters of a line that is quoted
PRINTED = "printed text"
COPIED = 0.01  # relative: a program may print its input with few digits
_NUMBER = re.compile(NUMBER)
Texts = Mapping[str, list[str]]  # lines by the name of a file


@dataclass(frozen=True)
class Difference:
    """How many lines of ``where`` differ, and the first of them (counted from 1) in both runs."""

    where: str
    lines: int
    first: int
    one: str
    other: str

    @property
    def words(self) -> str:
        more = f" and {self.lines - 1} more line{'s' if self.lines > 2 else ''}" if self.lines > 1 else ""
        return f"line {self.first}{more} of {self.where}: “{_short(self.one)}”, then “{_short(self.other)}”"


def written(folder: Path, inputs: frozenset[str]) -> dict[str, list[str]]:
    """Lines of the printed text and of every file of the run folder but ``inputs``; the folder's own name is left out of them."""
    found = {}
    for name in run_folder.files_in(folder):
        if name not in inputs:
            found[name] = _lines(folder / name, folder)
    return {PRINTED: _lines(folder / run_folder.STDOUT, folder), **found}


def repeated_words(
    texts: Sequence[Mapping[str, list[str]]], moved: Callable[[], Mapping[str, list[str]] | None] | None, same_again: str = ""
) -> tuple[bool, str]:
    """Whether runs with the same values wrote the same, and that in words; ``moved``: makes one with other values (None: it
    failed), or there is none to make. ``same_again``: what it may mean that they did, a sentence."""
    apart = next((found for text in texts[1:] if (found := difference(texts[0], text)) is not None), None)
    if apart is not None:
        return False, (
            f"With the same values the program did not write the same ({apart.words}): it is random, or writes times or names of "
            f"its own. {ONCE_MARKED}"
        )
    same = "With the same values the program wrote the same"
    if moved is None:
        return True, f"{same}."
    other = moved()
    if other is None:
        return True, f"{same}; with changed values it failed."
    if difference(texts[0], other) is None:
        return True, (
            f"What the program wrote stays the same even when the parameters are changed. {IGNORES}: compare the filled files "
            "and the command with what the program expects."
        )
    return True, f"{same}, with changed values something else. {same_again} It takes notice of the parameters."


def difference(a: Mapping[str, list[str]], b: Mapping[str, list[str]]) -> Difference | None:
    """The first text that differs, dates and how long the run took aside; None: all are the same."""
    changed = list(_changed(a, b))
    if not changed:
        return None
    name, line, one, other = changed[0]
    return Difference(name, sum(where[0] == name for where in changed), line + 1, one, other)


def reacts(texts: Texts, moved: Texts, values: tuple[float, float], again: Callable[[], Texts]) -> bool:
    """Whether a run at another value wrote what does not follow from that alone. ``values``: the one that was moved, before and
    after: where only these stand in place of each other, the program has copied its input. ``again``: what a run at the same
    values wrote, asked for where it may matter: lines that differ there tell nothing."""
    changed = [where for where in _changed(texts, moved) if not _copied(*where[2:], values)]
    if not changed:
        return False
    of_itself = {where[:2] for where in _changed(texts, again())}
    longer = {name for name, line in of_itself if line >= min(len(texts.get(name, [])), len(moved.get(name, [])))}
    return any((name, line) not in of_itself and name not in longer for name, line, *_ in changed)


def _changed(a: Texts, b: Texts) -> Iterator[tuple[str, int, str, str]]:
    """Text, line (from 0) and both lines wherever two runs differ, dates and how long they took aside."""
    for name in dict.fromkeys((*a, *b)):
        for i, (x, y) in enumerate(zip_longest(a.get(name, []), b.get(name, []), fillvalue="")):
            if x != y and without_times(x) != without_times(y):
                yield name, i, x, y


def _copied(one: str, other: str, values: tuple[float, float]) -> bool:
    """Whether two lines differ by the ``values`` alone, as far as their digits go."""
    a, b = _NUMBER.findall(one), _NUMBER.findall(other)
    if len(a) != len(b) or _NUMBER.sub("#", one).split() != _NUMBER.sub("#", other).split():
        return False
    pairs = [(value_of(x), value_of(y)) for x, y in zip(a, b, strict=True) if x != y]
    return all(
        x is not None and y is not None and bool(np.allclose((x, y), values, rtol=COPIED, atol=0.0)) for x, y in pairs
    )


def _lines(path: Path, folder: Path) -> list[str]:
    """Empty where it cannot be read."""
    try:
        with path.open("rb") as file:
            text = file.read(MOST_BYTES).decode("utf-8", errors="replace")
    except OSError:
        return []
    return text.replace(str(folder), "").splitlines()


def _short(line: str) -> str:
    one = " ".join(line.split())
    return one if len(one) <= MOST_SHOWN else one[: MOST_SHOWN - 1] + "…"
