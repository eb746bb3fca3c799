"""The Python door: ``infer`` a posterior from a log density, with the same loops that the application uses.

    from bayescope.engine import infer
    r = infer(log_density, plausible=[(-3, 3), (0.1, 2)], bounds=[(None, None), (0, None)])
    r.sample(1000, seed=0); r.log_evidence; r.converged

``Inference`` is the ask / tell form of the same, for those who run their evaluations themselves.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayescope.engine.problem.transforms import ParameterSpace

from .default import DefaultLoop
from .interface import Archive, InferenceLoop, LoopSettings, LoopSnapshot, Tell
from .randomness import generator

Array = NDArray[np.float64]
LogDensity = Callable[[Array], float | tuple[float, float]]
SPREAD = 0.15  # of a component's sd: adds 2 % to local variances
Range = tuple[float | None, float | None]


@dataclass(frozen=True)
class Answer:
    """The posterior as it stood after ``n_evaluations``. ``cpu_seconds``: of the inference so far, the target's own not counted.

    ``log_evidence`` (best estimate) is of the density given, in the user's units; ``elbo`` belongs to the mixture.
    """

    n_evaluations: int
    log_evidence: float
    log_evidence_sd: float
    elbo: float
    elbo_sd: float
    converged: bool
    reasons: tuple[str, ...]
    cpu_seconds: float
    snapshot: LoopSnapshot
    space: ParameterSpace

    def sample(self, n: int, seed: int = 0) -> Array:
        """(n, d) draws in the user's units: from the weighted draws of the surrogate or the mixture, whichever is better."""
        rng = generator(seed, "sample")
        s = self.snapshot
        if s.preferred == "draws" and s.draws is not None:
            positions = (rng.permutation(n) + rng.random(n)) / n
            order = np.minimum(np.searchsorted(np.cumsum(s.draws.weights), positions), len(s.draws.weights) - 1)
            return self.space.to_user(self._spread(s.draws.points[order], rng))
        which = rng.choice(len(s.mixture.weights), size=n, p=s.mixture.weights / s.mixture.weights.sum())
        factors = np.linalg.cholesky(s.mixture.covariances)
        z = rng.standard_normal((n, s.mixture.means.shape[1]))
        return self.space.to_user(s.mixture.means[which] + np.einsum("nij,nj->ni", factors[which], z))

    def _spread(self, points: Array, rng: np.random.Generator) -> Array:
        """Draws that repeat are moved a little, by the covariance of the mixture component they belong to."""
        m = self.snapshot.mixture
        inverse = np.linalg.inv(np.linalg.cholesky(m.covariances))
        z = np.einsum("kij,nkj->nki", inverse, points[:, None, :] - m.means)
        log_part = np.log(m.weights + 1e-300) + np.log(np.diagonal(inverse, axis1=1, axis2=2)).sum(1)
        which = np.argmax(log_part - 0.5 * np.square(z).sum(-1), axis=1)
        factors = SPREAD * np.linalg.cholesky(m.covariances)
        return np.asarray(points + np.einsum("nij,nj->ni", factors[which], rng.standard_normal(points.shape)))


@dataclass(frozen=True)
class Result(Answer):
    """The last answer, and all those before it."""

    history: tuple[Answer, ...] = ()
    failures: tuple[str, ...] = ()  # what the log density raised or returned where it gave no number


@dataclass(frozen=True)
class Point:
    """A point to evaluate: give its ``index`` back with the value."""

    index: int
    theta: Array  # (d,) user's units


