"""Looking at a program before starting it: a sentence of its own for each thing that can be wrong with it."""

from __future__ import annotations

import difflib
import os
import platform
import shlex
import shutil
import struct
import sys
from collections.abc import Mapping
from pathlib import Path

from ..problem import bundled
from ..problem.errors import SetupError
from ..problem.interpreters import run_by
from ..problem.program import Program

_MACHINES = {3: "x86", 40: "arm", 62: "x86_64", 183: "aarch64", 243: "riscv64", 21: "ppc64", 22: "s390x"}
_SAME = {"amd64": "x86_64", "arm64": "aarch64", "i386": "x86", "i686": "x86", "armv7l": "arm", "ppc64le": "ppc64"}


def check(program: Program, environment: Mapping[str, str]) -> None:
    """Raises SetupError if ``program`` cannot be started. A few system calls; cheap enough for every run."""
    if not program.chosen:
        raise SetupError("No program is chosen.", "Choose the program to run on the Simulator page.")
    path = Path(program.arguments[0])
    if not program.found:
        raise _missing(program, environment)
    _check_file(path, environment)
    if program.script is not None:
        _check_script(program, Path(program.arguments[program.script]))


def _missing(program: Program, environment: Mapping[str, str]) -> SetupError:
    chosen = program.chosen
    if "/" not in chosen and os.sep not in chosen:
        names = _names_on_path(environment)
        close = difflib.get_close_matches(chosen, names, 1, 0.8)
        return SetupError(
            f"There is no program called “{chosen}” on this computer's search path.",
            (f"Is “{close[0]}” meant? " if close else "")
            + "Check the spelling, install the program, or choose its file with the whole path.",
        )
    folder = Path(os.path.expanduser(chosen)).parent
    if folder.is_absolute() and not folder.exists():
        while not folder.exists() and folder != folder.parent:
            missing, folder = folder, folder.parent
        return SetupError(
            f"The program “{chosen}” is not there: the folder “{missing}” does not exist.",
            "Was it moved, renamed, or is its drive not connected? Choose the program again.",
        )
    return SetupError(
        f"The program “{chosen}” is not there any more, or never was.",
        "Was it moved, renamed or deleted? Choose the program again.",
    )


def _names_on_path(environment: Mapping[str, str]) -> list[str]:
    names: list[str] = []
    for folder in environment.get("PATH", "").split(os.pathsep)[:40]:
        try:
            names += os.listdir(folder or ".")
        except OSError:
            continue
    return names


def _check_file(path: Path, environment: Mapping[str, str]) -> None:
    if path.is_symlink() and not path.exists():
        raise SetupError(
            f"“{path}” is a link to “{os.readlink(path)}”, which does not exist.",
            "Choose the program itself instead of the link.",
        )
    if path.is_dir():
        app = path.suffix == ".app"
        raise SetupError(
            f"“{path}” is a folder, not a program.",
            "Choose the program inside it" + (", usually in Contents/MacOS." if app else "."),
        )
    if not path.is_file():
        raise SetupError(f"“{path}” is neither a file nor a folder that can be run.", "Choose a program file.")
    try:
        with path.open("rb") as file:
            head = file.read(4096)
    except PermissionError:
        head = b""  # a program may be executable without being readable
        if not os.access(path, os.X_OK):
            raise SetupError(
                f"You have no permission to read or run “{path}”.", "Ask its owner, or copy it to a folder of yours."
            ) from None
    except OSError as error:
        raise SetupError(f"“{path}” cannot be read: {error.strerror}.", "Is its drive still connected?") from None
    if sys.platform == "win32":
        return
    if not os.access(path, os.X_OK):
        raise _not_executable(path, head)
    if head:
        _check_content(path, head, environment)


def _not_executable(path: Path, head: bytes) -> SetupError:
    interpreter = " ".join(run_by(path))
    if interpreter and not head.startswith(b"#!"):
        return SetupError(
            f"“{path.name}” is a script that cannot be started by itself.",
            f"Put its interpreter first: {interpreter} {shlex.quote(path.name)}",
        )
    return SetupError(
        f"“{path}” is not marked as executable.",
        f"Allow it in the file's properties, or in a terminal: chmod +x {shlex.quote(str(path))}",
    )


