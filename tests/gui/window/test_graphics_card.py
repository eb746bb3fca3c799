"""Help > Graphics card: says what it costs, fetches only when asked, pauses, goes on, is removed; by real processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PySide6.QtWidgets import QLabel, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine.cuda import card
from bayescope.engine.cuda.card import Card
from bayescope.engine.machine import nvidia_driver
from bayescope.gui.analysis.cuda_build import CudaBuild
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs.graphics_card import GraphicsCard
from bayescope.gui.pages.run.settings import RunSettingsDialog
from wheel_server import Server, serving, small_torch, wheel_set

pytestmark = [pytest.mark.window, pytest.mark.skipif(os.name != "posix", reason="there are no wheels for Windows yet")]
H200 = Card("NVIDIA H200", "580.95.05", 9.0)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(small_torch()) as made:
        yield made


@pytest.fixture
def opened(
    qtbot: QtBot, server: Server, tmp_path: Path, application_home: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[list[Card]], GraphicsCard]]:
    """The dialog on a computer with those cards."""
    monkeypatch.setenv("BAYESCOPE_CUDA", str(tmp_path / "shared"))
    path = tmp_path / "list.json"
    path.write_bytes(msgspec.json.encode(wheel_set(server.base, server.contents)))
    builds = []

    def show(cards: list[Card]) -> GraphicsCard:
        monkeypatch.setattr(card, "cards", lambda: cards)
        builds.append(CudaBuild(wheels_file=str(path)))
        dialog = GraphicsCard(builds[-1])
        qtbot.addWidget(dialog)
        dialog.show()
        qtbot.waitUntil(lambda: builds[-1].cards is not None)
        return dialog

    yield show
    for build in builds:
        build.shut_down()


def words(dialog: GraphicsCard) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


def buttons(dialog: GraphicsCard) -> dict[str, bool]:
    """Those that are seen -> whether they can be pressed."""
    return {b.text().replace("&", ""): b.isEnabled() for b in dialog.findChildren(QPushButton) if b.isVisible()}


def test_without_a_card_it_says_why_it_would_not_help(opened: Callable[[list[Card]], GraphicsCard], server: Server) -> None:
    dialog = opened([])
    assert "No NVIDIA card with its driver was found on this computer" in words(dialog)
    assert buttons(dialog) == {"Download 0.4 MB": False, "Close": True}
    dialog.close()
    assert server.asked == []


def test_it_is_fetched_when_asked_paused_continued_after_closing_and_removed(
    opened: Callable[[list[Card]], GraphicsCard], server: Server, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = opened([H200])
    assert "This computer has an NVIDIA card: NVIDIA H200" in words(dialog)
    assert "Nothing is downloaded before you say so." in words(dialog)
    assert server.asked == []
    server.pace = 0.1
    dialog.start_button.click()
    qtbot.waitUntil(lambda: "Downloading: 0.00 of 0.00 GB" in words(dialog), timeout=30_000)
    dialog.pause_button.click()
    qtbot.waitUntil(lambda: dialog.build.state == "partial", timeout=30_000)
    assert "Paused. What has come is kept." in words(dialog)
    assert 0 < dialog.bar.value() < dialog.bar.maximum()
    dialog.close()

    again = opened([H200])
    assert any(text.startswith("Resume, ") for text in buttons(again))
    server.asked.clear()
    server.pace = 0.0
    again.start_button.click()
    build = again.build
    again.close()  # it goes on
    qtbot.waitUntil(lambda: build.state == "installed", timeout=60_000)
    assert server.asked[0][1].startswith("bytes=")

    last = opened([H200])
    assert "It is installed and works" in words(last)
    monkeypatch.setattr(QMessageBox, "exec", lambda box: next(b for b in box.buttons() if b.text() == "&Delete").click())
    last.remove_button.click()
    qtbot.waitUntil(lambda: last.build.state == "absent", timeout=30_000)
    assert not last.build.place.root.exists()
    last.close()


def test_what_went_wrong_is_a_sentence_and_it_can_be_tried_again(
    opened: Callable[[list[Card]], GraphicsCard], server: Server, qtbot: QtBot
) -> None:
    dialog = opened([H200])
    server.status = 404
    dialog.start_button.click()
    qtbot.waitUntil(lambda: bool(dialog.build.words), timeout=30_000)
    assert f"{server.base.removeprefix('http://')} has no torch-" in words(dialog)
    assert buttons(dialog) == {"Download 0.4 MB": True, "Close": True}
    dialog.close()


def test_closing_the_application_pauses_it(
    opened: Callable[[list[Card]], GraphicsCard], server: Server, qtbot: QtBot
) -> None:
    dialog = opened([H200])
    server.pace = 0.1
    dialog.start_button.click()
    qtbot.waitUntil(lambda: dialog.build.place.downloaded() > 0, timeout=30_000)
    dialog.build.shut_down()
    assert dialog.build.state == "partial"
    dialog.close()


def test_the_help_menu_opens_it_on_every_computer(
    open_window: Callable[..., tuple[Any, Any, Any]], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(card, "cards", list)
    window, *_ = open_window()
    window.menus.actions["card"].trigger()
    dialog = window.findChild(GraphicsCard)
    qtbot.waitUntil(lambda: "No NVIDIA card" in words(dialog))
    window.menus.actions["card"].trigger()
    assert len(window.findChildren(GraphicsCard)) == 1
    dialog.close()


@pytest.mark.parametrize("seen", [True, False])
def test_the_run_settings_lead_to_it_where_there_is_a_card(
    controller: SessionController, seen: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(nvidia_driver, "KERNEL", tmp_path if seen else tmp_path / "none")
    monkeypatch.setattr(nvidia_driver, "tool", lambda: None)
    settings = RunSettingsDialog(controller.problem, controller.run)
    qtbot.addWidget(settings)
    settings.show()
    assert settings.card.isVisible() == seen
    if seen:
        settings.card.click()
        dialog = settings.findChild(GraphicsCard)
        qtbot.waitUntil(lambda: dialog.build.cards is not None)
        dialog.close()
    settings.close()
