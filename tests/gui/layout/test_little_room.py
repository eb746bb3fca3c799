"""1024 x 700, a 1440 x 900 screen at 200 % (720 x 450, less the frame), the least size: every page whole, Run in reach.

Each is also looked at as ``test_cells_whole`` looks at other examples: no text is cut without being told whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cut_cells import lost
from cut_texts import cut_headings
from line_session import saved
from page_views import AT_200_PERCENT, cut_texts, each_view, in_sight, name_of, narrow_buttons, overlaps, seen, settle
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractScrollArea, QLabel, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.style.theme import theme
from bayescope.gui.widgets.scrolling import VerticalScroll
from bayescope.gui.window.main_window import LEAST, PAGES, MainWindow

pytestmark = pytest.mark.window
SIZES = ((1024, 700), AT_200_PERCENT, LEAST)
WIDE = (1440, 900)
MOST_TABS = 120  # presses of Tab; no page has as many controls


@pytest.fixture(params=["before a run", "with an answer"])
def window(
    request: pytest.FixtureRequest,
    make_controller: Callable[[], SessionController],
    put_away: Callable[[list[MainWindow]], None],
    tmp_path: Path,
    qtbot: QtBot,
) -> Iterator[MainWindow]:
    controller = make_controller()
    if request.param == "before a run":
        assert controller.file.open_example("contamination")
    else:
        assert controller.file.open(saved(tmp_path / "line.bayescope"))
    made = [MainWindow(controller)]
    made[0].show()
    if request.param == "with an answer":
        made[0].go("results")
        qtbot.waitUntil(lambda: made[0].page("results").summary.rowCount() == 2, timeout=60_000)
    yield made[0]
    put_away(made)
    theme.choose("light")  # restyles no window any more


def computing(page: QWidget) -> bool:
    """Whether a plot is still to come, which has controls of its own."""
    return any("being computed" in each.text() for each in page.findChildren(QLabel) if each.isVisible())


def area_of(page: QWidget) -> VerticalScroll:
    """What the page scrolls in."""
    viewport = page.parentWidget()
    assert viewport is not None
    area = viewport.parentWidget()
    assert isinstance(area, VerticalScroll)
    return area


def cut_parts(page: QWidget) -> list[str]:
    """Scrolling parts whose content is wider than they are, with no way to scroll there."""
    return [
        f"{type(area.widget()).__name__} in {type(area.parentWidget()).__name__}"
        for area in page.findChildren(QScrollArea)
        if area.isVisible()
        and area.widget() is not None
        and area.widget().width() > area.viewport().width() + 1
        and area.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    ]


@pytest.mark.loops
def test_nothing_is_cut_and_nothing_lies_over_another(window: MainWindow) -> None:
    unread = [each for size in (*SIZES, WIDE) for each in nothing_is_cut(window, size)]
    assert unread == []


def nothing_is_cut(window: MainWindow, size: tuple[int, int]) -> list[str]:
    """Returns the texts that can be read nowhere whole."""
    unread: list[str] = []
    window.resize(*size)
    theme.choose("dark" if size == LEAST else "light")
    for key in PAGES:
        window.go(key)
        settle()
        page, area = window.page(key), area_of(window.page(key))
        for view in each_view(page):
            settle()
            where = f"{size}, {key}, {view}"
            assert (window.width(), window.height()) == size, where
            assert area.horizontalScrollBar().maximum() == 0, f"{where} is wider than the window"
            assert narrow_buttons(page) == [], where
            assert overlaps(page) == [], where
            assert cut_texts(page) == [], where
            assert cut_parts(page) == [], where
            if size != LEAST:
                unread += [f"{where}: {each}" for each in (*lost(page), *cut_headings(page))]
        for button in window.bar.buttons.values():
            assert seen(button), "the steps are always in sight"
    return unread


@pytest.mark.loops
def test_tab_reaches_every_control_of_every_page_and_brings_it_into_sight(window: MainWindow, qtbot: QtBot) -> None:
    for size in SIZES:
        tab_reaches_every_control(window, size, qtbot)


def tab_reaches_every_control(window: MainWindow, size: tuple[int, int], qtbot: QtBot) -> None:
    window.resize(*size)
    strip: Any = window.page("run").strip  # type: ignore[attr-defined]
    for key in PAGES:
        window.go(key)
        settle()
        page = window.page(key)
        qtbot.waitUntil(lambda page=page: not computing(page), timeout=60_000)
        for view in each_view(page) if size == AT_200_PERCENT else ("as it opens",):  # what tab shows depends on no size
            page.setFocus()
            trail = walk(window, qtbot)
            for widget in trail:
                assert widget.isVisible()
            assert {window.bar.buttons[k] for k in window.bar.buttons} & set(trail), "the steps are in the round"
            missed = [name_of(w) for w in tab_stops(page) if w not in trail]
            assert missed == [], f"{size}, {key}, {view}"
    window.go("run")
    strip.refresh()
    settle()
    main = next(b for b in (strip.start, strip.more) if b.isVisible())
    assert main in walk(window, qtbot)
    assert seen(main) or not main.isVisibleTo(window)


def tab_stops(page: QWidget) -> list[QWidget]:
    return [
        w
        for w in page.findChildren(QWidget)
        if w.isVisible() and w.isEnabled() and w.focusPolicy() & Qt.FocusPolicy.TabFocus and w.focusProxy() is None
        and not w.objectName().startswith("qt_")
    ]  # fmt: skip


def walk(window: MainWindow, qtbot: QtBot) -> list[QWidget]:
    """Where Tab goes, once round; each place is at least partly in sight when it is reached, also the main button whole."""
    trail: list[QWidget] = []
    for _ in range(MOST_TABS):
        focus = window.focusWidget()
        assert focus is not None
        qtbot.keyClick(focus, Qt.Key.Key_Tab)
        settle()
        now = window.focusWidget()
        assert now is not None
        assert now is not focus, f"{name_of(focus)} keeps the focus"
        if now in trail:
            return trail
        trail.append(now)
        shown = in_sight(now)
        whole = not isinstance(now, QAbstractScrollArea) and now.height() < 60
        enough = shown.size() == now.size() if whole else shown.width() > 20 and shown.height() > 20
        assert enough, f"{name_of(now)} has the focus out of sight: {now.geometry()}, {shown}"
    raise AssertionError("Tab does not come round")


@pytest.mark.parametrize("size", [(1180, 760), (1440, 900)], ids=str)
def test_a_fixed_file_squashes_no_field_of_the_program(
    make_controller: Callable[[], SessionController],
    put_away: Callable[[list[MainWindow]], None],
    tmp_path: Path,
    size: tuple[int, int],
) -> None:
    controller = make_controller()
    assert controller.file.open_example("contamination")
    (tmp_path / "plate.msh").write_text("1\n")
    made = [MainWindow(controller)]
    made[0].resize(*size)
    made[0].show()
    made[0].go("simulator")
    settle()
    page: Any = made[0].page("simulator")
    page.problem.edit(
        "", simulator=msgspec.structs.replace(page.problem.declared.simulator, command=("FreeFem++", "-nw", "-v", "0", "a.edp"))
    )
    page.program.fixed_files.add([tmp_path / "plate.msh"])
    settle()
    parts = [w for w in page.program.command_card.findChildren(QWidget) if w.isVisible()]
    spilled = [name_of(w) for w in parts if w.geometry().bottom() >= w.parentWidget().height()]
    over, cut = overlaps(page), cut_texts(page)
    put_away(made)
    assert spilled == []
    assert over == []
    assert cut == []
