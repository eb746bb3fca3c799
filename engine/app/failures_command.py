"""``bayescope failures``: which runs failed, why, what they share and what may mend it; whose values are taken for lies; where
the time goes; and to have them made again."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..answer.failures.failures import Group, groups_of_store
from ..answer.failures.far_off import FarOff
from ..answer.failures.set_aside import Remade, set_aside, set_aside_of
from ..answer.failures.slow_runs import slow_runs
from ..answer.failures.success_map import beyond_border
from ..problem.command_text import command_text
from ..problem.transforms import ParameterSpace
from ..session.store import SessionStore
from .exit_status import OK, Failure
from .terminal import say

NAMED = 12  # runs named of a group


def print_failures(path: Path) -> int:
    """Print them; the exit status. Raises SessionError."""
    with SessionStore.open(path, mode="read") as store:
        groups, total = groups_of_store(store), store.evaluation_count
        remade = Remade.of(set_aside_of(store), {e.index for e in store.evaluations()})
        wasted, far_off = _wasted(store), _far_off(store)
        slow = slow_runs(store.problem, store.evaluations())
    for words in _made_again(remade, path):
        say(words)
    if not groups:
        say(f"None of the {total} runs failed." if total else "No run was made yet.")
    for group in groups:
        say(f"{group.words} {_named(group)}")
        for mend in group.mends:
            say(f"  {mend.words}: {mend.why}")
    if wasted:
        say(f"{wasted} failed run{'s lie' if wasted > 1 else ' lies'} deeper where runs fail than the border needs: wasted.")
    for index in sorted({int(i) for i in far_off.index}):
        say(f"Run {index}. {far_off.words_of(index)}")
    if slow is not None:
        say(slow.words)
    if groups or far_off.with_fate("left out"):
        say(f"The program was mended? {command_text(['bayescope', 'failures', path, '--again'])}")
    return OK


def make_again(path: Path) -> int:
    """Have the runs that failed or lied made again by the next run of the analysis. Raises Failure where there is none,
    SessionError."""
    with SessionStore.open(path, role="engine") as store:
        if not store.writable:
            raise Failure(f"{store.read_only_reason} This needs to write into it.")
        failed = {e.index for e in store.evaluations() if e.outcome == "failed"}
        count = set_aside(store, failed.union(_far_off(store).with_fate("left out")))
    if not count:
        raise Failure("no run failed, and no value is left out.")
    runs = "The run is" if count == 1 else f"{count} runs are"
    say(f"{runs} made again first: {command_text(['bayescope', 'run', path])}")
    return OK


def _made_again(remade: Remade, path: Path) -> list[str]:
    """How many runs were, each counted once, and how many are still to be."""
    said = [remade.sentence] if remade.done else []
    if remade.waiting:
        wait = "1 run is" if remade.waiting == 1 else f"{remade.waiting} runs are"
        said.append(f"{wait} to be made again: {command_text(['bayescope', 'run', path])}")
    return said


def _far_off(store: SessionStore) -> FarOff:
    last = store.last_iteration()
    return FarOff.of({} if last is None else last.slices)


def _wasted(store: SessionStore) -> int:
    """Failed runs that the border did not need."""
    last, space = store.last_iteration(), ParameterSpace(store.problem.parameters)
    theta = [[e.values[name] for name in space.names] for e in store.evaluations() if e.outcome == "failed"]
    return beyond_border({} if last is None else last.slices, space, np.array(theta).reshape(-1, space.dimension))


def _named(group: Group) -> str:
    more = len(group.indices) - NAMED
    said = ", ".join(map(str, group.indices[:NAMED])) + (f" and {more} more" if more > 0 else "")
    return f"Run{'s' if len(group.indices) > 1 else ''} {said}."
