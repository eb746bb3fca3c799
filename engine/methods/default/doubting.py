"""Values that lie: a run that ended early, a solver that did not converge, told as if nothing were wrong.

    a new value that is implausible to the surrogate (1 in 10^6) -> left out, and run again beside its place
    one that is so to a surrogate fitted without it, later       -> the same, and everything begun anew
    the run beside it: the same again -> it is so, kept for good · as predicted -> the first was a lie, left out for good
                       neither        -> another, up to three; what came twice is so

Beside: a millionth of the plausible ranges away. Where a value is a function of its place at all, it is the same there; where the
program lies by chance or by a deterministic accident of that very point, it is not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...diagnostics import implausible
from ...loop_interface import Tell
from ...numerics.randomness import generator
from ...surrogate.evaluations import NOISE_VARIANCE, outcome_of
from ...surrogate.log_joint import LogJoint
from ...surrogate.shaping import EXACT_VALUES
from .doubts import BESIDE, MOST_RUNS, Doubt
from .loop import DefaultMethod

Array = NDArray[np.float64]

HARMLESS = 0.3  # nats that a value may be off by: the residual limit of the stop rule
ODD = 3.0  # sds by which a value must be off, and by leave-one-out, for its surrogate to be fitted anew without it
LOOKED_AT = 3  # such values at a time
SDS_APART = 3.0  # of the scatter of outputs by which two runs beside each other may differ


@dataclass(frozen=True)
class Error:
    """Of one value: squared, in units of the predicted variance; nats, or noise units of outputs that are learnt; the log joint
    ``predicted``; whether the value matters."""

    squared: float
    size: float
    predicted: float
    near: bool

    @property
    def odd(self) -> bool:
        return self.near and self.size > HARMLESS and self.squared > ODD**2


class DoubtingMethod(DefaultMethod):
    """See ``loop.DefaultMethod``."""

    def choose(self) -> tuple[Array, str] | None:
        return self._run_beside() or super().choose()

    def take_in(self, tell: Tell) -> None:
        m, error = self.memory, self._error_of(tell)
        scatters = m.outputs.scatters
        doubt = m.doubts.of_run(tell.index)
        if doubt is not None:
            seen = self._settle_by(doubt, tell, error)
        elif error is not None and self._in_doubt(error):
            seen = self._doubt(tell, error)
        else:
            seen = tell
        super().take_in(seen)
        if error is not None and error.near and seen.y is not None:
            m.doubts.note(error.squared)
        if m.outputs.scatters and not scatters:
            self._judge_anew()
        if not self.holding and self._may_look_back():
            self._look_back()

    # ------------------------------------------------------------------ a new value

    @property
    def _judges(self) -> bool:
        """Whether the surrogate knows enough to find a value implausible, and has not found too many so."""
        enough = self.surrogate is not None and len(self.surrogate.y) >= 2 * self.dimension + 4
        return enough and self.memory.doubts.may_doubt(len(self.log.told))

    def _in_doubt(self, error: Error) -> bool:
        return self._judges and self._implausible(error)

    def _implausible(self, error: Error) -> bool:
        return error.odd and implausible.log10_chance(error.squared, self.memory.doubts.errors) < implausible.LEVEL

    def _error_of(self, tell: Tell) -> Error | None:
        """Of what was predicted before the run; None where there is no value, or no surrogate yet."""
        if self.surrogate is None or outcome_of(tell, self.top) != "ok" or tell.y is None:
            return None
        return self._error(self.surrogate, self.box.into(np.asarray(tell.u, float)), tell.y, tell.sd, tell.outputs, self.top)

    def _error(
        self, surrogate: LogJoint, place: Array, y: float, sd: float, outputs: Array | None, top: float, kept: bool = False
    ) -> Error:
        """Far below the top a value counts as little as the surrogate lets one count that lies as high as it or its prediction.

        ``kept``: outputs that are learnt, however far from the data."""
        (mean,), (variance,) = surrogate.predict(place[None])
        value, d = y - top, self.dimension
        drop = np.array([max(0.0, -max(float(mean), value))])
        noise = NOISE_VARIANCE + sd**2 + float(EXACT_VALUES.variance(drop, d)[0])
        residual = value - float(mean)
        near = kept or bool(drop[0] < EXACT_VALUES.threshold * (d + 1))
        if outputs is not None and self._emulates is not None:
            return Error(*self._emulates.error_of(surrogate, place, outputs), float(mean) + top, near)
        return Error(residual**2 / (float(variance) + noise), abs(residual), float(mean) + top, near)

    def _doubt(self, tell: Tell, error: Error) -> Tell:
        """The tell as one without a value, as long as it is in doubt."""
        m = self.memory
        chance = implausible.log10_chance(error.squared, m.doubts.errors)
        doubt = Doubt(tell.index, float(tell.y or 0.0), error.predicted, chance, values=[tell.y])
        if m.certification is not None and tell.index in m.certification_points:
            doubt.check = m.certification_points.index(tell.index)
            m.certification_points[doubt.check] = -1
        m.doubts.all.append(doubt)
        self._mark(tell.index, True)
        return replace(tell, y=None, outputs=None)

    def _judge_anew(self) -> None:
        """Outputs turned out to scatter: what was found far off, taken for exact, counts again until it is found so once more."""
        doubts = self.memory.doubts
        for index in [t.index for t in self.log.told if t.doubted]:
            self._mark(index, False)
        doubts.all, doubts.errors = [], []

    # ------------------------------------------------------------------ runs beside it

    def _run_beside(self) -> tuple[Array, str] | None:
        """The next run that repeats a value in doubt."""
        m, s = self.memory, self.settings
        for doubt in m.doubts.open if self.surrogate is not None else ():
            if len(doubt.runs) < len(doubt.values):
                index = m.log.next_index
                rng = generator(s.seed, "beside", doubt.index, len(doubt.runs))
                width = np.asarray(s.plausible_upper - s.plausible_lower, dtype=float)
                doubt.runs.append(index)
                if m.certification is not None and doubt.check >= 0:
                    m.certification_points[doubt.check] = index
                return self._place_of(doubt) + BESIDE * width * rng.choice([-1.0, 1.0], self.dimension), "repeat"
        return None

    def _place_of(self, doubt: Doubt) -> Array:
        return np.asarray(next(t.u for t in self.log.told if t.index == doubt.index), dtype=float)

    def _settle_by(self, doubt: Doubt, tell: Tell, error: Error | None) -> Tell:
        """The run beside a value in doubt has ended: the tell as it counts."""
        good = error is not None
        doubt.values.append(tell.y if good else None)
        plausible = error is not None and not self._implausible(error)
        alike = [error is not None and self._same(i, tell, error.predicted) for i in (doubt.index, *doubt.runs[:-1])]
        decided, which = implausible.settled(alike, plausible)
        if which is not None:
            doubt.believed = (doubt.index, *doubt.runs)[which]
        if decided or len(doubt.runs) >= MOST_RUNS:
            doubt.fate = "kept" if which == 0 else "left out"
        if decided and doubt.believed == tell.index:
            return tell
        if good:
            self._mark(tell.index, True)
        if not decided:
            return replace(tell, y=None, outputs=None)
        self._mark(doubt.believed, False)
        return tell  # it counts as a check of what was predicted, though the earlier run is the one that is learnt

    def _same(self, index: int, tell: Tell, predicted: float) -> bool:
        """Whether the run right beside the run ``index`` gave the same."""
        other = next(t for t in self.log.told if t.index == index)
        scatters = self.memory.outputs.scatters
        if other.y is None or tell.y is None or not (scatters or implausible.came_again(tell.y, other.y, predicted)):
            return False
        if other.outputs is None or tell.outputs is None or self.settings.cells is None:
            return not scatters
        apart = (tell.outputs - other.outputs) / self.settings.cells.units
        alike = max(implausible.ROUGH, SDS_APART * self.memory.outputs.roughness) if scatters else implausible.ROUGH
        return bool(np.sqrt(np.mean(np.square(apart))) < alike)

    def _mark(self, index: int, doubted: bool) -> None:
        """Rows of the evaluations change: what was made of them is made anew."""
        told = self.log.told
        at = next(k for k, t in enumerate(told) if t.index == index)
        told[at] = replace(told[at], doubted=doubted)
        self._taken = None
        if at < self.memory.built_on:
            self.kept_draws, self.memory.unreached, self.memory.outputs.taken_in = None, [], []

    # ------------------------------------------------------------------ values that are learnt already

    def _may_look_back(self) -> bool:
        m = self.memory
        idle = m.certification is None and not m.converged and not m.doubts.open and not m.log.full
        return idle and self._judges and self.draws is not None

    def _look_back(self) -> None:
        """Whether a value is implausible to a surrogate fitted without it, now that its neighbours are known."""
        found = self._worst()
        if found is None:
            return
        known, (row, error, chance) = self._evaluations(), found
        index = int(known.index[row])
        doubt = Doubt(index, float(known.y[row]), error.predicted, chance, values=[float(known.y[row])])
        self.memory.doubts.all.append(doubt)
        self._mark(index, True)
        self._begin_anew()

    def _worst(self) -> tuple[int, Error, float] | None:
        """Row, error and log10 chance of the most implausible value; None: all are as likely as they must be."""
        known, doubts = self._evaluations(), self.memory.doubts
        rows, squared, size = self._left_out()
        odd = (squared > ODD**2) & (size > HARMLESS)
        odd &= ~np.array([doubts.about(int(known.index[row])) for row in rows], dtype=bool)
        learner = self.outputs if self._learns_outputs else self.score
        assert learner is not None
        found: list[tuple[int, Error, float]] = []
        for k in np.argsort(-np.where(odd, squared, -1.0))[: min(LOOKED_AT, int(odd.sum()))]:
            row = int(rows[k])
            others = known.rows(np.arange(len(known.y)) != row)
            outputs = None if known.outputs is None else known.outputs[row]
            value = known.points[row], float(known.y[row]), float(known.sd[row]), outputs
            error = self._error(learner.refitted(others), *value, float(others.y.max()), kept=outputs is not None)
            chance = implausible.log10_chance(error.squared, np.delete(squared, k))
            if error.odd and chance < implausible.LEVEL:
                found.append((row, error, chance))
        return min(found, key=lambda f: f[2], default=None)

    def _left_out(self) -> tuple[NDArray[np.intp], Array, Array]:
        """Rows of the values that matter (r,), and by leave-one-out their squared standardized errors and sizes (r,)."""
        assert self.surrogate is not None
        if self._emulates is not None:
            return self._emulates.errors_of(self.surrogate)
        residual, variance = self.surrogate.leave_one_out()
        y = self._evaluations().y - self.top
        near = np.flatnonzero(np.maximum(y, y - residual) > -EXACT_VALUES.threshold * (self.dimension + 1))
        return near, (np.square(residual) / variance)[near], np.abs(residual)[near]

    def _leave_what_is_in_doubt(self) -> None:
        """The climb and the design under way, with the run that they ask for, where their best value is the one in doubt."""
        m = self.memory
        lie = self.box.into(self._place_of(m.doubts.all[-1]))
        if m.ascent is not None and np.allclose(m.ascent.best, lie):
            m.ascent_ends.append(m.ascent.best)
            m.ascent, m.ascent_known, m.lookout = None, None, None
        if m.design is not None and np.allclose(m.design.centre, lie):
            m.design, m.lookout, m.designs = None, None, m.designs - 1
            m.designed.pop()  # begun once more where the mode stays

    def _begin_anew(self) -> None:
        """All that was made with a value that is left out now; counts of what was done stay, and a climb or design under way that
        rests on other values."""
        m = self.memory
        self._leave_what_is_in_doubt()
        fresh = type(m)(self.dimension, m.log)
        kept = (
            "announced", "explored", "lookout", "looked_around", "uninformative_looks", "ascent", "ascent_known", "ascents",
            "ascent_ends", "design", "designs", "designed", "hunting", "hunted", "fresh", "refused_at", "refusals", "refused_by",
            "settled_with", "bordered", "outputs", "doubts", "feasibility",
        )  # fmt: skip
        for name in kept:
            setattr(fresh, name, getattr(m, name))
        m.outputs.theta, m.outputs.fitted_at, m.outputs.chosen_at = None, 0, 0
        self.memory = fresh
        self._forget()
        self._refit()
        if self.draws is not None:
            fresh.fitted_at = fresh.framed_at = 0  # once more, in the frame of the posterior just found
            self._refit()
            self._fit_mixture()
