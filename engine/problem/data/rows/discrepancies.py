"""The discrepancy of a comparison: the key it is smooth over, its Gaussian process, and what is proposed for it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec
import numpy as np
from numpy.typing import NDArray

from ....numerics.discrepancy import Discrepancy
from ... import definition as d
from ..errors.measured_spread import covariance_factor, spread
from .across import by_factors, smooth_over
from .comparison import measured_cells, place

Array = NDArray[np.float64]

SMALL = 0.5  # proposed size, in standard deviations of the measured values
KNOWN = 16  # processes that are kept: each comparison of a problem has one, and every run needs them


def key_of(problem: d.Problem, match: d.Match) -> tuple[Array, str] | None:
    """Where each row of the data (n,) stands along the key, in decades where keys are spread by factors, and its name.

    None where there is no one key with distances: labels, or two keys. Raises ComparisonError.
    """
    assert problem.data is not None
    if match.keys and not place(match, problem.data)[2]:
        return None
    x, name = smooth_over(problem, match)
    if by_factors(x[np.isfinite(x)]):
        return np.log10(np.where(x > 0.0, x, np.nan)), f"{name}, in decades"
    return x, name


def process_of(problem: d.Problem, match: d.Match, rows: NDArray[np.intp], units: Array) -> Discrepancy:
    """Of the measured rows (L,), whose noise has the sds ``units`` (L,), or those times its inferred size, or the covariance
    ``units`` (L, L). Raises ComparisonError if that is not positive definite."""
    found = match.discrepancy
    assert found is not None
    key = key_of(problem, match)
    assert key is not None
    return _process(key[0][rows].tobytes(), np.asarray(units, float).tobytes(), found)


@lru_cache(maxsize=KNOWN)
def _process(x: bytes, units: bytes, declared: d.Discrepancy) -> Discrepancy:
    places, noise = np.frombuffer(x).copy(), np.frombuffer(units).copy()
    if len(noise) > len(places):
        noise = covariance_factor(noise.reshape(len(places), -1))
    apart = np.array(declared.apart_from, dtype=float) if declared.apart_from else None
    return Discrepancy.of(places, noise, declared.size, declared.length, apart)


def proposed(problem: d.Problem, match: d.Match) -> d.Discrepancy:
    """A discrepancy that is small beside how far the measured values, or their logarithms, are from each other. Raises
    ComparisonError."""
    assert problem.data is not None
    measured = measured_cells(match, problem.data)
    if by_a_factor(problem, match):
        measured = np.log(np.where(measured > 0.0, measured, np.nan))
    return d.Discrepancy(size=float(f"{SMALL * spread(measured):.2g}"))


def by_a_factor(problem: d.Problem, match: d.Match) -> bool:
    """Whether a program that is off misses a factor: its errors are relative, and what it misses is added to logarithms."""
    assert isinstance(problem.meaning, d.Predictions)
    return isinstance(match.noise or problem.meaning.noise, d.LogNormalNoise)


def with_discrepancy(problem: d.Problem, rows: Sequence[int], on: bool = True) -> d.Problem:
    """``problem`` whose comparisons ``rows`` (from 0) may be off (``on`` False: may not). Raises ComparisonError."""
    meaning = problem.meaning
    if not isinstance(meaning, d.Predictions):
        return problem
    matches = list(meaning.matches)
    for row in rows:
        one = (matches[row].discrepancy or proposed(problem, matches[row])) if on else None
        matches[row] = msgspec.structs.replace(matches[row], discrepancy=one)
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=tuple(matches)))
