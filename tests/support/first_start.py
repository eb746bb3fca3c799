"""A first start, driven by hand: the window with what it greets with, the bundled example run to its end, closed.

python -m tests.support.first_start RUNS    prints the greeting's words and how many runs were made
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import msgspec
from PySide6.QtWidgets import QApplication, QMessageBox

from bayescope.gui.system.one_application import Request, pass_to_running
from bayescope.gui.widgets.bubble import Bubble
from bayescope.gui.window.app import make_application
from bayescope.gui.window.windows import Windows

PATIENCE_S = 90.0


def wait(done: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not done():
        QApplication.processEvents()
        time.sleep(0.01)
        if time.monotonic() > end:
            raise SystemExit("it did not come to an end")


def main(runs: int) -> int:
    request = Request()
    assert not pass_to_running(request)
    app = make_application([])
    opened = Windows(app)
    opened.take(request)
    opened.listen()
    window = opened.open_ones[0]
    wait(lambda: any(b.isVisible() for b in window.findChildren(Bubble)))
    print(next(b.words.text() for b in window.findChildren(Bubble) if b.isVisible()))
    controller = window.controller
    assert controller.file.open_example("contamination")
    settings = msgspec.structs.replace(controller.problem.declared.settings, max_evaluations=runs)
    controller.problem.edit("Few runs", settings=settings)
    window.go("run")
    controller.run.start()
    wait(lambda: len(controller.run.data.evaluations) >= runs and not controller.run.active)
    print(len(controller.run.data.evaluations), "runs")
    window.go("results")
    wait(lambda: not [b for b in app.topLevelWidgets() if isinstance(b, QMessageBox)])
    controller.shut_down()
    for page in window._pages.values():
        if hasattr(page, "release"):
            page.release()
    window.hide()
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
