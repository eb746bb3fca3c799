"""The Python door: ``infer`` a posterior from a log density, with the same loops that the application uses.

    from bayescope.engine import infer
    r = infer(log_density, plausible=[(-3, 3), (0.1, 2)], bounds=[(None, None), (0, None)])
    r.sample(1000, seed=0); r.log_evidence; r.converged

``Inference`` is the ask / tell form of the same, for those who run their evaluations themselves.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..loop_interface import Archive, Ask, LoopSettings, TakesArchives, Tell
from ..machine.threads import one_thread
from ..methods.loops import loop_of
from ..problem.method_options import OptionError
from ..problem.transforms import ParameterSpace
from . import arguments
from .answer import Answer, Result, answer_of, nothing_yet
from .arguments import Range
from .value import RandomDensity, WrongValue, refuse_random, value_and_sd

Array = NDArray[np.float64]
LogDensity = Callable[[Array], float | tuple[float, float]]

__all__ = ["Answer", "Inference", "Point", "RandomDensity", "Result", "WrongValue", "infer"]


@dataclass(frozen=True)
class Point:
    """A point to evaluate: give its ``index`` back with the value."""

    index: int
    theta: Array  # (d,) user's units


class Inference:
    """Ask / tell. ``plausible``: d pairs (low, high); ``bounds``: None or d pairs in which None is an open side.

    It computes on one thread and leaves the caller's thread settings as they were. Raises ValueError, in words, for an argument
    that makes no sense.
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
        device: str = "auto",
    ) -> None:
        space = arguments.space_of(plausible, bounds, names)
        method = arguments.method_name(method, archive)
        arguments.whether_noisy(noisy)
        lower, upper = space.plausible_box()
        settings = LoopSettings(
            plausible_lower=lower,
            plausible_upper=upper,
            seed=arguments.whole(seed, "seed", 0),
            max_evaluations=arguments.budget(max_evaluations, method),
            noisy=bool(noisy),
            start=arguments.start_of(start, space),
            options=arguments.options_of(options),
            names=tuple(space.names),
            archive=None if archive is None else arguments.archive_in_inference(space, archive),
            device=arguments.device_name(device),
            log_prior=space.log_prior_in_inference,
        )
        self._begin(space, settings, method)

    def _begin(self, space: ParameterSpace, settings: LoopSettings, method: str) -> None:
        self.space, self._settings = space, settings
        self._asked: dict[int, Ask] = {}
        self._history: list[Answer] = []
        self._failures: list[str] = []
        archived = self._settings.archive
        self._tells = [] if archived is None else _as_tells(archived)
        self._archived = len(self._tells)
        self._told = 0
        self._cpu = 0.0
        self._at_rest = True  # False once a computation was broken off half-way: the loop cannot be used any more
        with self._computing():
            self.loop = loop_of(method, settings)

    @property
    def finished(self) -> bool:
        return self.loop.finished

    def ask(self, count: int = 1) -> list[Point]:
        """Up to ``count`` points to evaluate next; empty: wait for outcomes, or finished."""
        count = arguments.whole(count, "count", 0)
        with self._computing():
            asks = self.loop.ask(count)
            for a in asks:
                self._asked[a.index] = a
            return [Point(a.index, self.space.to_user(a.u)) for a in asks]

    def tell(self, index: int, value: float | None, sd: float = 0.0, reason: str = "") -> None:
        """The log density at the point asked as ``index``: -inf means impossible; None, nan or +inf that nothing is known.

        Raises ValueError for an index that waits for no value, and for what is no number; the point can then be told again.
        """
        self._waits(index)
        self._tell(index, value, sd, reason)

    def _waits(self, index: int) -> Ask:
        """What was asked as ``index``. Raises ValueError if it waits for no value."""
        if index not in self._asked:
            raise ValueError(f"Point {index!r} waits for no value: it was not asked, or was told already.")
        return self._asked[index]

    def _tell(self, index: int, value: float | None, sd: float, reason: str, outputs: Array | None = None) -> None:
        y, sd = (None, 0.0) if value is None else value_and_sd((value, sd))
        if y is None or math.isnan(y) or y == math.inf or not math.isfinite(sd):
            noise = "" if math.isfinite(sd) else f" with the standard error {sd}"
            self._failures.append(reason or f"The log density was {value}{noise}.")
            y, sd = None, 0.0
        with self._computing():
            u = self._asked.pop(index).u
            impossible = y == -math.inf
            jacobian = float(np.asarray(self.space.log_jacobian(u)))
            value = None if y is None or impossible else y + jacobian
            self._tells.append(Tell(index, u, value, sd, impossible, outputs))
            self.loop.tell(self._tells[-1])
            self._told += 1

    def add(self, *more: ArrayLike) -> None:
        """(X, y) or (X, y, sd): evaluations made elsewhere that arrive while the archive is in use; ``update`` answers with them.

        Raises ValueError for arrays that do not fit, and where the method is not SVBMC.
        """
        archive = arguments.archive_in_inference(self.space, more)
        with self._computing():
            if not isinstance(self.loop, TakesArchives):
                raise ValueError("Evaluations that arrive are taken in by the method “svbmc”.")
            self.loop.take_archive(archive)
        self._tells[self._archived : self._archived] = _as_tells(archive)
        self._archived += len(archive.values)

    def update(self) -> Answer | None:
        """The newest answer, or None if nothing is new."""
        with self._computing():
            snapshot = self.loop.update()
        if snapshot is None:
            return None
        self._history.append(answer_of(snapshot, self._cpu, self.space, self._tells, self._archived))
        return self._history[-1]

    def result(self) -> Result:
        """The answer as it stands. Raises ValueError if there is none yet."""
        self.update()
        if not self._history:
            raise ValueError("No answer yet: the first design points are not evaluated.")
        return self._last()

    def interrupted(self, why: str) -> Result:
        """The last answer with ``why`` before its reasons; one without a posterior where there was none yet."""
        if self._at_rest:
            self.update()
        last = self._last()
        return replace(last, reasons=(f"{why} {self._told} evaluations were finished.", *last.reasons))

    def _last(self) -> Result:
        empty = answer_of(nothing_yet(self._settings, self._told), self._cpu, self.space)
        last = self._history[-1] if self._history else empty
        shared = {f.name: getattr(last, f.name) for f in fields(Answer)}
        return Result(**shared, history=tuple(self._history), failures=tuple(self._failures))

    @contextmanager
    def _computing(self) -> Iterator[None]:
        """Around all work of the loop: on one thread, its time counted."""
        clock = time.process_time()
        at_rest, self._at_rest = self._at_rest, False
        with one_thread():
            yield
        self._cpu += time.process_time() - clock
        self._at_rest = at_rest


