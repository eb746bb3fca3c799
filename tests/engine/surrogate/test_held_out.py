"""Evaluations left out in blocks are predicted as by a surrogate that never saw them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from bayescope.engine.surrogate.exact import ExactSurrogate
from bayescope.engine.surrogate.held_out import held_out, nested
from bayescope.engine.surrogate.kernels.squared_exponential import SquaredExponential
from bayescope.engine.surrogate.means import Zero
from bayescope.engine.surrogate.model import Model
from bayescope.engine.surrogate.scaling import OutputScaling
from bayescope.engine.surrogate.sparse import SparseSurrogate

Data = Callable[..., tuple[Tensor, Tensor, Tensor]]
BLOCK = torch.arange(90) // 30 - 1  # the first thirty are never left out


def _model(y: Tensor) -> Model:
    return Model(SquaredExponential.start(2, 1.5), Zero(), OutputScaling(float(y.max()), 2.0))


@pytest.mark.parametrize("sparse", [False, True])
def test_each_block_is_predicted_as_if_it_had_never_been_seen(data: Data, sparse: bool) -> None:
    x, y, noise = data(90, 2)
    z = x[::4]

    def build(rows: Tensor) -> ExactSurrogate | SparseSurrogate:
        given = x[rows], y[rows], noise[rows]
        return SparseSurrogate.build(_model(y), z, *given) if sparse else ExactSurrogate.build(_model(y), *given)

    found = held_out(build(torch.arange(90)), BLOCK)
    assert found.index.tolist() == list(range(30, 90))
    for b in (0, 1):
        rows, others = (torch.nonzero(mask).squeeze(1) for mask in (b == BLOCK, b != BLOCK))
        mean, variance = build(others).predict(x[rows])
        here = slice(30 * b, 30 * b + 30)
        torch.testing.assert_close(found.residual[here], y[rows] - mean, rtol=1e-6, atol=1e-6)
        torch.testing.assert_close(found.variance[here], variance, rtol=1e-5, atol=1e-7)
        torch.testing.assert_close(found.noise[here], noise[rows])
        normal = torch.distributions.Normal(mean, (4.0 * variance + noise[rows]).sqrt())
        torch.testing.assert_close(found.log_density(2.0)[here], normal.log_prob(y[rows]), rtol=1e-5, atol=1e-5)


def test_fewer_inducing_points_are_judged_in_the_same_pass(data: Data) -> None:
    x, y, noise = data(90, 2)
    whole = SparseSurrogate.build(_model(y), x[:40], x, y, noise)
    for m, found in zip((8, 20, 40), nested(whole, BLOCK, (8, 20, 40)), strict=True):
        alone = held_out(SparseSurrogate.build(_model(y), x[:m], x, y, noise), BLOCK)
        torch.testing.assert_close(found.residual, alone.residual, rtol=1e-6, atol=1e-6)
        torch.testing.assert_close(found.variance, alone.variance, rtol=1e-5, atol=1e-7)
