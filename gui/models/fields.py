"""Fields of an immutable record as a form shows them: label, tip, and how text becomes a value and back."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from bayescope.gui.models.data.errors.error_size import ErrorSize, error_size_of, text_of_size
from bayescope.gui.models.data.errors.expanded_size import divided_words
from bayescope.gui.models.data.errors.factor_size import log_sd_of
from bayescope.gui.models.plain import listed, number_of, one_line, optional_number_of, shown

Kind = Literal[
    "text", "optional_text", "number", "positive", "optional_number", "optional_positive", "count", "optional_count", "counts",
    "optional_counts", "numbers",
    "optional_numbers", "flag", "maybe", "choice", "column_or_number", "zero_based", "optional_zero_based",
    "data_column", "optional_data_column", "optional_key_column", "parameter", "optional_parameter", "number_or_parameter",
    "output", "optional_output", "some_counts", "ranges", "time", "occurrence", "occurrences", "optional_size", "cell",
]  # fmt: skip


MOST_COUNTS = 10_000  # whole numbers in one field
_NAMED_TIMES = {"first": 1, "second": 2, "third": 3, "last": -1}
_NO_TIME = "{}: write one of 1, 2, 3 …{}, not “{}”.{}"
TOO_MANY = (
    "“{typed}” is another size for each value, and this field takes one number in the unit of the data. For percent choose "
    "“Normal, size known”, and type it there."
)


@dataclass(frozen=True)
class Field:
    """``name`` is the record's; ``choices`` (key, words) for kind ``choice``; ``unit`` is shown behind the field.

    ``percent``: what “10 %” means there: the number 10, the share 0.1, 10 % of each measured value (alone or beside a number), or
    too many sizes for one field.
    """

    name: str
    label: str
    tip: str
    kind: Kind = "text"
    unit: str = ""
    placeholder: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    percent: Literal["", "number", "share", "of each value", "too many"] = ""
    beside: tuple[str, ...] = ()  # other fields of the record that are shown and typed in this one; the value is of all of them

    def of(self, record: Any) -> Any:
        """The value in ``record``."""
        values = tuple(getattr(record, name) for name in (self.name, *self.beside))
        return values if self.beside else values[0]

    def changes(self, value: Any) -> dict[str, Any]:
        """The fields of the record that ``value`` sets."""
        return dict(zip((self.name, *self.beside), value if self.beside else (value,), strict=True))


def text_of(field: Field, value: Any) -> str:
    """The value as the form's field shows it."""
    match field.kind:
        case "number" | "positive" | "optional_number" | "optional_positive":
            return shown(value)
        case "optional_size":
            return text_of_size(value)
        case "ranges":
            return ", ".join(f"{a}-{b}" for a, b in value)
        case "cell":
            return "" if value is None else f"{value[0]} = {value[1]}"
        case "counts" | "optional_counts" | "some_counts":
            return "" if value is None else ", ".join(str(v) for v in value)
        case "optional_numbers" | "numbers":
            return "" if value is None else ", ".join(shown(v) for v in value)
        case "column_or_number":
            return str(value + 1) if isinstance(value, int) else str(value)
        case "occurrences":
            which, since, until = value
            return f"{since} to {until}".replace("-", "\u2212") if which == "all" and (since, until) != (1, -1) else str(which)
        case "zero_based" | "optional_zero_based":
            return "" if value is None else str(value + 1 if value >= 0 else value)
        case "number_or_parameter":
            return value if isinstance(value, str) else shown(value)
        case _:
            return "" if value is None else str(value)


def value_of(field: Field, text: str) -> Any:
    """The value that ``text`` stands for. Raises ValueError with words for a person."""
    reader = _READERS.get(field.kind)
    size = size_typed(text, field.label) if field.percent in ("of each value", "too many") else None
    if size is not None and (size.percent is not None or (size.unit and field.percent == "too many")):
        raise ValueError(TOO_MANY.format(typed=one_line(text.strip(), 40)))
    percent = percent_of(text) if field.percent in ("number", "share") else None
    if field.percent == "share" and percent is None and (factor := log_sd_of(text)) is not None:
        text = f"{factor[0]:.12g}"
    if percent is not None:
        text = f"{percent if field.percent == 'number' else percent / 100.0:.15g}"
    return reader(text, field.label) if reader is not None else text


