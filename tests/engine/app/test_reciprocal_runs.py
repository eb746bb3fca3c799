"""Keys that are reciprocals of those of the data go through a session file, a run in a terminal and its report."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bayescope.engine.app.cli import main
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.files import dumps
from bayescope.engine.session.store import SessionStore

PROGRAM = """import sys
k = float(sys.argv[1])
with open("out.csv", "w") as f:
    f.write("wl,psi\\n")
    for wl in range(300, 1001, 50):
        f.write(f"{wl},{20 + k * 1239.84198433 / wl}\\n")
"""
ENERGIES = (1.4, 1.8, 2.35, 2.9, 3.6)


def test_a_run_compares_energies_with_what_is_printed_at_wavelengths(tmp_path: Path) -> None:
    script = tmp_path / "sim.py"
    script.write_text(PROGRAM)
    match = d.Match(
        output="psi", column="psi", key_output="wl", key_column="E (eV)", key_factor=1239.84198433, key_inverse=True,
        interpolate=True,
    )  # fmt: skip
    problem = d.Problem(
        name="film", parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=6.0)),),
        simulator=d.Simulator(command=(sys.executable, str(script), "@k@")),
        outputs=tuple(d.Output(name=n, source="out.csv", extractor=d.CsvColumn(column=n)) for n in ("wl", "psi")),
        meaning=d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=0.1)),
        data=d.DataTable(columns={"E (eV)": ENERGIES, "psi": tuple(20 + 3 * e for e in ENERGIES)}),
        settings=d.Settings(max_evaluations=6, workers=1),
    )  # fmt: skip
    path, session = tmp_path / "p.json", tmp_path / "s.bayescope"
    path.write_bytes(dumps(problem))
    assert main(["new", "--trust", str(path), str(session)]) == 0
    main(["run", "--trust", str(session)])
    with SessionStore.open(session, mode="read") as store:
        assert store.problem == problem
        records = store.evaluations()
    good = [r for r in records if r.outcome == "ok"]
    assert len(good) >= 5
    best = max(good, key=lambda r: r.log_likelihood if r.log_likelihood is not None else -1e300)
    assert best.values["k"] == pytest.approx(3.0, abs=1.0)
