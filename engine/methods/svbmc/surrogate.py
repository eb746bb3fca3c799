"""The surrogate of an archive: exact or sparse, first fit and later tuning (seed 001 3.3, B.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.stats import chi2
from torch import Tensor

from bayescope.engine.methods.svbmc.data import covering, farthest
from bayescope.engine.surrogate import inducing
from bayescope.engine.surrogate.choice import Choice
from bayescope.engine.surrogate.exact import ExactSurrogate
from bayescope.engine.surrogate.fit import Fit, fit, maximize, with_prior
from bayescope.engine.surrogate.held_out import held_out, nested
from bayescope.engine.surrogate.interface import Surrogate
from bayescope.engine.surrogate.model import Model
from bayescope.engine.surrogate.priors import HyperPrior
from bayescope.engine.surrogate.sparse import SparseSurrogate, Variant
from bayescope.engine.surrogate.sparse_fit import bound, bounded_by, fit_sparse

Array = NDArray[np.float64]

CPU = torch.device("cpu")
FIRST_STEPS, TUNING_STEPS = 25, 4  # L-BFGS iterations on the GP-ELBO
TUNING_EVALUATIONS = 8
TUNED_ON, TUNED_BY = 2_000, 200  # points (by level and by place) and inducing points in tuning
CANDIDATES = 6_000  # for inducing points, chosen likewise
BLOCKS = 10  # of evaluations that are held out
MOST_IN_BLOCK = 1_000  # of 10,000 in 6-D these leave a hole of .7 of the cell's radius, at a tenth of the cost
LARGEST_OVERCONFIDENCE = 10.0  # an sd that is off by more says nothing of the tails
SHARES = 10  # of the posterior by drop, in which held-out predictions are compared
HARDLY_BETTER = 0.05  # nats of held-out log density per evaluation that do not pay for more inducing points


def likely_drop(dimension: int) -> float:
    """Nats below the best within which a normal posterior has 99.9 % of its mass."""
    return 0.5 * float(chi2.ppf(0.999, dimension))


@dataclass(frozen=True)
class Data:
    """x (n, D) working coordinates, y (n,), noise variance (n,); level (n,): what decides which points count.

    measured (n,): the part of the noise variance that was reported; None: none worth the name, then the levels are the values.
    """

    x: Tensor
    y: Tensor
    noise: Tensor
    level: Tensor
    measured: Tensor | None = None

    def on(self, device: torch.device) -> Data:
        return replace(self, x=self.x.to(device), y=self.y.to(device), noise=self.noise.to(device))  # the rest decides here

    def subset(self, rng: np.random.Generator) -> Data:
        """About 300 points like the whole in space and in value."""
        return self.at(inducing.stratified_subset(self.x, self.level, rng))

    def at(self, rows: Tensor) -> Data:
        measured = None if self.measured is None else self.measured[rows]
        return Data(self.x[rows], self.y[rows], self.noise[rows], self.level[rows], measured)

    def for_tuning(self) -> Data:
        """At most ``TUNED_ON`` points."""
        if len(self.x) <= TUNED_ON:
            return self
        return self.at(self.covering(TUNED_ON))

    def covering(self, count: int) -> Tensor:
        """Indices of ``count`` points, see there."""
        return torch.as_tensor(covering(self.x.numpy(), self.level.numpy(), count, likely_drop(self.x.shape[1])))


def first_fit(
    choice: Choice, model: Model, data: Data, rng: np.random.Generator, device: torch.device = CPU, variant: Variant = "vfe",
    guess: Array | None = None,
) -> Array:  # fmt: skip
    """Hyperparameters (p,), searched for on ``device``. ``guess`` (p,): the one place where a sparse one's search begins."""
    if choice.kind == "sparse":
        data = data.for_tuning().on(device)
        found = fit_sparse(
            model if guess is None else model.with_hyperparameters(torch.as_tensor(guess)),
            data.x,
            data.y,
            data.noise,
            rng,
            most_inducing=TUNED_BY,
            fewest_inducing=TUNED_BY,
            max_iterations=FIRST_STEPS,
            variant=variant,
            restarts=2 if guess is None else 0,
        )
        return _flat(found.surrogate.model)
    prior = HyperPrior.default(model, data.x, data.y)
    data = data.on(device)
    return _flat(fit(model, data.x, data.y, data.noise, prior, rng, restarts=2, max_iterations=60, warm=False).model)


