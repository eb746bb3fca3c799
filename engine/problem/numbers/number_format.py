"""Numbers written as a simulator wants to read them. The same in every locale; never cut."""

from __future__ import annotations

import math
import re
from typing import Literal

import numpy as np

from ..definition import NumberFormat
from ..errors import ProblemError

_ASKED = re.compile(r"%?([1-9][0-9]?)?(?:\.([0-9]{1,2}))?([gGeEfFdi])")
_STYLES: dict[str, Literal["general", "exponent", "fixed", "integer"]] = {
    "g": "general", "e": "exponent", "f": "fixed", "d": "integer", "i": "integer",
}  # fmt: skip


def format_number(value: float, form: NumberFormat, name: str = "") -> str:
    """``value`` as text. Raises ProblemError if it is not finite or wider than ``form.max_width``."""
    who = f"The value of “{name}”" if name else "The value"
    if not math.isfinite(value):
        raise ProblemError(f"{who} is {value}, which no program can read.", "", "Check the parameter's bounds and prior.")
    text = _plain(float(value), form)
    if not math.isfinite(float(text)):
        raise ProblemError(f"{who}, {value!r}, becomes too large when it is rounded.", "", "Allow more digits.")
    if form.max_width is not None and len(text) > form.max_width:
        raise ProblemError(
            f"{who} written in full is “{text}”, {len(text)} characters wide, but only {form.max_width} are allowed.",
            "",
            _fitting(float(value), form),
        )
    return text.rjust(form.width) if form.width else text


def asked_format(text: str) -> NumberFormat | None:
    """The format that a text such as ``.9g``, ``%12.4e`` or ``d`` asks for; None: none that is known."""
    found = _ASKED.fullmatch(text.strip())
    if found is None:
        return None
    width, digits = (int(part) if part else None for part in found.group(1, 2))
    style = _STYLES[found[3].lower()]
    return NumberFormat(style=style, digits=None if style == "integer" else digits, width=width)


def _plain(value: float, form: NumberFormat) -> str:
    digits = form.digits
    match form.style:
        case "general":
            # with a point where there is room: to any reader a real number; YAML 1.1 takes 3e-06 for a text
            text = repr(value if digits is None else float(f"{value:.{digits}g}"))
            pointed = text if "." in text else text.replace("e", ".0e")
            return pointed if form.max_width is None or len(pointed) <= form.max_width else text
        case "exponent":
            text = np.format_float_scientific(value, trim="0") if digits is None else f"{value:.{digits}e}"
            return text.upper()
        case "fixed":
            return np.format_float_positional(value, trim="0") if digits is None else f"{value:.{digits}f}"
        case "integer":
            return str(round(value))


def _fitting(value: float, form: NumberFormat) -> str:
    """How many digits would fit, in words."""
    width = form.max_width or 0
    style = form.style
    if style == "integer":
        return "Allow more characters."
    most = width if form.digits is None else form.digits
    for digits in range(min(most, 17), -1, -1):
        if len(_plain(value, NumberFormat(style=style, digits=digits, max_width=width))) <= width:
            return f"With {digits} digits it fits: “{_plain(value, NumberFormat(style=style, digits=digits, max_width=width))}”."
    return "Choose another number format or allow more characters."
