"""Awkward output texts: what a click or a drag in them proposes, what it reads, and what it reads in another run."""

from __future__ import annotations

import json

import pytest
from awkward_codes import CASES_9
from awkward_labels import CASES_4
from awkward_lists import CASES_7
from awkward_logs import CASES_3
from awkward_newcomers import CASES_10
from awkward_passes import CASES_8
from awkward_programs import CASES_6
from awkward_repeats import CASES_5
from awkward_texts import CASES_1, Case
from awkward_texts_more import CASES_2
from hypothesis import given, settings
from hypothesis import strategies as st

from bayescope.engine.problem.definition import Output, Region
from bayescope.engine.problem.extract import ExtractionError, extract, read_output
from bayescope.engine.problem.marks import Mark, Offer
from bayescope.engine.problem.marks.anchors.compare import changed_numbers, compared, default_source
from bayescope.engine.problem.marks.each import each_number
from bayescope.engine.problem.numbers.number_text import value_of
from bayescope.engine.problem.propose_tables import Proposal

CASES = CASES_1 + CASES_2 + CASES_3 + CASES_4 + CASES_5 + CASES_6 + CASES_7 + CASES_8 + CASES_9 + CASES_10


def offers(text: str, start: int, end: int, source: str = "stdout", other: str | None = None) -> list[Offer]:
    """All that may be meant by marking [start, end) of ``text``, best first."""
    mark = Mark(text, start, end, source, other)
    return [offer for scope in mark.scopes for offer in mark.offers(scope)]


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
    assert case.words in Mark(case.text, *marked(case.text, case.mark), case.source).refusal


@pytest.mark.parametrize("case", [c for c in CASES if c.values], ids=lambda case: case.name)
def test_an_awkward_text_is_read_as_a_person_reads_it(case: Case) -> None:
    best = chosen(case)
    assert case.words in best.words
    assert [p.values for p in best.proposals] == [pytest.approx(values, rel=0.0, abs=0.0, nan_ok=True) for values in case.values]
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
        assert extract(proposal.extractor, case.then, proposal.decimal_comma).values == pytest.approx(
            values, nan_ok=True
        )


awkward_lines = st.sampled_from(
    [
        "", " ", "-----", "E N E R G Y", "Step  a  b", "1 2.5 3.5", "2 3.5 -4.5", "3 4.5 5.5", " x 1.5 2.5", "J-1 1.5 **** 3",
        "| a | 1.5 | 2.5 |", "│ b │ 2 │", "1,5;2,5", "a,b", "1,2.5", "12.5-100.25", "time = 0.5 s",
        "1.0E+00-2.0E-01 3.0E+00", "100.00200.00", "(1.5)",
        "# c 3", "2026-11-23 10:00:00 1.5", "k=1, v=2.5", "-", "NaN 1 2", "\u2212 5 6", "5 %", "<0.5 1",
        "a 12.5ms 3.2E-05[m]", "b 13.5ms 4.2E-05[m]", "Q( 2) = 0.75, Q(3)= 1.5", "(mean 12,345.25)", "NODE FOOT-  U1",
        "     NOTE", "   1   2   3", "   4   5", " +---+---+", "CL: 0.5  CD: 0.02", "FLUX= 1.5 , 2.5 ,",
    ]
)  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.lists(awkward_lines, max_size=14), st.data())
def test_whatever_is_marked_each_offer_reads_the_numbers_that_it_shows(lines: list[str], data: st.DataObject) -> None:
    text = "\n".join(lines)
    a, b = data.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text))))
    for offer in offers(text, a, b, other=data.draw(st.sampled_from([None, text, "", text + "\n1 2"]))):
        assert offer.words
        for proposal in offer.proposals:
            if proposal.texts:  # labels that pair rows, as an output would read them
                extractor, comma, columns = proposal.extractor, proposal.decimal_comma, proposal.label_columns
                labels = Output(name="it", source="", extractor=extractor, decimal_comma=comma, text=True, label_columns=columns)
                assert read_output(labels, text).texts == proposal.texts
                continue
            reading = extract(proposal.extractor, text, proposal.decimal_comma)
            assert reading.values == pytest.approx(proposal.values, nan_ok=True)
            for value, (start, end) in zip(reading.values, reading.spans, strict=True):
                shown = text[start:end].strip(" \"'()[],;:%")
                assert value_of(shown, proposal.decimal_comma) == pytest.approx(value, nan_ok=True)


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("*  CALCULATION DONE:      Mon Nov 23 20:06:42 2026  *", "*  CALCULATION DONE:      Tue Nov 24 00:16:05 2027  *"),
        ("started 2026-11-23T20:06:42", "started 2026-11-24T21:16:05"),
        ("started 2026-11-23 20:06", "started 2026-11-24 21:16"),
        ("on 23/11/2026 at 20:06:42.25", "on 24/11/2026 at 21:16:05.75"),
        ("Mon, 23 Nov 2026 20:06:42 UTC", "Tue, 24 Nov 2026 21:16:05 UTC"),
        ("Mon Nov 23 20:06:42 CET 2026", "Tue Nov 24 21:16:05 CET 2027"),
        ("[20:06:42] begins", "[21:16:05] begins"),
    ],
)
def test_the_clock_does_not_count_as_changed(here: str, there: str) -> None:
    assert changed_numbers(f"title\n{here}\nE = 1.5\n", f"title\n{there}\nE = 1.5\n") == []


