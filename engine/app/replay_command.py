"""``bayescope replay``: stored runs made again and compared, in a terminal."""

from __future__ import annotations

import threading
from pathlib import Path

from ..answer.same_outputs import same_outputs
from ..run.replay import replay
from ..run.where import site_for_a_while
from ..session import adoption
from ..session.replayed import MOST
from ..session.store import SessionStore
from .exit_status import FAILED, INTERRUPTED, OK, Failure
from .headless import agreed_permit, place_of_session
from .interrupts import interrupts
from .terminal import say, warn


def replay_session(path: Path, runs: int, trust: bool, where: str | None = None) -> int:
    """Make ``runs`` stored evaluations again; the exit status: 0 if all agree, 1 if any differs. Ctrl-C ends it and keeps what is
    compared so far. ``where`` as for ``run_session``. Raises Failure, SessionError or ProblemError in words."""
    if runs > MOST:
        raise Failure(f"at most {MOST} runs are made again; a second analysis with another seed tells more.")
    adoption.become_subreaper()
    cancel = threading.Event()
    with SessionStore.open(path) as store:
        permit = agreed_permit(store, trust)
        found = same_outputs(store.problem, store.evaluations())
        if found is not None:
            warn(f"{found.what} {found.meaning} {found.suggestion}")
        with (
            interrupts(cancel.set),
            site_for_a_while(store.problem, place_of_session(store, where), cancel, "none") as site,
        ):
            record = replay(
                store, runs, permit=permit, cancel=cancel, site=site,
                progress=lambda done, total: say(f"{done} of {total} runs made again"),
            )  # fmt: skip
        for run in record.runs:
            say(f"{run.result.replace('_', ' ')}: {run.words}")
        say(record.headline(), *(words for words in record.sentences() if words not in {run.words for run in record.runs}))
        if store.writable:
            store.save_replay(record)
        else:
            warn(f"This is not kept in the session. {store.read_only_reason}")
    if not record.agrees:
        return FAILED
    return INTERRUPTED if cancel.is_set() else OK
