"""Text of others shown as it is: one line, capped, never taken for HTML; numbers typed by people."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Sequence

from bayescope.engine.problem.numbers.number_refusals import comma_is_ambiguous
from bayescope.engine.problem.numbers.number_text import NumberError, typed
from bayescope.engine.problem.numbers.shown_digits import compact
from bayescope.gui.models.typed_functions import computed

MAX_SHOWN = 200
_LIST_SPACES = " \t\r\n"  # no-break spaces stand inside numbers
_INFINITE = re.compile(r"[-+−]?(?:inf|infinity|nan|∞)", re.IGNORECASE)


def one_line(text: str, limit: int = MAX_SHOWN) -> str:
    """``text`` without line breaks and control characters, at most ``limit`` characters (an ellipsis says it goes on)."""
    short = text if len(text) <= limit else text[: limit - 1] + "…"
    return "".join(c if c.isprintable() else "␤" if c == "\n" else " " for c in short)


def elided(path: str, limit: int) -> str:
    """``one_line`` of a path that keeps its end, by which the files of one folder differ: postPro…ples/0/T."""
    whole = one_line(path, max(len(path), limit))
    head = (limit - 1) // 3
    return whole if len(whole) <= limit else f"{whole[:head]}…{whole[len(whole) - (limit - 1 - head):]}"


def one_name(name: str, limit: int) -> str:
    """``one_line`` of a name that keeps a bracket at its end, by which columns of one quantity differ: depth to … (PB1)."""
    whole = one_line(name, max(len(name), limit))
    start = whole.rfind("(")
    end = whole[start:] if whole.endswith(")") and start > 0 else ""
    head = limit - len(end) - 2
    return f"{whole[:head].rstrip()}… {end}" if end and len(whole) > limit and head >= limit // 3 else one_line(name, limit)


def in_quotes(names: Sequence[str], most: int = 3) -> str:
    """The first ``most`` of names in quotation marks, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(f"“{one_line(name, 40)}”" for name in names[:most]) + more


def escaped(text: str, limit: int = MAX_SHOWN) -> str:
    """``one_line`` for places that would take it for HTML, such as rich labels."""
    return html.escape(one_line(text, limit))


def writable(text: str) -> str:
    """``text`` without halves of characters (an emoji cut in two by a length limit), which no file could hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def tip(text: str) -> str:
    """``text`` as a tooltip that Qt will not take for HTML, whatever names stand in it."""
    return html.escape(text).replace("\n", "<br>").join(("<span>", "</span>")) if "<" in text else text


def number_of(text: str, what: str = "This") -> float:
    """A finite number as people type it: 0.5, 1e-3, 1,5, −2, 1/4.184; 1·10^3 and 1,234 are refused. Raises ValueError with
    words."""
    try:
        value = computed(text)
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None
    try:
        return typed(text) if value is None else value
    except NumberError as error:
        if _INFINITE.fullmatch(text.strip()):
            raise ValueError(f"{what} must be a finite number. Leave the cell empty for “no limit”.") from None
        shown = one_line(text.strip(), 40)
        why = str(error).partition("” ")[2].rstrip(".")
        reason = "" if why in ("", "is not a number") else f": it {one_line(why.removeprefix('is not a number: it '))}"
        raise ValueError(f"{what} must be a number such as 0.5 or 1e-3, not “{shown}”{reason}.") from None


def optional_number_of(text: str, what: str = "This") -> float | None:
    """As ``number_of``; an empty text, a dash or “none” is None."""
    return None if text.strip().lower() in ("", "-", "–", "none", "open") else number_of(text, what)


def listed(text: str, what: str = "This", commas_separate: bool = False) -> list[str]:
    """The items of a list of numbers as people type it: 1; 2 or 1, 2 or 1 2 or 1,2,3 or 0,5; 1,5. Raises ValueError with words.

    Where semicolons separate, commas are decimal commas. What can be read in two ways (0,5 1,5 or 1,5) is refused;
    ``commas_separate``: 1,5 is two items, as in the brackets of a function.
    """
    inner = text.strip(_LIST_SPACES + ",;")
    if ";" in inner:
        return [p for p in (part.strip() for part in inner.split(";")) if p]
    items = [p.strip(",") for p in re.split(rf"[{_LIST_SPACES}]+|,(?=[{_LIST_SPACES}])", inner) if p.strip(",")]
    if not any("," in item for item in items):
        return items
    if len(items) > 1 or (not commas_separate and comma_is_ambiguous(inner)):
        shown = one_line(inner, 60)
        raise ValueError(f"{what}: “{shown}” can be read in two ways because of its commas. Write “; ” between the numbers.")
    return [p for p in inner.split(",") if p]


def and_last(listed: str) -> str:
    """``a, b and c`` of ``a, b, c``."""
    return " and ".join(listed.rsplit(", ", 1))


def shown(value: float | None) -> str:
    """A number for an editable cell: enough digits to read back the same value, nothing superfluous (2.1e11); empty for None."""
    if value is None:
        return ""
    if math.isfinite(value) and value == int(value) and abs(value) < 1e15:
        return compact(str(int(value)))
    return compact(repr(value))


def names_needed(needed: int, typed: int) -> str:
    """What to type where as many names, with commas between, are needed as numbers are marked."""
    if needed == 1:
        return f"One name is needed, without commas; there are {typed}."
    return f"{needed} names are needed, with commas between; there {'is' if typed == 1 else 'are'} {typed}."
