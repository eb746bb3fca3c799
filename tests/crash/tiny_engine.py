"""Run with Python: analyses with the tiny loop, each in a process forked from this one, so that a start costs milliseconds.

Asked on the socket whose descriptor is the first argument: a JSON list, the session's path and its options, with two
descriptors to write to; answered with the process id. The engine says ``ACK INDEX`` after each announced evaluation.

``--die-at N``: kill this process with SIGKILL just before its N-th SQL statement, so inside every step of every write.
``--limit BYTES``: no file may grow beyond this (a full disk). ``--hold FILE``: after evaluation 3 wait until
there is FILE. ``--plain 1``: permissions count even for root. ``--patient 1``: a session that cannot be written is waited for.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import signal
import socket
import sys
import time
import traceback
from pathlib import Path

import scipy.linalg
import scipy.special
import scipy.stats  # noqa: F401  # imported once, here, not in each engine

from bayescope.engine import protocol as p
from bayescope.engine.run import analysis, durable
from bayescope.engine.run.control import Control
from bayescope.engine.session.store import SessionStore

spec = importlib.util.spec_from_file_location("tiny", Path(__file__).parents[1] / "engine" / "run" / "conftest.py")
tiny = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tiny)


def drop_privileges() -> None:
    """Give up all capabilities (Linux), so that a folder without write permission cannot be written by root either."""
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    assert ctypes.CDLL(None).capset(header, (ctypes.c_uint32 * 6)()) == 0


def run(path: str, *arguments: str) -> None:
    options = dict(zip(arguments[::2], arguments[1::2], strict=True))
    statements = 0

    def counting(_: str) -> None:
        nonlocal statements
        statements += 1
        if statements == int(options.get("--die-at", -1)):
            os.kill(os.getpid(), signal.SIGKILL)

    def hear(message) -> None:
        if isinstance(message, p.EvaluationDone):
            os.write(1, f"ACK {message.index}\n".encode())  # one write: killed before it or after it, never half-way
            if message.index == 3 and "--hold" in options:
                while not Path(options["--hold"]).exists():
                    time.sleep(0.01)
        elif isinstance(message, p.Report):
            os.write(1, f"REPORT {message.what} {message.suggestion}\n".encode())
            if "--patient" not in options and message.level == "error":
                control.stop()

    if "--plain" in options:
        drop_privileges()
    durable.SAVE_RETRY_SECONDS = 0.05
    control = Control()
    with SessionStore.open(path, role="engine") as store:
        if "--limit" in options:
            import resource

            resource.setrlimit(resource.RLIMIT_FSIZE, (int(options["--limit"]), resource.RLIM_INFINITY))
        store._connection.set_trace_callback(counting)
        loop_of = lambda method, settings: tiny.TinyLoop(settings)  # noqa: E731
        ended = analysis.Analysis(store, control=control, observer=hear, loop_of=loop_of).run()
        os.write(1, f"END {ended.outcome} {ended.words}\n".encode())
    os.write(1, f"STATEMENTS {statements}\n".encode())


def engine(arguments: list[str], descriptors: list[int]) -> None:
    """The forked process; never returns."""
    os.setpgid(0, 0)
    os.dup2(descriptors[0], 1)
    os.dup2(descriptors[1], 2)
    for descriptor in descriptors:
        os.close(descriptor)
    status = 1
    try:
        run(*arguments)
        status = 0
    except BaseException:
        os.write(2, traceback.format_exc().encode())
    os._exit(status)


def serve(channel: socket.socket) -> None:
    while True:
        asked, descriptors, *_ = socket.recv_fds(channel, 65536, 2)
        if not asked:
            return
        pid = os.fork()
        if pid == 0:
            channel.close()
            engine(json.loads(asked), descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        channel.sendall(f"{pid}\n".encode())
        _, status = os.waitpid(pid, 0)
        channel.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
