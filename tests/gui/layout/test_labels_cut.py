"""Names that differ at their ends alone are told apart where there is no room for all of them."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from bayescope.gui.models.records import Column, RecordsModel
from bayescope.gui.widgets.tables import FindingDelegate, TableView

pytestmark = pytest.mark.window


@dataclass(frozen=True)
class Named:
    name: str
    words: str


def test_the_first_column_is_cut_in_the_middle_and_sentences_at_their_ends(qtbot: QtBot) -> None:
    model = RecordsModel([Column("name", "Name", "", lambda r: r.name), Column("words", "Words", "", lambda r: r.words)])
    model.set_rows([Named("Heat transfer coefficient of the inner wall", "It is so. It stays so.")])
    table = TableView("Names", model)
    qtbot.addWidget(table)
    delegate = table.itemDelegate()
    assert isinstance(delegate, FindingDelegate)
    cut = []
    for column in range(2):
        option = QStyleOptionViewItem()
        table.initViewItemOption(option)
        delegate.initStyleOption(option, model.index(0, column))
        cut.append(option.textElideMode)  # type: ignore[attr-defined]
    assert cut == [Qt.TextElideMode.ElideMiddle, Qt.TextElideMode.ElideRight]
