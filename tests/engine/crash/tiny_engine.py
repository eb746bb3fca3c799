"""Run with Python: an analysis of SESSION with the tiny loop; says ``ACK INDEX`` after each announced evaluation.

``--die-at N``: kill this process with SIGKILL just before its N-th SQL statement, so inside every step of every write.
``--count``: say how many statements there were. ``--limit BYTES``: no file may grow beyond this (a full disk).
"""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
from pathlib import Path

from bayescope.engine import protocol as p
from bayescope.engine.inference import analysis, collector
from bayescope.engine.inference.control import Control
from bayescope.engine.session.store import SessionStore

spec = importlib.util.spec_from_file_location("tiny", Path(__file__).parents[1] / "analysis" / "conftest.py")
tiny = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tiny)
arguments = sys.argv[2:]
options = dict(zip(arguments[::2], arguments[1::2], strict=True))
statements = 0


def counting(_: str) -> None:
    global statements
    statements += 1
    if statements == int(options.get("--die-at", -1)):
        os.kill(os.getpid(), signal.SIGKILL)


def hear(message) -> None:
    if isinstance(message, p.EvaluationDone):
        os.write(1, f"ACK {message.index}\n".encode())  # one write: killed before it or after it, never half-way
    elif isinstance(message, p.Report):
        print("REPORT", message.what, flush=True)
        if "--limit" in options:
            control.stop()


collector.SAVE_RETRY_SECONDS = 0.05
control = Control()
with SessionStore.open(sys.argv[1], role="engine") as store:
    if "--limit" in options:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (int(options["--limit"]), resource.RLIM_INFINITY))
    store._connection.set_trace_callback(counting)
    loop_of = lambda method, settings: tiny.TinyLoop(settings)  # noqa: E731
    ended = analysis.Analysis(store, control=control, observer=hear, loop_of=loop_of).run()
    print("END", ended.outcome, flush=True)
print("STATEMENTS", statements, flush=True)
