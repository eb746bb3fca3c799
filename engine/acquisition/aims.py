"""What a run is for where outputs are learnt; needs no torch."""

from __future__ import annotations

from typing import Literal

Aim = Literal["bulk", "tails", "unsure"]  # of a run: the posterior, its tails, or where the outputs are not known
