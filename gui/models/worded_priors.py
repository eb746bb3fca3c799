"""Log-normal priors in words: "median 3, gsd 1.5", "around 3 within a factor 2", "mean 3, cv 30 %". Pure."""

from __future__ import annotations

import math
import re

from bayescope.gui.models.plain import number_of

_NUMBER = r"(?P<{}>[^\s,;=:%]+)"
_MIDDLE = (
    r"(?P<kind>(?:the\s+)?(?:median|geometric\s+mean|geom?\.?\s+mean|gm|mean|mode|around|about|approximately|approx\.?|near|roughly|"
    r"cent(?:er|re)d\s+(?:at|on|around)|typical(?:ly|\s+value)?|best\s+guess))\s*(?:of\s+|[=:]\s*)?"
)
_OF_LOGARITHM = (  # sd of ln, standard deviation of ln k =, sigma_ln, ln-sd; of log10 it is another number
    r"(?:sds?|std\.?(?:\s*dev\.?)?|st\.?\s*dev\.?|standard\s+deviation|sigma|σ)[\s_-]*(?:of\s+(?:the\s+)?)?"
    r"\(?(?:ln|log(?!10)(?:arithm)?)(?:\s*\(?[^\W\d]\w{0,9}\)?(?=\s*[=:]|\s+[0-9.]))?\)?|(?:ln|log)[\s-]?(?:sd|std|sigma|σ)"
)
_SPREAD = (
    r"(?P<spread>(?:(?:with)?in\s+|to\s+within\s+|up\s+to\s+)?(?:an?\s+)?(?:uncertainty\s+)?factor(?:\s+of)?|gsd|"
    r"geom(?:etric|\.)?\s+(?:standard\s+deviation|sd|std\.?(?:\s*dev\.?)?)|log[\s-]?sd|sdlog|sigma[_\s]?log|"
    rf"{_OF_LOGARITHM}|"
    r"c\.?v\.?|coefficient\s+of\s+variation|sd|standard\s+deviation)\s*(?:of\s+|[=:]\s*)?"
)
_JOIN = r"\s*[,;]?\s*(?:and\s+)?(?:with\s+)?(?:an?\s+)?"
_SIZE = rf"{_SPREAD}{_NUMBER.format('s')}\s*(?P<percent>%?)"
_FORWARD = re.compile(rf"(?:{_MIDDLE})?{_NUMBER.format('m')}{_JOIN}{_SIZE}", re.IGNORECASE)
_BACKWARD = re.compile(rf"{_SIZE}{_JOIN}{_MIDDLE}{_NUMBER.format('m')}", re.IGNORECASE)
_PERCENT = re.compile(rf"(?:{_MIDDLE})?{_NUMBER.format('m')}\s*(?:±|\+\s*/\s*-|\+-)\s*{_NUMBER.format('s')}\s*%", re.IGNORECASE)
_LEADING = re.compile(r"^(?:(?:distribution|prior|distributed)\b\s*)?(?:with\s+|of\s+)?(?:an?\s+|the\s+)?", re.IGNORECASE)


def worded_log_normal(text: str, sds: float) -> tuple[float, float] | None:
    """The mean and the standard deviation of the logarithm that words say; a factor is that of ``sds`` standard deviations. None:
    it says nothing of the kind, or a mean and a standard deviation as a normal prior has them. Raises ValueError with words."""
    bare = text.strip()
    bare = bare[1:-1] if bare.startswith("(") and bare.endswith(")") else bare
    bare = _LEADING.sub("", bare.strip(" ,:;"))
    if (percent := _PERCENT.fullmatch(bare)) is not None:
        return _of_percent(percent, sds)
    found = _FORWARD.fullmatch(bare) or _BACKWARD.fullmatch(bare)
    if found is None:
        return None
    try:
        middle, size = number_of(found["m"]), number_of(found["s"]) / (100.0 if found["percent"] else 1.0)
    except ValueError:
        return None
    kind, spread = " ".join((found["kind"] or "").lower().split()), found["spread"].lower()
    if middle <= 0.0 or size <= 0.0:
        raise ValueError("A typical value and a spread above 0 are needed, such as median 3, factor 2.")
    arithmetic = kind.removeprefix("the ") == "mean"
    if "factor" in spread or spread.startswith(("gsd", "geom")):
        if size <= 1.0:
            raise ValueError("A factor above 1 is needed, such as median 3, factor 2.")
        log_sd = math.log(size) / (sds if "factor" in spread else 1.0)
    elif "log" in spread or "ln" in spread:
        log_sd = size
    elif spread.startswith("c"):
        log_sd = math.sqrt(math.log1p(size * size))
    elif arithmetic:
        log_sd = math.sqrt(math.log1p((size / middle) ** 2))
    else:
        return None  # a median and a standard deviation of what?
    shift = -log_sd * log_sd / 2.0 if arithmetic else log_sd * log_sd if kind.endswith("mode") else 0.0
    return math.log(middle) + shift, log_sd


def _of_percent(found: re.Match[str], sds: float) -> tuple[float, float] | None:
    """Of a typical value ± so many percent, which is about the standard deviation of the logarithm."""
    try:
        middle, size = number_of(found["m"]), number_of(found["s"]) / 100.0
    except ValueError:
        return None
    if middle <= 0.0 or size <= 0.0:
        raise ValueError("A typical value and a spread above 0 are needed, such as log-normal 5 ± 20 %.")
    if (found["kind"] or "").lower().split()[-1:] == ["mean"] and "geom" not in found["kind"].lower():
        log_sd = math.sqrt(math.log1p((size / sds) ** 2))
        return math.log(middle) - log_sd * log_sd / 2.0, log_sd
    return math.log(middle), size / sds


def says_log_normal(text: str) -> bool:
    """Whether words mean a log-normal prior though no family is said: by a factor, or by a geometric standard deviation."""
    return re.search(_OF_LOGARITHM, text, re.IGNORECASE) is not None or re.search(
        r"\bfactor\b|\bgsd\b|\bgeom(?:etric|\.)?\s|\*/|×/?÷|x/", text, re.IGNORECASE
    ) is not None
