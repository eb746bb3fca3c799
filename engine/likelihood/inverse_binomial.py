"""Inverse binomial sampling: an unbiased log-likelihood of trial data from simulated responses (van Opheusden et al. 2020).

For each trial responses are simulated until one equals the measured one, at draw K: log p is estimated by
psi(1) - psi(K) = -sum_{j < K} 1 / j with variance psi'(1) - psi'(K).
"""

from __future__ import annotations

import numpy as np
import scipy  # its parts are imported when they are first used: most runs need none
from numpy.typing import NDArray

from .errors import LikelihoodError

Array = NDArray[np.float64]

TOLERANCE = 1e-9


def matches(simulated: Array, measured: Array) -> NDArray[np.bool_]:
    """Which responses (R, T) equal the measured ones (T,); trials without a measured response always match."""
    scale = TOLERANCE * np.maximum(1.0, np.abs(np.nan_to_num(measured)))
    return np.asarray((np.abs(simulated - measured) <= scale) | np.isnan(measured))


def complete(simulated: Array, measured: Array, rounds: int) -> bool:
    """Whether every trial has matched ``rounds`` times."""
    return len(simulated) > 0 and bool(np.all(matches(simulated, measured).sum(0) >= rounds))


def log_likelihood(simulated: Array, measured: Array, rounds: int = 1) -> tuple[float, float]:
    """(log-likelihood, standard error) from responses (R, T) and measured ones (T,). Raises LikelihoodError in words.

    A trial that has not matched by the last run counts as matched on the next one: its estimate is then too high, as with
    every cap on the number of runs.
    """
    if simulated.shape[1] != len(measured):
        raise LikelihoodError(
            f"The program gave {simulated.shape[1]} responses per run, but {len(measured)} trials were measured."
        )
    present = ~np.isnan(measured)
    if not present.any():
        raise LikelihoodError("No trial has a measured response.")
    hit = matches(simulated[:, present], measured[present])
    if not hit.any():
        raise LikelihoodError(
            f"No simulated response equalled a measured one in {len(hit)} runs. Check that both use the same codes for responses."
        )
    value, variance = 0.0, 0.0
    for trial in hit.T:
        at = np.append(-1, np.flatnonzero(trial)[:rounds])
        draws = np.diff(at).astype(float)  # runs up to each match
        if len(draws) < rounds and at[-1] + 1 <= len(trial):
            draws = np.append(draws, len(trial) - at[-1])  # counted as matched on the next run
        value += float((scipy.special.digamma(1.0) - scipy.special.digamma(draws)).mean())
        variance += float((scipy.special.polygamma(1, 1.0) - scipy.special.polygamma(1, draws)).sum()) / len(draws) ** 2
    # all trials matched at once: the formula says no error, but the probability is not known to be one
    return value, float(np.sqrt(max(variance, 1.0 / (len(hit) * hit.shape[1]))))
