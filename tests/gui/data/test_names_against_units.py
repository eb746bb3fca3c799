"""Names that mislead, beside units that contradict them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from data_pages import matches, opened, trial_run

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

UNITS = {"max_force": "mm", "max_stress": "N", "load": "MPa"}


@pytest.fixture
def problem() -> d.Problem:
    outputs = tuple(
        d.Output(name=n, source="res.txt", extractor=d.LabelledNumber(label=f"{n} ="), length=1, unit=u) for n, u in UNITS.items()
    )
    return d.Problem(
        name="x", parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("sh", "@k@")), outputs=outputs, meaning=d.Predictions(matches=(), noise=d.GaussianKnown()),
    )  # fmt: skip


def asked(page: DataPage, engines: list[Any], folder: Path, heading: str) -> DataPage:
    trial_run(page, engines, "max_force = 3.2\nmax_stress = 41400\nload = 120\n")
    opened(page, folder / "m.csv", f"{heading}\n41,118,3.1\n")
    page.importer.use.click()
    return page


HEADINGS = ("force at max [kN],load stress [MPa],w max load [mm]", "max force A [kN],max load [MPa],max stress A [mm]")


@pytest.mark.parametrize("heading", HEADINGS)
def test_units_tell_against_names_of_which_one_is_a_part_of_the_other(
    page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path, heading: str
) -> None:
    part = asked(page, engines, tmp_path, heading).matching.proposed
    force, load, w = heading.split(",")
    assert {line.output: line.column for line in part.model.rows} == {"max_force": w, "max_stress": force, "load": load}
    part.accept()
    assert {m.output: m.column for m in matches(controller)} == {"max_force": w, "max_stress": force, "load": load}


def test_nothing_is_guessed_where_units_contradict_every_pair(page: DataPage, engines: list[Any], tmp_path: Path) -> None:
    asked(page, engines, tmp_path, "A [K],B [K],C [W]")
    assert page.message.words() == "Which output predicts which column?"
    assert not page.matching.proposed.isVisible()


@pytest.mark.parametrize(("printed", "misled"), [((3.2, 41400.0, 120.0), True), ((45.0, 1.3e8, 2.9e-3), False)])
def test_the_test_run_tells_against_names_where_it_is_near_other_columns_throughout(
    page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path, printed: tuple[float, ...], misled: bool
) -> None:
    names = ("F", "S", "w")
    outputs = tuple(
        d.Output(name=n, source="res.txt", extractor=d.LabelledNumber(label=f"{n} ="), length=1) for n in names
    )
    controller.problem.edit("x", outputs=outputs)
    trial_run(page, engines, "".join(f"{n} = {v}\n" for n, v in zip(names, printed, strict=True)))
    opened(page, tmp_path / "m.csv", "F at max [kN],S of rod [MPa],w max [mm]\n41,118,3.1\n")
    page.importer.use.click()
    if not misled:
        assert "compared with the outputs named alike?" in page.message.words()
        return
    lines = {line.output: line.column for line in page.matching.proposed.model.rows}
    assert lines == {"F": "w max [mm]", "S": "F at max [kN]", "w": "S of rod [MPa]"}
