"""Options of the published loops (BVBMC seed 000, VBMC and SVBMC seed 001) and of the methods without a surrogate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .option import check_record, option

_USE_ALL = "Stop when the answer is stable. No: use every allowed run."
_COVARIANCES = {"full": "any correlation", "diagonal": "no correlations within a component"}
_RANDOM = {
    "viqr": "over draws of the mixture (VIQR)",
    "imiqr": "over the surrogate's own posterior (IMIQR)",
}


def _random_acquisition(default: str) -> str:
    words = "Where log-likelihoods are random: the run that narrows the surrogate most, on average over the posterior."
    found: str = option(default, "Next run under noise", words, "seed 001 eq 2", "Noise", choices=_RANDOM)
    return found


def _density_power() -> float:
    words = "Power of the mixture's density q in what chooses the next run, k exp(m) qᵖ."
    found: float = option(1.0, "Power of the density", words, "seed 001 eq 1: 1; Acerbi 2018: 2", "Next runs", least=0)
    return found


@dataclass(frozen=True)
class BvbmcOptions:
    """Set through ``LoopSettings.options``; an unknown name is an error."""

    METHOD: ClassVar[str] = "BVBMC"

    design_per_dimension: float = option(
        10.0, "First runs per parameter", "The first runs look around: this many for each free parameter.",
        "seed 000 section 7.2", "First runs", least=0,
    )  # fmt: skip
    kernel: str = option(
        "additive", "Kernel", "How the surrogate carries over from one run to places near it. The Matérn kernels are "
        "products over the parameters; these and spectral need components without correlations.",
        "seed 000 eqs 3.10 to 3.14, 6.12; additive: RECIPE 4", "Surrogate",
        choices={
            "additive": "quadratic, functions of each parameter and squared exponential",
            "quadratic": "quadratic and squared exponential",
            "se": "squared exponential alone",
            "matern12": "Matérn 1/2: rough",
            "matern32": "Matérn 3/2",
            "matern52": "Matérn 5/2: nearly smooth",
            "spectral": "spectral mixture of two: waves as well as bumps",
        },
    )  # fmt: skip
    mean: str = option(
        "constant", "Mean far from the runs", "What the surrogate goes back to where no run is near.",
        "constant: seed 000 section 6.1.1.5; quadratic: seed 001 eq S4", "Surrogate",
        choices={
            "constant": "a low constant",
            "quadratic": "a negative quadratic, fitted",
        },
    )  # fmt: skip
    mean_level: float = option(
        -30.0, "Level of the constant mean", "How far below the highest log density the constant mean lies. With "
        "normalized values it is set by their range instead.", "seed 000 section 6.1.1.5: -10, -20, -30; eq 6.11",
        "Surrogate", most=0,
    )  # fmt: skip
    scaling: str = option(
        "zeromax", "Scaling of the values", "What is done to log densities before the surrogate sees them.",
        "seed 000 section 6.1.1.2", "Surrogate",
        choices={
            "zeromax": "the maximum is taken off",
            "normalize": "mean 0 and standard deviation 1",
        },
    )  # fmt: skip
    whitening: bool = option(
        True, "Whitening", "Work in coordinates in which the posterior is about a unit ball; without it narrow slanted "
        "ones fail.", "seed 001 A.5; not in seed 000", "Surrogate",
    )  # fmt: skip
    covariances: str = option(
        "full", "Covariances of the components", "The shape of each Gaussian of the mixture.", "seed 000 section 5.4",
        "Mixture", choices=_COVARIANCES,
    )  # fmt: skip
    joint_every: int = option(
        20, "Runs between joint updates", "After so many runs all Gaussians are adjusted together.",
        "seed 000 section 7.2", "Mixture", least=1,
    )  # fmt: skip
    joint_after_stalls: int = option(
        3, "Joint update after stalls", "Or after so many boosting steps in a row without gain.",
        "seed 000 section 6.1.1.6", "Mixture", least=1,
    )  # fmt: skip
    joint_steps: int = option(
        20, "Steps of a joint update", "Natural-gradient steps of a joint update.", "seed 000 section 6.1.1.6", "Mixture",
        least=1,
    )  # fmt: skip
    entropy_weight: float = option(
        1.0, "Weight of the entropy", "Lambda of the step that finds a new Gaussian: more makes it wider. 0: 1/√(i + "
        "1) in step i.", "seed 000 eq 6.6 (METHODS 9.6)", "Mixture", least=0,
    )  # fmt: skip
    log_delta: float = option(
        -20.0, "Stabilization", "Logarithm of what is added to the mixture's density so that the boosting objective "
        "stays bounded.", "seed 000 section 6.1.1.1", "Mixture",
    )  # fmt: skip
    prune_below: float = option(
        1e-3, "Least weight", "Gaussians lighter than this are dropped.", "beta of seed 000 section 7.2", "Mixture",
        least=0, most=0.5,
    )  # fmt: skip
    max_components: int = option(
        20, "Most Gaussians", "The lightest ones beyond this many are dropped.", "seed 000 section 7.2", "Mixture",
        least=1, most=1000,
    )  # fmt: skip
    acquisition: str = option(
        "alternate", "Next run", "Which place is run next: k is the surrogate's variance, m its mean, q the mixture. "
        "(Random log-likelihoods have a choice of their own.)", "seed 000 eqs 5.55, 5.56, 6.13 to 6.15; tempered: "
        "RECIPE 6", "Next runs",
        choices={
            "alternate": "PROP and MMLT in turn",
            "alternate3": "PROP, MMLT and tempered in turn",
            "us": "US: k q²",
            "prop": "PROP: k exp(m) q²",
            "soft_prop": "soft PROP: k softplus(m) q²",
            "mmlt": "MMLT: variance of the density",
            "mmlt_p": "MMLT times q²",
            "tempered": "tempered: log k + weight × m",
        },
    )  # fmt: skip
    exploration: float = option(
        0.6, "Weight of the mean", "Of the tempered choice: less looks further away from the best runs.", "RECIPE 6",
        "Next runs", least=0,
    )  # fmt: skip
    tail_every: int = option(
        3, "Look at a tail every", "Every so many runs one looks at a tail of the posterior; 0: never.",
        "measured; 0 in seed 000", "Next runs", least=0,
    )  # fmt: skip
    noisy_acquisition: str = _random_acquisition("viqr")

    def __post_init__(self) -> None:
        check_record(self)

    @property
    def diagonal(self) -> bool:
        return self.covariances == "diagonal" or self.kernel.startswith(("matern", "spectral"))


@dataclass(frozen=True)
class VbmcOptions:
    """Set through ``LoopSettings.options``; an unknown name is an error."""

    METHOD: ClassVar[str] = "VBMC"

    design_points: int = option(
        10, "First runs", "The first runs look around: this many, and at least one for each parameter.", "Acerbi 2018",
        "First runs", least=1,
    )  # fmt: skip
    covariances: str = option(
        "shared_scale", "Covariances of the components", "The shape of each Gaussian of the mixture.", "seed 001 A.5",
        "Mixture",
        choices={
            "shared_scale": "one shape, a size of its own",
            **_COVARIANCES,
        },
    )  # fmt: skip
    whitening: bool = option(
        True, "Whitening", "Work in coordinates in which the posterior is about a unit ball.", "seed 001 A.5",
        "Surrogate",
    )  # fmt: skip
    warm_up_components: int = option(
        2, "Gaussians while warming up", "So many until ELBO and best run have stopped rising.", "seed 001 A.5",
        "Mixture", least=1, most=50,
    )  # fmt: skip
    max_components: int = option(
        30, "Most Gaussians", "One is added each iteration up to this many, while the ELBO improves.", "seed 001 A.5",
        "Mixture", least=1, most=1000,
    )  # fmt: skip
    active_points: int = option(
        5, "Runs per iteration", "Runs between two fits of the mixture.", "seed 001 A.5", "Next runs", least=1, most=100,
    )  # fmt: skip
    density_power: float = _density_power()
    noisy_acquisition: str = _random_acquisition("viqr")
    stable_iterations: int = option(
        8, "Stable iterations", "So many iterations in a row, but one, must be reliable before it stops.", "Acerbi 2018",
        "When to stop", least=1,
    )  # fmt: skip
    stop: bool = option(True, "Stop when stable", _USE_ALL, "Acerbi 2018", "When to stop")

    def __post_init__(self) -> None:
        check_record(self)


@dataclass(frozen=True)
class SvbmcOptions:
    """Set through ``LoopSettings.options``; an unknown name is an error."""

    METHOD: ClassVar[str] = "SVBMC"

    surrogate: str = option(
        "auto", "Su&rrogate", "Exact is slow for many evaluations; the Run page says which one is in use, and why.",
        "seed 001 section 3.3", "Surrogate", often=True,
        choices={
            "auto": "Chosen by their number",
            "exact": "Exact (a few hundred)",
            "sparse": "Sparse (thousands)",
        },
    )  # fmt: skip
    approximation: str = option(
        "vfe", "Sparse approximation", "How a few inducing points stand for thousands of values. Hyperparameters "
        "of fitc are those of vfe.", "vfe: seed 001 eq S11; dtc, fitc: seed 000 A.2", "Surrogate",
        choices={
            "vfe": "variational free energy: never more certain than the exact one",
            "dtc": "deterministic training conditional: without the trace term",
            "fitc": "fully independent training conditional: what is lost counts as noise",
        },
    )  # fmt: skip
    inducing: int = option(
        0, "Most inducing points", "Of the sparse surrogate. 0: 300 and twice the root of the number of new runs.",
        "seed 001 B.2", "Surrogate", least=0, most=2000,
    )  # fmt: skip
    kernel: str = option(
        "additive", "Kernel", "How the surrogate carries over from one run to places near it.",
        "se: seed 001 A.2; others: RECIPE 4", "Surrogate",
        choices={
            "additive": "quadratic, functions of each parameter and squared exponential",
            "quadratic": "quadratic and squared exponential",
            "se": "squared exponential with a fitted quadratic mean, as published",
        },
    )  # fmt: skip
    noise_shaping: bool = option(
        True, "Noise shaping", "Values far below the best count less exactly: they need not be fitted. Left out where "
        "values that are held out are predicted better without it.",
        "seed 001 section 3.5, B.3", "Surrogate",
    )  # fmt: skip
    # The paper has 10 D and 0.05. With few inducing points the stronger shaping serves the bulk better: Lotka-Volterra from
    # CMA-ES without new runs, dLML .22 -> .11, gsKL .28 -> .10.
    shaping_threshold: float = option(
        2.0, "Shaping begins at", "Nats below the best, times the number of parameters.",
        "theta of seed 001 eq S17: 10; 2 measured", "Surrogate", least=0,
    )  # fmt: skip
    shaping_slope: float = option(
        0.2, "Slope of the shaping", "By how much the standard deviation grows with each nat beyond.",
        "lambda of seed 001 eq S17: 0.05; 0.2 measured", "Surrogate", least=0,
    )  # fmt: skip
    trim: float = option(
        20.0, "Left out below", "Imported evaluations this far below the best, times the number of parameters, are "
        "left out.", "eta of seed 001 B.1", "First runs", least=0, above=True,
    )  # fmt: skip
    max_components: int = option(
        30, "Most Gaussians", "Of the mixture that is built up.", "seed 001 section 3.3", "Mixture", least=1, most=100,
    )  # fmt: skip
    least_gain: float = option(
        0.01, "Least gain", "The build-up ends when more Gaussians bring less than this of divergence, in nats.",
        "seed 001 section 3.3", "Mixture", least=0,
    )  # fmt: skip
    active_points: int = option(
        5, "Runs per iteration", "New runs between two fits of the mixture.", "seed 001 A.5", "Next runs", least=1,
        most=100,
    )  # fmt: skip
    density_power: float = _density_power()
    noisy_acquisition: str = _random_acquisition("viqr")
    stop: bool = option(True, "Stop when stable", _USE_ALL, "seed 001 algorithm 1", "When to stop")

    def __post_init__(self) -> None:
        check_record(self)


@dataclass(frozen=True)
class LaplaceOptions:
    """Set through ``LoopSettings.options``; an unknown name is an error."""

    METHOD: ClassVar[str] = "Laplace's approximation"

    design_points: int = option(
        0, "First runs", "Runs that look around before the climb. 0: 4 and two for each parameter.",
        "seed 000 section 2.4", "First runs", least=0,
    )  # fmt: skip
    checks: int = option(
        0, "Test runs", "Fresh draws of the Gaussian that are run to test it. 0: 20, or four for each parameter.",
        "our own test", "Answer", least=0,
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_record(self)


@dataclass(frozen=True)
class SliceOptions:
    """Set through ``LoopSettings.options``; an unknown name is an error."""

    METHOD: ClassVar[str] = "slice sampling"

    stop: bool = option(
        True, "Stop when the chains agree", "Stop when R-hat and the effective sample size are good. No: use every "
        "allowed run.", "Vehtari et al. 2021", "When to stop",
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_record(self)
