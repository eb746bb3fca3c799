"""Fail if the application could execute or unpickle what a stranger sends: checked over the syntax tree, in CI."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = {"pickle", "cPickle", "dill", "marshal", "shelve", "cloudpickle", "joblib"}
CALLS = {"eval", "exec", "compile", "__import__"}
ATTRIBUTES = {("torch", "load"), ("os", "system"), ("os", "popen"), ("subprocess", "getoutput"), ("np", "fromregex")}


def problems(path: Path) -> list[str]:
    """Sentences about forbidden constructs in one file."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        words = ""
        if isinstance(node, ast.Import) and any(a.name.split(".")[0] in MODULES for a in node.names):
            words = "imports a module that unpickles"
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in MODULES:
            words = "imports from a module that unpickles"
        elif isinstance(node, ast.Call):
            words = problem_of_call(node)
        if words:
            found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {words}")  # type: ignore[attr-defined]
    return found


def problem_of_call(node: ast.Call) -> str:
    f = node.func
    if isinstance(f, ast.Name) and f.id in CALLS:
        return f"calls {f.id}()"
    if isinstance(f, ast.Attribute) and isinstance(f.value, ast.Name) and (f.value.id, f.attr) in ATTRIBUTES:
        return f"calls {f.value.id}.{f.attr}()"
    for keyword in node.keywords:
        value = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
        if keyword.arg == "shell" and value is not False:
            return "passes shell="
        if keyword.arg == "allow_pickle" and value is not False:
            return "passes allow_pickle="
    return ""


def main() -> int:
    files = [p for room in ("engine", "gui", "resources") for p in sorted((ROOT / room).rglob("*.py"))]
    found = [line for path in files for line in problems(path)]
    print("\n".join(found) if found else f"forbidden calls: none in {len(files)} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
