"""Validation's findings in the cells of the table of parameters that they are about."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

from bayescope.engine.problem import priors
from bayescope.engine.problem.definition import Parameter
from bayescope.engine.problem.distributions import Distribution
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.findings import Finding
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.gui.models.records import CellFinding

FAR_OUT = 3.2e-5  # of a prior beyond the number in the file: four standard deviations of a normal one
NEAR = 4.0  # nats below the density in the middle; four standard deviations are eight
ANOTHERS = "Is it the prior of another parameter? If the number there is only out of date, nothing needs to be done."
_INDEXED = re.compile(r"parameters(?:\[([0-9]+)\]|\.([^.]+))?(?:\.(\w+))?")


def place_of(where: str, parameters: tuple[Parameter, ...]) -> tuple[int | None, str]:
    """Row and column key of a finding such as ``parameters.rho.prior``; None: of the table as a whole."""
    match = _INDEXED.match(where)
    if match is None:
        return None, ""
    names = [p.name for p in parameters]
    if match.group(1) is not None:
        return int(match.group(1)), match.group(3) or "name"
    name = match.group(2) or ""
    if name in names:
        return names.index(name), match.group(3) or "name"
    return (int(name), match.group(3) or "name") if re.fullmatch("[0-9]{1,9}", name) and int(name) < len(names) else (None, "")


def outside_file_value(parameters: Sequence[Parameter], value_of: Callable[[str], float | None]) -> list[Finding]:
    """A note on each prior that excludes, or nearly so, the number that the input file has for its parameter (``value_of`` its
    name): it may have been meant for another."""
    found = []
    for p in parameters:
        value = value_of(p.name) if p.fixed is None and p.prior is not None else None
        if value is None:
            continue
        try:
            prior = priors.of_parameter(p)
        except ProblemError:
            continue  # its numbers are told by themselves
        there = f"The file's value, {spoken(value)},"
        words = (
            f"{there} lies outside." if not prior.lower <= value <= prior.upper
            else f"{there} lies far out: hardly anything of the prior is beyond it."
            if min(prior.mass(-math.inf, value), prior.mass(value, math.inf)) < FAR_OUT and not _near_an_end(prior, value)
            else ""
        )  # fmt: skip
        found += [Finding("warning", f"parameters.{p.name}.prior", words, ANOTHERS)] if words else []
    return found


def _near_an_end(prior: Distribution, value: float) -> bool:
    """Whether it is the density that is high where little is beyond the value: at the hard end of a uniform prior."""
    at, middle = (float(prior.log_density(x)) for x in (value, prior.median()))
    return at > middle - NEAR


def cell_findings(parameters: tuple[Parameter, ...], findings: Sequence[Finding]) -> list[CellFinding]:
    """Validation's findings placed in the cells they are about."""
    keys = {"name", "label", "unit", "prior", "lower", "upper", "plausible", "fixed"}
    found = []
    for f in findings:
        row, key = place_of(f.where, parameters)
        if row is not None:
            found.append(
                CellFinding(row, key if key in keys else "name", f.level, f"{f.message} {f.suggestion}".strip())
            )
    return found
