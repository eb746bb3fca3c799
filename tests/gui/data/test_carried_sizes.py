"""Another model of the errors keeps their size where both can say it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from data_pages import CURVES, imported
from PySide6.QtWidgets import QApplication, QLineEdit

from bayescope.engine.problem import definition as d
from bayescope.gui.models.data.errors.carried_size import carried
from bayescope.gui.models.data.errors.error_size import error_size_of, errors_of, text_of_size
from bayescope.gui.models.data.errors.noise import given_words
from bayescope.gui.pages.data.page import DataPage

LOG = d.LogNormalNoise(log_sd=0.1)
T = d.StudentTNoise(dof=4.0, scale=1.0)
PERCENT = d.GaussianKnown(percent=8.0)
BOTH = d.GaussianKnown(sd=0.1, percent=3.0, together="quadrature")


@pytest.mark.parametrize(
    ("old", "first", "new"),
    [
        (PERCENT, LOG, d.LogNormalNoise(log_sd=0.08)),
        (d.LogNormalNoise(log_sd=0.08), d.GaussianKnown(), PERCENT),
        (PERCENT, T, d.StudentTNoise(dof=4.0, percent=8.0)),
        (BOTH, T, d.StudentTNoise(dof=4.0, scale=0.1, percent=3.0, together="quadrature")),
        (d.StudentTNoise(dof=3.0, scale_column="s"), d.GaussianKnown(), d.GaussianKnown(sd_column="s")),
        (d.GaussianInferred(parameter="sigma"), T, d.StudentTNoise(dof=4.0, parameter="sigma")),
        (d.GaussianKnown(sd=0.5), d.Ar1Noise(sd=1.0, rho=0.5), d.Ar1Noise(sd=0.5, rho=0.5)),
    ],
)
def test_the_size_is_carried_over_where_both_models_can_say_it(
    old: d.NoiseModel, first: d.NoiseModel, new: d.NoiseModel
) -> None:
    assert carried(old, first) == new
    assert not given_words(carried(old, first))[1]


@pytest.mark.parametrize(
    ("old", "first"),
    [(BOTH, LOG), (d.GaussianKnown(sd=0.03), LOG), (LOG, d.GaussianKnown()), (T, d.GaussianKnown()), (d.PoissonNoise(), LOG)],
)
def test_a_size_that_the_other_cannot_say_or_a_guess_is_not_carried_over(old: d.NoiseModel, first: d.NoiseModel) -> None:
    assert carried(old, first) == first


@pytest.fixture
def problem() -> d.Problem:
    return CURVES


def test_errors_of_their_own_are_changed_where_they_stand_and_a_percentage_stays(page: DataPage, tmp_path: Path) -> None:
    imported(page, tmp_path)
    meaning = page.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    own = tuple(msgspec.structs.replace(m, noise=PERCENT, sd_column=None) for m in meaning.matches)
    page.problem.edit("x", meaning=d.Predictions(matches=own, noise=d.GaussianKnown()))
    page.tabs.setCurrentIndex(2)
    assert not page.noise.kind.isVisible()  # it would be the model of none
    assert page.shared.notice._button.isVisible()
    menu = page.shared.menu()
    assert menu is not None
    menu.actions()[0].trigger()
    assert page.tabs.currentIndex() == 1
    QApplication.processEvents()
    noise = page.matching.details.errors.noise
    noise.kind.choose("log_normal")
    meaning = page.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert meaning.matches[0].noise == d.LogNormalNoise(log_sd=0.08)
    field = noise.form.editor("log_sd")
    assert isinstance(field, QLineEdit)
    QApplication.processEvents()
    assert field.isVisible()
    assert field.text() == "0.08"


@pytest.mark.parametrize(
    "typed", ["8 % of the predicted value", "8% of predicted", "± 8 % of each computed value", "8 percent of the model value"]
)
def test_a_percentage_of_the_predicted_value_is_not_taken_for_one_of_the_measured(typed: str) -> None:
    size = error_size_of(typed)
    assert size is not None
    assert text_of_size(size) == "8 % of the predicted value"
    assert errors_of(size) == d.LogNormalNoise(log_sd=0.08)


@pytest.mark.parametrize("typed", ["8 % of the measured value", "8 % of reading", "8 %"])
def test_other_percentages_stay_those_of_the_measured_value(typed: str) -> None:
    size = error_size_of(typed)
    assert size is not None
    assert errors_of(size) == PERCENT


def test_a_size_beside_a_percentage_of_the_predicted_value_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="all of the error"):
        error_size_of("0.01 + 8 % of the predicted value")


def test_it_can_be_typed_where_the_size_of_common_errors_stands(page: DataPage, tmp_path: Path) -> None:
    imported(page, tmp_path)
    page.tabs.setCurrentIndex(2)
    page.noise.unused.pressed.emit()
    field = page.noise.form.editor("sd")
    assert isinstance(field, QLineEdit)
    field.setText("8 % of the predicted value")
    field.editingFinished.emit()
    meaning = page.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    own = [m.noise or meaning.noise for m in meaning.matches if not m.sd_column]
    assert own
    assert set(own) == {d.LogNormalNoise(log_sd=0.08)}
