"""Values that lie: a run that ended early, a solver that did not converge, told as if nothing were wrong.

    a new value that is implausible to the surrogate (1 in 10^6) -> left out, and run again beside its place
    one that is so to a surrogate fitted without it, later       -> the same, and everything begun anew
    the run beside it: the same again -> it is so, kept for good · as predicted -> the first was a lie, left out for good
                       neither        -> another, up to three; what came twice is so
    a run was made right beside it before, or is made there later, and gave the same -> all of them are so, with no run more

Beside: a millionth of the plausible ranges away. The two runs are compared with each other, not each with a surrogate: where they
agree, that one is what is wrong. Where a value is a function of its place at all, it is the same there; where the
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
from .beside import apart, gave_the_same, right_beside
from .doubts import BESIDE, HARMLESS, MOST_RUNS, Doubt
from .loop import DefaultMethod

Array = NDArray[np.float64]

ODD = 3.0  # sds by which a value must be off, and by leave-one-out, for its surrogate to be fitted anew without it
LOOKED_AT = 3  # such values at a time


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
        elif error is not None and self._in_doubt(error) and not self._vouched_for(tell, error):
            seen = self._doubt(tell, error)
        else:
            self._vouch(tell)
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
        enough &= not (self.settings.scattered and self.memory.outputs.unseen)  # it is not known yet what is far off
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
        doubt = self._doubt_of(tell, error, implausible.log10_chance(error.squared, m.doubts.errors))
        if m.certification is not None and tell.index in m.certification_points:
            doubt.check = m.certification_points.index(tell.index)
            m.certification_points[doubt.check] = -1
        m.doubts.all.append(doubt)
        self._mark(tell.index, True)
        return replace(tell, y=None, outputs=None)

    def _doubt_of(self, tell: Tell, error: Error, chance: float) -> Doubt:
        """What was made right beside it before and gave something else is the first to which another run is compared."""
        before = self._beside(tell)[: MOST_RUNS - 1]
        numbers = float(tell.y or 0.0), error.predicted, chance
        return Doubt(tell.index, *numbers, runs=[t.index for t in before], values=[tell.y, *(t.y for t in before)])

    def _judge_anew(self) -> None:
        """Outputs turned out to scatter: what was found far off, taken for exact, counts again until it is found so once more."""
        doubts = self.memory.doubts
        for index in [t.index for t in self.log.told if t.doubted]:
            self._mark(index, False)
        doubts.all, doubts.errors = [d for d in doubts.all if d.fate == "kept"], []

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
        good, before = error is not None, [self._run(i) for i in (doubt.index, *doubt.runs[:-1])]
        doubt.values.append(tell.y if good else None)
        alike = [error is not None and self._same(t, tell, error.predicted, self._off(error)) for t in before]
        plausible = error is not None and not self._implausible(error) and self._nearer(tell, before[0], error)
        decided, which = implausible.settled(alike, plausible)
        if which is not None:
            doubt.believed = (doubt.index, *doubt.runs)[which]
        if decided or len(doubt.runs) >= MOST_RUNS:
            doubt.fate = "kept" if which == 0 else "left out"
        if decided:
            for other in before:
                if other.y is not None and not other.doubted:
                    self._mark(other.index, True)
        if decided and doubt.believed == tell.index:
            return tell
        if good:
            self._mark(tell.index, True)
        if not decided:
            return replace(tell, y=None, outputs=None)
        self._mark(doubt.believed, False)
        self._vouch(tell)
        return tell  # it counts as a check of what was predicted, though the earlier run is the one that is learnt

    def _same(self, other: Tell, tell: Tell, predicted: float, off: float = 0.0) -> bool:
        """Whether two runs right beside each other gave the same; see ``gave_the_same``."""
        if self.surrogate is None:
            return False
        here, there = self.surrogate.mean(self.box.into(np.array([tell.u, other.u], dtype=float)))
        slope = float(here - there) if np.isfinite(here - there) else 0.0
        return gave_the_same(tell, other, self.settings, self.memory.outputs, predicted, off, slope)

    def _off(self, error: Error) -> float:
        """Noise units by which outputs are off; 0 where their score is learnt."""
        return error.size if self._emulates is not None else 0.0

    def _nearer(self, tell: Tell, first: Tell, error: Error) -> bool:
        """Whether a run is nearer to what was predicted than to the one that it is beside."""
        gap = apart(tell, first, self.settings) if self._emulates is not None else None
        if gap is not None:
            return error.size < gap
        return tell.y is None or first.y is None or abs(tell.y - error.predicted) < abs(tell.y - first.y)

    def _run(self, index: int) -> Tell:
        return next(t for t in self.log.told if t.index == index)

    # ------------------------------------------------------------------ runs that vouch for each other

    def _beside(self, tell: Tell) -> list[Tell]:
        """Other runs right beside it, the earliest first."""
        width = np.asarray(self.settings.plausible_upper - self.settings.plausible_lower, dtype=float)
        return [t for t in right_beside(np.asarray(tell.u, float), self.log.told, width) if t.index != tell.index]

    def _vouched_for(self, tell: Tell, error: Error) -> bool:
        """Whether a run made right beside it before gave the same as one that seems far off: no other is needed to see it."""
        alike = [t for t in self._beside(tell) if self._same(t, tell, error.predicted, self._off(error))]
        if not alike:
            return False
        m, one = self.memory, alike[0]
        chance = implausible.log10_chance(error.squared, m.doubts.errors)
        m.doubts.all.append(
            Doubt(tell.index, float(tell.y or 0.0), error.predicted, chance, "kept", [one.index], [tell.y, one.y], tell.index)
        )
        self._clear({t.index for t in (tell, *alike)})
        return True

    def _vouch(self, tell: Tell) -> None:
        """The newest run lies right beside others that do not count, and gave the same."""
        doubted = {d.index: d for d in self.memory.doubts.all if d.fate != "kept"}
        beside = self._beside(tell) if doubted and tell.y is not None else []
        found = [doubted[t.index] for t in beside if t.index in doubted]
        alike = {t.index for t in beside if found and self._same(t, tell, found[0].predicted)}
        if alike & set(doubted):
            self._clear({tell.index, *alike})

    def _clear(self, alike: set[int]) -> None:
        """The runs ``alike`` at one place gave the same: none of them is in doubt any longer. One is learnt, as they are one."""
        m, told = self.memory, self.log.told
        for doubt in m.doubts.all:
            if doubt.fate != "kept" and doubt.index in alike:
                if m.certification is not None and doubt.check >= 0 and m.certification_points[doubt.check] < 0:
                    m.certification_points[doubt.check] = told[-1].index
                doubt.keep(self._run(min(alike - {doubt.index})))
        learnt = min((t.doubted, k, t.index) for k, t in enumerate(told) if t.index in alike)[2]
        for index in alike:
            if self._run(index).doubted != (index != learnt):
                self._mark(index, index != learnt)

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
        row, error, chance = found
        tell = self._run(int(self._evaluations().index[row]))
        if self._vouched_for(tell, error):
            self._refit()
            return
        self.memory.doubts.all.append(self._doubt_of(tell, error, chance))
        self._mark(tell.index, True)
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
            "settled_with", "bordered", "outputs", "doubts", "feasibility", "history",
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
