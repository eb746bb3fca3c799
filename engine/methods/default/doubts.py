"""Values that may be lies: which, how far off they were, the runs beside them, and what became of them. Light: no surrogate."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...answer.failures.far_off import FATES, FarOff, Fate, Row
from ...loop_interface import State, Tell

BESIDE = 1e-6  # of the plausible ranges between a run and one that repeats it
MOST_RUNS = 3  # beside one value: a program that gives another value each time tells nothing there
MOST_SHARE, MOST_FREE = 0.15, 6  # of all values that may have come again: with more, the surrogate is what is wrong
HARMLESS = 0.3  # nats that a value may be off by: the residual limit of the stop rule
WINDOW = 15  # newest errors of predictions that tell how wrong they usually are


@dataclass
class Doubt:
    """``index``: of the run; ``chance``: log10 of that of a value so far from ``predicted``; ``runs``: indices of those beside
    it. ``values``: of the run itself, then of these; None: none came. ``believed``: index of the run that counts there. ``looks``
    made for a mode that it hints at."""

    index: int
    value: float
    predicted: float
    chance: float
    fate: Fate = "open"
    runs: list[int] = field(default_factory=list)
    values: list[float | None] = field(default_factory=list)
    believed: int = -1
    check: int = -1  # position in the certification that waits for it
    looks: int = 0

    def rows(self) -> list[Row]:
        """As in ``FarOff``: of the run itself, and of those beside it that gave something else than what is believed."""
        fate = float(FATES.index(self.fate))
        beside = self.believed if self.fate == "left out" else self.runs[len(self.values) - 2] if self.fate == "kept" else -1
        rows: list[Row] = [(float(self.index), self.chance, self.value - self.predicted, fate, float(beside))]
        for run, value in zip(self.runs, self.values[1:], strict=False):
            if value is not None and self.fate != "kept" and run != self.believed:
                rows.append((float(run), self.chance, value - self.predicted, fate, float(beside)))
        return rows

    def keep(self, one: Tell) -> None:
        """The run ``one``, right beside it, gave the same."""
        self.fate, self.believed = "kept", self.index
        if one.index not in self.runs[-1:]:
            told = len(self.values) - 1
            self.runs, self.values = [*self.runs[:told], one.index], [*self.values[: told + 1], one.y]

    def to_state(self) -> State:
        return {**vars(self), "runs": list(self.runs), "values": list(self.values)}

    @classmethod
    def of_state(cls, s: State) -> Doubt:
        fate: Fate = s["fate"]
        values = [None if v is None else float(v) for v in s["values"]]
        numbers = float(s["value"]), float(s["predicted"]), float(s["chance"])
        counts = int(s["believed"]), int(s["check"]), int(s.get("looks", 0))
        return cls(int(s["index"]), *numbers, fate, [int(i) for i in s["runs"]], values, *counts)


@dataclass
class Doubts:
    """All of a run; ``errors``: squared standardized errors of what was predicted before each of the newest runs."""

    all: list[Doubt] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)

    @property
    def open(self) -> list[Doubt]:
        return [d for d in self.all if d.fate == "open"]

    def note(self, error: float) -> None:
        self.errors = [*self.errors, error][-WINDOW:]

    def may_doubt(self, evaluations: int) -> bool:
        return sum(d.fate != "left out" for d in self.all) < max(MOST_FREE, MOST_SHARE * evaluations)

    def about(self, index: int) -> bool:
        """Whether the run was in doubt, or made beside one that was; one believed since it was as predicted may lie itself."""
        return any(index == d.index or (index in d.runs and not index == d.believed == d.runs[-1]) for d in self.all)

    def of_run(self, index: int) -> Doubt | None:
        """The open doubt that the run ``index`` was made for."""
        return next((d for d in self.open if d.runs[-1:] == [index]), None)

    def call_off(self, index: int) -> None:
        """The run ``index`` is made elsewhere: it is beside nothing."""
        for doubt in self.open:
            if doubt.runs[-1:] == [index]:
                doubt.runs.pop()

    @property
    def shown(self) -> FarOff:
        return FarOff.of_rows([row for doubt in self.all for row in doubt.rows()])

    def to_state(self) -> State:
        return {"all": [d.to_state() for d in self.all], "errors": list(self.errors)}

    @classmethod
    def of_state(cls, s: State | None) -> Doubts:
        if s is None:
            return cls()
        return cls([Doubt.of_state(d) for d in s["all"]], [float(e) for e in s["errors"]])
