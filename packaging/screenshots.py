"""Pictures of every page in both themes, at two window sizes and at 200 % scale, from a real small run.

    python packaging/screenshots.py OUT_FOLDER [--evaluations 40]

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

PAGES = ("welcome", "simulator", "parameters", "data", "run", "results")
VIEWS = ("overview", "pairs", "points", "predictions", "surrogate", "runs")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--evaluations", type=int, default=40)
    parser.add_argument("--session", type=Path, help="use this finished session instead of running the example")
    parser.add_argument("--sizes", default="1280x720,1920x1080")
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
            subprocess.run(command, check=True, env={**os.environ, "QT_SCALE_FACTOR": scale})
        return 0
    take(options.folder, options.session, [tuple(map(int, s.split("x"))) for s in options.sizes.split(",")])
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

    from bayescope.gui.app import make_application
    from bayescope.gui.session_controller import SessionController

    app = make_application([])
    controller = SessionController()
    controller.open_example("contamination")
    settings = msgspec.structs.replace(controller.problem.settings, max_evaluations=evaluations)
    controller.edit("Settings", settings=settings)
    controller.save_as(path)
    controller.start()
    wait(app, lambda: not controller.active, 600)
    wait(app, lambda: False, 1.0)
    controller.shut_down()
    app.quit()
    del app


def take(folder: Path, session: Path, sizes: list[tuple[int, ...]]) -> None:
    """All pictures of one scale factor."""
    from bayescope.gui.app import make_application
    from bayescope.gui.main_window import MainWindow
    from bayescope.gui.session_controller import SessionController
    from bayescope.gui.style.theme import theme

    scale = os.environ["QT_SCALE_FACTOR"]
    app = make_application([])
    controller = SessionController()
    window = MainWindow(controller)
    window.show()
    window.warm_up()
    wait(app, lambda: False, 0.5)

    def picture(name: str) -> None:
        for choice in ("light", "dark"):
            theme.choose(choice)  # type: ignore[arg-type]
            for width, height in sizes:
                window.resize(width, height)
                wait(app, lambda: False, 0.45)
                window.grab().save(str(folder / f"{name}-{choice}-{width}x{height}-at{scale}.png"))

    for page in PAGES:
        window.go(page)
        picture(f"empty-{page}")
    controller.open(session)
    for page in PAGES:
        window.go(page)
        if page == "results":
            tabs = window.page(page).tabs  # type: ignore[attr-defined]
            for k in range(tabs.count()):
                tabs.setCurrentIndex(k)
                wait(app, lambda: False, 1.5)
                picture(f"results-{k + 1}")
            continue
        if page != "run":
            wait(app, lambda: False, 1.0)
            picture(page)
            continue
        run = window.page("run")
        for view in VIEWS:
            run.show_view(view)  # type: ignore[attr-defined]
            wait(app, lambda: False, 2.0)
            if view == "runs":
                run.show_run(3)  # type: ignore[attr-defined]
            picture(f"run-{view}")
        run.scrubber.slider.setValue(run.scrubber.slider.maximum() // 3)  # type: ignore[attr-defined]
        for view in ("overview", "surrogate"):
            run.show_view(view)  # type: ignore[attr-defined]
            wait(app, lambda: False, 2.0)
            picture(f"run-{view}-looking-back")
        run.scrubber.follow()  # type: ignore[attr-defined]
    for page in window._pages.values():
        if hasattr(page, "release"):
            page.release()
    controller.shut_down()


if __name__ == "__main__":
    sys.exit(main())
