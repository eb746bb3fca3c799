"""Attempts that this process waits for, and the one thread that looks after all of them."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from ..machine.thread_start import start_thread
from ..problem.errors import SetupError
from ..session.attempts import AttemptRecord
from ..session.errors import SessionError
from ..session.ledger import Ledger
from .place import Place, Started
from .queues import NEVER_STARTS, JobState
from .silence import Silence
from .ssh_words import Unreachable

LEAST_PAUSE_S, MOST_PAUSE_S = 0.02, 3.0  # between two looks at the files there; a small part of how long they took so far
PART_OF_AGE = 0.01
QUEUE_PAUSE_S = 10.0  # between two questions to the queue: it serves many users
FIRST_LOOK_S = 2.0  # after a job was handed over: a queue that will never start it says so at once
LOOKER = "looker"  # who waits for a place, besides attempts by their tokens
MISSED = 2  # successful looks at queue and files that must miss a job before it counts as lost,
NEVER_PAUSES = 3.0  # pauses between questions to the queue before a job that it will never start is given up
MISSED_PAUSES = 6.0  # over so many pauses between questions to the queue: a network disk may show new files a minute late


@dataclass
class Live:
    """An attempt under way. ``changed`` is set when one of the others is."""

    record: AttemptRecord
    fresh: bool = False  # this process wrote its intent: nobody can have handed it over before
    changed: threading.Event = field(default_factory=threading.Event)
    since: float = field(default_factory=time.monotonic)
    ended: bool = False
    started: Started | None = None
    state: JobState | None = None
    missed: int = 0
    missed_since: float = 0.0
    lost: bool = False
    never_since: float = 0.0  # since when its queue gives a reason to wait that does not pass; 0: it does not
    never: bool = False  # it has given it for long: nodes that come back may change it

    @property
    def waits_for_ever(self) -> bool:
        """By what its queue said last."""
        return self.state is not None and self.state.phase == "queued" and NEVER_STARTS.match(self.state.reason) is not None

    @property
    def was_refused(self) -> bool:
        """Its queue took it and gave it up before it started, for a reason that all others like it would meet."""
        never = self.state is not None and self.state.phase == "ended" and NEVER_STARTS.match(self.state.reason) is not None
        return never and self.started is None and not self.ended

    @property
    def never_began(self) -> bool:
        """It ended before it started, by its queue's own word and nobody's wish."""
        ended = self.state is not None and self.state.phase == "ended" and not self.state.word.startswith("CANCEL")
        return ended and self.started is None


class Looker:
    """``told``: called with a live attempt whose stage has changed; ``say``: with words, and whether they are bad news."""

    def __init__(
        self, place: Place, ledger: Ledger, told: Callable[[Live], None], say: Callable[[str, bool], None],
        silence: Silence, queue_pause: float = QUEUE_PAUSE_S,
    ) -> None:  # fmt: skip
        self._place, self._ledger, self._told, self._say, self._silence = place, ledger, told, say, silence
        self._queue_pause = queue_pause
        self._guard = threading.Condition()
        self._live: dict[str, Live] = {}
        self._to_clear: dict[str, AttemptRecord] = {}
        self._over = False
        self._next_queue = self._last_queue = 0.0
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Raises NoThread."""
        self._thread = start_thread(self._work, "cluster")

    def add(self, live: Live) -> None:
        with self._guard:
            live.since = time.monotonic()
            self._live[live.record.token] = live
            first = max(live.since + min(FIRST_LOOK_S, self._queue_pause), self._last_queue + self._queue_pause)
            self._next_queue = min(self._next_queue or 1e300, first) if self._live.keys() - {live.record.token} else first
            self._guard.notify_all()

    def remove(self, live: Live) -> None:
        with self._guard:
            self._live.pop(live.record.token, None)

    def clear(self, records: Iterable[AttemptRecord]) -> None:
        """Their folders there go, when there is time."""
        with self._guard:
            self._to_clear |= {record.token: record for record in records}
            self._guard.notify_all()

    def end(self, seconds: float) -> None:
        """The thread ends, after it has removed what is to be removed if that takes no longer."""
        with self._guard:
            self._over = True
            self._guard.notify_all()
        if self._thread is not None:
            self._thread.join(seconds)

    # ---------------------------------------------------------------- the thread

    def _work(self) -> None:
        while True:
            with self._guard:
                if not self._over and not self._to_clear:
                    self._guard.wait(self._pause())
                over, live = self._over, dict(self._live)
                asks = bool(self._to_clear) or (bool(live) and not over)
            try:
                if live and not over:
                    self._look(live)
                self._clear_some()
            except Unreachable as error:
                self._silence.begin(LOOKER, error)
                if not over:
                    time.sleep(0.3)
            except (SetupError, SessionError) as error:
                self._say(str(error), True)
                time.sleep(1.0)
            except Exception as error:  # a fault of ours must not leave runs waiting for ever
                self._say(f"Something unexpected went wrong inside Bayescope ({type(error).__name__}: {error}).", True)
                time.sleep(5.0)
            else:
                if asks:  # else nobody has answered
                    self._silence.end(LOOKER)
            if over:
                return

    def _pause(self) -> float:
        ages = [time.monotonic() - live.since for live in self._live.values()]
        return min(MOST_PAUSE_S, max(LEAST_PAUSE_S, PART_OF_AGE * min(ages))) if ages else MOST_PAUSE_S

    def _look(self, live: dict[str, Live]) -> None:
        states: dict[str, JobState] | None = None
        if time.monotonic() >= self._next_queue:
            states = self._place.states()
            self._last_queue = time.monotonic()
            self._next_queue = self._last_queue + self._queue_pause
        # the files are looked at after the queue: a job that has just ended is seen ended, not missed
        seen = self._place.look(live, (token for token, known in live.items() if known.started is None))
        news: list[Live] = []
        for token, known in live.items():
            found = seen.get(token)
            before = (known.ended, known.started, known.state and known.state.phase)
            if found is not None:
                known.started = found.started or known.started
                known.ended = known.ended or found.ended
            if states is not None and not known.ended:
                known.state = states.get(token)
                gone = known.state is None or known.state.phase == "ended"
                now = time.monotonic()
                known.missed_since = known.missed_since if gone and known.missed else now
                known.missed = known.missed + 1 if gone else 0
                known.never_since = known.never_since or now if known.waits_for_ever or known.was_refused else 0.0
                long = now - known.never_since >= NEVER_PAUSES * self._queue_pause
                known.never = bool(known.never_since) and (long or known.was_refused)
                known.lost = known.missed >= MISSED and now - known.missed_since >= MISSED_PAUSES * self._queue_pause
            if before != (known.ended, known.started, known.state and known.state.phase) or known.lost or known.never:
                news.append(known)
        for known in news:  # the first that is told may end the run, and the others must know by then what they wait for
            self._told(known)
            known.changed.set()

    def _clear_some(self) -> None:
        with self._guard:
            records = list(self._to_clear.values())
        if not records:
            return
        # a second run that nobody waits for any more may still be in the queue
        unseen = {r.token: r.job for r in records if not r.ended_at and r.state not in ("cancelled", "lost")}
        if unseen:
            self._place.end(unseen)
        self._place.remove(record.token for record in records)
        with contextlib.suppress(SessionError):
            self._ledger.change(records, "cleared")
        with self._guard:
            for record in records:
                self._to_clear.pop(record.token, None)


def placed(record: AttemptRecord, live: Live) -> AttemptRecord:
    """``record`` with what is known of where and when it runs."""
    if live.started is not None:
        job = record.job or live.started.job
        return replace(record, node=live.started.node, job=job, started_at=live.started.at_ms / 1000.0)
    return replace(record, node=live.state.node) if live.state is not None and live.state.node else record
