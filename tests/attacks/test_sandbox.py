"""A program that was agreed to, confined, and does what it was not asked for."""

from __future__ import annotations

import os
import socket
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from bayescope.engine.problem.bundled import examples_folder
from bayescope.engine.problem.definition import ExtraFile, LastNumber, Output, Simulator
from bayescope.engine.problem.files import load
from bayescope.engine.session.store import SessionStore
from bayescope.engine.session.trust import confinement
from bayescope.engine.simulator import runner
from bayescope.engine.simulator.run_result import RunResult
from consents import agreed

pytestmark = [
    pytest.mark.attack("sandbox"),
    pytest.mark.skipif(sys.platform != "linux", reason="there is a sandbox on Linux only"),
]
SPEC = (Output(name="y", source="stdout", extractor=LastNumber()),)
Run = Callable[..., RunResult]


@pytest.fixture(params=["bubblewrap", "landlock"])
def run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path) -> Run:
    """Runs a Python text, or a Simulator, confined; the home folder is one with a secret in it."""
    if request.param == "bubblewrap" and not confinement._bubblewrap_works():
        pytest.skip("bubblewrap is not installed, or may not be used")
    if request.param == "landlock" and not confinement.landlock_version():
        pytest.skip("this kernel has no Landlock")
    monkeypatch.setattr(confinement, "kind", lambda: request.param)
    home = tmp_path / "users home"
    home.mkdir()
    (home / "secret.txt").write_text("42")
    monkeypatch.setenv("HOME", str(home))
    count = iter(range(99))

    def go(what: str | Simulator, **options: Any) -> RunResult:
        if isinstance(what, str):
            (folder / "prog.py").write_text(textwrap.dedent(what))
            what = Simulator(command=(sys.executable, "-I", "-S", "prog.py"))
        permit = agreed(what, folder, confined=True)
        arguments: dict[str, Any] = {"folder": tmp_path / "runs" / str(next(count)), "base": folder, "seed": 1, **options}
        return runner.run_once(what, arguments.pop("spec", SPEC), {}, permit=permit, **arguments)

    return go


TRY = """
    import os, sys
    try:
        {attempt}
    except OSError as error:
        print("refused", error, file=sys.stderr)
        print(0)
    else:
        print(1)
"""


def refused(result: RunResult) -> None:
    assert result.outcome == "ok", (result.reason, result.stderr_tail)
    assert result.outputs["y"].tolist() == [0.0], "it was allowed"


def test_it_computes_all_the_same(run) -> None:
    result = run("print(6.5)")
    assert result.outcome == "ok", (result.reason, result.stderr_tail)
    assert result.outputs["y"].tolist() == [6.5]


def test_it_cannot_read_the_home_folder(run) -> None:
    refused(run(TRY.format(attempt="open(os.path.expanduser('~/secret.txt')).read()")))


def test_it_cannot_read_our_signing_key(run, home) -> None:
    from bayescope.engine.session import machine

    machine.sign(b"x")
    assert (home / "signing.key").exists()
    refused(run(TRY.format(attempt=f"open({str(home / 'signing.key')!r}, 'rb').read()")))


@pytest.mark.parametrize("where", ["analysis", "system", "temporary", "home", "other"])
def test_it_writes_nothing_outside_its_run_folder(run, folder, tmp_path, where) -> None:
    place = {
        "analysis": folder, "system": Path("/usr/local"), "temporary": Path("/tmp"), "home": Path(os.environ["HOME"]),
        "other": tmp_path,
    }[where]  # fmt: skip
    name = place / f"written-by-{os.getpid()}"
    run(TRY.format(attempt=f"open({str(name)!r}, 'w').write('x')"))
    assert not name.exists()


def test_it_cannot_change_its_own_script_or_the_session(run, folder, own) -> None:
    before = own.read_bytes()
    refused(run(TRY.format(attempt="open(sys.argv[0], 'a').write('# x')")))
    refused(run(TRY.format(attempt=f"os.unlink({str(own)!r})")))
    assert own.read_bytes() == before


