"""The unit that a text declares for a list by its name, as ncdump prints it: distance:units = "m" ;. Pure."""

from __future__ import annotations

import re

from ...definition import Extractor, NumberList

LONGEST = 24  # characters: more is a sentence, or a day that times count from


def declared_unit(extractor: Extractor, text: str) -> str:
    """Of the list that is read by its name; '' if the text declares none."""
    name = (extractor.name or "").rstrip(" =") if isinstance(extractor, NumberList) else ""
    if not name:
        return ""
    found = re.search(rf'^[ \t]*{re.escape(name)}:units[ \t]*=[ \t]*"([^"\n]{{1,{LONGEST}}})"', text, re.MULTILINE)
    unit = "" if found is None else found[1].strip()
    return "" if unit == "1" or " since " in unit else unit
