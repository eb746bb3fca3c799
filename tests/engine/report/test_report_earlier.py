"""A report of an analysis that was given earlier evaluations, or asked for more, says how to repeat that too."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from bayescope.engine.answer.other_methods import OtherMethod, save_method
from bayescope.engine.answer.surrogate_peak import SurrogatePeak
from bayescope.engine.report.report_earlier import EARLIER, asked_commands, earlier_csv, run_commands
from bayescope.engine.report.report_repeat import attached, how_to_repeat
from bayescope.engine.session.imported import PURPOSE
from bayescope.engine.session.records import ArchiveRecord
from bayescope.engine.session.store import SessionStore


@pytest.fixture
def store(tmp_path, problem):
    with SessionStore.create(tmp_path / "rod.bayescope", problem, own=True) as store:
        yield store


def table(content: bytes | None) -> list[dict[str, str]]:
    assert content is not None
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def test_imported_evaluations_come_with_the_report_and_the_command_that_takes_them(store) -> None:
    points, values = np.array([[0.1, 2.0], [0.25, 1 / 3]]), np.array([-1.5, -np.inf])
    store.save_archive(ArchiveRecord(("a", "b"), points, values, np.array([0.5, 0.0]), "log_posterior", "old <runs>.csv"))
    found = attached(store)
    rows = table(found[EARLIER])
    assert [float(r["b"]) for r in rows] == [2.0, 1 / 3]
    assert list(rows[0]) == ["a", "b", "log_posterior", "noise_sd"]
    page = how_to_repeat(store, found, links=True)
    command = "bayescope import repeated-rod.bayescope earlier.csv --no-check --value log_posterior --meaning log_posterior"
    assert f"{command} --sd noise_sd\nbayescope run repeated-rod.bayescope\n" in page
    assert "2 evaluations were imported from old &lt;runs&gt;.csv." in page


def test_runs_imported_with_their_outputs_come_with_these_and_the_budget_is_said(store, problem, make_evaluation) -> None:
    outputs = {"y": np.array([0.5, 0.25]), "z": np.array(3.0)}
    store.import_runs([replace(make_evaluation(k), outputs=outputs, purpose=PURPOSE) for k in range(3)], problem)
    rows = table(earlier_csv(store))
    assert list(rows[0]) == ["a", "b", "y[0]", "y[1]", "z"]
    assert [len(rows), float(rows[2]["y[1]"]), float(rows[2]["z"])] == [3, 0.25, 3.0]
    page = how_to_repeat(store, attached(store), links=False)
    budget = problem.settings.max_evaluations
    assert f"earlier.csv --no-check\nbayescope run repeated-rod.bayescope --runs {budget}\n" in page


def test_what_was_asked_after_the_runs_is_among_the_commands(store, make_evaluation, make_iteration) -> None:
    for k in range(3):
        store.add_evaluation(make_evaluation(k))
    assert run_commands(store, "s") == ["bayescope run s"]
    record = make_iteration(2)
    peak = SurrogatePeak(np.zeros(2), np.array([0.0, 0.1]), np.array([2.0, 0.0, 0.1]))
    store.add_iteration(replace(record, slices={**record.slices, **peak.arrays()}))
    assert run_commands(store, "s") == ["bayescope run s --runs 2", "bayescope best-fit s --check"]
    assert asked_commands(store, "s") == []
    asked = OtherMethod(
        method="wsabi", name="WSABI", iteration=record.iteration, evaluations=3, log_evidence=1.0, log_evidence_sd=0.1,
        trusted=True,
    )
    save_method(store, asked)
    save_method(store, msgspec.structs.replace(asked, method="flow"))
    assert asked_commands(store, "s") == ["bayescope checks s --ask wsabi,flow"]
