"""What the user declares: parameters, priors, simulator, outputs, data, noise, run settings.

These are plain immutable records (msgspec Structs). They are what a session file and a problem JSON file
store; nothing here runs anything. An open bound is ``None``, never an infinity: JSON has none.
Unknown fields are refused, so a misspelt option is an error and never silently ignored.
"""

from .declared import (
    FORMAT_VERSION,
    MAX_WORKERS,
    MOST_STARTS,
    Problem,
    Settings,
    free_parameters,
    told_apart,
)
from .meanings import (
    ApproximateBayes,
    InverseBinomial,
    LogLikelihoodOutput,
    LogPosteriorOutput,
    Match,
    Meaning,
    MinusTwoLogLikelihood,
    Predictions,
    Summary,
    SumOfSquares,
    SyntheticLikelihood,
    evaluation_noun,
    is_estimate,
    is_noisy,
    is_scattered,
    runs_per_point,
)
from .noise_models import (
    Ar1Noise,
    CovarianceNoise,
    DataTable,
    Discrepancy,
    GaussianInferred,
    GaussianIntegrated,
    GaussianKnown,
    LogNormalNoise,
    NegativeBinomialNoise,
    NoiseModel,
    PoissonNoise,
    StudentTNoise,
    Together,
)
from .outputs import (
    CsvColumn,
    Extractor,
    JsonPath,
    LabelledNumber,
    LastNumber,
    MarkerOffset,
    NumberList,
    Output,
    RegexGroup,
    Region,
    RowsAfter,
    TableBlock,
)
from .parameters import (
    Parameter,
)
from .priors import (
    Beta,
    Exponential,
    Gamma,
    HalfCauchy,
    HalfNormal,
    InverseGamma,
    LogNormal,
    LogUniform,
    Normal,
    Prior,
    StudentT,
    TruncatedNormal,
    Uniform,
)
from .program import (
    ExtraFile,
    FailurePattern,
    FailureRules,
    Limits,
    NumberFormat,
    Simulator,
    TemplateFile,
)
from .record import (
    Record,
    Tagged,
)

__all__ = [
    "FORMAT_VERSION", "MAX_WORKERS", "MOST_STARTS", "ApproximateBayes", "Ar1Noise", "Beta", "CovarianceNoise", "CsvColumn",
    "DataTable", "Discrepancy", "Exponential", "ExtraFile", "Extractor", "FailurePattern", "FailureRules", "Gamma",
    "GaussianInferred", "GaussianIntegrated", "GaussianKnown", "HalfCauchy", "HalfNormal", "InverseBinomial", "InverseGamma",
    "JsonPath",
    "LabelledNumber", "LastNumber", "Limits", "LogLikelihoodOutput", "LogNormal", "LogNormalNoise",
    "LogPosteriorOutput", "LogUniform", "MarkerOffset", "Match", "Meaning", "MinusTwoLogLikelihood",
    "NegativeBinomialNoise", "NoiseModel", "Normal", "NumberFormat", "NumberList", "Output", "Parameter",
    "PoissonNoise", "Predictions", "Prior", "Problem", "Record", "RegexGroup", "Region", "RowsAfter", "Settings", "Simulator",
    "StudentT", "StudentTNoise", "SumOfSquares", "Summary", "SyntheticLikelihood", "TableBlock", "Tagged",
    "TemplateFile", "Together", "TruncatedNormal", "Uniform", "evaluation_noun", "free_parameters", "is_estimate",
    "is_noisy", "is_scattered", "runs_per_point", "told_apart",
]  # fmt: skip
