"""Every figure of the report with its caption: one list for the report, the notebook and the library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..answer.best_fit import BestFit, best_fit_of
from ..answer.checks import checks_of_store
from ..answer.fresh_runs import CAPTION as FRESH_CAPTION
from ..answer.possible import HINT as POSSIBLE_HINT
from ..answer.predictions.predictive import Predicted
from ..answer.unseen import Claim, claim_of_store
from ..session.store import SessionStore
from . import figures
from .predictions import predictions_of, unmeasured_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..answer.checks import AnswerChecks


@dataclass(frozen=True)
class Drawn:
    """A figure and what stands below it."""

    figure: Figure
    caption: str


def marginals(store: SessionStore) -> Drawn:
    caption = f"Posterior (filled) and prior (dashed) of each parameter; {POSSIBLE_HINT}."
    return Drawn(figures.marginals(store), caption)


def pairs(store: SessionStore) -> Drawn | None:
    """None where there is only one parameter."""
    figure = figures.pairs(store)
    return None if figure is None else Drawn(figure, "Densities of each pair of parameters.")


def predictions(found: list[Predicted], best: BestFit | None) -> Drawn | None:
    """None where nothing is predicted."""
    if any(p.bands is not None for p in found):
        caption = (
            "Measured data (circles) and what the posterior predicts by the outputs learnt from the simulator runs: median, the "
            "90 % band of the program's outputs (dark), and with measurement errors (light)."
        )
    else:
        caption = (
            "Measured data (circles) and the predictions of the simulator runs made, weighted by the posterior: "
            "90 % band, median, and the weightiest runs. Measurement errors are not part of the band."
        )
    lines = () if best is None else best.lines
    caption += " Dashed: the best run." if lines else ""
    if any(p.missed is not None for p in found):
        caption += " Dotted, with its 90 % band: program and what it misses together."
    figure = figures.predictions(found, lines)
    return None if figure is None else Drawn(figure, caption)


def unmeasured(found: list[Predicted]) -> Drawn | None:
    """None where no curve is recorded beside those compared."""
    curves = [p for p in found if len(p.x) > 1]
    learnt = any(p.other is not None and p.other.learnt is not None for p in curves)
    by = "by the outputs learnt from the simulator runs" if learnt else "by the simulator runs made, weighted by the posterior"
    beside = "" if all(p.other is not None and p.other.learnt is not None for p in curves) else ", and the weightiest runs"
    caption = f"Outputs that the program prints and that were compared with nothing, {by}: 90 % band, median{beside}."
    figure = figures.predictions(curves)
    return None if figure is None else Drawn(figure, caption)


def residuals(found: list[Predicted]) -> Drawn | None:
    """None where they were not tested."""
    caption = (
        "Left: measured less predicted median, in standard deviations of the noise. Right: sorted, against a normal "
        "distribution"
    )
    banded = any(p.residuals is not None and p.residuals.tested for p in found)
    caption += "; band: where 90 % of data sets that the model makes lie." if banded else "."
    figure = figures.residuals(found)
    return None if figure is None else Drawn(figure, caption)


def trace(store: SessionStore) -> Drawn:
    return Drawn(figures.trace(store), "Evidence lower bound (ELBO) with two standard deviations.")


def fresh_runs(checks: AnswerChecks | None) -> Drawn | None:
    """None where no fresh runs checked the answer."""
    return None if checks is None or checks.fresh is None else Drawn(figures.fresh_runs(checks.fresh), FRESH_CAPTION)


def unseen(claim: Claim | None) -> Drawn | None:
    """None where nothing is known of what was not seen."""
    caption = (
        "Probability that a further mode of the posterior, normal and with a tenth of its mass, did not show, against its "
        "standard deviation as a share of the plausible ranges."
    )
    return None if claim is None else Drawn(figures.unseen(claim), caption)


FIGURES: Mapping[str, tuple[str, Callable[[SessionStore], Drawn | None]]] = {
    "marginals": ("Parameters", marginals),
    "pairs": ("Pairs", pairs),
    "predictions": ("Predictions over the data", lambda store: predictions(predictions_of(store), best_fit_of(store))),
    "unmeasured": ("Other outputs", lambda store: unmeasured(unmeasured_of(store))),
    "residuals": ("Residuals", lambda store: residuals(predictions_of(store))),
    "trace": ("Convergence", trace),
    "fresh_runs": ("Why trust this", lambda store: fresh_runs(checks_of_store(store))),
    "unseen": ("Unseen modes", lambda store: unseen(claim_of_store(store))),
}  # name -> heading, and how it is made; None where a session has none


def drawn(store: SessionStore) -> dict[str, Drawn]:
    """All that there are, by name."""
    made = {name: make(store) for name, (_, make) in FIGURES.items()}
    return {name: each for name, each in made.items() if each is not None}
