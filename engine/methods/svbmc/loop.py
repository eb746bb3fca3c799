"""Sparse variational Bayesian Monte Carlo: a posterior from an archive of evaluations (seed 001 algorithm 1).

    trim the archive; whiten the coordinates by a rough posterior
    seed hyperparameters by an exact GP on a subset; sparse GP with shaped noise, or as given if that predicts what is held out
    build-up: components are added to the mixture until its KL divergence stops falling, at most 30
    each iteration, until stable or out of budget:
        5 evaluations, each at the argmax of k exp(m) q (noisy targets: VIQR), rank-one updates of the GP in between
        choose inducing points anew, tune the hyperparameters
        refit the mixture

Few evaluations get the exact GP instead; the reason is part of the answer. A budget of 0 makes the first answer the last.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray

from bayescope.engine.acquisition.functions import Acquisition, prospective, tempered
from bayescope.engine.loop_interface import Cancelled, LoopSettings, LoopSnapshot, State, Tell
from bayescope.engine.machine.devices import compute_device, computing_on
from bayescope.engine.methods.default.words import name_of
from bayescope.engine.methods.surrogate_answer import Answer, snapshot
from bayescope.engine.methods.surrogate_memory import Memory
from bayescope.engine.methods.surrogate_models import bvbmc_model, vbmc_model
from bayescope.engine.methods.svbmc import data as svbmc_data
from bayescope.engine.methods.svbmc.archive_error import SHOWN, UNSEEN, UNTESTED, archive_error
from bayescope.engine.methods.svbmc.buildup import build_up, start_of
from bayescope.engine.methods.svbmc.draws import GOOD_ESS, evidence_error, final_draws
from bayescope.engine.methods.svbmc.surrogate import Data, blocks, built, first_fit, predicts_better, rough_fit, tuned
from bayescope.engine.methods.svbmc.trust import CEILING, TrustedMethod
from bayescope.engine.problem.method_options import BvbmcOptions, SvbmcOptions, read_options
from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.surrogate.choice import Choice, choose
from bayescope.engine.surrogate.evaluations import outcome_of
from bayescope.engine.surrogate.interface import Surrogate
from bayescope.engine.surrogate.model import Model
from bayescope.engine.surrogate.shaping import PUBLISHED
from bayescope.engine.surrogate.sparse import SparseSurrogate, Variant
from bayescope.engine.surrogate.values import Values
from bayescope.engine.variational.families import FULL, Family
from bayescope.engine.variational.growth import grow
from bayescope.engine.variational.joint import fit_mixture
from bayescope.engine.variational.whitening import Frame

Array = NDArray[np.float64]

TUNE_AT, TUNE_EVERY = (1, 4), 10  # iterations with an update of the hyperparameters
GROW_EVERY = 4  # iterations between proposals of one more component
REFIT_STEPS = 12


class SvbmcMethod(TrustedMethod):
    """Settings' options: ``SvbmcOptions``; ``LoopSettings.archive`` holds the evaluations to start from.

    Raises ValueError for an option it does not have or an archive whose arrays do not fit.
    """

    def __init__(self, settings: LoopSettings) -> None:
        super().__init__(settings)
        self.options = read_options(SvbmcOptions, settings.options)
        self.noisy_acquisition, self._variant = self.options.noisy_acquisition, cast("Variant", self.options.approximation)
        self._whole = svbmc_data.prepare(settings.archive, self.dimension, self.options.trim)
        self.archive = self._whole  # without near-repeats once working coordinates are known
        self.why_surrogate = ""  # exact or sparse, with N, M and the reason

    @property
    def name(self) -> str:
        return "SVBMC"

    @property
    def diagonal(self) -> bool:
        return False

    @property
    def _family(self) -> Family:
        return FULL

    def _design_size(self) -> int:
        """Evaluations wanted before the first surrogate: none with an archive worth the name."""
        usable, needed = len(self._whole.y), self.dimension + 2
        return 0 if usable >= needed else max(10, needed) - usable

    @property
    def satisfied(self) -> bool:
        return self.options.stop and bool(self.memory.count("stable"))

    # ------------------------------------------------------------------ data and surrogate

    def _values(self, told: int | None = None) -> Values:
        """Of the archive and the first ``told`` (None: all) evaluations of this run."""
        return svbmc_data.together(self.archive, self.memory.log.told[:told], self.dimension)

    def _data(self, values: Values) -> Data:
        """In working coordinates."""
        x = torch.as_tensor(self.memory.frame.into(values.u))
        o = self.options
        noise = torch.as_tensor(values.noise)
        if o.noise_shaping and not self.memory.count("unshaped"):
            shaping = replace(PUBLISHED, threshold=o.shaping_threshold, slope=o.shaping_slope)
            noise = noise + torch.as_tensor(shaping.variance(values.shaped.max() - values.shaped, self.dimension))
        return Data(x, torch.as_tensor(values.shaped), noise)

    def _model(self, values: Values) -> Model:
        if self.options.kernel == "se":
            return vbmc_model(values)
        box = Frame.of_box(self.lower, self.upper)
        return bvbmc_model(BvbmcOptions(kernel=self.options.kernel), values, box, self.memory.frame)

    def _choice(self, values: Values, told: int) -> Choice:
        forced, most = self.options.surrogate, self.options.inducing
        return choose(values.count, told, None if forced == "auto" else forced, most or None)  # type: ignore[arg-type]

    def _build(self) -> None:
        """The surrogate of the last iteration, then one update per evaluation since: the same after a restart."""
        m = self.memory
        assert m.theta is not None
        at = m.count("built at")
        values = self._values(at)
        model = self._model(values).with_hyperparameters(torch.as_tensor(m.theta))
        choice, device = self._choice(values, at), compute_device(self.settings.device, values.count)
        with computing_on(device):
            found = built(choice, model, self._data(values), device, self._variant)
        self.surrogate, self.why_surrogate = found.surrogate, f"{choice.reason} {found.why}".strip()
        for n in range(at, len(m.log.told)):
            self._condition(n)

    def _condition(self, n: int) -> None:
        """Evaluation ``n`` of this run into the surrogate, hyperparameters fixed (seed 001 C.5)."""
        if outcome_of(self.memory.log.told[n]) != "ok":
            return
        assert self.surrogate is not None
        data = self._data(self._values(n + 1))
        self.surrogate = self.surrogate.condition(data.x[-1:], data.y[-1:], data.noise[-1:])

    def _fit_surrogate(self, *, fresh: bool = False) -> None:
        """Hyperparameters and inducing points from all evaluations."""
        m = self.memory
        values = self.values = self._values()
        choice = self._choice(values, len(m.log.told))
        rng = self._rng("fit")
        if fresh or m.theta is None:
            self._first_surrogate(values, choice, rng)
            return
        device = compute_device(self.settings.device, values.count)
        model, data = self._model(values), self._data(values)
        with computing_on(device):
            if m.count("iteration") in TUNE_AT or m.count("iteration") % TUNE_EVERY == 0:
                model = model.with_hyperparameters(torch.as_tensor(m.theta))
                m.theta = tuned(choice, model, data, device, self._variant)
        m.counts["built at"], m.counts["arrived"] = len(m.log.told), 0
        self._build()

    def _first_surrogate(self, values: Values, choice: Choice, rng: np.random.Generator) -> None:
        """With noise shaping, and with the noise of values as given: what predicts evaluations that are held out better stays."""
        m, device = self.memory, compute_device(self.settings.device, values.count)
        m.counts["built at"], m.counts["arrived"] = len(m.log.told), 0
        found = []
        for unshaped in range(1 + self.options.noise_shaping):
            m.counts["unshaped"] = unshaped
            model, data = self._model(values), self._data(values)
            with computing_on(device):
                m.theta = first_fit(choice, model, data, rng, device, self._variant)
            self._build()
            found.append((m.theta, self.surrogate, self.why_surrogate))
            self.check()
        if len(found) > 1:
            m.counts["unshaped"] = int(predicts_better(found[1][1], found[0][1], blocks(data.x, data.y)))
            m.theta, self.surrogate, self.why_surrogate = found[m.counts["unshaped"]]

    # ------------------------------------------------------------------ the first posterior

    def _begin(self) -> None:
        """Trimmed archive to mixture, once, as soon as there is enough to build a surrogate from."""
        m = self.memory
        if m.mixture is not None or len(m.log.told) < self._design_size():
            return
        self.values = self._values()
        if self.values.count < self.dimension + 2:
            return
        saved = m.to_state()
        try:
            self.check()
            self._rough_frame()
            self.check()
            self._fit_surrogate(fresh=True)
            self.check()
            q = build_up(
                self.expected, self._start(), self._rng("build-up"), family=self._family,
                max_components=self.options.max_components, least_gain=self.options.least_gain, cancel=self.check,
            )  # fmt: skip
            self._keep(q)
        except Cancelled:
            self.restore(saved)
            raise

    def _rough_frame(self) -> None:
        """Working coordinates in which the posterior is about a unit ball: by the good points, then by a rough posterior."""
        m = self.memory
        assert self.values is not None
        x = m.frame.into(self._likely())
        x = x[svbmc_data.farthest(x, max(100, 20 * self.dimension))]
        spread = np.cov(x.T).reshape(self.dimension, self.dimension) + 1e-9 * np.eye(self.dimension)
        if len(x) > 2 * self.dimension:
            m.frame = m.frame.then(Frame.whitening(x.mean(axis=0), spread))
        self._drop_crowded()
        self.values = self._values()
        data = self._data(self.values).subset(self._rng("subset"))
        self.surrogate = rough_fit(self._model(self.values), data, self._rng("rough")).surrogate(data.x, data.y, data.noise)
        q = fit_mixture(self.expected, self._start(4), self._rng("rough fit"), family=self._family, steps=40)
        m.frame = m.frame.then(Frame.whitening(q.mean(), q.covariance()))
        self._drop_crowded()

    def _drop_crowded(self) -> None:
        x = self.memory.frame.into(self._whole.u)
        self.archive = svbmc_data.without(self._whole, svbmc_data.crowded(x, self._whole.y, self._whole.noise))

    def _start(self, components: int = 10) -> GaussianMixture:
        return start_of(self.guarded_mean, self.memory.frame.into(self._likely()), self._rng("chains"), components)

    # ------------------------------------------------------------------ active refinement

    def choose(self) -> tuple[Array, str] | None:
        self._begin()
        return super().choose()

    def _absorb(self, told: Tell) -> None:
        m = self.memory
        if m.mixture is None:
            self._begin()
            return
        before = m.frame.mixture_back(m.mixture)
        residual, weight = self._fresh_residual(told)
        self.values = self._values()
        refitted = False
        if outcome_of(told) == "ok":
            m.counts["active"] = m.count("active") + 1
            refitted = self._improve()
        elif self._last:
            self._iterate()
            refitted = True
        if refitted or not m.steps:
            self._record(residual, weight, before)
            found = self._proposal()
            if found.pilot.ess > GOOD_ESS:  # the evidence that is reported then
                m.steps[-1] = replace(m.steps[-1], elbo=found.pilot.log_z + m.frame.log_volume)
        else:  # the mixture is the same: so is what is known of it
            m.steps.append(replace(m.steps[-1], evaluations=len(m.log.told), residual=residual, weight=weight, divergence=0.0))
        m.counts["stable"] = int(not self._against_stability())

    def _improve(self) -> bool:
        if self.memory.count("active") >= self.options.active_points or self._last:
            self._iterate()
            return True
        self._condition(len(self.memory.log.told) - 1)
        return False

    def _iterate(self) -> None:
        m = self.memory
        assert m.mixture is not None
        m.counts["active"], m.counts["iteration"] = 0, m.count("iteration") + 1
        self._fit_surrogate()
        self.check()
        if m.count("iteration") % GROW_EVERY == 0 and m.mixture.components < self.options.max_components:
            q, _ = grow(
                self.expected, m.mixture, self._rng("grow"), family=self._family, max_components=self.options.max_components,
                steps=REFIT_STEPS, cancel=self.check,
            )  # fmt: skip
        else:
            q = fit_mixture(
                self.expected, m.mixture, self._rng("refit"), family=self._family, steps=REFIT_STEPS, cancel=self.check
            )  # fmt: skip
        self._keep(q)

    def _acquisition(self, surrogate: Surrogate, q: GaussianMixture, index: int) -> Acquisition:
        """In turn: PROP (seed 001 eq 1); its square root, k (exp(m) q)^1/2, for tails, where a point stands for more volume than
        in the bulk; and k exp(m)^0.6, for what the archive does not know of, where the mixture has no mass."""
        power = self.options.density_power
        if index % 3 == 0:
            return prospective(surrogate, q, power)
        if index % 3 == 1:
            return prospective(surrogate, q, 0.5 * power, 0.5)
        assert self.values is not None
        return tempered(surrogate, ceiling=self.values.top + CEILING)

    # ------------------------------------------------------------------ the answer

    def answer(self) -> LoopSnapshot | None:
        self._begin()
        m, ready = self.memory, self.surrogate is not None and self.memory.mixture is not None
        failures = sum(outcome_of(t) != "ok" for t in m.log.told)
        news = 1 + 2 * (m.count("iteration") + failures + m.count("batches")) + int(self.over)  # between, the mixture is the same
        if news == m.announced or (len(m.log.told) < self._design_size() and not self.over):
            return None
        m.announced = news
        drawn = final_draws(self.guarded_mean, self._proposal(), self._rng("draws")) if ready else None
        error, against, needed = evidence_error(m.steps), self._against_stability(), None
        if error is not None and ready:
            error = float(np.hypot(error, self._unseen))
        elif drawn is not None and self.surrogate is not None:
            found = archive_error(self.surrogate, drawn, (self.lower, self.upper), m.frame, self._rng("archive error"))
            words = found.words([name_of(self.settings, i) for i in range(self.dimension)])
            error, against = found.sd, against if m.log.told else tuple(words)
            needed = None if m.log.told else found.needed
        answer = snapshot(
            Answer(
                name=self.name, seed_draws=self._rng("sample"), lower=self.lower, upper=self.upper, memory=m, values=self.values,
                surrogate=self.surrogate if ready else None, elbo=self.elbo(draws=2048) if ready else None,
                log_density=self.guarded_mean if ready else np.zeros_like, stable=against, activity=self._activity(),
                drawn=drawn, evidence_error=error,
            )
        )  # fmt: skip
        if not ready:
            reasons = (self.archive.too_few(self.dimension + 2), *self.archive.notes)
            return replace(answer, reasons=reasons, activity="The archive gives no posterior yet")
        assert self.values is not None
        sizes = {"archive": len(self.archive.y), "points": self.values.count, "inducing": self._inducing}
        diagnostics = {**answer.diagnostics, **{name: float(size) for name, size in sizes.items()}}
        reasons = (*answer.reasons, self.why_surrogate, *self.archive.notes)
        return replace(answer, reasons=reasons, diagnostics=diagnostics, needed=needed.arrays() if needed else {})

    @property
    def _inducing(self) -> int:
        return len(self.surrogate.inducing) if isinstance(self.surrogate, SparseSurrogate) else 0

    def _activity(self) -> str:
        if self.surrogate is None or self.values is None:
            return "Reading the archive"
        sparse = f"sparse surrogate: N = {self.values.count:,}, M = {self._inducing}"
        return f"Refining the posterior ({sparse if self._inducing else 'exact surrogate'})"

    def _against_stability(self) -> tuple[str, ...]:
        if not self.memory.log.told:
            return (UNTESTED,)
        return super()._against_stability() or ((UNSEEN,) if self.memory.mixture and self._unseen > SHOWN else ())

    # ------------------------------------------------------------------ saving

    def restore(self, state: State) -> None:
        self.memory = Memory.of_state(state)
        self._forget()
        self.archive = self._whole
        if self.memory.theta is not None:
            self._drop_crowded()
            self._build()
            self.values = self._values()
