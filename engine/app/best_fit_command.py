"""``bayescope best-fit``: the best run of an analysis in a terminal."""

from __future__ import annotations

from pathlib import Path

from ..answer.best_fit import BestFit, best_fit_of, misfit_words
from ..session.store import SessionStore
from .exit_status import FAILED, INTERRUPTED, OK, Failure
from .terminal import say


def print_best_fit(path: Path) -> int:
    """Print it; the exit status. Raises Failure where no run gave a value, SessionError."""
    with SessionStore.open(path, mode="read") as store:
        found = best_fit_of(store)
    if found is None:
        raise Failure("no simulator run gave a usable value so far.")
    for sentence in found.words:
        say(sentence)
    say(_table(found))
    if found.misfits:
        say(f"\n{'data column':<24}{'values':>8}{'chi2':>10}  farthest off")
        for m in found.misfits:
            say(f"{m.column[:23]:<24}{m.count:>8,}{m.chi2:>10.3g}  {misfit_words(m)}")
    return OK


def check_peak(path: Path, trust: bool) -> int:
    """One run at the surrogate's maximum, kept in the session; the exit status. Raises Failure, SessionError."""
    from ..session import adoption
    from . import headless

    adoption.become_subreaper()
    with SessionStore.open(path, role="engine") as store:
        if not store.writable:
            raise Failure(f"{store.read_only_reason} A run needs to write into it.")
        found = best_fit_of(store)
        if found is None or found.peak is None:
            raise Failure("there is no surrogate's maximum: run the analysis first, by a method that has a surrogate.")
        if found.peak.run is not None:
            say(f"The surrogate's maximum is where run {found.peak.run} was made: there is nothing to check.")
            return OK
        headless.agreed_permit(store, trust)
        at = {p.name: found.peak.values[p.name] for p in found.parameters}
        budget = max(store.problem.settings.max_evaluations, store.evaluation_count + 1)
        ended, interrupted = headless.make_runs(store, budget, None, headless.place_of_session(store, None), (at,))
    if ended.outcome == "failed":
        say(ended.words)
    return INTERRUPTED if interrupted else FAILED if ended.outcome == "failed" else OK


def _table(found: BestFit) -> str:
    peak = f"{'surrogate max':>16}" if found.peak is not None else ""
    lines = [f"\n{'parameter':<24}{'best fit':>14}{'local sd':>12}{peak}"]
    for p in found.parameters:
        unit = f"  {p.unit}" if p.unit else ""
        at = f"{found.peak_words(p):>16}" if peak else ""
        lines.append(f"{p.name[:23]:<24}{found.value_words(p):>14}{found.sd_words(p) or 'not known':>12}{at}{unit}")
    return "\n".join(lines)
