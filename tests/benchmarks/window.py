"""How fast and how calm the window is. Run by hand (some minutes): ``python tests/benchmarks/window.py``; it prints.

* first paint: from the start of the process until the window has been painted (wall and processor time);
* pages: processor time until each page stands, in a first window and in a second one, where everything is imported;
* redraw: update + paint of each view of the run page, 10 parameters, 2,000 simulator runs, 1280 x 720 and at scale 2;
* gaps: a 5 ms probe timer in the window while an engine process streams at full speed and keeps the processors busy;
* memory: growth over the stream of a two-hour run (2,000 runs, 2,400 answers, 7,200 heartbeats).
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["BAYESCOPE_HOME"] = tempfile.mkdtemp(prefix="bayescope-benchmark-")

import numpy as np

from bayescope.engine import protocol as p
from bayescope.engine.problem.definition import (
    LastNumber,
    LogLikelihoodOutput,
    Output,
    Parameter,
    Problem,
    Simulator,
    Uniform,
)

D, RUNS = 10, 2000
VIEWS = ("overview", "pairs", "points", "predictions", "surrogate", "runs")

_START = """
import time; t0 = time.perf_counter()
from bayescope.gui.window.app import make_application, settings
app = make_application([])
from bayescope.gui.window.main_window import MainWindow
from bayescope.gui.analysis.session_controller import SessionController
window = MainWindow(SessionController(), settings())
def painted():
    print(time.perf_counter() - t0, time.process_time())
    app.quit()