def _as_tells(archive: Archive) -> list[Tell]:
    rows = zip(archive.points, archive.values, archive.sds, strict=True)
    return [Tell(-1, u, float(y), float(sd), impossible=y == -math.inf) for u, y, sd in rows]


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
    device: str = "auto",
) -> Result:
    """Posterior and evidence of an expensive log density.

    ``log_density`` takes a (d,) array in the user's units and returns a number, or (number, sd) when it is a noisy estimate; an
    array of one element counts as a number. -inf means zero density. Where it raises, or returns nan or +inf, the evaluation has
    failed: kept in ``failures``, and the run goes on. It runs with the caller's thread settings, our computing on one thread.
    ``method``: "auto" (the default loop; SVBMC with an archive), "bvbmc", "vbmc", "svbmc", "laplace" or "slice".
    ``archive``: evaluations made earlier, (X (N, d), y (N,)) or (X, y, sd (N,)), log densities in the user's units; with
    ``max_evaluations`` 0 the posterior is made from them alone. ``device``: "auto", "cpu" or "cuda", where it computes.
    ``noisy`` True: the values are random, with standard errors or (all 0) without; None: seen from the first value. Unless it is
    so, the first point that gives a value is evaluated once more: a function that is random but not said to be is refused.

    Ctrl-C ends the run and gives what there is, the interruption among its ``reasons``; a second one raises KeyboardInterrupt.
    Raises ValueError, in words, for an argument that makes no sense, before the first evaluation; RandomDensity, a ValueError,
    for a random function that is taken for exact, before its first value counts; and WrongValue, a ValueError
    that holds the ``result`` so far, as soon as ``log_density`` returns something that is no number.
    """
    arguments.function(log_density)
    arguments.whether_noisy(noisy)

    def begin(noisy: bool, given: dict[str, Any] | None = options) -> Inference:
        words: dict[str, Any] = {"names": names, "noisy": noisy, "start": start, "options": given, "archive": archive}
        return Inference(plausible, bounds, max_evaluations, seed, method, device=device, **words)

    if noisy is None and archive is not None:  # the archive's own noise says it, and there may be nothing to evaluate
        begin(False, None)  # looks at the archive
        noisy = arguments.is_noisy_archive(archive)
    run = begin(noisy) if noisy is not None else _either(begin)
    first: _Evaluated | None = None
    try:
        if noisy is None:
            first = _evaluate(log_density, begin(False, None).ask()[0].theta)
            noisy = first.sd > 0.0
            run = _as_seen(begin, noisy)
        _drive(run, log_density, first, exact=not noisy)
    except KeyboardInterrupt:
        return run.interrupted("Interrupted by the user.")
    except WrongValue as error:
        error.result = run.interrupted("The log density returned something that is no number.")
        raise
    run.update()
    return run._last()


@dataclass(frozen=True)
class _Evaluated:
    """``value`` None: it failed, for ``reason``."""

    theta: Array
    value: float | None
    sd: float
    reason: str


def _drive(run: Inference, log_density: LogDensity, first: _Evaluated | None, exact: bool) -> None:
    """Until the loop has finished; ``first`` was evaluated already. ``exact``: the first value is to come out the same again."""
    while not run.finished:
        points = run.ask()
        if not points:
            return
        for point in points:
            known = first if first is not None and np.array_equal(first.theta, point.theta) else None
            found = known or _evaluate(log_density, point.theta)
            first = None
            run.tell(point.index, found.value, found.sd, found.reason)
            if exact and found.value is not None and math.isfinite(found.value):
                exact = False
                refuse_random(found.value, _evaluate(log_density, point.theta).value)
        run.update()


def _evaluate(log_density: LogDensity, theta: Array) -> _Evaluated:
    """Whatever the user's function raises is an outcome, kept with its words. Raises WrongValue for what is no number."""
    try:
        return _Evaluated(theta, *value_and_sd(log_density(theta.copy())), "")
    except WrongValue:
        raise
    except Exception as error:
        return _Evaluated(theta, None, 0.0, f"{type(error).__name__}: {error}")


Begin = Callable[[bool], Inference]


def _either(begin: Begin) -> Inference:
    """Before it is known whether values are noisy: the options must be those of the one loop or the other."""
    try:
        return begin(False)
    except OptionError as exact:
        try:
            return begin(True)
        except OptionError as noisy:
            raise (noisy if noisy.similar and not exact.similar else exact) from None


def _as_seen(begin: Begin, noisy: bool) -> Inference:
    try:
        return begin(noisy)
    except OptionError as error:
        seen = "came with a standard error" if noisy else "came without a standard error"
        raise ValueError(
            f"{error} The first value {seen}; say noisy={not noisy} if that is what the options are for."
        ) from None
