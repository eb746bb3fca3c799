"""What a run is for where outputs are learnt; needs no torch."""

from __future__ import annotations

from typing import Literal

Aim = Literal["bulk", "flanks", "tails", "unsure"]  # of a run: the posterior, more of it, its tails, what is not known
