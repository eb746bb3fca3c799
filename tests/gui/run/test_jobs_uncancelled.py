"""Jobs that a Stop could not cancel are shown when the analysis is opened, tried again, and told of when they are cancelled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PySide6.QtWidgets import QLabel

from bayescope.engine import protocol
from bayescope.engine.session.attempts import AttemptRecord
from bayescope.engine.session.ledger import Ledger
from bayescope.engine.session.profiles import Profile
from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.run.strip import RunStrip
from clusters import make, told_problem
from hands.dialogs import Hands


@pytest.fixture
def opened(make_controller: Callable[[], SessionController], tmp_path: Path) -> tuple[SessionController, Path]:
    path = make(tmp_path / "far.bayescope", told_problem(tmp_path / "starts"))
    place = msgspec.json.encode(Profile(name="bigbox", host="nowhere")).decode()
    with SessionStore.open(path) as store:
        tokens = [f"bs{i:012x}" for i in range(3)]
        Ledger(store).save(
            *(AttemptRecord(t, i, "w", 0, place, t, "dropped", reason="stopped") for i, t in enumerate(tokens))
        )
    controller = make_controller()
    assert controller.file.open(path)
    return controller, path


def test_they_are_tried_at_the_opening_and_by_a_click_and_what_became_of_them_is_said(
    opened: tuple[SessionController, Path], engines: list[Any], qtbot: Any
) -> None:
    controller, path = opened
    strip = RunStrip(controller.problem, controller.file, controller.run)
    qtbot.addWidget(strip)
    strip.resize(1200, 160)
    strip.show()
    assert [m.session for m in engines[-1].sent if isinstance(m, protocol.SettleJobs)] == [str(path)]
    strip.refresh()
    assert strip.activity.shown.startswith("3 jobs could not be cancelled at “bigbox” and go on there.")
    assert strip.reach.isVisible()
    assert (strip.reach.property("kind"), strip.start.property("kind")) == ("primary", "")
    strip.reach.click()
    assert len([m for m in engines[-1].sent if isinstance(m, protocol.SettleJobs)]) == 2
    engines[-1].message.emit(protocol.JobsSettled(session=str(path), left=3, words="No ssh server answers at “nowhere”."))
    strip.refresh()
    assert "Tried at" in strip.activity.text()
    assert strip.activity.text().endswith("No ssh server answers at “nowhere”.")
    engines[-1].message.emit(protocol.JobsSettled(session="another.bayescope", left=0, words="Of another file."))
    done = "One job that had gone on is cancelled now. 2 jobs had finished meanwhile; the next start collects what they gave."
    engines[-1].message.emit(protocol.JobsSettled(session=str(path), left=0, words=done))
    strip.refresh()
    assert strip.activity.text() == done
    assert not strip.reach.isVisible()


def test_nothing_is_tried_while_a_run_goes_on_which_has_done_it(
    opened: tuple[SessionController, Path], engines: list[Any]
) -> None:
    controller, _ = opened
    sent = len(engines[-1].sent)
    controller.run._link.state = "running"
    controller.run.left.try_now()
    assert len(engines[-1].sent) == sent
    controller.run._link.state = "stopped"


def test_stop_asks_about_jobs_of_an_earlier_start_while_their_place_is_not_reached_yet(
    opened: tuple[SessionController, Path], engines: list[Any]
) -> None:
    controller, _ = opened
    controller.run._link.state = "starting"
    assert controller.run.jobs_there == 3
    controller.run._link.state = "stopped"
    assert controller.run.jobs_there == 0


def test_closing_the_window_says_that_they_go_on(open_window: Callable[..., Any], opened: tuple[SessionController, Path]) -> None:
    first, path = opened
    assert first.file.close()
    window, controller, _ = open_window()
    assert controller.file.open(path)
    hands, said = Hands(window), list[str]()

    def stay(dialog: Any) -> bool:
        said.extend(label.text() for label in dialog.findChildren(QLabel))
        return bool(hands._act(dialog, lambda: hands.click("Stay")))

    with hands._answering(stay):
        window.close()
    assert window.isVisible()
    assert any("could not be cancelled at “bigbox”" in text for text in said)
