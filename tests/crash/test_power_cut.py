"""The power goes at every moment of everything that writes sessions: no acknowledged evaluation is lost, no file is damaged.

A real process is recorded once (power_scenario.py under strace, read by power_trace.py). For each moment the folder is put
together as a power cut may leave it (power_disk.py: the model and what it allows), opened, and held against what the process had
promised by then.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import power_disk as disk
import power_scenario as scenario
import power_trace as trace
import pytest

from bayescope.engine.methods.loops import loop_settings
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.run import resume
from bayescope.engine.session.errors import SessionError
from bayescope.engine.session.salvage import salvage
from bayescope.engine.session.store import SessionStore

STAGES = tuple(scenario.STAGES)
pytestmark = pytest.mark.skipif(not trace.can_trace(), reason="needs strace, and the right to trace a process")

Step = Any  # a Call, or what the process promised
IN_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # thousands of folders, flushed again and again
NAMING = frozenset("rename renameat link linkat unlink unlinkat mkdir mkdirat rmdir".split())
QUICK_MOMENTS = 30  # of each stage in the quick test
FINISHED_SHARE = 0.02  # of the folders in which the run is resumed to its end
SALVAGED_SHARE = 0.05  # of the sessions that are also salvaged


@dataclass
class Recording:
    """``root``: where the process worked; ``before``: a copy of what it found there; ``steps`` of each stage."""

    root: Path
    before: Path
    steps: dict[str, list[Step]]

    def disk(self, stage: str) -> Any:
        return disk.Disk(self.root / stage, self.before / stage)


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    folder = tmp_path_factory.mktemp("power")
    root, before = folder / "root", folder / "before"
    scenario.prepare(root)
    shutil.copytree(root, before)
    calls = trace.record(Path(scenario.__file__), [str(root)], folder / "trace", os.environ)
    found = Recording(root, before, {name: [] for name in STAGES})
    steps: list[Step] = []
    for call in calls:
        if call.name == "write" and call.number(0) == 1:
            said = json.loads(call.arguments[1])
            if "stage" in said:
                steps = found.steps.setdefault(said["stage"], [])
            else:
                steps.append(said)
        else:
            steps.append(call)
    return found


@dataclass
class Tally:
    """How many moments, power cuts and different folders were looked at, and what was wrong."""

    moments: int = 0
    cuts: int = 0
    folders: int = 0
    salvaged: int = 0
    finished: int = 0
    wrong: list[str] = field(default_factory=list)


NOTHING_KEPT = ("nothing unsafe kept", disk.Extreme(names=(), sizes=False, data=False))


def cuts(unsafe: int, rng: random.Random, dice: int) -> Iterator[tuple[str, disk.Choice]]:
    """The extreme outcomes where ``unsafe`` changes of names are not safe, and ``dice`` chosen by chance."""
    every = range(unsafe)
    yield NOTHING_KEPT
    yield "all kept", disk.Extreme(names=every, sizes=True, data=True)
    yield "only names kept", disk.Extreme(names=every, sizes=False, data=False)
    yield "only names and sizes kept", disk.Extreme(names=every, sizes=True, data=False)
    yield "names and sizes kept, old blocks for data", disk.Extreme(names=every, sizes=True, data=False, garbage=rng)
    yield "only sizes kept", disk.Extreme(names=(), sizes=True, data=False)
    yield "all but names kept", disk.Extreme(names=(), sizes=True, data=True)
    for k in every:
        yield f"name {k} of {unsafe} lost", disk.Extreme(names=set(every) - {k}, sizes=True, data=True)
        yield f"name {k} of {unsafe} kept alone", disk.Extreme(names={k}, sizes=True, data=True)
    for _ in range(dice):
        yield "by chance", disk.Dice(rng)


def explore(recording: Recording, stage: str, *, moments: int | None, dice: int, seed: int = 1) -> Tally:
    """Cut the power after about so many of the stage's calls (None: all), and after each promise with nothing unsafe kept."""
    rng, tally, seen = random.Random(seed), Tally(), set()
    named, other = shares(recording.steps[stage], moments)
    state, promises = recording.disk(stage), {}
    for number, step in enumerate(recording.steps[stage]):
        if isinstance(step, dict):
            promises[step["promise"]] = step
        elif not state.apply(step):
            continue
        chosen = rng.random() < (named if not isinstance(step, dict) and step.name in NAMING else other)
        if not chosen and not isinstance(step, dict):
            continue
        tally.moments += 1
        for words, choice in cuts(len(state.unsafe), rng, dice) if chosen else [NOTHING_KEPT]:
            tally.cuts += 1
            tree = state.cut(choice)
            key = fingerprint(tree, promises)
            if key in seen:
                continue
            seen.add(key)
            tally.folders += 1
            with tempfile.TemporaryDirectory(prefix="bayescope-power-", dir=IN_MEMORY) as folder:
                disk.materialise(tree, Path(folder))
                for wrong in held_against(Path(folder), promises, rng, tally):
                    tally.wrong.append(f"{stage}, step {number} ({brief(step)}), {words}: {wrong}")
    assert state.live() == disk.on_disk(recording.root / stage), "the model has missed something"
    print(f"power cut, {stage}: {tally.moments} moments, {tally.cuts} cuts, {tally.folders} different folders, "
          f"{tally.salvaged} also salvaged, {tally.finished} runs finished, {len(tally.wrong)} wrong")  # fmt: skip
    return tally


