"""How many runs a random program is given at each point: a default from what is compared and from what a run takes. Pure.

The noise of a synthetic log-likelihood, by the formula of ``likelihood.synthetic.standard_error`` averaged over the data of a
right model (Q is then chi-squared with k degrees of freedom): variance (k^2 + k) / (2 (R - 1)) + k / R for k numbers from R runs.
About 1 is economical: less of it costs runs at every point, more of it costs further points (Price et al. 2018: about 1 to 2).
"""

from __future__ import annotations

import math

from .definition import ApproximateBayes, DataTable, Meaning, Summary, SyntheticLikelihood

FEWEST = 10  # runs at each point: with fewer the spread of a single summary is not known to a quarter
FEW_PER_NUMBER, PER_NUMBER = 5, 10  # for each number compared: from 5 on the covariance is known, from 10 on it adds little noise
WANTED_SD = 1.0  # of the log-likelihood at a good point
SHORT_S = 1800.0  # a whole run that takes no longer is not worth saving at
UNKNOWN = 50  # as long as it is not known how many numbers are compared
NEAR = 100  # runs of which ABC needs some near the data; of no covariance


def numbers_of(summary: Summary, data: DataTable | None) -> int | None:
    """How many numbers a summary is; None: not known, as nothing was measured yet."""
    match summary.statistic:
        case "mean" | "sd" | "log_sd":
            return 1
        case "quantiles":
            return len(summary.levels)
        case "autocorrelation":
            return summary.lags
        case "histogram":
            return max(len(summary.edges) - 1, 0)
    column = data.columns.get(summary.column) if data is not None else None
    return None if column is None else sum(v is not None for v in column)


def numbers_compared(meaning: Meaning, data: DataTable | None) -> int | None:
    """Of all summaries together; None: not known, or there are none."""
    counts = [numbers_of(s, data) for s in getattr(meaning, "summaries", ())]
    return None if not counts or None in counts else sum(c for c in counts if c is not None)


def noise_sd(numbers: int, repeats: int) -> float:
    """Expected standard error of a synthetic log-likelihood of so many numbers where the model is right; inf for a single run."""
    k, r = numbers, repeats
    return math.sqrt(k * (k + 1) / (2.0 * (r - 1)) + k / r) if r > 1 else math.inf


def fewest_runs(numbers: int) -> int:
    """The fewest that are economical: those that give WANTED_SD, and enough for the covariance."""
    wanted = math.ceil((numbers * (numbers + 3) / 2.0) / WANTED_SD**2)
    return max(FEWEST, FEW_PER_NUMBER * numbers, wanted)


def default_runs(
    meaning: Meaning, data: DataTable | None, points: int, workers: int = 1, seconds: float | None = None
) -> int:
    """Runs at each point for this meaning: as many as add little noise where a run of the program is so quick (``seconds``) that
    ``points`` of them, ``workers`` at a time, stay short; else, and where that is not known, the fewest that are economical."""
    if isinstance(meaning, ApproximateBayes):
        return NEAR
    numbers = numbers_compared(meaning, data)
    if not isinstance(meaning, SyntheticLikelihood) or numbers is None:
        return UNKNOWN
    least = fewest_runs(numbers)
    if seconds is None or seconds <= 0.0 or points <= 0:
        return least
    affordable = int(SHORT_S * max(workers, 1) / (points * seconds))
    return int(min(max(least, affordable), max(least, PER_NUMBER * numbers)))


def is_default(meaning: Meaning, data: DataTable | None) -> bool:
    """Whether nobody need have typed how many runs there are: they are then worked out anew as summaries come and go."""
    repeats: int | None = getattr(meaning, "repeats", None)
    if isinstance(meaning, ApproximateBayes):
        return repeats == NEAR
    numbers = numbers_compared(meaning, data)
    if repeats is None or numbers is None:
        return repeats == UNKNOWN
    least = fewest_runs(numbers)
    return least <= repeats <= max(least, PER_NUMBER * numbers)
