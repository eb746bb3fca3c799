"""Letters behind numbers that are powers of ten (1.5K): read where they are declared, proposed where they are evident."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayescope.engine.problem.definition import Output, Region
from bayescope.engine.problem.extract import ExtractionError, extract, read_output
from bayescope.engine.problem.marks import Mark
from bayescope.engine.problem.numbers.number_text import value_of
from bayescope.engine.problem.numbers.scale_letters import POWERS, evident, reading

PRINTED = """* Input filter of the receiver, board 7
#Freq       vdb(3)     vp(3)      v(4)
 501.19    -0.079127  -1.1769     0.1025
 794.33    -0.059     -1.8753     15.07u
 1.K       -0.0406    -2.3729     0.2014
 1.2589K   -0.0112    -3.0105     0.25
 10.Meg    -66.1      -155.84     174.03f
"""


@given(st.floats(-9999, 9999, allow_nan=False), st.sampled_from(sorted(POWERS)))
def test_a_letter_is_its_power_of_ten_where_it_is_declared_and_nothing_elsewhere(number: float, letter: str) -> None:
    word = f"{number:.4f}{letter}"
    assert value_of(word) is None
    with reading(True):
        assert value_of(word) == pytest.approx(float(f"{number:.4f}") * 10.0 ** POWERS[letter], rel=1e-12)
        assert value_of(f"{number:.4f}M") is None  # milli to some programs, mega to others
        assert value_of(f"{number:.4f}kHz") is None
    assert value_of(word) is None


def test_a_click_on_the_heading_of_a_table_with_letters_reads_every_column() -> None:
    at = PRINTED.index("vdb")
    mark = Mark(PRINTED, at + 1, at + 1)
    (offer, *_) = mark.offers("table")
    assert [p.values for p in offer.proposals] == [
        (501.19, 794.33, 1000.0, 1258.9, 1e7),
        (-0.079127, -0.059, -0.0406, -0.0112, -66.1),
        (-1.1769, -1.8753, -2.3729, -3.0105, -155.84),
        pytest.approx((0.1025, 15.07e-6, 0.2014, 0.25, 174.03e-15)),
    ]
    assert all(p.scale_letters for p in offer.proposals)
    assert offer.letters_words(PRINTED) == "“1.K” is 1000"
    frequency = offer.proposals[0].extractor
    assert read_output(Output(name="f", source="stdout", extractor=frequency, scale_letters=True), PRINTED).values[2] == 1000
    with pytest.raises(ExtractionError, match=r"15\.07u"):
        extract(frequency, PRINTED)


def test_a_click_on_a_number_with_a_letter_reads_it() -> None:
    at = PRINTED.index("1.2589K")
    mark = Mark(PRINTED, at + 2, at + 2)
    assert mark.first() == "number"
    (proposal,) = mark.offers("number")[0].proposals
    assert (proposal.values, proposal.scale_letters) == ((1258.9,), True)
    assert isinstance(proposal.extractor, Region)


def test_a_column_in_which_all_have_the_letter_may_have_a_unit_and_is_left_alone() -> None:
    lengths = ["x 1.5m 2", "y 2.5m 3", "z 0 4"]
    assert not evident(lengths, 0)
    assert evident(["x 1.5m 2", "y 2.5 3"], 0)
    at = "\n".join(lengths).index("2.5m")
    assert not Mark("\n".join(lengths), at, at).scale_letters
