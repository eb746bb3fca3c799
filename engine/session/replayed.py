"""The record of a replay: stored runs made again, and how each came out. Kept in the session as JSON; its words for people."""

from __future__ import annotations

import time
from typing import Annotated, Literal

import msgspec

from ..problem.command_text import command_text
from ..problem.numbers.shown_digits import spoken
from .trust.what_runs import RunFile

LEVEL = 0.01  # chance that an honest random program is said to differ, all comparisons of a replay together
USUAL = 5  # runs made again: a program that gives another value in half of its runs is found out with 97 %
MOST = 100  # beyond this a second analysis with another seed tells more
NAMED = 10  # runs named one by one in a summary
MAX_BYTES = 4 * 1024 * 1024  # of a stored record
MAX_FILES = 1000  # programs with their modules and extra files have fewer

Result = Literal["identical", "within_noise", "unjudged", "different", "failed_now", "failed_then", "failed_again"]
DIFFERS: frozenset[Result] = frozenset({"different", "failed_now", "failed_then"})
_Text = Annotated[str, msgspec.Meta(max_length=20_000)]


class ReplayedRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One stored evaluation made again. ``relative``: largest change of an output relative to its size; None: none, or beyond
    measure. ``before`` and ``after``: log-likelihoods. ``words``: a sentence that names the run, its values and what differs."""

    index: Annotated[int, msgspec.Meta(ge=0)]
    result: Result
    words: _Text
    relative: float | None = None
    before: float | None = None
    after: float | None = None


class Replay(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``at``: unix time; ``asked``: runs that were to be made again, out of ``evaluations`` stored then; ``files``: what ran, by
    content. ``note``: why it ended early, a sentence."""

    at: float
    asked: Annotated[int, msgspec.Meta(ge=1)]
    evaluations: Annotated[int, msgspec.Meta(ge=1)]
    runs: Annotated[tuple[ReplayedRun, ...], msgspec.Meta(min_length=1, max_length=MOST)]
    files: Annotated[tuple[RunFile, ...], msgspec.Meta(max_length=MAX_FILES)] = ()
    level: Annotated[float, msgspec.Meta(gt=0.0, lt=1.0)] = LEVEL
    note: _Text = ""
    version: int = 1

    @property
    def agrees(self) -> bool:
        """No run came out another way."""
        return not self.differing

    @property
    def differing(self) -> tuple[ReplayedRun, ...]:
        return tuple(run for run in self.runs if run.result in DIFFERS)

    def count(self, *results: Result) -> int:
        return sum(run.result in results for run in self.runs)

    def headline(self) -> str:
        """One sentence: how many of how many agree."""
        n, bad = len(self.runs), len(self.differing)
        if bad:
            return f"{bad} of {n} {_runs(n)} made again came out differently."
        same, noisy = self.count("identical"), self.count("within_noise")
        if same == n:
            return f"{_all(n)} made again gave the same outputs to the last digit."
        parts = [f"{same} gave the same outputs to the last digit"] * bool(same)
        parts += [f"{noisy} gave a log-likelihood within the noise"] * bool(noisy)
        parts += [f"{self.count('failed_again')} failed again, as before"] * bool(self.count("failed_again"))
        parts += [f"{self.count('unjudged')} cannot be judged"] * bool(self.count("unjudged"))
        return f"Of {n} {_runs(n)} made again, {', '.join(parts)}."

    def sentences(self) -> list[str]:
        """What stands below the headline: differing runs by name, the test of the noise, what it may mean, how early it ended."""
        found = [run.words for run in self.differing[:NAMED]]
        if len(self.differing) > NAMED:
            found.append(f"And {len(self.differing) - NAMED} more.")
        found += [run.words for run in self.runs if run.result == "unjudged"][:1]
        if self.count("within_noise"):
            found.append(
                "Within the noise: the log-likelihood, then and now, is no further apart than two random estimates come to lie, "
                f"tested two-sided at a level of {spoken(100 * self.level)} % for all comparisons together (Bonferroni)."
            )
        if self.differing:
            found.append(
                "The program, a file that it reads or the computer may have changed since; or it is random without being given "
                "@seed@, or depends on the time, on earlier runs or on how its threads share their work."
            )
        return [*found, self.note] if self.note else found

    def when(self) -> str:
        """'on 2026-05-03 14:05'."""
        try:
            return time.strftime("on %Y-%m-%d %H:%M", time.localtime(self.at))
        except (OverflowError, OSError, ValueError):  # a file may hold any number
            return "at an unknown time"


def how_to_check(session: str) -> str:
    """Where a replay is started, a sentence."""
    return f"“Run some again” on the Run page, tab Runs, checks it, as does: {command_text(['bayescope', 'replay', session])}"


def _runs(n: int) -> str:
    return "run" if n == 1 else "runs"


def _all(n: int) -> str:
    return "The one run" if n == 1 else f"All {n} runs"
