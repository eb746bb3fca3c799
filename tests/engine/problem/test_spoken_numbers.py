"""Numbers in sentences: never 1e-09, 1.4e+02 or 0.30000000000000004."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.engine.problem.priors import describe

ROOT = Path(__file__).parents[3]
PLAIN = re.compile(r":(?:\.\d)?g\}")
LIMIT = re.compile(r"[A-Z]{3,}|_limit$")
AT_EDGES = ("engine/library", "engine/app")  # for who writes code or reads a terminal


@pytest.mark.parametrize(
    ("value", "digits", "said"),
    [
        (0.1 + 0.2, 6, "0.3"), (1e-9, 6, "1 × 10⁻⁹"), (138.6, 2, "140"), (10280.0, 3, "10300"), (2.5e6, 6, "2.5 × 10⁶"),
        (-1.5e-12, 3, "-1.5 × 10⁻¹²"), (0.0, 6, "0"), (1234567.0, 7, "1234567"), (float("inf"), 6, "inf"), (7, 6, "7"),
        (999999.9, 6, "1000000"), (0.0001, 6, "0.0001"),
    ],
)  # fmt: skip
def test_a_number_in_a_sentence_has_no_exponent_of_a_computer(value: float, digits: int, said: str) -> None:
    assert spoken(value, digits) == said


def test_a_prior_of_small_numbers_is_told_as_people_write_them() -> None:
    assert describe(d.LogUniform(low=1e-9, high=2e-6)) == "log-uniform between 1 × 10⁻⁹ and 2 × 10⁻⁶"


def test_no_sentence_formats_a_value_by_itself() -> None:
    """A string of two words and more in which a value stands as ``{value:g}``; limits that the program sets are round."""
    found = []
    for file in [*(ROOT / "engine").rglob("*.py"), *(ROOT / "gui").rglob("*.py")]:
        name, text = file.relative_to(ROOT).as_posix(), file.read_text("utf-8")
        if not name.startswith(AT_EDGES) and PLAIN.search(text):
            strings = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.JoinedStr))
            found += [f"{name}:{node.lineno}" for node in strings if _formats(node)]
    assert not found, "\n".join(found)


def _formats(node: ast.JoinedStr) -> bool:
    words = " ".join(part.value for part in node.values if isinstance(part, ast.Constant))
    inside = [part for part in node.values if isinstance(part, ast.FormattedValue) and part.format_spec is not None]
    specs = [(ast.unparse(part.value), ast.unparse(part.format_spec)) for part in inside if part.format_spec is not None]
    plain = any(re.search(r"^f?['\"]\.?\d*g['\"]$", spec) and not LIMIT.search(value) for value, spec in specs)
    return plain and bool(re.search(r"[a-z]{2,} [a-z]{2,}", words))
