"""Data page: a program's table holds rows of several states, and only those of one have a partner among the data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import click, matches, opened, trial_run
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.extract import ExtractionError, extract
from bayescope.engine.problem.files import dumps, loads, needed_format
from bayescope.engine.problem.marks.words import words_of
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.fields import Field, text_of, value_of
from bayescope.gui.pages.data.page import DataPage

# as PHREEQC writes it: step 1 of the reactions comes before step 1 of the transport
PRINTED = (
    "sim\tstate\tstep\tCa\n1\ti_soln\t-99\t0.5\n1\treact\t1\t9.5\n2\ti_soln\t-99\t0.1\n2\treact\t1\t7.5\n"
    + "".join(f"1\ttransp\t{k}\t{k}.25\n" for k in range(6))
)
BY_STEP = d.Match(output="Ca", column="Calcium", key_output="step", key_column="Schritt")
COMPARED = d.Predictions(matches=(BY_STEP,), noise=d.GaussianKnown(sd=0.4))
MEASURED = "Schritt,Calcium\n1,1.3\n3,3.2\n5,5.1\n"
REGION = d.Region(anchor="sim state step Ca", form="ntnn", by="word", delimiter="\t", columns=(4,))


@pytest.fixture
def problem() -> d.Problem:
    step = msgspec.structs.replace(REGION, columns=(3,))
    return d.Problem(
        name="column",
        parameters=(d.Parameter(name="k", prior=d.Uniform(low=1.0, high=9.0)),),
        simulator=d.Simulator(command=("sh", "@k@")),
        outputs=tuple(d.Output(name=n, source="res.txt", extractor=e) for n, e in (("step", step), ("Ca", REGION))),
        meaning=COMPARED,
    )


def test_rows_with_a_label_are_read_wherever_they_stand_and_a_label_that_is_not_there_is_said() -> None:
    only = msgspec.structs.replace(REGION, where=(2, "react"))
    assert extract(only, PRINTED).values == (9.5, 7.5)
    assert extract(msgspec.structs.replace(only, first=2, count=1), PRINTED).values == (7.5,)
    assert extract(msgspec.structs.replace(only, columns=(2,)), PRINTED, labels=True).texts == ("react", "react")
    assert words_of(only, rows=2) == "all 2 rows with “react” in column 2 of column 4, below “sim state step Ca”"
    with pytest.raises(ExtractionError, match=r"none of the 10 rows below .* has “idle” in column 2"):
        extract(msgspec.structs.replace(only, where=(2, "idle")), PRINTED)


def test_one_button_reads_only_the_rows_that_match_the_data(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "measured.csv", MEASURED)
    click(qtbot, page.importer.use)
    controller.problem.edit("x", meaning=COMPARED)
    trial_run(page, engines, PRINTED)
    click(qtbot, page.message._button)  # Show them
    part = page.matching.mismatch
    assert "Only its 6 rows with “transp” match the data." in part.message.suggestion()
    assert part.label.text() == "Read only rows with “transp”"
    click(qtbot, part.label)
    declared = controller.problem.declared
    assert [o.extractor.where for o in declared.outputs] == [(2, "transp"), (2, "transp")]  # type: ignore[union-attr]
    assert [m.keys for m in matches(controller)] == [(("step", "Schritt"),)]
    assert page.trial.unfit() is None
    assert page.status()[0] != "error"
    assert needed_format(declared) == 4
    assert loads(dumps(declared)) == declared


def test_nothing_is_offered_where_rows_of_no_label_match_alone(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "measured.csv", "Schritt,Calcium\n1,1.3\n3,3.2\n77,5.1\n")
    click(qtbot, page.importer.use)
    controller.problem.edit("x", meaning=COMPARED)
    trial_run(page, engines, PRINTED)
    page.matching.show_comparison(0)
    assert not page.matching.mismatch.label.isVisible()


def test_the_field_takes_a_column_and_its_text() -> None:
    field = Field("where", "Only rows with", "", "cell")
    assert value_of(field, "2 = transp") == (2, "transp")
    assert value_of(field, " ") is None
    assert text_of(field, (2, "transp")) == "2 = transp"
    with pytest.raises(ValueError, match="2 = transp, not “transp”"):
        value_of(field, "transp")