@pytest.mark.parametrize(
    ("here", "there", "changed"),
    [
        ("00:10:00  0.523", "00:10:00  0.527", ["0.523"]),
        ("20:06:42  E = -1.25 eV", "20:06:43  E = -1.35 eV", ["-1.25"]),
        ("index 3: 25 4: 12.5", "index 3: 27 4: 12.75", ["25", "12.5"]),
        ("Mon Nov 23 20:06:42 2026 flow 12.5", "Mon Nov 23 20:06:52 2026 flow 13.5", ["12.5"]),
    ],
)
def test_what_stands_beside_the_clock_counts_as_changed(here: str, there: str, changed: list[str]) -> None:
    assert [here[a:b] for a, b in changed_numbers(here, there)] == changed


def test_a_mark_that_ends_in_glued_numbers_which_no_row_of_it_holds_is_answered() -> None:
    text = "\n12.5-100.25\n12.5-100.25\n-"
    for start in range(3):
        for end in range(start, len(text) + 1):
            for offer in offers(text, start, end):
                assert offer.words


@settings(max_examples=40, deadline=None)
@given(st.lists(awkward_lines, max_size=14), st.integers(0, 200), st.data())
def test_a_region_reads_or_says_why_not(lines: list[str], seed: int, data: st.DataObject) -> None:
    extractor = Region(
        anchor=data.draw(st.sampled_from([None, "Step", "E N E R G Y", "time ="])),
        occurrence=data.draw(st.sampled_from([1, 2, -1, "all"])), since=data.draw(st.sampled_from([1, 2, -2])),
        until=data.draw(st.sampled_from([-1, -2, 2])), followed=data.draw(st.booleans()),
        on_line=data.draw(st.booleans()),
        columns=data.draw(st.sampled_from([(), (1,), (2, 3)])), by=data.draw(st.sampled_from(["word", "number", "gap"])),
        characters=data.draw(st.sampled_from([(), ((1, 4),), ((3, 8), (9, 14))])), first=data.draw(st.sampled_from([1, 2, -1])),
        count=data.draw(st.sampled_from([None, 1, 2])), form=data.draw(st.sampled_from(["", "nnn", "tn*", "xn"])),
        gaps=data.draw(st.sampled_from(["none", "blank", "text"])), delimiter=data.draw(st.sampled_from([None, ",", "|"])),
    )  # fmt: skip
    said = ""
    try:
        reading = extract(extractor, "\n".join(lines))
    except ExtractionError as error:
        said = str(error)
    assert said[-1] in ".”" if said else len(reading.values) == len(reading.spans) > 0


FORCES = " displacements for set TIP\n\n 1 0.5 0.25\n 2 0.75 0.5\n\n forces for set BASE\n\n 1 9.0 8.0\n 2 7.0 6.0\n"


def best_of(text: str, what: str, scope: str) -> Region:
    offer = next(o for o in offers(text, *place(text, what)) if o.scope == scope)
    assert isinstance(offer.proposals[0].extractor, Region)
    return offer.proposals[0].extractor


def test_a_table_that_is_missing_in_another_run_is_not_taken_for_the_next_one() -> None:
    extractor = best_of(FORCES, "0.75", "column")
    without = FORCES.replace(" 1 0.5 0.25\n 2 0.75 0.5\n", " not converged\n")
    with pytest.raises(ExtractionError, match=r"below “displacements for set TIP” in line 1 there is no row of 3 numbers"):
        extract(extractor, without)


