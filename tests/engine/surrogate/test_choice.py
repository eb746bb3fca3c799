from __future__ import annotations

from bayescope.engine.surrogate.choice import EXACT_UP_TO, choose


def test_few_evaluations_get_an_exact_surrogate_and_many_a_sparse_one_with_the_reason() -> None:
    assert choose(EXACT_UP_TO).kind == "exact"
    many = choose(5000, new_evaluations=100)
    assert (many.kind, many.most_inducing) == ("sparse", 320)
    assert "5000" in many.reason
    assert "320" in many.reason


def test_the_choice_can_be_forced_and_says_so() -> None:
    assert choose(5000, forced="exact").kind == "exact"
    assert "settings" in choose(10, forced="sparse").reason
    assert choose(10, forced="sparse").most_inducing == 10
