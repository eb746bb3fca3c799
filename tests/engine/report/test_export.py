"""Files for other programs: they read back as what is in the session, and nothing in them is executed anywhere."""

from __future__ import annotations

import csv
import html.parser
import json
import os
import re
import subprocess
import sys
import zipfile
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest

from bayescope.engine.answer import csv_cells, latest
from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.problem.definition import DataTable, LogUniform, Parameter, Uniform
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.report import export, figures, report, support
from bayescope.engine.session.errors import SessionError
from bayescope.engine.session.store import SessionStore


@pytest.fixture
def store(session_path, problem, make_ask, make_evaluation, make_iteration):
    data = DataTable(columns={"x": (1.0, None, 3.0)})
    with SessionStore.create(session_path, msgspec.structs.replace(problem, data=data), own=True) as store:
        for i in range(6):
            store.add_cycle(asks=[make_ask(i)])
            store.add_evaluation(make_evaluation(i, outcome="failed" if i == 2 else "ok"))
        for i in range(4):
            store.add_iteration(make_iteration(i))
        yield store


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def test_samples_are_the_posteriors_draws_and_the_same_seed_gives_the_same_file(store, tmp_path):
    beside = export.export_samples(store, tmp_path / "s.csv", n=200, seed=4)
    table = rows_of(tmp_path / "s.csv")
    assert table[0] == ["a", "b"]
    posterior, _ = latest.posterior_of(store)
    np.testing.assert_array_equal(np.array(table[1:], dtype=float), posterior.sample(200, 4))
    first = (tmp_path / "s.csv").read_bytes()
    export.export_samples(store, tmp_path / "s.csv", n=200, seed=4, replace=True)
    assert (tmp_path / "s.csv").read_bytes() == first
    export.export_samples(store, tmp_path / "t.csv", n=200, seed=5)
    assert (tmp_path / "t.csv").read_bytes() != first
    origin = json.loads(beside.read_text())
    assert origin["elbo"] == store.last_iteration().elbo
    assert origin["elbo_sd"] == 0.1
    assert origin["evaluations"] == 6
    assert origin["failed"] == 1
    assert origin["sampling_seed"] == 4
    assert origin["versions"]["numpy"] == np.__version__
    assert sorted(p.name for p in tmp_path.iterdir() if p.suffix == ".part") == []


def test_without_an_answer_there_is_a_sentence(session_path, problem, tmp_path):
    with SessionStore.create(session_path, problem, own=True) as empty, pytest.raises(SessionError, match="no posterior yet"):
        export.export_samples(empty, tmp_path / "s.csv")
    assert not (tmp_path / "s.csv").exists()


def test_evaluations_and_summary_read_back(store, tmp_path):
    export.export_evaluations(store, tmp_path / "e.csv")
    table = rows_of(tmp_path / "e.csv")
    assert len(table) == 7
    assert table[3][2] == "failed"
    assert table[3][-1] == "the program ended with exit status 3"
    assert float(table[1][3]) == store.evaluations()[0].values["a"]
    export.export_summary(store, tmp_path / "m.csv")
    summary = rows_of(tmp_path / "m.csv")
    posterior, _ = latest.posterior_of(store)
    assert float(summary[1][2]) == posterior.mean()[0]
    assert [row[0] for row in summary[1:]] == ["a", "b"]


def test_netcdf_is_read_by_arviz_conventions(store, tmp_path):
    xarray = pytest.importorskip("xarray")
    export.export_netcdf(store, tmp_path / "p.nc", n=50, seed=1)
    with xarray.open_dataset(tmp_path / "p.nc", group="posterior", engine="h5netcdf") as dataset:
        assert dataset["a"].shape == (1, 50)
        assert json.loads(dataset.attrs["provenance"])["analysis"] == "two numbers"
    with xarray.open_dataset(tmp_path / "p.nc", group="observed_data", engine="h5netcdf") as dataset:
        assert np.isnan(dataset["x"][1])


@pytest.mark.parametrize("text", ["=1+1", "+x", "-cmd", "@SUM(A1)", "  =HYPERLINK()", "\t=1", "\r=1"])
def test_text_that_a_spreadsheet_would_run_is_made_inert(text):
    assert csv_cells.safe_cell(text).startswith("'")


def test_numbers_are_never_changed_by_the_protection():
    assert csv_cells.safe_cell(-1.5) == "-1.5"
    assert csv_cells.safe_cell(-3) == "-3"
    assert float(csv_cells.safe_cell(0.1 + 0.2)) == 0.1 + 0.2


def test_a_reason_with_a_formula_is_inert_in_the_exported_table(session_path, problem, make_evaluation, tmp_path):
    from dataclasses import replace

    with SessionStore.create(session_path, problem, own=True) as store:
        store.add_evaluation(replace(make_evaluation(0, outcome="failed"), reason="=cmd|'/c calc'!A0"))
        export.export_evaluations(store, tmp_path / "e.csv")
    assert rows_of(tmp_path / "e.csv")[1][-1].startswith("'=")


