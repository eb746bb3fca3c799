"""BVBMC and VBMC with the default loop's honesty: tails looked at while refining, and fresh evaluations before "converged".

The papers have neither: their loops call an answer stable that has merely stopped moving. Here fresh evaluations at draws from
the answer, and in its tails, must agree with the surrogate first (RECIPE, certification). Meanwhile nothing is refitted.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray

from bayescope.engine.sampling.mixture import GaussianMixture

from ..acquisition.probes import tail_points, where_fallen
from ..answer.fresh_runs import MOST, row_of
from ..loop_interface import LoopSnapshot, Tell
from ..numerics.randomness import generator
from ..surrogate.evaluations import outcome_of
from ..variational.mixture_draws import surrogate_draws
from .default.certification import PAUSE_AFTER_REFUSAL, TAIL_DROP, Certification, checks_wanted, tails_wanted
from .surrogate_loop import SurrogateMethod
from .surrogate_stability import unstable

Array = NDArray[np.float64]

REFINING_DROPS = (3.0, 12.0)  # nats below the top of a line at which tails are looked at while refining
CHECK_DRAWS = 2000


class CheckedMethod(SurrogateMethod):
    """A subclass says in ``_unsettled`` what speaks against stability, in ``tail_every`` how often tails are looked at."""

    tail_every = 0  # every so many acquisitions; 0: never

    def _unsettled(self) -> tuple[str, ...]:
        """What speaks against stability, in words; empty: worth a check."""
        return unstable(self.memory.steps)

    def _against_stability(self) -> tuple[str, ...]:
        found, m = self._unsettled(), self.memory
        if found or self.settings.noisy or m.count("certified"):
            return found
        if m.check is not None:
            return ("The answer is being checked with fresh runs.",)
        if m.count("refusals"):
            return ("Fresh runs at draws from the posterior and in its tails did not confirm the answer.",)
        return ("The answer has yet to be checked with fresh runs.",)

    # ------------------------------------------------------------------ ask

    def choose(self) -> tuple[Array, str] | None:
        m, index = self.memory, self.memory.log.next_index
        if m.check is not None and m.check.asked < len(m.check.points):
            m.check.asked += 1
            m.check_asks.append(index)
            return m.check.points[m.check.asked - 1], "certification"
        due = self.tail_every > 0 and index % self.tail_every == 0 and index >= self._design_size()
        if due and not self.settings.noisy and self.surrogate is not None and m.mixture is not None:
            return self._tail_in_turn(index), "exploration"
        return super().choose()

    def _tail_in_turn(self, index: int) -> Array:
        """A tail (D,) in inference space along one of the user's half-axes, none twice before all were looked at.

        The axes of the working coordinates are any where the posterior is round there; tails mostly follow the user's.
        """
        m, d = self.memory, self.dimension
        assert m.mixture is not None
        rng = generator(self.settings.seed, "tail", index)
        cycle, turn = divmod(index // self.tail_every, 2 * d)
        axis, up = divmod(int(generator(self.settings.seed, "tail axes", cycle).permutation(2 * d)[turn]), 2)
        posterior = GaussianMixture.of(m.frame.mixture_back(m.mixture))
        sd = float(np.sqrt(posterior.covariance()[axis, axis]))
        direction = m.frame.matrix[:, axis] * (sd if up else -sd)
        drop = rng.uniform(*REFINING_DROPS, size=1)
        far = where_fallen(self._mean, m.mixture.sample(1, rng), direction[None], self._good_points()[1], drop)
        return np.asarray(m.frame.back(far)[0], dtype=float)

    def _mean(self, x: Array) -> Array:
        assert self.surrogate is not None
        return np.asarray(self.surrogate.predict_mean(torch.as_tensor(x)).numpy())

    def _tail_points(self, starts: Array, drops: Array, rng: np.random.Generator) -> Array:
        """(T, D) in working coordinates, from starts (T, D) there."""
        q = self.memory.mixture
        assert q is not None
        return tail_points(self._mean, starts, q.covariance(), self._good_points()[1], drops, rng)

    # ------------------------------------------------------------------ tell

    def _absorb(self, told: Tell) -> None:
        m, c = self.memory, self.memory.check
        if c is not None:
            if told.index in m.check_asks:
                self._take_check(c, told)
            if not c.complete and not self._last:
                return  # the surrogate under test stays as it is until all its checks are in
            self._conclude(c)
        super()._absorb(told)
        if self._unsettled():
            m.counts["certified"] = 0
        elif self._check_due():
            self._start_check()

    def _take_check(self, c: Certification, told: Tell) -> None:
        """For the verdict, and kept beside what the surrogate, which has not seen it, predicted."""
        m, position, residual = self.memory, self.memory.check_asks.index(told.index), self._check_residual(told)
        c.add(position, residual)
        found = -np.inf if outcome_of(told) == "impossible" else told.y
        if residual is None or found is None or self.surrogate is None:
            return
        with torch.no_grad():
            mean, variance = self.surrogate.predict(torch.as_tensor(m.frame.into(np.asarray(told.u, dtype=float)[None])))
        known = m.count("built on")
        m.fresh.append(row_of(told.index, float(mean[0]), float(variance[0]), found, bool(c.tail[position]), known))
        del m.fresh[:-MOST]

    def _check_residual(self, told: Tell) -> float | None:
        if outcome_of(told) == "impossible":
            return -np.inf
        residual = self._fresh_residual(told)[0]
        return residual if np.isfinite(residual) else None

    def _conclude(self, c: Certification) -> None:
        m = self.memory
        accepted, correction, se = c.verdict(self.dimension)
        m.check, m.check_asks = None, []
        m.counts.pop("built on", None)
        known = np.isfinite(correction) and np.isfinite(se)
        m.checked = (correction, se) if known else (1.0, 1.0)
        if accepted and c.complete:
            m.counts["certified"] = 1
        else:
            m.counts["refusals"] = m.count("refusals") + 1
            m.counts["refused at"] = len(m.log.told)

    def _check_due(self) -> bool:
        m = self.memory
        rested = not m.count("refusals") or len(m.log.told) - m.count("refused at") >= PAUSE_AFTER_REFUSAL
        wanted = checks_wanted(self.dimension) + tails_wanted(self.dimension)
        room = m.log.budget - len(m.log.told) - len(m.log.pending) >= wanted
        return rested and room and m.check is None and not m.count("certified") and not self.settings.noisy

    def _start_check(self) -> None:
        m = self.memory
        assert m.mixture is not None
        rng = generator(self.settings.seed, "check", len(m.log.told))
        draws = surrogate_draws(self.guarded_mean, m.mixture, rng, draws=CHECK_DRAWS)
        wanted, tails = checks_wanted(self.dimension), tails_wanted(self.dimension)
        if draws.ess * CHECK_DRAWS > 5 * wanted:
            rows = rng.choice(CHECK_DRAWS, size=wanted + tails, p=draws.weights)
            if len(np.unique(rows[:wanted])) < wanted:  # a check made twice is one check
                rows = rng.choice(CHECK_DRAWS, size=wanted + tails, p=draws.weights, replace=False)
            chosen = draws.points[rows]
        else:
            chosen = m.mixture.sample(wanted + tails, rng)
        far = self._tail_points(chosen[wanted:], np.full(tails, TAIL_DROP), rng)
        m.counts["built on"] = len(m.log.told)
        m.check = Certification.of(m.frame.back(chosen[:wanted]), m.frame.back(far))

    # ------------------------------------------------------------------ the answer

    def answer(self) -> LoopSnapshot | None:
        """The checks' own findings count in the sd of the log evidence."""
        found, m = super().answer(), self.memory
        if found is None or m.checked is None:
            return found
        correction, se = m.checked
        more = se if m.count("certified") else float(np.hypot(correction, se))
        return replace(found, log_evidence_sd=float(np.hypot(found.log_evidence_sd, more)))