def size_typed(text: str, what: str) -> ErrorSize | None:
    """What ``text`` says beyond a number: a percentage of each value, a unit; None: nothing. Raises ValueError with words."""
    if not re.search(r"[%％]|per ?cent|pct|[^\W\d_]|\*/|÷", text, re.IGNORECASE):
        return None
    try:
        size = error_size_of(text, what)
    except ValueError:
        if percent_of(text) is None and not re.search(r"[%％]", text):
            return None  # what it is instead, the field's own reader says
        raise
    plain = size is None or (size.plain and not divided_words(text, "") and "=" not in text)
    return None if plain else size


def percent_of(text: str) -> float | None:
    """The number of “10 %”, “10 percent”; None: it is no percentage."""
    found = re.fullmatch(r"\s*(.+?)\s*(?:%|per ?cent|pct\.?)\s*", text, re.IGNORECASE)
    try:
        return None if found is None else number_of(found[1])
    except ValueError:
        return None


def _positive(text: str, what: str) -> float:
    value = number_of(text, what)
    if value <= 0.0:
        raise ValueError(f"{what} must be greater than zero.")
    return value


def _optional_positive(text: str, what: str) -> float | None:
    return _positive(text, what) if text.strip() else None


def _count(text: str, what: str) -> int:
    try:
        value = number_of(text, what)
    except ValueError as error:
        raise ValueError(str(error).replace("a number such as 0.5 or 1e-3", "a whole number such as 3")) from None
    if value != int(value) or abs(value) > 1e9:
        raise ValueError(f"{what} must be a whole number such as 3, not “{one_line(text.strip(), 40)}”.")
    return int(value)


def _optional_count(text: str, what: str) -> int | None:
    return None if not text.strip() else _count(text, what)


def _counts(text: str, what: str) -> tuple[int, ...]:
    parts = [p for p in re.split(r"[ \t\r\n,;&]+|\band\b", _joined_ranges(text)) if p]
    if not parts:
        raise ValueError(f"{what}: give at least one whole number, for example 1 or 1, 3 or 1-6.")
    found: list[int] = []
    for part in parts[:MOST_COUNTS]:
        ends = re.fullmatch(r"([0-9]{1,9})[-\u2013]([0-9]{1,9})", part)
        if ends is None and not re.fullmatch(r"[-\u2212+]?[0-9]+(?:\.0*)?", part):
            raise ValueError(f"{what}: whole numbers such as 1, 3 or 1-6, not “{one_line(text.strip(), 40)}”.")
        first, last = (int(ends[1]), int(ends[2])) if ends is not None else (_count(part, what),) * 2
        if not first <= last < first + MOST_COUNTS:
            raise ValueError(f"{what}: from {first} to {last} is no range; the smaller number comes first.")
        found.extend(range(first, last + 1))
    return tuple(found[:MOST_COUNTS])


def _joined_ranges(text: str) -> str:
    """As the program itself writes them: columns 1–6, rows 2 to 5; without the word, and with nothing around the dash."""
    word = r"(?:the\s+)?(?:columns?|cols?\.?|numbers?|characters?|rows?|lines?)\b"
    bare = re.sub(word, "", text.strip(), count=1, flags=re.IGNORECASE)
    return re.sub(r"(?<=[0-9])\s*(?:[-\u2010-\u2015\u2212:]|\.\.+|\bto\b|\bthrough\b)\s*(?=[0-9])", "-", bare)


def _optional_counts(text: str, what: str) -> tuple[int, ...] | None:
    return None if not text.strip() else _counts(text, what)


def _optional_numbers(text: str, what: str) -> tuple[float, ...] | None:
    parts = listed(text, what)
    return tuple(number_of(p, what) for p in parts[:100_000]) if parts else None


def _optional_text(text: str, what: str) -> str | None:
    return text or None


def _column_or_number(text: str, what: str) -> str | int:
    cleaned = text.strip()
    if not cleaned:
        raise ValueError(f"{what}: give the column's name or its number (the first is 1).")
    if cleaned.isascii() and cleaned.isdecimal() and len(cleaned) < 7:
        if int(cleaned) < 1:
            raise ValueError(f"{what}: columns are counted from 1.")
        return int(cleaned) - 1
    return cleaned


def _zero_based(text: str, what: str) -> int:
    value = _count(text, what)
    if value == 0:
        raise ValueError(f"{what} is counted from 1; −1 is the last.")
    return value - 1 if value > 0 else value


