"""The posterior probability that a parameter lies below a value, in words: whether it is surely not zero. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.problem.definition import Parameter
from bayescope.gui.style.words import true_minus

LEAST = 1e-4  # nearer to none or all a posterior from so many draws says nothing


def below_words(below: float) -> str:
    """``97.3 %; above: 2.7 %``, the smaller one with two digits."""
    return f"{percent(below)}; above: {percent(1.0 - below)}"


def percent(p: float) -> str:
    """A probability in per cent, with as many decimals as give the smaller side two digits."""
    if p in (0.0, 1.0):
        return f"{100.0 * p:.0f} %"
    rest = min(p, 1.0 - p)
    if rest < LEAST:
        return f"{'less' if p < 0.5 else 'more'} than {100.0 * (LEAST if p < 0.5 else 1.0 - LEAST):.2f} %"
    return f"{100.0 * p:.{max(0, 1 - math.floor(math.log10(100.0 * rest)))}f} %"


def first_asked(posterior: StoredPosterior, parameters: Sequence[Parameter]) -> tuple[str, str]:
    """The parameter and the value that are asked about first: the first one and its median, as it is typed."""
    first = next((p.name for p in parameters if p.name in posterior.names), posterior.names[0])
    return first, median_typed(posterior, first)


def median_typed(posterior: StoredPosterior, name: str) -> str:
    return true_minus(f"{float(posterior.median()[posterior.names.index(name)]):.3g}")
