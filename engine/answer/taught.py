"""What the data taught: each parameter before (prior) and after (posterior), and combinations known better than each alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from ..problem.definition import LogNormal, LogUniform, Parameter, with_names
from ..problem.distributions import Distribution
from ..problem.numbers.shown_digits import spoken
from .axis import effective_size, merged
from .combinations import HARDLY, MUCH, Combination, find_combinations, times_words
from .digits import correlation, end_steps, of_intervals, plain, rough
from .ended import ends_with
from .intervals import Interval, equal_tailed
from .modes import LEAST_DRAWS, Modes, modes_of_store
from .posterior import StoredPosterior
from .unfelt import unfelt

if TYPE_CHECKING:
    from ..session.store import SessionStore

Array = NDArray[np.float64]
Scale = Literal["value", "logarithm", "normal scores"]

LEVEL = 0.9  # of the intervals
POINTS = 2048  # of a marginal: its moments and information to better than 1 in 1000
SAMPLES = 20_000  # of a mixture: what is not linear in inference space to 0.5 %
HEAVY = 0.4  # slope of log quantile on log probability: a tail whose variance is infinite (0.5) or hangs on what is never seen
TAILS = 1e-8, 1e-12  # between which the slope is taken
STRIP = 0.1  # of the 90 % interval, next to a bound
HIGH = 0.5  # of its largest value: a likelihood as high as that at a bound is cut off by it
MOVED = 0.5  # bits from which an answer as wide as before is another one
DECADE = 10.0  # ratio of two ends from which digits in common would hide the smaller
NO_COMBINATION = "No combination of parameters is known much better than its parts"
PRELIMINARY = (
    "Preliminary: the answer is not confirmed. This is what the runs so far suggest, not what the data taught: an early answer "
    "may lie elsewhere than the right one, and be much too sure of itself."
)
SO_FAR = "so far: "  # before words about a parameter that are not settled
NOT_SIMPLE = "What is known is no simple product, ratio, sum or difference of them."
TIED = 0.5  # correlation from which two parameters are named where no combination is
MOST_SAID = 8  # combinations in sentences, for each mode
HINT = (
    "Contraction: 1 − posterior variance / prior variance. Bits: information gained, each halves what was possible. "
    "Of combinations: one standard deviation."
)


@dataclass(frozen=True)
class Learnt:
    """One parameter, in its unit. ``contraction``: 1 - posterior variance / prior variance on ``scale``: its values; their
    logarithms where the prior is one of logarithms; where the prior has no variance, the normal quantiles of its distribution
    function. ``bits``: Kullback-Leibler divergence of the marginal posterior from the marginal prior, base 2.
    ``leans``: the bound that cuts the likelihood off; None: none does. ``modes``: of its marginal."""

    parameter: Parameter
    prior: Interval
    posterior: Interval
    contraction: float
    scale: Scale
    bits: float
    leans: tuple[Literal["lower", "upper"], float] | None = None
    modes: int = 1
    unfelt: bool = False  # the data do not depend on it
    sd: float = math.nan  # of the posterior
    resolution: float = math.nan  # the size of which two digits of it are shown
    settled: bool = True  # by an answer that is confirmed

    @property
    def title(self) -> str:
        return self.parameter.label or self.parameter.name

    @property
    def bits_words(self) -> str:
        return f"{self.bits:.1f}" if self.bits >= 1.0 else f"{self.bits:.2f}"

    @property
    def contraction_words(self) -> str:
        """Never 1, which no data give."""
        return f"{min(self.contraction, 0.999):.3f}" if self.contraction >= 0.985 else f"{round(self.contraction, 2) + 0.0:.2f}"

    @property
    def prior_words(self) -> str:
        return interval_words(self.prior)

    @property
    def posterior_words(self) -> str:
        return " to ".join(plain(end, step) for end, step in zip(self.posterior, self.posterior_steps, strict=True))

    @property
    def posterior_steps(self) -> tuple[float, float]:
        """The sizes of which two digits of either end are shown: as in the summary."""
        known = math.isfinite(self.sd) and math.isfinite(self.resolution)
        return end_steps(self.posterior, self.sd, self.resolution) if known else steps(self.posterior)

    @property
    def times(self) -> float:
        """Prior sd / posterior sd."""
        return 1.0 / math.sqrt(max(1.0 - self.contraction, 1e-300))

    @property
    def words(self) -> str:
        return self._words if self.settled else f"{SO_FAR}{self._words}"

    @property
    def _words(self) -> str:
        if self.unfelt:
            return "the data do not depend on it"
        said = times_words(self.times)
        if self.times < HARDLY and self.bits >= MOVED:
            said = "elsewhere than expected, but " + said
        if self.modes > 1:
            said += f", over all its {self.modes} modes"
        if self.leans is not None:
            said += f"; leans on its {self.leans[0]} bound {spoken(self.leans[1])}"
        return said


@dataclass(frozen=True)
class Taught:
    """``found``: the name of the mode ('' for a single one) and each combination within it, the heaviest mode first; ``modes``:
    names of all modes, none for a single one. ``tied``: by the name of a mode, two parameters whose correlation is its strongest,
    and this."""

    learnt: tuple[Learnt, ...]
    found: tuple[tuple[str, Combination], ...]
    modes: tuple[str, ...] = ()
    tied: Mapping[str, tuple[int, int, float]] = field(default_factory=dict)

    @property
    def settled(self) -> bool:
        """Whether the answer is confirmed: before that nothing was taught."""
        return all(r.settled for r in self.learnt)

    @property
    def said(self) -> tuple[str, ...]:
        """The sentences, or that there is none; of an answer that is not confirmed that first of all."""
        return self.of_combinations if self.settled else (PRELIMINARY, *self.of_combinations)

    @property
    def of_combinations(self) -> tuple[str, ...]:
        """... and of those on which the data do not depend, alone."""
        single = len(self.learnt) == 1
        said = self.sentences or (() if single else (self._none(""),))
        if self.sentences and self.modes:
            each = [(m, s) for (m, _), s in zip(self.found, self.sentences, strict=True)]
            said = tuple(s for m in self.modes for s in ([s for of, s in each if of == m] or [self._none(m)]))
        idle = [r.title for r in self.learnt if r.unfelt]
        if not idle:
            return said
        names = ", ".join(idle)
        none = f"The data do not depend on {names}." if self.settled else f"So far nothing shows that the data depend on {names}."
        return none, *said

    def _none(self, mode: str) -> str:
        """That no combination is known much better, and which two parameters are tied to each other all the same."""
        i, j, r = self.tied.get(mode, (0, 0, 0.0))
        times = 1.0 / math.sqrt(max(1.0 - r * r, 1e-12))
        a, b = self.learnt[i].title, self.learnt[j].title
        tied = f"{a} and {b} are tied to each other (correlation {correlation(r).replace('-', '−')}): to know one would make the "
        tied += f"other {rough(times)} times better known."
        words = NO_COMBINATION
        if abs(r) < TIED:
            words = f"{words}."
        elif times < MUCH:
            words = f"{words} ({MUCH:g} times), but {tied}"
        else:  # no product, ratio, sum or difference says how, which is all that was looked for
            words = f"{tied} {NOT_SIMPLE}"
        first = words[0].lower() if words.startswith(NO_COMBINATION) else words[0]  # names stay as they are
        return f"Within mode {mode}: {first}{words[1:]}" if mode else words

    @property
    def sentences(self) -> tuple[str, ...]:
        """Of the combinations."""
        titles, units = [r.title for r in self.learnt], [r.parameter.unit for r in self.learnt]
        said: list[str] = []
        before: set[str] = set()  # modes of which the best known one is said
        for mode, c in self.found:
            words = c.words(titles, units, best=mode not in before)
            before.add(mode)
            said.append(f"Within mode {mode}: {words[0].lower()}{words[1:]}" if mode else words)
        return tuple(said)


def taught(posterior: StoredPosterior, modes: Modes, *, settled: bool = True) -> Taught | None:
    """None where the parameters have no priors (a space made from bounds). ``modes``: of this posterior; ``settled``: a confirmed
    one."""
    space = posterior.space
    if not space.parameters or any(q is None for q in space.distributions):
        return None
    priors = [q for q in space.distributions if q is not None]
    counts, intervals = posterior.modes(), posterior.intervals(LEVEL)
    learnt = [
        _learnt(posterior, i, p, q, intervals[i][0], counts[i])
        for i, (p, q) in enumerate(zip(with_names(space.parameters), priors, strict=True))
    ]
    idle = unfelt(*_drawn(posterior), np.array([r.bits for r in learnt]))
    learnt = [replace(r, unfelt=bool(without), settled=settled) for r, without in zip(learnt, idle, strict=True)]
    values = np.array([math.nan if heavy(q) else variance(q) for q in priors])
    logs = np.array([variance(q, logarithmic=True) if q.lower >= 0.0 else math.nan for q in priors])
    parts = [(m.name, m.posterior) for m in modes] if modes.several else [("", posterior)]
    found, tied = [], {}
    for name, part in parts:
        tied[name] = _strongest(part)
        theta, weights = _draws(part)
        found += [(name, c) for c in find_combinations(theta, weights, values, logs)[:MOST_SAID]]
    return Taught(tuple(learnt), tuple(found), tuple(name for name, _ in parts if name), tied)


def _strongest(posterior: StoredPosterior) -> tuple[int, int, float]:
    """The two parameters of the strongest correlation, and this; 0 for a single one."""
    values = np.nan_to_num(np.tril(np.asarray(posterior.correlation(), dtype=float), -1))
    i, j = np.unravel_index(int(np.argmax(np.abs(values))), values.shape)
    return int(j), int(i), float(values[i, j])


def steps(interval: Interval) -> tuple[float, float]:
    """The sizes of which two digits of either end are shown: what the width asks for, or of powers of ten each its own."""
    low, high = interval
    if low * high > 0.0 and not 1.0 / DECADE < high / low < DECADE:
        return abs(low), abs(high)
    step = of_intervals([interval], 0.0, 0.0)
    return step, step


def interval_words(interval: Interval) -> str:
    """``0.31 to 0.42``."""
    return " to ".join(plain(end, step) for end, step in zip(interval, steps(interval), strict=True))


def taught_of_store(store: SessionStore) -> Taught | None:
    """Of the newest answer of a session; None where there is no posterior."""
    modes, record = modes_of_store(store), store.last_iteration()
    if modes is None or record is None:
        return None
    return taught(modes.posterior, modes, settled=ends_with(record.converged, record.diagnostics))


def variance(q: Distribution, *, logarithmic: bool = False) -> float:
    """Of a prior's values, or of their logarithms (where none is negative): the integral over normal quantiles."""
    from scipy.special import ndtr

    z = np.linspace(-8.0, 8.0, 3201)
    share = np.exp(-0.5 * z * z)
    share /= share.sum()
    with np.errstate(all="ignore"):
        theta = np.where(z < 0.0, q.ppf(ndtr(np.minimum(z, 0.0))), q.isf(ndtr(-np.maximum(z, 0.0))))
        values = np.log(np.maximum(theta, 1e-300)) if logarithmic else theta
        return float(share @ np.square(values - share @ values))


