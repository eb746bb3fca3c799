"""The first start with an empty home: window and run open no connection to a network, and the greeting says so."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import power_trace

pytestmark = [
    pytest.mark.window,
    pytest.mark.skipif(not power_trace.can_trace(), reason="needs strace, and the right to trace a process"),
]
ROOT = Path(__file__).resolve().parents[3]
RUNS = 8
LOCAL = {"AF_UNIX"}  # of the file system: the door of the running application


def traced(folder: Path, *command: str) -> tuple[str, set[str]]:
    """What it printed, and the address families of all sockets that it and all that it started opened."""
    home, log = folder / "home", folder / "calls"
    home.mkdir()
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG", "PYTHONPATH", "OMP_NUM_THREADS", "PYENV_ROOT")}
    given = {**kept, "HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    strace = ["strace", "-f", "-qq", "--seccomp-bpf", "-e", "signal=none", "-e", "trace=socket,connect,sendto", "-o", str(log)]
    done = subprocess.run([*strace, *command], cwd=ROOT, env=given, capture_output=True, text=True, timeout=110)
    assert done.returncode == 0, done.stderr
    calls = log.read_text(encoding="utf-8", errors="replace")
    return done.stdout, set(re.findall(r"socket\((\w+)", calls)) | set(re.findall(r"sa_family=(\w+)", calls))


@pytest.mark.journeys
def test_window_and_run_open_no_network_socket_and_the_greeting_says_so(tmp_path: Path) -> None:
    said, families = traced(tmp_path, sys.executable, "-m", "tests.support.first_start", str(RUNS))
    assert "works without a network and sends nothing by itself" in said
    assert f"{RUNS} runs" in said
    assert families == LOCAL


@pytest.mark.journeys
def test_the_command_line_opens_no_network_socket(tmp_path: Path) -> None:
    bayescope = [sys.executable, "-P", "-m", "bayescope.gui"]
    script = '"$@" example contamination "$HOME/e.bayescope" && "$@" run "$HOME/e.bayescope" --runs 4'
    _, families = traced(tmp_path, "sh", "-c", script, "sh", *bayescope)
    assert families <= LOCAL


def test_a_socket_of_the_network_would_be_found(tmp_path: Path) -> None:
    _, families = traced(tmp_path, sys.executable, "-c", "import socket; socket.socket(socket.AF_INET6)")
    assert "AF_INET6" in families
