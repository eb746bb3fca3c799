"""The sheet a person reads before agreeing: all that will run, be read and be sent, in sections of plain text.

One sheet for the window and the terminal. Nothing on it can hide: characters that reorder, overwrite or vanish are written out.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...problem.command_text import command_text, visible
from ...problem.definition import Simulator
from .changes_shown import changes
from .consent import Consent, NotAgreed, changed_words
from .kept import MAX_BYTES, program_text
from .python_files import MAX_FILES
from .what_runs import IN_PLACE, NOT_THERE, Found, RunFile

MAX_SHOWN = 200_000  # characters of one text; more is cut, and said
MAX_ALL_SHOWN = 2_000_000  # characters of all programs, scripts and modules
MAX_SMALL = 20_000  # bytes of an argument's or extra file whose text is shown: it may be what is run
_SHOWN_ROLES = ("program", "script", "module")

_LOADS_CODE = re.compile(
    r"LD_\w+|DYLD_\w+|PYTHON\w+|PERL5?(LIB|OPT|DB)|RUBY(OPT|LIB)|NODE_(OPTIONS|PATH)|BASH_ENV|"
    r"ENV|PATH|IFS|PS4|PROMPT_COMMAND|SHELLOPTS|GCONV_PATH|R_(PROFILE|ENVIRON|LIBS)\w*|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|CLASSPATH|"
    r"JULIA_(LOAD_PATH|DEPOT_PATH)|LUA_(INIT|PATH|CPATH)|OCTAVE_\w+|GIT_\w*(SSH|EXEC|EDITOR)\w*|EDITOR|PAGER|XDG_\w+|HOME"
)
_SHELLS = {"sh", "bash", "dash", "zsh", "ksh", "fish", "cmd", "powershell", "pwsh"}
_INLINE = {"-c", "-e", "--eval", "-E", "/c", "/C", "-Command", "-EncodedCommand"}
_NETWORK = {"curl", "wget", "nc", "ncat", "netcat", "ssh", "scp", "sftp", "rsync", "ftp", "telnet", "socat", "aria2c"}
_POWER = {"sudo", "su", "doas", "pkexec", "runas"}
_PRIVATE = re.compile(
    r"(^|/)(\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.password-store|\.mozilla|\.thunderbird|keyrings|wallets?)(/|$)|"
    r"(^|/)(id_(rsa|dsa|ecdsa|ed25519)|\.netrc|\.pgpass|\.git-credentials|credentials|shadow|\.env|.*\.(pem|key|p12|pfx|kdbx))$|"
    r"(^|/)\.[a-z_]*(history|token|secret)[a-z_]*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Section:
    """``text``: what is shown as it stands, every line of it; ``mark``: draws attention to it."""

    title: str
    text: str
    mark: bool = False


@dataclass(frozen=True)
class TrustSheet:
    """``why``: why it is asked, a sentence. ``foreign``: made elsewhere (else it was changed since)."""

    why: str
    foreign: bool
    sections: tuple[Section, ...]

    def lines(self) -> list[str]:
        """For a terminal."""
        out = [self.why]
        for section in self.sections:
            out += ["", f"{'! ' if section.mark else ''}{section.title}:"]
            out += [f"    {line}" for line in section.text.splitlines() or [""]]
        return out


def sheet_of(refusal: NotAgreed) -> TrustSheet:
    """What somebody must see before agreeing to what ``permit_for`` refused."""
    return trust_sheet(refusal.simulator, refusal.folder, refusal.found, refusal.before)


def trust_sheet(simulator: Simulator, folder: Path, found: Found, before: Consent | None) -> TrustSheet:
    """Everything of ``simulator``, first what changed since ``before`` and what is worth a second look."""
    sections = []
    if before is not None:
        sections.append(Section("What changed", "\n".join(changes(before.files, before.simulator, simulator, found)), mark=True))
    remarks = list(_remarks(simulator, folder, found))
    if remarks:
        sections.append(Section("Worth a second look", "\n".join(remarks), mark=True))
    sections += _sections(simulator, folder, found)
    why = (
        "This analysis was made on another computer or by somebody else."
        if before is None
        else f"{changed_words(before, simulator, found)}."
    )
    return TrustSheet(why, before is None or before.foreign, tuple(sections))


# ------------------------------------------------------------------ all of it


def _sections(simulator: Simulator, folder: Path, found: Found) -> Iterator[Section]:
    yield Section("Command, run many times", command_text(simulator.command) or "(none yet)")
    if found.program:
        yield Section("Program that is started", visible(found.program))
    if simulator.working_folder is not None:
        where = (folder / os.path.expanduser(simulator.working_folder)).absolute()
        yield Section("Works in this folder, and may change what is in it", visible(str(where)), mark=True)
    if simulator.environment:
        lines = [f"{visible(name)}={visible(value)}" for name, value in simulator.environment.items()]
        yield Section("Environment it is given", "\n".join(lines))
    if simulator.stdin is not None:
        yield Section("Typed into it (standard input)", _text(simulator.stdin))
    for template in simulator.templates:
        yield Section(f"File written for it: {visible(template.target)}", _text(template.text))
    targets = {extra.path: extra.target for extra in simulator.extra_files if extra.target}
    files, left = [_file_line(file, path, targets) for file, path in zip(found.files, found.paths, strict=True)], MAX_ALL_SHOWN
    if files:
        yield Section("Files it starts, reads or is given", "\n".join(files))
    for file, path in zip(found.files, found.paths, strict=True):
        small = file.role in ("argument", "extra file") and file.size <= MAX_SMALL
        if path and (file.role in _SHOWN_ROLES or small) and left > 0:
            text = program_text(Path(path))
            if text is not None:
                left -= len(text)
                yield Section(f"Text of the {file.role} {visible(file.name)}", _text(text))


def _file_line(file: RunFile, path: str, targets: Mapping[str, str]) -> str:
    if file.digest == NOT_THERE:
        return f"{file.role}: {visible(file.name)}  (not there)"
    size = "used in place, its content is not checked" if file.digest == IN_PLACE else f"{file.size:,} bytes"
    target = targets.get(file.name, "") if file.role.startswith("extra") else ""
    return f"{file.role}: {visible(path)}  ({size})" + (f"  given to it as “{visible(target)}”" if target else "")


def _text(text: str) -> str:
    shown = "\n".join(visible(line, keep="\t") for line in text[:MAX_SHOWN].split("\n"))
    return shown + (f"\n... {len(text) - MAX_SHOWN:,} more characters are not shown" if len(text) > MAX_SHOWN else "")


# ------------------------------------------------------------------ what a careful reader would notice


def _remarks(simulator: Simulator, folder: Path, found: Found) -> Iterator[str]:
    words = list(simulator.command)
    names = [Path(word).name.removesuffix(".exe") for word in words]
    for name, value in simulator.environment.items():
        if _LOADS_CODE.fullmatch(name):
            yield f"The variable {visible(name)} can make programs load other code: {visible(value)[:200]}"
    if (names and names[0] in _SHELLS) or any(word in _INLINE for word in words[1:]):
        yield "A shell or an interpreter is given commands to carry out: read the command line to its end."
    for name in dict.fromkeys(n for n in names if n in _NETWORK | _POWER):
        what = "sends or fetches over the network" if name in _NETWORK else "runs with another user's rights"
        yield f"The program “{name}” {what}."
    for template in simulator.templates:
        if template.text.startswith("#!") or Path(template.target).suffix.lower() in _SCRIPTS:
            yield f"“{visible(template.target)}” is written and may be run as a program: read its text."
    own = Path.home()
    for file, path in zip(found.files, found.paths, strict=True):
        if path and _PRIVATE.search(Path(path).as_posix()):
            yield f"{visible(path)} looks like something private (a key, a password, a history)."
        elif path and file.role.startswith("extra") and not Path(path).is_relative_to(folder) and Path(path).is_relative_to(own):
            yield f"{visible(path)} lies outside the analysis's folder."
    yield from _not_shown(simulator, found)
    texts = [*words, simulator.stdin or "", *simulator.environment, *simulator.environment.values()]
    texts += [t for template in simulator.templates for t in (template.target, template.text)]
    if any(visible(text, keep="\n\r\t") != text for text in texts):
        yield r"There are characters that cannot be seen or that reorder text; they are written out, like \u202e."
    strange = sorted({word for text in texts[:4] + words for word in re.findall(r"\w+", text) if _mixes_alphabets(word)})
    for word in strange[:10]:
        yield f"“{word}” mixes letters of several alphabets that look alike ({ascii(word)[1:-1]})."


def _not_shown(simulator: Simulator, found: Found) -> Iterator[str]:
    """What a run loads but the sheet cannot show whole."""
    left = MAX_ALL_SHOWN
    for file, path in zip(found.files, found.paths, strict=True):
        if not path or file.role not in ("script", "module", "compiled module"):
            continue
        which = f"The {file.role} {visible(file.name)} ({file.size:,} bytes)"
        text = program_text(Path(path)) if file.role != "compiled module" else None
        if text is None and (file.size <= MAX_BYTES or file.role == "compiled module"):
            yield f"{which} is code that cannot be shown."
        elif text is None or len(text) > MAX_SHOWN or left <= 0:
            yield f"{which} is too long to be shown whole: look at it in an editor."
        left -= len(text or "")
    for template in simulator.templates:
        if len(template.text) > MAX_SHOWN:
            yield f"The text of {visible(template.target)} is too long to be shown whole."
    if len(simulator.stdin or "") > MAX_SHOWN:
        yield "What is typed into it is too long to be shown whole."
    if sum(file.role in ("module", "compiled module") for file in found.files) >= MAX_FILES:
        yield f"There are more than {MAX_FILES:,} Python files beside the script; only the first of them are listed and compared."


_SCRIPTS = {".sh", ".py", ".pl", ".rb", ".bat", ".cmd", ".ps1", ".vbs", ".js", ".command", ".desktop", ".bashrc", ".profile"}


def _mixes_alphabets(word: str) -> bool:
    alphabets = {unicodedata.name(c, "?").split()[0] for c in word if c.isalpha()}
    return len(alphabets & {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "FULLWIDTH"}) > 1
