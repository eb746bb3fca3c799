"""What repeated runs at one point say of the summaries of a synthetic likelihood: which of them would make every point fail."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..likelihood.dependent import dependences
from ..likelihood.summaries import never_reached, same_but
from ..problem import definition as d
from ..protocol import SummaryFault

Array = NDArray[np.float64]

SPARE_RUNS = 2  # beyond the number of summaries: with fewer runs every covariance is singular


def faults_of(
    meaning: d.SyntheticLikelihood | d.ApproximateBayes,
    runs: Array,
    measured: Array,
    names: Sequence[str],
    error: Array,
    counts: Sequence[int],
) -> tuple[SummaryFault, ...]:
    """``runs`` (R, k), ``measured`` (k,), ``names`` (k,), variances ``error`` (k,) of measurement errors, ``counts``: numbers of
    each summary.

    A summary without spread may have some at another point; a sum of others is one everywhere. ABC and shrinkage bear both.
    """
    if not isinstance(meaning, d.SyntheticLikelihood):
        return ()
    owner = np.repeat(np.arange(len(counts)), counts)
    flat = (runs.std(0) == 0.0) & (error == 0.0)
    missed = flat & never_reached(runs, measured)
    found = [
        SummaryFault(words=same_but(names[i], runs[:, i], float(measured[i])), summaries=(int(owner[i]),), certain=False,
                     missed=True)
        for i in np.flatnonzero(missed).tolist()
    ]  # fmt: skip
    found += [
        SummaryFault(words=f"The {names[i]} is the same in all {len(runs)} runs.", summaries=(int(owner[i]),),
                     leave_out=_whole(int(owner[i]), counts), certain=False)
        for i in np.flatnonzero(flat & ~missed).tolist()
    ]  # fmt: skip
    kept = np.flatnonzero(~flat & (error == 0.0)).tolist()
    if meaning.shrinkage > 0.0 or len(kept) < 2 or len(runs) < len(kept) + SPARE_RUNS:
        return tuple(found)
    for relation in dependences(np.asarray(np.corrcoef(runs[:, kept].T), dtype=float)):
        numbers = [kept[i] for i in (relation.whole, *relation.parts)]
        said = relation.words([names[i] for i in kept])
        mine = [int(owner[i]) for i in numbers]
        out = next((o for o in mine if _whole(o, counts) is not None), None)
        sentence = f"{said[:1].upper()}{said[1:]}."
        found.append(SummaryFault(words=sentence, summaries=tuple(dict.fromkeys(mine)), leave_out=out, certain=True))
    return tuple(found)


def _whole(summary: int, counts: Sequence[int]) -> int | None:
    """A summary of one number can be left out as a whole; of one of many something would be lost."""
    return summary if counts[summary] == 1 else None
