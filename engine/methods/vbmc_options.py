"""Options of the VBMC loop: each with its default and source (seed 001 A.5; Acerbi 2018, 2020 cited there)."""

from __future__ import annotations

from dataclasses import dataclass

from .options import OptionError, at_least


@dataclass(frozen=True)
class VbmcOptions:
    """Set through ``LoopSettings.options``; an unknown name is an error."""

    covariances: str = "shared_scale"  # sigma_k^2 diag(lambda^2) (seed 001 A.5), or 'full', 'diagonal'
    design_points: int = 10  # first design: this many, at least D (Acerbi 2018)
    active_points: int = 5  # evaluations per iteration (seed 001 A.5)
    warm_up_components: int = 2  # K during warm-up (seed 001 A.5)
    max_components: int = 30  # K grows by one per iteration up to this, while the ELBO improves
    density_power: float = 1.0  # of q in k exp(m) q^power (seed 001 eq 1: 1; Acerbi 2018: 2)
    whitening: bool = True  # variational whitening (seed 001 A.5)
    stable_iterations: int = 8  # reliability below 1 for this many iterations, one exception: stable (Acerbi 2018)
    stop: bool = True  # stop when stable; False uses the whole budget

    def __post_init__(self) -> None:
        if self.covariances not in ("shared_scale", "full", "diagonal"):
            raise OptionError(f"Option “covariances” of VBMC can be shared_scale, full, diagonal; it is “{self.covariances}”.")
        at_least(
            self, "VBMC", design_points=1, active_points=1, warm_up_components=1, max_components=1, density_power=0,
            stable_iterations=1,
        )  # fmt: skip
