"""A parameter or an output with another name: placeholders and what refers to it follow. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from bayescope.engine.problem import placeholders
from bayescope.engine.problem.data.names.column_names import fresh
from bayescope.engine.problem.definition import Ar1Noise, Output, Parameter, Problem

FIXED_SEED = 1  # programs take 0 for "from the clock"
_BY_NAME = ("formats", "expected_uses")  # of the simulator
_OF_OUTPUTS = ("output", "key_output", "second_key_output", "noise_sd")  # fields that hold an output's name
_RENAMABLE = (Ar1Noise, "sd"), (Ar1Noise, "rho")  # fields beside ``parameter`` that may hold a parameter's name


def new_name(before: Sequence[Parameter], after: Sequence[Parameter]) -> tuple[str, str] | None:
    """Old and new name if ``after`` is ``before`` with one parameter renamed to a name that can be filled in; else None."""
    if len(before) != len(after):
        return None
    changed = [(a.name, b.name) for a, b in zip(before, after, strict=True) if a.name != b.name]
    if len(changed) != 1:
        return None
    old, new = changed[0]
    usable = placeholders.is_name(new) and [p.name for p in after].count(new) == 1 and new != placeholders.SEED
    return (old, new) if usable and old and [p.name for p in before].count(old) == 1 else None


def renamed(problem: Problem, old: str, new: str) -> tuple[Problem, int]:
    """``problem`` with ``@old@`` written ``@new@`` and noise models that name the parameter following; how many places."""
    count = [0]

    def in_text(text: str) -> str:
        for name, start, end in reversed(placeholders.find(text)):
            if name == placeholders.normal(old):
                text = f"{text[:start]}@{new}@{text[end:]}"
                count[0] += 1
        return text

    def in_texts(value: Any) -> Any:
        if isinstance(value, str):
            return in_text(value)
        return rebuilt(value, lambda record, field, inner: in_texts(inner))

    def in_references(value: Any) -> Any:
        def part(record: Any, field: str, inner: Any) -> Any:
            names_one = field == "parameter" or any(isinstance(record, kind) and field == f for kind, f in _RENAMABLE)
            if names_one and inner == old:
                count[0] += 1
                return new
            return inner if isinstance(inner, str) else in_references(inner)

        return rebuilt(value, part)

    simulator = in_texts(problem.simulator)
    kept = {field: {new if name == old else name: v for name, v in getattr(simulator, field).items()} for field in _BY_NAME}
    changed = msgspec.structs.replace(
        problem, simulator=msgspec.structs.replace(simulator, **kept), meaning=in_references(problem.meaning)
    )
    return changed, count[0]


def with_fixed_seed(problem: Problem) -> Problem:
    """``problem`` with one number in place of every ``@seed@``."""

    def in_texts(value: Any) -> Any:
        if not isinstance(value, str):
            return rebuilt(value, lambda record, field, inner: in_texts(inner))
        for name, start, end in reversed(placeholders.find(value)):
            if name == placeholders.SEED:
                value = f"{value[:start]}{FIXED_SEED}{value[end:]}"
        return value

    return msgspec.structs.replace(problem, simulator=in_texts(problem.simulator))


def twin_of(before: Sequence[Output], after: Sequence[Output]) -> tuple[int, str] | None:
    """The output, by its place, that ``after`` gives the name of another one, and a name like that which none has; None: no name
    was changed into that of another."""
    for i, (was, now) in enumerate(zip(before, after, strict=False)) if len(before) == len(after) else ():
        others = [o.name for k, o in enumerate(after) if k != i]
        if now.name != was.name and now.name in others:
            return i, fresh(now.name, others)
    return None


def outputs_renamed(problem: Problem, outputs: tuple[Output, ...]) -> Problem:
    """``problem`` with ``outputs`` instead of its own: if one of them was renamed, what compares or pairs by it follows."""
    before, after = [o.name for o in problem.outputs], [o.name for o in outputs]
    changed = [pair for pair in zip(before, after, strict=False) if pair[0] != pair[1]]
    meaning = problem.meaning
    if len(before) == len(after) and len(changed) == 1:
        old, new = changed[0]
        if new.strip() and after.count(new) == 1 and before.count(old) == 1:

            def part(record: Any, field: str, inner: Any) -> Any:
                if field in _OF_OUTPUTS and inner == old:
                    return new
                return inner if isinstance(inner, str) else rebuilt(inner, part)

            meaning = rebuilt(meaning, part)
    return msgspec.structs.replace(problem, outputs=outputs, meaning=meaning)


def rebuilt(value: Any, part: Any) -> Any:
    """``value`` with its parts replaced by ``part(record, field, inner)``; what has no parts stays."""
    if isinstance(value, msgspec.Struct):
        fields = value.__struct_fields__
        return msgspec.structs.replace(value, **{f: part(value, f, getattr(value, f)) for f in fields})
    if isinstance(value, tuple):
        return tuple(part(None, "", inner) for inner in value)
    if isinstance(value, dict):
        return {key: part(None, "", inner) for key, inner in value.items()}
    return value
