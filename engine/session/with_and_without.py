"""The evidence with a program that may be off beside that of the same program taken for right, in words."""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass
from pathlib import Path

import msgspec

from ..problem.definition import Predictions, Problem, Settings
from .digits import rough
from .errors import SessionError
from .records import IterationRecord

RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
LARGEST = math.log(1e6)  # factors beyond are told as powers of ten
ALIKE = 1.0  # nats, or two standard deviations, within which neither is favoured (Kass and Raftery 1995)


@dataclass(frozen=True)
class Evidence:
    """Log evidence of one answer; ``settled``: it had converged."""

    value: float
    sd: float
    settled: bool

    @classmethod
    def of(cls, record: IterationRecord) -> Evidence:
        return cls(record.log_evidence, record.log_evidence_sd, record.converged)

    @property
    def words(self) -> str:
        return f"{self.value:.2f} ± {self.sd:.2g}".replace("-", "−")


def may_be_off(problem: Problem) -> bool:
    """Whether a comparison says that the program itself may be off."""
    meaning = problem.meaning
    return isinstance(meaning, Predictions) and any(m.discrepancy is not None for m in meaning.matches)


def taken_for_right(problem: Problem) -> Problem:
    """``problem`` without discrepancies."""
    meaning = problem.meaning
    if not isinstance(meaning, Predictions):
        return problem
    matches = tuple(msgspec.structs.replace(m, discrepancy=None) for m in meaning.matches)
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=matches))


def differ_in_it_alone(one: Problem, other: Problem) -> bool:
    """Whether exactly one of them may be off, and all else that evidences depend on is the same."""
    return may_be_off(one) != may_be_off(other) and _bare(one) == _bare(other)


def _bare(problem: Problem) -> Problem:
    """But for names, settings, and the program, which is known to be the same."""
    blank = {"name": "", "description": "", "settings": Settings(), "simulator": type(problem.simulator)(command=())}
    return msgspec.structs.replace(taken_for_right(problem), **blank)


def side_by_side(off: Evidence, right: Evidence) -> str:
    """Sentences; '' where one of them is not known."""
    gain, sd = off.value - right.value, math.hypot(off.sd, right.sd)
    if not math.isfinite(gain + sd):
        return ""
    figures = f"Log evidence {off.words} if the program may be off, {right.words} if it is taken for right."
    if abs(gain) < max(ALIKE, 2.0 * sd):
        said = "The data do not tell which: they are about as probable either way."
    elif gain > 0.0:
        said = f"The data are {_times(gain)} as probable if the program may be off: it misses something."
    else:
        said = f"The data are {_times(-gain)} as probable if the program is right: nothing speaks for an error of it."
    open_ends = [name for one, name in ((off, "first"), (right, "second")) if not one.settled]
    doubt = f" The {' and the '.join(open_ends)} has not converged." if len(open_ends) == 1 else ""
    return f"{figures} {said}{doubt or (' Neither has converged.' if open_ends else '')}"


def _times(nats: float) -> str:
    if nats > LARGEST:
        return f"10{str(round(nats / math.log(10.0))).translate(RAISED)} times"
    return f"{rough(math.exp(nats))} times"


def beside_first(problem: Problem, mine: Evidence, first: Path | None) -> str:
    """The evidence of ``problem`` beside that of the analysis ``first`` whose runs it is from; '' where they do not differ
    in a discrepancy alone, or ``first`` cannot be read."""
    from .store import SessionStore

    if first is None:
        return ""
    with contextlib.suppress(SessionError, OSError):
        with SessionStore.open(first, mode="read") as store:
            theirs, other = store.last_iteration(), store.problem
        if theirs is not None and differ_in_it_alone(problem, other):
            their = Evidence.of(theirs)
            return side_by_side(mine, their) if may_be_off(problem) else side_by_side(their, mine)
    return ""
