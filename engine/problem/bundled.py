"""Programs that come with the application: ``bayescope:NAME`` in a command.

From source they run with the interpreter the application runs with, isolated from its packages; the frozen application
has no outside interpreter, so they are executables beside it (built by packaging/bundle/bayescope.spec).
"""

from __future__ import annotations

import sys
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from ..machine.frozen import is_frozen
from .definition import Simulator
from .errors import SetupError

PREFIX = "bayescope:"
# name -> (executable of the frozen application, its script below resources/examples)
PROGRAMS = {
    "contamination": ("contamination_source", "contamination/contamination_source.py"),
    "predator_prey": ("predator_prey", "predator_prey/predator_prey.py"),
    "birth_death": ("birth_death", "birth_death/birth_death.py"),
    "ricker": ("ricker", "ricker/ricker.py"),
}


def is_bundled(program: str) -> bool:
    return program.startswith(PREFIX)


def resolve(program: str) -> list[str]:
    """The command that starts ``bayescope:NAME``. Raises SetupError if there is no such program."""
    name = program.removeprefix(PREFIX)
    if name not in PROGRAMS:
        raise SetupError(
            f"There is no bundled program called “{name}”.",
            f"The bundled programs are {', '.join(PREFIX + known for known in PROGRAMS)}. "
            "The analysis may have been made with a newer version.",
        )
    executable, script = PROGRAMS[name]
    if is_frozen():
        suffix = ".exe" if sys.platform == "win32" else ""
        return [str(Path(sys.executable).with_name(executable + suffix))]
    return [sys.executable, "-I", "-S", str(examples_folder() / script)]


@lru_cache(maxsize=1)
def example_simulators() -> tuple[Simulator, ...]:
    """The simulators of the bundled examples, as they come with the application."""
    from .files import load

    return tuple(load(path).simulator for path in sorted(examples_folder().glob("*/problem.json")))


def examples_folder() -> Path:
    """Where the bundled example problems lie."""
    return Path(str(files("bayescope.resources") / "examples"))
