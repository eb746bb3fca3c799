"""The failed runs of an analysis by reason: what each group shares, in words, and what may mend it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...problem.definition import Parameter, Problem, Simulator, evaluation_noun, free_parameters, is_noisy
from ...problem.numbers.number_text import NUMBER
from ...problem.numbers.shown_digits import spoken
from ...problem.priors import plausible_range
from ...session.records import EvaluationRecord
from ...session.store import SessionStore
from ..digits import rough
from .between import interpolating
from .kinds import KINDS, NAMES, Kind, kind_of
from .rule import Rule, rule_of

Array = NDArray[np.float64]
MendKind = Literal["limit", "retries", "ranges", "between"]

LONGER = 3.0  # times the limit that runs broke
LEAST_RETRIES = 1
OWN_WORDS: tuple[Kind, ...] = ("likelihood", "other")
_EVERY_REPEAT = re.compile(r"(\d+) of \1 repeats failed")  # a further try would fail as well
_LOST_ROW = re.compile(r"as row (\d+) of the data needs|[Rr]ow (\d+) of the data, where .* does not lie")
OR_BETWEEN = " Or interpolate between those it prints: that needs no new run."
MOST_LOST = 3  # rows that are named
_SAID_LAST = re.compile(r" It said last: “(.*?)”\.(?= Its file “|$)", re.DOTALL)
_FILE_SAID = re.compile(r" Its file (“[^”]+”) says: “(.*)”\.", re.DOTALL)
ONE_EDGE = 1  # bounds of a rule that a change of ranges follows: a corner cut off would be no range


class Finished(Protocol):
    """A run that has ended, as the window or the session knows it."""

    @property
    def index(self) -> int: ...
    @property
    def values(self) -> dict[str, float]: ...
    @property
    def outcome(self) -> Literal["ok", "failed", "impossible"]: ...
    @property
    def reason(self) -> str: ...


@dataclass(frozen=True)
class Mend:
    """What a button offers: ``words`` on it, ``why`` below. ``simulator``: as it would be; ``ranges``: plausible ones instead.
    ``problem``: another question of the runs there are."""

    kind: MendKind
    words: str
    why: str
    simulator: Simulator | None = None
    ranges: tuple[tuple[str, float, float], ...] = ()
    problem: Problem | None = None


@dataclass(frozen=True)
class Group:
    """Runs that failed for one kind of reason. ``rule``: what they share, None where nothing is worth telling."""

    kind: Kind
    indices: tuple[int, ...]
    rule: Rule | None
    words: str  # a sentence or two
    mends: tuple[Mend, ...]
    where: str = ""  # the rule's own words
    same_again: bool = False  # the program ended well, and draws no random numbers: a second try gives the same

    @property
    def name(self) -> str:
        return NAMES[self.kind]


def groups_of(problem: Problem, runs: Sequence[Finished]) -> list[Group]:
    """The largest first; empty where every run gave a value."""
    parameters = free_parameters(problem)
    theta = np.array([[e.values.get(p.name, np.nan) for p in parameters] for e in runs]).reshape(len(runs), len(parameters))
    kinds = np.array(["" if e.outcome == "ok" else kind_of(e.outcome, e.reason) for e in runs], dtype=object)
    found = []
    for kind in KINDS:
        mine = kinds == kind
        if mine.any():
            compared = (mine | (kinds == "")) & np.isfinite(theta).all(axis=1)
            rule = rule_of(theta[compared], mine[compared])
            indices = tuple(e.index for e, own in zip(runs, mine, strict=True) if own)
            names = [p.label or p.name for p in parameters]
            words = group_words(kind, len(indices), rule, names, evaluation_noun(problem.meaning))
            reasons = [e.reason for e, own in zip(runs, mine, strict=True) if own]
            mends = mends_of(problem, kind, rule, parameters, reasons)
            words += _own_words(kind, reasons)
            words += OR_BETWEEN if any(mend.kind == "between" for mend in mends) else ""
            where = "" if rule is None else rule.words(names)
            same = kind == "rows" and not is_noisy(problem.meaning)
            found.append(Group(kind, indices, rule, words, mends, where, same))
    return sorted(found, key=lambda g: -len(g.indices))


def in_short(groups: Sequence[Group]) -> str:
    """In one line: "Ran out of time: 9, load > 40. Crashed: 5, thickness < 1.2."; "": none."""
    return " ".join(f"{g.name[:1].upper()}{g.name[1:]}: {len(g.indices)}{f', {g.where}' if g.where else ''}." for g in groups)


def groups_of_store(store: SessionStore) -> list[Group]:
    """Raises DamagedSession."""
    evaluations: list[EvaluationRecord] = store.evaluations()
    return groups_of(store.problem, evaluations)


def group_words(kind: Kind, count: int, rule: Rule | None, names: Sequence[str], noun: str = "run") -> str:
    """How many, and what they share: "These 14 runs ran out of time. All of them lie at thickness < 1.2 and load > 40.".
    ``noun``: what they are called."""
    said = f"1 {noun}" if count == 1 else f"{count} {noun}s"
    said += f": {NAMES[kind]}."
    if rule is None:
        return said
    who = f"All {count}" if rule.caught == rule.failed else f"{rule.caught} of these {count}"
    others = f"{rule.good_inside} of the {rule.good} good {noun}s" if rule.good_inside else f"no good {noun}"
    verb = "do" if rule.good_inside > 1 else "does"
    return f"{said} {who} share {rule.words(names)}; {others} {verb}."


def _own_words(kind: Kind, reasons: Sequence[str]) -> str:
    """What the rows say, where the name of the kind says little; of several the most frequent."""
    if kind == "crash":
        return _last_words(reasons)
    if kind == "rows":
        return _lost_rows(reasons)
    if kind not in OWN_WORDS:
        return ""
    alike = [re.sub(NUMBER, "…", reason) for reason in reasons]  # jobs and lines have numbers of their own
    form, count = Counter(alike).most_common(1)[0]
    said, others = reasons[alike.index(form)], len(set(alike)) - 1
    rest, which = len(reasons) - count, "other reasons" if others > 1 else "another reason"
    more = f" So {count} of them; {rest} for {which}." if others else ""
    return f" {said}{more}" if said else ""


def _lost_rows(reasons: Sequence[str]) -> str:
    """Which measured rows had none; each reason names the first alone."""
    counted = Counter(next(filter(None, match.groups())) for reason in reasons if (match := _LOST_ROW.search(reason)))
    if not counted:
        return f" {reasons[0]}" if len(set(reasons)) == 1 else ""
    named = [f"row {row} in {count} run{'s' if count > 1 else ''}" for row, count in counted.most_common(MOST_LOST)]
    more = f", others in {sum(counted.values()) - sum(c for _, c in counted.most_common(MOST_LOST))}"
    told = ", ".join(named) + (more if len(counted) > MOST_LOST else "")
    return f" The first measured row without one is {told}. Let the program print every measured row."


def _last_words(reasons: Sequence[str]) -> str:
    """What programs that crashed printed last, or wrote of it, of several the most frequent; and that every repeat did."""
    always = sum(bool(_EVERY_REPEAT.match(reason)) for reason in reasons)
    every = "" if not always else " Every repeat did." if always == len(reasons) else f" Of {always} every repeat did."
    told = Counter(match.groups() for reason in reasons if (match := _FILE_SAID.search(reason)))
    if told:
        (file, words), count = told.most_common(1)[0]
        return f"{every} Its file {file} says: “{words}”{'' if count == len(reasons) else f' ({count} of them)'}."
    said = Counter(match[1] for reason in reasons if (match := _SAID_LAST.search(reason)))
    if not said:
        return every
    words, count = said.most_common(1)[0]
    return f"{every} The program said last: “{words}”{'' if count == len(reasons) else f' ({count} of them)'}."


def mends_of(
    problem: Problem, kind: Kind, rule: Rule | None, parameters: Sequence[Parameter], reasons: Sequence[str] = ()
) -> tuple[Mend, ...]:
    """What may help, the most likely first. ``reasons``: of the runs that failed."""
    always = bool(reasons) and all(_EVERY_REPEAT.match(reason) for reason in reasons)
    again = None if always else _more_tries(problem.simulator, kind, rule)
    found = [_between(problem, kind, reasons), _longer(problem.simulator, kind), again, _ranges(rule, parameters)]
    return tuple(m for m in found if m is not None)


def _between(problem: Problem, kind: Kind, reasons: Sequence[str]) -> Mend | None:
    """The rows that runs lack interpolated, in a copy that these runs answer."""
    changed = interpolating(problem, reasons) if kind == "rows" else None
    why = "Opens a copy that these runs answer, without a new one: a row between others lies on the straight line between them."
    return None if changed is None else Mend("between", "Interpolate between rows…", why, problem=changed)


def _longer(simulator: Simulator, kind: Kind) -> Mend | None:
    limits = simulator.limits
    if kind == "time" and limits.relative_time is not None:  # as a rule that stops a run long before the other one does
        times = LONGER * limits.relative_time
        seconds = None if limits.time_s is None else LONGER * limits.time_s
        changed = msgspec.structs.replace(limits, time_s=seconds, relative_time=times)
        words = f"Allow {rough(LONGER)} times as long"
        why = f"The limit of {rough(limits.relative_time)} times the median of the good runs becomes {rough(times)} times."
    elif kind == "time" and limits.time_s is not None:
        seconds = LONGER * limits.time_s
        changed = msgspec.structs.replace(limits, time_s=seconds)
        words = f"Allow {rough(seconds)} s"
        why = f"The limit of {rough(limits.time_s)} s for each run becomes {rough(seconds)} s."
    elif kind == "memory" and limits.memory_mb is not None:
        changed = msgspec.structs.replace(limits, memory_mb=LONGER * limits.memory_mb)
        words, why = f"Allow {rough(LONGER * limits.memory_mb)} MB", f"The limit of {rough(limits.memory_mb)} MB is raised."
    else:
        return None
    return Mend("limit", words, why, msgspec.structs.replace(simulator, limits=changed))


def _more_tries(simulator: Simulator, kind: Kind, rule: Rule | None) -> Mend | None:
    """Where nothing is shared chance may have made them fail, and a second try helps."""
    rules = simulator.failures
    if rule is not None or kind in ("impossible", "likelihood", "rows") or rules.retries > 0:
        return None
    changed = msgspec.structs.replace(simulator, failures=msgspec.structs.replace(rules, retries=LEAST_RETRIES))
    return Mend("retries", "Try twice", "From now on each run that fails is tried once more before it counts.", changed)


def _ranges(rule: Rule | None, parameters: Sequence[Parameter]) -> Mend | None:
    """Plausible ranges without what fails, where one bound says it."""
    if rule is None or len(rule.bounds) != ONE_EDGE:
        return None
    bound = rule.bounds[0]
    p = parameters[bound.parameter]
    before = plausible_range(p)
    low, high = (bound.value, before[1]) if bound.below else (before[0], bound.value)
    if not before[0] <= low < high <= before[1] or (low, high) == before:
        return None
    words = f"Leave out {p.label or p.name} {'<' if bound.below else '>'} {spoken(bound.value)}"
    why = "Opens a copy without runs whose plausible range ends there."
    return Mend("ranges", words, why, ranges=((p.name, low, high),))
