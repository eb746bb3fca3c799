"""Outputs that are compared with nothing though columns are left for them: allowed, but said before the start. Pure."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from bayescope.engine.problem.definition import Problem
from bayescope.gui.models.data.known_keys import known_keys
from bayescope.gui.models.data.part_keys import key_columns
from bayescope.gui.models.data.taking_part import Idle, idle
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.trial import Trial

Said = tuple[str, str, str]

MOST_NAMED = 3
ALLOWED = "It may be so; these tell nothing about the parameters then: {names}."


def left(problem: Problem, trial: Trial) -> Idle:
    """What takes part in no comparison and was not set aside, without the columns that an output holds as a key: no output
    predicts them."""
    found = idle(problem, known_keys(problem, trial).steady)
    keys = key_columns(problem, trial.report, found.columns) if found.may_match else {}
    outputs = {key.output for key in keys.values()}
    return Idle(tuple(o for o in found.outputs if o not in outputs), tuple(c for c in found.columns if c not in keys))


_said: WeakKeyDictionary[Trial, tuple[tuple[object, ...], Said]] = WeakKeyDictionary()  # newest, and of what: many ask for it


def partly(trial: Trial) -> Said:
    """``partly_words`` of what is declared now."""
    of = trial.problem.declared, trial.report, trial.second, trial.answers.settled
    known = _said.get(trial)
    if known is None or any(a is not b for a, b in zip(known[0], of, strict=True)):
        _said[trial] = known = of, partly_words(trial.problem.declared, trial)
    return known[1]


def partly_words(problem: Problem, trial: Trial) -> Said:
    """That only some outputs are compared, a sentence; which are not, another; and the first in few words. Empty: all are, or
    the user said that the others do not count."""
    found = left(problem, trial)
    if not found.may_match:
        return "", "", ""
    compared = len({m.output for m in getattr(problem.meaning, "matches", ())})
    every = compared + len(found.outputs)
    names = ", ".join(f"“{one_line(n, 24)}”" for n in found.outputs[:MOST_NAMED])
    names += f" and {len(found.outputs) - MOST_NAMED} more" if len(found.outputs) > MOST_NAMED else ""
    few = f"{compared} of {every} outputs"
    return f"Only {few} {'is' if compared == 1 else 'are'} compared with data.", ALLOWED.format(names=names), f"{few} compared"
