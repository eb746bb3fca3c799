"""ln(160), ln(2)/1.96, sqrt(3): functions of numbers, as people type them where a number is asked for. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

_NUMBER = r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[-+]?[0-9]+)?"
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "ln": math.log, "log10": math.log10, "log2": math.log2, "exp": math.exp, "sqrt": math.sqrt,
}  # fmt: skip
_CALL = re.compile(rf"\b({'|'.join(_FUNCTIONS)})\s*\(\s*({_NUMBER})\s*\)", re.IGNORECASE)
_PRODUCT = re.compile(rf"(?<![\w.])({_NUMBER})\s*([*/])\s*({_NUMBER})(?![\w.])", re.IGNORECASE)
_LOG = re.compile(rf"\blog\s*\(\s*{_NUMBER}\s*\)", re.IGNORECASE)
MOST = 20  # functions and signs of one entry


def evaluated(text: str) -> str:
    """``text`` with functions of numbers, and products and ratios beside them, as numbers; as it is where there are none.

    Raises ValueError with words for log(…), which is one function for some and another one for others.
    """
    if _LOG.search(text):
        raise ValueError("log(…) may mean two functions. Write ln(…) for the natural logarithm, log10(…) for that to base 10.")
    found = False
    for _ in range(MOST):
        match = _CALL.search(text)
        if match is None:
            break
        try:
            value = _FUNCTIONS[match[1].lower()](float(match[2]))
        except (ValueError, OverflowError):
            raise ValueError(f"{match[0]} is no number.") from None
        text, found = _put(text, match, value), True
    for _ in range(MOST if found else 0):
        match = _PRODUCT.search(text)
        if match is None or (match[2] == "/" and float(match[3]) == 0.0):
            break
        first, second = float(match[1]), float(match[3])
        text = _put(text, match, first * second if match[2] == "*" else first / second)
    return text


def _put(text: str, match: re.Match[str], value: float) -> str:
    return f"{text[: match.start()]}{value:.10g}{text[match.end() :]}"
