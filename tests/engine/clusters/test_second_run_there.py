"""The second run of the first point at another place, to see whether the program is random: left, collected, not waited for."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from bayescope.engine.problem.definition import Problem
from bayescope.engine.session.attempts import is_second_run
from bayescope.engine.session.ledger import Ledger
from bayescope.engine.session.store import SessionStore
from clusters import Engine, Sshd, add_place, counted, make, told_problem

SLOW_AGAIN = """
import os, sys, time
a, b = float(sys.argv[1]), float(sys.argv[2])
me, path = f"{a!r} {b!r}", os.environ["STARTS"]
again = os.path.exists(path) and me in open(path).read().splitlines()
with open(path, "a") as file:
    file.write(me + "\\n")
time.sleep(1.5 if again else 0.0)
print(repr(-0.5 * ((a - 1.2) / 0.3) ** 2 - 0.5 * ((b - a) / 0.5) ** 2))
"""


def slow_again(starts: Path, evaluations: int) -> Problem:
    """Its second run takes long, its first ones nothing."""
    problem = told_problem(starts, 0.0, evaluations)
    command = (sys.executable, "-I", "-S", "-c", SLOW_AGAIN, "@a@", "@b@")
    return msgspec.structs.replace(problem, simulator=msgspec.structs.replace(problem.simulator, command=command))


def _wait(starts: Path, when: Callable[[list[str]], bool], engine: Engine) -> None:
    while not starts.exists() or not when(starts.read_text().splitlines()):
        time.sleep(0.02)
        assert engine.process.poll() is None


@pytest.mark.long
def test_who_leaves_while_the_first_point_is_run_again_lets_that_job_go_on_and_collects_it_later(
    sshd: Sshd, tmp_path: Path
) -> None:
    place, starts = add_place(tmp_path / "there", host="far", queue=""), tmp_path / "starts"
    path = make(tmp_path / "far.bayescope", slow_again(starts, 3))
    engine = Engine(path, place)
    _wait(starts, lambda lines: len(set(lines)) < len(lines), engine)
    engine.process.send_signal(signal.SIGTERM)  # as the window does when it closes
    assert engine.wait() == 0
    with SessionStore.open(path, mode="read") as store:
        (again,) = [a for a in Ledger(store).find() if is_second_run(a)]
    assert again.state == "queued"
    assert not list((tmp_path / "there").glob("*/cancel"))
    assert Engine(path, place).wait() == 0
    found = counted(path, starts)
    assert found["results"] == 3
    assert sum(found["starts"].values()) == 4, "each point once, and the first a second time"
    assert {a.state for a in found["attempts"]} == {"cleared"}


@pytest.mark.parametrize("at_once", [4])
def test_further_points_of_the_design_run_beside_the_second_run_and_count_when_it_is_judged(
    sshd: Sshd, tmp_path: Path, at_once: int
) -> None:
    place, starts = add_place(tmp_path / "there", host="far", queue="", at_once=at_once), tmp_path / "starts"
    path = make(tmp_path / "far.bayescope", slow_again(starts, 8))
    engine = Engine(path, place, workers=at_once)
    _wait(starts, lambda lines: len(set(lines)) == 8, engine)
    with SessionStore.open(path, mode="read") as store:
        assert store.evaluation_count == 0, "all wait for the second run"
    assert engine.wait() == 0
    found = counted(path, starts)
    assert found["results"] == 8
    assert sum(found["starts"].values()) == 9
