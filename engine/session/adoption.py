"""Orphaned descendants that come to this process: a subreaper adopts them (Linux), and collects them when they have ended.

Call ``become_subreaper()`` once at start and ``reap_adopted()`` now and then; it never touches processes of our own session.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Container

from .orphans import children_of, reap, stat_of

_PR_SET_CHILD_SUBREAPER = 36


def become_subreaper() -> bool:
    """Linux: orphaned descendants become children of this process, not of init. False where that does not exist."""
    if sys.platform != "linux":
        return False
    import ctypes

    return bool(ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)


def reap_adopted(keep: Container[int] = ()) -> None:
    """Collect ended orphans that this subreaper adopted: zombies of another session than ours, except ``keep``."""
    if sys.platform != "linux":
        return
    own_session = os.getsid(0)
    for pid in children_of():
        if pid in keep:
            continue
        stat = stat_of(pid)
        if stat is not None and stat[0] == "Z" and stat[3] != own_session:
            reap([pid])
