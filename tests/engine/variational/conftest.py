from __future__ import annotations

import numpy as np
import pytest
import torch

from bayescope.engine.surrogate.exact import ExactSurrogate
from bayescope.engine.surrogate.kernels.additive import Additive
from bayescope.engine.surrogate.kernels.base import Framed, Sum
from bayescope.engine.surrogate.kernels.polynomial import Quadratic
from bayescope.engine.surrogate.kernels.squared_exponential import SquaredExponential
from bayescope.engine.surrogate.means import Constant
from bayescope.engine.surrogate.model import Model
from bayescope.engine.surrogate.scaling import OutputScaling


@pytest.fixture
def quadratic_surrogate() -> ExactSurrogate:
    """A rotated frame, a full quadratic, a bump kernel, a scaling: every part the closed form must carry."""
    rng = np.random.default_rng(3)
    x = torch.as_tensor(rng.standard_normal((40, 3)))
    y = -(x**2).sum(1) + torch.sin(2 * x[:, 0]) + 5.0
    kernel = Sum.of(
        Framed(Quadratic.start(), torch.tensor([0.1, 0.2, -0.1]), torch.tensor([1.0, 0.7, 1.3], dtype=torch.float64)),
        Framed(
            SquaredExponential.start(3, 1.5, 1.2),
            torch.tensor([0.3, 0.0, 0.1], dtype=torch.float64),
            torch.as_tensor(np.eye(3) + 0.3 * rng.standard_normal((3, 3))),
        ),
        Framed(
            Additive.start(0.8, 0.9),
            torch.tensor([0.0, 0.5, 0.1]),
            torch.as_tensor(np.eye(3) + 0.2 * rng.standard_normal((3, 3))),
        ),
    )
    model = Model(kernel, Constant(-20.0), OutputScaling.of(y, "zeromax"))
    return ExactSurrogate.build(model, x, y)
