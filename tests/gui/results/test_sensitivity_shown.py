"""Sensitivities in the window: those kept with an answer, and those asked for from the real engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.answer.sensitivity import DataPart, Indices, NextMeasurement, Sensitivity, save_sensitivity
from bayescope.engine.problem import definition as d
from bayescope.engine.session.records import IterationRecord
from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.results.page import ResultsPage

pytestmark = pytest.mark.window
ONE = ((0.8, 0.75, 0.85), (0.003, 0.001, 0.006))
OTHER = ((0.9, 0.85, 0.95), (0.004, 0.001, 0.006))


def indices(name: str, row: int = 0, over: str = "prior", total=OTHER) -> Indices:
    return Indices(
        name=name, kind="output", over=over, first=ONE, total=total, known=0.99, sd=1.0, row=row,  # type: ignore[arg-type]
        place=f"t = {row}" if row else "",
    )  # fmt: skip


FOUND = Sensitivity(
    iteration=2, parameters=("k1", "k2"),
    indices=(indices("level"), indices("level", 1, total=OTHER[::-1]), indices("end"), indices("level", over="posterior")),
    parts=(
        DataPart(title="level, row 1", column="level", bits=1.0, widening=(3.0, 1.0), share=(0.9, None), shift=(0.0, 0.0),
                 pareto_k=0.9, how="draws", led_back=True),
    ),
    next=(NextMeasurement(title="end", column="end", row=1, bits=0.5, bits_sd=0.01, times=(1.0, 1.4)),),
    interval="90 % intervals cover much.",
)  # fmt: skip


def saved(path: Path, found: Sensitivity | None) -> Path:
    problem = d.Problem(
        name="two",
        parameters=tuple(
            d.Parameter(name=n, label="<b>Rate</b>" if n == "k1" else "", prior=d.Normal(mean=0.0, sd=1.0)) for n in ("k1", "k2")
        ),
        simulator=d.Simulator(command=("bayescope:contamination", "@k1@", "@k2@")),
        outputs=(d.Output(name="logl", source="stdout", extractor=d.LastNumber()),),
        meaning=d.LogLikelihoodOutput(output="logl"),
    )  # fmt: skip
    with SessionStore.create(path, problem, own=True) as store:
        store.add_iteration(
            IterationRecord(
                iteration=2, n_evaluations=5, elbo=-3.6, elbo_sd=0.02, log_evidence=-3.5, log_evidence_sd=0.01, converged=True,
                warm_up=False, reasons=(), weights=np.ones(1), means=np.zeros((1, 2)), covariances=0.01 * np.eye(2)[None],
            )
        )  # fmt: skip
        if found is not None:
            save_sensitivity(store, found)
    return path


@pytest.fixture
def page(show: Callable[..., None], controller: SessionController) -> ResultsPage:
    page = ResultsPage(controller)
    show(page)
    return page


def opened(qtbot: QtBot, page: ResultsPage, controller: SessionController, path: Path) -> None:
    assert controller.file.open(path)
    page.tabs.setCurrentWidget(page.taught)
    qtbot.waitUntil(lambda: page.taught.shown is not None, timeout=10_000)


def test_what_was_worked_out_is_shown_by_quantity_row_and_distribution(
    qtbot: QtBot, page: ResultsPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(qtbot, page, controller, saved(tmp_path / "a.bayescope", FOUND))
    part = page.taught.sensitivity
    assert not part.ask.isVisible()
    part.folds[0].open()
    fold = part.indices
    assert fold.over.key() == "posterior"
    assert not fold.row.isVisible()  # all together alone
    fold.over.setCurrentIndex(1)
    fold.over.chosen.emit("prior")
    assert [fold.quantity.itemText(i) for i in range(fold.quantity.count())] == ["level", "end"]
    assert [fold.row.itemText(i) for i in range(fold.row.count())] == ["All its rows together", "Only t = 1"]
    first = fold.table.as_text().splitlines()[1].split("\t")
    assert first == ["<b>Rate</b> (k1)", ".80", ".75 … .85", ".90", ".85 … .95", "0.900"]
    assert "“level” depends mostly on <b>Rate</b> (k1) (.90); k2 hardly matters (< .01)." in fold.sentences.text()
    fold.row.setCurrentIndex(1)
    fold.row.chosen.emit("1")
    assert fold.table.as_text().splitlines()[1].startswith("k2\t")
    assert "“level, t = 1”" in fold.sentences.text()
    part.folds[1].open()
    assert "hold" in part.parts.sentences.text()
    assert "new draws (k̂ 0.90, for widths up to 0.5)" in part.parts.table.as_text()
    part.folds[2].open()
    assert "k2 would be known about 1.4 times better" in part.next.sentences.text()


def test_it_is_asked_of_the_engine_and_shown_when_it_comes_or_said_why_not(
    qtbot: QtBot, page: ResultsPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    path = saved(tmp_path / "a.bayescope", None)
    opened(qtbot, page, controller, path)
    part = page.taught.sensitivity
    assert part.ask.isVisible()
    assert not any(fold.isVisible() for fold in part.folds)
    part.ask.click()
    assert engines[-1].sent[-1] == protocol.Study(session=str(path))
    assert part.cancel.isVisible()
    assert not part.ask.isEnabled()
    part.cancel.click()
    assert engines[-1].sent[-1] == protocol.CancelCompare()
    engines[-1].message.emit(protocol.StudyDone(session=str(path), words="Only 3 runs gave a usable value."))
    assert "Only 3 runs" in part.message.words()
    assert part.ask.isEnabled()
    part.ask.click()
    engines[-1].message.emit(protocol.StudyDone(session=str(path), record_json=msgspec.json.encode(FOUND)))
    assert part.shown == FOUND
    assert part.folds[0].button.isChecked()
    assert not part.message.words()
    part._study.start()
    engines[-1].died.emit("The engine was killed.")
    assert "killed" in part.message.words()
    assert part.shown == FOUND
    engines[-1].message.emit(protocol.StudyDone(session="another.bayescope", words="Of another file."))
    assert "another" not in part.message.words()


def test_saving_under_another_name_meanwhile_loses_nothing_of_it_and_the_time_it_takes_is_told(
    qtbot: QtBot, page: ResultsPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    path = saved(tmp_path / "a.bayescope", None)
    opened(qtbot, page, controller, path)
    part = page.taught.sensitivity
    part.ask.click()
    assert "0 s so far" in part.working.text()
    assert controller.file.save_as(tmp_path / "b.bayescope")
    assert controller.file.save_as(tmp_path / "c.bayescope")
    assert part.cancel.isVisible()
    record = msgspec.json.encode(FOUND)
    engines[-1].message.emit(protocol.StudyDone(session=str(path), record_json=record, words="This is not kept in the session."))
    assert part.shown == FOUND
    assert not part.message.words()
    assert controller.run.stored.sensitivity() == FOUND
