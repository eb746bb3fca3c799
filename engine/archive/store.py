"""An import into a session."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from ..session.store import SessionStore
from .interpret import Imported


def store_archive(store: SessionStore, found: Imported) -> None:
    """The archive into the session; a session of the default method gets the one that starts from archives.

    Raises SessionError when the analysis has results already or cannot be written.
    """
    store.save_archive(found.record)
    settings = store.problem.settings
    if settings.method == "default":
        store.save_problem(replace(store.problem, settings=replace(settings, method="svbmc", options={})))
    n = int(np.isfinite(found.record.values).sum())
    store.log("info", f"{n:,} evaluations imported from {found.record.source}. " + " ".join(found.notes))