def heavy(q: Distribution) -> bool:
    """Whether a tail is so heavy that no variance can be told."""
    near, far = (np.array(p) for p in TAILS)
    middle = q.median()
    with np.errstate(all="ignore"):
        for quantile in (q.ppf, q.isf):
            a, b = (abs(float(quantile(p)) - middle) for p in (near, far))
            if not (math.isfinite(a) and math.isfinite(b)):
                return True
            if a > 0.0 and math.log(max(b / a, 1.0)) >= HEAVY * math.log(TAILS[0] / TAILS[1]):
                return True
    return False


def scale_of(p: Parameter, q: Distribution) -> Scale:
    """On which contraction is measured; see ``Learnt``."""
    if isinstance(p.prior, LogUniform | LogNormal):
        return "logarithm"
    return "normal scores" if heavy(q) else "value"


def bits_gained(log_posterior: Array, log_prior: Array) -> float:
    """Mean difference of the two log densities (n,) at even quantiles of the posterior, in bits; never negative."""
    return max(float(np.mean(log_posterior - log_prior)) / math.log(2.0), 0.0)


def leaning(share: Array) -> Literal["lower", "upper"] | None:
    """Which end of 0 ... 1 cuts off a density whose even quantiles are ``share`` (n,), increasing; None: none, or both."""
    width = STRIP * float(np.subtract(*np.quantile(share, [0.95, 0.05])))
    if not width > 0.0:
        return None
    counts = np.searchsorted(share, share + width, side="right") - np.arange(len(share))
    most = HIGH * float(counts.max())
    lower, upper = float(np.sum(share <= width)) >= most, float(np.sum(share >= 1.0 - width)) >= most
    return None if lower == upper else "lower" if lower else "upper"


