"""What two test runs wrote, line by line, while no output is marked yet: is it the same, and where is it not?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from ..answer.same_outputs import IGNORES, ONCE_MARKED
from ..problem.run_times import without_times
from . import run_folder

MOST_BYTES = 2_000_000  # of a stream or file that is compared
MOST_SHOWN = 60  # characters of a line that is quoted
PRINTED = "printed text"


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
    for name in dict.fromkeys((*a, *b)):
        pairs = enumerate(zip_longest(a.get(name, []), b.get(name, []), fillvalue=""), start=1)
        changed = [(i, x, y) for i, (x, y) in pairs if x != y and without_times(x) != without_times(y)]
        if changed:
            return Difference(name, len(changed), *changed[0])
    return None


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
