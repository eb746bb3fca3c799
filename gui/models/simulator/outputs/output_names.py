"""Names of new outputs: one that is taken is proposed again only for the same numbers, read another way. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bayescope.engine.problem.definition import Output
from bayescope.engine.problem.extract import Reading
from bayescope.gui.models.simulator.outputs.output_views import read


def names_in_the_way(
    outputs: Sequence[Output], new: Output, here: Mapping[str, str], there: Mapping[str, str]
) -> list[str]:
    """All names that are taken, if the output that has the name of ``new`` reads other numbers than it; else none.

    ``here``, ``there``: the texts of the newest test run, and of one at other values.
    """
    known = next((o for o in outputs if o.name == new.name), None)
    return [o.name for o in outputs] if known is not None and _reads_others(known, new, here, there) else []


def _reads_others(known: Output, new: Output, here: Mapping[str, str], there: Mapping[str, str]) -> bool:
    """Whether both read other numbers in one of the runs, and at another place."""
    mine, its = read(known, here), read(new, here)
    if not isinstance(mine, Reading) or not isinstance(its, Reading):
        return known.source != new.source
    if known.source == new.source and any(a < d and c < b for a, b in mine.spans for c, d in its.spans):
        return False
    again, too = read(known, there), read(new, there)
    both = isinstance(again, Reading) and isinstance(too, Reading) and again.values != too.values
    return both or mine.values != its.values
