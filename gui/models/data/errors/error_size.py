"""The size of errors as people state it: a number, a percentage of each measured value, or both: 0.01 + 3 %, 1 cm + 3 %. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.check_noise import check_noise
from bayescope.engine.problem.checks.check_percent import measured_sizes, size_to_add
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.engine.problem.data.units.unit_scales import of_other_kind, times
from bayescope.engine.problem.findings import Finding, Findings
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.gui.models.data.errors.carried_size import MOST_PERCENT
from bayescope.gui.models.data.errors.expanded_size import typed_uncertainty
from bayescope.gui.models.data.errors.factor_size import (
    decibel_words,
    decibels_in,
    factor_said,
    factor_text,
    is_decibel,
    log_sd_of,
)
from bayescope.gui.models.plain import number_of, one_line, shown

EXAMPLE = (
    "Write a number, a percentage of each measured value, or both: 0.01 + 3 %, 0.01 + 3 % in quadrature, or 3 %, at least 0.01."
)
_PERCENT = re.compile(r"(?P<number>.+?)\s*(?:[%％]|per ?cent\b|pct\b\.?)(?:\s*(?:of|v\.?|von)\s(?P<whole>.*))?", re.IGNORECASE)
_PREDICTED = re.compile(r"\b(?:predict|comput|calculat|simulat|model|true\b|vorhergesagt|berechnet|simuliert)", re.IGNORECASE)
_WITH_UNIT = re.compile(r"(?P<number>[-+]?[0-9.,]+(?:[eE][-+]?[0-9]+)?)\s*(?P<unit>°|°?[^\W\d_].*)")
_PLUS = re.compile(r"(?<![eEdD])\+|\bplus\b|\band\b|\bund\b|&|⊕|\(\+\)")
_QUADRATURE = re.compile(
    r"[,;]?\s*\(?\s*(?:(?:added|combined|summed|taken|both)\s+)*"
    r"(?:in\s+quadrature|quadratically|quadrature|rss|root[- ]sum[- ](?:of[- ])?squares?)\s*\)?",
    re.IGNORECASE,
)
_NORMAL = re.compile(
    r"^(?:(?:normal|gauss(?:ian)?|n)(?![^\W\d_])(?:\s+(?:errors?|noise|scatter|with|of))*\s*[:,(]?\s*(?:0\s*[,;]\s*)?)?"
    r"(?:(?:about|around|roughly|approx\.?|approximately|typically|ca\.?|~|≈|errors?|scatter|noise|sd|std|stdev|sigma|σ"
    r"|standard\s+deviation)(?![^\W\d_])\s*(?:of\s+|[:=]\s*)?)*(?:±|\+/?-)?\s*(?=[\d.,])",
    re.IGNORECASE,
)
_ONE_SD = re.compile(r"(?<=[\d%\w])\s*(?:\(?\s*(?:rms|r\.m\.s\.|std|1\s*(?:sd|σ|sigma))\s*\)?|or\s+so)\s*$", re.IGNORECASE)
QUADRATURE = "in quadrature"
OF_SIZE = "a number, a percentage or both, such as 0.5, 3 %, 0.01 + 3 % or 3 %, at least 0.01"
AT_LEAST = "at least"
_LEAST = re.compile(
    r"[,;(]?\s*(?:\b(?:but|and|yet|with|jedoch|aber|und|mit|mais)\s+)*"
    r"\b(?:at\s+least|(?:not?|never)\s+(?:less|smaller|lower|better|below|under)(?:\s+than)?"
    r"|(?:an?\s+)?minimum(?:\s+of)?|min\b\.?|mindestens|wenigstens|minimal|nicht\s+(?:unter|weniger\s+als)|au\s+moins)\s*:?\s*(?P<rest>[^)]*)\)?$",
    re.IGNORECASE,
)
_LARGER_OF = re.compile(
    r"(?:(?:the\s+)?(?:larger|greater|bigger|maximum)\s+of|max)\s*(?:\(|\b)(?P<both>[^()]*)\)?"
    r"|(?P<either>.*?)[,;(]?\s*which\s?ever\s+is\s+(?:the\s+)?(?:larger|greater|bigger|more)\)?",
    re.IGNORECASE,
)
_OR = re.compile(r",\s|;|\bor\b|\bof\s+reading\s+or\b|\boder\b", re.IGNORECASE)
_DEGREES = {"k", "°c", "degc", "deg c", "celsius", "kelvin", "kelvins", "degrees celsius"}  # as differences all the same
ALONE = "8 % of the predicted value"
ADDED = "Add a size to the percentage"
FEWER = 3.0  # proposals that differ by less are one for all


class ErrorSize(msgspec.Struct, frozen=True):
    """``number`` in ``unit`` ('': that of the data) plus ``percent`` of each value; at least one of the two. ``together``: how
    both are taken as one. ``of_predicted``: the percentage is of each predicted value, and there is no number. ``log_sd``: the
    standard deviation of the natural logarithm, of errors that are factors; there is nothing else then."""

    number: float | None = None
    percent: float | None = None
    unit: str = ""
    together: d.Together = "sum"
    of_predicted: bool = False
    log_sd: float | None = None

    @property
    def plain(self) -> bool:
        """Whether it is nothing but a number in the unit of the data."""
        return self.percent is None and not self.unit and self.log_sd is None

    def divided(self, by: Callable[[float], float]) -> ErrorSize:
        """With every part as ``by`` makes it."""
        parts = ((name, getattr(self, name)) for name in ("number", "percent", "log_sd"))
        return msgspec.structs.replace(self, **{name: by(part) for name, part in parts if part is not None})


def error_size_of(text: str, what: str = "") -> ErrorSize | None:
    """None: nothing is written. Raises ValueError with words for a person."""
    cleaned = _plain(re.sub(r"^(?:±|\+/?-|\+)\s*", "", text.strip()))
    if not cleaned:
        return None
    if (factor := log_sd_of(cleaned)) is not None:
        log_sd, percent = factor
        small = percent and log_sd <= MOST_PERCENT / 100.0
        return ErrorSize(percent=float(f"{100.0 * log_sd:.12g}"), of_predicted=True) if small else ErrorSize(log_sd=log_sd)
    expanded = typed_uncertainty(cleaned)
    if expanded.size != cleaned:
        size = error_size_of(expanded.size, what)
        return None if size is None else size.divided(expanded.divided)
    if (parts := _larger_of(cleaned)) is not None:
        size = ErrorSize()
        for part in parts:
            size = _with(size, part, text, what)
        both = size.number is not None and size.percent is not None
        return msgspec.structs.replace(size, together="larger") if both else size
    size, found = ErrorSize(), _QUADRATURE.search(cleaned)
    for part in _PLUS.split(_QUADRATURE.sub("", cleaned) if found else cleaned):
        size = _with(size, part.strip(), text, what)
    both = size.number is not None and size.percent is not None
    quadrature = both and (found is not None or "⊕" in cleaned or "(+)" in cleaned)
    return msgspec.structs.replace(size, together="quadrature") if quadrature else size


def _plain(text: str) -> str:
    """``text`` without words that say no more than that it is a standard deviation of normal errors: sd 0.2, about 0.2."""
    bare = _NORMAL.sub("", _ONE_SD.sub("", text))
    return bare.rstrip(" )") if bare.count(")") > bare.count("(") else bare


def _larger_of(text: str) -> list[str] | None:
    """The two of which the larger is meant: 5 %, at least 0.2; None: nothing says so."""
    if (least := _LEAST.search(text)) is not None and text[: least.start()].strip():
        return [text[: least.start()].strip(), least["rest"].strip()]
    if (larger := _LARGER_OF.fullmatch(text)) is not None:
        both = larger["both"] if larger["both"] is not None else larger["either"]
        parts = (_PLUS if _PLUS.search(both) else _OR).split(both, maxsplit=1)
        return [re.sub(r"^(?:±|\+/?-)\s*", "", part.strip()) for part in parts]
    return None


def _with(size: ErrorSize, part: str, text: str, what: str) -> ErrorSize:
    share = _PERCENT.fullmatch(part)
    twice = f"“{one_line(text.strip(), 40)}” has two {{}}. {EXAMPLE}"
    if share is not None:
        if size.percent is not None:
            raise ValueError(twice.format("percentages"))
        of_predicted = share["whole"] is not None and _PREDICTED.search(share["whole"]) is not None
        if of_predicted and part.strip() != re.sub(r"^(?:±|\+/?-|\+)\s*", "", text.strip()):
            raise ValueError(f"A percentage of the predicted value is all of the error: {ALONE}.")
        return msgspec.structs.replace(size, percent=_above_zero(share["number"], what), of_predicted=of_predicted)
    if size.number is not None:
        raise ValueError(twice.format("sizes"))
    with_unit = _WITH_UNIT.fullmatch(part)
    if with_unit is not None and (is_decibel(with_unit["unit"]) or _scale(with_unit["unit"], with_unit["unit"]) is not None):
        return msgspec.structs.replace(size, number=_above_zero(with_unit["number"], what), unit=with_unit["unit"].strip())
    return msgspec.structs.replace(size, number=_above_zero(part, what))


def _scale(unit: str, other: str) -> float | None:
    """As ``times``, of a size: a kelvin is a degree Celsius then."""
    degrees = {unit.strip().casefold(), other.strip().casefold()} <= _DEGREES
    return 1.0 if degrees else times(unit, other)


def _above_zero(text: str, what: str) -> float:
    try:
        value = number_of(text, what)
    except ValueError as error:
        raise ValueError(str(error).replace("a number such as 0.5 or 1e-3", OF_SIZE)) from None
    if value <= 0.0:
        raise ValueError(f"{what or 'The size of errors'} must be greater than zero.")
    return value


def beside_percentage(size: ErrorSize, record: object) -> ErrorSize:
    """``size`` typed over the number of a record (noise model or summary) that has a percentage in a field of its own: this stays
    where only the number was typed again, in whatever unit."""
    percent = getattr(record, "percent", None) or getattr(record, "error_percent", None)
    if size.percent is not None or percent is None or size.log_sd is not None:
        return size
    together = getattr(record, "together", getattr(record, "error_together", "sum"))
    return msgspec.structs.replace(size, percent=percent, together=together)


def text_of_size(size: ErrorSize | None) -> str:
    if size is None:
        return ""
    if size.log_sd is not None:
        return factor_text(size.log_sd)
    if size.of_predicted:
        return f"{shown(size.percent)} % of the predicted value"
    number = f"{shown(size.number)} {size.unit}".strip() if size.number is not None else ""
    if size.together == "larger" and size.percent is not None:
        return f"{shown(size.percent)} %, {AT_LEAST} {number}"
    both = " + ".join(p for p in (number, f"{shown(size.percent)} %" if size.percent is not None else "") if p)
    return f"{both} {QUADRATURE}" if size.together == "quadrature" else both


def said_of_size(size: ErrorSize, column: str = "") -> str:
    """The same for a sentence: errors that are factors in words, as decibels are of a ``column`` that is no level."""
    if is_decibel(size.unit) and size.number is not None and (log_sd := decibels_in(size.number, unit_in(column))) is not None:
        return f"{text_of_size(size)}, which is {factor_said(log_sd)}"
    return text_of_size(size) if size.log_sd is None else factor_said(size.log_sd)


def unit_words(unit: str, other: str) -> str:
    """What is said of a column in ``unit`` ('': it says none) in which ``other`` cannot be counted."""
    if not unit:
        return "does not say its unit"
    return f"is in {unit}, a unit of another kind" if of_other_kind(unit, other) else f"is in {unit}"


def in_unit_of(size: ErrorSize, column: str) -> ErrorSize:
    """``size`` in the unit that the name of a data column says. Raises ValueError with words where it says none that fits."""
    if not size.unit or size.number is None:
        return size
    unit = unit_in(column)
    if is_decibel(size.unit):
        if is_decibel(unit):
            return msgspec.structs.replace(size, unit="")
        if size.percent is not None or (log_sd := decibels_in(size.number, unit)) is None:
            raise ValueError(decibel_words(size.number, column))
        return ErrorSize(log_sd=log_sd)
    factor = _scale(size.unit, unit) if unit else None
    if factor is None:
        has = unit_words(unit, size.unit)
        raise ValueError(f"“{one_line(column, 30)}” {has}, so {size.unit} cannot be counted in it. Write the number alone.")
    return ErrorSize(float(f"{size.number * factor:.12g}"), size.percent, "", size.together)


def unit_taken_for_said(problem: d.Problem, size: ErrorSize) -> tuple[ErrorSize, bool]:
    """``size`` without its unit where no column that is compared says one, and whether it had one."""
    matches = problem.meaning.matches if isinstance(problem.meaning, d.Predictions) else ()
    columns = [match.column for match in matches if match.column]
    if not size.unit or not columns or any(unit_in(column) for column in columns):
        return size, False
    return msgspec.structs.replace(size, unit=""), True


def size_of(noise: d.NoiseModel | None) -> ErrorSize | None:
    """The size that a model of known errors states by a number, a percentage or both."""
    if not isinstance(noise, d.GaussianKnown) or (noise.sd is None and noise.percent is None):
        return None
    return ErrorSize(noise.sd, noise.percent, "", noise.together)


def with_size(problem: d.Problem, size: ErrorSize, row: int = -1) -> d.Problem:
    """``problem`` with errors of that size for the comparison ``row``; -1: for all with the common errors, each in the unit of
    its own column if the size has one. Raises ValueError with words where a unit does not fit."""
    meaning = problem.meaning
    if not isinstance(meaning, d.Predictions):
        return problem
    matches = list(meaning.matches)
    rows = [row] if row >= 0 else [i for i, m in enumerate(matches) if m.noise is None and m.sd_column is None and m.column]
    sizes = {i: in_unit_of(size, matches[i].column) for i in rows}
    if row < 0 and len(set(sizes.values())) <= 1:
        if size.unit and not sizes:
            raise ValueError(f"Write the number without {size.unit}: no column is compared yet that says its unit.")
        one = next(iter(sizes.values()), size)
        return _replaced(problem, noise=_sized(meaning.noise, one))
    for i, own in sizes.items():
        matches[i] = msgspec.structs.replace(matches[i], noise=_sized(matches[i].noise or meaning.noise, own), sd_column=None)
    return _replaced(problem, matches=tuple(matches))


def with_sizes(problem: d.Problem, sizes: Mapping[str, ErrorSize]) -> d.Problem:
    """``problem`` with the errors ``sizes`` of its measured columns; as common errors where all columns have one and the same.

    Raises ValueError with words where a unit does not fit.
    """
    matches = problem.meaning.matches if isinstance(problem.meaning, d.Predictions) else ()
    rows = {i: sizes[m.column] for i, m in enumerate(matches) if m.column in sizes and m.noise is None and m.sd_column is None}
    if len({in_unit_of(size, matches[i].column) for i, size in rows.items()}) == 1 and len(rows) == len(matches):
        return with_size(problem, next(iter(rows.values())))
    for i, size in rows.items():
        problem = with_size(problem, size, i)
    return problem


def errors_of(size: ErrorSize) -> d.NoiseModel:
    """Normal errors of that size; log-normal ones of a percentage of the predicted value. Raises ValueError with words."""
    if size.log_sd is not None:
        return d.LogNormalNoise(log_sd=size.log_sd)
    if not size.of_predicted:
        return d.GaussianKnown(sd=size.number, percent=size.percent, together=size.together)
    percent = size.percent or 0.0
    if percent > MOST_PERCENT:
        most = f"Errors of the predicted value are of {MOST_PERCENT:g} % at most."
        raise ValueError(f"{most} Choose log-normal errors for larger ones.")
    return d.LogNormalNoise(log_sd=float(f"{percent / 100.0:.12g}"))


def _sized(noise: d.NoiseModel, size: ErrorSize) -> d.NoiseModel:
    if size.of_predicted or size.log_sd is not None:
        return errors_of(size)
    if isinstance(noise, d.StudentTNoise):
        scale = {"scale": size.number, "percent": size.percent, "together": size.together}
        return msgspec.structs.replace(noise, scale_column=None, parameter=None, **scale)
    return errors_of(size)


def _replaced(problem: d.Problem, **changes: object) -> d.Problem:
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(problem.meaning, **changes))


def percent_alone(problem: d.Problem) -> Finding | None:
    """The first finding that a percentage alone is no fit error of all measured values."""
    if not isinstance(problem.meaning, d.Predictions):
        return None
    found = Findings()
    check_noise(found, problem.meaning, problem)
    return next((f for f in found.found if f.where.endswith(".percent")), None)


def with_proposed_sizes(problem: d.Problem) -> tuple[d.Problem, str] | None:
    """``problem`` with a size added to percentages that would make some values nearly exact, and what is added: “0.01”; None:
    there are no such."""
    meaning, data = problem.meaning, problem.data
    if not isinstance(meaning, d.Predictions) or data is None:
        return None
    found = dict[int, float]()
    for i, match in enumerate(meaning.matches):
        noise = match.noise or meaning.noise
        percent = getattr(noise, "percent", None)
        stated = [getattr(noise, name, None) for name in ("sd", "sd_column", "scale", "scale_column", "parameter")]
        if match.sd_column is None and percent is not None and not any(v is not None for v in stated):
            measured = measured_sizes(match, data)[1]
            if len(measured) and (size := size_to_add(measured, percent)) is not None:
                found[i] = size
    if not found:
        return None
    common = [i for i in found if meaning.matches[i].noise is None]
    one = len(common) == len(found) and max(found.values()) < FEWER * min(found.values())
    said = " and ".join(dict.fromkeys(spoken(v) for v in ([min(found.values())] if one else found.values())))
    if one:
        return with_size(problem, ErrorSize(min(found.values()), getattr(meaning.noise, "percent", None))), said
    for i, size in found.items():
        percent = getattr(meaning.matches[i].noise or meaning.noise, "percent", None)
        problem = with_size(problem, ErrorSize(size, percent), i)
    return problem, said
