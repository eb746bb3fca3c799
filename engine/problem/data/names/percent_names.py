"""What a column's name says of percentages: that it holds them, and that its errors are parts of the values. Pure."""

from __future__ import annotations

import re

from .column_names import unit_in

PERCENT = frozenset(("%", "percent", "per cent", "pct", "％"))
_SIGN = r"(?:%|％|(?<![^\W\d_])(?:per\s?cent|pct\.?)(?![^\W_]))"
_PERCENT_OF = re.compile(
    rf"(?:(?:vol(?:ume)?|wt|weight|mass|mol|mole|at|atom|area|[vwm])\.?[\s-]*)?{_SIGN}"
    r"(?:\s*(?:\(?[vwm]/[vwm]\)?|\(?(?:vol|wt)\.?\)?|by\s+(?:volume|weight|mass)))?",
    re.IGNORECASE,
)
_LONE_SIGN = re.compile(rf"(?<!\d)(?<!\d ){_SIGN}", re.IGNORECASE)  # 95 % is a level
_VALUES = r"(?:values?|readings?|rdg|measured|measurements?|mean|each|its|result|Wert\w*|Messwert\w*|valeur|valor|waarde)"
_ERROR = r"(?:s\.?d|s\.?e|st(?:d|\.|andard|dev)\w*|err\w*|unc\w*|u|dev\w*|sigma|\u03c3|Fehler|Unsicherheit)"
_OF_VALUES = re.compile(  # % of value, of reading, rel. sd, u_rel, RSD
    rf"{_SIGN}\s*(?:(?:of|v\.?|von|des|de|di|del|van)\s+(?:the\s+|each\s+|la\s+|de\s+)?)?{_VALUES}(?![^\W_])"
    rf"|(?<![^\W_])rel(?:\.|ative)?[\s_-]*{_ERROR}(?![^\W_])"
    rf"|(?<![^\W_]){_ERROR}[.]?[\s_]*[(\[]?rel(?:\.|ative)?[)\]]?(?=\W*(?:[(\[/].*|[%％])?\Z)"
    r"|(?<![^\W_])(?:RSD|RSE|CV)(?=\W*(?:[(\[/].*|[%％])?\Z)",
    re.IGNORECASE,
)


def is_percent(unit: str) -> bool:
    """Whether a unit is a hundredth, of whatever: %, vol-%, wt %, % v/v, percent."""
    return _PERCENT_OF.fullmatch(unit.strip()) is not None


def in_percent(name: str) -> bool:
    """Whether a column's name says that it holds percentages: error (%), sd [percent], percent error, st. dev. (% of value)."""
    bare = " ".join(name.replace("_", " ").split())
    return unit_in(name).casefold() in PERCENT or _LONE_SIGN.search(bare) is not None


def of_values(name: str) -> bool:
    """Whether the name of a column of errors says beyond doubt that they are parts of the values: % of reading, rel. sd, RSD."""
    return _OF_VALUES.search(" ".join(name.split())) is not None


def parts_of(sds: str, values: str) -> bool:
    """Whether the errors ``sds`` are parts of their ``values``, as the names say: % beside volts, % of value beside anything."""
    return of_values(sds) or (in_percent(sds) and not in_percent(values))