def test_it_cannot_change_settings_of_the_kernel(run) -> None:
    """Root needs no right for that; /proc/sys/kernel/core_pattern names a program that the kernel starts outside."""
    for place in ("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sysrq-trigger"):
        if os.path.exists(place):
            before = Path(place).read_bytes() if place != "/proc/sysrq-trigger" else b""
            refused(run(TRY.format(attempt=f"os.write(os.open({place!r}, os.O_WRONLY), {before!r})")))


def test_it_has_no_rights_of_root(run, monkeypatch) -> None:
    if confinement.kind() == "landlock":
        pytest.skip("Landlock leaves rights that end at its borders")
    result = run("""
        import re
        print(int(re.search("CapEff:\\s*([0-9a-f]+)", open("/proc/self/status").read())[1], 16))
    """)
    assert result.outputs["y"][0] == 0.0


def test_it_reaches_no_server(run) -> None:
    server = socket.create_server(("127.0.0.1", 0))
    reached: list[bool] = []

    def wait() -> None:
        try:
            server.accept()
            reached.append(True)
        except OSError:
            return

    threading.Thread(target=wait, daemon=True).start()
    port = server.getsockname()[1]
    refused(run(TRY.format(attempt=f"__import__('socket').create_connection(('127.0.0.1', {port}), 3)")))
    server.close()
    assert not reached


def test_it_reaches_no_message_bus(run) -> None:
    server = socket.socket(socket.AF_UNIX)
    server.bind(f"\0bayescope-test-{os.getpid()}")
    server.listen()
    attempt = f"__import__('socket').socket(1).connect(chr(0) + 'bayescope-test-{os.getpid()}')"
    result = run(TRY.format(attempt=attempt))
    server.close()
    if confinement.kind() == "landlock" and not confinement.can_unshare_network() and confinement.landlock_version() < 6:
        pytest.skip("this kernel cannot keep abstract sockets apart")
    refused(result)


