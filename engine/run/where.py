"""Where the runs of an analysis happen: the site of the profile of a name."""

from __future__ import annotations

import contextlib
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import msgspec

from .. import protocol
from ..clusters.elsewhere import is_same
from ..clusters.pilots import place_of
from ..clusters.site import Site
from ..problem.definition import Problem
from ..session.ledger import Ledger
from ..session.profiles import MOST_AT_ONCE, Profile, find_profile
from ..session.store import SessionStore
from ..simulator.run_result import Cancel
from .control import Control


def site_for(store: SessionStore, where: str, control: Control, observe: Callable[[protocol.Event], None]) -> Site | None:
    """None: this computer. The session remembers the name. Raises SetupError where there is no such profile, SessionError."""
    ledger = Ledger(store)
    profile = find_profile(where) if where else None
    if store.writable:
        ledger.where = where
    if profile is None:
        return None
    if not profile.pilot and _has_pilots(ledger, profile):
        profile = msgspec.structs.replace(profile, pilot=True)
        words = "Runs under way were handed to long jobs; these go on, since the box of the place was changed meanwhile."
        observe(protocol.Report(level="info", what=words, where=profile.name))
    site = Site(place_of(profile), ledger, observe, control.cancel_simulators, control.leave_jobs)
    control.reach = site.silence.hurry
    return site


def _has_pilots(ledger: Ledger, profile: Profile) -> bool:
    """Whether runs of the session wait for pilots at this place, or are with them: only who asks these learns of their state."""
    for attempt in ledger.find("intent", "queued"):
        with contextlib.suppress(msgspec.MsgspecError):  # the site says so
            there = msgspec.json.decode(attempt.place, type=Profile)
            if there.pilot and is_same(there, profile):
                return True
    return False


@contextlib.contextmanager
def site_for_a_while(
    problem: Problem, where: str, cancel: Cancel, keep: Literal["all", "none"], told: Callable[[str], None] = lambda words: None
) -> Iterator[Site | None]:
    """For runs that no session records: test runs, and runs made again. Nothing of them stays there after the block.

    ``told`` gets what becomes of them, in words. None: this computer. Raises SetupError, SessionError.
    """
    if not where:
        yield None
        return
    place = place_of(find_profile(where))

    def observe(event: protocol.Event) -> None:
        if isinstance(event, protocol.Report):
            told(event.what)
        elif isinstance(event, protocol.RunPlaced):
            told(_stage_words(event, where))

    with (
        tempfile.TemporaryDirectory(prefix="bayescope-jobs-", ignore_cleanup_errors=True) as folder,
        SessionStore.create(Path(folder) / "jobs.bayescope", problem) as store,
    ):
        site = Site(place, Ledger(store), observe, cancel, threading.Event(), keep=keep)
        try:
            told(f"Connecting to {place.name} …")
            site.open()
            yield site
        finally:
            site.close()


def _stage_words(placed: protocol.RunPlaced, where: str) -> str:
    job = f" as job {placed.job}" if placed.job else ""
    because = f" ({placed.words})" if placed.words else ""
    return {
        "sending": f"Its files are sent to “{where}” …",
        "queued": f"It waits at “{where}”{job}{because} …",
        "running": f"It runs at “{where}”{job}" + (f", on {placed.node} …" if placed.node else " …"),
        "fetching": "Its results are fetched …",
        "ended": "Its results are here.",
        "lost": f"It was lost{because}, and is tried again …",
    }[placed.stage]


def runs_at_once(profile: Profile, wanted: int | None) -> int:
    """As many as its jobs may be and a few that wait for pilots, or as ``wanted``."""
    return min(wanted or profile.points_at_once, MOST_AT_ONCE)
