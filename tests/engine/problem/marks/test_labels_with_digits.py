"""A column whose row labels have numbers in them ("seen 3 to 5 times") is read whole, from its heading, a drag or one number."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.definition import Output, Region
from bayescope.engine.problem.extract import extract
from bayescope.engine.problem.marks.mark import Mark

TEXT = """seed 20250
  ... ancestry 100 % done

======================= SUMMARY ========================
 statistic                    value      unit
 ------------------------------------------------------
 segregating sites             1539      -
 nucleotide diversity        0.3656      per kb
 Tajima's D                  -0.231      -
 singletons                     477      -
 sites seen 3 to 5 times        265      -
 sites seen 6+ times            590      -
 LD (r2 under 5 kb)          0.3995      -
========================================================
done, bye.
"""
VALUES = (1539.0, 0.3656, -0.231, 477.0, 265.0, 590.0, 0.3995)


def marked(first: str, last: str) -> Mark:
    return Mark(TEXT, TEXT.index(first), TEXT.index(last) + len(last))


@pytest.mark.parametrize("mark", [marked("value", "value"), marked("1539", "0.3995")], ids=["heading", "drag"])
def test_rows_whose_labels_have_numbers_in_them_belong_to_the_column(mark: Mark) -> None:
    scope = mark.first()
    assert scope is not None
    (proposal,) = mark.offers(scope)[0].proposals
    assert proposal.values == VALUES
    assert mark.missing == ""
    assert mark.offers(scope)[0].names == ("value",)
    output = Output(name="all", source="stdout", extractor=proposal.extractor)
    other = TEXT.replace("1539", " 803").replace("590", " 91").replace("-0.231", " 0.101")
    assert tuple(extract(output.extractor, other).values) == (803.0, 0.3656, 0.101, 477.0, 265.0, 91.0, 0.3995)


def test_a_single_row_is_known_by_its_whole_label() -> None:
    mark = marked("265", "265")
    extractors = [p.extractor for o in mark.offers("number") for p in o.proposals if isinstance(p.extractor, Region)]
    assert "sites seen 3 to 5 times" in [e.row_label for e in extractors]
