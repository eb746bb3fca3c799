"""No sentence about an answer contradicts its figures, whatever they are."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayescope.engine.answer import words as answer_words
from bayescope.engine.answer.nouns import counted_as
from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.answer.suggested_ranges import suggested_ranges
from bayescope.engine.answer.where_known import CONFIRMED_IN_PART, EDGE_LIMIT, FAILING_LIMIT, MOST_FAILING, checkable
from bayescope.engine.answer.words import (
    Figures,
    actions,
    chip,
    headline,
    reasons,
)
from bayescope.engine.problem.definition import LogNormal, Normal, Parameter, Uniform
from bayescope.engine.problem.transforms import ParameterSpace

SURE = re.compile(r"settled|can use|speaks against|^Converged|stopped moving", re.IGNORECASE)
SHARE = st.one_of(st.just(0.0), st.floats(0.0, 1.0), st.sampled_from([0.004, 0.005, 0.04, 0.05, 0.1, 0.42]))
COUNT = st.integers(0, 200)
STAGES = st.sampled_from(["refining", "exploring", "checking", "refused", "cut short", "unchecked"])


@st.composite
def figures(draw) -> Figures:
    good, failed, impossible = draw(COUNT), draw(COUNT), draw(COUNT)
    n = good + failed + impossible
    names = st.lists(st.sampled_from("abc"), max_size=3, unique=True).map(tuple)
    return Figures(
        evaluations=n, budget=n + draw(st.integers(0, 60)), good=good, failed=failed, impossible=impossible,
        converged=draw(st.booleans()), confirmed="fresh runs confirmed it.",
        against=draw(st.sampled_from([(), ("The log evidence still moves.",)])), stage=draw(STAGES), room=draw(st.booleans()),
        looks=draw(st.integers(0, n)), failing=draw(SHARE), walled=draw(SHARE), edge=draw(SHARE),
        outside=draw(names), narrow=draw(names), flat=draw(st.booleans()),
    )  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(figures())
def test_no_sentence_contradicts_the_figures(f: Figures) -> None:
    said = reasons(f)
    words = " ".join(said)
    assert said
    assert all(s[0].isupper() or s[0].isdigit() for s in said)
    assert all(s.endswith(".") for s in said)
    assert len(set(said)) == len(said)
    if f.good < 2:
        assert len(said) == 1
        return
    lost = f.failing > FAILING_LIMIT or f.edge > EDGE_LIMIT
    if not f.converged or lost:
        assert not any(re.search("settled|can use|^Converged", s, re.IGNORECASE) for s in said)
    if lost:
        assert not SURE.search(words)
    if f.converged and not lost:
        assert any(s.startswith("Fresh runs confirmed it.") for s in said)
        assert "Not converged" not in words
    if "avoids" in words:
        assert f.failing < 0.005
        assert f.walled < 0.005
        assert f.impossible
    if f.failing >= 0.01:
        assert f"{100 * f.failing:.0f} % of the posterior, perhaps more, lies where most runs failed" in words
    if f.failing > FAILING_LIMIT:
        assert "most runs failed" in said[0], "what weighs most comes first"
    if f.edge > EDGE_LIMIT:
        assert "edge of the region explored" in words
    assert ("is spent" in words) == (f.evaluations >= f.budget and not f.converged)
    if f.evaluations >= f.budget:
        assert not re.search(r"is being checked|are being (made|evaluated)|has yet to be", words), "nothing is going on any more"
    if "More runs would help" in words:
        assert not lost
        assert not f.flat
    if f.looks and f.converged and not lost:
        assert f" {f.looks} of the {f.evaluations} runs looked elsewhere" in words
    assert "once" not in words
    assert "times." not in words
    for number, kind in ((f.failed, "failed"), (f.impossible, "impossible")):
        assert (f"{number} of {f.evaluations} runs" in words) or not number, kind


@settings(max_examples=100, deadline=None)
@given(st.booleans(), st.booleans(), COUNT, COUNT, SHARE, SHARE, st.booleans())
def test_headline_chip_and_buttons_say_the_same(
    converged: bool, warm_up: bool, n: int, budget: int, failing: float, edge: float, ranges: bool
) -> None:
    diagnostics = {"failing_mass": failing, "edge_mass": edge}
    level, sentence = headline(converged, warm_up, n, diagnostics)
    short_level, short = chip(converged, warm_up, diagnostics)
    assert level == short_level
    good = converged and failing <= FAILING_LIMIT and edge <= EDGE_LIMIT
    assert (level == "ok") == good == ("you can use" in sentence) == (short == "Converged")
    advised = actions(converged, n, budget, diagnostics, ranges)
    assert not (good and advised), "an answer that can be used needs nothing"
    assert ("more_runs" in advised) == (not converged and n >= budget and failing <= FAILING_LIMIT)
    assert ("use_ranges" in advised) == (not converged and n >= budget and ranges and failing <= FAILING_LIMIT)


@pytest.mark.parametrize(
    ("stage", "spent", "words"),
    [
        ("checking", False, "is being checked"),
        ("unchecked", False, "has yet to be checked"),
        ("unchecked", True, "too few runs to check it"),
        ("cut short", True, "ended before all checks"),
        ("refused", True, "did not confirm the answer closely enough."),
        ("exploring", False, "runs are to be made there"),
    ],
)
def test_what_is_left_to_be_done_is_said(stage: answer_words.Stage, spent: bool, words: str) -> None:
    f = Figures(evaluations=40, budget=40 if spent else 60, good=40, stage=stage)
    assert any(words in s for s in reasons(f)), reasons(f)


def test_one_run_is_one_run() -> None:
    assert "after 1 run:" in headline(False, True, 1, {})[1]


SPACE = ParameterSpace(
    [
        Parameter(name="free", prior=Normal(mean=0.0, sd=10.0), plausible=(-10.0, 10.0)),
        Parameter(name="rate", prior=LogNormal(log_mean=0.0, log_sd=1.0), plausible=(0.5, 2.0)),
        Parameter(name="share", prior=Uniform(low=0.0, high=1.0), lower=0.0, upper=1.0),
    ]
)


def of_gaussian(mean: list[float], sd: list[float]) -> StoredPosterior:
    return StoredPosterior(SPACE, [1.0], [mean], [np.diag(np.square(sd))])


def test_ranges_are_suggested_only_where_those_given_were_far_off() -> None:
    assert suggested_ranges(SPACE, of_gaussian([0.0, 0.0, 0.0], [2.0, 0.3, 0.5])) == {}
    found = suggested_ranges(SPACE, of_gaussian([40.0, 0.0, 0.0], [1.0, 0.3, 0.5]))
    assert set(found) == {"free"}
    assert found["free"] == (37.0, 43.0)
    found = suggested_ranges(SPACE, of_gaussian([1.0, np.log(5.0), 0.0], [0.01, 0.01, 0.5]))
    assert set(found) == {"free", "rate"}
    assert found["free"] == pytest.approx((0.97, 1.03), abs=0.0011)
    low, high = found["rate"]
    assert low == pytest.approx(5 * np.exp(-0.03), abs=0.011)
    assert high == pytest.approx(5 * np.exp(0.03), abs=0.011)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-30, 30), min_size=3, max_size=3), st.lists(st.floats(1e-6, 3), min_size=3, max_size=3))
def test_suggested_ranges_hold_the_posterior_and_can_be_declared(mean: list[float], sd: list[float]) -> None:
    posterior = of_gaussian(mean, sd)
    for name, (low, high) in suggested_ranges(SPACE, posterior).items():
        i = SPACE.names.index(name)
        q = posterior.quantile([0.01, 0.99])[:, i]
        assert low <= q[0] * (1 + 1e-9) + 1e-12
        assert high >= q[1] * (1 - 1e-9) - 1e-12
        assert SPACE.transforms[i].lower <= low < high <= SPACE.transforms[i].upper


def test_a_copy_with_the_suggested_ranges_has_them_no_longer_misplaced() -> None:
    posterior = of_gaussian([40.0, 2.0, 0.0], [1.0, 0.05, 0.5])
    found = suggested_ranges(SPACE, posterior)
    import msgspec

    better = ParameterSpace([msgspec.structs.replace(p, plausible=found.get(p.name, p.plausible)) for p in SPACE.parameters])
    again = StoredPosterior(better, posterior.weights, posterior.means, posterior.covariances)
    assert suggested_ranges(better, again) == {}


def test_a_figure_changed_alone_changes_only_what_it_is_about() -> None:
    f = Figures(evaluations=50, budget=140, good=45, failed=2, impossible=3, converged=True, confirmed="it was.", looks=12)
    assert " 12 of the 50 runs looked elsewhere" in reasons(f)[0]
    assert any("avoids those places" in s for s in reasons(f))
    assert not any("avoids" in s for s in reasons(replace(f, walled=0.04)))
    assert any("4 % of the posterior lies close to them" in s for s in reasons(replace(f, walled=0.04)))


def test_runs_whose_density_only_counts_as_zero_are_not_called_impossible() -> None:
    f = Figures(evaluations=50, budget=140, good=46, impossible=4, far_below=4, converged=True, confirmed="it was.")
    said = " ".join(reasons(f))
    assert "4 of 50 runs fit so badly that the density there counts as zero; the posterior avoids those places." in said
    assert "impossible" not in said
    both = " ".join(reasons(replace(f, impossible=7)))
    assert "3 of 50 runs were impossible (density zero) and 4 fit so badly that the density there counts as zero; " in both


def test_why_runs_would_fail_in_a_share_of_the_answer_is_said_with_what_may_mend_it() -> None:
    parts = (("time", 0.2), ("crash", 0.048), ("number", 0.002))
    said = reasons(Figures(60, 60, good=50, failed=10, failing=0.25, failing_reasons=parts))[0]
    assert "Allow more time for such values; or, if they are impossible, say so under Limits" in said
    assert "Why they fail there: ran out of time (20 %), crashed (5 %)." in said


def test_the_share_where_runs_fail_is_said_with_its_interval_and_with_both_evidences() -> None:
    said = reasons(Figures(60, 60, good=50, failed=10, failing=0.25, failing_interval=(0.14, 0.37), evidence=-3.0))[0]
    assert "between 14 and 37 % (90 %)" in said
    assert "as nearby, the log evidence is −3.00; if those values are impossible, −3.29." in said


def test_an_answer_confirmed_where_runs_succeed_is_never_called_converged_and_no_more_runs_are_advised() -> None:
    assert checkable(0.2, MOST_FAILING, EDGE_LIMIT)
    assert not checkable(0.2, 0.6, 0.0)
    assert checkable(FAILING_LIMIT, 0.9, 0.0)
    assert not checkable(0.0, 0.0, 0.06)
    f = Figures(
        60, 60, good=50, failed=10, failing=0.25, failing_interval=(0.14, 0.37), evidence=-3.0, in_part=True,
        confirmed="fresh runs confirmed it.",
    )  # fmt: skip
    said = reasons(f)
    assert "most runs failed" in said[0]
    assert said[1] == "Where runs succeed, fresh runs confirmed it. Of the rest more runs tell nothing."
    assert not any(re.search("settled|can use|Converged|is spent", s, re.IGNORECASE) for s in said)
    told = {"failing_mass": 0.25, "failing_high": 0.37, CONFIRMED_IN_PART: 1.0}
    words = "Confirmed after 60 runs where they succeed; about 25 % of the answer lies where they fail."
    assert headline(False, False, 60, told) == ("warning", words)
    assert chip(False, False, told) == ("warning", "Confirmed in part")
    assert actions(False, 60, 60, told, True) == ()


def test_reasons_tell_of_points_where_a_point_takes_several_runs_of_the_program() -> None:
    said = (
        "The budget of 140 runs is spent. More runs would help.",
        "3 of 140 runs failed; nothing is known of the density where they did.",
        "Check the simulator with a test run, and that the plausible ranges hold values it can run with.",
        "The run settings of the next analysis can let such values count less.",
        "The answer has yet to be checked with fresh simulator runs.",
    )
    assert counted_as("run", said) == said
    assert counted_as("point", said) == (
        "The budget of 140 points is spent. More points would help.",
        "3 of 140 points failed; nothing is known of the density where they did.",
        "Check the simulator with a test run, and that the plausible ranges hold values it can run with.",
        "The run settings of the next analysis can let such values count less.",
        "The answer has yet to be checked with fresh points.",
    )


def test_a_converged_answer_whose_draws_miss_tails_is_advised_more_runs() -> None:
    assert actions(True, 60, 60, {"pareto_k": 0.8}, False) == ("more_runs",)
    assert actions(True, 60, 60, {"pareto_k": 0.6}, False) == ()
    assert actions(True, 60, 60, {"pareto_k": 0.8, "failing_mass": 0.5}, False) == (), "more runs do not help there"
