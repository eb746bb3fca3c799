"""The guardian of an engine that has ended: also a simulator that bears its tag only a moment later is ended."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from bayescope.engine.session import orphans
from engines import tagged_left

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a job object does this work on Windows")


def test_a_simulator_that_was_just_being_started_is_ended_too() -> None:
    engine_id = orphans.new_engine_id()
    environment = {k: v for k, v in os.environ.items() if k != orphans.RUN_VARIABLE}
    late = f"sleep 0.7; {orphans.RUN_VARIABLE}={engine_id}/1 exec sleep 60"
    with subprocess.Popen(["/bin/sh", "-c", late], env=environment, start_new_session=True) as started:
        try:
            told = f"engine {engine_id}\n".encode()
            subprocess.run(orphans.guard_command(), input=told, env=environment, timeout=30, check=True)
            assert tagged_left(engine_id, 0.0) == []
            assert started.wait(5) != 0
        finally:
            started.kill()
