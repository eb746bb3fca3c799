"""The Simulator page through its real widgets; the engine is played by hand."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.simulator.outputs.extractors import words_of
from bayescope.gui.models.step_status import step_status
from bayescope.gui.pages.simulator.page import SimulatorPage
from bayescope.gui.pages.simulator.program import PAUSE

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4


@pytest.fixture
def page(qtbot: QtBot, controller: SessionController) -> SimulatorPage:
    page = SimulatorPage(controller)
    qtbot.addWidget(page)
    page.resize(1280, 640)
    page.show()
    return page


def type_text(qtbot: QtBot, field: Any, text: str) -> None:
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def answer(engines: list[Any], **fields: Any) -> None:
    """The engine's report of the test run."""
    report = protocol.TrialRunReport(outcome=fields.pop("outcome", "ok"), **fields)
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    QApplication.processEvents()


def test_an_empty_page_asks_for_the_program(page: SimulatorPage) -> None:
    assert page.status() == ("todo", "Choose the program.")
    assert "Choose the program" in page.program.found.text()
    assert not page.panel.run_button.isEnabled()


def test_a_program_and_arguments_are_typed_and_shown_filled(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController
) -> None:
    type_text(qtbot, page.program.program, "sh")
    assert "Found:" in page.program.found.text()
    type_text(qtbot, page.program.arguments, "-c 'echo @k@' 2.5")
    assert controller.problem.declared.simulator.command == ("sh", "-c", "echo @k@", "2.5")
    assert "@k@ is not a parameter" in page.program.preview_notice.text()
    assert page.inputs.missing.words()
    page.inputs.missing.pressed.emit()
    assert [p.name for p in controller.problem.declared.parameters] == ["k"]
    assert "echo 0.5" in page.program.preview.text()


def test_a_whole_pasted_command_line_is_taken_apart(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController
) -> None:
    type_text(qtbot, page.program.program, "sh -c true")
    assert controller.problem.declared.simulator.command == ("sh", "-c", "true")


def test_a_number_marked_in_the_arguments_becomes_a_parameter_in_one_step(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController
) -> None:
    type_text(qtbot, page.program.program, "sh")
    type_text(qtbot, page.program.arguments, "--width=2.5 x")
    page.program.arguments.setSelection(8, 3)
    assert page.program.maker.isVisible()
    assert page.program.maker.name.text() == "width"
    qtbot.mouseClick(page.program.maker.button, Qt.MouseButton.LeftButton)
    assert controller.problem.declared.simulator.command == ("sh", "--width=@width@", "x")
    assert [p.name for p in controller.problem.declared.parameters] == ["width"]
    assert page.trial.values() == {"width": 2.5}
    controller.problem.undo_stack.undo()
    assert controller.problem.declared.parameters == ()
    assert controller.problem.declared.simulator.command == ("sh", "--width=2.5", "x")


def test_arguments_that_the_tab_key_marks_as_a_whole_are_no_number_pointed_at(qtbot: QtBot, page: SimulatorPage) -> None:
    type_text(qtbot, page.program.program, "sh")
    type_text(qtbot, page.program.arguments, "cup.in")
    page.program.program.setFocus()
    page.program.arguments.setFocus(Qt.FocusReason.TabFocusReason)
    page.program.arguments.selectAll()
    assert not page.program.maker.isVisible(), "a strip would move what is below"
    type_text(qtbot, page.program.arguments, "2.5")
    page.program.arguments.selectAll()
    assert page.program.maker.isVisible()


def test_a_number_marked_with_the_mouse_in_a_template_becomes_a_parameter(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController, tmp_path: Path
) -> None:
    deck = tmp_path / "input.txt"
    deck.write_text("# löslich 𝛼\nrate 1.5e-3\nsteps 10\n", encoding="utf-8")
    page.tabs.setCurrentWidget(page.inputs)
    part = page.inputs.templates
    part.open_file(deck)
    assert controller.problem.declared.simulator.templates[0].target == "input.txt"
    text = part.editor.toPlainText()
    start = text.index("1.5e-3")
    wide = 1  # the letter beyond the basic plane counts twice in Qt
    cursor = QTextCursor(part.editor.document())
    cursor.setPosition(start + wide)
    part.editor.setTextCursor(cursor)
    qtbot.mouseDClick(part.editor.viewport(), Qt.MouseButton.LeftButton, pos=part.editor.cursorRect().center())
    qtbot.mouseRelease(part.editor.viewport(), Qt.MouseButton.LeftButton, pos=part.editor.cursorRect().center())
    assert part.maker.isVisible()
    assert part.maker.name.text() == "rate"
    qtbot.keyClick(part.maker.name, Qt.Key.Key_Return)
    assert controller.problem.declared.simulator.templates[0].text == "# löslich 𝛼\nrate @rate@\nsteps 10\n"
    assert "rate 0.0015" in part.filled.text()


