"""The best fit alone: runs until the highest log density is found, with the surrogate, outputs and memory of the default loop.

    the default loop's design; where outputs are learnt the corners of a simplex
    each run: climb the surrogate from the best runs -> its peak p, cautiously where the last such promise was not kept
              p promises more than WORTH above the best run -> run p
              else -> run high up where the surrogate is least sure: it tells of the peak, and of the posterior too;
                      where outputs are learnt, where a draw of the peak lies (Thompson)
    stop when the peak is expected to reach less than ASKED above the best run, and it rose by less, AGAIN times in a
    row, in a frame that holds the posterior

The state is the default loop's, so that a run can go on to the posterior, or come back, with nothing repeated.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..acquisition.initial_design import scarce, search_point, simplex_point
from ..acquisition.peak import Peak, allowed, highest, peak_at, starts
from ..acquisition.variance_search import next_point
from ..acquisition.whole_tables import whole_point
from ..answer.digits import rough
from ..answer.words import BEST_FIT_FOUND
from ..loop_interface import LoopSettings, LoopSnapshot, State, Tell
from ..numerics.randomness import generator
from ..surrogate.evaluations import outcome_of
from .default.framed import FramedMethod
from .default.outputs_memory import CAUTION

Array = NDArray[np.float64]

FEWEST = 3  # runs of the first design where outputs are learnt
LEFT = 0.1  # nats: the optimum is found to that
ASKED = 0.04  # nats that the expected rise must stay below: of .1 a tenth of the stops were further off (tests/benchmarks)
WORTH = 0.02  # nats above the best run from which on the surrogate's peak is run
HEIGHT = 2.0  # weight of the mean beside the log variance where the peak is confirmed: runs some sqrt(2) sds from it
AGAIN = 3  # evaluations in a row that must leave no more than that
WINDOW, PRIOR_ERRORS = 8, 2.0  # newest errors predicted before a run that rescale the surrogate's sds; so many of size 1 before
NEAR = 5.0  # nats below the top of a run whose error counts
LEAST_SD = 0.03  # nats: errors below that are none
MOST_INFLATED = 100.0  # times the variance
BOLD = 0.1  # caution at first where outputs are learnt: with 1 each step is kept too short to cost more than it promises
TRIES = 8  # draws of where the peak may be for one where runs do not fail
DRAWN = 50  # posterior draws of which some are climbed from
KEPT, BOLDER = 0.75, 2.0  # share of a promised rise from which on caution falls by that much
BROKEN, SHIER = 0.25, 4.0  # ... and below which it grows: the usual rule of trust regions
RISE = "best_fit_rise"  # diagnostic of the answer


@dataclass
class PeakMemory:
    """``rises``: what the peak was expected to reach above the best run, after each evaluation since the last that left more than
    ASKED. ``promised``: index of the run under way at the surrogate's peak, ``promise``: its value then."""

    caution: float = 1.0
    promised: int = -1
    promise: float = 0.0
    rises: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)  # squared, in units of the stated variance
    settled_with: int = 0  # the budget when it was found; what is added later looks on

    @property
    def found(self) -> bool:
        return len(self.rises) >= AGAIN

    @property
    def inflation(self) -> float:
        """What variances are multiplied by: the errors of what was predicted, against the sds stated."""
        return min(max((sum(self.errors) + PRIOR_ERRORS) / (len(self.errors) + PRIOR_ERRORS), 1.0), MOST_INFLATED)

    def note(self, error: float) -> None:
        """A squared error of what was predicted, in units of its variance."""
        self.errors = [*self.errors, min(error, MOST_INFLATED)][-WINDOW:]

    def take(self, index: int, rise: float | None) -> None:
        """The outcome of a run; ``rise``: above the best before it, None where no value came back."""
        if index == self.promised:
            share = -np.inf if rise is None else rise / self.promise
            factor = 1.0 / BOLDER if share > KEPT else SHIER if share < BROKEN else 1.0
            self.caution = float(np.clip(self.caution * factor, *CAUTION))
            self.promised = -1

    def to_state(self) -> State:
        return {**vars(self), "rises": list(self.rises), "errors": list(self.errors)}

    @classmethod
    def of_state(cls, s: State) -> PeakMemory:
        return cls(
            float(s["caution"]), int(s["promised"]), float(s["promise"]), [float(r) for r in s["rises"]],
            [float(e) for e in s["errors"]], int(s["settled_with"]),
        )


