"""Test run: everything of one evaluation, and whether the program is random or reads stale output."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bayescope.engine.app.trial_text import trial_lines
from bayescope.engine.problem.bundled import examples_folder
from bayescope.engine.problem.definition import (
    DataTable,
    ExtraFile,
    GaussianKnown,
    LabelledNumber,
    LogLikelihoodOutput,
    Match,
    Normal,
    Output,
    Parameter,
    Predictions,
    Problem,
    Simulator,
    TemplateFile,
    Uniform,
)
from bayescope.engine.problem.files import load
from bayescope.engine.protocol import TrialRunReport
from bayescope.engine.simulator.run_folder import STDOUT
from consents import trial_run

LINE = """
    import sys
    a, b = (float(word.split("=")[1]) for word in open("in.txt").read().split())
    print("values:", a, b, a + b)
    open("extra.dat", "w").write("side product")
    print("a warning", file=sys.stderr)
"""


def problem_of(command: tuple[str, ...], **changes: Any) -> Problem:
    simulator = Simulator(
        command=command,
        templates=(TemplateFile(target="in.txt", text="a=@a@\nb=@b@\n"),),
        environment={"OMP_NUM_THREADS": "1", "A": "@a@"},
    )
    fields: dict[str, Any] = {
        "name": "line",
        "parameters": (
            Parameter(name="a", prior=Normal(mean=0.0, sd=1.0)),
            Parameter(name="b", prior=Uniform(low=0.0, high=1.0)),
        ),
        "simulator": simulator,
        "outputs": (Output(name="sum", source="stdout", extractor=LabelledNumber(label="values:", occurrence=1)),),
        "meaning": Predictions(matches=(Match(output="sum", column="m"),), noise=GaussianKnown(sd=2.0)),
        "data": DataTable(columns={"m": (1.0,)}),
    }
    return Problem(**(fields | changes))


def test_the_report_holds_everything_a_person_needs(script: Any, tmp_path: Path) -> None:
    report = trial_run(problem_of(script(LINE)), {"a": 0.5, "b": 0.25}, tmp_path, folder=tmp_path / "trial")
    assert report.outcome == "ok", report.reason
    assert report.stdout == "values: 0.5 0.25 0.75\n"
    assert report.stderr == "a warning\n"
    assert report.exit_code == 0
    assert report.duration_s > 0
    assert report.environment == {"OMP_NUM_THREADS": "1", "A": "0.5"}
    assert Path(report.run_folder).is_dir()
    files = {file.name: (file.role, file.text) for file in report.files}
    assert files == {"in.txt": ("template", "a=0.5\nb=0.25\n"), "extra.dat": ("produced", "side product")}
    (output,) = report.outputs
    assert output.values == (0.5,)
    assert [report.stdout[a:b] for a, b in output.spans] == ["0.5"]
    assert report.log_likelihood == pytest.approx(-0.5 * 0.25**2 - 1.6120857137646179)
    assert report.log_prior == pytest.approx(-0.5 * 0.25 - 0.9189385332046727)
    assert report.predictions[0].measured == (1.0,)
    assert report.predictions[0].predicted == (0.5,)
    assert report.repeats_agree is None
    assert msgspec.json.decode(msgspec.json.encode(report), type=TrialRunReport) == report


def test_a_failed_trial_still_shows_what_was_filled_and_printed(script: Any, tmp_path: Path) -> None:
    report = trial_run(problem_of(script(LINE + "\n    sys.exit(3)")), {"a": 0.5, "b": 0.25}, tmp_path, folder=tmp_path / "t")
    assert report.outcome == "failed"
    assert "exit status 3" in report.reason
    assert report.stdout.startswith("values:")
    assert report.outputs[0].problem
    assert {file.name for file in report.files} == {"in.txt", "extra.dat"}


def test_a_missing_program_is_said_before_anything_is_written(tmp_path: Path) -> None:
    report = trial_run(problem_of(("no-such-program", "@a@")), {"a": 0.5, "b": 0.25}, tmp_path, folder=tmp_path / "t")
    assert report.outcome == "failed"
    assert "no-such-program" in report.reason
    assert report.command == ("no-such-program", "0.5")


def test_an_exact_program_is_told_from_a_random_one(script: Any, tmp_path: Path) -> None:
    exact = trial_run(problem_of(script(LINE)), {"a": 0.5, "b": 0.25}, tmp_path, 2, folder=tmp_path / "1")
    assert exact.repeats_agree is True
    assert "no random seed is seen in what it is given" in exact.repeats_words
    dice = LINE.replace("import sys", "import random, sys").replace('"values:", a', '"values:", a + random.random()')
    random = trial_run(problem_of(script(dice)), {"a": 0.5, "b": 0.25}, tmp_path, 2, folder=tmp_path / "2")
    assert random.repeats_agree is False
    assert "random" in random.repeats_words


def test_how_long_the_run_took_is_no_sign_of_a_random_program(script: Any, tmp_path: Path) -> None:
    timed = LINE + '    import time\n    print("CPU seconds", time.perf_counter_ns() % 1_000_003)\n'
    outputs = (*problem_of(()).outputs, Output(name="cpu_s", source="stdout", extractor=LabelledNumber(label="CPU seconds")))
    exact = trial_run(problem_of(script(timed), outputs=outputs), {"a": 0.5, "b": 0.25}, tmp_path, 2, folder=tmp_path / "1")
    assert exact.repeats_agree is True
    assert "not random" in exact.repeats_words


def test_a_program_that_takes_no_notice_of_the_parameters_is_found_out(tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_text("values: 7\n")
    problem = problem_of((sys.executable, "-I", "-c", "print(open('old.txt').read())"))
    simulator = msgspec.structs.replace(problem.simulator, extra_files=(ExtraFile(path="old.txt"),))
    report = trial_run(
        msgspec.structs.replace(problem, simulator=simulator), {"a": 0.5, "b": 0.25}, tmp_path, 2, folder=tmp_path / "t"
    )
    assert report.repeats_agree is True
    assert "stay the same even when the parameters are changed" in report.repeats_words


@pytest.mark.parametrize(
    ("line", "agree", "told"),
    [
        (LINE, True, "takes notice of the parameters"),
        ("print('always 7')", True, "wrote stays the same even when the parameters are changed"),
        ("import random\nprint('begun')\nprint('x', random.random())", False, "line 2 of printed text: “x 0."),
    ],
)
def test_running_twice_looks_at_what_was_printed_while_no_output_is_marked(
    script: Any, tmp_path: Path, line: str, agree: bool, told: str
) -> None:
    problem = msgspec.structs.replace(problem_of(script(line)), outputs=())
    report = trial_run(problem, {"a": 0.5, "b": 0.25}, tmp_path, 2, folder=tmp_path / "t")
    assert report.outcome == "ok"
    assert report.repeats_agree is agree
    assert told in report.repeats_words


def test_a_log_likelihood_of_minus_infinity_is_impossible_not_failed(script: Any, tmp_path: Path) -> None:
    problem = problem_of(
        script("print('values: -inf')"), meaning=LogLikelihoodOutput(output="sum"), data=None
    )
    report = trial_run(problem, {"a": 0.5, "b": 0.25}, tmp_path, folder=tmp_path / "t")
    assert report.outcome == "impossible"
    assert report.log_likelihood is None


def test_the_bundled_example_runs_as_a_trial(tmp_path: Path) -> None:
    folder = examples_folder() / "contamination"
    values = {"x0": 0.23, "ts": 0.3, "q0": 6.366, "rho": 0.05}
    report = trial_run(load(folder / "problem.json"), values, folder, 2, folder=tmp_path / "t")
    assert report.outcome == "ok", report.reason
    assert report.log_likelihood is not None
    assert len(report.predictions) == 2


def test_what_is_written_into_a_working_folder_of_the_users_is_shown_without_its_old_rows(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "log.txt").write_text("values: 1 1 1\n")
    (work / "other.txt").write_text("untouched")
    problem = problem_of(("sh", "-c", "echo 'values: @a@ @b@ 3' >> log.txt; printf '\\377\\376\\0' > new.bin"))
    simulator = msgspec.structs.replace(problem.simulator, working_folder="work")
    outputs = tuple(msgspec.structs.replace(output, source="log.txt") for output in problem.outputs)
    problem = msgspec.structs.replace(problem, simulator=simulator, outputs=outputs)
    report = trial_run(problem, {"a": 0.5, "b": 0.25}, tmp_path, 2, folder=tmp_path / "t")
    found = {file.name: file for file in report.files if file.role == "produced"}
    assert sorted(found) == ["log.txt", "new.bin"]
    assert found["log.txt"].text == "values: 0.5 0.25 3\n"
    assert found["new.bin"].text is None
    assert "other.txt" not in found


def test_a_script_that_changes_to_its_own_folder_is_seen_to_write_beside_itself(tmp_path: Path) -> None:
    script = tmp_path / "case" / "Allrun"
    script.parent.mkdir()
    lines = ("#!/bin/sh", "# case", 'cd "${0%/*}" || exit 1', "mkdir -p post/0", "echo 1 300.5 > post/0/T", "echo k > log.run")
    script.write_text("\n".join(lines) + "\n")
    (script.parent / "setup").write_text("kept\n")
    script.chmod(0o755)
    problem = problem_of((str(script),), outputs=(), data=None)
    beside = trial_run(problem, {"a": 1.0, "b": 0.5}, tmp_path, folder=tmp_path / "runs").beside
    assert beside is not None
    assert (beside.folder, beside.names) == (str(script.parent), ("log.run", "post/0/T"))
    assert (beside.number, beside.line) == (3, lines[2])
    script.write_text(script.read_text().replace(lines[2], ":"))
    assert trial_run(problem, {"a": 1.0, "b": 0.5}, tmp_path, folder=tmp_path / "again").beside is None


def test_test_runs_begin_with_the_seed_that_the_window_shows(script: Any, tmp_path: Path) -> None:
    seeded = problem_of((*script("import sys; print('values:', int(sys.argv[1]))"), "@seed@"))
    report = trial_run(seeded, {"a": 0.5, "b": 0.25}, tmp_path, 3, folder=tmp_path / "1")
    assert report.outputs[0].values == (12345.0,)
    for k in (1, 2, 3):
        assert (tmp_path / "1" / f"run-{k}" / STDOUT).read_text().split()[-1] == str(12344 + k)


def test_the_kind_of_a_binary_file_that_a_program_wrote_is_in_the_report_and_in_a_terminal(script: Any, tmp_path: Path) -> None:
    problem = problem_of(script("print(open('out.nc', 'wb').write(b'CDF' + bytes([1] + [0] * 40)))"), outputs=())
    found = trial_run(problem, {"a": 0.5, "b": 0.25}, tmp_path, folder=tmp_path / "t")
    (file,) = [f for f in found.files if f.name == "out.nc"]
    assert file.text is None
    assert file.binary is not None
    assert file.binary.words == "a netCDF file"
    said = "\n".join(trial_lines(found))
    assert "out.nc is a netCDF file. Let a small script be the program: it runs yours and then “ncdump out.nc”" in said


def test_what_a_second_run_at_the_same_values_wrote_otherwise_comes_back(script: Any, tmp_path: Path) -> None:
    command = script("""
        import random, pathlib
        pathlib.Path("steady.txt").write_text("x 1.0")
        pathlib.Path("random.txt").write_text(f"y {random.random()}")
        print("the same")
    """)
    problem = msgspec.structs.replace(problem_of(command), outputs=())
    report = trial_run(problem, {"a": 1.0, "b": 0.5}, tmp_path, 2, folder=tmp_path / "t")
    assert report.repeats_agree is False
    assert [file.name for file in report.again] == ["random.txt"]
    here = next(file for file in report.files if file.name == "random.txt")
    assert (report.again[0].text or "").startswith("y ")
    assert report.again[0].text != here.text
    assert report.again_s is not None
