"""Columns called just u or % right behind measured values are offered as the errors of these."""

from __future__ import annotations

import msgspec
import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.files.data_files import Options, parse_with
from bayescope.gui.models.data.errors.doubtful_errors import doubtful_errors
from tests.support.data_pages import PROBLEM, column

T, P = (300.0, 310.0, 320.0), (5.0, 6.0, 7.0)


def _problem(columns: dict[str, tuple[float | None, ...]], compared: dict[str, str], outputs: tuple[str, ...] = ()) -> d.Problem:
    matches = tuple(d.Match(output=o, column=c) for o, c in compared.items())
    read = tuple(column(name, k) for k, name in enumerate((*compared, *outputs)))
    meaning = d.Predictions(matches=matches, noise=d.GaussianKnown())
    return msgspec.structs.replace(PROBLEM, outputs=read, data=d.DataTable(columns=columns), meaning=meaning)


@pytest.mark.parametrize(("name", "cells", "made"), [
    ("u", (1.0, 1.1, 1.2), ("u", (1.0, 1.1, 1.2))), ("u (mK)", (1.0, 1.1, 1.2), ("u (mK)", (1.0, 1.1, 1.2))),
    ("u (K)", (1.0, 1.1, 1.2), ("u (K)", (1.0, 1.1, 1.2))),
    ("%", (1.0, 1.0, 2.0), ("T sd (K)", (3.0, 3.1, 6.4))), ("u %", (1.0, 1.0, 2.0), ("T sd (K)", (3.0, 3.1, 6.4))),
    ("u (%)", (1.0, 1.0, 2.0), ("T sd (K)", (3.0, 3.1, 6.4))),
])  # fmt: skip
def test_u_or_percent_behind_a_value_is_offered_as_its_error(
    name: str, cells: tuple[float, ...], made: tuple[str, tuple[float, ...]]
) -> None:
    problem = _problem({"x": (1.0, 2.0, 3.0), "T (K)": T, name: cells, "RH (%)": P}, {"T": "T (K)"})
    found = doubtful_errors(problem)
    assert found is not None
    assert (found.question, found.button, found.aside) == (f"Does {name} hold the errors of T (K)?", "Use &it", (name,))
    assert found.mended is not None
    assert isinstance(found.mended.meaning, d.Predictions)
    assert found.mended.data is not None
    assert found.mended.meaning.matches[0].sd_column == made[0]
    assert found.mended.data.columns[made[0]] == made[1]
    assert doubtful_errors(found.mended) is None
    meaning = msgspec.structs.replace(problem.meaning, aside=(name,))
    assert doubtful_errors(msgspec.structs.replace(problem, meaning=meaning)) is None


def test_a_percentage_behind_each_value_is_one_question() -> None:
    columns = {"T (K)": T, "%": (1.0, 1.0, 2.0), "p (bar)": P, "%_2": (2.0, 2.0, 2.0)}
    found = doubtful_errors(_problem(columns, {"T": "T (K)", "p": "p (bar)"}))
    assert found is not None
    assert found.question == "Do % and %_2 hold the errors of T (K) and p (bar)?"
    assert found.mended is not None
    assert isinstance(found.mended.meaning, d.Predictions)
    assert [m.sd_column for m in found.mended.meaning.matches] == ["T sd (K)", "p sd (bar)"]


@pytest.mark.parametrize(("columns", "compared", "outputs"), [
    ({"T (K)": T, "u": P, "v": P}, {"T": "T (K)"}, ()),  # velocities
    ({"T (K)": T, "u (m/s)": P}, {"T": "T (K)"}, ()),
    ({"T (K)": T, "u": P}, {"T": "T (K)"}, ("u",)),
    ({"T (K)": T, "u": P}, {"T": "T (K)", "w": "u"}, ()),
    ({"T (K)": T, "u": (-1.0, 0.0, 1.0)}, {"T": "T (K)"}, ()),
    ({"T (K)": T, "RH (%)": P, "u": P}, {"T": "T (K)"}, ()),  # of the humidity, which nothing predicts
    ({"T (K)": T, "u": (None, None, 2.0)}, {"T": "T (K)"}, ()), ({"u_1": P, "u_2": P}, {"u1": "u_1"}, ()),
    ({"phi (%)": P, "%": P}, {"phi": "phi (%)"}, ()), ({"p": P, "u": T}, {"p": "p"}, ()),
])  # fmt: skip
def test_what_may_be_something_else_is_not_offered(
    columns: dict[str, tuple[float | None, ...]], compared: dict[str, str], outputs: tuple[str, ...]
) -> None:
    assert doubtful_errors(_problem(columns, compared, outputs)) is None


def test_u_behind_several_values_is_the_error_of_each_by_its_name() -> None:
    found = parse_with(b"x,T (K),u,p,u\n1,300,1,5,0.1\n2,310,1,6,0.1\n3,320,1,7,0.1\n", "m.csv", Options(named=True))
    assert sd_pairs(list(found.table.columns)) == {"T (K)": "\u00b1 T (K)", "p": "\u00b1 p"}
    alone = parse_with(b"x,T (K),u\n1,300,1\n2,310,1\n3,320,1\n", "m.csv", Options(named=True))
    assert list(alone.table.columns) == ["x", "T (K)", "u"], "it may be a velocity"
