"""Which PyTorch a process that computes imports: the fetched one if it is for this program and works, else its own, and why."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from bayescope.engine.cuda.install import install
from bayescope.engine.cuda.places import Place
from wheel_server import TORCH, serving, small_torch, wheel_set

pytestmark = pytest.mark.skipif(os.name != "posix", reason="there are no wheels for Windows yet")
IMPORT = """
from bayescope.engine.cuda.first_import import use_cuda_build
use_cuda_build(print)
import json, math
import torch
print(torch.BUILD)
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A fetched one, for everybody."""
    monkeypatch.setenv("BAYESCOPE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("BAYESCOPE_CUDA", str(tmp_path / "shared"))
    (tmp_path / "own" / "torch").mkdir(parents=True)
    (tmp_path / "own" / "torch" / "__init__.py").write_text("BUILD = 'its own'")
    made = Place(tmp_path / "shared")
    with serving(small_torch()) as server:
        install(wheel_set(server.base, server.contents), made, lambda step: None)
    return made


def imported(place: Place) -> list[str]:
    """What a fresh process says and imports; its own PyTorch is a small one too."""
    path = f"{place.root.parent / 'own'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    words = [sys.executable, "-c", IMPORT]
    said = subprocess.run(words, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": path})
    return said.stdout.splitlines()


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-P", "-m", "bayescope.gui", *words], capture_output=True, text=True, check=False)


def changed(place: Place, **fields: object) -> None:
    installed = place.installed()
    assert installed is not None
    place.switch_on(msgspec.structs.replace(installed, **fields))


def test_what_is_switched_on_for_everybody_is_imported_after_a_trial_of_this_user(place: Place, tmp_path: Path) -> None:
    assert imported(place) == ["fetched"]
    assert (tmp_path / "home" / "cuda" / "tried.json").exists()
    assert imported(place) == ["fetched"]


def test_one_for_another_python_is_not_used_and_it_is_said(place: Place) -> None:
    changed(place, python="cp39")
    words, build = imported(place)
    assert build == "its own"
    assert "is not used; everything is computed on the processor. It is for cp39 on" in words


def test_one_for_another_bayescope_is_not_used_and_it_is_said(place: Place) -> None:
    changed(place, torch="2.0.0")
    words, build = imported(place)
    assert build == "its own"
    assert "It is PyTorch 2.0.0, and this version of Bayescope was made for" in words


def test_a_damaged_one_is_not_used_and_it_is_said(place: Place) -> None:
    installed = place.installed()
    assert installed is not None
    (place.root / installed.folder / "nvidia/lib/libcublas.so.13").write_bytes(b"short")
    words, build = imported(place)
    assert build == "its own"
    assert "A file of it is damaged:" in words


def test_one_that_does_not_work_on_this_computer_is_not_used_and_it_is_said(place: Place) -> None:
    installed = place.installed()
    assert installed is not None
    (place.root / installed.folder / "torch" / "__init__.py").write_text("raise ImportError('GLIBC_2.99 not found')")
    for _ in range(2):  # the second time it is remembered
        words, build = imported(place)
        assert build == "its own"
        assert "ImportError: GLIBC_2.99 not found." in words


def test_a_marker_that_names_a_folder_elsewhere_is_not_followed(place: Place, tmp_path: Path) -> None:
    (tmp_path / "elsewhere" / "torch").mkdir(parents=True)
    (tmp_path / "elsewhere" / "torch" / "__init__.py").write_text(TORCH + "BUILD = 'elsewhere'")
    changed(place, folder="../elsewhere")
    assert imported(place) == ["its own"]
    (place.root / "switched-on.json").write_text("{ nonsense")
    assert imported(place) == ["its own"]


@pytest.mark.loops
def test_a_command_that_computes_says_once_why_it_is_not_used(place: Place, tmp_path: Path) -> None:
    changed(place, python="cp39")
    said = run("self-test", "--help")
    assert said.stderr == ""
    path = str(tmp_path / "a.bayescope")
    assert run("example", "contamination", path).returncode == 0
    said = run("run", path, "--runs", "1", "--workers", "1")
    assert "1 run" in said.stdout + said.stderr
    assert said.stderr.count("The CUDA build of PyTorch is not used") == 1


def test_it_is_removed_and_bayescope_computes_as_before(place: Place) -> None:
    assert "is switched on, in" in run("cuda", "status").stdout
    said = run("cuda", "remove", "--shared")
    assert (said.returncode, said.stdout) == (0, f"Removed {place.root}; everything is computed on the processor.\n")
    assert not place.root.exists()
    assert imported(place) == ["its own"]
    assert run("cuda", "remove").stdout == "Nothing is installed there.\n"


def test_nothing_is_fetched_unless_somebody_agrees(place: Place) -> None:
    said = run("cuda", "install")
    assert said.returncode == 1
    assert "GB are downloaded from files.pythonhosted.org" in said.stdout
    assert "nobody is there to agree" in said.stderr
