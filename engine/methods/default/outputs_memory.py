"""What is remembered of outputs that are learnt. Light: most loops learn none, and need no torch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ...loop_interface import State
from ...numerics.radial import Profile

Array = NDArray[np.float64]

BELIEVED, DOUBTED = 1.5, 3.0  # leave-one-out error in nats below which outputs are learnt, and above which their score is
WINDOW = 15  # newest errors predicted before each run, by which the emulator's variances are rescaled
HALVED = 4.0  # runs after which an error counts half: the emulator was another one
PRIOR_ERRORS = 3.0  # so many errors of the size stated are assumed beforehand
TIMES_MORE = 5.0  # times as much of the posterior may lie where the emulator is not sure as it says
MOST_UNSURE_WIDTH = 0.2  # ... of a variance: its sd is then known within 10 %
MOST_UNSURE = 0.01  # share of the posterior that may lie where the emulator is not sure, in an answer that is called converged
MOST_HIDDEN = 0.005  # posterior that may be hidden, beside 1 for what is known: a mode with half is then there once in a hundred
MOST_OPEN = 0.05  # share of the prior that runs may leave open
WALKED_FROM = 0.1  # share of the posterior where the emulator is not sure, up to which its tails are walked: the peak is known
NEARER = 0.1  # share of the nats up to the best run that a run on the way to another mode must gain
BOLDER, CAUTION = 4.0, (1 / 64, 16.0)  # by which caution falls when an emulated maximum is kept, and grows when not; its range
MOST_DISAPPOINTED = 4  # doublings of the wait for the next emulated maximum, where they do not keep what they promise
LED_ASTRAY = 3  # steps in a row from one run that came no nearer to another mode, after which another run is tried
MOST_INFLATED = 25.0  # times the stated variance
UNSEEN = -1.0  # whether outputs scatter has not been looked at
SMOOTH = 0.01  # noise units, rms over the cells: two runs right beside each other that differ by less do not scatter
ROOT_TWO = float(np.sqrt(2.0))
LOOKED_AGAIN = 2.0  # times as many values after which it is looked again whether outputs scatter that did not
AFFORDED = 4_000_000  # numbers computed for the draws of an answer under way
LEAST_SHARE = 0.25, 0.5  # of all draws at least: before and since the peak is known, when their chance is most of the error
OF_LIKELIHOOD = 3  # times as many of them as there are scores go into the likelihood of one


@dataclass
class OutputsMemory:
    """``doubt``: leave-one-out error of the log-likelihood in nats; ``errors``: (mean squared standardized error, weight)."""

    used: bool = True
    kernel: Profile = "rough"
    logarithms: bool = False
    theta: Array | None = None  # (K, d + 4)
    fitted_at: int = 0  # number of values at the last fit
    chosen_at: int = 0  # ... at the last choice of the form
    doubt: float = float("inf")
    errors: list[tuple[float, float]] = field(default_factory=list)
    promised: int = -1  # index of the last run at an emulated maximum
    disappointed: int = 0  # how many of them in a row were no better than the best before
    promise_due: int = 0  # index from which on another is looked for
    caution: float = 1.0  # with which
    taken_in: list[int] = field(default_factory=list)  # runs kept though far from the data: of those told with outputs
    unsure: float = 1.0  # share of the posterior where the emulator is not sure of the outputs
    unsure_width: float = 0.0  # the largest share of a variance that is from there
    others: int = 0  # how many runs on the way to other modes came no nearer to them
    step: int = -1  # index of the last such run, if it has not been judged
    step_from: float = 0.0  # log joint of the run nearest to it
    judged_from: int = 0  # number of values below which outputs are not given up: runs made for another problem lie elsewhere
    sizes: bool = False  # sizes and shapes of the outputs are learnt apart
    incomplete: bool = True  # runs that gave some of their outputs are learnt from
    roughness: float = UNSEEN  # rms over the cells, in noise units, by which outputs scatter about a smooth surface; 0: not
    beside: tuple[int, Array] | None = None  # index of the run that shows it, and outputs of the one it is made beside
    seen_at: int = 0  # number of values when it was last looked at
    alike: list[int] = field(default_factory=list)  # indices of such runs that gave the same as what they are beside: not learnt
    level: State | None = None  # how the scatter changes from place to place, as in ``surrogate.outputs.scatter``
    scatter: float = 0.0  # the same as ``roughness`` by all runs near the data, as it was last learnt; 0: not learnt
    origin: Array | None = None  # (D,) run from which the last step began, in the box frame; None: another is looked for
    astray: int = 0  # how many steps in a row from there came no nearer
    given_up: list[Array] = field(default_factory=list)  # such runs (D,) from which steps led astray: none begins there again
    spent_at: int = -1  # number of values when all steps that may lead astray had been made; -1: they have not
    hidden: float = 0.0  # posterior that may lie elsewhere, where it is not sure, beside 1 for what is known, when last looked
    left_open: float = 1.0  # share of the prior that is left open for a further mode, when last looked
    noise_factors: Array | None = None  # (outputs,) by which the noise is larger than was thought before any run
    draws_weighed: int = 1_000_000  # the first of the draws, that the last answer is made of

    def afforded(self, most: int, runs: int) -> int:
        """Of ``most`` draws those of an answer under way: they cost about the same with any number of ``runs``."""
        scores = 1 if self.theta is None else len(self.theta)
        least = LEAST_SHARE[self.tails_matter] * most
        return int(np.clip(AFFORDED // (scores * (runs + OF_LIKELIHOOD * scores)), least, most))

    def take_step(self, index: int, y: float | None, top: float) -> None:
        """The outcome of a run on the way to another mode; one that came nearer to ``top``, the best so far, is not counted."""
        if index == self.step:
            nearer = y is not None and y > self.step_from + NEARER * max(top - self.step_from, 0.0)
            self.step, self.others = -1, self.others + (not nearer)
            self.astray = 0 if nearer or self.origin is None else self.astray + 1
            if nearer:
                self.origin = None
            elif self.astray >= LED_ASTRAY:
                self.give_up_origin()

    def take_promise(self, index: int, y: float | None, least: float) -> None:
        """Whether a run at an emulated maximum came out above ``least``."""
        if index == self.promised:
            kept = y is not None and y > least
            self.disappointed = 0 if kept else min(self.disappointed + 1, MOST_DISAPPOINTED)
            self.caution = float(np.clip(self.caution / BOLDER if kept else self.caution * BOLDER, *CAUTION))
            self.promise_due = index + 2**self.disappointed

    def begin_step(self, index: int, origin: Array | None, log_joint: float) -> None:
        """The run ``index`` is a step to another mode from ``origin`` (D,), None of an image; ``log_joint`` of the run nearest to
        its end."""
        self.step, self.step_from, self.origin = index, log_joint, origin

    def give_up_origin(self) -> None:
        """Another run is looked for, apart from this one, from which a step may lead to another mode."""
        if self.origin is not None:
            self.given_up.append(self.origin)
        self.origin, self.astray = None, 0

    def forget_places(self) -> None:
        """The frame in which they are told has moved."""
        self.origin, self.astray, self.given_up = None, 0, []

    @property
    def step_caution(self) -> float:
        """With which the next step from ``origin`` is taken: the shorter the more led astray, as in Levenberg's method."""
        return BOLDER**self.astray

    @property
    def scatters(self) -> bool:
        """Whether outputs scatter about a smooth surface."""
        return self.roughness > 0.0

    @property
    def unseen(self) -> bool:
        """Whether it is not known yet if they do."""
        return self.roughness == UNSEEN

    def take_beside(self, index: int, outputs: Array | None, units: Array) -> None:
        """The outcome of a run beside another: outputs (L,), units (L,) of the noise."""
        if self.beside is None or index != self.beside[0]:
            return
        other, self.beside = self.beside[1], None
        if outputs is not None and np.isfinite(outputs).all():
            apart = float(np.sqrt(np.mean(np.square((outputs - other) / units)))) / ROOT_TWO
            self.roughness = apart if apart > SMOOTH else 0.0
            if not self.scatters:
                self.alike.append(index)
            self.fitted_at = 0 if self.scatters else self.fitted_at
            self.scatter = 0.0

    def call_off(self, index: int) -> None:
        """The run ``index`` is made elsewhere: it is beside nothing."""
        if self.beside is not None and self.beside[0] == index:
            self.beside = None

    @property
    def settled(self) -> bool:
        """Whether hardly anything of the posterior, or of its width, lies where the outputs are not known."""
        return self.unsure <= MOST_UNSURE and self.unsure_width <= MOST_UNSURE_WIDTH

    @property
    def tails_matter(self) -> bool:
        """Whether the bulk of the posterior is known well enough."""
        return self.unsure <= WALKED_FROM

    def may_look_beside(self, n: int) -> bool:
        """Whether it is to be seen, with ``n`` values, if outputs scatter."""
        return not self.scatters and self.beside is None and n >= LOOKED_AGAIN * self.seen_at

    @property
    def hidden_mass(self) -> float:
        """Of the mass where the emulator is not sure there may be none, up to TIMES_MORE as much as it says, or anything between:
        the rms error of log Z."""
        missed = float(np.sqrt(((TIMES_MORE - 1.0) ** 3 + 1.0) / (3.0 * TIMES_MORE)))  # rms of what is even from -1 on
        return missed * self.unsure if self.used and self.theta is not None else 0.0

    @property
    def inflation(self) -> float:
        """What variances are multiplied by: errors predicted before each run against the sd stated then."""
        recent = np.array(self.errors[-WINDOW:]).reshape(-1, 2)
        counts = recent[:, 1] * 0.5 ** (np.arange(len(recent))[::-1] / HALVED)
        found = (float(recent[:, 0] @ counts) + PRIOR_ERRORS) / (float(counts.sum()) + PRIOR_ERRORS)
        return float(np.clip(found, 1.0, MOST_INFLATED))

    def to_state(self) -> State:
        return {
            "used": self.used, "kernel": self.kernel, "logarithms": self.logarithms, "sizes": self.sizes,
            "theta": None if self.theta is None else self.theta.copy(), "fitted_at": self.fitted_at,
            "chosen_at": self.chosen_at, "doubt": self.doubt, "errors": [list(e) for e in self.errors],
            "promised": self.promised, "disappointed": self.disappointed, "promise_due": self.promise_due,
            "caution": self.caution, "others": self.others, "unsure": self.unsure, "unsure_width": self.unsure_width,
            "taken_in": list(self.taken_in),
            "judged_from": self.judged_from, "step": self.step, "step_from": self.step_from,
            "origin": None if self.origin is None else self.origin.copy(), "astray": self.astray,
            "given_up": [a.copy() for a in self.given_up],
            "incomplete": self.incomplete,
            "roughness": self.roughness, "seen_at": self.seen_at, "level": self.level, "alike": list(self.alike),
            "scatter": self.scatter, "spent_at": self.spent_at, "hidden": self.hidden, "left_open": self.left_open,
            "noise_factors": None if self.noise_factors is None else self.noise_factors.copy(),
            "draws_weighed": self.draws_weighed,
            "beside": None if self.beside is None else [self.beside[0], self.beside[1].copy()],
        }  # fmt: skip

    @classmethod
    def of_state(cls, s: State) -> OutputsMemory:
        beside = s.get("beside")
        return cls(
            bool(s["used"]), cast(Profile, str(s["kernel"])), bool(s["logarithms"]),
            None if s["theta"] is None else np.array(s["theta"], dtype=float), int(s["fitted_at"]), int(s["chosen_at"]),
            float(s["doubt"]), [(float(a), float(b)) for a, b in s["errors"]],
            int(s.get("promised", -1)), int(s.get("disappointed", 0)), int(s.get("promise_due", 0)),
            float(s.get("caution", 1.0)), [int(i) for i in s.get("taken_in", ())],
            float(s.get("unsure", 1.0)), float(s.get("unsure_width", 0.0)), int(s.get("others", 0)), int(s.get("step", -1)),
            float(s.get("step_from", 0.0)), int(s.get("judged_from", 0)), bool(s.get("sizes", False)),
            bool(s.get("incomplete", True)),
            float(s.get("roughness", UNSEEN)), None if beside is None else (int(beside[0]), np.array(beside[1], dtype=float)),
            int(s.get("seen_at", 0)), [int(i) for i in s.get("alike", ())], s.get("level"),
            float(s.get("scatter", 0.0)),
            origin=None if s.get("origin") is None else np.array(s["origin"], dtype=float), astray=int(s.get("astray", 0)),
            given_up=[np.array(a, dtype=float) for a in s.get("given_up", ())], spent_at=int(s.get("spent_at", -1)),
            draws_weighed=int(s.get("draws_weighed", 1_000_000)),
            hidden=float(s.get("hidden", 0.0)), left_open=float(s.get("left_open", 1.0)),
            noise_factors=None if s.get("noise_factors") is None else np.array(s["noise_factors"], dtype=float),
        )  # fmt: skip
