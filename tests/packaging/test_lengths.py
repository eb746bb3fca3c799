"""Files and functions of the engine stay short enough to be read at once."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILE_LINES, FUNCTION_LINES = 350, 60
STILL_LONGER: dict[str, int] = {}  # never longer than this, and gone from here as soon as they are short enough


def lengths(source: str, file: str) -> dict[str, tuple[int, int]]:
    """Lines and allowed lines of a file and of each function in it."""
    found = {file: (len(source.splitlines()), FILE_LINES)}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            name = f"{file}:{node.name}"
            lines = max(node.end_lineno - node.lineno + 1, found.get(name, (0, 0))[0])
            found[name] = (lines, FUNCTION_LINES)
    return found


def test_no_file_and_no_function_of_the_engine_is_too_long() -> None:
    sources = sorted((ROOT / "engine").rglob("*.py"))
    assert len(sources) > 200
    too_long = {}
    for path in sources:
        for name, (lines, most) in lengths(path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix()).items():
            if lines > max(most, STILL_LONGER.get(name, 0)):
                too_long[name] = lines
    assert too_long == {}


def test_the_check_of_lengths_sees_files_and_functions_also_those_inside_classes() -> None:
    source = "class A:\n    def f(self):\n" + "        x = 1\n" * 60
    assert lengths(source, "a.py") == {"a.py": (62, 350), "a.py:f": (61, 60)}
