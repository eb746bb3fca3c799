"""A size of the errors of its own for each quantity that shares a model which learns it, instead of one for all. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.series_names import numbered, titled
from bayescope.gui.models.data.errors.noise_parameter import learning, proposed
from bayescope.gui.models.parameters import fresh_name
from bayescope.gui.models.plain import one_line

MOST = 8  # quantities: more sizes than can be learned beside what is asked for


@dataclass(frozen=True)
class SizeOfEach:
    """``button``: what it does; ``problem``: with a parameter for each quantity."""

    button: str
    problem: d.Problem


def size_of_each(problem: d.Problem) -> SizeOfEach | None:
    """None where the common model learns no size, or where one quantity alone, or too many, have it."""
    meaning = problem.meaning
    if not isinstance(meaning, d.Predictions) or not hasattr(meaning.noise, "parameter") or proposed(problem, None) is None:
        return None
    groups = _quantities(meaning)
    if not 2 <= len(groups) <= MOST:
        return None
    before = meaning.noise.parameter
    others = {getattr(m.noise, "parameter", None) for m in meaning.matches}
    made_here = before and before not in others and before.rstrip("_0123456789") in ("sigma", "size")
    kept = tuple(p for p in problem.parameters if not (made_here and p.name == before))
    parameters, matches, common = list(kept), list(meaning.matches), meaning.noise
    for k, (name, rows) in enumerate(groups.items()):
        own = [msgspec.structs.replace(m, noise=None if i in rows else m.noise or common) for i, m in enumerate(meaning.matches)]
        alone = msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=tuple(own)))
        wished = proposed(alone, None)
        assert wished is not None
        stem = wished.name.rstrip("_0123456789")
        called = fresh_name([p.name for p in parameters], f"{stem}_{name}")
        label = f"{wished.label}: {one_line(name, 30)}"
        parameters.append(msgspec.structs.replace(wished, name=called, label=label))
        if k == 0:
            meaning = msgspec.structs.replace(meaning, noise=learning(common, called))
        for i in rows if k else ():
            matches[i] = msgspec.structs.replace(matches[i], noise=learning(common, called))
    changed = msgspec.structs.replace(meaning, matches=tuple(matches))
    words = f"&One size for each of {len(groups)} quantities"
    return SizeOfEach(words, msgspec.structs.replace(problem, parameters=tuple(parameters), meaning=changed))


def _quantities(meaning: d.Predictions) -> dict[str, list[int]]:
    """The comparisons with the common model by quantity: those of one output, of outputs that several files have (S_1 and S_2)
    and of columns that several tables have are of one."""
    rows = [i for i, m in enumerate(meaning.matches) if m.column and m.noise is None]
    outputs = numbered([meaning.matches[i].output for i in rows])
    columns = titled([meaning.matches[i].column for i in rows])
    bases: dict[str, set[str]] = {}
    for i in rows:
        bases.setdefault(outputs[meaning.matches[i].output][0], set()).add(columns[meaning.matches[i].column][0])
    groups: dict[str, list[int]] = {}
    seen: dict[str, str] = {}  # the quantity of a column's name
    for i in rows:
        output, column = outputs[meaning.matches[i].output][0], columns[meaning.matches[i].column][0]
        name = next((seen[c] for c in bases[output] if c in seen), output)
        seen[column] = name
        groups.setdefault(name, []).append(i)
    return groups
