"""``bayescope compare``: analyses, and other methods on the same runs, side by side in a terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from ..answer import latest
from ..answer.digits import plain, with_error
from ..answer.distance import mmtv
from ..answer.other_methods import OtherMethod
from ..answer.posterior import StoredPosterior
from ..answer.words import chip
from ..comparison.compared import compare as compare_with
from ..comparison.compared import keep
from ..comparison.one_answer import METHODS
from ..problem.data.rows.same_data import other_data
from ..session.errors import SessionError
from ..session.records import IterationRecord
from ..session.store import SessionStore
from .exit_status import OK, Failure
from .terminal import say

OTHER_DATA = "Evidences of other data cannot be compared: their difference says nothing about the models. Compare the posteriors."


def compare(path: Path, others: Sequence[Path], methods: Sequence[str]) -> int:
    """Print the table; the exit status. Raises Failure or SessionError in words."""
    unknown = [m for m in methods if m not in METHODS]
    if unknown:
        raise Failure(f"there is no method “{unknown[0]}” to compare with. There are: {', '.join(METHODS)}.")
    head = f"{'analysis':<28}{'runs':>8}{'log evidence':>20}{'distance':>10}  verdict"
    with SessionStore.open(path, mode="read") as store:
        own, record = latest.posterior_of(store)
        problem = store.problem
        say(head)
        _row(path.stem, record.n_evaluations, record.log_evidence, record.log_evidence_sd, None, _said(record))
        notes: list[str] = []
        made: list[OtherMethod] = []
        for method in methods:
            try:
                found, kept = compare_with(store, method)
            except SessionError as error:
                notes.append(f"{METHODS[method]}: {error}")
                continue
            made.append(kept)
            verdict = "its checks are passed" if found.trusted else "not to be relied on"
            apart = math.nan if kept.distance is None else kept.distance
            seconds = f"; {kept.seconds:.1f} s"
            _row(found.name, found.evaluations, found.log_evidence, found.log_evidence_sd, apart, verdict + seconds)
            notes.append(f"{found.name}: {' '.join(found.reasons)}")
    notes += list(dict.fromkeys(words for words in (keep(path, kept) for kept in made) if words))
    for other in others:
        with SessionStore.open(other, mode="read") as store:
            q, record = latest.posterior_of(store)
            different = other_data(problem, store.problem)
        verdict = _said(record) + (f"; of other data: {different}" if different else "")
        _row(other.stem, record.n_evaluations, record.log_evidence, record.log_evidence_sd, mmtv(own, q), verdict)
        if different and OTHER_DATA not in notes:
            notes.append(OTHER_DATA)
    _moments(path.stem, own, made)
    say("\ndistance: mean total variation of the marginals from the first analysis; 0 the same, 1 nowhere together")
    for note in notes:
        say(note)
    return OK


def _moments(name: str, own: StoredPosterior, made: Sequence[OtherMethod]) -> None:
    """Mean and standard deviation of each parameter, by method."""
    if not made:
        return
    say(f"\n{'mean ± sd':<28}" + "".join(f"{title[:25]:>28}" for title in (name, *(m.name for m in made))))
    for i, parameter in enumerate(own.names):
        each = [(float(own.mean()[i]), float(own.sd()[i])), *(m.moments.get(parameter) for m in made)]
        cells = ["–" if e is None else f"{plain(e[0], e[1])} ± {plain(e[1], e[1])}" for e in each]
        say(f"{parameter[:27]:<28}" + "".join(f"{cell:>28}" for cell in cells))


def _said(record: IterationRecord) -> str:
    return chip(record.converged, record.warm_up, record.diagnostics)[1].lower()


def _row(name: str, runs: int, value: float, sd: float, distance: float | None, verdict: str) -> None:
    evidence = with_error(value, sd) if math.isfinite(value) else "not known"
    apart = "–" if distance is None or math.isnan(distance) else f"{distance:.3f}"
    say(f"{name[:27]:<28}{runs:>8,}{evidence:>20}{apart:>10}  {verdict}")
