"""What a reader of the report finds in it."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from html import unescape

import msgspec
import numpy as np

from bayescope.engine.answer.fresh_runs import FreshRuns, row_of
from bayescope.engine.answer.likelihood_words import likelihood_words
from bayescope.engine.answer.other_methods import OtherMethod
from bayescope.engine.answer.usual_scatter import UsualScatter
from bayescope.engine.app import cli
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.definition import DataTable, GaussianKnown, Match, Predictions
from bayescope.engine.report import report, report_methods
from bayescope.engine.report.report_tables import rounded
from bayescope.engine.session.records import IterationRecord
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
    with SessionStore.create(tmp_path / "rod.bayescope", predicting, own=True) as store:
        for k in range(6):
            store.add_evaluation(replace(make_evaluation(k), outputs={"y": np.array([0.1, 0.3, 0.2]) + 0.01 * k}))
        store.add_iteration(replace(make_iteration(3), n_evaluations=6))
        html = report.report_html(store)
    text = unescape(re.sub(r"<[^>]+>", " ", re.sub(r"<svg.*?</svg>", "", html, flags=re.DOTALL)))
    assert "Width [mm] (a)" in text
    assert "<h2>Modes</h2>" not in html
    for words in (
        "50 % interval",
        "95 % interval",
        "Correlations",
        "Predictions over the data",
        "No second mode was found.",
        "normal errors of known size (sd 0.25)",
        "Measured data from rod.csv: 3 rows, columns t, y",
        "Acerbi",
        "gpytorch",
    ):
        assert words in text, words
    assert html.count("<svg") == html.count("<figcaption>") == 5
    declared = json.loads(unescape(re.findall(r"<pre>(\{.*?\})</pre>", html, re.DOTALL)[0]))
    assert declared["parameters"][0]["label"] == "Width", "the declaration can be opened again"


def test_the_head_of_the_report_tells_of_checks_that_are_not_passed(tmp_path, problem, make_evaluation, make_iteration):
    with SessionStore.create(tmp_path / "poor.bayescope", problem, own=True) as store:
        for k in range(6):
            store.add_evaluation(make_evaluation(k))
        made = replace(make_iteration(3), n_evaluations=6, converged=True, diagnostics={"pareto_k": 1.11, "ess": 0.17})
        store.add_iteration(made)
        html = report.report_html(store)
    assert "draws cover the posterior (k̂)" in html.partition("(see Why trust this).")[0]
    assert "you can use this answer" not in html


def test_numbers_of_the_report_have_the_digits_that_their_uncertainty_supports():
    cases = ((12.3456, 0.123), (1234.5, 56.0), (0.0001234, 0.00001), (3.2e9, 1e7), (float("nan"), 1.0))
    assert [rounded(v, s) for v, s in cases] == ["12.35", "1234", "0.000123", "3.200e+09", "not finite"]


def test_the_report_states_every_comparison_with_its_own_errors_and_pairing_and_priors_within_their_limits(
    tmp_path, problem, make_evaluation, make_iteration
):
    names = ("time", "T", "flux", "p", "n")
    predicting = msgspec.structs.replace(
        problem,
        parameters=(
            d.Parameter(name="dT", prior=d.Normal(mean=50.0, sd=20.0), lower=0.0),
            d.Parameter(name="sigma", prior=d.Uniform(low=0.0, high=5.0), lower=0.0, upper=9.0),
        ),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.CsvColumn(column=n)) for n in names),
        data=d.DataTable(columns=dict.fromkeys((*names, "spread"), (1.0, 2.0))),
        meaning=Predictions(
            matches=(
                Match(output="T", column="T", key_output="time", key_column="time"),
                Match(output="flux", column="flux", key_output="time", key_column="time", key_tolerance=0.5,
                      noise=GaussianKnown(sd=8.0)),
                Match(output="p", column="p", noise=d.StudentTNoise(dof=4.0), sd_column="spread"),
                Match(output="n", column="n", noise=d.PoissonNoise()),
            ),
            noise=d.GaussianInferred(parameter="sigma"),
        ),
    )  # fmt: skip
    path = tmp_path / "rod.bayescope"
    with SessionStore.create(path, predicting, own=True) as store:
        for k in range(6):
            row = replace(make_evaluation(k), values={"dT": 1.0 + k, "sigma": 1.0}, outputs={n: np.ones(2) for n in names})
            store.add_evaluation(row)
        store.add_iteration(replace(make_iteration(3), n_evaluations=6))
    assert cli.main(["export", str(path), "--report", str(tmp_path / "rod.html")]) == 0
    html = (tmp_path / "rod.html").read_text(encoding="utf-8")
    items = [unescape(item) for item in re.findall("<li>(output.*?)</li>", html)]
    assert items == [
        "output “T” with column “T”; rows paired by value, output “time” with column “time”; "
        "normal errors whose size is inferred (sd: parameter sigma).",
        "output “flux” with column “flux”; rows paired by value, output “time” with column “time” (at most 0.5 apart); "
        "normal errors of known size (sd 8).",
        "output “p” with column “p”; rows paired in order; "
        "Student-t errors (4 degrees of freedom, scale of each point from column “spread”).",
        "output “n” with column “n”; rows paired in order; Poisson counts.",
    ]
    assert "normal with mean 50 and sd 20, cut off below 0<" in html
    assert "uniform between 0 and 5<" in html, "limits that cut nothing off are not named"


def test_every_likelihood_is_stated_with_all_that_it_is_made_of():
    pair = Match(output="y", column="y")
    for noise, words in (
        (GaussianKnown(sd=0.123456789), "sd 0.123456789)"),
        (GaussianKnown(sd_column="s"), "(sd of each point from column “s”)"),
        (d.GaussianIntegrated(shape=3.0, scale=0.5, per_point=False),
         "(variance: inverse gamma with shape 3 and scale 0.5, one for all points of the comparisons with the common errors)"),
        (d.StudentTNoise(dof=3.5, parameter="w"), "(3.5 degrees of freedom, scale: parameter w)"),
        (d.LogNormalNoise(log_sd=0.1), "log-normal errors (sd of the logarithm 0.1)"),
        (d.NegativeBinomialNoise(parameter="k"), "negative binomial counts (size: parameter k)"),
        (d.Ar1Noise(sd="s", rho=0.5), "AR(1) (sd: parameter s, correlation of neighbours 0.5)"),
        (d.CovarianceNoise(matrix=((1.0, 0.0), (0.0, 1.0))), "(2 × 2 matrix over all comparisons with the common errors)"),
    ):  # fmt: skip
        assert words in likelihood_words(Predictions(matches=(pair,) * 15, noise=noise))[1][14], words
        alone = likelihood_words(Predictions(matches=(pair,), noise=noise))[0]
        assert words.split(" over all")[0].split(" of the comp")[0] in alone
    random = Predictions(matches=(pair,), noise=GaussianKnown(sd=0.25), random=True)
    assert likelihood_words(random)[0].endswith("on average: they have a statistical error of their own.")
    summary = d.Summary(output="y", column="z", statistic="quantiles", levels=(0.5, 0.9))
    assert likelihood_words(d.SyntheticLikelihood(summaries=(summary,), repeats=30)) == (
        "Summaries of random outputs are compared with those of the data (synthetic likelihood), 30 runs per point.",
        ("quantiles (0.5, 0.9) of output “y” with that of column “z”.",),
    )
    others = [kind(output="y") for kind in (d.LogLikelihoodOutput, d.LogPosteriorOutput, d.MinusTwoLogLikelihood)]
    others += [d.SumOfSquares(output="y", sd=2.0), d.InverseBinomial(output="y", column="z")]
    assert all(likelihood_words(meaning)[0].startswith("The program ") for meaning in others)


def test_only_the_references_that_the_text_cites_are_listed_and_they_are_numbered_from_one_on():
    for method, text in report_methods.METHODS.items():
        written, cited = report_methods._cited(text)
        numbers = [int(k) for group in re.findall(r"\[([\d, ]+)\]", written) for k in group.split(",")]
        assert sorted(set(numbers)) == list(range(1, len(cited) + 1)), method
        before = [int(k) for group in re.findall(r"\[([\d, ]+)\]", text) for k in group.split(",")]
        assert [cited[k - 1] for k in numbers] == [report_methods.REFERENCES[k - 1] for k in before], "each number means the same"
    assert report_methods._cited(report_methods.METHODS["laplace"])[1] == []
    assert report_methods._cited(report_methods.METHODS["bvbmc"])[0].endswith("[1, 2].")


NOTHING_KNOWN = IterationRecord(
    1, 80, math.nan, math.nan, math.nan, math.nan, False, False, (), np.ones(1), np.zeros((1, 1)), np.eye(1)[None]
)


def test_the_methods_paragraph_has_the_numbers_and_cites_every_method_used(problem):
    versions = {"versions": {"bayescope": "1"}, "evaluations": 80}
    sparse = msgspec.structs.replace(problem, settings=d.Settings(method="svbmc"))
    fresh = FreshRuns.of_rows([row_of(1, -1.0, 0.1, -1.1, False, 9), row_of(2, -2.0, 0.1, -2.0, True, 9)])
    known = replace(
        NOTHING_KNOWN, log_evidence=-3.456, log_evidence_sd=0.032, slices=fresh.arrays(),
        diagnostics={"certified_correction": -0.02, "certified_error": 0.05, "pareto_k": 0.31},
    )  # fmt: skip
    others = [
        OtherMethod(method=m, name=m, iteration=1, evaluations=80, log_evidence=-3.4, log_evidence_sd=0.1, trusted=m == "wsabi")
        for m in ("wsabi", "flow")
    ]
    said = report_methods.methods_paragraph(sparse, known, versions, False, others)
    assert "The log evidence is -3.456 ± 0.032 (one standard deviation)." in said
    assert "1 fresh simulator runs at posterior draws put it 0.020 ± 0.050 off" in said
    assert "The Pareto shape of the importance weights is 0.31 [4]." in said
    assert "(WSABI-L) [6] gave a log evidence of -3.40 ± 0.10." in said
    assert "by importance sampling, did not pass its own checks." in said
    for author in ("Acerbi, L. (2018)", "Vehtari", "Li, C., Clarté, G. and Acerbi, L. (2023)", "Gunter", "Galy-Fajou"):
        assert author in said
    assert "Naiff" not in said


def test_the_methods_tell_what_was_learnt_and_how_often_the_program_was_run(problem):
    versions = {"versions": {"bayescope": "1"}, "evaluations": 80}
    predicting = msgspec.structs.replace(problem, meaning=Predictions(matches=(), noise=GaussianKnown(sd=0.25)))
    random = msgspec.structs.replace(problem, meaning=d.SyntheticLikelihood(summaries=(), repeats=50))
    boosted = msgspec.structs.replace(random, settings=d.Settings(method="bvbmc"))
    said = [
        report_methods.methods_paragraph(p, NOTHING_KNOWN, versions, learnt)
        for p, learnt in ((predicting, False), (predicting, True), (random, False))
    ]
    assert "surrogate of the log posterior density, trained on simulator runs" in said[0]
    assert "fresh simulator runs at posterior draws have confirmed" in said[0]
    assert "The outputs of the simulator that are compared with data were learnt" in said[1]
    assert "80 simulator runs were used" in said[1]
    assert "noisy estimates" in said[2]
    assert "confirmed" not in said[2], "such an answer is not checked by fresh runs"
    assert "80 points, with 50 runs of the program at each (4,000 in all), were used" in said[2]
    assert report_methods.method_of(boosted, False) == "bvbmc"
    meaning = Predictions(matches=(Match(output="y", column="y"),), noise=GaussianKnown(sd=0.25), random=True)
    answer = replace(NOTHING_KNOWN, slices=UsualScatter(np.array([0.1]), np.array([0.25])).arrays())
    scattered = report_methods.methods_paragraph(msgspec.structs.replace(problem, meaning=meaning), answer, versions, True)
    assert "which the surrogate averages out over the runs. By all runs a value scatters by 0.1, the" in scattered
    assert "statistical error" not in said[1]


def test_the_summary_keeps_its_last_column_on_a_page_of_1000_pixels(tmp_path, problem, make_evaluation, make_iteration):
    """Widths of the longest parts that no browser breaks, in characters of a wide font."""
    label = "Permeability of the upper layer of the embankment, horizontally"
    parameters = tuple(msgspec.structs.replace(p, label=label, unit="m/s") for p in problem.parameters)
    long = msgspec.structs.replace(problem, parameters=parameters)
    with SessionStore.create(tmp_path / "dam.bayescope", long, own=True) as store:
        store.add_evaluation(make_evaluation(0))
        store.add_iteration(replace(make_iteration(3), n_evaluations=1))
        html = report.report_html(store)
    table = re.search(r'<div class="wide">(<table>.*?Median.*?</table>)</div>', html, re.DOTALL)
    assert table is not None, "and what is wider still can be scrolled to"
    rows = [re.findall(r"<t[hd]([^>]*)>(.*?)</t[hd]>", row) for row in table[1].split("<tr>")[1:]]
    padding, character, room = 2 * 0.55 * 16, 0.62 * 15, 1000 - 2 * 32
    widest = [
        max(len(part) for _, cell in column for part in re.split(r"[ ]|<br>", unescape(cell)))
        for column in zip(*rows, strict=True)
    ]
    assert len(widest) == 8
    assert all("i" in classes for classes, _ in [row[-1] for row in rows[1:]]), "intervals may be broken"
    assert sum(character * w + padding for w in widest) <= room
