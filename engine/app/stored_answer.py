"""The answer that every installation has to come to: design, outputs and posterior of a short run of a bundled example.

Kept in resources/self_test/answer.json; ``python3 packaging/dev.py stored-answer`` makes it anew after a change of method.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

import msgspec
import numpy as np
from numpy.typing import NDArray

from ..answer.latest import posterior_of
from ..session.store import SessionStore

EXAMPLE, RUNS = "contamination", 14  # four runs more than its design: the surrogate has chosen some
DIGITS = 6  # by which points are told apart: where a sequence gives one point only, it still differs in the sixteenth
SAME_POINT = 1e-9  # relative: a sequence of points is the same on every processor
SAME_OUTPUT = 1e-6  # relative: a program's arithmetic may differ in the last digits
OF_SD = 1e-3  # by how much of a standard deviation a mean may differ: less than the digits that are shown of it


class StoredAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """``design``: (n, d) parameter values in the user's units, n the points made before any answer; ``log_joint``: (n,)."""

    names: tuple[str, ...]
    design: tuple[tuple[float, ...], ...]
    log_joint: tuple[float, ...]
    mean: tuple[float, ...]
    sd: tuple[float, ...]
    log_evidence: float


def stored() -> StoredAnswer:
    """The one that came with the application."""
    data = (files("bayescope.resources") / "self_test" / "answer.json").read_bytes()
    return msgspec.json.decode(data, type=StoredAnswer)


def answer_of(store: SessionStore) -> StoredAnswer:
    """The same of a session that has run. Raises SessionError if it has no posterior."""
    posterior, record = posterior_of(store)
    names = tuple(posterior.names)
    design = [e for e in sorted(store.evaluations(), key=lambda e: e.index) if e.purpose == "design"]
    return StoredAnswer(
        names=names,
        design=tuple(tuple(e.values[name] for name in names) for e in design),
        log_joint=tuple(float((e.log_likelihood or 0.0) + (e.log_prior or 0.0)) for e in design),
        mean=tuple(posterior.mean().tolist()),
        sd=tuple(posterior.sd().tolist()),
        log_evidence=record.log_evidence,
    )


def repeated(points: Sequence[Sequence[float]]) -> int:
    """How many of ``points`` (n, d) are copies of another one, but for the last digits."""
    return len(points) - len({tuple(f"{value:.{DIGITS}g}" for value in point) for point in points})


def differences(found: StoredAnswer, wanted: StoredAnswer) -> list[str]:
    """In words, what of ``found`` is not as it was stored; empty: nothing."""
    if found.names != wanted.names or len(found.design) != len(wanted.design):
        return [f"The design has {len(found.design)} points of {', '.join(found.names)}, not {len(wanted.design)} as stored."]
    words = []
    if not _close(found.design, wanted.design, SAME_POINT):
        words.append("The points of the design are not those stored: random numbers come out differently here.")
    if not _close(found.log_joint, wanted.log_joint, SAME_OUTPUT):
        words.append("The example program or the likelihood gives other numbers than those stored.")
    for k, name in enumerate(wanted.names):
        for what, here, there in (("mean", found.mean[k], wanted.mean[k]), ("sd", found.sd[k], wanted.sd[k])):
            if not abs(here - there) <= OF_SD * wanted.sd[k]:  # NaN is not close either
                words.append(f"The {what} of {name} is {here:.6g}; stored is {there:.6g}.")
    return words


def _close(found: Sequence[object], wanted: Sequence[object], relative: float) -> bool:
    here: NDArray[np.float64] = np.asarray(found, dtype=float)
    there: NDArray[np.float64] = np.asarray(wanted, dtype=float)
    return bool(np.allclose(here, there, rtol=relative, atol=0.0))
