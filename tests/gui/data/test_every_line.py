"""One number of many lines that are alike was marked, where each line was measured: one click reads all of them."""

from __future__ import annotations

import msgspec
from data_pages import PROBLEM

from bayescope.engine.problem import definition as d
from bayescope.engine.protocol import TrialOutput, TrialRunReport
from bayescope.gui.models.data.compared_outputs import read_now
from bayescope.gui.models.data.mismatches import mismatch

TEXT = "".join(f"step temp\n 1 {i}.5\nAVERAGE state {i}  p/atm {290 + i}.5  u {-i}.25\n" for i in range(1, 5))
OUTPUTS = tuple(
    d.Output(name=name, source="stdout", extractor=d.LabelledNumber(label=label))
    for name, label in (("p", "p/atm"), ("u", "  u"))
)
DATA = d.DataTable(columns={"p [bar]": (291.0, 211.0, 175.0, 670.0), "U": (-5.1, -4.8, -3.7, float("nan"))})
REPORT = TrialRunReport(
    outcome="ok", stdout=TEXT, outputs=(
        TrialOutput(name="p", source="stdout", values=(291.5,)), TrialOutput(name="u", source="stdout", values=(-1.25,)),
    ),
)  # fmt: skip


def problem(**columns: str) -> d.Problem:
    matches = tuple(d.Match(output=output, column=column) for output, column in columns.items())
    meaning = d.Predictions(matches=matches, noise=d.GaussianKnown(sd=1.0))
    return msgspec.structs.replace(PROBLEM, outputs=OUTPUTS, data=DATA, meaning=meaning)


def test_a_number_of_one_line_of_several_is_read_in_every_line_with_those_beside_it() -> None:
    found = mismatch(problem(p="p [bar]", u="U"), 0, REPORT)
    assert found is not None
    assert "It reads one line of 4 that are alike." in found.suggestion
    assert found.label_words == "Read “p” and “u” in every such line"
    assert found.by_label is not None
    assert read_now(found.by_label, REPORT)["p"].values == (291.5, 292.5, 293.5, 294.5)
    assert mismatch(found.by_label, 0, REPORT) is None
    assert mismatch(found.by_label, 1, REPORT) is None, "a line without a measured value is passed over"


def test_nothing_is_offered_where_there_are_not_as_many_lines_as_rows() -> None:
    longer = msgspec.structs.replace(DATA, columns={"p [bar]": (291.0, 211.0, 175.0, 670.0, 1.0, 2.0)})
    found = mismatch(msgspec.structs.replace(problem(p="p [bar]"), data=longer), 0, REPORT)
    assert found is not None
    assert found.by_label is None
