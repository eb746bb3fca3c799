"""What a session's list of jobs on other computers tells the window. No Qt."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from bayescope.gui.analysis.run_data import Ran

if TYPE_CHECKING:
    from bayescope.engine.session.store import SessionStore


def ran_elsewhere(store: SessionStore) -> dict[int, Ran]:
    """Of runs that have ended there, by index: as which job and where."""
    from bayescope.engine.session.attempts import is_second_run
    from bayescope.engine.session.errors import SessionError
    from bayescope.engine.session.ledger import Ledger

    found: dict[int, Ran] = {}
    with contextlib.suppress(SessionError):  # a damaged list of jobs; the next run says so
        attempts = [a for a in Ledger(store).find("done", "cleared") if a.job or a.node]
        again = {a.index: a.job for a in attempts if is_second_run(a)}
        for a in attempts:
            if not is_second_run(a):
                found[a.index] = Ran(a.job, a.node, again.get(a.index, ""))
    return found


def jobs_of(store: SessionStore) -> int:
    """How many jobs still wait or run elsewhere, or wait to be collected or cancelled. A damaged list has none."""
    from bayescope.engine.session.errors import SessionError
    from bayescope.engine.session.ledger import Ledger

    try:
        return len(Ledger(store).find("intent", "queued", "dropped"))
    except SessionError:
        return 0


def elsewhere_words(store: SessionStore, where: str) -> str:
    """How many jobs of the analysis still wait or run there, or wait to be collected; "": none. Raises SessionError."""
    from bayescope.engine.session.ledger import Ledger

    n = len({a.index for a in Ledger(store).open})
    at = f" at “{where[:60]}”" if where else " elsewhere"
    return f"{f'{n} jobs are' if n > 1 else 'One job is'}{at}: waiting, running, or over and not collected yet" if n else ""
