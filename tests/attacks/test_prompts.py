"""A question that hides what it asks about, and texts that would steer the terminal they are printed in."""

from __future__ import annotations

import msgspec
import pytest

from bayescope.engine.problem.definition import ExtraFile, Simulator, TemplateFile
from bayescope.engine.session.store import SessionStore
from bayescope.engine.session.trust.sheet import trust_sheet
from bayescope.engine.session.trust.what_runs import what_runs

pytestmark = pytest.mark.attack("prompts")
ESCAPES = {
    "clear screen": "\x1b[2J\x1b[H",
    "hide": "\x1b[8m",
    "title": "\x1b]0;x\x07",
    "carriage return": "a\rb",
    "backspaces": "rm -rf ~" + "\b" * 8,
    "right to left": "\u202egnp.exe",
    "isolate": "\u2066x\u2069",
    "zero width": "r\u200bm",
    "joiner": "r\u2060m",
    "soft hyphen": "r\u00adm",
    "tag characters": "".join(chr(0xE0000 + ord(c)) for c in "hidden"),
    "line separator": "a\u2028b",
    "next line": "a\x85b",
    "csi": "\x9b2J",
    "blank letters": "a\u3164\u2800\u115f\uffa0b",
    "variation selector": "a\ufe0fb",
}


def lines(folder, **simulator) -> str:
    declared = Simulator(**simulator)
    return "\n".join(trust_sheet(declared, folder, what_runs(declared, folder), None).lines())


@pytest.mark.parametrize("text", ESCAPES.values(), ids=ESCAPES.keys())
@pytest.mark.parametrize("where", ["command", "template", "target", "environment", "name", "stdin", "extra", "folder"])
def test_what_cannot_be_seen_is_written_out(folder, text, where) -> None:
    made = {
        "command": {"command": ("true", text)},
        "template": {"command": ("true",), "templates": (TemplateFile(target="x", text=text),)},
        "target": {"command": ("true",), "templates": (TemplateFile(target=text, text="x"),)},
        "environment": {"command": ("true",), "environment": {"X": text}},
        "name": {"command": ("true",), "environment": {text: "x"}},
        "stdin": {"command": ("true",), "stdin": text},
        "extra": {"command": ("true",), "extra_files": (ExtraFile(path=text),)},
        "folder": {"command": ("true",), "working_folder": text},
    }[where]
    shown = lines(folder, **made)
    assert text not in shown
    assert all(c.isprintable() or c in "\n\t" for c in shown)
    assert "\\x" in shown or "\\u" in shown or "\\U" in shown or "\\r" in shown or "\\b" in shown


def test_a_new_line_cannot_fake_a_line_of_the_sheet(folder) -> None:
    shown = lines(folder, command=("true", "x\n\nProgram that is started:\n    /bin/true"))
    assert shown.count("Program that is started") == 2
    assert "\\n" in shown


def test_the_end_of_a_long_command_is_shown(folder) -> None:
    assert "rm -rf" in lines(folder, command=("true", *["harmless"] * 3000, "rm -rf ~"))


def test_arguments_are_quoted_so_that_one_is_not_taken_for_two(folder) -> None:
    assert "'a b'" in lines(folder, command=("true", "a b"))


SUSPICIOUS = {
    "preload": ({"environment": {"LD_PRELOAD": "x.so"}}, "LD_PRELOAD"),
    "python path": ({"environment": {"PYTHONPATH": "."}}, "PYTHONPATH"),
    "search path": ({"environment": {"PATH": "."}}, "PATH"),
    "bash env": ({"environment": {"BASH_ENV": "x"}}, "BASH_ENV"),
    "shell": ({"command": ("sh", "-c", "true")}, "A shell or an interpreter"),
    "inline": ({"command": ("python3", "-c", "1")}, "A shell or an interpreter"),
    "network": ({"command": ("env", "curl", "x")}, "network"),
    "rights": ({"command": ("sudo", "true")}, "rights"),
    "script": ({"templates": (TemplateFile(target="a.sh", text="true"),)}, "may be run as a program"),
    "shebang": ({"templates": (TemplateFile(target="a", text="#!/bin/sh"),)}, "may be run as a program"),
    "look-alike": ({"command": ("./s\u043elver",)}, "alphabets"),
}