def rough_fit(model: Model, data: Data, rng: np.random.Generator) -> Fit:
    """One short search."""
    prior = HyperPrior.default(model, data.x, data.y)
    return fit(model, data.x, data.y, data.noise, prior, rng, restarts=1, max_iterations=40, warm=False)


def tuned(choice: Choice, model: Model, data: Data, device: torch.device = CPU, variant: Variant = "vfe") -> Array:
    """Hyperparameters (p,) a few steps on from those of ``model``, searched for on ``device``."""
    prior = HyperPrior.default(model, data.x, data.y)
    if choice.kind == "exact":
        data = data.on(device)
        return _flat(fit(model, data.x, data.y, data.noise, prior, restarts=0, max_iterations=20, warm=True).model)
    data = data.for_tuning()
    chosen = _chosen(TUNED_BY, model, data)
    data = data.on(device)
    likelihood = bound(model.to(device), data.x[chosen.to(device)], data.x, data.y, data.noise, bounded_by(variant))
    start = np.clip(_flat(model), prior.lower, prior.upper)
    theta, _, _ = maximize(with_prior(likelihood, prior), [start], prior, TUNING_STEPS, TUNING_EVALUATIONS)
    return theta


@dataclass(frozen=True)
class Built:
    """``sizes``: numbers of inducing points compared, each with its mean held-out log density; empty: not compared."""

    surrogate: ExactSurrogate | SparseSurrogate
    sizes: tuple[tuple[int, float], ...] = ()

    @property
    def why(self) -> str:
        """The number of inducing points with its reason, in words."""
        if isinstance(self.surrogate, ExactSurrogate):
            return ""
        count = self.surrogate.inducing.shape[0]
        if len(self.sizes) < 2:
            return f"It has {count:,} inducing points now."
        shown = ", ".join(f"{size:,}: {value:.2f}" for size, value in self.sizes)
        return f"It has {count:,} inducing points now (mean log density of evaluations held out, by number of points: {shown})."


def built(choice: Choice, model: Model, data: Data, device: torch.device = CPU, variant: Variant = "vfe") -> Built:
    """The posterior for these hyperparameters, computed on ``device``; inducing points follow from them and the data alone."""
    if choice.kind == "exact":
        return Built(ExactSurrogate.build(model, data.x, data.y, data.noise))
    z = data.x[_chosen(choice.most_inducing, model, data)]
    there = data.on(device)
    whole = SparseSurrogate.build(model.to(device), z.to(device), there.x, there.y, there.noise, variant).to(CPU)
    sizes = [m for m in choice.sizes if m < len(z)]
    sizes.append(len(z))
    block = blocks(data.x, data.level)
    if len(sizes) < 2 or int(block.max()) < 1 or variant == "fitc":  # whose noise depends on the inducing points
        return Built(whole)
    found = [(m, float(h.log_density().mean())) for m, h in zip(sizes, nested(whole, block, sizes), strict=True)]
    best = max(value for _, value in found)
    fewest = next(m for m, value in found if value >= best - HARDLY_BETTER)
    return Built(whole.leading(fewest), tuple(found))


def stays_unshaped(plain: Surrogate | None, shaped: Surrogate | None, block: Tensor, noisy: Data | None = None) -> bool:
    """Whether the surrogate without noise shaping is taken: it predicts better, and its tails are not off by more of its sds than
    the guard can make up for. ``noisy``: what it stands on, where values are."""
    if plain is None or overconfidence(plain, plain.train_inputs.shape[1], noisy) >= LARGEST_OVERCONFIDENCE:
        return False
    return predicts_better(plain, shaped, block, noisy=noisy is not None)


