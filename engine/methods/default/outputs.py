"""The outputs of the runs learnt instead of their score: fits, the choice of form, and whether they may be believed (OUTPUTS)."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray

from ...acquisition.aims import Aim
from ...acquisition.outputs import PROMISED, next_run, promise, unsure_shares
from ...feasibility.classifier import Feasibility
from ...loop_interface import LoopSettings, Tell
from ...machine.devices import batch_device, computing_on
from ...numerics.radial import Profile
from ...sampling.guarded_density import Hull
from ...sampling.population_monte_carlo import PosteriorDraws
from ...surrogate.evaluations import Evaluations
from ...surrogate.frames import BoxFrame
from ...surrogate.log_joint import LogJoint
from ...surrogate.outputs.components import Pull
from ...surrogate.outputs.emulator import Emulator, Form, Runs
from ...surrogate.outputs.incomplete import Incomplete
from ...surrogate.outputs.log_joint import Cells, EmulatedLogJoint
from ...surrogate.outputs.scatter import Level, Scatter
from ...surrogate.outputs.shown import draws_for, shown
from .believed import left_out_error
from .noise_factors import noise_factors
from .outputs_memory import BELIEVED, BOLDER, DOUBTED, MOST_INFLATED, WINDOW, OutputsMemory
from .scattering import by_all_runs, level_of, noise_shown, place_beside, settled, smoothed, to_be_seen
from .score import fit_every

Array = NDArray[np.float64]

FEWEST = 4  # values from which outputs can be learnt; of two parameters 3, which tell both slopes
FORM_GROWTH = 1.25  # the form is chosen anew when there are so many times more values
LATER_GROWTH = 2.0  # the same beyond ``MOST_COMPARED``, where others are compared, not more
JUDGED_FROM = 20  # values from which outputs may be given up
RISE, AT_REST = 2.0, 15  # nats by which the best value rises within so many evaluations (or 2 D of them) while the climb goes on
MOST_TRANSFORMED = 2_000  # values of which logarithms are tried: normal noise of them needs every prediction
MOST_COMPARED = 150  # runs by which forms are compared: six fits of 400 take ten times as long, and say the same
CLEARLY = 0.7  # a form is better if its leave-one-out error is below that share of the best so far
PROMISE_EVERY, PROMISE_EVERY_SHARE = 5, 10  # evaluations, or one in so many of all, between looks for promises where none was
SCATTER_ROUNDS = 2  # of a scatter and hyperparameters given the other
ASK_AGAIN = 1.5  # a score that is learnt: the outputs are tried again when there are so many times more values


class OutputsLearner:
    """Fits and builds emulators of the runs; what is found is kept in the memory it is given."""

    def __init__(self, settings: LoopSettings, box: BoxFrame, memory: OutputsMemory, learn: str = "auto") -> None:
        assert settings.cells is not None
        self.settings, self.box, self.memory, self.learn = settings, box, memory, learn
        self._given = settings.cells
        self._smoothed: tuple[Evaluations, int, Evaluations] | None = None

    def usable(self, known: Evaluations) -> bool:
        return known.outputs is not None and int(self._told(known).sum()) >= min(FEWEST, max(self.settings.dimension + 1, 3))

    def due(self, n: int) -> bool:
        """Whether outputs are learnt, or should be tried again, with ``n`` values."""
        m = self.memory
        wait = n - m.fitted_at >= fit_every(n) if m.used else n >= ASK_AGAIN * m.fitted_at
        return self.learn != "score" and (m.theta is None or wait)

    def fit(self, known: Evaluations) -> None:
        """Hyperparameters, now and then the form, and whether the outputs may be believed."""
        with computing_on(self._device):
            self._fit(known)

    def _fit(self, known: Evaluations) -> None:
        m, n = self.memory, len(known.y)
        m.incomplete = True
        self._find_noise(known)
        runs = self._runs(known)
        growth = FORM_GROWTH if n <= MOST_COMPARED else LATER_GROWTH
        if n >= growth * m.chosen_at:
            self._choose_form(runs)
        else:
            self._search(runs)
        if m.scatters:
            self._find_scatter(runs)
        elif runs.incomplete is not None:
            self._compare_without_incomplete(runs)
        m.fitted_at = n
        surrogate = self.surrogate(self.smoothed(known))
        m.doubt, m.scatter = left_out_error(surrogate), by_all_runs(surrogate) if m.scatters else 0.0
        settled = m.scatters or self.settings.scattered or (m.used and m.may_look_beside(n))  # the score scatters more
        if self.learn == "auto" and n >= max(JUDGED_FROM, m.judged_from) and not self._climbs(known.y) and not settled:
            m.used = m.doubt < (DOUBTED if m.used else BELIEVED)

    def _search(self, runs: Runs) -> None:
        """Hyperparameters, of all runs that matter: also those left out as far from the data where that is not foreseen."""
        m = self.memory
        emulator = Emulator.of(runs, self._form, self._theta(), True, m.taken_in, self._scatter)
        unforeseen = emulator.thought_near(runs)
        if unforeseen:
            m.taken_in += unforeseen
            emulator = Emulator.of(runs, self._form, emulator.theta, True, m.taken_in, self._scatter)
        m.theta = emulator.theta.cpu().numpy().copy()

    def _compare_without_incomplete(self, runs: Runs) -> None:
        """Incomplete runs are left out where complete ones are predicted clearly worse with them: they may print garbage."""
        m, complete = self.memory, replace(runs, incomplete=None)
        theirs = Emulator.of(runs, self._form, self._theta(), search=False, also=m.taken_in)
        without = Emulator.of(complete, self._form, self._theta(), search=True, also=m.taken_in)
        m.incomplete = CLEARLY * theirs.missed(runs) <= without.missed(complete)
        if not m.incomplete:
            m.theta = without.theta.cpu().numpy().copy()

    def _find_scatter(self, runs: Runs) -> None:
        """How the scatter changes from place to place, in turn with the hyperparameters."""
        m = self.memory
        for _ in range(SCATTER_ROUNDS):
            same = Scatter(m.roughness)
            even, now = (Emulator.of(runs, self._form, self._theta(), False, m.taken_in, s) for s in (same, self._scatter))
            found = level_of(even, now, runs)
            m.level = None if found is None else found.to_state()
            self._search(runs)
            if found is None:
                return

    @property
    def _scatter(self) -> Scatter | None:
        m = self.memory
        if not m.scatters:
            return None
        return Scatter(m.roughness, None if m.level is None else Level.of_state(m.level))

    def surrogate(self, known: Evaluations) -> EmulatedLogJoint:
        """With the hyperparameters and the form in memory, which may know of later runs: an answer's draws are older."""
        runs = self._runs(known)
        also = [row for row in self.memory.taken_in if row < len(runs.f)]
        return self._log_joint(known, Emulator.of(runs, self._form, self._theta(), False, also, self._scatter))

    def smoothed(self, known: Evaluations) -> Evaluations:
        """The log joint of the runs without their scatter, where outputs scatter."""
        m = self.memory
        if not m.scatters or not m.used:
            return known
        if self._smoothed is None or self._smoothed[0] is not known or self._smoothed[1] != m.fitted_at:
            self._smoothed = known, m.fitted_at, smoothed(self.surrogate(known))
        return self._smoothed[2]

    def settled(self, surrogate: LogJoint | None, tell: Tell) -> Tell:
        """A new run with its log joint without its scatter, where outputs scatter."""
        if not self.memory.scatters or not isinstance(surrogate, EmulatedLogJoint):
            return tell
        with computing_on(self._device):
            return settled(surrogate, self.box.into(np.asarray(tell.u, float)), tell)

    def refitted(self, known: Evaluations) -> EmulatedLogJoint:
        """Of other runs, hyperparameters searched from those in memory, which stays as it is."""
        return self._log_joint(known, Emulator.of(self._runs(known), self._form, self._theta(), True, (), self._scatter))

    def error_of(self, surrogate: LogJoint, place: Array, outputs: Array) -> tuple[float, float]:
        """See ``EmulatedLogJoint.outputs_error``."""
        assert isinstance(surrogate, EmulatedLogJoint)
        return surrogate.outputs_error(place, outputs)

    def left_out(self, surrogate: LogJoint) -> Array:
        """See ``EmulatedLogJoint.left_out``; 0 of outputs that scatter: their log joints (n,) are smoothed."""
        if not isinstance(surrogate, EmulatedLogJoint) or self.memory.scatters:
            return np.zeros(len(surrogate.y))
        return surrogate.left_out()

    def errors_of(self, surrogate: LogJoint) -> tuple[NDArray[np.intp], Array, Array]:
        """See ``EmulatedLogJoint.outputs_errors``."""
        assert isinstance(surrogate, EmulatedLogJoint)
        return surrogate.outputs_errors()

    def next_run(
        self, surrogate: LogJoint, draws: PosteriorDraws, hull: Hull, possible: Feasibility, waiting: Array,
        pending: Container[int], index: int, aim: Aim, rng: np.random.Generator,
    ) -> Array:
        """An emulated maximum above all runs, if one is looked for and found, or as ``acquisition.outputs.next_run``.

        ``waiting`` (p, D): asked and not told, ``pending`` their indices.
        """
        assert isinstance(surrogate, EmulatedLogJoint)
        m = self.memory
        beside = self._run_beside(surrogate, index, rng) if m.may_look_beside(len(surrogate.y)) else None
        if beside is not None:
            return beside
        if m.promised not in pending and index >= m.promise_due:
            for caution in (m.caution, m.caution / BOLDER):
                place = promise(surrogate, draws, hull, possible, caution, rng)
                if place is not None:
                    m.promised, m.caution = index, caution
                    return place
            m.promise_due = index + max(PROMISE_EVERY, index // PROMISE_EVERY_SHARE)
        return next_run(surrogate, waiting, draws, hull, possible, aim, rng)

    def _run_beside(self, surrogate: EmulatedLogJoint, index: int, rng: np.random.Generator) -> Array | None:
        """A place (D,) right beside a run, where it is to be seen whether outputs scatter."""
        n, m = len(surrogate.y), self.memory
        known = surrogate.known
        d = surrogate.dimension
        if known is None or known.outputs is None or n < 2 * d + 8:
            return None
        early = n < max(JUDGED_FROM, 4 * d) and self._climbs(known.y)  # not later: luck makes the best value climb for long
        if not self.settings.scattered and (early or (m.doubt < BELIEVED and not to_be_seen(surrogate.emulator))):
            return None
        found = place_beside(surrogate, rng)
        if found is None:
            return None
        m.beside, m.seen_at = (index, known.outputs[found[0]]), n
        return found[1]

    def look_at(self, surrogate: LogJoint, draws: PosteriorDraws, rng: np.random.Generator) -> None:
        """How much of the posterior, and of its width, lies where the outputs are not known."""
        assert isinstance(surrogate, EmulatedLogJoint)
        self.memory.unsure, self.memory.unsure_width = unsure_shares(surrogate, draws, rng)

    def take(self, tell: Tell, residual: tuple[float, float] | None, surrogate: LogJoint | None, top: float) -> None:
        """What came out, before it is added: whether a promise was kept, and the error of what was predicted."""
        self.memory.take_promise(tell.index, tell.y, top + 0.5 * PROMISED)
        if self.settings.cells is not None:
            self.memory.take_beside(tell.index, tell.outputs, self.cells.units)
        self.memory.take_step(tell.index, tell.y, top)
        foretold = residual is not None and tell.index not in self.memory.alike  # what is right beside a run is no prediction
        if foretold and residual is not None and tell.outputs is not None and isinstance(surrogate, EmulatedLogJoint):
            self.note(surrogate, self.box.into(np.asarray(tell.u, float)), tell.outputs, residual[1])

    def note(self, surrogate: EmulatedLogJoint, b: Array, outputs: Array, weight: float) -> None:
        """The error of what was predicted for a run at b (D,) before it was made."""
        emulator = surrogate.emulator
        with torch.no_grad():
            x = surrogate.inputs(b[None])
            mean, variance = emulator.predict(x)
            scores = emulator.components.scores(torch.as_tensor(outputs, device=mean.device)[None])
            stated = variance / emulator.inflation + emulator.nugget(x)
            error = float(((scores - mean) ** 2 / stated).mean())
        if np.isfinite(error):
            self.memory.errors.append((min(error, MOST_INFLATED**2), weight))
            del self.memory.errors[: -2 * WINDOW]

    def shown(self, surrogate: LogJoint, draws: PosteriorDraws, rng: np.random.Generator) -> dict[str, Array]:
        """What the answer shows of the outputs; see ``session.emulated``."""
        if not isinstance(surrogate, EmulatedLogJoint):
            return {}
        points = draws.points[draws.resample(draws_for(len(surrogate.cells.measured)), rng)]
        return shown(surrogate, points, rng, checked=draws.temperature == 1.0)

    def noise_shown(self, surrogate: LogJoint, points: Array) -> dict[str, Array]:
        """How noisy the log densities of the runs are where outputs scatter; ``points`` (n, D): of the posterior."""
        return noise_shown(surrogate, points) if self.memory.scatters and isinstance(surrogate, EmulatedLogJoint) else {}

    def _climbs(self, y: Array) -> bool:
        """Whether the newest evaluations still found better and better values (n,)."""
        last = max(AT_REST, 2 * self.settings.dimension)
        return len(y) <= last or bool(y.max() > y[:-last].max() + RISE)

    @property
    def _form(self) -> Form:
        return Form(self.memory.kernel, self.memory.logarithms, self.memory.sizes)

    def _told(self, known: Evaluations) -> NDArray[np.bool_]:
        assert known.outputs is not None
        return np.asarray(np.isfinite(known.outputs).all(axis=1) & ~np.isin(known.index, self.memory.alike))

    def _theta(self) -> torch.Tensor | None:
        return None if self.memory.theta is None else torch.as_tensor(self.memory.theta, device=self._device)

    @property
    def _device(self) -> torch.device:
        return batch_device(self.settings.device)

    def _runs(self, known: Evaluations) -> Runs:
        told, cells, device = self._told(known), self.cells, self._device
        assert known.outputs is not None
        x = cells.into_inputs(self.box.back(known.points[told]))
        arrays = [torch.as_tensor(a, device=device) for a in (x, known.outputs[told], cells.measured, cells.units, cells.sides)]
        groups = tuple(block.cells.to(device) for block in cells.likelihood.blocks)
        also = self._incomplete(known), self._pull(known, told)
        return Runs(arrays[0], arrays[1], arrays[2], arrays[3], groups, *also, arrays[4])

    def _pull(self, known: Evaluations, told: NDArray[np.bool_]) -> Pull:
        """Where the log-likelihood goes up at the best of the runs ``told`` (n,)."""
        u, f = self._best(known, told)
        p = self.cells.noise_values(u[None])
        at, parameters = torch.as_tensor(f, device=self._device), torch.as_tensor(p, device=self._device)
        return Pull(at, self.cells.likelihood.on(self._device).slope(at[None], parameters)[0])

    def _best(self, known: Evaluations, told: NDArray[np.bool_]) -> tuple[Array, Array]:
        """Place (D,) and cells (L,) of the best of the runs ``told`` (n,)."""
        assert known.outputs is not None
        best = int(np.where(told, known.y, -np.inf).argmax())
        return self.box.back(known.points[best][None])[0], known.outputs[best]

    @property
    def cells(self) -> Cells:
        """In units of the noise as it is known."""
        m = self.memory
        return cast(Cells, self._given if m.noise_factors is None else self._given.with_units(m.noise_factors))

    def _find_noise(self, known: Evaluations) -> None:
        """How large the noise is by the best run; not anew once sizes of a scatter are counted in it."""
        m = self.memory
        if not m.scatters and not self.settings.scattered:
            m.noise_factors = noise_factors(self._given, *self._best(known, self._told(known)), m.noise_factors)

    def _incomplete(self, known: Evaluations) -> Incomplete | None:
        """Runs without a value that gave some of their outputs, where those teach; not of a program whose outputs scatter."""
        if known.incomplete is None or not self.memory.incomplete or self.memory.scatters or self.settings.scattered:
            return None
        x, f = self.cells.into_inputs(self.box.back(known.incomplete[0])), known.incomplete[1]
        return Incomplete(torch.as_tensor(x, device=self._device), torch.as_tensor(f, device=self._device))

    def _log_joint(self, known: Evaluations, emulator: Emulator) -> EmulatedLogJoint:
        told = np.flatnonzero(self._told(known))
        kept = told[emulator.kept.cpu().numpy()]
        scaled = replace(emulator, inflation=self.memory.inflation)
        top = float(known.y.max())
        likelihood = emulator.components.likelihood(self.cells.likelihood.on(self._device))
        return EmulatedLogJoint(scaled, self.cells, self.box, known.points, known.y - top, kept, top, likelihood, known)

    def _choose_form(self, runs: Runs) -> None:
        """The form whose leave-one-out error is least; the present one is kept unless another is clearly better.

        Errors of the outputs: those of the log-likelihood, in nats, are luck where the outputs are not known to the noise yet.
        """
        m = self.memory
        kernels: tuple[Profile, ...] = ("rough", "smooth")
        few = len(runs.measured) <= MOST_TRANSFORMED
        ways = [(False, False), (False, True)] + [(True, False)] * (few and runs.logarithms_possible)
        forms = [Form(k, *way) for k in kernels for way in ways]
        best: tuple[float, Form, Emulator] | None = None
        forms.sort(key=lambda form: form != self._form)  # the present one first
        some = runs.some(MOST_COMPARED)
        also = m.taken_in if some is runs else []
        for form in forms:
            start = self._theta() if form == self._form else None
            emulator = Emulator.of(some, form, start, True, also, self._scatter)
            missed = emulator.missed(some)
            if best is None or missed < CLEARLY * best[0]:
                best = missed, form, emulator
        assert best is not None
        m.kernel, m.logarithms, m.sizes = best[1].kernel, best[1].logarithms, best[1].sizes
        m.theta, m.chosen_at = best[2].theta.cpu().numpy().copy(), len(runs.f)
        if some is not runs:
            self._search(runs)
