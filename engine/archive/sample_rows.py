"""The rows of an archive that a simulator run can confirm or contradict."""

from __future__ import annotations

import numpy as np

from ..problem.definition import Problem
from ..problem.transforms import ParameterSpace
from ..protocol import ArchivedRow
from .interpret import Imported


def rows_to_check(found: Imported, problem: Problem) -> tuple[ArchivedRow, ...]:
    """The best row, and one from the middle of the others: two that differ alike tell of a constant, others of a mix-up."""
    record, space = found.record, ParameterSpace(problem.parameters)
    joint = record.values + (space.log_prior(record.points) if record.meaning == "log_likelihood" else 0.0)
    order = np.argsort(-joint, kind="stable")
    order = order[np.isfinite(joint[order])]
    chosen = dict.fromkeys([int(order[0]), int(order[len(order) // 2])])
    return tuple(
        ArchivedRow(
            values=dict(zip(record.names, record.points[i].tolist(), strict=True)),
            value=float(record.values[i]),
            sd=float(record.sds[i]),
        )
        for i in chosen
    )
