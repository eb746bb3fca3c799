"""The notebook is valid, and its cells, run one after another in a process of their own, make every figure of the report."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from bayescope.engine.library.saved import open_session
from bayescope.engine.report import report_figures
from bayescope.engine.report.notebook import export_notebook
from bayescope.engine.session.errors import SessionError
from bayescope.engine.session.store import SessionStore

PLAYER = """
import ast, json, sys
space = {}
for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]:
    if cell["cell_type"] != "code":
        continue
    *first, last = ast.parse("".join(cell["source"])).body
    exec(compile(ast.Module(first, []), "cell", "exec"), space)
    if not isinstance(last, ast.Expr):
        exec(compile(ast.Module([last], []), "cell", "exec"), space)
        continue
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), space)  # what Jupyter shows below a cell
    if hasattr(value, "_repr_svg_"):
        print("FIGURE", len(value._repr_svg_()))
print("NAMES", space["analysis"].names, space["samples"].shape)
"""


@pytest.fixture
def session(tmp_path, problem, make_evaluation, make_iteration) -> Path:
    """A real answer of odd names in a folder of an odd name."""
    folder = tmp_path / "it's here"
    folder.mkdir()
    path = folder / 'rod "2".bayescope'
    named = msgspec.structs.replace(problem, name="A *bold* <b>name</b>\n`of` two | $lines$")
    with SessionStore.create(path, named, own=True) as store:
        for k in range(6):
            store.add_evaluation(make_evaluation(k))
        for k in range(1, 4):
            store.add_iteration(replace(make_iteration(k), n_evaluations=2 * k))
    return path


def test_every_cell_runs_in_order_in_a_plain_python_and_every_figure_of_the_report_is_there(session: Path) -> None:
    notebook, player = session.parent / "figures.ipynb", session.parent / "player.py"
    with SessionStore.open(session, mode="read") as store:
        export_notebook(store, notebook)
    player.write_text(PLAYER)
    done = subprocess.run(
        [sys.executable, str(player), str(notebook)], cwd=session.parent, capture_output=True, encoding="utf-8", timeout=100
    )
    assert done.returncode == 0, done.stderr
    wanted = [name for name in report_figures.FIGURES if f"analysis.figure('{name}')" in notebook.read_text()]
    assert done.stdout.count("FIGURE") == len(wanted) >= 3
    assert {"marginals", "pairs", "trace"} <= set(wanted)
    assert "NAMES ('a', 'b') (10000, 2)" in done.stdout


def test_the_notebook_has_what_the_format_4_5_asks_for_and_no_name_becomes_markup_or_code(session: Path) -> None:
    notebook = session.parent / "sub" / "figures.ipynb"
    notebook.parent.mkdir()
    with SessionStore.open(session, mode="read") as store:
        export_notebook(store, notebook)
    found = json.loads(notebook.read_text(encoding="utf-8"))
    assert (found["nbformat"], found["nbformat_minor"]) == (4, 5)
    assert set(found) == {"cells", "metadata", "nbformat", "nbformat_minor"}
    assert len({cell["id"] for cell in found["cells"]}) == len(found["cells"])
    for cell in found["cells"]:
        common = {"cell_type", "id", "metadata", "source"}
        assert set(cell) == (common | {"execution_count", "outputs"} if cell["cell_type"] == "code" else common)
        assert all(line.endswith("\n") for line in cell["source"][:-1])
    title = found["cells"][0]["source"][0]
    assert title == "# A \\*bold\\* \\<b\\>name\\</b\\> \\`of\\` two \\| \\$lines\\$\n"
    opened = "".join(found["cells"][1]["source"])
    assert "../rod" in opened, "both can move together"
    compile(opened, "cell", "exec")


def test_a_session_without_an_answer_makes_no_notebook(tmp_path, problem) -> None:
    with (
        SessionStore.create(tmp_path / "new.bayescope", problem, own=True) as store,
        pytest.raises(SessionError, match="no posterior yet"),
    ):
        export_notebook(store, tmp_path / "n.ipynb")
    assert not (tmp_path / "n.ipynb").exists()


def test_the_library_reads_what_the_session_holds(session: Path) -> None:
    found = open_session(session)
    with SessionStore.open(session, mode="read") as store:
        last, count = store.last_iteration(), store.evaluation_count
    assert last is not None
    assert (found.log_evidence, found.log_evidence_sd) == (last.log_evidence, last.log_evidence_sd)
    assert np.array_equal(found.sample(50, seed=3), found.sample(50, seed=3))
    rows = found.summary()
    assert [row["name"] for row in rows] == ["a", "b"]
    draws = found.sample(20_000)
    assert np.allclose([row["mean"] for row in rows], draws.mean(0), atol=6 * draws.std(0).max() / 140)
    assert len(found.runs()) == count
    assert found.runs()[0]["values"].keys() == {"a", "b"}
    assert json.loads(found.problem_json())["name"] == found.problem.name


def test_a_figure_that_is_none_is_answered_with_the_nearest(session: Path, tmp_path: Path) -> None:
    found = open_session(session)
    with pytest.raises(ValueError, match="Did you mean “marginals”"):
        found.figure("marginal")
    with pytest.raises(ValueError, match="nothing to show"):
        found.figure("predictions")
    picture = found.figure("marginals")
    picture.save(tmp_path / "m.pdf")
    assert (tmp_path / "m.pdf").read_bytes().startswith(b"%PDF")
