"""What a session's ledger says of other places than the one that is used now."""

from __future__ import annotations

import msgspec

from ..problem.errors import SetupError
from ..session.ledger import Ledger
from ..session.profiles import Profile

KEPT = "kept there"
TO = "to collect them, or to stop them there first."


def is_same(one: Profile, other: Profile) -> bool:
    """Whether jobs of the one are found by the other."""
    return (one.host, one.folder, one.queue) == (other.host, other.folder, other.queue)


def refuse_elsewhere(ledger: Ledger, profile: Profile | None) -> None:
    """Raises SetupError where jobs of the session are under way at another place than ``profile`` (None: this computer)."""
    for attempt in ledger.find("intent", "queued", "dropped"):
        try:
            there = msgspec.json.decode(attempt.place, type=Profile)
        except msgspec.MsgspecError:
            raise SetupError("The session's list of jobs cannot be understood.", "Was it made with a newer version?") from None
        if profile is None or not is_same(there, profile):
            if profile is None and attempt.state == "dropped":
                continue
            words = f"Jobs of this analysis are still under way at the place “{there.name}” ({there.words})."
            if profile is not None and profile.name == there.name:
                raise SetupError(words, f"Put back its kind, host and folder {TO}", "place")
            raise SetupError(words, f"Choose “{there.name}” again {TO}", "where")
