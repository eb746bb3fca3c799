"""What an analysis was given or asked beside its declaration, as a reader of its report repeats it: earlier evaluations, other
methods, sensitivities, a run at the surrogate's maximum. Tables and commands."""

from __future__ import annotations

import numpy as np

from ..answer.csv_cells import csv_bytes
from ..answer.other_methods import stored_methods
from ..answer.sensitivity import stored_sensitivity
from ..answer.surrogate_peak import SurrogatePeak
from ..problem.command_text import command_text
from ..session.imported import PURPOSE
from ..session.records import ArchiveRecord, EvaluationRecord
from ..session.store import SessionStore

EARLIER = "earlier.csv"
SD = "noise_sd"


def earlier_csv(store: SessionStore) -> bytes | None:
    """The evaluations that were imported, as ``bayescope import`` takes them; None: there are none."""
    archive = store.archive()
    if archive is not None:
        return _archive_csv(archive)
    given = _given_runs(store)
    if not given:
        return None
    names = [p.name for p in store.problem.parameters if p.name in given[0].values]
    sizes = {name: np.shape(value) for name, value in given[0].outputs.items()}
    header = [f"{name}[{i}]" if shape else name for name, shape in sizes.items() for i in range(shape[0] if shape else 1)]
    rows = [
        [*(r.values[n] for n in names), *(v for name in sizes for v in np.atleast_1d(r.outputs[name]).tolist())]
        for r in given
        if {name: np.shape(value) for name, value in r.outputs.items()} == sizes
    ]
    return csv_bytes([*names, *header], rows)


def import_command(store: SessionStore, session: str) -> str | None:
    """Puts ``EARLIER`` into ``session``, as it was here; None: nothing was imported."""
    archive = store.archive()
    if archive is None and not _given_runs(store):
        return None
    words = ["bayescope", "import", session, EARLIER, "--no-check"]
    if archive is not None:
        words += ["--value", archive.meaning, "--meaning", archive.meaning]
        words += ["--sd", SD] if archive.sds.any() else []
    return command_text(words)


def run_commands(store: SessionStore, session: str) -> list[str]:
    """The runs of the analysis, and what was asked after them."""
    run = ["bayescope", "run", session]
    at = _check_of_the_maximum(store)
    budget = store.problem.settings.max_evaluations if at is None and _given_runs(store) else at  # importing runs raises it
    lines = [command_text(run if budget is None else [*run, "--runs", str(budget)])]
    if at is not None:
        lines.append(command_text(["bayescope", "best-fit", session, "--check"]))
    return lines


def asked_commands(store: SessionStore, session: str) -> list[str]:
    """What was worked out of the answer because it was asked for, without runs."""
    lines = []
    if others := stored_methods(store):
        lines.append(command_text(["bayescope", "checks", session, "--ask", ",".join(o.method for o in others)]))
    if stored_sensitivity(store) is not None:
        lines.append(command_text(["bayescope", "taught", session, "--sensitivity"]))
    return lines


def earlier_words(store: SessionStore) -> str:
    """Where the imported evaluations came from, and what cannot be repeated of them; '' where there are none."""
    archive, parts = store.archive(), store.newest_part
    if archive is None:
        return "The runs that were imported are in it with their outputs." if _given_runs(store) else ""
    source = f" from {archive.source}" if archive.source else ""
    later = " They came in several parts, some after runs were made: all at once, other runs may be chosen." if parts > 1 else ""
    return f"{len(archive.values):,} evaluations were imported{source}.{later}"


def _archive_csv(archive: ArchiveRecord) -> bytes:
    noisy = bool(archive.sds.any())
    rows = [
        [*point, value, *([sd] if noisy else [])]
        for point, value, sd in zip(archive.points.tolist(), archive.values.tolist(), archive.sds.tolist(), strict=True)
    ]
    return csv_bytes([*archive.names, archive.meaning, *([SD] if noisy else [])], rows)


def _given_runs(store: SessionStore) -> list[EvaluationRecord]:
    """Runs made elsewhere that were imported with their outputs."""
    if store.runs_of is not None:
        return []
    return [r for r in store.evaluations() if r.purpose == PURPOSE and r.outputs]


def _check_of_the_maximum(store: SessionStore) -> int | None:
    """How many runs there were before the last one, where that was made at the surrogate's maximum because it was asked for."""
    last, count = store.last_iteration(), store.evaluation_count
    peak = None if last is None or not len(last.weights) else SurrogatePeak.of(last.slices, last.means.shape[1])
    if peak is None or not len(peak.checked) or int(peak.checked[0]) != count - 1:
        return None
    return count - 1
