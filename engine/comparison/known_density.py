"""The log joint as far as an analysis knows it: its surrogate as a cheap function of points in inference space."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..acquisition.interquantile_range import FAILS_BELOW
from ..loop_interface import Archive, InferenceLoop, LoopSettings
from ..methods.archived import archive_of
from ..methods.default.loop import DefaultLoop
from ..methods.loops import loop_settings, make_loop
from ..methods.noisy.loop import CEILING, NoisyLoop
from ..methods.slice.loop import SliceLoop
from ..methods.surrogate_loop import SurrogateLoop
from ..problem.transforms import ParameterSpace
from ..session.errors import SessionError
from ..session.store import SessionStore

Array = NDArray[np.float64]

MOST_POINTS = 400  # of an analysis without a surrogate, for which one is built
UNSURE = 2.0  # surrogate sd beyond which its mean is held against it (RECIPE 5)


@dataclass(frozen=True)
class KnownDensity:
    """``log_density``: (n, D) -> (n,), minus infinity where nothing is known. ``points`` (n, D), ``values`` (n,): evaluations
    with a value, imported ones included."""

    log_density: Callable[[Array], Array]
    points: Array
    values: Array
    width: Array  # (D,) of the plausible box

    @property
    def evaluations(self) -> int:
        return len(self.values)


def density_of(store: SessionStore, interrupt: Callable[[], bool] = lambda: False) -> KnownDensity:
    """From the saved state of the method; where that has no surrogate, one is built from the evaluations, which ``interrupt``
    ends by returning True (raising Cancelled). Raises SessionError."""
    problem = store.problem
    space = ParameterSpace(problem.parameters)
    archive = archive_of(store.archive(), space)
    settings = loop_settings(problem, space, problem.settings.max_evaluations, 1, archive)
    points, values, sds = _evaluations(store, archive, space.dimension)
    if len(values) < space.dimension + 2:
        raise SessionError(
            f"Only {len(values)} runs gave a usable value, too few to compare anything with",
            str(store.path),
            "Run it first.",
        )
    loop = _restored(store, settings)
    density = None if loop is None else _density(loop)
    if density is None:
        density = _built(settings, points, values, sds, interrupt)
    if density is None:
        raise SessionError("No surrogate could be built from the runs so far", str(store.path), "Allow more runs.")
    width = np.asarray(settings.plausible_upper - settings.plausible_lower, dtype=float)
    return KnownDensity(density, points, values, width)


def chains_of(store: SessionStore) -> tuple[Array, Array] | None:
    """Points (C, S, D) and log densities (C, S) of an analysis that ran Markov chains; None for any other."""
    if store.problem.settings.method != "slice":
        return None
    space = ParameterSpace(store.problem.parameters)
    loop = _restored(store, loop_settings(store.problem, space, store.problem.settings.max_evaluations, 1))
    return loop.memory.draws() if isinstance(loop, SliceLoop) and loop.memory.chains else None


def _evaluations(store: SessionStore, archive: Archive | None, dimension: int) -> tuple[Array, Array, Array]:
    rows = [e for e in store.evaluations() if e.outcome == "ok" and e.log_target is not None]
    points = np.array([e.u for e in rows], dtype=float).reshape(-1, dimension)
    values = np.array([e.log_target for e in rows], dtype=float)
    sds = np.array([e.noise_sd for e in rows], dtype=float)
    if archive is not None:
        finite = np.isfinite(archive.values)
        points = np.concatenate([archive.points[finite], points])
        values = np.concatenate([archive.values[finite], values])
        sds = np.concatenate([archive.sds[finite], sds])
    return points, values, sds


def _restored(store: SessionStore, settings: LoopSettings) -> InferenceLoop | None:
    state = store.checkpoint()
    if not isinstance(state, dict) or state.get("method") != store.problem.settings.method or "loop" not in state:
        return None
    loop = make_loop(store.problem.settings.method, settings)
    try:
        loop.restore(state["loop"])
    except (KeyError, TypeError, ValueError, IndexError):  # of another version: one is built from the evaluations
        return None
    return loop


def _density(loop: InferenceLoop) -> Callable[[Array], Array] | None:
    if isinstance(loop, SurrogateLoop):
        if loop.surrogate is None or loop.values is None:
            return None
        guarded, frame = loop.guarded_mean, loop.memory.frame
        return lambda u: np.asarray(guarded(frame.into(u)))
    if isinstance(loop, DefaultLoop) and loop.surrogate is not None:
        top, possible = loop.top, loop._possible
        return _guarded(loop, top, lambda b, mean: mean + possible.log_possible(b))
    if isinstance(loop, NoisyLoop) and loop.surrogate is not None and loop.draws is not None:
        return _of_noise(loop)
    return None


def _of_noise(loop: NoisyLoop) -> Callable[[Array], Array]:
    """The density of the answer itself: the guarded mean with the shape correction, of the answer's evidence."""
    assert loop.shape is not None
    assert loop.draws is not None
    shape, possible = loop.shape, loop._possible
    evidence = loop._evidence()[0] - loop.box.log_volume - loop.draws.log_z

    def believed(b: Array, mean: Array) -> Array:
        value = mean + possible.log_possible(b)
        beyond = (value > CEILING) & (possible.log_runs(b) < FAILS_BELOW)
        return np.asarray(np.where(beyond, -np.inf, value) + shape.log_correction(b))

    return _guarded(loop, evidence, believed)


def _guarded(
    loop: DefaultLoop | NoisyLoop, top: float, believed: Callable[[Array, Array], Array]
) -> Callable[[Array], Array]:
    """The surrogate mean as ``believed`` (points, mean), less where the surrogate is unsure; nothing outside the region that is
    trusted. ``top`` is added."""
    surrogate, box, hull = loop.surrogate, loop.box, loop.hull
    assert surrogate is not None

    def density(u: Array) -> Array:
        b = np.atleast_2d(box.into(u))
        inside = hull.contains(b)
        found = np.full(len(b), -np.inf)
        if np.any(inside):
            mean, variance = surrogate.predict(b[inside])
            excess = np.maximum(0.0, np.sqrt(np.maximum(variance, 0.0)) - UNSURE)
            found[inside] = believed(b[inside], mean) - excess * (2.0 + excess) + top
        return found

    return density


def _built(
    settings: LoopSettings, points: Array, values: Array, sds: Array, interrupt: Callable[[], bool]
) -> Callable[[Array], Array] | None:
    """By the method that starts from evaluations made earlier; of very many points a part, the best among them."""
    from ..methods.svbmc.loop import SvbmcLoop

    if len(values) > MOST_POINTS:
        rng = np.random.default_rng(settings.seed)
        chosen = np.union1d(rng.choice(len(values), MOST_POINTS, replace=False), np.argsort(-values)[:50])
        points, values, sds = points[chosen], values[chosen], sds[chosen]
    given = replace(settings, archive=Archive(points, values, sds), max_evaluations=0, options={"max_components": 1})
    loop = SvbmcLoop(given)  # for its surrogate alone
    loop.cancel = interrupt
    loop.update()
    return _density(loop)
