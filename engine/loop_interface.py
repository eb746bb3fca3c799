"""The contract of every inference loop: ask / tell. A loop never calls a simulator itself.

A loop works in *inference space*: D unbounded coordinates u (see ``problem/transforms.py``). Its target is the
log joint there: log-likelihood + log prior + log |d theta / d u|.

Determinism: a loop is a pure function of its settings and of the sequence of ``ask`` / ``tell`` calls. Random draws come
from generators keyed by (seed, purpose, counter), see ``numerics/randomness.py``, so that nothing depends on how
often a loop was stopped, restored or looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
State = dict[str, Any]  # nested dicts / lists of str, int, float, bool, None and numpy arrays; nothing else


@dataclass(frozen=True)
class Archive:
    """Evaluations made earlier, in inference space: points (N, D), log joint (N,), its noise sd (N,)."""

    points: Array
    values: Array
    sds: Array


class Recorded(Protocol):
    """What becomes of the outputs of a run that the method is told of."""

    def cells(self, outputs: Mapping[str, Any]) -> Array:
        """Numbers (L,) of a run, from its outputs by name. Raises ProblemError where they cannot be compared."""
        ...

    def given(self, outputs: Mapping[str, Any]) -> Array:
        """The same of a run that lacks some outputs: NaN for cells that it did not give. Raises ProblemError for other data."""
        ...


class SummaryCells(Recorded, Protocol):
    """What the method must know of a synthetic likelihood; see ``likelihood.point_summaries.PointSummaries``."""

    @property
    def measured(self) -> Array: ...

    @property
    def error(self) -> Array: ...


class OutputCells(Recorded, Protocol):
    """What the method must know of a problem whose runs are compared with data; see ``likelihood.predicted.PredictedCells``.

    A cell is one measured value, of which ``cells`` (L,) are a run's predictions. ``measured`` (L,),
    ``units`` (L,): about the noise's sd, ``positive`` (L,): predictions are.
    ``sides`` (L,): -1 where a value lies below what is ``measured``, 1 above, 0 where it was measured.
    ``inputs``: which of the D coordinates the program sees.
    """

    @property
    def inputs(self) -> tuple[int, ...]: ...

    @property
    def measured(self) -> Array: ...

    @property
    def units(self) -> Array: ...

    @property
    def positive(self) -> NDArray[np.bool_]: ...

    @property
    def sides(self) -> Array: ...

    @property
    def outputs(self) -> tuple[slice, ...]:
        """The cells of each comparison of an output with a column."""
        ...

    @property
    def likelihood(self) -> Any:
        """``likelihood.batched.BatchedLikelihood``."""
        ...

    def units_at(self, u: Array, f: Array) -> Array:
        """The units (L,) with the noise parameters of u (D,) and predictions f (L,)."""
        ...

    def with_units(self, factors: Array) -> OutputCells:
        """The same cells with units times ``factors``, one of each comparison."""
        ...

    def into_inputs(self, u: Array) -> Array:
        """What the program sees of points (n, D), in coordinates its outputs are smooth in: (n, d)."""
        ...

    def log_prior(self, u: Array) -> Array:
        """In inference space (n,)."""
        ...

    def noise_values(self, u: Array) -> Array:
        """Noise parameters (n, P) in the user's units."""
        ...


@dataclass(frozen=True)
class LoopSettings:
    """What a loop must know. ``plausible_lower`` / ``plausible_upper``: (D,) box in inference space.

    With an ``archive`` the initial design is skipped; ``max_evaluations`` 0 then means pure post-processing.
    """

    plausible_lower: Array
    plausible_upper: Array
    seed: int = 0
    max_evaluations: int = 200
    workers: int = 1
    noisy: bool = False
    start: Array | None = None  # (D,) a good first guess, or several (k, D), if the user has some
    options: dict[str, float | int | str | bool] = field(default_factory=dict)
    names: tuple[str, ...] = ()  # of the parameters, for sentences; empty: "parameter 1", ...
    archive: Archive | None = None
    cells: OutputCells | None = None  # of a problem whose outputs are compared with data and may be learnt
    summaries: SummaryCells | None = None  # of a synthetic likelihood: they lead the climb to its mode
    goal: Literal["posterior", "best_fit"] = "posterior"
    scattered: bool = False  # outputs are said to have a statistical error of their own
    log_jacobian: Callable[[Array], Array] | None = None  # points (n, D) -> (n,) of the map to the user's units; None: 0
    log_prior: Callable[[Array], Array] | None = None  # points (n, D) -> (n,), inference space: known without a run; None: flat
    device: Literal["auto", "cpu", "cuda"] = "auto"  # for fits to thousands of values; smaller ones are quicker on the CPU

    @property
    def dimension(self) -> int:
        return int(self.plausible_lower.shape[0])

    @property
    def recorded(self) -> Recorded | None:
        """What the method is told of outputs besides a log density; None: nothing."""
        return self.summaries if self.cells is None else self.cells


@dataclass(frozen=True)
class Ask:
    """One point to evaluate.

    ``purpose``: 'design', 'acquisition', 'exploration' (a tail, or a place the surrogate cannot rule out), 'certification'
    (fresh evaluations that check the answer) or 'repeat' (beside a run whose value may be a lie).
    """

    index: int
    u: Array  # (D,)
    purpose: str = "acquisition"


