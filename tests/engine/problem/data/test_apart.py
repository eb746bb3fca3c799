"""Between gauges, samples and modes nothing is predicted: their rows stand apart, and no line joins them."""

from __future__ import annotations

import msgspec
import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.label_words import says_label
from bayescope.engine.problem.data.rows.across import across, apart

VALUES = (166.2, 595.5, 1762.9)


def is_apart(match: d.Match, texts: dict[str, tuple[str | None, ...]], **columns: tuple[float | None, ...]) -> bool:
    data = d.DataTable(columns={**columns, "f": VALUES}, texts=texts)
    meaning, program = d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=1.0)), d.Simulator(command=("run",))
    return apart(d.Problem(name="", parameters=(), simulator=program, outputs=(), data=data, meaning=meaning), match)


IN_ORDER = d.Match(output="f", column="f")


def by(column: str) -> d.Match:
    return d.Match(output="f", column="f", key_output="k", key_column=column)


def test_rows_with_labels_stand_apart_whether_labels_repeat_or_not() -> None:
    assert is_apart(IN_ORDER, {"Channel": ("W1", "W2", "W3")})
    assert is_apart(IN_ORDER, {"Channel": ("ACC", "ACC", "ACC")})
    assert is_apart(by("Channel"), {"Channel": ("W1", "W2", "W3")})


def test_rows_by_the_numbers_of_things_stand_apart() -> None:
    assert is_apart(by("Node"), {}, Node=(101.0, 103.0, 105.0))
    assert is_apart(IN_ORDER, {}, **{"gauge no.": (1.0, 2.0, 3.0)})


def test_rows_along_an_axis_or_in_time_do_not() -> None:
    assert not is_apart(IN_ORDER, {})
    assert not is_apart(by("x (m)"), {}, **{"x (m)": (1.0, 2.0, 3.0)})
    assert not is_apart(by("dose"), {}, dose=(1.0, 2.0, 4.0))
    assert not is_apart(IN_ORDER, {"day": ("2024-05-01", "2024-05-02", "2024-05-03")})
    assert not is_apart(by("day"), {"day": ("2024-05-01", "2024-05-02", "2024-05-03")})
    assert not is_apart(by("probe"), {}, probe=(0.5, 1.5, 2.5))
    assert not is_apart(by("x"), {"remark": (None, "windy", None)}, x=(1.0, 2.0, 3.0))


@pytest.mark.parametrize("name", ["Node", "nodes", "gauge no.", "Sample ID", "Messstelle", "Kanal", "Mode", "Nr", "point number"])
def test_names_of_numbered_things(name: str) -> None:
    assert says_label(name)


@pytest.mark.parametrize("name", ["x", "time", "Tiefe", "mode shape factor x", "run time (s)", "dose", "point (m)"])
def test_other_names(name: str) -> None:
    assert not says_label(name)


def test_numbers_of_samples_are_below_a_plot_only_where_nothing_else_increases() -> None:
    columns = {"Lab no": (1.0, 2.0, 3.0), "dose": (5.0, 7.0, 9.0), "f": VALUES}
    data, order = d.DataTable(columns=columns), d.Match(output="f", column="f")
    meaning = d.Predictions(matches=(order,), noise=d.GaussianKnown(sd=1.0))
    problem = d.Problem(name="", parameters=(), simulator=d.Simulator(command=("run",)), outputs=(), data=data, meaning=meaning)
    assert across(problem, order)[1] == "dose"
    alone = d.DataTable(columns={"Lab no": (1.0, 2.0, 3.0), "f": VALUES})
    assert across(msgspec.structs.replace(problem, data=alone), order)[1] == "Lab no"
