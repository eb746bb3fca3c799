"""Options of the BVBMC loop: each with its default, its source, and where the default leaves the paper (seed 000)."""

from __future__ import annotations

from dataclasses import dataclass

from .options import OptionError, at_least


@dataclass(frozen=True)
class BvbmcOptions:
    """Set through ``LoopSettings.options``; an unknown name is an error."""

    kernel: str = "additive"  # a full quadratic + functions of each axis + se. 'quadratic' leaves out the second, 'se' the
    # first two; 'matern12', 'matern32', 'matern52' (seed 000) are products over the working axes
    covariances: str = "full"  # 'full' or 'diagonal' (seed 000); Matern kernels need 'diagonal'
    mean_level: float = -30.0  # constant mean below the maximum (seed 000 section 6.1.1.5: -10, -20, -30)
    design_per_dimension: float = 10.0  # first design: this times D (seed 000 section 7.2)
    whitening: bool = True  # not in seed 000 (seed 001 A.5); without it rotated cigars fail
    joint_every: int = 20  # evaluations between joint updates (seed 000 section 7.2)
    joint_after_stalls: int = 3  # or after this many boosting steps without gain (seed 000 section 6.1.1.6)
    joint_steps: int = 20  # natural-gradient steps of a joint update
    entropy_weight: float = 1.0  # lambda of the f-step; 0: 1 / sqrt(i + 1) (METHODS 9.6)
    log_delta: float = -20.0  # log delta_D of the stabilized RELBO (seed 000 section 6.1.1.1)
    prune_below: float = 1e-3  # beta (seed 000 section 7.2)
    max_components: int = 20  # the lightest components beyond this are dropped
    acquisition: str = "alternate"  # PROP and MMLT in turn (seed 000 section 6.1.2), 'alternate3' with 'tempered', or one name
    tail_every: int = 3  # every so many evaluations one looks at a tail of the posterior; 0: never (seed 000)
    exploration: float = 0.6  # weight of the mean in 'tempered': log k + weight m (RECIPE 6)

    def __post_init__(self) -> None:
        choices = {
            "kernel": ("additive", "quadratic", "se", "matern12", "matern32", "matern52"),
            "covariances": ("full", "diagonal"),
            "acquisition": ("alternate", "alternate3", "prop", "mmlt", "us", "soft_prop", "mmlt_p", "tempered"),
        }
        for name, allowed in choices.items():
            if getattr(self, name) not in allowed:
                raise OptionError(f"Option “{name}” of BVBMC can be {', '.join(allowed)}; it is “{getattr(self, name)}”.")
        at_least(
            self, "BVBMC", design_per_dimension=0, joint_every=1, joint_after_stalls=1, joint_steps=1, entropy_weight=0,
            prune_below=0, max_components=1, tail_every=0, exploration=0,
        )  # fmt: skip

    @property
    def diagonal(self) -> bool:
        return self.covariances == "diagonal" or self.kernel.startswith("matern")
