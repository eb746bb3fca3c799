"""Good runs that were given different values and gave identical outputs: does the program take notice of its input?

A number may coincide by itself: a floor, a count, a class. Whole vectors, or most of the runs, do not.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..problem.checks.check_simulator import texts_with_placeholders
from ..problem.definition import NumberFormat, Predictions, Problem, Simulator
from ..problem.errors import ProblemError
from ..problem.fixed_seed import fixed_seed
from ..problem.numbers.number_format import format_number
from ..problem.placeholders import RESERVED, find, normal
from ..problem.transforms import ParameterSpace
from ..session.records import EvaluationRecord

Array = NDArray[np.float64]

ONCE_MARKED = "Once numbers are marked (Outputs), it is said of each whether it changes."  # of runs that differ
IGNORES = "Either the program reads an old file, or the parameters do not reach it"
TRY = "Make a test run at two of these points, and compare the filled files and the command with what the program expects."

SEED_FIXED = "Either the program is not random, or its random seed is fixed"

WHOLE_VECTOR = 3  # telling numbers that coincide together by no accident
SMALL_COUNT = 100  # whole numbers below are counts, classes and flags, which coincide by themselves
MOST = 0.5  # share of the runs beyond which even a single number is no coincidence, unless it is a small count
FEWEST = 5  # runs before "most" means anything: a search may begin on a floor
FEWEST_COUNTS = 20  # runs that must all give the same small counts: a rare event is missed that often where its chance is 1/7
APART = 0.01  # of the plausible range: nearer points may be printed with the same digits
LOOKED_AT = 10_000  # numbers of one run's outputs that are looked at for telling ones; a few are enough
COMPARED = 20  # runs of one group that a new one is compared with for its distance
NAMED = 6  # runs named in a sentence

Kind = Literal["all", "most", "some"]


def same_again(problem: Problem) -> str:
    """What it may mean that runs at the same values agree, a sentence: of a fixed seed only where one is seen."""
    seed = fixed_seed(problem)
    if seed is None:
        return "As far as that tells, the program is not random: no random seed is seen in what it is given."
    return f"{SEED_FIXED} ({seed.words})."


@dataclass(frozen=True)
class SameOutputs:
    """``indices``: evaluations with the same outputs (the largest such group), out of ``runs`` at different points."""

    kind: Kind
    indices: tuple[int, ...]
    runs: int
    what: str  # happened, a sentence
    meaning: str  # what it may mean, a sentence
    suggestion: str


def same_outputs(problem: Problem, evaluations: Iterable[EvaluationRecord]) -> SameOutputs | None:
    """What the good ones among ``evaluations`` show; None: nothing worth saying."""
    watch = SameOutputsWatch(problem)
    for evaluation in evaluations:
        watch.add(evaluation)
    return watch.finding()


@dataclass(frozen=True)
class _Run:
    index: int
    u: Array
    telling: Mapping[str, int]  # output -> how many of its numbers coincide by no accident


class SameOutputsWatch:
    """The same, one evaluation after another."""

    def __init__(self, problem: Problem) -> None:
        self._simulator = problem.simulator
        self._given = _reaching(problem.simulator)
        self._keys = _keys(problem)
        try:
            lower, upper = ParameterSpace(problem.parameters).plausible_box()
            self._range = np.where(upper > lower, upper - lower, 1.0)
        except (ProblemError, ValueError, ArithmeticError):
            self._range = np.ones(0)
        self._inputs: set[tuple[str, ...]] = set()
        self._groups: defaultdict[bytes, dict[tuple[str, ...], _Run]] = defaultdict(dict)
        self._first: dict[str, bytes] = {}
        self._varied: set[str] = set()  # outputs that were not the same in all runs
        self._shared: set[bytes] = set()  # groups of more than one run
        self._apart: set[bytes] = set()  # and of those, the ones with two runs well apart

    def add(self, e: EvaluationRecord) -> None:
        """Take notice of a finished run; of failed ones and repeats at a point there is nothing to take."""
        if e.outcome != "ok" or not e.outputs:
            return
        given = self._input(e.values)
        if given is None or given in self._inputs:
            return
        self._inputs.add(given)
        prints = {name: _fingerprint(values) for name, values in sorted(e.outputs.items())}
        self._varied |= {name for name, found in prints.items() if self._first.setdefault(name, found) != found}
        whole = hashlib.blake2b(repr(sorted(prints.items())).encode(), digest_size=16).digest()
        group = self._groups[whole]
        run = _Run(e.index, np.asarray(e.u, dtype=float), {n: _telling(v) for n, v in e.outputs.items() if n not in self._keys})
        if whole not in self._apart and any(self._far(run.u, other.u) for other in list(group.values())[:COMPARED]):
            self._apart.add(whole)
        group[given] = run
        if len(group) > 1:
            self._shared.add(whole)

    def finding(self) -> SameOutputs | None:
        """What there is to say of the runs so far."""
        n = len(self._inputs)
        shared = sorted(self._shared, key=lambda whole: (-len(self._groups[whole]), whole))
        for k, whole in enumerate(shared):
            runs = list(self._groups[whole].values())
            telling = runs[0].telling
            if k == 0 and len(runs) == n >= (FEWEST if any(telling.values()) else FEWEST_COUNTS):
                return _say("all", runs, n)
            if k == 0 and any(telling.values()) and len(runs) >= FEWEST and len(runs) > MOST * n:
                return _say("most", runs, n)
            varied = sum(count for name, count in telling.items() if name in self._varied)
            if varied >= WHOLE_VECTOR and whole in self._apart:
                return _say("some", runs, n)
        return None

    def _input(self, values: Mapping[str, float]) -> tuple[str, ...] | None:
        """What the program was given, as text; None if that cannot be told."""
        try:
            known = {normal(name): value for name, value in values.items()}
            formats = {normal(name): form for name, form in self._simulator.formats.items()}
            return tuple(format_number(known[name], formats.get(name, NumberFormat()), name) for name in self._given)
        except (ProblemError, KeyError):
            return None

    def _far(self, a: Array, b: Array) -> bool:
        if a.shape != b.shape or a.shape != self._range.shape:
            return False
        with np.errstate(all="ignore"):
            return bool(np.any(np.abs(a - b) >= APART * self._range))


def _reaching(simulator: Simulator) -> tuple[str, ...]:
    """Names of the placeholders that the program is given values by."""
    names = {name for _, _, text in texts_with_placeholders(simulator) for name, _, _ in find(text)}
    return tuple(sorted(names - RESERVED))


def _keys(problem: Problem) -> set[str]:
    """Outputs that only pair rows, such as times: the same in all runs, as they should be."""
    matches = problem.meaning.matches if isinstance(problem.meaning, Predictions) else ()
    return {output for match in matches for output, _ in match.keys}


def _fingerprint(values: Array) -> bytes:
    array = np.ascontiguousarray(values, dtype="<f8") + 0.0  # no minus zero
    return hashlib.blake2b(repr(array.shape).encode() + array.tobytes(), digest_size=16).digest()


def _telling(values: Array) -> int:
    """How many different numbers there are that do not coincide by themselves; at most WHOLE_VECTOR."""
    x = np.ravel(np.asarray(values, dtype=float))[:LOOKED_AT]
    x = x[np.isfinite(x)]
    return min(len(np.unique(x[(x != np.floor(x)) | (np.abs(x) >= SMALL_COUNT)])), WHOLE_VECTOR)


# ------------------------------------------------------------------ words


def _say(kind: Kind, runs: list[_Run], n: int) -> SameOutputs:
    indices = tuple(run.index for run in runs)
    vector = sum(runs[0].telling.values()) >= WHOLE_VECTOR
    same = f"gave identical outputs, to the last digit, although they were given different values ({_named(indices)})."
    meaning = f"{IGNORES}, or it cuts its result off or rounds its numbers{'' if kind == 'all' else ' there'}."
    suggestion = TRY
    if kind == "most" and not vector:
        suggestion += " If the program gives this value where it cannot compute, let it end with an error there instead."
    who = f"All {n} good runs" if kind == "all" else f"{len(runs)} of {n} good runs"
    return SameOutputs(kind, indices, n, f"{who} {same}", meaning, suggestion)


def _named(indices: tuple[int, ...]) -> str:
    shown = [str(i) for i in sorted(indices)[:NAMED]]
    more = f" and {len(indices) - NAMED} more" if len(indices) > NAMED else ""
    return f"runs {', '.join(shown)}{more}" if more or len(shown) < 2 else f"runs {', '.join(shown[:-1])} and {shown[-1]}"
