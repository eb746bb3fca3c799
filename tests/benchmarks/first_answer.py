"""From the end of the last run of the initial design to the first marginals drawn: real window, engine and simulator.

    python tests/benchmarks/first_answer.py [--repeats 5]

The bundled example (4 parameters) and a program with 10 parameters, two runs at a time. Wall time; it contains the travel between
the processes, the surrogate and the mixture, and the painting. The run that follows the design is under way meanwhile.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["BAYESCOPE_HOME"] = tempfile.mkdtemp(prefix="bayescope-benchmark-")

import msgspec
from PySide6.QtWidgets import QApplication

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.method_options import DefaultOptions
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.window.app import make_application
from bayescope.gui.window.main_window import MainWindow

PROGRAM = "import sys, time; time.sleep(0.2); print(-0.5 * sum(float(x) ** 2 for x in sys.argv[1:]))"
PATIENCE = 120.0  # seconds


def ten_parameters(controller: SessionController) -> None:
    names = [f"theta{k}" for k in range(10)]
    controller.file.adopt(
        d.Problem(
            name="Ten parameters",
            parameters=tuple(d.Parameter(name=n, prior=d.Normal(mean=0.0, sd=2.0)) for n in names),
            simulator=d.Simulator(command=(sys.executable, "-I", "-S", "-c", PROGRAM, *(f"@{n}@" for n in names))),
            outputs=(d.Output(name="value", source="stdout", extractor=d.LastNumber()),),
            meaning=d.LogLikelihoodOutput(output="value"),
        )
    )


def example(controller: SessionController) -> None:
    assert controller.file.open_example("contamination")


def seconds_to_marginals(app: QApplication, window: MainWindow, controller: SessionController, design: int, seed: int) -> float:
    """From the arrival of run number ``design`` in the window to the first curve painted."""
    settings = msgspec.structs.replace(controller.problem.declared.settings, workers=2, seed=seed)
    assert controller.problem.edit("Another seed", settings=settings)
    assert controller.file.save_as(Path(tempfile.mkdtemp()) / "first.bayescope")
    window.go("run")
    page = window.page("run")
    controller.run.start()
    began, designed = time.perf_counter(), 0.0
    while time.perf_counter() - began < PATIENCE:
        app.processEvents()
        if not designed and controller.run.n_runs >= design:
            designed = time.perf_counter()
        if page.view("overview").marginals.cells[0].item.curve is not None:  # type: ignore[attr-defined]
            app.processEvents()
            return time.perf_counter() - designed
        time.sleep(0.002)
    raise TimeoutError("no marginals came")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    app = make_application([])
    for name, prepare in (("example, D = 4", example), ("D = 10", ten_parameters)):
        took = []
        for seed in range(repeats):
            controller = SessionController()
            window = MainWindow(controller)
            window.resize(1280, 720)
            window.show()
            prepare(controller)
            design = len(controller.problem.declared.parameters) + DefaultOptions().extra_design_points
            took.append(seconds_to_marginals(app, window, controller, design, seed))
            controller.shut_down()
            window.page("run").release()  # type: ignore[attr-defined]
            window.hide()
        print(f"first marginals, {name}: median {statistics.median(took):.2f} s, longest {max(took):.2f} s", flush=True)


if __name__ == "__main__":
    main()
