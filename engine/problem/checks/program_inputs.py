"""Which parameters reach the program, and in which coordinates its outputs are smooth."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import definition as d
from ..placeholders import normal
from ..transforms import Logit, LogScaled, ParameterSpace, Probit
from .check_simulator import noise_parameters, simulator_parameters

Array = NDArray[np.float64]


def seen_by_program(problem: d.Problem, space: ParameterSpace) -> tuple[int, ...]:
    """The free parameters that are not parameters of the noise alone."""
    alone = noise_parameters(problem) - simulator_parameters(problem)
    return tuple(i for i, name in enumerate(space.names) if normal(name) not in alone)


def smooth_inputs(space: ParameterSpace, inputs: tuple[int, ...], u: Array) -> Array:
    """Of points u (n, D) of inference space (n, d): logarithms of positive parameters, bounded ones as they are."""
    x = np.empty((len(u), len(inputs)))
    for k, i in enumerate(inputs):
        t = space.transforms[i]
        if isinstance(t, Probit | Logit):
            x[:, k] = t.to_user(u[:, i])
        elif isinstance(t, LogScaled):
            x[:, k] = np.log(t.to_user(u[:, i]))
        else:
            x[:, k] = u[:, i]
    return x
