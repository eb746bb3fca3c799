"""What the user declares: parameters, priors, simulator, outputs, data, noise, run settings.

These are plain immutable records (msgspec Structs). They are what a session file and a problem JSON file
store; nothing here runs anything. An open bound is ``None``, never an infinity: JSON has none.
Unknown fields are refused, so a misspelt option is an error and never silently ignored.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

FORMAT_VERSION = 1


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Base of every record: immutable, keyword-only, unknown fields refused."""


class Tagged(Record, tag_field="kind", frozen=True):
    """Base of records that are one alternative of several; JSON field ``kind`` says which."""


# --------------------------------------------------------------------------- priors (user's units)


class Uniform(Tagged, tag="uniform", frozen=True):
    low: float
    high: float


class LogUniform(Tagged, tag="log_uniform", frozen=True):
    low: float
    high: float


class Normal(Tagged, tag="normal", frozen=True):
    mean: float
    sd: float


class TruncatedNormal(Tagged, tag="truncated_normal", frozen=True):
    mean: float
    sd: float
    low: float | None = None
    high: float | None = None


class LogNormal(Tagged, tag="log_normal", frozen=True):
    """log(x) is normal with mean ``log_mean`` and standard deviation ``log_sd`` (natural log)."""

    log_mean: float
    log_sd: float


class HalfNormal(Tagged, tag="half_normal", frozen=True):
    scale: float


class HalfCauchy(Tagged, tag="half_cauchy", frozen=True):
    scale: float


class Beta(Tagged, tag="beta", frozen=True):
    """Beta(a, b) stretched to [low, high]."""

    a: float
    b: float
    low: float = 0.0
    high: float = 1.0


class Gamma(Tagged, tag="gamma", frozen=True):
    shape: float
    scale: float


class InverseGamma(Tagged, tag="inverse_gamma", frozen=True):
    shape: float
    scale: float


class Exponential(Tagged, tag="exponential", frozen=True):
    mean: float


class StudentT(Tagged, tag="student_t", frozen=True):
    location: float
    scale: float
    dof: float


Prior = (
    Uniform
    | LogUniform
    | Normal
    | TruncatedNormal
    | LogNormal
    | HalfNormal
    | HalfCauchy
    | Beta
    | Gamma
    | InverseGamma
    | Exponential
    | StudentT
)


class Parameter(Record, frozen=True):
    """One unknown number. ``plausible``: the range where you expect it (left out: from the prior).

    ``lower`` and ``upper`` cut the prior off. ``fixed``: its value, if it is not to be inferred. ``transform``: how a range with
    two limits is stretched for the search; leave it at 'automatic' (which is 'probit').
    """

    name: str
    prior: Prior
    label: str = ""
    unit: str = ""
    lower: float | None = None
    upper: float | None = None
    plausible: tuple[float, float] | None = None
    fixed: float | None = None
    transform: Literal["automatic", "probit", "logit"] = "automatic"


# --------------------------------------------------------------------------- parameters into the simulator


class NumberFormat(Record, frozen=True):
    """How a number is written into a placeholder. ``digits`` left out: as many as keep the number exact."""

    style: Literal["general", "exponent", "fixed", "integer"] = "general"
    digits: int | None = None
    width: int | None = None  # right-aligned to this many characters
    max_width: int | None = None  # longer text is an error before the run, never a cut number


class TemplateFile(Record, frozen=True):
    """A text with ``@name@`` placeholders, written filled into the run folder as ``target``."""

    target: str
    text: str
    original: str | None = None  # as it was when the file was opened: to say what differs; null: not known


class ExtraFile(Record, frozen=True):
    """A fixed input file copied (or linked) into each run folder as ``target`` (default: its own name)."""

    path: str
    target: str = ""
    link: bool = False


class Limits(Record, frozen=True):
    """Limits of one run. ``relative_time`` times the median duration of the good runs so far. null: no limit."""

    time_s: float | None = 3600.0
    relative_time: float | None = None
    memory_mb: float | None = None
    output_mb: float = 64.0  # stdout and stderr, each
    files_mb: float = 2048.0  # run folder


