"""What the outputs mean: a log density, or predictions and summaries to compare with data."""

from __future__ import annotations

from typing import Literal

from .noise_models import Discrepancy, NoiseModel, Together
from .record import Record, Tagged


class LogLikelihoodOutput(Tagged, tag="log_likelihood", frozen=True):
    """``noise_sd`` names the output that holds the estimate's standard error, for random simulators.

    ``repeats``: runs per point; more than one: their average counts and its standard error comes from their spread.
    ``average``: 'log' averages log-likelihoods; 'likelihood' averages likelihoods (for programs whose likelihood estimate is
    unbiased, such as particle filters). ``random``: the value is random and nothing says how much; the level is inferred.
    """

    output: str
    noise_sd: str | None = None
    repeats: int = 1
    average: Literal["log", "likelihood"] = "log"
    random: bool = False


class LogPosteriorOutput(Tagged, tag="log_posterior", frozen=True):
    """The program adds the prior itself; the declared priors then only place the search. The rest as for a log-likelihood."""

    output: str
    noise_sd: str | None = None
    repeats: int = 1
    average: Literal["log", "likelihood"] = "log"
    random: bool = False


class MinusTwoLogLikelihood(Tagged, tag="minus_two_log_likelihood", frozen=True):
    output: str


class SumOfSquares(Tagged, tag="sum_of_squares", frozen=True):
    """Sum of squared residuals; log L = -S / (2 sd^2) - n log(sd sqrt(2 pi))."""

    output: str
    sd: float
    count: int = 0


class Match(Record, frozen=True):
    """Output ``output`` (a vector) predicts data column ``column``. Rows without a measured value are left out; so are the rows
    ``left_out`` of the table, the first is 1. In order, the output has a value for each measured row, for each row of
    the quantity (see ``DataTable``), or for each of the table, those left out included, or only for those left in.
    ``outside``: those of ``left_out`` that are out only since nothing can be interpolated there, as the user agreed to; a change
    of the key takes them back, or others out (null: nobody agreed). No number depends on it.
    ``rows``: only these values of the output are taken, the first is 1, in the order of the measured rows (empty: all of them).

    ``key_output`` / ``key_column``: pair rows by value rather than by order (numbers, labels, times); ``key_tolerance``: how far
    two such numbers may be apart (left out: a thousandth of the smallest step between them). The numbers of ``key_output`` are
    multiplied by ``key_factor`` before they are paired, and ``key_offset`` is added: 0.25 where the program gives the length of
    four cells and that of one was measured, -273.15 for kelvins beside degrees Celsius. ``key_inverse``: ``key_factor`` is
    divided by them instead: 1239.84 over a wavelength in nm is a photon energy in eV. ``second_key_output`` /
    ``second_key_column``: rows must agree in this key too (one depth on many dates), within the automatic tolerance. ``by_day``:
    the first key is dates that say no hour, each paired with the output's value of that day that is nearest to 12 h (the earlier
    of two that are as near). ``interpolate``: the prediction for a measured key lies on the straight line between the output's
    values at the keys on both sides of it. ``sd_column`` replaces the noise model's sd or scale for this match, its percentage
    too. ``noise`` replaces the whole common noise model for this match (counts and temperatures, or two noise parameters). The
    output's values are multiplied by ``factor`` before they are compared, and ``offset`` is added: 1000 where the program gives
    metres and millimetres were measured, -273.15 where it gives kelvins and degrees Celsius were. ``discrepancy``: the program
    itself may be off, by a smooth curve over the key; for normal errors of known or inferred size.
    """

    output: str
    column: str
    factor: float = 1.0
    offset: float = 0.0
    key_output: str | None = None
    key_column: str | None = None
    key_factor: float = 1.0
    key_offset: float = 0.0
    key_inverse: bool = False
    key_tolerance: float | None = None
    interpolate: bool = False
    by_day: bool = False
    sd_column: str | None = None
    noise: NoiseModel | None = None
    left_out: tuple[int, ...] = ()
    outside: tuple[int, ...] | None = None
    rows: tuple[int, ...] = ()
    second_key_output: str | None = None
    second_key_column: str | None = None
    discrepancy: Discrepancy | None = None

    @property
    def keys(self) -> tuple[tuple[str, str], ...]:
        """(output, column) of each key that pairs the rows, none where they are paired in order."""
        both = ((self.key_output, self.key_column), (self.second_key_output, self.second_key_column))
        return tuple((o, c) for o, c in both if o is not None and c is not None)


