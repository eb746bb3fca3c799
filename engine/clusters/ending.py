"""All jobs of a session at other places ended, and their folders there removed: nobody wants their results."""

from __future__ import annotations

from collections import defaultdict

import msgspec

from ..problem.errors import SetupError
from ..session.attempts import AttemptRecord
from ..session.ledger import Ledger
from ..session.profiles import Profile
from ..session.store import SessionStore
from .pilots import place_of
from .ssh_words import Unreachable


def end_jobs(store: SessionStore) -> int:
    """How many were under way. Raises SetupError in words where a place cannot be reached, SessionError; then some may go on."""
    ledger = Ledger(store)
    by_place: defaultdict[str, list[AttemptRecord]] = defaultdict(list)
    for attempt in ledger.find("intent", "queued", "dropped"):
        by_place[attempt.place].append(attempt)
    for text, mine in by_place.items():
        try:
            place = place_of(msgspec.json.decode(text, type=Profile))
        except msgspec.MsgspecError:
            raise SetupError("The session's list of jobs cannot be understood.", "Was it made with a newer version?") from None
        try:
            place.end({a.token: a.job for a in mine})
            place.remove(a.token for a in mine)
            place.finish()
        except Unreachable as error:
            raise SetupError(f"{len(mine)} jobs at “{place.profile.name}” could not be cancelled: {error}") from None
        finally:
            place.close()
        if store.writable:
            ledger.change(mine, "cancelled")
    return sum(len(mine) for mine in by_place.values())
