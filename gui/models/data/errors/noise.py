"""The models of the measurement errors, as the window offers them: one plain line each, and their fields."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.gui.models.data.errors.rough_size import rough_size, with_rough_size
from bayescope.gui.models.fields import Field

_PARAMETER = Field(
    "parameter",
    "Learned as the parameter",
    "This parameter needs no place in the simulator's input.",
    "optional_parameter",
)
_PERCENT = Field(
    "percent",
    "Plus",
    "Added to the size above: an accuracy of 0.01 + 3 % is 0.01 there and 3 here. With no size above it is all of the error.",
    "optional_positive",
    "% of each measured value",
    placeholder="none",
    percent="number",
)


NOTHING_JOINED = "Only one part of the errors is given: with a percentage under “Plus” the two are taken together so."
TOGETHER = Field(
    "together",
    "Taken together",
    "As the data sheet says. In quadrature: the root of the sum of their squares, for parts that are independent of each other. "
    "The larger: 5 % of each measured value, but at least 0.2.",
    "choice",
    choices=(("sum", "Added"), ("quadrature", "In quadrature"), ("larger", "The larger of the two")),
)


@dataclass(frozen=True)
class NoiseKind:
    """``shown``: the record whose fields the form shows, where it is not the model; ``taken``: the model with that record."""

    kind: type[Any]
    title: str
    words: str
    first: d.NoiseModel
    fields: tuple[Field, ...] = ()
    shown: Callable[[Any], msgspec.Struct] = lambda noise: noise
    taken: Callable[[Any, Any], d.NoiseModel] = lambda noise, record: record

    @property
    def tag(self) -> str:
        return str(self.kind.__struct_config__.tag)


def added_words(noise: d.NoiseModel | None, first: tuple[float, float] | None = None) -> str:
    """Of what the percentage is, and that a size is added to it, with an example, a sentence; '' where there is none. ``first``:
    a measured value and the size that a column has for it."""
    if not isinstance(noise, d.GaussianKnown | d.StudentTNoise):
        return ""
    if noise.percent is None:
        return NOTHING_JOINED if noise.together != "sum" else ""
    known = isinstance(noise, d.GaussianKnown)
    size, column = (noise.sd, noise.sd_column) if known else (noise.scale, noise.scale_column)  # type: ignore[union-attr]
    what, share = "sd" if known else "scale", f"{spoken(noise.percent)} % of each measured value"
    if noise.together == "larger":
        if column is None and size is None:
            return ""
        one = spoken(size) if column is None else "that of the column"
        of = f": {spoken(max(size, noise.percent))} for a value of 100" if column is None and size is not None else ""
        of = f": {spoken(_total(noise, first))} for the first value" if column is not None and first is not None else of
        return f"{what} = the larger of {one} and {share}{of}."
    quadrature = noise.together == "quadrature"
    how = "taken in quadrature" if quadrature else "added"
    if column is not None:
        own = "" if first is None else f"{spoken(first[0])} ± {spoken(first[1])}"
        total = "" if first is None else f": {spoken(_total(noise, first))} for the first value, {own}"
        return f"{what} = that of the column + {share}; the two are {how}{total}."
    if size is None:
        return f"{what} = {share}."
    both = math.hypot(size, noise.percent) if quadrature else size + noise.percent
    return f"{what} = {spoken(size)} + {share}; the two are {how}: {spoken(both)} for a value of 100."


def _total(noise: d.GaussianKnown | d.StudentTNoise, first: tuple[float, float]) -> float:
    share = abs(first[0]) * (noise.percent or 0.0) / 100.0
    if noise.together == "larger":
        return max(first[1], share)
    return math.hypot(first[1], share) if noise.together == "quadrature" else first[1] + share


NOISES: tuple[NoiseKind, ...] = (
    NoiseKind(
        d.GaussianKnown,
        "Normal, size known",
        "Errors are normal, and you know how large they are: one number for all points, a column of the data, a percentage of "
        "each measured value, or a size plus a percentage, as data sheets say. "
        "A row of the table that holds them becomes such columns: right-click it on the tab Table.",
        d.GaussianKnown(),
        (
            Field(
                "sd",
                "Standard deviation",
                "One for all points, in the unit of the data. 3 % (of each measured value), 0.01 + 3 %, 1 cm + 3 % and "
                "5 %, at least 0.2 can be typed too; and 3 % of the predicted value or factor 1.3, which make them log-normal.",
                "optional_number",
                placeholder="0.01, or 0.01 + 3 %",
                percent="of each value",
            ),
            Field(
                "sd_column",
                "Or from the column",
                "A data column with each point's standard deviation.",
                "optional_data_column",
            ),
            _PERCENT,
            TOGETHER,
        ),
    ),
    NoiseKind(
        d.GaussianInferred,
        "Normal, size to be learned",
        "Errors are normal; how large they are is one more unknown: a parameter, which you choose or make here.",
        d.GaussianInferred(parameter=""),
        (
            Field(
                "parameter",
                "Standard deviation is the parameter",
                "It needs no place in the simulator's input.",
                "parameter",
            ),
        ),
    ),
    NoiseKind(
        d.GaussianIntegrated,
        "Normal, size unknown and averaged over",
        "Errors are normal; you only know roughly how large. All sizes are averaged, so no extra parameter is needed.",
        d.GaussianIntegrated(shape=3.0, scale=3.0),
        (
            Field("about", "Standard deviation, about", "Your guess, in the unit of the data.", "positive", percent="too many"),
            Field(
                "after",
                "As sure as after",
                "How far you trust the guess: 6 measurements is vague, 60 is sure.",
                "positive",
                "repeated measurements",
            ),
            Field(
                "per_point",
                "Some points may be measured worse than others",
                "On: each point has errors of its own size, so outliers do little harm. Off: one size for all points.",
                "flag",
            ),
        ),
        rough_size,
        with_rough_size,
    ),
    NoiseKind(
        d.StudentTNoise,
        "Student t (tolerates outliers)",
        "Like normal errors, but a few points may be far off without spoiling the result.",
        d.StudentTNoise(dof=4.0, scale=1.0),
        (
            Field(
                "dof",
                "Degrees of freedom",
                "Small (3 to 5): outliers are common. Above 30: as good as normal.",
                "number",
            ),
            Field(
                "scale", "Scale", "One for all points, in the unit of the data; or 0.01 + 3 %.", "optional_number",
                percent="of each value",
            ),
            Field(
                "scale_column", "Or from the column", "A data column with each point's scale.", "optional_data_column"
            ),
            _PERCENT,
            TOGETHER,
            _PARAMETER,
        ),
    ),
    NoiseKind(
        d.LogNormalNoise,
        "Log-normal (errors in per cent)",
        "Errors are factors: 0.1 means about 10 % of the predicted value. Measured and computed values must be positive.",
        d.LogNormalNoise(log_sd=0.1),
        (
            Field(
                "log_sd", "Sd of the natural logarithm",
                "0.1 means about 10 % of the predicted value. 7 % and factor 1.3 can be typed too.",
                "optional_number", percent="share",
            ),
            _PARAMETER,
        ),
    ),
    NoiseKind(
        d.PoissonNoise,
        "Counts (Poisson)",
        "The data are counts; the program computes the expected count.",
        d.PoissonNoise(),
    ),
    NoiseKind(
        d.NegativeBinomialNoise,
        "Counts that scatter more (negative binomial)",
        "The data are counts that scatter more than Poisson: variance = mean + mean² / size.",
        d.NegativeBinomialNoise(size=10.0),
        (Field("size", "Size", "Large: as good as Poisson.", "optional_number"), _PARAMETER),
    ),
    NoiseKind(
        d.Ar1Noise,
        "Normal, neighbours alike (AR(1))",
        "Errors of neighbouring rows resemble each other, as in drifting instruments or time series.",
        d.Ar1Noise(sd=1.0, rho=0.5),
        (
            Field(
                "sd", "Standard deviation", "A number, or the name of a parameter.", "number_or_parameter", percent="too many"
            ),
            Field(
                "rho",
                "Correlation of neighbours",
                "Between −1 and 1; a number, or the name of a parameter.",
                "number_or_parameter",
            ),
        ),
    ),
    NoiseKind(
        d.CovarianceNoise,
        "Normal with a full covariance matrix",
        "You have the covariance of all errors as a square table in a file.",
        d.CovarianceNoise(matrix=()),
    ),
)


def kind_of(noise: d.NoiseModel) -> NoiseKind:
    return next(k for k in NOISES if isinstance(noise, k.kind))


def given_words(noise: d.NoiseModel, agreed: Collection[str] = ()) -> tuple[str, bool]:
    """What is to be said of the size of the errors where nothing is missing, and whether it is only a guess: a number that the
    form was filled with, unless what is said of it is ``agreed``."""
    kind = kind_of(noise)
    if (learned := getattr(noise, "parameter", None)) is not None:
        return (f"The size of the errors is learned: {learned}.", False) if learned else ("", False)  # asked for at its field
    if isinstance(noise, d.GaussianIntegrated):
        return "The size of the errors is averaged over.", False
    if isinstance(noise, d.PoissonNoise):
        return "The counts say how large their errors are.", False
    if noise == kind.first and not isinstance(noise, d.GaussianKnown | d.GaussianInferred | d.CovarianceNoise):
        filled = [(f.label, getattr(noise, f.name)) for f in kind.fields if isinstance(getattr(noise, f.name, None), float)]
        named = " and ".join(f"{label} {spoken(value)}" for label, value in filled)
        learn = " or let it be learned" if any(f is _PARAMETER for f in kind.fields) else ""
        words = f"{named} {'is' if len(filled) == 1 else 'are'} a guess: type what you know{learn}."
        if words not in agreed:
            return words, True
    return "The size of the errors is given.", False


def takes_column(noise: d.NoiseModel) -> bool:
    """Whether each point can have its own size, from a column of the data."""
    return any(field.kind == "optional_data_column" for field in kind_of(noise).fields)
