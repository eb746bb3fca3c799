"""Runs that were kept when the text of an input file was changed by hand: the user said that it changes no result."""

from __future__ import annotations

import msgspec

from ..problem.definition import Problem
from .errors import DamagedSession
from .file import SessionFile

KEY = "kept_over"
MOST_KEPT = 200  # changes that are remembered: the oldest are forgotten first


class KeptOver(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``at``: unix time; ``runs``: how many had been made with the text before; ``files``: whose text was changed."""

    at: float
    runs: int
    files: tuple[str, ...]

    @property
    def sentence(self) -> str:
        names = ", ".join(f"“{name}”" for name in self.files)
        made, they = ("1 run", "it was") if self.runs == 1 else (f"{self.runs} runs", "they were")
        return f"The text of {names} was changed by hand after {made}; {they} kept, as it was said to change no result."


def changed_files(problem: Problem, old: Problem) -> tuple[str, ...]:
    """Input files whose text differs."""
    pairs = zip(problem.simulator.templates, old.simulator.templates, strict=False)
    return tuple(new.target for new, before in pairs if new.text != before.text)


def kept_over_of(store: SessionFile) -> list[KeptOver]:
    """Such changes, oldest first. Raises DamagedSession."""
    content = store._meta(KEY)
    try:
        return [] if content is None else msgspec.json.decode(content, type=list[KeptOver])
    except msgspec.MsgspecError as error:
        raise DamagedSession(f"The list of changed input files cannot be read: {error}", str(store.path)) from error


def with_one_more(known: list[KeptOver], new: KeptOver) -> bytes:
    """As it is stored. What is typed in one go is one change: until further runs are made, files are joined."""
    if known and known[-1].runs == new.runs:
        new = msgspec.structs.replace(new, files=tuple(dict.fromkeys((*known[-1].files, *new.files))))
        known = known[:-1]
    return msgspec.json.encode([*known, new][-MOST_KEPT:])
