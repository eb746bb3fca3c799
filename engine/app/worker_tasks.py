"""Work of the engine process beside a run, or instead of one: test runs, noise checks, comparisons with other methods, archives,
replays, answers from the runs of another session."""

from __future__ import annotations

import contextlib
import logging
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from .. import protocol
from ..session.errors import SessionError
from .one_at_a_time import stop_if

if TYPE_CHECKING:
    from ..problem.definition import Problem
    from ..problem.errors import Correct
    from ..session.store import SessionStore
    from ..session.trust.consent import Permit
    from ..simulator.runner import Attempt

log = logging.getLogger("bayescope.engine")
Put = Callable[[protocol.Event], None]


def comparison_failed(command: protocol.Compare, words: str, suggestion: str, put: Put) -> None:
    put(protocol.BaselineFailed(session=command.session, method=command.method, words=words, suggestion=suggestion))


def compare_stored(
    command: protocol.Compare, cancelled: threading.Event, put: Put, running: Callable[[], bool]
) -> None:
    """What another method makes of the runs of a session; the finding goes to ``put``, whatever happens.

    ``running``: whether an analysis is under way, whose file is its own meanwhile.
    """
    from ..comparison.compared import compare, keep
    from ..loop_interface import Cancelled
    from ..session.store import SessionStore

    try:
        with SessionStore.open(command.session, mode="read") as store:
            found, made = compare(store, command.method, stop_if(cancelled))
        if not running():
            keep(Path(command.session), made)  # a session that cannot be written is read without it
    except Cancelled:
        comparison_failed(command, "", "", put)
    except SessionError as error:
        comparison_failed(command, f"{error.what}.", error.suggestion, put)
    except Exception as error:
        comparison_failed(command, _fault(error, "comparison"), "", put)
    else:
        blob = protocol.Blob.of
        put(
            protocol.BaselineReady(
                session=command.session,
                method=command.method,
                name=found.name,
                n_evaluations=found.evaluations,
                log_evidence=found.log_evidence,
                log_evidence_sd=found.log_evidence_sd,
                trusted=found.trusted,
                reasons=found.reasons,
                weights=blob(found.mixture.weights),
                means=blob(found.mixture.means),
                covariances=blob(found.mixture.covariances),
                draws=None if found.draws is None else blob(found.draws),
                draw_weights=None if found.weights is None else blob(found.weights),
                seconds=made.seconds,
                record_json=msgspec.json.encode(made),
            )
        )


def study_stored(command: protocol.Study, cancelled: threading.Event, put: Put, running: Callable[[], bool]) -> None:
    """Sensitivities of the answer of a session; the record goes to ``put``, whatever happens. ``running`` as above."""
    from ..loop_interface import Cancelled
    from ..sensitivity.study import keep, study
    from ..session.store import SessionStore

    data, words = b"", ""
    try:
        with SessionStore.open(command.session, mode="read") as store:
            made = study(store, stop_if(cancelled))
        data = msgspec.json.encode(made)
        words = "" if running() else keep(Path(command.session), made)
    except Cancelled:
        pass
    except Exception as error:
        words = _said(error, "study of sensitivities")
    put(protocol.StudyDone(session=command.session, record_json=data, words=words))


def settle_jobs(command: protocol.SettleJobs, cancelled: threading.Event, put: Put, running: Callable[[], bool]) -> None:
    """Jobs left uncancelled are cancelled now, if their place can be reached; what became of them goes to ``put``."""
    from ..clusters.ending import settle_stored

    try:
        left, words = settle_stored(Path(command.session), running)
    except Exception as error:
        left, words = 1, _said(error, "cancelling of jobs")
    put(protocol.JobsSettled(session=command.session, left=left, words=words))


