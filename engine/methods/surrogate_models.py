"""The GP models of the published loops, in working coordinates."""

from __future__ import annotations

import math

import torch

from bayescope.engine.numerics.linear_algebra import stable_inverse
from bayescope.engine.problem.method_options import BvbmcOptions
from bayescope.engine.surrogate.kernels.additive import Additive
from bayescope.engine.surrogate.kernels.base import Framed, Kernel, Sum
from bayescope.engine.surrogate.kernels.matern import ProductMatern
from bayescope.engine.surrogate.kernels.polynomial import Quadratic
from bayescope.engine.surrogate.kernels.spectral_mixture import SpectralMixture
from bayescope.engine.surrogate.kernels.squared_exponential import SquaredExponential
from bayescope.engine.surrogate.means import Constant, NegativeQuadratic
from bayescope.engine.surrogate.model import Model
from bayescope.engine.surrogate.scaling import OutputScaling
from bayescope.engine.surrogate.values import Values
from bayescope.engine.variational.whitening import Frame

SMOOTHNESS = {"matern12": 0.5, "matern32": 1.5, "matern52": 2.5}


def zeromax(values: Values) -> OutputScaling:
    """Seed 000 section 6.1.1.2: the maximum is subtracted."""
    return OutputScaling(values.top, 1.0)


def bvbmc_model(options: BvbmcOptions, values: Values, box: Frame, frame: Frame) -> Model:
    """Kernel, mean and scaling of the options."""
    d = values.u.shape[1]
    scaling = zeromax(values) if options.scaling == "zeromax" else OutputScaling.of(torch.as_tensor(values.shaped), "normalize")
    mean = NegativeQuadratic.start(d) if options.mean == "quadratic" else Constant(_low_level(options, values, scaling))
    return Model(_kernel(options.kernel, d, box, frame), mean, scaling)


def _low_level(options: BvbmcOptions, values: Values, scaling: OutputScaling) -> float:
    """Of the constant mean (seed 000 section 6.1.1.5; normalized values: eq 6.11 with K_C = 1)."""
    if options.scaling == "zeromax":
        return options.mean_level
    scaled = scaling.scaled(torch.as_tensor(values.shaped))
    return float(2.0 * scaled.min() - scaled.max())


def _kernel(name: str, d: int, box: Frame, frame: Frame) -> Kernel:
    length = math.sqrt(d)
    if name in SMOOTHNESS:
        return ProductMatern.start(d, SMOOTHNESS[name], scale=10.0, lengthscale=2.0 * length)
    if name == "spectral":
        return SpectralMixture.start(d, scale=10.0, lengthscale=2.0 * length)
    bumps = SquaredExponential.start(d, scale=5.0, lengthscale=length)
    if name == "se":
        return bumps
    # These stay in the box frame: tied to the whitened frame the quadratic believes its own narrow posterior (RECIPE 4),
    # and independent parameters are independent along the user's axes.
    shift, matrix = torch.as_tensor(frame.into(box.center)), torch.as_tensor(box.matrix @ stable_inverse(frame.matrix))
    parts: list[Kernel] = [Framed(Quadratic.start(), shift, matrix), bumps]
    if name == "additive":
        parts.append(Framed(Additive.start(), shift, matrix))
    return Sum.of(*parts)


def vbmc_model(values: Values) -> Model:
    """Squared exponential kernel and a fitted negative quadratic mean (seed 001 A.2, A.5)."""
    d = values.u.shape[1]
    mean = NegativeQuadratic.start(d)
    return Model(SquaredExponential.start(d, scale=2.0, lengthscale=math.sqrt(d)), mean, zeromax(values))
