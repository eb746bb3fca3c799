"""A window whose process is killed: run with Python; what was done there is in a draft that nobody has saved.

python -m tests.support.killed_window runs N      the bundled example, N runs made, killed while it goes on
python -m tests.support.killed_window copy NAME   a copy without runs of the bundled example, killed when it is written
python -m tests.support.killed_window hold NAME   such a copy; says "held" when it is written, and lives on
python -m tests.support.killed_window typing NAME the example renamed again and again, killed as soon as some of it is written
"""

from __future__ import annotations

import itertools
import os
import signal
import sys

import msgspec
from first_start import wait  # beside this file
from PySide6.QtWidgets import QApplication

from bayescope.gui.system.one_application import Request
from bayescope.gui.window.app import make_application
from bayescope.gui.window.windows import Windows


def main(what: str, argument: str) -> None:
    windows = Windows(make_application([]))
    windows.take(Request(example="contamination"))
    controller = windows.open_ones[0].controller
    wait(lambda: bool(controller.problem.declared.parameters))
    if what == "runs":
        settings = msgspec.structs.replace(controller.problem.declared.settings, max_evaluations=10 * int(argument))
        controller.problem.edit("Runs", settings=settings)
        controller.run.start()
        wait(lambda: len(controller.run.data.evaluations) >= int(argument))
    elif what == "typing":
        numbers = itertools.count()

        def typed() -> bool:
            controller.problem.edit("Name", name=f"{argument} {next(numbers)}")
            return controller.file.on_disk is not None

        wait(typed)
    else:
        assert controller.file.duplicate()
        controller.problem.edit("Name", name=argument)
        wait(lambda: not controller.file._unwritten)
        if what == "hold":
            print("held", flush=True)
            QApplication.exec()
            return
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main(*sys.argv[1:])
