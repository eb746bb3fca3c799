from __future__ import annotations

from bayescope.engine.surrogate.choice import EXACT_UP_TO, choose


def test_few_evaluations_get_an_exact_surrogate_and_many_a_sparse_one_with_the_reason() -> None:
    assert choose(EXACT_UP_TO).kind == "exact"
    many = choose(5000, new_evaluations=100)
    assert (many.kind, many.most_inducing, many.sizes) == ("sparse", 1000, (300, 600, 1000))
    assert "5,000" in many.reason
    assert "1,000" in many.reason


def test_the_largest_archives_get_as_many_inducing_points_as_one_pass_can_bear() -> None:
    most = [choose(n).most_inducing for n in (20_000, 100_000, 200_000, 1_000_000)]
    assert most == [1000, 632, 447, 300]
    assert choose(5000, most_inducing=300).sizes == (300,)  # a number from the settings is not compared


def test_the_choice_can_be_forced_and_says_so() -> None:
    assert choose(5000, forced="exact").kind == "exact"
    assert "settings" in choose(10, forced="sparse").reason
    assert choose(10, forced="sparse").most_inducing == 10
