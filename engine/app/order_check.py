"""Before the first run in a terminal: whether rows that are compared in order are those of the data's places."""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..problem.data.rows.order_places import Read, Unproved, against_order, unproved_orders
from ..problem.definition import Output, Problem
from ..problem.extract import ExtractionError, read_output
from ..protocol import TrialRunReport
from ..run.where import site_for_a_while
from ..session.settled import Settled, settled_of
from ..session.store import SessionStore
from ..session.trust.consent import Permit
from .exit_status import Failure
from .interrupts import interrupts
from .terminal import say, warn

WAYS = (
    "Pair rows by that place: in the window on the Data page, or with key_output and key_column in the problem file. "
    "If the order is right, run again with --in-order."
)


def check_order(
    store: SessionStore, values: Mapping[str, float], permit: Permit, place: str, in_order: bool
) -> None:
    """A test run at ``values``, where nobody has made one and the order may be wrong; asked in a terminal. Raises Failure where
    it is wrong.

    ``in_order``: said on the command line to be right.
    """
    problem, settled = store.problem, settled_of(store)
    unproved = [] if in_order or store.has_started else [one for one in unproved_orders(problem) if not _said(settled, one)]
    if not unproved or _tried(settled, problem):
        return
    say(f"A test run first: {unproved[0].words}")
    cancel = threading.Event()
    with interrupts(cancel.set), site_for_a_while(problem, place, cancel, "all", warn) as site:
        from ..simulator.trial_run import trial_run

        attempt = None if site is None else site.attempt(0)
        report = trial_run(problem, values, permit.folder, permit=permit, cancel=cancel, attempt=attempt, alone=site is None)
    if cancel.is_set():
        raise Failure("nothing was run.")
    said = [words for one in unproved if (words := against_order(problem, one, _reader(problem, report)))]
    if not said:
        return
    warn(*said)
    if not sys.stdin.isatty():
        raise Failure(f"nothing was run. {WAYS}")
    if input("Is the order of the rows right all the same? [y/N] ").strip().lower() not in ("y", "yes"):
        raise Failure(f"nothing was run. {WAYS}")


def _said(settled: Settled, one: Unproved) -> bool:
    """Whether the user said in the window that the order is right, before or after a test run."""
    return any(words == one.words or words.startswith(one.against) for words in settled.kept)


def _tried(settled: Settled, problem: Problem) -> bool:
    """Whether a window has seen a good test run of the program: nothing started there as long as that spoke against the order."""
    return settled.took > 0.0 and settled.ran == problem.simulator.command


def _reader(problem: Problem, report: TrialRunReport) -> Read:
    """Outputs in what the test run wrote; those that it read, and columns beside them."""

    def read(output: Output) -> NDArray[np.float64] | None:
        known = next((o for o in report.outputs if o.name == output.name and not o.problem), None)
        if known is not None and output in problem.outputs:
            return np.array([np.nan if v is None else v for v in known.values], dtype=float)
        try:
            values = read_output(output, _text(report, output.source)).values
        except ExtractionError:
            return None
        return np.array([np.nan if v is None else v for v in values], dtype=float)

    return read


def _text(report: TrialRunReport, source: str) -> str:
    if source in ("stdout", "stderr"):
        return report.stdout if source == "stdout" else report.stderr
    return next((f.text or "" for f in report.files if f.name == source), "")
