"""The headless commands, as somebody types them."""

from __future__ import annotations

import csv
import json
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from bayescope.engine.app import cli
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


def test_the_noise_check_says_how_much_a_program_scatters_and_what_all_runs_tell(problem_file, tmp_path, capsys, monkeypatch):
    scatters = "import random; a += random.gauss(0, 1)"
    meaning = {"kind": "predictions", "random": True, "noise": {"kind": "gaussian", "sd": 0.5},
               "matches": [{"output": "logl", "column": "y"}]}  # fmt: skip
    path = problem_file(scatters, meaning=meaning, data={"columns": {"y": [0.3]}})
    session = tmp_path / "s.bayescope"
    assert cli.main(["new", str(path), str(session), "--trust"]) == 0
    assert cli.main(["noise-check", str(session), "--runs", "4"]) == 0
    said = capsys.readouterr().out
    assert "By 4 runs at one point a value scatters by " in said
    assert "By all runs" not in said, "there are none"
    monkeypatch.setattr("bayescope.engine.app.headless.scatter_words", lambda problem, stored: "By all runs.")
    monkeypatch.setattr("bayescope.engine.session.store.SessionStore.last_iteration", lambda store: SimpleNamespace(slices={}))
    assert cli.main(["noise-check", str(session), "--runs", "2"]) == 0
    assert "By all runs." in capsys.readouterr().out


