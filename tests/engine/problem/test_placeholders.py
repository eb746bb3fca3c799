"""The one tokenizer that validation, the simulator and the window share."""

from __future__ import annotations

import itertools
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayescope.engine.problem import placeholders
from bayescope.engine.problem.errors import ProblemError


def names(text: str) -> list[str]:
    return [name for name, _, _ in placeholders.find(text)]


def test_names_that_contain_one_another_never_collide() -> None:
    text = "@a@ @a1@ @a_1@ @aa@"
    assert names(text) == ["a", "a1", "a_1", "aa"]
    assert placeholders.fill(text, {"a": "A", "a1": "B", "a_1": "C", "aa": "D"}) == "A B C D"


def test_two_at_signs_are_one_literal() -> None:
    assert placeholders.fill("me@@home @@x@@ @x@", {"x": "1"}) == "me@home @x@ 1"
    assert names("@@x@@") == []
    assert placeholders.fill("@@@x@", {"x": "1"}) == "@1"


def test_a_lone_at_sign_is_left_alone() -> None:
    text = "mail me@example.org or @ 5 pm, @-sign, a@b"
    assert names(text) == []
    assert placeholders.fill(text, {}) == text


def test_letters_of_any_alphabet_are_allowed() -> None:
    assert names("@ρ@ @größe@ @深さ@ @_x1@") == ["ρ", "größe", "深さ", "_x1"]


def test_two_spellings_of_the_same_letter_are_one_name() -> None:
    decomposed = unicodedata.normalize("NFD", "é")
    assert names(f"@{decomposed}@") == ["é"]
    assert placeholders.fill(f"@{decomposed}@", {"é": "1"}) == "1"
    assert placeholders.fill("@é@", {decomposed: "1"}) == "1"


def test_a_value_with_at_signs_is_not_filled_again() -> None:
    assert placeholders.fill("@a@@b@", {"a": "@b@", "b": "2"}) == "@b@2"


def test_a_placeholder_without_a_value_is_named() -> None:
    with pytest.raises(ProblemError, match="@rho@"):
        placeholders.fill("x = @rho@", {"x": "1"})


def test_positions_point_at_the_placeholder() -> None:
    text = "a @@ = @rho@;"
    ((name, start, end),) = placeholders.find(text)
    assert text[start:end] == "@rho@"
    assert name == "rho"


@pytest.mark.parametrize("text", ["@ rho @", "@k-1@", "@2nd@", "@my value@"])
def test_a_placeholder_gone_wrong_is_noticed(text: str) -> None:
    assert placeholders.almost(f"x = {text}\n") == [text.strip("@")]
    assert placeholders.almost("x = @rho@ @@ y@home\n@") == []


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="ab1_@ é\n", max_size=40))
def test_filling_each_placeholder_with_itself_undoes_only_the_doubled_at_signs(text: str) -> None:
    found = placeholders.find(text)
    for name, start, end in found:
        assert text[start] == text[end - 1] == "@"
        assert placeholders.normal(text[start + 1 : end - 1]) == name
        assert placeholders.is_name(name)
    assert all(a[2] <= b[1] for a, b in itertools.pairwise(found))
    filled = placeholders.fill(text, {name: "" for name, _, _ in found})
    literal = text
    for _, start, end in reversed(found):
        literal = literal[:start] + literal[end:]
    assert len(filled) <= len(literal)
    assert filled.replace("@", "") == literal.replace("@", "")


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=60))
def test_doubling_every_at_sign_protects_any_text(text: str) -> None:
    assert placeholders.find(text.replace("@", "@@")) == []
    assert placeholders.fill(text.replace("@", "@@"), {}) == text


@given(st.integers(min_value=0, max_value=2**32))
def test_seeds_that_programs_get_lie_where_all_take_them_and_usable_ones_stay(seed: int) -> None:
    found = placeholders.usable_seed(seed)
    assert 1 <= found <= placeholders.LARGEST_SEED == 899_999_999
    assert placeholders.usable_seed(found) == found
    assert (found - seed) % placeholders.LARGEST_SEED == 0
