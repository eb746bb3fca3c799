"""Texts that have less room than they need, on real windows: a process for itself, as QT_SCALE_FACTOR is read once.

python -m tests.support.cut_texts FOLDER    prints one line for each; pictures of the tour and the dialogs go to FOLDER
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

from PySide6.QtCore import QProcess, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QCheckBox, QListWidget, QRadioButton, QTableView, QWidget

from bayescope.engine.cuda import card
from bayescope.engine.cuda.card import Card
from bayescope.engine.cuda.install import Step
from bayescope.engine.cuda.places import Place
from bayescope.gui.analysis.cuda_build import CudaBuild
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs.check_installation import CheckInstallation
from bayescope.gui.dialogs.graphics_card import GraphicsCard
from bayescope.gui.dialogs.help_window import show_help
from bayescope.gui.models.tour import STEPS
from bayescope.gui.style.theme import Choice, theme
from bayescope.gui.system.user_settings import settings
from bayescope.gui.widgets.bubble import Bubble
from bayescope.gui.window import greeting
from bayescope.gui.window.about import show_about
from bayescope.gui.window.app import make_application
from bayescope.gui.window.main_window import PAGES, MainWindow
from bayescope.gui.window.settings_dialog import show_settings
from tests.support.page_views import cut_texts, each_view, narrow_buttons, settle

SIZE = (1024, 700)
THEMES: tuple[Choice, ...] = ("light", "dark")


def cut_headings(widget: QWidget) -> list[str]:
    """Headings of tables' columns that are narrower than their words."""
    found = []
    for table in (t for t in widget.findChildren(QTableView) if t.isVisible()):
        header, model = table.horizontalHeader(), table.model()
        if model is None or not header.isVisible():
            continue
        for k in range(model.columnCount()):
            needed, words = header.sectionSizeFromContents(k).width(), model.headerData(k, Qt.Orientation.Horizontal)
            if not table.isColumnHidden(k) and header.sectionSize(k) < needed:
                found.append(f"heading {words!r} of a table: {header.sectionSize(k)} of {needed}")
    return found


def cut_choices(widget: QWidget) -> list[str]:
    """Boxes to tick and choices narrower than their words, and lists whose entries do not fit."""
    kinds: tuple[type[QAbstractButton], ...] = (QCheckBox, QRadioButton)
    buttons = [b for kind in kinds for b in widget.findChildren(kind) if b.isVisible()]
    narrow = [b.text() for b in buttons if b.width() < b.sizeHint().width()]
    for each in (w for w in widget.findChildren(QListWidget) if w.isVisible()):
        entries = [each.item(k) for k in range(each.count())]
        wide = [e for e in entries if each.sizeHintForIndex(each.indexFromItem(e)).width() > each.viewport().width()]
        narrow += [entry.text() for entry in wide]
    return narrow


def all_cut(widget: QWidget) -> list[str]:
    return [*cut_texts(widget), *narrow_buttons(widget), *cut_headings(widget), *cut_choices(widget)]


class Looking:
    """Collects what is cut; ``look`` at a widget as it is now."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.found = folder, list[str]()
        self.choice: Choice = "light"

    def look(self, name: str, widget: QWidget, picture: QWidget | None = None) -> None:
        settle()
        self.found += [f"{name}, {self.choice}: {each}" for each in all_cut(widget)]
        (picture or widget).grab().save(str(self.folder / f"{name}-{self.choice}.png"), quality=80)  # packed fast, not tightly

    def bubble(self, name: str, window: MainWindow, bubble: Bubble) -> None:
        self.look(name, bubble, window)
        if not window.rect().contains(bubble.geometry()):
            self.found.append(f"{name}: the bubble {bubble.geometry()} is not in the window")


def pages(window: MainWindow, looking: Looking) -> None:
    for key in PAGES:
        window.go(key)
        settle()
        for view in each_view(window.page(key)):
            looking.found += [f"{key}, {view}: {each}" for each in all_cut(window.page(key))]


def tour(window: MainWindow, looking: Looking) -> None:
    window.take_tour()
    assert window.tour is not None
    for k, step in enumerate(STEPS):
        window.tour._show(k)
        settle()
        looking.bubble(f"tour-{k + 1}-{step.page}", window, window.tour.bubble)
    window.tour.end()
    for name, seen in (("greeting-first", ""), ("greeting-update", "0.0.9")):
        settings().setValue(greeting.SEEN, seen)
        with patch.object(greeting, "listed", return_value=[]):  # as where nobody has analyses
            bubble = greeting.greet(window, settings())
        assert bubble is not None
        looking.bubble(name, window, bubble)
        bubble.hide()


class Build(CudaBuild):
    """In a state that is said, on a computer with a card."""

    said = "absent"

    @property
    def state(self) -> Any:
        return self.said


def graphics_card(looking: Looking) -> None:
    for cards in ([], [Card("NVIDIA GeForce GTX 1080 Ti", "580.95.05", 6.1)], [Card("NVIDIA A30", "580.95.05", 8.0)]):
        card.cards = lambda cards=cards: cards
        for said in ("absent", "working", "partial", "installed") if cards else ("absent",):
            build = Build()
            build.said, build.place = said, Place(Path("/home/somebody/.local/share/Bayescope/cuda"))
            build.step = Step("download", 1_234_000_000, 2_500_000_000)
            dialog = GraphicsCard(build)
            dialog.show()
            wait(lambda build=build: build.cards is not None)
            looking.look(f"graphics-card-{len(cards)}-{said}", dialog)
            dialog.close()


def dialogs(window: MainWindow, looking: Looking) -> None:
    check = CheckInstallation(window)
    check.show()
    looking.look("check-installation", check)
    check._on_finished(1, QProcess.ExitStatus.NormalExit)
    looking.look("check-installation-wrong", check)
    check.close()
    about = show_about(window)
    for k in range(about.tabs.count()):
        about.tabs.setCurrentIndex(k)
        looking.look(f"about-{k}", about)
    about.close()
    chosen = show_settings(window, settings())
    looking.look("settings", chosen)
    chosen.close()
    news = show_help(window, "news")
    looking.look("what-is-new", news)
    news.close()
    graphics_card(looking)


def wait(done: Callable[[], bool]) -> None:
    for _ in range(1000):
        QApplication.processEvents()
        if done():
            return
        time.sleep(0.01)
    raise SystemExit("it did not come to an end")


def windows() -> Iterator[tuple[SessionController, MainWindow]]:
    controller = SessionController()
    window = MainWindow(controller)
    window.resize(*SIZE)
    window.show()
    yield controller, window
    for page in window._pages.values():
        if hasattr(page, "release"):
            page.release()
    controller.shut_down()
    window.hide()


def main(folder: Path) -> int:
    app = make_application([])
    looking = Looking(folder)
    for controller, window in windows():
        for looking.choice in THEMES:  # to change it restyles every widget: once
            theme.choose(looking.choice)
            tour(window, looking)
            controller.file.open_example("contamination")
            pages(window, looking)
            dialogs(window, looking)
    print(f"scale {app.devicePixelRatio():g}")
    for each in looking.found:
        print(each)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
