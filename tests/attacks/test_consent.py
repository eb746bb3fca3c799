"""Somebody else's program is to be run, or a changed one, without anybody having agreed."""

from __future__ import annotations

import sqlite3
import sys
import time
from pathlib import Path

import msgspec
import pytest

from bayescope.engine import protocol as p
from bayescope.engine.problem.bundled import examples_folder
from bayescope.engine.problem.definition import ExtraFile, Problem, Simulator, TemplateFile
from bayescope.engine.problem.files import load
from bayescope.engine.session import codec
from bayescope.engine.session.salvage import salvage
from bayescope.engine.session.store import SessionStore
from bayescope.engine.session.trust.consent import Consent, NotAgreed, Signed, permit_for, sign
from bayescope.engine.session.trust.sheet import trust_sheet
from bayescope.engine.session.trust.what_runs import Found, what_runs
from bayescope.engine.simulator import runner
from consents import command_fields

pytestmark = [pytest.mark.attack("consent"), pytest.mark.usefixtures("trace")]


@pytest.fixture(autouse=True)
def _nothing_ran(trace: Path):
    yield
    assert not trace.exists(), "the stranger's program was run"


def refused(path: Path) -> str:
    """What is said about the session at ``path``; fails if it may run."""
    with SessionStore.open(path) as store:
        with pytest.raises(NotAgreed) as caught:
            store.permit()
        return str(caught.value)


def rewrite(path: Path, **items: bytes) -> None:
    """Change rows of ``meta`` as a stranger with an editor would, checksums and all."""
    connection = sqlite3.connect(path)
    for key, value in items.items():
        connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?, ?)", (key, value, codec.checksum(key, value)))
    connection.commit()
    connection.close()


# ------------------------------------------------------------------ every way to start something


@pytest.mark.parametrize(
    "words",
    [("run", "--evaluations", "2"), ("test-run",), ("test-run", "--repeat", "3"), ("noise-check",), ("replay",)],
)
def test_a_command_in_a_terminal_starts_nothing_of_a_strangers(strangers, command, words) -> None:
    done = command(words[0], strangers, *words[1:])
    assert done.returncode == 1
    assert "nothing was run" in done.stderr
    assert "model.py" in done.stderr


def test_importing_into_a_strangers_session_does_not_run_its_check(strangers, command, folder) -> None:
    (folder / "runs.csv").write_text("a,log_likelihood\n0.1,-1\n0.5,-2\n0.7,-3\n")
    done = command("import", strangers, folder / "runs.csv")
    assert done.returncode == 1
    assert "nothing was run" in done.stderr


def test_the_engine_refuses_a_run_of_a_strangers_session(strangers, engine) -> None:
    engine.send(p.StartRun(session=str(strangers)))
    assert engine.wait_end().outcome == "failed"


@pytest.mark.parametrize("consent", ["none", "garbage", "another problem's", "a stranger's"])
def test_the_engine_refuses_what_no_consent_covers(problem, folder, strangers, engine, as_stranger, consent) -> None:
    """Every command that would start a program, one after the other to one engine."""
    fields = command_fields(problem, folder)
    if consent == "none":
        fields |= {"consent": b"", "signature": ""}
    elif consent == "garbage":
        fields |= {"signature": "0" * 64}
    elif consent == "another problem's":
        other = msgspec.structs.replace(problem, simulator=Simulator(command=("true",)))
        fields |= {k: v for k, v in command_fields(other, folder).items() if k in ("consent", "signature")}
    else:
        with as_stranger():
            signed = sign(problem.simulator, folder)
        fields |= {"consent": signed.content, "signature": signed.signature}
    row = p.ArchivedRow(values={"a": 1.0}, value=-0.5)
    replay = p.Replay(session=str(strangers), runs=2, consent=fields["consent"], signature=fields["signature"])
    for command, answer in (
        (p.TrialRun(**fields, values={"a": 1.0}), p.TrialRunResult),
        (p.NoiseCheck(**fields, values={"a": 1.0}, runs=2), p.NoiseCheckResult),
        (p.CheckArchive(**fields, rows=(row,), meaning="log_likelihood"), p.ArchiveChecked),
        (replay, p.ReplayDone),
    ):
        deadline = time.monotonic() + 60.0
        while not (said := engine.of(answer)) or "Another test run" in str(said[-1]):  # the thread before is just ending
            assert time.monotonic() < deadline
            n = len(said)
            engine.send(command)
            engine.wait_for(lambda answer=answer, n=n: len(engine.of(answer)) > n)
        assert "agree" in str(said[-1]), type(command).__name__


