"""The text in which numbers are marked stays where it is when an output is added; an output chosen in the list is shown."""

from __future__ import annotations

from typing import Any

from marked_texts import LEFT, click, ran
from page_views import settle
from PySide6.QtTest import QTest

from bayescope.gui.pages.simulator.page import SimulatorPage

LONG = "first = 1.5\n" + "".join(f"nothing here\n{'-' * 20}\n" for _ in range(60)) + "second = 2.5\nthird = 3.5\n"
FRAME = "Seroprevalence:\n      infected seroprevalence\n0-9    22441.9       51.94884\n10-19  30591.3       63.73180\n"


def test_adding_an_output_far_down_does_not_scroll_to_the_first_one(page: SimulatorPage, engines: list[Any]) -> None:
    page.panel.run()
    ran(engines, 1.0, LONG)
    picker = page.outputs.picker
    click(picker, "1.5")
    QTest.mouseClick(picker.take, LEFT)
    click(picker, "2.5")
    settle()
    before = picker.text.top_line()
    assert before > 50
    QTest.mouseClick(picker.take, LEFT)
    settle()
    assert picker.text.top_line() == before
    page.trial.changed.emit()
    settle()
    assert picker.text.top_line() == before
    page.outputs.table.setCurrentIndex(page.outputs.model.index(0, 0))
    settle()
    assert picker.text.top_line() == 0, "an output that is chosen in the list is brought into sight"


def test_what_cannot_be_read_is_not_said_to_be_found_again(page: SimulatorPage, engines: list[Any]) -> None:
    page.panel.run()
    ran(engines, 1.0, FRAME + "\nsize 0.5\n")
    page.outputs.check_button.click()
    ran(engines, 1.2, FRAME.replace("2441", "2551") + "\nsize 0.6\n")
    picker = page.outputs.picker
    click(picker, "22441.9")
    strip = picker.strip
    strip._mark._found["column"] = []  # as where a column has no text by which it is known again
    strip._scope_chosen("column")
    assert strip.reads.whole.startswith("Column cannot be read")
    assert strip.check.whole == "“This number” stays chosen."
