"""Names of months and their abbreviations, as loggers and people write them in seven languages. Pure."""

from __future__ import annotations

import re
import unicodedata

# English, German, Dutch, French, Spanish, Italian, Portuguese; a name may end with a full stop
_NAMES = (
    "january jan januar jän jänner januari janvier janv enero ene gennaio gen janeiro",
    "february feb februar februari février févr fév febrero febbraio fevereiro fev",
    "march mar märz maerz mär mrz maart mrt mars marzo março",
    "april apr avril avr abril abr aprile",
    "may mai mei mayo maggio mag maio",
    "june jun juni juin junio giugno giu junho",
    "july jul juli juillet juil julio luglio lug julho",
    "august aug augustus août agosto ago",
    "september sept sep septembre septiembre settembre set sett setembro",
    "october oct oktober okt octobre octubre ottobre ott outubro out",
    "november nov novembre noviembre novembro",
    "december dec dezember dez décembre déc diciembre dic dicembre dezembro",
)

SHORT_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _plain(name: str) -> str:
    """Without accents, in small letters."""
    parted = unicodedata.normalize("NFKD", name.rstrip(".").casefold())
    return "".join(c for c in parted if not unicodedata.combining(c))


_NUMBERS = {_plain(name): number for number, names in enumerate(_NAMES, 1) for name in names.split()}
_SPELT = {name for names in _NAMES for name in names.split()} | set(_NUMBERS)  # février and fevrier
MONTH = rf"(?:{'|'.join(sorted((re.escape(name) for name in _SPELT), key=lambda n: (-len(n), n)))})\.?"  # in any case


def month_number(name: str) -> int:
    """1 to 12 of a name that ``MONTH`` matches. Raises KeyError for others."""
    return _NUMBERS[_plain(name)]
