"""Several commands typed as one line (``A && B``, ``A; B``, ``cd X && A``), and the small script that runs them in order. Pure.

No shell reads a command line here; the script is a template of the problem, so that parameters are filled into it, too. In both
kinds of script a command that fails ends the run: what the next one would read is not there.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from .definition import Simulator, TemplateFile

TITLE = "Commands that are run one after the other"
NAME = "commands"  # of the script
_SIGNS = ("&&", ";")
_REDIRECTED = re.compile(r"(?:[012]|&)?(?:>>?|<)(?:&[12])?")  # a shell does read the script: it may send text to a file
_FOR_CMD = re.compile(r"[&|<>^()]")  # means something to the command interpreter of Windows unless quoted

Command = tuple[str, ...]


@dataclass(frozen=True)
class CommandList:
    """``commands``, in order; ``folder``: in which they run, None: it is not said; ``sign``: what stood between them."""

    commands: tuple[Command, ...]
    folder: str | None
    sign: str


def command_list(command: Sequence[str]) -> CommandList | None:
    """What a shell would take ``command`` for; None: it is one command. A sign within quotes is none where blanks stand there."""
    parts: list[list[str]] = [[]]
    sign = ""
    for i, word in enumerate(command):
        ends = word.endswith(";") and len(word) > 1 and not any(map(str.isspace, word)) and i + 1 < len(command)
        if word in _SIGNS or ends:
            sign = sign or (word if word in _SIGNS else ";")
            parts[-1] += [word[:-1]] if ends else []
            parts.append([])
        else:
            parts[-1].append(word)
    commands = [tuple(part) for part in parts if part]
    if not sign or not commands:
        return None
    folder = (
        commands[0][-1] if commands[0][0] in ("cd", "pushd") and 1 < len(commands[0]) < 4 and commands[1:] else None
    )
    return CommandList(tuple(commands if folder is None else commands[1:]), folder, sign)


def with_commands(simulator: Simulator, found: CommandList, windows: bool) -> Simulator:
    """``simulator`` that runs them, one by itself, several by a script; in their folder where it is said."""
    folder = simulator.working_folder if found.folder is None else found.folder
    if len(found.commands) == 1:
        return msgspec.structs.replace(simulator, command=found.commands[0], working_folder=folder)
    taken = {t.target for t in simulator.templates}
    ending = ".cmd" if windows else ".sh"
    target = next(n for n in (f"{NAME}{i or ''}{ending}" for i in range(len(taken) + 1)) if n not in taken)
    text = script(found.commands, windows)
    command = ("cmd", "/d", "/c", target) if windows else ("sh", target)
    templates = (*simulator.templates, TemplateFile(target=target, text=text))
    return msgspec.structs.replace(simulator, command=command, templates=templates, working_folder=folder)


def script(commands: Sequence[Command], windows: bool) -> str:
    """The text of a script that runs ``commands`` until one fails."""
    if not windows:
        return "\n".join((f"# {TITLE}", "set -e", *(" ".join(map(_for_sh, one)) for one in commands), ""))
    lines = [f"@rem {TITLE}", "@echo off"]
    for one in commands:
        call = "call " if one[0].lower().endswith((".bat", ".cmd")) else ""
        lines += [call + " ".join(map(_for_cmd, one)), "if not %errorlevel%==0 exit /b %errorlevel%"]
    return "\r\n".join((*lines, ""))


def commands_of(simulator: Simulator) -> tuple[Command, ...]:
    """The commands that a run starts: those of its script of commands, where it has one, else its own."""
    last = simulator.command[-1] if simulator.command else ""
    text = next((t.text for t in simulator.templates if t.target == last), "")
    lines = text.splitlines()
    if not lines or not lines[0].endswith(TITLE):
        return (simulator.command,)
    split = _words_of_cmd if lines[0].startswith("@") else _words_of_sh
    found = (split(line) for line in lines[2:] if not line.startswith("if not %errorlevel%"))
    return tuple(one for one in found if one)


def each_changed(simulator: Simulator, change: Callable[[Command], Command]) -> Simulator:
    """``simulator`` with what ``change`` makes of each command that a run starts; lines of a script that it leaves stay."""
    last = simulator.command[-1] if simulator.command else ""
    if commands_of(simulator) == (simulator.command,):
        return msgspec.structs.replace(simulator, command=change(simulator.command)) if simulator.command else simulator
    templates = tuple(
        msgspec.structs.replace(t, text="".join(_line_changed(line, change) for line in t.text.splitlines(keepends=True)))
        if t.target == last else t
        for t in simulator.templates
    )  # fmt: skip
    return msgspec.structs.replace(simulator, templates=templates)


def _line_changed(line: str, change: Callable[[Command], Command]) -> str:
    bare = line.rstrip("\r\n")
    windows = line.endswith("\r\n")
    words = _words_of_cmd(bare) if windows else _words_of_sh(bare)
    own = not words or words == ("set", "-e") or bare.startswith(("@", "if not %errorlevel%"))
    if own or (new := change(words)) == words:
        return line
    call = "call " if windows and new[0].lower().endswith((".bat", ".cmd")) else ""
    return call + " ".join(map(_for_cmd if windows else _for_sh, new)) + line[len(bare) :]


def _for_sh(word: str) -> str:
    return word if _REDIRECTED.fullmatch(word) else shlex.quote(word)


def _for_cmd(word: str) -> str:
    if _REDIRECTED.fullmatch(word):
        return word
    quoted = subprocess.list2cmdline([word])
    quoted = f'"{quoted}"' if _FOR_CMD.search(quoted) and not quoted.startswith('"') else quoted
    return quoted.replace("%", "%%")


def _words_of_sh(line: str) -> Command:
    try:
        return tuple(shlex.split(line, comments=True))
    except ValueError:  # somebody edits it
        return tuple(line.split())


def _words_of_cmd(line: str) -> Command:
    words = tuple(word.replace('"', "").replace("%%", "%") for word in re.findall(r'(?:"[^"]*"|[^\s"])+', line))
    return words[1:] if words[:1] == ("call",) else words
