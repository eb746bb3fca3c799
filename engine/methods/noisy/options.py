"""Options of the loop for noisy log densities, each with its default and where the default comes from (RECIPE, last part)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..default.options import LEAST_DRAWS
from ..options import OptionError, at_least, read_options

METHOD = "the method for noisy simulators"


@dataclass(frozen=True)
class NoisyOptions:
    """Set through ``LoopSettings.options``; an unknown name is an error."""

    batch: int = 5  # evaluations between two updates of the surrogate, chosen together
    flank_share: float = 0.4  # share of the evaluations that serve the flanks of the posterior, the rest its bulk
    viqr: bool = (
        False  # acquisition averages over the variational mixture (VIQR) instead of the surrogate's posterior (IMIQR)
    )
    robust: bool = False  # Student-t noise: points far off are down-weighted
    robust_dof: float = 4.0  # its degrees of freedom
    noise_scale_sd: float = 0.5  # prior sd of log a, where a multiplies the noise sd given; .1 where the engine works it out
    varying_noise: bool = (
        False  # the noise level changes over the space, smoothly, and is inferred (seed 004 section 7.2.1)
    )
    stop: bool = True  # stop when converged; False uses the whole budget
    check_every: int = 10  # evaluations between two stop checks
    variation_limit: float = 0.10  # expected MMTV at the stop; with RECIPE's .12 a Rosenbrock seed stopped falsely
    evidence_sd_limit: float = 0.4
    evidence_range_limit: float = 0.4
    final_draws: int = 8000  # weighted draws of an answer
    mixture_components: int = 12  # largest size of the variational mixture

    @classmethod
    def of(cls, given: Mapping[str, float | int | str | bool]) -> NoisyOptions:
        """Raises OptionError, a ValueError in words, for an unknown option or a value that makes no sense."""
        return read_options(cls, given, METHOD)

    def __post_init__(self) -> None:
        at_least(
            self, METHOD, batch=1, check_every=1, mixture_components=1, final_draws=LEAST_DRAWS, variation_limit=0,
            evidence_sd_limit=0, evidence_range_limit=0,
        )  # fmt: skip
        if not 0.0 <= self.flank_share <= 1.0:
            raise OptionError("Option “flank_share” must lie between 0 and 1.")
        if not (self.noise_scale_sd > 0 and self.robust_dof > 2):
            raise OptionError("Option “noise_scale_sd” must be positive and “robust_dof” greater than 2.")
