"""Run with Python: all that writes sessions, one stage after another, each in a folder of its own below the first argument.

What the process has promised so far it says on standard output, a JSON line in one write: ``in`` lists the files of which at
least one must be there and all that are there must be good; ``any_of`` what such a file may hold: for sessions the digests of
its first evaluations, in order of arrival; for other files one digest of all bytes.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from pathlib import Path

import msgspec
import numpy as np
import pytest

from bayescope.engine import protocol as p
from bayescope.engine.problem.definition import (
    LastNumber,
    LogLikelihoodOutput,
    Normal,
    Output,
    Parameter,
    Problem,
    Settings,
    Simulator,
)
from bayescope.engine.run.analysis import Analysis
from bayescope.engine.run.control import Control
from bayescope.engine.session import atomic, machine, rows
from bayescope.engine.session.errors import SessionError
from bayescope.engine.session.records import ArchiveRecord, AskRecord, EvaluationRecord
from bayescope.engine.session.salvage import salvage
from bayescope.engine.session.store import SessionStore
from bayescope.engine.simulator.run_result import RunResult

spec = importlib.util.spec_from_file_location("tiny", Path(__file__).parents[1] / "engine" / "run" / "conftest.py")
assert spec is not None
assert spec.loader is not None
tiny = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tiny)

GOLDEN = Path(__file__).parents[1] / "engine" / "session" / "golden" / "format1.bayescope"
FIRST, WHOLE = 10, 13  # evaluations of the first sitting, and of both
STAGES: dict[str, Callable[[Path], None]] = {}


def stage(work: Callable[[Path], None]) -> Callable[[Path], None]:
    STAGES[work.__name__] = work
    return work


# ------------------------------------------------------------------ what both sides use


def problem(name: str = "power") -> Problem:
    return Problem(
        name=name,
        parameters=tuple(Parameter(name=n, prior=Normal(mean=0.0, sd=2.0)) for n in "ab"),
        simulator=Simulator(command=("true", "@a@", "@b@")),
        outputs=(Output(name="logl", source="stdout", extractor=LastNumber()),),
        meaning=LogLikelihoodOutput(output="logl"),
        settings=Settings(max_evaluations=FIRST, workers=1, seed=4),
    )


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def digests(store: SessionStore) -> list[str]:
    """Whose they are, and of each evaluation every bit of its row."""
    return [store.problem.name] + [digest(msgspec.msgpack.encode(rows.evaluation_row(e))) for e in store.evaluations()]


class Inline(Executor):
    """The simulator as a function: no other process, the same every time."""

    def submit(self, work, simulator, outputs, values, **_):  # type: ignore[no-untyped-def, override]
        future: Future[RunResult] = Future()
        value = np.array([-0.5 * (values["a"] ** 2 + (values["b"] - values["a"]) ** 2)])
        future.set_result(RunResult("ok", outputs={"logl": value}, duration_s=0.01, started_at=1.8e9))
        return future


def carry_on(store: SessionStore, evaluations: int, observe: Callable[[p.Event], None] = lambda _: None) -> None:
    """The run of ``store`` up to so many evaluations."""
    loop_of = lambda method, settings: tiny.TinyLoop(settings)  # noqa: E731
    analysis = Analysis(
        store, control=Control(), observer=observe, max_evaluations=evaluations, executor=Inline(), loop_of=loop_of
    )
    ended = analysis.run()
    assert ended.outcome == "budget", ended.words


# ------------------------------------------------------------------ the stages


def say(**what: object) -> None:
    os.write(1, json.dumps(what).encode() + b"\n")


def promise(label: str, where: list[str], any_of: list[object], **more: object) -> None:
    say(promise=label, **{"in": where, "any_of": any_of, **more})


@stage
def run(folder: Path) -> None:
    """A session is made, gets imported evaluations and notes, and is run in two sittings."""
    name = "study.bayescope"
    held = {"iterations": 0}
    with SessionStore.create(folder / name, problem(), own=True) as store:
        promise("run", [name], [["power"]], **held)
        points = np.arange(6.0).reshape(3, 2)
        store.save_archive(ArchiveRecord(("a", "b"), points, points.sum(1), np.zeros(3)))
        promise("run", [name], [["power"]], archive=3, **held)
        store.notes = "kept"
        held |= {"archive": 3, "notes": "kept"}
        promise("run", [name], [["power"]], **held)
    for evaluations in (FIRST, WHOLE):
        with SessionStore.open(folder / name, role="engine") as store:

            def hear(message: p.Event, store: SessionStore = store) -> None:
                if isinstance(message, p.SnapshotReady):
                    held["iterations"] = message.iteration + 1
                if isinstance(message, p.SnapshotReady | p.EvaluationDone):
                    promise("run", [name], [digests(store)], **held)

            carry_on(store, evaluations, hear)


@stage
def migrate(folder: Path) -> None:
    """A session of format 1, left by a crash in mid-write, is opened and goes on."""
    name = "old.bayescope"
    with SessionStore.open(GOLDEN, mode="read") as store:
        promise("migrate", [name], [digests(store)])
    with SessionStore.open(folder / name) as store:
        promise("migrate", [name], [digests(store)])
        promise("original", ["old.format1.bayescope"], [digests(store)])
        add(store, 1)
        promise("migrate", [name], [digests(store)])


@stage
def reopen(folder: Path) -> None:
    """A session left by a crash in mid-write is looked at, then goes on: the unfinished write is taken back first."""
    name = "crashed.bayescope"
    promise("reopen", [name], [digests_of(folder / "untouched.bayescope")])
    with SessionStore.open(folder / name, mode="read") as store:
        promise("reopen", [name], [digests(store)])
    with SessionStore.open(folder / name) as store:
        add(store, 1)
        promise("reopen", [name], [digests(store)])


@stage
def save_as(folder: Path) -> None:
    """A draft is saved (moved), gets another evaluation, and is saved over a session that a crash left in mid-write."""
    from bayescope.gui.analysis import session_files
    from bayescope.gui.analysis.session_file import SessionFile

    file = SessionFile()
    file.write(problem())
    draft = str(file.path.relative_to(folder))
    add(file._store, 4)
    kept = session_files.runs_folder(file.path) / "00001" / "out.txt"
    safely(kept, b"kept run\n")
    known = digests(file._store)
    places = [str(kept.relative_to(folder)), "saved.runs/00001/out.txt"]
    promise("moved", [draft, "saved.bayescope"], [known])
    promise("kept run", places, [digest(b"kept run\n")])
    file.save_as(folder / "saved.bayescope", problem())
    promise("moved", ["saved.bayescope"], [known])
    add(file._store, 1)
    more = digests(file._store)
    promise("moved", ["saved.bayescope"], [more])
    promise("target", ["target.bayescope"], [digests_of(folder / "untouched.bayescope"), more])
    file.save_as(folder / "target.bayescope", problem())
    promise("target", ["target.bayescope"], [more])
    add(file._store, 1)
    promise("target", ["target.bayescope"], [digests(file._store)])
    file.close()


@stage
def copies(folder: Path) -> None:
    """A copy, a session deleted while it is open, a salvaged one."""
    path = folder / "first.bayescope"
    store = SessionStore.create(path, problem(), own=True)
    add(store, 3)
    known = digests(store)
    promise("first", [path.name], [known])
    store.copy_to(folder / "copy.bayescope")
    promise("copy", ["copy.bayescope"], [known])
    salvage(path, folder / "salvaged.bayescope")
    promise("salvaged", ["salvaged.bayescope"], [known])
    promise("first", [path.name, "copy.bayescope"], [known])
    path.unlink()
    try:
        store.notes = "lost"
    except SessionError as error:
        rescued = Path(error.suggestion.removesuffix(".").split(" copied to ")[1])
        promise("rescued", [rescued.name], [known])
    store.close()


@stage
def pages(folder: Path) -> None:
    """A report is written, and written again."""
    old, new = b"old page\n" * 300, b"new page\n" * 200
    atomic.write(folder / "page.html", old)
    promise("page", ["page.html"], [digest(old)])
    promise("page", ["page.html"], [digest(old), digest(new)])
    atomic.write(folder / "page.html", new, replace=True)
    promise("page", ["page.html"], [digest(new)])


def add(store: SessionStore, count: int) -> None:
    """Points asked for and evaluated, each in commits of its own."""
    for _ in range(count):
        n = len(store.asks())
        u = np.array([0.1 * n, -0.3])
        store.add_cycle(asks=[AskRecord(n, u, store.evaluation_count)])
        order = max((e.order for e in store.evaluations()), default=-1) + 1
        store.add_evaluation(
            EvaluationRecord(n, order, u, {"a": 0.1 * n, "b": -0.3}, "ok", -0.5 * n, -1.0, -0.5 * n - 1.0)
        )


def digests_of(path: Path) -> list[str]:
    with SessionStore.open(path, mode="read") as store:
        return digests(store)


def safely(path: Path, content: bytes) -> None:
    """A file that is on disk, folders and all."""
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    for thing in (path, path.parent, path.parent.parent, path.parent.parent.parent):
        descriptor = os.open(thing, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)


# ------------------------------------------------------------------ what is there before


def left_by_a_crash(source: Path, target: Path) -> None:
    """``source`` copied to ``target`` as it is in the middle of a large write: pages changed, the old ones in its journal."""
    busy = target.with_name("busy")
    shutil.copyfile(source, busy)
    connection = sqlite3.connect(busy, isolation_level=None)
    connection.execute("PRAGMA cache_size = 2")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE evaluations SET reason = 'unfinished', ord = ord + 100")
    connection.execute("UPDATE meta SET value = zeroblob(20000) WHERE key = 'problem'")
    connection.execute(
        "UPDATE evaluations SET purpose = hex(zeroblob(20000))"
    )  # more than the cache holds: pages go to disk
    for ending in ("", "-journal"):
        shutil.copyfile(f"{busy}{ending}", f"{target}{ending}")
    connection.execute("ROLLBACK")
    connection.close()
    busy.unlink()
    shutil.copyfile(target, busy)  # without its journal it must be spoilt
    with pytest.raises((SessionError, AssertionError)):
        assert digests_of(busy) == digests_of(source)
    busy.unlink()


@contextmanager
def at_home(folder: Path) -> Iterator[None]:
    """The application's own folder is ``folder/home``."""
    before = os.environ.get("BAYESCOPE_HOME")
    os.environ["BAYESCOPE_HOME"] = str(folder / "home")
    yield
    if before is None:
        del os.environ["BAYESCOPE_HOME"]
    else:
        os.environ["BAYESCOPE_HOME"] = before


def prepare(root: Path) -> None:
    """What each stage finds in its folder; all of it is safe."""
    for name in STAGES:
        (root / name / "home" / "drafts").mkdir(parents=True)
        with at_home(root / name):
            machine.sign(b"")  # makes the key
    left_by_a_crash(GOLDEN, root / "migrate" / "old.bayescope")
    for name, crashed in (("save_as", "target"), ("reopen", "crashed")):
        folder = root / name
        with at_home(folder):
            with SessionStore.create(folder / "untouched.bayescope", problem("another"), own=True) as store:
                add(store, 2)
                store.notes = "long " * 12_000  # pages that the unfinished write does not touch
            left_by_a_crash(store.path, folder / f"{crashed}.bayescope")


if __name__ == "__main__":
    for name, work in STAGES.items():
        say(stage=name)
        with at_home(Path(sys.argv[1]) / name):
            work(Path(sys.argv[1]) / name)
    say(stage="")
