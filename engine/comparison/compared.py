"""Another method's answer beside ours: how far apart they are, and that kept in the session."""

from __future__ import annotations

import math
import time
from pathlib import Path

import numpy as np

from ..answer.distance import mmtv
from ..answer.latest import posterior_of
from ..answer.other_methods import OtherMethod, save_method
from ..answer.posterior import StoredPosterior
from ..diagnostics.two_sample import classified_rightly
from ..numerics.randomness import generator
from ..sampling.mixture import GaussianMixture
from ..session.keep_in import keep_in
from ..session.store import SessionStore
from .baseline_answers import baseline_answer
from .one_answer import BaselineAnswer, Check

TESTED = "mcmc"  # whose draws a classifier is to tell from those of the mixture


def compare(store: SessionStore, method: str, check: Check = lambda: None) -> tuple[BaselineAnswer, OtherMethod]:
    """With the newest answer of a session. ``check`` is called now and then and may raise to end it. Raises SessionError."""
    began = time.monotonic()
    found = baseline_answer(store, method, check)
    own, record = posterior_of(store)
    theirs = posterior_from(own, found)
    numbers = zip(own.names, theirs.mean(), theirs.sd(), strict=True)
    rng = generator(store.problem.settings.seed, "two samples")
    return found, OtherMethod(
        method=found.method, name=found.name, iteration=record.iteration, evaluations=found.evaluations,
        log_evidence=_finite(found.log_evidence), log_evidence_sd=_finite(found.log_evidence_sd), trusted=found.trusted,
        reasons=found.reasons, distance=_finite(mmtv(own, theirs)),
        two_sample=_two_sample(own, found, rng) if method == TESTED else None,
        moments={name: (float(mean), float(sd)) for name, mean, sd in numbers if math.isfinite(mean + sd)},
        seconds=time.monotonic() - began, at=time.time(),
    )  # fmt: skip


def posterior_from(own: StoredPosterior, found: BaselineAnswer) -> StoredPosterior:
    m = found.mixture
    preferred = "mixture" if found.draws is None else "draws"
    return StoredPosterior(own.space, m.weights, m.means, m.covariances, found.draws, found.weights, preferred)  # type: ignore[arg-type]


def keep(path: Path, made: OtherMethod) -> str:
    """In the session; why it could not be kept, a sentence, '' if it was."""
    return keep_in(path, lambda store: save_method(store, made))


def _two_sample(own: StoredPosterior, found: BaselineAnswer, rng: np.random.Generator) -> tuple[float, float] | None:
    """Of draws of our mixture, and of the other method's."""
    if found.draws is None:
        return None
    mixture = GaussianMixture(own.weights, own.means, own.covariances)
    return classified_rightly(mixture.sample(len(found.draws), rng), found.draws, rng)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