def test_help_and_version_need_neither_torch_nor_numpy_nor_qt():
    code = (
        "import sys\nfrom bayescope.gui.__main__ import main\n"
        "main(['--help'])\n"
        "print(sorted({'torch', 'numpy', 'PySide6', 'scipy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip().endswith("[]"), done.stderr
    assert "self-test" in done.stdout


@pytest.mark.loops
def test_the_whole_way_from_problem_file_to_samples(problem_file, tmp_path):
    session = tmp_path / "s.bayescope"
    assert cli.main(["new", "--trust", str(problem_file()), str(session)]) == 0
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


@pytest.mark.loops
def test_an_interrupted_run_is_saved_and_can_be_continued(problem_file, tmp_path):
    session = tmp_path / "s.bayescope"
    assert cli.main(["new", "--trust", str(problem_file("time.sleep(0.1)")), str(session)]) == 0
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
    assert cli.main(["run", "x", "--evaluations", "-1"]) == cli.USAGE
    assert cli.main(["run", "x", "--workers", "0"]) == cli.USAGE
    assert cli.main(["nonsense"]) == cli.USAGE


def test_a_faulty_problem_file_is_explained_and_no_session_is_made(problem_file, tmp_path, capsys):
    wrong = problem_file(meaning={"kind": "log_likelihood", "output": "missing"})
    assert cli.main(["new", "--trust", str(wrong), str(tmp_path / "s.bayescope")]) == cli.FAILED
    assert "missing" in capsys.readouterr().err
    assert not (tmp_path / "s.bayescope").exists()


def test_the_schema_is_json(capsys):
    assert cli.main(["new", "--schema"]) == 0
    assert "properties" in json.dumps(json.loads(capsys.readouterr().out))


def test_a_test_run_shows_what_the_program_gave(problem_file, tmp_path, capsys):
    session = tmp_path / "s.bayescope"
    assert cli.main(["new", "--trust", str(problem_file()), str(session)]) == 0
    assert cli.main(["test-run", str(session)]) == 0
    assert "log-likelihood:" in capsys.readouterr().out
    with SessionStore.open(session, mode="read") as store:
        assert not store.has_started


DECK = "* deck @@ home\n A= @a@\n A1= @a1@\n"
READS_A_DECK = """#!/bin/sh
awk '/^ *A=/{a=$2} /^ *A1=/{b=$2} END{print "x,pred"; for(i=1;i<4;i++) printf "%d,%.10f\\n", i, a+b*i}' "$1.inp" > "out put.csv"
printf 'do\\033[31mne\\n'
"""


@pytest.fixture
def deck_problem(tmp_path):
    """A program in a folder with spaces, quotes and foreign letters; a deck in, a table out, compared by a key column."""
    folder = tmp_path / "Überprüfung “drei” it's"
    folder.mkdir()
    (folder / "mein modèle.sh").write_text(READS_A_DECK)
    (folder / "mein modèle.sh").chmod(0o755)
    table = {"source": "out put.csv"}
    content = {
        "name": "deck",
        "parameters": [
            {"name": "a", "prior": {"kind": "uniform", "low": -5, "high": 5}},
            {"name": "a1", "prior": {"kind": "normal", "mean": 0, "sd": 5}},
        ],
        "simulator": {
            "command": ["./mein modèle.sh", "run1"],
            "templates": [{"target": "run1.inp", "text": DECK}],
            "formats": {"a": {"style": "exponent", "digits": 5, "width": 12}},
        },
        "outputs": [
            {"name": "y", "extractor": {"kind": "csv", "column": "pred"}, **table},
            {"name": "k", "extractor": {"kind": "csv", "column": "x"}, **table},
        ],
        "meaning": {
            "kind": "predictions",
            "matches": [{"output": "y", "column": "y", "key_output": "k", "key_column": "x"}],
            "noise": {"kind": "gaussian", "sd": 0.5},
        },
        "data": {"columns": {"x": [3, 1], "y": [7.0, 3.5]}},
        "settings": {"max_evaluations": 9},
    }
    path = folder / "problem.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_a_test_run_at_chosen_values_shows_the_filled_files_and_everything_else(deck_problem, tmp_path, capsys):
    session = tmp_path / "my s.bayescope"
    assert cli.main(["new", "--trust", str(deck_problem), str(session)]) == 0
    said = capsys.readouterr().out
    assert "my s.bayescope'" in said or '"' in said  # what is to be typed next is quoted
    assert cli.main(["test-run", str(session), "--at", "a=1.25", "--at", "a1=2", "--repeat", "2"]) == 0
    said = capsys.readouterr().out
    for words in (
        "a = 1.25, a1 = 2",
        "* deck @ home\n A=  1.25000E+00\n A1= 2.0\n",
        "run1",
        "exit status 0",
        "files written: out put.csv (",
        "output y: 3.25, 5.25, 7.25",
        "predicted for y: 7.25, 3.25\nmeasured y: 7, 3.5",
        "log-likelihood: ",
        "log prior density: ",
        "no random seed is seen in what it is given. It takes notice of the parameters.",
    ):
        assert words in said, said
    assert "do\\x1b[31mne" in said  # shown, not obeyed by the terminal
    for wrong, words in (("b=1", "no parameter “b”"), ("a", "PARAMETER=VALUE"), ("a=x", "not a number"), ("a=nan", "not a")):
        assert cli.main(["test-run", str(session), "--at", wrong]) == cli.FAILED
        assert words in capsys.readouterr().err


def test_numbers_of_the_command_line_are_read_as_everywhere(deck_problem, tmp_path, capsys):
    session = tmp_path / "s.bayescope"
    assert cli.main(["new", "--trust", str(deck_problem), str(session)]) == 0
    for wrong, words in (("a=1_000", "underscores"), ("a=1,5", "in two ways"), ("a=١", "ARABIC"), ("a=1e400", "too large")):
        assert cli.main(["test-run", str(session), "--at", wrong]) == cli.FAILED
        assert words in capsys.readouterr().err
    assert cli.main(["test-run", str(session), "--at", "a=−1.25", "--at", "a1=2"]) == 0
    assert "a = -1.25, a1 = 2" in capsys.readouterr().out
    for wrong in ("1_0", "١", "1.0"):
        assert cli.main(["test-run", str(session), "--repeat", wrong]) == cli.USAGE
        assert "is not a whole number" in capsys.readouterr().err


def test_a_problem_leaves_a_session_as_a_file_and_comes_back_with_its_program(deck_problem, tmp_path, capsys):
    first, second, copy = tmp_path / "1.bayescope", tmp_path / "2.bayescope", tmp_path / "there" / "copy.json"
    copy.parent.mkdir()
    assert cli.main(["new", "--trust", str(deck_problem), str(first)]) == 0
    assert cli.main(["export", str(first), "--problem", str(copy)]) == 0
    assert cli.main(["new", "--trust", str(copy), str(second)]) == 0
    with SessionStore.open(first, mode="read") as one, SessionStore.open(second, mode="read") as two:
        assert one.problem == two.problem
    assert cli.main(["test-run", str(second)]) == 0


@pytest.mark.loops
def test_evaluations_exported_as_a_table_are_imported_into_another_session(problem_file, tmp_path, capsys):
    first, second, table = tmp_path / "1.bayescope", tmp_path / "2.bayescope", tmp_path / "evaluations.csv"
    problem = problem_file()
    assert cli.main(["new", "--trust", str(problem), str(first)]) == 0
    assert bayescope("run", first, "--evaluations", 8).returncode == 0
    assert cli.main(["export", str(first), "--evaluations", str(table)]) == 0
    assert cli.main(["new", "--trust", str(problem), str(second)]) == 0
    assert cli.main(["import", str(second), str(table)]) == 0
    assert "8 of 8 rows" in capsys.readouterr().out
    with SessionStore.open(first, mode="read") as one, SessionStore.open(second, mode="read") as two:
        archive = two.archive()
        assert archive is not None
        exact = sorted(e.log_likelihood for e in one.evaluations())
        assert sorted(archive.values) == pytest.approx(exact, rel=1e-12)


@pytest.mark.loops
def test_when_every_run_fails_no_table_and_no_samples_pretend_to_be_an_answer(problem_file, tmp_path, capsys):
    session, samples = tmp_path / "s.bayescope", tmp_path / "samples.csv"
    assert cli.main(["new", "--trust", str(problem_file("sys.exit(3)")), str(session)]) == 0
    done = bayescope("run", session, "--evaluations", 8)
    assert done.returncode == cli.FAILED
    assert "mean" not in done.stdout
    assert "nan" not in done.stdout
    assert "8 failed" in done.stdout
    assert cli.main(["export", str(session), "--samples", str(samples)]) == cli.FAILED
    assert "no simulator run gave a usable value" in capsys.readouterr().err
    assert not samples.exists()
    assert cli.main(["export", str(session), "--evaluations", str(samples)]) == 0


def test_what_went_wrong_since_the_session_was_made_is_said_before_the_first_run(deck_problem, tmp_path, capsys):
    extra = deck_problem.parent / "grid.dat"
    extra.write_text("1 2 3")
    content = json.loads(deck_problem.read_text(encoding="utf-8"))
    content["simulator"]["extra_files"] = [{"path": "grid.dat"}]
    deck_problem.write_text(json.dumps(content), encoding="utf-8")
    session = tmp_path / "s.bayescope"
    assert cli.main(["new", "--trust", str(deck_problem), str(session)]) == 0
    extra.unlink()
    assert cli.main(["run", str(session)]) == cli.FAILED
    said = capsys.readouterr().err
    assert "grid.dat" in said
    assert "nothing was run" in said
    with SessionStore.open(session, mode="read") as store:
        assert not store.has_started


def test_commands_from_elsewhere_are_shown_and_only_run_with_consent(problem_file, tmp_path, monkeypatch):
    session = tmp_path / "s.bayescope"
    assert cli.main(["new", "--trust", str(problem_file()), str(session)]) == 0
    monkeypatch.setenv("BAYESCOPE_HOME", str(tmp_path / "elsewhere"))
    done = bayescope("run", session, "--evaluations", 2, stdin=subprocess.DEVNULL)
    assert done.returncode == cli.FAILED
    assert sys.executable in done.stderr
    assert "--trust" in done.stderr
    done = bayescope("run", session, "--evaluations", 2, "--trust")
    assert done.returncode == 0, done.stderr


def test_a_damaged_session_is_recovered_by_command(problem_file, tmp_path, capsys):
    session, new = tmp_path / "s.bayescope", tmp_path / "new.bayescope"
    assert cli.main(["new", "--trust", str(problem_file()), str(session)]) == 0
    data = bytearray(session.read_bytes())
    data[30:90] = os.urandom(60)
    session.write_bytes(data)
    assert cli.main(["run", str(session)]) == cli.FAILED
    assert cli.main(["recover", str(session), str(new)]) == 0
    assert "Recovered 0 finished runs" in capsys.readouterr().out
    assert cli.main(["support", str(new), str(tmp_path / "b.zip")]) == 0


@pytest.mark.journeys
def test_the_self_test_passes():
    done = bayescope("self-test")
    assert done.returncode == 0, (
        f"{done.stdout}{done.stderr}\nAfter a change of method make the stored one anew: python3 packaging/dev.py stored-answer"
    )
    lines = done.stdout.splitlines()
    assert [line.split(":")[0] for line in lines[3:-1]] == [
        "ok     Killed and resumed", "ok     Design points", "ok     Stored answer", "ok     Exports", "ok     Examples"
    ]
    assert "Computes on: " in lines[2]
    assert lines[-1].startswith("Self-test passed")


def test_the_problem_file_of_the_help_page_makes_a_session(tmp_path):
    page = (Path(__file__).parents[3] / "resources" / "help" / "problem-file.md").read_text(encoding="utf-8")
    (tmp_path / "problem.json").write_text(page.split("```json")[1].split("```")[0])
    (tmp_path / "decay.py").write_text("import sys\nprint('log-likelihood: ', -float(sys.argv[2]) - float(sys.argv[3]) ** 2)")
    session = tmp_path / "s.bayescope"
    assert cli.main(["new", "--trust", str(tmp_path / "problem.json"), str(session)]) == 0
    assert cli.main(["test-run", str(session), "--at", "rate=0.4"]) == 0


@pytest.mark.long
def test_a_method_is_chosen_and_other_methods_are_set_beside_it(problem_file, tmp_path, capsys):
    session = tmp_path / "s.bayescope"
    assert cli.main(["new", "--trust", str(problem_file()), str(session)]) == 0
    assert cli.main(["run", str(session), "--method", "nonsense"]) == 1
    assert "there is no method “nonsense”" in capsys.readouterr().err
    assert cli.main(["run", str(session), "--method", "laplace", "--evaluations", "70"]) == 0
    assert "one Gaussian" in capsys.readouterr().out
    assert cli.main(["run", str(session), "--method", "slice"]) == 1  # its runs belong to the method
    assert cli.main(["compare", str(session), str(session), "--with", "laplace"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["analysis", "runs", "log", "evidence", "distance", "verdict"]
    assert [line.split()[0] for line in lines[1:4]] == ["s", "Laplace", "s"]
    assert lines[3].split()[-2:] == ["0.000", "converged"]
    assert cli.main(["compare", str(session), "--with", "magic"]) == 1


@pytest.mark.loops
def test_stored_runs_are_made_again_by_command_and_the_status_says_whether_they_agree(problem_file, tmp_path, capsys):
    script, session = tmp_path / "model.py", tmp_path / "s.bayescope"
    script.write_text(SIMULATOR.format(""))
    command = [sys.executable, "-I", "-S", "model.py", "@a@", "@b@"]
    assert cli.main(["new", "--trust", str(problem_file(simulator={"command": command})), str(session)]) == 0
    assert cli.main(["run", str(session), "--evaluations", "6"]) == 0
    capsys.readouterr()
    assert cli.main(["replay", str(session), "--runs", "3"]) == 0
    said = capsys.readouterr().out
    assert "All 3 runs made again gave the same outputs to the last digit." in said
    assert said.count("identical: Run ") == 3
    script.write_text(SIMULATOR.format("").replace("-0.5", "-0.6"))
    assert cli.main(["replay", str(session), "--runs", "3"]) == cli.FAILED
    assert "Look at what would run" in capsys.readouterr().err
    assert cli.main(["replay", str(session), "--runs", "3", "--trust"]) == cli.FAILED
    out = capsys.readouterr().out
    assert "3 of 3 runs made again came out differently." in out
    assert "output “logl” differs by 17 % of its size" in out
    with SessionStore.open(session, mode="read") as store:
        assert len(store.replay().differing) == 3
        assert store.evaluation_count == 6
    assert cli.main(["export", str(session), "--report", str(tmp_path / "r.html")]) == 0
    assert "3 of 3 runs made again came out differently." in (tmp_path / "r.html").read_text(encoding="utf-8")
    assert cli.main(["replay", str(session), "--runs", "101"]) == cli.FAILED
    assert "at most 100" in capsys.readouterr().err


def test_identical_outputs_at_different_values_are_told_by_the_replay_too(problem_file, tmp_path, capsys):
    session = tmp_path / "s.bayescope"
    assert cli.main(["new", "--trust", str(problem_file("a = b = 0.3")), str(session)]) == 0
    cli.main(["run", str(session), "--evaluations", "7"])
    assert "gave identical outputs" in capsys.readouterr().err
    assert cli.main(["replay", str(session), "--runs", "1"]) == 0
    captured = capsys.readouterr()
    assert "All 7 good runs gave identical outputs" in captured.err
    assert "The one run made again" in captured.out


FRAME = """import sys
a, b = map(float, sys.argv[1:])
print("NODES")
for name, x in (("B-7", 2.0), ("A1", 0.0), ("A2", 1.0)):
    print(name, a + b * x)
"""


def test_nodes_measured_in_any_order_and_a_seed_of_ones_own_go_the_whole_way(problem_file, tmp_path, capsys):
    """Long data with labels, from a problem file to stored evaluations: rows are paired by what the program prints."""
    (tmp_path / "measured.csv").write_text("node;what;value\nA1;u;1,1\nA2;u;2,0\nB\u22127;u;3,1\nA1;f;9\n")
    table = {"kind": "table", "start": "NODES"}
    session = tmp_path / "s.bayescope"
    match = {"output": "u", "column": "u", "key_output": "node", "key_column": "node"}
    file = problem_file(
        simulator={"command": [sys.executable, "-I", "-S", "-c", FRAME, "@a@", "@b@"]},
        outputs=[
            {"name": "u", "source": "stdout", "extractor": {**table, "columns": [2]}},
            {"name": "node", "source": "stdout", "extractor": {**table, "columns": [1]}, "text": True},
        ],
        meaning={"kind": "predictions", "matches": [match], "noise": {"kind": "gaussian", "sd": 0.1}},
        data={"path": "measured.csv", "split_by": "what"},
    )
    assert cli.main(["new", "--trust", str(file), str(session)]) == 0
    assert cli.main(["test-run", str(session), "--at", "a=1", "--at", "b=1"]) == 0
    said = capsys.readouterr().out
    assert "output node: B-7, A1, A2" in said
    assert "predicted for u: 1, 2, 3, 1\nmeasured u: 1.1, 2, 3.1, ?" in said
    assert cli.main(["run", str(session), "--seed", str(2**32)]) == 1
    assert "must be between 0 and" in capsys.readouterr().err
    assert cli.main(["run", str(session), "--seed", "7", "--evaluations", "6", "--workers", "1"]) == 0
    with SessionStore.open(session, mode="read") as store:
        assert store.problem.settings.seed == 7
        runs = [e for e in store.evaluations() if e.outcome == "ok"]
        assert len(runs) == 6
        for run in runs:
            a, b = run.values["a"], run.values["b"]
            residuals = [1.1 - a, 2.0 - (a + b), 3.1 - (a + 2 * b)]
            expected = sum(-0.5 * (r / 0.1) ** 2 - math.log(0.1 * math.sqrt(2 * math.pi)) for r in residuals)
            assert run.log_likelihood == pytest.approx(expected)
    assert cli.main(["run", str(session), "--seed", "8"]) == 1
    assert "cannot be changed" in capsys.readouterr().err


@pytest.mark.loops
def test_a_random_program_declared_as_exact_is_refused_by_its_seed_and_by_two_runs_that_differ(problem_file, tmp_path, capsys):
    seeded = {"command": [sys.executable, "-I", "-S", "-c", SIMULATOR.format(""), "@a@", "@b@"], "environment": {"S": "@seed@"}}
    assert cli.main(["new", "--trust", str(problem_file(simulator=seeded)), str(tmp_path / "seeded.bayescope")]) == 1
    said = capsys.readouterr().err
    assert "simulator.environment.S" in said
    assert "new random seed in every run" in said
    assert "or fix its seed" in said
    assert not (tmp_path / "seeded.bayescope").exists()
    session = tmp_path / "random.bayescope"  # with noise so large that two values agree to .003 nats in none of 10,000 pairs
    assert cli.main(["new", "--trust", str(problem_file("import random; a += 99.0 * random.random()")), str(session)]) == 0
    done = bayescope("run", session)
    assert done.returncode == 1
    assert "two runs at the same values gave" in done.stdout
    assert "in a problem file: repeats, noise_sd or random" in done.stdout
    with SessionStore.open(session, mode="read") as store:
        assert store.evaluation_count == 0


@pytest.mark.loops
def test_failed_runs_are_told_in_a_terminal_and_made_again_by_the_next_run(tmp_path, capsys):
    from failing_program import PROGRAM, problem

    from bayescope.engine.session.store import SessionStore

    program, path = tmp_path / "model.py", tmp_path / "mine.bayescope"
    program.write_text(PROGRAM.format(beyond="sys.exit(3)"))
    SessionStore.create(path, problem(program), own=True).close()
    assert bayescope("run", path, "--trust").returncode in (0, 1)
    assert cli.main(["failures", str(path)]) == 0
    told = capsys.readouterr().out
    assert "runs: crashed. All" in told
    assert "share k > 0." in told
    program.write_text(PROGRAM.format(beyond="pass"))
    assert "made again first" in bayescope("failures", path, "--again").stdout
    assert bayescope("run", path, "--trust").returncode in (0, 1)
    with SessionStore.open(path, mode="read") as store:
        assert all(e.outcome == "ok" for e in store.evaluations())
    capsys.readouterr()
    assert cli.main(["failures", str(path)]) == 0
    assert "None of the" in capsys.readouterr().out
    assert cli.main(["failures", str(path), "--again"]) != 0
