"""Ishigami's function and the g-function as programs of their own, run through the engine: indices against their closed forms."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from bayescope.engine.answer.sensitivity import stored_sensitivity
from bayescope.engine.answer.sensitivity_words import sentence
from bayescope.engine.app import cli
from bayescope.engine.problem import definition as d
from bayescope.engine.session.store import SessionStore

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]
ISHIGAMI = """
import sys, math
a, b, c = map(float, sys.argv[1:])
print(repr(math.sin(a) + 7 * math.sin(b) ** 2 + 0.1 * c ** 4 * math.sin(a)))
"""
G_FUNCTION = """
import sys
p = 1.0
for x, a in zip(map(float, sys.argv[1:]), (0.0, 1.0, 4.5, 9.0)):
    p *= (abs(4 * x - 2) + a) / (1 + a)
print(repr(p))
"""
CASES = {
    "ishigami": (ISHIGAMI, 3, -np.pi, np.pi, 3.5, 10.0, ([0.3139, 0.4424, 0.0], [0.5576, 0.4424, 0.2437])),
    "g": (G_FUNCTION, 4, 0.0, 1.0, 1.0, 2.0, ([0.7163, 0.1791, 0.0237, 0.0072], [0.7883, 0.2438, 0.0343, 0.0105])),
}


@pytest.mark.parametrize("case", CASES)
def test_indices_of_a_real_session_are_those_in_closed_form(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Data that tell hardly anything keep the posterior as wide as the prior, so that its runs learn the function everywhere."""
    text, count, low, high, measured, sd, expected = CASES[case]
    program = tmp_path / "program.py"
    program.write_text(text, encoding="utf-8")
    names = [f"x{k}" for k in range(count)]
    problem = d.Problem(
        name=case,
        parameters=tuple(d.Parameter(name=n, prior=d.Uniform(low=low, high=high)) for n in names),
        simulator=d.Simulator(command=(sys.executable, str(program), *(f"@{n}@" for n in names))),
        outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),),
        meaning=d.Predictions(matches=(d.Match(output="y", column="y"),), noise=d.GaussianKnown(sd=sd)),
        data=d.DataTable(columns={"y": (measured,)}),
        settings=d.Settings(seed=1, max_evaluations=160, options={"stop": False, "learn": "outputs"}),
    )
    path = tmp_path / "a.bayescope"
    SessionStore.create(path, problem, own=True).close()
    assert cli.main(["run", str(path)]) == 0
    capsys.readouterr()
    assert cli.main(["taught", str(path), "--sensitivity"]) == 0
    said = capsys.readouterr().out
    with SessionStore.open(path, mode="read") as store:
        found = stored_sensitivity(store)
    assert found is not None
    (y,) = [i for i in found.indices if i.name == "y" and i.over == "prior"]
    assert y.known > 0.9
    for got, exact in zip((y.first, y.total), expected, strict=True):
        np.testing.assert_allclose([r[0] for r in got], exact, atol=0.06)
        assert all(low - 0.05 <= e <= top + 0.05 for (_, low, top), e in zip(got, exact, strict=True))
    assert sentence(y, found.parameters, {}) in said
    assert said.count("“y” depends mostly on x0 (.") >= 1
