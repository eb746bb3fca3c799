"""What of a problem may change once its runs have begun: what does not change what a run that gave a value means."""

from __future__ import annotations

import msgspec

from . import placeholders
from .definition import Problem, Settings

FREE_SETTINGS = ("max_evaluations", "workers", "max_hours", "device", "goal")


def same_runs(problem: Problem, old: Problem) -> bool:
    """Whether runs of ``old`` are runs of ``problem`` too: only free settings, names, limits of a run and retries differ."""
    return _without_free(problem) == _without_free(old)


def same_but_texts(problem: Problem, old: Problem) -> bool:
    """Whether they differ, beside what is free, in what stands beside placeholders alone (texts of input files, standard input,
    the command, variables) and in the fixed files: a constant, a remark, a path."""
    return same_runs(_without_texts(problem), _without_texts(old))


def _without_texts(problem: Problem) -> Problem:
    """With the names of the placeholders, in order, in place of each text; without fixed files."""
    program = problem.simulator
    variables = {name: _bare(text) for name, text in sorted(program.environment.items()) if _bare(text)}
    bare = msgspec.structs.replace(
        program, templates=tuple(msgspec.structs.replace(t, text=_bare(t.text)) for t in program.templates), extra_files=(),
        stdin=_bare(program.stdin or ""), command=(_bare(" ".join(program.command)),), environment=variables,
    )  # fmt: skip
    return msgspec.structs.replace(problem, simulator=bare)


def _bare(text: str) -> str:
    return " ".join(f"@{name}@" for name, _, _ in placeholders.find(text))


def _without_free(problem: Problem) -> Problem:
    plain, program = Settings(), problem.simulator
    settings = msgspec.structs.replace(problem.settings, **{name: getattr(plain, name) for name in FREE_SETTINGS})
    failures = msgspec.structs.replace(program.failures, retries=0)
    blank = type(program)(command=()).limits
    program = msgspec.structs.replace(program, limits=blank, failures=failures)
    return msgspec.structs.replace(problem, name="", description="", settings=settings, simulator=program)
