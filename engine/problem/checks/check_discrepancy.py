"""Whether a comparison may say that the program itself is off: the errors it goes with, its key, its numbers."""

from __future__ import annotations

import math

import numpy as np

from .. import definition as d
from ..data.rows.comparison import ComparisonError, measured_cells
from ..data.rows.discrepancies import key_of
from ..findings import Findings, shorten
from ..numbers.shown_digits import spoken

FEWEST_KEYS = 5  # different places: through fewer a smooth curve goes that any program could have
MOST_VALUES = 5_000  # measured values of one comparison
FINEST = 50.0  # lengths in the measured range: a curve that changes faster is noise
MUST_BE = (
    "The program can be off only where errors, or those of logarithms, are normal, of a size or covariance that is known, or "
    "of a size that is learned"
)
LEARNED = "Choose normal errors whose size is learned"
INSTEAD: dict[type, str] = {
    d.GaussianIntegrated: f"{LEARNED}: that averages over the size as well.",
    d.PoissonNoise: "Counts above about 20 are nearly normal: put the root of each count into a column of sds. Smaller ones "
    "cannot.",
    d.NegativeBinomialNoise: f"{LEARNED} if counts are above about 20; smaller ones cannot.",
    d.StudentTNoise: f"{LEARNED}, and leave outliers out (page Data).",
    d.Ar1Noise: "Errors that remember take up what is smooth already: choose the one or the other; for a program that is off, "
    "normal errors whose size is learned.",
}
COMMON = "Give each comparison a covariance of its own (tab Comparison); one over several cannot be parted."


def instead(meaning: d.Predictions, match: d.Match) -> str:
    """What to do where the program cannot be off beside the errors of ``match``, sentences; '' where it can."""
    if match.noise is None and isinstance(meaning.noise, d.CovarianceNoise):
        return COMMON if sum(m.noise is None for m in meaning.matches) > 1 else ""
    return INSTEAD.get(type(match.noise or meaning.noise), "")


def check_discrepancy(findings: Findings, where: str, meaning: d.Predictions, problem: d.Problem, row: int) -> None:
    match = meaning.matches[row]
    found = match.discrepancy
    if found is None:
        return
    column = shorten(match.column, 40)
    refused = instead(meaning, match)
    if refused:
        kind = "shared with other comparisons" if refused == COMMON else "of another kind"
        words = f"{MUST_BE}; those of “{column}” are {kind}."
        findings.error(where, words, f"{refused} Or untick that the program may be off.")
    for field, words in (("size", "size of what the program may be off by"), ("length", "length over which it changes")):
        value = getattr(found, field)
        if value is not None and not (math.isfinite(value) and 0.0 < value < 1e150):
            findings.error(f"{where}.{field}", f"The {words} is {spoken(value)}; it must be greater than zero.")
            return
    if problem.data is None or match.column not in problem.data.columns:
        return
    try:
        key, measured = key_of(problem, match), measured_cells(match, problem.data)
    except ComparisonError:
        return  # said where columns and keys are checked
    if key is None:
        findings.error(
            where, f"The program may be off by a smooth curve over one key; the rows of “{column}” are paired by labels or "
            "by two.",
            "Untick it, or pair the rows by one column of numbers or times.",
        )  # fmt: skip
        return
    there = np.isfinite(measured)
    if len(key[0]) == len(measured):
        _check_places(findings, where, found, key[0][there], column, key[1])


def _check_places(findings: Findings, where: str, found: d.Discrepancy, x: np.ndarray, column: str, key: str) -> None:
    """``x``: the key of each measured value."""
    if not np.isfinite(x).all():
        words = f"Not every measured value of “{column}” has a place in “{shorten(key, 40)}”."
        findings.error(where, words, "Correct the table.")
        return
    places = len(np.unique(x))
    if places < FEWEST_KEYS:
        findings.error(
            where, f"“{column}” is measured at {places} different places; at fewer than {FEWEST_KEYS} nothing can be told of a "
            "curve that the program misses.", "Untick that the program may be off.",
        )  # fmt: skip
    elif len(x) > MOST_VALUES:
        findings.error(
            where, f"“{column}” has {len(x):,} measured values; the program can be off over {MOST_VALUES:,} at most.",
            "Leave rows out, or average neighbours.",
        )  # fmt: skip
    elif found.length is not None and found.length * FINEST < np.ptp(x):
        findings.error(
            f"{where}.length", f"The length {spoken(found.length)} is less than 1/{FINEST:.0f} of the measured range of "
            f"“{shorten(key, 40)}”: such a curve is noise.", "Give a longer one, or none.",
        )  # fmt: skip
    apart = found.apart_from
    if apart and (any(len(one) != len(x) for one in apart) or not np.isfinite(np.array(apart)).all()):
        findings.error(
            f"{where}.apart_from", f"What the program's parameters can do was noted for other data than the {len(x)} values of "
            f"“{column}” now.", "Untick that the program may be off, and tick it again.",
        )  # fmt: skip
    elif apart and len(apart) >= places:
        findings.error(f"{where}.apart_from", f"{len(apart)} parameters can do whatever {places} places ask for.", "Untick it.")
