"""The default loop on runs that were made for another problem, taken in all at once: no run is asked for.

fit -> draws -> emulators without an eighth of the runs each -> their errors rescale the variances -> draws again -> verdict
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...acquisition.probes import most_looks, tail_excess, tail_points
from ...answer import words as answer_words
from ...answer.digits import rough_beside
from ...loop_interface import LoopSnapshot, Tell
from ...numerics.randomness import generator
from ...problem.numbers.shown_digits import spoken
from ...sampling.walkers import MOST_MISSED
from ...surrogate.evaluations import outcome_of
from ...surrogate.outputs.log_joint import EmulatedLogJoint
from . import bordering, certification, stopping, words
from .answer import empty_snapshot, goes_too_far, portrait, snapshot
from .audit import where_runs_succeed
from .beside import scatter_seen
from .evidence import evidence_floor
from .held_out import Folds, HeldOut
from .judging import place_to_look_at
from .loop import DefaultMethod
from .memory import Memory
from .outputs import AT_REST
from .outputs_memory import BELIEVED, DOUBTED, SMOOTH
from .scattering import by_all_runs
from .stage import LoopState

ROUNDS = 3  # fits, each from the posterior draws of the one before
SEARCHES, GOOD_SHARE = 4, 0.3  # of draws, until so many of them count
SETTLED = 0.02  # nats of log Z between two of them
AWAY = 5.0  # nats by which the posterior's peak may be predicted to be above the best run
MOST_UNCHECKED = 0.1  # share of the posterior that may be known less well than the runs that check it
WAITING = (1, 2, 4, 8, 16, 32)  # runs at posterior draws, for the estimate of how many would do
TAIL_POINTS = 40  # at which the tails are looked at where no run lies in them
REFERENCES = 300  # posterior draws over which the surrogate's covariance is averaged for it
FLOOR = 0.03  # sd of the log evidence: error that no run left out shows
LEAST_SE = 0.001  # that is worth saying
UNCHECKED_SD = 1.0  # nats: of a log evidence that nothing has checked
MOST_LOOKS = 4  # of an estimate, where more of the posterior cannot be ruled out


@dataclass(frozen=True)
class Verdict:
    """``against``: sentences; none: confirmed. ``more_runs``: an estimate of those that would do, 0 if confirmed; ``least``: of
    the fewest, since nothing tells how many runs it takes to reach the posterior."""

    against: tuple[str, ...]
    more_runs: int
    least: bool = False
    check: HeldOut | None = None

    @property
    def confirmed(self) -> bool:
        return not self.against


class EarlierRuns(DefaultMethod):
    """See ``loop.DefaultMethod``, whose state it has: a loop can go on from there with new runs."""

    def take_all(
        self, told: Sequence[Tell], explored: Sequence[int] = (), looked_around: bool = False, checked: bool = False,
        budget: int | None = None,
    ) -> LoopSnapshot:
        """The answer. ``told``: all runs, their indices 0, 1, 2...; ``explored``: indices of those that looked elsewhere;
        ``looked_around``: the plausible box is known to have been explored, by the run that made them; ``checked``: fresh
        ones among them confirmed an answer to this very question, which the answer now is up to chance: whether there are enough
        runs to check it, and looks elsewhere, is not asked again. ``budget``: of the run that may go on from there, which ends
        where the answer is confirmed; None: with more budget it looks on elsewhere."""
        m = self._told(told)
        m.explored = list(explored)
        boxed = sum(bool(np.abs(self.box.into(t.u)).max() <= 2.0) for t in m.log.told if t.index in set(explored))
        m.looked_around = max(boxed, most_looks(self.dimension)) if looked_around else boxed
        self._settle()
        if self.surrogate is None or self.draws is None:
            return replace(empty_snapshot(self.settings, self.options, m, self.box), activity="")
        folds = self._check_errors()
        self._fit_mixture()
        found = self._answered(self._verdict(folds, checked))
        m.settled_with = m.settled_with if budget is None else budget
        return found

    def learn_outputs(self, told: Sequence[Tell]) -> bool:
        """As ``take_all``, but for an answer: whether outputs are learnt, well enough to be believed."""
        self._told(told)
        self._settle()
        return self._check_errors() is not None

    def _told(self, told: Sequence[Tell]) -> Memory:
        m = self.memory
        m.log.told.extend(told)
        m.log.next_index = len(told)
        if self.settings.scattered:
            m.outputs.roughness = scatter_seen(told, self.settings)
        return m

    def _settle(self) -> None:
        """Hyperparameters, draws and whitening in turn until log Z rests."""
        m = self.memory
        m.outputs.judged_from = len(m.log.told) + max(AT_REST, 2 * self.dimension)  # it is judged here, and later by new runs
        before = np.inf
        for _ in range(ROUNDS):
            self.kept_draws = None
            m.fitted_at = m.framed_at = 0
            self._refit()
            self._see_scatter()
            if self._learns_outputs and self._given_up():
                m.outputs.used, self.surrogate, self.draws = False, None, None
                self._refit()
            if self.draws is None:
                return
            self._sample_better()
            now = self.draws.log_z + self.top
            if abs(now - before) < SETTLED and self.draws.temperature == 1.0:
                return
            before = now

    def _see_scatter(self) -> None:
        """Where outputs are said to scatter and no two runs lie right beside each other: as the first fit has it; learnt anew."""
        seen = self.memory.outputs
        if self.settings.scattered and seen.unseen and isinstance(self.surrogate, EmulatedLogJoint):
            found = by_all_runs(self.surrogate)
            seen.roughness, seen.fitted_at = found if found > SMOOTH else 0.0, 0
            self._refit()

    def _given_up(self) -> bool:
        """Whether their score is to be learnt instead of outputs: not while the runs there are lie far from the peak."""
        m = self.memory
        if self.settings.scattered:
            return False
        if self.draws is None:
            return True
        if self._away():
            return False
        m.outputs.judged_from = 0
        return self.options.learn == "auto" and not m.outputs.doubt < DOUBTED

    def _away(self) -> bool:
        """Whether the peak is predicted to be much higher than all runs."""
        assert self.draws is not None
        return float(self.draws.log_density.max()) > AWAY

    def _sample_better(self) -> None:
        """More rounds of the search, each from the proposal of the one before."""
        for _ in range(SEARCHES):
            assert self.draws is not None
            if self.draws.temperature == 1.0 and self.draws.ess > GOOD_SHARE:
                return
            self.kept_draws = None
            self._find_posterior()

    def _check_errors(self) -> Folds | None:
        """Variances rescaled by the errors of runs left out; None where outputs are not learnt."""
        m = self.memory
        if not isinstance(self.surrogate, EmulatedLogJoint) or self.draws is None:
            return None
        folds = Folds(self.settings, self.box, self._evaluations(), m.outputs)
        m.outputs.errors = folds.errors(self.draws, generator(self.settings.seed, "left out"))
        self.kept_draws = None
        self._condition()
        self._find_posterior()
        self._sample_better()
        return folds

    # ---------------------------------------------------------------- the verdict

    def _verdict(self, folds: Folds | None, checked: bool) -> Verdict:
        m, now = self.memory, self._now()
        m.uninformative_looks = _uninformative(now)
        if folds is None or not isinstance(self.surrogate, EmulatedLogJoint):
            words = "What was learnt is how well runs fit, not their outputs: that can only be checked by new runs."
            return Verdict((words,), self._to_check(), True)
        assert self.outputs is not None
        self.outputs.look_at(self.surrogate, now.draws, generator(self.settings.seed, "unsure"))
        rng = generator(self.settings.seed, "held out draws")
        check = folds.check(self.surrogate, where_runs_succeed(now.draws, now.possible)[0], rng)
        against = [*self._against(now, check, checked)]
        looks = 0
        if not checked and place_to_look_at(now) is not None:
            looks = MOST_LOOKS
            against.append("There are places where more of the posterior may lie than the runs show.")
        more = self._to_check() + looks + self._to_know(self.surrogate, check) if against else 0
        return Verdict(tuple(against), more, self._away() or looks > 0, check)

    def _against(self, now: LoopState, check: HeldOut, checked: bool) -> list[str]:
        d, walled = self.dimension, len(now.possible.impossible) > 0
        sd, found = self._evidence()[1], []
        sd_limit = stopping.limits(self.options, walled)[1]
        wanted, tails = certification.checks_wanted(d, walled), certification.tails_wanted(d)
        if now.draws.temperature < 1.0 or not now.draws.ess > 0.2:
            found.append("The posterior that the runs imply cannot be sampled reliably.")
        if goes_too_far(now.hull, bordering.share_told(now), now.draws.points, now.draws.weights):
            found.append("The posterior reaches beyond what the runs have explored, or to where runs fail.")
        if self._away():
            found.append("The runs lie far from where the posterior is now.")
        elif not self.memory.outputs.doubt < BELIEVED:
            found.append("The outputs of a run cannot be predicted well enough from those of the others.")
        if not (checked or check.effective >= wanted):
            found.append(
                f"Too few of the runs lie where the posterior is now to check it: they count as {check.effective:.1f}, where "
                f"{wanted} are asked."
            )
        found += [*words.outputs_unknown(self.memory), *bordering.open_words(bordering.left_open(now))]
        if not checked and check.tails < tails and not self._tails_lack(now) < certification.TAIL_LIMIT:
            found.append("Too few of the runs lie in the tails of the posterior, and what lies there is not known well enough.")
        if not check.unchecked < MOST_UNCHECKED:
            share = f"{100 * check.unchecked:.0f} %"
            found.append(f"{share} of the posterior is known less well than the runs that could check it.")
        if not sd < sd_limit:
            open_by = rough_beside(sd, sd_limit)
            found.append(f"What lies between the runs leaves the log evidence open by {open_by}, not by less than {sd_limit:g}.")
        off, limit = abs(check.correction) + check.se, certification.LIMIT
        if not off < limit or not check.excess < certification.TAIL_LIMIT:
            found.append(
                "Runs left out did not come out as the others predict: by them the log evidence may be off by "
                f"{rough_beside(off + check.excess, limit)}, where less than {spoken(limit)} is asked."
            )
        found += answer_words.draws_miss(self.memory.missed, MOST_MISSED)
        most = stopping.with_scatter(certification.evidence_limit(d, walled), self.settings, self.options)
        stated = self._stated(check)
        if not found and not stated < most:  # all small, but together too much
            found.append(f"The log evidence is known to {spoken(stated, 2)} only, where {spoken(most, 2)} is asked.")
        return found

    def _tails_lack(self, now: LoopState) -> float:
        """Posterior mass that the tails may lack if the log joint there is two of its sds higher than predicted."""
        rng = generator(self.settings.seed, "tails")
        starts = now.draws.points[now.draws.resample(TAIL_POINTS, rng)]
        drops, box = np.full(TAIL_POINTS, certification.TAIL_DROP), (now.hull.lower, now.hull.upper)
        far = tail_points(now.surrogate.mean, starts, now.draws.moments()[1], box, drops, rng)
        return tail_excess(2.0 * np.sqrt(now.surrogate.predict(far)[1]), certification.TAIL_DROP, self.dimension)

    def _stated(self, check: HeldOut) -> float:
        """The sd of the log evidence: as in ``evidence.stated_sd``, and by how much the runs left out would have moved it."""
        m, floor = self.memory, max(FLOOR, evidence_floor(self.dimension))
        parts = (self._evidence()[1], check.se, check.correction, check.excess, m.outputs.hidden_mass, m.missed, floor)
        return float(np.sqrt(np.square(parts).sum()))

    # ---------------------------------------------------------------- how many more runs

    def _to_check(self) -> int:
        """New runs that a certification takes, and those before it that must come out as predicted."""
        d, walled = self.dimension, len(self._possible.impossible) > 0
        return stopping.window_length(d) + certification.checks_wanted(d, walled) + certification.tails_wanted(d)

    def _to_know(self, joint: EmulatedLogJoint, check: HeldOut) -> int:
        """Runs at posterior draws until what lies between them is known well enough, if their outputs come as predicted."""
        assert self.draws is not None
        limit = stopping.limits(self.options, len(self._possible.impossible) > 0)[1]
        rng = generator(self.settings.seed, "waiting")
        chosen = self.draws.points[self.draws.resample(max(WAITING), rng)][rng.permutation(max(WAITING))]
        reference = self.draws.points[self.draws.resample(REFERENCES, rng)]
        equal = np.full(REFERENCES, 1.0 / REFERENCES)
        if joint.mean_functional_variance(reference, equal) < limit**2 and check.unchecked < MOST_UNCHECKED:
            return 0
        for count in WAITING:
            known = joint.with_pending(chosen[:count])
            if known.mean_functional_variance(reference, equal) < limit**2:
                return count
        return max(WAITING)

    # ---------------------------------------------------------------- the answer

    def _answered(self, verdict: Verdict) -> LoopSnapshot:
        m, now = self.memory, self._now()
        m.announced = len(m.log.told)
        seen = portrait(now, self._emulates)
        check, more = verdict.check, verdict.more_runs
        sd = float("nan")
        if check is not None:
            sd = self._stated(check)
            sd = sd if verdict.confirmed else float(np.hypot(sd, 0.5 * check.unchecked))
            m.certified = (check.correction, check.se) if verdict.confirmed else None
        if verdict.confirmed:
            m.settle()
        shares = seen.shares(self._evidence()[0])
        figures = words.figures(self.settings, self.options, m, *seen.moments, shares)
        about = "At least" if verdict.least else "About"
        said = (f"{about} {more} more runs would be needed to confirm it.", *verdict.against) if more else verdict.against
        figures = replace(figures, budget=figures.evaluations + 1, confirmed=_confirmed(check), against=said)
        found = snapshot(now, seen)
        diagnostics = found.diagnostics | {answer_words.WANTED_RUNS: float(more), answer_words.WANTED_LEAST: float(verdict.least)}
        if check is not None:
            diagnostics |= {"gp_sd": self._evidence()[1], "residual_rms": check.rms, "effective_checks": check.effective}
        return replace(
            found, log_evidence_sd=float(np.hypot(sd, seen.failing.spread)) if check is not None else UNCHECKED_SD,
            converged=figures.converged, reasons=answer_words.reasons(figures), diagnostics=diagnostics, activity="",
        )  # fmt: skip


def _confirmed(check: HeldOut | None) -> str:
    if check is None:
        return ""
    return (
        "no new run was made; the recorded runs near the posterior, left out an eighth at a time, came out as the others predict "
        f"{words.without_them(check.correction, max(check.se, LEAST_SE))}."
    )


def _uninformative(now: LoopState) -> int:
    """How many of the looks elsewhere found nothing that matters now."""
    explored = set(now.memory.explored)
    looks = [t for t in now.memory.log.told if t.index in explored and outcome_of(t, now.top) == "ok"]
    return sum(t.y is not None and t.y - now.top < now.draws.level for t in looks)
