"""Window to engine: what the window asks for."""

from __future__ import annotations

from typing import Literal

import msgspec

from .wire import Message


class StartRun(Message, tag="start_run", frozen=True):
    """Open the session for writing and run, resuming if it holds evaluations. ``max_evaluations`` None: as in the session.

    ``answer_from``: another session; nothing is run then, and the answer is made from the runs in that.
    ``where``: the name of a profile (session/profiles.py) whose computer runs the simulator; "": this one.
    ``again``: failed runs to be made anew first. ``take_in``: nothing is run; evaluations that were imported since the newest
    answer give another one. ``at``: the first runs are made at these values of the free parameters; ``no_others``: then it ends.
    """

    session: str
    max_evaluations: int | None = None
    workers: int | None = None
    answer_from: str = ""
    where: str = ""
    again: tuple[int, ...] = ()
    take_in: bool = False
    at: tuple[dict[str, float], ...] = ()
    no_others: bool = False


class PauseRun(Message, tag="pause_run", frozen=True):
    """Start no new simulator run; let those under way finish."""


class ContinueRun(Message, tag="continue_run", frozen=True):
    """Go on after a pause."""


class StopRun(Message, tag="stop_run", frozen=True):
    """End the run. ``kill`` True ends simulators under way too; else they finish and are recorded."""

    kill: bool = False


class ExtendRun(Message, tag="extend_run", frozen=True):
    max_evaluations: int


class ArchiveGrew(Message, tag="archive_grew", frozen=True):
    """Evaluations were imported into the session of the run under way, which takes them in before its next turn."""


class SetWorkers(Message, tag="set_workers", frozen=True):
    """So many simulator runs at a time from now on; those under way finish. Kept in the session."""

    workers: int


class ReachPlace(Message, tag="reach_place", frozen=True):
    """A place that does not answer is tried again at once, not when its pause is over."""


class ProblemRuns(Message, frozen=True, kw_only=True):
    """Base of commands that start the simulator of a problem given as JSON; nothing is recorded.

    ``consent`` and ``signature``: a ``Signed`` (engine/session/trust/consent.py); nothing is started that it does not cover.
    ``where`` as for ``StartRun``; rows of an archive are run on this computer.
    """

    problem_json: bytes
    folder: str  # relative paths are from here
    consent: bytes = b""
    signature: str = ""
    where: str = ""


class TrialRun(ProblemRuns, tag="trial_run", frozen=True):
    """One evaluation at ``values`` (user's units, all parameters). ``alone``: and one with each parameter moved alone."""

    values: dict[str, float]
    repeat: int = 1
    alone: bool = False


class CancelTrialRun(Message, tag="cancel_trial_run", frozen=True):
    pass


class NoiseCheck(ProblemRuns, tag="noise_check", frozen=True):
    """``runs`` runs at ``values`` (user's units) to see how random the simulator is; ended by ``CancelTrialRun``."""

    values: dict[str, float]
    runs: int = 20


class ArchivedRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One imported evaluation: values of the free parameters in the user's units, log density, sd of its noise."""

    values: dict[str, float]
    value: float
    sd: float = 0.0


class CheckArchive(ProblemRuns, tag="check_archive", frozen=True):
    """Do simulator runs at ``rows`` (the best one first) give the archived values again? Ended by ``CancelTrialRun``."""

    rows: tuple[ArchivedRow, ...]
    meaning: Literal["log_likelihood", "log_posterior"]


class Replay(Message, tag="replay", frozen=True):
    """Make ``runs`` stored evaluations of ``session`` again and compare; ended by ``CancelTrialRun``. Not during a run.

    ``consent`` and ``signature`` as in ``ProblemRuns``, of the problem in the session; ``where`` as for ``StartRun``.
    """

    session: str
    runs: int
    consent: bytes = b""
    signature: str = ""
    where: str = ""


class TestPlace(Message, tag="test_place", frozen=True):
    """Try a place by one small job; ``profile_json``: a Profile (session/profiles.py). Ended by ``CancelTrialRun``."""

    __test__ = False  # no class of tests

    profile_json: bytes


BaselineMethod = Literal["laplace", "mcmc", "stacking", "wsabi", "wsabi_m", "flow"]


class Compare(Message, tag="compare", frozen=True):
    """What another method makes of the evaluations in the session, without new ones. One at a time, beside a run if need be."""

    session: str
    method: BaselineMethod


class CancelCompare(Message, tag="cancel_compare", frozen=True):
    pass


class Study(Message, tag="study", frozen=True):
    """Which parameters decide what, which data taught it, what to measure next, from the surrogate of the newest answer in the
    session; no run is made. One at a time, as ``Compare``, and ended by ``CancelCompare``."""

    session: str


class SettleJobs(Message, tag="settle_jobs", frozen=True):
    """Cancel jobs of the session that were left uncancelled since their place could not be reached; not during a run."""

    session: str


class Quit(Message, tag="quit", frozen=True):
    pass


Command = (
    StartRun
    | PauseRun
    | ContinueRun
    | StopRun
    | ExtendRun
    | ArchiveGrew
    | SetWorkers
    | ReachPlace
    | TrialRun
    | NoiseCheck
    | CheckArchive
    | Replay
    | TestPlace
    | CancelTrialRun
    | Compare
    | CancelCompare
    | Study
    | SettleJobs
    | Quit
)
