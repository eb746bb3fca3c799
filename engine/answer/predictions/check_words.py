"""How measured values agree with what is predicted for them, in words for people (Gelman, Meng and Stern 1996)."""

from __future__ import annotations

import math

from .emulated import OutputBands
from .judge import TESTS, Level, level_of, of_any_test, surprising
from .residuals import OUTLIERS, Residuals

AS_EXPECTED = "The data are as expected."


def level(bands: OutputBands, among: int = 1) -> Level:
    """Of one output by itself, of so many that are judged at once."""
    share = float(bands.checks[0, 0])
    return level_of(share, 1.0 - share, among)


def surprises(
    bands: OutputBands, residuals: Residuals | None = None, off: bool = False, among: int = 1, cure: str = OUTLIERS
) -> list[str]:
    """What chance would hardly give, sentences; ``among``: of so many outputs that are judged at once. ``cure``: what residuals
    of another shape ask for."""
    return [*scatter(bands, among), *in_order(bands, residuals, off, among, cure)]


def scatter(bands: OutputBands, among: int = 1) -> list[str]:
    """That the data lie too far off, or too near."""
    share, drawn = float(bands.checks[0, 0]), float(bands.replicates[0])
    match level(bands, among):
        case "too large":
            found = odds_among(share, drawn, among)
            return [f"The data are more scattered about the predictions than the model allows: {found}."]
        case "too small":
            return [f"The data are closer to the predictions than their noise allows: {odds_among(1.0 - share, drawn, among)}."]
    return []


def in_order(
    bands: OutputBands, residuals: Residuals | None = None, off: bool = False, among: int = 1, cure: str = OUTLIERS
) -> list[str]:
    """That neighbours, or the shape of the residuals, are not as chance gives them."""
    alike, drawn = float(bands.checks[0, 1]), float(bands.replicates[0])
    said = []
    if residuals is not None:
        said += residuals.surprises(off, among, cure)
    elif surprising(alike, among):
        said.append(
            f"Neighbouring points miss the predictions to the same side more often than chance does: "
            f"{odds_among(alike, drawn, among)}. "
            "The predicted curve may have the wrong shape."
        )
    return said


def odds_among(share: float, drawn: float, among: int = 1) -> str:
    """'1 in 200 (up to 1 in 50 for any of 4 tests)'; ``among``: columns that are judged at once."""
    most = odds(of_any_test(max(share, 1.0 / drawn), among), drawn)
    return f"{odds(share, drawn)} (up to {most} for any of {told_tests(among)})"


def told_tests(among: int = 1) -> str:
    """'4 tests', of so many columns."""
    return f"{TESTS * max(among, 1):,} tests"


def odds(share: float, drawn: float) -> str:
    """'1 in 200', of so many data sets that were drawn."""
    if share * drawn < 1.0:
        return f"less than 1 in {_round(drawn):,}"
    return f"1 in {_round(1.0 / share):,}"


def _round(count: float) -> int:
    """To one or two digits, as is known of so few."""
    digits = -math.floor(math.log10(max(count, 1.0)))
    return round(round(count, digits + (1 if count < 100 else 0)))
