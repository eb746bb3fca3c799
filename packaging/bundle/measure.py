"""How long the packed application takes to start beside the source's: measure.py [REPEATS [COLD]]   (root: cold ones drop caches)

Window: until it is painted on a virtual screen, in whose memory one sees it; command line: “bayescope --version” and a finished
“bayescope run”. Medians of pairs by turns, in seconds of the clock and of the processor, which depends less on what else runs.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from bare_system import DISPLAY, Screen, display

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = {
    "packed": [str(ROOT / "build" / "bundle" / "dist" / "bayescope" / "bayescope")],
    "source": [str(ROOT / ".venv" / "bin" / "python"), "-P", "-m", "bayescope.gui"],
}
PATIENCE = 60.0  # seconds


class Took(NamedTuple):
    """Seconds."""

    clock: float
    processor: float


def environment(folder: str) -> dict[str, str]:
    own = {"PYTHONPATH": str(ROOT / ".dev"), "BAYESCOPE_HOME": folder, "DISPLAY": DISPLAY, "QT_QPA_PLATFORM": "xcb"}
    given = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}  # sources are compiled once, as a user's are
    return {**given, **own}


def processor(pid: int) -> float:
    """Seconds that the threads of a process have had."""
    parts = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(part.read_text().split()[0]) for part in parts) / 1e9


def window(command: list[str], folder: str, shown: Screen) -> Took:
    started = time.perf_counter()
    process = subprocess.Popen(command, env=environment(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not shown.painted():
        time.sleep(0.002)
        if process.poll() is not None or time.perf_counter() - started > PATIENCE:
            raise SystemExit(f"{command[0]} showed no window.")
    took = Took(time.perf_counter() - started, processor(process.pid))
    process.kill()
    process.wait()
    while shown.painted():
        time.sleep(0.02)
    return took


def command(words: list[str], folder: str) -> Took:
    """Of a command that ends by itself, its children included."""
    started, before = time.perf_counter(), os.times()
    subprocess.run(words, env=environment(folder), capture_output=True, check=True)
    after = os.times()
    own = after.children_user + after.children_system - before.children_user - before.children_system
    return Took(time.perf_counter() - started, own)


def cold() -> None:
    subprocess.run(["sync"], check=True)
    Path("/proc/sys/vm/drop_caches").write_text("3")


def finished_analysis(folder: str) -> str:
    """Six runs of the bundled example: the start of “run” on it is all that it does."""
    file = str(Path(folder) / "finished.bayescope")
    for words in (["example", "contamination", file], ["run", file, "--runs", "6"]):
        subprocess.run([*PROGRAMS["source"], *words], env=environment(folder), capture_output=True, check=True)
    return file


def main(arguments: list[str]) -> int:
    repeats = int(arguments[0]) if arguments else 15
    cold_repeats = int(arguments[1]) if len(arguments) > 1 else 3
    with display() as shown, tempfile.TemporaryDirectory() as folder:
        file = finished_analysis(folder)

        def run(program: list[str]) -> Took:
            copy = shutil.copy(file, Path(folder) / "again.bayescope")
            return command([*program, "run", str(copy), "--runs", "6"], folder)

        kinds: dict[str, tuple[Callable[[list[str]], Took], Callable[[], None], int]] = {
            "window, warm": (lambda program: window(program, folder, shown), lambda: None, repeats),
            "bayescope --version, warm": (lambda program: command([*program, "--version"], folder), lambda: None, repeats),
            "bayescope run, nothing left to run, warm": (run, lambda: None, max(repeats // 3, 1)),
            "window, cold": (lambda program: window(program, folder, shown), cold, cold_repeats),
            "bayescope --version, cold": (lambda program: command([*program, "--version"], folder), cold, cold_repeats),
        }
        for kind, (measure, before, times) in kinds.items():
            found: dict[str, list[Took]] = {name: [] for name in PROGRAMS}
            for turn in range(times + 1 if times else 0):
                for name, program in PROGRAMS.items():
                    before()
                    took = measure(program)
                    if turn:  # the first fills caches
                        found[name].append(took)
            told: list[str] = []
            for number, unit in enumerate(Took._fields if times else ()):
                packed, source = (statistics.median(t[number] for t in found[name]) for name in ("packed", "source"))
                ratio = statistics.median(p[number] / s[number] for p, s in zip(found["packed"], found["source"], strict=True))
                told.append(f"{unit} packed {packed:.3f}, source {source:.3f}, ratio {ratio:.2f}")
            print(f"{kind}: {'; '.join(told)}  (load {os.getloadavg()[0]:.1f})", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
