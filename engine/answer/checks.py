"""Why an answer may be trusted, or not yet: every check of it that was made, each with its figure, its limit and a sentence.

Made from what is stored with the answer alone, whatever method found it; what a method does not compute is said to be missing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from .check_titles import titles_listed
from .digits import rough, rough_beside, with_error
from .doubt import BEST_MISFIT
from .fresh_runs import FreshRuns
from .other_methods import OtherMethod, stored_methods
from .possible import PREFIX, Possible
from .unseen import SURE, Claim, claim_of_store
from .usual_scatter import UsualScatter
from .where_known import CONFIRMED_IN_PART, EDGE_LIMIT, FAILING_LIMIT, RUNS_COUNT_AS, UNSEEN, escaping, known_well
from .words import USABLE_K

if TYPE_CHECKING:
    from ..session.store import SessionStore

Array = NDArray[np.float64]
Level = Literal["good", "poor", "missing"]

CALIBRATED = 2.0  # root mean square of leave-one-out errors in their own sds: above, the error bars are too small
MOSTLY_WORTH = 0.5  # effective share of the draws from which only the tails may suffer from large weights
CAREFUL = 0.5  # below, the error bars are clearly larger than need be
HARMLESS = 0.1  # nats by which values left out may be missed whatever the error bars say
DRAWS_SHOWN = 0.2  # effective share of the draws from which every method shows them rather than the mixture
NEAR_KL, NEAR_MMTV = 0.2, 0.1  # of mixture and draws: then either may be used
WITHIN = 2.0  # standard errors between two estimates of the evidence
SAME_EVIDENCE = 0.1  # nats of log evidence by which good methods may differ
TOLD_APART = 0.6  # share of draws assigned rightly from which a classifier tells two posteriors apart; 0.5 is chance
WIDEST = 0.12  # of the plausible ranges: a mode so wide must have shown
HUMPS = "Modes are parted by a valley of the whole posterior; a hump of one marginal alone is none."
FURTHER_OUT = "More runs make the draws anew, and further out."
MISSING = "Not computed by this method."
NOT_COMPARED = "No fresh runs at draws from the answer were compared with what was predicted."
NOT_KEPT = "Fresh runs confirmed this answer, but the version that made it did not keep what had been predicted of them."


@dataclass(frozen=True)
class Check:
    """``asked``: of another method, made because it was asked for; one that does not hold by its own checks says nothing."""

    key: str
    title: str
    level: Level
    figure: str
    words: str
    asked: bool = False


@dataclass(frozen=True)
class AnswerChecks:
    """``fresh``: what the plot shows; None: no run checked the answer."""

    checks: tuple[Check, ...]
    fresh: FreshRuns | None

    @property
    def good(self) -> bool:
        """Whether every check was made and passed; other methods count where they were asked for and hold."""
        return all(c.level == "good" or (c.asked and c.level == "missing") for c in self.checks)

    @property
    def not_passed(self) -> tuple[Check, ...]:
        return tuple(c for c in self.checks if c.level == "poor")

    @property
    def poor(self) -> tuple[str, ...]:
        """Titles of the checks that are not passed."""
        return tuple(c.title for c in self.not_passed)

    def of(self, key: str) -> Check:
        """Raises StopIteration for a key that no check has."""
        return next(c for c in self.checks if c.key == key)

    @property
    def words(self) -> str:
        poor, missing, silent = (
            [c.title for c in self.checks if c.level == level and c.asked in asked]
            for level, asked in (("poor", (False, True)), ("missing", (False,)), ("missing", (True,)))
        )
        every, say = len(self.checks), "says" if len(silent) == 1 else "say"
        spoke = every - len(missing) - len(silent)
        also = f" Not made: {titles_listed(missing)}." if missing else ""
        also += f" {len(silent)} {say} nothing here: {titles_listed(silent)}." if silent else ""
        if poor:
            return f"{len(poor)} of {spoke} checks {'is' if len(poor) == 1 else 'are'} not passed: {titles_listed(poor)}.{also}"
        if missing:
            return f"No check failed, but not all were made.{also}"
        if silent:
            return f"{spoke} of {every} checks are passed.{also}"
        return f"All {every} checks are passed."


def answer_checks(
    converged: bool,
    log_evidence: float,
    log_evidence_sd: float,
    agreement: float | None,
    diagnostics: Mapping[str, float],
    arrays: Mapping[str, Array],
    claim: Claim | None,
    others: Sequence[OtherMethod] = (),
    evaluations: int = 0,
) -> AnswerChecks:
    """Of one answer from so many ``evaluations`` (0: not known); ``agreement``, ``diagnostics`` and ``arrays`` (the slices) as in
    ``IterationRecord``."""
    fresh, d = FreshRuns.of(arrays), diagnostics
    checks = (
        _confirmed(fresh, converged, d, evaluations, UsualScatter.of(arrays) is not None),
        _stated(log_evidence_sd, d),
        _left_out(d),
        _pareto(d),
        _mixture(agreement, d),
        _possible(arrays, d),
        _known(d),
        _modes(claim),
        *((_data(d[BEST_MISFIT]),) if BEST_MISFIT in d else ()),
        *(_other(o, log_evidence, log_evidence_sd) for o in others),
        *(_two_sample(o) for o in others if o.two_sample is not None),
    )
    return AnswerChecks(checks, fresh)


def checks_of_store(store: SessionStore) -> AnswerChecks | None:
    """Of the newest answer of a session; None where there is none."""
    r = store.last_iteration()
    if r is None or not len(r.weights):
        return None
    return answer_checks(
        r.converged, r.log_evidence, r.log_evidence_sd, r.agreement, r.diagnostics, r.slices, claim_of_store(store),
        stored_methods(store), r.n_evaluations,
    )  # fmt: skip


def _confirmed(
    fresh: FreshRuns | None, converged: bool, d: Mapping[str, float], evaluations: int, scatters: bool
) -> Check:
    """``scatters``: outputs do, and what is compared is the surface before and after it has learnt the runs."""
    key, title = "fresh", "Fresh runs against predictions"
    in_part = bool(d.get(CONFIRMED_IN_PART, 0.0))
    certified = (converged or in_part) and "certified_correction" in d
    if fresh is None:
        return Check(key, title, "missing", "–", NOT_KEPT if certified else NOT_COMPARED)
    last = fresh.last
    drawn, tails = last.draws, len(last.index) - len(last.draws.index)
    finite = drawn.residual[np.isfinite(drawn.residual)]
    rms = float(np.sqrt(np.mean(np.square(finite)))) if len(finite) else math.inf
    lost = len(drawn.index) - len(finite)
    said = f"{len(drawn.index)} runs at draws from the answer" + (f" and {tails} in its tails" if tails else "")
    apart = ", without the runs' own scatter," if scatters else ""
    words = (
        f"{said}, none seen by the surrogate before: the log density{apart} was off by {rough(rms)} (root mean square). "
        + (f"{lost} of them turned out to be impossible. " if lost else "")
        + (_confirming(in_part, len(fresh.draws.index), d) if certified else "They do not confirm the answer yet.")
    )
    if (since := evaluations - 1 - int(last.index.max())) > 0:  # the first run is number 0
        was, them = ("One run was", "it") if since == 1 else (f"{since} runs were", "them")
        words += f" {was} made after that check; the answer has learnt from {them} too."
    return Check(key, title, "good" if certified else "poor", f"{rough(rms)} nats", words)


def _confirming(in_part: bool, draws: int, d: Mapping[str, float]) -> str:
    return f"They confirm the answer{' where runs succeed' if in_part else ''}. {_unseen(draws, d.get(RUNS_COUNT_AS))}"


def _unseen(draws: int, count: float | None) -> str:
    """What no run has hit may be nowhere, or hold a share of the answer; ``count``: as how many draws all runs count, None: of an
    earlier version, which knows of ``draws`` alone."""
    known = draws if count is None else max(count, draws)
    region = f"A region of {100 * escaping(known):.0f} % of the answer where runs fail escapes"
    often = f"one time in {round(1 / UNSEEN)}."
    if count is None:
        return f"{region} {draws} draws {often}"
    return f"{region} all runs, which count as {known:.0f} draws from it, {often}"


def _stated(stated: float, d: Mapping[str, float]) -> Check:
    key, title = "stated", "Error stated against error found"
    found, error = d.get("certified_correction"), d.get("certified_error")
    if found is None or error is None or not math.isfinite(found + error + stated):
        return Check(key, title, "missing", "–", "No check by fresh runs has found how far the evidence is off.")
    within = abs(found) <= WITHIN * math.hypot(stated, error)
    words = (
        f"Stated: ± {rough(stated)} of the log evidence. The fresh runs found it off by {with_error(abs(found), error)} "
        f"before they were learnt too: {'within' if within else 'more than'} {WITHIN:g} standard errors."
    )
    return Check(key, title, "good" if within else "poor", f"{rough(abs(found))} / {rough(stated)}", words)


def _left_out(d: Mapping[str, float]) -> Check:
    key, title = "left_out", "Surrogate, leaving runs out"
    z, rms = d.get("loo_calibration"), d.get("loo_rms")
    if z is None or rms is None or not math.isfinite(z + rms):
        return Check(key, title, "missing", "–", MISSING)
    good = z < CALIBRATED or rms < HARMLESS
    words = f"Each run predicted from all others, where the posterior is: missed by {rough(rms)} nats"
    if good and z >= CALIBRATED:
        words += f". Below {HARMLESS:g} that changes no answer, though it is {_of_stated(rough(z), z)}."
    else:
        words += (
            f", which is {_of_stated(rough_beside(z, CALIBRATED), z)} "
            f"({_judged(z)}; {CALIBRATED:g} times or more is poor beyond {HARMLESS:g} nats)."
        )
    figure = f"{rough_beside(z, CALIBRATED)} sd" if z < CALIBRATED or not good else f"{rough(rms)} nats"  # by which it passes
    return Check(key, title, "good" if good else "poor", figure, words)


def _judged(z: float) -> str:
    """What it means how the error found compares with the error stated."""
    return "1 is right" if z >= CAREFUL else "1 is right; less is safe: it states more than it misses by"


def _of_stated(figure: str, z: float) -> str:
    return f"{figure} {'times' if z > 1.0 else 'of'} the error that the surrogate states for itself"


def _data(misfit: float) -> Check:
    words = (
        f"The best run misses the data by {rough(misfit)} standard errors (root mean square), where about 1 is expected: the "
        "errors stated, the program or the place found is not right."
    )
    return Check("data", "Best run against the data", "poor", f"{rough(misfit)} sd", words)


def _pareto(d: Mapping[str, float]) -> Check:
    key, title, k = "pareto_k", "Whether draws cover the posterior (k̂)", d.get("pareto_k", math.nan)
    if not math.isfinite(k):
        return Check(key, title, "missing", "–", MISSING)
    worth = f" The draws are worth {100 * d['ess']:.0f} % of as many independent ones." if "ess" in d else ""
    good = k < USABLE_K
    words = f"Pareto k̂ of the importance weights is {k:.2f}: below 0.5 is good, below {USABLE_K:g} usable"
    if good:
        words += f"; above, the proposal that the draws come from misses part of the tails.{worth}"
    elif d.get("ess", 0.0) >= MOSTLY_WORTH:
        words += f".{worth[:-1]}, so means, sds and intervals rest on many and can be used; far tails may be off. {FURTHER_OUT}"
    else:
        words += f". The proposal that the draws come from misses part of the tails.{worth} {FURTHER_OUT}"
    return Check(key, title, "good" if good else "poor", f"{k:.2f}", words)


def _mixture(agreement: float | None, d: Mapping[str, float]) -> Check:
    key, title, kl = "mixture", "Whether mixture and draws agree", d.get("kl_mixture_surrogate", math.nan)
    if agreement is None or not math.isfinite(kl + agreement):
        return Check(key, title, "missing", "–", MISSING)
    good = kl < NEAR_KL and agreement < NEAR_MMTV
    words = (
        f"From the Gaussian mixture to the surrogate's posterior: Kullback-Leibler divergence "
        f"{rough_beside(max(kl, 0.0), NEAR_KL)} nats (below {NEAR_KL:g} is good); "
        f"marginals of mixture and draws differ by {rough_beside(agreement, NEAR_MMTV)} "
        f"(mean total variation; below {NEAR_MMTV:g} is good)."
    )
    if not good and d.get("pareto_k", math.inf) < USABLE_K and d.get("ess", 0.0) >= DRAWS_SHOWN:
        words += " Tables, curves and exported samples are of the draws: the mixture, and with it the ELBO, is what is rough."
    return Check(key, title, "good" if good else "poor", f"{max(kl, 0.0):.2f}, {agreement:.3f}", words)


def _possible(arrays: Mapping[str, Array], d: Mapping[str, float]) -> Check:
    """A method that has its own measure of this, by which it stops, says the figure: one thing has one."""
    key, title = "possible", "Possible posteriors"
    found = Possible.of(arrays, len(np.atleast_1d(arrays.get(f"{PREFIX}u", ()))))
    own = d.get("expected_variation", math.nan)
    if found is None and not math.isfinite(own):
        return Check(key, title, "missing", "–", MISSING)
    apart = own if math.isfinite(own) or found is None else found.expected_variation
    words = (
        f"Marginals of functions drawn from the surrogate, which fit the runs as well, differ from the answer's by "
        f"{rough_beside(apart, NEAR_MMTV)} (mean total variation; below {NEAR_MMTV:g} is good): what the runs leave open."
    )
    return Check(key, title, "good" if apart < NEAR_MMTV else "poor", f"{apart:.3f}", words)


def _known(d: Mapping[str, float]) -> Check:
    key, title = "known", "Whether the posterior lies where runs were made"
    failing, edge = d.get("failing_mass"), d.get("edge_mass")
    if failing is None or edge is None:
        return Check(key, title, "missing", "–", MISSING)
    good = known_well(failing, edge)
    words = (
        f"{100 * failing:.1f} % of it lies where most runs failed (up to {100 * FAILING_LIMIT:g} % may), "
        f"{100 * edge:.1f} % at the edge of what was explored (up to {100 * EDGE_LIMIT:g} %)."
    )
    return Check(key, title, "good" if good else "poor", f"{100 * max(failing, edge):.1f} % elsewhere", words)


def _modes(claim: Claim | None) -> Check:
    key, title = "modes", "What could still be hidden"
    if claim is None:
        return Check(key, title, "missing", "–", "Nothing can be said of modes that were not seen.")
    width, seen = claim.stated[0]
    good = seen >= SURE and width <= WIDEST
    humps = f" {HUMPS}" if claim.modes == 1 else ""
    return Check(key, title, "good" if good else "poor", f"{100 * width:.0f} % wide: {min(seen, 0.99):.2f}", claim.words + humps)


def _other(other: OtherMethod, log_evidence: float, sd: float) -> Check:
    key, title = f"with_{other.method}", f"Agreement with {other.name}"
    if not other.trusted or other.log_evidence is None or other.log_evidence_sd is None:
        words = f"It does not hold here, so it says nothing of the answer. {' '.join(other.reasons)}"
        return Check(key, title, "missing", "–", words.strip(), asked=True)
    apart = other.log_evidence - log_evidence
    allowed = SAME_EVIDENCE + WITHIN * math.hypot(sd, other.log_evidence_sd)
    good = abs(apart) <= allowed and (other.distance is None or other.distance < NEAR_MMTV)
    words = f"Its log evidence is {_signed(apart)} from ours (up to {rough(allowed)} is good)"
    if other.distance is not None:
        words += f", its marginals differ by {rough_beside(other.distance, NEAR_MMTV)} (below {NEAR_MMTV:g} is good)"
    figure = _signed(apart) if other.distance is None else f"{_signed(apart)}, {other.distance:.3f}"
    return Check(key, title, "good" if good else "poor", figure, f"{words}. {' '.join(other.reasons)}".strip(), asked=True)


def _two_sample(other: OtherMethod) -> Check:
    assert other.two_sample is not None
    share, error = other.two_sample
    key, title = f"two_sample_{other.method}", f"Two-sample test against {other.name}"
    if not other.trusted:
        return Check(key, title, "missing", "–", "The chains do not hold, so the test says nothing.", asked=True)
    words = (
        f"A classifier tells draws of the mixture from those of {other.name} in {with_error(100 * share, 100 * error)} % of "
        f"cases (50 % is chance; below {100 * TOLD_APART:g} % they are as good as the same)."
    )
    good = share < TOLD_APART
    return Check(key, title, "good" if good else "poor", f"{100 * share:.0f} %", words, asked=True)


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")
