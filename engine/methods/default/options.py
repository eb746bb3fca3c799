"""Options of the default loop, each with its default and where the default comes from (RECIPE: engine/METHODS.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..options import OptionError, at_least, read_options

METHOD = "the default method"
LEAST_DRAWS = 1000  # fewer cannot be weighed


@dataclass(frozen=True)
class DefaultOptions:
    """Set through ``LoopSettings.options``; an unknown name is an error."""

    extra_design_points: int = 4  # first design: D + this many points (RECIPE 2)
    exploration: float = 0.6  # weight of the mean in log k + weight * m (RECIPE 6; 1 fails on heavy tails)
    tail_every: int = 3  # every so many acquisitions look further out (measured: halves the missed tails at D = 6)
    tail_exploration: float = 0.25  # weight of the mean in those
    tail_saturation: float = (
        1.0  # and variance v counts as v / (1 + v): far corners of unbounded doubt do not draw them all
    )
    stop: bool = True  # stop when converged; False uses the whole budget
    residual_limit: float = 0.3  # largest weighted fresh residual at the stop (RECIPE 7; .5 gives false stops)
    evidence_sd_limit: float = 0.05  # GP sd of log Z at the stop (RECIPE 7)
    evidence_range_limit: float = 0.1  # range of log Z over the window at the stop (RECIPE 7)
    final_draws: int = 8000  # weighted draws of an answer (RECIPE 5)
    mixture_components: int = 12  # largest size of the variational mixture
    learn: str = "auto"  # "outputs" or "score" whatever leave-one-out says; "auto": by its error in nats (OUTPUTS)
    mixture_every: int = 5  # evaluations between updates of the mixture (issue 4)

    @classmethod
    def of(cls, given: Mapping[str, float | int | str | bool]) -> DefaultOptions:
        """Raises OptionError, a ValueError in words, for an unknown option or a value that makes no sense."""
        return read_options(cls, given, METHOD)

    def __post_init__(self) -> None:
        at_least(
            self, METHOD, extra_design_points=0, exploration=0, tail_every=0, tail_exploration=0, tail_saturation=0,
            residual_limit=0, evidence_sd_limit=0, evidence_range_limit=0, final_draws=LEAST_DRAWS, mixture_components=1,
            mixture_every=1,
        )  # fmt: skip
        if self.learn not in ("auto", "outputs", "score"):
            raise OptionError(f"Option “learn” of {METHOD} can be auto, outputs, score; it is “{self.learn}”.")