def answer_without_runs(command: protocol.StartRun, put: Put) -> None:
    """In place of a run: the session's problem answered from the runs of another. Raises SessionError."""
    from ..run.messages import snapshot_of
    from ..session.store import SessionStore

    with (
        SessionStore.open(command.answer_from, mode="read") as first,
        SessionStore.open(command.session, role="engine") as variant,
    ):
        if not variant.writable:
            raise SessionError(variant.read_only_reason or "The session cannot be written", command.session)
        put(protocol.StateChanged(state="running"))
        put(_judging(first.evaluation_count, variant.problem.settings.max_evaluations))
        from ..again.variant import answer_from, fill  # seconds of imports: a missing file is said before them

        answer = answer_from(first, variant.problem, variant.path.parent)
        fill(variant, first, answer)
        record = variant.last_iteration()
        assert record is not None
        put(snapshot_of(record))
        doubt = "" if record.converged else " Its confirmation needs new runs."
        words = f"Answered from {len(answer.records)} runs of “{first.path.name}”; no run was made.{doubt}"
        variant.log("info", words)
    put(protocol.StateChanged(state="finished", words=words))
    put(protocol.RunEnded(outcome="converged" if record.converged else "budget", words=words))


def answer_imported_runs(store: SessionStore, put: Put) -> None:
    """Before a run: what imported runs say, if nothing has been made of them yet. Raises SessionError."""
    from ..again.imported_runs import answer_imported, awaits_answer  # seconds of imports

    if awaits_answer(store):
        put(protocol.StateChanged(state="running"))
        answer_imported(store, put)


def _judging(runs: int, budget: int) -> protocol.Progress:
    activity = f"Judging {runs} recorded runs anew"
    return protocol.Progress(
        evaluations=0, failed=0, budget=budget, running=0, elapsed_s=0.0, remaining_s=None, activity=activity
    )


def permitted(command: protocol.ProblemRuns) -> tuple[Problem, Path, Permit]:
    """The problem of a command, its folder, and the leave to run it. Raises ProblemError, or NotAgreed (a SessionError)."""
    from ..problem.files import loads
    from ..session.trust.consent import Signed, permit_for

    problem, folder = loads(command.problem_json), Path(command.folder)
    return problem, folder, permit_for(Signed(command.consent, command.signature), problem.simulator, folder)


def run_trial(command: protocol.TrialRun, cancel: threading.Event, put: Put) -> None:
    """One evaluation; everything of it goes to ``put``, whatever happens."""
    try:
        from ..simulator.trial_run import trial_run

        problem, folder, permit = permitted(command)
        with _attempt_of(command, problem, cancel, put) as attempt:
            report = trial_run(
                problem, command.values, folder, max(1, command.repeat), permit=permit, cancel=cancel, attempt=attempt,
                alone=command.alone,
            )  # fmt: skip
        _put_trial(report, put)
    except Exception as error:
        trial_failed(command, _said(error, "trial run"), put, getattr(error, "correct", ""))


@contextlib.contextmanager
def _attempt_of(command: protocol.ProblemRuns, problem: Problem, cancel: threading.Event, put: Put) -> Iterator[Attempt | None]:
    """How each run of ``command`` is made; None: by a start on this computer. Raises SetupError, SessionError."""
    from ..run.where import site_for_a_while

    keep: Literal["all", "none"] = "all" if isinstance(command, protocol.TrialRun) else "none"
    with site_for_a_while(problem, command.where, cancel, keep, lambda words: put(protocol.TrialStage(words=words))) as site:
        yield None if site is None else site.attempt(0)


def trial_failed(command: protocol.TrialRun, words: str, put: Put, correct: Correct = "") -> None:
    _put_trial(protocol.TrialRunReport(outcome="failed", reason=words, values=command.values, correct=correct), put)


def _put_trial(report: protocol.TrialRunReport, put: Put) -> None:
    put(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))


def run_noise_check(command: protocol.NoiseCheck, cancel: threading.Event, put: Put) -> None:
    """Runs at one point; what they say about the noise goes to ``put``, whatever happens."""
    try:
        from ..simulator.noise_check import noise_check

        problem, folder, permit = permitted(command)
        with _attempt_of(command, problem, cancel, put) as attempt:
            report = noise_check(
                problem, command.values, folder, command.runs, permit=permit, cancel=cancel, attempt=attempt,
                progress=lambda done, total: put(protocol.NoiseCheckProgress(done=done, total=total)),
            )  # fmt: skip
        put(protocol.NoiseCheckResult(report=report))
    except Exception as error:
        noise_failed(_said(error, "noise check"), put)