def test_the_runner_itself_starts_nothing_that_its_permit_does_not_cover(problem, folder, tmp_path) -> None:
    permit = permit_for(sign(Simulator(command=("true",)), folder), Simulator(command=("true",)), folder)
    result = runner.run_once(
        problem.simulator, problem.outputs, {"a": 1.0}, permit=permit, folder=tmp_path / "run", base=folder, seed=1
    )
    assert result.cause == "setup"
    assert "Nothing was started" in result.reason


# ------------------------------------------------------------------ trust that is not given


def test_a_session_that_claims_to_be_made_on_this_computer_is_a_strangers(strangers, own) -> None:
    with SessionStore.open(own, mode="read") as store:
        machine = store.origin_machine
    rewrite(strangers, origin_machine=machine.encode())
    refused(strangers)


def test_a_consent_copied_from_one_of_our_sessions_covers_nothing_else(strangers, own, problem) -> None:
    changed = msgspec.structs.replace(
        problem, simulator=msgspec.structs.replace(problem.simulator, command=(sys.executable, "-c", "print(1)", "@a@"))
    )
    with SessionStore.open(own, mode="read") as store:
        signed = store.signed
    rewrite(strangers, consent=signed.content, signature=signed.signature.encode(), problem=msgspec.json.encode(changed))
    assert "changed" in refused(strangers)


def test_a_strangers_consent_row_is_worth_nothing(strangers, problem, folder, as_stranger) -> None:
    with as_stranger():
        signed = sign(problem.simulator, folder)
    rewrite(strangers, consent=signed.content, signature=signed.signature.encode())
    refused(strangers)


def test_recovering_a_strangers_session_does_not_make_it_ours(strangers, folder) -> None:
    salvage(strangers, folder / "recovered.bayescope")
    refused(folder / "recovered.bayescope")


def test_the_recover_command_does_not_make_it_ours(strangers, folder, command) -> None:
    assert command("recover", strangers, folder / "r.bayescope").returncode == 0
    assert command("run", folder / "r.bayescope", "--evaluations", 2).returncode == 1


def test_exporting_the_problem_and_making_a_session_of_it_does_not_make_it_ours(strangers, folder, command) -> None:
    assert command("export", strangers, "--problem", folder / "p.json").returncode == 0
    made = command("new", folder / "p.json", folder / "new.bayescope")
    assert made.returncode == 0
    assert "model.py" in made.stdout
    assert command("run", folder / "new.bayescope", "--evaluations", 2).returncode == 1
    refused(folder / "new.bayescope")


def test_editing_a_strangers_problem_does_not_make_it_ours(strangers, problem) -> None:
    with SessionStore.open(strangers) as store:
        store.save_problem(msgspec.structs.replace(problem, name="now mine"))
        changed = msgspec.structs.replace(problem.simulator, command=(*problem.simulator.command, "--more"))
        store.save_problem(msgspec.structs.replace(problem, simulator=changed))
    refused(strangers)


def test_following_files_after_a_copy_does_not_make_it_ours(strangers, folder, tmp_path) -> None:
    with SessionStore.open(strangers) as store:
        (tmp_path / "elsewhere").mkdir()
        store.copy_to(tmp_path / "elsewhere" / "copy.bayescope")
    with SessionStore.open(tmp_path / "elsewhere" / "copy.bayescope") as copy:
        copy.follow_files(folder)
    refused(tmp_path / "elsewhere" / "copy.bayescope")


def test_an_older_session_that_is_migrated_stays_a_strangers(tmp_path) -> None:
    for version in (1, 2):
        golden = Path(__file__).parents[1] / "engine" / "session" / "golden" / f"format{version}.bayescope"
        copy = tmp_path / f"old{version}.bayescope"
        copy.write_bytes(golden.read_bytes())
        refused(copy)


# ------------------------------------------------------------------ programs exchanged after somebody agreed