class FailurePattern(Record, frozen=True):
    """The run failed if ``pattern`` is found in ``source`` ('stdout', 'stderr' or a file in the run folder)."""

    source: str
    pattern: str
    regex: bool = False
    when: Literal["found", "missing"] = "found"


class FailureRules(Record, frozen=True):
    exit_code: bool = True  # a non-zero exit status is a failure
    stderr: bool = False  # any text on stderr is a failure
    signal: bool = True  # death by a signal is a failure, even where the exit status is not looked at
    non_finite: bool = True  # NaN or infinite outputs are a failure (a single -inf is left to the likelihood)
    patterns: tuple[FailurePattern, ...] = ()
    meaning: Literal["unknown", "impossible"] = "unknown"  # impossible: likelihood 0 there
    retries: int = 0


class Simulator(Record, frozen=True):
    """A program run from a command line; described, never coded.

    ``command``: argument list, first the program. Placeholders ``@name@`` may stand in any argument, template,
    ``stdin`` and environment value; ``@seed@`` is a fresh integer for programs that are random. A program that
    starts with ``bayescope:`` is one that comes with Bayescope.
    Relative paths are from the session file's folder; the program and its script are also looked for in ``working_folder``.
    """

    command: tuple[str, ...]
    templates: tuple[TemplateFile, ...] = ()
    stdin: str | None = None
    environment: dict[str, str] = {}
    extra_files: tuple[ExtraFile, ...] = ()
    working_folder: str | None = None  # None: the run folder
    formats: dict[str, NumberFormat] = {}
    expected_uses: dict[str, int] = {}  # placeholder -> how often the user expects it
    limits: Limits = Limits()
    failures: FailureRules = FailureRules()
    keep_runs: Literal["failures", "all", "none"] = "failures"


# --------------------------------------------------------------------------- outputs back


class LastNumber(Tagged, tag="last_number", frozen=True):
    pass


class LabelledNumber(Tagged, tag="labelled", frozen=True):
    """The first number after the text ``label`` (its ``occurrence``-th appearance; -1 is the last)."""

    label: str
    occurrence: int = 1


class RegexGroup(Tagged, tag="regex", frozen=True):
    pattern: str
    group: int = 1
    occurrence: int = 1


class CsvColumn(Tagged, tag="csv", frozen=True):
    """Cells of a delimited table: ``column`` by its name or its number, the first is 0; ``row`` left out: the whole column.

    ``row`` counts from 0 below the heading. What separates the cells and whether there is a heading is found out if left out.
    """

    column: str | int
    row: int | None = None
    delimiter: str | None = None  # None: detected; ' ' means any white space
    header: bool | None = None  # None: detected
    axis: Literal["column", "row"] = "column"  # "row": ``row`` is taken whole


class JsonPath(Tagged, tag="json", frozen=True):
    """Keys separated by dots, list positions as numbers: ``result.fit.0.chi2``."""

    path: str


class MarkerOffset(Tagged, tag="marker", frozen=True):
    """The ``column``-th white-space-separated word (the first is 1), ``lines`` lines below the line with ``marker``."""

    marker: str
    lines: int = 0
    column: int = 1
    occurrence: int = 1


class TableBlock(Tagged, tag="table", frozen=True):
    """A block of numeric rows between markers; rows by number or by value in a key column; chosen columns, the first is 1.

    ``rows``: numbers of the rows, THE FIRST IS 1 (the row below the heading); -1 is the last. (``row`` of 'csv' counts from 0.)
    The block ends at the line with ``end``; if that is left out, at the first line that is no row, or with ``to_end`` at the
    end of the text. Lines that are no rows are passed over on the way.
    """

    columns: tuple[int, ...]
    start: str | None = None
    end: str | None = None
    to_end: bool = False
    skip: int = 0
    rows: tuple[int, ...] | None = None
    key_column: int | None = None
    key_values: tuple[float, ...] | None = None
    key_tolerance: float = 1e-9
    delimiter: str | None = None


