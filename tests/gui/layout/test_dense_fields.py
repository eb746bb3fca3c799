"""Fields of a dense list: the cursor in one takes no room from its text."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QStyle, QStyleOptionFrame, QWidget
from pytestqt.qtbot import QtBot

from bayescope.gui.style.theme import theme
from bayescope.gui.widgets.forms import LineField


def test_letters_below_the_line_are_not_cut_in_the_field_that_has_the_cursor(qtbot: QtBot, show: Any) -> None:
    page = QWidget()
    theme.dress(page)
    row = QHBoxLayout(page)
    fields = [LineField("One"), LineField("Other")]
    for field in fields:
        field.setProperty("kind", "dense")
        field.show_text("DTaj_2")
        row.addWidget(field)
    show(page)
    fields[0].setFocus()
    qtbot.waitUntil(fields[0].hasFocus)
    rooms = []
    for field in fields:
        option = QStyleOptionFrame()
        field.initStyleOption(option)
        rooms.append(field.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, field).height())
    assert fields[0].height() == fields[1].height()
    assert min(rooms) >= fields[0].fontMetrics().height()
