"""The headless commands, as somebody types them."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bayescope.engine import cli
from bayescope.engine.session.store import SessionStore

SIMULATOR = "import sys, time\na, b = map(float, sys.argv[1:])\n{}\nprint(-0.5 * (a * a + (b - a) ** 2))"


@pytest.fixture(autouse=True)
def _home(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("BAYESCOPE_HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


@pytest.fixture
def problem_file(tmp_path):
    def make(extra: str = "", **changes) -> Path:
        normal = {"kind": "normal", "mean": 0.0, "sd": 2.0}
        content = {
            "name": "small",
            "parameters": [{"name": "a", "prior": normal}, {"name": "b", "prior": normal}],
            "simulator": {"command": [sys.executable, "-I", "-S", "-c", SIMULATOR.format(extra), "@a@", "@b@"]},
            "outputs": [{"name": "logl", "source": "stdout", "extractor": {"kind": "last_number"}}],
            "meaning": {"kind": "log_likelihood", "output": "logl"},
            "settings": {"max_evaluations": 9, "seed": 1},
            **changes,
        }
        path = tmp_path / "problem.json"
        path.write_text(json.dumps(content))
        return path

    return make


def bayescope(*arguments: object, **options) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bayescope.gui", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=110, **options)


def test_help_and_version_need_neither_torch_nor_numpy_nor_qt():
    code = (
        "import sys\nfrom bayescope.gui.__main__ import main\n"
        "main(['--help'])\n"
        "print(sorted({'torch', 'numpy', 'PySide6', 'scipy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip().endswith("[]"), done.stderr
    assert "self-test" in done.stdout


def test_the_whole_way_from_problem_file_to_samples(problem_file, tmp_path):
    session = tmp_path / "s.bayescope"
    assert cli.main(["new", str(problem_file()), str(session)]) == 0
    done = bayescope("run", session, "--evaluations", 8, "--workers", 1)
    assert done.returncode == 0, done.stderr
    assert "8/8" in done.stderr
    assert "log evidence" in done.stdout
    done = bayescope("run", session, "--evaluations", 10)
    assert done.returncode == 0, done.stderr
    with SessionStore.open(session, mode="read") as store:
        assert sorted(e.index for e in store.evaluations()) == list(range(10))
    out = tmp_path / "posterior_samples.csv"
    assert (
        cli.main(["export", str(session), "--samples", str(out), "-n", "123", "--figure", str(tmp_path / "m.png")]) == 0
    )
    with out.open(newline="") as file:
        table = list(csv.reader(file))
    assert table[0] == ["a", "b"]
    assert len(table) == 124
    assert (tmp_path / "m.png").read_bytes().startswith(b"\x89PNG")


def test_an_interrupted_run_is_saved_and_can_be_continued(problem_file, tmp_path):
    session = tmp_path / "s.bayescope"
    assert cli.main(["new", str(problem_file("time.sleep(0.1)")), str(session)]) == 0
    process = subprocess.Popen(
        [sys.executable, "-m", "bayescope.gui", "run", str(session), "--evaluations", "500"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    done = 0
    while done < 3 and time.monotonic() < deadline:
        time.sleep(0.2)
        with SessionStore.open(session, mode="read") as store:
            done = store.evaluation_count
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == cli.INTERRUPTED, err
    assert "Stopped after" in out
    assert "Traceback" not in err
    with SessionStore.open(session) as store:
        assert store.writable
        assert store.evaluation_count >= done


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "nowhere.bayescope"], "no such file"),
        (["export", "nowhere.bayescope", "--samples", "x.csv"], "no such file"),
        (["export", "nowhere.bayescope"], "say what to write"),
        (["example", "nothing", "x.bayescope"], "there is no example"),
        (["new", "nowhere.json", "x.bayescope"], "nowhere.json"),
        (["new"], "give a problem file"),
        (["run", "problem.json"], "is a problem file"),
    ],
)
def test_mistakes_get_a_sentence_and_status_1(arguments, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.main(arguments) == cli.FAILED
    said = capsys.readouterr().err
    assert words in said
    assert "Traceback" not in said


def test_wrong_usage_gets_status_2(capsys):
    assert cli.main(["run"]) == cli.USAGE
    assert cli.main(["run", "x", "--evaluations", "0"]) == cli.USAGE
    assert cli.main(["nonsense"]) == cli.USAGE


def test_a_faulty_problem_file_is_explained_and_no_session_is_made(problem_file, tmp_path, capsys):
    wrong = problem_file(meaning={"kind": "log_likelihood", "output": "missing"})
    assert cli.main(["new", str(wrong), str(tmp_path / "s.bayescope")]) == cli.FAILED
    assert "missing" in capsys.readouterr().err
    assert not (tmp_path / "s.bayescope").exists()


def test_the_schema_is_json(capsys):
    assert cli.main(["new", "--schema"]) == 0
    assert "properties" in json.dumps(json.loads(capsys.readouterr().out))


def test_a_test_run_shows_what_the_program_gave(problem_file, tmp_path, capsys):
    session = tmp_path / "s.bayescope"
    assert cli.main(["new", str(problem_file()), str(session)]) == 0
    assert cli.main(["test-run", str(session)]) == 0
    assert "log-likelihood:" in capsys.readouterr().out
    with SessionStore.open(session, mode="read") as store:
        assert not store.has_started


def test_commands_from_elsewhere_are_shown_and_only_run_with_consent(problem_file, tmp_path, monkeypatch):
    session = tmp_path / "s.bayescope"
    assert cli.main(["new", str(problem_file()), str(session)]) == 0
    monkeypatch.setenv("BAYESCOPE_HOME", str(tmp_path / "elsewhere"))
    done = bayescope("run", session, "--evaluations", 2, stdin=subprocess.DEVNULL)
    assert done.returncode == cli.FAILED
    assert sys.executable in done.stderr
    assert "--trust" in done.stderr
    done = bayescope("run", session, "--evaluations", 2, "--trust")
    assert done.returncode == 0, done.stderr


def test_a_damaged_session_is_recovered_by_command(problem_file, tmp_path, capsys):
    session, new = tmp_path / "s.bayescope", tmp_path / "new.bayescope"
    assert cli.main(["new", str(problem_file()), str(session)]) == 0
    data = bytearray(session.read_bytes())
    data[30:90] = os.urandom(60)
    session.write_bytes(data)
    assert cli.main(["run", str(session)]) == cli.FAILED
    assert cli.main(["recover", str(session), str(new)]) == 0
    assert "Recovered 0 finished evaluations" in capsys.readouterr().out
    assert cli.main(["support", str(new), str(tmp_path / "b.zip")]) == 0


def test_the_self_test_passes():
    done = bayescope("self-test", "--evaluations", 12)
    assert done.returncode == 0, done.stderr
    assert "Self-test passed" in done.stdout