def test_a_script_exchanged_beside_a_signed_session_is_asked_about(own, folder, command) -> None:
    (folder / "model.py").write_text((folder / "model.py").read_text() + "# and more\n")
    assert "model.py" in refused(own)
    done = command("run", own, "--evaluations", 2)
    assert done.returncode == 1
    assert "+# and more" in done.stderr, "the difference is shown"


def test_a_change_is_told_in_words_the_files_outside_first_and_without_the_format_of_a_file(own, folder, problem) -> None:
    """The newcomer's: his own script and his own clicks came as a difference of JSON, after an agreement he knew nothing of."""
    with SessionStore.open(own, mode="read") as store:
        before = store.signed.consent()
    lines = (folder / "model.py").read_text().splitlines()
    (folder / "model.py").write_text("\n".join([*lines[:1], "# looked at", *lines[1:]]) + "\n")
    simulator = msgspec.structs.replace(
        problem.simulator,
        command=(*problem.simulator.command, "--more"),
        limits=msgspec.structs.replace(problem.simulator.limits, time_s=60.0),
        environment={"OMP_NUM_THREADS": "1"},
        templates=(TemplateFile(target="deck.txt", text="a = @a@\n"),),
    )
    sheet = trust_sheet(simulator, folder, what_runs(simulator, folder), before)
    since = "since this analysis was last set up or run here"
    outside = f"“model.py” (line 2) was changed outside of Bayescope {since}"
    assert sheet.why == f"{outside}; how this analysis runs it was changed too."
    said = sheet.sections[0].text
    assert said.index("Outside of Bayescope:") < said.index("+# looked at") < said.index("In the analysis itself")
    assert "limits, time in s:\n    was: 3600\n    is now: 60" in said
    assert "the variable OMP_NUM_THREADS:\n    was: none\n    is now: 1" in said
    assert "written for it now: deck.txt" in said
    assert "from line 1:" in said
    assert "@@" not in said
    assert not set('{}[]"') & set(said.partition("In the analysis itself")[2].replace(simulator.command[0], ""))
    alone = trust_sheet(simulator, folder, before_files(before, folder), before)
    assert alone.why == f"How this analysis runs its program was changed {since}."


def before_files(before: Consent, folder: Path) -> Found:
    """As if the files were what they were."""
    now = what_runs(before.simulator, folder)
    return msgspec.structs.replace(now, files=before.files)


