"""Dates with slashes in a problem file's table: which number is the day is found out, or said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.files import load

PROBLEM = {
    "format_version": 1, "name": "soil", "parameters": [{"name": "k", "prior": {"kind": "uniform", "low": 0, "high": 1}}],
    "simulator": {"command": ["soil", "@k@"]},
    "outputs": [{"name": "T", "source": "stdout", "extractor": {"kind": "last_number"}}],
    "meaning": {"kind": "predictions", "matches": [{"output": "T", "column": "T"}], "noise": {"kind": "gaussian", "sd": 1}},
}  # fmt: skip


def dates(folder: Path, rows: str, **how: object) -> tuple[str | None, ...]:
    (folder / "measured.csv").write_text(f"date,T\n{rows}")
    file = folder / "problem.json"
    file.write_text(json.dumps({**PROBLEM, "data": {"path": "measured.csv", **how}}))
    data = load(file).data
    assert data is not None
    return data.texts["date"]


def test_the_day_comes_first_or_second_as_the_file_says_where_no_date_tells(tmp_path: Path) -> None:
    rows = "05/06/2024,1\n07/06/2024,2\n"
    assert dates(tmp_path, rows, day_first=True) == ("2024-06-05", "2024-06-07")
    assert dates(tmp_path, rows, day_first=False) == ("2024-05-06", "2024-07-06")
    assert dates(tmp_path, rows) == dates(tmp_path, rows, day_first=None) == ("05/06/2024", "07/06/2024"), "texts as they are"


def test_a_date_that_tells_is_believed_more_than_what_was_said(tmp_path: Path) -> None:
    assert dates(tmp_path, "05/06/2024,1\n17/06/2024,2\n", day_first=False) == ("2024-06-05", "2024-06-17")


def test_anything_but_true_and_false_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="day_first"):
        dates(tmp_path, "05/06/2024,1\n", day_first="yes")
