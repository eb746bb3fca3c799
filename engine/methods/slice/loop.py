"""Slice sampling by simulator runs: four Markov chains, each run an exact value of the density, no surrogate.

    evaluate a first design; each chain starts from the best point of its own quarter of it (with an archive: from good rows)
    each chain: sweep after sweep along random directions; the covariance that scales them is learned from all chains at
    sweeps 4, 8, 16, ... and the first half of every chain is thrown away
    until R-hat and effective sample size are good, or the budget is spent

For simulators that are cheap: it takes thousands of runs. See ``baselines/slice_sampling.py``.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from ...acquisition.initial_design import design_point
from ...baselines.slice_sampling import sweep
from ...loop_interface import Ask, LoopSettings, LoopSnapshot, State, Tell
from ...numerics.linear_algebra import stable_factors
from ...numerics.randomness import generator
from ...problem.method_options import SliceOptions, read_options
from .answer import ChainsState, empty_answer, snapshot
from .memory import Chain, Memory

Array = NDArray[np.float64]

CHAINS = 4
LEAST_SWEEPS = 8  # of every chain before there is an answer
NEWS = 0.1  # an answer every 10 % more values


class SliceLoop:
    """Ask / tell. Settings' options: ``SliceOptions``."""

    def __init__(self, settings: LoopSettings) -> None:
        self.settings = settings
        self.options = read_options(SliceOptions, settings.options)
        self.dimension = settings.dimension
        self.lower = np.asarray(settings.plausible_lower, dtype=float)
        self.upper = np.asarray(settings.plausible_upper, dtype=float)
        self.memory = Memory(settings.max_evaluations, np.diag(np.square((self.upper - self.lower) / 6.0)))
        self._moves: dict[int, Generator[Array, float, tuple[Array, float]]] = {}
        self._wanted: dict[int, Array] = {}  # chain -> the point it waits for
        self._start_from_archive()

    # ------------------------------------------------------------------ the beginning

    @property
    def design_size(self) -> int:
        return CHAINS * (2 + self.dimension)

    def _start_from_archive(self) -> None:
        """Chains at good rows of the archive that are far from each other; the covariance of the good rows."""
        archive, m = self.settings.archive, self.memory
        if archive is None or not np.isfinite(archive.values).any():
            return
        drop = archive.values[np.isfinite(archive.values)]
        points = archive.points[np.isfinite(archive.values)]
        drop = drop.max() - drop
        near = drop <= 0.5 * float(chi2.ppf(0.999, self.dimension))
        good, rank = points[near], np.argsort(drop[near])
        chosen = [int(rank[0])]
        if len(good) > 2 * self.dimension:
            m.covariance = _covariance(good)
        white = np.linalg.solve(stable_factors(m.covariance), good.T).T
        while len(chosen) < CHAINS:
            distance = np.min([np.square(white - white[c]).sum(axis=1) for c in chosen], axis=0)
            chosen.append(int(np.argmax(distance)))
        top = archive.values[np.isfinite(archive.values)].max()
        for c in chosen:
            m.chains.append(Chain(good[c].copy(), float(top - drop[near][c]), m.covariance.copy()))
        self._arm()

    def _start_from_design(self) -> None:
        """Once all design points are told; more of them while none is usable."""
        m = self.memory
        if m.chains or any(i not in m.design for i in range(self.design_size)):
            return
        values = np.array([m.design[i][1] for i in sorted(m.design)])
        points = np.array([m.design[i][0] for i in sorted(m.design)])
        if not np.isfinite(values).any():
            return
        for c in range(CHAINS):
            own = np.where(np.arange(len(values)) % CHAINS == c, values, -np.inf)
            best = int(np.argmax(own if np.isfinite(own).any() else values))
            m.chains.append(Chain(points[best].copy(), float(values[best]), m.covariance.copy()))
        self._arm()

    def _arm(self) -> None:
        for c in range(len(self.memory.chains)):
            if c not in self._moves:
                self._move(c)

    def _move(self, c: int) -> None:
        """The sweep that chain ``c`` is in, up to the point whose value it waits for."""
        chain = self.memory.chains[c]
        while True:
            rng = generator(self.settings.seed, "slice", c, chain.sweeps)
            steps = sweep(chain.x, chain.f, chain.covariance, rng)
            point = next(steps)
            try:
                for value in chain.told:
                    point = steps.send(value)
            except StopIteration as end:
                chain.end_sweep(*end.value)
                self._adapt()
                chain.covariance = self.memory.covariance.copy()
                continue
            self._moves[c], self._wanted[c] = steps, point
            return

    def _adapt(self) -> None:
        m = self.memory
        done = min(chain.sweeps for chain in m.chains)
        if len(m.chains) == CHAINS and done >= m.adapt_at:
            m.adapt_at *= 2
            recent = np.concatenate([chain.kept_points[len(chain.kept_points) // 2 :] for chain in m.chains])
            if len(recent) > 2 * self.dimension:
                m.covariance = _covariance(recent)

    # ------------------------------------------------------------------ ask and tell

    def ask(self, count: int = 1) -> list[Ask]:
        m, found = self.memory, list[Ask]()
        room = m.budget - m.next_index
        while len(found) < min(count, room) and not self.finished:
            chain, point = self._next()
            if point is None:
                break
            found.append(Ask(m.next_index, point, "design" if chain < 0 else "acquisition"))
            m.pending[m.next_index] = chain
            m.next_index += 1
        return found

    def _next(self) -> tuple[int, Array | None]:
        """The chain that is furthest behind and waits for nothing, and its point; -1: a design point."""
        m = self.memory
        if not m.chains:
            i = m.next_index
            waiting = len(m.pending) > 0
            if i >= self.design_size and waiting:
                return -1, None
            s = self.settings
            size = self.design_size * (1 + i // self.design_size)
            return -1, design_point(i, size, self.lower, self.upper, s.start, s.seed + i // self.design_size)
        free = [c for c in range(len(m.chains)) if c not in m.pending.values()]
        if not free:
            return 0, None
        chain = min(free, key=lambda c: (m.chains[c].sweeps, c))
        return chain, self._wanted[chain]

    def tell(self, outcome: Tell) -> None:
        m = self.memory
        known = outcome.y is not None and np.isfinite(outcome.y) and not outcome.impossible
        value = float(outcome.y) if known and outcome.y is not None else -np.inf
        chain = m.pending.pop(outcome.index)
        m.told += 1
        if not known:
            m.count("impossible" if outcome.impossible or outcome.y == -np.inf else "failed")
        if chain < 0:
            m.design[outcome.index] = (np.asarray(outcome.u, dtype=float).copy(), value)
            self._start_from_design()
            return
        one = m.chains[chain]
        one.told.append(value)
        try:
            self._wanted[chain] = self._moves[chain].send(value)
        except StopIteration:
            self._move(chain)

    @property
    def finished(self) -> bool:
        m = self.memory
        return m.told >= m.budget or (m.converged and self.options.stop)

    def extend(self, max_evaluations: int) -> None:
        self.memory.budget = max(self.memory.budget, int(max_evaluations))

    # ------------------------------------------------------------------ the answer

    def update(self) -> LoopSnapshot | None:
        m = self.memory
        last = m.told >= m.budget
        if m.told == m.announced:
            return None
        ready = len(m.chains) == CHAINS and min(c.sweeps for c in m.chains) >= LEAST_SWEEPS
        if not ready:
            if last:
                m.announced = m.told
                return empty_answer(self.settings, m)
            return None
        if not last and m.told - m.announced < max(20, NEWS * m.announced):
            return None
        m.announced = m.told
        answer = snapshot(ChainsState(self.settings, m))
        m.converged = answer.converged
        return answer

    # ------------------------------------------------------------------ saving

    def state(self) -> State:
        return self.memory.to_state()

    def restore(self, state: State) -> None:
        self.memory = Memory.of_state(state)
        self._moves, self._wanted = {}, {}
        self._arm()


def _covariance(points: Array) -> Array:
    d = points.shape[1]
    found = np.cov(points.T).reshape(d, d)
    return np.asarray(found + 1e-9 * (np.trace(found) / d + 1e-300) * np.eye(d))
