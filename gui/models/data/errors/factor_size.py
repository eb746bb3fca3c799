"""Errors that are factors, as people state them: factor 1.3, log-normal 0.07, sd of ln(tau) 0.07, 0.1 dex, 0.5 dB. Pure."""

from __future__ import annotations

import math
import re

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.error_headings import factor_in
from bayescope.engine.problem.data.errors.levels import factor_of_level
from bayescope.engine.problem.data.units.unit_scales import times
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.gui.models.plain import number_of, one_line, shown

LN10 = math.log(10.0)
SD_95 = 1.959964
_N = r"(?P<number>[0-9.,]+(?:[eE][-+]?[0-9]+)?)"
_LN = r"(?:ln|log[- ]?e|log(?!\s*-?normal|10)|natural\s+log(?:arithm)?)(?![^\W\d_])\.?\s*(?:\(?\s*[^\W\d]\w{0,20}\s*\)?)?"
_FACTOR = re.compile(
    rf"(?:log[- ]?normal\w*\W*)?(?:(?:with)?in\s+)?(?:an?\s+)?(?:factor|gsd|geom\w*\.?\s+(?:sd|std\w*|standard\s+deviation))\s*"
    rf"(?:of\s+|[:=]\s*)?{_N}|(?:\*/|×/÷|×÷|x/÷|x/|×/|times/divided\s+by)\s*{_N.replace('number', 'sign')}",
    re.IGNORECASE,
)
_LOG_NORMAL = re.compile(
    rf"log[- ]?normal(?:ly)?(?:\s+(?:errors?|scatter|noise|distributed|sd|sigma|with|of))*\s*[:=,(]?\s*(?:0\s*[,;]\s*)?{_N}\s*"
    rf"(?P<percent>%|per ?cent)?\s*\)?", re.IGNORECASE,
)  # fmt: skip
_OF_LN = re.compile(
    rf"(?:(?:sd|std|sigma|σ|scatter|error|uncertainty|standard\s+deviation|\s|_|-|of|in|the)*{_LN}\s*(?:[:=]|\bis\b)?\s*{_N}"
    rf"|{_N.replace('number', 'first')}\s*\(?\s*(?:(?:in|of)\s+)?(?:the\s+)?{_LN}(?:\s*units?)?\s*\)?)", re.IGNORECASE,
)  # fmt: skip
_LN_IN_WORDS = re.compile(rf"(?P<said>(?:\b(?:of|in)\s+|\bsigma[_\s]*)(?:the\s+)?{_LN}\s*(?:[:=]|\bis\b)?\s*{_N})", re.IGNORECASE)
_FACTOR_IN_WORDS = re.compile(
    rf"(?:^|\bwithin\s+|[:=,]\s*|\b(?:errors?|scatters?|uncertaint\w+|by|is|of)\s+)(?P<said>(?:an?\s+)?factor\s+(?:of\s+)?{_N})",
    re.IGNORECASE,
)
_LOG_NORMAL_IN_WORDS = re.compile(
    rf"(?P<said>log[- ]?normal(?:ly)?(?:\s+(?:errors?|scatter|noise|distributed|sd|sigma|with|of))*\s*[:=,(]?\s*{_N}\s*%?)",
    re.IGNORECASE,
)
_DEX = re.compile(rf"{_N}\s*dex", re.IGNORECASE)
_DECIBEL = re.compile(r"dB(?:\s*\(?\s*(?:[ABCZ]|SPL|HL|FS|[mWVuµi]{1,3}|re\b.*)\s*\)?)?")
_POWERS, _FIELDS = ("W", "J", "W/m^2", "W/Hz"), ("V", "A", "Pa", "m", "m/s", "m/s^2", "V/m", "T", "N")
LEVEL_95 = "It means &95 % (2 sd)"


def log_sd_of(text: str) -> tuple[float, bool] | None:
    """The standard deviation of the natural logarithm that ``text`` states, and whether it stands there as a percentage; None: it
    is no factor. Raises ValueError with words."""
    said = text.strip()
    if (factor := _FACTOR.fullmatch(said)) is not None:
        by = number_of(factor["number"] or factor["sign"], "The factor")
        if by <= 1.0:
            raise ValueError("A factor above 1 is needed: factor 1.3 means 30 % more, or divided by 1.3.")
        return _twelve(math.log(by)), False
    if (dex := _DEX.fullmatch(said)) is not None:
        return _above(number_of(dex["number"]) * LN10), False
    for way in (_LOG_NORMAL, _OF_LN):
        if (found := way.fullmatch(said)) is not None:
            percent = found.groupdict().get("percent")
            value = number_of(next(found[n] for n in ("number", "first") if n in found.groupdict() and found[n]))
            return _above(value / 100.0 if percent else value), bool(percent)
    return None


