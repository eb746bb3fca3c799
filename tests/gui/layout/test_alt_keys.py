"""Alt keys of buttons that come and go are moved away from those seen beside them; after a removal the place is kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from page_views import settle
from PySide6.QtWidgets import QAbstractButton, QPushButton, QTabBar, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.records import Column, RecordsModel
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.widgets.alt_keys import letter_of, with_other_letter
from bayescope.gui.widgets.notices import Notice
from bayescope.gui.widgets.tables import TableView


@pytest.mark.parametrize(
    ("text", "taken", "made"),
    [
        ("M&ultiply by 1000", "u", "&Multiply by 1000"),
        ("It is &UTC", "ui", "I&t is UTC"),
        ("&Take them", "t", "T&ake them"),
        ("&Take R && D", "t", "Take &R && D"),
        ("&a", "a", "a"),
    ],
)
def test_another_letter_is_underlined_rather_one_that_begins_a_word(text: str, taken: str, made: str) -> None:
    assert with_other_letter(text, taken) == made


def letters(page: QWidget) -> list[str]:
    found = [letter_of(b.text()) for b in page.findChildren(QAbstractButton) if b.isVisible()]
    found += [letter_of(bar.tabText(k)) for bar in page.findChildren(QTabBar) if bar.isVisible() for k in range(bar.count())]
    return sorted(filter(None, found))


def test_a_banner_gives_way_to_the_button_that_is_always_there(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    box = QVBoxLayout(page)
    notice, other, button = Notice(), Notice(), QPushButton("Test r&un")
    for widget in (notice, other, button):
        box.addWidget(widget)
    page.show()
    notice.say("warning", "Another unit?", "", "M&ultiply by 1000", "Not &now")
    other.say("info", "Times", "", "It is &UTC", "&No")
    settle()
    assert button.text() == "Test r&un"
    assert len(letters(page)) == len(set(letters(page))) == 5
    assert notice._button.text().replace("&", "") == "Multiply by 1000"


@pytest.mark.parametrize("said", [("&Take them", "It is &UTC"), ("M&ultiply by 1000", "&Test run"), ("&Paste", "&Use it")])
def test_no_alt_key_is_used_twice_on_any_tab_of_the_data_page_whatever_is_asked(
    make_controller: Callable[[], SessionController], show: Callable[..., None], said: tuple[str, str]
) -> None:
    controller = make_controller()
    assert controller.file.open_example("contamination")
    page = DataPage(controller)
    show(page, 1024, 700)
    for k in range(page.tabs.count()):
        page.tabs.setCurrentIndex(k)
        page.message.say("warning", "Is it so?", "", *said)
        settle()
        assert len(letters(page)) == len(set(letters(page))), page.tabs.tabText(k)


def test_after_a_removal_the_row_that_moved_up_is_chosen_else_the_last(qtbot: QtBot) -> None:
    def commit(rows: tuple[str, ...], _: str) -> bool:
        model.set_rows(rows)
        return True

    model: RecordsModel[str] = RecordsModel((Column("n", "Name", "", lambda r: r),), commit)
    model.set_rows(("a", "b", "c", "d", "e"))
    table = TableView("Names", model)
    qtbot.addWidget(table)
    table.show()
    for row, left, now in ((1, "acde", 1), (3, "acd", 2), (0, "cd", 0)):
        table.selectRow(row)
        assert model.remove(table.selected_rows(), "Remove")
        assert "".join(model.rows) == left
        assert (table.selected_rows(), table.currentIndex().row()) == ([now], now)
