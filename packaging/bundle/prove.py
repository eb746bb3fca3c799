"""Proves a built .deb in a bare Debian without Python: python3 packaging/bundle/prove.py [FILE.deb [SOURCE]]   (root; minutes)

Needs mmdebstrap, xvfb, xdotool and the checkout's own environment (packaging/dev.py setup), whose answer is compared; SOURCE:
another checkout, of what the package was built from. Every line that is printed was seen; the first thing that is not as it
should be ends it with NOT PROVEN.
"""

from __future__ import annotations

import csv
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tour
from bare_system import USER, BareSystem, display, press, titles, wait_for

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "bundle"
PYTHON = [str(ROOT / ".venv" / "bin" / "python"), "-P", "-m", "bayescope.gui"]
PROGRAM = "/opt/bayescope/bayescope"
SOBOL = "opt/bayescope/_internal/scipy/stats/_sobol_direction_numbers.npz"
RUNS = 24
KIND = "application/x-bayescope"
THEIRS = {"LD_LIBRARY_PATH": "/mine/lib", "PYTHONPATH": "/mine/python", "PYTHONHOME": "/mine", "QT_PLUGIN_PATH": "/mine/qt"}


def proven(words: str) -> None:
    print(f"{time.strftime('%H:%M:%S')}  {words}", flush=True)


def require(condition: object, words: str) -> None:
    if not condition:
        raise SystemExit(f"NOT PROVEN: {words}")
    proven(words)


def install(system: BareSystem, deb: Path) -> None:
    require(not system.files() & {"usr/bin/python3", "usr/bin/python3.11"}, "the system has no Python")
    target = system.root / "tmp" / deb.name
    target.write_bytes(deb.read_bytes())
    system.as_root("apt-get", "update", "-qq")
    system.as_root("apt-get", "install", "-y", "-qq", "--no-install-recommends", f"/tmp/{deb.name}", "shared-mime-info",
                   "desktop-file-utils", "fonts-dejavu-core")  # fmt: skip
    target.unlink()
    require("usr/bin/python3" not in system.files(), "installed with all it depends on, and still no Python")
    require("bayescope " in system.as_user("bayescope", "--version"), "the command line starts")


def test_itself(system: BareSystem) -> None:
    said = system.as_user("bayescope", "self-test")
    print(said)
    require("Self-test passed" in said, "the self-test passes")
    hidden = system.root / SOBOL
    hidden.rename(hidden.with_suffix(".away"))
    code, said = system.status("bayescope", "self-test")
    hidden.with_suffix(".away").rename(hidden)
    wrong = [line for line in said.splitlines() if line.startswith("WRONG")]
    require(code == 1 and wrong, f"without SciPy's direction numbers it fails: {wrong[:2]}")


def example(command: list[str], folder: Path, **options: object) -> tuple[bytes, list[list[str]]]:
    """Samples and the runs' values of the bundled example, ``RUNS`` runs one at a time."""
    session, samples, runs = folder / "e.bayescope", folder / "samples.csv", folder / "runs.csv"
    for words in (
        ["example", "contamination", session], ["run", session, "--runs", RUNS, "--workers", 1],
        ["export", session, "--samples", samples, "--runs", runs],
    ):  # fmt: skip
        subprocess.run([*command, *map(str, words)], check=True, capture_output=True, **options)  # type: ignore[call-overload]
    return samples.read_bytes(), [row[:10] for row in csv.reader(runs.open())]


def is_the_sources_answer(system: BareSystem, source: Path) -> None:
    """Bit for bit, where both compute on this processor."""
    place = "/home/scientist/study"
    system.as_user("mkdir", place)
    steps = (["example", "contamination", "e.bayescope"], ["run", "e.bayescope", "--runs", str(RUNS), "--workers", "1"],
             ["export", "e.bayescope", "--samples", "samples.csv", "--runs", "runs.csv"])  # fmt: skip
    for words in steps:
        system.as_user("sh", "-c", 'cd study && exec bayescope "$@"', "sh", *words)
    packed = system.home("study/samples.csv").read_bytes()
    runs = [row[:10] for row in csv.reader(system.home("study/runs.csv").open())]
    with tempfile.TemporaryDirectory() as folder:
        given = {**os.environ, "PYTHONPATH": str(source / ".dev"), "BAYESCOPE_HOME": folder}
        wanted, wanted_runs = example(PYTHON, Path(folder), env=given)
    require(runs == wanted_runs, f"the {RUNS} runs are the source's, bit for bit")
    require(packed == wanted, "so are the samples of the posterior")


def simulators_get_the_users_environment(system: BareSystem) -> None:
    document = json.loads((ROOT / "resources/examples/ricker/problem.json").read_text(encoding="utf-8"))
    program = "env > /home/scientist/environment.txt; exec /opt/bayescope/ricker \"$@\""
    old = document["simulator"]["command"]
    document["simulator"]["command"] = ["sh", "-c", program, "sh", *old[1:]]
    folder = system.home("env")
    system.as_user("mkdir", "env")
    for file in (ROOT / "resources/examples/ricker").glob("*.csv"):
        (folder / file.name).write_bytes(file.read_bytes())
    (folder / "problem.json").write_text(json.dumps(document), encoding="utf-8")
    system.as_user("bayescope", "new", "--trust", "env/problem.json", "env/e.bayescope")
    system.as_user("bayescope", "test-run", "env/e.bayescope", "--trust", **THEIRS)
    lines = system.home("environment.txt").read_text().splitlines()
    found = dict(line.split("=", 1) for line in lines if "=" in line)
    differing = {k: v for k, v in THEIRS.items() if found.get(k) != v}
    require(not differing, "a simulator gets the user's LD_LIBRARY_PATH, PYTHONPATH, PYTHONHOME and QT_PLUGIN_PATH")
    ours = [k for k, v in found.items() if ("opt/bayescope" in v and k != "_") or k.startswith(("_PYI", "_MEI"))]
    require(not ours, f"and nothing of the application's {ours}")


