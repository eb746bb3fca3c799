"""What is told of an answer that another analysis' runs gave: what was changed, how it came about, how to repeat it."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from bayescope.engine.answer.asked_again import AskedAgain, asked_again, changes, note
from bayescope.engine.problem import definition as d
from bayescope.engine.report import report
from bayescope.engine.session.store import SessionStore

change = msgspec.structs.replace


@pytest.fixture
def predicting(problem: d.Problem) -> d.Problem:
    return change(
        problem,
        outputs=(change(problem.outputs[0], name="y", length=None),),
        data=d.DataTable(columns={"t": (1.0, 2.0, 3.0), "y": (0.1, 0.4, 0.2)}),
        meaning=d.Predictions(matches=(d.Match(output="y", column="y"),), noise=d.GaussianKnown(sd=0.25)),
    )


def _left_out(problem: d.Problem, *rows: int) -> d.Problem:
    assert isinstance(problem.meaning, d.Predictions)
    matches = tuple(change(m, left_out=rows) for m in problem.meaning.matches)
    return change(problem, meaning=change(problem.meaning, matches=matches))


def test_rows_left_out_other_errors_and_other_priors_are_told_in_words(predicting: d.Problem) -> None:
    assert changes(predicting, predicting) == ()
    assert changes(predicting, _left_out(predicting, 2)) == ("Left out, where output “y” is compared with “y”: row 2.",)
    assert changes(_left_out(predicting, 1, 2), predicting)[0].startswith("Taken in again")
    fewer = change(predicting, data=d.DataTable(columns={"t": (1.0, 3.0), "y": (0.1, 0.2)}))
    assert changes(predicting, fewer) == ("Left out of the data: row 2 of the table (t 2, y 0.4).",)
    blank = change(predicting, data=d.DataTable(columns={"t": (1.0, 2.0, 3.0), "y": (0.1, None, 0.2)}))
    assert changes(predicting, blank)[1] == "Added to the data or changed: row 2 of the table (t 2)."
    assert isinstance(predicting.meaning, d.Predictions)
    surer = change(predicting, meaning=change(predicting.meaning, noise=d.GaussianKnown(sd=0.5)))
    assert [s.split(":")[0] for s in changes(predicting, surer)] == ["It was", "It is now"]
    first, *rest = predicting.parameters
    other = change(predicting, parameters=(change(first, prior=d.Normal(mean=7.0, sd=1.0)), *rest))
    assert changes(predicting, other) == (f"Other priors were given for: {first.name}.",)


def test_the_report_of_such_an_answer_says_whose_runs_it_has_what_was_left_out_and_how_to_repeat_it(
    tmp_path: Path, predicting: d.Problem, make_evaluation: Any, make_iteration: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = _left_out(predicting, 2)
    monkeypatch.setenv("BAYESCOPE_HOME", str(tmp_path / "home"))
    drafts = tmp_path / "home" / "drafts"
    drafts.mkdir(parents=True)
    draft = drafts / "Rod-again-20260101-120000.bayescope"
    with SessionStore.create(draft, change(asked, name="Rod (again)"), own=True) as store:
        for k in range(6):
            store.add_evaluation(replace(make_evaluation(k), outputs={"y": np.array([0.1, 0.3, 0.2]) + 0.01 * k}))
        store.add_iteration(replace(make_iteration(3), n_evaluations=6))
        store.runs_of = tmp_path / "rod.bayescope"
        note(store, AskedAgain(first="rod.bayescope", runs=6, changes=changes(predicting, asked)))
        assert asked_again(store) is not None
        html = report.report_html(store)
    text = unescape(re.sub(r"<[^>]+>", " ", re.sub(r"<svg.*?</svg>", "", html, flags=re.DOTALL)))
    assert "comes from 6 runs of another analysis, “rod.bayescope”, judged anew. No run was made for it." in text
    assert "Left out, where output “y” is compared with “y”: row 2." in text
    assert "row 2 of the table is left out" in text
    assert "bayescope again rod.bayescope problem.json repeated-Rod-again.bayescope\n" in text
    assert "bayescope run" not in text, "no run was made"
    assert "20260101" not in text, "the name of a draft says nothing to anyone"
    assert "Save it (File menu)" in text
