"""Which outputs of a run are results: not how long it took, which differs from run to run of any program."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..problem.checks.without_runs import used_outputs
from ..problem.definition import Problem
from ..problem.run_times import says_run_time


def computed(problem: Problem, outputs: Mapping[str, NDArray[np.float64]]) -> Mapping[str, NDArray[np.float64]]:
    """The outputs without those that are how long the run took, unless they are compared with something or are all there is."""
    used = used_outputs(problem)
    return {name: values for name, values in outputs.items() if name in used or not says_run_time(name)} or outputs
