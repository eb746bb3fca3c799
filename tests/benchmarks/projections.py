"""Kernels for many parameters, on the evaluations of one run: the default surrogate's beside additive ones, learnt linear
projections (active subspaces), and the limits of spherical harmonic and of neural inducing features.

    python tests/benchmarks/projections.py few_matter15 correlated20 [--seed 0] [--at 40,80,120] [--folder FOLDER]

Evaluations are those of the default loop (kept in FOLDER). Each model has the surrogate's mean, shaped values and noise, and the
best of descents from a few starts (maximum a posteriori). Held out: draws from the exact posterior. A line: target, evaluations,
model, standard deviation of the error (a constant is the evidence's alone), mean and median log predictive density, CPU seconds.

A sparse process with harmonics up to degree L (002 sec 3) is at best the exact process of the zonal kernel cut there, one with
neurons for features at best that of the arc-cosine kernel: these limits are what is compared.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from inference import TARGETS, Target
from scipy import optimize, special
from torch import Tensor

from bayescope.engine import infer
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.surrogate.evaluations import NOISE_VARIANCE
from bayescope.engine.surrogate.frames import BoxFrame, Whitening
from bayescope.engine.surrogate.known_prior import bowl_of
from bayescope.engine.surrogate.quadratic import hyperparameters
from bayescope.engine.surrogate.quadratic.kernel import Bowl, Frames, Kernel, prior_of, relevance_of
from bayescope.engine.surrogate.quadratic.posterior import QuadraticSurrogate
from bayescope.engine.surrogate.shaping import EXACT_VALUES, compressed

Array = np.ndarray
Covariance = Callable[[Tensor, Tensor, Tensor], Tensor]  # hyperparameters (P,), points (n, D), (m, D) -> (n, m)
DRAWS, STARTS = 400, 3


def additive(order: int) -> tuple[Covariance, Callable[[int], int]]:
    """Of one-dimensional squared exponentials, all products of up to ``order`` of them (Duvenaud et al. 2011)."""

    def of(h: Tensor, a: Tensor, b: Tensor) -> Tensor:
        d = a.shape[1]
        one = torch.exp(-0.5 * torch.square((a[:, None] - b[None]) / torch.exp(h[:d] + 0.7)))
        sums = [torch.ones_like(one[..., 0]), *[torch.zeros_like(one[..., 0]) for _ in range(order)]]
        for i in range(d):
            for k in range(order, 0, -1):
                sums[k] = sums[k] + one[..., i] * sums[k - 1]
        return torch.stack([torch.exp(2.0 * h[d + k - 1]) * sums[k] for k in range(1, order + 1)]).sum(0)

    return of, lambda d: d + order


def projected(rank: int) -> tuple[Covariance, Callable[[int], int]]:
    """Linear in all parameters, quadratic and squared exponential in ``rank`` linear projections of them, which are learnt."""

    def of(h: Tensor, a: Tensor, b: Tensor) -> Tensor:
        d = a.shape[1]
        w = h[: rank * d].reshape(rank, d)
        za, zb, (linear, square, smooth) = a @ w.T, b @ w.T, torch.exp(2.0 * h[rank * d :])
        return linear * a @ b.T + square * torch.square(1.0 + za @ zb.T) + smooth * torch.exp(-0.5 * _squared(za, zb))

    return of, lambda d: rank * d + 3


def zonal(degree: int) -> tuple[Covariance, Callable[[int], int]]:
    """|a| |b| times a polynomial of that degree in the cosine of the angle, a weight for each degree; a scale for each axis."""

    def of(h: Tensor, a: Tensor, b: Tensor) -> Tensor:
        a, b, size = _lifted(h, a, b)
        cosine, alpha = (a @ b.T) / size, 0.5 * (a.shape[1] - 2)
        before, now = torch.ones_like(cosine), 2.0 * alpha * cosine
        total = torch.exp(2.0 * h[-degree - 1]) * before
        for k in range(1, degree + 1):
            at_one = special.binom(2.0 * alpha + k - 1.0, k)
            total = total + torch.exp(2.0 * h[-degree - 1 + k]) * now / at_one
            before, now = now, (2.0 * (k + alpha) * cosine * now - (k + 2.0 * alpha - 1.0) * before) / (k + 1.0)
        return size * total

    return of, lambda d: d + degree + 1


def arc_cosine(h: Tensor, a: Tensor, b: Tensor) -> Tensor:
    """Of infinitely many rectified neurons (Cho and Saul 2009), a scale for each axis."""
    a, b, size = _lifted(h, a, b)
    cosine = torch.clamp((a @ b.T) / size, -1.0 + 1e-12, 1.0 - 1e-12)
    angle = torch.arccos(cosine)
    return torch.exp(2.0 * h[-1]) * size * (torch.sin(angle) + (np.pi - angle) * cosine) / np.pi


def _lifted(h: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    scale = torch.exp(h[: a.shape[1]])
    a, b = (torch.cat([x * scale, torch.ones(len(x), 1)], 1) for x in (a, b))
    return a, b, a.norm(dim=1)[:, None] * b.norm(dim=1)[None]


def _squared(a: Tensor, b: Tensor) -> Tensor:
    return torch.square(a).sum(1)[:, None] + torch.square(b).sum(1) - 2.0 * a @ b.T


MODELS: dict[str, tuple[Covariance, Callable[[int], int]]] = {
    "additive, order 1": additive(1), "additive, order 2": additive(2),
    "projections, 1": projected(1), "projections, 3": projected(3), "projections, 5": projected(5),
    "harmonics to degree 2": zonal(2), "harmonics to degree 4": zonal(4), "neurons": (arc_cosine, lambda d: d + 1),
}  # fmt: skip


def fitted(
    name: str, b: Array, y: Array, noise: Array, test: Array, bowl: Bowl, seed: int
) -> tuple[Array, Array]:
    """Mean and variance (m,) at ``test`` (m, D), of the best fit."""
    covariance, count = MODELS[name]
    points, places, values = torch.tensor(b), torch.tensor(test), torch.tensor(y - bowl.at(b))
    rough, size = torch.diag(torch.tensor(noise)), count(b.shape[1])
    weights = size - 3 if name.startswith("projections") else b.shape[1]  # amplitudes come after them
    prior_sd = np.where(np.arange(size) < weights, 1.0, 3.0)

    def gram(h: Tensor) -> Tensor:
        return covariance(h, points, points) + 900.0 + rough

    def objective(flat: Array) -> tuple[float, Array]:
        h = torch.tensor(flat, requires_grad=True)
        root, bad = torch.linalg.cholesky_ex(gram(h))
        if bool(bad):
            return 1e10, np.zeros_like(flat)
        z = torch.linalg.solve_triangular(root, values[:, None], upper=False)
        lost = 0.5 * (torch.square(z).sum() + torch.square(h / torch.tensor(prior_sd)).sum()) + torch.log(torch.diag(root)).sum()
        lost.backward()  # type: ignore[no-untyped-call]
        assert h.grad is not None
        return float(lost.detach()), h.grad.numpy()

    rng, how = np.random.default_rng(seed), {"jac": True, "method": "L-BFGS-B", "options": {"maxiter": 150}}
    starts = [0.3 * rng.standard_normal(size) for _ in range(STARTS)]
    if name.startswith("projections"):  # the axes that the default surrogate finds to matter most
        relevance = relevance_of(_default(True, b, y, noise, bowl).theta[: b.shape[1]])
        axes = np.diag(relevance)[np.argsort(-relevance)[: weights // b.shape[1]]]
        starts.append(np.concatenate([axes.ravel(), np.zeros(3)]))
    best = min((optimize.minimize(objective, start, **how) for start in starts), key=lambda f: float(f.fun))
    h = torch.tensor(best.x)
    root, cross = torch.linalg.cholesky(gram(h)), covariance(h, points, places) + 900.0
    part = torch.linalg.solve_triangular(root, cross, upper=False)
    z = torch.linalg.solve_triangular(root, values[:, None], upper=False)[:, 0]
    own = torch.stack([covariance(h, p[None], p[None])[0, 0] for p in places]) + 900.0
    return (part.T @ z).numpy() + bowl.at(test), (own - torch.square(part).sum(0)).numpy()


def ours(axes: bool, b: Array, y: Array, noise: Array, test: Array, bowl: Bowl) -> tuple[Array, Array]:
    """The surrogate of the default loop, in no frame of an answer; ``axes``: a relevance for each parameter."""
    return QuadraticSurrogate(_default(axes, b, y, noise, bowl), b, y, noise).predict(test)


def _default(axes: bool, b: Array, y: Array, noise: Array, bowl: Bowl) -> Kernel:
    frames = Frames(None, Whitening.none(b.shape[1]), axes=bowl if axes else None)
    return Kernel(hyperparameters.fit_in(frames, b, y, noise, [prior_of(b.shape[1])[0]]).theta, frames)


def evaluations(target: Target, seed: int, most: int, folder: Path) -> tuple[Array, Array]:
    """Places (n, D) in the user's units and log densities (n,) there, in the order of a run."""
    path = folder / f"{target.name}_{seed}.npz"
    if not path.exists():
        x: list[Array] = []

        def counted(theta: Array) -> float:
            x.append(np.array(theta, float).ravel())
            return target.log_density(x[-1])

        infer(counted, plausible=target.plausible, bounds=target.bounds, max_evaluations=most, seed=seed)
        np.savez(path, x=np.array(x), y=np.array([target.log_density(p) for p in x]))
    kept = np.load(path)
    return kept["x"], kept["y"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", default=["few_matter15", "correlated20"])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--at", default="40,80,120")
    parser.add_argument("--folder", type=Path, default=Path("."))
    a = parser.parse_args()
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    for name in a.targets:
        target, at = TARGETS[name](), [int(n) for n in a.at.split(",")]
        d, rng = target.dimension, np.random.default_rng(a.seed)
        bounds = target.bounds or [(None, None)] * d
        low, high = [-np.inf if e is None else e for e, _ in bounds], [np.inf if e is None else e for _, e in bounds]
        names, plausible = [f"x{i}" for i in range(d)], np.array(target.plausible).T
        space = ParameterSpace.from_bounds(names, low, high, *plausible)
        box = BoxFrame.of(*space.plausible_box())
        x, f = evaluations(target, a.seed, max(at), a.folder)
        drawn = rng.multivariate_normal(target.mean, target.covariance, 4 * DRAWS)
        if target.bounds:  # the parameters that do not matter are uniform
            free = np.isclose(np.diag(target.covariance), 1.0 / 12.0)
            drawn[:, free] = rng.random((len(drawn), int(free.sum())))
            drawn = drawn[np.all((drawn > 0.0) & (drawn < 1.0), axis=1)]
        u, v = space.to_inference(x), space.to_inference(drawn[:DRAWS])
        joint = f + space.log_jacobian(u)
        true = np.array([target.log_density(p) for p in drawn[:DRAWS]]) + space.log_jacobian(v)
        bowl = bowl_of(space.log_prior_in_inference, box) if target.bounds else Bowl.unit(d)
        for n in at:
            if n > len(u):
                continue
            b, test = box.into(u[:n]), box.into(v)
            y, top = compressed(joint[:n], d)
            noise = NOISE_VARIANCE + EXACT_VALUES.variance(-y, d)
            for model in ("ours, alike", "ours, relevances", *MODELS):
                clock = time.process_time()
                known = (b, y, noise, test, bowl)
                if model in MODELS:
                    mean, variance = fitted(model, *known, a.seed)
                else:
                    mean, variance = ours(model.endswith("relevances"), *known)
                error, variance = true - top - mean, np.maximum(variance, 1e-8) + NOISE_VARIANCE
                density = -0.5 * np.square(error) / variance - 0.5 * np.log(2.0 * np.pi * variance)
                print(
                    f"| {name} | {n} | {model} | {np.std(error):.2f} | {np.mean(density):.2f} | {np.median(density):.2f} "
                    f"| {time.process_time() - clock:.0f} |", flush=True,
                )  # fmt: skip


if __name__ == "__main__":
    main()