@dataclass(frozen=True)
class Tell:
    """The outcome of ask ``index``. ``y`` is the log joint in inference space, None when the run failed.

    ``impossible`` True: the density is zero there (a hard constraint); False with y None: unknown, a failed run.
    ``sd`` is the standard deviation of the noise on y (0 for an exact target). ``outputs`` (L,): the run's prediction of every
    cell, where the settings have cells; without a y those that it gave, NaN for the others. ``doubted``: the loop takes the value
    for a lie (never told so). ``seconds`` that the run took, None where nothing is known of that. ``reason`` of a failed one: its
    ``failure_kinds.Kind``, "gap" of a row of a table that lacks some outputs, "" where none is known.
    """

    index: int
    u: Array
    y: float | None
    sd: float = 0.0
    impossible: bool = False
    outputs: Array | None = None
    doubted: bool = False
    seconds: float | None = None
    reason: str = ""

    @property
    def stopped(self) -> bool:
        """By its time limit."""
        return self.reason == "time"


@dataclass(frozen=True)
class Mixture:
    """Gaussian mixture in inference space: weights (K,), means (K, D), covariances (K, D, D)."""

    weights: Array
    means: Array
    covariances: Array


@dataclass(frozen=True)
class WeightedDraws:
    """Importance-weighted draws of exp(surrogate mean) in inference space: points (n, D), weights (n,) summing to one."""

    points: Array
    weights: Array


@dataclass(frozen=True)
class Slices:
    """Surrogate along each axis through ``center``: u, mean, sd all (D, G)."""

    center: Array
    u: Array
    mean: Array
    sd: Array


@dataclass(frozen=True)
class LoopSnapshot:
    """The answer as it stands after ``n_evaluations`` tells. All in inference space.

    ``log_evidence`` is the best estimate, its sd covers quadrature, hyperparameter and surrogate error; ``elbo`` is
    the mixture's, recomputed with fresh draws. ``reasons``: sentences for people, why it has or has not converged.
    ``preferred``: which of mixture / draws is the better posterior; ``agreement``: mean marginal total variation between them.
    """

    n_evaluations: int
    mixture: Mixture
    elbo: float
    elbo_sd: float
    log_evidence: float
    log_evidence_sd: float
    converged: bool
    reasons: tuple[str, ...]
    warm_up: bool = False
    draws: WeightedDraws | None = None
    preferred: Literal["mixture", "draws"] = "mixture"
    agreement: float | None = None
    diagnostics: dict[str, float] = field(default_factory=dict)
    slices: Slices | None = None
    emulated: dict[str, Array] = field(default_factory=dict)  # of outputs that are learnt, as in ``session.emulated``
    success: dict[str, Array] = field(default_factory=dict)  # where runs succeed, and how noisy they are
    fresh: dict[str, Array] = field(default_factory=dict)  # of the runs that checked it, as in ``session.fresh_runs``
    far_off: dict[str, Array] = field(default_factory=dict)  # values that may be lies, as in ``session.far_off``
    possible: dict[str, Array] = field(default_factory=dict)  # marginals of functions drawn, as in ``session.possible``
    width: dict[str, Array] = field(default_factory=dict)  # of the peak at the best run, as in ``session.local_width``
    peak: dict[str, Array] = field(default_factory=dict)  # the surrogate's maximum, as in ``session.surrogate_peak``
    needed: dict[str, Array] = field(default_factory=dict)  # where more runs are needed, as in ``session.needed``
    activity: str = ""  # what the loop is doing, in words ("Looking for the bulk of the posterior")
    doubted: tuple[int, ...] = ()  # indices of the asks whose values lie far off the rest, or count less for it


class InferenceLoop(Protocol):
    """Ask for points, tell outcomes, read the answer. All state can be saved and restored exactly."""

    def ask(self, count: int = 1) -> list[Ask]:
        """Up to ``count`` points to evaluate next, aware of those asked and not yet told. Empty: wait or finished."""
        ...

    def tell(self, outcome: Tell) -> None:
        """Take one outcome (any order of arrival). Cheap: heavy work is done by ``update`` or ``ask``."""
        ...

    def update(self) -> LoopSnapshot | None:
        """Refit and return the newest answer; None while the initial design is incomplete or nothing is new."""
        ...

    @property
    def finished(self) -> bool:
        """True once the loop declares convergence or its budget is spent."""
        ...

    def extend(self, max_evaluations: int) -> None:
        """Raise the budget; a loop that finished because the budget was spent goes on."""
        ...

    def state(self) -> State: ...

    def restore(self, state: State) -> None:
        """Put back what ``state`` returned; then ask / tell / update behave as if there had been no break."""
        ...


@runtime_checkable
class KnowsDensity(Protocol):
    """A loop with a surrogate."""

    @property
    def log_density(self) -> Callable[[Array], Array] | None:
        """The log joint that its answer is made from: points of inference space (n, D) -> (n,); None while there is none."""
        ...


@runtime_checkable
class HasDesign(Protocol):
    """A loop, or its method, that begins with points which depend on no value."""

    @property
    def design_left(self) -> int:
        """How many of them were not asked for yet."""
        ...


@runtime_checkable
class TakesArchives(Protocol):
    """A loop, or its method, whose archive may grow while it is used."""

    def take_archive(self, more: Archive) -> None:
        """Further evaluations made elsewhere; the next ``update`` answers with them. ValueError for arrays that do not fit."""
        ...


@runtime_checkable
class LooksFurther(Protocol):
    """A loop, or its method, that can look for what a converged answer may have missed."""

    def look_further(self, looks: int) -> None:
        """Up to so many evaluations after it converged, as far as the budget goes, before it is finished."""
        ...


class Cancelled(Exception):
    """Raised out of ``update`` / ``ask`` when the user stopped a long computation."""
