"""What a person reads has one kind of quotation marks: “ ”."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("engine", "gui")
OF_COMMANDS = ("gui/models/simulator/files/command_text.py",)  # what a shell reads


def straight(source: str) -> list[int]:
    """Lines in which a value stands between straight quotation marks in a text: f"the output '{name}'"."""
    found = []
    for node in ast.walk(ast.parse(source)):
        parts = node.values if isinstance(node, ast.JoinedStr) else []
        for left, value, right in zip(parts, parts[1:], parts[2:], strict=False):
            around = [str(part.value) if isinstance(part, ast.Constant) else "" for part in (left, right)]
            if isinstance(value, ast.FormattedValue) and around[0].endswith("'") and around[1].startswith("'"):
                found.append(value.lineno)
    return found


def test_values_in_sentences_stand_between_typographic_quotation_marks() -> None:
    paths = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    assert len(paths) > 200
    found = {path.relative_to(ROOT).as_posix(): straight(path.read_text(encoding="utf-8")) for path in paths}
    assert {name: lines for name, lines in found.items() if lines and name not in OF_COMMANDS} == {}


def test_the_check_of_quotation_marks_sees_them() -> None:
    assert straight("f\"the output '{name}' is\"") == [1]
    assert straight('f"the output “{name}” is"') == []
