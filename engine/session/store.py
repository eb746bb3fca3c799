"""The session file: everything of one analysis, durable row by row.

One writer (see lock.py), any number of readers. Each ``add_*`` is one commit with ``synchronous=EXTRA`` (FULL, and the
journal's folder entry is flushed too): when it returns, the row survives a crash or a power cut.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..problem.definition import Problem
from ..problem.may_change import same_but_texts, same_runs
from ..problem.relocate import relocate
from . import attempts, codec, rows, run_log
from .codec import CodecError
from .errors import DamagedSession, DuplicateRow, NotASession, SessionError
from .file import SUFFIX, storable
from .imported import INSERT_ASK, INSERT_EVALUATION, ImportedEvaluations, forget_runs
from .kept_over import KEY as KEPT_OVER
from .kept_over import KeptOver, changed_files, changed_parts, kept_over_of, with_one_more
from .lock import Holder, SessionLock
from .records import AskRecord, EvaluationRecord, IterationRecord
from .replayed import Replay
from .run_log import LogEntry
from .schema import EVALUATION_COLUMNS

KEPT_BULKY = 3  # iterations whose draws and slices are kept; older ones keep their mixture
KEPT_CHECKPOINTS = 2


class SessionStore(ImportedEvaluations):
    """An open session. Use ``create`` or ``open``; a context manager; safe to use from several threads."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.damage: list[str] = []  # rows left out because they could not be read; never evaluations

    # ---------------------------------------------------------------- problem, notes, trust

    def reload_problem(self) -> Problem:
        """Read the problem again, after another process may have changed its settings."""
        self._problem = None
        return self.problem

    def save_problem(self, problem: Problem, *, keeps_runs: bool = False) -> None:
        """Store a changed problem. Once an evaluation succeeded only name, description and a few settings may change.

        Failed runs alone are no reason to keep a faulty declaration: they are forgotten with it, and the run begins anew. So
        is an answer made from imported evaluations alone when its method or its options change. ``keeps_runs``: the user said
        that a change of what stands beside placeholders changes no result (see ``kept_over``).
        """
        old = self.problem
        if problem == old:
            return
        kept = keeps_runs and self.has_result and not same_runs(problem, old) and same_but_texts(problem, old)
        other = not kept and not same_runs(problem, old)
        anew = other and (self.has_started or not self.evaluation_count)
        if anew and self.has_result:
            raise SessionError(
                "The problem cannot be changed once its analysis has started, since its runs belong to it",
                str(self.path),
                "Save the changed problem as a new session. "
                "Budget, workers, time limits, retries, device, goal, name and notes can be changed here.",
            )
        with storable(self.path):
            items = {"problem": rows.problem_bytes(problem)}
        if problem.simulator != old.simulator:
            items |= self._signed_again(problem, self.path.parent)
        if kept:
            files, parts = changed_files(problem, old), changed_parts(problem, old)
            change = KeptOver(at=time.time(), runs=self.evaluation_count, files=files, parts=parts)
            items[KEPT_OVER] = with_one_more(kept_over_of(self), change)
        with self._writing() as connection:
            if anew:
                forget_runs(connection)
            self._put_meta(connection, items)
            if kept:
                run_log.add(connection, "info", change.sentence)
        self._problem = problem

    def follow_files(self, old_folder: Path) -> None:
        """After a copy into another folder: paths that were relative to ``old_folder`` go on naming the same files."""
        moved = relocate(self.problem, old_folder, self.path.parent)
        if moved == self.problem or not self.writable:
            return
        items = {"problem": rows.problem_bytes(moved), **self._signed_again(moved, old_folder)}
        with self._writing() as connection:
            self._put_meta(connection, items)
        self._problem = moved

    @property
    def has_started(self) -> bool:
        with self._reading() as connection:
            return connection.execute("SELECT 1 FROM asks LIMIT 1").fetchone() is not None

    @property
    def notes(self) -> str:
        return (self._meta("notes") or b"").decode("utf-8", "replace")

    @notes.setter
    def notes(self, text: str) -> None:
        self._set_meta(notes=text.encode("utf-8", "replace"))

    @property
    def created_at(self) -> float:
        """Unix time; 0 when the file does not say."""
        return codec.decode_number(self._meta("created_at"))

    @property
    def origin_machine(self) -> str:
        """The id of the computer the session was made on."""
        return (self._meta("origin_machine") or b"").decode("ascii", "replace")

    def note_run(self, running: bool, elapsed_s: float | None = None) -> None:
        """Written when a run starts and, with its seconds, when it ended in good order: else the next start tells of a crash."""
        ended = {} if elapsed_s is None else {"elapsed_s": repr(elapsed_s).encode()}
        self._set_meta(running=repr(time.time()).encode() if running else b"", **ended)

    @property
    def elapsed_s(self) -> float:
        """Seconds of running over all starts of the analysis, pauses left out, as far as was noted."""
        return max(codec.decode_number(self._meta("elapsed_s")), getattr(self.last_iteration(), "elapsed_s", 0.0))

    @property
    def runs_of(self) -> Path | None:
        """The analysis whose runs answer this one, or did (``again``); None: its runs are its own."""
        found = self._meta("runs_of")
        return Path(found.decode("utf-8", "surrogateescape")) if found else None

    @runs_of.setter
    def runs_of(self, path: Path) -> None:
        self._set_meta(runs_of=str(path.absolute()).encode("utf-8", "surrogateescape"))

    @property
    def unchecked(self) -> bool:
        """Whether there are evaluations of a program of which it was not seen yet that it gives the same twice."""
        return bool(self._meta("unchecked"))

    def note_unchecked(self, unchecked: bool) -> None:
        self._set_meta(unchecked=b"1" if unchecked else b"")

    @property
    def holders(self) -> list[Holder]:
        """Who may write now."""
        return SessionLock(self.path).holders()

    @property
    def interrupted_words(self) -> str:
        """What a crash interrupted and what is saved, for the next start.

        Empty when the last run ended in good order, and when there is nothing to go on with: nothing was lost then.
        """
        if not self._meta("running") or any(h.role == "engine" or h.pid != os.getpid() for h in self.holders):
            return ""  # it runs, or another window has it open and deals with it
        with self._reading() as connection:
            (done,) = connection.execute("SELECT count(*) FROM evaluations").fetchone()
            query = "SELECT count(*) FROM asks WHERE idx NOT IN (SELECT idx FROM evaluations)"
            (open_runs,) = connection.execute(query).fetchone()
            remote = min(attempts.count_open(connection), open_runs)
        if not open_runs and (not done or done >= self.problem.settings.max_evaluations):
            return ""
        saved = {0: "No simulator run had finished yet.", 1: "The one finished simulator run is saved."}.get(
            done, f"All {done} finished simulator runs are saved."
        )
        return f"The last run was interrupted. {saved}{attempts.open_words(open_runs - remote, remote)}"

    def acknowledge_interruption(self) -> None:
        """A person has been told of it: it is not told again. Nothing happens if there was none."""
        if self.interrupted_words:
            self.note_run(False)

    @property
    def runs_folder(self) -> Path:
        """``NAME.runs`` beside the session; made when first needed, never by opening."""
        return self.path.with_name(self.path.name.removesuffix(SUFFIX) + ".runs")

    # ---------------------------------------------------------------- the run

    def asks(self) -> list[AskRecord]:
        return self._select("SELECT idx, u, told_before, purpose, crc FROM asks ORDER BY idx", (), rows.ask_of)

    def add_evaluation(self, evaluation: EvaluationRecord) -> None:
        """One commit with the end of its attempts elsewhere, durable when it returns. A second one of the same ask is refused."""
        with storable(self.path):
            row = rows.evaluation_row(evaluation)
        with self._writing() as connection:
            try:
                connection.execute(INSERT_EVALUATION, row)
                attempts.finish(connection, evaluation.index)
            except sqlite3.IntegrityError as error:
                raise DuplicateRow(
                    f"Run {evaluation.index} is in the session already", str(self.path)
                ) from error

    def evaluations(self) -> list[EvaluationRecord]:
        """All finished evaluations in order of arrival. Raises DamagedSession if one cannot be read: none is dropped silently."""
        columns = ", ".join(EVALUATION_COLUMNS)
        return self._select(f"SELECT {columns}, crc FROM evaluations ORDER BY ord", (), rows.evaluation_of)

    def evaluation(self, index: int) -> EvaluationRecord | None:
        """The evaluation of the ask ``index``; None if it has not finished. Raises DamagedSession if it cannot be read."""
        columns = ", ".join(EVALUATION_COLUMNS)
        found = self._select(f"SELECT {columns}, crc FROM evaluations WHERE idx = ?", (index,), rows.evaluation_of)
        return found[0] if found else None

    @property
    def evaluation_count(self) -> int:
        with self._reading() as connection:
            return int(connection.execute("SELECT count(*) FROM evaluations").fetchone()[0])

    def add_iteration(self, iteration: IterationRecord) -> None:
        self.add_cycle(iteration=iteration)

    def add_cycle(
        self,
        *,
        asks: Sequence[AskRecord] = (),
        evaluations: Sequence[EvaluationRecord] = (),
        iteration: IterationRecord | None = None,
        checkpoint: Any = None,
        told: int = 0,
        anew: bool = False,
    ) -> None:
        """What one turn of the loop made, in one commit, so that journal and checkpoint always agree. ``anew``: in place of all
        runs and answers that are there."""
        with storable(self.path):
            ask_rows = [rows.ask_row(a) for a in asks]
            evaluation_rows = [rows.evaluation_row(e) for e in evaluations]
            iteration_row = None if iteration is None else rows.iteration_row(iteration)
            state = None if checkpoint is None else codec.encode_state(checkpoint)
        with self._writing() as connection:
            if anew:
                forget_runs(connection)
            try:
                connection.executemany(INSERT_ASK, ask_rows)
                connection.executemany(INSERT_EVALUATION, evaluation_rows)
                attempts.finish(connection, *(evaluation.index for evaluation in evaluations))
            except sqlite3.IntegrityError as error:
                raise DuplicateRow(
                    "A planned or finished run is in the session already", str(self.path)
                ) from error
            if iteration_row is not None:
                connection.execute("INSERT OR REPLACE INTO iterations VALUES (?, ?, ?, ?, ?)", iteration_row)
                oldest = iteration_row[0] - KEPT_BULKY + 1
                connection.execute(
                    "UPDATE iterations SET bulky = NULL WHERE iteration < ? AND bulky IS NOT NULL", (oldest,)
                )
            if state is not None:
                (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM checkpoints").fetchone()
                cells = (int(last) + 1, int(told), state)
                connection.execute("INSERT INTO checkpoints VALUES (?, ?, ?, ?)", (*cells, codec.checksum(*cells)))
                connection.execute("DELETE FROM checkpoints WHERE id <= ?", (int(last) + 1 - KEPT_CHECKPOINTS,))

    def iterations(self, *, bulky: bool = False) -> list[IterationRecord]:
        """All answers so far, oldest first, without draws and slices unless ``bulky``. Unreadable ones go to ``damage``."""
        heavy = "bulky" if bulky else "NULL"
        query = f"SELECT iteration, n_evaluations, answer, {heavy}, crc FROM iterations ORDER BY iteration"
        found = self._select(query, (), self._iteration_or_none)
        return [r for r in found if r is not None]

    def _iteration_or_none(self, row: tuple[Any, ...]) -> IterationRecord | None:
        try:
            return rows.iteration_of(row)
        except (CodecError, TypeError) as error:
            self.damage.append(f"Iteration {row[0]} was left out: {error}.")
            return None

    def iteration(self, number: int) -> IterationRecord | None:
        """One answer with all that is kept of it; None if there is none of that number."""
        query = "SELECT iteration, n_evaluations, answer, bulky, crc FROM iterations WHERE iteration = ?"
        found = self._select(query, (number,), self._iteration_or_none)
        return found[0] if found else None

    def last_iteration(self) -> IterationRecord | None:
        query = "SELECT iteration, n_evaluations, answer, bulky, crc FROM iterations ORDER BY iteration DESC LIMIT 2"
        return next((r for r in self._select(query, (), self._iteration_or_none) if r is not None), None)

    def save_checkpoint(self, state: Any, told: int = 0) -> None:
        """The state of the inference loop after ``told`` evaluations; the last two are kept."""
        self.add_cycle(checkpoint=state, told=told)

    def checkpoint(self) -> Any | None:
        """The newest readable state, None if there is none: the loop is then rebuilt from the evaluations."""
        with self._reading() as connection:
            found = connection.execute("SELECT id, told, state, crc FROM checkpoints ORDER BY id DESC").fetchall()
        for number, told, state, crc in found:
            try:
                if crc != codec.checksum(number, told, state):
                    raise CodecError("it does not agree with its checksum")
                return codec.decode_state(state)
            except (CodecError, TypeError) as error:
                self.damage.append(f"Checkpoint {number} was left out: {error}.")
        return None

    # ---------------------------------------------------------------- runs made again

    def save_replay(self, replay: Replay) -> None:
        """Keep how stored runs came out when they were made again, in place of an earlier one. Raises SessionError."""
        with storable(self.path):
            content = rows.replay_bytes(replay)
        self._set_meta(replay=content)

    def replay(self) -> Replay | None:
        """How stored runs came out when they were made again last; None: never, or it cannot be read (see ``damage``)."""
        try:
            content = self._meta("replay")
            return None if content is None else rows.replay_of(content)
        except (CodecError, DamagedSession) as error:
            self.damage.append(f"The record of the runs made again was left out: {error}")
            return None

    # ---------------------------------------------------------------- log

    def log(self, level: str, text: str) -> None:
        """One line of the run log, with the time."""
        with self._writing() as connection:
            run_log.add(connection, level, text)

    def run_log(self) -> list[LogEntry]:
        return self._select(run_log.QUERY, (), run_log.entry)


__all__ = ["SUFFIX", "LogEntry", "NotASession", "SessionError", "SessionStore"]
