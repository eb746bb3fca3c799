"""Options of the methods, read from plain names and values: what is unknown or makes no sense is refused in words."""

from __future__ import annotations

import difflib
import math
import numbers
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, TypeVar

T = TypeVar("T")


class OptionError(ValueError):
    """A sentence. ``similar``: the known name that an unknown one resembles, "" if there is none."""

    def __init__(self, words: str, similar: str = "") -> None:
        self.similar = similar
        super().__init__(words)


def read_options(kind: type[T], given: Mapping[str, Any], method: str) -> T:
    """An options record of the dataclass ``kind``. Raises OptionError, in words, for an unknown name or a wrong value."""
    known: dict[str, Any] = {f.name: f.default for f in fields(kind)}  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            similar = closest(name, known)
            hint = f" Did you mean “{similar}”?" if similar else ""
            raise OptionError(
                f"{method[0].upper()}{method[1:]} has no option “{name}”.{hint} It has: {', '.join(sorted(known))}.",
                similar,
            )
        wanted = type(known[name])
        if not _fits(value, wanted):
            raise OptionError(f"Option “{name}” of {method} must be {_WORDS[wanted]}, not {value!r}.")
        values[name] = wanted(value)
    return kind(**values)


def closest(wrong: object, known: Iterable[str]) -> str:
    """The known name that ``wrong`` is most like; "" if none is."""
    return next(iter(difflib.get_close_matches(str(wrong), list(known), n=1)), "")


def at_least(options: object, method: str, **least: float) -> None:
    """Raises OptionError for the first option below its least value."""
    for name, value in least.items():
        if not getattr(options, name) >= value:
            raise OptionError(
                f"Option “{name}” of {method} must be at least {value:g}; it is {getattr(options, name):g}."
            )


_WORDS: dict[type, str] = {bool: "yes or no", int: "a whole number", float: "a number", str: "a word"}


def _fits(value: Any, wanted: type) -> bool:
    if wanted in (str, bool):
        return isinstance(value, wanted)
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not math.isfinite(value):
        return False
    return wanted is float or float(value).is_integer()
