"""Options of the recommended method: of its loop for exact log densities, and of the one for random ones (RECIPE: METHODS.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .option import check_record, option

LEAST_DRAWS = 1000  # fewer cannot be weighed
_USE_ALL = "Stop when the answer has converged. No: use every allowed run."


def _final_draws() -> int:
    found: int = option(
        8000, "Draws of an answer", "Weighted draws that an answer is made of.", "RECIPE 5", "Answer", least=LEAST_DRAWS,
        most=1_000_000,
    )  # fmt: skip
    return found


def _mixture_components() -> int:
    found: int = option(
        12, "Most Gaussians", "Largest size of the mixture that is fitted to the draws.", "RECIPE 5", "Mixture", least=1,
        most=100,
    )  # fmt: skip
    return found


@dataclass(frozen=True)
class DefaultOptions:
    """Set through ``LoopSettings.options``; an unknown name is an error."""

    METHOD: ClassVar[str] = "the default method"

    extra_design_points: int = option(
        4, "First runs beyond one per parameter", "The first runs look around: one for each parameter and this many "
        "more.", "RECIPE 2", "First runs", least=0,
    )  # fmt: skip
    learn: str = option(
        "auto", "What is learnt", "Where outputs are compared with data: whether the surrogate learns them or their "
        "log density.", "OUTPUTS 6", "Surrogate",
        choices={
            "auto": "chosen by how well each is predicted",
            "outputs": "the outputs of the program",
            "score": "the log density alone",
        },
    )  # fmt: skip
    exploration: float = option(
        0.6, "Weight of the mean", "Of the surrogate's mean against its doubt, in what chooses the next run: less "
        "looks further away.", "RECIPE 6; 1 fails on heavy tails", "Next runs", least=0,
    )  # fmt: skip
    tail_every: int = option(
        3, "Look further out every", "Every so many runs one looks at the flanks of the posterior; 0: never.",
        "measured: halves the missed tails with six parameters", "Next runs", least=0,
    )  # fmt: skip
    tail_exploration: float = option(
        0.25, "Weight of the mean in those", "As above, in the runs that look further out.", "RECIPE 6", "Next runs",
        least=0,
    )  # fmt: skip
    tail_saturation: float = option(
        1.0, "Saturation of doubt in those", "There a variance v counts as v / (1 + this × v), so that far corners of "
        "unbounded doubt do not draw them all.", "RECIPE 6", "Next runs", least=0,
    )  # fmt: skip
    mixture_components: int = _mixture_components()
    mixture_every: int = option(
        5, "Runs between mixtures", "Runs between two updates of the mixture, each with an answer to be seen.",
        "measured", "Mixture", least=1,
    )  # fmt: skip
    residual_limit: float = option(
        0.3, "Largest surprise", "Largest weighted difference between a fresh run and its prediction, in nats.",
        "RECIPE 7; 0.5 gives false stops", "When to stop", least=0,
    )  # fmt: skip
    evidence_sd_limit: float = option(
        0.05, "Sd of the log evidence", "It must be known as well as this.", "RECIPE 7", "When to stop", least=0,
    )  # fmt: skip
    evidence_range_limit: float = option(
        0.1, "Range of the log evidence", "It may have moved by this much over the last runs.", "RECIPE 7",
        "When to stop", least=0,
    )  # fmt: skip
    stop: bool = option(True, "Stop when converged", _USE_ALL, "RECIPE 7, 9", "When to stop")
    final_draws: int = _final_draws()

    def __post_init__(self) -> None:
        check_record(self)


@dataclass(frozen=True)
class NoisyOptions:
    """Set through ``LoopSettings.options``; an unknown name is an error."""

    METHOD: ClassVar[str] = "the method for noisy simulators"

    robust: bool = option(
        False, "Let values far off the others count &less", "For noise with outliers: now and then a log-likelihood is "
        "far off. Student-t weights.", "RECIPE, last part; seed 004 chapter 5", "Noise", often=True,
    )  # fmt: skip
    robust_dof: float = option(
        4.0, "Degrees of freedom of those", "Of the Student-t noise: fewer expects more outliers.", "RECIPE, last part",
        "Noise", least=2, above=True,
    )  # fmt: skip
    varying_noise: bool = option(
        False, "The &noise level changes over the space", "For standard errors that are missing or wrong in places: "
        "the level is learned from the scatter, place by place.", "seed 004 section 7.2.1", "Noise", often=True,
    )  # fmt: skip
    noise_scale_sd: float = option(
        0.5, "Doubt of the standard errors", "Prior sd of the logarithm of what the given standard errors are to be "
        "multiplied by. (0.1 where the engine works them out itself.)", "RECIPE, last part", "Noise", least=0, above=True,
    )  # fmt: skip
    batch: int = option(
        5, "Runs between updates", "Runs chosen together, between two updates of the surrogate.", "RECIPE, last part",
        "Next runs", least=1, most=100,
    )  # fmt: skip
    flank_share: float = option(
        0.4, "Share for the flanks", "Share of the runs that serve the flanks of the posterior; the rest serve its bulk.",
        "measured", "Next runs", least=0, most=1,
    )  # fmt: skip
    viqr: bool = option(
        False, "Average over the mixture", "What chooses runs averages over the mixture (VIQR) instead of the "
        "surrogate's posterior (IMIQR).", "seed 001 eq 2", "Next runs",
    )  # fmt: skip
    mixture_components: int = _mixture_components()
    check_every: int = option(
        10, "Runs between checks", "Runs between two looks at whether it may stop.", "measured", "When to stop", least=1,
    )  # fmt: skip
    variation_limit: float = option(
        0.10, "Largest variation", "Expected difference of the marginals (mean total variation) that the surrogate's "
        "doubt may leave.", "RECIPE, last part; 0.12 stopped falsely once", "When to stop", least=0,
    )  # fmt: skip
    evidence_sd_limit: float = option(
        0.4, "Sd of the log evidence", "It must be known as well as this.", "RECIPE, last part", "When to stop", least=0,
    )  # fmt: skip
    evidence_range_limit: float = option(
        0.4, "Range of the log evidence", "It may have moved by this much over three checks.", "RECIPE, last part",
        "When to stop", least=0,
    )  # fmt: skip
    stop: bool = option(True, "Stop when converged", _USE_ALL, "RECIPE, last part", "When to stop")
    final_draws: int = _final_draws()

    def __post_init__(self) -> None:
        check_record(self)
