"""Jobs of a session at other places ended, whose results nobody wants, or which could not be ended when they should."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from ..problem.errors import SetupError
from ..session.attempts import AttemptRecord, was_stopped
from ..session.job_owner import claim_jobs
from ..session.ledger import Ledger
from ..session.profiles import Profile, load_profiles
from ..session.store import SessionStore
from .elsewhere import is_same
from .pilots import place_of
from .place import Place
from .ssh_words import Unreachable


@dataclass(frozen=True)
class Settled:
    """Of jobs that had been left uncancelled: those that are cancelled now, and those that were over, whose results count."""

    cancelled: tuple[AttemptRecord, ...] = ()
    over: tuple[AttemptRecord, ...] = ()

    def __add__(self, other: Settled) -> Settled:
        return Settled(self.cancelled + other.cancelled, self.over + other.over)

    @property
    def words(self) -> str:
        """A sentence or two; "" of none."""
        n, m = len(self.cancelled), len(self.over)
        said = [f"{_jobs(n)} that had gone on {'is' if n == 1 else 'are'} cancelled now."] if n else []
        gave = "it gave" if m == 1 else "they gave"
        said += [f"{_jobs(m)} had finished meanwhile; the next start collects what {gave}."] if m else []
        return " ".join(said)


def settle(place: Place, ledger: Ledger) -> Settled:
    """Those of a session, all at ``place``. Raises Unreachable, SetupError, SessionError."""
    found = _settled(place, ledger.find("dropped"))
    ledger.save(*found.over, *found.cancelled)
    return found


def settle_stored(path: Path, running: Callable[[], bool]) -> tuple[int, str]:
    """Those of the session at ``path``, at places that this computer knows: how many are left, and what was done, or why not.

    ``running``: whether a run has begun meanwhile, which does it itself. Raises SessionError.
    """
    with SessionStore.open(path, role="engine") as store:
        claim_jobs(store)
        dropped = Ledger(store).find("dropped")
    found, why = Settled(), ""
    try:
        for place, mine in _by_place(dropped):
            found, why = found + _settled_at(place, mine), ""
    except SetupError as error:
        why = str(error)
    if running():
        return 0, ""
    with SessionStore.open(path, role="engine") as store:
        ledger = Ledger(store)
        ledger.save(*found.over, *found.cancelled)
        if found.words:
            store.log("info", found.words)
        return len(ledger.find("dropped")), " ".join(words for words in (found.words, why) if words)


def _settled_at(place: Place, mine: Sequence[AttemptRecord]) -> Settled:
    """Raises SetupError."""
    try:
        if not any(is_same(place.profile, known) for known in load_profiles()):  # a session may come from a stranger
            raise SetupError(f"The place “{place.profile.name}” ({place.profile.words}) is not among those of this computer.")
        found = _settled(place, mine)
        place.remove(a.token for a in found.cancelled)
        return found
    except Unreachable as error:
        raise SetupError(str(error)) from None
    finally:
        place.close()


def _settled(place: Place, dropped: Sequence[AttemptRecord]) -> Settled:
    """Stop meant what was unfinished: what lies finished there is to be collected, unless its run was forgotten since. Raises
    Unreachable, SetupError."""
    seen = place.look(a.token for a in dropped if was_stopped(a))
    over = tuple(replace(a, state="queued", reason="") for a in dropped if a.token in seen and seen[a.token].ended)
    finished = {a.token for a in over}
    rest = tuple(replace(a, state="cancelled") for a in dropped if a.token not in finished)
    if rest:
        place.end({a.token: a.job for a in rest})
    return Settled(rest, over)


def end_jobs(store: SessionStore) -> int:
    """How many were under way. Raises SetupError in words where a place cannot be reached, SessionError; then some may go on."""
    ledger, ended = Ledger(store), 0
    for place, mine in _by_place(ledger.find("intent", "queued", "dropped")):
        try:
            place.end({a.token: a.job for a in mine})
            place.remove(a.token for a in mine)
            place.finish()
        except Unreachable as error:
            raise SetupError(f"{_jobs(len(mine))} at “{place.profile.name}” could not be cancelled: {error}") from None
        finally:
            place.close()
        if store.writable:
            ledger.change(mine, "cancelled")
        ended += len(mine)
    return ended


def _by_place(attempts: Sequence[AttemptRecord]) -> list[tuple[Place, list[AttemptRecord]]]:
    """Raises SetupError."""
    found: defaultdict[str, list[AttemptRecord]] = defaultdict(list)
    for attempt in attempts:
        found[attempt.place].append(attempt)
    try:
        return [(place_of(msgspec.json.decode(text, type=Profile)), mine) for text, mine in found.items()]
    except msgspec.MsgspecError:
        raise SetupError("The session's list of jobs cannot be understood.", "Was it made with a newer version?") from None


def _jobs(n: int) -> str:
    return "One job" if n == 1 else f"{n} jobs"
