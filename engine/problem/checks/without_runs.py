"""What may be changed of a problem so that runs made before still serve: noise, data, priors, comparisons; not the program."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from ..definition import (
    Limits,
    LogPosteriorOutput,
    Match,
    Parameter,
    Predictions,
    Problem,
    Settings,
    Simulator,
    is_estimate,
)
from ..numbers.shown_digits import spoken
from ..placeholders import normal
from .check_simulator import noise_parameters, simulator_parameters

RUN_AGAIN = "That needs new runs: make a copy without runs."


def needs_runs(old: Problem, new: Problem, folder: Path | None = None, other: Path | None = None) -> tuple[str, ...]:
    """Why the runs of ``old`` do not answer ``new``, sentences; empty: they can be judged anew.

    Relative paths of ``old`` are from ``folder``, those of ``new`` from ``other`` (None: from the same). No file is looked for.
    """
    one, two = folder or Path(), other or folder or Path()
    same = _program(old) == _program(new) and _same_files(old.simulator, one, new.simulator, two)
    found = [] if same else [f"The program, or how it is run, is another. {RUN_AGAIN}"]
    found += [*_parameters(old, new), *_outputs(old, new)]
    if is_estimate(old.meaning) or is_estimate(new.meaning):
        found.append("The program is random: its runs cannot be judged anew yet.")
    if isinstance(new.meaning, LogPosteriorOutput) and new.parameters != old.parameters:
        found.append("The program adds the prior itself, so other priors need new runs.")
    return tuple(found)


def same_question(old: Problem, new: Problem) -> bool:
    """But for names and settings, and the program, which is known to be the same."""
    blank = {"name": "", "description": "", "settings": Settings(), "simulator": old.simulator}
    return msgspec.structs.replace(new, **blank) == msgspec.structs.replace(old, **blank)


def same_posterior(old: Problem, new: Problem) -> bool:
    """``same_question``, whatever parameters are called in words and where they are expected: neither enters the density."""
    one, two = (msgspec.structs.replace(p, parameters=tuple(_in_density(q) for q in p.parameters)) for p in (old, new))
    return same_question(one, two)


def _in_density(p: Parameter) -> Parameter:
    return msgspec.structs.replace(p, label="", unit="", plausible=None)


def noise_alone(problem: Problem) -> set[str]:
    """Normal names of parameters that only the noise model knows: they need no runs."""
    return noise_parameters(problem) - simulator_parameters(problem)


def _program(problem: Problem) -> Simulator:
    """What decides the outputs of a run that ended well, without what names files: how a parameter is written that the
    program never gets does not matter."""
    simulator, seen = problem.simulator, simulator_parameters(problem)
    formats = {name: form for name, form in simulator.formats.items() if normal(name) in seen}
    extra = tuple(msgspec.structs.replace(f, path="") for f in simulator.extra_files)
    kept = msgspec.structs.replace(simulator, formats=formats, extra_files=extra)
    return msgspec.structs.replace(kept, limits=Limits(), command=(), working_folder=None)


def _same_files(old: Simulator, folder: Path, new: Simulator, other: Path) -> bool:
    """Whether all words that may name files are the same, or name the same place from their folders."""
    one, two = _words(old), _words(new)
    return len(one) == len(two) and all(a == b or _place(folder, a) == _place(other, b) for a, b in zip(one, two, strict=True))


def _words(simulator: Simulator) -> tuple[str, ...]:
    return (*simulator.command, *(f.path for f in simulator.extra_files), simulator.working_folder or "")


def _place(folder: Path, word: str) -> str:
    return os.path.normpath(os.path.join(folder, word))


def _parameters(old: Problem, new: Problem) -> list[str]:
    """The program's parameters must be the same, free or fixed as they were."""
    seen = simulator_parameters(old)
    before = {normal(p.name): p for p in old.parameters if normal(p.name) in seen}
    now = {normal(p.name): p for p in new.parameters if normal(p.name) in seen}
    found = [f"The parameter “{before[name].name}” is missing." for name in before if name not in now]
    for name, p in now.items():
        words = _fixed(before[name], p) if name in before else ""
        found += [f"{words} {RUN_AGAIN}"] if words else []
    return found


def _fixed(before: Parameter, now: Parameter) -> str:
    if before.fixed == now.fixed:
        return ""
    if before.fixed is None:
        return f"The parameter “{now.name}” was varied in the runs and is fixed now."
    if now.fixed is None:
        return f"The parameter “{now.name}” was fixed in the runs and is free now."
    return f"The parameter “{now.name}” was fixed at {spoken(before.fixed)} in the runs, not at {spoken(now.fixed)}."


def _outputs(old: Problem, new: Problem) -> list[str]:
    """All outputs that are used must have been read from the runs, and in the same way."""
    recorded, declared = {o.name: o for o in old.outputs}, {o.name: o for o in new.outputs}
    found = []
    for name in sorted(used_outputs(new)):
        if name not in recorded:
            found.append(f"The output “{name}” was not read from the runs. {RUN_AGAIN}")
        elif declared.get(name) != recorded[name]:
            found.append(f"The output “{name}” was read from the runs in another way. {RUN_AGAIN}")
    return found


def used_outputs(problem: Problem) -> set[str]:
    """Names of the outputs that the meaning reads, keys of rows among them."""
    meaning = problem.meaning
    if not isinstance(meaning, Predictions):
        return {getattr(meaning, "output", "")} - {""}
    return {name for match in meaning.matches for name in _of_match(match)}


def _of_match(match: Match) -> set[str]:
    return {match.output, *(output for output, _ in match.keys)}
