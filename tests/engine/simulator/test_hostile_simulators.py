"""The table of hostile simulators: no hang, no orphan (conftest looks), always an outcome with a reason in words."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bayescope.engine.problem.definition import (
    CsvColumn,
    ExtraFile,
    FailurePattern,
    FailureRules,
    LabelledNumber,
    LastNumber,
    Limits,
    Output,
    Simulator,
    TemplateFile,
)
from bayescope.engine.session import orphans
from bayescope.engine.session.trust import what_runs
from bayescope.engine.session.trust.consent import NotAgreed
from bayescope.engine.simulator.runner import retry_seed

Script = Callable[[str], tuple[str, ...]]
Run = Callable[..., Any]
FILE_OUTPUT = (Output(name="y", source="out.txt", extractor=LastNumber()),)
posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes")


def living(marker: str) -> list[int]:
    return [pid for pid in orphans.all_pids() if marker.encode() in _command_line(pid)]


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_a_program_that_hangs_is_stopped_at_its_time_limit(script: Script, run: Run) -> None:
    started = time.monotonic()
    result = run(script("import time\nprint('step 1', flush=True)\ntime.sleep(1000)"), time_limit=1.0)
    assert time.monotonic() - started < 5
    assert (result.outcome, result.cause) == ("failed", "limit")
    assert "1 seconds" in result.reason
    assert "step 1" in result.reason


def test_a_program_that_ignores_the_request_to_end_is_killed(script: Script, run: Run) -> None:
    text = "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint(1, flush=True)\ntime.sleep(1000)"
    result = run(script(text), time_limit=1.0)
    assert result.cause == "limit"
    assert result.exit_code in (-9, 1)


@posix
@pytest.mark.parametrize("leave", [False, True], ids=["in its group", "each in a session of its own"])
def test_eight_children_are_ended_with_their_parent(script: Script, run: Run, leave: bool, tmp_path: Path) -> None:
    marker = f"{tmp_path.name}-{leave}"
    text = f"""
        import os, subprocess, sys, time
        for i in range(8):
            subprocess.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(1000)", "{marker}"],
                             start_new_session={leave})
        print(len(os.listdir("/proc")), flush=True)
        time.sleep(1000)
    """
    result = run(script(text), time_limit=1.0)
    assert result.cause == "limit"
    assert living(marker) == []


@posix
@pytest.mark.parametrize("exit_code", [0, 1])
def test_a_grandchild_that_escaped_by_setsid_is_ended_after_a_normal_end(
    script: Script, run: Run, exit_code: int, tmp_path: Path
) -> None:
    text = f"""
        import os, subprocess, sys
        subprocess.run([sys.executable, "-I", "-S", "-c", '''
        import os, subprocess, sys
        subprocess.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(1000)", "{tmp_path.name}"],
                         start_new_session=True, stdout=sys.stdout)
        '''.replace("\\n        ", "\\n")])
        print(2.5)
        sys.exit({exit_code})
    """
    result = run(script(text))
    assert living(tmp_path.name) == []
    assert result.outcome == ("ok" if exit_code == 0 else "failed")
    assert "left a process running" in result.notes[0]


@posix
def test_a_run_that_keeps_its_group_alive_with_a_background_child_ends_with_its_program(run: Run) -> None:
    started = time.monotonic()
    result = run(("sh", "-c", "sleep 1000 & echo 7"))
    assert (result.outcome, result.outputs["y"].tolist()) == ("ok", [7.0])
    assert time.monotonic() - started < 5


def test_a_program_that_waits_on_standard_input_gets_its_end(script: Script, run: Run) -> None:
    result = run(script("import sys\nprint(len(sys.stdin.read()))"))
    assert result.outputs["y"].tolist() == [0.0]


def test_a_program_that_fills_both_streams_does_not_block(script: Script, run: Run) -> None:
    text = "import sys\nfor i in range(300):\n    sys.stdout.write('x' * 10000)\n    sys.stderr.write('y' * 10000)\nprint(' 5')"
    result = run(script(text))
    assert result.outputs["y"].tolist() == [5.0]
    assert result.stderr_tail.endswith("yyy")


def test_a_program_that_prints_a_gigabyte_is_stopped_at_the_cap(script: Script, run: Run, tmp_path: Path) -> None:
    text = "import sys\nblock = 'spam ' * 20000\nfor i in range(10000): sys.stdout.write(block)"
    simulator = Simulator(command=script(text), limits=Limits(output_mb=2.0))
    result = run(simulator, folder=tmp_path / "r")
    assert result.cause == "limit"
    assert "more than 2 MB" in result.reason
    assert sum(path.stat().st_size for path in (tmp_path / "r").iterdir()) <= 2_000_000


def test_a_program_that_writes_files_for_ever_is_stopped(script: Script, run: Run) -> None:
    text = "block = b'0' * 1000000\nwith open('big.dat', 'wb') as f:\n  while True: f.write(block)"
    result = run(Simulator(command=script(text), limits=Limits(files_mb=20.0, time_s=20.0)))
    assert result.cause == "limit"
    assert "big.dat" in result.reason
    assert "20 MB" in result.reason


def test_exit_status_one_is_a_failure_with_the_programs_last_words(script: Script, run: Run) -> None:
    result = run(script("import sys\nprint(1)\nsys.exit('matrix is singular')"))
    assert (result.outcome, result.cause, result.exit_code) == ("failed", "program", 1)
    assert "exit status 1" in result.reason
    assert "matrix is singular" in result.reason


@posix
def test_death_by_a_signal_is_named(script: Script, run: Run) -> None:
    result = run(script(f"import os\nos.kill(os.getpid(), {int(signal.SIGSEGV)})"))
    assert "SIGSEGV" in result.reason
    inside = run(("sh", "-c", "exit 139"))
    assert "139" in inside.reason
    assert "SIGSEGV" in inside.reason


@posix
def test_running_out_of_memory_is_a_failure_with_words(script: Script, run: Run) -> None:
    own = "import resource\nresource.setrlimit(resource.RLIMIT_AS, (10**8, 10**8))\nx = bytearray(10**9)"
    assert "MemoryError" in run(script(own)).reason
    greedy = "import time\nx = bytearray(200_000_000)\nfor i in range(0, len(x), 4096): x[i] = 1\ntime.sleep(100)"
    result = run(Simulator(command=script(greedy), limits=Limits(memory_mb=100.0, time_s=20.0)))
    assert result.cause == "limit"
    assert "memory" in result.reason


@posix
def test_memory_is_counted_over_the_whole_tree(script: Script, run: Run) -> None:
    text = """
        import subprocess, sys, time
        code = "import time; x = bytearray(60_000_000)\\nfor i in range(0, len(x), 4096): x[i] = 1\\ntime.sleep(100)"
        for i in range(3): subprocess.Popen([sys.executable, "-I", "-S", "-c", code], start_new_session=True)
        time.sleep(100)
    """
    result = run(Simulator(command=script(text), limits=Limits(memory_mb=120.0, time_s=20.0)))
    assert "memory" in result.reason


def test_a_program_deleted_in_the_middle_of_the_analysis_is_a_setup_fault(script: Script, run: Run, tmp_path: Path) -> None:
    program = tmp_path / "simulate"
    program.write_text("#!/bin/sh\necho 4\n")
    program.chmod(0o755)
    assert run((str(program),)).outcome == "ok"
    program.unlink()
    result = run((str(program),))
    assert (result.outcome, result.cause) == ("failed", "setup")
    assert "not there any more" in result.reason


def test_success_without_output_is_a_failure(script: Script, run: Run) -> None:
    assert "it is empty" in run(script("pass")).reason
    result = run(script("pass"), FILE_OUTPUT)
    assert (result.outcome, result.cause) == ("failed", "output")
    assert "without writing the file “out.txt”" in result.reason


@pytest.mark.parametrize("link", [False, True])
def test_stale_output_is_refused(script: Script, run: Run, tmp_path: Path, link: bool) -> None:
    old = tmp_path / "out.txt"
    old.write_text("5.0\n")
    simulator = Simulator(command=script("pass"), extra_files=(ExtraFile(path="out.txt", link=link),))
    result = run(simulator, FILE_OUTPUT)
    assert (result.outcome, result.cause) == ("failed", "output")
    assert "is an old one" in result.reason


def test_a_copy_of_an_older_result_with_its_old_date_is_refused(script: Script, run: Run) -> None:
    text = "import os\nopen('out.txt', 'w').write('5')\nos.utime('out.txt', (1e9, 1e9))"
    assert "before this run" in run(script(text), FILE_OUTPUT).reason


def test_of_a_file_that_a_program_appends_to_only_the_new_rows_count(script: Script, run: Run, tmp_path: Path) -> None:
    (tmp_path / "history.csv").write_text("x,y\n1,10\n")
    simulator = Simulator(
        command=script("open('history.csv', 'a').write('2,20\\n')"), extra_files=(ExtraFile(path="history.csv"),)
    )
    spec = (Output(name="y", source="history.csv", extractor=CsvColumn(column=1, header=False)),)
    assert run(simulator, spec).outputs["y"].tolist() == [20.0]


def test_partial_output_is_refused(script: Script, run: Run) -> None:
    text = "open('t.csv', 'w').write('t,y\\n0,1.5\\n1,2.5\\n2')"
    column = Output(name="y", source="t.csv", extractor=CsvColumn(column="y"))
    assert "cut off" in run(script(text), (column,)).reason
    complete = Output(name="y", source="t.csv", extractor=CsvColumn(column="t"), length=10)
    assert "has 3 numbers, but 10 are expected" in run(script(text), (complete,)).reason


@pytest.mark.parametrize("source", ["stdout", "out.txt"])
def test_a_typographic_minus_sign_is_a_minus_sign_and_what_only_may_be_one_fails_the_run(
    script: Script, run: Run, source: str
) -> None:
    write = "sys.stdout.buffer.write" if source == "stdout" else "open('out.txt', 'wb').write"
    spec = (Output(name="y", source=source, extractor=LabelledNumber(label="loglik")),)
    good = run(script(f"import sys; {write}('ωt 3\\nloglik \\u22121.5e\\u22123\\n'.encode())"), spec)
    assert good.outputs["y"].tolist() == [-1.5e-3]
    bad = run(script(f"import sys; {write}('ωt 3\\nloglik \\u20131.5\\n'.encode())"), spec)
    assert (bad.outcome, bad.cause) == ("failed", "output")
    assert "EN DASH" in bad.reason


def test_ten_percent_random_failures_are_retried_if_the_user_asks(script: Script, run: Run) -> None:
    text = "import random, sys\nr = random.Random(@seed@)\nsys.exit(1) if r.random() < 0.1 else print(1)"
    command = (sys.executable, "-I", "-S", "-c", text)
    bad = next(s for s in range(1000) if random.Random(s).random() < 0.1 <= random.Random(retry_seed(s, 1)).random())
    assert run(Simulator(command=command), seed=bad).outcome == "failed"
    result = run(Simulator(command=command, failures=FailureRules(retries=3)), seed=bad)
    assert (result.outcome, result.attempts) == ("ok", 2)


def test_failures_in_a_corner_carry_their_reason_and_spare_the_rest(script: Script, run: Run) -> None:
    text = "import math, sys\na = float(sys.argv[1])\nprint(math.sqrt(1 - a))"
    simulator = Simulator(command=(*script(text), "@a@"))
    outcomes = [run(simulator, values={"a": a}) for a in (0.0, 0.75, 1.5)]
    assert [r.outcome for r in outcomes] == ["ok", "ok", "failed"]
    assert "math domain error" in outcomes[2].reason


def test_a_program_that_always_fails_says_how_often_it_was_tried(run: Run, script: Script) -> None:
    result = run(Simulator(command=script("raise SystemExit(3)"), failures=FailureRules(retries=2)))
    assert result.attempts == 3
    assert result.reason.startswith("It failed 3 times; the last time: The program ended with exit status 3")


def test_not_a_number_and_infinity_are_failures_unless_the_user_allows_them(script: Script, run: Run) -> None:
    assert "NaN" in run(script("print('chi2 =', float('nan'))")).reason
    assert "infinite" in run(script("print('chi2 = inf')")).reason
    allowed = Simulator(command=script("print('chi2 = nan')"), failures=FailureRules(non_finite=False))
    assert run(allowed).outcome == "ok"
    assert run(script("print('logL = -inf')")).outcome == "ok"  # the likelihood says what it means


def test_a_text_pattern_and_the_error_stream_can_mean_failure(script: Script, run: Run) -> None:
    command = script("import sys\nprint('NOT CONVERGED')\nprint(3)\nprint('warning: error bars', file=sys.stderr)")
    assert run(command).outcome == "ok"
    found = FailureRules(patterns=(FailurePattern(source="stdout", pattern="NOT CONVERGED"),))
    assert "NOT CONVERGED" in run(Simulator(command=command, failures=found)).reason
    missing = FailureRules(patterns=(FailurePattern(source="stdout", pattern=r"normal end\b", regex=True, when="missing"),))
    assert "does not occur" in run(Simulator(command=command, failures=missing)).reason
    stderr = run(Simulator(command=command, failures=FailureRules(stderr=True)))
    assert "error bars" in stderr.reason


def test_a_search_pattern_that_takes_for_ever_is_given_up(script: Script, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bayescope.engine.problem.extract.single.REGEX_SECONDS", 0.2)
    rules = FailureRules(patterns=(FailurePattern(source="stdout", pattern=r"^(x|xx)*\d$", regex=True),))
    result = run(Simulator(command=script("print('x' * 60 + '! 1')"), failures=rules))
    assert "took longer than" in result.reason


def test_a_run_can_be_cancelled_in_the_middle(script: Script, run: Run) -> None:
    cancel = threading.Event()
    threading.Timer(0.3, cancel.set).start()
    started = time.monotonic()
    result = run(script("import time\ntime.sleep(1000)"), cancel=cancel)
    assert result.cause == "cancelled"
    assert time.monotonic() - started < 5
    assert run(script("print(1)"), cancel=cancel).cause == "cancelled"


def test_what_a_program_printed_is_read_even_if_it_deletes_its_own_folder(script: Script, run: Run) -> None:
    text = "import os, shutil\nprint(1)\nshutil.rmtree(os.getcwd())"
    result = run(script(text))
    assert result.outcome == "ok", result.reason
    assert result.outputs["y"].tolist() == [1.0]
    assert "without writing the file" in run(script(text), FILE_OUTPUT).reason


def test_binary_output_is_named(script: Script, run: Run) -> None:
    result = run(script("open('out.txt', 'wb').write(bytes(range(256)) * 10)"), FILE_OUTPUT)
    assert "not a text file" in result.reason


def test_all_outputs_that_could_be_read_are_there_even_if_one_could_not(script: Script, run: Run) -> None:
    spec = (
        Output(name="a", source="stdout", extractor=LabelledNumber(label="a =")),
        Output(name="b", source="stdout", extractor=LabelledNumber(label="b =")),
    )
    result = run(script("print('a = 1')"), spec)
    assert result.outputs["a"].tolist() == [1.0]
    assert list(result.problems) == ["b"]


@posix
def test_a_folder_without_permissions_is_said_in_words(run: Run, tmp_path: Path) -> None:
    blocker = tmp_path / "runs-file"
    blocker.write_text("")
    result = run(("echo", "1"), folder=blocker / "run")
    assert result.cause == "setup"
    assert "cannot be made" in result.reason or "cannot be reached" in result.reason


def test_the_environment_tag_reaches_grandchildren(script: Script, run: Run) -> None:
    text = """
        import os, subprocess, sys
        code = "import os; print(1 if os.environ['BAYESCOPE_RUN'] else 0)"
        subprocess.run([sys.executable, "-I", "-S", "-c", code])
    """
    assert run(script(text)).outputs["y"].tolist() == [1.0]
    assert "BAYESCOPE_RUN" not in os.environ


weird = st.text(max_size=8) | st.sampled_from(
    ["x" * 300, "x" * 5000, "a/b", "../up", "\0", "@a@", "@", "ü\n", "-", ".", "/", "C:", "nul", "~", "$HOME", "stdout", "in.txt"]
)


@pytest.fixture
def few_files_are_hashed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole computer as an extra folder is as good a surprise when only its first files are read."""
    monkeypatch.setattr(what_runs, "MAX_FOLDER_FILES", 20)
    monkeypatch.setattr(what_runs, "MAX_FOLDER_BYTES", 1_000_000)


