"""Validation's findings in the cells of the table of parameters that they are about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bayescope.engine.problem.definition import Parameter
from bayescope.engine.problem.findings import Finding
from bayescope.gui.models.records import CellFinding

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