def test_a_script_of_the_same_size_and_date_is_noticed(own, folder) -> None:
    import os

    path = folder / "model.py"
    before, text = path.stat(), path.read_text()
    path.write_text(text.replace("-0.5", "-0.7"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    refused(own)


@pytest.mark.parametrize("name", ["helper.py", "numpy.py", "inner/__init__.py"])
def test_a_module_that_the_script_would_import_is_noticed(folder, problem, name) -> None:
    (folder / "model.py").write_text("import helper, numpy, inner\n" + (folder / "model.py").read_text())
    (folder / "helper.py").write_text("x = 1\n")
    SessionStore.create(folder / "s.bayescope", problem, own=True).close()
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("import os; os.abort()\n")
    refused(folder / "s.bayescope")


@pytest.mark.parametrize(
    ("made", "changed"),
    [
        ({"command": ("./solver", "@a@")}, "solver"),
        ({"command": ("sh", "-c", "./wrap.sh @a@")}, "solver"),
        ({"command": ("sh", "-c", "./solver; echo done")}, "solver"),
        ({"command": ("env", "X=1", "./solver", "@a@")}, "solver"),
        ({"command": ("env", "X=1", "bash", "-lc", "cd .; ./solver @a@")}, "solver"),
        ({"command": ("true", "--deck=solver", "@a@")}, "solver"),
        ({"command": ("sh", "deck", "@a@"), "extra_files": (ExtraFile(path="solver", target="deck"),)}, "solver"),
        ({"command": ("true", "@a@"), "extra_files": (ExtraFile(path="solver"),)}, "solver"),
        ({"command": ("true", "@a@"), "extra_files": (ExtraFile(path="solver", link=True),)}, "solver"),
        ({"command": ("true", "@a@"), "extra_files": (ExtraFile(path="lib"),)}, "lib/part"),
    ],
    ids=["program", "shell-wrapped", "shell", "env", "env shell", "option", "brought", "copied", "linked", "folder"],
)
def test_a_file_that_a_run_starts_or_is_given_cannot_be_exchanged(folder, problem, made, changed) -> None:
    (folder / "lib").mkdir()
    for name in ("solver", "wrap.sh", "lib/part"):
        (folder / name).write_text("#!/bin/sh\necho 1\n")
        (folder / name).chmod(0o755)
    simulator = msgspec.structs.replace(problem.simulator, **made)
    path = folder / "s.bayescope"
    SessionStore.create(path, msgspec.structs.replace(problem, simulator=simulator), own=True).close()
    with SessionStore.open(path) as store:
        assert store.agreed
    if made["command"][-1] == "./wrap.sh @a@":
        changed = "wrap.sh"
    (folder / changed).write_text("#!/bin/sh\necho 2\n")
    refused(path)


@pytest.mark.parametrize(
    "change",
    [
        {"templates": (TemplateFile(target="run.sh", text="rm -rf ~"),)},
        {"environment": {"LD_PRELOAD": "evil.so"}},
        {"stdin": "system('evil')"},
        {"working_folder": ".."},
        {"extra_files": (ExtraFile(path="/etc/passwd"),)},
    ],
    ids=["template", "environment", "stdin", "folder", "extra"],
)
def test_no_part_of_what_runs_can_be_changed_in_the_file(own, problem, change) -> None:
    simulator = msgspec.structs.replace(problem.simulator, **change)
    rewrite(own, problem=msgspec.json.encode(msgspec.structs.replace(problem, simulator=simulator)))
    refused(own)


def test_a_script_exchanged_while_a_run_goes_on_is_not_started_again(folder, problem, tmp_path, trace) -> None:
    simulator = problem.simulator
    permit = permit_for(sign(simulator, folder), simulator, folder)
    options = {"permit": permit, "base": folder, "seed": 1}
    first = runner.run_once(simulator, problem.outputs, {"a": 1.0}, folder=tmp_path / "1", **options)
    assert first.outcome == "ok"
    trace.unlink()
    (folder / "model.py").write_text(f"open({str(trace)!r}, 'w')\nprint(1)\n")
    second = runner.run_once(simulator, problem.outputs, {"a": 1.0}, folder=tmp_path / "2", **options)
    assert second.cause == "setup"
    assert "model.py" in second.reason


def test_an_old_signature_does_not_cover_an_exchanged_script(own, problem, folder) -> None:
    from bayescope.engine.session import machine

    rewrite(own, consent=b"", signature=machine.sign(msgspec.json.encode(problem.simulator)).encode())
    refused(own)


# ------------------------------------------------------------------ bundled programs


def bundled_problem() -> Problem:
    return load(examples_folder() / "contamination" / "problem.json")


def test_an_untouched_example_needs_no_question(folder, as_stranger) -> None:
    with as_stranger():
        SessionStore.create(folder / "e.bayescope", bundled_problem(), own=True).close()
    with SessionStore.open(folder / "e.bayescope") as store:
        assert store.agreed


@pytest.mark.parametrize(
    "change",
    [
        {"command": ("bayescope:contamination", "in.txt", "/home/user/thesis.txt")},
        {"environment": {"PYTHONPATH": "."}},
        {"templates": ()},
        {"extra_files": (ExtraFile(path="/etc/passwd"),)},
    ],
    ids=["second argument", "environment", "template", "extra"],
)
def test_a_bundled_program_with_anything_changed_is_asked_about(folder, as_stranger, change) -> None:
    problem = bundled_problem()
    changed = msgspec.structs.replace(problem, simulator=msgspec.structs.replace(problem.simulator, **change))
    with as_stranger():
        SessionStore.create(folder / "e.bayescope", changed, own=True).close()
    refused(folder / "e.bayescope")


def test_what_was_agreed_to_runs(own, trace, command) -> None:
    assert command("run", own, "--evaluations", 2).returncode == 0
    assert trace.read_text() == "xxx", "two points, the first a second time"
    trace.unlink()


def test_a_consent_survives_moving_the_whole_folder(own, folder, tmp_path, problem) -> None:
    folder.rename(tmp_path / "moved")
    with SessionStore.open(tmp_path / "moved" / own.name) as store:
        assert store.agreed


def test_signed_content_must_be_a_consent() -> None:
    from bayescope.engine.session import machine

    content = b'{"simulator": {}}'
    assert Signed(content, machine.sign(content)).consent() is None
