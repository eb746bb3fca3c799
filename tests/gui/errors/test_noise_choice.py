"""A model of the errors is chosen: what it leaves unused is said there, with the buttons that mend it, in plain words."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_views import places, settle
from pytestqt.qtbot import QtBot
from scipy import stats

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.errors.noise import kind_of
from bayescope.gui.models.data.errors.rough_size import RoughSize, rough_size, with_rough_size
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.pages.data.step import COMPARISON, ERRORS
from bayescope.gui.widgets.notices import SIGNS
from tests.support.data_pages import PROBLEM, click, matches, opened

pytestmark = pytest.mark.window
KINDS = ("gaussian_integrated", "gaussian_inferred", "poisson", "ar1", "covariance", "log_normal", "negative_binomial")


@pytest.fixture
def controller(make_controller: Callable[[], SessionController]) -> SessionController:
    made = make_controller()
    made.file.adopt(msgspec.structs.replace(PROBLEM, meaning=d.Predictions(matches=(), noise=d.GaussianKnown())))
    return made


@pytest.fixture
def page(show: Callable[..., None], controller: SessionController, tmp_path: Path) -> DataPage:
    made = DataPage(controller)
    show(made, 1180, 760)
    opened(made, tmp_path / "m.csv", "u,v,u sd\n1,3,0.4\n2,4,0.4\n")
    made.importer.use.click()
    both = (d.Match(output="u", column="u", sd_column="u sd"), d.Match(output="v", column="v"))
    controller.problem.edit("", meaning=d.Predictions(matches=both, noise=d.GaussianKnown(sd=0.1)))
    made.tabs.setCurrentIndex(ERRORS)
    return made


def common(controller: SessionController) -> d.NoiseModel:
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    return meaning.noise


def test_a_size_that_nobody_typed_yet_is_asked_for_and_is_an_error_only_once_it_is_gone_again(
    page: DataPage, controller: SessionController, qtbot: QtBot
) -> None:
    one = (d.Match(output="v", column="v"),)
    controller.problem.edit("", meaning=d.Predictions(matches=one, noise=d.GaussianKnown()))
    settle()
    assert (page.noise.notice.level, "is not given" in page.noise.notice.words()) == ("info", True)
    page.noise.kind.choose("gaussian_inferred")
    assert page.noise.form._notices["parameter"].text().startswith(SIGNS["info"])
    page.noise.kind.choose(kind_of(d.GaussianKnown()).tag)
    line = page.noise.form.editor("sd")
    for text, level in (("0.1", "ok"), ("", "error")):
        line.setText(text)
        line.editingFinished.emit()
        settle()
        assert page.noise.notice.level == level


@pytest.mark.parametrize("kind", KINDS)
def test_a_column_that_the_chosen_errors_leave_unused_is_dropped_where_they_are_chosen(
    page: DataPage, controller: SessionController, qtbot: QtBot, kind: str
) -> None:
    page.noise.kind.choose(kind)
    assert "u sd" in page.noise.unused.words()
    assert page.noise.unused.isVisible()
    assert page.status() == ("error", "These errors leave u sd unused")
    page.tabs.setCurrentIndex(COMPARISON)
    page.message.pressed.emit()
    assert page.tabs.currentIndex() == ERRORS
    click(qtbot, page.noise.unused._button)
    assert [m.sd_column for m in matches(controller)] == [None, None]
    assert not page.noise.unused.isVisible()


def test_a_comparison_keeps_the_errors_of_its_column(page: DataPage, controller: SessionController, qtbot: QtBot) -> None:
    page.noise.kind.choose("gaussian_integrated")
    assert page.noise.unused._dismiss.text() == "Only for u: &keep its own errors"
    click(qtbot, page.noise.unused._dismiss)
    first, second = matches(controller)
    assert first.noise == d.GaussianKnown(sd_column="u sd")
    assert first.sd_column is None
    assert second.noise is None
    assert isinstance(common(controller), d.GaussianIntegrated)
    assert controller.problem.findings(level="error") == []


def test_standard_deviations_stand_in_one_field(page: DataPage, controller: SessionController, qtbot: QtBot) -> None:
    part = page.matching
    page.tabs.setCurrentIndex(COMPARISON)
    part.table.setCurrentIndex(part.model.index(0, 0))
    own = part.errors.form.editor("sd_column")
    assert own.isVisible()
    assert own.currentText() == "u sd"
    part.own.click()
    assert not own.isVisible()
    assert part.noise.form.editor("sd_column").currentText() == "u sd"
    assert matches(controller)[0].noise == d.GaussianKnown(sd_column="u sd")
    part.noise.kind.choose("gaussian_integrated")
    assert list(controller.problem.findings("meaning.matches[0]", "error")) == []
    part.noise.kind.choose("gaussian")
    part.noise.form.editor("sd_column").choose("u sd")
    part.own.click()
    assert own.isVisible()
    assert matches(controller)[0] == d.Match(output="u", column="u", sd_column="u sd")


def test_an_unknown_size_is_said_as_a_standard_deviation_and_how_sure(page: DataPage, controller: SessionController) -> None:
    page.noise.kind.choose("gaussian_integrated")
    labels = [field.label for field in page.noise.form._fields]
    assert labels[:2] == ["Standard deviation, about", "As sure as after"]
    for name, text in (("about", "0.4"), ("after", "10")):
        editor = page.noise.form.editor(name)
        editor.setText(text)
        editor.editingFinished.emit()
    noise = common(controller)
    assert isinstance(noise, d.GaussianIntegrated)
    assert noise.shape == 5.0
    assert math.isclose(noise.scale, 5.0 * 0.16)
    page.noise.form.editor("about").setText("0")
    page.noise.form.editor("about").editingFinished.emit()
    assert common(controller) == noise, "a size of nothing is refused in its field"


def test_the_rough_size_is_a_scaled_inverse_chi_squared_of_the_variance() -> None:
    """The variance is after * about^2 / X with X chi-squared of ``after`` degrees of freedom."""
    noise = with_rough_size(d.GaussianIntegrated(shape=1.0, scale=1.0), RoughSize(0.4, 10.0, True))
    for at in (0.05, 0.16, 0.5):
        direct = stats.chi2(10.0).sf(10.0 * 0.4**2 / at)
        assert math.isclose(stats.invgamma(noise.shape, scale=noise.scale).cdf(at), direct, rel_tol=1e-9)


@given(st.floats(0.01, 1e3), st.floats(1e-6, 1e6), st.booleans())
def test_what_is_not_changed_keeps_all_its_digits(shape: float, scale: float, per_point: bool) -> None:
    noise = d.GaussianIntegrated(shape=shape, scale=scale, per_point=per_point)
    assert with_rough_size(noise, rough_size(noise)) == noise


def test_nothing_moves_when_the_field_with_the_size_is_left(page: DataPage, controller: SessionController, qtbot: QtBot) -> None:
    without = tuple(msgspec.structs.replace(m, sd_column=None) for m in matches(controller))
    known = tuple(msgspec.structs.replace(o, length=2) for o in controller.problem.declared.outputs)  # no test run has to tell
    controller.problem.edit("", outputs=known, meaning=d.Predictions(
        matches=without, noise=d.GaussianKnown(), aside=("u sd",)
    ))  # fmt: skip
    settle()
    assert page.message.isVisible()
    assert page.noise.notice.isVisible()
    before = places(page, page.shared.notice, page.noise.form, page.tabs.tabBar(), page.plot)
    field = page.noise.form.editor("sd")
    field.setFocus()
    field.setText("0.5")
    field.editingFinished.emit()
    settle()
    assert page.message.level == "ok", "it says that nothing is left, in the room that it has"
    assert page.noise.notice.words() == "The size of the errors is given.", "no empty gap is left"
    assert places(page, page.shared.notice, page.noise.form, page.tabs.tabBar(), page.plot) == before
    page.tabs.setCurrentIndex(COMPARISON)
    assert page.tabs.currentIndex() == COMPARISON
    settle()
    assert places(page, page.tabs.tabBar())[0].y() == before[2].y(), "under the pointer"
    page.hide()
    page.show()
    settle()
    assert places(page, page.tabs.tabBar())[0].y() < before[2].y(), "no empty band stays for another visit"
