"""The distribution's own rules: what is packed, what is imported, what is forbidden."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_package_folder_is_listed_in_pyproject() -> None:
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    found = {
        "bayescope." + ".".join(p.parent.relative_to(ROOT).parts)
        for room in ("engine", "gui", "resources")
        for p in (ROOT / room).rglob("__init__.py")
    }
    assert found == listed


def loaded_after(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(' '.join(sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return set(result.stdout.split())


def test_importing_the_window_does_not_import_torch_or_the_engines_heavy_rooms() -> None:
    loaded = loaded_after("import bayescope.gui.__main__, bayescope.gui.window.app, bayescope.gui.window.main_window")
    assert "torch" not in loaded
    assert "scipy.stats" not in loaded
    assert not any(m.startswith(("bayescope.engine.surrogate", "bayescope.engine.methods")) for m in loaded)


def test_the_command_line_starts_without_qt_or_torch() -> None:
    loaded = loaded_after("import bayescope.gui.__main__, bayescope.engine.app.cli")
    assert "PySide6" not in loaded
    assert "torch" not in loaded


def test_a_run_begins_without_torch() -> None:
    """Its first runs are made, and what is wrong with its session is said, before a second of imports."""
    methods = "bayescope.engine.methods.default.framed, bayescope.engine.methods.noisy.loop"
    assert "torch" not in loaded_after(f"import bayescope.engine.run.analysis, bayescope.engine.run.taking_in, {methods}")


def test_a_test_run_is_made_without_scipy() -> None:
    """What it prints, and how well that fits by the usual noises, needs nothing that takes a third of a second to import."""
    loaded = loaded_after("import bayescope.engine.simulator.trial_run, bayescope.engine.run.where")
    assert not {"torch", "scipy.linalg", "scipy.special", "scipy.optimize"} & loaded
