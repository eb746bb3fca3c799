"""Code beside a Python script is added or exchanged after somebody agreed: whatever Python would load instead counts."""

from __future__ import annotations

import importlib.machinery
import os
import py_compile
import sys
from pathlib import Path

import msgspec
import pytest

from bayescope.engine.problem.definition import Problem, Simulator
from bayescope.engine.session.store import SessionStore
from bayescope.engine.session.trust.consent import NotAgreed, permit_for, sign
from bayescope.engine.session.trust.python_files import MAX_FILES
from bayescope.engine.session.trust.sheet import trust_sheet
from bayescope.engine.session.trust.what_runs import what_runs

pytestmark = pytest.mark.attack("python files")

EXTENSION = importlib.machinery.EXTENSION_SUFFIXES[0]
CACHED = f"__pycache__/helper.{sys.implementation.cache_tag}.pyc"
ADDED = [
    "helper.py", f"helper{EXTENSION}", "helper.so", "extra.pyc", "fractions.py", "ast.py", "numpy.py", "pkg/__init__.py",
    "pkg/sub.py", "pkg/deep/er/x.py", "names/pace.py", "my-helper.py", "2helper/x.py", "with space/x.py",
    "a/b/c/d/e/f/g/h/i/j/k/x.py",
]  # fmt: skip


@pytest.fixture
def script(folder: Path) -> Path:
    """Imports by names that no one can follow."""
    path = folder / "model.py"
    path.write_text("import importlib, sys\nexec('import helper')\nimportlib.import_module(sys.argv[1])\n")
    (folder / "helper.py").write_text("A = 1\n")
    (folder / "pkg").mkdir()
    (folder / "pkg" / "__init__.py").write_text("from .sub import A\n")
    (folder / "pkg" / "sub.py").write_text("A = 1\n")
    return path


def runs(*command: str) -> Simulator:
    return Simulator(command=(*command, "@a@"))


def put(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"raise SystemExit\n")


def agreed(simulator: Simulator, folder: Path, foreign: bool = True):
    return sign(simulator, folder, foreign=foreign)


@pytest.mark.parametrize("name", [*ADDED, CACHED, "pkg/__pycache__/sub.cpython-311.pyc", "__pycache__/helper.f-1.py311.nbi"])
def test_a_module_added_or_changed_beside_a_strangers_script_is_noticed(folder, script, name) -> None:
    simulator = runs(sys.executable, "model.py")
    signed = agreed(simulator, folder)
    permit = permit_for(signed, simulator, folder)
    assert permit.refusal(simulator, folder) == ""
    put(folder / name)
    with pytest.raises(NotAgreed, match="changed"):
        permit_for(signed, simulator, folder)
    assert "was changed" in permit.refusal(simulator, folder), "during a run too"


def test_a_virtual_environment_in_name_only_hides_nothing(folder, script) -> None:
    (folder / "pkg" / "pyvenv.cfg").touch()
    simulator = runs("python3", "model.py")
    signed = agreed(simulator, folder)
    put(folder / "pkg" / "sub.py")
    with pytest.raises(NotAgreed):
        permit_for(signed, simulator, folder)


@pytest.mark.parametrize("name", ["__pycache__/helper.cpython-311.pyc", "empty/x.py"])
def test_a_first_module_in_a_folder_that_had_none_is_noticed_during_a_run(folder, script, name) -> None:
    (folder / name).parent.mkdir()
    simulator = runs("python3", "model.py")
    permit = permit_for(agreed(simulator, folder), simulator, folder)
    put(folder / name)
    assert permit.refusal(simulator, folder)


def test_a_changed_file_of_an_extra_folder_is_noticed_during_a_run(folder, script) -> None:
    from bayescope.engine.problem.definition import ExtraFile

    (folder / "lib" / "deep").mkdir(parents=True)
    put(folder / "lib" / "deep" / "a.txt")
    simulator = Simulator(command=("true", "@a@"), extra_files=(ExtraFile(path="lib"),))
    permit = permit_for(agreed(simulator, folder), simulator, folder)
    (folder / "lib" / "deep" / "a.txt").write_text("other")
    assert permit.refusal(simulator, folder)