def window_and_double_click(system: BareSystem) -> None:
    system.start(PROGRAM, "--open-example", "contamination")
    wait_for("the window with the example", lambda: any("Contamination source" in name for name in titles()))
    proven(f"the window opens: {titles()}")
    time.sleep(4.0)
    press("Bayescope", "ctrl+r")
    wait_for("simulator runs of the window's engine", lambda: finished_runs(system) >= 6, 120.0)
    proven(f"the example runs from the window: {finished_runs(system)} runs so far")
    window, engines = window_process(system)
    require("libtorch" not in maps(window), "the window's process holds no torch")
    require(any("libtorch" in maps(pid) for pid in engines), "the engine's process does")
    require(kind_of(system, "study/e.bayescope") == KIND, f"the file's type is {KIND}")
    system.as_user("cp", "study/e.bayescope", "study/without-suffix")
    require(kind_of(system, "study/without-suffix") == KIND, "also without its suffix")
    require("bayescope.desktop" in system.as_user("gio", "mime", KIND).splitlines()[0], "it opens with bayescope.desktop")
    before = len(titles())
    system.as_user("gio", "open", f"/home/{USER}/study/e.bayescope")
    wait_for("a second window", lambda: len(titles()) > before)
    require(window_process(system)[0] == window, f"the double-click's command opens it in the running application: {titles()}")


def kind_of(system: BareSystem, file: str) -> str:
    """As file managers see it."""
    said = system.as_user("gio", "info", "-a", "standard::content-type", file)
    return said.split("standard::content-type:")[1].strip()


def maps(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/maps").read_text()
    except OSError:
        return ""


def window_process(system: BareSystem) -> tuple[int, list[int]]:
    """The window's process and its engines."""
    window, engines = 0, []
    for pid in system.processes(PROGRAM):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        if b"--engine" in words:
            engines.append(pid)
        elif not {b"--guard-simulators"} & set(words):
            window = window or pid
    return window, engines


def drafts(system: BareSystem) -> list[Path]:
    return sorted(system.home(".local/share/Bayescope/drafts").glob("*.bayescope"))


def finished_runs(system: BareSystem) -> int:
    """In the newest draft."""
    found = drafts(system)
    if not found:
        return 0
    try:
        connection = sqlite3.connect(f"file:{found[-1]}?mode=ro", uri=True)
        return int(connection.execute("SELECT count(*) FROM evaluations").fetchone()[0])
    except sqlite3.Error:
        return 0


def killed(system: BareSystem) -> None:
    window, engines = window_process(system)
    for pid in engines:
        os.kill(pid, signal.SIGKILL)
    wait_for("the window says that its engine is gone", lambda: len(titles()) >= 1, 20.0)
    require(Path(f"/proc/{window}").exists(), "the engine is killed: the window stays")
    kept = finished_runs(system)
    os.kill(window, signal.SIGKILL)
    wait_for("nothing runs after the window was killed", lambda: not system.processes("/opt/bayescope"), 30.0)
    proven("the window is killed: engine, guardian and simulators end")
    draft = f"/home/{USER}/.local/share/Bayescope/drafts/{drafts(system)[-1].name}"
    system.as_user("bayescope", "run", draft, "--runs", str(kept + 2))
    require(finished_runs(system) == kept + 2, f"all {kept} finished runs are there, and it is resumed")


def removed(system: BareSystem, before: set[str]) -> None:
    system.as_root("apt-get", "purge", "-y", "-qq", "bayescope")
    left = {f for f in system.files() - before if "bayescope" in f.lower()}
    require(not left, f"after the purge nothing of it is left {sorted(left)[:5]}")
    require(system.home("study/e.bayescope").exists() and drafts(system), "but all of the user's files")


def main(arguments: list[str]) -> int:
    deb = Path(arguments[0]) if arguments else sorted(BUILD.glob("*.deb"))[-1]
    if os.geteuid() != 0:
        sys.exit("This makes a system of its own in a folder: run it as root.")
    place = tempfile.TemporaryDirectory(prefix="bayescope-prove-")
    with place as folder, display() as screen, BareSystem(Path(folder) / "root") as system:
        before = system.files()
        install(system, deb)
        test_itself(system)
        is_the_sources_answer(system, Path(arguments[1]).absolute() if len(arguments) > 1 else ROOT)
        simulators_get_the_users_environment(system)
        for theme in ("light", "dark"):
            require("Converged" in (said := tour.walk(system, screen, PROGRAM, theme)), f"the tour by clicks, {theme}: {said}")
        window_and_double_click(system)
        killed(system)
        removed(system, before)
    print("Proven.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
