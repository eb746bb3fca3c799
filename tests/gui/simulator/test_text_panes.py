"""Text panes with real keys and mouse: find, numbers, lines, long texts; and the deck beside its original."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from bayescope.engine.problem.numbers.numbers_in_text import numbers
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.simulator.page import SimulatorPage
from bayescope.gui.style.theme import theme
from bayescope.gui.widgets.text_pane import TextPane
from bayescope.gui.widgets.text_window import WHOLE_ROWS, WINDOW_ROWS

Key, Modifier = Qt.Key, Qt.KeyboardModifier
DECK = "*ELASTIC\n210000.0, 0.3\n*DENSITY\n7.85E-9\n" + "".join(f"{k}, {k * 0.125}\n" for k in range(200)) + "*STEP\n-1000.0\n"
LONG = "".join(f"{k:7d} {k * 0.25:.3f} é\n" for k in range(40_000))
Show = Callable[..., None]


@pytest.fixture
def pane(qtbot: QtBot, show: Show) -> TextPane:
    made = TextPane("A text")
    show(made, 500, 320)
    made.setFocus()
    return made


@pytest.fixture
def page(qtbot: QtBot, controller: SessionController, show: Show, tmp_path: Path) -> SimulatorPage:
    """With an input file opened."""
    made = SimulatorPage(controller)
    show(made, 1280, 700)
    made.tabs.setCurrentWidget(made.inputs)
    (tmp_path / "beam.inp").write_text(DECK)
    made.inputs.templates.open_file(tmp_path / "beam.inp")
    made.activateWindow()  # shortcuts are those of the active window
    qtbot.waitUntil(made.isActiveWindow)
    return made


def find(qtbot: QtBot, pane: TextPane, what: str, where: QWidget | None = None) -> str:
    """Ctrl+F, type; what the strip says."""
    qtbot.keyClick(where or pane, Key.Key_F, Modifier.ControlModifier)
    qtbot.keyClicks(pane.strip.field, what)
    qtbot.waitUntil(lambda: pane.strip._search is not None and pane.strip._search.complete)
    return pane.strip.words.whole


def mark(part: Any, what: str, name: str) -> None:
    at = part.editor.text().index(what)
    part.editor.mark(at, at + len(what))
    part.maker.name.setText(name)
    part.maker.accept()


def indexed(qtbot: QtBot, pane: TextPane) -> None:
    qtbot.waitUntil(lambda: pane.rows.complete)


def turn_wheel(pane: TextPane, button: Qt.MouseButton = Qt.MouseButton.NoButton) -> None:
    at = QPointF(80, 80)
    wheel = QWheelEvent(
        at, pane.viewport().mapToGlobal(at), QPoint(), QPoint(0, -960), button, Modifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(pane.viewport(), wheel)
    QApplication.processEvents()


# ------------------------------------------------------------------ find


def test_ctrl_f_opens_the_field_and_types_nothing_into_the_deck(qtbot: QtBot, page: SimulatorPage) -> None:
    editor = page.inputs.templates.editor
    editor.setFocus()
    assert find(qtbot, editor, "0.5") == f"1 of {DECK.count('0.5')}"
    assert editor.text() == DECK
    assert page.problem.declared.simulator.templates[0].text == DECK
    assert editor.text()[slice(*editor.selection())] == "0.5"


def test_ctrl_f_while_the_focus_is_elsewhere_finds_in_the_main_pane_of_the_page(qtbot: QtBot, page: SimulatorPage) -> None:
    target = page.inputs.templates.target
    target.setFocus()
    qtbot.keyClick(target, Key.Key_F, Modifier.ControlModifier)
    assert page.inputs.templates.editor.strip.opened
    assert page.window().focusWidget() is page.inputs.templates.editor.strip.field
    assert target.text() == "beam.inp"


def test_on_the_outputs_tab_the_text_to_mark_in_is_the_main_pane(qtbot: QtBot, page: SimulatorPage) -> None:
    page.tabs.setCurrentWidget(page.outputs)
    page.panel.tabs.setCurrentWidget(page.panel.stdout)
    page.panel.run_button.setFocus()
    qtbot.keyClick(page, Key.Key_F, Modifier.ControlModifier)
    assert page.outputs.picker.text.strip.opened


def test_the_pane_that_has_the_focus_is_the_one_in_which_is_found(qtbot: QtBot, page: SimulatorPage) -> None:
    filled = page.inputs.templates.filled
    filled.setFocus()
    qtbot.keyClick(filled, Key.Key_F, Modifier.ControlModifier)
    assert filled.strip.opened
    assert not page.inputs.templates.editor.strip.opened


def test_return_and_shift_return_go_from_hit_to_hit_and_round_the_end(qtbot: QtBot, pane: TextPane) -> None:
    pane.set_text("ab x ab\ny ab")
    assert find(qtbot, pane, "ab") == "1 of 3"
    field, places = pane.strip.field, []
    for modifier in (Modifier.NoModifier,) * 3 + (Modifier.ShiftModifier,):
        qtbot.keyClick(field, Key.Key_Return, modifier)
        places.append(pane.selection()[0])
    assert places == [5, 10, 0, 10]
    assert pane.strip.words.whole == "3 of 3"
    qtbot.keyClick(field, Key.Key_Escape)
    assert not pane.strip.opened
    assert pane.window().focusWidget() is pane
    assert pane.selection() == (10, 12)
    assert not pane.extraSelections()
    qtbot.keyClick(pane, Key.Key_F3)
    assert pane.selection() == (0, 2)


def test_all_hits_that_are_seen_are_marked_softly(qtbot: QtBot, pane: TextPane) -> None:
    pane.set_text("one two one\none\n")
    find(qtbot, pane, "one")
    assert [s.cursor.selectedText() for s in pane.extraSelections()] == ["one"] * 3
    pane.strip.field.setText("")
    pane.strip.field.textEdited.emit("")
    assert pane.strip.words.whole == ""
    assert find(qtbot, pane, "three") == "Not found"


def test_case_matters_only_when_asked_for(qtbot: QtBot, pane: TextPane) -> None:
    pane.set_text("Step step STEP")
    assert find(qtbot, pane, "step") == "1 of 3"
    qtbot.mouseClick(pane.strip.case, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: pane.strip.words.whole == "1 of 1")
    assert pane.selection() == (5, 9)


def test_nothing_moves_when_find_opens_even_while_a_button_is_down(qtbot: QtBot, pane: TextPane) -> None:
    pane.set_text(DECK)
    before, at = pane.viewport().geometry(), QPoint(30, 60)
    marked: list[tuple[int, int]] = []
    pane.marked.connect(lambda a, b: marked.append((a, b)))
    place = pane._from_qt(pane.cursorForPosition(at).position())
    qtbot.mousePress(pane.viewport(), Qt.MouseButton.LeftButton, pos=at)
    qtbot.keyClick(pane, Key.Key_F, Modifier.ControlModifier)
    QApplication.processEvents()
    assert pane.viewport().geometry() == before
    qtbot.mouseRelease(pane.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert marked == [(place, place)]


def test_a_selected_word_is_what_ctrl_f_looks_for(qtbot: QtBot, pane: TextPane) -> None:
    pane.set_text("alpha beta alpha")
    pane.select(11, 16)
    qtbot.keyClick(pane, Key.Key_F, Modifier.ControlModifier)
    assert pane.strip.field.text() == "alpha"
    assert pane.selection() == (11, 16)


# ------------------------------------------------------------------ numbers and lines


def test_f8_steps_through_exactly_the_numbers_of_the_text(qtbot: QtBot, pane: TextPane) -> None:
    text = "chi2 = 12.75 𝛼 3rd\n1.5D+02 1,2 x-1 2026-11-21\n\n-4e3\n"
    pane.set_text(text)
    found = []
    while pane.step_number():
        found.append(pane.selection())
        assert len(found) < 20
    assert found == [(n.start, n.end) for n in numbers(text)]
    assert pane.strip.words.whole == "No further number"
    qtbot.keyClick(pane, Key.Key_F8, Modifier.ShiftModifier)
    assert pane.selection() == found[-2]


def test_escape_in_the_field_of_the_name_closes_the_strip(qtbot: QtBot, page: SimulatorPage) -> None:
    part = page.inputs.templates
    part.editor.setFocus()
    qtbot.keyClick(part.editor, Key.Key_F8)
    qtbot.keyClick(part.editor, Key.Key_Return)
    assert page.window().focusWidget() is part.maker.name
    qtbot.keyClick(part.maker.name, Key.Key_Escape)
    assert not part.maker.isVisible()


def test_what_is_offered_for_a_number_goes_when_the_text_has_it_no_more(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController
) -> None:
    part = page.inputs.templates
    part.editor.setFocus()
    qtbot.keyClick(part.editor, Key.Key_F8)
    qtbot.keyClick(part.editor, Key.Key_Return)
    assert part.maker.isVisible()
    controller.problem.edit("Note", name="another name")
    assert part.maker.isVisible(), "its text is as it was"
    simulator = controller.problem.declared.simulator
    other = msgspec.structs.replace(simulator.templates[0], text="seed = @seed@\n")
    controller.problem.edit("Seed", simulator=msgspec.structs.replace(simulator, templates=(other, *simulator.templates[1:])))
    assert not part.maker.isVisible()


def test_a_number_becomes_a_parameter_by_keys_alone(qtbot: QtBot, page: SimulatorPage) -> None:
    part = page.inputs.templates
    part.editor.setFocus()
    qtbot.keyClick(part.editor, Key.Key_F8)
    qtbot.keyClick(part.editor, Key.Key_Return)
    assert page.window().focusWidget() is part.maker.name
    qtbot.keyClicks(part.maker.name, "E")
    qtbot.keyClick(part.maker.name, Key.Key_Return)
    assert page.problem.declared.simulator.templates[0].text.startswith("*ELASTIC\n@E@, 0.3\n")
    qtbot.keyClick(part.editor, Key.Key_F8)
    assert part.editor.text()[slice(*part.editor.selection())] == "0.3", "the next one, not one further"


def test_ctrl_g_goes_to_a_line(qtbot: QtBot, pane: TextPane) -> None:
    pane.set_text(DECK)
    for typed, line in (("120", 120), ("100000", DECK.count("\n") + 1), ("0", 1)):
        qtbot.keyClick(pane, Key.Key_G, Modifier.ControlModifier)
        qtbot.keyClicks(pane.strip.field, typed)
        qtbot.keyClick(pane.strip.field, Key.Key_Return)
        assert pane.cursor_line() + 1 == line
        start, end = pane.seen()
        assert start <= pane.selection()[0] <= end
    qtbot.keyClick(pane, Key.Key_G, Modifier.ControlModifier)
    qtbot.keyClicks(pane.strip.field, "x")
    qtbot.keyClick(pane.strip.field, Key.Key_Return)
    assert pane.strip.opened
    assert pane.strip.words.whole == "A whole number"


@pytest.mark.parametrize("look", ["light", "dark"])
def test_lines_are_numbered_in_both_themes(qtbot: QtBot, pane: TextPane, look: Any) -> None:
    theme.dress(pane)
    theme.choose(look)
    try:
        pane.set_text(DECK)
        pane.repaint()
        image = pane._margin.grab().toImage()
        colours = {image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)}
        assert len(colours) > 2, "ground, line and digits"
        assert [n for n, _, _ in pane.rows_seen()][:3] == [0, 1, 2]
    finally:
        theme.choose("light")


# ------------------------------------------------------------------ long texts


def test_a_long_text_is_laid_out_only_where_it_is_seen(qtbot: QtBot, pane: TextPane) -> None:
    pane.set_text(LONG)
    indexed(qtbot, pane)
    assert pane.text() == LONG
    assert pane.document().blockCount() == WINDOW_ROWS < WHOLE_ROWS
    pane.repaint()
    assert pane._margin.painted <= pane.shown_rows() + 2
    qtbot.keyClick(pane, Key.Key_End, Modifier.ControlModifier)
    assert pane.document().blockCount() == WINDOW_ROWS
    assert pane.cursor_line() == 40_000
    assert pane.seen()[1] == len(LONG)


def test_the_last_line_of_a_long_text_is_found(qtbot: QtBot, pane: TextPane) -> None:
    pane.set_text(LONG)
    assert find(qtbot, pane, "  39999 ") == "1 of 1"
    start, end = pane.selection()
    assert LONG[start:end] == "  39999 "
    assert pane.seen()[0] <= start <= pane.seen()[1]
    assert pane.textCursor().selectedText() == "  39999 "
    assert find(qtbot, pane, ".250") == f"1 of {LONG.count('.250'):,}", "from the beginning again"


def test_a_line_of_megabytes_is_shown_in_pieces_and_copied_whole(qtbot: QtBot, pane: TextPane) -> None:
    text = " ".join(str(k) for k in range(300_000))
    pane.set_text(text)
    indexed(qtbot, pane)
    assert pane.rows.n_lines == 1
    assert max(len(pane.document().findBlockByNumber(k).text()) for k in range(pane.document().blockCount())) <= 2_000
    at = text.index(" 299998 ")
    pane.select(at + 1, at + 7)
    assert pane.textCursor().selectedText() == "299998"
    qtbot.keyClick(pane, Key.Key_A, Modifier.ControlModifier)
    qtbot.keyClick(pane, Key.Key_C, Modifier.ControlModifier)
    assert QApplication.clipboard().text() == text


def test_the_wheel_and_the_keys_come_through_all_of_a_long_text(qtbot: QtBot, pane: TextPane) -> None:
    pane.set_text(LONG)
    indexed(qtbot, pane)
    tops = [pane.top_row()]
    for _ in range(120):
        turn_wheel(pane)
        tops.append(pane.top_row())
        first = pane.firstVisibleBlock().text()
        assert first == LONG.split("\n")[tops[-1]]
    steps = {b - a for a, b in pairwise(tops)}
    assert len(steps) == 1, "even steps, over the ends of the windows too"
    assert tops[-1] > 2 * WINDOW_ROWS
    pane.go_to_line(380)
    for _ in range(60):
        qtbot.keyClick(pane, Key.Key_Down)
        QApplication.processEvents()
    assert pane.cursor_line() == 439
    pane._bar.setValue(30_000)
    assert pane.firstVisibleBlock().text() == LONG.split("\n")[30_000]


def test_a_selection_over_more_than_the_window_is_the_one_that_was_made(qtbot: QtBot, pane: TextPane) -> None:
    pane.set_text(LONG)
    indexed(qtbot, pane)
    pane.go_to_line(11)
    start = pane.selection()[0]
    pane.show_row(20_000)
    qtbot.keyClick(pane, Key.Key_End, Modifier.ControlModifier | Modifier.ShiftModifier)
    assert pane.selection() == (start, len(LONG))
    qtbot.keyClick(pane, Key.Key_C, Modifier.ControlModifier)
    assert QApplication.clipboard().text() == LONG[start:]
    pane.show_row(0)
    assert pane.selection() == (start, len(LONG))


def test_the_menu_of_a_pane_selects_and_copies_all_of_a_long_text(qtbot: QtBot, pane: TextPane) -> None:
    pane.set_text(LONG)
    menu = pane.context_menu()
    actions = {action.text().replace("&", ""): action for action in menu.actions()}
    assert not actions["Copy"].isEnabled()
    actions["Select all"].trigger()
    assert pane.selection() == (0, len(LONG))
    pane.copy()
    assert QApplication.clipboard().text() == LONG
    actions["Go to line…"].trigger()
    assert pane.strip.opened
    menu.deleteLater()


def test_a_drag_goes_on_over_the_end_of_the_window(qtbot: QtBot, pane: TextPane) -> None:
    pane.set_text(LONG)
    indexed(qtbot, pane)
    marked: list[tuple[int, int]] = []
    pane.marked.connect(lambda a, b: marked.append((a, b)))
    first = pane._from_qt(pane.cursorForPosition(QPoint(30, 30)).position())
    qtbot.mousePress(pane.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(30, 30))
    for _ in range(60):
        turn_wheel(pane, Qt.MouseButton.LeftButton)
    for x in (40, 50):
        move = QMouseEvent(
            QMouseEvent.Type.MouseMove, QPointF(x, 50), pane.viewport().mapToGlobal(QPointF(x, 50)),
            Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton, Modifier.NoModifier,
        )  # fmt: skip
        QApplication.sendEvent(pane.viewport(), move)
    last = pane._from_qt(pane.cursorForPosition(QPoint(50, 50)).position())
    qtbot.mouseRelease(pane.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(50, 50))
    assert last > LONG.index(f"{WINDOW_ROWS:7d} ")
    assert marked == [(first, last)]


def test_marks_far_down_in_a_long_text_are_drawn_where_they_are_seen(qtbot: QtBot, pane: TextPane) -> None:
    pane.set_text(LONG)
    begins = [0, *(k + 1 for k, c in enumerate(LONG) if c == "\n")]
    places = [(a, a + 7) for a in begins[:-1:5]]
    pane.highlight(places, "found")
    assert pane.highlights() == places
    pane.go_to_line(35_001)
    shown = [s.cursor.selectedText() for s in pane.extraSelections()]
    assert "  35000" in shown
    assert len(shown) < 40


def test_a_click_in_a_long_text_marks_the_place_under_the_mouse(qtbot: QtBot, pane: TextPane) -> None:
    pane.set_text("𝛼" * 20 + "\n" + LONG)
    indexed(qtbot, pane)
    pane.go_to_line(25_002)
    marked: list[tuple[int, int]] = []
    pane.marked.connect(lambda a, b: marked.append((a, b)))
    pane.select(pane.text().index("  25000 ") + 4, pane.text().index("  25000 ") + 4)
    qtbot.mouseClick(pane.viewport(), Qt.MouseButton.LeftButton, pos=pane.cursorRect().center() + QPoint(2, 0))
    assert marked == [(pane.text().index("  25000 ") + 4,) * 2]


# ------------------------------------------------------------------ the deck


def test_no_key_changes_the_deck_until_edit_text_is_pressed(qtbot: QtBot, page: SimulatorPage) -> None:
    part = page.inputs.templates
    part.editor.setFocus()
    part.editor.select(0, 8)
    qtbot.keyClicks(part.editor, "stray")
    for key in (Key.Key_Delete, Key.Key_Backspace):
        qtbot.keyClick(part.editor, key)
    qtbot.keyClick(part.editor, Key.Key_V, Modifier.ControlModifier)
    assert part.editor.text() == DECK
    assert "Edit text" in part.editor.strip.words.whole
    part.which.setFocus()
    assert page.problem.declared.simulator.templates[0].text == DECK


def test_edit_text_lets_one_type_undo_and_be_done(qtbot: QtBot, page: SimulatorPage) -> None:
    part = page.inputs.templates
    qtbot.mouseClick(part.deck.edit_button, Qt.MouseButton.LeftButton)
    part.editor.select(0, 0)
    qtbot.keyClicks(part.editor, "**A")
    assert part.editor.text() == "**A" + DECK
    qtbot.keyClick(part.editor, Key.Key_Z, Modifier.ControlModifier)
    assert part.editor.text() == DECK
    qtbot.keyClick(part.editor, Key.Key_Home, Modifier.ControlModifier)
    qtbot.keyClicks(part.editor, "x")
    qtbot.keyClick(part.editor, Key.Key_Return, Modifier.ShiftModifier)
    qtbot.mouseClick(part.deck.edit_button, Qt.MouseButton.LeftButton)
    assert not part.editor.editing
    assert page.problem.declared.simulator.templates[0].text == "x\n" + DECK
    assert part.deck.difference.whole == "1 line differs from the original"
    page.problem.undo_stack.undo()
    assert part.deck.difference.whole == "Same as the original"


def test_find_works_while_the_deck_is_edited_and_keeps_up_with_it(qtbot: QtBot, page: SimulatorPage) -> None:
    part = page.inputs.templates
    part.deck.edit_button.click()
    part.editor.select(0, 0)
    qtbot.keyClicks(part.editor, "rho rho ")
    assert find(qtbot, part.editor, "rho") == "1 of 2"
    qtbot.keyClick(part.editor.strip.field, Key.Key_Escape)
    qtbot.keyClick(part.editor, Key.Key_Home, Modifier.ControlModifier)
    qtbot.keyClicks(part.editor, "rho ")
    qtbot.keyClick(part.editor, Key.Key_F3)
    qtbot.keyClick(part.editor, Key.Key_F, Modifier.ControlModifier)
    assert part.editor.strip.words.whole.endswith("of 3")
    assert part.editor.text() == "rho rho rho " + DECK


def test_what_is_half_typed_never_gets_into_another_analysis(qtbot: QtBot, page: SimulatorPage, tmp_path: Path) -> None:
    part = page.inputs.templates
    assert page.file.save_as(tmp_path / "beam.bayescope")
    assert page.file.save_as(tmp_path / "copy.bayescope")
    part.deck.edit_button.click()
    part.editor.select(0, 0)
    qtbot.keyClicks(part.editor, "stray")
    assert page.file.open(tmp_path / "beam.bayescope")
    assert not part.editor.editing
    assert page.problem.declared.simulator.templates[0].text == DECK
    assert part.editor.text() == DECK


def test_a_deck_with_a_line_too_long_to_be_edited_says_so_and_is_still_marked(
    qtbot: QtBot, page: SimulatorPage, tmp_path: Path
) -> None:
    (tmp_path / "wide.txt").write_text("k " + "0 " * 60_000 + "2.5\n")
    part = page.inputs.templates
    part.open_file(tmp_path / "wide.txt")
    part.deck.edit_button.click()
    assert not part.editor.editing
    assert "cannot be edited here" in part.editor.strip.words.whole
    mark(part, "2.5", "k")
    assert page.problem.declared.simulator.templates[1].text.endswith("0 @k@\n")


def test_a_new_empty_file_can_be_typed_into_at_once(qtbot: QtBot, page: SimulatorPage) -> None:
    part = page.inputs.templates
    qtbot.mouseClick(part.new_button, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(part.editor, "k 1")
    part.editor.commit()
    assert page.problem.declared.simulator.templates[1].text == "k 1"
    assert part.deck.difference.whole == ""


def test_special_spaces_of_a_deck_survive_an_edit(qtbot: QtBot, page: SimulatorPage, tmp_path: Path) -> None:
    (tmp_path / "fr.txt").write_text("1\u00a0000 m\n", encoding="utf-8")
    part = page.inputs.templates
    part.open_file(tmp_path / "fr.txt")
    part.deck.edit_button.click()
    qtbot.keyClick(part.editor, Key.Key_End, Modifier.ControlModifier)
    qtbot.keyClicks(part.editor, "x")
    part.deck.edit_button.click()
    assert page.problem.declared.simulator.templates[1].text == "1\u00a0000 m\nx"


def test_the_lines_that_differ_from_the_original_are_counted_and_stepped_through(qtbot: QtBot, page: SimulatorPage) -> None:
    part = page.inputs.templates
    mark(part, "210000.0", "E")
    mark(part, "-1000.0", "load")
    assert part.deck.difference.whole == "2 lines hold a parameter, else as the original"
    part.editor.select(0, 0)
    seen = []
    for _ in range(3):
        qtbot.keyClick(part.editor, Key.Key_F7)
        seen.append(part.editor.text()[slice(*part.editor.selection())])
    assert seen == ["@E@, 0.3", "@load@", "@E@, 0.3"]
    qtbot.mouseClick(part.deck.before, Qt.MouseButton.LeftButton)
    assert part.editor.cursor_line() == DECK.count("\n") - 1
    part.deck.beside.choose("original")
    assert part.deck.original.text() == DECK
    assert part.deck.original.isVisible()


def test_the_original_is_kept_in_the_file_of_the_analysis(page: SimulatorPage, tmp_path: Path) -> None:
    mark(page.inputs.templates, "0.3", "nu")
    assert page.file.save_as(tmp_path / "beam.bayescope")
    assert page.file.open(tmp_path / "beam.bayescope")
    assert page.inputs.templates.deck.difference.whole == "1 line holds a parameter, else as the original"


def test_both_panes_scroll_together(qtbot: QtBot, page: SimulatorPage) -> None:
    part = page.inputs.templates
    deck = part.deck
    for key, pane in (("filled", deck.filled), ("original", deck.original)):
        deck.beside.choose(key)
        QApplication.processEvents()
        deck.editor.show_line(100)
        assert pane.top_line() == 100
        pane.show_line(40)
        assert deck.editor.top_line() == 40
    part.deck.edit_button.click()
    part.editor.select(0, 0)
    qtbot.keyClicks(part.editor, "one more line")
    qtbot.keyClick(part.editor, Key.Key_Return)
    part.deck.edit_button.click()
    deck.editor.show_line(101)
    assert deck.original.top_line() == 100, "the lines that are the same stand beside each other"


def test_one_click_shows_the_first_use_of_a_parameter(qtbot: QtBot, page: SimulatorPage) -> None:
    part = page.inputs.templates
    mark(part, "-1000.0", "load")
    mark(part, "210000.0", "E")
    part.editor.show_line(50)
    QApplication.processEvents()
    assert [b.text() for b in part.deck.uses.buttons()] == ["E", "load"]
    for button, line in zip(part.deck.uses.buttons(), (1, DECK.count("\n") - 1), strict=True):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert part.editor.cursor_line() == line
        assert part.editor.text()[slice(*part.editor.selection())] == f"@{button.text()}@"
        start, end = part.editor.seen()
        assert start <= part.editor.selection()[0] <= end


def test_first_uses_that_have_no_room_are_in_a_menu(qtbot: QtBot, page: SimulatorPage) -> None:
    part = page.inputs.templates
    part.deck.edit_button.click()
    part.editor.select(0, len(DECK))
    qtbot.keyClicks(part.editor, " ".join(f"@a_long_name_{k}@" for k in range(12)))
    part.deck.edit_button.click()
    page.inputs._add_missing()
    QApplication.processEvents()
    uses = part.deck.uses
    assert 0 < len(uses.buttons()) < 12
    actions = uses.menu().actions()
    assert len(actions) == 12
    actions[11].trigger()
    assert part.editor.text()[slice(*part.editor.selection())] == "@a_long_name_11@"


def test_every_place_that_shows_a_file_is_a_pane_with_find(page: SimulatorPage) -> None:
    shown = page.findChildren(QPlainTextEdit)
    assert shown
    assert all(isinstance(pane, TextPane) for pane in shown)


TOPOLOGY = (
    "; Ar/Kr 1:1, Lennard-Jones.  Argon: White 1999.  Krypton: to be fitted\n[ atomtypes ]\n"
    "; name  at.num   mass     charge  ptype  sigma (nm)  epsilon (kJ/mol)\n"
    "  KR    36     83.798     0.0     A      0.3650      1.3500\n" + "\n" * 8
)


def test_a_double_click_on_a_number_that_is_seen_scrolls_nothing_sideways(
    page: SimulatorPage, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "topol.top").write_text(TOPOLOGY)
    page.inputs.templates.open_file(tmp_path / "topol.top")
    editor: Any = page.inputs.templates.editor
    start = TOPOLOGY.index("0.3650")
    at_the_edge = _rectangle(editor, start + 6).left() - editor.viewport().width()
    editor.horizontalScrollBar().setValue(max(0, at_the_edge))
    before = editor.horizontalScrollBar().value()
    assert editor.horizontalScrollBar().maximum() > before
    place = _rectangle(editor, start + 2)
    for action in (qtbot.mousePress, qtbot.mouseRelease, qtbot.mouseDClick, qtbot.mouseRelease):
        action(editor.viewport(), Qt.MouseButton.LeftButton, pos=place.center())
    assert page.inputs.templates.maker.isVisible()
    QApplication.processEvents()
    assert editor.horizontalScrollBar().value() == before
    page.inputs.templates.maker.accept()
    QApplication.processEvents()
    moved = editor.horizontalScrollBar().value() - before
    assert moved <= 12 * editor.fontMetrics().horizontalAdvance("0"), "no further than the end of the placeholder"


def test_what_lies_beyond_the_edge_comes_just_into_sight(pane: TextPane) -> None:
    pane.set_text(("x" * 60 + " 12.5 " + "y" * 200 + "\n") * 3)
    pane.select(61, 65)
    assert _rectangle(pane, 61).left() >= 0
    assert _rectangle(pane, 65).right() <= pane.viewport().width()
    value = pane.horizontalScrollBar().value()
    pane.select(40, 45)
    assert pane.horizontalScrollBar().value() == value, "it is seen already"
    pane.select(0, 0)
    assert pane.horizontalScrollBar().value() == 0


def _rectangle(pane: Any, position: int) -> QRect:
    cursor = pane.textCursor()
    cursor.setPosition(position)
    found: QRect = pane.cursorRect(cursor)
    return found


def test_a_mark_near_the_lower_edge_moves_the_text_no_further_than_its_question_takes(
    qtbot: QtBot, page: SimulatorPage
) -> None:
    part = page.inputs.templates
    editor = part.editor
    mark(part, "210000.0", "E")
    editor.show_row(40)
    QApplication.processEvents()
    row = editor.top_row() + editor.shown_rows() - 2
    start, end = editor.rows.span(row)
    at = start + editor.text()[start:end].rindex(" ") + 1
    before = editor.top_row()
    editor.mark(at, end)
    QApplication.processEvents()
    after = editor.top_row()
    assert row in range(after, after + editor.shown_rows())
    assert after - before <= max(0, row - before - editor.shown_rows() + 1)


def test_naming_a_marked_number_moves_no_text_though_it_stands_again_far_below(
    qtbot: QtBot, page: SimulatorPage, tmp_path: Path
) -> None:
    (tmp_path / "deck.txt").write_text("".join(f"value{k % 40} = {3.5 + k % 40}\n" for k in range(80)))
    part = page.inputs.templates
    part.open_file(tmp_path / "deck.txt")
    part.editor.show_row(3)
    QApplication.processEvents()
    at = part.editor.text().index("13.5")
    part.editor.mark(at, at + 4)
    QApplication.processEvents()
    before = part.editor.top_row()
    qtbot.keyClicks(part.maker.name, "ten")
    qtbot.keyClick(part.maker.name, Key.Key_Return)
    qtbot.waitUntil(part.elsewhere.isVisible)
    QApplication.processEvents()
    assert part.editor.highlights(), "the other place is framed"
    assert part.editor.top_row() == before
