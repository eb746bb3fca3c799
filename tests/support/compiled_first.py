"""Before several workers collect the tests of a fresh checkout, each compiles a share of all files and finds the others'.

They go through the files in one order, so that each would compile every one of them: half a minute for each.
"""

from __future__ import annotations

import importlib.util
import py_compile
import sys
from pathlib import Path

import pytest
from _pytest.assertion import rewrite

ROOT = Path(__file__).resolve().parents[2]


def compile_share(config: pytest.Config, worker: int, workers: int) -> None:
    """Share ``worker`` (from 0) of what ``workers`` compile together; what is compiled already is left as it is."""
    if sys.dont_write_bytecode:
        return
    for path in _sources("engine", "gui", "resources", "tests/support")[worker::workers]:
        compiled = Path(importlib.util.cache_from_source(str(path)))
        if not compiled.exists() or compiled.stat().st_mtime < path.stat().st_mtime:
            py_compile.compile(str(path), quiet=2)
    for path in [p for p in _sources("tests") if p.name.startswith("test_")][worker::workers]:
        folder = rewrite.get_cache_dir(path)
        compiled = folder / f"{path.stem}{rewrite.PYC_TAIL}"
        if rewrite.try_makedirs(folder) and rewrite._read_pyc(path, compiled) is None:
            changed, code = rewrite._rewrite_test(path, config)
            rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, changed, compiled)


def _sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))
