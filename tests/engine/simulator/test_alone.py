"""Each parameter moved alone: which change nothing that is read, and which must not be accused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from bayescope.engine.answer import no_effect
from bayescope.engine.problem import definition as d
from bayescope.engine.simulator import alone
from consents import trial_run

HALF_READ = """
    import sys
    lines = open("in.txt").read().splitlines()
    k1 = float(lines[0].split("=")[1])
    k4 = float(lines[3].split("=")[1])
    print("first", k1 * 0.3 + {extra})
    open("curve.txt", "w").write("x " + str(round(k4)))
"""


def declared(command: tuple[str, ...], **changes: Any) -> d.Problem:
    """Of k1 ... k4, where k2 and k3 stand in lines that the program does not read, and of k4 only whole numbers count."""
    names = "k1", "k2", "k3", "k4"
    text = "k1=@k1@\nk2=@k2@\nk3=@k3@\nk4=@k4@\n"
    fields: dict[str, Any] = {
        "name": "rates",
        "parameters": tuple(d.Parameter(name=n, prior=d.Uniform(low=0.0, high=2.0)) for n in names),
        "simulator": d.Simulator(command=command, templates=(d.TemplateFile(target="in.txt", text=text),)),
        "outputs": (
            d.Output(name="first", source="stdout", extractor=d.LabelledNumber(label="first")),
            d.Output(name="x", source="curve.txt", extractor=d.LabelledNumber(label="x")),
        ),
        "meaning": d.LogLikelihoodOutput(output="first"),
    }
    return d.Problem(**(fields | changes))


AT = {"k1": 0.5, "k2": 0.35, "k3": 1.0, "k4": 0.9}


def test_parameters_that_change_no_number_of_any_output_are_named(script: Any, tmp_path: Path) -> None:
    problem = declared(script(HALF_READ.format(extra="1")))
    report = trial_run(problem, AT, tmp_path, folder=tmp_path / "t", alone=True)
    assert report.outcome == "ok", report.reason
    assert report.idle == ("k2", "k3"), "k4 is rounded, and moves far enough to show"
    assert [f.name for f in (tmp_path / "t").iterdir()] == ["run-1"], "the other runs leave nothing"
    assert trial_run(problem, AT, tmp_path, folder=tmp_path / "u").idle is None, "nobody asked"


def test_a_random_program_accuses_no_parameter(script: Any, tmp_path: Path) -> None:
    problem = declared(script(HALF_READ.format(extra="__import__('random').random()")))
    assert trial_run(problem, AT, tmp_path, folder=tmp_path / "t", alone=True).idle == ()


def test_a_program_that_is_given_a_seed_or_takes_longer_is_left_alone(
    script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = declared(script(HALF_READ.format(extra="1")))
    simulator = msgspec.structs.replace(problem.simulator, environment={"SEED": "@seed@"})
    seeded = msgspec.structs.replace(problem, simulator=simulator)
    assert trial_run(seeded, AT, tmp_path, folder=tmp_path / "t", alone=True).idle is None
    monkeypatch.setattr(no_effect, "QUICK_S", 0.0)
    assert trial_run(problem, AT, tmp_path, folder=tmp_path / "u", alone=True).idle is None
    monkeypatch.undo()
    monkeypatch.setattr(alone, "MOST_S", 0.0)
    assert trial_run(problem, AT, tmp_path, folder=tmp_path / "v", alone=True).idle == (), "only the first was looked at"


def test_what_is_written_with_too_few_digits_to_move_is_not_accused(script: Any, tmp_path: Path) -> None:
    problem = declared(script(HALF_READ.format(extra="1")))
    formats = {"k3": d.NumberFormat(style="integer")}
    simulator = msgspec.structs.replace(problem.simulator, formats=formats)
    narrow = tuple(
        msgspec.structs.replace(p, prior=d.Uniform(low=0.9, high=1.1)) if p.name == "k3" else p for p in problem.parameters
    )
    problem = msgspec.structs.replace(problem, simulator=simulator, parameters=narrow)
    assert trial_run(problem, AT, tmp_path, folder=tmp_path / "t", alone=True).idle == ("k2",)


def test_one_that_acts_on_what_is_not_marked_yet_is_not_accused(script: Any, tmp_path: Path) -> None:
    """k2 acts on a file that no output reads, k3 is copied into it and acts on nothing; what a clock or chance writes there
    accuses and excuses nobody."""
    program = HALF_READ.format(extra="1") + """
    import random, time
    k2, k3 = (float(lines[i].split("=")[1]) for i in (1, 2))
    with open("modes.eig", "w") as file:
        file.write(f"input k2 {k2:.3e} k3 {k3:.3e}\\n")
        file.write(f"frequency {3.0 + k2 ** 2:.6f}\\n")
        file.write(f"ticket {random.random()} {time.time_ns()}\\n")
"""
    report = trial_run(declared(script(program)), AT, tmp_path, folder=tmp_path / "t", alone=True)
    assert report.outcome == "ok", report.reason
    assert report.idle == ("k3",)
    assert [f.name for f in (tmp_path / "t").iterdir()] == ["run-1"], "the other runs leave nothing"
