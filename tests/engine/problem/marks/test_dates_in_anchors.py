"""A number is found again in the run of another day: no date or time of day is part of the text by which it is known."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bayescope.engine.problem.definition import Region
from bayescope.engine.problem.extract import extract
from bayescope.engine.problem.extract.reading import lines_of
from bayescope.engine.problem.extract.row_cells import cells_of
from bayescope.engine.problem.marks.anchors.anchor_texts import texts_of
from bayescope.engine.problem.marks.anchors.text_above import anchors_above
from bayescope.engine.problem.marks.mark import Mark
from bayescope.engine.problem.marks.tables.block import block_around
from bayescope.engine.problem.numbers.dates_in_text import dates_in
from bayescope.engine.problem.propose import propose
from bayescope.engine.problem.propose_tables import Proposal

LOG = """SOIL v2.1
Run of {0}
  depth  temp
   0.1   12.5
   0.2   13.5
   0.3   14.5

Finished {0}
{0} total = 44.5
{0}: head 1.25 at {0}
"""
DAYS = [
    ("2026-11-27 14:03:22", "2027-01-05 09:11:02"),
    ("Fri Nov 27 14:03:22 UTC 2026", "Tue Jan  5 09:11:02 UTC 2027"),
    ("27-Nov-2026", "05-Jan-2027"),
    ("27.11.2026 14:03", "5.1.2027 9:11"),
    ("November 27, 2026, 2:03 PM", "January 5, 2027, 9:11 AM"),
    ("14:03:22", "09:11:02"),
]


def ways(text: str, marked: str) -> Iterator[Proposal]:
    """What a mark on this number proposes: that number, or the column of it."""
    start = text.index(marked)
    mark = Mark(text, start, start + len(marked), "stdout")
    for scope in mark.scopes:
        if scope in ("number", "column", "list"):
            yield from (one for offer in mark.offers(scope) for one in offer.proposals)
    yield from propose(text, start, start + len(marked))


@pytest.mark.parametrize(("today", "another_day"), DAYS)
@pytest.mark.parametrize("marked", ["13.5", "44.5", "1.25"])
def test_every_way_to_read_a_number_reads_it_in_the_run_of_another_day(today: str, another_day: str, marked: str) -> None:
    here, there = LOG.format(today), LOG.format(another_day)
    found = list(ways(here, marked))
    assert found
    for one in found:
        assert extract(one.extractor, there).values == one.values, one.words


@pytest.mark.parametrize(
    ("line", "texts"),
    [
        ("Run of 2026-11-27 14:03:22 with model v2", ["Run of"]),
        ("Step 3 of the run of 27 Nov 2026", ["Step", "Step 3 of the run of"]),
        ("2026-11-27 14:03 soil temperatures", ["soil temperatures"]),
        ("time(hours since 2019-09-01 00:00:00) temp", ["time(hours since"]),
        ("chi2 of layer 2", ["chi2 of layer", "chi2 of layer 2"]),
    ],
)
def test_a_title_is_known_by_its_words_without_the_date(line: str, texts: list[str]) -> None:
    assert [text for text, _ in texts_of(line) if not dates_in(text)] == texts
    lines = lines_of(f"{line}\n1 2.5\n2 3.5\n")
    block = block_around(lines, 1, cells_of(lines[1].text, lines[1].start)[1], False)
    assert anchors_above(lines, block)
    assert not any(dates_in(anchor.text) for anchor in anchors_above(lines, block))


def test_tables_of_several_simulated_dates_are_told_apart_by_these_where_another_run_has_them_too() -> None:
    table = "State at 2019-09-0{} 00:00\n1 {}.5\n2 3.5\n\n"
    here, there = ("".join(table.format(k, k + a) for k in range(1, 4)) for a in (1, 4))
    start = here.index("3.5\n", here.index("09-02"))
    one = Mark(here, start, start + 3, "stdout", there).offers("column")[0].proposals[0]
    assert isinstance(one.extractor, Region)
    assert one.extractor.anchor == "State at 2019-09-02 00:00"


@pytest.mark.parametrize(
    ("line", "anchor"),
    [
        ("rho/A^-2 u/kJ mol-1 flux (W m-2 K-1)", "rho/A^-2 u/kJ mol-1 flux (W m-2 K-1)"),
        ("sigma [N m**-2] after step 12", "sigma [N m**-2] after step"),
        ("results of day-3", "results of day"), ("drift/h min-1.5", "drift/h min"), ("gap = -5.25 eV and more", "gap"),
    ],
)  # fmt: skip
def test_the_exponent_of_a_unit_is_part_of_its_word_and_another_number_is_none(line: str, anchor: str) -> None:
    assert texts_of(line)[0] == (anchor, False)
