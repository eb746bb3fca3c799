"""The same simulator description at another place as here: files, limits, failure rules, freshness. One real sshd, no queue."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bayescope.engine import protocol
from bayescope.engine.clusters.keeping import fetch_kept
from bayescope.engine.clusters.place import Place
from bayescope.engine.clusters.site import Site
from bayescope.engine.problem.definition import (
    ExtraFile,
    FailurePattern,
    FailureRules,
    LabelledNumber,
    LastNumber,
    Limits,
    Output,
    Simulator,
    TemplateFile,
)
from bayescope.engine.session.ledger import Ledger
from bayescope.engine.session.profiles import Profile
from bayescope.engine.session.store import SessionStore
from bayescope.engine.session.trust.consent import permit_for, sign
from bayescope.engine.simulator.run_result import RunResult
from bayescope.engine.simulator.runner import run_once
from clusters import Sshd, make, told_problem

VALUE = (Output(name="y", source="stdout", extractor=LastNumber()),)
ERROR = FailureRules(patterns=(FailurePattern(source="stdout", pattern="ERROR"),))
Run = Callable[..., RunResult]


@pytest.fixture(params=["shared"])
def run(request: pytest.FixtureRequest, sshd: Sshd, tmp_path: Path) -> Iterator[Run]:
    """``run(simulator, outputs)`` at a = 0.1 over SSH; ``here=True``: on this computer."""
    profile = Profile(name="box", host=request.param, queue="", folder=str(tmp_path / "dort drüben"))
    said: list[protocol.Event] = []
    with SessionStore.open(make(tmp_path / "s.bayescope", told_problem(tmp_path / "starts"))) as store:
        site = Site(Place(profile), Ledger(store), said.append, threading.Event(), threading.Event(), 0.3)
        site.open()
        number = 0

        def work(simulator: Simulator, outputs: tuple[Output, ...] = VALUE, here: bool = False, **named: object) -> RunResult:
            nonlocal number
            number += 1
            permit = permit_for(sign(simulator, tmp_path), simulator, tmp_path)
            attempt = None if here else site.attempt(number)
            return run_once(
                simulator, outputs, {"a": 0.1}, permit=permit, folder=tmp_path / "s.runs" / f"{number:05d}", base=tmp_path,
                seed=7, attempt=attempt, **named,
            )  # fmt: skip

        yield work
        site.close()


def python(code: str, *arguments: str, **named: object) -> Simulator:
    return Simulator(command=(sys.executable, "-I", "-S", "-c", code, *arguments), **named)


def alike(run: Run, simulator: Simulator, outputs: tuple[Output, ...] = VALUE) -> RunResult:
    """The result there, which is that of this computer."""
    here, there = run(simulator, outputs, here=True), run(simulator, outputs)
    assert there.reason == here.reason
    assert (there.outcome, there.cause, there.exit_code) == (here.outcome, here.cause, here.exit_code)
    assert {n: v.tolist() for n, v in there.outputs.items()} == {n: v.tolist() for n, v in here.outputs.items()}
    assert (there.stdout_tail, there.stderr_tail) == (here.stdout_tail, here.stderr_tail)
    assert there.files.keys() == here.files.keys()
    return there


def test_values_reach_the_program_in_every_way_and_files_with_awkward_names_come_along(run: Run, tmp_path: Path) -> None:
    (tmp_path / "data ä").mkdir()
    (tmp_path / "data ä" / "x 1.txt").write_text("3\n")
    (tmp_path / "own.py").write_text("k = 5\n")
    script = tmp_path / "model x.py"
    script.write_text(
        "import os, sys, own\n"
        "t = open('in put.txt').read(); d = open('data ä/x 1.txt').read(); s = sys.stdin.read()\n"
        "print(repr(float(t) + float(d) + float(s) + float(os.environ['A']) + own.k + float(sys.argv[1])))\n"
        "open('out put.txt', 'w').write('y = 4.5\\n')\n"
    )
    simulator = Simulator(
        command=("python3", "model x.py", "@a@"), templates=(TemplateFile(target="in put.txt", text="@a@"),), stdin="@a@\n",
        environment={"A": "@a@", "Q": "it's $HOME `x`"}, extra_files=(ExtraFile(path="data ä"), ExtraFile(path="own.py")),
    )  # fmt: skip
    outputs = (*VALUE, Output(name="z", source="out put.txt", extractor=LabelledNumber(label="y")))
    found = run(simulator, outputs)
    assert found.outcome == "ok", found
    assert found.outputs["y"].tolist() == [0.1 + 3 + 0.1 + 0.1 + 5 + 0.1]
    assert found.outputs["z"].tolist() == [4.5]


def test_a_filled_script_is_started_by_its_own_name(run: Run) -> None:
    script = TemplateFile(target="bin/go.sh", text="#!/bin/sh\necho @a@\n")
    found = run(Simulator(command=("sh", "-c", "./bin/go.sh"), templates=(script,)), VALUE)
    assert found.outcome == "ok", found
    assert found.outputs["y"].tolist() == [0.1]


@pytest.mark.parametrize(
    "simulator",
    [
        python("import sys; print('half', file=sys.stderr); sys.exit(3)"),
        python("import os, signal; print(1); os.kill(os.getpid(), signal.SIGSEGV)"),
        python("print('nothing to see')"),
        python("print('nan')"),
        python("print('ERROR 12'); print(3)", failures=ERROR),
        python("import time; print(2, flush=True); time.sleep(60)", limits=Limits(time_s=0.5)),
        python("import time\nx = bytearray(300_000_000)\ntime.sleep(60)", limits=Limits(memory_mb=150.0)),
        python("print('7' * 3_000_000, flush=True); import time; time.sleep(20)", limits=Limits(output_mb=1.0)),
    ],
    ids=["exit status", "signal", "no number", "nan", "pattern", "time", "memory", "output"],
)
def test_a_run_that_fails_fails_with_the_words_of_this_computer(run: Run, simulator: Simulator) -> None:
    here, there = run(simulator, here=True), run(simulator)
    cut = "because it used" if "because it used" in here.reason else here.reason
    assert cut in there.reason
    assert (there.outcome, there.cause) == (here.outcome, here.cause) == ("failed", here.cause)


def test_an_output_that_was_there_before_is_no_result_but_rows_added_to_it_are(run: Run, tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_text("y = 1\n")
    outputs = (Output(name="z", source="old.txt", extractor=LabelledNumber(label="y", occurrence=1)),)
    extra = (ExtraFile(path="old.txt"),)
    old = alike(run, python("pass", extra_files=extra), outputs)
    assert "old one" in old.reason
    added = alike(run, python("open('old.txt', 'a').write('y = 2\\n')", extra_files=extra), outputs)
    assert added.outputs["z"].tolist() == [2.0]
    alike(run, python("open('old.txt', 'w').write('y = 1\\n')", extra_files=extra), outputs)
    copied = python("import shutil; shutil.copy2('old.txt', 'new.txt')", extra_files=extra)
    os.utime(tmp_path / "old.txt", (1e9, 1e9))
    assert "older result" in run(copied, (Output(name="z", source="new.txt", extractor=LabelledNumber(label="y")),)).reason


def test_ten_megabytes_of_output_come_back_whole(run: Run) -> None:
    found = run(python("for i in range(1000): print('x' * 10_000, i)"))
    assert found.outcome == "ok", found.reason
    assert found.outputs["y"].tolist() == [999]


def test_what_cannot_run_there_is_refused_with_the_reason(run: Run, tmp_path: Path) -> None:
    fixed = run(python("print(1)", working_folder=str(tmp_path)))
    assert (fixed.cause, "fixed working folder" in fixed.reason) == ("refused", True)
    missing = run(Simulator(command=("no-such-program-anywhere",)))
    assert (missing.cause, missing.refused_by) == ("refused", "program")
    assert "no program “no-such-program-anywhere” on “shared”" in missing.reason
    (tmp_path / "prog").write_bytes(b"\x7fELF\x01\x01\x01" + b"\0" * 60)
    (tmp_path / "prog").chmod(0o755)
    assert run(Simulator(command=("./prog",))).refused_by == "program"


def test_a_folder_there_that_takes_nothing_any_more_is_to_be_corrected_and_no_point_is_to_blame(run: Run, tmp_path: Path) -> None:
    assert run(python("print(1)")).outcome == "ok"
    there = tmp_path / "dort drüben"
    there.rename(tmp_path / "moved")
    there.write_text("a file in place of the folder")
    (tmp_path / "more.txt").write_text("x")
    for simulator in (python("print(1)"), python("print(1)", extra_files=(ExtraFile(path="more.txt"),))):
        found = run(simulator)
        assert (found.cause, found.refused_by) == ("refused", "queue"), found.reason
        assert "dort drüben" in found.reason or "more.txt" in found.reason
        assert "Is there room" in found.reason
        assert "\n" not in found.reason


def test_extra_files_are_sent_once_and_kept_folders_come_back(run: Run, tmp_path: Path) -> None:
    (tmp_path / "big.bin").write_bytes(os.urandom(2_000_000))
    simulator = python("open('more.txt', 'w').write('m'); print(1)", extra_files=(ExtraFile(path="big.bin"),), keep_runs="all")
    for _ in range(2):
        assert run(simulator).outcome == "ok"
    assert len(list((tmp_path / "dort drüben" / "files").iterdir())) == 1
    assert (tmp_path / "s.runs" / "00002" / "more.txt").read_text() == "m"
    assert (tmp_path / "s.runs" / "00002" / "big.bin").stat().st_size == 2_000_000


def test_a_random_program_gets_the_seed_and_a_retry_another_one(run: Run) -> None:
    code = "import sys; print(sys.argv[1]); sys.exit(int(sys.argv[1]) == 7)"
    simulator = python(code, "@seed@", failures=FailureRules(retries=1))
    found = run(simulator)
    assert (found.outcome, found.attempts, found.outputs["y"].tolist()) == ("ok", 2, [1_000_010.0])


def test_a_large_folder_that_is_kept_stays_there_until_somebody_asks_for_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bayescope.engine.clusters.keeping.FETCHED_AT_ONCE_MB", 0.1)
    code = "open('big ä.bin', 'wb').write(b'x' * 300_000); print(1)"
    assert run(python(code, keep_runs="all")).outcome == "ok"
    folder = tmp_path / "s.runs" / "00001"
    assert not (folder / "big ä.bin").exists()
    assert "shared:" in (folder / "bayescope_where.txt").read_text()
    token = next(f.name for f in (tmp_path / "dort drüben").iterdir() if f.name.startswith("bs"))
    place = Place(Profile(name="box", host="shared", queue="", folder=str(tmp_path / "dort drüben")))
    fetch_kept(place, token, folder)
    place.close()
    assert (folder / "big ä.bin").stat().st_size == 300_000
    assert not (folder / "bayescope_where.txt").exists()
