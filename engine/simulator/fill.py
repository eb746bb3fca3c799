"""Writing parameter values into a simulator's command, templates, standard input and environment.

Plain substitution of ``@name@``; nothing is evaluated. Numbers are written the same in every locale, by default with
as many digits as it takes to read the same float64 back. A number is never cut: too wide is an error before the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..problem.definition import NumberFormat, Simulator
from ..problem.errors import ProblemError, SetupError
from ..problem.numbers import number_format
from ..problem.placeholders import RUN_FOLDER, SEED, fill, usable_seed


class FillError(SetupError):
    """A value cannot be written as its format demands."""


@dataclass(frozen=True)
class Filled:
    """A simulator's texts with the values in place. ``templates``: target name -> text."""

    command: tuple[str, ...]
    templates: dict[str, str]
    stdin: str | None
    environment: dict[str, str]


def format_number(value: float, form: NumberFormat, name: str = "") -> str:
    """``value`` as text. Raises FillError if it is not finite or wider than ``form.max_width``."""
    try:
        return number_format.format_number(value, form, name)
    except ProblemError as error:
        raise FillError(error.what, error.suggestion) from None


def mapping_of(simulator: Simulator, values: Mapping[str, float], seed: int, run_folder: str) -> dict[str, str]:
    """The text of every placeholder. ``seed``: any whole number, see ``usable_seed``. Raises FillError."""
    plain = NumberFormat()
    texts = {name: format_number(value, simulator.formats.get(name, plain), name) for name, value in values.items()}
    seed = usable_seed(seed)
    seed_text = format_number(seed, simulator.formats[SEED], SEED) if SEED in simulator.formats else str(seed)
    return {SEED: seed_text, RUN_FOLDER: run_folder} | texts


def fill_simulator(simulator: Simulator, values: Mapping[str, float], seed: int, run_folder: str) -> Filled:
    """Every text of ``simulator`` with ``values`` (user's units, all parameters) in place. Raises FillError."""
    mapping = mapping_of(simulator, values, seed, run_folder)
    try:
        return Filled(
            command=tuple(fill(argument, mapping) for argument in simulator.command),
            templates={template.target: fill(template.text, mapping) for template in simulator.templates},
            stdin=None if simulator.stdin is None else fill(simulator.stdin, mapping),
            environment={name: fill(text, mapping) for name, text in simulator.environment.items()},
        )
    except ProblemError as error:
        raise FillError(error.what, error.suggestion) from None
