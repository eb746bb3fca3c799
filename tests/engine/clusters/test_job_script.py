"""The script of a job, run here by sh: what only shows on computers that are set up in other ways."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import msgspec
import pytest

from bayescope.engine.clusters.job_script import MISSING, SETUP_FAILED, Watched, job_script, program_script
from bayescope.engine.clusters.place import Ended
from bayescope.engine.simulator.run_folder import STDERR, STDOUT


def ran(
    folder: Path, program: tuple[str, ...], setup: tuple[str, ...] = (), output_mb: float = 1.0, limit_s: float = 20.0
) -> dict[str, object]:
    """What exit.json says; ``folder`` is the user's home, too."""
    job, login = folder / "job", bool(setup)
    job.mkdir()
    (job / "program.sh").write_text(program_script(program, {}, setup, login))
    watched = Watched(limit_s, None, output_mb, 100.0)
    (job / "job.sh").write_text(job_script([], str(job), [], [], [STDOUT], watched, has_stdin=False, login=login))
    said = subprocess.run(
        ["sh", job / "job.sh"], env={**os.environ, "HOME": str(folder)}, capture_output=True, text=True, check=False, timeout=60
    )
    assert said.stdout == ""
    assert said.stderr in ("", "Terminated\n")
    return dict(json.loads((job / "exit.json").read_text()))


def test_what_start_up_files_and_set_up_lines_print_is_no_output_of_the_program(tmp_path: Path) -> None:
    (tmp_path / ".bashrc").write_text("echo 'Welcome, 3 users: 17'\necho 'motd: quota 95' >&2\n")
    (tmp_path / ".bash_profile").write_text(". ~/.bashrc\n")
    found = ran(tmp_path, ("sh", "-c", "echo $GREETING; echo 5 >&2"), ("echo Loading gcc/12", "export GREETING=1.5"))
    assert found["code"] == 0
    assert (tmp_path / "job" / "run" / STDOUT).read_text() == "1.5\n"
    assert (tmp_path / "job" / "run" / STDERR).read_text().endswith("5\n")
    assert (tmp_path / "job" / "greetings.txt").read_text() == "Welcome, 3 users: 17\nLoading gcc/12\n"


def test_a_program_that_prints_too_much_is_ended_and_the_stream_is_named(tmp_path: Path) -> None:
    found = ran(tmp_path, ("sh", "-c", "echo 1; yes >&2"), output_mb=0.1)
    assert found["why"] == f"output {STDERR}"
    assert (tmp_path / "job" / "run" / STDERR).stat().st_size == 100_000


@pytest.mark.parametrize(
    ("line", "code", "why"),
    [
        ("cd /", 0, ""),  # the program starts in its run folder all the same
        ("set -e", 0, ""),
        ("exec >/dev/null", 0, ""),
        ("exit 0", 0, SETUP_FAILED),
        ("exec true", 0, SETUP_FAILED),
        ('echo "abc', 120, SETUP_FAILED),
        ("if true; then", 120, SETUP_FAILED),
        ("set -u; echo $NOPE", 127, SETUP_FAILED),
        ("PATH=/nowhere", 127, MISSING),
    ],
)
def test_a_set_up_line_that_is_wrong_is_what_is_told(tmp_path: Path, line: str, code: int, why: str) -> None:
    found = ran(tmp_path, ("sh", "-c", "pwd"), (line,))
    assert found["why"] == why
    assert why == "" or line.startswith("set -u") or found["code"] == code
    printed = (tmp_path / "job" / "run" / STDOUT).read_text()
    assert printed == ("" if why else f"{tmp_path}/job/run\n")
    if code == 120:
        assert f"The set-up line “{line}” failed." in (tmp_path / "job" / "run" / STDERR).read_text()


def test_set_up_lines_count_neither_as_time_of_the_program_nor_towards_its_limit(tmp_path: Path) -> None:
    found = ran(tmp_path, ("true",), ("sleep 1.5",), limit_s=1.0)
    assert (found["code"], found["why"]) == (0, "")
    ended = msgspec.convert(found, Ended)
    assert ended.set_up >= 1500
    assert ended.program_s <= ended.ms / 1000.0 - 1.5
    (tmp_path / "more").mkdir()
    assert ran(tmp_path / "more", ("sleep", "20"), ("sleep 0.1",), limit_s=0.5)["why"] == "time"
