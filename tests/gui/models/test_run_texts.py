"""The texts in which outputs are marked, without a window: which there are, which is shown, what changes at other values."""

from __future__ import annotations

from bayescope.engine.problem import definition as d
from bayescope.gui.models.simulator.texts.run_texts import MOST_READ, RunTexts, anchors


def output(name: str, source: str) -> d.Output:
    return d.Output(name=name, source=source, extractor=d.LabelledNumber(label="T ="))


def ran(texts: dict[str, str], others: dict[str, str] | None = None, parts: tuple[str, ...] = ()) -> RunTexts:
    made = RunTexts()
    made.take(texts, others or {}, parts)
    return made


def test_what_a_run_wrote_goes_before_a_file_that_was_opened_and_errors_are_last() -> None:
    texts = RunTexts()
    texts.open("a.out", "old", part=True)
    texts.open("b.out", "beside", part=False)
    assert (texts.is_part("a.out"), texts.is_part("b.out"), texts.is_opened("b.out")) == (True, False, True)
    assert texts.take({"stderr": "", "stdout": "x", "a.out": "new"}, {}, ())
    assert not texts.take({"stderr": "", "stdout": "x", "a.out": "new"}, {}, ()), "nothing is new"
    assert list(texts.all())[-1] == "stderr"
    assert (texts.all()["a.out"], texts.all()["b.out"]) == ("new", "beside")
    assert not texts.is_part("a.out"), "the run brought it whole"


def test_the_text_that_is_shown_is_the_wanted_one_else_the_outputs_else_the_one_that_changes() -> None:
    here, there = {"stdout": "ran 1\n", "a.out": "T = 1.5\n"}, {"stdout": "ran 1\n", "a.out": "T = 2.5\n"}
    texts = ran(here, there)
    assert texts.best("stdout", output("T", "a.out")) == "stdout"
    assert texts.best("gone", output("T", "stdout")) == "stdout"
    assert texts.best("gone", None) == "a.out"
    assert RunTexts().best("gone", None) == ""


def test_numbers_that_change_at_other_values_are_known_where_both_runs_wrote_the_text() -> None:
    texts = ran({"a.out": "T = 1.5 K, n = 3\n", "b.out": "1\n"}, {"a.out": "T = 2.5 K, n = 3\n"})
    assert texts.changed("a.out") == [(4, 7)]
    assert texts.changed("b.out") == texts.changed("c.out") == []


def test_ways_to_read_are_compared_with_the_run_at_other_values_if_there_is_one() -> None:
    here = {"a.out": "T = 1.5 K\n"}
    proposals = ran(here).mark("a.out", 4, 7).offers("number")[0].proposals
    assert ran(here).told("a.out", proposals) is None
    same, lost = ran(here, {"a.out": "T = 2.5 K\n"}), ran(here, {"a.out": "nothing\n"})
    found = same.told("a.out", proposals)
    assert found is not None
    assert found.level == "ok"
    told = lost.told("a.out", proposals)
    assert told is not None
    assert told.level == "error"


def test_what_other_outputs_read_is_framed_as_far_as_it_can_be_looked_at() -> None:
    texts = ran({"a.out": "T = 1.5 K\n"})
    assert texts.read_by([output("T", "a.out"), output("S", "b.out")], "a.out") == [(4, 7)]
    assert texts.read_by([output("S", "b.out")], "b.out") == []
    assert len(texts.read_by([output(f"T{i}", "a.out") for i in range(MOST_READ + 5)], "a.out")) == MOST_READ


def test_the_words_by_which_a_number_is_known_again_are_found_once_each() -> None:
    region = d.Region(anchor="RESULTS", form="n", columns=(0,))
    text = "head\nRESULTS\n1.5\n"
    assert anchors([region, region], text) == [(5, 12)]
    assert anchors([d.LabelledNumber(label="T")], text) == []
