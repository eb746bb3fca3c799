"""Priors of several parameters in few actions: Tab from row to row, kinds and ranges for all, two numbers typed or pasted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.first_ranges import AROUND, prior_around
from bayescope.gui.models.parameters import around, parse_pasted, ranges_pasted
from bayescope.gui.models.prior_families import parse_prior
from bayescope.gui.window.main_window import MainWindow
from hands import Hands

WORKING = {"R": 110.0, "L": 11.0, "C": 90.0, "k": 0.5}


@pytest.fixture
def controller(make_controller: Callable[[], SessionController]) -> SessionController:
    """Four numbers marked in an input file."""
    controller = make_controller()
    parameters = tuple(d.Parameter(name=name, prior=around(value)) for name, value in WORKING.items())
    simulator = d.Simulator(command=("sh", "-c", "echo @R@ @L@ @C@ @k@"))
    assert controller.problem.edit("x", simulator=simulator, parameters=parameters)
    return controller


@pytest.fixture
def hands(
    qtbot: QtBot, controller: SessionController, put_away: Callable[[list[Any]], None]
) -> Iterator[Hands]:
    window = MainWindow(controller)
    page: Any = window.page("parameters")
    for name, value in WORKING.items():
        page.trial.answers.guess(name, around(value))
    window.resize(1024, 700)
    window.show()
    window.go("simulator")
    qtbot.waitActive(window, timeout=10_000)
    made = [window]
    yield Hands(window)
    put_away(made)


def priors(controller: SessionController) -> list[d.Prior]:
    return [p.prior for p in controller.problem.declared.parameters]


def test_uniform_priors_are_typed_from_number_to_number_and_row_to_row(hands: Hands, controller: SessionController) -> None:
    hands.click("Parameters")
    for low, high in ((50, 200), (5, 20), (40, 160), (0, 1)):
        hands.type(str(low), end="Tab")
        hands.type(str(high), end="Tab")
    assert priors(controller) == [
        d.Uniform(low=50.0, high=200.0), d.Uniform(low=5.0, high=20.0), d.Uniform(low=40.0, high=160.0),
        d.Uniform(low=0.0, high=1.0),
    ]  # fmt: skip
    assert len(hands.actions) == 9
    assert not hands.reads("not settled yet"), "what was typed is no guess, even if it is the same"
    assert not hands.reads("guessed prior")


def test_one_kind_is_chosen_for_all_selected_rows_and_its_numbers_are_typed_on(
    hands: Hands, controller: SessionController
) -> None:
    hands.click("Parameters")
    hands.cell("Name", 0)
    hands.key("Ctrl+A")
    assert hands.reads("and 3 more: the kind is for all")
    hands.choose("Family of the prior", "Normal")
    for mean, sd in ((100, 10), (10, 1), (90, 9), (0.5, 0.1)):
        hands.type(str(mean), end="Tab")
        hands.type(str(sd), end="Tab")
    assert priors(controller) == [
        d.Normal(mean=100.0, sd=10.0), d.Normal(mean=10.0, sd=1.0), d.Normal(mean=90.0, sd=9.0), d.Normal(mean=0.5, sd=0.1),
    ]  # fmt: skip
    assert len(hands.actions) == 12


def test_a_range_around_the_number_in_the_file_is_one_click_for_all(hands: Hands, controller: SessionController) -> None:
    hands.click("Parameters")
    hands.cell("Name", 0)
    hands.key("Ctrl+A")
    hands.click("Around it: ± 50 %", QToolButton)
    assert [(p.low, p.high) for p in priors(controller) if isinstance(p, d.Uniform)] == [
        (55.0, 165.0), (5.5, 16.5), (45.0, 135.0), (0.25, 0.75),
    ]  # fmt: skip
    assert len(hands.actions) == 4
    controller.problem.undo_stack.undo()
    assert priors(controller)[3] == around(0.5), "one step to undo"


def test_two_numbers_typed_into_the_table_are_a_prior(hands: Hands, controller: SessionController) -> None:
    hands.click("Parameters")
    hands.cell("Prior", 0, double=True)
    for typed in ("50 to 200", "11 ± 2", "40; 160", "log-uniform(0.1, 10)"):
        hands.type(typed)
    assert priors(controller) == [
        d.Uniform(low=50.0, high=200.0), d.Normal(mean=11.0, sd=2.0), d.Uniform(low=40.0, high=160.0),
        d.LogUniform(low=0.1, high=10.0),
    ]  # fmt: skip


def test_lines_of_two_numbers_or_of_names_and_two_are_pasted_over_the_rows(hands: Hands, controller: SessionController) -> None:
    hands.click("Parameters")
    QGuiApplication.clipboard().setText("50\t200\n5\t20\n40\t160\n0\t1\n")
    hands.click("Paste from a spreadsheet")
    assert hands.reads("4 priors pasted.")
    assert [(p.low, p.high) for p in priors(controller) if isinstance(p, d.Uniform)] == [(50, 200), (5, 20), (40, 160), (0, 1)]
    parameters = controller.problem.declared.parameters
    labelled = (d.Parameter(name="R", label="Resistance", unit="ohm", prior=parameters[0].prior), *parameters[1:])
    assert controller.problem.edit("x", parameters=labelled)
    QGuiApplication.clipboard().setText("R 60 90\nC 30 31\n")
    hands.click("Paste from a spreadsheet")
    first, *_ = controller.problem.declared.parameters
    assert first.prior == d.Uniform(low=60.0, high=90.0)
    assert (first.label, first.unit) == ("Resistance", "ohm"), "what is not said stays"


@pytest.mark.parametrize("row", [0, 3])
def test_tab_leaves_the_panel_where_nothing_was_typed_or_no_row_follows(hands: Hands, row: int) -> None:
    page: Any = hands.window.page("parameters")  # type: ignore[attr-defined]
    hands.click("Parameters")
    hands.cell("Name", row)
    page.panel.fields[-1].setFocus()
    if row == 3:
        hands.type("0.7", end="")
    QTest.keyClick(page.panel.fields[-1], Qt.Key.Key_Tab)
    assert QApplication.focusWidget() not in page.panel.fields
    assert page.table.currentIndex().row() == row


def test_a_refused_number_keeps_the_row(hands: Hands) -> None:
    page: Any = hands.window.page("parameters")  # type: ignore[attr-defined]
    hands.click("Parameters")
    hands.type("1", end="Tab")
    hands.type("abc", end="Tab")
    assert page.table.currentIndex().row() == 0
    assert page.panel.fields[-1].refused


@pytest.mark.parametrize(
    ("text", "present", "prior"),
    [
        ("3 7", None, d.Uniform(low=3.0, high=7.0)),
        ("3, 7", d.Normal(mean=0.0, sd=1.0), d.Normal(mean=3.0, sd=7.0)),
        ("-3 – 7", d.LogUniform(low=1.0, high=2.0), d.Uniform(low=-3.0, high=7.0)),
        ("1e-3 to 1e-1", d.HalfNormal(scale=1.0), d.Uniform(low=1e-3, high=1e-1)),
        ("5 +/- 0.5", None, d.Normal(mean=5.0, sd=0.5)),
    ],
)
def test_numbers_alone_are_those_of_the_prior_that_is_there(text: str, present: d.Prior | None, prior: d.Prior) -> None:
    assert parse_prior(text, present) == prior


@pytest.mark.parametrize("text", ["3", "3 4 5", "a to b", "", "uniform"])
def test_what_are_no_two_numbers_is_refused_as_before(text: str) -> None:
    with pytest.raises(ValueError, match=r"prior|needs"):
        parse_prior(text, None)


def test_a_block_with_spaces_is_read_as_names_and_ranges() -> None:
    found = parse_pasted("alpha 0.1 0.9\nbeta  1e-3   1\n")
    assert [(p.name, p.prior) for p in found.parameters] == [
        ("alpha", d.Uniform(low=0.1, high=0.9)), ("beta", d.Uniform(low=1e-3, high=1.0)),
    ]  # fmt: skip
    assert found.problems == ()


@pytest.mark.parametrize("text", ["", "1 2 3\n", "a b\n", "1 2\n3 4\n5 6\n"])
def test_other_lines_are_no_ranges_for_the_rows_there(text: str) -> None:
    two = tuple(d.Parameter(name=n, prior=d.Uniform(low=0.0, high=1.0)) for n in "ab")
    assert ranges_pasted(text, two, 0) is None


@pytest.mark.parametrize(
    ("value", "key", "present", "prior"),
    [
        (-4.0, "50", d.Uniform(low=0.0, high=1.0), d.Uniform(low=-6.0, high=-2.0)),
        (2.0, "10", d.Normal(mean=0.0, sd=1.0), d.Normal(mean=2.0, sd=0.2)),
        (2.0, "x", d.Normal(mean=0.0, sd=1.0), d.LogUniform(low=0.2, high=20.0)),
        (-2.0, "x", d.Uniform(low=0.0, high=1.0), d.Uniform(low=-20.0, high=-0.2)),
        (2.0, "10", d.LogUniform(low=1.0, high=3.0), d.LogUniform(low=1.8, high=2.2)),
    ],
)
def test_a_range_around_a_number_keeps_the_kind_of_prior_that_can_have_it(
    value: float, key: str, present: d.Prior, prior: d.Prior
) -> None:
    assert prior_around(value, next(a for a in AROUND if a.key == key), present) == prior


def test_a_whole_prior_is_typed_where_its_first_number_stands_and_return_goes_to_the_next_row(
    hands: Hands, controller: SessionController
) -> None:
    hands.click("Parameters")
    for typed in ("50 to 200", "11 ± 2", "normal 90 +- 9", "log-uniform(0.1, 10)"):
        hands.type(typed)
    assert priors(controller) == [
        d.Uniform(low=50.0, high=200.0), d.Normal(mean=11.0, sd=2.0), d.Normal(mean=90.0, sd=9.0),
        d.LogUniform(low=0.1, high=10.0),
    ]  # fmt: skip
    assert len(hands.actions) == 5
    assert not hands.reads("not settled yet")


def test_return_in_the_last_number_goes_to_the_next_row_too(hands: Hands, controller: SessionController) -> None:
    hands.click("Parameters")
    for low, high in ((50, 200), (5, 20)):
        hands.type(str(low), end="Tab")
        hands.type(str(high))
    assert priors(controller)[:2] == [d.Uniform(low=50.0, high=200.0), d.Uniform(low=5.0, high=20.0)]
    page: Any = hands.window.page("parameters")  # type: ignore[attr-defined]
    assert page.table.currentIndex().row() == 2


def test_a_prior_that_is_typed_as_it_was_guessed_is_settled(hands: Hands) -> None:
    hands.click("Parameters")
    hands.type("0 to 220")
    assert hands.reads("3 guessed priors, not settled yet")
    page: Any = hands.window.page("parameters")  # type: ignore[attr-defined]
    assert page.table.currentIndex().row() == 1


def test_a_prior_that_cannot_be_one_keeps_the_row_and_says_what_can_be_typed(hands: Hands) -> None:
    hands.click("Parameters")
    hands.type("about 5")
    page: Any = hands.window.page("parameters")  # type: ignore[attr-defined]
    assert page.table.currentIndex().row() == 0
    assert page.panel.fields[0].refused
    assert hands.reads("0.5 to 2")


@pytest.mark.parametrize(
    ("text", "prior"),
    [
        ("normal 1 +- .2", d.Normal(mean=1.0, sd=0.2)),
        ("normal(1 ± 0.2)", d.Normal(mean=1.0, sd=0.2)),
        ("2 +- 10 %", d.Normal(mean=2.0, sd=0.2)),
        ("uniform 0.5 to 2", d.Uniform(low=0.5, high=2.0)),
        ("between 0.5 and 2", d.Uniform(low=0.5, high=2.0)),
        ("from 0.5 to 2", d.Uniform(low=0.5, high=2.0)),
        ("log-uniform 0.1 to 10", d.LogUniform(low=0.1, high=10.0)),
        ("0.5-2", d.Uniform(low=0.5, high=2.0)),
        ("-3 - -1", d.Uniform(low=-3.0, high=-1.0)),
    ],
)
def test_priors_are_understood_as_they_are_spoken(text: str, prior: d.Prior) -> None:
    assert parse_prior(text) == prior


def test_what_remarks_say_of_ranges_is_told_as_their_saying(hands: Hands, controller: SessionController) -> None:
    page: Any = hands.window.page("parameters")  # type: ignore[attr-defined]
    told = d.Uniform(low=60.0, high=150.0)
    first, *rest = controller.problem.declared.parameters
    assert controller.problem.edit("x", parameters=(d.Parameter(name=first.name, prior=told), *rest))
    page.trial.answers.guess("R", told, 110.0)
    hands.click("Parameters")
    assert hands.reads("R has what the remark in your file says")
    assert hands.reads("Around 110, from your file:", "Around 110:")


def test_another_kind_of_prior_over_a_guess_is_still_a_guess(hands: Hands, controller: SessionController) -> None:
    page: Any = hands.window.page("parameters")
    hands.click("Parameters")
    page.table.selectRow(0)
    assert "R" in page.trial.answers.open_guesses()
    page.panel.kind_chosen.emit("log_normal")
    assert isinstance(priors(controller)[0], d.LogNormal)
    assert "R" in page.trial.answers.open_guesses(), "nobody said that its numbers are right"
    assert hands.reads("4 guessed priors, not settled yet")
    assert page.status()[1] == "check 4 guessed priors"
    page.panel.kind_chosen.emit("normal")
    controller.problem.undo_stack.undo()
    assert isinstance(priors(controller)[0], d.LogNormal)
    assert "R" in page.trial.answers.open_guesses(), "it is taken back, and settled no more than before"
    page.panel.kind_chosen.emit("uniform")
    assert priors(controller)[0] == d.Uniform(low=0.0, high=220.0), "as it was guessed"
    assert "R" in page.trial.answers.open_guesses()
    hands.cell("Prior", 0, double=True)
    hands.type("100, factor 2 (95 %)")
    assert "R" not in page.trial.answers.open_guesses()


def test_after_return_in_the_last_prior_the_next_key_changes_nothing(hands: Hands, controller: SessionController) -> None:
    hands.click("Parameters")
    for words in ("50 to 200", "5 to 20", "40 to 160", "log-uniform 0.002 to 0.1"):
        hands.type(words, end="Return")
    before = priors(controller)
    assert isinstance(before[-1], d.LogUniform)
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, Qt.Key.Key_Space)
    QTest.keyClick(focused, Qt.Key.Key_Backspace)
    assert priors(controller) == before


def test_what_a_typed_factor_means_is_said_with_the_other_meaning_at_one_click(
    hands: Hands, controller: SessionController
) -> None:
    hands.click("Parameters")
    hands.type("100, within a factor 2")
    assert priors(controller)[0] == d.LogNormal(log_mean=4.60517, log_sd=0.693147)
    assert hands.reads("is read as one standard deviation")
    hands.click("It means 95 % (2 sd)")
    assert priors(controller)[0] == d.LogNormal(log_mean=4.60517, log_sd=0.353653)
    assert not hands.reads("is read as one standard deviation")
    hands.type("about 5")
    assert hands.reads("How far from 5 may it be?")
