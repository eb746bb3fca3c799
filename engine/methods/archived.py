"""Imported evaluations as a loop needs them: inference space, prior and Jacobian added."""

from __future__ import annotations

import numpy as np

from ..loop_interface import Archive
from ..problem.transforms import ParameterSpace
from ..session.errors import SessionError
from ..session.records import ArchiveRecord


def archive_of(record: ArchiveRecord | None, space: ParameterSpace) -> Archive | None:
    """Rows that today's bounds exclude are left out. Raises SessionError if the archive is of other parameters."""
    if record is None:
        return None
    if record.names != space.names:
        raise SessionError(
            f"The imported evaluations are of {', '.join(record.names)}, the free parameters are {', '.join(space.names)}",
            "",
            "Import them again for the problem as it is now.",
        )
    inside = np.all((record.points > space.lower) & (record.points < space.upper), axis=1)
    theta = record.points[inside]
    points = space.to_inference(theta)
    values = record.values[inside] + np.asarray(space.log_jacobian(points))
    if record.meaning == "log_likelihood":
        values = values + space.log_prior(theta)
    return Archive(points, values, record.sds[inside].copy())
