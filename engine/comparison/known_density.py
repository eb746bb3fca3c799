"""The log joint as far as an analysis knows it: its surrogate as a cheap function of points in inference space."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from ..answer.known_runs import counted_runs
from ..answer.noise_levels import noise_of
from ..loop_interface import Archive, InferenceLoop, KnowsDensity, LoopSettings
from ..methods.archived import archive_of
from ..methods.ask_tell import AskTellLoop
from ..methods.loops import loop_settings, make_loop
from ..methods.slice.loop import SliceLoop
from ..problem.transforms import ParameterSpace
from ..session.errors import SessionError
from ..session.store import SessionStore

Array = NDArray[np.float64]

MOST_POINTS = 400  # of an analysis without a surrogate, for which one is built


@dataclass(frozen=True)
class KnownDensity:
    """``log_density``: (n, D) -> (n,), minus infinity where nothing is known. ``points`` (n, D), ``values`` (n,): evaluations
    with a value, imported ones included."""

    log_density: Callable[[Array], Array]
    points: Array
    values: Array
    sds: Array  # (n,) of the noise on the values
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
    density = loop.log_density if isinstance(loop, KnowsDensity) else None
    if density is None:
        density = _remembered_or_built(store, settings, (points, values, sds), interrupt)
    if density is None:
        raise SessionError("No surrogate could be built from the runs so far", str(store.path), "Allow more runs.")
    width = np.asarray(settings.plausible_upper - settings.plausible_lower, dtype=float)
    return KnownDensity(density, points, values, sds, width)


def chains_of(store: SessionStore) -> tuple[Array, Array] | None:
    """Points (C, S, D) and log densities (C, S) of an analysis that ran Markov chains; None for any other."""
    if store.problem.settings.method != "slice":
        return None
    space = ParameterSpace(store.problem.parameters)
    loop = _restored(store, loop_settings(store.problem, space, store.problem.settings.max_evaluations, 1))
    return loop.memory.draws() if isinstance(loop, SliceLoop) and loop.memory.chains else None


def _evaluations(store: SessionStore, archive: Archive | None, dimension: int) -> tuple[Array, Array, Array]:
    rows = [e for e in counted_runs(store) if e.outcome == "ok" and e.log_target is not None]
    points = np.array([e.u for e in rows], dtype=float).reshape(-1, dimension)
    values = np.array([e.log_target for e in rows], dtype=float)
    answer = store.last_iteration()
    learnt = {} if answer is None else noise_of(answer.slices)  # by outputs that scatter, or place by place
    sds = np.array([e.noise_sd or learnt.get(e.index, 0.0) for e in rows], dtype=float)
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


_newest: dict[bytes, Callable[[Array], Array]] = {}  # one: several methods are asked on the same runs


def _remembered_or_built(
    store: SessionStore, settings: LoopSettings, known: tuple[Array, Array, Array], interrupt: Callable[[], bool]
) -> Callable[[Array], Array] | None:
    content = [msgspec.json.encode(store.problem), *(array.tobytes() for array in known)]
    key = hashlib.sha256(b"".join(content)).digest()
    density = _newest.get(key) or _built(settings, *known, interrupt)
    _newest.clear()
    if density is not None:
        _newest[key] = density
    return density


def _built(
    settings: LoopSettings, points: Array, values: Array, sds: Array, interrupt: Callable[[], bool]
) -> Callable[[Array], Array] | None:
    """By the method that starts from evaluations made earlier; of very many points a part, the best among them."""
    from ..methods.svbmc.loop import SvbmcMethod

    if len(values) > MOST_POINTS:
        rng = np.random.default_rng(settings.seed)
        chosen = np.union1d(rng.choice(len(values), MOST_POINTS, replace=False), np.argsort(-values)[:50])
        points, values, sds = points[chosen], values[chosen], sds[chosen]
    given = replace(settings, archive=Archive(points, values, sds), max_evaluations=0, options={"max_components": 1})
    loop = AskTellLoop(SvbmcMethod(given))  # for its surrogate alone
    loop.cancel = interrupt
    loop.update()
    return loop.log_density
