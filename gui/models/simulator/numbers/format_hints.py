"""Number formats that were written into placeholders, @rho:.9g@, and the problem with them where formats belong. Pure."""

from __future__ import annotations

import msgspec

from bayescope.engine.problem import placeholders
from bayescope.engine.problem.definition import NumberFormat, Problem, Simulator
from bayescope.engine.problem.numbers.number_format import asked_format


def hints_in(simulator: Simulator) -> dict[str, str]:
    """For each name the first text between at signs that asks for a format that is known: {"rho": "rho:.9g"}."""
    texts = [*simulator.command, *(t.text for t in simulator.templates), simulator.stdin or "", *simulator.environment.values()]
    found: dict[str, str] = {}
    for text in texts:
        for name, asked, _, _ in placeholders.with_formats(text):
            if asked_format(asked) is not None:
                found.setdefault(name, f"{name}:{asked}")
    return found


def honoured(problem: Problem) -> Problem:
    """``problem`` with plain placeholders, and the formats that were asked for in them."""
    simulator, formats = problem.simulator, dict(problem.simulator.formats)

    def plain(text: str) -> str:
        done, at = "", 0
        for name, asked, start, end in placeholders.with_formats(text):
            form = asked_format(asked)
            if form is not None:
                formats[name] = form
                done, at = done + text[at:start] + f"@{name}@", end
        return done + text[at:]

    changed = msgspec.structs.replace(
        simulator,
        command=tuple(plain(word) for word in simulator.command),
        templates=tuple(msgspec.structs.replace(t, text=plain(t.text)) for t in simulator.templates),
        stdin=None if simulator.stdin is None else plain(simulator.stdin),
        environment={name: plain(value) for name, value in simulator.environment.items()},
    )
    kept = {name: form for name, form in formats.items() if form != NumberFormat()}
    return msgspec.structs.replace(problem, simulator=msgspec.structs.replace(changed, formats=kept))
