"""E under each Gaussian component of the surrogate mean, with gradients: the data term of every variational objective.

Objectives are numpy with hand gradients (an optimizer calls them hundreds of times per update); a surrogate is turned
once per refit into an ``ExpectedLogJoint``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from bayescope.engine.numerics.linear_algebra import stable_inverse
from bayescope.engine.surrogate.exact import ExactSurrogate
from bayescope.engine.surrogate.interface import Surrogate
from bayescope.engine.surrogate.kernels.additive import Additive
from bayescope.engine.surrogate.kernels.base import Framed, Kernel, Sum
from bayescope.engine.surrogate.kernels.polynomial import Quadratic
from bayescope.engine.surrogate.kernels.squared_exponential import SquaredExponential
from bayescope.engine.surrogate.means import Constant, NegativeQuadratic, Zero
from bayescope.engine.surrogate.sparse import SparseSurrogate

Array = NDArray[np.float64]

# (means (K, D), covariances (K, D, D)) -> values (K,), d/d means (K, D), d/d covariances (K, D, D) symmetric
ExpectedLogJoint = Callable[[Array, Array], tuple[Array, Array, Array]]


@dataclass(frozen=True)
class GaussianSum:
    """m(x) = constant + linear' x + x' quadratic x / 2 + sum_n amplitudes_n exp(-(x - c_n)' metric^-1 (x - c_n) / 2).

    The posterior mean of a GP with a squared exponential kernel and polynomial mean or polynomial kernel is of this form.
    constant: scalar; linear (D,); quadratic (D, D) symmetric; amplitudes (n,); centers (n, D); metric (D, D).
    """

    constant: float
    linear: Array
    quadratic: Array
    amplitudes: Array
    centers: Array
    metric: Array

    def __call__(self, means: Array, covariances: Array) -> tuple[Array, Array, Array]:
        """Closed form (seed 000 eq 4.11): Gaussian times Gaussian and Gaussian moments."""
        k, d = means.shape
        total = covariances + self.metric
        inverse = stable_inverse(total)
        log_scale = 0.5 * (np.linalg.slogdet(self.metric)[1] - np.linalg.slogdet(total)[1])
        # Quadratic forms as products with the features (c c', c, 1), centered for accuracy.
        middle = means.mean(axis=0)
        mu, c = means - middle, self.centers - middle
        rows, cols = np.tril_indices(d)
        squares = c[:, rows] * c[:, cols]
        form = np.where(rows == cols, -0.5, -1.0) * inverse[:, rows, cols]
        pulled = np.einsum("kab,kb->ka", inverse, mu)
        log_bumps = form @ squares.T + pulled @ c.T + (log_scale - 0.5 * np.einsum("ka,ka->k", pulled, mu))[:, None]
        bumps = np.exp(log_bumps) * self.amplitudes
        mass = bumps.sum(axis=1)
        first = bumps @ c - mass[:, None] * mu  # sum_n b_n (c_n - mu)
        second = np.empty((k, d, d))
        second[:, rows, cols] = second[:, cols, rows] = bumps @ squares
        cross = (bumps @ c)[:, :, None] * mu[:, None, :]
        scatter = second - cross - np.swapaxes(cross, 1, 2) + mass[:, None, None] * mu[:, :, None] * mu[:, None, :]
        curved = means @ self.quadratic
        values = mass + self.constant + means @ self.linear + 0.5 * np.einsum("ka,ka->k", curved, means)
        values = values + 0.5 * np.einsum("ab,kab->k", self.quadratic, covariances)
        d_means = np.einsum("kab,kb->ka", inverse, first) + self.linear + curved
        d_cov = 0.5 * (np.matmul(np.matmul(inverse, scatter), inverse) - mass[:, None, None] * inverse + self.quadratic)
        return values, d_means, d_cov


@dataclass(frozen=True)
class AxisSum:
    """m(x) = sum_n amplitudes_n sum_d exp(-(a_d - c_nd)^2 / (2 length^2)) with a = frame (x - shift): additive kernels.

    amplitudes (n,); centers (n, E) in the frame; frame (E, D); shift (D,).
    """

    amplitudes: Array
    centers: Array
    length: float
    frame: Array
    shift: Array

    def __call__(self, means: Array, covariances: Array) -> tuple[Array, Array, Array]:
        """Closed form: each axis sees the component's one-dimensional marginal."""
        a = (means - self.shift) @ self.frame.T  # (K, E)
        total = self.length**2 + np.einsum("ei,kij,ej->ke", self.frame, covariances, self.frame)
        delta = self.centers.T[None, :, :] - a[:, :, None]  # (K, E, n)
        bumps = np.exp(-0.5 * delta * delta / total[:, :, None]) * self.amplitudes
        scale = self.length / np.sqrt(total)
        mass = scale * bumps.sum(axis=2)
        d_a = scale * np.einsum("ken,ken->ke", bumps, delta) / total
        d_total = 0.5 * (scale * np.einsum("ken,ken,ken->ke", bumps, delta, delta) / total - mass) / total
        d_cov = np.einsum("ke,ei,ej->kij", d_total, self.frame, self.frame)
        return mass.sum(axis=1), d_a @ self.frame, d_cov


@dataclass(frozen=True)
class Confinement:
    """c(x) = - strength sum_d ((x_d - center_d) / half_width_d)^8: nothing inside a box, a wall outside.

    A surrogate says nothing far from its data (a constant mean there makes an ELBO grow with the width of a component
    without limit); this keeps components where it does. center, half_width: (D,).
    """

    center: Array
    half_width: Array
    strength: float = 10.0

    def __call__(self, means: Array, covariances: Array) -> tuple[Array, Array, Array]:
        """The eighth moment of N(m, v) is m^8 + 28 m^6 v + 210 m^4 v^2 + 420 m^2 v^3 + 105 v^4."""
        m = (means - self.center) / self.half_width
        v = np.diagonal(covariances, axis1=1, axis2=2) / self.half_width**2
        m2 = m * m
        moment = m2**4 + 28 * m2**3 * v + 210 * m2**2 * v**2 + 420 * m2 * v**3 + 105 * v**4
        d_m = m * (8 * m2**3 + 168 * m2**2 * v + 840 * m2 * v**2 + 840 * v**3)
        d_v = 28 * m2**3 + 420 * m2**2 * v + 1260 * m2 * v**2 + 420 * v**3
        d_cov = (-self.strength * d_v / self.half_width**2)[:, :, None] * np.eye(m.shape[1])
        return -self.strength * moment.sum(axis=1), -self.strength * d_m / self.half_width, d_cov


@dataclass(frozen=True)
class Together:
    """The sum of two expectations."""

    first: ExpectedLogJoint
    second: ExpectedLogJoint

    def __call__(self, means: Array, covariances: Array) -> tuple[Array, Array, Array]:
        one, two = self.first(means, covariances), self.second(means, covariances)
        return one[0] + two[0], one[1] + two[1], one[2] + two[2]


@dataclass(frozen=True)
class BySurrogate:
    """Any surrogate through its own ``integrate`` and autograd. ``diagonal``: pass variances (K, D) only."""

    surrogate: Surrogate
    diagonal: bool = False

    def __call__(self, means: Array, covariances: Array) -> tuple[Array, Array, Array]:
        like = self.surrogate.train_inputs
        mu = torch.as_tensor(means, dtype=like.dtype, device=like.device).requires_grad_(True)
        spread = np.diagonal(covariances, axis1=1, axis2=2).copy() if self.diagonal else covariances
        sigma = torch.as_tensor(spread, dtype=like.dtype, device=like.device).requires_grad_(True)
        values = self.surrogate.integrate_mean(mu, sigma)
        d_mu, d_sigma = torch.autograd.grad(values.sum(), (mu, sigma))
        d_cov = d_sigma.cpu().numpy()
        if self.diagonal:
            d_cov = d_cov[:, :, None] * np.eye(means.shape[1])
        else:
            d_cov = 0.5 * (d_cov + np.swapaxes(d_cov, 1, 2))
        return values.detach().cpu().numpy(), d_mu.cpu().numpy(), d_cov


def expected_log_joint(surrogate: Surrogate, *, diagonal: bool = False) -> ExpectedLogJoint:
    """The fastest exact form for this surrogate: closed form in numpy for squared exponential and quadratic parts, else
    the surrogate's own integral (``diagonal`` where its kernel is a tensor product)."""
    closed = closed_form(surrogate) if isinstance(surrogate, ExactSurrogate | SparseSurrogate) else None
    return closed if closed is not None else BySurrogate(surrogate, diagonal)


def closed_form(surrogate: ExactSurrogate | SparseSurrogate) -> ExpectedLogJoint | None:
    """The posterior mean as ``GaussianSum`` (and ``AxisSum``), or None when some part of the model is of another form.

    Known parts: constant, zero and negative quadratic means; squared exponential and degree-2 polynomial kernels, plain or
    seen in an affine frame, and at most one additive kernel.
    """
    model = surrogate.model
    kernel = model.kernel
    parts = kernel.parts if isinstance(kernel, Sum) else (kernel,)
    d = _basis(surrogate).shape[1]
    bumps = [part for part in parts if isinstance(_inner(part), SquaredExponential)]
    quadratics = [part for part in parts if isinstance(_inner(part), Quadratic)]
    additive = [part for part in parts if isinstance(_inner(part), Additive)]
    if len(bumps) > 1 or len(additive) > 1 or len(bumps) + len(quadratics) + len(additive) != len(parts):
        return None
    if not isinstance(model.mean, Zero | Constant | NegativeQuadratic):
        return None
    amplitudes, metric = np.zeros(surrogate.weights.shape[0]), np.eye(d)
    if bumps:
        inner = _inner(bumps[0])
        assert isinstance(inner, SquaredExponential)
        whiten = _frame(bumps[0], d) / np.exp(inner.log_lengthscales.cpu().numpy())[:, None]
        if whiten.shape[0] != d or abs(np.linalg.det(whiten)) < 1e-200:
            return None
        metric = stable_inverse(whiten.T @ whiten)
        amplitudes = float(inner.variance) * surrogate.weights.cpu().numpy()

    def smooth_part(x: torch.Tensor) -> torch.Tensor:
        value = model.mean.value(x)
        for part in quadratics:
            value = value + part.matrix(x, _basis(surrogate)) @ surrogate.weights
        return value

    constant, linear, quadratic = quadratic_coefficients(smooth_part, _basis(surrogate))
    scale = model.scaling.scale
    plain = GaussianSum(
        constant * scale + model.scaling.shift,
        linear * scale,
        quadratic * scale,
        amplitudes * scale,
        _basis(surrogate).cpu().numpy(),
        metric,
    )
    return Together(plain, _axis_sum(additive[0], surrogate)) if additive else plain


def _axis_sum(part: Kernel, surrogate: ExactSurrogate | SparseSurrogate) -> AxisSum:
    inner, d = _inner(part), _basis(surrogate).shape[1]
    assert isinstance(inner, Additive)
    frame = _frame(part, d)
    shift = part.shift.cpu().numpy() if isinstance(part, Framed) else np.zeros(d)
    x = _basis(surrogate).cpu().numpy()
    amplitudes = surrogate.weights.cpu().numpy() * float(inner.variance) * surrogate.model.scaling.scale
    return AxisSum(amplitudes, (x - shift) @ frame.T, float(inner.log_lengthscale.exp()), frame, shift)


def _basis(surrogate: ExactSurrogate | SparseSurrogate) -> torch.Tensor:
    """The points its kernel functions sit on: m(x) + k(x, basis) weights is its mean."""
    return surrogate.inducing if isinstance(surrogate, SparseSurrogate) else surrogate.train_inputs


def quadratic_coefficients(function: Callable[[torch.Tensor], torch.Tensor], like: torch.Tensor) -> tuple[float, Array, Array]:
    """Constant, linear (D,) and quadratic (D, D) coefficients of a function known to be quadratic, from its values."""
    d = like.shape[1]
    eye = torch.eye(d, dtype=like.dtype, device=like.device)
    rows, cols = np.triu_indices(d, 1)
    nodes = torch.cat([torch.zeros_like(eye[:1]), eye, -eye, eye[rows] + eye[cols]])
    with torch.no_grad():
        values = function(nodes).cpu().numpy()
    zero, plus, minus, both = float(values[0]), values[1 : d + 1], values[d + 1 : 2 * d + 1], values[2 * d + 1 :]
    quadratic = np.diag(plus + minus - 2.0 * zero)
    quadratic[rows, cols] = quadratic[cols, rows] = both - plus[rows] - plus[cols] + zero
    return zero, 0.5 * (plus - minus), quadratic


def _inner(kernel: Kernel) -> Kernel:
    return kernel.inner if isinstance(kernel, Framed) else kernel


def _frame(kernel: Kernel, d: int) -> Array:
    if not isinstance(kernel, Framed):
        return np.eye(d)
    frame: Array = kernel.frame.cpu().numpy()
    return np.diag(frame) if frame.ndim == 1 else frame