def test_a_remark_beside_a_number_that_is_made_a_parameter_gives_it_a_label_and_a_unit(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController, tmp_path: Path
) -> None:
    deck = tmp_path / "aquifer.par"
    lines = ("% --- aquifer ---", "T   = 300        % transmissivity, m2/day", "B   = 800        % leakage factor, m", "")
    deck.write_text("\n".join(lines), encoding="utf-8")
    page.tabs.setCurrentWidget(page.inputs)
    part = page.inputs.templates
    part.open_file(deck)
    cursor = QTextCursor(part.editor.document())
    cursor.setPosition(part.editor.toPlainText().index("300"))
    part.editor.setTextCursor(cursor)
    qtbot.mouseDClick(part.editor.viewport(), Qt.MouseButton.LeftButton, pos=part.editor.cursorRect().center())
    qtbot.mouseRelease(part.editor.viewport(), Qt.MouseButton.LeftButton, pos=part.editor.cursorRect().center())
    qtbot.keyClick(part.maker.name, Qt.Key.Key_Return)
    (made,) = controller.problem.declared.parameters
    assert (made.name, made.label, made.unit) == ("T", "transmissivity", "m2/day")
    controller.problem.undo_stack.undo()
    assert not controller.problem.declared.parameters, "one step to undo"


def test_the_text_stays_where_it_is_when_its_first_number_is_marked(
    page: SimulatorPage, controller: SessionController, tmp_path: Path
) -> None:
    deck = tmp_path / "rods.ctl"
    deck.write_text("(define-param eps-shell 9.0)\n" + "; more\n" * 90)
    controller.problem.edit("x", simulator=d.Simulator(command=("cat", str(deck))))
    page.tabs.setCurrentWidget(page.inputs)
    part = page.inputs.templates
    part.open_file(deck)
    assert "names the run's own copy" in part.message.words()
    QApplication.processEvents()
    place = part.editor.mapTo(page, part.editor.rect().topLeft())
    part.editor.mark(24, 27)
    assert part.maker.name.text() == "eps_shell"
    part.maker.accept()
    part.message.clear()
    QApplication.processEvents()
    assert part.editor.mapTo(page, part.editor.rect().topLeft()) == place


def test_outputs_marked_after_a_test_run_are_shown_as_they_are_read_in_its_texts(
    page: SimulatorPage, controller: SessionController, engines: list[Any]
) -> None:
    controller.problem.edit("x", simulator=d.Simulator(command=("sh", "-c", "echo 2.5")))
    page.panel.run()
    answer(engines, stdout="2.5\n")
    output = d.Output(name="y", source="stdout", extractor=d.LastNumber())
    controller.problem.edit("x", outputs=(output,))
    assert [(r.name, r.value) for r in page.panel.outputs.rows] == [("y", "2.5")]
    assert not page.panel.nothing.isVisible()


def test_windows_line_ends_of_a_template_are_kept(
    page: SimulatorPage, controller: SessionController, tmp_path: Path
) -> None:
    deck = tmp_path / "dos.txt"
    deck.write_bytes(b"a 1\r\nb 2\r\n")
    page.inputs.templates.open_file(deck)
    editor = page.inputs.templates.editor
    editor.mark(2, 3)
    page.inputs.templates.maker.accept()
    assert controller.problem.declared.simulator.templates[0].text == "a @a@\r\nb 2\r\n"


def test_a_picture_is_refused_as_template_and_as_output(
    page: SimulatorPage, controller: SessionController, tmp_path: Path
) -> None:
    picture = tmp_path / "plot.png"
    picture.write_bytes(PNG)
    page.inputs.templates.open_file(picture)
    page.outputs.picker.open_file(picture)
    assert controller.problem.declared.simulator.templates == ()
    assert "PNG image" in page.inputs.templates.message.words()
    assert "PNG image" in page.outputs.picker.message.words()