def _learnt(posterior: StoredPosterior, i: int, p: Parameter, q: Distribution, after: Interval, modes: int) -> Learnt:
    transform, scale = posterior.space.transforms[i], scale_of(p, q)
    u, log_density = posterior.even_quantiles(i, POINTS)
    theta = transform.to_user(u)
    with np.errstate(all="ignore"):
        log_prior = np.nan_to_num(q.log_density_inside(theta) + transform.log_jacobian(u), nan=-1e4, neginf=-1e4, posinf=1e4)
        share = np.clip(q.cdf(theta), 0.0, 1.0)
    if scale == "normal scores":
        ratio = float(np.var(_normal_scores(q, theta)))
    else:
        logarithmic = scale == "logarithm"
        ratio = float(np.var(np.log(theta) if logarithmic else theta)) / variance(q, logarithmic=logarithmic)
    side = leaning(share)
    bound = q.lower if side == "lower" else q.upper
    cut = side is not None and math.isfinite(bound) and not (scale == "logarithm" and bound <= 0.0)
    return Learnt(
        p, equal_tailed(q.quantile, LEVEL), after, 1.0 - ratio, scale, bits_gained(log_density, log_prior),
        (side, bound) if cut and side is not None else None, modes,
        sd=float(posterior.sd()[i]), resolution=float(posterior.resolution()[i]),
    )  # fmt: skip


