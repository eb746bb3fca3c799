"""Actions of the window with their shortcuts and mnemonics, built once; the window connects them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from bayescope.gui.window.workflow_bar import STEPS

_KEYS: dict[str, QKeySequence.StandardKey | str] = {
    "new": QKeySequence.StandardKey.New,
    "open": QKeySequence.StandardKey.Open,
    "save": QKeySequence.StandardKey.Save,
    "save_as": "Ctrl+Shift+S",
    "close": "Ctrl+W",  # the standard key is Ctrl+F4 on Windows
    "quit": "Ctrl+Q",  # the standard key is the “Exit” key where the desktop is not known
    "start": "Ctrl+R",
    "pause": "Ctrl+P",
    "stop": "Ctrl+.",
    "extend": "Ctrl+Shift+R",
    "help": "F1",
    "home": "Ctrl+0",
}
_MENUS: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...] = (
    (
        "&File",
        (
            ("new", "&New analysis", "Start an empty analysis"),
            ("open", "&Open…", "Open a saved analysis"),
            ("recent", "Open &recent", ""),
            ("examples", "Open e&xample", ""),
            ("", "", ""),
            ("save", "&Save", "Write this analysis to its file"),
            ("save_as", "Save &as…", "Save under another name and go on there"),
            (
                "duplicate",
                "&Duplicate without runs",
                "A copy of these choices without the simulator runs; it can be changed",
            ),
            (
                "ask_again",
                "Ask a&gain without running…",
                "A copy in which noise, data and priors can be changed, answered from these simulator runs",
            ),
            (
                "archive",
                "&Import earlier evaluations…",
                "Start from simulator runs made before: a table, another analysis or a folder of runs",
            ),
            (
                "more_archive",
                "Add &more earlier evaluations…",
                "Runs made elsewhere meanwhile: the answer takes them in, without a new start",
            ),
            (
                "export_problem",
                "&Export problem file…",
                "Write these choices to a JSON file, without the simulator runs",
            ),
            ("folder", "Show in &folder", "Open the folder that holds the session file"),
            ("", "", ""),
            ("close", "&Close this window", "Close this window; the other windows of Bayescope stay"),
            ("quit", "&Quit Bayescope", "Close all windows; each asks first where something is running or not saved"),
        ),
    ),
    ("&Edit", ()),
    ("&Go", ()),
    (
        "&Run",
        (
            ("start", "&Start", "Make the simulator runs and learn from them; what was stopped or paused is resumed"),
            ("pause", "&Pause", "Start no new simulator run; those under way finish"),
            ("stop", "S&top…", "End the analysis; everything finished is kept and it can be resumed later"),
            ("extend", "&More runs…", "Allow more simulator runs, and resume"),
        ),
    ),
    ("&View", ()),
    (
        "&Help",
        (
            ("help", "&Help on this page", "The help page of what is under the cursor"),
            ("contents", "Help &contents", "All help pages"),
            ("tour", "Take the &tour", "Five bubbles on an example: how it works, in two minutes"),
            ("log", "Show &log folder", "Where the window and the engine write what happened"),
            ("support", "Save &support bundle…", "Logs, versions and settings in one file, for somebody who helps"),
            ("check", "Chec&k this installation…", "Run an example, compare with a stored answer, and report"),
            ("card", "&Graphics card…", "The CUDA build of PyTorch for a computer with an NVIDIA card"),
            ("news", "What is &new", "What has changed from version to version"),
            ("about", "&About Bayescope", ""),
        ),
    ),
)


class Menus:
    """``actions[name]`` are QActions; ``recent`` and ``examples`` are submenus filled when they open."""

    def __init__(self, window: QMainWindow) -> None:
        self.actions: dict[str, QAction] = {}
        self.submenus: dict[str, QMenu] = {}
        self.menus: dict[str, QMenu] = {}
        for title, items in _MENUS:
            menu = window.menuBar().addMenu(title)
            self.menus[title.replace("&", "")] = menu
            for name, text, tip in items:
                if not name:
                    menu.addSeparator()
                elif name in ("recent", "examples"):
                    self.submenus[name] = menu.addMenu(text)
                else:
                    self.actions[name] = self._action(window, menu, name, text, tip)
        self._themes(window)

    def _action(self, window: QMainWindow, menu: QMenu, name: str, text: str, tip: str) -> QAction:
        action = QAction(text, window)
        action.setStatusTip(tip)
        key = _KEYS.get(name)
        if key is not None:
            action.setShortcut(QKeySequence(key))
        menu.addAction(action)
        return action

    def add_pages(self, window: QMainWindow, go: Callable[[str], None]) -> None:
        """Go menu: Ctrl+0 for the start page, Ctrl+1 ... Ctrl+5 for the steps."""
        menu = self.menus["Go"]
        for k, (key, text) in enumerate((("welcome", "&Welcome"), *STEPS)):
            action = QAction(text, window)
            action.setShortcut(QKeySequence(f"Ctrl+{k}"))
            action.triggered.connect(lambda _=False, key=key: go(key))
            menu.addAction(action)
            self.actions[f"go_{key}"] = action

    def _themes(self, window: QMainWindow) -> None:
        menu = self.menus["View"].addMenu("&Theme")
        group = QActionGroup(window)
        for name, text in (("system", "As the &system"), ("light", "&Light"), ("dark", "&Dark")):
            action = QAction(text, window, checkable=True)
            group.addAction(action)
            menu.addAction(action)
            self.actions[f"theme_{name}"] = action
        full = QAction("&Full screen", window, checkable=True)
        full.setShortcut(QKeySequence("F11"))
        self.menus["View"].addAction(full)
        self.actions["full_screen"] = full
