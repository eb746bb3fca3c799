"""An output that is compared with a column, but says where: its comparison goes, and the others are paired by it. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from bayescope.engine.problem.definition import Predictions, Problem
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.keys.key_candidates import paired_by
from bayescope.gui.models.data.keys.nearly_keys import told_places
from bayescope.gui.models.data.keys.possible_keys import possible_keys
from bayescope.gui.models.plain import one_line

MOST_NAMED = 3  # compared outputs, in a note


@dataclass(frozen=True)
class ComparedKey:
    """``problem`` without the comparison of ``output``, those whose rows were taken in order paired by it; ``words``: why."""

    problem: Problem
    output: str
    column: str
    words: str

    @property
    def button(self) -> str:
        return f"Use {one_line(self.output, 20)} as the key instead".replace("&", "&&")


def compared_key(problem: Problem, index: int, report: TrialRunReport | None) -> ComparedKey | None:
    """The one compared output that pairs the rows of comparison ``index``, which are taken in order, or those of others where it
    is the one of ``index``; None: there is none, or there are several."""
    found = compared(problem, index, report)
    if found is None or found[0].keys or not isinstance(problem.meaning, Predictions):
        return None
    match, data, outputs, _ = found
    n, told = len(outputs[match.output]), []
    plain = [m for m in problem.meaning.matches if not m.keys and len(outputs.get(m.output, ())) == n]
    for one in plain if len(plain) > 1 else ():
        if (one.factor, one.offset) == (1.0, 0.0) and one.column in data.columns:
            share = told_places(data, outputs[one.output], one.column)
            told += [] if share is None else [(one, share)]
    if len(told) != 1:
        return None
    (key, (there, of)), meaning = told[0], problem.meaning
    pair = key.output, key.column
    matches = tuple(
        paired_by(m, [pair]) if m in plain and m.column != key.column else m for m in meaning.matches if m.output != key.output
    )
    which = f"All {of}" if there == of else f"{there} of the {of}"
    words = f"{which} measured values of “{one_line(key.column, 24)}” are among those that the program prints: it says where."
    changed = msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=matches))
    return ComparedKey(changed, key.output, key.column, words)


def no_key_note(problem: Problem, index: int, report: TrialRunReport | None) -> str:
    """Why comparison ``index``, whose rows do not fit, is offered no output to pair them by, a sentence; '' where one is."""
    meaning = problem.meaning
    if not isinstance(meaning, Predictions) or not 0 <= index < len(meaning.matches) or meaning.matches[index].keys:
        return ""
    own = meaning.matches[index].output
    others = list(dict.fromkeys(m.output for m in meaning.matches if m.column and m.output != own))
    if not others or possible_keys(problem, index, report):
        return ""
    if len(others) == 1:
        return f"No output is left for a key: “{one_line(others[0], 20)}” is compared itself."
    named = [f"“{one_line(name, 20)}”" for name in others][:MOST_NAMED]
    last = named.pop() if len(others) <= MOST_NAMED else f"{len(others) - MOST_NAMED} more"
    told = f"{', '.join(named)} and {last} are compared themselves"
    return f"No output is left for a key: {told}. Remove the comparison of one that says where."
