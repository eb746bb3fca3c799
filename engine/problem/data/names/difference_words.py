"""Names that say that a quantity is counted from another value of itself: anomalies, differences, changes. Pure."""

from __future__ import annotations

import re

# English, German, French, Spanish, Italian, Dutch
_WORDS = re.compile(
    r"(?<![^\W_])(?:anom(?:al(?:y|ies|ie|ien|ia|ias|[ií]a|[ií]as))?|diff(?:erences?|erenz(?:en)?|[ée]rences?)?|changes?|departures?"
    r"|relative|delta|increments?|rise|drop|warming|cooling|abweichung(?:en)?|änderung(?:en)?|unterschiede?|[ée]carts?|diferencias?"
    r"|differenz[ae]|verschil(?:len)?)(?![^\W_])|[Δ∆](?=\w)|(?<![^\W_])(?-i:d)(?=T(?![^\W_]))",
    re.IGNORECASE,
)


def says_difference(name: str) -> bool:
    """Whether ``name``, of a column or an output, or a title says so: a degree of it is a kelvin, and it has no other zero."""
    return _WORDS.search(name) is not None
