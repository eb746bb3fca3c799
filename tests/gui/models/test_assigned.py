"""Numbers that a line of code gives to a name, and those that stood where a placeholder was typed by hand."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.definition import TemplateFile, Uniform
from bayescope.gui.models.simulator.numbers.assigned import assigned_at, typed_name
from bayescope.gui.models.simulator.numbers.typed_over import typed_over

ARROWS = [  # the line, what is marked, the number read, its value, the name
    ("beta   <- 0.35   # transmission rate, 1/day", "0.35", "0.35", 0.35, "beta"),
    ("beta   <- 0.35   # transmission rate, 1/day", "35", "0.35", 0.35, "beta"),
    ("x <- -0.5", "-0.5", "-0.5", -0.5, "x"),
    ("x <- -0.5", "0.5", "-0.5", -0.5, "x"),
    ("x <-0.5", "0.5", "0.5", 0.5, "x"),
    ("x<-0.5", "0.5", "0.5", 0.5, "x"),
    ("x<--0.5", "0.5", "-0.5", -0.5, "x"),
    ("x <<- 1e-3", "1e-3", "1e-3", 1e-3, "x"),
    ("0.35 -> beta", "0.35", "0.35", 0.35, "beta"),
    ("0.35->>beta", "0.35", "0.35", 0.35, "beta"),
    ("p$beta.max <- 3", "3", "3", 3.0, "beta_max"),
    ('p["beta"] <- 3', "3", "3", 3.0, "beta"),
    ("theta[2] <- 3", "3", "3", 3.0, "theta_2"),
    ("I0 <- 25L", "25", "25", 25.0, "I0"),
    ("beta <- 0.35; gamma <- 0.2", "0.2", "0.2", 0.2, "gamma"),
]


@pytest.mark.parametrize(("line", "marked", "number", "value", "name"), ARROWS)
def test_the_dash_of_an_arrow_is_no_sign(line: str, marked: str, number: str, value: float, name: str) -> None:
    at = line.rindex(marked)
    found = assigned_at(line, at, at + len(marked))
    assert found is not None
    assert line[found.number.start : found.number.end] == number
    assert (found.number.value, found.name) == (value, name)


@pytest.mark.parametrize("line", ["x = 0.5", "a - 0.5", "10 -> 20", "x <= 0.5", "<- 0.5", "x <- @k@", "t < -0.5"])
def test_what_no_arrow_gives_to_a_name_is_left_to_others(line: str) -> None:
    assert assigned_at(line, 0, len(line)) is None


@pytest.mark.parametrize(
    ("before", "name"),
    [("let k: f64 = ", "k"), ("beta: float = ", "beta"), ("b::Float64 = ", "b"), ("layer: depth = ", ""), ("real :: k = ", "")],
)
def test_the_name_stands_before_its_type(before: str, name: str) -> None:
    assert typed_name(before) == name


SCRIPT = "# ---- parameters\nbeta <- 0.35   # transmission rate, 1/day\nN   =  480000\nf <- c(0.09, 0.10)\n0.2 -> g # recovery\n"
TYPED = [("0.35", "@beta@", 0.35), ("480000", " @beta@", 480000.0), ("0.10", "@beta@", 0.10), ("0.2", "@beta@", 0.2)]


@pytest.mark.parametrize(("number", "typed", "value"), TYPED)
def test_the_number_that_stood_where_a_name_was_typed_is_known(number: str, typed: str, value: float) -> None:
    found = typed_over([TemplateFile(target="a.R", text=SCRIPT.replace(number, typed), original=SCRIPT)], "beta")
    assert found is not None
    assert (found[1], found[0].prior) == (value, Uniform(low=0.0, high=2 * value))


def test_the_label_and_the_unit_come_with_it() -> None:
    text = SCRIPT.replace("0.35", "@k@").replace("N ", "# a new line\nN ")
    found = typed_over([TemplateFile(target="a.R", text=text, original=SCRIPT)], "k")
    assert found is not None
    assert (found[0].label, found[0].unit) == ("transmission rate", "1/day")


@pytest.mark.parametrize("text", [SCRIPT.replace("meters", "@k@s"), SCRIPT.replace("beta", "@k@"), SCRIPT + "new <- @k@\n"])
def test_where_no_number_stood_none_is_made_up(text: str) -> None:
    assert typed_over([TemplateFile(target="a.R", text=text, original=SCRIPT)], "k") is None