def test_it_does_not_inherit_secrets(run, monkeypatch) -> None:
    for name in ("AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "MY_PASSWORD", "DISPLAY"):
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("MY_SOLVER_THREADS", "3")
    result = run("import os; print([v for v in os.environ.values() if v == 'secret'] or os.environ['MY_SOLVER_THREADS'])")
    assert result.stdout_tail.strip() == "3"


def test_a_link_to_a_secret_is_not_read_as_its_output(run) -> None:
    spec = (Output(name="y", source="out.txt", extractor=LastNumber()),)
    secret = Path(os.environ["HOME"]) / "secret.txt"
    os.utime(secret, (time.time() + 60, time.time() + 60))
    result = run(f"import os; os.symlink({str(secret)!r}, 'out.txt')", spec=spec)
    assert result.outcome == "failed"
    assert "outside the run folder" in result.reason


def test_a_daemon_with_a_cleared_environment_ends_with_its_run(run) -> None:
    daemon = """
        import os, sys, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.execve('/bin/sleep', ['sleep', '98765'], {})
            os._exit(0)
        time.sleep(0.2)
        print(1)
    """
    assert run(daemon).outcome == "ok"
    deadline = time.monotonic() + 5
    left = [1]
    while left and time.monotonic() < deadline:
        left = [p.pid for p in psutil.process_iter(["cmdline"]) if "98765" in (p.info["cmdline"] or [])]
    assert left == []


def test_its_death_by_a_signal_is_told_as_such(run) -> None:
    result = run("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    assert result.cause == "program"
    assert result.exit_code == -11
    assert "crash" in result.reason.lower() or "signal" in result.reason.lower()


def test_files_that_the_problem_names_can_be_read(run, folder) -> None:
    home = Path(os.environ["HOME"])
    (home / "data").mkdir()
    (home / "data" / "table.txt").write_text("7")
    (home / "deck.txt").write_text("8")
    (folder / "helper.py").write_text("number = 9\n")
    (folder / "prog.py").write_text(
        "import sys, os\nsys.path.insert(0, os.path.dirname(__file__))\nimport helper\n"
        "print(open('tables/table.txt').read(), open('deck.txt').read(), open(sys.argv[1]).read(), helper.number)\n"
    )
    (home / "argument.txt").write_text("6")
    simulator = Simulator(
        command=(sys.executable, "-I", "-S", "prog.py", str(home / "argument.txt")),
        extra_files=(ExtraFile(path=str(home / "data"), target="tables", link=True), ExtraFile(path=str(home / "deck.txt"))),
    )
    result = run(simulator)
    assert result.stdout_tail.split() == ["7", "8", "6", "9"], (result.reason, result.stderr_tail)


def test_a_program_in_the_home_folder_runs(run) -> None:
    home = Path(os.environ["HOME"])
    (home / "apps" / "bin").mkdir(parents=True)
    program = home / "apps" / "bin" / "solver"
    program.write_text("#!/bin/sh\ncat \"$(dirname \"$0\")/../share\"\n")
    program.chmod(0o755)
    (home / "apps" / "share").write_text("5")
    result = run(Simulator(command=(str(program),)))
    assert result.outputs["y"].tolist() == [5.0], (result.reason, result.stderr_tail)


def test_the_bundled_programs_run_confined(run, folder) -> None:
    problem = load(examples_folder() / "contamination" / "problem.json")
    values = {p.name: 0.5 for p in problem.parameters}
    permit = agreed(problem, folder, confined=True)
    result = runner.run_once(problem.simulator, problem.outputs, values, permit=permit, folder=folder / "r", base=folder, seed=1)
    assert result.outcome == "ok", (result.reason, result.stderr_tail)


def test_where_there_is_no_sandbox_nothing_runs_unconfined(monkeypatch, folder, tmp_path) -> None:
    monkeypatch.setattr(confinement, "kind", lambda: "")
    simulator = Simulator(command=("echo", "1"))
    permit = agreed(simulator, folder, confined=True)
    result = runner.run_once(simulator, SPEC, {}, permit=permit, folder=tmp_path / "r", base=folder, seed=1)
    assert result.cause == "setup"
    assert "confined" in result.reason


def test_a_strangers_program_is_confined_unless_somebody_says_otherwise(strangers, command, trace, folder) -> None:
    if not confinement.kind():
        pytest.skip("no sandbox here")
    done = command("run", strangers, "--evaluations", 2, "--trust")
    assert not trace.exists(), "it wrote outside its run folder"
    with SessionStore.open(strangers, mode="read") as store:
        assert store.permit().confined
    done = command("run", strangers, "--evaluations", 4, "--no-confined")
    assert done.returncode == 0, done.stderr
    assert trace.exists()


def test_the_file_cannot_say_that_it_needs_no_sandbox(strangers, problem) -> None:
    from bayescope.engine.session.trust.consent import sign

    assert "confined" not in str(problem.simulator.__struct_fields__)
    with SessionStore.open(strangers) as store:
        assert store.foreign
        store.agree(confined=True)
        assert store.permit().confined
        store.save_problem(problem)
        assert store.permit().confined
    assert sign(problem.simulator, strangers.parent).consent() is not None


def test_it_cannot_work_where_the_analysis_is_kept(run, folder) -> None:
    """It could put a journal there that makes SQLite, outside, delete any file."""
    (folder / "prog.py").write_text("print(1)\n")
    for place in (".", ".."):
        simulator = Simulator(command=(sys.executable, "-I", "-S", "prog.py"), working_folder=place)
        result = run(simulator)
        assert result.cause == "setup"
        assert "the analysis itself is kept there" in result.reason


@pytest.mark.parametrize("where", ["Downloads", "Documents", ".config/tool"])
def test_it_sees_of_peoples_own_folders_only_its_script(run, tmp_path, where) -> None:
    place = Path(os.environ["HOME"]) / where
    place.mkdir(parents=True)
    (place / "letter.txt").write_text("1")
    (place / "helper.py").write_text("A = 1\n")
    (place / "prog.py").write_text(
        "import os, sys; sys.path.insert(0, os.path.dirname(__file__)); import helper\n"
        "try: print(open(os.path.join(os.path.dirname(__file__), 'letter.txt')).read())\nexcept OSError: print(0)\n"
    )
    simulator = Simulator(command=(sys.executable, "-I", "-S", str(place / "prog.py")))
    permit = agreed(simulator, place, confined=True)
    result = runner.run_once(simulator, SPEC, {}, permit=permit, folder=tmp_path / "runs" / "x", base=place, seed=1)
    assert result.outcome == "ok", result.reason
    assert result.outputs["y"][0] == 0.0
