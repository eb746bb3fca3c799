"""Priors in everyday words: "22 +- 6, not under 5 nor over 45", "4 to 20, evenly", "3 to 7, most likely 5". Pure."""

from __future__ import annotations

import math
import re
from statistics import NormalDist

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.levels import factor_of_level
from bayescope.engine.problem.data.errors.stated_level import without_level
from bayescope.gui.models.plain import number_of, one_line, shown

NOT_YET = "is not a prior yet"
WITHIN_95 = NormalDist().inv_cdf(0.975)
_N = r"[-+−]?(?:[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+)(?:[eE][-+−]?[0-9]+)?"
_ABOUT = r"(?:about|around|roughly|approximately|approx\.?|circa|ca\.?|near(?:ly)?|some|say|maybe|perhaps|probably|likely|~|≈)"
HEDGE = re.compile(
    rf"^\s*(?:(?:somewhere|something|typically|usually|it\s+is|it's)\s+)?(?:like\s+)?(?:{_ABOUT}\s*)*", re.IGNORECASE
)
_BEHIND = re.compile(r"[,;]?\s*\b(?:or\s+so|probably|maybe|i\s+think|more\s+or\s+less)\s*\.?$", re.IGNORECASE)
_SIGN = re.compile(
    r"\s*[,;]?\s*(?:give\s+or\s+take|(?:with\s+an?\s+)?(?:error|uncertainty)\s+of|plus\s*(?:/|-|\s|or|and)*\s*minus)\s*"
    r"(?:about\s+|around\s+|roughly\s+)?",
    re.IGNORECASE,
)
_SD = re.compile(
    rf"^(?:mean\s*[=:]?\s*)?(?P<middle>{_N})\s*[,;]?\s*\(?\s*(?:with\s+)?(?:an?\s+)?"
    rf"(?:s\.?d\.?|sigma|σ|std\.?(?:\s*dev\.?)?|standard\s+deviation)\s*(?:of\s+|[=:]\s*)?(?P<sd>{_N}\s*%?)\s*\)?$",
    re.IGNORECASE,
)
_POSITIVE = re.compile(r"^(?:positive|non-?negative)\b\s*[,;:]?\s*(?:and\s+)?(?P<rest>.*\d.*)$", re.IGNORECASE)
_WITHIN = re.compile(
    rf"^(?P<middle>{_N})\s*[,;]?\s*(?:to\s+)?(?:with)?in\s+(?:about\s+)?(?P<percent>{_N})\s*(?:%|per ?cent)$", re.IGNORECASE
)
_FACTOR_OF = re.compile(
    rf"^(?:with)?in\s+(?:an?\s+)?factor\s+(?:of\s+)?(?P<factor>{_N})\s+(?:of|around|about|from)\s+(?P<middle>{_N})$",
    re.IGNORECASE,
)
_SIGNED = re.compile(r"±|\+/-|\+-")
_LEVELLED = re.compile(
    r"(?P<normal>.*?(?:±|\+/-|\+-)\s*[^\s,;()]+(?:\s*%)?)\s*[,;(]?\s*(?P<level>[0-9.,]+\s*%|[123]\s*"
    r"(?:s\.?d\.?s?|sigmas?|σ|std\.?(?:\s*dev\.?)?|standard\s+(?:deviation|error)s?|s)(?!\w)|k\s*=\s*[0-9.]+)"
    r"(?:\s*(?:confidence|credible|probability|interval|limits?|level|ci|c\.i\.)(?!\w))*\s*\)?(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_TO = r"\s*(?:to|and|–|—|-|\.\.\.?|…|,|;|until|up\s+to)\s*"
_ENDS = rf"(?:(?:with)?in\s+|between\s+|from\s+|range\s*[=:]?\s*)*[\[(]?\s*(?P<low>{_N}){_TO}(?P<high>{_N})\s*[\])]?"
_PEAK = (
    r"(?:(?:but\s+)?(?:the\s+)?(?:most\s+likely|most\s+probabl[ey]|mostly|likeliest|probably|best\s+guess|mode"
    r"|peak(?:s|ed|ing)?(?:\s+at)?)(?:\s+(?:value|about|around|near|is))*\s*[=:]?\s*)"
)
_ENDS_THEN_PEAK = re.compile(rf"^{_ENDS}\s*[,;(]?\s*(?:and\s+)?{_PEAK}(?P<peak>{_N})\s*\)?$", re.IGNORECASE)
_PEAK_THEN_ENDS = re.compile(
    rf"^{_PEAK}?(?P<peak>{_N})\s*[,;(]\s*(?:in\s+the\s+)?range\s*(?:of\s+|from\s+|[=:]\s*)?{_ENDS}\s*\)?$", re.IGNORECASE
)
_GUESS_THEN_ENDS = re.compile(rf"^{_PEAK}(?P<peak>{_N})\s*[,;(]\s*{_ENDS}\s*\)?$", re.IGNORECASE)
_PEAK_THEN = re.compile(rf"^{_PEAK}(?P<peak>{_N})\s*[,;(]\s*", re.IGNORECASE)
_LEAST_MOST_PEAK = re.compile(
    rf"^(?:(?:triang(?:le|ular)|pert)\b\s*)\(?\s*(?P<low>{_N})[\s,;]+(?P<peak>{_N})[\s,;]+(?P<high>{_N})\s*\)?$", re.IGNORECASE
)
BRACKETED = re.compile(
    rf"^(?P<middle>{_N})\s*[,;]?\s*[\[(]\s*(?P<low>{_N})\s*(?:to|and|–|—|-|\.\.\.?|…|,|;)\s*(?P<high>{_N})\s*[\])]$",
    re.IGNORECASE,
)
_EVEN = (
    r"(?:all\s+)?(?:evenly|uniform(?:ly)?|flat|equally\s+(?:likely|plausible|probable)|equal(?:ly)?|even|anything|any(?:\s+value)?|"
    r"no\s+preference)(?:\s+(?:distributed|spread|likely))?"
)
_LOG = (
    r"(?:(?:evenly|uniform(?:ly)?|flat|even)\s+)?(?:(?:in|on|over)\s+(?:an?\s+|the\s+)?)?(?:logs?|logarithm(?:s|ic(?:ally)?)?|decades)"
    r"(?:[\s-]*(?:scale|spaced|uniform|evenly))?"
)
_EVENLY = re.compile(rf"^(?:{_EVEN}\s+)?{_ENDS}(?:\s*[,;]?\s*\(?\s*{_EVEN}\s*\)?)?$", re.IGNORECASE)
_IN_LOG = re.compile(rf"^(?:{_LOG}\s+)?{_ENDS}(?:\s*[,;]?\s*\(?\s*{_LOG}\s*\)?)?$", re.IGNORECASE)
_MIN = (
    r"(?:at\s+least|(?:not|no|nor|never)\s+(?:less|smaller|lower)?\s*(?:below|under|than)|above|over|(?:more|greater|larger|higher)"
    r"\s+than|min(?:imum|imal|\.)?\s*[=:]?|lower\s+(?:limit|bound)\s*[=:]?|>=?|≥)"
)
_MAX = (
    r"(?:at\s+most|(?:not|no|nor|never)\s+(?:more|greater|larger|higher)?\s*(?:above|over|than)|below|under|(?:less|smaller|lower)"
    r"\s+than|max(?:imum|imal|\.)?\s*[=:]?|upper\s+(?:limit|bound)\s*[=:]?|up\s+to|<=?|≤)"
)
_JOIN = r"\s*(?:[,;]|\band\b|\bbut\b|\bor\b)*\s*"
_NOR = r"(?:not|neither|never)\s+"
TWO_LIMITS = re.compile(
    rf"^(?:(?:but\s+|and\s+)?(?:{_MIN}\s*(?P<low>{_N}){_JOIN}{_MAX}\s*(?P<high>{_N})|{_MAX}\s*(?P<high2>{_N}){_JOIN}{_MIN}\s*"
    rf"(?P<low2>{_N})|{_NOR}(?:under|below)\s*(?P<low3>{_N})\s*,?\s*(?:n?or|and)\s+(?:over|above)\s*(?P<high3>{_N})"
    rf"|(?P<low4>{_N})\s*(?:<=?|≤)\s*\w+\s*(?:<=?|≤)\s*(?P<high4>{_N})))$",
    re.IGNORECASE,
)
_ALONE = re.compile(rf"^(?P<middle>{_N})$")
_ONE_LIMIT = re.compile(
    rf"^(?:(?:{_MIN}\s*(?P<low>{_N})|{_MAX}\s*(?P<high>{_N})|(?P<high2>{_N})\s+at\s+most|(?P<low2>{_N})\s+at\s+least"
    rf"|(?P<positive>positive|non-?negative|not\s+negative))(?:\s*[,;]?\s*(?:and\s+)?positive)?)$",
    re.IGNORECASE,
)
_FROM_ZERO = re.compile(r"[,;\s]*(?:and\s+|but\s+)?(?:positive|non-?negative|not\s+negative|above\s+0|>=?\s*0)$", re.IGNORECASE)
_NOTHING = re.compile(r"^(?:unknown|any(?:thing)?|no\s+idea|none|\?+|don'?t\s+know)$", re.IGNORECASE)


def plain_words(text: str) -> str:
    """``text`` with ± for the words that mean it, without words that only hedge, and with “positive” behind: about 10, give or
    take 30 % is 10 ± 30 %; a level behind it is counted in: 5 ± 1 (2 sd) is 5 ± 0.5."""
    said = _BEHIND.sub("", text.strip())
    said = re.sub(r"^(?:positive)\b", "positive", said, flags=re.IGNORECASE)
    if (first := _POSITIVE.fullmatch(said)) is not None:
        said = f"{first['rest'].strip()}, positive"
    said = _SIGN.sub(" ± ", said)
    if (sd := _SD.fullmatch(HEDGE.sub("", said))) is not None:
        return f"{sd['middle']} ± {sd['sd']}"
    bare = HEDGE.sub("", said)
    if (within := _WITHIN.fullmatch(bare)) is not None:
        return f"{within['middle']} ± {within['percent']} %"
    if (factor := _FACTOR_OF.fullmatch(bare)) is not None:
        return f"{factor['middle']} */ {factor['factor']}"
    if _SIGNED.search(bare):
        return _without_level(re.sub(r"per ?cent\b", "%", bare, flags=re.IGNORECASE))
    return bare if TWO_LIMITS.fullmatch(bare) or _EVENLY.fullmatch(bare) else said


def _without_level(text: str) -> str:
    """``5 ± 1 (95 %), 2 to 8`` as ``5 ± 0.510, 2 to 8``; as it is where no level is said."""
    found = _LEVELLED.fullmatch(text)
    if found is None:
        return text
    level = found["level"]
    told = None if "%" in level else without_level(level)
    factor = factor_of_level(level) if told is None else told.factor if told.said else None
    size = re.search(rf"(?P<size>{_N})(?P<percent>\s*%?)$", found["normal"])
    if factor is None or size is None:
        return text
    one = float(f"{number_of(size['size']) / factor:.6g}")
    return f"{found['normal'][: size.start()]}{shown(one)}{size['percent']}{found['rest']}"


def limits_of(text: str) -> tuple[float, float] | None:
    """Two limits that are said one by one: not under 5 nor over 45; at least 5 and at most 45; 5 < x < 45."""
    found = TWO_LIMITS.fullmatch(text.strip())
    if found is None:
        return None
    low, high = (next(number_of(found[f"{end}{k}"]) for k in ("", 2, 3, 4) if found[f"{end}{k}"]) for end in ("low", "high"))
    return (low, high) if low < high else None


def worded_prior(text: str) -> d.Prior | None:
    """The prior that words say without the name of a family; None: nothing of the kind. Raises ValueError with words where they
    say too little, with what to type."""
    said = text.strip()
    for way in (_ENDS_THEN_PEAK, _PEAK_THEN_ENDS, _GUESS_THEN_ENDS, _LEAST_MOST_PEAK):
        if (found := way.fullmatch(said)) is not None:
            return peaked(*(number_of(found[name]) for name in ("low", "peak", "high")))
    if (first := _PEAK_THEN.match(said)) is not None and (ends := limits_of(said[first.end() :])) is not None:
        return peaked(ends[0], number_of(first["peak"]), ends[1])
    if (found := BRACKETED.fullmatch(said)) is not None:
        return _around(*(number_of(found[name]) for name in ("middle", "low", "high")))
    if (ends := limits_of(said)) is not None:
        return d.Uniform(low=ends[0], high=ends[1])
    for evenly, way in ((True, _EVENLY), (False, _IN_LOG)):
        if (found := way.fullmatch(said)) is None or found["low"] + found["high"] == re.sub(r"[\s,;]", "", said):
            continue  # two numbers alone are those of the prior there is
        low, high = sorted((number_of(found["low"]), number_of(found["high"])))
        told = re.search(_EVEN if evenly else _LOG, said, re.IGNORECASE) or said[:1] in "[("
        if told and low < high and (evenly or low > 0.0):
            return d.Uniform(low=low, high=high) if evenly else d.LogUniform(low=low, high=high)
    _ask(said)
    return None


def peaked(low: float, peak: float, high: float) -> d.Prior:
    """Between two limits with the largest density at ``peak``: the PERT distribution, a beta distribution whose a and b add up to
    6 (Malcolm, Roseboom, Clark and Fazar 1959, Operations Research 7, 646). Raises ValueError with words."""
    if not low <= peak <= high or low == high:
        outside = f"{shown(peak)} does not lie between {shown(low)} and {shown(high)}."
        raise ValueError(f"{outside} Write for example 3 to 7, most likely 5.")
    share = (peak - low) / (high - low)
    return d.Beta(a=float(f"{1.0 + 4.0 * share:.6g}"), b=float(f"{5.0 - 4.0 * share:.6g}"), low=low, high=high)


def _around(middle: float, low: float, high: float) -> d.Prior:
    """With 95 % between two ends around a middle value: of the logarithm where this stands nearer the middle of the ends by
    factors than by differences."""
    if not low < middle < high:
        outside = f"{shown(middle)} does not lie between {shown(low)} and {shown(high)}."
        raise ValueError(f"{outside} Write for example 0.2 (0.1 to 0.4).")
    skew = abs(high + low - 2.0 * middle) / (high - low)
    if low > 0.0 and abs(math.log(high * low / middle**2)) / math.log(high / low) < skew:
        return d.LogNormal(log_mean=_six(math.log(middle)), log_sd=_six(math.log(high / low) / (2.0 * WITHIN_95)))
    return d.Normal(mean=middle, sd=_six((high - low) / (2.0 * WITHIN_95)))


def _ask(said: str) -> None:
    """Raises ValueError with what to type where a typical value or one limit is all that is said."""
    bare = HEDGE.sub("", _BEHIND.sub("", said))
    above = _FROM_ZERO.search(bare)
    whole = f"“{one_line(said, 60)}”"
    if (one := _ALONE.fullmatch(bare[: above.start()] if above is not None else bare)) is not None:
        middle = number_of(one["middle"])
        far = _six(abs(middle) / 4.0 or 1.0)
        cut = ", positive" if above is not None else ""
        factor = [f"“{shown(middle)} */ 2” (within a factor of 2)"] if middle > 0.0 else []
        ways = [f"“{shown(middle)} ± {shown(far)}{cut}”", *factor]
        ends = f"“{shown(_six(middle - 2 * far))} to {shown(_six(middle + 2 * far))}”"
        raise ValueError(f"How far from {shown(middle)} may it be? {whole} {NOT_YET}. Write {', '.join(ways)} or {ends}.")
    if (end := _ONE_LIMIT.fullmatch(bare)) is not None:
        low, high = end["low"] or end["low2"], end["high"] or end["high2"]
        if high and "positive" in said.casefold():
            high = shown(number_of(high))
            raise ValueError(f"Is every value from 0 to {high} as plausible? {whole} {NOT_YET}. Write 0 to {high} if it is.")
        where = f"above {low}" if low else f"below {high}" if high else "above 0"
        end_value = number_of(low or high or "0")
        far = abs(end_value) or 10.0
        known = (end_value - far, end_value) if high else (end_value, end_value + far)
        typical = f"{shown(sum(known) / 2.0)} ± {shown(_six(far / 4.0))}, {where}"
        raise ValueError(
            f"Where {where} do you expect it? {whole} {NOT_YET}. Write the other end too, such as {shown(known[0])} to "
            f"{shown(known[1])}, or a typical value: {typical}."
        )
    if _NOTHING.fullmatch(bare):
        at_all = "write the least and the most that it could be at all, such as 0.01 to 100, log scale"
        raise ValueError(f"{whole} {NOT_YET}: {at_all}.")


def _six(value: float) -> float:
    return float(f"{value:.6g}")
