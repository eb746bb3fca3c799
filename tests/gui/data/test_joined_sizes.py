"""How two parts of an error join counts for all sizes on the card where it is chosen, and the total is said."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtWidgets import QApplication

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.errors.joined_sizes import first_measured, with_common_noise
from bayescope.gui.models.data.errors.noise import added_words
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.widgets.forms import Choice

TABLE = d.DataTable(columns={"a": (None, 40.0, 50.0), "b": (1.0, 2.0, 3.0), "sd a": (1.0, 3.0, 1.0)})
SUM, QUADRATURE = d.GaussianKnown(sd=0.1, percent=2.0), d.GaussianKnown(sd=0.1, percent=2.0, together="quadrature")


def declared(controller: SessionController, *matches: d.Match, noise: d.NoiseModel = SUM) -> d.Problem:
    problem = msgspec.structs.replace(
        controller.problem.declared, data=TABLE, meaning=d.Predictions(matches=matches, noise=noise)
    )
    controller.problem.replace(problem, "x")
    return problem


def test_sizes_of_comparisons_join_as_is_chosen_above_them(page: DataPage, controller: SessionController) -> None:
    own = (d.GaussianKnown(sd=1.0, percent=5.0), d.GaussianKnown(sd=1.0, percent=5.0, together="larger"))
    declared(controller, d.Match("u", "a", noise=own[0]), d.Match("v", "b", noise=own[1]), d.Match("u", "b"))
    page.tabs.setCurrentIndex(2)
    QApplication.processEvents()
    choice = page.errors.noise.form.editor("together")
    assert isinstance(choice, Choice)
    choice.chosen.emit("quadrature")
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert meaning.noise == QUADRATURE
    assert meaning.matches[0].noise == msgspec.structs.replace(own[0], together="quadrature")
    assert meaning.matches[1].noise == own[1], "it joined in another way already"
    assert "in quadrature" in page.errors.shared.sizes.editor("of_0").text()  # type: ignore[attr-defined]


def test_a_column_and_a_percentage_say_their_total_on_the_card_of_the_comparison(
    page: DataPage, controller: SessionController
) -> None:
    noise = d.GaussianKnown(sd_column="sd a", percent=10.0)
    problem = declared(controller, d.Match("u", "a", noise=noise), d.Match("v", "b"))
    assert first_measured(problem, noise, 0) == (40.0, 3.0)
    page.tabs.setCurrentIndex(1)
    page.matching.show_comparison(0)
    editor = page.matching.details.errors.noise
    assert editor.prior.text().endswith("the two are added: 7 for the first value, 40 ± 3.")
    choice = editor.form.editor("together")
    assert isinstance(choice, Choice)
    choice.chosen.emit("quadrature")
    QApplication.processEvents()
    assert editor.prior.text().endswith("taken in quadrature: 5 for the first value, 40 ± 3.")
    choice.chosen.emit("larger")
    QApplication.processEvents()
    assert editor.prior.text() == "sd = the larger of that of the column and 10 % of each measured value: 4 for the first value."


@pytest.mark.parametrize("noise", [
    d.GaussianKnown(sd=0.1, together="quadrature"), d.GaussianKnown(sd_column="sd a", together="larger"),
])  # fmt: skip
def test_a_choice_that_joins_nothing_says_so(noise: d.GaussianKnown) -> None:
    assert added_words(noise).startswith("Only one part of the errors is given")
    assert added_words(d.GaussianKnown(sd=0.1)) == ""


def test_another_size_leaves_the_others_alone() -> None:
    own = d.Match("u", "a", noise=SUM)
    meaning = d.Predictions(matches=(own,), noise=SUM)
    assert with_common_noise(meaning, d.GaussianKnown(sd=0.3, percent=2.0)).matches == (own,)
    assert with_common_noise(meaning, d.GaussianInferred(parameter="s")).matches == (own,)
