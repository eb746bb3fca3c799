"""Sensitivities of the newest answer of a session, from its surrogate alone; kept in the session."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from ..answer.known_runs import counted_runs, known_runs
from ..answer.latest import posterior_of
from ..answer.posterior import StoredPosterior
from ..answer.predictions.data_parts import columns_of, parts_of
from ..answer.sensitivity import Indices, Over, Sensitivity, save_sensitivity
from ..comparison.known_density import density_of
from ..machine.devices import computing_on
from ..numerics.randomness import generator
from ..problem.definition import Problem
from ..sampling.proposal import Proposal
from ..sampling.trusted_density import TrustedDensity
from ..session.errors import SessionError
from ..session.keep_in import keep_in
from ..session.records import EvaluationRecord
from ..session.store import SessionStore
from ..surrogate.outputs.log_joint import EmulatedLogJoint
from . import indices
from .data_taken_out import Posterior, taken_out
from .distribution import Moved, most_points, over_posterior, over_prior
from .next_measurement import DRAWS, next_measurements
from .outputs_afterwards import learnt_afterwards
from .possible_functions import MOST_RUNS, PossibleFunctions
from .run_values import RunValues

Array = NDArray[np.float64]
Check = Callable[[], None]

MOST_EVALUATIONS, FEWEST_POINTS = 60_000, 512  # of all scores at all points, for each function drawn: seconds; points at least
LEFT_OUT_DRAWS = 2000  # of the posterior, for weights: their tail is then of 130
BY_OUTPUTS = "90 % intervals cover what the runs leave open of the outputs, and the sampling."
BY_SCORE = "90 % intervals cover what the runs leave open of the log density, and the sampling."
BY_MEAN = "90 % intervals cover the sampling alone: this method's surrogate draws no functions."
NOT_READ = (
    "The saved state of the analysis could not be read, so only the log density has indices. More runs rebuild it."
)
UNKNOWN = "Of the log density over the {over} nothing is said: the surrogate does not know it there."


def study(store: SessionStore, check: Check = lambda: None) -> Sensitivity:
    """``check`` is called now and then and may raise to end it. Raises SessionError where there is too little to go on."""
    began = time.monotonic()
    posterior, record = posterior_of(store)
    known = density_of(store, lambda: bool(check()))  # type: ignore[func-returns-value]
    check()
    problem, density = store.problem, known.log_density
    try:
        with np.errstate(all="ignore"):
            values = None
            if not isinstance(density, TrustedDensity):
                values = RunValues.of(*known_runs(store, record, posterior.space), posterior.space)
            found = _Study(problem, posterior, density, counted_runs(store), check, values).made()
    except (ValueError, ArithmeticError, IndexError, np.linalg.LinAlgError, RuntimeError) as error:
        raise SessionError(
            f"Sensitivities could not be worked out ({error})", str(store.path), "A few more runs of the analysis may help."
        ) from error
    seconds = time.monotonic() - began
    return msgspec.structs.replace(found, iteration=record.iteration, seconds=seconds, at=time.time())


def keep(path: Path, made: Sensitivity) -> str:
    """In the session; why it could not be kept, a sentence, '' if it was."""
    return keep_in(path, lambda store: save_sensitivity(store, made))


class _Study:
    """Of one answer; ``density``: points u (n, D) -> log joint (n,). ``values``: of the runs, where no surrogate that functions
    can be drawn from is behind it."""

    def __init__(
        self, problem: Problem, posterior: StoredPosterior, density: Callable[[Array], Array],
        runs: Sequence[EvaluationRecord], check: Check, values: RunValues | None = None,
    ) -> None:  # fmt: skip
        self.values = values
        self.problem, self.posterior, self.space, self.density, self.check = problem, posterior, posterior.space, density, check
        self.trusted = density if isinstance(density, TrustedDensity) else None
        self.notes: list[str] = []
        if self.outputs is None:
            self._learn_outputs(runs)

    @property
    def outputs(self) -> EmulatedLogJoint | None:
        """Learnt by the analysis, or afterwards."""
        surrogate = None if self.trusted is None else self.trusted.surrogate
        return surrogate if isinstance(surrogate, EmulatedLogJoint) else None

    def _learn_outputs(self, runs: Sequence[EvaluationRecord]) -> None:
        """From what is recorded; or why not."""
        if self.trusted is None and self.problem.settings.method == "default":  # its own state always gives one
            self.notes.append(NOT_READ)
            return
        found = learnt_afterwards(self.problem, runs, self._draws(LEFT_OUT_DRAWS), self.trusted)
        self.notes.append(found.note)
        self.trusted = found.density or self.trusted
        self.check()

    def made(self) -> Sensitivity:
        each = (self.space.dimension + 1) * self._scores
        most = MOST_EVALUATIONS / each if self.outputs is not None and self._few else np.inf
        n = most_points(indices.POINTS, max(min(indices.MOST_NUMBERS / (indices.FUNCTIONS * each), most), FEWEST_POINTS))
        prior = over_prior(self.space, n, self._rng("prior"))
        posterior = over_posterior(self.posterior, n, self._rng("posterior"))
        if self.outputs is not None:
            with computing_on(self.outputs.emulator.centre.device):
                return self._with_outputs(self.outputs, prior, posterior)
        found = [self._of_score(at, over) for at, over in ((prior, "prior"), (posterior, "posterior"))]  # type: ignore[arg-type]
        covered = BY_SCORE if self._covariance is not None or self._functions is not None else BY_MEAN
        return self._record([i for i in found if i is not None], prior, covered)

    def _with_outputs(self, outputs: EmulatedLogJoint, prior: Moved, posterior: Moved) -> Sensitivity:
        columns, found = columns_of(self.problem), []
        drawn_of = PossibleFunctions.of_outputs
        functions = drawn_of(outputs.emulator, self._rng("functions"), self.check) if self._few else None
        for at, over in ((prior, "prior"), (posterior, "posterior")):
            rng = self._rng(f"over the {over}")
            drawn = indices.Drawn.of(outputs, functions, at, rng)
            self.check()
            found += indices.of_outputs(outputs, columns, drawn, over, rng, self.check)  # type: ignore[arg-type]
            found.append(indices.of_log_density(outputs, self._log_prior, drawn, over, rng, self.check))  # type: ignore[arg-type]
        made = self._record(found, prior, BY_OUTPUTS)
        box = outputs.box
        parts = taken_out(self._now(outputs, prior), parts_of(columns), self._rng("data taken out"), self.check)
        few = self._draws(DRAWS)
        following = next_measurements(outputs, columns, box.into(few), few, self._rng("next measurement"), self.check)
        return msgspec.structs.replace(made, parts=tuple(parts), next=tuple(following))

    def _now(self, outputs: EmulatedLogJoint, prior: Moved) -> Posterior:
        """The answer in the frame of its surrogate."""
        assert self.trusted is not None
        box, p, draws = outputs.box, self.posterior, self._draws(LEFT_OUT_DRAWS)
        mixture = Proposal(p.weights, box.into(p.means), p.covariances / np.multiply.outer(box.scale, box.scale))
        variance = np.var(prior.points, axis=0) / np.square(box.scale)
        return Posterior(self.trusted, outputs, box.into(draws), np.full(len(draws), 1.0 / len(draws)), variance, mixture)

    @property
    def _scores(self) -> int:
        return 1 if self.outputs is None else len(self.outputs.emulator.theta)

    @property
    def _few(self) -> bool:
        """Whether functions are drawn that fit the runs, with hyperparameters of their own."""
        if self.outputs is not None:
            return len(self.outputs.kept) <= MOST_RUNS
        return self.trusted is not None and len(self.trusted.surrogate.b) <= MOST_RUNS  # type: ignore[attr-defined]

    def _rng(self, purpose: str) -> np.random.Generator:
        return generator(self.problem.settings.seed, f"sensitivity: {purpose}")

    def _draws(self, count: int) -> Array:
        """Of the posterior (count, D), inference space."""
        return self.posterior.sample_in_inference(count, self.problem.settings.seed)

    def _log_prior(self, u: Array) -> Array:
        """Log prior density (n,) in the user's units."""
        return np.asarray(self.space.log_prior_in_inference(u) - self.space.log_jacobian(u))

    @property
    def _covariance(self) -> Callable[[Array], Array] | None:
        if self.trusted is None:
            return None
        frame, surrogate = self.trusted.frame, self.trusted.surrogate
        return lambda u: surrogate.joint_covariance(frame.into(u))  # type: ignore[attr-defined, no-any-return]

    @cached_property
    def _functions(self) -> PossibleFunctions | None:
        """That fit the values of the surrogate of the log density, in the user's units."""
        if self.trusted is None and self.values is not None and self.values.few:
            return PossibleFunctions.of_values(*self.values.shaped, self._rng("functions"), self.check)
        if self.trusted is None or not self._few:
            return None
        surrogate, back = self.trusted.surrogate, self.trusted.frame.back  # type: ignore[attr-defined]
        u = back(surrogate.b)  # type: ignore[attr-defined]
        values = surrogate.y + self.trusted.top - self.space.log_jacobian(u)  # type: ignore[attr-defined]
        return PossibleFunctions.of_values(u, values, surrogate.noise, self._rng("functions"), self.check)  # type: ignore[attr-defined]

    def _of_score(self, at: Moved, over: Over) -> Indices | None:
        def mean(u: Array) -> Array:
            if self.trusted is None and self.values is not None and self._functions is not None:
                return self.values.trusted(u)  # functions are drawn, so it only says where the density is known
            parts = np.array_split(u, max(1, len(u) // 2048))
            return np.concatenate([self.density(part) for part in parts]) - self.space.log_jacobian(u)

        density = indices.ScoreDensity(mean, self._covariance, self._functions)
        found = indices.of_score(density, at, over, self._rng(f"log density over the {over}"))
        if found is None:
            self.notes.append(UNKNOWN.format(over=over))
        return found

    def _record(self, found: list[Indices], prior: Moved, covered: str) -> Sensitivity:
        return Sensitivity(
            iteration=0, parameters=tuple(self.space.names), indices=tuple(found), plausible=prior.plausible, interval=covered,
            notes=tuple(self.notes),
        )

