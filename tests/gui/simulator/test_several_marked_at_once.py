"""Several numbers of an input file become parameters with one drag and Return."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.pages.make_parameter import MakeParameter
from hands import Hands

pytestmark = pytest.mark.window

DECK = """// heat in the foot of a plate
real kplate = 12.0;      // W/(m K)   conductivity of the plate, 5 to 40
real kfoot  = 1.5;       // W/(m K)   conductivity of the foot (2 fillers)
real hair   = 25.0;      // W/(m2 K)  heat transfer, +- 8
real Tair   = 25.0;
"""


@pytest.fixture
def hands(tmp_path: Path, hands_on: Callable[[int, int], Hands]) -> Hands:
    (tmp_path / "foot.edp").write_text(DECK)
    h = hands_on(1024, 700)
    h.click("New analysis")
    h.type("cat foot.edp")
    h.tab("Inputs")
    h.file("Open an input file", tmp_path / "foot.edp")
    h.actions.clear()
    return h


def problem_of(hands: Hands) -> d.Problem:
    window: Any = hands.window
    problem: d.Problem = window.controller.problem.declared
    return problem


def test_three_numbers_with_units_labels_and_ranges_take_two_actions(hands: Hands) -> None:
    hands.drag("12.0", "25.0")
    hands.key("Return")
    found = problem_of(hands)
    assert len(hands.actions) == 2
    assert [(p.name, p.unit, p.label) for p in found.parameters] == [
        ("kplate", "W/(m K)", "conductivity of the plate"),
        ("kfoot", "W/(m K)", "conductivity of the foot (2 fillers)"),
        ("hair", "W/(m2 K)", "heat transfer"),
    ]
    assert [p.prior for p in found.parameters] == [
        d.Uniform(low=5.0, high=40.0), d.Uniform(low=0.0, high=3.0), d.Normal(mean=25.0, sd=8.0),
    ]  # fmt: skip
    text = found.simulator.templates[0].text
    assert "= @kplate@;" in text
    assert "= @kfoot@; " in text
    assert "= @hair@; " in text
    assert "Tair   = 25.0" in text
    hands.click("Parameters")
    assert hands.reads("kplate and hair have what the remarks in your file say; the other goes from nothing")
    hands.click("Use all 3 as they are")
    hands.wait_for("3 to learn", 5)


def test_names_are_typed_over_with_commas_and_a_dash_leaves_a_number_as_it_is(hands: Hands) -> None:
    hands.drag("12.0", "25.0")
    hands.type("k1, -, h")
    found = problem_of(hands)
    assert [p.name for p in found.parameters] == ["k1", "h"]
    assert "kfoot  = 1.5;" in found.simulator.templates[0].text


def test_one_name_for_numbers_that_differ_is_refused_and_for_equal_ones_taken(hands: Hands) -> None:
    hands.drag("12.0", "1.5")
    hands.type("k, k")
    assert hands.reads("stands for 12 and 1.5: give each a name of its own")
    hands.key("Ctrl+A")
    hands.type("k, m, n")
    assert hands.reads("2 names are needed, with commas between; there are 3")
    hands.key("Escape")
    hands.drag("25.0", "25.0", after="hair")
    hands.key("Escape")
    start = hands.pane("real hair").document().toPlainText().index("25.0")
    hands.pane("real hair").mark(start, len(DECK) - 1)
    hands.type("T, T")
    found = problem_of(hands)
    assert [p.name for p in found.parameters] == ["T"]
    assert found.simulator.templates[0].text.count("@T@") == 2


def test_a_drag_that_starts_inside_what_is_marked_marks_anew(hands: Hands) -> None:
    hands.drag("12.0", "25.0")
    hands.drag("1.5", "25.0")
    hands.key("Return")
    assert [p.name for p in problem_of(hands).parameters] == ["kfoot", "hair"]


def test_a_click_far_from_what_is_marked_is_on_the_line_that_is_seen(hands: Hands, tmp_path: Path) -> None:
    (tmp_path / "long.inp").write_text(DECK + "// nothing\n" * 200 + "real last = 7.25;\n" + "// nothing\n" * 200)
    hands.file("Open an input file", tmp_path / "long.inp")
    deck = hands.pane("real kplate")
    hands.drag("12.0", "25.0", pane=deck)
    hands.mark("7.25", double=True, pane=deck)
    hands.key("Return")
    assert [p.name for p in problem_of(hands).parameters] == ["last"]


def test_a_prior_typed_with_the_name_is_the_users_own_and_an_unknown_one_is_refused(hands: Hands) -> None:
    hands.mark("12.0", double=True)
    hands.type("7 to 30")
    hands.mark("1.5", double=True)
    hands.type("foot = log-uniform 0.5 to 5")
    found = problem_of(hands)
    assert [(p.name, p.prior) for p in found.parameters] == [
        ("kplate", d.Uniform(low=7.0, high=30.0)), ("foot", d.LogUniform(low=0.5, high=5.0)),
    ]  # fmt: skip
    window: Any = hands.window
    assert not window.page("parameters").trial.answers.open_guesses(), "nothing is to be checked"
    hands.mark("25.0", after="hair", double=True)
    hands.type("h = somewhere")
    assert hands.reads("“somewhere” is not a prior")
    assert len(problem_of(hands).parameters) == 2


def test_a_name_typed_for_a_number_is_taken_where_another_one_is_marked_before_return(hands: Hands) -> None:
    hands.mark("12.0", double=True)
    hands.type("k_top", end="")
    hands.mark("25.0", double=True)
    hands.type("h", end="Return")
    found = problem_of(hands)
    assert [p.name for p in found.parameters] == ["k_top", "h"]
    assert "kplate = @k_top@;" in found.simulator.templates[0].text
    assert "hair   = @h@;" in found.simulator.templates[0].text


def test_a_typed_name_that_cannot_be_one_is_not_lost_where_another_number_is_marked(hands: Hands) -> None:
    hands.mark("12.0", double=True)
    hands.type("run_folder", end="")
    hands.mark("25.0", double=True)
    assert hands.reads("is reserved for the folder of the run")
    assert problem_of(hands).parameters == ()


def test_a_name_and_a_prior_are_typed_for_each_number_with_commas_between(hands: Hands) -> None:
    hands.drag("12.0", "25.0")
    hands.type("k1 = 10 to 13, uniform(1, 2), h 25 +- 3 W/(m2 K)")
    assert [(p.name, p.prior) for p in problem_of(hands).parameters] == [
        ("k1", d.Uniform(low=10.0, high=13.0)), ("kfoot", d.Uniform(low=1.0, high=2.0)), ("h", d.Normal(mean=25.0, sd=3.0)),
    ]  # fmt: skip


def test_the_seed_among_several_numbers_is_not_counted_as_a_parameter(hands: Hands) -> None:
    hands.drag("12.0", "25.0")
    hands.key("Ctrl+A")
    maker = hands.window.findChildren(MakeParameter)
    (shown,) = [m for m in maker if m.isVisible()]
    shown.name.setText("seed, kfoot, h")
    assert shown.words.text() == "1.5, 25 are parameters, 12 the seed"
    assert shown.button.text() == "&Make them 2 parameters and the seed"
    hands.key("Return")
    assert [p.name for p in problem_of(hands).parameters] == ["kfoot", "h"]
