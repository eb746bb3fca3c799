"""Session files as a stranger would craft them, checksums right: opened, read, exported, recovered; nothing else is touched.

Each file is made of several nasty parts chosen by its number. What must not change is compared by a snapshot of everything
outside the session's own folder: names, kinds, contents, inodes.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import shutil
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from bayescope.engine.problem.definition import Problem
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.report import export
from bayescope.engine.report.report import export_report
from bayescope.engine.report.report_repeatability import repeatability
from bayescope.engine.report.support import export_support_bundle
from bayescope.engine.run.replay_choice import choose
from bayescope.engine.run.replay_verdict import Noise, verdicts
from bayescope.engine.session import codec, rows
from bayescope.engine.session.errors import SessionError
from bayescope.engine.session.records import ArchiveRecord, AskRecord, EvaluationRecord, IterationRecord
from bayescope.engine.session.salvage import salvage
from bayescope.engine.session.store import SessionStore
from bayescope.engine.session.trust.consent import NotAgreed
from bayescope.engine.session.trust.sheet import sheet_of
from bayescope.gui.analysis.run_data import RunData
from bayescope.gui.analysis.session_file import SessionFile
from bayescope.gui.analysis.session_files import kept_run_folder
from journals import hot_journal

pytestmark = pytest.mark.attack("crafted")
Rng = random.Random
TEXTS = [
    "",
    "..",
    "../../documents/thesis.txt",
    "/etc/passwd",
    "~/.ssh/id_rsa",
    "$(touch x)",
    "`id`",
    "%s%n",
    "\x1b[2J",
    "\u202ex",
    "x" * 5000,
    "a/b",
    "C:\\x",
    "nul",
    "-rf",
    "@a@",
    "@run_folder@/../../x",
    "=cmd()",
    "<script>",
    "\n\n",
    "{0}",
    "é",
    "☃",
]
NUMBERS = [0.0, -0.0, 1e308, -1e308, 5e-324, 1e-300, -1.0, 3.0]


def snapshot(folder: Path, but: Path) -> dict[str, tuple[object, ...]]:
    """Everything below ``folder`` that is not in ``but``."""
    found: dict[str, tuple[object, ...]] = {}
    for current, folders, names in os.walk(folder):
        folders[:] = [f for f in folders if Path(current, f) != but]
        for name in [*folders, *names]:
            path = Path(current, name)
            status = path.lstat()
            content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() and not path.is_symlink() else ""
            found[str(path)] = (status.st_mode, status.st_ino, status.st_nlink, content)
    return found


# ------------------------------------------------------------------ nasty parts


def nasty_simulator(rng: Rng, problem: dict[str, Any]) -> None:
    t = rng.choice
    problem["simulator"] = {
        "command": [
            t(["sh", "rm", t(TEXTS), sys.executable, "bayescope:contamination"]),
            *(t(TEXTS) for _ in range(rng.randrange(4))),
        ],
        "templates": [{"target": t(TEXTS), "text": t(TEXTS)} for _ in range(rng.randrange(3))],
        "environment": {t(["LD_PRELOAD", "PATH", "X", t(TEXTS)]): t(TEXTS)},
        "extra_files": [
            {"path": t(TEXTS), "target": t(TEXTS), "link": t([True, False])} for _ in range(rng.randrange(3))
        ],
        **({"stdin": t(TEXTS)} if t([True, False]) else {}),
        **({"working_folder": t(TEXTS)} if t([True, False]) else {}),
        "keep_runs": t(["all", "none", "failures"]),
    }


def nasty_names(rng: Rng, problem: dict[str, Any]) -> None:
    problem["name"], problem["description"] = rng.choice(TEXTS), rng.choice(TEXTS)
    for parameter in problem["parameters"]:
        parameter["label"], parameter["unit"] = rng.choice(TEXTS), rng.choice(TEXTS)


def nasty_outputs(rng: Rng, problem: dict[str, Any]) -> None:
    for output in problem["outputs"]:
        output["source"] = rng.choice([*TEXTS, "stdout", "/dev/zero", "/dev/stdin"])
        output["extractor"] = rng.choice(
            [
                {"kind": "regex", "pattern": "(a+)+$"},
                {"kind": "json", "path": "." * 500},
                {"kind": "labelled", "label": rng.choice(TEXTS)},
                {"kind": "csv", "column": rng.choice(TEXTS)},
                {"kind": "last_number"},
            ]
        )


def nasty_priors(rng: Rng, problem: dict[str, Any]) -> None:
    a, b = rng.choice(NUMBERS), rng.choice(NUMBERS)
    for parameter in problem["parameters"]:
        parameter["prior"] = rng.choice(
            [{"kind": "uniform", "low": a, "high": b}, {"kind": "normal", "mean": a, "sd": b}]
        )


def nasty_settings(rng: Rng, problem: dict[str, Any]) -> None:
    problem["settings"] = {
        "max_evaluations": rng.choice([0, 1, 10**9, -5]),
        "workers": rng.choice([0, 1, 10**6]),
        "seed": rng.choice([0, 2**62]),
    }


PROBLEM_PARTS: tuple[Callable[[Rng, dict[str, Any]], None], ...] = (
    nasty_simulator,
    nasty_names,
    nasty_outputs,
    nasty_priors,
    nasty_settings,
)


def nasty_rows(rng: Rng, connection: sqlite3.Connection, d: int) -> None:
    """Evaluations, answers, checkpoints, archives with absurd contents and right checksums."""
    n = rng.choice(NUMBERS)
    for i in range(rng.randrange(4)):
        e = EvaluationRecord(
            index=i,
            order=i,
            u=np.array([rng.choice(NUMBERS)] * rng.choice([d, 0, d + 1])),
            values={rng.choice(TEXTS) or "a": n},
            outcome=rng.choice(["ok", "failed", "impossible"]),
            log_likelihood=n,
            log_prior=n,
            log_target=n,
            noise_sd=n,
            duration_s=n,
            started_at=n,
            reason=rng.choice(TEXTS),
            run_folder=rng.choice(TEXTS),
            outputs={"logl": np.array([n])},
            purpose=rng.choice(TEXTS),
        )
        with contextlib.suppress(codec.CodecError, sqlite3.Error):
            row = rows.evaluation_row(e)
            connection.execute(f"INSERT OR REPLACE INTO evaluations VALUES ({', '.join('?' * len(row))})", row)
    k, e_dim = rng.choice([0, 1, 3, 2000]), rng.choice([d, d + 1, 0])
    it = IterationRecord(
        rng.choice([1, 2**40]),
        3,
        n,
        n,
        n,
        n,
        True,
        False,
        (rng.choice(TEXTS),),
        np.full(k, n),
        np.full((k, e_dim), n),
        np.full((k, e_dim, e_dim), n),
        draws=np.full((5, e_dim), n),
        draw_weights=np.full(rng.choice([5, 4]), n),
        diagnostics={rng.choice(TEXTS): n},
        slices={"u": np.zeros((1, 2, 3))},
    )
    with contextlib.suppress(codec.CodecError, sqlite3.Error):
        connection.execute("INSERT OR REPLACE INTO iterations VALUES (?, ?, ?, ?, ?)", rows.iteration_row(it))
    with contextlib.suppress(codec.CodecError, sqlite3.Error):
        connection.execute(
            "INSERT OR REPLACE INTO asks VALUES (?, ?, ?, ?, ?)", rows.ask_row(AskRecord(2**40, np.zeros(d), 10**9))
        )
    state = codec.encode_state(rng.choice([{"asked": 2**60}, [[[]]], {"x": np.zeros(3)}, "text", None]))
    cells = (rng.choice([1, 2**60]), rng.choice([0, -5, 2**60]), state)
    connection.execute("INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?)", (*cells, codec.checksum(*cells)))
    with contextlib.suppress(codec.CodecError, sqlite3.Error):
        archive = ArchiveRecord(("a",), np.full((3, 1), n), np.full(3, n), np.full(3, abs(n)), source=rng.choice(TEXTS))
        connection.execute(
            "INSERT OR REPLACE INTO archive VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows.archive_row(archive)
        )
    connection.execute(
        "INSERT INTO run_log (at, level, text) VALUES (?, ?, ?)", (n, rng.choice(TEXTS), rng.choice(TEXTS))
    )


def nasty_replay(rng: Rng) -> bytes:
    """The record of runs made again, with absurd contents or none at all."""
    run = {
        "index": rng.choice([0, -1, 2**63]),
        "result": rng.choice(["identical", "different", "failed_now", "unjudged", rng.choice(TEXTS)]),
        "words": rng.choice(TEXTS),
        "before": rng.choice(NUMBERS),
    }
    record = {
        "at": rng.choice([*NUMBERS, 1e18]),
        "asked": rng.choice([1, 0, 10**12]),
        "evaluations": rng.choice([1, 10**12]),
        "runs": [run] * rng.choice([0, 1, 3, 500]),
        "files": [{"role": "script", "name": rng.choice(TEXTS), "digest": rng.choice(TEXTS)}] * rng.randrange(3),
        "level": rng.choice([0.01, *NUMBERS]),
        "note": rng.choice(TEXTS),
    }
    return rng.choice([b"", b"[" * 10_000, b"\xff", b'{"at": 1e999}', *[msgspec.json.encode(record)] * 12])


def nasty_neighbours(rng: Rng, session: Path, victim: Path) -> None:
    """What lies beside the session: links and pipes under the names that Bayescope or SQLite use."""

    def put(path: Path) -> None:
        with contextlib.suppress(OSError):
            kind = rng.randrange(5)
            if kind == 0:
                path.symlink_to(victim)
            elif kind == 1:
                os.link(victim, path)
            elif kind == 2:
                path.symlink_to(victim.with_name("planted"))
            elif kind == 3:
                path.symlink_to(victim.parent, target_is_directory=True)
            else:
                os.mkfifo(path)

    for suffix, often in ((".lock", 0.3), ("-journal", 0.1), ("-wal", 0.05), ("-shm", 0.05)):
        if rng.random() < often:
            put(session.with_name(session.name + suffix))
    if rng.random() < 0.5:
        put(session.with_name(session.stem + ".runs"))
    if rng.random() < 0.3:
        put(session.with_name(f"{session.stem}.format1.bayescope"))
    if rng.random() < 0.2:
        with contextlib.suppress(OSError):
            session.with_name(session.name + "-journal").unlink(missing_ok=True)
            hot_journal(session, victim)


def craft(number: int, folder: Path, template: Path, problem: Problem, victim: Path) -> Path:
    """The session file of that number."""
    rng = Rng(number)
    path = folder / "study.bayescope"
    shutil.copy(template, path)
    built = msgspec.to_builtins(problem)
    for part in PROBLEM_PARTS:
        if rng.random() < 0.3:
            part(rng, built)
    connection = sqlite3.connect(path)
    items = {"problem": msgspec.json.encode(built)}
    if rng.random() < 0.3:
        items |= {
            "notes": rng.choice(TEXTS).encode(),
            "created_at": rng.choice([b"nan", b"1e999", b"x"]),
            "running": b"1",
        }
    if rng.random() < 0.3:
        items |= {
            "consent": rng.choice([b"", b"{}", b"[" * 1000, items["problem"]]),
            "signature": rng.choice([b"", b"\xff", b"0" * 64]),
        }
    if rng.random() < 0.5:
        items["replay"] = nasty_replay(rng)
    for key, value in items.items():
        connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?, ?)", (key, value, codec.checksum(key, value)))
    if rng.random() < 0.6:
        nasty_rows(rng, connection, len(problem.parameters))
    if rng.random() < 0.05:
        connection.execute("CREATE TRIGGER t AFTER INSERT ON run_log BEGIN DELETE FROM evaluations; END")
    connection.execute(f"PRAGMA user_version = {rng.choice([2] * 17 + [1, 0, 99])}")
    connection.commit()
    connection.close()
    if rng.random() < 0.05:
        data = bytearray(path.read_bytes())
        for _ in range(rng.randrange(1, 20)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(data)
    if rng.random() < 0.7:
        nasty_neighbours(rng, path, victim)
    return path


# ------------------------------------------------------------------ everything that may be done with it


def look_at_replays(store: SessionStore) -> None:
    """What is stored of runs made again, which would be made again now, and how the same and others would compare."""
    kept, problem, stored = store.replay(), store.problem, store.evaluations()
    if kept is not None:
        repr((kept.headline(), kept.sentences(), kept.when(), kept.agrees))
    repeatability(store)
    chosen = choose(problem, stored, 5)
    last = store.last_iteration()
    noise = Noise.of(problem, stored, {} if last is None else last.diagnostics)
    verdicts([(a, b) for a in chosen for b in chosen], noise)


def use(path: Path, out: Path) -> None:
    """Open it in every way, look at everything, export and recover. Only errors in words are allowed."""
    words = (SessionError, ProblemError)
    for mode in ("read", "write"):
        with contextlib.suppress(*words), SessionStore.open(path, mode=mode) as store:  # type: ignore[arg-type]
            with pytest.raises(NotAgreed) as refusal:
                store.permit()
            sheet_of(refusal.value).lines()
            looks: tuple[Callable[[], object], ...] = (
                lambda: store.evaluations(),
                lambda: store.iterations(bulky=True),
                lambda: store.checkpoint(),
                lambda: store.archive(),
                lambda: store.asks(),
                lambda: store.run_log(),
                lambda: look_at_replays(store),
                lambda: store.interrupted_words,
                lambda: [kept_run_folder(store.runs_folder, e.run_folder) for e in store.evaluations()],
                lambda: export.export_samples(store, out / "s.csv", 10),
                lambda: export.export_summary(store, out / "t.csv"),
                lambda: export.export_evaluations(store, out / "e.csv"),
                lambda: export_report(store, out / "r.html"),
                lambda: export.export_problem(store.problem, path.parent, out / "p.json", foreign=True),
                lambda: export_support_bundle(out / "b.zip", store, with_data=True),
            )
            for look in looks:
                with contextlib.suppress(*words):
                    look()
    opened = SessionFile()
    try:
        with contextlib.suppress(*words):
            problem = opened.open(path)
            opened.load(RunData([p.name for p in problem.parameters]))
            assert opened.interrupted_words is not None
    finally:
        opened.close()
    with contextlib.suppress(*words):
        salvage(path, path.with_name("recovered.bayescope"))


def play(numbers: range, tmp_path: Path, strangers: Path, problem: Problem, victim: Path) -> None:
    template = tmp_path / "template.bayescope"
    shutil.copy(strangers, template)
    folder = tmp_path / "downloads"
    before: dict[str, tuple[object, ...]] = {}
    for number in numbers:
        shutil.rmtree(folder)
        folder.mkdir()
        (folder / "out").mkdir()
        path = craft(number, folder, template, problem, victim)
        links = victim.stat().st_nlink
        before = snapshot(tmp_path, folder)
        use(path, folder / "out")
        after = snapshot(tmp_path, folder)
        home = str(tmp_path / "own home")
        changed = {p for p in before.keys() | after.keys() if before.get(p) != after.get(p) and not p.startswith(home)}
        # a second name of the victim beside the session may go; the victim itself stays
        changed -= (
            {str(victim)}
            if victim.stat().st_nlink < links and before[str(victim)][3] == after[str(victim)][3]
            else set()
        )
        assert not changed, f"file {number}: {sorted(changed)}"
    for left in folder.iterdir():
        if not left.is_dir() or left.is_symlink():
            left.unlink()


def test_crafted_sessions_touch_nothing(tmp_path, strangers, problem, victim, trace) -> None:
    play(range(100), tmp_path, strangers, problem, victim)
    assert not trace.exists()


@pytest.mark.long
@pytest.mark.timeout(0)
def test_ten_thousand_crafted_sessions_touch_nothing(tmp_path, strangers, problem, victim, trace) -> None:
    play(range(1000, 11_000), tmp_path, strangers, problem, victim)
    assert not trace.exists()