def test_a_number_clicked_in_a_real_output_becomes_an_output(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController, engines: list[Any]
) -> None:
    type_text(qtbot, page.program.program, "sh")
    page.panel.run()
    assert isinstance(engines[-1].sent[-1], protocol.TrialRun)
    answer(engines, stdout="step 1\nchi2 = 12.75 of 8\n", exit_code=0)
    assert "mark" in page.panel.nothing.words().lower()
    page.tabs.setCurrentWidget(page.outputs)
    picker = page.outputs.picker
    cursor = picker.text.textCursor()
    cursor.setPosition(picker.text.text().index("12.75") + 2)
    picker.text.setTextCursor(cursor)
    qtbot.mouseClick(picker.text.viewport(), Qt.MouseButton.LeftButton, pos=picker.text.cursorRect().center())
    assert picker.strip.isVisible()
    assert "12.75" in picker.reads.text()
    qtbot.mouseClick(picker.take, Qt.MouseButton.LeftButton)
    (output,) = controller.problem.declared.outputs
    assert output.extractor == d.LabelledNumber(label="chi2")
    assert (output.name, output.source, output.length) == ("chi2", "stdout", 1)
    assert page.outputs.model.rows[0].reads == "12.75"
    assert picker.text.highlights() == [(14, 19)]


def test_a_table_with_comments_can_be_marked_and_a_mark_that_is_no_table_is_named_rightly(
    page: SimulatorPage, tmp_path: Path
) -> None:
    picker = page.outputs.picker
    table = tmp_path / "conc.csv"
    table.write_text("# run 1\ntime,conc [mmol/L]\n0,1.5\n1,2.5\n2,3.5\n")
    picker.open_file(table)
    at = picker.text.text().index("2.5")
    picker._marked(at, at + 3)
    assert picker.ways.currentText() == "row 2 of column “conc [mmol/L]” of the table"
    picker.strip.scopes["column"].click()
    assert picker.ways.currentText() == "the whole column “conc [mmol/L]” of the table (3 numbers)"
    halves = tmp_path / "halves.txt"
    halves.write_text("".join(f"{k} {k * k}\n" + "! --- half time ---\n" * (k == 6) for k in range(13)))
    picker.open_file(halves)
    picker._marked(0, len(picker.text.text()))
    assert picker.ways.currentText().startswith("all 13 rows of columns 1–2, from the top of the text")
    assert "other lines between the rows are passed over" in picker.ways.currentText()
    assert picker.take.text() == "&Add 2 outputs"
    steps = tmp_path / "steps.txt"
    steps.write_text("T = 12 K\n3 bar and 4\nno digits\n")
    picker.open_file(steps)
    text = picker.text.text()
    picker._marked(0, len(text))
    assert "cannot be read as columns of one table" in picker.hint.text()
    picker._marked(text.index("no"), len(text))
    assert not picker.marking
    assert "There is no number" in picker.hint.text()


def test_marking_rows_reads_a_whole_column_and_the_check_compares_another_run(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController, engines: list[Any]
) -> None:
    type_text(qtbot, page.program.program, "sh")
    page.panel.run()
    table = "time level\n0 1.5\n1 2.5\n2 3.5\n"
    answer(engines, files=(protocol.TrialFile(name="out.txt", role="produced", text=table, size=len(table)),))
    picker = page.outputs.picker
    picker.source.choose("out.txt")
    picker.text.mark(table.index("1.5"), table.index("3.5") + 3)
    picker.accept()
    assert page.outputs.model.rows[0].reads.startswith("3 numbers: 1.5")
    page.outputs.check_button.click()
    changed = table.replace("2.5", "9.5")
    answer(engines, files=(protocol.TrialFile(name="out.txt", role="produced", text=changed, size=len(changed)),))
    assert "found at other values" in page.outputs.message.words()
    assert "9.5" in page.outputs.model.rows[0].other
    page.outputs.check_button.click()
    answer(engines, files=(protocol.TrialFile(name="out.txt", role="produced", text="nothing", size=7),))
    assert "not found any more" in page.outputs.message.words()


