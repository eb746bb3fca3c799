"""Each defect of a program has its own sentence, with what to try."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from bayescope.engine.problem import bundled, program
from bayescope.engine.problem.definition import ExtraFile, Limits, Simulator, TemplateFile
from bayescope.engine.problem.errors import SetupError
from bayescope.engine.simulator import preflight

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")


def complaint(command: tuple[str, ...], base: Path) -> str:
    found = program.resolve(command, base, base / "run", os.environ)
    with pytest.raises(SetupError) as caught:
        preflight.check(found, os.environ)
    assert caught.value.suggestion
    return str(caught.value)


def make(path: Path, content: bytes, mode: int = 0o755) -> str:
    path.write_bytes(content)
    path.chmod(mode)
    return str(path)


def elf(machine: int) -> bytes:
    head = bytearray(Path(sys.executable).resolve().read_bytes()[:4096])
    head[18:20] = machine.to_bytes(2, "little")
    return bytes(head)


def test_every_defect_has_a_sentence_of_its_own(tmp_path: Path) -> None:
    said = [
        complaint(("",), tmp_path),
        complaint(("no-such-program-here",), tmp_path),
        complaint((str(tmp_path / "nowhere" / "sim"),), tmp_path),
        complaint((str(tmp_path / "sim-gone"),), tmp_path),
        complaint((str(tmp_path),), tmp_path),
        complaint((make(tmp_path / "plain", b"#!/bin/sh\n", 0o644),), tmp_path),
        complaint((make(tmp_path / "sim.py", b"print(1)\n", 0o644),), tmp_path),
        complaint((make(tmp_path / "text", b"echo 1\n"),), tmp_path),
        complaint((make(tmp_path / "dos", b"#!/bin/sh\r\necho 1\r\n"),), tmp_path),
        complaint((make(tmp_path / "odd", b"#!/usr/bin/python9.9\n"),), tmp_path),
        complaint((make(tmp_path / "env", b"#!/usr/bin/env no-such-interpreter\n"),), tmp_path),
        complaint((make(tmp_path / "win.exe", b"MZ\x90\0" * 30),), tmp_path),
        complaint((make(tmp_path / "mac", b"\xcf\xfa\xed\xfe" + b"\0" * 90),), tmp_path),
        complaint((make(tmp_path / "cut", b"\x7fELF\x02\x01"),), tmp_path),
        complaint(("python3", "missing_script.py"), tmp_path),
        complaint(("python3", str(tmp_path)), tmp_path),
    ]
    (tmp_path / "broken").symlink_to(tmp_path / "gone")
    said.append(complaint((str(tmp_path / "broken"),), tmp_path))
    assert len(set(said)) == len(said)
    for words, sentence in zip(
        ["No program", "search path", "folder “", "not there any more", "is a folder", "not marked as executable",
         "python3 sim.py", "first line does not say", "Windows line ends", "python9.9", "no-such-interpreter",
         "Windows program", "macOS program", "cut off", "The script", "not a script", "is a link"],
        said, strict=True,
    ):  # fmt: skip
        assert words in sentence


@pytest.mark.skipif(platform.machine() != "x86_64" or sys.platform != "linux", reason="made from this ELF program")
def test_a_program_for_another_processor_is_named(tmp_path: Path) -> None:
    assert "another processor (aarch64" in complaint((make(tmp_path / "arm", elf(183)),), tmp_path)


def test_a_misspelt_program_is_answered_with_a_likely_one(tmp_path: Path) -> None:
    assert "“python3”" in complaint(("pythn3",), tmp_path) or "python" in complaint(("pythn3",), tmp_path)


def test_real_programs_pass(tmp_path: Path) -> None:
    for name in ("sh", "python3", "env"):
        if shutil.which(name):
            preflight.check(program.resolve((name,), tmp_path, tmp_path, os.environ), os.environ)


def test_a_script_is_found_beside_the_analysis_with_its_interpreter_first(run: Any, tmp_path: Path) -> None:
    (tmp_path / "my sim ü.py").write_text("import sys\nprint(float(sys.argv[1]) * 2)")
    result = run(Simulator(command=(sys.executable, "-I", "my sim ü.py", "@a@")), values={"a": 1.5})
    assert result.outputs["y"].tolist() == [3.0]


def test_a_program_beside_the_analysis_and_one_made_from_a_template_are_found(run: Any, tmp_path: Path) -> None:
    make(tmp_path / "sim", b"#!/bin/sh\necho $1\n")
    assert run(Simulator(command=("./sim", "@a@")), values={"a": 4.0}).outputs["y"].tolist() == [4.0]
    assert run(Simulator(command=("sim", "@a@")), values={"a": 4.0}).outputs["y"].tolist() == [4.0]
    deck = TemplateFile(target="deck.sh", text="echo @a@\n")
    assert run(Simulator(command=("sh", "deck.sh"), templates=(deck,)), values={"a": 5.0}).outputs["y"].tolist() == [5.0]


def test_extra_files_and_folders_are_copied_or_linked(run: Any, tmp_path: Path) -> None:
    (tmp_path / "mesh.dat").write_text("2")
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "a.txt").write_text("3")
    extra = (ExtraFile(path="mesh.dat", target="in/m.dat"), ExtraFile(path="tables", link=True))
    result = run(Simulator(command=("sh", "-c", "cat in/m.dat tables/a.txt; echo ' 9'"), extra_files=extra))
    assert result.stdout_tail == "23 9\n"
    missing = run(Simulator(command=("echo", "1"), extra_files=(ExtraFile(path="nope.dat"),)))
    assert missing.cause == "setup"
    assert "nope.dat" in missing.reason


@pytest.mark.parametrize(
    ("path", "words"), [(".", "holds the run folders themselves"), ("/", "holds the run"), ("/dev/zero", "neither a file")]
)
def test_what_must_not_be_copied_for_every_run_is_refused(run: Any, path: str, words: str) -> None:
    result = run(Simulator(command=("echo", "1"), extra_files=(ExtraFile(path=path, target="in"),)))
    assert (result.outcome, result.cause) == ("failed", "setup")
    assert words in result.reason


def test_a_folder_too_large_to_be_copied_is_refused_but_may_be_linked(run: Any, tmp_path: Path) -> None:
    (tmp_path / "data" / "deep").mkdir(parents=True)
    (tmp_path / "data" / "deep" / "big").write_bytes(b"0" * 300_000)
    limits = Limits(files_mb=0.2)
    copied = run(Simulator(command=("echo", "1"), extra_files=(ExtraFile(path="data"),), limits=limits))
    assert "too large to be copied" in copied.reason
    assert run(Simulator(command=("echo", "1"), extra_files=(ExtraFile(path="data", link=True),), limits=limits)).outcome == "ok"


def test_a_working_folder_of_the_users_is_used_and_runs_take_turns_in_it(run: Any, tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "params.txt").write_text("8")
    simulator = Simulator(command=("sh", "-c", "cat params.txt; echo ' @run_folder@' 6"), working_folder="code")
    result = run(simulator)
    assert result.outputs["y"].tolist() == [6.0]
    assert result.stdout_tail.startswith("8 /")
    assert "working folder" in run(Simulator(command=("echo", "1"), working_folder="nowhere")).reason


@pytest.mark.parametrize("command", [("./tool", "@a@"), ("sh", "../inner.sh", "@a@"), ("sh", "tool", "@a@")])
def test_a_program_named_from_the_chosen_working_folder_is_found(run: Any, tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "deep" / "code").mkdir(parents=True)
    make(tmp_path / "deep" / "code" / "tool", b"#!/bin/sh\necho $1\n")
    make(tmp_path / "deep" / "inner.sh", b"echo $1\n")
    result = run(Simulator(command=command, working_folder="deep/code"), values={"a": 2.5})
    assert result.outputs["y"].tolist() == [2.5], result.reason


def test_an_argument_that_names_a_file_beside_the_analysis_gets_a_hint(tmp_path: Path) -> None:
    (tmp_path / "mesh.dat").write_text("")
    found = program.resolve(("sh", "-c", "true", "mesh.dat"), tmp_path, tmp_path / "run", os.environ)
    assert "extra files" in preflight.hint_about_arguments(found, tmp_path, tmp_path / "run")[0]


@pytest.mark.parametrize("name", sorted(bundled.PROGRAMS))
def test_bundled_programs_are_there_from_source_and_beside_a_frozen_application(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    command = bundled.resolve(f"bayescope:{name}")
    assert command[:3] == [sys.executable, "-I", "-S"]
    assert Path(command[3]).is_file()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bayescope"))
    assert bundled.resolve(f"bayescope:{name}") == [str(tmp_path / bundled.PROGRAMS[name][0])]


def test_an_unknown_bundled_program_is_said_in_words() -> None:
    with pytest.raises(SetupError, match="no bundled program called “nope”"):
        bundled.resolve("bayescope:nope")
