"""What the window says of itself: licence, parts, where to report; and the settings that hold for every window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from email.message import Message
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QPlainTextEdit
from pytestqt.qtbot import QtBot

from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.style.theme import theme
from bayescope.gui.system import licences
from bayescope.gui.system.user_settings import settings
from bayescope.gui.widgets.bubble import Bubble
from bayescope.gui.widgets.elided import ElidedLabel
from bayescope.gui.window.about import AboutDialog
from bayescope.gui.window.greeting import greet
from bayescope.gui.window.main_window import MainWindow
from bayescope.gui.window.settings_dialog import SettingsDialog
from tests.packaging.test_bundle import script  # noqa: F401 - a fixture

pytestmark = pytest.mark.window


@pytest.fixture
def window(
    make_controller: Callable[[], SessionController], put_away: Callable[[list[MainWindow]], None], qtbot: QtBot
) -> Iterator[MainWindow]:
    made = [MainWindow(make_controller(), settings())]
    made[0].resize(1024, 700)
    made[0].show()
    yield made[0]
    put_away(made)
    theme.choose("light")


def test_about_names_licence_parts_and_where_to_report(window: MainWindow) -> None:
    window.menus.actions["about"].trigger()
    (dialog,) = window.findChildren(AboutDialog)
    words = "\n".join(shown.text() for shown in dialog.findChildren(QLabel))
    assert "BSD 3-Clause" in words
    assert "Save support bundle" in words
    texts = "\n".join(shown.toPlainText() for shown in dialog.findChildren(QPlainTextEdit))
    for part in ("Redistributions of source code", "torch 2", "PySide6_Essentials", "LGPL-3.0", "code.qt.io", "Python 3"):
        assert part in texts
    window.menus.actions["about"].trigger()
    assert len(window.findChildren(AboutDialog)) == 1
    dialog.close()


def test_the_theme_is_chosen_in_the_settings_and_in_the_view_menu_alike(window: MainWindow) -> None:
    window.menus.actions["settings"].trigger()
    (dialog,) = window.findChildren(SettingsDialog)
    dialog.themes["dark"].click()
    assert theme.dark
    assert settings().value("theme") == "dark"
    window.menus.menus["View"].aboutToShow.emit()
    assert window.menus.actions["theme_dark"].isChecked()
    dialog.themes["light"].click()
    assert not theme.dark
    dialog.close()


def test_a_licence_is_named_by_expression_field_or_classifier() -> None:
    def about(**fields: str) -> Message:
        made = Message()
        for name, value in fields.items():
            made[name.replace("_", "-")] = value
        return made

    assert licences.licence_of(about(License_Expression="MIT", License="x")) == "MIT"
    assert licences.licence_of(about(License="BSD", Classifier="License :: OSI Approved :: BSD License")) == "BSD"
    whole = about(License="The whole\n text", Classifier="License :: OSI Approved :: BSD License")
    assert licences.licence_of(whole) == "BSD License"
    assert licences.licence_of(about()) == "see its licence text"


def test_the_packed_list_names_what_is_packed_with_the_notice_of_qt(script, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    import sysconfig

    contents = script("contents")
    text = contents.licence_list(Path(sysconfig.get_path("purelib")), tmp_path / licences.LIST).read_text(encoding="utf-8")
    assert licences.QT_NOTICE in text
    names = {line.split(" ")[0].lower() for line in text.splitlines() if ": " in line}
    assert {"torch", "numpy", "pyside6_essentials", "shiboken6", "gpytorch", "python"} <= names
    assert not names & {"bayescope", "pytest", "setuptools", "scikit-learn"}
    texts = {path.name for path in (contents.ROOT / "packaging" / "bundle" / "licences").glob("*.txt")}
    assert {"LGPL-3.0.txt", "GPL-3.0.txt"} <= texts


def test_the_first_greeting_leaves_the_examples_in_sight(window: MainWindow, qtbot: QtBot) -> None:
    window.warm_up()
    bubble = greet(window, settings())
    assert isinstance(bubble, Bubble)
    page = window.page("welcome")
    for width in (1360, 1024, 720):
        window.resize(width, 700)
        qtbot.wait(1)
        left = bubble.mapTo(window, bubble.rect().topLeft()).x()
        assert left + bubble.width() <= page.begun.mapTo(window, page.begun.rect().topRight()).x() + 1
    bubble.hide()


def test_a_line_without_room_leaves_whole_clauses_out(qtbot: QtBot) -> None:
    line = ElidedLabel()
    qtbot.addWidget(line)
    words = "The answer is being checked: fresh runs at draws from the posterior."
    line.say(words, parts=". ")
    line.resize(line.fontMetrics().horizontalAdvance(words) + 10, 20)
    assert line.shown == words
    line.resize(line.width() - 40, 20)
    assert line.shown == "The answer is being checked."
