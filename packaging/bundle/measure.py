"""How long the packed application takes to start beside the source's: measure.py [REPEATS]   (root: the cold starts drop caches)

Window: until it is shown on a virtual screen; command line: ``bayescope --version``. Medians, in seconds.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bare_system import DISPLAY, display, titles

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = {
    "packed": [str(ROOT / "build" / "bundle" / "dist" / "bayescope" / "bayescope")],
    "source": [str(ROOT / ".venv" / "bin" / "python"), "-P", "-m", "bayescope.gui"],
}


def environment(folder: str) -> dict[str, str]:
    own = {"PYTHONPATH": str(ROOT / ".dev"), "BAYESCOPE_HOME": folder, "DISPLAY": DISPLAY, "QT_QPA_PLATFORM": "xcb"}
    return {**os.environ, **own}


def window(command: list[str], folder: str) -> float:
    started = time.perf_counter()
    process = subprocess.Popen(command, env=environment(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not titles():
        time.sleep(0.005)
    took = time.perf_counter() - started
    process.kill()
    process.wait()
    while titles():
        time.sleep(0.02)
    return took


def command_line(command: list[str], folder: str) -> float:
    started = time.perf_counter()
    subprocess.run([*command, "--version"], env=environment(folder), capture_output=True, check=True)
    return time.perf_counter() - started


def cold() -> None:
    subprocess.run(["sync"], check=True)
    Path("/proc/sys/vm/drop_caches").write_text("3")


def main(arguments: list[str]) -> int:
    repeats = int(arguments[0]) if arguments else 15
    kinds: dict[str, tuple[Callable[[list[str], str], float], Callable[[], None], int]] = {
        "window, warm": (window, lambda: None, repeats),
        "command line, warm": (command_line, lambda: None, repeats),
        "window, cold": (window, cold, 3),
    }
    with display(), tempfile.TemporaryDirectory() as folder:
        for kind, (measure, before, times) in kinds.items():
            found: dict[str, list[float]] = {name: [] for name in PROGRAMS}
            for _ in range(times):  # by turns, so that what else runs on the machine meets both
                for name, program in PROGRAMS.items():
                    before()
                    found[name].append(measure(program, folder))
            packed, source = (statistics.median(found[name]) for name in ("packed", "source"))
            print(f"{kind}: packed {packed:.2f} s, source {source:.2f} s, ratio {packed / source:.2f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
