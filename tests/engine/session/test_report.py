"""What a reader of the report finds in it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape

import msgspec
import numpy as np

from bayescope.engine.problem.definition import DataTable, GaussianKnown, Match, Predictions
from bayescope.engine.session import report
from bayescope.engine.session.report_tables import rounded
from bayescope.engine.session.store import SessionStore


def test_the_report_tells_labels_intervals_correlations_data_likelihood_and_the_whole_declaration(
    tmp_path, problem, make_evaluation, make_iteration
):
    parameters = tuple(
        msgspec.structs.replace(p, label=label, unit="mm")
        for p, label in zip(problem.parameters, ("Width", "Height"), strict=True)
    )
    output = msgspec.structs.replace(problem.outputs[0], name="y", length=None)
    predicting = msgspec.structs.replace(
        problem,
        parameters=parameters,
        outputs=(output,),
        data=DataTable(columns={"t": (1.0, 2.0, 3.0), "y": (0.1, 0.4, 0.2)}, origin="rod.csv"),
        meaning=Predictions(matches=(Match(output="y", column="y"),), noise=GaussianKnown(sd=0.25)),
    )
    with SessionStore.create(tmp_path / "rod.bayescope", predicting) as store:
        for k in range(6):
            store.add_evaluation(replace(make_evaluation(k), outputs={"y": np.array([0.1, 0.3, 0.2]) + 0.01 * k}))
        store.add_iteration(replace(make_iteration(3), n_evaluations=6))
        html = report.report_html(store)
    text = unescape(re.sub(r"<[^>]+>", " ", re.sub(r"<svg.*?</svg>", "", html, flags=re.DOTALL)))
    assert "Width [mm] (a)" in text
    for words in (
        "50 % interval",
        "95 % interval",
        "Correlations",
        "Predictions over the data",
        "normal errors of known size (sd 0.25)",
        "Measured data from rod.csv: 3 rows, columns t, y",
        "Acerbi",
        "gpytorch",
    ):
        assert words in text, words
    assert html.count("<svg") == html.count("<figcaption>") == 4
    declared = json.loads(unescape(re.findall(r"<pre>(\{.*?\})</pre>", html, re.DOTALL)[0]))
    assert declared["parameters"][0]["label"] == "Width", "the declaration can be opened again"


def test_numbers_of_the_report_have_the_digits_that_their_uncertainty_supports():
    cases = ((12.3456, 0.123), (1234.5, 56.0), (0.0001234, 0.00001), (3.2e9, 1e7), (float("nan"), 1.0))
    assert [rounded(v, s) for v, s in cases] == ["12.35", "1234", "0.000123", "3.2e+09", "not finite"]
