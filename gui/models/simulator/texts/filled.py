"""Texts as the simulator will get them, at the values of the test run, for the live previews."""

from __future__ import annotations

from collections.abc import Mapping

from bayescope.engine.problem import placeholders
from bayescope.engine.problem.definition import NumberFormat, Simulator
from bayescope.engine.problem.errors import ProblemError

SHOWN_SEED = str(placeholders.FIRST_SEED)


def texts_of(values: Mapping[str, float], formats: Mapping[str, NumberFormat]) -> tuple[dict[str, str], list[str]]:
    """Each value as it will be written, and sentences for those that cannot be."""
    texts, problems = {placeholders.SEED: SHOWN_SEED}, []
    for name, value in values.items():
        try:
            texts[name] = written(value, formats.get(name, NumberFormat()))
        except ProblemError as error:
            texts[name] = f"@{name}@"
            problems.append(f"@{name}@: {error}")
    return texts, problems


def filled(text: str, values: Mapping[str, float], formats: Mapping[str, NumberFormat]) -> tuple[str, list[str]]:
    """``text`` with values filled in; names that no parameter has stay as they are and are reported."""
    texts, problems = texts_of(values, formats)
    for name, _, _ in placeholders.find(text):
        if name not in texts:
            texts[name] = f"@{name}@"
            problems.append(f"@{name}@ is not a parameter.")
    return placeholders.fill(text, texts), list(dict.fromkeys(problems))


def all_uses(simulator: Simulator) -> dict[str, list[str]]:
    """For each placeholder the places where it stands, in words, in order: {"rho": ["argument 2", "source.txt"]}."""
    places: list[tuple[str, str]] = [(f"argument {i}", a) for i, a in enumerate(simulator.command) if i > 0]
    places += [("the program", simulator.command[0])] if simulator.command else []
    places += [(t.target or "a template", t.text) for t in simulator.templates]
    places += [("standard input", simulator.stdin)] if simulator.stdin else []
    places += [(f"the variable {key}", value) for key, value in simulator.environment.items()]
    found: dict[str, list[str]] = {}
    for where, text in places:
        for name, _, _ in placeholders.find(text):
            found.setdefault(name, []).append(where)
    return found


def written(value: float, form: NumberFormat) -> str:
    """One number in its format. Raises ProblemError with words if it does not fit."""
    from bayescope.engine.problem.numbers.number_format import format_number

    return format_number(value, form)