def _normal_scores(q: Distribution, theta: Array) -> Array:
    """(n,) of values (n,): normal quantiles of the prior's distribution function, exact in both tails."""
    from scipy.special import ndtri

    below, above = (np.clip(f(theta), 1e-300, 1.0) for f in (q.cdf, q.sf))
    return np.asarray(np.where(below < above, ndtri(below), -ndtri(above)))


def _draws(posterior: StoredPosterior) -> tuple[Array, Array]:
    """theta (n, D) in the user's units and weights (n,) that sum to one."""
    u, w = _drawn(posterior)
    return posterior.space.to_user(u), w


def _drawn(posterior: StoredPosterior) -> tuple[Array, Array]:
    """... in inference space."""
    if posterior.draws is not None:
        w = posterior.draw_weights
        if effective_size(merged(posterior.draws[:, 0], w)[1]) >= LEAST_DRAWS:
            return posterior.draws, w
    return posterior.exact_draws(SAMPLES)


def scales_words(learnt: Sequence[Learnt]) -> str:
    """What the contraction of which parameter is measured on; '' where it is the values of all."""
    said = []
    for scale, words in (("logarithm", "of the logarithm: "), ("normal scores", "on the prior's own probability scale: ")):
        names = [r.title for r in learnt if r.scale == scale]
        if names:
            said.append(words + ", ".join(names))
    return f"Contraction is that {'; '.join(said)}." if said else ""
