"""Headings of several words, as R prints those of a data frame, are told by where their columns end; 2,684 is no number 684."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.marks.anchors.compare import changed_numbers
from bayescope.engine.problem.marks.mark import Mark

PRINTED = """By age group, whole period

 Age group Population Susceptible Infected Attack rate
       0-4       2940         941      864     29.40 %
      5-14       5977         897      822     13.76 %
     15-29       8917        1070      672      7.54 %
       30+      30366        1063      325      1.07 %

Attack rate           5.57 % (2,684 infected)
"""
LEFT = "Name of it Peak value Width\na          1.5        20\nb          2.5        30\nc          3.5        41\n"


@pytest.mark.parametrize(
    ("text", "word", "name", "values"),
    [
        (PRINTED, "Attack", "Attack_rate", (29.4, 13.76, 7.54, 1.07)),
        (PRINTED, "rate", "Attack_rate", (29.4, 13.76, 7.54, 1.07)),
        (PRINTED, "Infected", "Infected", (864.0, 822.0, 672.0, 325.0)), (LEFT, "value", "Peak_value", (1.5, 2.5, 3.5)),
    ],
)  # fmt: skip
def test_a_click_on_a_heading_of_several_words_is_about_its_column(
    text: str, word: str, name: str, values: tuple[float, ...]
) -> None:
    at = text.index(word) + 1
    mark = Mark(text, at, at)
    assert mark.first() == "column"
    offer = mark.offers("column")[0]
    assert offer.proposals[0].values == values
    assert offer.names[0].replace(" ", "_") == name


@pytest.mark.parametrize("word", ["Age", "group Pop"])
def test_a_click_on_the_heading_of_labels_is_about_them(word: str) -> None:
    at = PRINTED.index(word) + 1
    mark = Mark(PRINTED, at, at)
    assert mark.first() == "labels"
    assert mark.offers("labels")[0].proposals[0].texts == ("0-4", "5-14", "15-29", "30+")


def test_the_half_of_a_number_with_a_comma_in_its_thousands_is_no_number_that_changes() -> None:
    other = PRINTED.replace("2,684", "2,701").replace("29.40", "30.12")
    assert [PRINTED[a:b] for a, b in changed_numbers(PRINTED, other)] == ["29.40"]
