"""Why an answer is trusted: green only if every check is, in words that follow from the figures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from bayescope.engine.answer.checks import AnswerChecks, Check, answer_checks, checks_of_store
from bayescope.engine.answer.doubt import BEST_MISFIT
from bayescope.engine.answer.fresh_runs import FreshRuns, placed, row_of
from bayescope.engine.answer.other_methods import OtherMethod, save_method, stored_methods
from bayescope.engine.answer.possible import Possible
from bayescope.engine.answer.unseen import CURVE, Claim
from bayescope.engine.answer.usual_scatter import UsualScatter
from bayescope.engine.answer.where_known import CONFIRMED_IN_PART, RUNS_COUNT_AS, draws_that_show, escaping
from bayescope.engine.answer.words import tails_missed
from bayescope.engine.app import cli
from bayescope.engine.problem import definition as d
from bayescope.engine.report.report import report_html
from bayescope.engine.session.records import IterationRecord
from bayescope.engine.session.store import SessionStore

FRESH = FreshRuns.of_rows(
    [row_of(7, -3.0, 0.25, -2.0, False, 20), row_of(20, -1.0, 0.01, -1.1, False, 40), row_of(21, -2.0, 0.04, -1.9, False, 40),
     row_of(22, -6.0, 1.0, -7.0, True, 40)]
)  # fmt: skip
POSSIBLE = Possible(np.array([[-1.0, 1.0]]), np.ones((3, 1, 2)), np.array([0.02, 0.03, 0.01]))
ARRAYS = {**FRESH.arrays(), **POSSIBLE.arrays()}
GOOD = {
    "certified_correction": 0.02, "certified_error": 0.03, "loo_rms": 0.05, "loo_calibration": 1.1, "pareto_k": 0.3, "ess": 0.4,
    "kl_mixture_surrogate": 0.05, "failing_mass": 0.0, "edge_mass": 0.001,
}  # fmt: skip
CLAIM = Claim(1, ((0.05, 0.96),), CURVE, np.zeros_like(CURVE))
MCMC = OtherMethod(
    method="mcmc", name="MCMC on the surrogate", iteration=1, evaluations=50, log_evidence=-3.48, log_evidence_sd=0.03,
    trusted=True, reasons=("The chains agree.",), distance=0.02, two_sample=(0.52, 0.01),
    moments={"a": (0.0123, 0.2)}, seconds=1.5,
)  # fmt: skip


def made(diagnostics: dict[str, float] | None = None, others: tuple[OtherMethod, ...] = (), **changed: object) -> AnswerChecks:
    given = {"converged": True, "agreement": 0.02, "arrays": ARRAYS, "claim": CLAIM, **changed}
    figures = {**GOOD, **(diagnostics or {})}
    return answer_checks(
        given["converged"], -3.5, 0.03, given["agreement"], figures, given["arrays"], given["claim"], others  # type: ignore[arg-type]
    )


def one(found: AnswerChecks, key: str) -> Check:
    return found.of(key)


def test_a_best_run_that_misses_the_data_by_more_than_chance_is_a_check_that_is_not_passed() -> None:
    found = made({BEST_MISFIT: 5.72})
    assert found.of("data").level == "poor"
    assert "1 of 9 checks is not passed: best run against the data" in found.words
    assert "data" not in {c.key for c in made().checks}


def test_runs_made_after_the_check_are_told() -> None:
    def words(evaluations: int) -> str:
        found = answer_checks(True, -3.5, 0.03, 0.02, GOOD, ARRAYS, CLAIM, evaluations=evaluations)
        return found.of("fresh").words

    assert "made after that check" not in words(23), "the last run of the check is number 22"
    assert words(24).endswith("One run was made after that check; the answer has learnt from it too.")
    assert words(40).endswith("17 runs were made after that check; the answer has learnt from them too.")


def test_fresh_runs_that_confirm_the_answer_where_runs_succeed_are_passed_and_what_lies_elsewhere_is_not() -> None:
    found = made({CONFIRMED_IN_PART: 1.0, "failing_mass": 0.23}, converged=False)
    assert found.of("fresh").level == "good"
    assert "They confirm the answer where runs succeed." in found.of("fresh").words
    assert [c.key for c in found.not_passed] == ["known"]


def test_the_fresh_runs_of_scattering_outputs_are_compared_without_their_scatter() -> None:
    scattering = UsualScatter(np.array([0.4]), np.array([0.5])).arrays()
    said = one(made(arrays={**ARRAYS, **scattering}), "fresh").words
    assert "the log density, without the runs' own scatter, was off by" in said
    assert "scatter" not in one(made(), "fresh").words


def test_what_passes_by_its_nats_shows_nats() -> None:
    assert made({"loo_calibration": 4.8}).of("left_out").figure == "0.05 nats"
    assert made({"loo_calibration": 4.8, "loo_rms": 0.5}).of("left_out").figure == "4.8 sd"


def test_an_answer_that_an_earlier_version_confirmed_says_that_the_runs_were_not_kept() -> None:
    earlier = {name: values for name, values in ARRAYS.items() if not name.startswith("fresh.")}
    assert "confirmed this answer" in one(made(arrays=earlier), "fresh").words
    assert "No fresh runs" in one(made(arrays=earlier, converged=False), "fresh").words


def test_all_is_good_only_if_every_check_was_made_and_passed() -> None:
    assert made(others=(MCMC,)).good
    assert made().words == "All 8 checks are passed."
    for wrong in ({"pareto_k": 0.8}, {"loo_calibration": 3.0, "loo_rms": 0.3}, {"kl_mixture_surrogate": 0.4},
                  {"certified_correction": 0.4}, {"edge_mass": 0.2}, {"failing_mass": 0.3}):  # fmt: skip
        assert not made(wrong).good
        assert "1 of 8 checks is not passed" in made(wrong).words
    assert not made(converged=False).good
    assert not made(claim=Claim(1, ((0.12, 0.6),), CURVE, np.ones_like(CURVE))).good


def test_a_rough_mixture_beside_good_draws_is_said_to_touch_the_elbo_alone() -> None:
    rough = {"kl_mixture_surrogate": 1.06, "pareto_k": 0.3, "ess": 0.6}
    assert "the mixture, and with it the ELBO, is what is rough" in made(rough).of("mixture").words
    assert "the ELBO" not in made(rough | {"pareto_k": 0.9}).of("mixture").words


def test_what_a_method_does_not_compute_is_missing_and_keeps_it_from_green() -> None:
    found = answer_checks(True, -3.5, 0.03, None, {}, {}, None)
    assert {c.level for c in found.checks} == {"missing"}
    assert not found.good
    assert found.words.startswith("No check failed, but not all were made. Not made: fresh runs against predictions;")


def test_the_fresh_runs_of_the_last_check_are_judged_by_their_draws() -> None:
    check = one(made(), "fresh")
    assert "2 runs at draws from the answer and 1 in its tails" in check.words
    assert check.figure == "0.1 nats"  # sqrt((0.1^2 + 0.1^2) / 2)


def test_another_method_counts_where_it_holds() -> None:
    assert made(others=(replace_method(trusted=False),)).good
    assert one(made(others=(replace_method(trusted=False),)), "with_mcmc").level == "missing"
    assert one(made(others=(replace_method(log_evidence=-2.9),)), "with_mcmc").level == "poor"
    assert one(made(others=(replace_method(distance=0.2),)), "with_mcmc").level == "poor"
    told_apart = one(made(others=(replace_method(two_sample=(0.7, 0.01)),)), "two_sample_mcmc")
    assert (told_apart.level, told_apart.figure) == ("poor", "70 %")


@pytest.mark.parametrize("ess", [0.9, 0.3])
def test_where_draws_miss_tails_it_is_said_what_to_do(ess: float) -> None:
    words = one(made({"pareto_k": 0.8, "ess": ess}), "pareto_k").words
    assert "More runs" in words
    assert "More runs" not in one(made({"pareto_k": 0.6, "ess": ess}), "pareto_k").words


def test_a_method_that_does_not_hold_is_not_counted_as_a_check_that_was_passed() -> None:
    silent = replace_method(trusted=False, two_sample=None)
    assert made(others=(silent,)).words == (
        "8 of 9 checks are passed. 1 says nothing here: agreement with MCMC on the surrogate."
    )
    assert made({"pareto_k": 0.8}, others=(silent,)).words.startswith("1 of 8 checks is not passed: whether draws cover")
    unmade = made(others=(silent,), claim=None).words
    assert unmade.startswith("No check failed, but not all were made. Not made: what could still be hidden. 1 says nothing")
    assert made(others=(MCMC,)).words == "All 10 checks are passed."


def replace_method(**changed: object) -> OtherMethod:
    import msgspec

    return msgspec.structs.replace(MCMC, **changed)


def test_damaged_arrays_of_fresh_runs_are_none() -> None:
    arrays = FRESH.arrays()
    back = FreshRuns.of(arrays)
    assert back is not None
    assert np.array_equal(back.residual, FRESH.residual)
    for name, damaged in (("sd", -np.ones(4)), ("found", np.full(4, np.nan)), ("tail", np.ones(3)), ("known", np.ones((4, 1)))):
        damage = {f"fresh.{name}": damaged}
        assert FreshRuns.of({**arrays, **damage}) is None
    assert FreshRuns.of({}) is None


def test_a_run_of_no_density_is_drawn_at_the_low_end() -> None:
    fresh = FreshRuns.of_rows([row_of(1, -1.0, 0.0, -np.inf, False, 5), row_of(2, -2.0, 0.0, -2.5, False, 5)])
    x, y, low, high = placed(fresh)
    assert (y[0], x[0]) == (low, 1.5)
    assert low < -0.0 < 1.5 < high


PROBLEM = d.Problem(
    name="Line",
    parameters=(d.Parameter(name="a", prior=d.Normal(mean=0.0, sd=1.0)),),
    simulator=d.Simulator(command=("bayescope:contamination", "@a@")),
    outputs=(d.Output(name="logl", source="stdout", extractor=d.LastNumber()),),
    meaning=d.LogLikelihoodOutput(output="logl"),
)
ANSWER = IterationRecord(
    iteration=1, n_evaluations=50, elbo=-3.5, elbo_sd=0.02, log_evidence=-3.5, log_evidence_sd=0.03, converged=True,
    warm_up=False, reasons=("<b>good</b>",), weights=np.ones(1), means=np.zeros((1, 1)), covariances=0.04 * np.eye(1)[None],
    agreement=0.02, diagnostics=GOOD, slices=ARRAYS,
)  # fmt: skip


def test_terminal_and_report_tell_the_checks_and_methods_kept_are_those_of_the_newest_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "line.bayescope"
    with SessionStore.create(path, PROBLEM, own=True) as store:
        store.add_iteration(ANSWER)
        save_method(store, replace_method(log_evidence=-9.0))
        save_method(store, MCMC)
        assert stored_methods(store) == (MCMC,)
        found = checks_of_store(store)
        assert found is not None
        html = report_html(store)
    assert cli.main(["checks", str(path)]) == 0
    said = capsys.readouterr().out
    assert found.words in said
    assert "? What could still be hidden" in said  # no runs are stored
    assert "52.0 ± 1.0 % of cases" in said
    assert "<h2>Why trust this</h2>" in html
    assert "52.0 ± 1.0 % of cases" in html
    assert "<td>MCMC on the surrogate</td><td class=\"n\">-3.480 ± 0.030</td>" in html
    assert '<td class="n">0.01 ± 0.20</td>' in html
    with SessionStore.open(path, role="engine") as store:
        store.add_iteration(replace(ANSWER, iteration=2))
        assert stored_methods(store) == ()
        store._set_meta(compared=b"{")
        assert stored_methods(store) == ()
        assert any("other methods was left out" in words for words in store.damage)


def test_asking_another_method_in_the_terminal_keeps_what_it_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from bayescope.engine.session.records import EvaluationRecord

    path, posterior = tmp_path / "line.bayescope", stats.norm(0.0, 0.2)
    with SessionStore.create(path, PROBLEM, own=True) as store:
        for k, u in enumerate(np.linspace(-0.9, 0.9, 25)):
            target = float(posterior.logpdf(u)) - 3.5
            store.add_evaluation(
                EvaluationRecord(
                    index=k, order=k, u=np.array([u]), values={"a": float(u)}, outcome="ok", log_likelihood=target, log_prior=0.0,
                    log_target=target,
                )
            )  # fmt: skip
        store.add_iteration(ANSWER)
    assert cli.main(["checks", str(path), "--ask", "wsabi,flow"]) == 0
    said = capsys.readouterr().out
    assert "+ Agreement with WSABI-L" in said
    assert "+ Agreement with Gaussian particle flow" in said
    assert "is no bound on the evidence" in said
    with SessionStore.open(path, mode="read") as store:
        kept = {m.method: m for m in stored_methods(store)}
    assert set(kept) == {"wsabi", "flow"}
    assert kept["wsabi"].log_evidence == pytest.approx(-3.5, abs=0.02)
    assert cli.main(["checks", str(path), "--ask", "magic"]) == 1
    assert "no method “magic”" in capsys.readouterr().err


def test_one_thing_has_one_figure_the_methods_own_where_it_stops_by_it() -> None:
    assert one(made(), "possible").figure == "0.020"
    own = one(made({"expected_variation": 0.062}), "possible")
    assert (own.figure, own.level) == ("0.062", "good")
    assert "0.062" in own.words
    assert one(made({"expected_variation": 0.25}), "possible").level == "poor"
    assert tails_missed(0.762) == ("The draws may miss part of the tails of the posterior (Pareto k̂ 0.76; below 0.7 is usable).",)
    assert one(made({"pareto_k": 0.762}), "pareto_k").level == "poor"
    good_bulk = made({"pareto_k": 0.71, "ess": 0.86})
    assert good_bulk.poor == ("Whether draws cover the posterior (k̂)",)
    assert one(good_bulk, "pareto_k").words.endswith(
        "The draws are worth 86 % of as many independent ones, so means, sds and intervals rest on many and can be used; far "
        "tails may be off. More runs make the draws anew, and further out."
    )
    assert tails_missed(0.69) == tails_missed(float("nan")) == ()
    assert "hump of one marginal" in one(made(), "modes").words


def test_a_confirmed_answer_says_what_share_a_region_may_hold_that_none_of_its_draws_hit() -> None:
    share = 100 * (1.0 - 0.05 ** (1.0 / len(FRESH.draws.index)))
    words = one(made(), "fresh").words
    assert f"A region of {share:.0f} % of the answer where runs fail escapes 3 draws one time in 20." in words
    assert "escapes" not in one(made(converged=False), "fresh").words
    words = one(made({RUNS_COUNT_AS: 14.2}), "fresh").words
    assert "A region of 19 % of the answer where runs fail escapes all runs, which count as 14 draws from it, one time" in words
    assert draws_that_show(escaping(14.2)) == pytest.approx(14.2)


def test_a_title_claims_nothing_that_a_check_which_is_not_passed_denies() -> None:
    poor = {**GOOD, "failing_mass": 0.269, "pareto_k": 0.9, "kl_mixture_surrogate": 3.0}
    found = answer_checks(True, -3.5, 0.03, 0.02, poor, ARRAYS, CLAIM, (replace_method(log_evidence=-9.0),))
    told = {c.key: f"{c.title} ({c.figure})" for c in found.not_passed}
    assert told["known"] == "Whether the posterior lies where runs were made (26.9 % elsewhere)"
    claims = [told[key] for key in ("known", "pareto_k", "mixture", "with_mcmc")]
    assert all(title.startswith(("Whether", "Agreement")) for title in claims)


def test_an_error_stated_far_too_large_is_said_to_be_safe_rather_than_good() -> None:
    words = made({"loo_calibration": 0.13, "loo_rms": 0.5}).of("left_out").words
    assert "0.13 of the error that the surrogate states for itself" in words
    assert "1 is right; less is safe: it states more than it misses by" in words
    assert "less is safe" not in made({"loo_calibration": 1.1, "loo_rms": 0.5}).of("left_out").words
