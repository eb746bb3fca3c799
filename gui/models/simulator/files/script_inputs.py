"""Files that the command or its script names and that give numbers to names, the likeliest input first: unknown numbers can be
marked in them. Looks into them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from bayescope.engine.problem.command_list import commands_of
from bayescope.engine.problem.definition import Simulator
from bayescope.engine.problem.placeholders import find
from bayescope.gui.models.simulator.files.loose_files import INPUTS, SCRIPTS, is_script, named_in

LARGEST = 1_000_000  # bytes; what is larger holds data
LONGEST = 4_000  # characters of a word that is looked for as a file
_GIVES = re.compile(
    r"(?m)^[ \t]*[^\W\d][\w.$%]*[ \t]*(?:<{1,2}-|:?=|:)[ \t]*[-+]?\.?\d|^[ \t]*[-+]?[\d.]+(?:[eE][-+]?\d+)?[ \t]*->"
    r"|^[ \t]*(?:[^\W\d]\w*[ \t]+){1,2}[^\W\d]\w*[ \t]*=[ \t]*[-+]?\.?\d"  # real k = 52.0; par SG=0.026
    r'|"[^"\n]{1,80}"[ \t]*:[ \t]*[-+]?\.?\d'  # of JSON, in the middle of a line too
)
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?"
_LISTS = re.compile(  # K 1e-4, layer SiO2 95.0 1.45, or 1e-4 ! conductivity: of a file of parameters, not of a program
    rf"(?m)^[ \t]*(?:[^\W\d][\w.$%]*[ \t]+){{1,3}}{_NUMBER}(?:[ \t]+{_NUMBER}){{0,9}}[ \t]*(?:$|[!#%;$])"
    rf"|^[ \t]*{_NUMBER}[ \t]*[!#%;$][^\n]*[^\W\d]"
)
_DECIMAL = re.compile(r"(?m)^[^!#%;$\n]*(?<![\w.])[-+]?\d+\.\d*(?:[eEdD][-+]?\d+)?(?![\w.])")  # a quantity, before any remark


def with_numbers(simulator: Simulator, folder: Path) -> list[Path]:
    """Such files, but for those that a run gets filled already; relative paths are from ``folder``.

    Those that the command names come first, in its order, then those that its scripts read; the scripts themselves are last.
    """
    filled = {Path(template.target).name for template in simulator.templates}
    named = list(_in_command(simulator, folder))
    scripts = [path for path in named if is_script(path)]
    started = (folder / Path(simulator.command[0]).expanduser()) if any(simulator.command[:1]) else None
    readers = [*scripts, *([started] if started is not None and is_script(started) else [])]
    read = [reader.parent / name for reader in readers for name in named_in(reader)]
    inputs = [path for path in (*named, *read) if not is_script(path)]
    return [path for path in dict.fromkeys((*inputs, *scripts)) if path.name not in filled and _may_be_input(path)]


def _in_command(simulator: Simulator, folder: Path) -> Iterator[Path]:
    """The files behind the program."""
    for word in dict.fromkeys(word for one in commands_of(simulator) for word in one[1:]):
        if not word or word.startswith("-") or "\0" in word or len(word) > LONGEST or find(word):
            continue
        try:
            path = (folder / Path(word).expanduser()).absolute()
            if path.is_file():
                yield path
        except (OSError, RuntimeError, ValueError):
            continue


def _may_be_input(path: Path) -> bool:
    try:
        state = path.stat()
        return _gives_numbers(path, state.st_mtime_ns, state.st_size)
    except OSError:
        return False


@lru_cache(maxsize=32)
def _gives_numbers(path: Path, changed: int, size: int) -> bool:
    if size > LARGEST:
        return False
    content = path.read_bytes()
    text = "" if b"\0" in content else content.decode("utf-8", "replace")
    lists = path.suffix.lower() not in SCRIPTS and _LISTS.search(text) is not None
    lists |= path.suffix.lower() in INPUTS and _DECIMAL.search(text) is not None
    return lists or _GIVES.search(text) is not None
