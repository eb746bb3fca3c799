"""Words by which a measurement is said to be good, or to be no good: as a flag, and in a remark."""

from __future__ import annotations

import re

GOOD = frozenset(
    "ok okay good g valid pass passed fine normal nominal yes true accepted approved verified reliable usable useful clean "
    "correct excellent gut bon".split()
)
BAD = frozenset(
    "bad b poor suspect suspicious doubtful questionable invalid reject rejected outlier error fail failed missing broken spike "
    "saturated saturation clipped drift noise noisy fault faulty unreliable discard discarded exclude excluded no false".split()
)
# in a sentence, where noise or drift may be remarked and the value be good all the same; English, German, French
_AGAINST = re.compile(
    r"(?<![^\W_])(?:bad|suspect(?:ed)?|suspicious|doubtful|dubious|questionable|invalid|reject(?:ed)?|outlier|fail(?:ed|ure)|"
    r"broken|fault(?:s|y)?|malfunction\w*|unreliable|untrustworthy|not reliable|not trustworthy|discard(?:ed)?|exclude[ds]?|"
    r"saturated|clipped|contaminated|leak(?:s|ed|ing|age)?|spill(?:ed)?|unusable|not usable|not valid|erroneous|wrong|"
    r"do(?:es)? not use|don'?t use|do not trust|not to be used|out of range|off scale|overload(?:ed)?|below threshold|"
    r"no good|not good|torn|"
    r"unbrauchbar|ung[üu]ltig|verworfen|fehlerhaft|defekt|ausrei(?:ß|ss)er|zweifelhaft|unzuverl[äa]ssig|nicht verwenden|"
    r"douteux|douteuse|invalide|d[ée]faut|d[ée]fectueux|aberrante?|ne pas utiliser)(?![^\W_])",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"(?:\bno|\bnot|\bwithout|\bnever|n't|\bkein\w*|\bnicht|\bohne|\bpas de|\bsans)\s+(?:an?\s+|longer\s+)?$", re.IGNORECASE
)
_MENDED = re.compile(r"\b(?:fixed|repaired|resolved|cleared|corrected|behoben|repariert|r[ée]par[ée]e?)\b", re.IGNORECASE)


# beside the name of a quantity, where they are no words about the weather: pH electrode drift, Cl n.d., K vial lost
_AGAINST_ONE = re.compile(
    r"(?<![^\W_])(?:drift(?:s|ed|ing)?|nois[ey]|spikes?|spiky|lost|missing|dropouts?|"
    r"not (?:detected|determined|measured|analy[sz]ed)|n\.\s?[dam]\.|nd|verloren|fehlt|perdue?)(?![^\W_])",
    re.IGNORECASE,
)


def speaks_against(text: str) -> bool:
    """Whether a remark says that a measurement is not to be trusted: "sensor fault", "unreliable"; not "no fault"."""
    return where_against(text) is not None


def where_against(text: str) -> int | None:
    """The character at which a remark says that a measurement is not to be trusted; None: it does not."""
    return _first(text, _AGAINST)


def against_one(text: str) -> int | None:
    """As ``where_against``, of words beside the name of a quantity, where some more say so."""
    found = [at for words in (_AGAINST, _AGAINST_ONE) if (at := _first(text, words)) is not None]
    return min(found, default=None)


def _first(text: str, words: re.Pattern[str]) -> int | None:
    if _MENDED.search(text):
        return None
    return next((found.start() for found in words.finditer(text) if not _NOT.search(text[: found.start()])), None)
