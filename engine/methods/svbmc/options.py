"""Options of the SVBMC loop: each with its default and source (seed 001)."""

from __future__ import annotations

from dataclasses import dataclass

from ..options import OptionError, at_least


@dataclass(frozen=True)
class SvbmcOptions:
    """Set through ``LoopSettings.options``; an unknown name is an error."""

    surrogate: str = "auto"  # 'exact' or 'sparse' whatever the number of evaluations; 'auto': by size
    inducing: int = 0  # most inducing points of the sparse surrogate; 0: 300 + 2 sqrt(new evaluations) (B.2)
    kernel: str = "additive"  # with a quadratic and bumps, as in BVBMC; 'se': the paper's, with a negative quadratic mean (A.2)
    noise_shaping: bool = True  # section 3.5, B.3; False is there to show what it does
    # The paper has 10 D and 0.05. With few inducing points the stronger shaping serves the bulk better: Lotka-Volterra from
    # CMA-ES without new runs, dLML .22 -> .11, gsKL .28 -> .10.
    shaping_threshold: float = 2.0  # theta_sigma, times D (eq S17)
    shaping_slope: float = 0.2  # lambda_sigma (eq S17)
    trim: float = 20.0  # times D: archived points this far below the best are left out (B.1)
    active_points: int = 5  # new evaluations per iteration (A.5)
    max_components: int = 30  # of the build-up (section 3.3)
    least_gain: float = 0.01  # nats: the build-up ends when more components bring less than this of KL divergence
    density_power: float = 1.0  # of q in k exp(m) q^power (eq 1)
    stop: bool = True  # stop when stable; False uses the whole budget (algorithm 1)

    def __post_init__(self) -> None:
        if self.surrogate not in ("auto", "exact", "sparse"):
            raise OptionError(f"Option “surrogate” of SVBMC can be auto, exact, sparse; it is “{self.surrogate}”.")
        if self.kernel not in ("additive", "quadratic", "se"):
            raise OptionError(f"Option “kernel” of SVBMC can be additive, quadratic, se; it is “{self.kernel}”.")
        if not 0 <= self.inducing <= 2000:
            raise OptionError("SVBMC needs inducing from 0 to 2000.")
        if not 1 <= self.active_points <= 100 or not 1 <= self.max_components <= 100 or not self.trim > 0:
            raise OptionError("SVBMC needs active_points and max_components from 1 to 100 and trim above 0.")
        at_least(self, "SVBMC", shaping_threshold=0, shaping_slope=0, least_gain=0, density_power=0)
