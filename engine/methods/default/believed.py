"""Whether learnt outputs may be believed: how far off the log-likelihood of runs is that were left out."""

from __future__ import annotations

import numpy as np

from ...surrogate.outputs.log_joint import EmulatedLogJoint

MATTERS, ENOUGH = 50.0, 5  # nats below the best within which a run tells whether outputs may be believed, if there are as many


def left_out_error(surrogate: EmulatedLogJoint) -> float:
    """Median error (nats) over the half of the runs nearest to the data of the log-likelihood predicted without them.

    Runs thousands of nats down, missed by ten, are no reason to doubt: half of few runs may reach down to them.
    """
    residual, _ = surrogate.leave_one_out()
    near = surrogate.kept[np.argsort(-surrogate.y[surrogate.kept])[: max(3, len(surrogate.kept) // 2)]]
    matter = near[surrogate.y[near] > -MATTERS]
    near = matter if len(matter) >= ENOUGH else near
    error = np.abs(residual[near])
    return float(np.median(np.where(np.isfinite(error), error, 1e9)))
