"""Names that are listed in a sentence."""

from __future__ import annotations

from bayescope.engine.problem.findings import listed


def test_long_names_that_differ_in_their_ends_are_told_apart_in_a_list() -> None:
    names = [f"nucleotide diversity per thousand bases of {place}" for place in ("Skagen", "Halmstad")]
    first, second = listed(names).split(", ")
    assert first != second
    assert (len(first), len(second)) == (32, 32)
    assert first.endswith("Skagen")
    assert listed(["a"] * 9) == "a, a, a, a, a, a, a, a …"