@pytest.mark.parametrize("broken", [" 2 Closed 0.5", " 2 0.5"])
def test_a_row_with_a_word_or_a_missing_number_in_the_middle_of_a_column_does_not_end_it_silently(broken: str) -> None:
    text = FORCES.replace(" 2 0.75 0.5", " 2 0.75 0.5\n 3 1.0 0.75")
    extractor = best_of(text, "0.75", "column")
    assert extract(extractor, text).values == (0.5, 0.75, 1.0)
    with pytest.raises(ExtractionError, match="breaks off the table"):
        extract(extractor, text.replace(" 2 0.75 0.5", broken))


def test_an_error_says_what_was_looked_for_where_and_what_to_try() -> None:
    extractor = best_of(FORCES, "6.0", "number")
    with pytest.raises(ExtractionError, match=r"“forces for set BASE” does not occur"):
        extract(extractor, "nothing 1 2 3")
    with pytest.raises(ExtractionError, match=r"row 2 .* it has 1 row \(from line 8 on\).*take the last row or the whole column"):
        extract(extractor, FORCES.replace(" 2 7.0 6.0\n", ""))


def test_two_runs_beside_each_other_say_when_the_place_is_another() -> None:
    text = "Results\n name   value\n alpha   1.5\n beta    2.5\n"
    (proposal,) = offers(text, *place(text, "2.5"))[0].proposals
    by_number = Proposal(Region(anchor="Results", columns=(2,), by="word", first=2, count=1), "", (2.5,), ((39, 42),))
    assert compared([proposal], text, text.replace("2.5", "3.5")).level == "ok"
    assert compared([proposal], text, text).words.startswith("The run at other values gives exactly the same")
    swapped = "Results\n name   value\n beta    2.5\n gamma   1.5\n"
    assert "not the same place" in compared([by_number], text, swapped).words
    assert compared([proposal], text, "Results\n").level == "error"


def test_numbers_that_changed_are_found_although_lines_have_come_in_between() -> None:
    here = "start\nx = 1.5\ny = 2.5\ntook 0.5 seconds\n"
    there = "start\nwarning: slow\nx = 1.5\ny = 3.5\ntook 0.7 seconds\n"
    assert [here[a:b] for a, b in changed_numbers(here, there)] == ["2.5"]


@pytest.mark.parametrize(
    ("here", "there", "changed"),
    [
        ("1,***,-999.99,-999.99,3.5\n", "1,2.5,-999.99,-999.99,NA\n", []),
        ("NA;-999.99;1.5\n", "2.5;-999.99;***\n", []),
        ("0  NA  -999.99  1.5\n", "0  2.5  -999.99  NA\n", []),
        ("0,nan,-999.99,1.5\n", "0,nan,-999.99,2.5\n", ["1.5"]),
        ("0,,-999.99,1.5\n", "0,7,-999.99,2.5\n", ["1.5"]),
        ("x = 9.5 m, y = 1.5\n", "x = 10.5 m, y = 1.5\n", ["9.5"]),
    ],
)
def test_a_number_is_compared_with_that_of_the_same_cell(here: str, there: str, changed: list[str]) -> None:
    assert [here[a:b] for a, b in changed_numbers(here, there)] == changed


def test_the_text_shown_first_is_a_small_readable_one_that_changed() -> None:
    here = {"stdout": "done in 2 s\n", "job.dat": "u 1.5\n", "job.log": "u 1.5 2.5 3.5\n" * 9, "big.txt": "1 2\n" * 90_000}
    there = here | {"job.dat": "u 1.6\n", "job.log": here["job.log"].replace("2.5", "2.6"), "big.txt": "1 3\n" * 90_000}
    assert default_source(here, there) == "job.dat"
    assert default_source(here, {}) == "job.log"


def test_the_echo_of_the_parameters_goes_behind_the_table_that_they_change() -> None:
    echo = "parameters\n 1 growth 0.30\n 2 yield 0.60\n 3 hatch 4\nreactions\n 1 0 1\n 2 1 1\n 3 1 2\n"
    table = "".join(f"{t}.00000000 {200 + t} {30 + t}\n" for t in range(9))
    here = {"m.net": echo, "m.dat": table}
    there = {"m.net": echo.replace("0.30", "0.35"), "m.dat": table.replace(" 20", " 21")}
    assert len(echo) < len(table)
    assert default_source(here, there) == "m.dat"


