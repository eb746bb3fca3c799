"""What the import dialog shows of an archive, computed outside the window's thread: a million rows take seconds."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.archive.additions import Addition, Known, addition, more_runs
from bayescope.engine.archive.interpret import Imported, interpret
from bayescope.engine.archive.mapping import Mapped
from bayescope.engine.archive.output_columns import MappedOutputs
from bayescope.engine.archive.output_runs import ImportedRuns, Progress, interpret_outputs
from bayescope.engine.archive.table import ArchiveError, Table
from bayescope.engine.problem.definition import Problem
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.session.errors import SessionError

Array = NDArray[np.float64]
MOST_DOTS = 1500  # per plot
DROP_SHOWN = 40.0  # nats below the best that the picture shows
DELIMITERS = (
    ("", "Found out by itself"),
    (",", "Commas"),
    (";", "Semicolons"),
    ("\t", "Tabs"),
    (" ", "White space"),
)
DECIMAL_COMMAS = (("", "Found out by itself"), ("yes", "Yes: 1,5 is one and a half"), ("no", "No"))


@dataclass(frozen=True, eq=False)
class Understood:
    """An archive in the terms of the problem, and the dots of its picture: points (n, D), log density below the best (n,)."""

    imported: Imported
    points: Array
    below: Array
    addition: Addition | None = None  # for an analysis that has some
    runs: ImportedRuns | None = None  # where they are given by their outputs

    @property
    def stored(self) -> Imported | ImportedRuns:
        """What an import stores."""
        return self.imported if self.runs is None else self.runs


def understand(
    table: Table, problem: Problem, mapped: Mapped | MappedOutputs, known: Callable[[], Known] | None = None,
    progress: Progress | None = None,
) -> Understood:
    """``known``: reads what an analysis has to which these are to be added. Raises ArchiveError or SessionError, in words.
    ``progress``: of runs that are scored; may raise."""
    runs = interpret_outputs(table, problem, mapped, progress) if isinstance(mapped, MappedOutputs) else None
    found = interpret(table, problem, mapped) if isinstance(mapped, Mapped) else cast("ImportedRuns", runs).imported
    more = None
    if known is not None:
        more = addition(found, problem, known()) if runs is None else more_runs(runs, problem, known())
    record = found.record
    space = ParameterSpace(problem.parameters)
    joint = record.values + (space.log_prior(record.points) if record.meaning == "log_likelihood" else 0.0)
    below = joint - found.best_log_joint
    shown = np.flatnonzero(below > -DROP_SHOWN)
    if len(shown) > MOST_DOTS:
        shown = shown[np.linspace(0, len(shown) - 1, MOST_DOTS).astype(int)]
    return Understood(found, record.points[shown], below[shown], more, runs)


class Newest:
    """Runs jobs in a thread of their own and hands over what the newest one brought: a result, or what was wrong with it.

    ``done`` is called in that thread with (number, result or error); compare the number with ``number`` when it arrives.
    """

    def __init__(self, done: Callable[[int, object], None]) -> None:
        self._done = done
        self.number = 0

    def run(self, job: Callable[[], object]) -> None:
        self.number += 1
        number, done = self.number, self._done

        def work() -> None:
            found: object
            try:
                found = job()
            except (ProblemError, SessionError) as error:
                found = error
            except Exception as error:  # somebody waits for it
                found = ArchiveError(f"It could not be used ({type(error).__name__}: {error}).")
            try:
                done(number, found)
            except RuntimeError:  # the dialog was closed meanwhile
                return

        try:
            threading.Thread(target=work, name="archive", daemon=True).start()
        except RuntimeError as error:
            done(number, ArchiveError(f"This computer has no room for another thread ({error}). Close other programs."))
