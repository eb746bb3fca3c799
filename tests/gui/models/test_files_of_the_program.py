"""What a program writes itself is not asked for, and not put into its runs without a word."""

from __future__ import annotations

import msgspec

from bayescope.engine.problem.definition import ExtraFile, LastNumber, LogLikelihoodOutput, Output, Problem, Simulator
from bayescope.engine.protocol import TrialRunReport
from bayescope.engine.protocol.reports import TrialFile
from bayescope.gui.models.simulator.files.loose_files import put_over, written_by_program


def report(outcome: str, *files: TrialFile) -> TrialRunReport:
    return TrialRunReport(command=("p",), values={}, outcome=outcome, files=files)  # type: ignore[arg-type]


def test_files_that_any_run_left_and_that_outputs_are_read_from_are_the_programs_own() -> None:
    polar = Output(name="CL", source="polar.txt", extractor=LastNumber())
    failed = report(
        "failed", TrialFile(name="log.txt", role="produced", size=9), TrialFile(name="empty.dat", role="produced"),
        TrialFile(name="wing.inp", role="template", size=3),
    )  # fmt: skip
    good = report("ok", TrialFile(name="quiet.out", role="produced"))
    assert written_by_program([failed, good], [polar]) == {"polar.txt", "log.txt", "quiet.out"}


def test_a_fixed_file_in_the_way_of_what_outputs_are_read_from_is_found() -> None:
    simulator = Simulator(command=("xfoil",), extra_files=(ExtraFile(path="grid.dat"), ExtraFile(path="old/polar.txt")))
    polar = Output(name="CL", source="polar.txt", extractor=LastNumber())
    meaning = LogLikelihoodOutput(output="CL")
    problem = Problem(name="wing", parameters=(), outputs=(polar,), meaning=meaning, simulator=simulator)
    assert put_over(problem) == ExtraFile(path="old/polar.txt")
    assert put_over(msgspec.structs.replace(problem, outputs=())) is None