class Inference:
    """Ask / tell. ``plausible``: d pairs (low, high); ``bounds``: None or d pairs in which None is an open side.

    Raises ProblemError (words) for contradicting bounds, ValueError for an unknown method or option.
    """

    def __init__(
        self,
        plausible: Sequence[tuple[float, float]],
        bounds: Sequence[Range] | None = None,
        max_evaluations: int = 200,
        seed: int = 0,
        method: str = "auto",
        *,
        names: Sequence[str] | None = None,
        noisy: bool = False,
        start: ArrayLike | None = None,
        options: dict[str, float | int | str | bool] | None = None,
        archive: tuple[ArrayLike, ...] | None = None,
    ) -> None:
        d = len(plausible)
        if bounds is not None and len(bounds) != d:
            raise ValueError(f"bounds has {len(bounds)} pairs, plausible has {d}: one pair per parameter in both.")
        pairs = bounds or [(None, None)] * d
        called = list(names) if names is not None else [f"x{i + 1}" for i in range(d)]
        self.space = ParameterSpace.from_bounds(
            called,
            [-math.inf if low is None else low for low, _ in pairs],
            [math.inf if high is None else high for _, high in pairs],
            [low for low, _ in plausible],
            [high for _, high in plausible],
        )
        lower, upper = self.space.plausible_box()
        settings = LoopSettings(
            plausible_lower=lower,
            plausible_upper=upper,
            seed=seed,
            max_evaluations=max_evaluations,
            noisy=noisy,
            start=None if start is None else self.space.to_inference(np.asarray(start, dtype=float)),
            options=dict(options or {}),
            names=tuple(called),
            archive=None if archive is None else archive_in_inference(self.space, archive),
        )
        if archive is not None and method == "auto":
            method = "svbmc"
        self.loop = _loop(method, settings)
        self._asked: dict[int, Array] = {}
        self._history: list[Answer] = []
        self._failures: list[str] = []
        self._cpu = 0.0

    @property
    def finished(self) -> bool:
        return self.loop.finished

    def ask(self, count: int = 1) -> list[Point]:
        """Up to ``count`` points to evaluate next; empty: wait for outcomes, or finished."""
        clock = time.process_time()
        asks = self.loop.ask(count)
        for a in asks:
            self._asked[a.index] = a.u
        points = [Point(a.index, self.space.to_user(a.u)) for a in asks]
        self._cpu += time.process_time() - clock
        return points

    def tell(self, index: int, value: float | None, sd: float = 0.0, reason: str = "") -> None:
        """The log density at the point asked as ``index``: -inf means impossible; None, NaN or +inf that nothing is known."""
        clock = time.process_time()
        u = self._asked.pop(index)
        y = None if value is None else float(value)
        if y is None or math.isnan(y) or y == math.inf:
            self._failures.append(reason or f"The log density was {value}.")
            y = None
        impossible = y == -math.inf
        jacobian = float(np.asarray(self.space.log_jacobian(u)))
        self.loop.tell(Tell(index, u, None if y is None or impossible else y + jacobian, float(sd), impossible))
        self._cpu += time.process_time() - clock

    def update(self) -> Answer | None:
        """The newest answer, or None if nothing is new."""
        clock = time.process_time()
        snapshot = self.loop.update()
        self._cpu += time.process_time() - clock
        if snapshot is None:
            return None
        s = snapshot
        answer = Answer(
            s.n_evaluations, s.log_evidence, s.log_evidence_sd, s.elbo, s.elbo_sd, s.converged, s.reasons,
            self._cpu, s, self.space,
        )  # fmt: skip
        self._history.append(answer)
        return answer

    def result(self) -> Result:
        """The answer as it stands. Raises ValueError if nothing has been evaluated."""
        self.update()
        if not self._history:
            raise ValueError("No answer yet: the first design points are not evaluated.")
        a = self._history[-1]
        return Result(
            a.n_evaluations, a.log_evidence, a.log_evidence_sd, a.elbo, a.elbo_sd, a.converged, a.reasons, a.cpu_seconds,
            a.snapshot, a.space, tuple(self._history), tuple(self._failures),
        )  # fmt: skip