class BestFitMethod(FramedMethod):
    """See ``ask_tell.Method`` and ``default.framed.FramedMethod``, whose options and state it has."""

    def __init__(self, settings: LoopSettings) -> None:
        super().__init__(settings)
        self.climb = self._start_of_climb()
        self._seen: tuple[int, Peak | None] | None = None

    def _start_of_climb(self) -> PeakMemory:
        return PeakMemory(caution=BOLD if self._learns_outputs else 1.0)

    @property
    def satisfied(self) -> bool:
        rests = self.log.budget == self.climb.settled_with and not self.log.more
        return self.climb.found and rests and not self.memory.doubts.open

    @property
    def _design_size(self) -> int:
        """Where outputs are learnt a peak is climbed by least squares, and each run tells of all slopes: as many as there are
        slopes and a value, and one for each that failed."""
        whole = super()._design_size
        if not self._learns_outputs:
            return whole
        given = 0 if self.settings.start is None else len(np.atleast_2d(self.settings.start))
        least = self.dimension + 1
        failed = sum(t.index < whole and outcome_of(t) != "ok" for t in self.log.told)
        return min(whole, max(least + failed, FEWEST, given))

    # ------------------------------------------------------------------ the density that is climbed

    def _jacobian(self, b: Array) -> Array:
        """(n,) nats by which the log density in the user's units is below the one in inference space."""
        given = self.settings.log_jacobian
        return np.zeros(len(b)) if given is None else np.asarray(given(self.box.back(b)), dtype=float)

    def _values(self) -> Array:
        """(n,) of the runs, in the user's units, relative to the top of the log joint."""
        known = self._evaluations()
        return known.y - self.top - self._jacobian(known.points)

    def _density(self, b: Array, caution: float) -> Array:
        """What is climbed (n,): the surrogate's expectation in the user's units, less what ``caution`` takes off."""
        learnt = self._emulates
        if learnt is not None:
            value = self.surrogate.expected(b, caution)  # type: ignore[union-attr]
        else:
            assert self.surrogate is not None
            mean, variance = self.surrogate.predict(b)
            value = mean - 0.5 * caution * variance / (1.0 + variance)
        return np.asarray(value + self._possible.log_possible(b) - self._jacobian(b))

    def _peak(self) -> Peak | None:
        """Of the surrogate as it is now, as far as it believes in itself; None: it has none where runs are possible."""
        m = self.memory
        if self._seen is None or self._seen[0] != m.built_on:
            self._seen = m.built_on, self._look()
        return self._seen[1]

    def _look(self) -> Peak | None:
        assert self.surrogate is not None
        assert self.draws is not None
        caution = min(self.climb.caution, 1.0)
        found = self._highest(caution)
        if found is None:
            return None
        moments, inflation = self.draws.moments(), self.climb.inflation
        return peak_at(self.surrogate, lambda b: self._density(b, caution), *found, moments[1], inflation)

    def _highest(self, caution: float) -> tuple[Array, float] | None:
        assert self.draws is not None
        rng = generator(self.settings.seed, "peak", self.memory.built_on)
        drawn = self.draws.points[self.draws.resample(DRAWN, rng)]
        places = starts(self._evaluations().points, self._values(), drawn, rng)
        return highest(lambda b: self._density(b, caution), places, self.hull, self._possible)

    # ------------------------------------------------------------------ ask and tell

    def choose(self) -> tuple[Array, str] | None:
        m, s = self.memory, self.settings
        lower, upper = np.asarray(s.plausible_lower, float), np.asarray(s.plausible_upper, float)
        if self._learns_outputs and m.log.next_index < self._design_size:
            whole = whole_point(m.log.next_index, s, m.log.told) if scarce(m.log.told, self.dimension) else None
            if whole is not None:
                return whole, "design"
            return simplex_point(m.log.next_index, lower, upper, s.start, s.seed), "design"
        if m.log.next_index < self._design_size or self.surrogate is None or self.draws is None:
            return super().choose()
        if (beside := self._run_beside()) is not None:
            return beside
        peak, index = self._peak(), m.log.next_index
        if peak is None:
            return search_point(index, s, m.log.told), "acquisition"
        if self.climb.promised not in m.log.pending:
            careful = self._highest(self.climb.caution) if self.climb.caution > 1.0 else (peak.place, peak.value)
            promise = -np.inf if careful is None else careful[1] - float(self._values().max())
            if careful is not None and promise > WORTH:
                self.climb.promised, self.climb.promise = index, promise
                return self.box.back(careful[0]), "acquisition"
        return self.box.back(self._confirming(peak, index)), "acquisition"

    def _confirming(self, peak: Peak, index: int) -> Array:
        """Where (D,) a run tells more of a peak that promises no more."""
        rng = generator(self.settings.seed, "thompson", index)
        if self._emulates is not None:
            for _ in range(TRIES):
                drawn = np.clip(peak.draw(rng), self.hull.lower, self.hull.upper)
                if allowed(drawn[None], self.hull, self._possible)[0]:
                    break
            return np.asarray(drawn)
        assert self.surrogate is not None
        assert self.draws is not None
        waiting = self.log.waiting(self.box.into, self.dimension)
        return next_point(self.surrogate, waiting, self.draws, self.hull, self._possible, HEIGHT, 0.0, rng)

    def take_in(self, tell: Tell) -> None:
        risen = self._compare(tell)
        super().take_in(tell)
        if self.surrogate is None or self.draws is None or len(self.log.told) < self._design_size:
            return
        known, rise = self.climb.found, self._rise()
        self.climb.rises = [*self.climb.rises, rise] if max(rise, risen) < ASKED and self._settled else []
        if self.climb.found and not known:
            self.climb.settled_with, self.log.more = self.log.budget, False

    def _compare(self, tell: Tell) -> float:
        """What came out with what was predicted and promised, before it is added; by how much it is the best (nats)."""
        place = self.box.into(np.asarray(tell.u, float))[None]
        error = self._error_of(tell)
        if self.surrogate is None or tell.y is None or error is None or self._in_doubt(error):
            self.climb.take(tell.index, None)
            return -np.inf
        value = tell.y - self.top
        risen = value - float(self._jacobian(place)[0]) - float(self._values().max())
        self.climb.take(tell.index, risen)
        if risen > -NEAR:
            mean, variance = self.surrogate.predict(place)
            self.climb.note(float((value - mean[0]) ** 2 / (variance[0] + LEAST_SD**2)))
        return risen

    def _rise(self) -> float:
        """Nats that the density is expected to reach above the best run."""
        peak = self._peak()
        return np.inf if peak is None else max(peak.value - float(self._values().max()), 0.0) + peak.rise

    def _judge(self) -> None:
        """Nothing is certified: the answer is a byproduct."""

    # ------------------------------------------------------------------ the answer

    def answer(self) -> LoopSnapshot | None:
        found = super().answer()
        if found is None or self.surrogate is None or self.draws is None:
            return found
        rise = self._rise()
        said = (
            f"The best fit is found: the highest log density is expected within {rough(rise)} of the best run."
            if self.climb.found
            else "The best fit is still being looked for."
        )
        figures = {**found.diagnostics, BEST_FIT_FOUND: float(self.climb.found), RISE: float(rise)}
        activity = "The best fit is found" if self.climb.found else "Looking for the best fit"
        return replace(found, converged=False, reasons=(said, *found.reasons), diagnostics=figures, activity=activity)

    # ------------------------------------------------------------------ saving

    def state(self) -> State:
        return {**super().state(), "climb": self.climb.to_state()}

    def restore(self, state: State) -> None:
        super().restore(state)
        self.memory.certification, self.memory.lookout = None, None  # what a run for the posterior was about to check
        self.climb = PeakMemory.of_state(state["climb"]) if "climb" in state else self._start_of_climb()
        self._seen = None
