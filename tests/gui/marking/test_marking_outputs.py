"""The Outputs page by mouse and keyboard: clicks, drags and headings in what programs print; nothing moves under a button."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from awkward_texts import CALCULIX, CALCULIX_2, EPANET
from marked_texts import LEFT, STATUS, at, click, drag, ran, shown_spans
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.simulator.numbers.first_words import heading_word
from bayescope.gui.pages.simulator.page import SimulatorPage
from bayescope.gui.style.theme import theme
from bayescope.gui.widgets.marking_hints import HOW
from bayescope.gui.window.main_window import MainWindow

FRD = "1 2 3\n" * 60_000  # the large file that nobody reads


@pytest.fixture
def picker(page: SimulatorPage, engines: list[Any]) -> Any:
    """With two runs of a finite-element program."""
    page.panel.run()
    ran(engines, 1.0, job_dat=CALCULIX, job_frd=FRD)
    page.outputs.check_button.click()
    ran(engines, 1.2, STATUS.replace("0.31", "0.44"), job_dat=CALCULIX_2, job_frd=FRD)
    return page.outputs.picker


def test_the_small_file_whose_numbers_changed_is_shown_first_and_they_are_marked(picker: Any) -> None:
    assert picker.source.key() == "job.dat"
    marked = [picker.text.text()[a:b] for a, b in picker.text.changed_spans()]
    assert marked == ["0.1768388E+03", "0.2437555E+03", "0.5000000E+01", "2.500000E-03", "-5.000000E+01"]
    assert "changed at other values" in picker.legend.text()


def test_numbers_behind_a_text_are_no_tables(page: SimulatorPage, engines: list[Any]) -> None:
    page.panel.run()
    rows = " probe  x[m]  T[degC]\n  P1  0.180  {0}.25\n  P2  0.040  {0}.5\n  P3  0.040  {0}.375\n"
    rows += "# loss\n   Q_cool = {0}.75 W/m\n\n"
    written = "".join(f"---- time step {10 * k}   t = {600 * k} s ----\n{rows.format(k)}" for k in (1, 2, 3))
    ran(engines, 1.0, plate_out=written)
    picker = page.outputs.picker
    picker.source.choose("plate.out")
    click(picker, "1.75")
    shown = [picker.strip.repeats.itemText(i) for i in range(picker.strip.repeats.count())]
    assert "every line with “Q_cool” (3): 1.75, 2.75, 3.75" in shown
    assert not [words for words in shown if "table" in words]
    click(picker, "1.25")
    assert "all these tables" in [picker.strip.repeats.itemText(i) for i in range(picker.strip.repeats.count())]


def test_numbers_of_a_clock_do_not_count_as_changed(picker: Any) -> None:
    picker.source.choose("stdout")
    assert picker.text.changed_spans() == []


def test_an_earlier_test_run_at_other_values_is_the_second_run_too(
    page: SimulatorPage, controller: SessionController, engines: list[Any]
) -> None:
    page.panel.run()
    ran(engines, 1.0, job_dat=CALCULIX)
    assert page.outputs.picker.text.changed_spans() == []
    page.trial.set_value("k", 1.5)
    page.panel.run()
    ran(engines, 1.5, job_dat=CALCULIX_2)
    assert len(page.outputs.picker.text.changed_spans()) == 5


def test_a_click_marks_one_number_which_is_framed_and_checked_at_once(
    picker: Any, controller: SessionController
) -> None:
    click(picker, "0.2437555E+03")
    assert picker.strip.isVisible()
    assert shown_spans(picker) == ["0.2437555E+03"]
    assert picker.ways.currentText() == "row 2 of column 4 (“FREQUENCY”), below “E I G E N V A L U E O U T P U T”"
    assert "243.7555" in picker.reads.text()
    assert "Found in the run at other values too" in picker.strip.check.whole
    picker.name.setText("f2")
    QTest.mouseClick(picker.take, LEFT)
    (output,) = controller.problem.declared.outputs
    assert (output.name, output.source, output.length) == ("f2", "job.dat", 1)
    assert output.extractor.anchor == "E I G E N V A L U E O U T P U T"  # type: ignore[union-attr]


def test_a_trembling_click_on_the_edge_of_a_line_is_still_a_click(picker: Any) -> None:
    place = at(picker, "0.2437555E+03")
    QTest.mousePress(picker.text.viewport(), LEFT, pos=place)
    QTest.mouseMove(picker.text.viewport(), place + QPoint(2, 3))
    QTest.mouseRelease(picker.text.viewport(), LEFT, pos=place + QPoint(2, 3))
    assert shown_spans(picker) == ["0.2437555E+03"]
    QTest.mouseDClick(picker.text.viewport(), LEFT, pos=place)
    assert shown_spans(picker) == ["0.2437555E+03"]


def test_a_drag_down_marks_rows_of_one_column_and_is_widened_to_the_table(
    picker: Any, controller: SessionController
) -> None:
    drag(picker, "0.1768388E+03", "0.2437555E+03")
    assert shown_spans(picker) == ["0.1768388E+03", "0.2437555E+03"]
    assert picker.ways.currentText().startswith("rows 1–2 of column 4")
    QTest.mouseClick(picker.strip.scopes["column"], LEFT)
    assert shown_spans(picker) == ["0.1768388E+03", "0.2437555E+03", "0.4865477E+03"]
    QTest.mouseClick(picker.strip.scopes["table"], LEFT)
    assert len(shown_spans(picker)) == 15
    picker.name.setText("a, b")
    QTest.mouseClick(picker.take, LEFT)
    assert "5 names are needed" in picker.reads.text()
    picker.name.setText("mode, eigenvalue, omega, f, im")
    QTest.mouseClick(picker.take, LEFT)
    assert [o.name for o in controller.problem.declared.outputs] == ["mode", "eigenvalue", "omega", "f", "im"]


def test_after_several_outputs_were_added_at_once_the_name_of_the_first_can_be_typed(
    page: SimulatorPage, picker: Any, controller: SessionController
) -> None:
    page.activateWindow()
    drag(picker, "0.4000000E+01", "0.6000000E-01")
    QTest.mouseClick(picker.take, LEFT)
    assert picker.text.hasFocus(), "after a single one the next number is clicked"
    drag(picker, "0.1768388E+03", "0.2437555E+03")
    QTest.mouseClick(picker.strip.scopes["table"], LEFT)
    QTest.mouseClick(picker.take, LEFT)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    assert editor.text() == editor.selectedText() == controller.problem.declared.outputs[1].name
    QTest.keyClicks(editor, "mode_number")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert controller.problem.declared.outputs[1].name == "mode_number"
    assert len(controller.problem.declared.outputs) == 6


def test_a_drag_along_a_row_is_one_list_and_over_both_a_block(picker: Any, controller: SessionController) -> None:
    drag(picker, "0.4000000E+01", "0.6000000E-01")
    assert shown_spans(picker) == ["0.4000000E+01", "0.5000000E+01", "0.6000000E-01"]
    QTest.mouseClick(picker.take, LEFT)
    assert len(controller.problem.declared.outputs) == 1
    drag(picker, "0.2000000E+01", "0.6000000E-01")
    assert picker.take.text() == "&Add 2 outputs"
    QTest.mouseClick(picker.take, LEFT)
    assert [o.name for o in controller.problem.declared.outputs][1:] == ["Y_COMPONENT", "Z_COMPONENT"]


@pytest.mark.parametrize("how", ["click", "drag"])
def test_a_mark_on_a_heading_takes_the_table_below(picker: Any, how: str) -> None:
    if how == "click":
        click(picker, "P A R T I C I P A T I O N")
    else:
        drag(picker, "P A R T I C I P A T I O N", "F A C T O R S")
    assert picker.ways.currentText().startswith("all 3 rows of columns 1–4, below “P A R T I C I P A T I O N")
    assert picker.strip.scopes["table"].isChecked()


def test_tables_that_come_again_are_chosen_beside_the_proposal(page: SimulatorPage, engines: list[Any]) -> None:
    page.panel.run()
    ran(engines, 1.0, EPANET)
    picker: Any = page.outputs.picker
    assert picker.source.key() == "stdout"
    click(picker, "985.23")
    assert picker.strip.repeats.isVisible()
    picker.strip.repeats.choose("all")
    assert shown_spans(picker) == ["985.23", "990.75"]
    picker.strip.repeats.choose("last")
    assert shown_spans(picker) == ["990.75"]


def test_the_last_table_comes_into_sight_when_it_is_chosen_and_which_lines_are_seen_is_said(
    page: SimulatorPage, engines: list[Any]
) -> None:
    page.panel.run()
    later = "  Node Results at 1:00:00"
    ran(engines, 1.0, EPANET.replace(later, "  (nothing new)\n" * 80 + later))
    picker: Any = page.outputs.picker
    click(picker, "985.23")
    assert picker.text.strip.words.text().startswith("Line 9 of 111")
    picker.strip.repeats.choose("last")
    low, high = picker.text.seen()
    assert low <= picker.text.text().index("990.75") < high
    first, last = picker.text.lines_seen()
    assert picker.text.strip.words.text().startswith(f"Lines {first + 1}–{last + 1} of 111"), "the cursor is where the click was"


def test_another_number_of_rows_and_a_lost_place_are_said_at_once(page: SimulatorPage, engines: list[Any]) -> None:
    table = "run\n t  level\n 0  1.5\n 1  2.5\n 2  3.5\n"
    page.panel.run()
    ran(engines, 1.0, table)
    page.outputs.check_button.click()
    ran(engines, 1.2, table + " 3  4.5\n")
    picker: Any = page.outputs.picker
    drag(picker, "1.5", "3.5")
    assert "Its length varies: 3 numbers here, 4" in picker.strip.check.whole
    page.outputs.check_button.click()
    ran(engines, 1.2, "run\n t  level\n none\n")
    assert picker.marking, "what is marked stays marked while the second run changes"
    assert "not found" in picker.strip.check.whole
    assert "there is no row of" in picker.strip.check.whole


def test_what_is_chosen_for_a_mark_stays_chosen_when_a_second_run_comes(page: SimulatorPage, engines: list[Any]) -> None:
    table = "run\n t  level\n 0  1.5\n 1  2.5\n 2  3.5\n"
    page.panel.run()
    ran(engines, 1.0, table)
    picker: Any = page.outputs.picker
    drag(picker, "1.5", "3.5")
    picker.strip.scopes["table"].click()
    assert picker.strip.scope == "table"
    page.outputs.check_button.click()
    ran(engines, 1.2, table.replace("2.5", "2.75"))
    assert picker.strip.scope == "table"


def test_the_text_in_sight_stays_when_a_second_run_moves_its_numbers(page: SimulatorPage, engines: list[Any]) -> None:
    table = "t,x,y\n" + "".join(f"{t},{t}.5,{t}.25\n" for t in range(9))
    page.panel.run()
    ran(engines, 1.0, "run 7: peak 3.50 of 9 rows in out.csv\n", out_csv=table)
    picker: Any = page.outputs.picker
    assert picker.source.key() == "out.csv"
    page.outputs.check_button.click()
    ran(engines, 1.2, "run 7: peak 4.75 of 9 rows in out.csv\n", out_csv=table.replace(".5", ".75"))
    assert picker.source.key() == "out.csv", "the shorter text moves, too, but this one is being read"


def test_a_log_of_which_next_to_nothing_moved_gives_way_to_the_table_that_did(page: SimulatorPage, engines: list[Any]) -> None:
    log = "".join(f"step {k} increment {k + 1} size {k + 2}\n" for k in range(9)) + "Total time: {}\n"
    table = "u\n" + "".join(f" {node} {{}}.{node}E-02\n" for node in range(1, 5))
    page.panel.run()
    ran(engines, 1.0, log.format("0.163104"), job_dat=table.format(1, 2, 3, 4))
    picker: Any = page.outputs.picker
    assert picker.source.key() == "stdout", "the longer one, of which all is still to be known"
    page.outputs.check_button.click()
    ran(engines, 1.2, log.format("0.116007"), job_dat=table.format(2, 3, 4, 5))
    assert picker.source.key() == "job.dat"


def test_a_heading_marked_by_keyboard_reads_its_column_and_a_corrected_name_is_not_refused_any_more(
    page: SimulatorPage, engines: list[Any]
) -> None:
    page.panel.run()
    ran(engines, 1.0, "#Freq   vdb(3)   vp(3)\n" + "".join(f" {f}00.   -0.09{f}   -0.2{f}\n" for f in range(1, 6)))
    picker: Any = page.outputs.picker
    picker.text.setFocus()
    QTest.keySequence(picker.text, "Ctrl+F")
    QTest.keyClicks(QApplication.focusWidget(), "vdb(3)")
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Return):
        QTest.keyClick(QApplication.focusWidget(), key)
    assert shown_spans(picker) == [f"-0.09{f}" for f in range(1, 6)]
    QTest.keyClick(picker.text, Qt.Key.Key_P, Qt.KeyboardModifier.AltModifier)
    assert picker.name.text() == "vdb_3", "a key for a button is no name"
    picker.name.setFocus()
    picker.name.setText("gain/dB")
    QTest.keyClick(picker.name, Qt.Key.Key_Return)
    assert "letters, digits" in picker.reads.shown
    picker.name.selectAll()
    QTest.keyClicks(picker.name, "gain")
    assert picker.reads.shown.startswith("Reads 5 numbers")


def test_two_outputs_that_read_the_same_are_pointed_out(
    page: SimulatorPage, picker: Any, controller: SessionController, engines: list[Any]
) -> None:
    for name in ("f2", "again"):
        click(picker, "0.2437555E+03")
        picker.name.setText(name)
        QTest.mouseClick(picker.take, LEFT)
    assert page.outputs.message.level == "warning"
    assert "f2 and again read the very same numbers" in page.outputs.message.words()
    page.panel.run()
    ran(engines, 1.0, job_dat=CALCULIX)
    assert page.panel.message.level == "warning"
    assert "It works" not in page.panel.message.words()
    assert any("read the very same" in f.message for f in controller.problem.findings("outputs"))


def test_a_test_run_made_before_the_last_change_says_nothing_of_the_program_as_it_is(
    page: SimulatorPage, picker: Any, controller: SessionController, engines: list[Any]
) -> None:
    click(picker, "0.2437555E+03")
    picker.name.setText("f2")
    QTest.mouseClick(picker.take, LEFT)
    page.panel.run()
    ran(engines, 1.0, job_dat=CALCULIX)
    assert page.panel.message.words() == "The program ran."
    simulator = controller.problem.declared.simulator
    controller.problem.edit("", simulator=msgspec.structs.replace(simulator, command=(*simulator.command, "--more")))
    assert page.panel.message.words() == "It worked before the last change."
    assert page.panel.message.suggestion() == "Run it again."


def places(page: QWidget) -> dict[str, Any]:
    """Where everything on the page stands, and what of the text is seen."""
    picker: Any = page.outputs.picker  # type: ignore[attr-defined]
    parts = {"text": picker.text, "below": picker.below, "source": picker.source, "table": page.outputs.tabs}  # type: ignore[attr-defined]
    found: dict[str, Any] = {name: (part.mapTo(page, QPoint(0, 0)), part.size()) for name, part in parts.items()}
    return found | {"scrolled": picker.text.verticalScrollBar().value()}


def test_nothing_moves_while_the_button_is_down_or_when_a_proposal_or_an_error_appears(
    page: SimulatorPage, picker: Any, engines: list[Any], tmp_path: Any
) -> None:
    place = at(picker, "0.2437555E+03")
    QApplication.processEvents()
    before = places(page)
    QTest.mousePress(picker.text.viewport(), LEFT, pos=place)
    assert places(page) == before
    page.trial.changed.emit()  # a run ends under the drag
    picker.text.viewport().repaint()
    assert places(page) == before
    QTest.mouseRelease(picker.text.viewport(), LEFT, pos=place)
    QApplication.processEvents()
    assert picker.strip.isVisible()
    assert places(page) == before
    click(picker, "0.1768388E+03")
    picker.name.setText("7")
    picker.accept()
    QApplication.processEvents()
    assert picker.reads.whole == "A name has letters, digits and _ only, no digit first: “_7” instead?"
    assert places(page) == before
    QTest.keyClick(picker, Qt.Key.Key_Escape)
    assert not picker.marking
    (tmp_path / "plot.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    picker.open_file(tmp_path / "plot.png")
    QApplication.processEvents()
    assert picker.message.isVisible()
    assert places(page) == before
    click(picker, "0.1768388E+03")
    QTest.mouseClick(picker.take, LEFT)
    QApplication.processEvents()
    assert page.outputs.table.isVisible()
    assert places(page) == before


def test_a_run_that_ends_during_a_drag_is_shown_after_it(page: SimulatorPage, picker: Any, engines: list[Any]) -> None:
    place = at(picker, "0.2437555E+03")
    page.panel.run()
    QTest.mousePress(picker.text.viewport(), LEFT, pos=place)
    ran(engines, 1.0, job_dat="other 7\n")
    assert picker.text.text() == CALCULIX
    QTest.mouseRelease(picker.text.viewport(), LEFT, pos=place)
    assert picker.text.text() == "other 7\n"


def test_rows_are_marked_with_the_keyboard(picker: Any) -> None:
    text = picker.text.text()
    picker.text.select(text.index("0.1768388E+03"), text.index("0.2437555E+03") + 13)
    QTest.keyClick(picker.text, Qt.Key.Key_Return)
    assert shown_spans(picker) == ["0.1768388E+03", "0.2437555E+03"]


def test_a_column_that_cannot_be_read_says_why_and_stays_a_number(page: SimulatorPage, engines: list[Any]) -> None:
    page.panel.run()
    ran(
        engines,
        1.0,
        " Station     Rain    Snow    Wind\n Alpha       12.5     0.0     3.5\n Beta         7.5             4.5\n",
    )
    picker: Any = page.outputs.picker
    click(picker, "0.0")
    QTest.mouseClick(picker.strip.scopes["column"], LEFT)
    assert "there is nothing where the number should be" in picker.reads.whole
    assert picker.strip.scopes["number"].isChecked()


def test_a_name_typed_after_marking_goes_to_the_name_wherever_the_focus_is(picker: Any, controller: SessionController) -> None:
    click(picker, "0.1768388E+03")
    QTest.keyClick(picker.text, "u")
    QTest.keyClicks(picker.name, "_z")
    assert picker.name.text() == "u_z"
    QTest.keyClick(picker.name, Qt.Key.Key_Return)
    assert [o.name for o in controller.problem.declared.outputs] == ["u_z"]


@pytest.mark.parametrize("look", ["light", "dark"])
def test_twelve_lines_of_the_text_are_seen_in_a_window_of_1024_by_700_whatever_is_said(
    make_controller: Callable[[], SessionController],
    engines: list[Any],
    put_away: Callable[[list[Any]], None],
    look: str,
) -> None:
    controller = make_controller()
    prior = d.Uniform(low=0.0, high=2.0)
    simulator = d.Simulator(command=("sh", "-c", "echo @k@"))
    assert controller.problem.edit("x", simulator=simulator, parameters=(d.Parameter(name="k", prior=prior),))
    made = [MainWindow(controller)]
    theme.choose(look)  # type: ignore[arg-type]
    try:
        made[0].resize(1024, 700)
        made[0].show()
        made[0].go("simulator")
        page: Any = made[0].page("simulator")
        page.tabs.setCurrentWidget(page.outputs)
        page.panel.run()
        ran(engines, 1.0, job_dat=CALCULIX)
        before, picker = places(page), page.outputs.picker

        def roomy() -> None:
            QApplication.processEvents()
            assert places(page) | {"scrolled": 0} == before | {"scrolled": 0}
            assert picker.text.viewport().height() >= 12 * picker.text.fontMetrics().lineSpacing()

        roomy()
        click(picker, "0.2437555E+03")
        roomy()
        for part in (picker.ways, picker.reads, picker.name, picker.take, picker.strip.check, page.outputs.check_button):
            assert part.visibleRegion().boundingRect() == part.rect(), part
        QTest.mouseClick(picker.take, LEFT)
        roomy()
        page.outputs.check_button.click()
        ran(engines, 1.2, job_dat=CALCULIX_2)
        assert page.outputs.message.isVisible()
        roomy()
    finally:
        theme.choose("light")
        put_away(made)


def test_a_text_of_which_only_the_beginning_is_there_says_so_and_no_last_table_is_offered(
    page: SimulatorPage, engines: list[Any]
) -> None:
    page.panel.run()
    made = protocol.TrialFile(name="job.dat", role="produced", text=CALCULIX, size=10**6, cut=True)
    report = protocol.TrialRunReport(outcome="ok", stdout=STATUS, files=(made,), values={"k": 1.0}, exit_code=0)
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    picker: Any = page.outputs.picker
    picker.source.choose("job.dat")
    assert picker.text.strip.words.whole.endswith(f"· first {len(CALCULIX):,} characters")
    assert "A run reads all of it" in picker.text.strip.words.toolTip()
    click(picker, "0.2437555E+03")
    kept = [picker.strip.repeats.itemData(i) for i in range(picker.strip.repeats.count())]
    assert "last" not in kept, "the last table of a piece is not the last of all"
    assert "last" not in picker.ways.currentText()
    picker.source.choose("stdout")
    assert "first" not in picker.text.strip.words.whole


def test_a_large_file_shows_its_beginning_and_says_where_numbers_can_be_marked(picker: Any, tmp_path: Any) -> None:
    line = "  1   0.5000000E+00   0.2500000E+00\n"
    large = tmp_path / "large.out"
    large.write_text(line * 1_000_000)
    picker.open_file(large)
    assert not picker.message.isVisible(), "no file is too large"
    assert picker.source.key() == "large.out"
    assert "marking: first 2,000,000 characters" in picker.text.strip.words.whole
    assert "the first 32,000,000 are shown" in picker.text.strip.words.toolTip()
    click(picker, "0.5000000E+00")
    assert picker.marking


def test_labels_are_chosen_in_the_details_of_an_output_that_can_have_them(
    page: SimulatorPage, picker: Any, controller: SessionController
) -> None:
    table = d.Output(name="node", source="job.dat", extractor=d.CsvColumn(column=0))
    last = d.Output(name="chi2", source="stdout", extractor=d.LastNumber())
    controller.problem.edit("x", outputs=(table, last))
    editor = page.outputs.editor
    page.outputs.tabs.setCurrentWidget(editor)
    page.outputs.table.setCurrentIndex(page.outputs.model.index(0, 0))
    assert editor.labels.isVisible()
    editor.labels.click()
    assert [o.text for o in controller.problem.declared.outputs] == [True, False]
    page.outputs.table.setCurrentIndex(page.outputs.model.index(1, 0))
    assert not editor.labels.isEnabled()
    controller.problem.undo_stack.undo()
    page.outputs.table.setCurrentIndex(page.outputs.model.index(0, 0))
    assert not editor.labels.isChecked()


LISTED = "          EIGENVALUES\n -30.906 -28.169 -22.827\n -13.362 -11.198 -10.289\n   5.213\n\n end\n"


def test_a_list_over_several_lines_is_taken_by_its_heading_and_by_a_drag_in_reading_order(
    page: SimulatorPage, engines: list[Any]
) -> None:
    page.panel.run()
    ran(engines, 1.0, LISTED)
    picker: Any = page.outputs.picker
    click(picker, "EIGENVALUES")
    assert picker.strip.scopes["list"].isChecked()
    assert picker.name.text() == "EIGENVALUES"
    assert len(shown_spans(picker)) == 7
    drag(picker, "-28.169", "-10.289")
    assert shown_spans(picker) == ["-28.169", "-22.827", "-13.362", "-11.198", "-10.289"]
    assert picker.name.text() == "EIGENVALUES"
    assert "Reads 5 numbers" in picker.reads.text()


def test_why_nothing_is_proposed_is_said_until_the_cursor_moves_on(page: SimulatorPage, engines: list[Any]) -> None:
    page.panel.run()
    ran(engines, 1.0, f"{'*' * 79}\n**{'PROGRAM':^75}**\n{'*' * 79}\n\nenergy = ****** eV\nend of run\n")
    picker = page.outputs.picker
    click(picker, "*****")
    assert picker.hint.text() == HOW
    click(picker, "****** eV")
    assert "could not fit the number" in picker.hint.text()
    picker.text.open_find()
    QTest.keyClicks(picker.text.strip.field, "end of run")
    assert picker.hint.text() == HOW


def test_a_name_comes_from_what_the_title_says_of_the_column_and_other_outputs_stay_framed(
    picker: Any, controller: SessionController
) -> None:
    click(picker, "2.500000E-03")
    assert picker.name.text() == "vx", "of (vx,vy,vz), not the time that stands behind it"
    QTest.keyClick(picker.name, Qt.Key.Key_Return)
    assert picker.text.other_spans() == [], "its own frame is the strong one"
    click(picker, "0.1768388E+03")
    assert [picker.text.text()[a:b] for a, b in picker.text.other_spans()] == ["2.500000E-03"]


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("displacements (vx,vy,vz) for set GAUGES and time", "displacements"),
        ("ANTENNA INPUT PARAMETERS", "PARAMETERS"),
        ("Values at time", "time"),
        ("", ""),
    ],
)
def test_words_about_when_and_where_name_no_output(heading: str, name: str) -> None:
    assert heading_word(heading) == name


def test_return_in_the_text_takes_what_a_click_has_marked(picker: Any, controller: SessionController) -> None:
    click(picker, "0.2437555E+03")
    QTest.keyClick(picker.text, Qt.Key.Key_Return)
    (output,) = controller.problem.declared.outputs
    assert output.length == 1
    assert not picker.strip.isVisible()


FOIL = """
  alpha    CL        CD       Top_Xtr
 ------ -------- --------- --------
  0.000   0.3695   0.00792   0.8264
  1.000   0.5166   0.00779   0.7377
  2.000   0.6131   0.00852   0.6438
"""


def test_headings_picked_with_the_control_key_are_columns_that_return_adds_together(
    page: SimulatorPage, controller: SessionController, engines: list[Any]
) -> None:
    page.panel.run()
    ran(engines, 1.0, polar_txt=FOIL)
    picker = page.outputs.picker
    picker.source.choose("polar.txt")
    click(picker, "CL")
    for heading in ("CD", "Top_Xtr", "alpha", "Top_Xtr"):
        control = Qt.KeyboardModifier.ControlModifier
        QTest.mouseClick(picker.text.viewport(), LEFT, control, at(picker, heading, inside=1))
    assert picker.strip.take_each.text().replace("&", "") == "Add 3 outputs"
    QTest.keyClick(picker.text, Qt.Key.Key_Return)
    outputs = controller.problem.declared.outputs
    assert [o.name for o in outputs] == ["CL", "CD", "alpha"]
    assert [o.length for o in outputs] == [None] * 3
