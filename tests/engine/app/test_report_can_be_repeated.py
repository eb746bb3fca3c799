"""What a reader of the report has in hand is enough: its files and commands make the same runs again."""

from __future__ import annotations

import base64
import csv
import html
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from bayescope.engine.app.headless import load_example
from bayescope.engine.session.store import SessionStore

BUDGET = 12


def bayescope(folder: Path, *words: str) -> str:
    environment = {**os.environ, "BAYESCOPE_HOME": str(folder / "home"), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "bayescope.gui", *words], cwd=folder, env=environment, capture_output=True, encoding="utf-8",
        timeout=300,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    return done.stdout + done.stderr


@pytest.mark.long
def test_the_files_and_commands_of_a_report_make_the_same_runs_again(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    example = load_example("contamination")
    settings = msgspec.structs.replace(example.settings, max_evaluations=BUDGET, workers=1, seed=5, options={"stop": False})
    with SessionStore.create(first / "a.bayescope", msgspec.structs.replace(example, settings=settings), own=True):
        pass
    bayescope(first, "run", "a.bayescope", "--trust")
    bayescope(first, "export", "a.bayescope", "--report", "r.html")
    page = (first / "r.html").read_text(encoding="utf-8")
    for name, packed in re.findall(r'<a download="([a-z.]+)" href="data:[a-z/]+;base64,([^"]+)"', page):
        (second / name).write_bytes(base64.b64decode(packed))
    part = page[page.index("How to repeat this") :]
    commands = html.unescape(re.findall(r"<pre>(.*?)</pre>", part, re.DOTALL)[0]).splitlines()
    assert [line.split()[:2] for line in commands] == [["bayescope", "new"], ["bayescope", "run"], ["bayescope", "export"]]
    for line in commands:
        words = line.split()[1:]
        bayescope(second, *words, *(["--trust"] if words[0] != "export" else []))
    bayescope(second, "export", "repeated-a.bayescope", "--runs", "again.csv")
    rows = [list(csv.DictReader(io.StringIO((second / name).read_text()))) for name in ("runs.csv", "again.csv")]
    assert len(rows[0]) == len(rows[1]) == BUDGET
    names = [p.name for p in example.parameters] + ["outcome", "log_likelihood"]
    for one, again in zip(*rows, strict=True):
        assert {n: one[n] for n in names} == {n: again[n] for n in names}
    assert (second / "repeated.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
