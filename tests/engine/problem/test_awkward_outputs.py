"""Awkward output texts: what a click or a drag in them proposes, what it reads, and what it reads in another run."""

from __future__ import annotations

import pytest
from awkward_texts import CASES_1, Case
from awkward_texts_more import CASES_2

from bayescope.engine.problem.extract import ExtractionError, extract
from bayescope.engine.problem.marks import Offer, offers, refusal

CASES = CASES_1 + CASES_2


def place(text: str, what: str, after: int = 0) -> tuple[int, int]:
    """Characters of ``what`` (its n-th appearance: "1.5#2") from ``after`` on."""
    what, _, nth = what.partition("#")
    start = after - 1
    for _ in range(int(nth or 1)):
        start = text.index(what, start + 1)
    return start, start + len(what)


def marked(text: str, mark: str | tuple[str, str]) -> tuple[int, int]:
    """A click in the middle of a text, or a drag from the beginning of one to the end of another."""
    if isinstance(mark, str):
        start, end = place(text, mark)
        return (start + end) // 2, (start + end) // 2
    first = place(text, mark[0])[0]
    return first, place(text, mark[1], first)[1]


def chosen(case: Case) -> Offer:
    found = offers(case.text, *marked(case.text, case.mark), case.source, case.then or None)
    assert found, "nothing is proposed"
    if not case.scope:
        return found[0]
    return next(o for o in found if o.scope == case.scope and o.repeat == (case.repeat or o.repeat))


@pytest.mark.parametrize("case", [c for c in CASES if not c.values], ids=lambda case: case.name)
def test_what_is_no_number_for_sure_is_refused_with_the_reason(case: Case) -> None:
    assert offers(case.text, *marked(case.text, case.mark), case.source) == []
    assert case.words in refusal(case.text, *marked(case.text, case.mark), case.source)


@pytest.mark.parametrize("case", [c for c in CASES if c.values], ids=lambda case: case.name)
def test_an_awkward_text_is_read_as_a_person_reads_it(case: Case) -> None:
    best = chosen(case)
    assert case.words in best.words
    assert tuple(p.values for p in best.proposals) == case.values
    for proposal in best.proposals:
        assert extract(proposal.extractor, case.text, proposal.decimal_comma).spans == proposal.spans


@pytest.mark.parametrize("case", [c for c in CASES if c.then], ids=lambda case: case.name)
def test_the_way_found_in_one_run_reads_the_other(case: Case) -> None:
    if isinstance(case.then_values, str):
        (proposal,) = chosen(case).proposals
        with pytest.raises(ExtractionError, match=case.then_values):
            extract(proposal.extractor, case.then, proposal.decimal_comma)
        return
    for proposal, values in zip(chosen(case).proposals, case.then_values, strict=True):
        assert extract(proposal.extractor, case.then, proposal.decimal_comma).values == pytest.approx(values, nan_ok=True)
