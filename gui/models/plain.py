"""Text of others shown as it is: one line, capped, never taken for HTML; numbers typed by people."""

from __future__ import annotations

import html
import math

MAX_SHOWN = 200


def one_line(text: str, limit: int = MAX_SHOWN) -> str:
    """``text`` without line breaks and control characters, at most ``limit`` characters (an ellipsis says it goes on)."""
    short = text if len(text) <= limit else text[: limit - 1] + "…"
    return "".join(c if c.isprintable() else "␤" if c == "\n" else " " for c in short)


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
    """A number as people type it: 0.5, 1e-3, 1,5, −2, 1·10^3 is refused. Raises ValueError with words."""
    cleaned = text.strip().replace("−", "-").replace("\u00a0", "").replace("\u202f", "")
    if "," in cleaned and "." not in cleaned and cleaned.count(",") == 1:
        cleaned = cleaned.replace(",", ".")
    try:
        value = float(cleaned)
    except ValueError:
        shown = one_line(text.strip(), 40)
        raise ValueError(f"{what} must be a number such as 0.5 or 1e-3, not “{shown}”.") from None
    if not math.isfinite(value):
        raise ValueError(f"{what} must be a finite number. Leave the cell empty for “no limit”.")
    return value


def optional_number_of(text: str, what: str = "This") -> float | None:
    """As ``number_of``; an empty text, a dash or “none” is None."""
    return None if text.strip().lower() in ("", "-", "–", "none", "open") else number_of(text, what)


def shown(value: float | None) -> str:
    """A number for an editable cell: enough digits to read back the same value, nothing superfluous; empty for None."""
    if value is None:
        return ""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return repr(value)
