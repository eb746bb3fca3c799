"""When the answer may be right: fresh residuals, evidence sd and movement over a window of evaluations (RECIPE 7)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...answer.digits import rough_beside
from ...loop_interface import LoopSettings
from ...problem.method_options import DefaultOptions, NoisyOptions, read_options
from ...problem.numbers.shown_digits import spoken

LARGEST_RESIDUAL = 5.0  # nats: a place found hundreds below its prediction says "unknown", not "known to within hundreds"
KEPT_HISTORY = 40  # newest fresh residuals, with the answers after them

EDGE_SD_LIMIT = 0.1  # sd of log Z at the stop where the edge of an impossible region adds to it


@dataclass(frozen=True)
class Fresh:
    """One evaluation as seen by the surrogate before it was added; and log Z and its sd after."""

    residual: float  # y - mean, before adding
    weight: float  # min(1, exp(max(mean, y) - ymax + 2)): low points matter little
    log_z: float
    log_z_sd: float  # GP sd alone
    ess: float
    temperature: float

    @property
    def weighted(self) -> float:
        return abs(self.residual) * self.weight

    @property
    def known(self) -> bool:
        """Whether the run came out anything like predicted, and the answer after it could be sampled."""
        return self.weighted < LARGEST_RESIDUAL and self.temperature == 1.0


def window_length(dimension: int) -> int:
    """5 up to D = 4, 8 from D = 7 (RECIPE, certification; its 5 at D = 6 stopped wrongly on the lumpy target)."""
    return int(np.clip(dimension + 1, 5, 8))


def counted(fresh: Fresh) -> float:
    return min(fresh.weighted, LARGEST_RESIDUAL)


def residual_rms(history: list[Fresh], dimension: int) -> float:
    """Root mean square of the weighted fresh residuals over the window, each counted up to LARGEST_RESIDUAL."""
    recent = [counted(f) for f in history[-window_length(dimension) :]]
    return float(np.sqrt(np.mean(np.square(recent)))) if recent else 0.0


def options_of(settings: LoopSettings) -> DefaultOptions:
    """Where outputs have a statistical error of their own, the log evidence need not be known better than that of random log
    densities: no run of theirs tells more, and the posterior is known long before. What the user sets, holds."""
    if not settings.scattered:
        return read_options(DefaultOptions, settings.options)
    random = NoisyOptions()
    usual = {"evidence_sd_limit": random.evidence_sd_limit, "evidence_range_limit": random.evidence_range_limit}
    return read_options(DefaultOptions, {**usual, **settings.options})


def with_scatter(most: float, settings: LoopSettings, options: DefaultOptions) -> float:
    """Sd of the log evidence that a confirmed answer may state: ``most``, and besides that of outputs that scatter."""
    return float(np.hypot(most, options.evidence_sd_limit)) if settings.scattered else most


def limits(options: DefaultOptions, walled: bool) -> tuple[float, float, float]:
    """Of residuals, GP sd and range of log Z, for ``unmet``; ``walled``: the density is zero somewhere."""
    sd_limit = EDGE_SD_LIMIT if walled else options.evidence_sd_limit
    return options.residual_limit, sd_limit, options.evidence_range_limit


def unmet(
    history: list[Fresh],
    n: int,
    dimension: int,
    residual_limit: float,
    sd_limit: float,
    range_limit: float,
) -> list[str]:
    """What still speaks against stopping, in words; empty: certify."""
    length = window_length(dimension)
    recent = history[-length:]
    reasons: list[str] = []
    if n < 2 * dimension + 8 or len(recent) < length:
        return ["Too few runs so far to judge the answer."]
    now = recent[-1]
    worst = max(f.weighted for f in recent)
    if not worst < residual_limit:
        reasons.append(
            f"The newest runs did not come out as predicted: their log density was off by up to "
            f"{rough_beside(worst, residual_limit)}, "
            f"where less than {spoken(residual_limit)} is asked."
        )
    if not now.log_z_sd < sd_limit:
        reasons.append(
            f"What lies between the runs is not known well enough: it leaves the log evidence open by "
            f"{rough_beside(now.log_z_sd, sd_limit)}, "
            f"where less than {spoken(sd_limit)} is asked."
        )
    values = [f.log_z for f in recent]
    if not max(values) - min(values) < range_limit:
        reasons.append(
            f"The log evidence still moves: by {rough_beside(max(values) - min(values), range_limit)} "
            f"over the last {length} runs, "
            f"where less than {spoken(range_limit)} is asked."
        )
    if now.temperature < 1.0 or not now.ess > 0.2:
        reasons.append("The posterior implied by the surrogate cannot be sampled reliably yet.")
    return reasons


def evidence_range(history: list[Fresh], dimension: int) -> float:
    """Range of log Z over the window; where some of that is not ``known``, over as many answers before it, too, that were.

    A surrogate that its runs refute one after another may state the same wrong evidence each time.
    """
    length = window_length(dimension)
    recent, before = history[-length:], history[:-length]
    if not all(f.known for f in recent):
        recent = [*[f for f in before if f.known][-length:], *recent]
    values = [f.log_z for f in recent]
    return max(values) - min(values) if values else 0.0


def kept(history: list[Fresh], dimension: int) -> list[Fresh]:
    """The newest KEPT_HISTORY of it, and as many earlier ones as a window lacks that are ``known``."""
    older, newest = history[:-KEPT_HISTORY], history[-KEPT_HISTORY:]
    lacking = window_length(dimension) - sum(f.known for f in newest)
    return [*[f for f in older if f.known][-lacking:], *newest] if lacking > 0 else newest
