"""A home for the engines, and a process that forks them."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

spec = importlib.util.spec_from_file_location("crash_kit", Path(__file__).with_name("kit.py"))
kit = importlib.util.module_from_spec(spec)
sys.modules["crash_kit"] = kit
spec.loader.exec_module(kit)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture(autouse=True)
def _home(home, monkeypatch):
    monkeypatch.setenv("BAYESCOPE_HOME", str(home))  # the engines' too: both sign commands with one key


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    """The engines' folder for temporary files."""
    return tmp_path_factory.mktemp("scratch")


@pytest.fixture(scope="module")
def server(home, scratch):
    """Forks engines on request; see tiny_engine.py."""
    ours, theirs = socket.socketpair()
    environment = {**os.environ, "BAYESCOPE_HOME": str(home), "OMP_NUM_THREADS": "1", "TMPDIR": str(scratch)}
    command = [sys.executable, str(kit.SCRIPT), str(theirs.fileno())]
    process = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=environment)
    theirs.close()
    ours.settimeout(60)
    yield ours
    ours.close()
    process.wait(10)


@pytest.fixture
def engine(server):
    """Starts an engine on a session."""
    return lambda path, *options: kit.Engine(server, [str(path), *options])
