"""What validation says: one finding per defect, with its place, in sentences for the person who typed it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath, PureWindowsPath
from typing import Literal

from .placeholders import MAX_NAME_LENGTH, NAME_SIGNS, is_name, nearest_name, normal

MAX_TEXT = 200  # characters of a name or label that a window can show


def values_words(n: int) -> str:
    return "1 value" if n == 1 else f"{n} values"


@dataclass(frozen=True)
class Finding:
    """``where`` is the place in the problem: 'parameters.rho.prior', 'outputs.u.source', 'simulator.templates[0].target'.

    List entries are named if they have a proper unique name, else numbered from 0 in brackets. ``first``: it stands in the way
    of a first run only; an analysis that has runs may go on. ``better``: the number to write there instead, where one is known.
    """

    level: Literal["error", "warning"]
    where: str
    message: str
    suggestion: str = ""
    first: bool = False
    better: int | None = None


@dataclass
class Findings:
    """Collects findings in order."""

    found: list[Finding] = field(default_factory=list)

    def error(
        self, where: str, message: str, suggestion: str = "", first: bool = False, better: int | None = None
    ) -> None:
        self.found.append(Finding("error", where, message, suggestion, first, better))

    def warning(self, where: str, message: str, suggestion: str = "", better: int | None = None) -> None:
        self.found.append(Finding("warning", where, message, suggestion, better=better))

    def has_error(self, where: str) -> bool:
        """True if there is an error at ``where`` or below it."""
        below = (where + ".", where + "[")
        return any(f.level == "error" and (f.where == where or f.where.startswith(below)) for f in self.found)


def shorten(text: str, most: int = 60) -> str:
    """``text`` on one line and not longer than ``most`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def listed(names: Sequence[str], most: int = 8, each: int = 32) -> str:
    """The first names, each cut in the middle if it is long: they often differ in their ends alone."""
    flat = [" ".join(name.split()) for name in names[:most]]
    short = [n if len(n) <= each else f"{n[: each // 2 - 1]}…{n[-(each - each // 2) :]}" for n in flat]
    return ", ".join(short) + (" …" if len(names) > most else "")


def places(room: str, names: Sequence[str]) -> list[str]:
    """The ``where`` of each entry of a list of named things."""
    return [f"{room}.{n}" if is_name(n) and names.count(n) == 1 else f"{room}[{i}]" for i, n in enumerate(names)]


def check_names(findings: Findings, room: str, kind: str, names: Sequence[str]) -> None:
    """Each name legal, not too long, no two alike. ``kind`` is the word for the thing ('parameter')."""
    seen: set[str] = set()
    for where, name in zip(places(room, names), names, strict=True):
        place = f"{where}.name"
        if not name.strip():
            findings.error(place, f"{'An' if kind[0] in 'aeiou' else 'A'} {kind} has no name.", "Give it one, such as “rho”.")
        elif len(name) > MAX_NAME_LENGTH:
            findings.error(
                place, f"The name “{shorten(name, 30)}” has {len(name)} characters; at most {MAX_NAME_LENGTH} are possible.",
                "Use a short name and put the long one into the label.",
            )  # fmt: skip
        elif not is_name(name):
            near = nearest_name(name)
            findings.error(
                place, f"“{shorten(name)}” cannot be the name of {'an' if kind[0] in 'aeiou' else 'a'} {kind}: {NAME_SIGNS}.",
                f"Call it “{near}”, for example." if near else "Call it “y”, for example.",
            )  # fmt: skip
        elif normal(name) in seen:
            findings.error(place, f"Two {kind}s are called “{name}”.", "Rename one of them.")
        seen.add(normal(name))


def file_name_trouble(name: str) -> str:
    """Why ``name`` cannot be a file inside the run folder (on any system); empty if it can."""
    if not name.strip():
        return "The file has no name."
    if "\0" in name or "\n" in name:
        return f"“{shorten(name)}” is not a possible file name."
    if len(name) > 200:
        return f"The file name “{shorten(name, 30)}” is too long."
    posix, windows = PurePosixPath(name), PureWindowsPath(name)
    if posix.is_absolute() or windows.is_absolute() or windows.drive or windows.root or name.startswith("~"):
        return f"“{shorten(name)}” is not a name inside the run folder: each run writes into a fresh folder of its own."
    if ".." in posix.parts or ".." in windows.parts:
        return f"“{shorten(name)}” leads out of the run folder: each run writes into a fresh folder of its own."
    if posix == PurePosixPath("."):
        return f"“{shorten(name)}” is the run folder itself, not a file."
    return ""