@pytest.mark.parametrize(
    ("command", "changed"),
    [
        (("python3", "model"), "helper.py"),
        (("python3", "link.py"), "elsewhere/other.py"),
        (("python3", "-m", "work"), "place/work.py"),
        (("python3", "-c", "import work"), "place/work.py"),
        (("awk", "-fm.awk"), "m.awk"),
        (("python3", "mo@v@.py"), "model.py"),
        (("./mo@v@",), "model"),
    ],
    ids=["no ending", "link", "-m", "-c", "attached", "placeholder in the script", "placeholder in the program"],
)
def test_code_that_is_found_in_other_ways_is_compared(folder, script, command, changed) -> None:
    (folder / "model").write_text("import helper\n")
    for place in ("elsewhere", "place"):
        (folder / place).mkdir()
    for name in ("elsewhere/real.py", "elsewhere/other.py", "place/work.py", "m.awk"):
        put(folder / name)
    (folder / "link.py").symlink_to("elsewhere/real.py")
    simulator = msgspec.structs.replace(runs(*command), working_folder="place")
    signed = agreed(simulator, folder)
    (folder / changed).write_text("print(2)\n")
    with pytest.raises(NotAgreed):
        permit_for(signed, simulator, folder)


@pytest.mark.parametrize("name", ADDED)
def test_beside_ones_own_script_too(folder, script, name) -> None:
    simulator = runs("python3", "model.py")
    signed = agreed(simulator, folder, foreign=False)
    put(folder / name)
    with pytest.raises(NotAgreed, match="changed"):
        permit_for(signed, simulator, folder)


def test_pythons_own_cache_beside_ones_own_script_is_no_change(folder, script) -> None:
    simulator = runs("python3", "model.py")
    signed = agreed(simulator, folder, foreign=False)
    permit = permit_for(signed, simulator, folder)
    py_compile.compile(str(folder / "helper.py"))
    assert permit_for(signed, simulator, folder).refusal(simulator, folder) == ""
    assert permit.refusal(simulator, folder) == ""


def test_a_poisoned_cache_beside_ones_own_script_is_not_used(folder: Path, problem: Problem, command, trace) -> None:
    """A colleague sends the folder back with one file more."""
    (folder / "helper.py").write_text("A = 1\n")
    (folder / "model.py").write_text("import helper\nprint(-0.5)\n")
    simulator = msgspec.structs.replace(problem.simulator, command=(sys.executable, "model.py", "@a@"))
    SessionStore.create(folder / "s.bayescope", msgspec.structs.replace(problem, simulator=simulator), own=True).close()
    (folder / "evil.py").write_text(f"open({str(trace)!r}, 'w')\n")
    (folder / "__pycache__").mkdir()
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(str(folder / "evil.py"), cfile=str(folder / CACHED), invalidation_mode=mode)
    (folder / "evil.py").unlink()
    assert command("run", folder / "s.bayescope", "--evaluations", 2).returncode == 0
    assert not trace.exists()


@pytest.mark.parametrize(
    "command",
    [
        ("./model.py",), ("env", "python3", "model.py"), ("env", "-S", "python3 -O model.py"), ("sh", "-c", "python3 model.py"),
        ("python3", "app"),
    ],
    ids=["shebang", "env", "env -S", "shell", "folder"],
)  # fmt: skip
def test_however_the_script_is_started(folder, script, command) -> None:
    script.write_text("#!/usr/bin/env python3\n" + script.read_text())
    script.chmod(0o755)
    (folder / "app").mkdir()
    (folder / "app" / "__main__.py").write_text("import helper\n")
    simulator = runs(*command)
    signed = agreed(simulator, folder)
    put(folder / ("app" if command[-1] == "app" else "") / "other.py")
    with pytest.raises(NotAgreed):
        permit_for(signed, simulator, folder)


def test_other_files_of_the_folder_may_change(folder, script) -> None:
    simulator = runs("python3", "model.py")
    signed = agreed(simulator, folder)
    for name in ("notes.txt", "data.csv", "study.runs/00001/x.py", ".hidden/x.py"):
        put(folder / name)
    assert permit_for(signed, simulator, folder)


