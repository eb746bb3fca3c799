"""Pictures of every page and tab in both themes, at two window sizes and at 200 % scale, from a real small run.

    python packaging/screenshots.py OUT_FOLDER [--evaluations 40] [--only simulator]

Runs itself once per scale factor, offscreen where there is no display (in CI under Xvfb). The pictures are looked at by people;
nothing is compared by machine.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PAGES = ("welcome", "simulator", "parameters", "data", "run", "results")
VIEWS = ("overview", "pairs", "points", "predictions", "surrogate", "runs")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--evaluations", type=int, default=40)
    parser.add_argument("--session", type=Path, help="use this finished session instead of running the example")
    parser.add_argument("--sizes", default="1280x720,1920x1080")
    parser.add_argument("--only", default="", help="only pictures whose name begins so")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["BAYESCOPE_HOME"] = tempfile.mkdtemp(prefix="bayescope-pictures-")
    if "QT_SCALE_FACTOR" not in os.environ:
        session = options.session or options.folder / "example.bayescope"
        if not session.exists():
            make_session(session, options.evaluations)
        for scale, sizes in (("1", options.sizes), ("2", "1280x720")):
            command = [sys.executable, __file__, str(options.folder), "--session", str(session), "--sizes", sizes]
            command += ["--only", options.only] if options.only else []
            subprocess.run(command, check=True, env={**os.environ, "QT_SCALE_FACTOR": scale})
        return 0
    take(
        options.folder, options.session, [tuple(map(int, s.split("x"))) for s in options.sizes.split(",")], options.only
    )
    return 0


def wait(app: object, until: Callable[[], bool], seconds: float) -> None:
    """Let the window live until something is so, or the time is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not until():
        app.processEvents()  # type: ignore[attr-defined]
        time.sleep(0.01)


def make_session(path: Path, evaluations: int) -> None:
    """A real run of the bundled example through the window's own controller."""
    import msgspec

    from bayescope.gui.analysis.session_controller import SessionController
    from bayescope.gui.window.app import make_application

    app = make_application([])
    controller = SessionController()
    controller.file.open_example("contamination")
    settings = msgspec.structs.replace(controller.problem.declared.settings, max_evaluations=evaluations)
    controller.problem.edit("Settings", settings=settings)
    controller.file.save_as(path)
    controller.run.start()
    wait(app, lambda: not controller.run.active, 600)
    wait(app, lambda: False, 1.0)
    controller.shut_down()
    app.quit()
    del app


def take(folder: Path, session: Path, sizes: list[tuple[int, ...]], only: str) -> None:
    """All pictures of one scale factor."""
    from PySide6.QtWidgets import QTabWidget, QWidget

    from bayescope.gui.analysis.session_controller import SessionController
    from bayescope.gui.style.theme import theme
    from bayescope.gui.window.app import make_application
    from bayescope.gui.window.main_window import MainWindow

    scale = os.environ["QT_SCALE_FACTOR"]
    app = make_application([])
    controller = SessionController()
    window = MainWindow(controller)
    window.show()
    window.warm_up()
    wait(app, lambda: False, 0.5)

    def picture(name: str, of: QWidget = window) -> None:
        if not name.startswith(only):
            return
        for choice in ("light", "dark"):
            theme.choose(choice)  # type: ignore[arg-type]
            for width, height in sizes if of is window else [(of.width(), of.height())]:
                of.resize(width, height)
                wait(app, lambda: False, 0.45)
                of.grab().save(str(folder / f"{name}-{choice}-{width}x{height}-at{scale}.png"))

    def every_tab(name: str, tabs: QTabWidget, inner: dict[int, QTabWidget] | None = None) -> None:
        for k in [k for k in range(tabs.count()) if tabs.isTabVisible(k)]:
            tabs.setCurrentIndex(k)
            wait(app, lambda: False, 0.3)
            title = tabs.tabText(k).replace("&", "").lower().replace(" ", "-")
            if inner and k in inner:
                every_tab(f"{name}-{k + 1}-{title}", inner[k])
            else:
                picture(f"{name}-{k + 1}-{title}")
        tabs.setCurrentIndex(0)

    def simulator(name: str) -> None:
        window.go("simulator")
        page: Any = window.page("simulator")
        every_tab(name, page.tabs, {1: page.inputs.tabs, 2: page.outputs.tabs})

    def tested() -> None:
        page: Any = window.page("simulator")
        page.panel.run()
        wait(app, lambda: page.trial.report is not None or bool(page.trial.words), 60.0)
        wait(app, lambda: False, 0.5)

    for name in PAGES:
        window.go(name)
        page: Any = window.page(name)
        if name == "simulator":
            simulator("empty-simulator")
        elif name == "run":
            for view in VIEWS:
                page.show_view(view)
                picture(f"empty-run-{view}")
        elif name in ("data", "results"):
            every_tab(f"empty-{name}", page.tabs)
        else:
            picture(f"empty-{name}")
    controller.file.open_example("ngspice_filter")
    window.go("simulator")
    tested()
    simulator("filter-simulator")
    for name in ("parameters", "data"):
        window.go(name)
        wait(app, lambda: False, 1.0)
        picture(f"filter-{name}")
    controller.file.open(session)
    window.go("welcome")
    picture("welcome")
    tested()
    simulator("simulator")
    page = window.page("simulator")
    every_tab("simulator-test-run", page.panel.tabs)
    window.go("parameters")
    page = window.page("parameters")
    page.table.selectRow(2)
    picture("parameters")
    window.go("data")
    every_tab("data", window.page("data").tabs)  # type: ignore[attr-defined]
    _run_page(app, window, picture)
    window.go("results")
    page = window.page("results")
    wait(app, lambda: bool(page.summary.rowCount()), 20.0)
    every_tab("results", page.tabs)
    _dialogs(app, window, controller, picture)
    for page in window._pages.values():
        if hasattr(page, "release"):
            page.release()
    controller.shut_down()


def _run_page(app: object, window: Any, picture: Callable[[str], None]) -> None:
    window.go("run")
    run = window.page("run")
    for view in VIEWS:
        run.show_view(view)
        wait(app, lambda: False, 2.0)
        if view == "runs":
            run.show_run(3)
        picture(f"run-{view}")
    run.scrubber.slider.setValue(run.scrubber.slider.maximum() // 3)
    for view in ("overview", "surrogate"):
        run.show_view(view)
        wait(app, lambda: False, 2.0)
        picture(f"run-{view}-looking-back")
    run.scrubber.follow()


def _dialogs(app: object, window: Any, controller: Any, picture: Callable[..., None]) -> None:
    from bayescope.gui.dialogs.help_window import show_help
    from bayescope.gui.pages.archive.importing import ArchiveDialog
    from bayescope.gui.pages.run.settings import RunSettingsDialog

    for name, make in (
        ("settings", lambda: RunSettingsDialog(controller.problem, controller.run, window)),
        ("archive", lambda: ArchiveDialog(controller.problem.declared, controller.file.folder, None, controller.run)),
        ("help", lambda: show_help(window, "run")),
    ):
        dialog = make()
        dialog.show()
        wait(app, lambda: False, 0.5)
        picture(f"dialog-{name}", dialog)
        dialog.close()


if __name__ == "__main__":
    sys.exit(main())
