"""The manual page bayescope(1), written from the command line's own parser. Run with the environment's Python: manual.py FILE"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from metadata import NEWS, SUMMARY, VERSION, releases

from bayescope.engine.app.command_line import command_parser


def plain(text: str) -> str:
    """``text`` with what roff would read as an instruction made harmless."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("%%", "%")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in escaped.splitlines())


def commands(parser: argparse.ArgumentParser) -> list[tuple[str, argparse.ArgumentParser]]:
    actions = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    return [(name, command) for action in actions for name, command in action.choices.items()]


def arguments(parser: argparse.ArgumentParser) -> list[str]:
    lines = []
    for action in parser._actions:
        if isinstance(action, argparse._HelpAction) or action.help == argparse.SUPPRESS:
            continue
        shown = action.metavar if isinstance(action.metavar, str) else (action.dest if action.choices is None else "")
        if action.choices is not None:
            shown = "|".join(map(str, action.choices))
        names = ", ".join(rf"\fB{plain(o)}\fR" for o in action.option_strings)
        takes = action.nargs != 0
        term = f"{names} " * bool(names) + (rf"\fI{plain(shown)}\fR" if takes else "")
        lines += [".RS 4", ".TP", term.strip(), plain(action.help or ""), ".RE"]
    return lines


def page() -> str:
    """The whole page in the man macros."""
    parser = command_parser()
    date = releases(NEWS.read_text(encoding="utf-8"))[0].date
    lines = [
        rf'.TH BAYESCOPE 1 {date} "Bayescope {VERSION}" "User Commands"', ".SH NAME", rf"bayescope \- {plain(SUMMARY)}",
        ".SH SYNOPSIS", ".B bayescope", r"[\fIFILE.bayescope\fR ...]", ".br", ".B bayescope", r"\fICOMMAND\fR [\fIARGUMENTS\fR]",
        ".SH DESCRIPTION", plain(parser.description or ""),
        "Files open in windows of one running application.", ".SH COMMANDS",
    ]  # fmt: skip
    for name, command in commands(parser):
        lines += [".TP", rf"\fB{plain(name)}\fR", plain(command.description or "")]
        lines += arguments(command)
    lines += [
        ".SH ENVIRONMENT", ".TP", ".B BAYESCOPE_HOME", "Folder of drafts, settings and logs, in the place of the usual one.",
        ".SH FILES", ".TP", r".I ~/.local/share/Bayescope", "Drafts, settings and logs (on Linux).",
        ".SH EXIT STATUS", "0: done. 1: it could not be done; a sentence on standard error says why. 2: wrong arguments.",
    ]  # fmt: skip
    return "\n".join(line for line in lines if line) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