def stated_factor(words: str) -> float | None:
    """The standard deviation of the logarithm that a line of words about errors states: scatter of ln(tau): 0.07; errors: within
    a factor of 1.3; None: it states none."""
    for way in (_LN_IN_WORDS, _FACTOR_IN_WORDS, _LOG_NORMAL_IN_WORDS):
        if (found := way.search(words)) is not None:
            try:
                said = log_sd_of(found["said"].strip(" .,;)"))
            except ValueError:
                continue
            if said is not None:
                return said[0]
    return None


def factor_said(log_sd: float) -> str:
    """Such errors in a few words, for a sentence."""
    if log_sd <= 0.1:
        return f"about {spoken(100.0 * log_sd, 3)} % of what is predicted (log-normal, sd of the logarithm {spoken(log_sd)})"
    return f"a factor of {spoken(math.exp(log_sd), 3)} (log-normal, sd of the logarithm {spoken(log_sd, 4)})"


def is_decibel(unit: str) -> bool:
    """dB, dB(A), dBm: a level, which counts factors."""
    return _DECIBEL.fullmatch(unit.strip()) is not None


def decibels_in(number: float, unit: str) -> float | None:
    """Errors of a level as standard deviations of the natural logarithm of what is measured in ``unit``: a power has 10 dB for a
    factor of 10, an amplitude 20 (ISO 80000-1:2009, annex C); None: it is not known which it is."""
    powers = any(times(unit, one) is not None for one in _POWERS) if unit else False
    fields = any(times(unit, one) is not None for one in _FIELDS) if unit else False
    return _twelve(number * LN10 / (10.0 if powers else 20.0)) if powers != fields else None


def decibel_words(number: float, column: str) -> str:
    """What is asked of an error in decibels of a column that is no level, a sentence."""
    power, field = (spoken(10.0 ** (number / k), 4) for k in (10.0, 20.0))
    of = f"“{one_line(column, 30)}” is not in dB, and {shown(number)} dB are a factor"
    return f"{of}: of a power {power}, of an amplitude {field}. Write “factor {power}” or “factor {field}”."


def factor_text(log_sd: float) -> str:
    """The shorter one of “factor 1.3” and “log-normal 0.07”."""
    if log_sd > 20.0:
        return f"log-normal {shown(log_sd)}"
    factor, plain = f"{math.exp(log_sd):.9g}", shown(float(f"{log_sd:.9g}"))
    return f"factor {factor}" if len(factor) < len(plain) else f"log-normal {plain}"


def read_words(text: str, noise: d.NoiseModel | None) -> tuple[str, d.LogNormalNoise] | None:
    """How a factor typed without a level was read, a sentence, and the model where it holds 95 %; None: it was none."""
    level = factor_in(text) is not None or factor_of_level(text) is not None
    if level or not isinstance(noise, d.LogNormalNoise) or noise.log_sd is None or not _FACTOR.fullmatch(text.strip()):
        return None
    within = spoken(math.exp(SD_95 * noise.log_sd), 3)
    words = f"Read as one sd: 95 % within a factor of {within}."  # two lines in a narrow window
    return words, d.LogNormalNoise(log_sd=float(f"{noise.log_sd / SD_95:.6g}"))


def factor_words(noise: d.NoiseModel | None) -> str:
    """What the size of log-normal errors means as a factor, a sentence; '' for small ones, which are about a percentage."""
    if not isinstance(noise, d.LogNormalNoise) or noise.log_sd is None or not 0.1 < noise.log_sd < 20.0:
        return ""
    one, two = (spoken(math.exp(k * noise.log_sd), 3) for k in (1.0, SD_95))
    return f"A factor of {one} for one standard deviation; 95 % of the errors lie within a factor of {two}."


def _above(value: float) -> float:
    if value <= 0.0:
        raise ValueError("The sd of the logarithm must be greater than zero.")
    return _twelve(value)


def _twelve(value: float) -> float:
    return float(f"{value:.12g}")
