"""The place of a run is reached at its start: soon, or it cannot be used; where it has worked before, whenever it answers."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from ..problem.errors import SetupError
from ..session.attempts import OPEN
from ..session.ledger import Ledger
from ..session.profiles import Profile
from .elsewhere import is_same
from .ending import Settled, settle
from .place import Place
from .silence import Silence
from .ssh_words import NotUsable, Unreachable

CONNECT_TRIES = 3  # at a place that has never worked; else it is tried for ever
OPENING = "opening"  # who waits for a place, besides attempts by their tokens


def reach(place: Place, ledger: Ledger, silence: Silence, wait: Callable[[float], bool]) -> Settled:
    """What became of jobs that were left uncancelled there. ``wait``: False when the run is to end.

    Raises NotUsable, SetupError where ``wait`` said that the run is to end, SessionError.
    """
    tries, worked = 0, _has_worked(place, ledger)
    while True:
        try:
            _ = place.root
            settled = settle(place, ledger)
            break
        except Unreachable as error:
            tries += 1
            if not worked and (error.asks or tries == CONNECT_TRIES):
                raise NotUsable(str(error)) from None
            if worked:
                there = _go_on(len(ledger.find(*OPEN, "dropped")))
                silence.begin(OPENING, f"{error}{there} The connection is tried again.")
            if not wait(1.0 if worked else 2.0 * tries):
                raise SetupError(str(error)) from None
    silence.end(OPENING)
    return settled


def _has_worked(place: Place, ledger: Ledger) -> bool:
    """Whether a job of the session was handed over there: the place is right, and the connection is what is missing."""
    for attempt in reversed(ledger.find()):
        try:
            if attempt.job and is_same(msgspec.json.decode(attempt.place, type=Profile), place.profile):
                return True
        except msgspec.MsgspecError:
            continue
    return False


def _go_on(n: int) -> str:
    jobs = f"{n} jobs there go on; their results are" if n > 1 else "One job there goes on; its result is"
    return f" {jobs} collected then." if n else ""