class RowsAfter(Tagged, tag="rows_after", frozen=True):
    """The ``column``-th number of the row ``lines`` below every line with ``marker``; ``count`` of them expected."""

    marker: str
    column: int = 1
    lines: int = 1
    count: int | None = None


class Region(Tagged, tag="region", frozen=True):
    """A number, a row, a piece of a column or a whole one, of the rows below a text that is known again.

    ``anchor``: that text, on one line, white space aside (left out: the top). ``occurrence``: which of its appearances, the
    first is 1, -1 the last; 'all' of them, one after the other. ``on_line``: the first row is the rest of the anchor's line.
    ``headings``: at most so many other lines with text stand above the first row (left out: 40).

    A row is a line of the form ``form``: its cells in order, n a number, t a text, x either, and * whatever follows; left out:
    with a number in each chosen column. ``by``: cells are 'word's, or 'number's (then neighbouring words are one t). Rules of
    dashes are passed over. ``gaps``: what else may stand between rows: 'none', 'blank' lines, or any 'text' up to ``end``.

    ``columns``: the first is 1 (numbers only are counted if by 'number'); left out: every number of the row. ``characters``:
    what the columns are, as [first, last] character of the line; a row has numbers in half of them at least. ``first``: the
    first row taken, -1 the last; ``count``: how many (left out: all from there). ``row_label``: only the row that begins with
    this text.
    """

    anchor: str | None = None
    occurrence: int | Literal["all"] = 1
    on_line: bool = False
    headings: int | None = None
    columns: tuple[int, ...] = ()
    by: Literal["word", "number"] = "number"
    characters: tuple[tuple[int, int], ...] = ()
    first: int = 1
    count: int | None = None
    row_label: str | None = None
    form: str = ""
    gaps: Literal["none", "blank", "text"] = "none"
    end: str | None = None
    delimiter: str | None = None  # None: white space and the bars of drawn tables


Extractor = (
    LastNumber | LabelledNumber | RegexGroup | CsvColumn | JsonPath | MarkerOffset | TableBlock | RowsAfter | Region
)


class Output(Record, frozen=True):
    """A named number or vector read from ``source``: 'stdout', 'stderr' or a file name in the run folder.

    ``text`` true: what is read are labels, times or dates (node names, 00:30:00); such an output can only be a ``key_output``.
    """

    name: str
    source: str
    extractor: Extractor
    length: int | None = None  # None: any; 1: a single number
    decimal_comma: bool = False
    scale_letters: bool = False  # 1.5K is 1500: T G Meg K k m u n p f a behind a number are powers of ten
    text: bool = False  # the cells are labels, times or dates, to pair rows by; not numbers


# --------------------------------------------------------------------------- what the outputs mean


class DataTable(Record, frozen=True):
    """Measured data: columns of equal length; a missing value is null.

    ``texts``: columns of labels, times or dates, to pair rows by. One table may hold several quantities, each in a column of its
    own with null where a row belongs to another quantity: such rows are left out before rows are counted.
    """

    columns: dict[str, tuple[float | None, ...]]
    texts: dict[str, tuple[str | None, ...]] = {}
    origin: str = ""


class GaussianKnown(Tagged, tag="gaussian", frozen=True):
    """Known sd: one number for all points, or per point in data column ``sd_column``."""

    sd: float | None = None
    sd_column: str | None = None


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


class PoissonNoise(Tagged, tag="poisson", frozen=True):
    pass


class NegativeBinomialNoise(Tagged, tag="negative_binomial", frozen=True):
    """Counts with variance mean + mean^2 / size."""

    size: float | None = None
    parameter: str | None = None


