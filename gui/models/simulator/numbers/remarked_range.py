"""Where a remark beside a number in an input file says that it may lie: ``k = 1.4  # 0.5 to 2``, ``# +- 10 %``. Pure."""

from __future__ import annotations

import re

from bayescope.engine.problem.definition import LogUniform, Normal, Prior, Uniform
from bayescope.engine.problem.numbers.number_text import value_of
from bayescope.gui.models.parameters import around
from bayescope.gui.models.simulator.numbers.remarks import words_on

FAR = 4.0  # standard deviations from where a remark says that a number lies: farther off it tells of another one
SEVERAL_DECADES = 1e3  # ratio of two ends: a uniform prior would leave the lower two thirds of the decades all but out
_NUMBER = r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eEdD][-+]?[0-9]+)?"
_ALONE = r"(?<![\w.,+-])(?<![\w.,]-)"  # no piece of a word, a date or another number
_END = r"(?![\w.]*[0-9]|-[0-9])"
_UNIT = r"(?:\s?[^\W\d][\w/^*\u00b0\u00b7()-]{0,11})?"  # 0.5 W/m to 2 W/m
_LOW, _HIGH = rf"{_ALONE}(?P<low>{_NUMBER})", rf"(?P<high>{_NUMBER}){_END}"
_RANGES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bbetween\s+{_LOW}{_UNIT}\s+and\s+{_HIGH}",
        rf"\bmin(?:imum)?\.?\s*[=:]?\s*{_LOW}{_UNIT}\s*[,;/]?\s*max(?:imum)?\.?\s*[=:]?\s*{_HIGH}",
        rf"{_LOW}{_UNIT}\s+(?:to|until|\u2013|-)\s+{_HIGH}",
        rf"{_LOW}\s*(?:\.{{2,3}}|\u2026|\u2013)\s*{_HIGH}",
        rf"[\[(]\s*{_LOW}\s*[,;]\s*{_HIGH}\s*[\])]",
        rf"{_LOW}\s*<=?\s*[^\W\d]\w*\s*<=?\s*{_HIGH}",
        rf"{_LOW}-{_HIGH}",
    )
)
_LOGARITHMS = re.compile(
    r"\blog(?:arithmic(?:ally)?)?(?:10)?[- ]?(?:uniform|scale|flat)\w*|\b(?:uniform|flat) in (?:the )?log|\bjeffreys\b",
    re.IGNORECASE,
)
_PLUS_MINUS = re.compile(rf"(?P<of>{_NUMBER})?{_UNIT}\s*(?P<sign>\u00b1|\+/-|\+-)\s*(?P<size>{_NUMBER})\s*(?P<percent>%)?")


def first_prior(text: str, start: int, end: int, value: float) -> Prior:
    """A first prior for the number [start, end) of an input file: what the remark says, else from nothing to twice the
    ``value``. A range is uniform, of logarithms where it says so or goes over decades; what stands behind +- a standard
    deviation."""
    return _told(words_on(text, start, end), value) or around(value)


def without_range(label: str) -> str:
    """What a remark calls the number, before the range that it says."""
    starts = [found.start() for pattern in _RANGES if (found := pattern.search(label)) is not None]
    if (spread := _PLUS_MINUS.search(label)) is not None:
        starts.append(spread.start("of" if spread["of"] else "sign"))
    return label[: min(starts)].rstrip(" ,;:([-\u2013") if starts else label


def _told(words: str, value: float) -> Prior | None:
    """What the ``words`` of a remark say of a number; None: nothing that it agrees with."""
    for pattern in _RANGES:
        for found in pattern.finditer(words):
            low, high = value_of(found["low"]), value_of(found["high"])
            if low is not None and high is not None and low < high and low <= value <= high:
                wide = low > 0.0 and (high > 0.999 * SEVERAL_DECADES * low or _LOGARITHMS.search(words))  # 1e-10 to 1e-7 too
                return LogUniform(low=low, high=high) if wide else Uniform(low=low, high=high)
    for found in _PLUS_MINUS.finditer(words):
        size, of = value_of(found["size"]), value_of(found["of"] or "")
        mean = value if of is None else of
        sd = 0.0 if size is None else size * abs(mean) / 100 if found["percent"] else size
        if sd > 0.0 and abs(value - mean) <= FAR * sd:  # 4.00 +- 0.05 behind 4.02, too
            return Normal(mean=mean, sd=float(f"{sd:.6g}"))
    return None
