"""``bayescope methods`` and ``bayescope run --option``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bayescope.engine.app.chosen_settings import set_options
from bayescope.engine.app.cli import main
from bayescope.engine.app.exit_status import Failure
from bayescope.engine.app.headless import load_example
from bayescope.engine.problem.method_options import METHODS, options_of
from bayescope.engine.session.store import SessionStore


def test_methods_prints_every_option_with_default_range_and_source(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods", "bvbmc"]) == 0
    printed = capsys.readouterr().out
    for one in options_of(METHODS["bvbmc"].options):
        assert f"{one.name} = {one.text(one.default)}" in printed
    assert "matern52: Matérn 5/2" in printed
    assert "seed 000 eqs 5.55" in printed
    assert "vbmc:" not in printed.replace("bvbmc:", "")


def test_methods_prints_the_same_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == set(METHODS)
    assert {o["name"] for o in found["default"]["options_for_random"]} == {o.name for o in options_of(METHODS["default"].noisy)}
    kernel = next(o for o in found["bvbmc"]["options"] if o["name"] == "kernel")
    assert kernel["default"] == "additive"
    assert "se" in kernel["choices"]


def test_a_misspelt_method_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods", "bvmbc"]) != 0
    assert "Did you mean “bvbmc”" in capsys.readouterr().err


def test_options_on_the_command_line_are_kept_in_the_session_and_go_back_to_their_defaults(tmp_path: Path) -> None:
    with SessionStore.create(tmp_path / "a.bayescope", load_example("contamination"), own=True) as store:
        set_options(store, {"exploration": "0,8", "stop": "no", "learn": "score"})
        assert store.problem.settings.options == {"exploration": 0.8, "stop": False, "learn": "score"}
        set_options(store, {"stop": ""})
        assert store.problem.settings.options == {"exploration": 0.8, "learn": "score"}
        for name, text, words in (
            ("explore", "1", "Did you mean “exploration”"),
            ("final_draws", "ten", "a whole number"),
            ("learn", "scores", "Did you mean “score”"),
        ):
            with pytest.raises(Failure, match=words):
                set_options(store, {name: text})
        assert store.problem.settings.options == {"exploration": 0.8, "learn": "score"}, "nothing half done"


def test_an_option_without_an_equals_sign_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.bayescope"
    with SessionStore.create(path, load_example("contamination"), own=True):
        pass
    assert main(["run", str(path), "--option", "stop"]) != 0
    assert "NAME=VALUE" in capsys.readouterr().err
