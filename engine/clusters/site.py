"""Runs of an analysis at another place: each run is a job there, followed through the ledger from the intent to its result.

A run's thread writes the intent, sends the files, hands the job over, waits until the looker (attempts_live.py) has seen it end,
fetches and judges. A process that starts later finds the open attempts in the ledger and goes on where they are: an intent is
looked for by the job's name, then by what the job itself wrote, and only then handed over; two jobs of one name start once.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

from .. import protocol
from ..problem.definition import Output, Simulator
from ..problem.errors import SetupError
from ..session.attempts import OPEN, STOPPED, AttemptRecord, State, is_second_run
from ..session.errors import SessionError
from ..session.ledger import Ledger
from ..session.trust.consent import Permit
from ..simulator import limits, run_folder
from ..simulator.fill import FillError
from ..simulator.run_result import Cancel, RunResult
from ..simulator.runner import Attempt
from .attempts_live import QUEUE_PAUSE_S, Live, Looker, placed
from .collected import judged, names_wanted, unpack
from .elsewhere import KEPT, refuse_elsewhere
from .fate import Fate, fate_of
from .hand_over import QueueRefuses, hand_over, never_starts
from .keeping import bring_rest, brought_whole
from .opening import reach
from .place import Ended, Place, read_ended
from .remote_job import RemoteJob, refusal, remote_job
from .short_runs import ShortRuns
from .silence import Silence
from .ssh_words import NotUsable, Unreachable
from .told import stage_of, stopped

MOST_TRIES = 3  # attempts at a run that is lost again and again
LOOK_SECONDS = 0.2  # within which a waiting run notices that it is to end
END_SECONDS = 3.0  # for removing folders there before the process ends
Say = Callable[[protocol.Event], None]
How = Literal["ended", "lost", "left", "cancelled", "given up"]


class Site:
    """``cancel``: set when runs are to be ended; ``leave``: when they are to go on without us, which counts more.

    ``queue_pause``: seconds between two questions to the queue. ``keep``: "all" or "none" of the files of a run come back and
    nothing of it stays there, in place of what the simulator and the session say.
    """

    def __init__(
        self, place: Place, ledger: Ledger, observe: Say, cancel: Cancel, leave: Cancel, queue_pause: float = QUEUE_PAUSE_S,
        keep: Literal["all", "none"] | None = None,
    ) -> None:  # fmt: skip
        self._keep = keep
        self.place, self._ledger, self._observe, self._cancel, self._leave = place, ledger, observe, cancel, leave
        self.silence = Silence(place, observe)
        self._looker = Looker(place, ledger, self._tell, self._say, self.silence, queue_pause)
        self._short = ShortRuns(place.profile)
        self._ended: dict[str, AttemptRecord] = {}  # by token: when and where, written with the removal of their folders
        self._kept: set[str] = set()  # tokens of attempts whose folders there are kept

    def open(self) -> None:
        """Reach the place, and clear up what an earlier process left. Raises SetupError, SessionError, NoThread."""
        refuse_elsewhere(self._ledger, self.place.profile)
        settled = reach(self.place, self._ledger, self.silence, self._wait)
        self._looker.start()
        done = self._ledger.find("done")
        over = {a.index for a in done}
        self._looker.clear(
            a for a in [*done, *settled.cancelled, *self._ledger.find("lost")] if not a.reason.startswith(KEPT) and
            (a.index in over or a.state != "lost")
        )  # fmt: skip

    @property
    def under_way(self) -> int:
        """Attempts that have no result in the session yet, second runs left out."""
        return sum(not is_second_run(a) for a in self._ledger.open)

    @property
    def handed_over(self) -> int:
        """Those of them that the queue has taken."""
        return len(self._ledger.find("queued"))

    @property
    def not_cancelled(self) -> int:
        """Jobs that were to be cancelled while the place could not be reached: they go on there."""
        return len(self._ledger.find("dropped"))

    def close(self) -> None:
        """After the last run: where all was to be ended, what no run has waited for ends too."""
        if (self._cancel.is_set() or self._keep) and not self._leave.is_set():
            self._end_open()
        self._looker.end(END_SECONDS)
        if not self._leave.is_set():
            with contextlib.suppress(Unreachable, SetupError):
                self.place.finish()
        self.place.close()

    def _end_open(self) -> None:
        try:
            rest = self._ledger.open
            try:
                if alive := {a.token: a.job for a in rest if a.token not in self._ended}:
                    self.place.end(alive)
            except Unreachable:
                self._ledger.save(*(replace(a, state="dropped", reason=a.reason or STOPPED) for a in rest))
            else:
                self._ledger.save(*(replace(a, state="cancelled", reason=a.reason or STOPPED) for a in rest))
                self._looker.clear(replace(a, state="cancelled") for a in rest)
        except (SessionError, SetupError) as error:
            self._say(str(error))

    def clear(self, index: int, *, again: bool = False) -> None:
        """The evaluation is committed: its folders there are needed no more. ``again``: those of all second runs, used now."""
        states: tuple[State, ...] = (*OPEN, "done") if again else ("done", "lost")
        mine = [a for a in self._ledger.find(*states, index=None if again else index) if is_second_run(a) or not again]
        if again:  # a third run of the evaluation must not take the second one's job for its own
            self._ledger.change(mine, "done")
        known = [replace(self._ended.pop(a.token, a), state=a.state) for a in mine]
        self._looker.clear(a for a in known if a.token not in self._kept)

    def attempt(self, index: int) -> Attempt:
        """What ``run_once`` calls in place of a start on this machine, for the evaluation ``index``."""
        return partial(self._attempt, index)

    # ---------------------------------------------------------------- one run

    def _attempt(
        self, index: int, simulator: Simulator, outputs: Sequence[Output], values: Mapping[str, float], permit: Permit,
        folder: Path, base: Path, seed: int, time_limit: float | None, cancel: Cancel | None,
    ) -> RunResult:  # fmt: skip
        """As ``runner._attempt``. ``cancel`` is that of the whole analysis."""
        result, work = RunResult("failed", started_at=time.time()), f"{folder.name}:{seed}"
        try:
            words = refusal(simulator, permit, self.place.name)
            if words:
                return replace(result, cause="refused", refused_by="program", reason=words)
            limits.check_disk_space(folder)
            prepared = partial(
                remote_job, simulator, outputs, values, seed, time_limit,
                permit=permit, base=base, local=folder, profile=self.place.profile,
            )  # fmt: skip
            return self._tries(index, work, folder, prepared, partial(self._judged, simulator, outputs, folder), result)
        except (SetupError, SessionError) as error:
            if isinstance(error, (QueueRefuses, NotUsable)):
                return replace(result, cause="refused", refused_by="queue", reason=str(error))
            return replace(result, cause="setup", reason=str(error))
        except OSError as error:
            return replace(result, cause="setup", reason=f"What came back cannot be written: {error}. Is the disk full?")

    def _tries(
        self, index: int, work: str, folder: Path, prepared: Callable[..., RemoteJob],
        judge: Callable[[RemoteJob, Live, RunResult], RunResult | Fate], result: RunResult,
    ) -> RunResult:  # fmt: skip
        """Attempts until one counts. Raises SetupError, SessionError, OSError."""
        while True:
            known = self._ledger.of_work(index, work)
            record = next((a for a in known if a.state in OPEN), None)
            if record is None and self._ends():
                return stopped(result)
            live = Live(record or self._intend(index, work, len(known)), fresh=record is None)
            while True:
                try:
                    folder_there = self.place.folder(live.record.token)
                    break
                except Unreachable as error:
                    self.silence.begin(live.record.token, error)
                    if not self._wait():
                        return self._stop(live, result)
            self.silence.end(live.record.token)
            run_folder.make_fresh(folder)
            try:
                job = prepared(run=f"{folder_there}/run")
            except SetupError as error:
                if live.fresh:
                    self._save(live, replace(live.record, state="cancelled", reason=str(error)))
                if isinstance(error, NotUsable):
                    raise
                if isinstance(error, FillError):
                    return replace(result, cause="input", reason=str(error))
                return replace(result, cause="refused", refused_by="program", reason=str(error))
            result = replace(result, command=job.filled.command, program=job.arguments[0])
            how = self._follow(live, job)
            if how in ("left", "cancelled"):
                return self._stop(live, result)
            if how == "given up":
                continue
            found = judge(job, live, result)
            if isinstance(found, RunResult):
                if found.cause == "refused":  # the next start must not collect it: what was wrong may be right by then
                    self._end(live, found.reason)
                return found
            if found.limit:
                return replace(result, cause="limit", reason=found.words)
            self._lose(live, found.words)
            tries = sum(a.state == "lost" for a in self._ledger.of_work(index, work))
            if tries >= MOST_TRIES and live.never_began:
                raise never_starts(self.place, found.words.rstrip("."))
            if tries >= MOST_TRIES:
                return replace(result, cause="lost", reason=f"It was lost {tries} times on {self.place.name}; {found.words}")

    def _intend(self, index: int, work: str, number: int) -> AttemptRecord:
        token = f"bs{secrets.token_hex(6)}"
        place = msgspec.json.encode(self.place.profile).decode()
        record = AttemptRecord(token, index, work, number, place, token, intent_at=time.time())
        self._ledger.save(record)
        return record

    def _follow(self, live: Live, job: RemoteJob) -> How:
        """Hand it over if need be, and wait for its end. Raises SetupError."""
        if live.record.state == "intent":
            self._observe(stage_of(live.record, "sending"))
            silent = partial(self.silence.begin, live.record.token)
            try:
                job_id = hand_over(self.place, live.record.token, job, self._wait, silent, fresh=live.fresh)
            except SetupError as error:
                self._save(live, replace(live.record, state="cancelled", reason=str(error)))
                self._looker.clear([live.record])
                raise
            finally:
                self.silence.end(live.record.token)
            if job_id is None:
                return "left" if self._leave.is_set() else "cancelled"
            self._save(live, replace(live.record, state="queued", job=job_id, queued_at=time.time()))
        self._observe(stage_of(live.record, "queued"))
        self._looker.add(live)
        try:
            while not live.ended and not live.lost:
                live.changed.wait(LOOK_SECONDS)
                live.changed.clear()
                if self._ends():
                    return "left" if self._leave.is_set() else "cancelled"
                if live.never and live.state is not None:
                    self._end(live, live.state.reason)
                    if not live.fresh:  # handed over by an earlier start: the place may have been corrected since
                        return "given up"
                    raise never_starts(self.place, live.state.reason)
        finally:
            self._looker.remove(live)
        return "ended" if live.ended else "lost"

    def _judged(
        self, simulator: Simulator, outputs: Sequence[Output], folder: Path, job: RemoteJob, live: Live, result: RunResult
    ) -> RunResult | Fate:
        """Fetch and judge; a Fate where the program did not come to its end by itself. Raises SetupError, OSError."""
        record = live.record
        self._observe(stage_of(placed(record, live), "fetching"))
        while True:
            try:
                fetched = self.place.fetch(record.token, names_wanted(job))
                break
            except SetupError as error:
                return Fate(str(error))
            except Unreachable as error:
                self.silence.begin(record.token, error)
                if not self._wait():
                    return self._stop(live, result)
        self.silence.end(record.token)
        ended = read_ended(fetched.get("exit.json", (b"", 0.0))[0])
        fate = fate_of(self.place, record, live, ended, fetched)
        if fate is not None:
            return fate
        assert isinstance(ended, Ended)
        words = "" if self._keep else self._short.note(ended.ms / 1000.0)
        if words:
            self._say(words, False)
        unpack(fetched, folder)
        record = live.record = replace(placed(record, live), ended_at=time.time())
        self._ended[record.token] = record
        where = f"{self.place.name}, node {record.node}" if record.node else self.place.name
        result = replace(result, started_at=record.started_at or record.queued_at)
        result = judged(simulator, outputs, job, fetched, ended, folder, result, where)
        self._observe(stage_of(record, "ended"))
        if self._keep == "all":
            said = brought_whole(self.place, record, folder, result.files, fetched, where)
            return replace(result, notes=(*result.notes, *said))
        if self._keep is None and run_folder.keeps(simulator, result.outcome == "ok"):
            words = bring_rest(self.place, record.token, folder, result.files, fetched)
            if words:
                self._kept.add(record.token)
                self._save(live, replace(live.record, reason=f"{KEPT}: {words}"))
        return result

    # ---------------------------------------------------------------- ending

    def _ends(self) -> bool:
        return self._cancel.is_set() or self._leave.is_set()

    def _wait(self, seconds: float = 1.0) -> bool:
        """False: the run is to end."""
        deadline, tries = time.monotonic() + seconds, self.silence.tries
        while time.monotonic() < deadline and not self._ends() and tries == self.silence.tries:
            time.sleep(min(LOOK_SECONDS, seconds))
        return not self._ends()

    def _stop(self, live: Live, result: RunResult) -> RunResult:
        """We end: jobs are left to themselves, or cancelled, at once or when their place is next reached."""
        if not self._leave.is_set() or live.never_since:
            self._end(live, STOPPED)
        return stopped(result)

    def _end(self, live: Live, why: str) -> None:
        try:
            self.place.end({live.record.token: live.record.job})
            self._save(live, replace(live.record, state="cancelled", reason=why))
            self._looker.clear([live.record])
        except Unreachable:
            self._save(live, replace(live.record, state="dropped", reason=f"{why}, while it could not be reached"))

    def _lose(self, live: Live, words: str) -> None:
        record = replace(placed(live.record, live), state="lost", reason=words, ended_at=time.time())
        self._save(live, record)
        try:
            self.place.end({record.token: record.job})  # should it start after all, it ends at once
        except Unreachable:
            pass  # its result would never be looked at
        self._observe(stage_of(record, "lost"))
        self._say(f"Run {record.index} was lost: {words} It is recorded as lost and handed over anew.", True)

    # ---------------------------------------------------------------- telling

    def _save(self, live: Live, record: AttemptRecord) -> None:
        live.record = record
        self._ledger.save(record)

    def _tell(self, live: Live) -> None:
        running = live.started is not None
        if not live.ended and not live.lost:
            self._observe(stage_of(placed(live.record, live), "running" if running else "queued", live))

    def _say(self, words: str, bad: bool = True) -> None:
        self._observe(protocol.Report(level="warning" if bad else "info", what=words, where=self.place.profile.name))
