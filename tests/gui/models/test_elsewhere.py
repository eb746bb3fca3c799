"""The number of a parameter that stands again in the inputs: found in every file, shown, and marked in one step."""

from __future__ import annotations

import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.models.simulator.numbers.elsewhere import MOST_PLACES, elsewhere, marked_too

MODEL = """<Reaction key="R_1"><ListOfConstants><Constant key="P_1" name="k1" value="0.35"/></ListOfConstants></Reaction>
<ModelParameter cn="Reactions[R1],Parameter=k1" value="0.350" type="ReactionParameter"/>
k10.35 = 10.35, x-0.35, -0.35, y^0.35, y**0.35
"""


def declared(text: str, original: str | None, *more: d.TemplateFile) -> d.Problem:
    return d.Problem(
        name="x", parameters=(d.Parameter(name="k1", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("p",), templates=(d.TemplateFile("model.cps", text, original), *more)),
        outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),), meaning=d.LogLikelihoodOutput(output="y"),
    )  # fmt: skip


def test_places_in_all_files_are_found_and_shown_and_other_numbers_are_not() -> None:
    marked = MODEL.replace('value="0.35"', 'value="@k1@"')
    found = elsewhere(declared(marked, MODEL, d.TemplateFile("other.in", "# rate\nrate 3.5e-1\n")), "k1")
    assert found is not None
    assert found.words == "0.35, the value of k1, stands in 2 other places too"
    assert [(p.template, p.words) for p in found.places] == [
        (0, "line 2 of model.cps: “…tions[R1],Parameter=k1\" value=\"0.350\"”"), (1, "line 2 of other.in: “rate 3.5e-1”"),
    ]  # fmt: skip
    assert "the program may read it there" in found.where


def test_all_of_them_are_marked_in_one_step_and_the_rest_stays() -> None:
    marked = MODEL.replace('value="0.35"', 'value="@k1@"') + "again 0.35 and 0.35\n"
    problem = declared(marked, MODEL + "again 0.35 and 0.35\n")
    found = elsewhere(problem, "k1")
    assert found is not None
    assert len(found.places) == 3
    changed = marked_too(problem, found)
    text = changed.simulator.templates[0].text
    assert text == marked.replace('"0.350"', '"@k1@"').replace("again 0.35 and 0.35", "again @k1@ and @k1@")
    assert elsewhere(changed, "k1") is None, "nothing is left"


@pytest.mark.parametrize("typed", [{}, {"k1": 0.35}])
def test_without_an_original_the_value_of_the_test_run_tells_it(typed: dict[str, float]) -> None:
    found = elsewhere(declared("a @k1@ b 0.35\n", None), "k1", typed)
    assert (found is not None) == bool(typed)


def test_a_number_that_stands_everywhere_is_not_offered_nor_one_of_a_parameter_that_stands_nowhere() -> None:
    many = "3\n" * (MOST_PLACES + 1)
    assert elsewhere(declared("@k1@\n" + many, None), "k1", {"k1": 3.0}) is None
    assert elsewhere(declared("@k1@\n3\n", None), "k1", {"k1": 3.0}) is not None
    assert elsewhere(declared("0.35\n", None), "k1", {"k1": 0.35}) is None


def test_the_value_in_a_remark_which_no_program_reads_is_no_other_place() -> None:
    original = "THS 0.43  ! saturated content, 0.43 +- 0.03\nDZ 0.43  ! grid, 0.43 too\n! 0.43: sand\n#define POR 0.43\n"
    found = elsewhere(declared(original.replace("0.43", "@k1@", 1), original), "k1")
    assert found is not None
    assert [place.words[:6] for place in found.places] == ["line 2", "line 4"]


def test_a_zero_is_the_value_of_much_and_asks_nothing() -> None:
    original = "loss = 0.0\nfor x, z in ((1, 0.0), (2, 0.0)):\n"
    assert elsewhere(declared(original.replace("loss = 0.0", "loss = @k1@"), original), "k1") is None


@pytest.mark.parametrize(
    "line",
    ["F = 0.01  # friction [1/fs]", "r = a ** (1.0 / 3.0)", "L = at.cell[0, 1]", "e = 0.5 * (edges[1:] + edges[1])", "q = 1 + x",
     "q = x - 1", "q = (n - 1.0)", "y = 1.0*x"],
)  # fmt: skip
def test_a_number_in_a_formula_a_unit_or_an_index_is_no_other_place(line: str) -> None:
    assert elsewhere(declared(f"GR = @k1@\n{line}\n", None), "k1", {"k1": 1.0}) is None


@pytest.mark.parametrize(
    ("line", "places"), [("norm = 1.0", 1), ("&grid a=1.0 /", 1), ("1.0, 2.0", 1), ("1.0 -2.0 1.0", 2), ("f(x, 1.0)", 1),
                         ("a = [1.0, 2.0]", 1), ("a 1 // c", 1)],
)  # fmt: skip
def test_a_number_that_is_assigned_or_listed_is_another_place(line: str, places: int) -> None:
    found = elsewhere(declared(f"GR = @k1@\n{line}\n", None), "k1", {"k1": 1.0})
    assert found is not None
    assert len(found.places) == places
