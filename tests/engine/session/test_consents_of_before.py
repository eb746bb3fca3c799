"""A consent that also named a script that was not there covers the same analysis where that script is no longer looked for."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from bayescope.engine.problem.definition import Simulator, TemplateFile
from bayescope.engine.session import machine
from bayescope.engine.session.trust.consent import Consent, NotAgreed, Signed, permit_for
from bayescope.engine.session.trust.what_runs import NOT_THERE, RunFile

FILLED = Simulator(command=("sh", "model.sh"), templates=(TemplateFile(target="model.sh", text="echo @k@"),))


def signed(simulator: Simulator, *files: RunFile) -> Signed:
    content = msgspec.json.encode(Consent(simulator, files))
    return Signed(content, machine.sign(content))


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAYESCOPE_HOME", str(tmp_path / "home"))


def test_nothing_is_asked_again_where_the_original_lies_beside_the_saved_analysis(tmp_path: Path) -> None:
    (tmp_path / "model.sh").write_text("echo 1")
    before = signed(FILLED, RunFile("script", "model.sh", NOT_THERE))
    assert permit_for(before, FILLED, tmp_path).simulator == FILLED


def test_a_script_that_is_run_and_was_not_there_is_asked_about(tmp_path: Path) -> None:
    plain = msgspec.structs.replace(FILLED, templates=())
    (tmp_path / "model.sh").write_text("echo 1")
    with pytest.raises(NotAgreed):
        permit_for(signed(plain, RunFile("script", "model.sh", NOT_THERE)), plain, tmp_path)