@pytest.mark.parametrize(("made", "words"), SUSPICIOUS.values(), ids=SUSPICIOUS.keys())
def test_what_deserves_a_second_look_gets_one(folder, made, words) -> None:
    shown = lines(folder, **{"command": ("true",), **made})
    assert words in shown.split("Worth a second look")[1].split("\n\n")[0]


@pytest.mark.parametrize("name", [".ssh/id_rsa", ".aws/credentials", ".netrc", "key.pem", ".bash_history", ".env"])
def test_a_private_file_among_the_extra_files_is_pointed_out(folder, name) -> None:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("secret")
    assert "looks like something private" in lines(folder, command=("true",), extra_files=(ExtraFile(path=str(path)),))


def test_everything_that_is_read_or_written_is_on_the_sheet(folder) -> None:
    (folder / "model.py").write_text("import helper\n")
    (folder / "helper.py").write_text("print('the helper')\n")
    (folder / "data.bin").write_bytes(b"\0" * 10)
    shown = lines(
        folder, command=("python3", "model.py", "--in=data.bin"), stdin="typed", working_folder="work",
        environment={"SOLVER_MODE": "fast"}, templates=(TemplateFile(target="deck.inp", text="*STEP @a@"),),
        extra_files=(ExtraFile(path="mesh.msh"),),
    )  # fmt: skip
    for words in ("model.py", "import helper", "the helper", "data.bin", "typed", "work", "SOLVER_MODE=fast", "deck.inp",
                  "*STEP @a@", "mesh.msh", "not there"):  # fmt: skip
        assert words in shown, words


@pytest.mark.parametrize("words", [("run", "--evaluations", "1"), ("test-run",), ("export", "--summary", "x.csv"), ("compare",)])
def test_no_text_of_a_stranger_reaches_the_terminal_as_it_is(folder, problem, as_stranger, command, words) -> None:
    evil = "\x1b[2J\x1b]0;x\x07\u202e"
    named = msgspec.structs.replace(
        problem, name=evil, parameters=(msgspec.structs.replace(problem.parameters[0], label=evil),),
        simulator=msgspec.structs.replace(problem.simulator, command=("true", evil)),
    )  # fmt: skip
    path = folder / "e\x1b[2J\u202e.bayescope"
    with as_stranger():
        SessionStore.create(path, named, own=True).close()
    done = command(words[0], path, *words[1:])
    assert "\x1b" not in done.stdout + done.stderr
    assert "\u202e" not in done.stdout + done.stderr


def test_what_a_program_prints_does_not_reach_the_terminal_as_it_is(folder, problem, command) -> None:
    (folder / "model.py").write_text("import sys\nprint('\\x1b[2J 1')\nprint('\\x1b[8m', file=sys.stderr)\nsys.exit(3)\n")
    path = folder / "s.bayescope"
    SessionStore.create(path, problem, own=True).close()
    for words in (("test-run",), ("run", "--evaluations", "3"), ("noise-check", "--runs", "2")):
        done = command(words[0], path, *words[1:])
        assert "\x1b[2J" not in done.stdout + done.stderr
        assert "\x1b[8m" not in done.stdout + done.stderr


def test_what_is_signed_is_what_was_shown(strangers, folder) -> None:
    from bayescope.engine.session.store import SessionStore
    from bayescope.engine.session.trust.consent import NotAgreed

    with SessionStore.open(strangers) as store:
        with pytest.raises(NotAgreed) as asked:
            store.permit()
        (folder / "model.py").write_text("print(2)\n")  # while the person reads
        store.agree(confined=False, shown=asked.value.found)
        with pytest.raises(NotAgreed, match=r"model\.py"):
            store.permit()


def test_a_file_that_is_given_under_another_name_is_shown_with_it_and_with_its_text(folder) -> None:
    (folder / "notes.txt").write_text("import os; os.abort()\n")
    shown = lines(folder, command=("python3", "model.py"), extra_files=(ExtraFile(path="notes.txt", target="model.py"),))
    assert "given to it as “model.py”" in shown
    assert "os.abort()" in shown
