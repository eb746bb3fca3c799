"""Where more runs are needed, as it is stored with an answer that no run has tested: what the surrogate is unsure of where the
answer has its mass, and the places whose runs would tell most. Inference space."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem.numbers.shown_digits import spoken

Array = NDArray[np.float64]

PREFIX = "needed."  # before the names of the arrays
SETTLED = 0.05  # nats of sd throughout the answer below which more runs decide nothing


@dataclass(frozen=True)
class NeededRuns:
    """``places`` (k, D), the most needed first; ``sd`` (k,) of the log density there as far as the archive tells; ``left`` (k,):
    the share of the answer's mean variance that would be left after this run and those before it. ``draws`` (m, D) of the answer
    with ``unsure`` (m,), the sd there: the map."""

    places: Array
    sd: Array
    left: Array
    draws: Array
    unsure: Array

    @classmethod
    def of(cls, arrays: Mapping[str, Array], dimension: int) -> Self | None:
        """None where none are stored; a file may be damaged or come from a stranger."""
        found = cls(*(np.asarray(arrays.get(PREFIX + f.name, np.nan), dtype=float) for f in fields(cls)))
        for places, beside in ((found.places, (found.sd, found.left)), (found.draws, (found.unsure,))):
            if places.ndim != 2 or places.shape[1] != dimension or not len(places):
                return None
            if any(b.shape != (len(places),) for b in beside):
                return None
        sound = all(np.isfinite(getattr(found, f.name)).all() for f in fields(cls))
        return found if sound and (found.unsure >= 0.0).all() and (found.sd >= 0.0).all() else None

    def arrays(self) -> dict[str, Array]:
        return {PREFIX + f.name: np.asarray(getattr(self, f.name), dtype=float) for f in fields(self)}

    @property
    def settled(self) -> bool:
        """Whether the archive tells the answer everywhere so well that more runs decide nothing."""
        return float(np.sqrt(np.mean(self.unsure**2))) < SETTLED

    def words(self) -> str:
        """A sentence or two for people."""
        typical, worst = float(np.sqrt(np.mean(self.unsure**2))), float(self.unsure.max())
        open_by = f"{spoken(typical, 2)}, at most {spoken(worst, 2)}"
        said = f"Where the answer has its mass the archive leaves the log density open by {open_by}."
        if self.settled:
            return f"{said} More runs would decide little."
        k, left = len(self.places), 100.0 * float(self.left[-1])
        return f"{said} {k} runs at these places would leave about {left:.0f} % of that variance."
