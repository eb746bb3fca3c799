"""What a log density given to ``infer`` returned: one number, or a number and its standard error."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ..run.exactness import same_value

if TYPE_CHECKING:
    from .answer import Result


class WrongValue(ValueError):
    """The log density returned something that can never be a log density. ``result``: what the evaluations before it gave."""

    result: Result | None = None


class RandomDensity(ValueError):
    """The log density is random, but is taken for exact."""


def refuse_random(first: float, second: float | None) -> None:
    """Raises RandomDensity if two values at the same point differ. A second evaluation that failed (None) says nothing."""
    if second is None or math.isnan(second) or same_value(first, second):
        return
    raise RandomDensity(
        f"log_density is random: at the same point it returned {first!r}, then {second!r}. Taken for exact, it would be believed "
        "to the last digit. Either say noisy=True, or return (value, standard error); or fix its random seed, so that the same "
        "point gives the same value."
    )


def value_and_sd(found: object) -> tuple[float, float]:
    """(value, standard error; 0 if none was returned). nan and infinities are passed on.

    A number may also come as an array of one element. Raises WrongValue for any other kind of thing, True and False included.
    """
    if not isinstance(found, tuple):
        return _number(found, "a log density must be one number, or a number and its standard error"), 0.0
    if len(found) != 2:
        raise WrongValue(
            f"log_density returned {len(found)} values; it must be one number, or two: the number and its standard error."
        )
    value = _number(found[0], "the first of the two must be a number, the log density")
    sd = _number(found[1], "the second of the two must be a number, the standard error of the log density")
    if sd < 0.0:
        raise WrongValue(f"log_density returned the standard error {sd:g}; it must not be negative.")
    return value, sd


def _number(found: Any, wanted: str) -> float:
    if found is np.ma.masked:  # a value that is missing: its item would be 0
        return math.nan
    shape = getattr(found, "shape", ())
    if shape and math.prod(shape) != 1:
        raise WrongValue(f"log_density returned an array of shape {tuple(shape)}; {wanted}.")
    one = found.item() if hasattr(found, "item") and hasattr(found, "shape") else found
    if one is None:
        raise WrongValue(f"log_density returned nothing (None); {wanted}. Is a “return” missing?")
    if isinstance(one, bool | np.bool_ | complex | str | bytes):
        raise WrongValue(f"log_density returned {_words(one)}; {wanted}.")
    try:
        return float(one)
    except OverflowError:  # a whole number beyond all floats: no log density, but a number
        return math.inf if one > 0 else -math.inf
    except (TypeError, ValueError):
        raise WrongValue(f"log_density returned {_words(one)}; {wanted}.") from None


def _words(found: object) -> str:
    kind = {bool: "true or false", complex: "a complex number", str: "text", bytes: "bytes"}.get(type(found))
    return f"{kind} ({found!r:.60})" if kind else f"a {type(found).__name__}"