class Tags(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def test_the_report_is_one_file_with_every_name_escaped(store, tmp_path):
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    parameters = tuple(msgspec.structs.replace(p, label=evil, unit="<b>") for p in store.problem.parameters)
    with SessionStore.create(tmp_path / "evil.bayescope", msgspec.structs.replace(
        store.problem, name=evil, description=evil, parameters=parameters
    ), own=True) as other:  # fmt: skip
        for r in store.iterations():
            other.add_iteration(r)
        other.notes = evil
        report.export_report(other, tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text()
    tags = Tags()
    tags.feed(text)
    assert not {"script", "img", "iframe", "link", "object", "b "} & {tag for tag, _ in tags.found}
    assert not any(k.startswith("on") for _, attrs in tags.found for k in attrs)
    assert "&lt;script&gt;" in text
    links = [a for t, a in tags.found if "href" in a and not a["href"].startswith("#")]
    assert [a["download"] for a in links] == ["problem.json", "runs.csv"], "files that are inside, and nothing else"
    assert all(re.fullmatch(r"data:(application/json|text/csv);base64,[A-Za-z0-9+/=]+", a["href"]) for a in links)
    assert text.count("<svg") == 3
    assert "Acerbi" in text


def test_a_figure_of_the_marginals_is_a_png(store):
    data = figures.png(figures.marginals(store))
    assert data.startswith(b"\x89PNG")
    assert len(data) > 5000


@pytest.mark.skipif(sys.platform == "win32", reason="needs a file-size limit")
def test_a_full_disk_leaves_the_old_file_and_says_so(store, tmp_path):
    target = tmp_path / "s.csv"
    target.write_text("old")
    code = (
        "import resource, sys\n"
        "from bayescope.engine.report import export\n"
        "from bayescope.engine.session.store import SessionStore\n"
        "store = SessionStore.open(sys.argv[1], mode='read')\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try: export.export_samples(store, sys.argv[2], 1000, replace=True)\n"
        "except Exception as e: print(type(e).__name__, e)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(store.path), str(target)], capture_output=True, text=True)
    assert "SessionError The file could not be written" in done.stdout
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir() if ".part" in p.name] == []


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="needs to become another user")
def test_a_read_only_folder_opens_for_reading_and_says_so(store, tmp_path):
    path = store.path
    store.copy_to(tmp_path / "shared.bayescope")
    os.chmod(tmp_path / "shared.bayescope", 0o444)
    for folder in (tmp_path, *tmp_path.parents[:3]):
        os.chmod(folder, 0o755)
    code = (
        "import os, sys\nfrom bayescope.engine.session.store import SessionStore\n"
        "os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534)\n"
        "s = SessionStore.open(sys.argv[1])\n"
        "print(s.writable, s.read_only_reason, len(s.evaluations()))\n"
    )
    shared = str(tmp_path / "shared.bayescope")
    done = subprocess.run([sys.executable, "-B", "-c", code, shared], capture_output=True, text=True)
    assert done.stdout.startswith("False"), done.stderr
    assert "reading only" in done.stdout
    assert done.stdout.strip().endswith("6")
    assert path.exists()


def test_a_support_bundle_holds_logs_and_versions_and_no_data_unless_wanted(store, tmp_path, monkeypatch):
    monkeypatch.setenv("BAYESCOPE_HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "logs").mkdir(parents=True)
    (tmp_path / "home" / "logs" / "engine.log").write_text(f"opened {os.path.expanduser('~')}/secret/x")
    support.export_support_bundle(tmp_path / "b.zip", store)
    with zipfile.ZipFile(tmp_path / "b.zip") as bundle:
        assert sorted(bundle.namelist()) == ["logs/engine.log", "session.json", "versions.json"]
        assert bundle.read("logs/engine.log") == b"opened ~/secret/x"
        session = json.loads(bundle.read("session.json"))
        assert "data" not in session["problem"]
        assert "values" not in session["evaluations"][0]
    support.export_support_bundle(tmp_path / "c.zip", store, with_data=True)
    with zipfile.ZipFile(tmp_path / "c.zip") as bundle:
        assert "session.bayescope" in bundle.namelist()


def test_figures_have_log_axes_for_log_parameters_alone_and_densities_per_factor_of_ten(store, monkeypatch):
    monkeypatch.setattr(figures, "posterior_of", lambda store: (log_posterior(), SimpleNamespace(slices={})))
    drawn = figures.marginals(store).axes
    assert [axis.get_xscale() for axis in drawn[:2]] == ["log", "linear"]
    x, density = drawn[0].lines[0].get_data()
    assert np.trapezoid(density, np.log10(x)) == pytest.approx(1.0, abs=0.01)
    prior = drawn[0].lines[1].get_ydata()
    assert np.allclose(prior, 1.0 / 4.0), "log-uniform over four decades is flat on such an axis"
    pair = [axis for axis in figures.pairs(store).axes if axis.get_visible()]
    assert [(axis.get_xscale(), axis.get_yscale()) for axis in pair] == [
        ("log", "linear"), ("log", "linear"), ("linear", "linear"),
    ]  # fmt: skip
    assert figures.png(figures.pairs(store)).startswith(b"\x89PNG")


def log_posterior():
    """Of a log-uniform parameter named a and a uniform one named b."""
    space = ParameterSpace(
        (
            Parameter(name="a", prior=LogUniform(low=1e-2, high=1e2)),
            Parameter(name="b", prior=Uniform(low=-1.0, high=1.0)),
        )
    )
    mean = space.to_inference(np.array([[1.0, 0.0]]))
    return StoredPosterior(space, [1.0], mean, 0.1 * np.eye(2)[None])
