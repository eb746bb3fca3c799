"""Outputs that are compared with nothing though columns are left for them, columns that no output predicts, and questions that
are still open: allowed, but said before the start. Pure."""

from __future__ import annotations

from pathlib import PurePath
from typing import NamedTuple
from weakref import WeakKeyDictionary

from bayescope.engine.problem.definition import Problem
from bayescope.gui.models.data.keys.known_keys import known_keys
from bayescope.gui.models.data.keys.part_keys import key_columns
from bayescope.gui.models.data.keys.same_shift import HINT as SHIFT_HINT
from bayescope.gui.models.data.keys.same_shift import open_shift
from bayescope.gui.models.data.replicates import named_repeats
from bayescope.gui.models.data.taking_part import Idle, idle
from bayescope.gui.models.data.unmeasured import unmeasured
from bayescope.gui.models.plain import and_last, one_line
from bayescope.gui.models.simulator.trials.trial import Trial


class Said(NamedTuple):
    """``few``: ``words`` in short; ``step``: for the step Data, where it is likely that something was forgotten. All empty: there
    is nothing to say."""

    words: str = ""
    more: str = ""
    few: str = ""
    step: str = ""
    asks: str = ""  # the caption of a question that the start asks about once


MOST_NAMED = 3
OPEN = "a question is open on Data"
ASKS = "The Data page asks: {caption}"
NO_OUTPUT = "No output predicts it: mark one on the Simulator page, or say on the Data page that it does not count."
NO_OUTPUTS = "No output predicts them: mark some on the Simulator page, or say on the Data page that they do not count."
TOO = "Output {output} may predict {it} too: compare {it} on the Data page, or say there that {it_does} not count."
ALLOWED = "It may be so; these tell nothing about the parameters then: {names}."


def idle_now(problem: Problem, trial: Trial) -> Idle:
    """What takes part in no comparison, as far as test runs and the files of the data tell that it could."""
    return idle(problem, known_keys(problem, trial).steady | unmeasured(problem, trial.answers.settled.files))


def left(problem: Problem, trial: Trial) -> Idle:
    """What takes part in no comparison and was not set aside, without the columns that an output holds as a key: no output
    predicts them."""
    found = idle_now(problem, trial)
    keys = key_columns(problem, trial.report, found.columns) if found.columns else {}
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
    """That only some outputs or columns are compared, and which are not. Empty: all are, or the user said that the others do not
    count."""
    if (shifted := open_shift(problem, trial.answers.settled.kept)) is not None:
        return Said(shifted.words, SHIFT_HINT, shifted.few, shifted.few)
    if (question := trial.open_question) is not None:
        return Said(question.words, ASKS.format(caption=question.caption), OPEN, asks=question.caption)
    found = left(problem, trial)
    if not found.may_match:
        return _columns_said(problem, found.columns) if found.columns else Said()
    compared = len({m.output for m in getattr(problem.meaning, "matches", ())})
    every = compared + len(found.outputs)
    names = ", ".join(f"“{one_line(n, 24)}”" for n in found.outputs[:MOST_NAMED])
    names += f" and {len(found.outputs) - MOST_NAMED} more" if len(found.outputs) > MOST_NAMED else ""
    few = f"{compared} of {every} outputs"
    said = f"Only {few} {'is' if compared == 1 else 'are'} compared with data."
    return Said(said, ALLOWED.format(names=names), f"{few} compared", f"only {few} compared")


def columns_question(problem: Problem, columns: tuple[str, ...]) -> str:
    """``Column “p2” of data.csv is compared with nothing: is that meant?``"""
    names = ", ".join(f"“{one_line(c, 24)}”" for c in columns[:MOST_NAMED])
    names += f" and {len(columns) - MOST_NAMED} more" if len(columns) > MOST_NAMED else ""
    origin = problem.data.origin if problem.data is not None else ""
    file = "" if ", " in origin else one_line(PurePath(origin).name, 40)  # of several files it is not known which
    of = f" of {file}" if file else ""
    one = len(columns) == 1
    return f"{'Column' if one else 'Columns'} {names}{of} {'is' if one else 'are'} compared with nothing: is that meant?"


def _columns_said(problem: Problem, columns: tuple[str, ...]) -> Said:
    one = len(columns) == 1
    few = f"{f'column “{one_line(columns[0], 16)}”' if one else f'{len(columns)} columns'} in no comparison"
    return Said(columns_question(problem, columns), no_output_words(problem, columns) or (NO_OUTPUT if one else NO_OUTPUTS), few)


def no_output_words(problem: Problem, columns: tuple[str, ...]) -> str:
    """What to do about ``columns`` in no comparison that repeat outputs by their names; '' if not all of them do."""
    named = named_repeats(problem)
    if not all(c in named for c in columns):
        return ""
    it, it_does = ("it", "it does") if len(columns) == 1 else ("them", "they do")
    outputs = dict.fromkeys(named[c] for c in columns)
    return TOO.format(output=and_last(", ".join(f"“{one_line(o, 24)}”" for o in outputs)), it=it, it_does=it_does)
