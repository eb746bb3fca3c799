"""A stranger with a key of their own, a victim's file, and a program that leaves a trace when it is run."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

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
from bayescope.engine.session import orphans
from bayescope.engine.session.store import SessionStore
from engines import Engine

SECRET = "the victim's only copy\n" * 40


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own key and drafts."""
    folder = tmp_path / "own home"
    folder.mkdir()
    monkeypatch.setenv("BAYESCOPE_HOME", str(folder))
    return folder


@pytest.fixture
def as_stranger(tmp_path: Path, home: Path) -> Callable[[], Any]:
    """A block in which this computer is somebody else's."""

    @contextmanager
    def other() -> Iterator[None]:
        os.environ["BAYESCOPE_HOME"] = str(tmp_path / "strangers home")
        try:
            yield
        finally:
            os.environ["BAYESCOPE_HOME"] = str(home)

    return other


@pytest.fixture
def victim(tmp_path: Path) -> Iterator[Path]:
    """A file outside of every session's folder that nothing may touch."""
    folder = tmp_path / "documents"
    folder.mkdir()
    path = folder / "thesis.txt"
    path.write_text(SECRET)
    before = path.stat()
    yield path
    assert sorted(p.name for p in folder.iterdir()) == ["thesis.txt"], "something was written beside the victim"
    assert path.read_text() == SECRET, "the victim was changed"
    assert path.stat().st_ino == before.st_ino, "the victim was replaced"


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """Exists once the stranger's program was run."""
    return tmp_path / "it ran"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the stranger's files arrived."""
    path = tmp_path / "downloads"
    path.mkdir()
    return path


@pytest.fixture
def problem(folder: Path, trace: Path) -> Problem:
    """Runs ``model.py`` beside the session, which leaves the trace."""
    (folder / "model.py").write_text(
        f"import sys\nopen({str(trace)!r}, 'a').write('x')\nprint(-0.5 * float(sys.argv[1]) ** 2)\n"
    )
    return Problem(
        name="harmless",
        parameters=(Parameter(name="a", prior=Normal(mean=0.0, sd=1.0)),),
        simulator=Simulator(command=(sys.executable, "-I", "model.py", "@a@")),
        outputs=(Output(name="logl", source="stdout", extractor=LastNumber()),),
        meaning=LogLikelihoodOutput(output="logl"),
        settings=Settings(max_evaluations=4, workers=1),
    )


@pytest.fixture
def strangers(folder: Path, problem: Problem, as_stranger: Callable[[], Any]) -> Path:
    """A session made by the stranger, for whom it is trusted."""
    path = folder / "study.bayescope"
    with as_stranger():
        SessionStore.create(path, problem, own=True).close()
    return path


@pytest.fixture
def own(folder: Path, problem: Problem) -> Path:
    """A session that the user declared here."""
    path = folder / "mine.bayescope"
    SessionStore.create(path, problem, own=True).close()
    return path


def with_simulator(problem: Problem, **changes: Any) -> Problem:
    return msgspec.structs.replace(problem, simulator=msgspec.structs.replace(problem.simulator, **changes))


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Callable[..., subprocess.CompletedProcess[str]]:
    """``bayescope`` in a terminal that nobody sits at (in this process: its programs are real ones)."""
    from bayescope.engine.app.cli import main

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        words, out, err = [str(a) for a in arguments], io.StringIO(), io.StringIO()
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(words)
        return subprocess.CompletedProcess(words, status, out.getvalue(), err.getvalue())

    return run


@pytest.fixture
def engine(home: Path) -> Iterator[Engine]:
    started = Engine(home)
    yield started
    started.process.kill()
    started.process.wait()
    orphans.end_tagged(started.id)
