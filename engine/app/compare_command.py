"""``bayescope compare``: analyses, and other methods on the same runs, side by side in a terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from ..comparison.baseline_answers import METHODS, baseline_answer
from ..problem.transforms import ParameterSpace
from ..session import export
from ..session.answer_words import chip
from ..session.distance import mmtv
from ..session.errors import SessionError
from ..session.posterior import StoredPosterior
from ..session.records import IterationRecord
from ..session.store import SessionStore
from .exit_status import OK, Failure
from .terminal import say


def compare(path: Path, others: Sequence[Path], methods: Sequence[str]) -> int:
    """Print the table; the exit status. Raises Failure or SessionError in words."""
    unknown = [m for m in methods if m not in METHODS]
    if unknown:
        raise Failure(f"there is no method “{unknown[0]}” to compare with. There are: {', '.join(METHODS)}.")
    head = f"{'analysis':<28}{'runs':>8}{'log evidence':>20}{'distance':>10}  verdict"
    with SessionStore.open(path, mode="read") as store:
        own, record = export.posterior_of(store)
        say(head)
        _row(path.stem, record.n_evaluations, record.log_evidence, record.log_evidence_sd, None, _said(record))
        space = ParameterSpace(store.problem.parameters)
        notes: list[str] = []
        for method in methods:
            try:
                found = baseline_answer(store, method)
            except SessionError as error:
                notes.append(f"{METHODS[method]}: {error}")
                continue
            m = found.mixture
            preferred = "mixture" if found.draws is None else "draws"
            q = StoredPosterior(space, m.weights, m.means, m.covariances, found.draws, found.weights, preferred)  # type: ignore[arg-type]
            verdict = "its checks are passed" if found.trusted else "not to be relied on"
            _row(found.name, found.evaluations, found.log_evidence, found.log_evidence_sd, mmtv(own, q), verdict)
            notes.append(f"{found.name}: {' '.join(found.reasons)}")
    for other in others:
        with SessionStore.open(other, mode="read") as store:
            q, record = export.posterior_of(store)
        _row(other.stem, record.n_evaluations, record.log_evidence, record.log_evidence_sd, mmtv(own, q), _said(record))
    say("\ndistance: mean total variation of the marginals from the first analysis; 0 the same, 1 nowhere together")
    for note in notes:
        say(note)
    return OK


def _said(record: IterationRecord) -> str:
    return chip(record.converged, record.warm_up, record.diagnostics)[1].lower()


def _row(name: str, runs: int, value: float, sd: float, distance: float | None, verdict: str) -> None:
    evidence = f"{value:.2f} ± {sd:.2f}" if math.isfinite(value) else "not known"
    apart = "–" if distance is None or math.isnan(distance) else f"{distance:.3f}"
    say(f"{name[:27]:<28}{runs:>8,}{evidence:>20}{apart:>10}  {verdict}")
