"""An option of a method: what it means, its default, what it can be, and where it comes from.

The options of a method are a frozen dataclass whose fields are made by ``option``; ``options_of`` reads them back as the one
table that the window, the command line, the schema of problem files and validation show.
"""

from __future__ import annotations

import difflib
import math
import numbers
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any, ClassVar, Literal, Protocol, TypeVar

from ..numbers.number_text import NumberError, typed
from ..numbers.shown_digits import spoken

Value = float | int | str | bool
Group = Literal["First runs", "Surrogate", "Mixture", "Next runs", "Noise", "When to stop", "Answer"]
T = TypeVar("T")

_KEY = "option"
_FLAGS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
_KINDS = {bool: "yes or no", int: "a whole number", float: "a number", str: "a word"}


class OptionError(ValueError):
    """A sentence. ``similar``: the known name that an unknown one resembles, "" if there is none."""

    def __init__(self, words: str, similar: str = "") -> None:
        self.similar = similar
        super().__init__(words)


class OptionsRecord(Protocol):
    """A frozen dataclass of options; ``METHOD`` is what sentences call its method."""

    METHOD: ClassVar[str]
    __dataclass_fields__: ClassVar[dict[str, Any]]


@dataclass(frozen=True)
class Option:
    """``title``: its label, ``words``: what it does, ``source``: seed and equation, or where the default was measured.

    Numbers lie from ``least`` to ``most``; ``above``: the least itself is excluded. ``choices``: what a word can be, with its
    meaning. ``often``: wanted by people who need no other option.
    """

    name: str
    default: Value
    title: str
    words: str
    source: str
    group: Group
    least: float = -math.inf
    most: float = math.inf
    above: bool = False
    choices: tuple[tuple[str, str], ...] = ()
    often: bool = False

    @property
    def kind(self) -> type:
        return type(self.default)

    @property
    def range_words(self) -> str:
        """What it can be: “a whole number, at least 1”, “yes or no”, “additive, quadratic or se”."""
        if self.choices:
            keys = [key for key, _ in self.choices]
            return f"{', '.join(keys[:-1])} or {keys[-1]}"
        low, high = math.isfinite(self.least), math.isfinite(self.most)
        limits = (
            f"{spoken(self.least)} to {spoken(self.most)}" if low and high
            else f"above {spoken(self.least)}" if self.above
            else f"at least {spoken(self.least)}" if low
            else f"at most {spoken(self.most)}" if high
            else ""
        )  # fmt: skip
        return f"{_KINDS[self.kind]}{', ' * bool(limits)}{limits}"

    def text(self, value: Value) -> str:
        """As it is typed and read back."""
        return ("yes" if value else "no") if isinstance(value, bool) else value if isinstance(value, str) else f"{value:.12g}"

    def of_text(self, text: str, method: str) -> Value:
        """The value that ``text`` means. Raises OptionError."""
        value: Any = text.strip()
        if self.kind is bool:
            value = _FLAGS.get(value.lower(), value)
        elif self.kind is not str:
            try:
                value = typed(value)
            except NumberError:
                pass  # said with its range
        return self.checked(value, method)

    def checked(self, value: Any, method: str) -> Value:
        """``value`` as what the option is made of. Raises OptionError for what it cannot be."""
        if not self._fits(value):
            number = isinstance(value, float) and math.isfinite(value)
            given = spoken(value) if number else f"“{value}”" if isinstance(value, str) and value else str(value) or "empty"
            hint = closest(value, [key for key, _ in self.choices]) if isinstance(value, str) and self.choices else ""
            said = f" Did you mean “{hint}”?" if hint else ""
            verb = "can" if self.choices else "must"
            raise OptionError(f"Option “{self.name}” of {method} {verb} be {self.range_words}; it is {given}.{said}", hint)
        found: Value = self.kind(value)
        return found

    def _fits(self, value: Any) -> bool:
        if self.choices:
            return value in [key for key, _ in self.choices]
        if self.kind in (str, bool):
            return isinstance(value, self.kind)
        if isinstance(value, bool) or not isinstance(value, numbers.Real) or not math.isfinite(value):
            return False
        number = float(value)
        if self.kind is int and not number.is_integer():
            return False
        return (self.least < number if self.above else self.least <= number) and number <= self.most


def option(
    default: Value, title: str, words: str, source: str, group: Group, *, least: float = -math.inf, most: float = math.inf,
    above: bool = False, choices: Mapping[str, str] | None = None, often: bool = False,
) -> Any:  # fmt: skip
    """A field of an options record; see ``Option``."""
    known = tuple((choices or {}).items())
    made = Option("", default, title, words, source, group, least, most, above, known, often)
    return field(default=default, metadata={_KEY: made})


@cache
def options_of(record: type[OptionsRecord]) -> tuple[Option, ...]:
    """The options of a record, in order."""
    return tuple(replace(f.metadata[_KEY], name=f.name) for f in fields(record))


def check_record(record: OptionsRecord) -> None:
    """Raises OptionError for the first field that cannot be what it is."""
    for one in options_of(type(record)):
        one.checked(getattr(record, one.name), record.METHOD)


def option_named(record: type[OptionsRecord], name: str) -> Option:
    """Raises OptionError, with the nearest name, for one that it does not have."""
    known = {one.name: one for one in options_of(record)}
    if name not in known:
        method, similar = record.METHOD, closest(name, known)
        hint = f" Did you mean “{similar}”?" if similar else ""
        raise OptionError(
            f"{method[0].upper()}{method[1:]} has no option “{name}”.{hint} It has: {', '.join(sorted(known))}.", similar
        )
    return known[name]


def read_options(record: type[T], given: Mapping[str, Any]) -> T:
    """A record with the values ``given``. Raises OptionError, in words, for an unknown name or a wrong value."""
    kind: Any = record
    return record(**{name: option_named(kind, name).checked(value, kind.METHOD) for name, value in given.items()})


def closest(wrong: object, known: Iterable[str]) -> str:
    """The known name that ``wrong`` is most like; "" if none is."""
    return next(iter(difflib.get_close_matches(str(wrong), list(known), n=1)), "")