def shares(steps: list[Step], moments: int | None) -> tuple[float, float]:
    """Of the calls that change names, where most can go wrong, and of the others: half of the moments for each."""
    if moments is None:
        return 1.0, 1.0
    naming = sum(not isinstance(s, dict) and s.name in NAMING for s in steps)
    return 0.5 * moments / max(naming, 1), 0.5 * moments / len(steps)


def fingerprint(tree: dict[str, bytes], promises: dict[str, Any]) -> bytes:
    sha = hashlib.sha256(json.dumps(promises).encode())
    for name, content in tree.items():
        sha.update(f"{name} {len(content)} ".encode() + content)
    return sha.digest()


def brief(step: Step) -> str:
    if isinstance(step, dict):
        return f"promise {step['promise']}"
    words = [os.path.basename(os.fsdecode(a))[-40:] if isinstance(a, bytes) else a for a in step.arguments[:2]]
    return f"{step.name} {' '.join(words)}"


def held_against(folder: Path, promises: dict[str, Any], rng: random.Random, tally: Tally) -> Iterator[str]:
    with scenario.at_home(folder):
        for promised in promises.values():
            there = [folder / name for name in promised["in"] if (folder / name).exists()]
            if not there:
                yield f"{' and '.join(promised['in'])}: not there"
            for path in there:
                check = session_wrong if path.suffix == ".bayescope" else file_wrong
                for wrong in check(path, promised, rng, tally):
                    yield f"{path.relative_to(folder)}: {wrong}"


def file_wrong(path: Path, promised: dict[str, Any], rng: random.Random, tally: Tally) -> Iterator[str]:
    if scenario.digest(path.read_bytes()) not in promised["any_of"]:
        yield "does not hold what it should"


def session_wrong(path: Path, promised: dict[str, Any], rng: random.Random, tally: Tally) -> Iterator[str]:
    """It opens, holds what was promised bit for bit, and the run can go on; now and then to its end, or by salvage."""
    if rng.random() < SALVAGED_SHARE:
        tally.salvaged += 1
        new = path.with_name("rescued.bayescope")
        try:
            salvage(path, new)
            if not begins_with(scenario.digests_of(new), promised["any_of"]):
                yield "salvage does not find all evaluations"
        except SessionError as error:
            yield f"not salvaged: {error}"
        new.unlink(missing_ok=True)
    try:
        with SessionStore.open(path, role="engine") as store:
            if not store.writable:
                yield f"cannot be written: {store.read_only_reason}"
            found = scenario.digests(store)
            if not begins_with(found, promised["any_of"]):
                yield f"holds {len(found)} evaluations, promised {promised['any_of']}"
            if len(store.iterations()) < promised.get("iterations", 0) or store.damage:
                yield f"holds {len(store.iterations())} answers; damage {store.damage}"
            if "archive" in promised and (
                store.archive() is None or len(store.archive().values) != promised["archive"]
            ):
                yield "the imported evaluations are lost"
            if store.notes != promised.get("notes", store.notes):
                yield "the notes are lost"
            if promised["promise"] == "run":
                yield from goes_on_wrong(store, rng, tally)
    except SessionError as error:
        yield f"refused: {error}"


def begins_with(found: list[str], any_of: list[list[str]]) -> bool:
    return any(found[: len(wanted)] == wanted for wanted in any_of)


def goes_on_wrong(store: SessionStore, rng: random.Random, tally: Tally) -> Iterator[str]:
    """Resumed; now and then to the end, which must be that of the run that nothing disturbed."""
    problem = store.problem
    settings = loop_settings(problem, ParameterSpace(problem.parameters), problem.settings.max_evaluations, 1)
    resumed = resume.resume(store, scenario.tiny.TinyLoop(settings))
    if resumed.notes:
        yield f"not resumed as it was: {resumed.notes}"
    if rng.random() < FINISHED_SHARE:
        tally.finished += 1
        store.agree(confined=False)  # the place it was recorded in is another
        scenario.carry_on(store, scenario.WHOLE)
        if scenario.digests(store) != whole_run():
            yield "the resumed run is not the undisturbed one"


@cache
def whole_run() -> list[str]:
    """Of the run that nothing disturbed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "whole.bayescope"
        with SessionStore.create(path, scenario.problem(), own=True) as store:
            scenario.carry_on(store, scenario.WHOLE)
            return scenario.digests(store)


@pytest.mark.parametrize("stage", STAGES)
def test_whatever_a_power_cut_leaves_opens_with_all_that_was_acknowledged(recording, stage):
    tally = explore(recording, stage, moments=QUICK_MOMENTS, dice=4)
    assert tally.folders > 10
    assert tally.wrong == []


@pytest.mark.long
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("stage", STAGES)
def test_a_power_cut_after_every_single_system_call(recording, stage):
    tally = explore(recording, stage, moments=None, dice=40, seed=2)
    assert tally.wrong == []
