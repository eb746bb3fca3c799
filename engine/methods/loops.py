"""Which inference loop a method's name stands for. Imported only where a run starts: some loops need torch."""

from __future__ import annotations

from ..likelihood.errors import LikelihoodError
from ..loop_interface import Archive, InferenceLoop, LoopSettings, OutputCells
from ..machine.allocator import keep_little_freed_memory
from ..machine.threads import use_one_thread
from ..problem.comparison import ComparisonError
from ..problem.definition import InverseBinomial, Predictions, Problem, SyntheticLikelihood, is_noisy
from ..problem.transforms import ParameterSpace
from .ask_tell import AskTellLoop

METHODS = {
    "default": "Surrogate of the log density with fresh certification draws",
    "bvbmc": "Boosted variational Bayesian Monte Carlo",
    "vbmc": "Variational Bayesian Monte Carlo",
    "svbmc": "Sparse variational Bayesian Monte Carlo, from an archive of earlier evaluations",
    "laplace": "Laplace's approximation: one Gaussian around the best point",
    "slice": "Slice sampling: four Markov chains on the simulator itself",
}


MOST_CELLS = 2_000  # measured values; with more the score alone is learnt, and sessions stay small
OWN_ERRORS_SD = 0.1  # prior sd of the log scale of standard errors that were computed here


def make_loop(method: str, settings: LoopSettings) -> InferenceLoop:
    """A fresh loop, on one thread, in a process that keeps little freed memory. Raises ValueError for an unknown method."""
    keep_little_freed_memory()
    loop = loop_of(method, settings)
    use_one_thread()
    return loop


def loop_of(method: str, settings: LoopSettings) -> InferenceLoop:
    """A fresh loop; threads are left as they are. Raises ValueError for an unknown method, OptionError for its options."""
    if method == "default" and settings.noisy:
        from .noisy.loop import NoisyMethod

        return AskTellLoop(NoisyMethod(settings))
    if method == "default":
        from .default.loop import DefaultMethod

        return AskTellLoop(DefaultMethod(settings))
    if method == "bvbmc":
        from .bvbmc import BvbmcMethod

        return AskTellLoop(BvbmcMethod(settings))
    if method == "vbmc":
        from .vbmc import VbmcMethod

        return AskTellLoop(VbmcMethod(settings))
    if method == "svbmc":
        from .svbmc.loop import SvbmcMethod

        return AskTellLoop(SvbmcMethod(settings))
    if method == "laplace":
        from .laplace import LaplaceLoop

        return LaplaceLoop(settings)
    if method == "slice":
        from .slice.loop import SliceLoop

        return SliceLoop(settings)
    raise ValueError(f"There is no method “{method}”; choose one of {', '.join(METHODS)}.")


def loop_settings(
    problem: Problem, space: ParameterSpace, max_evaluations: int, workers: int, archive: Archive | None = None
) -> LoopSettings:
    """What the loop must know of ``problem``; the box is in inference space."""
    lower, upper = space.plausible_box()
    return LoopSettings(
        plausible_lower=lower,
        plausible_upper=upper,
        seed=problem.settings.seed,
        max_evaluations=max_evaluations,
        workers=workers,
        noisy=is_noisy(problem.meaning),
        options=_options(problem),
        names=tuple(space.names),
        archive=archive,
        cells=_cells(problem, space),
        device=problem.settings.device,
    )


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
    return cells if cells is not None and len(cells.measured) <= MOST_CELLS else None


def _options(problem: Problem) -> dict[str, float | int | str | bool]:
    """The user's; standard errors that the engine works out itself are not misreported, so their scale is known well."""
    own = isinstance(problem.meaning, SyntheticLikelihood | InverseBinomial)
    known = {"noise_scale_sd": OWN_ERRORS_SD} if own and problem.settings.method == "default" else {}
    return {**known, **problem.settings.options}
