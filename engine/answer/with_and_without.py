"""The evidence with a program that may be off beside that of the same program taken for right, in words."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from ..problem.definition import Predictions, Problem, Settings, free_parameters, with_names
from ..problem.findings import shorten
from ..session.errors import SessionError
from ..session.records import IterationRecord
from .digits import rough, with_error
from .surrogate_peak import HasMixture, sds_of

RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
LARGEST = math.log(1e6)  # factors beyond are told as powers of ten
WIDER = 1.5  # times a standard deviation, from which a parameter counts as less well known
MOST_TOLD, MOST_NAME = 3, 30  # parameters; characters of a name
ALIKE = 1.0  # nats, or two standard deviations, within which neither is favoured (Kass and Raftery 1995)


@dataclass(frozen=True)
class Evidence:
    """Log evidence of one answer; ``settled``: it had converged. ``sds``: of its free parameters by name, in inference space."""

    value: float
    sd: float
    settled: bool
    sds: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, record: IterationRecord, problem: Problem) -> Evidence:
        return cls(record.log_evidence, record.log_evidence_sd, record.converged, spreads(record, problem))

    @property
    def words(self) -> str:
        return with_error(self.value, self.sd, "−")


def spreads(answer: HasMixture, problem: Problem) -> dict[str, float]:
    """For ``Evidence.sds``; empty where the mixture is of other parameters."""
    names, sds = [p.name for p in free_parameters(problem)], sds_of(answer)
    return dict(zip(names, sds.tolist(), strict=True)) if len(names) == len(sds) else {}


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
        said = f"The data are {_times(gain)} as probable if the program may be off: that speaks for something it misses."
    else:
        said = f"The data are {_times(-gain)} as probable if the program is right: nothing speaks for an error of it."
    open_ends = [name for one, name in ((off, "first"), (right, "second")) if not one.settled]
    doubt = f" The {' and the '.join(open_ends)} has not converged." if len(open_ends) == 1 else ""
    return f"{figures} {said}{doubt or (' Neither has converged.' if open_ends else '')}"


def less_sure(off: Evidence, right: Evidence, problem: Problem) -> str:
    """Which parameters a program that may be off leaves less well known, and what helps (Brynjarsdottir and O'Hagan 2014);
    '' where none is."""
    titles = {p.name: shorten(p.label or p.name, MOST_NAME) for p in with_names(free_parameters(problem))}
    ratios = {n: off.sds[n] / right.sds[n] for n in titles if n in off.sds and right.sds.get(n, 0.0) > 0.0}
    wider = sorted((n for n, ratio in ratios.items() if ratio >= WIDER), key=lambda n: -ratios[n])
    if not wider:
        return ""
    told = [f"{titles[n]} {rough(ratios[n])} times" for n in wider[:MOST_TOLD]]
    more = f" and {len(wider) - MOST_TOLD} others" if len(wider) > MOST_TOLD else ""
    they = "it" if len(wider) == 1 else "them"
    return (
        f"If it may be off, less is known of the parameters (standard deviations: {', '.join(told)}{more} as large): what the "
        f"data say of {they} may be an error of the program. What is known of {they} from elsewhere helps, as the prior, and "
        "data taken where the program is surely right."
    )


def _times(nats: float) -> str:
    if nats > LARGEST:
        return f"10{str(round(nats / math.log(10.0))).translate(RAISED)} times"
    return f"{rough(math.exp(nats))} times"


def beside_first(problem: Problem, mine: Evidence, first: Path | None) -> str:
    """The evidence of ``problem`` beside that of the analysis ``first`` whose runs it is from, and in a line of its own what is
    less known of the parameters; '' where they do not differ
    in a discrepancy alone, or ``first`` cannot be read."""
    from ..session.store import SessionStore

    if first is None:
        return ""
    with contextlib.suppress(SessionError, OSError):
        with SessionStore.open(first, mode="read") as store:
            theirs, other = store.last_iteration(), store.problem
        if theirs is not None and differ_in_it_alone(problem, other):
            their = Evidence.of(theirs, other)
            off, right = (mine, their) if may_be_off(problem) else (their, mine)
            return "\n".join(filter(None, (side_by_side(off, right), less_sure(off, right, problem))))
    return ""
