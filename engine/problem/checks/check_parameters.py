"""Parameters, priors and bounds that contradict each other."""

from __future__ import annotations

import math

from .. import definition as d
from .. import priors
from ..errors import ProblemError
from ..findings import MAX_TEXT, Findings, check_names, places
from ..numbers.shown_digits import spoken
from ..placeholders import SEED, normal
from ..transforms import ParameterSpace

MANY_FREE = 10  # what a Gaussian-process surrogate handles well
_HALF_CUT, _ALL_CUT = 0.01, 1.0 - 1e-6  # share of the prior outside the bounds: said, refused


def check_parameters(findings: Findings, problem: d.Problem) -> None:
    parameters = problem.parameters
    names = [p.name for p in parameters]
    if not parameters:
        findings.error("parameters", "There are no parameters.", "Add the unknown numbers of your program.")
        return
    check_names(findings, "parameters", "parameter", names)
    for where, parameter in zip(places("parameters", names), parameters, strict=True):
        if normal(parameter.name) == SEED:
            findings.error(
                f"{where}.name", "The name “seed” is taken: @seed@ stands for a fresh random seed in every run.",
                "Choose another name, or remove the parameter and keep @seed@ if your program is random.",
            )  # fmt: skip
        _check_one(findings, where, parameter)
    free = sum(p.fixed is None for p in parameters)
    if free == 0:
        findings.error("parameters", "All parameters are fixed, so there is nothing to find out.", "Set at least one free.")
    elif free > MANY_FREE:
        findings.warning(
            "parameters", f"{free} parameters are free; the method works best with up to {MANY_FREE}.",
            "Fix those you know well, or allow many more runs.",
        )  # fmt: skip


def _check_one(findings: Findings, where: str, p: d.Parameter) -> None:
    for field in ("label", "unit"):
        if len(getattr(p, field)) > MAX_TEXT:
            findings.error(f"{where}.{field}", f"The {field} has more than {MAX_TEXT} characters.", "Shorten it.")
    for _, sentence in priors.complaints(p.prior):
        findings.error(f"{where}.prior", sentence)
    _check_bounds(findings, where, p)
    proper = not findings.has_error(where)
    if p.fixed is not None:
        _check_fixed(findings, where, p, proper)
        return
    if not proper:
        return
    _check_prior_mass(findings, where, p)
    if p.plausible is not None and not findings.has_error(where):
        _check_plausible(findings, where, p)
    if not findings.has_error(where):
        try:
            ParameterSpace([p])
        except ProblemError as error:
            findings.error(where, error.what, error.suggestion)


def _check_bounds(findings: Findings, where: str, p: d.Parameter) -> None:
    for field, value in (("lower", p.lower), ("upper", p.upper)):
        if value is None:
            continue
        if not math.isfinite(value):
            findings.error(f"{where}.{field}", f"The {field} bound is {value}.", "Enter a number, or nothing for no bound.")
        elif abs(value) > 1e300:
            findings.error(
                f"{where}.{field}", f"The {field} bound {spoken(value)} is too large to compute with.", "Leave it empty."
            )
    if p.lower is None or p.upper is None or findings.has_error(f"{where}.lower") or findings.has_error(f"{where}.upper"):
        return
    if p.lower > p.upper:
        findings.error(
            f"{where}.lower",
            f"The bounds are reversed: the lower one, {spoken(p.lower)}, is greater than the upper one, {spoken(p.upper)}.",
            "Exchange them.",
        )  # fmt: skip
    elif p.lower == p.upper:
        findings.error(
            f"{where}.lower", f"Both bounds are {spoken(p.lower)}: the range has zero width.",
            "Fix the parameter, or widen the bounds."
        )


def _check_fixed(findings: Findings, where: str, p: d.Parameter, proper: bool) -> None:
    value = p.fixed
    if value is None:
        return
    if not math.isfinite(value):
        findings.error(f"{where}.fixed", f"The fixed value is {value}.", "Enter a number.")
        return
    if p.lower is not None and value < p.lower:
        findings.error(
            f"{where}.fixed", f"The fixed value {spoken(value)} is below the lower bound {spoken(p.lower)}.",
            "Change one of them."
        )
    if p.upper is not None and value > p.upper:
        findings.error(
            f"{where}.fixed", f"The fixed value {spoken(value)} is above the upper bound {spoken(p.upper)}.",
            "Change one of them."
        )
    if proper:
        low, high = priors.support(p.prior)
        if not low <= value <= high:
            findings.warning(
                f"{where}.fixed", f"The fixed value {spoken(value)} is impossible under the prior ({priors.describe(p.prior)}).",
                "Check it; the prior of a fixed parameter is not used.",
            )  # fmt: skip


def _check_prior_mass(findings: Findings, where: str, p: d.Parameter) -> None:
    """How much of the prior the hard bounds cut off."""
    if p.lower is None and p.upper is None:
        return
    prior = priors.of_prior(p.prior)
    low = -math.inf if p.lower is None else p.lower
    high = math.inf if p.upper is None else p.upper
    inside = prior.mass(low, high)
    words = f"The prior ({priors.describe(p.prior)}) and the bounds ({_range(p.lower, p.upper)})"
    if inside <= 0.0:
        findings.error(
            f"{where}.prior", f"{words} contradict each other: nothing of the prior lies inside the bounds.",
            "Move the prior or widen the bounds.",
        )  # fmt: skip
    elif 1.0 - inside > _ALL_CUT and not isinstance(p.prior, d.Uniform | d.LogUniform):
        findings.error(
            f"{where}.prior",
            f"{words} contradict each other: only {spoken(inside, 1)} of the prior's mass lies inside the bounds.",
            "Move the prior or widen the bounds.",
        )  # fmt: skip
    elif 1.0 - inside > _HALF_CUT:
        findings.warning(
            f"{where}.prior", f"{spoken(100.0 * (1.0 - inside), 2)} % of the prior ({priors.describe(p.prior)}) lies outside the "
            f"bounds ({_range(p.lower, p.upper)}). That part is cut off and the rest scaled up.",
            "Nothing needs to be done if that is meant.",
        )  # fmt: skip


def _range(lower: float | None, upper: float | None) -> str:
    if lower is not None and upper is not None:
        return f"{spoken(lower)} to {spoken(upper)}"
    return f"below {spoken(upper)}" if upper is not None else f"above {spoken(lower or 0.0)}"


def _check_plausible(findings: Findings, where: str, p: d.Parameter) -> None:
    assert p.plausible is not None
    low, high = p.plausible
    place = f"{where}.plausible"
    inside = priors.of_parameter(p)
    if not (math.isfinite(low) and math.isfinite(high)):
        findings.error(place, "The plausible range needs two ordinary numbers.", "Leave it empty to take it from the prior.")
    elif low > high:
        findings.error(place, f"The plausible range is reversed: {spoken(low)} is greater than {spoken(high)}.", "Exchange them.")
    elif low == high:
        findings.error(place, f"Both ends of the plausible range are {spoken(low)}: it has zero width.", "Widen it.")
    elif low < inside.lower or high > inside.upper:
        ends = _range(*(None if math.isinf(e) else e for e in (inside.lower, inside.upper)))
        findings.error(
            place, f"The plausible range {spoken(low)} to {spoken(high)} reaches outside what prior and bounds allow ({ends}).",
            "Move it inside.",
        )  # fmt: skip
    elif inside.mass(low, high) < 1e-4:
        findings.warning(
            place, f"The plausible range {spoken(low)} to {spoken(high)} holds less than 0.01 % of the prior.",
            "The search starts there; check that the prior says what you mean.",
        )  # fmt: skip