class StudentTNoise(Tagged, tag="student_t", frozen=True):
    dof: float
    scale: float | None = None
    scale_column: str | None = None
    parameter: str | None = None


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
    ``left_out`` of the table, the first is 1.

    ``key_output`` / ``key_column``: pair rows by value rather than by order (numbers, labels, times); ``key_tolerance``: how far
    two such numbers may be apart (left out: a thousandth of the smallest step between them). ``second_key_output`` /
    ``second_key_column``: rows must agree in this key too (one depth on many dates), within the automatic tolerance.
    ``interpolate``: the prediction for a measured key lies on the straight line between the output's values at the keys on both
    sides of it. ``sd_column`` replaces the noise model's sd or scale column for this match. ``noise`` replaces the whole common
    noise model for this match (counts and temperatures, or two noise parameters).
    """

    output: str
    column: str
    key_output: str | None = None
    key_column: str | None = None
    key_tolerance: float | None = None
    interpolate: bool = False
    sd_column: str | None = None
    noise: NoiseModel | None = None
    left_out: tuple[int, ...] = ()
    second_key_output: str | None = None
    second_key_column: str | None = None

    @property
    def keys(self) -> tuple[tuple[str, str], ...]:
        """(output, column) of each key that pairs the rows, none where they are paired in order."""
        both = ((self.key_output, self.key_column), (self.second_key_output, self.second_key_column))
        return tuple((o, c) for o, c in both if o is not None and c is not None)


class Predictions(Tagged, tag="predictions", frozen=True):
    matches: tuple[Match, ...]
    noise: NoiseModel


class Summary(Record, frozen=True):
    """A summary statistic of the output ``output``, compared with the same of data column ``column``.

    'values' takes the numbers themselves. ``levels`` of the quantiles, ``lags`` of the autocorrelation, ``edges`` of the
    histogram's bins (shares of the values in each). ``scale``: typical spread of each number, from pilot runs (empty: 1).
    ``error_sd`` or ``error_column``: standard deviation of the normal measurement error of each value in ``column``, one number
    or a data column; it is not part of what the program simulates.
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


def is_noisy(meaning: Meaning) -> bool:
    """Whether log-likelihoods of this meaning are estimates with noise."""
    if isinstance(meaning, (LogLikelihoodOutput, LogPosteriorOutput)):
        return meaning.noise_sd is not None or meaning.repeats > 1 or meaning.random
    return isinstance(meaning, (SyntheticLikelihood, ApproximateBayes, InverseBinomial))


# --------------------------------------------------------------------------- the run


MAX_WORKERS = 256  # runs at the same time: a thread waits for each


class Settings(Record, frozen=True):
    """How the run goes. ``method``: 'default' is the recommended one. For comparison: 'bvbmc' (variational Bayesian Monte
    Carlo whose mixture of Gaussians grows by boosting), 'vbmc' (variational Bayesian Monte Carlo), 'svbmc' (the same with a
    sparse surrogate, started from an archive of earlier runs; ``max_evaluations`` 0 makes a posterior of the archive alone),
    'laplace' (one Gaussian around the best point) and 'slice' (Markov chains on the simulator itself, thousands of runs).

    ``workers``: runs at the same time. ``seed``: of all random choices.
    """

    # sources: default RECIPE, bvbmc seed 000, vbmc seed 001 A.5, svbmc seed 001
    method: Literal["default", "bvbmc", "vbmc", "svbmc", "laplace", "slice"] = "default"
    max_evaluations: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 140
    workers: Annotated[int, msgspec.Meta(ge=1, le=MAX_WORKERS)] = 2
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**32 - 1)] = 0
    max_hours: float | None = None
    device: Literal["auto", "cpu", "cuda"] = "auto"
    options: dict[str, float | int | str | bool] = {}  # options of the method, documented beside their defaults


class Problem(Record, frozen=True):
    """Everything the user declared. Immutable once a run has started, except ``settings``."""

    name: str
    parameters: tuple[Parameter, ...]
    simulator: Simulator
    outputs: tuple[Output, ...]
    meaning: Meaning
    data: DataTable | None = None
    settings: Settings = Settings()
    description: str = ""
    format_version: int = FORMAT_VERSION


def free_parameters(problem: Problem) -> tuple[Parameter, ...]:
    """The parameters that are inferred (not fixed), in order; their number is D."""
    return tuple(p for p in problem.parameters if p.fixed is None)