def infer(
    log_density: LogDensity,
    plausible: Sequence[tuple[float, float]],
    bounds: Sequence[Range] | None = None,
    max_evaluations: int = 200,
    seed: int = 0,
    method: str = "auto",
    *,
    names: Sequence[str] | None = None,
    noisy: bool | None = None,
    start: ArrayLike | None = None,
    options: dict[str, float | int | str | bool] | None = None,
    archive: tuple[ArrayLike, ...] | None = None,
) -> Result:
    """Posterior and evidence of an expensive log density.

    ``log_density`` takes a (d,) array in the user's units and returns a float, or (float, sd) when it is a noisy estimate; it
    may raise, which counts as a failed evaluation. -inf means zero density.
    ``method``: "auto" (the default loop; SVBMC with an archive), "bvbmc", "vbmc", "svbmc", "laplace" or "slice".
    ``archive``: evaluations made earlier, (X (N, d), y (N,)) or (X, y, sd (N,)), log densities in the user's units; with
    ``max_evaluations`` 0 the posterior is made from them alone.
    ``noisy`` True: the values are random, with standard errors or (all 0) without; None: seen from the first value.
    """

    def begin(noisy: bool, given: dict[str, float | int | str | bool] | None) -> Inference:
        return Inference(
            plausible,
            bounds,
            max_evaluations,
            seed,
            method,
            names=names,
            noisy=noisy,
            start=start,
            options=given,
            archive=archive,
        )

    first: tuple[Array, float | None, float, str] | None = None
    if noisy is None and archive is not None:  # the archive's own noise says it, and there may be nothing to evaluate
        noisy = len(archive) == 3 and bool(np.any(np.asarray(archive[2], dtype=float) > 0))
    if noisy is None:
        theta = begin(False, None).ask()[0].theta  # the options may be those of the noisy loop
        first = (theta, *_evaluate(log_density, theta))
        noisy = first[2] > 0.0
    run = begin(noisy, options)
    while not run.finished:
        points = run.ask()
        if not points:
            break
        for point in points:
            known = first is not None and np.array_equal(first[0], point.theta)
            value, sd, reason = first[1:] if known and first is not None else _evaluate(log_density, point.theta)
            first = None
            run.tell(point.index, value, sd, reason)
        run.update()
    return run.result()


def _evaluate(log_density: LogDensity, theta: Array) -> tuple[float | None, float, str]:
    """(value, sd, why there is no value). Whatever the user's function raises is an outcome, kept with its words."""
    try:
        found = log_density(theta.copy())
        value, sd = found if isinstance(found, tuple) else (found, 0.0)
        return float(value), float(sd), ""
    except Exception as error:
        return None, 0.0, f"{type(error).__name__}: {error}"


def archive_in_inference(space: ParameterSpace, archive: tuple[ArrayLike, ...]) -> Archive:
    """Points, log densities and sds of the user's units in inference space, the Jacobian added; points on or beyond a bound
    are left out. Raises ValueError, in words, if the arrays do not fit together."""
    if len(archive) not in (2, 3):
        raise ValueError("archive is (X, y) or (X, y, sd): points, log densities, their standard deviations.")
    x, y = np.asarray(archive[0], dtype=float), np.asarray(archive[1], dtype=float)
    sd = np.asarray(archive[2], dtype=float) if len(archive) == 3 else np.zeros(y.shape)
    if x.ndim != 2 or x.shape[1] != space.dimension:
        raise ValueError(
            f"X of the archive must have one row per evaluation and {space.dimension} columns; it is {x.shape}."
        )
    if y.shape != (len(x),) or sd.shape not in ((), (len(x),)):
        raise ValueError(f"The archive has {len(x)} points, but y is {y.shape} and sd {sd.shape}.")
    sd = np.broadcast_to(sd, y.shape)
    if np.any(sd < 0):
        raise ValueError("A standard deviation of the archive is negative.")
    lower = np.array([t.lower for t in space.transforms])
    upper = np.array([t.upper for t in space.transforms])
    inside = np.all((x > lower) & (x < upper), axis=1)
    points = space.to_inference(x[inside])
    return Archive(points, y[inside] + np.asarray(space.log_jacobian(points)), sd[inside].copy())


def _loop(method: str, settings: LoopSettings) -> InferenceLoop:
    if method in ("auto", "default") and settings.noisy:
        from .noisy import NoisyLoop

        return NoisyLoop(settings)
    if method in ("auto", "default"):
        return DefaultLoop(settings)
    if method in ("bvbmc", "vbmc", "svbmc", "laplace", "slice"):
        from .loops import make_loop

        return make_loop(method, settings)
    raise ValueError(f"Unknown method “{method}”: choose auto, bvbmc, vbmc, svbmc, laplace or slice.")
