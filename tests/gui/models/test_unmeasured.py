"""Outputs of which nothing was measured are not asked for: a gauge that had failed in one load case."""

from __future__ import annotations

from bayescope.engine.problem import definition as d
from bayescope.engine.session.read_files import ReadFile
from bayescope.gui.models.archive.import_columns import SPLIT, TAKE
from bayescope.gui.models.data.unmeasured import emptied, unmeasured

TABLE = d.DataTable(
    columns={"D4 (mm)": (0.68, 2.04), "D5 (mm)": (None, 2.12), "D5 sd (mm)": (0.02, 0.02), "T (°C)": (18.4, 18.9)},
    texts={"case": ("LF1", "LF2")},
)
ROWS = (
    ("case", "case", TAKE), ("D4 (mm)", "D4 (mm)", SPLIT), ("D5 (mm)", "D5 (mm)", SPLIT), ("D5 sd (mm)", "D5 sd (mm)", SPLIT),
    ("T (°C)", "T (°C)", TAKE),
)  # fmt: skip


def test_the_split_tells_which_columns_it_would_have_made_of_missing_values() -> None:
    assert emptied(TABLE, ROWS, "case") == ("D5 LF1 (mm)",)
    assert emptied(TABLE, ROWS, "") == ()


def test_an_output_named_like_a_column_without_values_is_not_expected_to_be_compared() -> None:
    outputs = tuple(
        d.Output(name=n, source="res", extractor=d.LabelledNumber(label=n), length=1) for n in ("D4_LF1", "D5_LF1", "Q")
    )
    problem = d.Problem(
        name="", parameters=(), simulator=d.Simulator(command=("run",)), outputs=outputs,
        meaning=d.Predictions(matches=(), noise=d.GaussianKnown()), data=d.DataTable(columns={"D4 LF1 (mm)": (0.68,)}),
    )  # fmt: skip
    one = ReadFile(name="a.csv", digest="0", empty=("D5 LF1 (mm)",))
    assert unmeasured(problem, [one]) == {"D5_LF1"}
    assert unmeasured(problem, []) == frozenset()
    later = d.DataTable(columns={"D4 LF1 (mm)": (0.68,), "D5 LF1 (mm)": (-0.01,)})
    measured = d.Problem(
        name="", parameters=(), simulator=problem.simulator, outputs=outputs, meaning=problem.meaning, data=later
    )
    assert unmeasured(measured, [one]) == frozenset()