def _check_content(path: Path, head: bytes, environment: Mapping[str, str]) -> None:
    if head.startswith(b"#!"):
        _check_shebang(path, head, environment)
    elif head.startswith(b"\x7fELF"):
        _check_elf(path, head)
    elif head.startswith(b"MZ") and sys.platform != "win32":
        if not os.path.exists("/proc/sys/fs/binfmt_misc/wine"):
            raise SetupError(f"“{path.name}” is a Windows program.", "It does not run here; get the build for this system.")
    elif head[:4] in (b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xca\xfe\xba\xbe") and sys.platform != "darwin":
        raise SetupError(f"“{path.name}” is a macOS program.", "It does not run here; get the build for this system.")
    elif b"\0" not in head:
        interpreter = " ".join(run_by(path)) or "the interpreter it is written for"
        raise SetupError(
            f"“{path.name}” is a text file whose first line does not say what runs it (no “#!” line).",
            f"Put its interpreter first in the command ({interpreter} {shlex.quote(path.name)}), "
            "or add a first line such as #!/bin/sh",
        )


def _check_shebang(path: Path, head: bytes, environment: Mapping[str, str]) -> None:
    line = head[2:].split(b"\n", 1)[0]
    if line.endswith(b"\r"):
        raise SetupError(
            f"“{path.name}” was saved with Windows line ends, so its first line names no interpreter that exists.",
            f"Save it with Unix line ends; in a terminal: sed -i 's/\\r$//' {shlex.quote(str(path))}",
        )
    words = line.decode("utf-8", "replace").split()
    if not words:
        raise SetupError(f"The first line of “{path.name}” is “#!” with nothing after it.", "Name its interpreter there.")
    if not os.path.exists(words[0]):
        raise SetupError(
            f"“{path.name}” is to be run by “{words[0]}” (its first line), which does not exist.",
            "Correct the first line, or put the interpreter first in the command.",
        )
    if os.path.basename(words[0]) == "env":
        name = next((w for w in words[1:] if not w.startswith("-") and "=" not in w), "")
        if name and not shutil.which(name, path=environment.get("PATH")):
            raise SetupError(
                f"“{path.name}” is to be run by “{name}” (its first line), which is not on this computer's search path.",
                f"Install {name}, or put another interpreter first in the command.",
            )


def _check_elf(path: Path, head: bytes) -> None:
    if len(head) < 64:
        raise SetupError(f"“{path.name}” is cut off: it is only {len(head)} bytes long.", "Copy or build it again.")
    little = head[5] == 1
    kind, number = struct.unpack_from("<HH" if little else ">HH", head, 16)
    machine = _MACHINES.get(number, f"machine type {number}")
    here = _SAME.get(platform.machine().lower(), platform.machine().lower())
    compatible = machine == here or (here == "x86_64" and machine == "x86") or (here == "aarch64" and machine == "arm")
    if not compatible and not _emulated(machine):
        raise SetupError(
            f"“{path.name}” was built for another processor ({machine}; this computer has {here}).",
            "Get or build it for this computer.",
        )
    if kind == 1:
        raise SetupError(f"“{path.name}” is an object file, not a finished program.", "Link it first.")
    loader = _elf_loader(head, little)
    if loader and not os.path.exists(loader):
        raise SetupError(
            f"“{path.name}” needs the system part “{loader}”, which is not installed.",
            "It was built for another kind of Linux, or for 32 bits; install that part or build the program here.",
        )


def _emulated(machine: str) -> bool:
    return os.path.exists(f"/proc/sys/fs/binfmt_misc/qemu-{machine}")


def _elf_loader(head: bytes, little: bool) -> str:
    """The dynamic loader (PT_INTERP) of an ELF program, if it is named within the first bytes."""
    order = "<" if little else ">"
    wide = head[4] == 2
    table, size, count = (
        (struct.unpack_from(order + "Q", head, 32)[0], *struct.unpack_from(order + "HH", head, 54))
        if wide
        else (struct.unpack_from(order + "I", head, 28)[0], *struct.unpack_from(order + "HH", head, 42))
    )
    for i in range(count):
        at = table + i * size
        if at + 56 > len(head):
            break
        if struct.unpack_from(order + "I", head, at)[0] == 3:
            fields = struct.unpack_from(order + ("Q" if wide else "I"), head, at + (8 if wide else 4))
            length = struct.unpack_from(order + ("Q" if wide else "I"), head, at + (32 if wide else 16))[0]
            return head[fields[0] : fields[0] + length].rstrip(b"\0").decode("utf-8", "replace")
    return ""


def _check_script(program: Program, script: Path) -> None:
    interpreter = Path(program.chosen).name
    if script.is_dir():
        if not (script / "__main__.py").exists():
            raise SetupError(f"“{script}” is a folder, not a script for {interpreter}.", "Choose the script inside it.")
    elif not script.is_absolute() or not script.exists():
        raise SetupError(
            f"The script “{script}” that {interpreter} is to run is not there.",
            "It is looked for beside the analysis file, among the extra files and in the working folder. "
            "Choose it again, with its whole path.",
        )
    elif not os.access(script, os.R_OK):
        raise SetupError(f"You have no permission to read the script “{script}”.", "Ask its owner for a copy.")


def hint_about_arguments(program: Program, base: Path, run_folder: Path) -> list[str]:
    """Warnings about arguments that name a file beside the analysis, which a run in its own folder will not find."""
    if bundled.is_bundled(program.chosen):
        return []
    found = []
    for argument in program.arguments[1:]:
        if argument and not argument.startswith("-") and not os.path.isabs(argument) and len(argument) < 200:
            beside, inside = base / argument, run_folder / argument
            if beside.is_file() and not inside.exists():
                found.append(
                    f"The argument “{argument}” names a file beside the analysis, but each run works in its own folder. "
                    "If the program should read that file, add it under “extra files”."
                )
    return found
