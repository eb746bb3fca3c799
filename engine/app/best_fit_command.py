"""``bayescope best-fit``: the best run of an analysis in a terminal."""

from __future__ import annotations

from pathlib import Path

from ..session.best_fit import BestFit, best_fit_of, misfit_words
from ..session.store import SessionStore
from .exit_status import OK, Failure
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


def _table(found: BestFit) -> str:
    lines = [f"\n{'parameter':<24}{'best fit':>14}{'local sd':>12}"]
    for p in found.parameters:
        unit = f"  {p.unit}" if p.unit else ""
        lines.append(f"{p.name[:23]:<24}{found.value_words(p):>14}{found.sd_words(p) or 'not known':>12}{unit}")
    return "\n".join(lines)