window.first_paint.connect(painted)
window.show()
app.exec()
"""


def problem() -> Problem:
    return Problem(
        name="Ten parameters",
        parameters=tuple(Parameter(name=f"theta{k}", prior=Uniform(low=-5, high=5), unit="mm") for k in range(D)),
        simulator=Simulator(command=("true", *(f"@theta{k}@" for k in range(D)))),
        outputs=(Output(name="log_l", source="stdout", extractor=LastNumber(), length=1),),
        meaning=LogLikelihoodOutput(output="log_l"),
    )


def evaluation(k: int, rng: np.random.Generator) -> p.EvaluationDone:
    theta = rng.normal(size=D) * (2.0 if k < 50 else 0.7)
    ok = k % 25 != 7
    value = float(-0.5 * theta @ theta / 0.49)
    return p.EvaluationDone(
        index=k,
        values={f"theta{i}": float(theta[i]) for i in range(D)},
        outcome="ok" if ok else "failed",
        log_joint=value if ok else None,
        log_likelihood=value if ok else None,
        noise_sd=0.0,
        duration_s=1.0,
        reason="" if ok else "The program ended with exit code 1.",
        started_at=1.8e9 + k,
    )


def snapshot(k: int, n: int, rng: np.random.Generator) -> p.SnapshotReady:
    components = 12
    means = rng.normal(size=(components, D)) * 0.02
    factors = np.eye(D) * 0.08 + rng.normal(size=(components, D, D)) * 0.01
    u = np.tile(np.linspace(-1, 1, 60), (D, 1))
    return p.SnapshotReady(
        iteration=k, n_evaluations=n, elbo=-20 - 50 / (k + 1), elbo_sd=0.1 + 1 / (k + 1), log_evidence=-20.0, log_evidence_sd=0.1,
        converged=False, warm_up=k < 10, reasons=("The posterior still changes.",) * 3,
        weights=p.Blob.of(np.full(components, 1 / components)), means=p.Blob.of(means),
        covariances=p.Blob.of(factors @ factors.transpose(0, 2, 1)),
        draws=p.Blob.of(rng.normal(size=(4000, D)) * 0.15), draw_weights=p.Blob.of(np.full(4000, 1 / 4000)), preferred="draws",
        slices={"center": p.Blob.of(np.zeros(D)), "u": p.Blob.of(u), "mean": p.Blob.of(-u * u), "sd": p.Blob.of(0.1 + u * u)},
        activity="Benchmark", elapsed_s=float(k),
    )  # fmt: skip


def flood(answers_per_second: float, seconds: float) -> None:
    """The stand-in engine process: streams frames and computes without pause in between."""
    from bayescope.engine.session import orphans

    rng, out, sequence = np.random.default_rng(0), sys.stdout.buffer, 0
    run_id = os.environ[orphans.ENGINE_VARIABLE]

    def send(message: p.Event) -> None:
        nonlocal sequence
        out.write(p.encode_frame(message, run_id, sequence))
        out.flush()
        sequence += 1

    send(p.Hello(pid=os.getpid(), version="benchmark"))
    send(p.StateChanged(state="running"))
    began, sent, answered = time.monotonic(), 0, 0
    while (now := time.monotonic() - began) < seconds:
        while sent < RUNS * min(1.0, now / (0.7 * seconds)):
            send(evaluation(sent, rng))
            sent += 1
        if answered < now * answers_per_second:
            send(snapshot(answered, sent, rng))
            send(
                p.Progress(
                    evaluations=sent,
                    failed=sent // 25,
                    budget=RUNS,
                    running=2,
                    elapsed_s=now,
                    remaining_s=(60, 120),
                    activity="Benchmark",
                )
            )
            send(p.Heartbeat(activity="Benchmark", busy_seconds=now))
            answered += 1
        np.linalg.eigh(rng.normal(size=(60, 60)))
    send(p.StateChanged(state="finished"))
    time.sleep(30)


def first_paint(repeats: int = 7) -> None:
    walls, processors = [], []
    for _ in range(repeats):
        done = subprocess.run([sys.executable, "-c", _START], capture_output=True, text=True, check=True, timeout=60)
        wall, processor = map(float, done.stdout.split()[-2:])
        walls.append(wall)
        processors.append(processor)
    wall, processor = statistics.median(walls), statistics.median(processors)
    print(f"first paint: wall median {wall:.2f} s (least {min(walls):.2f}), processor {processor:.2f} s")


def pages() -> None:
    from bayescope.gui.analysis.session_controller import SessionController
    from bayescope.gui.window.app import make_application
    from bayescope.gui.window.main_window import PAGES, MainWindow

    app = make_application([])
    for which in ("first window", "second window"):
        window = MainWindow(SessionController())
        window.controller.file.open_example("contamination")
        window.resize(1280, 720)
        window.show()
        app.processEvents()
        said = []
        for key in PAGES:
            before = time.process_time()
            window.go(key)
            app.processEvents()
            said.append(f"{key} {1e3 * (time.process_time() - before):.0f} ms")
        print(f"{which}: {', '.join(said)}")
        window.hide()


def open_page() -> tuple[object, object, object]:
    from bayescope.gui.analysis.session_controller import SessionController
    from bayescope.gui.window.app import make_application
    from bayescope.gui.window.main_window import MainWindow

    app = make_application([])
    controller = SessionController(make_link=_flooding_client)
    controller.file.adopt(problem())
    window = MainWindow(controller)
    window.resize(1280, 720)
    window.show()
    window.go("run")
    app.processEvents()
    return app, controller, window


def _flooding_client(parent: object) -> object:
    from bayescope.gui.analysis.engine_client import EngineClient

    return EngineClient(
        parent, [sys.executable, str(Path(__file__).resolve()), "--flood", _flood_arguments[0], _flood_arguments[1]]
    )  # type: ignore[arg-type]


_flood_arguments = ["4", "30"]


def timed(action: Callable[[], None], repeats: int = 40) -> str:
    """Wall time; and processor time of this thread, which a busy machine does not stretch."""
    walls, processors = [], []
    for _ in range(repeats):
        wall, processor = time.perf_counter(), time.thread_time()
        action()
        walls.append(1000 * (time.perf_counter() - wall))
        processors.append(1000 * (time.thread_time() - processor))
    return (
        f"median {statistics.median(walls):5.1f} ms, 95 % {np.quantile(walls, 0.95):5.1f} ms; "
        f"processor {statistics.median(processors):5.1f} / {np.quantile(processors, 0.95):5.1f} ms"
    )


def redraw(views: tuple[str, ...] = VIEWS) -> None:
    from bayescope.gui.analysis.run_data import Answer, Evaluation
    from bayescope.gui.plots.curves import compute

    app, controller, window = open_page()
    rng = np.random.default_rng(1)
    page, data, space = window.page("run"), controller.run.data, controller.problem.space  # type: ignore[attr-defined]
    for k in range(RUNS - 200):
        data.add_evaluation(Evaluation.of_message(evaluation(k, rng)))
    answers = [Answer.of_message(snapshot(k, 1800, rng)) for k in range(40)]
    from bayescope.gui.analysis.posteriors import posterior_of

    t = time.thread_time()
    curves = [compute(posterior_of(space, a), a.iteration, True) for a in answers[:4]]
    print(f"reader thread: {250 * (time.thread_time() - t):.0f} ms of processor time per answer with all pairs")
    count = [len(data.evaluations), 0]
    for key in views:
        page.show_view(key)
        page._timer.stop()
        view = page.view(key)
        for _ in range(5):
            app.processEvents()  # type: ignore[attr-defined]
        layers = []
        if key == "pairs":
            layers = _pair_pictures(view.plot.widget, curves, data)

        def once(view: object = view, key: str = key, layers: list[object] = layers) -> None:
            for _ in range(2):
                data.add_evaluation(Evaluation.of_message(evaluation(count[0], rng)))
                count[0] += 1
            count[1] += 1
            answer = answers[count[1] % 40]
            data.add_answer(answer)
            view.update_view(data, answer, curves[count[1] % 4])  # type: ignore[attr-defined]
            if key == "pairs":  # the reader thread brings this picture
                view.plot.widget._take(layers[count[1] % 4])  # type: ignore[attr-defined]
            app.processEvents()  # type: ignore[attr-defined]

        print(f"redraw {key:10s} D = {D}, {count[0]} runs: {timed(once)}")
    page.release()
    controller.shut_down()  # type: ignore[attr-defined]


def _pair_pictures(widget: object, curves: list[object], data: object) -> list[object]:
    """What the reader thread paints for each answer."""
    from bayescope.gui.plots.pair_densities import paint_picture

    made = []
    w: Any = widget
    w._reader = None
    for c in [*curves, *curves]:  # the axes settle first
        w.update_content(c, data)
    for c in curves:
        w.update_content(c, data)
        t = time.thread_time()
        made.append(paint_picture(w._wanted(w._ranges)))
    print(f"reader thread: {1000 * (time.thread_time() - t):.0f} ms of processor time to paint 45 pairs")
    w._reader = _Asked()
    return made


class _Asked:
    """Takes orders for pictures; the benchmark hands over those made before."""

    def paint(self, job: object, done: object) -> None: ...


def stream(answers_per_second: float, seconds: float, view: str) -> None:
    """Gaps of a 5 ms probe timer and memory while frames pour in.

    Beside the gaps, the processor time that the window's thread itself used in them: a busy machine does not stretch it.
    """
    import psutil
    from PySide6.QtCore import QEventLoop, Qt, QTimer

    _flood_arguments[:] = [str(answers_per_second), str(seconds)]
    app, controller, window = open_page()
    page = window.page("run")  # type: ignore[attr-defined]
    page.show_view(view)
    gaps: list[tuple[float, float]] = []
    last = [(time.perf_counter(), time.thread_time())]

    def probe() -> None:
        now = (time.perf_counter(), time.thread_time())
        gaps.append((1000 * (now[0] - last[0][0]), 1000 * (now[1] - last[0][1])))
        last[0] = now

    timer = QTimer(interval=5)
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(probe)
    controller.run.start()  # type: ignore[attr-defined]
    process, sizes, began = psutil.Process(), [], time.monotonic()
    while not controller.run.data.trace and time.monotonic() - began < 60:  # type: ignore[attr-defined]
        app.processEvents()  # type: ignore[attr-defined]
    for _ in range(100):
        app.processEvents()  # type: ignore[attr-defined]
        time.sleep(0.01)
    last[0] = (time.perf_counter(), time.thread_time())
    timer.start()

    def measure() -> None:
        sizes.append(process.memory_info().rss / 2**20)
        if controller.run.state == "finished" or time.monotonic() - began > seconds + 90:  # type: ignore[attr-defined]
            loop.quit()

    loop = QEventLoop()
    clock = QTimer(interval=1000)
    clock.timeout.connect(measure)
    clock.start()
    loop.exec()
    a, own = np.array(gaps).T
    data = controller.run.data  # type: ignore[attr-defined]
    print(
        f"stream, {view}, {answers_per_second:g} answers a second for {seconds:g} s "
        f"({len(data.evaluations)} runs, {len(data.trace)} answers taken): gaps median {np.median(a):.1f}, "
        f"95 % {np.quantile(a, 0.95):.1f}, p99 {np.quantile(a, 0.99):.1f}, max {a.max():.0f} ms; "
        f"processor time in them p99 {np.quantile(own, 0.99):.1f}, max {own.max():.0f} ms; "
        f"memory {sizes[min(3, len(sizes) - 1)]:.0f} -> {sizes[-1]:.0f} MB"
    )
    page.release()
    controller.shut_down()  # type: ignore[attr-defined]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--flood", nargs=2, type=float)
    parser.add_argument("--part", choices=("paint", "pages", "redraw", "gaps", "memory"))
    parser.add_argument("--view", choices=VIEWS)
    options = parser.parse_args()
    if options.flood:
        flood(*options.flood)
        return
    if options.part is None:
        for part, views in (
            ("paint", [""]),
            ("pages", [""]),
            ("redraw", [""]),
            ("gaps", list(VIEWS)),
            ("memory", ["pairs"]),
        ):
            for view in views:
                extra = ["--view", view] if view else []
                subprocess.run([sys.executable, __file__, "--part", part, *extra], check=False)
        subprocess.run(
            [sys.executable, __file__, "--part", "redraw"], check=False, env={**os.environ, "QT_SCALE_FACTOR": "2"}
        )
        return
    if options.part == "paint":
        first_paint()
    elif options.part == "pages":
        pages()
    elif options.part == "redraw":
        print(f"scale {os.environ.get('QT_SCALE_FACTOR', '1')}")
        redraw(VIEWS if options.view is None else (options.view,))
    elif options.part == "gaps":
        stream(4, 30, options.view or "pairs")
    else:
        stream(20, 120, options.view or "pairs")


if __name__ == "__main__":
    main()
