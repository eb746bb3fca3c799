"""Run with Python: SESSION PLACE DIE WORKERS. The analysis with the tiny loop at a place (empty: this computer).

DIE: STAGE:N, where the process kills itself with SIGKILL the N-th time it comes there: intent (it is in the ledger), sent (the
files are there), submitted (the queue took the job, the ledger does not know), queued (the ledger knows), running, fetched,
recorded (the evaluation is committed), finishing (folders there are about to go).
"""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import sys
from collections import Counter
from pathlib import Path

from bayescope.engine import protocol as p
from bayescope.engine.clusters import place, site
from bayescope.engine.run import analysis
from bayescope.engine.run.control import Control
from bayescope.engine.run.where import site_for
from bayescope.engine.session.ledger import Ledger
from bayescope.engine.session.store import SessionStore

spec = importlib.util.spec_from_file_location("tiny", Path(__file__).parents[1] / "engine" / "run" / "conftest.py")
tiny = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tiny)

path, where, die, workers = sys.argv[1:5]
stage, _, number = die.partition(":")
came = Counter()


def at(name: str) -> None:
    came[name] += 1
    if name == stage and came[name] == int(number or 1):
        os.kill(os.getpid(), signal.SIGKILL)


def after(owner, method: str, name: str, when=lambda *_: True) -> None:
    old = getattr(owner, method)

    def new(self, *arguments, **named):
        found = old(self, *arguments, **named)
        if when(*arguments):
            at(name)
        return found

    setattr(owner, method, new)


def before(owner, method: str, name: str) -> None:
    old = getattr(owner, method)

    def new(self, *arguments, **named):
        at(name)
        return old(self, *arguments, **named)

    setattr(owner, method, new)


after(Ledger, "save", "intent", lambda *records: bool(records) and records[0].state == "intent")
after(place.Place, "send", "sent")
after(place.Place, "submit", "submitted")
after(Ledger, "save", "queued", lambda *records: bool(records) and records[0].state == "queued" and not records[0].ended_at)
after(place.Place, "fetch", "fetched")
after(SessionStore, "add_evaluation", "recorded")
before(place.Place, "remove", "finishing")
said = []


def hear(event) -> None:
    if isinstance(event, p.RunPlaced) and event.stage == "running":
        at("running")
    if isinstance(event, p.Report):
        said.append(event.what)
        print(event.what, file=sys.stderr, flush=True)


control = Control()
signal.signal(signal.SIGTERM, lambda *_: control.leave())
signal.signal(signal.SIGINT, lambda *_: control.stop())
with SessionStore.open(path, role="engine") as store:
    there = site_for(store, where, control, hear)
    if there is not None and "QUEUE_PAUSE" in os.environ:
        there._looker._queue_pause = float(os.environ["QUEUE_PAUSE"])
    run = analysis.Analysis(
        store, control=control, observer=hear, workers=int(workers), site=there, loop_of=lambda m, s: tiny.TinyLoop(s)
    )
    ended = run.run()
print(json.dumps({"outcome": ended.outcome, "words": ended.words, "correct": ended.correct, "said": said}), flush=True)
assert site is not None