def predicts_better(one: Surrogate | None, other: Surrogate | None, block: Tensor, *, noisy: bool = False) -> bool:
    """Whether ``one`` predicts values of the posterior better, each block from the rest: nearer, and rightly as sure of it.

    Nearer is the mean |residual| under the posterior, to first order twice the distance in total variation from it (see
    ``over_posterior``). ``noisy``: the values are, and their drops: squares of all alike, nearer by more than the difference's
    standard error.
    """
    if one is None or other is None or int(block.max()) < 1:
        return False
    first, second = held_out(one, block), held_out(other, block)
    if noisy:
        gain = second.residual.square() - first.residual.square()
        nearer = float(gain.mean()) > float(gain.std() / len(gain) ** 0.5)
    else:
        drop = one.train_targets.max() - one.train_targets[first.index]
        nearer = over_posterior(second.residual.abs() - first.residual.abs(), drop, one.train_inputs.shape[1]) > 0.0
    return nearer and float(first.log_density().median()) > float(second.log_density().median())


def over_posterior(values: Tensor, drop: Tensor, dimension: int) -> float:
    """The mean under the posterior of ``values`` (k,) at evaluations ``drop`` (k,) nats below the best, however many of them an
    optimizer left at the top or a wide design at the edge.

    A normal posterior's 2 drop has a chi-square distribution: the mean of each of ``SHARES`` equally likely ranges of it, then
    of those that have evaluations.
    """
    share = np.minimum(SHARES * chi2.cdf(2.0 * drop.numpy(), dimension), SHARES - 1).astype(int)
    return float(np.mean([float(values[torch.as_tensor(share == k)].mean()) for k in np.unique(share)]))


def blocks(x: Tensor, level: Tensor) -> Tensor:
    """The block (n,) of each evaluation for ``held_out``: ``BLOCKS`` cells around points spread over where the posterior is
    likely to have its mass, the ``MOST_IN_BLOCK`` nearest of each; -1 elsewhere. Fewer than 4 D such evaluations are not
    parted."""
    near = torch.nonzero(level >= level.max() - likely_drop(x.shape[1])).squeeze(1)
    block = torch.full((len(level),), -1, dtype=torch.long)
    if len(near) >= 4 * x.shape[1]:
        centres = x[near][torch.as_tensor(farthest(x[near].numpy(), BLOCKS))]
        distance, cell = torch.cdist(x[near], centres).min(1)
        for b in range(len(centres)):
            of = torch.nonzero(cell == b).squeeze(1)
            cell[of[distance[of].argsort(stable=True)[MOST_IN_BLOCK:]]] = -1
        block[near] = cell
    return block


def overconfidence(surrogate: Surrogate, dimension: int, trained: Data | None = None) -> float:
    """What the surrogate's sd is to be multiplied by, from 1 to 10: how far the archive's own tails are from it.

    A few hundred inducing points do not pass through thousands of evaluations; where noise is shaped, what is left over is an
    honest residual. The 90 % quantile over the evaluations 5 to 10 D + 5 nats below the best; 1 where there are too few.
    ``trained``: what it was built from, where that is noisy: the noise in its residuals is no fault of the surrogate.
    """
    y = surrogate.train_targets
    level = y if trained is None else trained.level
    drop = level.max() - level
    tail = torch.nonzero((drop > 5.0) & (drop < 5.0 + 10.0 * dimension)).squeeze(1)
    if len(tail) < 20:
        return 1.0
    tail = tail[:: max(1, len(tail) // 1000)]
    with torch.no_grad():
        mean, variance = surrogate.predict(surrogate.train_inputs[tail])
    if trained is not None and trained.measured is not None:
        variance = variance + trained.measured[tail]
    z = (y[tail] - mean).abs() / variance.sqrt()
    return float(np.clip(np.quantile(z.numpy(), 0.9) / 1.645, 1.0, LARGEST_OVERCONFIDENCE))


def _chosen(count: int, model: Model, data: Data) -> Tensor:
    """Indices of the inducing points."""
    among = data.covering(CANDIDATES)
    noise = model.scaled_noise(data.noise[among]).clamp_min(1e-12)
    # All of them: a fraction of the prior trace says little when the kernel has a wide constant and quadratic part.
    return among[inducing.select(model.kernel, data.x[among], noise, count, count).indices]


def _flat(model: Model) -> Array:
    found: Array = model.hyperparameters().cpu().numpy().copy()
    return found