def noise_failed(words: str, put: Put) -> None:
    put(protocol.NoiseCheckResult(report=protocol.NoiseReport(runs=0, good=0, words=(words,))))


def check_archive(command: protocol.CheckArchive, cancel: threading.Event, put: Put) -> None:
    """Simulator runs at rows of an archive; the finding goes to ``put``, whatever happens."""
    try:
        from ..run.archive_check import check_rows

        problem, folder, permit = permitted(command)
        agrees, words = check_rows(command.rows, command.meaning, problem, folder, permit, cancel)
    except Exception as error:
        archive_unchecked(_said(error, "archive check"), put)
    else:
        put(protocol.ArchiveChecked(agrees=agrees, words=words))


def archive_unchecked(words: str, put: Put) -> None:
    put(protocol.ArchiveChecked(agrees=None, words=words))


def _said(error: Exception, task: str) -> str:
    """Why ``task`` came to nothing, in words."""
    from ..problem.errors import ProblemError, SetupError

    return str(error) if isinstance(error, (ProblemError, SetupError, SessionError)) else _fault(error, task)


def _fault(error: Exception, task: str) -> str:
    """A fault of ours in words; its traceback goes into the log."""
    log.error("%s: %s", task, traceback.format_exc())
    return f"Something unexpected went wrong inside Bayescope: {type(error).__name__}: {error}."


def replay_stored(command: protocol.Replay, cancel: threading.Event, put: Put) -> None:
    """Stored runs made again; the record goes into the session and to ``put``, whatever happens."""
    from ..problem.errors import ProblemError, SetupError
    from ..session import rows
    from ..session.store import SessionStore
    from ..session.trust.consent import Signed, permit_for

    data, words = b"", ""
    try:
        from ..run.replay import replay
        from ..run.where import site_for_a_while

        with SessionStore.open(command.session, mode="read") as store:
            folder = store.path.parent
            permit = permit_for(Signed(command.consent, command.signature), store.problem.simulator, folder)
            with site_for_a_while(store.problem, command.where, cancel, "none") as site:
                record = replay(
                    store, command.runs, permit=permit, cancel=cancel, site=site,
                    progress=lambda done, total: put(protocol.ReplayProgress(session=command.session, done=done, total=total)),
                )  # fmt: skip
        data = rows.replay_bytes(record)
        with SessionStore.open(command.session, role="engine") as store:
            if store.writable:
                store.save_replay(record)
            else:
                words = f"This is not kept in the session. {store.read_only_reason}"
    except (ProblemError, SetupError, SessionError) as error:
        words = f"This is not kept in the session. {error}" if data else str(error)
    except Exception as error:
        words = _fault(error, "replay")
    put(protocol.ReplayDone(session=command.session, record_json=data, words=words))


def test_place(command: protocol.TestPlace, cancel: threading.Event, put: Put) -> None:
    """One small job at a place; each step goes to ``put``, whatever happens."""
    from ..clusters.try_place import try_place
    from ..session.profiles import Profile

    def told(step: str, good: bool, words: str, seconds: float) -> None:
        put(protocol.PlaceStep(step=step, good=good, words=words, seconds=seconds))

    def waits(words: str) -> None:
        put(protocol.PlaceStep(step=protocol.WAITS, good=True, words=words))

    try:
        good = try_place(msgspec.json.decode(command.profile_json, type=Profile), told, cancel, waits=waits)
    except Exception as error:
        place_untested(_said(error, "test of a place"), put)
    else:
        put(protocol.PlaceTested(good=good))


def place_untested(words: str, put: Put) -> None:
    put(protocol.PlaceStep(step="test", good=False, words=words))
    put(protocol.PlaceTested(good=False))