def test_a_deck_that_is_open_already_is_shown_and_taken_twice_only_when_asked_for(
    page: SimulatorPage, controller: SessionController, tmp_path: Path, qtbot: QtBot
) -> None:
    part = page.inputs.templates
    page.tabs.setCurrentWidget(page.inputs)
    deck, mesh = tmp_path / "case", tmp_path / "mesh"
    deck.write_text("K = 3\n")
    mesh.write_text("K = 3\n")
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "case"
    other.write_text("K = 5\n")
    for path in (deck, mesh, deck):
        part.open_file(path)

    def targets() -> list[str]:
        return [t.target for t in controller.problem.declared.simulator.templates]

    assert targets() == ["case", "mesh"], "two files may have the same text"
    assert part.target.text() == "case"
    assert part.message.words() == "“case” is open already: here it is."
    part.target.setText("renamed")
    part.target.committed.emit("renamed")
    deck.write_text("K = 4\n")
    part.open_file(deck)
    assert targets() == ["renamed", "mesh"]
    assert "changed since" in part.message.suggestion()
    qtbot.mouseClick(part.message._button, Qt.MouseButton.LeftButton)
    assert targets() == ["renamed", "mesh", "case"]
    assert controller.problem.declared.simulator.templates[2].text == "K = 4\n"
    part.open_file(other)
    assert targets() == ["renamed", "mesh", "case", "case-2"]
    assert part.message.words() == "“case” is the name of another input file here. This one is written as “case-2”."


def test_an_output_is_described_by_hand(page: SimulatorPage, controller: SessionController) -> None:
    page.outputs.by_hand_button.click()
    page.outputs.editor.kind.choose("json")
    (output,) = controller.problem.declared.outputs
    assert isinstance(output.extractor, d.JsonPath)
    field = page.outputs.editor.details.editor("path")
    field.setText("fit.chi2")  # type: ignore[attr-defined]
    field.editingFinished.emit()  # type: ignore[attr-defined]
    assert controller.problem.declared.outputs[0].extractor == d.JsonPath(path="fit.chi2")


def test_an_output_that_cannot_be_called_so_is_called_nearly_so_at_a_button(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController
) -> None:
    page.tabs.setCurrentWidget(page.outputs)
    qtbot.mouseClick(page.outputs.by_hand_button, Qt.MouseButton.LeftButton)
    model = page.outputs.model
    model.setData(model.index(0, model.column_of("name")), "o2 (mg/l), 16.5m")
    said = page.outputs.message
    assert said.words() == (
        "“o2 (mg/l), 16.5m” cannot be the name of an output: letters, digits and _ only, no digit first."
    )
    assert said._button.text() == "Call it “o2_mg_l_16_5m”"
    qtbot.mouseClick(said._button, Qt.MouseButton.LeftButton)
    assert [o.name for o in controller.problem.declared.outputs] == ["o2_mg_l_16_5m"]
    assert not controller.problem.findings("outputs.o2_mg_l_16_5m.name")


def test_of_rows_below_a_heading_few_fields_are_shown_and_what_is_read_stands_below_them(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController, engines: list[Any]
) -> None:
    rows = d.Output(name="T", source="stdout", extractor=d.Region(anchor="time T", columns=(2,), by="word"))
    controller.problem.edit("x", outputs=(rows,))
    page.tabs.setCurrentWidget(page.outputs)
    page.outputs.tabs.setCurrentWidget(page.outputs.editor)
    editor = page.outputs.editor
    assert editor.reads.text() == "Press Test run to see what it reads."
    type_text(qtbot, page.program.program, "sh")
    page.panel.run()
    answer(engines, stdout="time T\n0 10.5\n1 11.5\n2 12.5\n3 13\n4 14\n", exit_code=0)
    assert editor.reads.text() == "Reads 5 numbers: 10.5, 11.5, 12.5, 13, …"
    assert len(editor.details.editors()) <= 6
    assert not editor.more.isVisible()
    assert editor.rare.button.text() == "&More (1 set)", "how its columns are counted"
    type_text(qtbot, editor.details.editor("first"), "4")
    assert editor.reads.text() == "Reads 2 numbers: 13, 14"
    type_text(qtbot, editor.details.editor("first"), "9")
    assert editor.reads.text().startswith("✕ ")
    editor.rare.open()
    assert editor.more.editor("gaps").isVisible()


