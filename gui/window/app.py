"""Opens the window. Light to import: plots, numerics and pages come after the first paint."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from bayescope.gui.system.display import let_go, why_no_window
from bayescope.gui.system.user_settings import keep_out_of_home, settings


def make_application(arguments: Sequence[str]) -> QApplication:
    """The application with name, icon and theme; high-DPI scale factors are taken as they are (125 %, 150 %)."""
    from bayescope.gui.style.icon_files import app_icon
    from bayescope.gui.style.theme import theme
    from bayescope.gui.system.garbage import GarbageTimer

    QApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    app = QApplication([sys.argv[0], *arguments])
    app.setApplicationName("Bayescope")
    app.setApplicationDisplayName("Bayescope")
    app.setDesktopFileName("bayescope")
    app.setWindowIcon(app_icon())
    keep_out_of_home()
    theme.install(app, settings())
    GarbageTimer(app)
    return app


def open_window(arguments: Sequence[str]) -> int:
    """Run the window until it is closed. Returns the exit status; 1 where no window can be shown, 2 for wrong arguments."""
    parser = argparse.ArgumentParser(prog="bayescope", add_help=False)
    parser.add_argument(
        "sessions", nargs="*", type=Path, help="session files (.bayescope) or problem files (.json) to open"
    )
    parser.add_argument("--open-example", metavar="NAME", default="", help="open a bundled example, e.g. contamination")
    parser.add_argument("--check-installation", action="store_true", help="prove that the installation works")
    parser.add_argument("--theme", choices=("system", "light", "dark"))
    options, rest = parser.parse_known_args(list(arguments))

    from bayescope.gui.system.one_application import Request, pass_to_running

    files = tuple(str(path.absolute()) for path in options.sessions)
    request = Request(files, options.open_example, options.check_installation)
    if pass_to_running(request):
        return 0
    if why := why_no_window(rest):
        from bayescope.engine.problem.command_text import visible

        sys.stderr.write(f"{visible(why)}\n")
        return 1
    app = make_application(rest)
    let_go()

    from bayescope.gui.system.crash import enable_fault_log, install_exception_hook
    from bayescope.gui.window.windows import Windows

    if options.theme:
        from bayescope.gui.style.theme import theme

        theme.choose(options.theme)
    windows = Windows(app)
    install_exception_hook(app)
    enable_fault_log()
    windows.take(request)
    windows.listen()
    status = app.exec()
    from bayescope.engine.session import trial_folders

    trial_folders.end_of_window()
    return status
