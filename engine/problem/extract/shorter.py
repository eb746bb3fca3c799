"""What a table gave that has fewer rows than are asked for by their numbers: those before its end. Pure."""

from __future__ import annotations

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

from ..definition import Output, Region
from . import ExtractionError, extract


def given_part(output: Output, text: str) -> NDArray[np.float64] | None:
    """The numbers (n,) that ``output`` asks for by their numbers in one table, NaN where that ends before them; None: it asks
    otherwise, or the table gives none of them."""
    how = output.extractor
    if output.text or not isinstance(how, Region) or how.occurrence == "all" or how.title is not None:
        return None
    if how.count is not None and how.count > 1 and how.first > 0 and how.number_count is None and len(how.columns) == 1:
        whole, asked = msgspec.structs.replace(how, count=None), how.count
    elif how.number_count is not None and how.number_count > 1:
        whole, asked = msgspec.structs.replace(how, number_count=None), how.number_count
    else:
        return None
    try:
        values = extract(whole, text, output.decimal_comma, scale_letters=output.scale_letters).values
    except ExtractionError:
        return None
    return np.array([*values[:asked], *[math.nan] * (asked - len(values))], dtype=np.float64)
