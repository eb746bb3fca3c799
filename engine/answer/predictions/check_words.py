"""How measured values agree with what is predicted for them, in words for people (Gelman, Meng and Stern 1996)."""

from __future__ import annotations

import math

from .emulated import OutputBands
from .residuals import SURPRISING, Residuals


def check_words(bands: OutputBands, residuals: Residuals | None = None, off: bool = False) -> str:
    """Of one output, a sentence or two; '' where nothing was checked. ``residuals``: with their tests, where these were made;
    ``off``: the program may be off already."""
    if math.isnan(float(bands.checks[0, 0])):
        return ""
    return " ".join(surprises(bands, residuals, off)) or "The data are as expected."


def surprises(bands: OutputBands, residuals: Residuals | None = None, off: bool = False) -> list[str]:
    """What chance would hardly give, sentences: the one place that judges, for all that tell it."""
    scattered, alike = (float(p) for p in bands.checks[0])
    drawn = float(bands.replicates[0])
    said = []
    if scattered < SURPRISING:  # False where it is not known
        said.append(f"The data are more scattered about the predictions than the model allows: {odds(scattered, drawn)}.")
    elif scattered > 1.0 - SURPRISING:
        said.append(f"The data are closer to the predictions than their noise allows: {odds(1.0 - scattered, drawn)}.")
    if residuals is not None:
        said += residuals.surprises(off)
    elif alike < SURPRISING:
        said.append(
            f"Neighbouring points miss the predictions to the same side more often than chance does: {odds(alike, drawn)}. "
            "The predicted curve may have the wrong shape."
        )
    return said


def odds(share: float, drawn: float) -> str:
    """'1 in 200', of so many data sets that were drawn."""
    if share * drawn < 1.0:
        return f"less than 1 in {_round(drawn):,}"
    return f"1 in {_round(1.0 / share):,}"


def _round(count: float) -> int:
    """To one or two digits, as is known of so few."""
    digits = -math.floor(math.log10(max(count, 1.0)))
    return round(round(count, digits + (1 if count < 100 else 0)))
