"""Runs that were kept when what the program is given was changed by hand: the user said that it changes no result."""

from __future__ import annotations

import msgspec

from ..problem.definition import Problem
from .errors import DamagedSession
from .file import SessionFile

KEY = "kept_over"
PROGRAM, ARGUMENTS, STDIN = "the program's path", "the arguments", "the standard input"
VARIABLES, FIXED = "the environment variables", "the fixed input files"
PLURAL = (ARGUMENTS, VARIABLES, FIXED)
MOST_KEPT = 200  # changes that are remembered: the oldest are forgotten first


class KeptOver(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``at``: unix time; ``runs``: how many had been made before; ``files``: whose text was changed; ``parts``: what else was."""

    at: float
    runs: int
    files: tuple[str, ...]
    parts: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        texts = [f"the text of {', '.join(f'“{name}”' for name in self.files)}"] if self.files else []
        *some, last = [*texts, *self.parts] or ["nothing"]
        named = f"{', '.join(some)} and {last}" if some else last
        several = bool(some) or last in PLURAL  # "they" would be these, not the runs
        made, they = ("1 run", "it") if self.runs == 1 else (f"{self.runs} runs", "they")
        runs = ("the run" if self.runs == 1 else "the runs") if several else they
        changed = f"{named[0].upper()}{named[1:]} {'were' if several else 'was'} changed by hand after {made}"
        return f"{changed}; {runs} {'was' if self.runs == 1 else 'were'} kept, as it was said to change no result."


def changed_files(problem: Problem, old: Problem) -> tuple[str, ...]:
    """Input files whose text differs."""
    pairs = zip(problem.simulator.templates, old.simulator.templates, strict=False)
    return tuple(new.target for new, before in pairs if new.text != before.text)


def changed_parts(problem: Problem, old: Problem) -> tuple[str, ...]:
    """What else the program is given differs, in words."""
    new, before = problem.simulator, old.simulator
    pairs = {
        PROGRAM: (new.command[:1], before.command[:1]), ARGUMENTS: (new.command[1:], before.command[1:]),
        STDIN: (new.stdin, before.stdin), VARIABLES: (new.environment, before.environment),
        FIXED: (new.extra_files, before.extra_files),
    }  # fmt: skip
    return tuple(name for name, (one, other) in pairs.items() if one != other)


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
        files, parts = (tuple(dict.fromkeys((*a, *b))) for a, b in ((known[-1].files, new.files), (known[-1].parts, new.parts)))
        new = msgspec.structs.replace(new, files=files, parts=parts)
        known = known[:-1]
    return msgspec.json.encode([*known, new][-MOST_KEPT:])