def test_a_file_with_the_name_of_a_template_is_compared_too(folder, script) -> None:
    from bayescope.engine.problem.definition import TemplateFile

    simulator = msgspec.structs.replace(
        runs("python3", "model.py"), working_folder=".", templates=(TemplateFile(target="deck.py", text="a = @a@"),)
    )
    signed = agreed(simulator, folder)
    put(folder / "deck.py")  # templates are written into the run folder
    with pytest.raises(NotAgreed):
        permit_for(signed, simulator, folder)


def test_the_sheet_says_what_it_cannot_show(folder, script) -> None:
    (folder / "helper.py").write_text("# " + "x" * 600_000)
    put(folder / f"fast{EXTENSION}")
    (folder / f"fast{EXTENSION}").write_bytes(b"\x7fELF\0")
    put(folder / CACHED)
    script.write_text(script.read_text() + "#" * 250_000)
    simulator = runs("python3", "model.py")
    shown = "\n".join(trust_sheet(simulator, folder, what_runs(simulator, folder), None).lines())
    assert "The module helper.py (600,002 bytes) is too long to be shown whole" in shown
    assert f"The module fast{EXTENSION} (5 bytes) is code that cannot be shown." in shown
    assert f"The compiled module {CACHED} (17 bytes) is code that cannot be shown." in shown
    assert "The script model.py" in shown
    assert "more characters are not shown" in shown


def test_in_a_folder_of_thousands_the_sheet_says_that_not_all_are_compared(folder, script) -> None:
    for i in range(MAX_FILES + 5):
        (folder / f"m{i}.py").touch()
    simulator = runs("python3", "model.py")
    found = what_runs(simulator, folder)
    assert sum(f.role == "module" for f in found.files) <= MAX_FILES
    assert "only the first of them are listed and compared" in "\n".join(trust_sheet(simulator, folder, found, None).lines())


def test_runs_of_a_stranger_leave_no_compiled_files(folder: Path, problem: Problem, command) -> None:
    (folder / "helper.py").write_text("A = 1\n")
    (folder / "model.py").write_text("import helper\n" + (folder / "model.py").read_text())
    simulator = msgspec.structs.replace(problem.simulator, command=(sys.executable, "model.py", "@a@"))
    path = folder / "s.bayescope"
    SessionStore.create(path, msgspec.structs.replace(problem, simulator=simulator)).close()
    assert command("run", path, "--evaluations", 3, "--trust", "--no-confined").returncode == 0
    assert not (folder / "__pycache__").exists()
    assert command("run", path, "--evaluations", 4).returncode == 0, "and goes on without another question"


# ------------------------------------------------------------------ what never answers


@pytest.mark.parametrize("words", [("new", "--trust"), ("new",)])
def test_a_pipe_in_place_of_the_program_is_no_program(folder, problem, command, words) -> None:
    from bayescope.engine.problem.files import dumps

    os.mkfifo(folder / "sim")
    declared = msgspec.structs.replace(problem, simulator=Simulator(command=("./sim", "@a@")))
    (folder / "p.json").write_bytes(dumps(declared))
    command(*words, folder / "p.json", folder / "s.bayescope")
    SessionStore.create(folder / "t.bayescope", declared).close()
    done = command("test-run", folder / "t.bayescope", "--trust")
    assert done.returncode == 1
    assert "neither a file nor a folder" in done.stdout + done.stderr


def test_a_pipe_or_a_device_is_not_recovered(folder, command) -> None:
    os.mkfifo(folder / "pipe")
    for source in (folder / "pipe", "/dev/zero"):
        done = command("recover", source, folder / "r.bayescope")
        assert done.returncode == 1
        assert "not an ordinary file" in done.stderr


def test_a_problem_file_is_somebody_elses_until_its_user_says_otherwise(folder, problem, command, trace) -> None:
    from bayescope.engine.problem.files import dumps

    (folder / "p.json").write_bytes(dumps(problem))
    made = command("new", folder / "p.json", folder / "s.bayescope")
    assert made.returncode == 0
    assert "You are asked before the first run" in made.stdout
    assert command("run", folder / "s.bayescope", "--evaluations", 2).returncode == 1
    assert not trace.exists()
    assert command("new", "--trust", folder / "p.json", folder / "t.bayescope").returncode == 0
    assert command("run", folder / "t.bayescope", "--evaluations", 2).returncode == 0
    trace.unlink()
