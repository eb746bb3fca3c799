"""Where the runs of an analysis happen: the site of the profile of a name."""

from __future__ import annotations

from collections.abc import Callable

from .. import protocol
from ..clusters.pilots import place_of
from ..clusters.site import Site
from ..session.ledger import Ledger
from ..session.profiles import MOST_AT_ONCE, Profile, find_profile
from ..session.store import SessionStore
from .control import Control


def site_for(store: SessionStore, where: str, control: Control, observe: Callable[[protocol.Event], None]) -> Site | None:
    """None: this computer. The session remembers the name. Raises SetupError where there is no such profile, SessionError."""
    ledger = Ledger(store)
    profile = find_profile(where) if where else None
    if store.writable:
        ledger.where = where
    if profile is None:
        return None
    return Site(place_of(profile), ledger, observe, control.cancel_simulators, control.leave_jobs)


def runs_at_once(profile: Profile, wanted: int | None) -> int:
    """As many as its jobs may be, or as ``wanted``."""
    return min(wanted or profile.at_once, MOST_AT_ONCE)
