"""What a session's list of jobs on other computers tells the window. No Qt."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from bayescope.gui.analysis.run_data import Ran

MOST_EARLIER = 3  # jobs that are told of: the newest
if TYPE_CHECKING:
    from bayescope.engine.session.attempts import AttemptRecord
    from bayescope.engine.session.store import SessionStore


def ran_elsewhere(store: SessionStore) -> dict[int, Ran]:
    """Of runs that have ended there, by index: as which job and where."""
    from bayescope.engine.session.attempts import is_second_run
    from bayescope.engine.session.errors import SessionError
    from bayescope.engine.session.ledger import Ledger

    found: dict[int, Ran] = {}
    with contextlib.suppress(SessionError):  # a damaged list of jobs; the next run says so
        attempts = [a for a in Ledger(store).find("done", "cleared") if (a.job or a.node) and not _gave_nothing(a)]
        again, earlier = {a.index: a.job for a in attempts if is_second_run(a)}, earlier_attempts(store)
        for a in attempts:
            if not is_second_run(a):
                waited = max(a.started_at - a.queued_at, 0.0) if a.started_at and a.queued_at else 0.0
                found[a.index] = Ran(a.job, a.node, again.get(a.index, ""), waited, earlier.get(a.index, ""))
    return found


def _gave_nothing(attempt: AttemptRecord) -> bool:
    """It was cancelled, refused or lost; its folder may have been removed since."""
    failed = attempt.reason and not attempt.reason.startswith("kept there")
    return attempt.state in ("cancelled", "dropped", "lost") or bool(failed)


def earlier_attempts(store: SessionStore) -> dict[int, str]:
    """Of runs there, by index: which jobs for them gave nothing, and why. Raises SessionError."""
    from bayescope.engine.session.attempts import STOPPED
    from bayescope.engine.session.ledger import Ledger

    found: dict[int, list[str]] = {}
    for a in Ledger(store).find("cancelled", "dropped", "lost", "cleared"):
        if a.job and _gave_nothing(a):
            why = "was cancelled by Stop" if a.reason.startswith(STOPPED) else f"gave nothing: {a.reason.rstrip('.')}"
            found.setdefault(a.index, []).append(f"job {a.job} {why}")
    return {index: "; ".join(words[-MOST_EARLIER:]) for index, words in found.items()}


def jobs_of(store: SessionStore) -> int:
    """How many jobs still wait or run elsewhere, or wait to be collected or cancelled. A damaged list has none."""
    from bayescope.engine.session.errors import SessionError
    from bayescope.engine.session.ledger import Ledger

    try:
        return len(Ledger(store).find("intent", "queued", "dropped"))
    except SessionError:
        return 0


def jobs_left(store: SessionStore) -> tuple[int, str]:
    """How many jobs there are still to be cancelled, and the name of the place of the first. A damaged list has none."""
    import msgspec

    from bayescope.engine.session.errors import SessionError
    from bayescope.engine.session.ledger import Ledger
    from bayescope.engine.session.profiles import Profile

    try:
        left = Ledger(store).find("dropped")
        return len(left), msgspec.json.decode(left[0].place, type=Profile).name if left else ""
    except (SessionError, msgspec.MsgspecError):
        return 0, ""


def elsewhere_words(store: SessionStore, where: str) -> str:
    """How many jobs of the analysis still wait or run there, or wait to be collected; "": none. Raises SessionError."""
    from bayescope.engine.session.ledger import Ledger

    n = len({a.index for a in Ledger(store).open})
    at = f" at “{where[:60]}”" if where else " elsewhere"
    return f"{f'{n} jobs are' if n > 1 else 'One job is'}{at}: waiting, running, or over and not collected yet" if n else ""