def test_the_test_run_shows_everything_of_one_run(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController, engines: list[Any]
) -> None:
    type_text(qtbot, page.program.program, "sh")
    qtbot.mouseClick(page.panel.run_button, Qt.MouseButton.LeftButton)
    assert page.panel.run_button.text().startswith("Cancel")
    answer(
        engines, outcome="failed", reason="The program ended with exit code 3.", stdout="hello", stderr="<b>boom</b>",
        exit_code=3, duration_s=2.0, command=("sh", "-c"), program="/bin/sh", stdin="typed", environment={"A": "1"},
        files=(protocol.TrialFile(name="in.txt", role="template", text="k 1", size=3),),
    )  # fmt: skip
    assert "exit code 3" in page.panel.message.words()
    assert page.panel.message.level == "error"
    assert page.panel.stdout.text() == "hello"
    assert page.panel.stderr.text() == "<b>boom</b>"
    assert "A=1" in page.panel.command.text()
    page.panel.files_table.setCurrentIndex(page.panel.files.index(0, 0))
    assert page.panel.file_text.text() == "k 1"


def test_values_of_the_test_run_are_typed_and_reset(page: SimulatorPage, controller: SessionController) -> None:
    controller.problem.edit("x", parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=2.0)),))
    model = page.panel.values
    assert model.setData(model.index(0, 1), "1.75")
    assert page.trial.values() == {"k": 1.75}
    assert not model.setData(model.index(0, 1), "many")
    assert "many" in page.panel.message.words()
    page.panel.reset_button.click()
    assert page.trial.values() == {"k": 1.0}


def test_a_lost_engine_is_a_sentence(qtbot: QtBot, page: SimulatorPage, engines: list[Any]) -> None:
    type_text(qtbot, page.program.program, "sh")
    page.panel.run()
    engines[-1].die("The engine ended unexpectedly.")
    assert "ended unexpectedly" in page.panel.message.words()
    assert page.panel.run_button.isEnabled()


def test_meanings_limits_and_failures_are_set_by_clicks(page: SimulatorPage, controller: SessionController) -> None:
    controller.problem.edit("x", outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),))
    page.meaning.buttons["sum_of_squares"].click()
    assert controller.problem.declared.meaning == d.SumOfSquares(output="y", sd=1.0)
    page.meaning.buttons["minus_two_log_likelihood"].click()
    assert controller.problem.declared.meaning == d.MinusTwoLogLikelihood(output="y")
    time = page.limits.limits.editor("time_s")
    time.setText("")  # type: ignore[attr-defined]
    time.editingFinished.emit()  # type: ignore[attr-defined]
    assert controller.problem.declared.simulator.limits.time_s is None
    time.setText("soon")  # type: ignore[attr-defined]
    time.editingFinished.emit()  # type: ignore[attr-defined]
    assert time.property("state") == "error"
    page.limits.failures.editor("stderr").click()  # type: ignore[attr-defined]
    assert controller.problem.declared.simulator.failures.stderr
    page.limits.add_pattern.click()
    assert controller.problem.declared.simulator.failures.patterns[0].pattern == "ERROR"


def test_standard_input_and_environment(qtbot: QtBot, page: SimulatorPage, controller: SessionController) -> None:
    page.tabs.setCurrentWidget(page.inputs)
    page.inputs.tabs.setCurrentIndex(1)
    page.inputs.stdin_on.click()
    page.inputs.stdin.setFocus()
    qtbot.keyClicks(page.inputs.stdin, "k = @k@")
    page.inputs.stdin.commit()
    assert controller.problem.declared.simulator.stdin == "k = @k@"
    page.inputs.add_variable.click()
    model = page.inputs.variables
    model.setData(model.index(0, 0), "WIDTH")
    model.setData(model.index(0, 1), "@w@")
    assert controller.problem.declared.simulator.environment == {"WIDTH": "@w@"}
    page.inputs.add_variable.click()
    model.setData(model.index(1, 0), "WIDTH")
    assert "already" in page.inputs.variables_notice.text()


def test_a_number_format_is_chosen_for_a_parameter(page: SimulatorPage, controller: SessionController) -> None:
    controller.problem.edit("x", parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=2.0)),))
    simulator = msgspec.structs.replace(controller.problem.declared.simulator, formats={})
    controller.problem.edit("as many digits as it has", simulator=simulator)
    page.inputs.uses_part.uses_table.setCurrentIndex(page.inputs.uses_part.uses.index(0, 0))
    page.inputs.uses_part.format_form.editor("style").choose("exponent")  # type: ignore[attr-defined]
    assert controller.problem.declared.simulator.formats["k"].style == "exponent"
    assert page.inputs.uses_part.uses.rows[0].written == "1.0E+00"


NONSENSE = ("", " ", "\x00", "<script>alert(1)</script>", "@@@", "'", '"', "x" * 10_000, "∞", "-", "../../..", "\n")