def test_in_a_very_long_text_the_last_table_is_the_last_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"Table\n t  a\n 0  {k}.5\n 1  {k}.75\n\n" for k in range(9))
    monkeypatch.setattr("bayescope.engine.problem.marks.mark.MAX_TEXT", len(text) // 2)
    mark = Mark(text, *place(text, "2.75"))
    found = {o.repeat: o.proposals[0].values for o in mark.offers("number")}
    assert found["this"] == (2.75,)
    assert "last" not in found, "4.75 would be shown and 8.75 read"


def test_a_click_on_a_rows_name_takes_the_row_and_one_between_the_columns_nothing() -> None:
    text = "Nodes\n        flow  head\n N-1    1.5   2.5\n N-2    3.5   4.5\n\nprose\n" + "more words\n" * 20 + "1 2\n3 4\n"
    at = text.index("N-2")
    named = Mark(text, at + 1, at + 1)
    assert named.offers("row")[0].proposals[0].values == (3.5, 4.5)
    assert named.scopes[0] == "row"
    assert offers(text, at + 5, at + 5) == []
    assert offers(text, text.index("prose") + 2, text.index("prose") + 2) == [], "the table is too far below"


def test_marked_lines_that_are_no_rows_are_counted() -> None:
    text = "run\n 1 2.5\n 2 3.5\n pause of 3 4.5 seconds\n 3 5.5\nend\n"
    mark = Mark(text, text.index("2.5"), text.index("5.5") + 3)
    scope = mark.first()
    assert scope == "column"
    (proposal,) = mark.offers(scope)[0].proposals
    assert proposal.values == (2.5, 3.5, 5.5)
    assert mark.missing == proposal.missing
    assert "other lines between the rows are passed over" in mark.offers(scope)[0].words


def test_headings_with_single_spaces_right_above_go_before_words_farther_up() -> None:
    text = (
        "  Unit style    : real\n  Time step     : 4\nmemory = 3.1 | 3.2 Mbytes\nStep Temp Density f_av[1]\n"
        "       0    39.055633    1.6850889            0\n     100    39.738019    1.7170834   -1557.4181\n"
    )
    at = text.index("Density")
    assert Mark(text, at, at).offers("table")[0].names == ("Step", "Temp", "Density", "f_av[1]")
    assert offers(text, at, at)[0].names == ("Density",)


@pytest.mark.parametrize(
    ("line", "seed"),
    [("Random seed = {}", True), ("seed: {}", True), ("rng seed {}", True), ("Using seed {}", True), ("Seed yield  {}", False)],
)
def test_a_printed_random_seed_is_not_said_to_change_with_the_parameters(line: str, seed: bool) -> None:
    here, there = (f"{line.format(n)}\nmean 2.5\n" for n in (81731, 90217))
    assert bool(changed_numbers(here, there)) != seed


def test_a_file_that_holds_another_and_more_is_shown_first() -> None:
    def written(shift: float) -> dict[str, str]:
        last = f"case 2\nnode u\n 1 {shift + 1}\n 2 {shift + 2}\n"
        return {"last.txt": last, "all.txt": f"case 1\nnode u\n 1 {shift}\n 2 {shift}\n{last}", "log.txt": "done"}

    assert default_source(written(0.5), written(0.25)) == "all.txt"


def test_a_number_with_commas_between_its_thousands_is_never_read_in_part() -> None:
    text = "Total:  1,234,567.5 kg   (mean 12,345.25)\n Yield = 85.5 %\n"
    for number in ("1,234,567.5", "12,345.25"):
        mark = Mark(text, *marked(text, number))
        assert mark.first() is None
        assert "two ways because of its comma" in mark.why["number"]


def test_the_units_of_a_column_stay_those_of_its_first_number() -> None:
    text = "Sensor table\n name    delay\n A1      12.5ms\n A2      13.5ms\n A3      9.25ms\n"
    (proposal,) = offers(text, *marked(text, ("12.5ms", "9.25ms")))[0].proposals
    assert proposal.values == (12.5, 13.5, 9.25)
    with pytest.raises(ExtractionError, match="the unit changes from “ms” to “s”"):
        extract(proposal.extractor, text.replace("13.5ms", "1.35s "))


@pytest.mark.parametrize("indent", [None, 1])
def test_a_drag_over_lists_of_a_json_text_takes_each(indent: int | None) -> None:
    run = {"id": 7, "layers": [[1.5, 2.5], [4.5, 5.5]], "p": [{"q": [8.5, 9.5]}, {"q": [8.75, 9.75]}]}
    text = json.dumps({"run": run}, indent=indent)
    each = each_number(Mark(text, *marked(text, ("1.5", "5.5")), "out.json"))
    assert each.apart
    assert [(f.name, f.proposal.values) for f in each.found] == [("layers_0", (1.5, 2.5)), ("layers_1", (4.5, 5.5))]
    lists = each_number(Mark(text, *marked(text, ("8.5", "9.75")), "out.json"))
    assert [f.proposal.values for f in lists.found] == [(8.5, 9.5), (8.75, 9.75)]
