"""Measured data, and how far they lie from what is true."""

from __future__ import annotations

from typing import Literal

from .record import Record, Tagged

Together = Literal["sum", "quadrature", "larger"]  # how a size and a percentage of each value make one error


class DataTable(Record, frozen=True):
    """Measured data: columns of equal length; a missing value is null.

    ``texts``: columns of labels, times or dates, to pair rows by. One table may hold several quantities, each in a column of its
    own with null where a row belongs to another quantity: such rows are left out before rows are counted, not those of the
    quantity that lack its value (a date with nothing beside it).

    ``limits``: of a column of numbers the cells that say only on which side of a limit the value lies, "<0.05" or ">200" ("<=5"
    and ">=5" differ from these for counts alone); null elsewhere, as ``columns`` is where they are.
    """

    columns: dict[str, tuple[float | None, ...]]
    texts: dict[str, tuple[str | None, ...]] = {}
    limits: dict[str, tuple[str | None, ...]] = {}
    origin: str = ""


class GaussianKnown(Tagged, tag="gaussian", frozen=True):
    """Known sd: one number for all points, or per point in data column ``sd_column``. ``percent`` of each measured value (without
    its sign) is added to that, or is all of it: an accuracy of 0.01 + 3 % is sd 0.01 and percent 3. ``together``: they are added,
    or the root of the sum of their squares is taken, or the larger of the two."""

    sd: float | None = None
    sd_column: str | None = None
    percent: float | None = None
    together: Together = "sum"


class GaussianIntegrated(Tagged, tag="gaussian_integrated", frozen=True):
    """Normal errors of unknown size: all sizes are averaged, their variance being InverseGamma(shape, scale) beforehand.

    ``per_point`` true: each point has its own variance, a product of Student-t densities;
    false: one variance shared by all points, a multivariate Student-t.
    """

    # per point: seed 000 eq 7.7
    shape: float
    scale: float
    per_point: bool = True


class GaussianInferred(Tagged, tag="gaussian_inferred", frozen=True):
    """Normal errors whose standard deviation is the parameter ``parameter``, inferred too (it needs no placeholder)."""

    parameter: str


class LogNormalNoise(Tagged, tag="log_normal", frozen=True):
    log_sd: float | None = None
    parameter: str | None = None


class Discrepancy(Record, frozen=True):
    """What the program may miss: a smooth curve over the key of the data, about which nothing else is known (a Gaussian process).

    How far off the program may be, ``size`` on average beforehand in the unit of the data (small is more probable than large), is
    averaged over. So is the ``length`` over which the curve changes, in the unit of the key (a tenth to all of the measured range
    where it is left out; in decades where the keys are spread by factors). ``apart_from``: for each parameter of the program how
    the predictions of the measured values change with it at the best fit; the curve then has no part in what parameters can do.
    """

    # Kennedy and O'Hagan 2001; orthogonal to the tangent: Plumlee 2017
    size: float
    length: float | None = None
    apart_from: tuple[tuple[float, ...], ...] = ()


class PoissonNoise(Tagged, tag="poisson", frozen=True):
    pass


class NegativeBinomialNoise(Tagged, tag="negative_binomial", frozen=True):
    """Counts with variance mean + mean^2 / size."""

    size: float | None = None
    parameter: str | None = None


class StudentTNoise(Tagged, tag="student_t", frozen=True):
    """``percent`` of each measured value is added to the scale, unless this is a parameter, or is all of it; ``together`` as for
    known errors."""

    dof: float
    scale: float | None = None
    scale_column: str | None = None
    parameter: str | None = None
    percent: float | None = None
    together: Together = "sum"


class Ar1Noise(Tagged, tag="ar1", frozen=True):
    """Residuals r_t = rho r_(t-1) + e_t with marginal sd ``sd``; either may be a parameter's name."""

    sd: float | str
    rho: float | str


class CovarianceNoise(Tagged, tag="covariance", frozen=True):
    """Gaussian with this full covariance (rows of the matrix)."""

    matrix: tuple[tuple[float, ...], ...]


NoiseModel = (
    GaussianKnown
    | GaussianIntegrated
    | GaussianInferred
    | LogNormalNoise
    | PoissonNoise
    | NegativeBinomialNoise
    | StudentTNoise
    | Ar1Noise
    | CovarianceNoise
)