def test_nonsense_in_the_program_fields_never_raises(page: SimulatorPage) -> None:
    for text in NONSENSE:
        for field in (page.program.program, page.program.arguments, page.program.folder_path):
            field.setText(text)
            field.editingFinished.emit()
        page.grab()
        assert page.status()[0] in ("todo", "error", "done")


def test_double_clicks_on_every_button_do_no_harm(
    qtbot: QtBot, page: SimulatorPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    from PySide6.QtWidgets import QFileDialog

    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *a, **k: ("", ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *a, **k: ([], ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *a, **k: "")
    type_text(qtbot, page.program.program, "sh")
    for tab in range(page.tabs.count()):
        page.tabs.setCurrentIndex(tab)
        for button in page.findChildren(QPushButton):
            if button.isVisible() and button.isEnabled():
                qtbot.mouseDClick(button, Qt.MouseButton.LeftButton)
                QApplication.processEvents()


def test_a_failed_run_asks_for_a_file_that_is_named_but_not_there_and_finds_it_beside_the_last_one(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController, engines: list[Any], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from bayescope.gui.dialogs.file_questions import ask

    (tmp_path / "wall.msh").write_text("mesh")
    type_text(qtbot, page.program.program, "sh -c true -msh wall.msh")
    page.panel.run_button.click()
    answer(engines, outcome="failed", reason="The program ended with exit code 1.")
    assert any("“wall.msh”, named in the arguments" in one.text() for one in page.panel.message.findChildren(QLabel))
    page.tabs.setCurrentIndex(1)
    page.panel.message.pressed.emit()
    assert page.tabs.currentWidget() is page.program
    monkeypatch.setattr(ask, "start", lambda folder: tmp_path)
    page.program.refresh()
    assert any("One lies in" in one.text() for one in page.program.loose.findChildren(QLabel))
    page.program.loose.dismissed.emit()
    assert [f.path for f in controller.problem.declared.simulator.extra_files] == [str(tmp_path / "wall.msh")]
    assert not page.program.loose.words()


def test_files_named_in_an_input_file_are_offered_when_it_is_opened_and_put_into_the_runs(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController, tmp_path: Path
) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "mesh.msh").write_text("mesh")
    (tmp_path / "curve.tab").write_text("0 1")
    deck = tmp_path / "plate.edp"
    deck.write_text("read parts/mesh.msh\nread 'curve.tab'\nk = 12.5\n")
    part = page.inputs.templates
    part.open_file(deck)
    assert part.companions.words().startswith("“parts/mesh.msh”, “curve.tab”, named in this file, lie beside it.")
    part.companions.pressed.emit()
    assert not part.companions.words()
    put = [(f.path, f.target) for f in controller.problem.declared.simulator.extra_files]
    assert put == [(str(tmp_path / "parts" / "mesh.msh"), "parts/mesh.msh"), (str(tmp_path / "curve.tab"), "")]
    assert page.program.fixed_files.table.model().index(1, 1).data() == "curve.tab", "the cell says the name it will have"
    controller.problem.undo_stack.undo()
    assert part.companions.words(), "undone: asked again"
    made = protocol.TrialFile(name="curve.tab", role="produced", text="0 1", size=3)
    page.trial.report = protocol.TrialRunReport(outcome="ok", files=(made,), values={}, exit_code=0)
    page.trial.changed.emit()
    assert part.companions.words().startswith("“parts/mesh.msh”, named in this file"), "the test run wrote the other one"


def test_a_file_that_another_one_names_is_said_to_be_named_there(page: SimulatorPage, tmp_path: Path) -> None:
    (tmp_path / "wells.py").write_text("read('wells.txt')\n")
    (tmp_path / "wells.txt").write_text("0 1")
    deck = tmp_path / "aquifer.inp"
    deck.write_text("# read by wells.py\nk = 12.5\n")
    part = page.inputs.templates
    part.open_file(deck)
    assert "“wells.txt”, named in this file and “wells.py”, lie beside it." in part.companions.words()
    command = sys.executable, str(tmp_path / "wells.py")
    page.problem.edit("x", simulator=msgspec.structs.replace(page.problem.declared.simulator, command=command))
    part.companions.refresh()
    assert part.companions.words().startswith("“wells.txt”, named in “wells.py”, lies beside it.")
    part.companions.dismissed.emit()
    part.refresh()
    assert not part.companions.words()


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ('include "mesh.inc"', "mesh.inc"), ("#include <mesh.inc>", "mesh.inc"), ("*INCLUDE, INPUT=mesh.inc", "mesh.inc"),
        ("*Node, nset=all, input=nodes", "nodes"), ("read_data data", "data"), ("source lib/fibre.tcl", "lib/fibre.tcl"),
        ("\\input{body}", "body.tex"), ("  INCLUDE 'mesh.inc'", "mesh.inc"), (".include models", "models"),
    ],
)  # fmt: skip
def test_a_file_that_the_input_file_reads_in_is_taken_along_by_a_button(
    page: SimulatorPage, controller: SessionController, tmp_path: Path, line: str, name: str
) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("1 0 0\n")
    (tmp_path / "model.inp").write_text(f"** a wall\n{line}\n** data of the year\n")
    part = page.inputs.templates
    part.open_file(tmp_path / "model.inp")
    assert part.companions.words() == f"“model.inp” reads “{name}”, which lies beside it: take it along?"
    assert part.companions._button.text() == "Take it along"
    part.companions.pressed.emit()
    assert [f.path for f in controller.problem.declared.simulator.extra_files] == [str(tmp_path / name)]
    assert not part.companions.words()


