"""What may be asked again where residuals are no chance: with errors of inferred size, or without an outlying value. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from bayescope.engine.answer.predictions.predictive import Predicted
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.gui.models.data.errors.noise_parameter import noise_of, with_new_parameter
from bayescope.gui.models.plain import one_line

RARELY = 1e-3
UNLIKELY = 0.05  # that any of as many normal residuals lies as far off: from there on a value is called outlying


@dataclass(frozen=True)
class Outlier:
    """``column``: which comparison, from 0; ``row`` of the table from 1; ``z``: in standard deviations of the noise; ``among``
    how many values; ``chance``: that any of as many normal ones lies as far off."""

    column: int
    row: int
    z: float
    name: str
    among: int = 1
    chance: float = 1.0

    @property
    def alone(self) -> str:
        """Why a value is named where nothing else is odd, a sentence."""
        often = "in hardly any data set" if self.chance < RARELY else f"in {spoken(100 * self.chance, 1)} of 100 data sets"
        return (
            f"Chance puts one of {self.among} values as far off {often}. Leave it out only if something was wrong with that "
            "measurement; this can be asked again from the same runs."
        )

    @property
    def words(self) -> str:
        return f"row {self.row} of “{one_line(self.name, 30)}”, {self.z:+.1f} sd off".replace("-", "−")


def outlier(found: Sequence[Predicted]) -> Outlier | None:
    """The value farthest off, if chance hardly puts one of so many there."""
    far = [
        Outlier(k, int(p.rows[i]) + 1, float(p.residuals.z[i]), p.y_label)
        for k, p in enumerate(one.of_values for one in found)
        if p.residuals is not None and len(p.rows) == len(p.residuals.z) > 0
        for i in (int(np.argmax(np.abs(p.residuals.z))),)
    ]
    worst = max(far, key=lambda o: abs(o.z), default=None)
    count = sum(int((~p.limited).sum()) for p in found)
    chance = 1.0 if worst is None else count * math.erfc(abs(worst.z) / math.sqrt(2.0))
    return None if worst is None or chance > UNLIKELY else replace(worst, among=count, chance=chance)


def without(problem: d.Problem, far: Outlier) -> d.Problem | None:
    """``problem`` with that value left out; None where the outputs are not compared with data, or nothing would be left."""
    meaning = problem.meaning
    if not isinstance(meaning, d.Predictions) or far.column >= len(meaning.matches):
        return None
    match = meaning.matches[far.column]
    if match.column != far.name or far.row in match.left_out:
        return None
    fewer = msgspec.structs.replace(match, left_out=tuple(sorted((*match.left_out, far.row))))
    matches = (*meaning.matches[: far.column], fewer, *meaning.matches[far.column + 1 :])
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=matches))


def with_percent_of_predicted(problem: d.Problem, column: int, percent: float) -> d.Problem | None:
    """``problem`` with errors of so many per cent of the predicted value in that comparison; None: it has another one there.

    Common errors stay those of the other comparisons.
    """
    meaning = problem.meaning
    if not isinstance(meaning, d.Predictions) or column >= len(meaning.matches):
        return None
    match, errors = meaning.matches[column], d.LogNormalNoise(log_sd=float(f"{percent / 100.0:.12g}"))
    if getattr(match.noise or meaning.noise, "percent", None) != percent:
        return None
    if match.noise is None and len(meaning.matches) == 1:
        return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, noise=errors))
    own = msgspec.structs.replace(match, noise=errors)
    matches = (*meaning.matches[:column], own, *meaning.matches[column + 1 :])
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=matches))


def with_inferred_size(problem: d.Problem, column: int) -> d.Problem | None:
    """``problem`` with one new parameter, the size of the errors of that comparison; None where it is not stated as known.

    Common errors stay those of the other comparisons.
    """
    meaning = problem.meaning
    if not isinstance(meaning, d.Predictions) or column >= len(meaning.matches):
        return None
    match = meaning.matches[column]
    if not isinstance(match.noise or meaning.noise, d.GaussianKnown):
        return None
    own: int | None = None if match.noise is None and len(meaning.matches) == 1 else column
    inferred = d.GaussianInferred(parameter="")
    bare = msgspec.structs.replace(match, sd_column=None, noise=None if own is None else inferred)
    matches = (*meaning.matches[:column], bare, *meaning.matches[column + 1 :])
    common = inferred if own is None else meaning.noise
    changed = msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=matches, noise=common))
    return with_new_parameter(changed, own) if noise_of(changed, own) is not None else None
