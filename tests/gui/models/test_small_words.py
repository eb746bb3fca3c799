"""Words and places that a person met: lines that hold a parameter, folders of programs, errors that each comparison has."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from bayescope.engine.answer.checks import Check
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.program import resolve
from bayescope.gui.analysis import session_files
from bayescope.gui.analysis.declared_problem import EMPTY
from bayescope.gui.analysis.run_data import TracePoint
from bayescope.gui.dialogs.file_questions import FileQuestions
from bayescope.gui.models.parameters import doubled_words
from bayescope.gui.models.results.summary import verdict
from bayescope.gui.models.simulator.files.program_folder import program_folder, study_folder
from bayescope.gui.models.simulator.outputs.output_views import varying_words
from bayescope.gui.models.simulator.texts.text_changes import changes
from bayescope.gui.pages.data.shared import _scales_of_columns, each_its_own
from bayescope.gui.plots.data_plot import shown_columns
from bayescope.gui.widgets.elided import short_quotes
from bayescope.gui.window.workflow_bar import StepButton


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("log_k @k@ # K\nend", "1 line holds a parameter, else as the original"),
        ("log_k @k@ # Na\nend", "1 line differs from the original"),
        ("log_k @k@ # K\nfinish", "2 lines differ from the original"),
    ],
)
def test_a_deck_whose_numbers_alone_became_parameters_is_not_said_to_differ(text: str, words: str) -> None:
    assert changes("log_k 0.7 # K\nend", text).words() == words


def test_the_line_of_the_random_seed_is_not_counted_among_those_of_parameters() -> None:
    found = changes("a 1\nb 2\nSEED 20261\nend", "a @a@\nb @b@\nSEED @seed@\nend")
    assert found.words() == "2 lines hold a parameter and 1 line holds the random seed, else as the original"
    assert changes("SEED 20261", "SEED @seed@").words() == "1 line holds the random seed, else as the original"
    assert changes("a 1 seed 2", "a @a@ seed @seed@").words() == "1 line holds a parameter, else as the original"


def test_the_files_of_a_program_are_looked_for_beside_its_script(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    script = tmp_path / "model" / "run.py"
    script.write_text("", encoding="utf-8")
    assert program_folder(d.Simulator(command=(sys.executable, str(script), "deck.inp")), tmp_path) == script.parent
    assert program_folder(d.Simulator(command=("python3", "run.py")), tmp_path) is None
    long = "a = 1 / 2\n" * 100
    assert program_folder(d.Simulator(command=("python3", "-c", long)), tmp_path) is None, "longer than a path can be"


def test_an_analysis_that_was_never_saved_belongs_beside_its_fixed_files_where_the_program_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "mesh.dat").write_text("1\n", encoding="utf-8")
    simulator = d.Simulator(command=("xtb", "w.xyz"), extra_files=(d.ExtraFile(path=str(tmp_path / "study" / "mesh.dat")),))
    problem = msgspec.structs.replace(EMPTY, simulator=simulator)
    assert study_folder(problem, Path("/nowhere")) == tmp_path / "study"
    assert study_folder(EMPTY, Path("/nowhere")) is None


def test_what_is_saved_of_an_analysis_without_a_place_begins_where_its_files_were_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, begun = FileQuestions(), []
    (tmp_path / "study").mkdir()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / "study" / "deck.inp"), ""))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda parent, title, start, kinds: (begun.append(start), ("", ""))[1])
    drafts = session_files.home() / "drafts"
    ask.file(None, "Input file", drafts)  # type: ignore[arg-type]
    ask.target(None, "Save figure", drafts / "marginals.png", "", [".png"])  # type: ignore[arg-type]
    assert begun == [str(tmp_path / "study" / "marginals.png")]


def test_a_tilde_in_the_arguments_is_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    found = resolve((sys.executable, "~/run.py", "~", "a~/b"), tmp_path, tmp_path, {})
    assert found.arguments[1:] == (str(tmp_path / "run.py"), "~", "a~/b")


def test_errors_are_each_comparison_s_own_where_none_uses_the_common_ones() -> None:
    matches = (d.Match(output="u", column="u", sd_column="su"), d.Match(output="v", column="v", sd_column="sv"))
    program = d.Simulator(command=("x",))

    def asked(*of: d.Match) -> bool:
        meaning = d.Predictions(matches=of, noise=d.GaussianKnown())
        return each_its_own(d.Problem(name="x", parameters=(), simulator=program, outputs=(), meaning=meaning))

    assert asked(*matches)
    assert not asked(matches[0], d.Match(output="v", column="v"))


def test_a_scale_typed_for_all_is_not_said_to_hold_where_columns_give_it() -> None:
    matches = (d.Match(output="u", column="u", sd_column="su"), d.Match(output="v", column="v", sd_column="sv"))
    student = d.StudentTNoise(dof=4.0, scale=1.0)
    both = d.Predictions(matches=matches, noise=student)
    assert _scales_of_columns(both) == " All take the scale from a column of sds (tab Comparison), not from above."
    one = d.Predictions(matches=(matches[0], d.Match(output="v", column="v")), noise=student)
    assert _scales_of_columns(one).startswith(" u takes the scale")
    assert _scales_of_columns(d.Predictions(matches=matches, noise=d.GaussianKnown())) == ""


def test_the_verdict_agrees_with_the_checks_and_tells_of_runs_left_out() -> None:
    point = TracePoint(3, 61, -6.0, 0.1, -6.0, 0.1, False, True, 50.0, ("fresh runs confirmed it",))
    assert verdict(point, 61, {})[:2] == ("ok", "Converged after 61 runs: you can use this answer.")
    level, said, _ = verdict(point, 61, {}, unlikely=True)
    assert level == "warning"
    assert "can use this answer" not in said
    assert "holds if the program and its errors are right: chance seldom leaves such residuals" in said
    assert verdict(point, 61, {}, left_out=3)[1] == "Converged after 61 runs, 3 of them left out: you can use this answer."
    poor = Check("pareto_k", "Whether draws cover the posterior (k̂)", "poor", "0.80", "")
    level, said, _ = verdict(point, 61, {}, "run", (poor,), 3)
    assert (level, said) == (
        "warning",
        "Converged after 61 runs, 3 of them left out, but one check is not passed: whether draws cover the posterior (k̂) "
        "(see Why trust this).",
    )  # fmt: skip


def test_a_column_of_errors_is_drawn_as_error_bars_and_not_against_the_values() -> None:
    table = d.DataTable(columns={"Measured": (10.17, 0.885, 2877.0), "Std. uncertainty": (0.15, 0.006, 60.0)})
    problem = d.Problem(
        name="x", parameters=(), simulator=d.Simulator(command=("x",)), outputs=(),
        meaning=d.Predictions(matches=(), noise=d.GaussianKnown()), data=table,
    )  # fmt: skip
    (shown,) = shown_columns(problem, None)
    assert (shown.x_label, shown.y_label) == ("row of the data", "Measured")
    assert shown.sd.tolist() == [0.15, 0.006, 60.0]


def test_a_dialog_begins_beside_the_program_where_the_analysis_has_no_folder(tmp_path: Path) -> None:
    questions = FileQuestions()
    questions.analysis_folder = tmp_path
    assert questions.start(Path.home()) == tmp_path, "the home folder says nothing"
    assert questions.start(tmp_path.parent) == tmp_path.parent


def test_every_output_whose_length_varies_is_named() -> None:
    assert varying_words([]) == ""
    assert varying_words(["CL"]) == "The length of CL varies from run to run."
    assert varying_words(["CL", "CD", "alpha"]) == "The lengths of CL, CD and alpha vary from run to run."
    assert varying_words(list("abcdef")) == "The lengths of a, b, c, d and 2 more vary from run to run."


def test_a_long_quotation_is_cut_at_its_end_and_not_across_its_quotes() -> None:
    whole = "all 14 rows of column 2 (“CL”), below “alpha CL CD CDp CM Top_Xtr Bot_Xtr”"
    assert short_quotes(whole, lambda words: len(words) <= 90) == whole
    cut = short_quotes(whole, lambda words: len(words) <= 58)
    assert cut == "all 14 rows of column 2 (“CL”), below “alpha CL CD CDp …”"
    assert short_quotes(whole, lambda words: len(words) <= 30) == whole, "elided as ever"


def test_a_number_of_nothing_is_not_said_to_be_doubled() -> None:
    assert doubled_words(["flap", "ncrit"], []) == "They go from nothing to twice the number in your file."
    said = "They go from nothing to twice the number in your file; einbau, 0 there, goes from −1 to 1."
    assert doubled_words(["flap", "einbau", "ncrit"], ["einbau"]) == said
    assert doubled_words(["einbau"], ["einbau"]) == "It goes from −1 to 1: in your file it is 0."


def test_what_is_saved_first_goes_where_the_data_were_found_and_not_beside_a_program_elsewhere(tmp_path: Path) -> None:
    ask = FileQuestions()
    for name in ("bin", "study"):
        (tmp_path / name).mkdir()
    ask.analysis_folder = tmp_path / "bin"
    assert ask.saves_in(session_files.home() / "drafts") == tmp_path / "bin"
    ask._answer(str(tmp_path / "study" / "data.csv"))
    assert ask.saves_in(session_files.home() / "drafts") == tmp_path / "study"
    (tmp_path / "saved").mkdir()
    assert ask.saves_in(tmp_path / "saved") == tmp_path / "saved"


@pytest.mark.window
def test_the_name_of_a_parameter_keeps_its_letters_in_the_bar(qtbot: QtBot) -> None:
    button = StepButton(2, "Parameters")
    qtbot.addWidget(button)
    for words, shown in (("ncrit: From must be less than To.", "ncrit: From must"), ("import data.", "Import data")):
        button.set_status("todo", words)
        assert button._said().startswith(shown)
