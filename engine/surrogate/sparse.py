"""Sparse Gaussian process regression with per-point noise and any mean (seed 001 A.3, C.1-C.5; seed 000 appendix A).

With Z the inducing points, K_ZZ = L L', R = L^-1 K_ZX D^-1/2, S = I + R R' = L_S L_S', b = R D^-1/2 (y - m(X)), c = L_S^-1 b:

    bound = -1/2 [n log 2 pi + log|D| + log|S| + |D^-1/2 (y - m)|^2 - |c|^2 + tr((K - Q) D^-1)]      (C.3, eq S11)
    mean(x) = m(x) + k(x, Z) L^-T L_S^-T c,  cov = k(x, x') - k(x, Z) L^-T (I - S^-1) L^-1 k(Z, x')    (C.4)

D is the noise (METHODS 9.9: a rank-one column of R is L^-1 k(Z, x*) divided by sigma). Variants: "vfe" is the bound above;
"dtc" leaves the trace out; "fitc" leaves it out and adds diag(K - Q) to D (seed 000 A.2; METHODS 9.8 for the variance).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor

from ..numerics.torch_linear_algebra import robust_cholesky
from ..quadrature.gaussians import check_shapes
from .linear_algebra import append_block, backward, forward, rank_one_update
from .model import Model, check_data

Variant = Literal["vfe", "dtc", "fitc"]
CHUNK = 4096  # training points handled at once: memory stays at M x CHUNK
RELATIVE_JITTER = 1e-10  # of the mean prior variance, on K_ZZ
NEIGHBOURS = 2_000  # earlier points that are looked at again for the new inducing points of a batch
MOST_NEW = 20  # inducing points that a batch may bring
UNEXPLAINED = 0.05  # nats of sd given the inducing points below which a point of a batch needs not be one
NEW_INDUCING = 1e-6  # a new point becomes an inducing point when this fraction of its prior variance is unexplained


@dataclass(frozen=True)
class Sums:
    """What the training points leave behind: b (M,) and scalars over points of the scaled problem."""

    b: Tensor
    squares: float  # |D^-1/2 (y - m)|^2
    log_noise: float  # log|D|
    trace: float  # tr((K - Q) D^-1)


@dataclass(frozen=True)
class SparseSurrogate:
    """Posterior through inducing points Z (M, D). Build it with ``SparseSurrogate.build``.

    factor L (M, M) of K_ZZ, inner L_S (M, M) of S, projected c (M,).
    """

    model: Model
    inducing: Tensor
    train_inputs: Tensor
    train_targets: Tensor
    noise_variance: Tensor
    factor: Tensor
    inner: Tensor
    projected: Tensor
    sums: Sums
    variant: Variant = "vfe"

    @classmethod
    def build(
        cls,
        model: Model,
        inducing: Tensor,
        x: Tensor,
        y: Tensor,
        noise_variance: Tensor | None = None,
        variant: Variant = "vfe",
    ) -> SparseSurrogate:
        """x (n, D), y (n,), noise variance (n,), inducing (M, D). O(n M^2), a chunk of points at a time."""
        x, y, noise_variance = check_data(x, y, noise_variance)
        model = model.to(x.device)
        kernel = model.kernel
        factor = inducing_factor(kernel.matrix(inducing, inducing))
        m = inducing.shape[0]
        s = torch.eye(m, dtype=x.dtype, device=x.device)
        b = x.new_zeros(m)
        squares = log_noise = trace = 0.0
        for part in chunks(x.shape[0]):
            moved = forward(factor, kernel.matrix(inducing, x[part]))
            noise = noise_of_model(model, noise_variance[part])
            gap = (kernel.diagonal(x[part]) - (moved * moved).sum(0)).clamp_min(0.0)
            if variant == "fitc":
                noise = noise + gap
            residual = model.scaling.scaled(y[part]) - model.mean.value(x[part])
            r = moved * noise.rsqrt()
            s = s + r @ r.T
            b = b + r @ (residual * noise.rsqrt())
            squares += float((residual * residual / noise).sum())
            log_noise += float(noise.log().sum())
            trace += float((gap / noise).sum())
        inner, _ = robust_cholesky(s)
        sums = Sums(b, squares, log_noise, trace)
        return cls(model, inducing, x, y, noise_variance, factor, inner, forward(inner, b), sums, variant)

    @property
    def weights(self) -> Tensor:
        """(M,): the posterior mean is m(x) + k(x, Z) weights."""
        return backward(self.factor, backward(self.inner, self.projected))

    def moved(self, part: slice | Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Of some training points (k): L^-1 K_Zx (M, k), noise variance (k,), and the gap where it counts, y - m (k,)."""
        x, model = self.train_inputs[part], self.model
        noise = noise_of_model(model, self.noise_variance[part])
        residual = model.scaling.scaled(self.train_targets[part]) - model.mean.value(x)
        moved = forward(self.factor, model.kernel.matrix(self.inducing, x))
        if self.variant == "fitc":
            noise = noise + (model.kernel.diagonal(x) - (moved * moved).sum(0)).clamp_min(0.0)
        return moved, noise, residual

    def to(self, device: torch.device) -> SparseSurrogate:
        """The same numbers on another device."""
        if self.inducing.device == device:
            return self
        names = ("inducing", "train_inputs", "train_targets", "noise_variance", "factor", "inner", "projected")
        there = {name: getattr(self, name).to(device) for name in names}
        return replace(self, model=self.model.to(device), sums=replace(self.sums, b=self.sums.b.to(device)), **there)

    def leading(self, m: int) -> SparseSurrogate:
        """The surrogate of its first ``m`` inducing points alone, O(M^2): Cholesky factors are nested. "vfe" and "dtc"."""
        if m >= self.inducing.shape[0]:
            return self
        inner = self.inner[:m, :m]
        # The diagonal of R R' is that of S less 1; what the others explained is unexplained again.
        explained = float(((self.inner[m:] ** 2).sum(1) - 1.0).sum())
        sums = replace(self.sums, b=self.sums.b[:m], trace=self.sums.trace + explained)
        return replace(
            self, inducing=self.inducing[:m], factor=self.factor[:m, :m], inner=inner, projected=self.projected[:m], sums=sums
        )

    def predict(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Posterior mean (m,) and latent variance (m,) at x (m, D); differentiable in x."""
        cross = self.model.kernel.matrix(self.inducing, x)
        first = forward(self.factor, cross)
        second = forward(self.inner, first)
        prior = self.model.kernel.diagonal(x)
        variance = torch.maximum(prior - (first * first).sum(0) + (second * second).sum(0), 1e-14 * prior)
        mean = self.model.mean.value(x) + self.projected @ second
        return self.model.scaling.value(mean), self.model.scaling.covariance(variance)

    def predict_mean(self, x: Tensor) -> Tensor:
        """Posterior mean (m,) alone, O(M m)."""
        cross = self.model.kernel.matrix(x, self.inducing)
        return self.model.scaling.value(self.model.mean.value(x) + cross @ self.weights)

    def covariance(self, x1: Tensor, x2: Tensor) -> Tensor:
        """Posterior covariance (m1, m2)."""
        kernel = self.model.kernel
        first1 = forward(self.factor, kernel.matrix(self.inducing, x1))
        second1 = forward(self.inner, first1)
        first2 = forward(self.factor, kernel.matrix(self.inducing, x2))
        second2 = forward(self.inner, first2)
        return self.model.scaling.covariance(kernel.matrix(x1, x2) - first1.T @ first2 + second1.T @ second2)

    def log_marginal_likelihood(self) -> Tensor:
        """The GP-ELBO () in the units of y, never above the exact log marginal likelihood ("vfe"); else its approximation."""
        n = self.train_targets.shape[0]
        log_det = 2.0 * self.inner.diagonal().log().sum() + self.sums.log_noise
        quadratic = self.sums.squares - self.projected @ self.projected
        trace = self.sums.trace if self.variant == "vfe" else 0.0
        constant = n * (math.log(2 * math.pi) + 2.0 * math.log(self.model.scaling.scale))
        return -0.5 * (constant + log_det + quadratic + trace)

    def integrate(self, means: Tensor, covariances: Tensor) -> tuple[Tensor, Tensor]:
        """Sparse Bayesian quadrature (seed 001 C.2): mean (K,) and covariance (K, K) of the integrals under Gaussians."""
        check_shapes(means, covariances)
        kernel, scaling = self.model.kernel, self.model.scaling
        first = forward(self.factor, kernel.kernel_mean(self.inducing, means, covariances).T)
        second = forward(self.inner, first)
        mean = self.model.mean.integral(means, covariances) + self.projected @ second
        covariance = kernel.double_integral(means, covariances) - first.T @ first + second.T @ second
        return scaling.value(mean), scaling.covariance(covariance)

    def integrate_mean(self, means: Tensor, covariances: Tensor) -> Tensor:
        """The mean (K,) of ``integrate`` alone, O(M K)."""
        check_shapes(means, covariances)
        z = self.model.kernel.kernel_mean(self.inducing, means, covariances)
        return self.model.scaling.value(self.model.mean.integral(means, covariances) + z @ self.weights)

    def condition(
        self, x: Tensor, y: Tensor | None, noise_variance: Tensor | None = None, inducing: bool | None = None
    ) -> SparseSurrogate:
        """A surrogate with points added one by one by rank-one updates (seed 001 C.5).

        ``y`` None: pending points, valued at the current mean. ``inducing`` True makes each of them an inducing point too
        (case 1), False none (case 2), None those that the inducing points explain badly.
        """
        values = self.predict_mean(x).detach() if y is None else y
        x, values, noise_variance = check_data(x, values, noise_variance)
        updated = self
        for i in range(x.shape[0]):
            updated = updated._with_point(x[i : i + 1], values[i : i + 1], noise_variance[i : i + 1], inducing)
        return updated

    def _with_point(self, x: Tensor, y: Tensor, noise_variance: Tensor, inducing: bool | None) -> SparseSurrogate:
        kernel, model = self.model.kernel, self.model
        prior = float(kernel.diagonal(x))
        moved = forward(self.factor, kernel.matrix(self.inducing, x).squeeze(1))
        gap = prior - float(moved @ moved)
        add = gap > (NEW_INDUCING if inducing is None else 1e-9) * prior and inducing is not False
        if self.variant == "fitc" and add:
            # A new inducing point changes every point's D, so there is no rank-one update.
            return SparseSurrogate.build(
                model, torch.cat([self.inducing, x]), *self._data_with(x, y, noise_variance), variant="fitc"
            )
        base = self._with_inducing(x) if add else self
        vector = forward(base.factor, kernel.matrix(base.inducing, x).squeeze(1)) if add else moved
        gap = max(prior - float(vector @ vector), 0.0)
        noise = float(noise_of_model(model, noise_variance)) + (gap if self.variant == "fitc" else 0.0)
        residual = float(model.scaling.scaled(y) - model.mean.value(x))
        inner = rank_one_update(base.inner, vector / math.sqrt(noise))
        sums = Sums(
            base.sums.b + vector * (residual / noise),
            base.sums.squares + residual * residual / noise,
            base.sums.log_noise + math.log(noise),
            base.sums.trace + gap / noise,
        )
        inputs, targets, noises = self._data_with(x, y, noise_variance)
        return replace(
            base,
            train_inputs=inputs,
            train_targets=targets,
            noise_variance=noises,
            inner=inner,
            projected=forward(inner, sums.b),
            sums=sums,
        )

    def _with_inducing(self, z: Tensor, among: Tensor | None = None) -> SparseSurrogate:
        """More inducing points z (q, D): R gets q rows, S as many rows and columns (seed 001 C.5 case 1). O(n M q) for the n
        training points ``among`` (None: all) whose say on the new rows is counted; the others' stays with the old ones."""
        kernel = self.model.kernel
        block = kernel.matrix(z, z)
        block.diagonal().mul_(1.0 + RELATIVE_JITTER)
        factor, _ = append_block(self.factor, kernel.matrix(self.inducing, z), block)
        m, q = self.inducing.shape[0], z.shape[0]
        direction, corner = backward(self.factor, factor[m:, :m].T), factor[m:, m:]
        side, gram, b = factor.new_zeros(m, q), torch.eye(q).to(factor), factor.new_zeros(q)
        explained = 0.0
        every = torch.arange(self.train_inputs.shape[0], device=z.device) if among is None else among
        for part in chunks(len(every)):
            x = self.train_inputs[every[part]]
            root = noise_of_model(self.model, self.noise_variance[every[part]]).rsqrt()
            residual = self.model.scaling.scaled(self.train_targets[every[part]]) - self.model.mean.value(x)
            cross = kernel.matrix(self.inducing, x)
            rows = forward(corner, kernel.matrix(z, x) - direction.T @ cross) * root
            side += cross @ (root * rows).T
            gram += rows @ rows.T
            b += rows @ (residual * root)
            explained += float((rows * rows).sum())
        inner, _ = append_block(self.inner, forward(self.factor, side), gram)
        sums = replace(self.sums, b=torch.cat([self.sums.b, b]), trace=self.sums.trace - explained)
        projected = forward(inner, sums.b)
        return replace(
            self, inducing=torch.cat([self.inducing, z]), factor=factor, inner=inner, projected=projected, sums=sums
        )

    def absorbed(self, x: Tensor, y: Tensor, noise_variance: Tensor, most_new: int = MOST_NEW) -> SparseSurrogate:
        """A surrogate with a batch of points (k, D) added at once, hyperparameters fixed. "vfe" and "dtc".

        Those of them that the inducing points explain badly become inducing points, as online selection has it (seed 004 A), by
        what is unexplained instead of by the nearest one's covariance. Of the earlier data only the nearest ``NEIGHBOURS`` are
        looked at again for it, so that a batch costs O(M^3 + M^2 k) whatever their number (002 ch. 3; Bui, Nguyen, Turner 2017).
        """
        x, y, noise_variance = check_data(x, y, noise_variance)
        new = self._unexplained(x, noise_variance, most_new)
        base = self._with_inducing(x[new], nearest(self.train_inputs, x[new], NEIGHBOURS)) if len(new) else self
        inputs, targets, noises = base._data_with(x, y, noise_variance)
        added = replace(base, train_inputs=inputs, train_targets=targets, noise_variance=noises)
        moved, noise, residual = added.moved(slice(self.train_inputs.shape[0], None))
        root = noise.rsqrt()
        r, scaled = moved * root, residual * root
        inner, _ = robust_cholesky(base.inner @ base.inner.T + r @ r.T)
        gap = (self.model.kernel.diagonal(x) - (moved * moved).sum(0)).clamp_min(0.0)
        sums = Sums(
            base.sums.b + r @ scaled,
            base.sums.squares + float(scaled @ scaled),
            base.sums.log_noise + float(noise.log().sum()),
            base.sums.trace + float((gap / noise).sum()),
        )
        return replace(added, inner=inner, projected=forward(inner, sums.b), sums=sums)

    def _unexplained(self, x: Tensor, noise_variance: Tensor, most: int) -> Tensor:
        """Indices of up to ``most`` of x (k, D), each the one with the largest unexplained variance over noise variance given
        those before it (eq S16); none whose unexplained sd is below ``UNEXPLAINED`` or its noise."""
        kernel = self.model.kernel
        moved = forward(self.factor, kernel.matrix(self.inducing, x))
        left = kernel.matrix(x, x) - moved.T @ moved
        noise = noise_of_model(self.model, noise_variance)
        floor = torch.maximum(noise, torch.full_like(noise, (UNEXPLAINED / self.model.scaling.scale) ** 2))
        chosen: list[int] = []
        while len(chosen) < most:
            worth = left.diagonal() / floor
            j = int(worth.argmax())
            if float(worth[j]) <= 1.0:
                break
            chosen.append(j)
            left = left - torch.outer(left[:, j], left[j]) / left[j, j]
            left[j, j] = 0.0
        return torch.tensor(chosen, dtype=torch.long, device=x.device)

    def _data_with(self, x: Tensor, y: Tensor, noise_variance: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return (
            torch.cat([self.train_inputs, x]),
            torch.cat([self.train_targets, y]),
            torch.cat([self.noise_variance, noise_variance]),
        )


def inducing_factor(k: Tensor) -> Tensor:
    """Factor of K_ZZ with a jitter of 1e-10 of its mean diagonal: inducing points may lie close together."""
    jitter = RELATIVE_JITTER * k.diagonal().mean()
    factor, _ = robust_cholesky(k + jitter * torch.eye(k.shape[0], dtype=k.dtype, device=k.device))
    return factor


def nearest(x: Tensor, z: Tensor, count: int) -> Tensor:
    """Indices of the ``count`` rows of x (n, D) that are nearest to any of z (q, D)."""
    if x.shape[0] <= count:
        return torch.arange(x.shape[0], device=x.device)
    return torch.cdist(x, z).amin(1).topk(count, largest=False).indices


def chunks(n: int) -> list[slice]:
    """The training points, at most ``CHUNK`` at once."""
    return [slice(start, start + CHUNK) for start in range(0, n, CHUNK)]


def noise_of_model(model: Model, noise_variance: Tensor) -> Tensor:
    """D (n,): the noise variances (n,) in the model's scaled units, never zero."""
    # An exact zero would divide by zero: the noiseless variance of the scaled problem is the floor.
    return (model.scaled_noise(noise_variance) * math.exp(2.0 * model.log_noise_scale)).clamp_min(1e-12)