def test_an_output_that_cannot_be_read_is_no_output_read(
    page: SimulatorPage, controller: SessionController, engines: list[Any]
) -> None:
    outputs = (
        d.Output(name="u", source="stdout", extractor=d.LastNumber()),
        d.Output(name="v", source="stdout", extractor=d.Region(anchor="Columns", columns=(1,), occurrence="all")),
    )
    meaning = d.Predictions(matches=(), noise=d.GaussianKnown(sd=1.0))
    controller.problem.edit("x", outputs=outputs, meaning=meaning, simulator=d.Simulator(command=("sh",)))
    assert page.status() == ("done", "2 outputs read")
    page.panel.trial.run()
    answer(engines, outcome="ok", stdout="nothing here but 3\n")
    assert page.status() == ("todo", "v cannot be read")
    assert step_status(controller, "simulator") == ("todo", "v cannot be read")
    assert words_of(outputs[1].extractor) .endswith("below “Columns”, every time"), "how often is not known here"
    changed = msgspec.structs.replace(outputs[1], extractor=d.LastNumber())
    controller.problem.edit("x", outputs=(outputs[0], changed))
    assert page.status() == ("done", "2 outputs read")


def test_what_is_refused_is_said_behind_its_field_and_the_fields_below_stay(
    page: SimulatorPage, controller: SessionController
) -> None:
    page.tabs.setCurrentIndex(2)
    page.outputs.by_hand_button.click()
    page.outputs.editor.kind.choose("table")
    form = page.outputs.editor.details
    field, below = form.editor("columns"), form.editor("start")
    QApplication.processEvents()
    before = below.mapTo(page, QPoint(0, 0))
    field.setText("one to six")  # type: ignore[attr-defined]
    field.finish()  # type: ignore[attr-defined]
    QApplication.processEvents()
    assert "such as 1, 3 or 1-6" in field.refused  # type: ignore[attr-defined]
    beside = form._notices["columns"].beside
    assert beside.isVisibleTo(page)
    assert "such as 1, 3 or 1-6" in beside.text()
    assert below.mapTo(page, QPoint(0, 0)) == before
    field.setText("columns 1–6")  # type: ignore[attr-defined]
    field.finish()  # type: ignore[attr-defined]
    assert controller.problem.declared.outputs[0].extractor.columns == (1, 2, 3, 4, 5, 6)  # type: ignore[union-attr]
    assert not beside.isVisibleTo(page)


def test_a_typed_path_of_a_program_is_taken_when_nobody_types_on(
    page: SimulatorPage, controller: SessionController, qtbot: QtBot, tmp_path: Path
) -> None:
    program, field = tmp_path / "model.sh", page.program.program
    program.write_text("#!/bin/sh\n")
    before = controller.problem.declared.simulator.command
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, str(program)[:-1])
    qtbot.wait(PAUSE + 200)
    assert controller.problem.declared.simulator.command == before, "there is no such file yet"
    qtbot.keyClicks(field, str(program)[-1])
    qtbot.waitUntil(lambda: controller.problem.declared.simulator.command[:1] == (str(program),), timeout=5 * PAUSE)
    assert field.cursorPosition() == len(str(program))
    assert page.program.found.words() != "Choose the program of your model: anything that runs from a command line."