@pytest.mark.usefixtures("few_files_are_hashed")
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(weird, weird, weird, weird, weird, st.sampled_from(["echo", "true", "cat", ""]) | weird)
def test_no_description_of_a_simulator_makes_a_run_raise(
    run: Run, target: str, argument: str, variable: str, source: str, extra: str, program: str
) -> None:
    simulator = Simulator(
        command=(program, argument) if program else (),
        templates=(TemplateFile(target=target, text="@a@"),),
        environment={variable: "1"},
        stdin=argument,
        extra_files=(ExtraFile(path=extra),) if len(extra) % 2 else (),
        working_folder=source if len(source) % 3 == 0 else None,
        limits=Limits(time_s=5.0, files_mb=0.1),
    )
    try:
        result = run(simulator, (Output(name="y", source=source, extractor=LastNumber()),), {"a": 1.0})
    except NotAgreed:  # somebody else wrote into a folder that is named, such as the whole computer
        assert any(os.path.isdir(Path(word).expanduser()) for word in (program, argument, extra) if "\0" not in word)
    else:
        assert result.outcome == "ok" or result.reason


@posix
def test_a_helper_that_ends_just_after_its_script_was_not_left_behind(run: Run) -> None:
    result = run(("sh", "-c", "(sleep 0.05) & echo 7"))
    assert (result.outcome, result.outputs["y"].tolist(), result.notes) == ("ok", [7.0], ())
