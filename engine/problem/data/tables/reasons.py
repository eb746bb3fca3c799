"""Words that say among numbers why there is none."""

from __future__ import annotations

from .table_cells import MISSING, inside

# among numbers alone: elsewhere they are labels, remarks and names
REASONS = frozenset((
    "filtered", "filtered out", "excluded", "masked", "removed", "rejected", "discarded", "invalid", "failed", "lost", "void",
    "omitted", "withheld", "suppressed", "damaged", "broken", "contaminated", "unreliable", "not valid", "not sampled",
    "not analysed", "not analyzed", "not tested", "not done", "not observed", "no sample", "no measurement", "no reading",
    "no signal", "out of order", "out of service", "missing value", "missing data", "verworfen", "ungültig", "ausgeschlossen",
    "ausgefallen", "entfernt", "nicht gemessen", "niet gemeten", "non mesuré", "no medido", "non misurato",
    "#div/0!", "#value!", "#ref!", "#num!", "#name?", "#null!", "#error!",
))  # fmt: skip
# these say something of the value, too: what becomes of them is asked
_STATES = frozenset("dry frozen trocken gefroren droog bevroren defect defekt gelé seco congelado asciutto".split())


def says_nothing(cell: str) -> bool:
    """Whether a cell among numbers says, in words or by a mark, that there is none."""
    text = inside(cell).lower()
    return text in MISSING or text in REASONS or text in _STATES
