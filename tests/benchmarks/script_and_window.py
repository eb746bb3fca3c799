"""Processor seconds of one inference: ``infer`` in a plain script beside the same run of the window's engine.

    python tests/benchmarks/script_and_window.py [--repeats 5] [--evaluations 100]

Four parameters, one evaluation at a time, the whole budget. No variable of the environment limits threads: it is taken away if
there is one. The script counts all its processor time, without and with what is imported the first time (torch and scipy); the
engine what it announces as its own computing, which imports are no part of.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

for limit in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.pop(limit, None)
if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["BAYESCOPE_HOME"] = tempfile.mkdtemp(prefix="bayescope-benchmark-")

import msgspec  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402

from bayescope.engine.problem import definition as d  # noqa: E402
from bayescope.gui.analysis.session_controller import SessionController  # noqa: E402
from bayescope.gui.window.app import make_application  # noqa: E402
from bayescope.gui.window.main_window import MainWindow  # noqa: E402

D, SD, PATIENCE = 4, 3.0, 600.0
DENSITY = "-0.5 * sum(((b - 0.3 * a * a) / 0.5) ** 2 for a, b in zip(x, x[1:])) - 0.5 * x[0] ** 2"
SCRIPT = f"""
import sys, time
import numpy as np
from bayescope.engine import infer
def density(x):
    return float({DENSITY} - 0.5 * float(np.square(x / {SD}).sum()))
first = time.process_time()
import bayescope.engine.methods.default.loop
begun = time.process_time()
box = [(-2 * {SD}, 2 * {SD})] * {D}
found = infer(density, box, max_evaluations=int(sys.argv[1]), seed=int(sys.argv[2]), options={{"stop": False}})
now = time.process_time()
print(now - begun, now - first, found.snapshot.n_evaluations)
"""
PROGRAM = f"import sys; x = [float(a) for a in sys.argv[1:]]; print({DENSITY})"


def script_seconds(evaluations: int, seed: int) -> tuple[float, float]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(evaluations), str(seed)], capture_output=True, text=True, check=True
    ).stdout.split()
    assert int(done[2]) == evaluations
    return float(done[0]), float(done[1])


def window_seconds(app: QApplication, window: MainWindow, controller: SessionController, evaluations: int, seed: int) -> float:
    names = [f"theta{k}" for k in range(D)]
    controller.file.adopt(
        d.Problem(
            name="Four parameters",
            parameters=tuple(d.Parameter(name=n, prior=d.Normal(mean=0.0, sd=SD)) for n in names),
            simulator=d.Simulator(command=(sys.executable, "-I", "-S", "-c", PROGRAM, *(f"@{n}@" for n in names))),
            outputs=(d.Output(name="value", source="stdout", extractor=d.LastNumber()),),
            meaning=d.LogLikelihoodOutput(output="value"),
        )
    )
    settings = msgspec.structs.replace(
        controller.problem.declared.settings, workers=1, seed=seed, max_evaluations=evaluations, options={"stop": False}
    )
    assert controller.problem.edit("Another seed", settings=settings)
    assert controller.file.save_as(Path(tempfile.mkdtemp()) / "run.bayescope")
    window.go("run")
    controller.run.start()
    began = time.monotonic()
    while controller.run.state not in ("finished", "failed") and time.monotonic() - began < PATIENCE:
        app.processEvents()
        time.sleep(0.01)
    assert controller.run.state == "finished", controller.run.words
    progress = controller.run.data.progress
    assert progress is not None
    assert progress.evaluations == evaluations
    return sum(progress.computed_s.values())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--evaluations", type=int, default=100)
    a = parser.parse_args()
    app = make_application([])
    controller = SessionController()
    window = MainWindow(controller)
    window.show()
    found: dict[str, list[float]] = {"script": [], "script with imports": [], "window": []}
    for seed in range(a.repeats):
        alone, with_imports = script_seconds(a.evaluations, seed)
        window_too = window_seconds(app, window, controller, a.evaluations, seed)
        for seconds, name in zip((alone, with_imports, window_too), found, strict=True):
            found[name].append(seconds)
            print(f"seed {seed}, {name}: {seconds:.2f} s", flush=True)
    for name, seconds_of in found.items():
        median = statistics.median(seconds_of)
        print(f"{name}: median {median:.2f} s, {1000 * median / a.evaluations:.0f} ms per evaluation")
    controller.shut_down()


if __name__ == "__main__":
    main()
