"""The default loop in a frame that moves by itself where the plausible ranges are wrong; every evaluation is kept.

    after the design: values that span more than a surrogate can hold -> a climb of its own (``acquisition.far_climb``) -> a frame
                      about as wide as the peak it leads to
    later:            a posterior much wider than the frame -> a frame that holds it, and again, as often as it takes
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...acquisition.far_climb import FarClimb, frame_around, hopeless, wall_below
from ...acquisition.peak import allowed
from ...feasibility.classifier import Feasibility
from ...loop_interface import LoopSettings, LoopSnapshot, State, Tell
from ...numerics.randomness import generator
from ...sampling.guarded_density import Hull
from ...surrogate.evaluations import Evaluations, outcome_of
from ...surrogate.frames import BoxFrame
from .doubting import DoubtingMethod
from .memory import Memory
from .words import name_of

Array = NDArray[np.float64]

WIDE = 3.0  # half the range that holds 68 % of a parameter, where the frame is [-2, 2]: wider, and the frame is moved
REACH = 3.0  # such halves on either side of the median that the new frame holds
MOST_MOVES = 12  # of the frame in a run: each widens it several times
REST = 3  # evaluations between two moves, and one more for each parameter
TRIES = 8  # draws of a far step for one that keeps away from failing runs
BOUNDS = 50.0  # farther out than so many half widths of the given range no far step leads
OTHER = 3.0  # times wider or narrower than given: a range that is said to have been changed


@dataclass
class FrameMemory:
    """``ends``: lower and upper (D,) of the frame in inference space, None: as given. ``moved_at``: number of tells then."""

    ends: tuple[Array, Array] | None = None
    moves: int = 0
    moved_at: int = 0
    far: FarClimb | None = None  # under way
    looked: bool = False  # whether the design was seen whole

    def to_state(self) -> State:
        ends = None if self.ends is None else [self.ends[0].copy(), self.ends[1].copy()]
        far = None if self.far is None else self.far.to_state()
        return {"ends": ends, "moves": self.moves, "moved_at": self.moved_at, "far": far, "looked": self.looked}

    @classmethod
    def of_state(cls, s: State) -> FrameMemory:
        ends = None if s["ends"] is None else (np.array(s["ends"][0], dtype=float), np.array(s["ends"][1], dtype=float))
        far = None if s["far"] is None else FarClimb.of_state(s["far"])
        return cls(ends, int(s["moves"]), int(s["moved_at"]), far, bool(s["looked"]))


class FramedMethod(DoubtingMethod):
    """See ``loop.DefaultMethod``, and ``doubting``."""

    def __init__(self, settings: LoopSettings) -> None:
        super().__init__(settings)
        self.frame = FrameMemory()

    @property
    def design_left(self) -> int:
        """See ``loop_interface.HasDesign``."""
        return max(self._design_size - self.log.next_index, 0)

    def call_off(self, index: int | None = None) -> None:
        """See ``ChecksItself``."""
        m = self.memory
        if index is None or index in m.certification_points:
            m.certification, m.certification_points = None, []
        if index is not None:
            m.doubts.call_off(index)
            m.outputs.call_off(index)

    def look_further(self, looks: int) -> None:
        """See ``loop_interface.LooksFurther``."""
        self.memory.further_wanted = looks

    def choose(self) -> tuple[Array, str] | None:
        if self.frame.far is None or len(self.log.told) == 0:
            return super().choose()
        known, index = self._known(), self.log.next_index
        possible = Feasibility.of(known)
        everywhere = Hull(np.full(self.dimension, -2.0 * BOUNDS), np.full(self.dimension, 2.0 * BOUNDS))
        place = known.points[int(known.y.argmax())]
        for turn in range(TRIES):
            place = self.frame.far.next_place(known.points, known.y, generator(self.settings.seed, "far", index * TRIES + turn))
            place = np.clip(place, everywhere.lower, everywhere.upper)
            if allowed(place[None], everywhere, possible)[0]:
                break
        return self.box.back(place), "acquisition"

    def take_in(self, tell: Tell) -> None:
        if self.frame.far is not None:
            self._climb(self.frame.far, tell)
            return
        super().take_in(tell)
        if not self.frame.looked and len(self.log.told) >= self._design_size:
            self._look_at_design()
        elif self.draws is not None and self._may_move():
            self._widen()

    def _known(self) -> Evaluations:
        """All values told, in the frame as it is; far down a steep flank too, where the loop itself takes them for zero."""
        return Evaluations.of(self.log.told, self.dimension, self.box.into, self._wall)

    @property
    def _wall(self) -> float:
        return wall_below(np.array([t.y for t in self.log.told if t.y is not None and np.isfinite(t.y) and not t.doubted]))

    # ------------------------------------------------------------------ far below the peak

    def _look_at_design(self) -> None:
        known = self._known()
        self.frame.looked = self._learns_outputs or len(known.y) > self.dimension  # of fewer that worked nothing is seen yet
        if self.frame.looked and not self._learns_outputs and hopeless(known.y) and not self.log.full:
            self.frame.far = FarClimb()
            self._forget_all()

    def _climb(self, far: FarClimb, tell: Tell) -> None:
        """One step taken; the surrogate's loop goes on, in a frame around the best run, when the peak is near."""
        known = self._known()
        earlier = known.index != tell.index
        good = outcome_of(tell, known.top, self._wall) == "ok" and tell.y is not None
        best = int(np.where(earlier, known.y, -np.inf).argmax())
        length = float(np.linalg.norm(self.box.into(np.asarray(tell.u, float)) - known.points[best]))
        far.take(length, float(tell.y - known.y[best]) if good and tell.y is not None else None)
        if far.ended(known.points, known.y) or self.log.full:
            self.frame.far = None
            lower, upper = frame_around(known.points, known.y)
            self._move(self.box.back(lower), self.box.back(upper))

    # ------------------------------------------------------------------ the frame

    def _may_move(self) -> bool:
        m, f = self.memory, self.frame
        assert self.draws is not None
        busy = m.certification is not None or m.ascent is not None or m.converged
        return self._rested and not busy and f.moves < MOST_MOVES and self.draws.temperature == 1.0

    @property
    def _settled(self) -> bool:
        """Whether the frame is known to hold the posterior, or has been moved often enough."""
        if self.frame.moves >= MOST_MOVES:
            return True
        known = not self.frame.moves or self._rested
        return known and self.draws is not None and not (self._spread()[1] > WIDE).any()

    @property
    def _rested(self) -> bool:
        return len(self.log.told) - self.frame.moved_at >= REST + self.dimension

    def _widen(self) -> None:
        """A posterior that is much wider than the frame, in some parameter, gets one that holds it."""
        middle, half = self._spread()
        wide = half > WIDE
        if wide.any():
            lower, upper = np.where(wide, middle - REACH * half, -2.0), np.where(wide, middle + REACH * half, 2.0)
            self._move(self.box.back(lower), self.box.back(upper))

    def _spread(self) -> tuple[Array, Array]:
        """Median (D,) of the posterior, and half the range (D,) that holds 68 % of each parameter; box frame."""
        assert self.draws is not None
        points, weights = self.draws.points, self.draws.weights
        middle, half = np.empty(self.dimension), np.empty(self.dimension)
        for i in range(self.dimension):
            order = np.argsort(points[:, i])
            share = np.cumsum(weights[order])
            low, middle[i], high = points[order, i][np.searchsorted(share, np.array([0.16, 0.5, 0.84]) * share[-1])]
            half[i] = 0.5 * (high - low)
        return middle, half

    def _move(self, lower: Array, upper: Array) -> None:
        """Another frame, with all evaluations."""
        f = self.frame
        f.ends, f.moves, f.moved_at = (lower, upper), f.moves + 1, len(self.log.told)
        self.box = BoxFrame.of(lower, upper)
        self._forget_all()
        self._refit()
        if self.draws is not None:
            self._fit_mixture()

    def _forget_all(self) -> None:
        """All but the evaluations, and what is known of outputs: but for places it holds in every frame."""
        old = self.memory
        old.outputs.forget_places()
        self.memory = Memory(
            self.dimension, old.log, announced=old.announced, explored=list(old.explored), outputs=old.outputs, doubts=old.doubts
        )
        self._forget()

    # ------------------------------------------------------------------ the answer, saving

    def answer(self) -> LoopSnapshot | None:
        found = super().answer()
        if found is None:
            return None
        if self.frame.far is not None:
            words = "Climbing from far below: the first runs lie thousands of nats below the best of them."
            return replace(found, reasons=(words,), activity="Climbing from far below")
        said = self._said_of_frame()
        return replace(found, reasons=(*found.reasons, said)) if said else found

    def _said_of_frame(self) -> str:
        """Which ranges were left; '' where they are as given."""
        if self.frame.ends is None:
            return ""
        lower, upper = self.frame.ends
        given = np.asarray(self.settings.plausible_upper, float) - np.asarray(self.settings.plausible_lower, float)
        times = (upper - lower) / given
        wider = [name_of(self.settings, int(i)) for i in np.flatnonzero(times > OTHER)]
        narrower = [name_of(self.settings, int(i)) for i in np.flatnonzero(times < 1.0 / OTHER)]
        parts = [f"wider for {', '.join(wider)}"] if wider else []
        parts += [f"narrower for {', '.join(narrower)}"] if narrower else []
        if not parts:
            return "The search was moved to other ranges than the plausible ones given; every run was kept."
        return f"The plausible ranges given did not fit: those searched were made {' and '.join(parts)}; every run was kept."

    def state(self) -> State:
        return {**super().state(), "frame": self.frame.to_state()}

    def restore(self, state: State) -> None:
        self.frame = FrameMemory.of_state(state["frame"]) if "frame" in state else FrameMemory(looked=True)
        given = np.asarray(self.settings.plausible_lower, float), np.asarray(self.settings.plausible_upper, float)
        self.box = BoxFrame.of(*(self.frame.ends or given))
        super().restore(state)