def _optional_zero_based(text: str, what: str) -> int | None:
    return None if not text.strip() else _zero_based(text, what)


def _cell(text: str, what: str) -> tuple[int, str] | None:
    if not text.strip():
        return None
    column, sign, label = text.partition("=")
    if not sign or not label.strip():
        raise ValueError(f"{what}: write the column's number and its text, as 2 = transp, not “{one_line(text.strip(), 40)}”.")
    count = _count(column, what)
    if count < 1:
        raise ValueError(f"{what}: columns are counted from 1.")
    return count, label.strip()


def _ranges(text: str, what: str) -> tuple[tuple[int, int], ...]:
    """13-24, 25-36 as pairs; nothing: none."""
    pairs = []
    for part in re.split(r"[,;]", text) if text.strip() else ():
        found = re.fullmatch(r"\s*([0-9]{1,6})\s*[-–]\s*([0-9]{1,6})\s*", part)
        if found is None:
            raise ValueError(f"{what}: write the first and the last character of each column, for example 13-24, 25-36.")
        pairs.append((int(found[1]), int(found[2])))
    return tuple(pairs)


def _time(text: str, what: str) -> int:
    """Which appearance of a text: 3, 3rd, first, last or −1."""
    cleaned = text.strip().lower().removeprefix("the ").removesuffix(" time").removesuffix(" one")
    if cleaned in _NAMED_TIMES:
        return _NAMED_TIMES[cleaned]
    try:
        value = _count(re.sub(r"(?<=[0-9])(?:st|nd|rd|th|\.)$", "", cleaned), what)
    except ValueError:
        several = " Several times are read by “Number after every marker” or “Rows below a heading” (list How)."
        more = several if re.search(r"[0-9]\s*(?:[-\u2013:,;]|to|and|\.\.)\s*[0-9]|^all|^every|^each", cleaned) else ""
        raise ValueError(_NO_TIME.format(what, " or last", one_line(text.strip(), 40), more)) from None
    if value == 0:
        raise ValueError(f"{what} is counted from 1; −1 is the last.")
    return value


def _occurrence(text: str, what: str) -> int | str:
    cleaned = text.strip().lower().removeprefix("the ")
    try:
        return "all" if cleaned in ("all", "every", "each", "every time", "all times") else _time(text, what)
    except ValueError:
        raise ValueError(_NO_TIME.format(what, ", last, or all", one_line(text.strip(), 40), "")) from None


def _occurrences(text: str, what: str) -> tuple[int | str, int, int]:
    """Which time, or from which to which: 1 to 11, 2 to last."""
    found = re.fullmatch(r"\s*(.+?)\s*(?:\bto\b|-|\u2013|\.\.+|:)\s*(\S.*)", text)
    try:
        if found is None:
            return (_occurrence(text, what), 1, -1)
        since, until = (_time(end, what) for end in found.groups())
    except ValueError:
        raise ValueError(_NO_TIME.format(what, ", last, all, or 1 to 11", one_line(text.strip(), 40), "")) from None
    if since * until > 0 and since > until:
        raise ValueError(f"{what}: from {since} to {until} is no range; the first time is 1, the last \u22121.")
    return ("all", since, until)


def _number_or_parameter(text: str, what: str) -> float | str:
    cleaned = text.strip()
    if re.fullmatch(r"[^\W\d]\w*", cleaned) and cleaned.lower() not in ("nan", "inf", "infinity"):
        return cleaned
    return number_of(text, what)


_READERS: dict[str, Callable[[str, str], Any]] = {
    "number": number_of,
    "positive": _positive,
    "optional_number": optional_number_of,
    "optional_positive": _optional_positive,
    "count": _count,
    "optional_count": _optional_count,
    "counts": _counts,
    "optional_counts": _optional_counts,
    "some_counts": lambda text, what: _optional_counts(text, what) or (),
    "ranges": _ranges,
    "cell": _cell,
    "time": _time,
    "occurrence": _occurrence,
    "occurrences": _occurrences,
    "optional_numbers": _optional_numbers,
    "numbers": lambda text, what: _optional_numbers(text, what) or (),
    "optional_size": error_size_of,
    "optional_text": _optional_text,
    "column_or_number": _column_or_number,
    "zero_based": _zero_based,
    "optional_zero_based": _optional_zero_based,
    "number_or_parameter": _number_or_parameter,
    "optional_data_column": _optional_text,
    "optional_parameter": _optional_text,
}
