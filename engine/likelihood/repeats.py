"""A noisy log-likelihood from R runs at one point: the average and its standard error from the spread."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .errors import LikelihoodError

Array = NDArray[np.float64]


def combined(
    values: Array, average: Literal["log", "likelihood"], reported: Array | None = None
) -> tuple[float, float]:
    """(log-likelihood, standard error) from log-likelihoods (R,).

    ``reported``: standard errors (R,) the program gave itself; they are used where one run gives no spread. -inf values count
    as likelihood zero in the average of likelihoods; in the average of logarithms they are an error.
    """
    r = len(values)
    if r == 0:
        raise LikelihoodError("No run gave a log-likelihood.")
    own = 0.0 if reported is None else float(np.sqrt(np.square(reported).sum())) / r
    if average == "likelihood":
        top = float(values.max())
        if top == -np.inf:
            raise LikelihoodError("The likelihood is zero in every run here.", impossible=True)
        if np.all(values == top):
            return top, own
        w = np.exp(values - top)
        mean = float(w.mean())
        return top + float(np.log(mean)), float(w.std(ddof=1) / (np.sqrt(r) * mean))
    if np.any(values == -np.inf):
        bad = int(np.sum(values == -np.inf))
        if bad == r:
            raise LikelihoodError(
                "The likelihood is zero in every run here (its logarithm is minus infinity).", impossible=True
            )
        raise LikelihoodError(
            f"{bad} of {r} runs gave a log-likelihood of minus infinity, so the logarithms have no average. "
            "If the program's likelihood estimate is unbiased, average the likelihoods instead."
        )
    if np.all(values == values[0]):
        return float(values[0]), own  # rounding in the mean would leave a spread of 1e-17
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(r))
