"""``bayescope import``: earlier evaluations into a session, in a terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..archive.additions import Addition, addition, known_of, more_runs
from ..archive.interpret import Imported, interpret
from ..archive.mapping import Meaning, mapping_from_options
from ..archive.output_columns import can_hold_outputs, holds_outputs, outputs_from_options, required_outputs
from ..archive.output_runs import ImportedRuns, interpret_outputs
from ..archive.read import read_all
from ..archive.store import store_addition, store_archive, store_runs
from ..archive.table import ArchiveError, Table
from ..problem.definition import Problem
from ..run.archive_check import recompute
from ..session.store import SessionStore
from .exit_status import FAILED, OK, Failure
from .headless import agreed_permit
from .terminal import say, warn


def import_archive(
    path: Path,
    sources: Sequence[Path],
    columns: Mapping[str, str],
    value: str | None,
    meaning: Meaning | None,
    sd: str | None,
    *,
    delimiter: str | None = None,
    decimal_comma: bool | None = None,
    inside: str | None = None,
    outputs: Mapping[str, str] | None = None,
    add: bool = False,
    dry: bool = False,
    check: bool = True,
    trust: bool = False,
) -> int:
    """Read, explain, check one row by a simulator run, store; the exit status. Raises ArchiveError or SessionError in words.

    ``outputs``: output -> column, or name of numbered columns. Where some are given, or names suggest them and no log density
    is asked for, the runs are imported by their outputs.
    """
    with SessionStore.open(path, mode="read" if dry else "write") as store:
        problem = store.problem
        table = read_all(
            sources, problem, delimiter=delimiter, decimal_comma=decimal_comma, inside=inside, progress=_progress
        )
        has_runs = add and store.has_imported_runs
        by_value = value is not None or meaning is not None or (add and not has_runs)
        runs = None
        if outputs or has_runs or (not by_value and holds_outputs(table, problem, columns)):
            if add and not has_runs:
                raise Failure("--add takes runs with their outputs only where the analysis started from such runs.")
            runs = _runs(table, problem, columns, outputs or {})
        found = _values(table, problem, columns, value, meaning, sd) if runs is None else runs.imported
        for sentence in found.words():
            say(sentence)
        for c in found.coverage:
            say(f"  {c.name}: {c.low:.6g} to {c.high:.6g} (plausible {c.plausible[0]:.6g} to {c.plausible[1]:.6g})")
        more = None
        if add:
            known = known_of(store)
            more = addition(found, problem, known) if runs is None else more_runs(runs, problem, known)
        for sentence in () if more is None else (more.words()[0], *more.doubts):
            say(sentence)
        if dry or (more is not None and not more.count):
            return OK
        agrees = True
        if check:
            permit = agreed_permit(store, trust)
            agrees, words = recompute(found, problem, permit.folder, permit)
            (say if agrees else warn)(words)
        if not agrees:
            warn("bayescope: nothing was imported. With --no-check it is imported all the same.")
            return FAILED
        _store(store, more, runs, found)
    say(f"Imported into {path}. Next: bayescope run {path} (with --runs 0: no new simulator runs).")
    return OK


def _store(store: SessionStore, more: Addition | None, runs: ImportedRuns | None, found: Imported) -> None:
    if more is not None:
        store_addition(store, more)
    elif runs is not None:
        store_runs(store, runs)
    else:
        store_archive(store, found)


def _values(
    table: Table, problem: Problem, columns: Mapping[str, str], value: str | None, meaning: Meaning | None, sd: str | None
) -> Imported:
    """By their log density. Raises ArchiveError."""
    try:
        mapped = mapping_from_options(table, problem, columns, value, meaning, sd)
    except ArchiveError as error:
        if value is not None or not can_hold_outputs(problem):
            raise
        outputs = " ".join(f"--output {name}=COLUMN" for name in required_outputs(problem))
        raise ArchiveError(error.what, error.where, f"{error.suggestion} If it holds outputs: {outputs}.".strip()) from error
    say("columns: " + ", ".join(f"{p} = {c}" for p, c in mapped.columns.items()))
    say(f"value:   {mapped.value} ({mapped.meaning})" + (f", noise {mapped.sd}" if mapped.sd else ""))
    return interpret(table, problem, mapped)


def _runs(
    table: Table, problem: Problem, columns: Mapping[str, str], outputs: Mapping[str, str]
) -> ImportedRuns:
    """By their outputs. Raises ArchiveError."""
    mapped = outputs_from_options(table, problem, columns, outputs)
    say("columns: " + ", ".join(f"{p} = {c}" for p, c in mapped.columns.items()))
    for name, given in mapped.outputs.items():
        say(f"output:  {name} = {given[0]}" + (f" to {given[-1]} ({len(given):,} columns)" if len(given) > 1 else ""))
    return interpret_outputs(table, problem, mapped)


def _progress(done: int, total: int) -> None:
    if done % 500 == 0 or done == total:
        print(
            f"\rReading run folders: {done:,} of {total:,}",
            end="\n" if done == total else "",
            file=sys.stderr,
            flush=True,
        )
