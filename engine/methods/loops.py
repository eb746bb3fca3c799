"""Which inference loop a method's name stands for. Imported only where a run starts: some loops need torch."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from ..cuda import places
from ..likelihood.errors import LikelihoodError
from ..loop_interface import Archive, InferenceLoop, LoopSettings, OutputCells, SummaryCells
from ..machine.allocator import keep_little_freed_memory
from ..machine.threads import use_one_thread
from ..problem import method_options
from ..problem.data.rows.comparison import ComparisonError
from ..problem.definition import InverseBinomial, Predictions, Problem, SyntheticLikelihood, is_estimate, is_scattered
from ..problem.transforms import ParameterSpace
from .ask_tell import AskTellLoop

Array = NDArray[np.float64]


class UnknownMethod(ValueError):
    """A sentence that names the methods there are."""


class CannotLearn(UnknownMethod):
    """A sentence: outputs that scatter must be learnt, and there are too many of them."""


@dataclass(frozen=True)
class Described:
    """``words``: what it is. ``lives``: "module:class" in this package, an ``ask_tell.Method`` or a whole ``InferenceLoop``."""

    words: str
    lives: str
    noisy: str = ""  # where it lives for noisy log densities, if that is elsewhere
    best_fit: str = ""  # where it lives if that is all that is looked for

    def loop(self, settings: LoopSettings) -> InferenceLoop:
        lives = self.noisy if self.noisy and settings.noisy else self.lives
        lives = self.best_fit if self.best_fit and settings.goal == "best_fit" and not settings.noisy else lives
        module, _, name = lives.partition(":")
        made = getattr(import_module(module, __package__), name)(settings)
        found: InferenceLoop = made if hasattr(made, "ask") else AskTellLoop(made)
        return found


def _words(method: str) -> str:
    return method_options.METHODS[method].words


METHODS = {
    "default": Described(
        _words("default"), ".default.framed:FramedMethod", ".noisy.loop:NoisyMethod",
        ".best_fit:BestFitMethod",
    ),
    "bvbmc": Described(_words("bvbmc"), ".bvbmc:BvbmcMethod"),
    "vbmc": Described(_words("vbmc"), ".vbmc:VbmcMethod"),
    "svbmc": Described(_words("svbmc"), ".svbmc.growing:GrowingMethod"),
    "laplace": Described(_words("laplace"), ".laplace:LaplaceLoop"),
    "slice": Described(_words("slice"), ".slice.loop:SliceLoop"),
}


MOST_CELLS = 20_000  # measured values; with more the score alone is learnt: a session keeps them all for every run
MOST_PREDICTED = 2_000  # ... whose noise needs every prediction: more are slow and need much memory
OWN_ERRORS_SD = 0.1  # prior sd of the log scale of standard errors that were computed here


def make_loop(method: str, settings: LoopSettings) -> InferenceLoop:
    """A fresh loop, on one thread, in a process that keeps little freed memory. Raises UnknownMethod."""
    keep_little_freed_memory(outputs=settings.cells is not None)
    if places.in_use() is not None:
        import_module("torch")  # whether a CUDA build that is switched on can be used is said now, not when it is first needed
    loop = loop_of(method, settings)
    use_one_thread()
    return loop


def loop_of(method: str, settings: LoopSettings) -> InferenceLoop:
    """A fresh loop; threads are left as they are. Raises UnknownMethod, OptionError for its options."""
    if method not in METHODS:
        raise UnknownMethod(f"There is no method “{method}”; choose one of {', '.join(METHODS)}.")
    return METHODS[method].loop(settings)


def loop_settings(
    problem: Problem, space: ParameterSpace, max_evaluations: int, workers: int, archive: Archive | None = None
) -> LoopSettings:
    """What the loop must know of ``problem``; the box is in inference space. Raises CannotLearn."""
    lower, upper = space.plausible_box()
    return LoopSettings(
        plausible_lower=lower,
        plausible_upper=upper,
        seed=problem.settings.seed,
        max_evaluations=max_evaluations,
        workers=workers,
        noisy=is_estimate(problem.meaning),
        start=_starts(problem, space),
        options=_options(problem),
        names=tuple(space.names),
        archive=archive,
        cells=_cells(problem, space),
        summaries=_summaries(problem),
        goal=problem.settings.goal,
        scattered=is_scattered(problem.meaning),
        log_jacobian=space.log_jacobian,
        log_prior=space.log_prior_in_inference,
        device=problem.settings.device,
    )


def _starts(problem: Problem, space: ParameterSpace) -> Array | None:
    """(k, D) in inference space; None where there are none."""
    found = [space.to_inference(space.point(start)) for start in problem.settings.starts]
    return np.array(found) if found else None


def _cells(problem: Problem, space: ParameterSpace) -> OutputCells | None:
    """Of a problem whose outputs are compared with data, where the method can learn them; they need torch."""
    if not isinstance(problem.meaning, Predictions) or problem.data is None or problem.settings.method != "default":
        return None
    if problem.settings.options.get("learn") == "score":
        return None
    from ..likelihood.predicted import PredictedCells

    try:
        cells = PredictedCells.of(problem, space)
    except (LikelihoodError, ComparisonError, ValueError):
        return None  # what is wrong is said of each run, with the row
    if cells is None or len(cells.measured) > MOST_CELLS or cells.likelihood.needed > MOST_PREDICTED:
        if problem.meaning.random:  # one run's score would be taken for exact
            most = MOST_CELLS if cells is None or len(cells.measured) > MOST_CELLS else MOST_PREDICTED
            raise CannotLearn(
                f"There are more measured values than outputs with a statistical error of their own can be learnt for ({most:,} "
                "with these errors). Leave rows out, or average them in the table."
            )
        return None
    return cells


def _summaries(problem: Problem) -> SummaryCells | None:
    """Of a synthetic likelihood, where the method lets them lead it."""
    if not isinstance(problem.meaning, SyntheticLikelihood) or problem.settings.method != "default":
        return None
    from ..likelihood.point_summaries import PointSummaries

    try:
        found = PointSummaries.of(problem)
    except (LikelihoodError, ComparisonError, ValueError):
        return None  # what is wrong is said of each run
    return None if found is None or len(found.given({})) > MOST_CELLS else found


def _options(problem: Problem) -> dict[str, float | int | str | bool]:
    """The user's; standard errors that the engine works out itself are not misreported, so their scale is known well."""
    own = isinstance(problem.meaning, SyntheticLikelihood | InverseBinomial)
    known = {"noise_scale_sd": OWN_ERRORS_SD} if own and problem.settings.method == "default" else {}
    return {**known, **problem.settings.options}