class Predictions(Tagged, tag="predictions", frozen=True):
    """``aside``: outputs and data columns in no match of which the user said that they do not count; no number depends on it.

    ``random``: the outputs have a statistical error of their own (Monte Carlo, molecular dynamics). What is compared with the
    data is what they are on average, as all runs together tell it; the size of the error is learnt from them.
    """

    matches: tuple[Match, ...]
    noise: NoiseModel
    aside: tuple[str, ...] = ()
    random: bool = False


class Summary(Record, frozen=True):
    """A summary statistic of the output ``output``, compared with the same of data column ``column``.

    'values' takes the numbers themselves. ``levels`` of the quantiles, ``lags`` of the autocorrelation, ``edges`` of the
    histogram's bins (shares of the values in each). ``scale``: typical spread of each number, from pilot runs (empty: 1).
    ``error_sd`` or ``error_column``: standard deviation of the normal measurement error of each value in ``column``, one number
    or a data column; ``error_percent`` of each measured value is added to it (``error_together``: or in quadrature, or the larger
    is taken), or is all of it. The error is not part of what the program simulates. ``key_output`` and ``key_column``: of the
    output those values count whose key is measured, in the order of the data; left out: all of them. The output's values are
    multiplied by ``factor`` before they are summarized, and ``offset`` is added, as in a ``Match``.
    """

    output: str
    column: str
    statistic: Literal["values", "mean", "sd", "log_sd", "quantiles", "autocorrelation", "histogram"] = "values"
    levels: tuple[float, ...] = (0.1, 0.25, 0.5, 0.75, 0.9)
    lags: int = 3
    edges: tuple[float, ...] = ()
    scale: tuple[float, ...] = ()
    error_sd: float | None = None
    error_column: str | None = None
    error_percent: float | None = None
    error_together: Together = "sum"
    key_output: str | None = None
    key_column: str | None = None
    factor: float = 1.0
    offset: float = 0.0


class SyntheticLikelihood(Tagged, tag="synthetic_likelihood", frozen=True):
    """Summaries of random outputs are taken as normal; mean and covariance from ``repeats`` runs per point.

    ``estimator``: 'plain' plugs them in; 'unbiased' is unbiased for the likelihood, 'unbiased_log' for its logarithm.
    ``shrinkage`` in [0, 1] shrinks the correlations to zero (plain estimator only).
    """

    summaries: tuple[Summary, ...]
    repeats: int = 50
    estimator: Literal["plain", "unbiased", "unbiased_log"] = "unbiased_log"
    shrinkage: float = 0.0
    standard_error: Literal["formula", "bootstrap"] = "formula"


class ApproximateBayes(Tagged, tag="abc", frozen=True):
    """Approximate Bayesian computation: the likelihood is the density of simulated summaries near the measured ones.

    ``width`` of the kernel in units of the summaries' scales; left out: at each point the ``quantile`` of the distances.
    """

    summaries: tuple[Summary, ...]
    repeats: int = 100
    kernel: Literal["gaussian", "epanechnikov"] = "gaussian"
    width: float | None = None
    quantile: float = 0.2


class InverseBinomial(Tagged, tag="inverse_binomial", frozen=True):
    """Trial data: the program simulates every trial's response; it is run until each measured response has come up.

    ``most_repeats``: runs after which trials that never matched count as matched. ``rounds``: estimates averaged.
    """

    output: str
    column: str
    most_repeats: int = 200
    rounds: int = 1


Meaning = (
    LogLikelihoodOutput
    | LogPosteriorOutput
    | MinusTwoLogLikelihood
    | SumOfSquares
    | Predictions
    | SyntheticLikelihood
    | ApproximateBayes
    | InverseBinomial
)


def runs_per_point(meaning: Meaning) -> int:
    """How often the program is run at one point (at most)."""
    if isinstance(meaning, InverseBinomial):
        return meaning.most_repeats
    return int(getattr(meaning, "repeats", 1))


def evaluation_noun(meaning: Meaning) -> str:
    """What one evaluation is called: a point where it takes several runs of the program."""
    return "point" if runs_per_point(meaning) > 1 else "run"


def is_noisy(meaning: Meaning) -> bool:
    """Whether the program is declared random: the same values need not give the same."""
    return is_estimate(meaning) or is_scattered(meaning)


def is_scattered(meaning: Meaning) -> bool:
    """Whether predictions have a statistical error of their own: one run at a point, and a log-likelihood by all of them."""
    return isinstance(meaning, Predictions) and meaning.random


def is_estimate(meaning: Meaning) -> bool:
    """Whether log-likelihoods of this meaning are estimates with noise, each by itself."""
    if isinstance(meaning, (LogLikelihoodOutput, LogPosteriorOutput)):
        return meaning.noise_sd is not None or meaning.repeats > 1 or meaning.random
    return isinstance(meaning, (SyntheticLikelihood, ApproximateBayes, InverseBinomial))
