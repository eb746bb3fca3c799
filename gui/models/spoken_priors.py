"""Priors as people say them: 160 */ 2, "160, factor 2 (95 %)", "0.5 to 3, 90 %": typical values, factors and intervals. Pure."""

from __future__ import annotations

import math
import re
from statistics import NormalDist

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.priors import MOST_LOG
from bayescope.gui.models.plain import number_of, shown
from bayescope.gui.models.worded_priors import says_log_normal, worded_log_normal

_SHARE = re.compile(
    r"[,;]?\s*\(?\s*([0-9]{2}(?:\.[0-9]+)?)\s*%\s*(?:interval|sure|ci|chance|probability)?\s*\)?\s*$", re.IGNORECASE
)
_FACTOR = re.compile(
    r"(?P<middle>\S+?)\s*(?:\*/|×/÷|×÷|x/÷|x/|×/|[,;]?\s*(?:\bwithin\s+a\s+|\bup\s+to\s+a\s+|\ba\s+)?\bfactor(?:\s+of)?\b"
    r"|\btimes/divided by\b)\s*"
    r"(?P<factor>\S+)",
    re.IGNORECASE,
)
_ENDS = re.compile(r"(?:between\s+|from\s+)?(?P<low>\S+?)\s*(?:\s(?:to|and|–|-)\s|\.\.\.?|…|–)\s*(?P<high>\S+)", re.IGNORECASE)
MOST_SHARE = 99.99  # percent within an interval
WIDE = 3.0  # the larger end over the smaller one, from which on factors matter rather than differences


def spoken_prior(text: str, present: type | None, named: bool = True) -> d.Prior | None:
    """A log-normal prior of a typical value and a factor (of one standard deviation, unless a percentage stands behind), or a
    normal or log-normal one of an interval with so much in it; None: nothing of the kind. ``present``: the family that is meant,
    where that is said (``named``), or the one that there is. Raises ValueError with words."""
    free = present in (None, d.LogNormal) or (not named and says_log_normal(text))
    worded = free and (named or says_log_normal(text))
    if worded and (found := worded_log_normal(text, 1.0)) is not None:
        return _log_normal(*found)
    share = _SHARE.search(text)
    sds, bare = 1.0, text.strip()
    if share is not None:
        percent = float(share[1])
        if not 0.0 < percent < MOST_SHARE:
            raise ValueError(f"{share[1]} % of a prior cannot lie within limits. Write for example 0.5 to 3, 90 %.")
        sds, bare = NormalDist().inv_cdf(0.5 + percent / 200.0), text[: share.start()].strip()
    if worded and (found := worded_log_normal(bare, sds)) is not None:
        return _log_normal(*found)
    if (said := _FACTOR.fullmatch(bare)) is not None and free:
        try:
            middle, factor = number_of(said["middle"].rstrip(",;")), number_of(said["factor"])
        except ValueError:
            return None
        if middle <= 0.0 or factor <= 1.0:
            raise ValueError("A typical value above 0 and a factor above 1 are needed, such as 160 */ 2.")
        return _log_normal(math.log(middle), math.log(factor) / sds)
    if share is None or (ends := _ENDS.fullmatch(bare)) is None:
        return None
    try:
        low, high = sorted((number_of(ends["low"]), number_of(ends["high"])))
    except ValueError:
        return None
    if low == high:
        raise ValueError("Two different numbers are needed, such as 0.5 to 3, 90 %.")
    if present is d.LogNormal or (present is None and low > 0.0 and high / low > WIDE):
        if low <= 0.0:
            raise ValueError("Log-normal: both ends must be above 0.")
        return _log_normal((math.log(low) + math.log(high)) / 2, (math.log(high) - math.log(low)) / (2 * sds))
    if present in (None, d.Normal):
        return d.Normal(mean=_round((low + high) / 2), sd=_round((high - low) / (2 * sds)))
    return None


def log_normal_words(prior: d.LogNormal, digits: int) -> str:
    """``log-normal, median 0.11, factor 1.4``: the factor of one standard deviation; '' beyond the numbers that a float holds, or
    where so many digits do not tell the factor from 1."""
    if max(abs(prior.log_mean), abs(prior.log_sd)) > MOST_LOG:
        return ""
    median, factor = (shown(float(f"{math.exp(v):.{digits}g}")) for v in (prior.log_mean, prior.log_sd))
    return f"log-normal, median {median}, factor {factor}" if float(factor) > 1.0 else ""


def median_of(prior: d.LogNormal) -> float:
    """Half of the prior lies below it; infinite beyond the numbers a computer can hold."""
    try:
        return _round(math.exp(prior.log_mean))
    except OverflowError:
        return math.inf


def with_median(prior: d.LogNormal, text: str) -> d.LogNormal:
    """``prior`` around the median that ``text`` says. Raises ValueError with words."""
    median = number_of(text)
    if not 0.0 < median < math.inf:
        raise ValueError("A median above 0 is needed.")
    return _log_normal(math.log(median), prior.log_sd)


def log_normal_over(low: float, high: float) -> d.LogNormal:
    """With about 95 % within these; a lower end at or below 0 says nothing: then about the middle, within a factor of about 3."""
    if low > 0.0:
        return _log_normal((math.log(low) + math.log(high)) / 2, max(math.log(high / low), 1e-3) / 4)
    middle = (low + high) / 2
    return _log_normal(math.log(middle if middle > 0.0 else max(high, 1.0)), 0.5)


def _log_normal(log_mean: float, log_sd: float) -> d.LogNormal:
    return d.LogNormal(log_mean=_round(log_mean), log_sd=_round(log_sd))


def _round(value: float) -> float:
    return float(f"{value:.6g}")
