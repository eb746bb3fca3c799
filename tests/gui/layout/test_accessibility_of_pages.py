"""A walk over every control of the set-up and result pages: named, explained, reachable, and no mnemonic twice."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.resources import files

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs.help_window import page_for, page_names
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.pages.parameters.page import ParametersPage
from bayescope.gui.pages.results.page import ResultsPage
from bayescope.gui.pages.simulator.page import SimulatorPage
from bayescope.gui.pages.welcome import WelcomePage

PAGES = (WelcomePage, SimulatorPage, ParametersPage, DataPage, ResultsPage)
CONTROLS = (QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit)
RESERVED = set("fegvhspdr")  # the menus and the steps of the workflow bar


@pytest.fixture
def pages(make_controller: Callable[[], SessionController], show: Callable[..., None]) -> list[QWidget]:
    controller = make_controller()
    assert controller.file.open_example("contamination")
    made = []
    for kind in PAGES:
        page = kind(controller)
        show(page)
        made.append(page)
    return made


def own(widget: QWidget) -> bool:
    """Not a part that Qt makes inside its own widgets (the editor of a spin box, the viewport's buttons)."""
    name = widget.objectName()
    parent = widget.parentWidget()
    inside = isinstance(parent, QComboBox | QAbstractSpinBox | QAbstractItemView) and not isinstance(
        widget, QAbstractItemView
    )
    return not name.startswith(("qt_", "ScrollLeft", "ScrollRight")) and not inside and not name.startswith("Scroll")


def controls(page: QWidget) -> list[QWidget]:
    found = [w for kind in CONTROLS for w in page.findChildren(kind) if own(w)]
    popup = [w for w in found if w.window() is not page.window()]
    wordless = [w for w in found if isinstance(w, QAbstractButton) and w.isHidden() and not w.text()]
    return [w for w in found if w not in popup and w not in wordless and not isinstance(w, QHeaderView)]


def test_every_control_has_a_name_that_can_be_read_aloud(pages: list[QWidget]) -> None:
    nameless = []
    for page in pages:
        for widget in controls(page):
            text = widget.text() if isinstance(widget, QAbstractButton) else ""
            if not (widget.accessibleName() or text.replace("&", "").strip()):
                nameless.append(f"{type(page).__name__}: {type(widget).__name__} in {type(widget.parent()).__name__}")
    assert nameless == []


def test_every_control_is_reachable_by_keyboard(pages: list[QWidget]) -> None:
    unreachable = []
    for page in pages:
        for widget in controls(page):
            if not widget.focusPolicy() & Qt.FocusPolicy.TabFocus and not isinstance(widget.parent(), QTabWidget):
                unreachable.append(f"{type(page).__name__}: {type(widget).__name__} {widget.accessibleName()!r}")
    assert unreachable == []


def test_tab_walks_through_all_enabled_controls_of_a_page(qtbot: QtBot, pages: list[QWidget]) -> None:
    for page in pages:
        wanted = {
            w for w in controls(page) if w.isVisible() and w.isEnabled() and w.focusPolicy() & Qt.FocusPolicy.TabFocus
        }
        wanted = {w for w in wanted if not (isinstance(w, QAbstractButton) and w.group() is not None)}
        reached, widget = set(), page
        for _ in range(3000):
            widget = widget.nextInFocusChain()
            if widget is page:
                break
            reached.add(widget)
        missed = [f"{type(w).__name__} {w.accessibleName()}" for w in wanted - reached]
        assert missed == [], type(page).__name__


def test_no_mnemonic_is_used_twice_among_what_is_seen_together(pages: list[QWidget]) -> None:
    clashes = []
    for page in pages:
        for tabs in [None, *[t for t in page.findChildren(QTabWidget) if t.parent() is not None]]:
            for k in range(tabs.count() if tabs is not None else 1):
                if tabs is not None:
                    tabs.setCurrentIndex(k)
                seen: dict[str, str] = {}
                for widget in [*page.findChildren(QAbstractButton), *page.findChildren(QLabel)]:
                    found = re.search(r"&(\w)", widget.text() or "")
                    if (
                        not widget.isVisible()
                        or found is None
                        or (isinstance(widget, QLabel) and widget.buddy() is None)
                    ):
                        continue
                    letter = found.group(1).lower()
                    if letter in RESERVED and not letter.isdigit():
                        clashes.append(
                            f"{type(page).__name__}: “{widget.text()}” takes Alt+{letter} from menu or workflow bar"
                        )
                    if letter in seen and seen[letter] != widget.text():
                        clashes.append(f"{type(page).__name__}: “{seen[letter]}” and “{widget.text()}”")
                    seen[letter] = widget.text()
    assert sorted(set(clashes)) == []


def test_labels_never_take_the_text_of_others_for_html(pages: list[QWidget]) -> None:
    rich = [
        f"{type(page).__name__}: {label.text()[:40]}"
        for page in pages
        for label in page.findChildren(QLabel)
        if label.textFormat() != Qt.TextFormat.PlainText and ("<" in label.text() or not label.text())
    ]
    assert [r for r in rich if "Panel" not in r and not r.endswith(": ")] == []


def test_f1_finds_a_help_page_for_every_control(pages: list[QWidget]) -> None:
    for page in pages:
        for widget in controls(page):
            assert page_for(widget) in page_names()


def test_help_pages_link_only_to_pages_and_pictures_that_exist() -> None:
    root = files("bayescope.resources") / "help"
    for name in page_names():
        text = (root / f"{name}.md").read_text(encoding="utf-8")
        assert text.startswith("# ")
        for target in re.findall(r"\]\(([^)]+)\)", text):
            assert (root / target).is_file(), f"{name}.md points at {target}"


def test_the_words_of_the_method_are_in_the_glossary() -> None:
    text = (files("bayescope.resources") / "help" / "glossary.md").read_text(encoding="utf-8")
    for word in (
        "Posterior",
        "Prior",
        "Evidence",
        "ELBO",
        "Surrogate",
        "Acquisition",
        "Marginal",
        "Lengthscale",
        "Warm-up",
    ):
        assert f"**{word}**" in text
