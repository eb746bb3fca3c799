"""The private environment is made with lines that say what is done and for how long, though no terminal is there."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
SAID = """\
Looking in indexes: https://pypi.org/simple
WARNING: Location 'file:///opt/simple' is ignored: it is neither a file nor a directory.
Collecting torch==2.13.0+cpu
  Downloading https://download.pytorch.org/whl/cpu/torch-2.13.0%2Bcpu-cp311-cp311-linux_x86_64.whl (191.4 MB)
Collecting PySide6_Essentials
  Using cached pyside6_essentials-6.10.3-cp39-abi3-manylinux_2_28_x86_64.whl (77.1 MB)
Collecting six
  Downloading six-1.17.0-py2.py3-none-any.whl (11 kB)
Installing collected packages: torch, PySide6_Essentials, six
"""


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(PACKAGING))
    import install_steps

    return install_steps


def test_large_downloads_and_the_installing_have_a_line_each_and_nothing_else(steps: Any) -> None:
    said: list[str] = []
    one = steps.Steps(said.append, lambda: 5)
    for line in SAID.splitlines(keepends=True):
        one.hear(line)
    assert said == [
        "downloading torch 2.13.0 (191.4 MB)",
        "downloading pyside6-essentials 6.10.3 (77.1 MB)",
        "installing 3 packages; nothing more is downloaded",
    ]
    one.wait()
    assert said[-1] == "installing, 0 of 3 done"


def test_a_download_that_takes_long_is_told_of_now_and_then(
    steps: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "EVERY", 0.5)
    said: list[str] = []
    program = "import time; print('Collecting torch'); print('  Downloading torch-2.1-cp3.whl (19 MB)', flush=True)"
    assert steps.install([sys.executable, "-c", f"{program}; time.sleep(2.5)"], tmp_path, tmp_path, said.append) == 0
    assert said[0] == "downloading torch 2.1 (19.0 MB)"
    assert 1 <= said.count("1 looked up, 19 MB downloaded or at hand; downloading torch 2.1 (19.0 MB)") <= 4


@pytest.mark.parametrize("quiet", [False, True])
def test_why_it_failed_is_printed_without_the_chatter_before(
    steps: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], quiet: bool
) -> None:
    program = f"import sys; print({SAID!r}); print('ERROR: No matching distribution found for torch', file=sys.stderr)"
    assert steps.install([sys.executable, "-c", f"{program}; sys.exit(1)"], tmp_path, tmp_path, print, quiet=quiet) == 1
    shown = capsys.readouterr().out
    assert ("ERROR: No matching distribution found for torch" in shown) != quiet
    assert "Collecting" not in shown
    assert "WARNING" not in shown


def test_the_time_that_passed_stands_before_each_line(steps: Any, capsys: pytest.CaptureFixture[str]) -> None:
    say: Callable[[str], None] = steps.timed(time.monotonic() - 125)
    say("installing")
    assert capsys.readouterr().out == "  2:05  installing\n"
